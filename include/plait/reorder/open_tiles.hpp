#pragma once
// The tiles of a plan known only at run time, as walks: those that limits leave whole, and those that pass an end.

#include <plait/reorder/open_kernel.hpp>

namespace plait {

/// The tiles of a plan, with the kernel that moves them.
///
/// Pre:     the plan is as open_form makes them, its pattern that of the kernel
class open_tiles {
public:
    open_tiles(const reorder_plan& plan, const open_kernel& kernel, const open_places& at, bool stream)
        : plan_(plan), kernel_(kernel), at_(at), whole_(stream ? kernel.stream : kernel.whole) {
        if (kernel_.masked != nullptr && !plan_.limits.empty()) settle();
    }

    const open_kernel& kernel() const { return kernel_; }
    /// Whether every tile passes this limit in the same way: no loop goes along it.
    bool is_settled(int x) const { return any_settled_ && is_settled_[x]; }

    /// Tiles that all are within limit `within`; `whole`: and within all others that are not settled.
    void run(const tile_walk& walk, bool whole, const std::byte* src, std::byte* dst, const open_rest& rest,
             int within) const noexcept {
        if (walk.planes == 0 || walk.rows == 0 || walk.tiles == 0) return;
        if (!whole) run_parts(walk, src, dst, rest, within);
        else if (!any_settled_) whole_(plan_, at_, walk, src, dst);
        else run_parts_of(settled_, walk, src, dst, rest, within);
    }
    /// Tiles of which the limits leave the same, but for one that all of them are within.
    void run_parts(const tile_walk& walk, const std::byte* src, std::byte* dst, const open_rest& rest,
                   int within) const noexcept {
        if (kernel_.masked == nullptr) return kernel_.part(plan_, rest, walk, src, dst);
        if (!last_.are_of(rest, within, plan_.limits.size())) {
            last_.rest = rest;
            last_.within = within;
            find_parts(last_, rest, true, [&](int x) { return x != within; });
        }
        run_parts_of(last_, walk, src, dst, rest, within);
    }

private:
    /// What limits leave of a tile, and what moves that. Without initializers: most plans have no limits.
    struct tile_parts {
        std::uint64_t loaded[max_pieces], stored[max_pieces];  ///< lanes of each piece
        dim_t read_bytes;  ///< how far is read if that is further than there are elements; else 0
        open_kernel::masked_tiles* run;
        tile_parts() {}
    };
    /// Those that were asked for last: they mostly stay the same for many tiles.
    struct last_parts : tile_parts {
        open_rest rest;
        int within = -2;  ///< none were asked for yet

        bool are_of(const open_rest& other, int other_within, int limits) const {
            bool same = within == other_within;
            for (int x = 0; same && x < limits; ++x)
                same = x == within || (rest.valid[x] == other.valid[x] && rest.stored[x] == other.stored[x]);
            return same;
        }
    };

    const reorder_plan& plan_;
    const open_kernel& kernel_;
    const open_places& at_;
    open_kernel::whole_tiles* whole_;
    bool any_settled_ = false;
    bool is_settled_[max_limits];
    tile_parts settled_;  ///< what limits leave that every tile passes alike
    mutable last_parts last_;

