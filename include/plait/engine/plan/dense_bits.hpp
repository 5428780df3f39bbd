#pragma once
// Which bits of the index lie without a gap in memory on either side: what registers are loaded and stored in.
//
// Example: nchw -> nChw16c, 17 channels of 56 x 56, up to 5 bits. In the source they are the lowest 5 of the 3136
// places; in the destination 4 of the 16 channels of a block, and behind them the lowest of the places, 16 apart.

#include <plait/engine/plan/refinement.hpp>
#include <plait/engine/plan/shuffle_rules.hpp>
#include <plait/engine/plan/tile_pattern.hpp>

namespace plait::engine {

/// The bits of the nodes that lie densely in memory on one side, innermost first.
struct dense_bits {
    /// So many of the lowest bits of a node.
    struct node_bits {
        int node = 0;
        int bits = 0;
    };
    scratch_list<node_bits, 8> nodes;
    int bits = 0;

    /// Which bit of which node is the k-th, as one number.
    ///
    /// Pre:     0 <= k < bits
    constexpr int bit(int k) const {
        int n = 0;
        for (; k >= nodes[n].bits; ++n) k -= nodes[n].bits;
        return nodes[n].node << 8 | k;
    }
    /// The first so many.
    constexpr dense_bits first(int wanted) const {
        dense_bits out;
        for (const node_bits& n : nodes) {
            const int taken = n.bits < wanted - out.bits ? n.bits : wanted - out.bits;
            if (taken == 0) break;
            out.nodes.push_back({n.node, taken});
            out.bits += taken;
        }
        return out;
    }
};

/// Finds up to `wanted` dense bits. A node that is too short, and no power of two, fills its last bit only in part;
/// with `gaps`, others go on where that bit ends: 3 channels in places for 4.
///
/// Post:    for fewer: find_dense_bits(r, of, wanted, gaps).first(fewer)
constexpr dense_bits find_dense_bits(const refinement& r, side of, int wanted, bool gaps = false) {
    dense_bits out;
    dim_t stride = 1;
    while (out.bits < wanted && !out.nodes.full()) {
        int next = -1;
        // Of two, as where steps without elements have a stride (continue_source), the one that needs no network.
        for (int i = 0; i < r.nodes.size(); ++i) {
            const reorder_node& n = r.nodes[i];
            if ((of == side::source ? n.src : n.dst) != stride || n.extent <= 1) continue;
            if (next < 0 || r.nodes[next].src != r.nodes[next].dst) next = i;
        }
        if (next < 0) break;
        const dim_t extent = r.nodes[next].extent;
        const int most = r.splittable_bits(next);
        int bits = 0;
        while (out.bits + bits < wanted && bits < most && dim_t{1} << bits < extent) ++bits;
        if (bits == 0) break;
        out.nodes.push_back({next, bits});
        out.bits += bits;
        if (dim_t{1} << bits != extent && (!gaps || bits == most)) break;
        stride <<= bits;
    }
    return out;
}

/// The dense bits of both sides, as many as any tile asks for.
struct dense_sides {
    dense_bits src, dst;

    constexpr dense_sides(const refinement& r, const element_sizes& sizes, isa instructions, bool gaps = false)
        : src(find_dense_bits(r, side::source, most(sizes, instructions), gaps)),
          dst(find_dense_bits(r, side::destination, most(sizes, instructions))) {}
    /// A register and one more, or a cache line.
    static constexpr int most(const element_sizes& sizes, isa instructions) {
        const int least = sizes.src < sizes.dst ? sizes.src : sizes.dst;
        return log2_of((vector_bytes(instructions) > cache_line_bytes ? vector_bytes(instructions) : cache_line_bytes) /
                       least) +
               1;
    }
};

}  // namespace plait::engine
