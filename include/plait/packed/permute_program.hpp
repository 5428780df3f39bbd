#pragma once
// Loops around tables of permutes.

#include <plait/packed/bit_program.hpp>
#include <plait/packed/permute_table.hpp>

#include <utility>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Tables of units that are moved together, and the loops around all of them.
struct permute_program {
    using loop_list = std::vector<bit_program::loop>;  // from the innermost
    struct unit {
        loop_list loops;  // of this unit alone, inside of the others
        dim_t dst_begin = 0, src_begin = 0;
        permute_table table;
        permute_code* code = nullptr;

        /// Runs the unit for some steps of a loop. Most steps are in the innermost loop, because each call reads the
        /// table.
        void run(const bit_program::loop& some, const std::byte* src, std::byte* dst) const {
            const bool is_inner = loops.empty() || loops[0].extent < some.extent;
            const std::size_t depth = loops.size();
            if (is_inner) return run(depth, 0, some, src, dst);
            for (dim_t i = 0; i < some.extent; ++i) run(depth, 1, loops[0], src + i * some.src, dst + i * some.dst);
        }

    private:
        void run(std::size_t depth, std::size_t last, const bit_program::loop& inner, const std::byte* src,
                 std::byte* dst) const {
            if (depth == last) return code(table, inner.extent, inner.src, inner.dst, src + src_begin, dst + dst_begin);
            const bit_program::loop& l = loops[depth - 1];
            for (dim_t i = 0; i < l.extent; ++i) run(depth - 1, last, inner, src + i * l.src, dst + i * l.dst);
        }
    };
    chunk_place from, to;
    loop_list loops;
    std::vector<unit> units;

    void run(const std::byte* src, std::byte* dst) const { run_loops(static_cast<int>(loops.size()), src, dst); }
    /// Adds a unit with the loops around it, and makes those of the program loops of the units where they differ.
    void add(unit&& made, const loop_list& around) {
        std::size_t same = 0;
        while (same < loops.size() && same < around.size() &&
               loops[loops.size() - 1 - same] == around[around.size() - 1 - same])
            ++same;
        const auto others = static_cast<std::ptrdiff_t>(loops.size() - same);
        for (unit& u : units) u.loops.insert(u.loops.end(), loops.begin(), loops.begin() + others);
        loops.erase(loops.begin(), loops.begin() + others);
        made.loops.assign(around.begin(), around.end() - static_cast<std::ptrdiff_t>(same));
        units.push_back(std::move(made));
        for (unit& u : units) put_longest_first(u.loops);
    }

    /// Leaves the loops of a program with one unit to the unit, which has the longest one inside.
    void settle() {
        if (units.size() != 1 || loops.size() < 2) return;
        units[0].loops.insert(units[0].loops.end(), loops.begin(), loops.end() - 1);
        loops.erase(loops.begin(), loops.end() - 1);
        put_longest_first(units[0].loops);
    }

private:
    static constexpr dim_t near_bytes = 2048;

    static void put_longest_first(loop_list& of) {
        for (std::size_t i = 1; i < of.size(); ++i)
            if (of[i].extent > of[0].extent) std::swap(of[i], of[0]);
    }

    void run_loops(int depth, const std::byte* src, std::byte* dst) const {
        constexpr bit_program::loop once{0, 0, 1, 0, 0};
        const bit_program::loop l = depth == 0 ? once : loops[static_cast<std::size_t>(depth - 1)];
        if (depth > 1) {
            for (dim_t i = 0; i < l.extent; ++i) run_loops(depth - 1, src + i * l.src, dst + i * l.dst);
            return;
        }
        // A few steps of each unit, so that all units find the bytes of both sides in the first cache.
        const dim_t most = units.size() == 1 || l.dst == 0 ? l.extent : larger_of(near_bytes / l.dst, 1);
        for (dim_t i = 0; i < l.extent; i += most)
            for (const unit& u : units) {
                bit_program::loop some = l;
                some.extent = smaller_of(most, l.extent - i);
                u.run(some, src + i * l.src, dst + i * l.dst);
            }
    }
};

}  // namespace plait::detail
