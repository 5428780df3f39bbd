#pragma once
// The loops around the tiles of a plan known only at run time. No instruction is named here: the code is one for all
// kernels.
//
// Where tiles can pass the end of an axis, the steps of its loops fall into ranges whose tiles are all alike: those
// that are whole; one, mostly, that passes the end of the source; those that are padding only; one that passes the end
// of the padding. A box is one such range of each loop. All tiles of a box are moved by few calls of one kernel, and
// what the ends leave of them is found once.
//
// Example: C = 17 in nChw16c, tiles of 16 channels by 16 columns, 3 of them in a row of 56 that end by going back to
// column 40: along c, step 0 is whole, step 1 has one channel. Two boxes, each of all rows and columns.

#include <plait/reorder/open_tiles.hpp>
#include <plait/reorder/stage.hpp>

#include <cstring>  // std::memcpy

namespace plait {

/// Boxes are cut from so many bytes at a time, so that the tiles at an end find the lines in the cache that their
/// neighbours have left there.
inline constexpr dim_t box_bytes = dim_t{256} << 10;

/// The loops of a plan around its tiles.
///
/// Pre:     as open_tiles
class open_loops {
    struct filled_stage;

public:
    open_loops(const reorder_plan& plan, const open_kernel& kernel, const open_places& at, bool stream)
        : tiles_(plan, kernel, at, stream), plan_(plan), streams_(stream), boxes_from_(first_loop_of_boxes(plan)) {}

    /// All loops, for tensors whose offset 0 is at src and dst.
    void run(const std::byte* src, std::byte* dst) noexcept {
        open_rest rest(plan_, src);
        src += plan_.src_offset * plan_.sizes.src;
        dst += plan_.dst_offset * plan_.sizes.dst;
        if (plan_.staged_from >= 0) run_staged(src, dst, rest);
        else run_loops(0, src, dst, rest, boxes_from_, nullptr);
        if (streams_) tiles_.kernel().finish_streams();
    }

private:
    /// A range of the steps of one loop, whose tiles are alike; steps in bytes.
    struct box_side {
        dim_t count, src, dst;
    };

    open_tiles tiles_;
    const reorder_plan& plan_;
    bool streams_;
    int boxes_from_;  ///< the loops from here on are cut into boxes
    // The ranges of the loops around the one that is cut, outermost first; those of one step are left out.
    box_side sides_[max_loops + 2];
    int sides_count_ = 0;

    static int first_loop_of_boxes(const reorder_plan& plan) {
        bool has_ends = !plan.limits.empty();
        for (int k = 0; k + 1 < plan.loops.size(); ++k) has_ends = has_ends || plan.loops[k].back != 0;
        if (!has_ends) return 0;
        int first = plan.loops.size();
        dim_t bytes = (plan.sizes.src + plan.sizes.dst) << (plan.pattern.lane_bits + plan.pattern.register_bits);
        while (first > 0 && bytes < box_bytes) bytes *= plan.loops[--first].extent;
        return first;
    }

    /// Calls `inside` at each step of a loop.
    template <class Inside>
    void for_each_step(const plan_loop& loop, const std::byte* src, std::byte* dst, open_rest& rest,
                       const Inside& inside) const {
        const auto step = [&](dim_t src_step, dim_t dst_step, dim_t indices_on) {
            src += src_step * plan_.sizes.src;
            dst += dst_step * plan_.sizes.dst;
            rest.move_on(loop.limit, indices_on);
        };
        for (dim_t i = 0; i < loop.extent; ++i) {
            if (loop.back != 0 && i + 1 == loop.extent) step(-loop.back_src, -loop.back_dst, -loop.back);
            inside(src, dst);
            step(loop.src, loop.dst, loop.weight);
            for (int k = 0; loop.carries && k < plan_.carries.size(); ++k)
                if (const step_carry& carry = plan_.carries[k]; carry.axis == loop.axis && (i + 1) % carry.period == 0)
                    step(carry.src, carry.dst, 0);
        }
        rest.move_on(loop.limit, loop.back - loop.extent * loop.weight);
    }
    /// The loops from `first` to before `end`, around a stage or boxes.
    void run_loops(int first, const std::byte* src, std::byte* dst, open_rest& rest, int end,
                   const filled_stage* staged) noexcept {
        if (first < end)
            return for_each_step(plan_.loops[first], src, dst, rest, [&](const std::byte* from, std::byte* to) {
                run_loops(first + 1, from, to, rest, end, staged);
            });
        if (staged != nullptr) return fill_and_copy(*staged, src, dst, rest);
        cut_boxes(end, src, dst, rest);
    }

