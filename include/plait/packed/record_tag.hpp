#pragma once
// The tag of a record: the fields of a buffer of packed weights, and the loops around them. record_grammar.hpp reads
// and writes it.

#include <plait/core/element_types.hpp>
#include <plait/core/expected.hpp>
#include <plait/core/format_tag.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/support/inline_text.hpp>

#include <string_view>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The name of a field or of a parameter.
using field_name = inline_text<15>;

namespace detail {
inline constexpr int max_record_nodes = 160, max_record_pieces = 24, max_sum_digits = 4, most_subtracted = 65535;

/// Returns an inline_text or a fixed_string as a string_view.
constexpr std::string_view view_of(const auto& text) { return {text.data(), static_cast<std::size_t>(text.size())}; }

/// The text of a tag.
using record_text = inline_text<1023>;

/// Returns the first eight letters of a name as a number, for a verdict.
constexpr dim_t short_name(const field_name& name) {
    dim_t out = 0;
    for (int i = 0; i < 8; ++i) out = out << 7 | (i < name.size() ? name[i] & 127 : 0);
    return out;
}

/// Returns a name and the letter of an axis as a number, for a verdict.
constexpr dim_t name_and_letter(const field_name& name, char letter) {
    return dim_t{letter - 'a'} << 56 | short_name(name);
}

/// The kind of a node of a tag. The nodes stand in the order of the text.
enum class record_part {
    loop,    // a digit, or with extent 0 the loop over all blocks of an axis
    shared,  // a digit that has no stride, or with extent 0 all of the axis
    fixed,   // a digit of which the field is stored for one value only
    range,   // indices of the axis for which the field is stored
    ragged,  // a digit whose last block is shorter
    open,    // a group begins; its loops stand before
    close,
    field,  // its marks follow
    end,    // of the marks of a field
    gap,    // bytes
    align   // bytes up to a multiple
};

/// How one end of a range is given: a number, the largest multiple of a number that is at most the extent, or the
/// extent.
enum class range_bound { exact, multiple, whole };

/// A node of a tag.
struct record_node {
    record_part part = record_part::gap;
    int column = 0;  ///< where it stands in the text that was read; not compared
    int axis = -1;
    int field = -1;      ///< the number of the field
    dim_t extent = 0;    ///< of a digit; bytes of a gap; the last number of a range
    dim_t step = 0;      ///< how far a digit steps the index; resolve_steps finds it
    dim_t value = 0;     ///< of a fixed digit; the first number of a range
    int turned_by = -1;  ///< the axis by whose index the digit is turned, or -1
    bool backwards = false, marked = false;
    range_bound first = range_bound::exact, last = range_bound::exact;

    constexpr bool operator==(const record_node& o) const {
        return part == o.part && axis == o.axis && field == o.field && extent == o.extent && step == o.step &&
               value == o.value && turned_by == o.turned_by && backwards == o.backwards && marked == o.marked &&
               first == o.first && last == o.last;
    }
};
}  // namespace detail

/// The values that are stored in a field: given ones, sums of another field, or both added.
struct field_content {
    enum : int { given, sum, added_sum } kind = given;
    field_name of;         ///< the field that is summed
    int subtracted = 0;    ///< from each of its values, before they are added
    field_name times;      ///< an f32 sum multiplies by this field; empty: no factor
    double factor = 1;     ///< the sum is multiplied by it ...
    field_name parameter;  ///< ... and by this number, which is given at run time
    inline_list<inner_block, detail::max_sum_digits> first_digits;  ///< summed first, as integers: see first_steps
    inline_list<dim_t, detail::max_sum_digits> first_steps;         ///< how far each steps the index; 0: by the rule
    constexpr bool operator==(const field_content&) const = default;
    /// Returns how far a digit of those that are summed first steps the index; 0 if that does not fit in 63 bits.
    constexpr dim_t first_step(int digit) const;
};

constexpr dim_t field_content::first_step(int digit) const {
    if (first_steps[digit] != 0) return first_steps[digit];
    dim_t step = 1;
    const auto pass = [&](int i) {
        dim_t next = 0;
        step = detail::multiply_overflows(step, first_digits[i].size, next) ? 0 : next;
        return step != 0;
    };
    for (int last = first_digits.size() - 1; last >= digit; --last) {
        if (first_steps[last] != 0 || first_digits[last].axis != first_digits[digit].axis) continue;
        for (int i = 0; i < first_digits.size(); ++i)
            if (first_steps[i] == step && first_digits[i].axis == first_digits[digit].axis) {
                if (!pass(i)) return 0;
                i = -1;
            }
        if (last == digit || !pass(last)) break;
    }
    return step;
}

/// A field of a record, or a piece of one: some bits of its values, for some indices.
struct record_field {
    int column = 0;  ///< where its name stands in the text that was read; not compared
    field_name name;
    data_type type = data_type::undef;  ///< undef: an unsigned number of `width` bits for which there is no type
    int low = 0, width = 0;             ///< bits low .. low + width - 1 of a value are stored here
    std::uint64_t flipped = 0;          ///< the bits of the value that are stored inverted
    int subtracted = 0;                 ///< from the value, before it is stored in `width` bits; only if low is 0
    double factor = 1;                  ///< the value is stored times this; of floating types only
    unsigned repeated_axes = 0;  ///< a bit for each axis whose padding has the value of its last index, not zeros
    unsigned valued_axes = 0;    ///< a bit for each axis whose padding has the value `padding`
    dim_t padding = 0;
    field_content content;

    /// Returns what is stored of the bits of a value.
    constexpr std::uint64_t stored(std::uint64_t value) const {
        return (((value >> low) - static_cast<std::uint64_t>(subtracted)) ^ flipped) & detail::low_bits(width);
    }
    /// Returns the bits of a value that are stored here, from what is stored.
    constexpr std::uint64_t value_of(std::uint64_t bits) const {
        return (((bits ^ flipped) + static_cast<std::uint64_t>(subtracted)) & detail::low_bits(width)) << low;
    }

    constexpr bool operator==(const record_field& o) const {
        return name == o.name && type == o.type && low == o.low && width == o.width && flipped == o.flipped &&
               subtracted == o.subtracted && factor == o.factor && repeated_axes == o.repeated_axes &&
               valued_axes == o.valued_axes && padding == o.padding && content == o.content;
    }
};

/// How the fields of a record lie in memory, for any extents: loops around fields, as a format tag has them for one.
///
/// Pre:     a literal is a tag of the grammar, otherwise the compiler's error names the reason and the column
/// Post:    parse_record_tag(t.text()) == t
/// Example: record_tag("nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)")
/// Source:  docs/packed.md
struct record_tag {
    inline_text<max_ndims> axes;  ///< the letters of the axes, in logical order
    inline_list<detail::record_node, detail::max_record_nodes> nodes;
    inline_list<record_field, detail::max_record_pieces> fields;

    constexpr record_tag() = default;
    template <std::size_t N>
#if defined(__clang__) && __clang_major__ < 16
    constexpr  // Clang 14 writes a large object of a consteval constructor wrongly: most of its arrays are empty
#else
    consteval
#endif
        record_tag(const char (&text)[N]);

    constexpr int ndims() const { return axes.size(); }
    /// Returns the canonical spelling. Equal tags have equal texts.
    constexpr detail::record_text text() const;
    constexpr bool operator==(const record_tag&) const = default;
};

}  // namespace plait
