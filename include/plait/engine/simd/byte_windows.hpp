#pragma once
// Tables of bytes that are picked from windows of the source, shifted and masked. A planner makes them for the size of
// an instruction set's registers, and the functions of the set run them.

#include <plait/core/axis.hpp>
#include <plait/engine/plan/internal_names.hpp>

#include <cstddef>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Bytes that are picked from the source and shifted together: a byte of the destination has at most one source in a
/// group.
struct shuffle_group {
    std::int32_t terms = 0;
    std::uint8_t left = 0, right = 0;  // bits, one of which is 0
};
/// Bytes of the destination that lie side by side and are computed together.
struct shuffle_target {
    std::uint32_t dst = 0;
    std::int32_t groups = 0, length = 0;  // length is at least 8
};
/// A table of bits that are moved in registers. Of each target, `bytes` has the inverted bits; then, for each group,
/// which bytes each term picks, or 0x80 for none, and the mask.
struct shuffle_table {
    const shuffle_target *targets = nullptr, *end = nullptr;
    const shuffle_group* groups = nullptr;
    const std::uint32_t* terms = nullptr;  // where the sixteen bytes begin in the source
    const std::byte* bytes = nullptr;
};
/// The function of one instruction set that runs such tables, and the size of its registers.
struct byte_window_code {
    int vector_bytes = 16;      // of each vector of `bytes`, which begin at multiples of it
    bool has_registers = true;  // else single bytes are faster
    /// Runs a table `count` times.
    void (*run)(const shuffle_table& table, dim_t count, dim_t src_step, dim_t dst_step, const std::byte* src,
                std::byte* dst) noexcept = nullptr;
};

}  // namespace plait::engine
