#pragma once
// Rows of elements: what an instruction set does to the values of run-time reorders. One function for all types, which
// asks for them once for some registers: elements become numbers, are computed with, and become elements again without
// leaving the registers.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>
#include <plait/engine/plan/internal_names.hpp>

#include <cstddef>

namespace plait::engine {

/// Some rows of as many elements: from one to the next, in bytes; and again as many elsewhere, with the same values.
struct row_block {
    dim_t count = 0, rows = 1;
    dim_t from_step = 0, to_step = 0;
    dim_t repeats = 1, from_repeat = 0, to_repeat = 0;
};

/// How many numbers the largest register has, and so what operands are rounded up to.
inline constexpr int most_numbers_at_once = 16;

/// Numbers that rows are computed with: registers of as many as the largest has. Whole registers are read, but of rows
/// that are a multiple of eight elements no more than they have.
struct row_operand {
    const std::byte* numbers = nullptr;  ///< null: nothing is computed with it
    bool differs_in_row = false;         ///< one number for each element, instead of a register of equal ones
    dim_t row_step = 0;                  ///< bytes from the numbers of a row to those of the next; 0: they are the same
};

/// What happens to each number: ((x - first) * second + beta * old) * third - fourth, each rounded. All are f32, or f64
/// where the rows are.
struct row_operations {
    data_type src = data_type::f32, dst = data_type::f32;
    row_operand with[4];
    row_operand beta;
};

/// Rows that lie side by side, with their numbers, as one; else as they are.
///
/// Example: 8 rows of 32 elements, each 32 elements behind the one before, and one scale for all: a row of 256
constexpr row_block join_rows(const row_operations& operations, row_block block, dim_t number_bytes) {
    bool joins = block.from_step == block.count * size_in_bytes(operations.src) &&
                 block.to_step == block.count * size_in_bytes(operations.dst);
    for (const row_operand& o : operations.with)
        joins = joins && o.row_step == (o.differs_in_row ? block.count * number_bytes : 0);
    if (!joins) return block;
    block.count *= block.rows;
    block.rows = 1;
    return block;
}

/// Converts the elements of rows of which nothing else is wanted.
using plain_rows = void(const std::byte* from, std::byte* to, const row_block& block) noexcept;
/// By the types of source and destination; null where row_conversions::convert does it.
struct plain_rows_table {
    plain_rows* of[16][16]{};
};

/// The functions of one instruction set for rows computed in f32, or in f64. Pointers are to bytes, as elements need no
/// alignment. What is read and written ends with the rows.
struct row_conversions {
    /// Converts the elements of rows. In f32, no type is f64.
    void (*convert)(const row_operations& operations, const std::byte* from, std::byte* to,
                    const row_block& block) noexcept;
    const plain_rows_table* plain = nullptr;  ///< null, as sum and add_to, of functions for two types alone
    /// Writes each of some numbers, f32 or f64, `length` times side by side; and up to most_numbers_at_once - 1 behind.
    void (*spread)(const std::byte* numbers, dim_t count, dim_t length, std::byte* to) noexcept;
    /// Copies whole cache lines past the cache, into memory where such begin; finish_streams() before they are read.
    void (*stream)(const std::byte* from, std::byte* to, dim_t bytes) noexcept;
    void (*finish_streams)() noexcept;
    /// The sum of a row of s8, modulo 2^32.
    std::uint32_t (*sum)(const std::byte* from, dim_t count) noexcept = nullptr;
    /// Adds a row of s8 to a row of s32, modulo 2^32.
    void (*add_to)(const std::byte* from, std::byte* to, dim_t count) noexcept = nullptr;
};

}  // namespace plait::engine
