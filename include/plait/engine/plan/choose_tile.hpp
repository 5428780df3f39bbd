#pragma once
// Which bits make the tile: candidates, and what each would cost for every element moved.

#include <plait/engine/plan/dense_bits.hpp>

#include <optional>

namespace plait::engine {

/// One bit of the index along a node.
struct node_bit {
    std::int8_t node = 0, bit = 0;
    constexpr bool operator==(const node_bit&) const = default;
};

/// A tile, before its bits have strides: the lanes and registers of the source side, and the destination's segments.
struct tile_choice {
    tile_pattern pattern;  ///< without bounds
    inline_list<node_bit, max_tile_bits> bits;
    std::int8_t taken[max_nodes]{};  ///< how many bits of each node
    int interleaved = -1;            ///< the node whose elements alternate in memory on one side
    dim_t cost = 0;                  ///< see cost_of; with the fewest steps that the network may have

    constexpr int find(const node_bit& wanted) const {
        for (int b = 0; b < bits.size(); ++b)
            if (bits[b] == wanted) return b;
        return -1;
    }
    constexpr void take(int node) { bits.push_back({static_cast<std::int8_t>(node), taken[node]++}); }
    /// Takes the dense bits that are not taken yet, as long as there is room for `most` in all.
    constexpr void take(const dense_bits& dense, int most) {
        for (const dense_bits::part& part : dense.parts)
            while (taken[part.node] < part.bits && bits.size() < most) take(part.node);
    }
};

/// Whether the network of a tile is a constant in the code of its kernel, or data that a kernel reads.
enum class network_kind { constant, data };

/// Whether kernels have registers of so many bytes. Those whose network is data are fewer: with AVX-512, half of a
/// register is a segment of it.
constexpr bool has_registers(network_kind network, isa which, int bytes) {
    return network == network_kind::constant || which != isa::avx512 || bytes != 32;
}
/// How many registers kernels have, as the power of two, where one has so many segments on one side. AVX2 has 16, of
/// which 16 leave none to shuffle with; more than 64 segments are much code.
constexpr int most_register_bits(network_kind network, int bytes, int segments) {
    if (network == network_kind::constant) return max_register_bits;
    return bytes == 32 || segments == 8 ? max_register_bits - 1 : max_register_bits;
}

/// What one step of a network costs for a register, in half cycles: within 128 bits two go in a cycle, across them one.
constexpr int cost_of_step(int lane, int work_bytes) { return lane < log2_of(16 / work_bytes) ? 1 : 2; }

/// What loading and storing a register takes, in half cycles, about. Segments are merged while they are loaded, which
/// costs little; to store them, they are extracted. Segments that are converted cost one each besides.
constexpr int cost_of_register(const element_sizes& sizes, isa which, int lane_bits, int in, int out) {
    // Conversions take as many lanes at once as 4 bytes leave room for, and are joined across 128 bits.
    const auto converting = [&](side of, int segments) {
        const int whole = static_cast<int>(divide_up((1 << lane_bits) * 4, vector_bytes(which))),
                  chunks = segments > whole ? segments : whole;
        return chunks * (of == side::source ? 2 + 4 : 4 + 4) + 4 * (chunks - 1);
    };
    const int load = in == 1 ? 2 : 3 * in, store = out == 1 ? 4 : 2 * (out + 2 * (out - 1));
    return (sizes.src != sizes.work ? converting(side::source, in) : load) +
           (sizes.dst != sizes.work ? converting(side::destination, out) : store);
}

/// What a tile costs for 2^15 elements, in half cycles, about: loads, shuffles, stores. What lies beyond the end of an
/// axis is moved for nothing.
constexpr dim_t cost_of(const tile_choice& choice, const refinement& r, const element_sizes& sizes, isa which,
                        int steps) {
    const tile_pattern& p = choice.pattern;
    const int registers = p.registers(), in = p.segments(side::source), out = p.segments(side::destination);
    // 16 registers of 16 leave none to shuffle with.
    const int spilled = which != isa::avx512 && registers >= 16 && steps > 0 ? 2 : 0;
    const int segments = (sizes.src != sizes.work ? in : 0) + (sizes.dst != sizes.work ? out : 0);
    const dim_t tile =
        registers * (cost_of_register(sizes, which, p.lane_bits, in, out) + spilled + 2 * steps) + segments;
    dim_t cost = (tile << 14) >> choice.bits.size();
    for (int i = 0; i < r.nodes.size(); ++i) {
        const dim_t extent = r.nodes[i].extent, below = (dim_t{1} << choice.taken[i]) - 1;
        if ((extent & below) != 0) cost = cost * ((extent | below) + 1) / extent;
    }
    return cost;
}

/// The tile with registers of 2^lane_bits elements, and segments of at most so many bits on each side; empty where that
/// does not fit the layouts.
constexpr std::optional<tile_choice> choose_tile(const refinement& r, const dense_sides& dense,
                                                 const element_sizes& sizes, isa which, int lane_bits, int src_segment,
                                                 int dst_segment, network_kind network = network_kind::constant) {
    const dense_bits from = dense.src.first(src_segment), to = dense.dst.first(dst_segment);
    if (from.bits < src_segment || to.bits < dst_segment) return std::nullopt;
    tile_choice out;
    out.pattern.lane_bits = lane_bits;
    out.pattern.src_upper_bits = lane_bits - src_segment;
    const int segments = 1 << (lane_bits - (src_segment < dst_segment ? src_segment : dst_segment));
    const int most = lane_bits + most_register_bits(network, sizes.work << lane_bits, segments);
    out.take(from, most);
    out.take(to, most + 1);
    if (out.bits.size() > most) return std::nullopt;
    // More registers, until a tile writes whole cache lines, then until it reads such: shorter segments then leave none
    // half used. A tile that shuffles nothing gets some work.
    if (lane_bits > 0) {
        // Not where more would lie beyond the end of a short axis.
        const auto may_grow = [&](int node) {
            const dim_t extent = r.nodes[node].extent, step = dim_t{1} << out.taken[node];
            return extent >= 16 * step ||
                   (extent >= 2 * step && divide_up(extent, 2 * step) * 2 == divide_up(extent, step));
        };
        const auto grow = [&](side of, int wanted) {
            for (const dense_bits::part& part : (of == side::source ? dense.src : dense.dst).parts) {
                const int bits = part.bits < wanted ? part.bits : wanted;
                wanted -= bits;
                while (out.taken[part.node] < bits && may_grow(part.node) && out.bits.size() < most)
                    out.take(part.node);
            }
        };
        grow(side::destination, log2_of(cache_line_bytes / sizes.dst));
        grow(side::source, log2_of(cache_line_bytes / sizes.src));
        if (out.bits.size() == lane_bits) grow(side::destination, lane_bits + 1);
        // What is one short run on both sides is moved four at a time.
        if (out.bits.size() == lane_bits && to.bits == lane_bits && from.bits == lane_bits)
            for (int i = r.nodes.size() - 1; i >= 0; --i)
                if (r.splittable_bits(i) >= 2 && out.taken[i] == 0 &&
                    (r.nodes[i].extent >= 64 || (r.nodes[i].extent >= 16 && r.nodes[i].extent % 4 == 0))) {
                    out.take(i);
                    out.take(i);
                    break;
                }
        // Lanes that are still empty hold segments from anywhere; best from where the destination goes on.
        for (int i = 0; out.bits.size() < lane_bits && i < r.nodes.size(); ++i)
            while (out.bits.size() < lane_bits && out.taken[i] < r.splittable_bits(i) &&
                   dim_t{1} << out.taken[i] < r.nodes[i].extent)
                out.take(i);
        // So do registers, up to four, where the network is data: what a kernel asks for at each tile should be little
        // beside what it moves. Not along an axis that ends inside of blocks: more tiles would pass its end.
        if (network == network_kind::data)
            for (int i = r.nodes.size() - 1; i >= 0; --i)
                while (r.is_whole(r.nodes[i].axis) && out.bits.size() >= lane_bits && out.bits.size() < lane_bits + 2 &&
                       out.bits.size() < most && out.taken[i] < r.splittable_bits(i) && may_grow(i))
                    out.take(i);
    }
    if (out.bits.size() < lane_bits) return std::nullopt;
    out.pattern.register_bits = out.bits.size() - lane_bits;

    scratch_list<node_bit, 6> wanted;  // the bits of the destination's segments
    for (const dense_bits::part& part : to.parts)
        for (int b = 0; b < part.bits; ++b)
            wanted.push_back({static_cast<std::int8_t>(part.node), static_cast<std::int8_t>(b)});
    // The upper lanes of the source: what the destination has there, so that the network need not move it; else the
    // last bits, which are in no segment of the destination.
    for (int lane = src_segment; lane < lane_bits; ++lane) {
        int from_where = out.bits.size() - 1 - (lane - src_segment);
        if (lane < wanted.size() && out.find(wanted[lane]) >= lane) from_where = out.find(wanted[lane]);
        if (from_where <= lane) continue;
        const node_bit moved = out.bits[from_where];
        out.bits[from_where] = out.bits[lane];
        out.bits[lane] = moved;
    }
    int steps = 0;
    for (int lane = 0; lane < wanted.size(); ++lane) {
        const int bit = out.find(wanted[lane]);
        out.pattern.dst_lanes.push_back(bit);
        // A network that is data orders the lanes all at once.
        if (network == network_kind::data) steps += bit >= lane_bits;
        else if (bit != lane) steps += cost_of_step(lane, sizes.work);
    }
    out.cost = cost_of(out, r, sizes, which, steps);
    return out;
}
/// The tile of one element.
constexpr tile_choice choose_one_element(const refinement& r, const element_sizes& sizes, isa which) {
    return *choose_tile(r, dense_sides(r, sizes, which), sizes, which, 0, 0, 0);
}

inline constexpr int most_interleaved = 7;  // more fill a segment by themselves

/// The tile of an interleave: of a few elements that alternate in memory on one side, dense along another node on the
/// other; empty where there is none.
constexpr std::optional<tile_choice> choose_interleave(const refinement& r, const element_sizes& sizes, isa which,
                                                       side of, network_kind network = network_kind::constant) {
    const auto here = [&](const reorder_node& n) { return of == side::source ? n.src : n.dst; };
    const auto there = [&](const reorder_node& n) { return of == side::source ? n.dst : n.src; };
    for (int few = 0; few < r.nodes.size(); ++few) {
        const reorder_node& alternating = r.nodes[few];
        const dim_t count = alternating.extent;
        if (here(alternating) != 1 || count < 3 || count > most_interleaved || (count & (count - 1)) == 0 ||
            alternating.is_uneven || !r.is_only_node(alternating))
            continue;
        for (int along = 0; along < r.nodes.size(); ++along) {
            if (here(r.nodes[along]) != count || there(r.nodes[along]) != 1) continue;
            tile_choice out;
            out.interleaved = few;
            out.pattern.interleave = static_cast<int>(count);
            out.pattern.interleaves_source = of == side::source;
            int lane_bits = log2_of(vector_bytes(which) / sizes.work);
            // Lanes that no element is in are not worth a tile that goes through memory.
            const dim_t there_are = divide_up(r.bounds[r.nodes[along].axis].valid, r.nodes[along].index_step);
            while (dim_t{1} << lane_bits > r.nodes[along].extent || dim_t{1} << lane_bits > there_are ||
                   lane_bits > r.splittable_bits(along) || !has_registers(network, which, sizes.work << lane_bits))
                --lane_bits;
            if (lane_bits <= 0) continue;
            if (sizes.work << lane_bits < 16) continue;
            out.pattern.lane_bits = lane_bits;
            for (int lane = 0; lane < lane_bits; ++lane) {
                out.pattern.dst_lanes.push_back(lane);
                out.take(along);
            }
            return out;
        }
    }
    return std::nullopt;
}

}  // namespace plait::engine
