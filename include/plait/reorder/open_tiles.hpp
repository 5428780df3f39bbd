#pragma once
// The tiles of a plan known only at run time, as walks: those that limits leave whole, and those that pass an end.

#include <plait/reorder/open_kernel.hpp>

namespace plait {

/// The tiles of a plan, with the kernel that moves them.
///
/// Pre:     the plan is as open_form makes them, its pattern that of the kernel
class open_tiles {
public:
    open_tiles(const reorder_plan& plan, const open_kernel& kernel, bool stream)
        : plan_(plan),
          kernel_(kernel),
          whole_(stream ? kernel.stream : kernel.whole),
          at_{{plan, kernel.src_bits, true}, {plan, kernel.dst_bits, false}} {
        if (kernel_.masked != nullptr)
            for (int x = 0; x < plan_.limits.size(); ++x) settle(x);
    }

    const open_kernel& kernel() const { return kernel_; }
    /// Whether every tile passes this limit in the same way: no loop goes along it.
    bool is_settled(int x) const { return settled_ && is_settled_[x]; }

    /// Tiles that all are within limit `within`; `whole`: and within all others that are not settled.
    void run(tile_walk walk, bool whole, const std::byte* src, std::byte* dst, const open_rest& rest,
             int within) const noexcept {
        if (walk.rows == 0 || walk.tiles == 0) return;
        if (!whole) return run_parts(walk, src, dst, rest, within);
        if (!settled_) return whole_(plan_, at_, walk, src, dst);
        if (reads_inside(walk, src, rest))
            return run_settled_(plan_, at_, at_.src.lanes, at_.dst.lanes, walk, src, dst);
        // The last tile of the last row reads no further than its elements.
        const bool is_row = walk.rows > 1;
        dim_t& count = is_row ? walk.rows : walk.tiles;
        if (count == 1 || (!is_row && walk.goes_back)) return run_parts(walk, src, dst, rest, within);
        const dim_t others = count - 1;
        count = others;
        run(walk, true, src, dst, rest, within);
        count = 1;
        run(walk, true, src + others * (is_row ? walk.src_row : walk.src_tile),
            dst + others * (is_row ? walk.dst_row : walk.dst_tile), rest, within);
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

private:
    const reorder_plan& plan_;
    const open_kernel& kernel_;
    open_kernel::whole_tiles* whole_;
    open_places at_;
    bool settled_ = false;  ///< whether some limits are
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
        const bool skips =
            kernel_.skipping != nullptr && at_.src.are_whole(loaded, false) && at_.dst.are_whole(stored, true);
        return skips ? kernel_.skipping : kernel_.masked;
    }

    bool reads_inside(const tile_walk& walk, const std::byte* src, const open_rest& rest) const {
        if (read_bytes_ == 0) return true;
        const dim_t rows = (walk.rows - 1) * walk.src_row,
                    tiles = (walk.tiles - (walk.goes_back ? 0 : 1)) * walk.src_tile;
        return rest.src_end - src >= (rows > 0 ? rows : 0) + (tiles > 0 ? tiles : 0) + read_bytes_;
    }
    bool is_last(const open_rest& rest, int within) const {
        bool same = last_.within == within;
        for (int x = 0; same && x < plan_.limits.size(); ++x)
            same = x == within || (last_.valid[x] == rest.valid[x] && last_.stored[x] == rest.stored[x]);
        return same;
    }
};

}  // namespace plait
