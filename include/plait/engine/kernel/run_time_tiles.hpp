#pragma once
// The tiles of a plan known only at run time: whole tiles, and tiles that pass the end of an axis.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places. Tiles at channel 0 are
// whole. Of tiles at channel 16, one channel remains in the source and 16 in the destination: the first of 16 segments
// is loaded, all 16 are stored, and 15 of each 16 stored lanes are zeros. This is computed once for 196 tiles.

#include <plait/engine/plan/run_time_kernel.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// The lanes that the ends of axes leave of a tile, and where they are kept: while a plan runs, or in the plan. All
// tiles at channel 16 of the example have one edge.

/// The remaining extent of each bound in a tile, limited to between nothing and the whole tile.
struct bounds_remaining {
    dim_t valid[max_bounds], stored[max_bounds];
    bounds_remaining() {}  // not initialised, because most plans have no bounds
    bounds_remaining(const reorder_plan& plan, const remaining_extents<>& remaining) {
        for (int x = 0; x < plan.bounds.size(); ++x) {
            const dim_t reach = plan.bounds[x].reach;
            valid[x] = remaining.valid[x] < 0 ? 0 : remaining.valid[x] < reach ? remaining.valid[x] : reach;
            stored[x] = remaining.stored[x] < 0 ? 0 : remaining.stored[x] < reach ? remaining.stored[x] : reach;
        }
    }
    bool equals(const bounds_remaining& other, int bounds) const {
        bool same = true;
        for (int x = 0; x < bounds; ++x) same = same && valid[x] == other.valid[x] && stored[x] == other.stored[x];
        return same;
    }
};

/// The kind of an edge: all that is known of it except the lanes of its segments.
struct edge_kind {
    bounds_remaining remaining;
    bool loads_whole, loads_nothing, reads_segments;  ///< see segment_lanes
    bool streams;                                     ///< true if each cache line is stored whole, or not at all
    dim_t read_bytes;                                 ///< how far is read if that is beyond the elements; otherwise 0

    /// True if this is the edge of tiles of which `wanted` remains, and may be used if only elements may be read.
    bool serves(const bounds_remaining& wanted, int bounds, bool may_read_beyond) const {
        return (may_read_beyond || read_bytes == 0) && remaining.equals(wanted, bounds);
    }
};

/// An edge as kernels read it.
struct edge_view {
    segment_lanes lanes;
    dim_t read_bytes;

    edge_view(const edge_kind& kind, const std::uint64_t* loaded, const std::uint64_t* stored, const dim_t* src_offsets,
              const dim_t* dst_offsets, bool stream)
        : lanes{loaded,
                stored,
                src_offsets,
                dst_offsets,
                kind.loads_whole,
                kind.loads_nothing,
                stream && kind.streams,
                kind.reads_segments},
          read_bytes(kind.read_bytes) {}
};

/// An edge and the lanes of its segments, not initialised.
struct edge_tile {
    edge_kind kind;
    std::uint64_t loaded[max_segments], stored[max_segments];  ///< lanes of each segment
    dim_t src_offsets[max_segments], dst_offsets[max_segments];
    edge_tile() {}
    edge_view view(bool stream) const { return {kind, loaded, stored, src_offsets, dst_offsets, stream}; }
};

/// The last edges that were found. Ends repeat: with two axes, tiles pass the end of one, of the other, or of both.
struct found_edges {
    static constexpr int most = 4;
    edge_tile edges[most];
    int count = 0;  ///< number of edges found so far
    found_edges() {}
};

/// The edges of a small plan, found when it is made, so that calls do not find them again; as many as there is room
/// for.
///
/// Pre:     offset counts are those of the plan's run_time_offsets
struct kept_edges {
    static constexpr int most = found_edges::most, most_words = 216;
    struct kept {
        edge_kind kind;
        int first;  ///< the first of its words: lanes and offsets of the source's segments, then of the destination's
        kept() {}
    };
    kept edges[most];
    std::uint64_t words[most_words];
    int count = 0;
    kept_edges() {}

