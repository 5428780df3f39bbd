#pragma once
// Tables of bits that are moved in registers of 64 bytes, by instructions that pick any bytes: those of AVX-512 VBMI.
//
// Example: 8 rows of 16 bytes become 2 runs of 8 rows of 8 bytes: 8 windows of 16 bytes fill two registers, and each run
// is 64 bytes that are picked from both.

#include <plait/core/axis.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Bytes of a register.
struct alignas(64) permute_vector {
    std::uint8_t at[64]{};
    bool operator==(const permute_vector&) const = default;
};
/// A run of at most 64 bytes of the destination.
struct permute_output {
    std::uint32_t dst = 0;
    std::int32_t length = 0;
};
/// Outputs that are made of the same bytes of the source: as they are, or, of each byte in a plane, the eight bits that
/// begin at some bit, those that a mask selects.
struct permute_group {
    std::int32_t planes = 0, outputs = 0;
};
/// Windows of the source, which fill 1, 2, 4 or 8 registers, and what is made of them.
struct permute_table {
    static constexpr int most_registers = 8;
    int registers = 0, window = 0;       // bytes of a window: 16, 32 or 64; without registers, of an element: 2 or 4
    bool shifts = false;                 // else each byte of the destination is one of the source, in one plane
    std::vector<std::uint32_t> windows;  // where they begin in the source
    std::vector<permute_group> groups;
    std::vector<permute_output> outputs;
    /// Of each group: which bytes each plane picks (of 8 registers: then 0x80 for those of the upper four). Then, of
    /// each output: inverted bits; and, if there are shifts, for each plane the first bits in eight bytes, and the
    /// mask.
    std::vector<permute_vector> vectors;
};
/// Runs a table `count` times.
using permute_code = void(const permute_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                          std::byte* dst);

}  // namespace plait::detail
