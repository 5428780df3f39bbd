#pragma once
// The loops around the tiles of a plan known only at run time. No instruction is named here: the code is one for all
// kernels.

#include <plait/reorder/open_kernel.hpp>
#include <plait/reorder/stage.hpp>

#include <cstring>  // std::memcpy

namespace plait {

/// A plan with its kernel, and what both make of the tile.
///
/// Pre:     the plan is as open_form makes them, its pattern that of the kernel
class open_loops {
    struct filled_stage;

public:
    open_loops(const reorder_plan& plan, const open_kernel& kernel, bool stream)
        : plan_(plan),
          kernel_(kernel),
          whole_(stream ? kernel.stream : kernel.whole),
          outer_(plan.loops[plan.loops.size() - 2]),
          inner_(plan.loops.back()),
          at_{{plan, kernel.src_bits, true}, {plan, kernel.dst_bits, false}},
          walk_{1,
                outer_.extent,
                inner_.extent,
                0,
                0,
                outer_.src * plan.sizes.src,
                outer_.dst * plan.sizes.dst,
                inner_.src * plan.sizes.src,
                inner_.dst * plan.sizes.dst} {
        if (plan.limits.empty()) take_planes();
        if (kernel_.masked != nullptr)
            for (int x = 0; x < plan_.limits.size(); ++x) settle(x);
    }

    /// All loops, for tensors whose offset 0 is at src and dst.
    void run(const std::byte* src, std::byte* dst) const noexcept {
        const open_rest rest(plan_, src);
        src += plan_.src_offset * plan_.sizes.src;
        dst += plan_.dst_offset * plan_.sizes.dst;
        if (plan_.staged_from >= 0) run_staged(src, dst, rest);
        else run_loops(0, src, dst, rest, outer_loops(), nullptr);
        if (whole_ == kernel_.stream) kernel_.finish_streams();
    }

private:
    const reorder_plan& plan_;
    const open_kernel& kernel_;
    open_kernel::whole_tiles* whole_;
    const plan_loop &outer_, &inner_;  ///< the last two
    open_places at_;
    tile_walk walk_;  ///< all of these two, or three
    bool has_planes_ = false;
    bool settled_ = false;   ///< whether some limits are the same for every tile: no loop goes along them
    bool is_settled_[max_limits];
    open_kernel::masked_tiles* run_settled_ = nullptr;
    dim_t read_bytes_ = 0;  ///< how far a whole tile reads; 0: no further than its elements
    /// What limits left of a tile when that was last asked for: it mostly stays the same for many.
    struct parts_of_tile {
        dim_t valid[max_limits], stored[max_limits];
        int within = -2;  ///< none were asked for yet
        std::uint64_t loaded[max_pieces], to_store[max_pieces];
        open_kernel::masked_tiles* run;
    };
    mutable parts_of_tile last_;

    /// How many loops go around a walk.
    int outer_loops() const { return plan_.loops.size() - (has_planes_ ? 3 : 2); }
    /// Without ends to ask for, the kernel goes along a third loop as well.
    void take_planes() {
        if (plan_.loops.size() < 3 || outer_.back != 0 || inner_.back != 0) return;
        const plan_loop& planes = plan_.loops[plan_.loops.size() - 3];
        if (planes.carries || planes.back != 0 || plan_.staged_from == plan_.loops.size() - 2) return;
        has_planes_ = true;
        walk_.planes = planes.extent;
        walk_.src_plane = planes.src * plan_.sizes.src;
        walk_.dst_plane = planes.dst * plan_.sizes.dst;
    }

