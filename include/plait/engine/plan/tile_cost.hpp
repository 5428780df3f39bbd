#pragma once
// A tile whose bits have no strides yet, and the cost of a tile for each element moved.
//
// Example: 16 registers of 4 floats, transposed in 2 steps with AVX-512. Each is loaded (2 quarters of a cycle),
// shuffled (2 a step) and stored (4): 160 quarters for 64 elements. If only 6 of 8 places of the tile exist, 8/6 of
// that. In a large tensor, cache lines that are fetched twice, or read before they are overwritten, add to the cost.

#include <plait/engine/plan/dense_bits.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// One bit of the index along a node.
struct node_bit {
    std::int8_t node = 0, bit = 0;
    constexpr bool operator==(const node_bit&) const = default;
};

/// A tile whose bits have no strides yet: lanes and registers of the source side, and segments of the destination.
struct tile_choice {
    tile_pattern pattern;  ///< without bounds
    inline_list<node_bit, max_tile_bits> bits;
    std::int8_t taken[max_nodes]{};  ///< number of bits taken of each node
    int interleaved = -1;            ///< the node whose elements alternate in memory on one side
    dim_t memory_cost = 0;           ///< see cost_of_memory
    dim_t cost = 0;                  ///< see cost_of; for the fewest steps that the network may need

    constexpr int find(const node_bit& wanted) const {
        for (int b = 0; b < bits.size(); ++b)
            if (bits[b] == wanted) return b;
        return -1;
    }
    constexpr void take(int node) { bits.push_back({static_cast<std::int8_t>(node), taken[node]++}); }
    /// Takes the dense bits that are not taken yet, up to `most` bits in the tile.
    constexpr void take(const dense_bits& dense, int most) {
        for (const dense_bits::node_bits& along : dense.nodes)
            while (taken[along.node] < along.bits && bits.size() < most) take(along.node);
    }
};

/// The kind of a tile's network: a constant in the code of its kernel, or data that a kernel reads.
enum class network_kind { constant, table };

/// True if kernels have registers of `bytes` bytes. Kernels whose network is a table have fewer sizes: with AVX-512,
/// half of a register is handled as a segment of it.
constexpr bool has_registers(network_kind network, isa instructions, int bytes) {
    return network == network_kind::constant || instructions != isa::avx512 || bytes != 32;
}
/// Returns the largest number of registers of a tile, as a power of two, if a register has `segments` segments on one
/// side. AVX2 has 16 registers, so a tile of 16 leaves none to shuffle with. More than 64 segments are much code.
constexpr int most_register_bits(network_kind network, int bytes, int segments) {
    if (network == network_kind::constant) return max_register_bits;
    return bytes == 32 || segments == 8 ? max_register_bits - 1 : max_register_bits;
}

/// Returns the cost of a network step for a register, in half cycles: two fit in a cycle within 128 bits, one across.
constexpr int cost_of_step(int lane, int work_bytes) { return lane < log2_of(16 / work_bytes) ? 1 : 2; }

/// Returns the least cost of an exchange of a network that is a table, for a register: see cost_of_network.
constexpr int least_cost_of_exchange(isa instructions) { return instructions == isa::avx512 ? 2 : 1; }

/// Returns the approximate cost of loading and storing a register, in quarters of a cycle. Merging segments while they
/// are loaded costs little; to store them, they are extracted. Each converted segment costs one more.
constexpr int cost_of_register(const element_sizes& sizes, isa instructions, int lane_bits, int in, int out) {
    constexpr int load = 2, load_merging = 3, store = 4, store_segment = 2, extract = 4;
    constexpr int convert_loaded = 2 + 4, convert_stored = 4 + 4, join = 4;
    // A conversion handles as many lanes as fit at 4 bytes each; the results are joined across 128 bits.
    const auto converting = [&](side of, int segments) {
        const int whole = static_cast<int>(divide_up((1 << lane_bits) * 4, vector_bytes(instructions))),
                  chunks = segments > whole ? segments : whole;
        return chunks * (of == side::source ? convert_loaded : convert_stored) + join * (chunks - 1);
    };
    const int loading = in == 1 ? load : load_merging * in,
              storing = out == 1 ? store : store_segment * out + extract * (out - 1);
    return (sizes.src != sizes.work ? converting(side::source, in) : loading) +
           (sizes.dst != sizes.work ? converting(side::destination, out) : storing);
}

/// Returns the number of stored elements, padding included. An axis with several nodes counts once.
constexpr dim_t stored_elements(const refinement& r) {
    dim_t elements = 1;
    std::uint64_t counted = 0;
    for (const reorder_node& n : r.nodes) {
        if ((counted >> n.axis & 1) == 0) elements *= r.bounds[n.axis].stored;
        counted |= std::uint64_t{1} << n.axis;
    }
    return elements;
}

