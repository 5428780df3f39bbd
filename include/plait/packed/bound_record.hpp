#pragma once
// Partly static records: the text is in the type, extents that are `dynamic` in it are bound at run time.

#include <plait/packed/static_record.hpp>
#include <plait/support/checked_arithmetic.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Which numbers of a record's pieces depend on extents that are bound at run time: the number of each in a list, or
/// -1.
struct bound_numbers {
    int of_place[max_record_pieces]{};
    int of_stride[max_record_pieces][max_piece_digits]{};
    int count = 0;
};

/// Returns the smallest extent of an axis that is a multiple of all its blocks.
constexpr dim_t common_block(const record_tag& tag, int axis) {
    dim_t out = 1;
    for (const record_node& n : tag.nodes)
        if (n.axis == axis && n.step > 0 && n.part != record_part::range)
            out = out / greatest_common_divisor(out, n.step) * n.step;
    return out;
}

/// Returns the record of a tag where each `dynamic` extent is some blocks of its axis.
constexpr expected<record> sample_record(const record_tag& tag, plait::dims extents, dim_t blocks) {
    if (extents.size() != tag.ndims()) return verdict{reason::rank_differs, -1, extents.size(), tag.ndims()};
    for (int a = 0; a < extents.size(); ++a) {
        if (extents[a] != dynamic) continue;
        extents[a] = common_block(tag, a) * blocks;
        for (const record_node& n : tag.nodes)
            if (n.axis == a && (n.part == record_part::range || n.part == record_part::ragged))
                return verdict{reason::dim_is_dynamic, a};
    }
    return try_record(tag, extents);
}

/// Compares two records of a tag for different extents: numbers that differ depend on the extents.
constexpr bound_numbers compare_numbers(const record& a, const record& b) {
    bound_numbers out;
    for (int p = 0; p < a.pieces.size(); ++p) {
        const auto number = [&out](dim_t x, dim_t y) { return x == y ? -1 : out.count++; };
        out.of_place[p] = number(a.pieces[p].at, b.pieces[p].at);
        for (int d = 0; d < a.pieces[p].digits.size(); ++d)
            out.of_stride[p][d] = number(a.pieces[p].digits[d].stride, b.pieces[p].digits[d].stride);
    }
    return out;
}

/// A record whose text is known at compile time, and some extents only at run time. Blocks are constants, so an index
/// costs shifts and masks, and a product for each stride outside of a dynamic extent.
///
/// Refused: (by the compiler) dim_is_dynamic if the tag cuts a dynamic axis into ranges; (by the constructor)
///          bound_values_do_not_match, chunk_ends_inside_a_byte, and what try_record refuses
template <fixed_string Text, dim_t... Dims>
class bound_record : public record_in_type {
    static constexpr record sample(dim_t blocks) {
        const expected<record> made = sample_record(*parsed_tag<Text>, plait::dims{Dims...}, blocks);
        return made.has_value() ? *made : record();
    }

public:
    // Of 8 blocks, so that strides outside of dynamic extents are whole bytes, as the constructor demands.
    static constexpr record shape =
        allowed<sample_record(*parsed_tag<Text>, plait::dims{Dims...}, 8).error()> ? sample(8) : record();
    static constexpr auto text = Text;

    /// Stores the values of the dynamic extents, in the order of their axes.
    constexpr explicit bound_record(const plait::dims& values) {
        constexpr dim_t needed = (dim_t{0} + ... + (Dims == dynamic));
        require(values.size() == needed ? verdict()
                                        : verdict{reason::bound_values_do_not_match, -1, values.size(), needed});
        int next = 0;
        ((dims_.push_back(Dims == dynamic ? values[next++] : Dims)), ...);
        const record made = try_record(*parsed_tag<Text>, dims_).value();
        size_ = made.size;
        for (int p = 0; p < made.pieces.size(); ++p) {
            const record_field& field = made.field_of(made.pieces[p]);
            store(numbers.of_place[p], made.pieces[p].at - shape.pieces.values[p].at % 8, field);
            for (int d = 0; d < made.pieces[p].digits.size(); ++d)
                store(numbers.of_stride[p][d], made.pieces[p].digits[d].stride, field);
        }
    }
    constexpr operator record() const { return try_record(*parsed_tag<Text>, dims_).value(); }

    /// Returns the place of the lowest bit of the value of a field at these indices, in bits from the beginning.
    template <fixed_string Name, std::integral... Index>
    [[gnu::always_inline]] constexpr dim_t bit_offset(Index... index) const {
        if constexpr (allowed<check_access(shape, view_of(Name), static_cast<int>(sizeof...(Index)))>) {
            const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
            return field_index<bound_record, Name>::bit_offset(*this, at);
        } else {
            return 0;
        }
    }
    constexpr dim_t extent(int axis) const { return dims_[axis]; }
    constexpr std::size_t size_in_bytes() const { return static_cast<std::size_t>(size_); }

    /// For piece_index.
    template <int P>
    [[gnu::always_inline]] constexpr dim_t first_byte() const {
        if constexpr (constexpr int n = numbers.of_place[P]; n >= 0) return numbers_[n];
        else return shape.pieces.values[P].at >> 3;
    }
    template <int P, int D>
    [[gnu::always_inline]] constexpr dim_t bytes_of_step() const {
        if constexpr (constexpr int n = numbers.of_stride[P][D]; n >= 0) return numbers_[n];
        else return shape.pieces.values[P].digits.values[D].stride / 8;
    }

private:
    static constexpr bound_numbers numbers = compare_numbers(shape, sample(16));

    constexpr void store(int number, dim_t bits, const record_field& field) {
        if (number < 0) return;
        if (bits % 8 != 0) require({reason::chunk_ends_inside_a_byte, -1, short_name(field.name), bits});
        numbers_[number] = bits / 8;
    }

    plait::dims dims_;
    dim_t size_ = 0;
    dim_t numbers_[static_cast<std::size_t>(numbers.count) + 1]{};
};

}  // namespace plait::detail