    void keep(const found_edges& found, int src_segments, int dst_segments) {
        const int size = 2 * (src_segments + dst_segments);
        count = 0;
        for (int k = 0; k < found.count && k < most && (count + 1) * size <= most_words; ++k) {
            const edge_tile& edge = found.edges[k];
            edges[count].kind = edge.kind;
            edges[count].first = count * size;
            std::uint64_t* to = words + count++ * size;
            for (int s = 0; s < src_segments; ++s) *to++ = edge.loaded[s];
            for (int s = 0; s < src_segments; ++s) *to++ = static_cast<std::uint64_t>(edge.src_offsets[s]);
            for (int s = 0; s < dst_segments; ++s) *to++ = edge.stored[s];
            for (int s = 0; s < dst_segments; ++s) *to++ = static_cast<std::uint64_t>(edge.dst_offsets[s]);
        }
    }
    edge_view view(int k, int src_segments, int dst_segments, bool stream) const {
        const std::uint64_t* const src = words + edges[k].first;
        const std::uint64_t* const dst = src + 2 * src_segments;
        const auto offsets = [](const std::uint64_t* at) { return reinterpret_cast<const dim_t*>(at); };
        return {edges[k].kind, src, dst, offsets(src + src_segments), offsets(dst + dst_segments), stream};
    }
};

/// The walks of a small plan, found when it is made, so that calls run no loops around them: all of them, or none.
struct kept_walks {
    static constexpr int most = 8;
    struct kept {
        kernel_walk walk;
        dim_t src, dst;  ///< where it begins, in bytes from offset 0
        int edge;        ///< which of the kept edges its tiles are; -1: they are whole
        kept() {}
    };
    kept walks[most];
    int count = 0;  ///< 0: none are kept
    kept_walks() {}

    /// Moves a tensor.
    ///
    /// Pre:     count > 0; `edges`, `kernel` and `offsets` are of the same plan
    void run(const reorder_plan& plan, const run_time_kernel& kernel, const run_time_offsets& offsets,
             const kept_edges& edges, const std::byte* src, std::byte* dst) const noexcept {
        for (const kept* now = walks; now != walks + count; ++now) {
            if (now->edge < 0) {
                kernel.whole(plan, offsets, now->walk, src + now->src, dst + now->dst);
                continue;
            }
            const edge_view edge =
                edges.view(now->edge, 1 << offsets.src_bits.size(), 1 << offsets.dst_bits.size(), false);
            kernel.masked(plan, offsets, edge.lanes, now->walk, src + now->src, dst + now->dst);
        }
    }
};
/// Takes walks in place of running them. Nothing is read or written at the addresses, which count from these.
struct walk_recorder {
    const std::byte* src;
    const std::byte* dst;
    kept_walks& out;
    bool has_room = true;

    void add(const tile_walk& walk, const std::byte* from, const std::byte* to, int edge) {
        has_room = has_room && out.count < kept_walks::most;
        if (!has_room) return;
        kept_walks::kept& next = out.walks[out.count++];
        next.walk = kernel_walk(walk);
        next.src = from - src;
        next.dst = to - dst;
        next.edge = edge;
    }
};

/// The tiles of a plan, with the kernel that moves them.
///
/// Pre:     the plan is in the form of make_run_time_form, and the kernel is of its tile; `found` and `kept` have
///          edges of this plan, perhaps with other extents of bounds
class run_time_tiles {
public:
    run_time_tiles(const reorder_plan& plan, const run_time_kernel& kernel, const run_time_offsets& offsets,
                   bool stream, found_edges& found, const kept_edges* kept = nullptr, walk_recorder* recorder = nullptr)
        : plan_(plan),
          kernel_(kernel),
          offsets_(offsets),
          whole_(stream ? kernel.stream : kernel.whole),
          streams_(stream),
          found_(found),
          kept_(kept),
          recorder_(recorder) {}

