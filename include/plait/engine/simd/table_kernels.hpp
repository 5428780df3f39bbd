#pragma once
// The kernels whose networks are tables, and what they share in all instruction sets: the tables for tiles of a few
// elements that alternate in memory on one side, such as RGB.

#include <plait/engine/plan/byte_table.hpp>
#include <plait/engine/plan/run_time_kernel.hpp>

#include <cstdint>
#include <cstring>  // std::memcpy
#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd {

/// All tables of an interleave of an even count: of[to][from].
template <int Count>
struct alignas(16) interleave_tables {
    static constexpr auto count = static_cast<std::size_t>(Count);
    std::uint8_t of[count][count][16];

    constexpr interleave_tables(int element_bytes, bool deal) : of{} {
        for (int to = 0; to < Count; ++to)
            for (int from = 0; from < Count; ++from) {
                const byte_table table = make_byte_table(Count, element_bytes, to, from, deal);
                for (int i = 0; i < 16; ++i) of[to][from][i] = table.from[i];
            }
    }
};
template <int Count, bool Deals>
inline constexpr interleave_tables<Count> every_interleave_table[] = {{1, Deals}, {2, Deals}, {4, Deals}, {8, Deals}};

template <int Count, bool Deals>
inline constexpr blend_tables<Count> every_blend_table[] = {{1, Deals}, {2, Deals}, {4, Deals}, {8, Deals}};

/// The number of lanes of each register of an interleave tile before the ends of axes.
struct interleave_lanes {
    int valid, stored;

    template <int Bounds>
    constexpr interleave_lanes(const reorder_plan& plan, const remaining_extents<Bounds>& remaining)
        : valid(plan.pattern.lanes()), stored(plan.pattern.lanes()) {
        for (int x = 0; x < plan.bounds.size(); ++x) {
            const bool is_along = x == plan.pattern.bounds[0];
            keep(valid, is_along, remaining.valid[x], plan.bits[0].index_step);
            keep(stored, is_along, remaining.stored[x], plan.bits[0].index_step);
        }
    }

private:
    static constexpr void keep(int& lanes, bool is_along, dim_t remaining, dim_t index_step) {
        if (remaining <= 0) lanes = 0;
        else if (is_along && (lanes - 1) * index_step >= remaining)
            lanes = static_cast<int>(divide_up(remaining, index_step));
    }
};

/// Returns the most segments of a register on one side: of 8 bytes, or of 4 bytes in a register of 16.
constexpr int most_segments_of(int bytes, int register_bits) {
    return bytes == 64 && register_bits <= most_register_bits(network_kind::table, bytes, 8) ? 8 : 4;
}

/// A network that many tiles have, and the kernel for it alone, of registers of 2^lane_bits bytes.
struct known_kernel {
    int lane_bits;
    frequent_network network;
    const run_time_kernel* kernel;
};

/// The kernels of an instruction set whose networks are tables.
struct table_kernels {
    /// Indexed by the log2 of the bytes of a register, and the log2 of the number of registers.
    const run_time_kernel* of[max_lane_bits + 1][max_register_bits + 1]{};
    /// Indexed by the log2 of the bytes of a register, the number of alternating elements, and 1 if they alternate in
    /// the source.
    const run_time_kernel* interleaves[max_lane_bits + 1][most_interleaved + 1][2]{};

    std::span<const known_kernel> known;  ///< for frequent networks

    /// Returns the kernel for the tiles of a plan with this network alone; null if there is none.
    const run_time_kernel* find_known(const tile_pattern& pattern, int element_bytes,
                                      const network_steps& steps) const {
        const int lane_bits = pattern.lane_bits + log2_of(element_bytes);
        for (const known_kernel& one : known)
            if (one.network.register_bits == pattern.register_bits && one.lane_bits == lane_bits &&
                one.network.steps == steps)
                return one.kernel;
        return nullptr;
    }
    const run_time_kernel* find_interleave(const tile_pattern& pattern, int element_bytes) const {
        return interleaves[pattern.lane_bits + log2_of(element_bytes)][pattern.interleave]
                          [pattern.interleaves_source ? 1 : 0];
    }
};

}  // namespace plait::engine::simd
