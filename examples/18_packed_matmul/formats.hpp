#pragma once
// Three orders of the same 4-bit weights. In each, 32 values along k share a scale d, and a value is (q - 8) * d.

#include <plait/packed.hpp>

#include <cstddef>
#include <span>

namespace packed_matmul {

using plait::dim_t, plait::dynamic, plait::record_constant, plait::record_view;

/// Rows of blocks of 18 bytes, as in the files of llama.cpp (Q4_0): the scale, then 16 bytes with two values each. The
/// low halves are values 0 to 15, the high halves 16 to 31.
using q4_rows = record_constant<"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", dynamic, dynamic>;

/// Panels of eight rows: eight scales, then runs of eight bytes of each row. `^8` inverts the highest bit of a value,
/// so that q - 8 is stored as a signed number of four bits.
using q4_8x8 = record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", dynamic, dynamic>;

/// Panels of four rows with runs of four bytes.
using q4_4x4 = record_constant<"nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)", dynamic, dynamic>;

inline constexpr dim_t block = 32;  // values along k that share a scale

/// A record type with these two fields: quantised values of four bits, and one scale for 32 of them.
template <class R>
concept q4_weights = plait::record_type<R> && plait::fibre(R::shape, "d")
== plait::dims{1, block} && plait::fibre(R::shape, "q") == plait::dims{1, 1};

/// Weights in memory.
template <q4_weights R>
using weights = record_view<const std::byte, R>;

}  // namespace packed_matmul
