#pragma once
// Records as types: the text of the tag and the numbers are in the type, so the place of a value is arithmetic on
// constants, unrolled for one index.

#include <plait/core/allowed.hpp>
#include <plait/packed/record.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/support/fixed_string.hpp>
#include <plait/typed/static_index.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Where a bit lies: the byte from the beginning of the record, and the bit in that byte.
struct bit_place {
    std::uint64_t byte = 0, bit = 0;
};

/// The pieces of one field of a record, in the order of the tag.
struct field_pieces {
    int values[max_record_pieces]{};
    int count = 0;
};
constexpr field_pieces pieces_of(const record& r, std::string_view name) {
    field_pieces out;
    for (int p = 0; p < r.pieces.size(); ++p)
        if (has_name(r.field_of(r.pieces[p]).name, name)) out.values[out.count++] = p;
    return out;
}

/// Checks that a record has a field, and that an access gives one index for each axis.
///
/// Refused: field_is_missing; rank_differs (the indices given, the axes)
constexpr verdict check_access(const record& r, std::string_view name, int indices) {
    if (r.ndims() == 0) return {};  // the tag was refused
    if (pieces_of(r, name).count == 0) return no_field(name);
    return indices == r.ndims()
               ? verdict()
               : detail::ranks_differ(detail::counted::index, indices, detail::counted::record, r.ndims());
}

/// The index arithmetic of piece P of a record type R. R::shape is a record with its digits; what depends on numbers
/// that are bound at run time is read from the object.
template <class R, int P>
class piece_index {
public:
    static constexpr record_piece piece = R::shape.pieces.values[P];
    static constexpr record_field field = R::shape.field_of(piece);

    /// Returns true if the value at an index is stored in this piece.
    [[gnu::always_inline]] static constexpr bool holds(const std::uint64_t* at) {
        return holds(at, std::make_integer_sequence<int, piece.where.size()>());
    }
    /// Returns the place of the lowest bit of the value at an index.
    [[gnu::always_inline]] static constexpr bit_place place(const R& r, const std::uint64_t* at) {
        return place(r, at, std::make_integer_sequence<int, piece.digits.size()>());
    }

    /// The least and the largest bit of a byte at which a value begins; 7 is the largest even if values begin at any.
    struct bit_range {
        int least = 0, largest = 0;
    };
    static constexpr bit_range bits = [] {
        dim_t least = piece.at % 8, largest = least;
        for (const piece_digit& d : piece.digits)
            if (d.stride % 8 != 0) (d.stride < 0 ? least : largest) += (d.extent - 1) * d.stride;
        const bool carries = least < 0 || largest > 7;
        return bit_range{carries ? 0 : static_cast<int>(least), carries ? 7 : static_cast<int>(largest)};
    }();

private:
    template <int... C>
    [[gnu::always_inline]] static constexpr bool holds([[maybe_unused]] const std::uint64_t* at,
                                                       std::integer_sequence<int, C...>) {
        return (condition<C>(at) && ...);
    }
    template <int C>
    [[gnu::always_inline]] static constexpr bool condition(const std::uint64_t* at) {
        constexpr piece_condition c = piece.where.values[C];
        const std::uint64_t digit = digit_value<c.step, c.extent>(at[c.axis]);
        return (c.first == 0 || digit >= static_cast<std::uint64_t>(c.first)) &&
               digit < static_cast<std::uint64_t>(c.last);
    }

    /// Returns how many strides a digit moves the place.
    template <int D>
    [[gnu::always_inline]] static constexpr std::uint64_t steps(const std::uint64_t* at) {
        constexpr piece_digit d = piece.digits.values[D];
        constexpr bool most_significant = d.step * d.extent >= piece.extents.values[d.axis];
        constexpr auto extent = static_cast<std::uint64_t>(d.extent);
        if constexpr (d.extent == 1) return 0;
        else {
            const std::uint64_t value = digit_value < d.step, most_significant ? 0 : d.extent > (counted<d.axis>(at));
            if constexpr (d.turned_by < 0) return value;
            else return (value + extent - counted<d.turned_by>(at) % extent) % extent;
        }
    }
    /// Returns an index counted from the first one of the piece.
    template <int Axis>
    [[gnu::always_inline]] static constexpr std::uint64_t counted(const std::uint64_t* at) {
        return at[Axis] - static_cast<std::uint64_t>(piece.origin.values[Axis]);
    }