    /// Notes what a limit leaves of each tile, if no loop goes along it.
    void settle(int x) {
        is_settled_[x] = true;
        for (const plan_loop& loop : plan_.loops) is_settled_[x] = is_settled_[x] && loop.limit != x;
        if (!is_settled_[x]) return;
        if (!settled_) {
            at_.src.set_all(at_.src.lanes);
            at_.dst.set_all(at_.dst.lanes);
        }
        settled_ = true;
        const plan_limit& limit = plan_.limits[x];
        // Lanes beyond are read where they may be, as nothing stores them.
        const bool read_beyond = limit.valid == limit.stored && at_.src.has_lanes_along(x);
        std::uint64_t loaded[max_pieces];
        at_.src.set_all(loaded);
        at_.src.keep_below(loaded, x, limit.valid);
        const dim_t piece_bytes = (dim_t{1} << plan_.pattern.piece_bits(true)) * plan_.sizes.src;
        for (int piece = 0; piece < at_.src.pieces; ++piece) {
            if (!read_beyond || loaded[piece] == 0) at_.src.lanes[piece] &= loaded[piece];
            const dim_t end = at_.src.offset[piece] + piece_bytes;
            if (read_beyond && loaded[piece] != 0 && end > read_bytes_) read_bytes_ = end;
        }
        at_.dst.keep_below(at_.dst.lanes, x, limit.stored);
        run_settled_ = kernel_.settled != nullptr && find_settled_axis(plan_) == kernel_.axis
                           ? kernel_.settled
                           : kernel_for(at_.src.lanes, at_.dst.lanes);
    }
    open_kernel::masked_tiles* kernel_for(const std::uint64_t* loaded, const std::uint64_t* stored) const {
        return at_.src.are_whole(loaded, false) && at_.dst.are_whole(stored, true) ? kernel_.skipping : kernel_.masked;
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
        if (has_planes_) return whole_(plan_, at_, walk_, src, dst);
        dim_t rows = outer_.extent;
        if (outer_.limit >= 0) {
            if (outer_.limit == inner_.limit) rows = 0;
            else rows = whole_steps(outer_, rest.spare(plan_, outer_.limit));
        }
        if (outer_.back != 0 && rows == outer_.extent) --rows;
        // Few at a time, so that tiles at the ends of rows find their lines in the cache.
        const dim_t most = plan_.limits.empty() && inner_.back == 0 ? rows : 64;
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
            if (x != inner_.limit && !is_settled(x)) whole = whole && rest.spare(plan_, x) >= 0;
        }
        tile_walk walk = walk_;
        walk.rows = rows;
        if (inner_.limit >= 0) walk.tiles = whole_steps(inner_, rest.spare(plan_, inner_.limit));
        if (walk.tiles == inner_.extent && inner_.back != 0) --walk.tiles;
        run_walk(walk, whole, src, dst, rest, inner_.limit);
        if (walk.tiles == inner_.extent) return;
        open_rest left = rest;
        const dim_t tails = inner_.extent - walk.tiles;
        step(inner_, walk.tiles * inner_.src, walk.tiles * inner_.dst, walk.tiles * inner_.weight, src, dst, left);
        walk.tiles = 1;
        if (inner_.back != 0) {
            step(inner_, -inner_.back_src, -inner_.back_dst, -inner_.back, src, dst, left);
            return run_walk(walk, whole, src, dst, left, inner_.limit);
        }
        for (dim_t i = 0; i < tails && left.stored[inner_.limit] > 0; ++i) {
            run_parts(walk, src, dst, left, -1);
            step(inner_, inner_.src, inner_.dst, inner_.weight, src, dst, left);
        }
    }
    /// Tiles that all are within limit `within`; `whole`: and within all others that are not settled.
    void run_walk(tile_walk walk, bool whole, const std::byte* src, std::byte* dst, const open_rest& rest,
                  int within) const noexcept {
        if (walk.rows == 0 || walk.tiles == 0) return;
        if (!whole) return run_parts(walk, src, dst, rest, within);
        if (!settled_) return whole_(plan_, at_, walk, src, dst);
        if (reads_inside(walk, src, rest))
            return run_settled_(plan_, at_, at_.src.lanes, at_.dst.lanes, walk, src, dst);
        // The last tile of the last row reads no further than its elements.
        dim_t& last = walk.rows > 1 ? walk.rows : walk.tiles;
        const bool is_row = walk.rows > 1;
        if (last == 1) return run_parts(walk, src, dst, rest, within);
        const dim_t others = last - 1;
        last = others;
        run_walk(walk, true, src, dst, rest, within);
        last = 1;
        run_walk(walk, true, src + others * (is_row ? walk.src_row : walk.src_tile),
                 dst + others * (is_row ? walk.dst_row : walk.dst_tile), rest, within);
    }
    bool is_settled(int x) const { return settled_ && is_settled_[x]; }
    bool reads_inside(const tile_walk& walk, const std::byte* src, const open_rest& rest) const {
        if (read_bytes_ == 0) return true;
        const dim_t rows = (walk.rows - 1) * walk.src_row, tiles = (walk.tiles - 1) * walk.src_tile;
        return rest.src_end - src >= (rows > 0 ? rows : 0) + (tiles > 0 ? tiles : 0) + read_bytes_;
    }
    /// Tiles of which the limits leave the same, but for one that all of them are within.
    void run_parts(const tile_walk& walk, const std::byte* src, std::byte* dst, const open_rest& rest,
                   int within) const noexcept {
        if (kernel_.masked == nullptr) return kernel_.part(plan_, rest, walk, src, dst);
        if (!is_last(rest, within)) {
            at_.src.set_all(last_.loaded);
            at_.dst.set_all(last_.to_store);
            for (int x = 0; x < plan_.limits.size(); ++x) {
                last_.valid[x] = rest.valid[x];
                last_.stored[x] = rest.stored[x];
                if (x == within) continue;
                at_.src.keep_below(last_.loaded, x, rest.valid[x]);
                at_.dst.keep_below(last_.to_store, x, rest.stored[x]);
            }
            last_.within = within;
            last_.run = kernel_for(last_.loaded, last_.to_store);
        }
        last_.run(plan_, at_, last_.loaded, last_.to_store, walk, src, dst);
    }
    bool is_last(const open_rest& rest, int within) const {
        bool same = last_.within == within;
        for (int x = 0; same && x < plan_.limits.size(); ++x)
            same = x == within || (last_.valid[x] == rest.valid[x] && last_.stored[x] == rest.stored[x]);
        return same;
    }