    /// Finds the limits that no loop goes along, and what they leave of each tile.
    void settle() {
        for (int x = 0; x < plan_.limits.size(); ++x) {
            is_settled_[x] = true;
            for (const plan_loop& loop : plan_.loops) is_settled_[x] = is_settled_[x] && loop.limit != x;
            any_settled_ = any_settled_ || is_settled_[x];
        }
        if (!any_settled_) return;
        find_parts(settled_, open_rest(plan_), true, [&](int x) { return is_settled_[x]; });
    }
    limited_side side(int x, bool source) const {
        return {plan_, at_, source, x};
    }
    /// Lanes beyond a limit are read where they may be, as nothing stores them.
    bool may_read_beyond(int x, const limited_side& src) const {
        return plan_.limits[x].valid == plan_.limits[x].stored && src.has_lanes();
    }
    /// How far from the start of a tile pieces reach of which anything is loaded, if all of each is.
    dim_t read_bytes_of(const std::uint64_t* loaded) const {
        const dim_t bytes = (dim_t{1} << plan_.pattern.piece_bits(true)) * plan_.sizes.src;
        dim_t end = 0;
        for (int piece = 0; piece < 1 << at_.src_bits.size(); ++piece)
            if (const dim_t at = at_.src.place_of(piece) + bytes; loaded[piece] != 0 && at > end) end = at;
        return end;
    }
    /// Finds what the limits that are `taken` leave of a tile; `beyond`: it may be read further than that.
    template <class Taken>
    void find_parts(tile_parts& out, const open_rest& rest, bool beyond, const Taken& taken) const {
        const int of_element = at_.lanes_of_element(plan_);
        const std::uint64_t src_lanes = all_lanes_of(plan_.pattern.piece_bits(true) + of_element),
                            dst_lanes = all_lanes_of(plan_.pattern.piece_bits(false) + of_element);
        for (int piece = 0; piece < 1 << at_.src_bits.size(); ++piece) out.loaded[piece] = src_lanes;
        for (int piece = 0; piece < 1 << at_.dst_bits.size(); ++piece) out.stored[piece] = dst_lanes;
        bool reads_beyond = false, whole = kernel_.skipping != nullptr;
        for (int x = 0; x < plan_.limits.size(); ++x) {
            if (!taken(x) || rest.spare(plan_, x) >= 0) continue;
            whole = side(x, false).keep_below(out.stored, rest.stored[x]) && whole;
            const limited_side src = side(x, true);
            if (beyond && may_read_beyond(x, src)) {
                src.keep_pieces_below(out.loaded, rest.valid[x]);
                reads_beyond = true;
            } else {
                whole = src.keep_below(out.loaded, rest.valid[x]) && whole;
            }
        }
        out.read_bytes = reads_beyond ? read_bytes_of(out.loaded) : 0;
        out.run = whole ? kernel_.skipping : kernel_.masked;
    }

    /// Tiles that are alike. If the last tile of the last row is at the end of the source, it reads no further.
    void run_parts_of(const tile_parts& of_tile, tile_walk walk, const std::byte* src, std::byte* dst,
                      const open_rest& rest, int within) const noexcept {
        if (of_tile.read_bytes == 0 || reads_inside(of_tile.read_bytes, walk, src, rest))
            return of_tile.run(plan_, at_, of_tile.loaded, of_tile.stored, walk, src, dst);
        const auto run_last_apart = [&](dim_t& count, dim_t src_step, dim_t dst_step) {
            const dim_t others = count - 1;
            count = others;
            run_parts_of(of_tile, walk, src, dst, rest, within);
            count = 1;
            run_parts_of(of_tile, walk, src + others * src_step, dst + others * dst_step, rest, within);
        };
        if (walk.planes > 1) return run_last_apart(walk.planes, walk.src_plane, walk.dst_plane);
        if (walk.rows > 1) return run_last_apart(walk.rows, walk.src_row, walk.dst_row);
        if (walk.tiles > 1 && !walk.goes_back) return run_last_apart(walk.tiles, walk.src_tile, walk.dst_tile);
        tile_parts exactly;
        find_parts(exactly, rest, false, [&](int x) { return x != within; });
        exactly.run(plan_, at_, exactly.loaded, exactly.stored, walk, src, dst);
    }
    static bool reads_inside(dim_t read_bytes, const tile_walk& walk, const std::byte* src, const open_rest& rest) {
        dim_t last = 0;  // where the furthest tile begins
        for (const dim_t steps : {(walk.planes - 1) * walk.src_plane, (walk.rows - 1) * walk.src_row,
                                  (walk.tiles - (walk.goes_back ? 0 : 1)) * walk.src_tile})
            last += steps > 0 ? steps : 0;
        return rest.src_end - src >= last + read_bytes;
    }
};

}  // namespace plait
