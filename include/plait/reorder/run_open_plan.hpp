#pragma once
// The loops around the tiles of a plan known only at run time. No instruction is named here: the code is one for all
// kernels.

#include <plait/reorder/open_tiles.hpp>
#include <plait/reorder/stage.hpp>

#include <cstring>  // std::memcpy

namespace plait {

/// The loops of a plan around its tiles.
///
/// Pre:     as open_tiles
class open_loops {
    struct filled_stage;

public:
    open_loops(const reorder_plan& plan, const open_kernel& kernel, const open_places& at, bool stream)
        : tiles_(plan, kernel, at, stream),
          plan_(plan),
          outer_(plan.loops[plan.loops.size() - 2]),
          inner_(plan.loops.back()),
          walk_{1,
                outer_.extent,
                inner_.extent,
                0,
                0,
                outer_.src * plan.sizes.src,
                outer_.dst * plan.sizes.dst,
                inner_.src * plan.sizes.src,
                inner_.dst * plan.sizes.dst,
                inner_.back != 0,
                inner_.back_src * plan.sizes.src,
                inner_.back_dst * plan.sizes.dst},
          streams_(stream) {
        if (inner_.back != 0) --walk_.tiles;
        take_planes();
    }

    /// All loops, for tensors whose offset 0 is at src and dst.
    void run(const std::byte* src, std::byte* dst) const noexcept {
        const open_rest rest(plan_, src);
        src += plan_.src_offset * plan_.sizes.src;
        dst += plan_.dst_offset * plan_.sizes.dst;
        if (plan_.staged_from >= 0) run_staged(src, dst, rest);
        else run_loops(0, src, dst, rest, outer_loops(), nullptr);
        if (streams_) tiles_.kernel().finish_streams();
    }

private:
    open_tiles tiles_;
    const reorder_plan& plan_;
    const plan_loop &outer_, &inner_;  ///< the last two
    tile_walk walk_;                   ///< all of these two, or three
    bool is_one_walk_ = false, has_planes_ = false;
    bool streams_;

    /// How many loops go around a walk.
    int outer_loops() const { return plan_.loops.size() - (has_planes_ ? 3 : 2); }
    /// Without ends to ask for along the last two loops, they are one walk, and a third as well.
    void take_planes() {
        is_one_walk_ = outer_.limit < 0 && inner_.limit < 0 && outer_.back == 0;
        if (!is_one_walk_ || plan_.loops.size() < 3) return;
        const plan_loop& planes = plan_.loops[plan_.loops.size() - 3];
        if (planes.carries || planes.back != 0 || planes.limit >= 0) return;
        has_planes_ = true;
        walk_.planes = planes.extent;
        walk_.src_plane = planes.src * plan_.sizes.src;
        walk_.dst_plane = planes.dst * plan_.sizes.dst;
    }

    void step(const plan_loop& loop, dim_t src_step, dim_t dst_step, dim_t indices_on, const std::byte*& src,
              std::byte*& dst, open_rest& rest) const {
        src += src_step * plan_.sizes.src;
        dst += dst_step * plan_.sizes.dst;
        rest.move_on(loop.limit, indices_on);
    }
    void step_back(const plan_loop& loop, dim_t i, const std::byte*& src, std::byte*& dst, open_rest& rest) const {
        if (loop.back != 0 && i + 1 == loop.extent)
            step(loop, -loop.back_src, -loop.back_dst, -loop.back, src, dst, rest);
    }
    /// The loops from `first` to before `end`, around a stage or the last two.
    void run_loops(int first, const std::byte* src, std::byte* dst, open_rest rest, int end,
                   const filled_stage* staged) const noexcept {
        if (first == end) return staged != nullptr ? fill_and_copy(*staged, src, dst, rest) : run_tiles(src, dst, rest);
        const plan_loop& loop = plan_.loops[first];
        for (dim_t i = 0; i < loop.extent; ++i) {
            step_back(loop, i, src, dst, rest);
            run_loops(first + 1, src, dst, rest, end, staged);
            step(loop, loop.src, loop.dst, loop.weight, src, dst, rest);
            for (int k = 0; loop.carries && k < plan_.carries.size(); ++k)
                if (const step_carry& carry = plan_.carries[k]; carry.axis == loop.axis && (i + 1) % carry.period == 0)
                    step(loop, carry.src, carry.dst, 0, src, dst, rest);
        }
    }

