#pragma once
// The blocks of a field: the values inside the loops that are written as letters, if they are adjacent.

#include <plait/packed/record_index.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The bytes of a block, and the digit of the piece that each number of a block moves.
struct block_shape {
    verdict why;
    std::size_t bytes = 0;
    int piece = 0, count = 0;
    int digits[max_ndims]{};
    dim_t behind = 0;  // the first byte of a block, from the place where no digit runs backwards
};

/// Returns true if a field has a loop over the blocks of an axis, and not one value for all of it.
constexpr bool has_letter_loop(const record& r, int field, int axis) {
    bool inside = false;
    for (const record_node& n : r.tag.nodes) {
        if (n.part == record_part::field) inside = n.field == field;
        if (inside && n.part == record_part::shared && n.extent == 0 && n.axis == axis) return false;
    }
    return true;
}

/// Returns the digit of a piece that has the largest step of an axis, or -1.
constexpr int letter_digit(const record_piece& piece, int axis) {
    int found = -1;
    for (int d = 0; d < piece.digits.size(); ++d)
        if (piece.digits[d].axis == axis && (found < 0 || piece.digits[d].step > piece.digits[found].step)) found = d;
    return found;
}

/// Returns the shape of the blocks of a field, which are numbered by `numbers` numbers.
///
/// Refused: field_is_missing, field_is_in_pieces (the pieces); rank_differs; group_is_not_contiguous (strides in bits);
///          chunk_ends_inside_a_byte
constexpr block_shape shape_of_block(const record& r, std::string_view name, int numbers) {
    block_shape out;
    const dim_t called = short_name(field_name_of(name));
    const field_pieces pieces = pieces_of(r, name);
    const auto refuse = [&out](const verdict& why) { return out.why = why, out; };
    if (r.ndims() == 0) return out;  // the tag was refused
    if (pieces.count == 0) return refuse({reason::field_is_missing, -1, called});
    if (pieces.count > 1) return refuse({reason::field_is_in_pieces, -1, called, pieces.count});
    out.piece = pieces.values[0];
    const record_piece& piece = r.pieces[out.piece];
    bool is_number[max_piece_digits]{};
    for (int axis = 0; axis < r.ndims(); ++axis)
        if (has_letter_loop(r, piece.field, axis)) {
            const int d = letter_digit(piece, axis);
            is_number[d] = true;
            out.digits[out.count++] = d;
        }
    if (numbers != out.count) return refuse({reason::rank_differs, -1, numbers, out.count});
    dim_t bits = r.field_of(piece).width, first = piece.at;
    for (int d = 0; d < piece.digits.size(); ++d) {
        const piece_digit& digit = piece.digits[d];
        const bool backwards = digit.stride < 0;
        if (is_number[d]) {
            if (digit.stride % 8 != 0)
                return refuse({reason::chunk_ends_inside_a_byte, -1, called, backwards ? -digit.stride : digit.stride});
            continue;
        }
        if (digit.stride != bits && -digit.stride != bits)
            return refuse({reason::group_is_not_contiguous, digit.axis, digit.stride, bits});
        if (backwards) first += (digit.extent - 1) * digit.stride;
        bits *= digit.extent;
    }
    if (bits % 8 != 0 || first % 8 != 0)
        return refuse({reason::chunk_ends_inside_a_byte, -1, called, bits % 8 != 0 ? bits : first});
    out.behind = first / 8 - (piece.at >> 3);
    out.bytes = static_cast<std::size_t>(bits / 8);
    return out;
}

/// Computes where the blocks of a record type R begin.
template <class R, block_shape Shape>
struct block_index {
    /// Returns the first byte of the block with these numbers.
    [[gnu::always_inline]] static constexpr std::uint64_t first_byte(const R& r, const std::uint64_t* numbers) {
        return first_byte(r, numbers, std::make_integer_sequence<int, Shape.count>());
    }

private:
    static constexpr block_shape shape = Shape;  // Clang 14 needs this copy to index digits
    template <int... I>
    [[gnu::always_inline]] static constexpr std::uint64_t first_byte(const R& r,
                                                                     [[maybe_unused]] const std::uint64_t* numbers,
                                                                     std::integer_sequence<int, I...>) {
        const dim_t first = r.template first_byte<Shape.piece>() + Shape.behind;
        return (static_cast<std::uint64_t>(first) + ... +
                (numbers[I] * static_cast<std::uint64_t>(r.template bytes_of_step<Shape.piece, shape.digits[I]>())));
    }
};

}  // namespace plait::detail