    /// Cuts the loops from number `k` on into boxes, and moves each.
    void cut_boxes(int k, const std::byte* src, std::byte* dst, open_rest& rest) noexcept {
        if (k == plan_.loops.size()) return run_box(nullptr, src, dst, rest);
        const plan_loop& loop = plan_.loops[k];
        if (loop.carries)
            return for_each_step(loop, src, dst, rest,
                                 [&](const std::byte* from, std::byte* to) { cut_boxes(k + 1, from, to, rest); });
        if (loop.limit >= 0) return cut_along_limit(k, src, dst, rest);
        if (loop.back == 0) return cut_inside(k, 0, loop.extent, src, dst, rest);
        const dim_t count = loop.extent - 1;
        if (k + 1 == plan_.loops.size() && count > 0) {
            sides_[sides_count_++] = side_of(loop, count);
            run_box(&loop, src, dst, rest);
            --sides_count_;
            return;
        }
        cut_inside(k, 0, count, src, dst, rest);
        src -= loop.back_src * plan_.sizes.src;
        dst -= loop.back_dst * plan_.sizes.dst;
        cut_inside(k, count, 1, src, dst, rest);
    }
    /// The loops inside number `k`, for `count` of its steps from number `first` on, whose tiles are alike.
    void cut_inside(int k, dim_t first, dim_t count, const std::byte* src, std::byte* dst, open_rest& rest) noexcept {
        if (count == 0) return;
        const box_side side = side_of(plan_.loops[k], count);
        const int others = sides_count_;
        if (count > 1) sides_[sides_count_++] = side;
        cut_boxes(k + 1, src + first * side.src, dst + first * side.dst, rest);
        sides_count_ = others;
    }
    box_side side_of(const plan_loop& loop, dim_t count) const {
        return {count, loop.src * plan_.sizes.src, loop.dst * plan_.sizes.dst};
    }
    /// How many steps of a loop begin and end below so many indices, each with the `reach` of what is inside.
    static dim_t steps_within(const plan_loop& loop, dim_t reach, dim_t indices) {
        const dim_t room = indices - reach;
        if (room < 0) return 0;
        if (room >= (loop.extent - 1) * loop.weight) return loop.extent;
        return room / loop.weight + 1;
    }
    /// The ranges of a loop along which tiles pass an end.
    void cut_along_limit(int k, const std::byte* src, std::byte* dst, open_rest& rest) noexcept {
        const plan_loop& loop = plan_.loops[k];
        const int x = loop.limit;
        dim_t reach = plan_.limits[x].reach;  // of a step: of its tile, and the loops inside
        for (int inside = k + 1; inside < plan_.loops.size(); ++inside)
            if (plan_.loops[inside].limit == x) reach += (plan_.loops[inside].extent - 1) * plan_.loops[inside].weight;
        const dim_t valid = rest.valid[x], stored = rest.stored[x];
        const dim_t whole = steps_within(loop, reach, valid < stored ? valid : stored);
        for (dim_t i = 0; i < loop.extent && i * loop.weight < stored;) {
            dim_t count = 1;
            if (i < whole) count = whole - i;
            else if (i * loop.weight >= valid)
                if (const dim_t all_stored = steps_within(loop, reach, stored); all_stored > i) count = all_stored - i;
            // What is left is that of the last step: all are whole, or padding, up to there.
            const dim_t indices_on = (i + count - 1) * loop.weight;
            rest.move_on(x, indices_on);
            cut_inside(k, i, count, src, dst, rest);
            rest.move_on(x, -indices_on);
            i += count;
        }
    }
    /// Moves a box, its last three sides in one walk; `going_back`: the last loop, if its last tile goes back.
    void run_box(const plan_loop* going_back, const std::byte* src, std::byte* dst, const open_rest& rest) noexcept {
        tile_walk walk{1, 1, 1, 0, 0, 0, 0, 0, 0, false, 0, 0};
        int left = sides_count_;
        const auto next = [&](dim_t& count, dim_t& src_step, dim_t& dst_step) {
            if (left == 0) return;
            const box_side& side = sides_[--left];
            count = side.count;
            src_step = side.src;
            dst_step = side.dst;
        };
        next(walk.tiles, walk.src_tile, walk.dst_tile);
        next(walk.rows, walk.src_row, walk.dst_row);
        next(walk.planes, walk.src_plane, walk.dst_plane);
        if (going_back != nullptr) {
            walk.goes_back = true;
            walk.back_src = going_back->back_src * plan_.sizes.src;
            walk.back_dst = going_back->back_dst * plan_.sizes.dst;
        }
        run_sides(left, walk, src, dst, rest);
    }
    /// The sides before number `left`, the outer ones, around a walk.
    void run_sides(int left, const tile_walk& walk, const std::byte* src, std::byte* dst,
                   const open_rest& rest) noexcept {
        if (left == 0) return tiles_.run(walk, src, dst, rest);
        const box_side& side = sides_[left - 1];
        for (dim_t i = 0; i < side.count; ++i) run_sides(left - 1, walk, src + i * side.src, dst + i * side.dst, rest);
    }

    void run_staged(const std::byte* src, std::byte* dst, open_rest& rest) noexcept;
    void fill_and_copy(const filled_stage& staged, const std::byte* src, std::byte* dst, open_rest& rest) noexcept;
};

/// A stage, and the loops that fill it.
struct open_loops::filled_stage {
    stage through;
    open_places at;
    mutable open_loops loops;
    filled_stage(const reorder_plan& plan, const open_kernel& kernel)
        : through(plan),
          at((move_carries_out(through.filling), kernel.places_of(through.filling))),
          loops(through.filling, kernel, at, false) {}
};
inline void open_loops::run_staged(const std::byte* src, std::byte* dst, open_rest& rest) noexcept {
    const filled_stage staged(plan_, tiles_.kernel());
    run_loops(0, src, dst, rest, plan_.staged_from, &staged);
}
inline void open_loops::fill_and_copy(const filled_stage& staged, const std::byte* src, std::byte* dst,
                                      open_rest& rest) noexcept {
    alignas(64) std::byte rows[static_cast<std::size_t>(most_stage_bytes)];
    const stage& through = staged.through;
    staged.loops.cut_boxes(0, src, rows, rest);
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
