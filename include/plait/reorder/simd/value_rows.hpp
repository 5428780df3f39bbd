#pragma once
// Rows of elements: what an instruction set does to the values of run-time reorders. Functions for each type, not for
// each pair: a row becomes numbers, is computed with, and becomes elements again, while it is in the nearest cache.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>

#include <cstddef>

namespace plait {

/// Some rows of as many elements: from one to the next, in bytes.
struct row_block {
    dim_t count = 0, rows = 1;
    dim_t from_step = 0, to_step = 0;
    dim_t operand_step = 0;      ///< from the operands of one row to those of the next
    bool operand_is_one = true;  ///< of a row: one register of equal numbers, instead of one number each
};

/// The functions of one instruction set for rows of f32, or of f64. Pointers are to bytes, as elements need no
/// alignment. What is read and written ends with the rows, but for operands: of these whole registers are read.
struct value_rows {
    static constexpr int types = static_cast<int>(data_type::u8) + 1;

    using convert = void(const std::byte* from, std::byte* to, const row_block& block) noexcept;
    using combine = void(const std::byte* from, const std::byte* operand, std::byte* to,
                         const row_block& block) noexcept;

    convert* widen[types];          ///< from elements of a type to numbers; null where those would lose something
    convert* narrow[types];         ///< from numbers to elements of a type
    combine* widen_scaled[types];   ///< widen, then times the operand
    combine* narrow_scaled[types];  ///< times the operand, then narrow
    combine* subtract;
    combine* multiply;
    /// from + operand * to, each rounded; into to.
    combine* add_product;
    /// The sum of a row of s8, modulo 2^32.
    std::uint32_t (*sum)(const std::byte* from, dim_t count) noexcept;
    /// Adds a row of s8 to a row of s32, modulo 2^32.
    void (*add_to)(const std::byte* from, std::byte* to, dim_t count) noexcept;
};

/// How many numbers the largest register has, and so what operands are rounded up to.
inline constexpr int most_numbers_at_once = 16;

}  // namespace plait