    void run_staged(const std::byte* src, std::byte* dst, const open_rest& rest) const noexcept;
    void fill_and_copy(const filled_stage& staged, const std::byte* src, std::byte* dst,
                       const open_rest& rest) const noexcept;
};

/// A stage, and the loops that fill it.
struct open_loops::filled_stage {
    stage through;
    open_loops loops;
    filled_stage(const reorder_plan& plan, const open_kernel& kernel)
        : through(plan), loops((add_inner_loops(through.filling), through.filling), kernel, false) {}
};
inline void open_loops::run_staged(const std::byte* src, std::byte* dst, const open_rest& rest) const noexcept {
    const filled_stage staged(plan_, kernel_);
    run_loops(0, src, dst, rest, plan_.staged_from, &staged);
}
inline void open_loops::fill_and_copy(const filled_stage& staged, const std::byte* src, std::byte* dst,
                                      const open_rest& rest) const noexcept {
    alignas(64) std::byte rows[static_cast<std::size_t>(most_stage_bytes)];
    const stage& through = staged.through;
    staged.loops.run_loops(0, src, rows, rest, staged.loops.outer_loops(), nullptr);
    const dim_t bytes = plan_.sizes.dst;
    for (int row = 0; row < through.rows.offset.size(); ++row)
        std::memcpy(dst + through.rows.offset[row] * bytes, rows + row * through.pitch * bytes,
                    static_cast<std::size_t>(through.row_elements * bytes));
}

/// Runs a plan with the kernel of its pattern.
///
/// Pre:     as open_loops; stream: may_stream(plan), and dst begins at a cache line
inline void run_open_plan(const reorder_plan& plan, const open_kernel& kernel, bool stream, const std::byte* src,
                          std::byte* dst) noexcept {
    open_loops(plan, kernel, stream).run(src, dst);
}

}  // namespace plait
