#pragma once
// The lanes that the ends of axes leave of a tile, and where they are kept: while a plan runs, or in the plan.
//
// Example: f32 nchw -> nChw16c, 17 channels, tiles of 16 channels by 16 places. All tiles at channel 16 have one edge:
// the first of 16 segments is loaded, all 16 are stored.

#include <plait/engine/plan/run_time_kernel.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

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
    bool loads_whole, loads_nothing;  ///< see segment_lanes
    bool streams;                     ///< true if whole segments may be stored by non-temporal stores
    dim_t read_bytes;                 ///< how far is read if that is beyond the elements; otherwise 0

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
        : lanes{loaded, stored, src_offsets, dst_offsets, kind.loads_whole, kind.loads_nothing, stream && kind.streams},
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

}  // namespace plait::engine
