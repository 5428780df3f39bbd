#pragma once
// Rows of elements: what an instruction set does to the values of run-time reorders. Functions for each type, not for
// each pair: a row becomes numbers, is computed with, and becomes elements again, while it is in the nearest cache.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>

#include <cstddef>

namespace plait {

/// The functions of one instruction set for rows of f32, or of f64. Pointers are to bytes, as elements need no
/// alignment. What is read and written ends with the count, but for operands: of these whole registers are read.
struct value_rows {
    static constexpr int types = static_cast<int>(data_type::u8) + 1;

    using convert = void(const std::byte* from, std::byte* to, dim_t count) noexcept;
    /// `step` is 0 for an operand that is one register of equal numbers, else 1.
    using combine = void(const std::byte* from, const std::byte* operand, dim_t step, std::byte* to,
                         dim_t count) noexcept;

    convert* widen[types];   ///< from elements of a type to numbers; null where those would lose something
    convert* narrow[types];  ///< from numbers to elements of a type
    combine* subtract;
    combine* multiply;
    /// from + operand * to, each rounded; into to.
    combine* add_product;
    /// The sum of a row of s8, modulo 2^32.
    std::uint32_t (*sum)(const std::byte* from, dim_t count) noexcept;
    /// Adds a row of s8 to a row of s32, modulo 2^32.
    convert* add_to;
};

/// How many numbers the largest register has, and so what operands are rounded up to.
inline constexpr int most_numbers_at_once = 16;

}  // namespace plait