    template <int... D>
    [[gnu::always_inline]] static constexpr bit_place place(const R& r, const std::uint64_t* at,
                                                            std::integer_sequence<int, D...>) {
        const std::uint64_t byte = (static_cast<std::uint64_t>(r.template first_byte<P>()) + ... + whole<D>(r, at));
        const std::uint64_t bit = (static_cast<std::uint64_t>(piece.at % 8) + ... + part<D>(at));
        constexpr bool carries = bits.largest == 7 && bits.least == 0;
        if constexpr (!carries) return {byte, bit};
        else return {byte + static_cast<std::uint64_t>(static_cast<std::int64_t>(bit) >> 3), bit & 7};
    }
    /// Returns the bytes that a digit moves the place, if its stride is whole bytes.
    template <int D>
    [[gnu::always_inline]] static constexpr std::uint64_t whole(const R& r, const std::uint64_t* at) {
        if constexpr (piece.digits.values[D].stride % 8 != 0) return 0;
        else return steps<D>(at) * static_cast<std::uint64_t>(r.template bytes_of_step<P, D>());
    }
    /// Returns the bits that a digit moves the place, if its stride is not whole bytes.
    template <int D>
    [[gnu::always_inline]] static constexpr std::uint64_t part(const std::uint64_t* at) {
        constexpr dim_t stride = piece.digits.values[D].stride;
        if constexpr (stride % 8 == 0) return 0;
        else return steps<D>(at) * static_cast<std::uint64_t>(stride);
    }
};

/// The field Name of a record type R.
template <class R, fixed_string Name>
struct field_index {
    static constexpr field_pieces pieces = pieces_of(R::shape, view_of(Name));

    /// Calls action(piece_index<R, P>()) for each piece of the field.
    template <class Action>
    [[gnu::always_inline]] static constexpr void for_each_piece(Action&& action) {
        for_each_piece(action, std::make_integer_sequence<int, pieces.count>());
    }
    /// Returns the place of the lowest bit of the value at an index, in bits.
    [[gnu::always_inline]] static constexpr dim_t bit_offset(const R& r, const std::uint64_t* at) {
        std::uint64_t out = 0;
        for_each_piece([&]<int P>(piece_index<R, P>) {
            using index = piece_index<R, P>;
            if constexpr (index::field.low == 0)
                if (index::holds(at)) {
                    const bit_place place = index::place(r, at);
                    out = place.byte * 8 + place.bit;
                }
        });
        return static_cast<dim_t>(out);
    }

private:
    template <class Action, int... Index>
    [[gnu::always_inline]] static constexpr void for_each_piece(Action& action, std::integer_sequence<int, Index...>) {
        (action(piece_index<R, pieces.values[Index]>()), ...);
    }
};

}  // namespace plait::detail

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The tag that a text spells, and its canonical text, each computed once.
template <fixed_string Text>
inline constexpr expected<record_tag> parsed_tag = parse_record_tag(view_of(Text));
template <fixed_string Text>
inline constexpr record_text written_tag = parsed_tag<Text>->text();

/// Returns the canonical text of a tag, or an empty one after the compile error that says why there is none.
template <fixed_string Text>
consteval auto canonical_text() {
    if constexpr (allowed<parsed_tag<Text>.error()>) {
        char out[written_tag<Text>.size() + 1]{};
        for (int i = 0; i < written_tag<Text>.size(); ++i) out[i] = written_tag<Text>.characters[i];
        return fixed_string<written_tag<Text>.size()>(out);
    } else {
        return fixed_string<0>("");
    }
}