    const run_time_kernel& kernel() const { return kernel_; }
    const move_factors& factors() const { return offsets_.factors; }
    /// Moves equal tiles. `remaining` is the remaining extent of each bound; for bounds that all tiles are within, it
    /// may be larger in some tiles.
    void run(const tile_walk& walk, const std::byte* src, std::byte* dst,
             const remaining_extents<>& remaining) noexcept {
        bool whole = true;
        for (int x = 0; x < plan_.bounds.size(); ++x) whole = whole && remaining.spare(plan_, x) >= 0;
        if (whole) {
            if (recorder_ != nullptr) return recorder_->add(walk, src, dst, -1);
            return whole_(plan_, offsets_, kernel_walk(walk), src, dst);
        }
        if (kernel_.masked == nullptr) return kernel_.edge(plan_, remaining, kernel_walk(walk), src, dst);
        // A single tile at the end of the source must not read beyond that end.
        const bool is_one = walk.planes * walk.rows * (walk.tiles + (walk.has_overlap ? 1 : 0)) == 1;
        const bool beyond = !is_one || reads_inside(tile_bytes(), walk, src, remaining);
        run_edges(edge_of(remaining, beyond, nullptr), walk, src, dst, remaining);
    }

private:
    const reorder_plan& plan_;
    const run_time_kernel& kernel_;
    const run_time_offsets& offsets_;
    run_time_kernel::whole_tiles* whole_;
    bool streams_;
    found_edges& found_;
    const kept_edges* kept_;
    walk_recorder* recorder_;  ///< null: walks are run

    /// Moves the lanes of an edge.
    void run_masked(const segment_lanes& lanes, const tile_walk& walk, const std::byte* src, std::byte* dst) noexcept {
        if (recorder_ == nullptr) return kernel_.masked(plan_, offsets_, lanes, kernel_walk(walk), src, dst);
        int edge = 0;
        while (edge < found_edges::most && found_.edges[edge].loaded != lanes.loaded) ++edge;
        recorder_->add(walk, src, dst, edge);
    }
    /// Returns the edge of tiles. If `beyond`, memory beyond the elements may be read. `in_use` is not overwritten.
    edge_view edge_of(const remaining_extents<>& remaining, bool beyond, const edge_view* in_use) {
        const bounds_remaining clipped(plan_, remaining);
        const int bounds = plan_.bounds.size();
        for (int k = 0; kept_ != nullptr && k < kept_->count; ++k)
            if (kept_->edges[k].kind.serves(clipped, bounds, beyond))
                return kept_->view(k, 1 << offsets_.src_bits.size(), 1 << offsets_.dst_bits.size(), streams_);
        for (int k = 0; k < found_.count && k < found_edges::most; ++k)
            if (found_.edges[k].kind.serves(clipped, bounds, beyond)) return found_.edges[k].view(streams_);
        if (in_use != nullptr && in_use->lanes.loaded == found_.edges[found_.count % found_edges::most].loaded)
            ++found_.count;
        edge_tile& out = found_.edges[found_.count++ % found_edges::most];
        out.kind.remaining = clipped;
        find_edge(out, remaining, beyond);
        return out.view(streams_);
    }
    /// True if lanes beyond a bound are read: nothing stores them, or the instruction set has no masked loads of bytes,
    /// so that the lanes are zeroed in a register.
    bool reads_beyond_bound(const bounded_side& src, bool pads) const {
        return src.has_lanes() && (!pads || kernel_.network_of != isa::avx512);
    }
    dim_t segment_bytes() const { return (dim_t{1} << plan_.pattern.segment_bits(side::source)) * plan_.sizes.src; }
    /// Returns how far a tile that passes no end reaches from its start, in bytes.
    dim_t tile_bytes() const { return offsets_.src.offset_of((1 << offsets_.src_bits.size()) - 1) + segment_bytes(); }
    /// Returns how far the segments that are loaded at least in part reach from the start of a tile, in bytes.
    dim_t read_bytes_of(const edge_tile& edge) const {
        const dim_t bytes = segment_bytes();
        dim_t end = 0;
        for (int segment = 0; segment < 1 << offsets_.src_bits.size(); ++segment)
            if (edge.loaded[segment] != 0 && edge.src_offsets[segment] + bytes > end)
                end = edge.src_offsets[segment] + bytes;
        return end;
    }
    /// Finds the lanes that bounds leave of a tile. If `beyond`, memory beyond them may be read.
    void find_edge(edge_tile& out, const remaining_extents<>& remaining, bool beyond) const {
        const int of_element = log2_of(plan_.sizes.work);  // a lane of a mask is a byte
        const segment_masks loaded(out.loaded, offsets_.src_bits.size(),
                                   all_lanes_of(plan_.pattern.segment_bits(side::source) + of_element)),
            stored(out.stored, offsets_.dst_bits.size(),
                   all_lanes_of(plan_.pattern.segment_bits(side::destination) + of_element));
        out.kind.loads_whole = true;
        out.kind.loads_nothing = false;
        out.kind.reads_segments = false;
        out.kind.streams = true;
        bool reads_beyond = false;
        for (int x = 0; x < plan_.bounds.size(); ++x) {
            if (remaining.spare(plan_, x) >= 0) continue;
            out.kind.loads_nothing = out.kind.loads_nothing || remaining.valid[x] <= 0;
            stored.keep({plan_, offsets_.dst_bits, of_element, side::destination, x}, remaining.stored[x]);
            out.kind.streams =
                out.kind.streams && (remaining.stored[x] >= plan_.bounds[x].reach || !plan_.ends_within_lines(x));
            const bounded_side src(plan_, offsets_.src_bits, of_element, side::source, x);
            // Destination lanes without a source element may hold any value, unless padding must be zeroed.
            const bool pads = plan_.bounds[x].valid < plan_.bounds[x].stored;
            const bool reads_bound = beyond && reads_beyond_bound(src, pads);
            reads_beyond = reads_beyond || reads_bound;
            if (reads_bound && !pads) loaded.keep_segments(src, remaining.valid[x]);
            else loaded.keep(src, remaining.valid[x]);
            out.kind.reads_segments = out.kind.reads_segments || (reads_bound && pads);
            out.kind.loads_whole = out.kind.loads_whole && !pads && (reads_bound || !src.has_lanes());
        }
        offsets_.src.offsets_for(out.loaded, 1 << offsets_.src_bits.size(), out.src_offsets);
        offsets_.dst.offsets_for(out.stored, 1 << offsets_.dst_bits.size(), out.dst_offsets);
        out.kind.read_bytes = reads_beyond ? read_bytes_of(out) : 0;
    }

