#pragma once
// The functions with which an instruction set converts rows of elements in run-time reorders. One function serves all
// types, and checks them once for several registers. Elements become numbers, are computed with, and become elements
// again, without leaving the registers.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>
#include <plait/engine/plan/internal_names.hpp>

#include <cstddef>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Some rows of equal length; steps are in bytes. `repeats` more such groups of rows use the same values.
struct row_block {
    dim_t count = 0, rows = 1;
    dim_t from_step = 0, to_step = 0;
    dim_t repeats = 1, from_repeat = 0, to_repeat = 0;
};

/// The number of numbers in the largest register. Operands are rounded up to a multiple of it.
inline constexpr int most_numbers_at_once = 16;

/// Numbers that rows are computed with, in registers of the largest size. Whole registers are read, except that rows
/// whose length is a multiple of eight are not read beyond their end.
struct row_operand {
    const std::byte* numbers = nullptr;  ///< null: nothing is computed with it
    bool differs_in_row = false;         ///< one number for each element, instead of a register of equal ones
    dim_t row_step = 0;                  ///< bytes between the numbers of rows; 0: all rows share them
};

/// The arithmetic on each number: ((x - first) * second + beta * old) * third - fourth, with each result rounded. All
/// are f32, or f64 if the rows are f64.
struct row_operations {
    data_type src = data_type::f32, dst = data_type::f32;
    row_operand with[4];
    row_operand beta;
};

/// Merges adjacent rows, with their numbers, into one row if possible; else returns them unchanged.
///
/// Example: 8 adjacent rows of 32 elements with one scale for all: a row of 256
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

/// Converts the elements of rows without any arithmetic.
using plain_rows = void(const std::byte* from, std::byte* to, const row_block& block) noexcept;
/// Indexed by the types of source and destination; null if row_conversions::convert must be used.
struct plain_rows_table {
    plain_rows* of[16][16]{};
};

/// The functions for elements that rows are not computed with directly: those smaller than a byte, and rare types of 8
/// bits. They are unpacked to another type, and packed from another type: see row_type_of.
struct small_row_functions {
    /// Unpacks `count` elements from place `place` on.
    void (*unpack)(const std::byte* from, dim_t place, dim_t count, std::byte* to) noexcept = nullptr;
    /// Packs `count` numbers to place `place` on. Bits of other elements in the same byte stay. `pack_f64` is for
    /// arithmetic in f64.
    void (*pack)(const std::byte* from, dim_t count, std::byte* to, dim_t place) noexcept = nullptr;
    void (*pack_f64)(const std::byte* from, dim_t count, std::byte* to, dim_t place) noexcept = nullptr;
};
/// Indexed by the type; null for types that rows are computed with.
struct small_rows {
    small_row_functions of[element_type_count]{};
};
/// Rows of 4-bit elements on one side, each with one number of each operand. Steps are in bytes; of operands in
/// numbers.
struct nibble_row_block {
    const std::byte* from = nullptr;  ///< the first 4-bit element is in the low half of its byte
    std::byte* to = nullptr;
    dim_t count = 0, rows = 1, from_step = 0, to_step = 0;
    const float* elements = nullptr;  ///< the numbers of the 16 possible elements, if 4-bit elements are read
    const float* with[4]{};           ///< the operands of row_operations; null: nothing is computed with it
    dim_t with_step[4]{};
};
/// Null if there is no function for the types.
struct nibble_row_functions {
    using function = void (*)(const nibble_row_block& block) noexcept;
    function to[element_type_count]{};                                     ///< from any 4-bit type
    function from[static_cast<int>(data_type::u1)][element_type_count]{};  ///< to 4-bit types
};

/// Returns true if rows are not computed with elements of a type directly.
constexpr bool is_small_type(data_type type) { return type > data_type::u8; }
/// Returns the type that rows of a small type are unpacked to, or packed from.
///
/// Example: u4: u8 on both sides; f4_e2m1: bf16 in the source, f32 in the destination, so that it is rounded once
constexpr data_type row_type_of(data_type type, bool in_source, bool in_f64) {
    if (!is_small_type(type)) return type;
    return with_element_type(type, [&]<element T>(T) {
        if (std::is_same_v<T, s4>) return data_type::s8;
        if (integer_type<T> && (in_source || !std::is_same_v<T, boolean>)) return data_type::u8;
        return in_source ? data_type::bf16 : in_f64 ? data_type::f64 : data_type::f32;
    });
}

/// The functions of one instruction set for rows computed in f32, or in f64. Pointers are to bytes, because elements
/// need no alignment. Nothing beyond the rows is read or written.
struct row_conversions {
    /// Converts the elements of rows. With arithmetic in f32, no type is f64.
    void (*convert)(const row_operations& operations, const std::byte* from, std::byte* to,
                    const row_block& block) noexcept;
    const small_rows* of_small = nullptr;
    const nibble_row_functions* nibbles = nullptr;
    const plain_rows_table* plain = nullptr;  ///< null, like sum and add_to, in the functions for one pair of types
    /// Writes each of some numbers, f32 or f64, `length` times side by side. Up to most_numbers_at_once - 1 numbers
    /// after the end are overwritten.
    void (*spread)(const std::byte* numbers, dim_t count, dim_t length, std::byte* to) noexcept;
    /// Copies whole cache lines past the cache, to memory aligned to cache lines. finish_streams() must be called
    /// before they are read.
    void (*stream)(const std::byte* from, std::byte* to, dim_t bytes) noexcept;
    void (*finish_streams)() noexcept;
    /// Returns the sum of a row of s8, modulo 2^32.
    std::uint32_t (*sum)(const std::byte* from, dim_t count) noexcept = nullptr;
    /// Adds a row of s8 to a row of s32, modulo 2^32.
    void (*add_to)(const std::byte* from, std::byte* to, dim_t count) noexcept = nullptr;
};

}  // namespace plait::engine