template <fixed_string Text, dim_t... Dims>
inline constexpr expected<record> made_record = try_record(*parsed_tag<Text>, plait::dims{Dims...});

/// The base of all types that contain a record.
struct record_in_type {};

/// A record whose text and numbers are known at compile time. Text is canonical, so that equal records are one type.
template <fixed_string Text, dim_t... Dims>
class static_record : public record_in_type {
    static constexpr record make() {
        if constexpr (Text.size() == 0) return {};
        else return allowed<made_record<Text, Dims...>.error()> ? *made_record<Text, Dims...> : record();
    }

public:
    static constexpr record value = static_record::make();
    static constexpr const record& shape = value;  // what an index needs: see piece_index
    static constexpr auto text = Text;

    constexpr operator const record&() const { return value; }

    /// Returns the place of the lowest bit of the value of a field at these indices, in bits from the beginning.
    template <fixed_string Name, std::integral... Index>
    [[gnu::always_inline]] static constexpr dim_t bit_offset(Index... index) {
        if constexpr (allowed<check_access(shape, view_of(Name), static_cast<int>(sizeof...(Index)))>) {
            if (__builtin_is_constant_evaluated()) return value.bit_offset(view_of(Name), index...);
            const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
            return field_index<static_record, Name>::bit_offset(static_record(), at);
        } else {
            return 0;
        }
    }
    static constexpr dim_t extent(int axis) { return value.dims.values[axis]; }
    static constexpr std::size_t size_in_bytes() { return value.size_in_bytes(); }

    /// For piece_index.
    template <int P>
    static constexpr dim_t first_byte() {
        return value.pieces.values[P].at >> 3;
    }
    template <int P, int D>
    static constexpr dim_t bytes_of_step() {
        return value.pieces.values[P].digits.values[D].stride / 8;
    }
};
}  // namespace detail

}  // namespace plait

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
    if (extents.size() != tag.ndims())
        return detail::ranks_differ(detail::counted::extents, extents.size(), detail::counted::record_tag, tag.ndims());
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

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
template <fixed_string Text, dim_t... Dims>
struct record_for {
    using type = static_record<Text, Dims...>;
};
template <fixed_string Text, dim_t... Dims>
    requires(Text.size() > 0 && ((Dims == dynamic) || ...))
struct record_for<Text, Dims...> {
    using type = bound_record<Text, Dims...>;
};
/// The tag is read only if the type is used, so that formats of an included list cost nothing.
template <fixed_string Text, dim_t... Dims>
struct record_spelled {
    using type = typename record_for<canonical_text<Text>(), Dims...>::type;
};
}  // namespace detail

/// The record of a tag for given extents, as a type. `value` is the record, bit_offset<"q">(n, k) a place in it.
///
/// An extent may be `dynamic`: then the type has no value, and its constructor takes the numbers, as plait::dims.
///
/// Refused: (by the compiler) as parse_record_tag(Text) and try_record(tag, dims)
/// Post:    record_constant<t, d...>::value == record(t, {d...}); two spellings of a tag give one type
/// Cost:    some 7 ms to compile a record; bit_offset costs the arithmetic written by hand, and checks its indices only
///          in constant expressions
/// Source:  docs/packed.md
/// Example: record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>::bit_offset<"q">(1, 16) == 196
template <fixed_string Text, dim_t... Dims>
using record_constant = typename detail::record_spelled<Text, Dims...>::type;

/// A type that contains a record: a record_constant, or a type derived from one.
template <class R>
concept record_type = std::derived_from<R, detail::record_in_type>;

/// A record type with this tag, for any extents. A kernel says with it what it reads.
template <class R, fixed_string Tag>
concept reads = record_type<R> && detail::view_of(R::text)
== detail::view_of(detail::canonical_text<Tag>());

}  // namespace plait
