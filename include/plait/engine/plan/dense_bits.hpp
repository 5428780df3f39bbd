#pragma once
// The bits of the index that are contiguous in memory on either side, in which registers are loaded and stored.
//
// Example: nchw -> nChw16c, 17 channels of 56 x 56, up to 5 bits. In the source they are the lowest 5 bits of the 3136
// places. In the destination they are 4 bits of the 16 channels of a block, then the lowest bit of places, which are 16
// apart.

#include <plait/contract/isa.hpp>
#include <plait/engine/plan/plan.hpp>
#include <plait/engine/plan/refinement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The bits of the nodes that are dense in memory on one side, innermost first.
struct dense_bits {
    /// A number of the lowest bits of a node.
    struct node_bits {
        int node = 0;
        int bits = 0;
    };
    scratch_list<node_bits, 8> nodes;
    int bits = 0;

    /// Returns the k-th bit: its node and its bit in the node, combined in one number.
    ///
    /// Pre:     0 <= k < bits
    constexpr int bit(int k) const {
        int n = 0;
        for (; k >= nodes[n].bits; ++n) k -= nodes[n].bits;
        return nodes[n].node << 8 | k;
    }
    /// Returns the first `wanted` bits.
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

/// Finds up to `wanted` dense bits. A short node whose extent is not a power of two fills its last bit only in part.
/// With `gaps`, other nodes may continue at the end of that bit: 3 channels in places for 4.
///
/// Post:    for fewer: find_dense_bits(r, of, wanted, gaps).first(fewer)
constexpr dense_bits find_dense_bits(const refinement& r, side of, int wanted, bool gaps = false) {
    dense_bits out;
    dim_t stride = 1;
    while (out.bits < wanted && !out.nodes.full()) {
        int next = -1;
        // If two nodes fit, as when steps without elements have a stride (continue_source), prefer the one that needs
        // no network.
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

/// The dense bits of both sides, as many as any tile needs.
struct dense_sides {
    dense_bits src, dst;

    constexpr dense_sides(const refinement& r, const element_sizes& sizes, isa instructions, bool gaps = false)
        : src(find_dense_bits(r, side::source, most(sizes, instructions), gaps)),
          dst(find_dense_bits(r, side::destination, most(sizes, instructions))) {}
    /// Returns the largest number of bits needed: a register and one more, or a cache line.
    static constexpr int most(const element_sizes& sizes, isa instructions) {
        const int least = sizes.src < sizes.dst ? sizes.src : sizes.dst;
        return log2_of((vector_bytes(instructions) > cache_line_bytes ? vector_bytes(instructions) : cache_line_bytes) /
                       least) +
               1;
    }
};

}  // namespace plait::engine