/// Returns the offset that one bit of a tile adds on one side, in elements.
constexpr dim_t step_of(const node_bit& bit, const refinement& r, side of) {
    const reorder_node& node = r.nodes[bit.node];
    return (of == side::source ? node.src : node.dst) << bit.bit;
}

/// How a tile uses the cache lines of one side.
struct line_use {
    dim_t run = 1;  ///< elements without a gap, up to a cache line
    /// Number of bits whose steps are multiples of 4096 bytes: their lines share a set of the cache.
    int in_one_set = 0;
};
constexpr line_use use_of_lines(const tile_choice& choice, const refinement& r, side of, int bytes) {
    const dim_t line = cache_line_bytes / bytes;
    line_use out;
    dim_t short_steps = 0;  // sum of short steps, each a power of two
    for (const node_bit& bit : choice.bits) {
        const dim_t step = step_of(bit, r, of);
        if (step < line && (step & (step - 1)) == 0) short_steps |= step;
        if ((step * bytes & 4095) == 0 && step != 0) ++out.in_one_set;
    }
    while (out.run < line && (short_steps & out.run) != 0) out.run *= 2;
    return out;
}

/// True if a tile whose run is a cache line writes whole lines when the destination begins at one: all its steps are
/// multiples of a line. Corresponds to reorder_plan::writes_whole_lines, before there is a plan.
constexpr bool steps_by_lines(const tile_choice& choice, const refinement& r, dim_t line) {
    dim_t steps = r.dst_offset;
    for (const node_bit& bit : choice.bits)
        if (const dim_t step = step_of(bit, r, side::destination); step >= line) steps |= step;
    for (int i = 0; i < r.nodes.size(); ++i)
        if (r.nodes[i].extent > dim_t{1} << choice.taken[i]) steps |= r.nodes[i].dst << choice.taken[i];
    return steps % line == 0;
}

/// Returns the extra cost of cache lines that a tile uses only in part, in half cycles for 2^15 elements. Such lines
/// are fetched again if they have left the first-level cache before the next tile needs their other parts. A cache set
/// holds at least eight lines.
///
/// Example: bf16, 32 rows of 32 bytes, 2048 bytes apart: 16 rows share each of two sets, so each line is fetched twice
constexpr dim_t cost_of_parts_of_lines(const line_use& use, side of, int bytes) {
    const dim_t line = cache_line_bytes / bytes;
    if (use.in_one_set < 4) return 0;
    const int for_a_line = of == side::source ? 8 : 16;  // lines of the destination are also written back
    return (line / use.run - 1) * for_a_line * ((dim_t{1} << 15) / line);
}

/// Returns the extra cost of memory, in the unit of cost_of. It is small while everything fits in a near cache.
constexpr dim_t cost_of_memory(const tile_choice& choice, const refinement& r, const element_sizes& sizes) {
    constexpr dim_t near_bytes = dim_t{256} << 10;
    const dim_t bytes = stored_elements(r) * (sizes.src + sizes.dst);
    if (bytes < near_bytes) return 0;
    const line_use src = use_of_lines(choice, r, side::source, sizes.src),
                   dst = use_of_lines(choice, r, side::destination, sizes.dst);
    const dim_t cost = cost_of_parts_of_lines(src, side::source, sizes.src) +
                       cost_of_parts_of_lines(dst, side::destination, sizes.dst);
    if (bytes < streaming_bytes) return cost;
    // Without non-temporal stores, the destination is read before it is written: a quarter of a cycle per byte.
    const dim_t line = cache_line_bytes / sizes.dst;
    return cost + (dst.run == line && steps_by_lines(choice, r, line) ? 0 : dim_t{sizes.dst} << 14);
}

/// Returns the approximate cost of loads, shuffles and stores of a tile, in half cycles for 2^15 elements. Elements
/// beyond the end of an axis are moved in vain, which raises the cost of the others.
constexpr dim_t cost_of(const tile_choice& choice, const refinement& r, const element_sizes& sizes, isa instructions,
                        int steps) {
    const tile_pattern& p = choice.pattern;
    const int registers = p.registers(), in = p.segments(side::source), out = p.segments(side::destination);
    // On AVX2, a tile of 16 registers leaves none to shuffle with.
    const int spilled = instructions != isa::avx512 && registers >= 16 && steps > 0 ? 2 : 0;
    const int segments = (sizes.src != sizes.work ? in : 0) + (sizes.dst != sizes.work ? out : 0);
    const dim_t tile =  // in quarters of a cycle
        registers * (cost_of_register(sizes, instructions, p.lane_bits, in, out) + spilled + 2 * steps) + segments;
    dim_t cost = (tile << 14) >> choice.bits.size();
    for (int i = 0; i < r.nodes.size(); ++i) {
        const dim_t extent = r.nodes[i].extent, below = (dim_t{1} << choice.taken[i]) - 1;
        if ((extent & below) != 0) cost = cost * ((extent | below) + 1) / extent;
    }
    return cost + choice.memory_cost;
}

}  // namespace plait::engine