    /// How many of a loop's steps leave all of a tile within a limit that has room for `spare` steps of the index.
    static dim_t whole_steps(const plan_loop& loop, dim_t spare) {
        if (spare < 0) return 0;
        return spare >= (loop.extent - 1) * loop.weight ? loop.extent : spare / loop.weight + 1;
    }
    /// The last two loops. Rows that reach no end along the outer one are moved some at a time, the others one by one.
    void run_tiles(const std::byte* src, std::byte* dst, open_rest rest) const noexcept {
        if (is_one_walk_) return run_rows(outer_.extent, src, dst, rest);
        dim_t rows = outer_.extent;
        if (outer_.limit >= 0) {
            if (outer_.limit == inner_.limit) rows = 0;
            else rows = whole_steps(outer_, rest.spare(plan_, outer_.limit));
        }
        if (outer_.back != 0 && rows == outer_.extent) --rows;
        // Few at a time, so that tiles at the ends of rows find their lines in the cache.
        const dim_t most = plan_.limits.empty() ? rows : 64;
        dim_t i = 0;
        while (i < outer_.extent) {
            step_back(outer_, i, src, dst, rest);
            const dim_t count = i >= rows ? 1 : rows - i < most ? rows - i : most;
            run_rows(count, src, dst, rest);
            step(outer_, count * outer_.src, count * outer_.dst, count * outer_.weight, src, dst, rest);
            i += count;
        }
    }
    /// Rows whose tiles differ in what the end of the row leaves, and in nothing else.
    void run_rows(dim_t rows, const std::byte* src, std::byte* dst, const open_rest& rest) const noexcept {
        bool whole = true;
        for (int x = 0; x < plan_.limits.size(); ++x) {
            if (rest.stored[x] <= 0) return;
            if (x != inner_.limit && !tiles_.is_settled(x)) whole = whole && rest.spare(plan_, x) >= 0;
        }
        tile_walk walk = walk_;
        walk.rows = rows;
        if (inner_.limit < 0) return tiles_.run(walk, whole, src, dst, rest, -1);
        walk.tiles = whole_steps(inner_, rest.spare(plan_, inner_.limit));
        tiles_.run(walk, whole, src, dst, rest, inner_.limit);
        const dim_t tails = inner_.extent - walk.tiles;
        open_rest left = rest;
        step(inner_, walk.tiles * inner_.src, walk.tiles * inner_.dst, walk.tiles * inner_.weight, src, dst, left);
        walk.tiles = 1;
        for (dim_t i = 0; i < tails && left.stored[inner_.limit] > 0; ++i) {
            tiles_.run_parts(walk, src, dst, left, -1);
            step(inner_, inner_.src, inner_.dst, inner_.weight, src, dst, left);
        }
    }

    void run_staged(const std::byte* src, std::byte* dst, const open_rest& rest) const noexcept;
    void fill_and_copy(const filled_stage& staged, const std::byte* src, std::byte* dst,
                       const open_rest& rest) const noexcept;
};

/// A stage, and the loops that fill it.
struct open_loops::filled_stage {
    stage through;
    open_places at;
    open_loops loops;
    filled_stage(const reorder_plan& plan, const open_kernel& kernel)
        : through(plan),
          at((add_inner_loops(through.filling), kernel.places_of(through.filling))),
          loops(through.filling, kernel, at, false) {}
};
inline void open_loops::run_staged(const std::byte* src, std::byte* dst, const open_rest& rest) const noexcept {
    const filled_stage staged(plan_, tiles_.kernel());
    run_loops(0, src, dst, rest, plan_.staged_from, &staged);
}
inline void open_loops::fill_and_copy(const filled_stage& staged, const std::byte* src, std::byte* dst,
                                      const open_rest& rest) const noexcept {
    alignas(64) std::byte rows[static_cast<std::size_t>(most_stage_bytes)];
    const stage& through = staged.through;
    staged.loops.run_loops(0, src, rows, rest, staged.loops.outer_loops(), nullptr);
    const dim_t bytes = plan_.sizes.dst;
    for (int row = 0; row < through.rows.size(); ++row)
        std::memcpy(dst + through.rows[row] * bytes, rows + row * through.pitch * bytes,
                    static_cast<std::size_t>(through.row_elements * bytes));
}

/// Runs a plan with the kernel of its pattern.
///
/// Pre:     as open_tiles; at == kernel.places_of(plan); stream: may_stream(plan), and dst begins at a cache line
inline void run_open_plan(const reorder_plan& plan, const open_kernel& kernel, const open_places& at, bool stream,
                          const std::byte* src, std::byte* dst) noexcept {
    open_loops(plan, kernel, at, stream).run(src, dst);
}
/// The same where the places are not known yet.
inline void run_open_plan(const reorder_plan& plan, const open_kernel& kernel, bool stream, const std::byte* src,
                          std::byte* dst) noexcept {
    run_open_plan(plan, kernel, kernel.places_of(plan), stream, src, dst);
}

}  // namespace plait
