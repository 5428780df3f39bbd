#pragma once
// The place of a value in a record whose digits are known at compile time: the arithmetic of one index, unrolled.

#include <plait/core/allowed.hpp>
#include <plait/packed/record.hpp>
#include <plait/support/fixed_string.hpp>
#include <plait/typed/static_index.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns an inline_text or a fixed_string as a string_view.
constexpr std::string_view view_of(const auto& text) { return {text.data(), static_cast<std::size_t>(text.size())}; }

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
    const field_name wanted = field_name_of(name);
    for (int p = 0; p < r.pieces.size(); ++p)
        if (r.field_of(r.pieces[p]).name == wanted) out.values[out.count++] = p;
    return out;
}

/// Checks that a record has a field, and that an access gives one index for each axis.
///
/// Refused: field_is_missing; rank_differs (the indices given, the axes)
constexpr verdict check_access(const record& r, std::string_view name, int indices) {
    if (r.ndims() == 0) return {};  // the tag was refused
    if (pieces_of(r, name).count == 0) return {reason::field_is_missing, -1, short_name(field_name_of(name))};
    return indices == r.ndims() ? verdict() : verdict{reason::rank_differs, -1, indices, r.ndims()};
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
    template <class Action, int... I>
    [[gnu::always_inline]] static constexpr void for_each_piece(Action& action, std::integer_sequence<int, I...>) {
        (action(piece_index<R, pieces.values[I]>()), ...);
    }
};

}  // namespace plait::detail