    /// Moves equal tiles. If the last tile of the last row is at the end of the source, it does not read beyond it.
    void run_edges(const edge_view& edge, tile_walk walk, const std::byte* src, std::byte* dst,
                   const remaining_extents<>& remaining) noexcept {
        if (edge.read_bytes == 0 || reads_inside(edge.read_bytes, walk, src, remaining))
            return run_masked(edge.lanes, walk, src, dst);
        const auto run_last_apart = [&](dim_t& count, dim_t src_step, dim_t dst_step) {
            const dim_t others = count - 1;
            count = others;
            run_edges(edge, walk, src, dst, remaining);
            count = 1;
            run_edges(edge, walk, src + others * src_step, dst + others * dst_step, remaining);
        };
        if (walk.planes > 1) return run_last_apart(walk.planes, walk.src_plane, walk.dst_plane);
        if (walk.rows > 1) return run_last_apart(walk.rows, walk.src_row, walk.dst_row);
        if (walk.has_overlap) {
            // The last tile is the one that is moved back.
            walk.has_overlap = false;
            run_edges(edge, walk, src, dst, remaining);
            src += walk.tiles * walk.src_tile - walk.overlap_src;
            dst += walk.tiles * walk.dst_tile - walk.overlap_dst;
            walk.tiles = 1;
            return run_edges(edge, walk, src, dst, remaining);
        }
        if (walk.tiles > 1) return run_last_apart(walk.tiles, walk.src_tile, walk.dst_tile);
        run_masked(edge_of(remaining, false, &edge).lanes, walk, src, dst);
    }
    static bool reads_inside(dim_t read_bytes, const tile_walk& walk, const std::byte* src,
                             const remaining_extents<>& remaining) {
        dim_t furthest = larger_of(0, (walk.tiles - 1) * walk.src_tile);  // in a row
        if (walk.has_overlap) furthest = larger_of(furthest, walk.tiles * walk.src_tile - walk.overlap_src);
        const dim_t last =
            larger_of(0, (walk.planes - 1) * walk.src_plane) + larger_of(0, (walk.rows - 1) * walk.src_row) + furthest;
        return remaining.src_end - src >= last + read_bytes;
    }
};

}  // namespace plait::engine
