#pragma once
// Chooses which bits of the index make the tile: the cost of a tile, its bits, and a queue of tiles, cheapest first.
//
// Example: f32 nchw -> nChw16c of 64 channels and 3136 places, registers of 16. The segments of the source are 16
// places, those of the destination 16 channels; the tile has the bits of both. When it is loaded, the 4 bits of places
// are lanes and the 4 bits of channels number its 16 registers. When it is stored it is the other way round. The
// network between them is a transposition in 4 steps.

#include <plait/contract/isa.hpp>
#include <plait/engine/plan/lane_network.hpp>
#include <plait/engine/plan/plan.hpp>
#include <plait/engine/plan/refinement.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// The bits of the index that are contiguous in memory on either side, in which registers are loaded and stored.
//
// Example: nchw -> nChw16c, 17 channels of 56 x 56, up to 5 bits. In the source they are the lowest 5 bits of the 3136
// places. In the destination they are 4 bits of the 16 channels of a block, then the lowest bit of places, which are 16
// apart.

/// One bit of the index along a node.
struct node_bit {
    std::int8_t node = 0, bit = 0;
    constexpr bool operator==(const node_bit&) const = default;
};

/// The bits of the nodes that are dense in memory on one side, innermost first: bit k is 2^k elements from the start of
/// a tile. The bits of a node follow each other, the lowest first.
using dense_bits = scratch_list<node_bit, max_tile_bits>;

/// Finds up to `wanted` dense bits. A short node whose extent is not a power of two fills its last bit only in part.
/// With `gaps`, other nodes may continue at the end of that bit: 3 channels in places for 4.
///
/// Pre:     wanted <= max_tile_bits
/// Post:    for fewer: the first of these bits
constexpr dense_bits find_dense_bits(const refinement& r, side of, int wanted, bool gaps = false) {
    dense_bits out;
    dim_t stride = 1;
    while (out.size() < wanted) {
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
        for (; out.size() < wanted && bits < most && dim_t{1} << bits < extent; ++bits)
            out.push_back({static_cast<std::int8_t>(next), static_cast<std::int8_t>(bits)});
        if (bits == 0) break;
        if (dim_t{1} << bits != extent && (!gaps || bits == most)) break;
        stride <<= bits;
    }
    return out;
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

/// The dense bits and the size of a refinement, which all of its tiles share.
struct dense_sides {
    dense_bits src, dst;  ///< the dense bits of both sides, as many as any tile needs
    dim_t elements;       ///< see stored_elements

    constexpr dense_sides(const refinement& r, const element_sizes& sizes, isa instructions, bool gaps = false)
        : src(find_dense_bits(r, side::source, most(sizes, instructions), gaps)),
          dst(find_dense_bits(r, side::destination, most(sizes, instructions))),
          elements(stored_elements(r)) {}
    /// Returns the largest number of bits needed: a register and one more, or a cache line.
    static constexpr int most(const element_sizes& sizes, isa instructions) {
        const int least = sizes.src < sizes.dst ? sizes.src : sizes.dst;
        return log2_of((vector_bytes(instructions) > cache_line_bytes ? vector_bytes(instructions) : cache_line_bytes) /
                       least) +
               1;
    }
};

// A tile whose bits have no strides yet, and the cost of a tile for each element moved.
//
// Example: 16 registers of 4 floats, transposed in 2 steps with AVX-512. Each is loaded (2 quarters of a cycle),
// shuffled (2 a step) and stored (4): 160 quarters for 64 elements. If only 6 of 8 places of the tile exist, 8/6 of
// that. In a large tensor, cache lines that are fetched twice, or read before they are overwritten, add to the cost.

/// A tile whose bits have no strides yet: lanes and registers of the source side, and segments of the destination.
struct tile_choice {
    tile_pattern pattern;  ///< without bounds
    inline_list<node_bit, max_tile_bits> bits;
    std::int8_t taken[max_nodes]{};  ///< number of bits taken of each node
    int interleaved = -1;            ///< the node whose elements alternate in memory on one side
    dim_t memory_cost = 0;           ///< see cost_of_memory
    int steps = 0;                   ///< the fewest that the network may need
    dim_t cost = 0;                  ///< see cost_of; for these steps
    bool masks_cost = false;         ///< true if masks are data, not constants in the code of a kernel

    constexpr int find(const node_bit& wanted) const {
        for (int b = 0; b < bits.count; ++b)
            if (bits.values[b] == wanted) return b;
        return -1;
    }
    constexpr void take(int node) { bits.push_back({static_cast<std::int8_t>(node), taken[node]++}); }
    /// Takes the first `wanted` dense bits as far as they are not taken yet, up to `most` bits in the tile.
    constexpr void take(const dense_bits& dense, int wanted, int most) {
        for (int k = 0; k < wanted && bits.count < most; ++k)
            if (taken[dense[k].node] == dense[k].bit) take(dense[k].node);
    }
};

/// Returns the approximate cost of loading and storing a register, in quarters of a cycle. Merging segments while they
/// are loaded costs little, and with AVX2 nothing for two halves, because it inserts the second while it loads it. To
/// store segments, they are extracted. Each converted segment costs one more.
constexpr int cost_of_register(const element_sizes& sizes, isa instructions, int lane_bits, int in, int out) {
    constexpr int load = 2, load_merging = 3, store = 4, store_segment = 2;
    const int extract = instructions == isa::avx2 ? 6 : 4;
    constexpr int convert_loaded = 2 + 4, convert_stored = 4 + 4, join = 4;
    // A conversion handles as many lanes as fit at 4 bytes each; the results are joined across 128 bits.
    const auto converting = [&](side of, int segments) {
        const int whole = static_cast<int>(divide_up((1 << lane_bits) * 4, vector_bytes(instructions))),
                  chunks = segments > whole ? segments : whole;
        return chunks * (of == side::source ? convert_loaded : convert_stored) + join * (chunks - 1);
    };
    const bool inserts = instructions == isa::avx2 && in == 2 && sizes.work << lane_bits == 32;
    const int loading = in == 1 || inserts ? load * in : load_merging * in,
              storing = out == 1 ? store : store_segment * out + extract * (out - 1);
    return (sizes.src != sizes.work ? converting(side::source, in) : loading) +
           (sizes.dst != sizes.work ? converting(side::destination, out) : storing);
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
///
/// Pre:     elements == stored_elements(r)
constexpr dim_t cost_of_memory(const tile_choice& choice, const refinement& r, dim_t elements,
                               const element_sizes& sizes) {
    constexpr dim_t near_bytes = dim_t{256} << 10;
    const dim_t bytes = elements * (sizes.src + sizes.dst);
    if (bytes < near_bytes) return 0;
    const line_use src = use_of_lines(choice, r, side::source, sizes.src),
                   dst = use_of_lines(choice, r, side::destination, sizes.dst);
    const dim_t cost = cost_of_parts_of_lines(src, side::source, sizes.src) +
                       cost_of_parts_of_lines(dst, side::destination, sizes.dst);
    if (bytes < streaming_bytes) return cost;
    // Without non-temporal stores, the destination is read before it is written: a quarter of a cycle per byte.
    // Lines that tiles write in parts may be read again for each.
    const dim_t line = cache_line_bytes / sizes.dst, parts = (line / dst.run - 1) << 12;
    return cost + parts + (dst.run == line && steps_by_lines(choice, r, line) ? 0 : dim_t{sizes.dst} << 14);
}

/// True if at least half of the tiles that take `bits` bits of a node pass the end of its axis, so that they are
/// masked. If so, all that take more bits pass it, too.
constexpr bool passes_most_ends(const refinement& r, int node, int bits) {
    const reorder_node& n = r.nodes[node];
    if (bits == 0) return false;
    const dim_t reach = n.index_step << bits;
    if (r.is_only_node(n)) return reach > n.extent;  // otherwise the last tile moves back
    const dim_t whole = r.bounds[n.axis].valid / reach, all = divide_up(r.bounds[n.axis].stored, reach);
    return 2 * whole <= all;
}

/// Returns a cost with the elements that tiles of 2^bits steps move beyond the extent of a node. It rises with the
/// bits.
constexpr dim_t cost_with_end(dim_t cost, dim_t extent, int bits) {
    const dim_t below = (dim_t{1} << bits) - 1;
    return (extent & below) == 0 ? cost : cost * ((extent | below) + 1) / extent;
}
/// Returns the cost of tiles most of which are masked, by masks that are data.
constexpr dim_t cost_with_masks(dim_t cost, isa instructions) {
    return instructions == isa::avx512 ? cost * 5 / 4 : cost * 2;
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
    bool is_masked = false;
    for (int i = 0; i < r.nodes.size(); ++i) {
        cost = cost_with_end(cost, r.nodes[i].extent, choice.taken[i]);
        is_masked = is_masked || (choice.masks_cost && passes_most_ends(r, i, choice.taken[i]));
    }
    return (is_masked ? cost_with_masks(cost, instructions) : cost) + choice.memory_cost;
}

/// Registers of 2^lane_bits elements, loaded in segments of 2^src_bits elements and stored in segments of 2^dst_bits.
struct tile_width {
    int lane_bits = 0;
    int src_bits = 0, dst_bits = 0;
};

/// Chooses the bits of one tile, in the order in which they count the lanes and registers of the source side.
class tile_builder {
public:
    /// Pre:     out is default-constructed
    constexpr tile_builder(tile_choice& out, const refinement& r, const dense_sides& dense, const element_sizes& sizes,
                           isa instructions, const tile_width& wanted, network_kind network)
        : r_(r),
          dense_(dense),
          sizes_(sizes),
          instructions_(instructions),
          wanted_(wanted),
          network_(network),
          out_(out) {}

    /// Builds the tile; false if the layouts have no such segments, or if both sides together need too many registers.
    constexpr bool build() {
        if (dense_.src.size() < wanted_.src_bits || dense_.dst.size() < wanted_.dst_bits || !take_segments())
            return false;
        if (lane_bits() > 0) {
            fill_cache_lines();
            move_short_runs_by_four();
            fill_lanes();
            if (network_ == network_kind::table) fill_four_registers();
        }
        if (bits() < lane_bits()) return false;
        if (needs_half_bytes()) out_.take(r_.half_bytes);
        out_.pattern.register_bits = bits() - lane_bits();
        order_upper_lanes();
        out_.pattern.half_bytes = r_.half_bytes < 0 ? -1 : out_.find(half_bytes());
        out_.memory_cost = cost_of_memory(out_, r_, dense_.elements, sizes_);
        out_.masks_cost = network_ == network_kind::table;
        place_destination_lanes();
        if (!can_exchange_half_bytes()) return false;
        out_.cost = cost_of(out_, r_, sizes_, instructions_, out_.steps);
        return true;
    }

private:
    constexpr int bits() const { return out_.bits.count; }
    constexpr int lane_bits() const { return wanted_.lane_bits; }
    constexpr node_bit half_bytes() const { return {static_cast<std::int8_t>(r_.half_bytes), 0}; }
    /// True if the tile lacks the bit whose bytes exchange halves.
    constexpr bool needs_half_bytes() const { return r_.half_bytes >= 0 && out_.taken[r_.half_bytes] == 0; }
    /// True if that bit counts registers when the tile is loaded, or after the network.
    constexpr bool can_exchange_half_bytes() const {
        const tile_pattern& p = out_.pattern;
        if (p.half_bytes < 0) return true;
        if (network_ != network_kind::table || lane_bits() == 0) return false;
        bool enters = false, stays = false;  // whether any register bit enters the lanes, and whether this bit stays
        for (const int bit : p.dst_lanes) {
            enters = enters || bit >= lane_bits();
            stays = stays || bit == p.half_bytes;
        }
        return p.half_bytes >= lane_bits() || (enters && !stays);
    }
    /// True if the tile may double along a node. False if more of it would then pass the end of a short axis.
    constexpr bool may_grow(int node) const {
        const dim_t extent = r_.nodes[node].extent, step = dim_t{1} << out_.taken[node];
        if (extent >= 16 * step) return true;
        const dim_t tiles = (extent + step - 1) >> out_.taken[node];
        return extent >= 2 * step && tiles % 2 == 0;
    }

    /// Takes the segments of both sides; false if they have too many bits.
    constexpr bool take_segments() {
        out_.pattern.lane_bits = lane_bits();
        out_.pattern.src_upper_bits = lane_bits() - wanted_.src_bits;
        const int shorter = wanted_.src_bits < wanted_.dst_bits ? wanted_.src_bits : wanted_.dst_bits;
        const int segments = 1 << (lane_bits() - shorter);
        most_ = lane_bits() + most_register_bits(network_, sizes_.work << lane_bits(), segments);
        out_.take(dense_.src, wanted_.src_bits, most_);
        out_.take(dense_.dst, wanted_.dst_bits, most_ + 1);  // one more than allowed, so that the check below notices
        if (needs_half_bytes()) --most_;                     // room for it, after all others
        return bits() <= most_;
    }
    /// Adds registers until a tile writes whole cache lines, then until it reads whole ones, so that short segments
    /// leave no line half used. A tile that shuffles nothing gets at least two registers.
    constexpr void fill_cache_lines() {
        grow(dense_.dst, log2_of(cache_line_bytes / sizes_.dst));
        grow(dense_.src, log2_of(cache_line_bytes / sizes_.src));
        if (bits() == lane_bits()) grow(dense_.dst, lane_bits() + 1);
    }
    /// Takes up to `most` dense bits of a side.
    constexpr void grow(const dense_bits& dense, int most) {
        for (int k = 0; k < most && k < dense.size() && bits() < most_; ++k)
            if (out_.taken[dense[k].node] == dense[k].bit && may_grow(dense[k].node)) out_.take(dense[k].node);
    }
    /// Moves four runs at a time if a tile is one short run on both sides.
    constexpr void move_short_runs_by_four() {
        if (bits() != lane_bits() || wanted_.dst_bits != lane_bits() || wanted_.src_bits != lane_bits()) return;
        for (int i = r_.nodes.size() - 1; i >= 0; --i) {
            const dim_t extent = r_.nodes[i].extent;
            if (r_.splittable_bits(i) < 2 || out_.taken[i] != 0) continue;
            if (extent < 64 && (extent < 16 || extent % 4 != 0)) continue;
            out_.take(i);
            out_.take(i);
            return;
        }
    }
    /// Fills lanes that are still empty with segments from anywhere: bits of the nodes in their order, beginning with
    /// the smallest steps of each.
    constexpr void fill_lanes() {
        for (int i = 0; bits() < lane_bits() && i < r_.nodes.size(); ++i)
            while (bits() < lane_bits() && i != r_.half_bytes && out_.taken[i] < r_.splittable_bits(i) &&
                   dim_t{1} << out_.taken[i] < r_.nodes[i].extent)
                out_.take(i);
    }
    /// If the network is a table, also extends the tile to up to four registers, starting from the last axis, because
    /// the work that a kernel repeats for each tile should be small compared with the data that it moves. Axes that end
    /// inside of blocks are left out: more tiles would pass their end.
    constexpr void fill_four_registers() {
        const int most = lane_bits() + 2 < most_ ? lane_bits() + 2 : most_;
        if (bits() < lane_bits()) return;
        for (int i = r_.nodes.size() - 1; i >= 0 && bits() < most; --i) {
            if (!may_grow(i) || !r_.is_whole(r_.nodes[i].axis)) continue;
            const int splittable = r_.splittable_bits(i);
            while (bits() < most && out_.taken[i] < splittable && may_grow(i)) out_.take(i);
        }
    }

    /// Orders the lanes above the segments of the source. A lane takes the bit that the destination has there, so that
    /// the network need not move it; otherwise one of the last bits, which are in no segment of the destination.
    constexpr void order_upper_lanes() {
        // The bit whose bytes exchange halves counts registers if it can.
        int last = bits();
        for (int lane = wanted_.src_bits; lane < lane_bits(); ++lane) {
            const int kept = r_.half_bytes < 0 ? -1 : out_.find(half_bytes());
            if (--last == kept) --last;
            int from = last;
            if (const int same = lane < wanted_.dst_bits ? out_.find(dense_.dst[lane]) : -1; same >= lane) from = same;
            if (from <= lane || from == kept) continue;
            const node_bit moved = out_.bits[from];
            out_.bits[from] = out_.bits[lane];
            out_.bits[lane] = moved;
        }
    }
    /// Sets where each lane of the destination comes from, and the least number of steps that the network needs. If the
    /// network is a table, it orders all lanes in one step.
    constexpr void place_destination_lanes() {
        for (int lane = 0; lane < wanted_.dst_bits; ++lane) {
            const int bit = out_.find(dense_.dst[lane]);
            out_.pattern.dst_lanes.push_back(bit);
            if (network_ == network_kind::table)
                out_.steps += bit >= lane_bits() ? least_cost_of_step(instructions_) : 0;
            else if (bit != lane) out_.steps += cost_of_step(network_, instructions_, lane, sizes_.work);
        }
    }

    const refinement& r_;
    const dense_sides& dense_;
    const element_sizes& sizes_;
    isa instructions_;
    tile_width wanted_;
    network_kind network_;
    int most_ = 0;  // bits of a tile
    tile_choice& out_;
};

/// Returns the tile with the given registers and segments; empty if it does not fit the layouts.
constexpr std::optional<tile_choice> choose_tile(const refinement& r, const dense_sides& dense,
                                                 const element_sizes& sizes, isa instructions, const tile_width& wanted,
                                                 network_kind network = network_kind::constant) {
    std::optional<tile_choice> out;
    if (!tile_builder(out.emplace(), r, dense, sizes, instructions, wanted, network).build()) out.reset();
    return out;
}
/// Returns the tile of one element.
constexpr tile_choice choose_one_element(const refinement& r, const element_sizes& sizes, isa instructions) {
    return *choose_tile(r, dense_sides(r, sizes, instructions), sizes, instructions, tile_width{});
}

/// True if at least a quarter of the tiles along a node pass the end of its axis; an eighth if nine elements alternate.
/// Such a tile of an interleave goes through memory.
///
/// Example: f32 aBCd16c16b4c -> abcd of 1x512x7x6: 4 channels, then 3 of 4. 15 us, and 4.4 in tiles of segments (Zen 4)
constexpr bool has_many_edges(const refinement& r, const reorder_node& n, int lane_bits, dim_t count) {
    const dim_t valid = r.bounds[n.axis].valid, reach = n.index_step << lane_bits;
    return !r.is_only_node(n) && valid % reach != 0 && valid / reach < (count > 7 ? 7 : 3);
}

/// True if nine elements alternate, and the table kernels of AVX-512 would deal them out to registers that are not
/// whole. A network takes less time, unless elements are bytes.
///
/// Example: f32 abcd -> acdb of 64x8x3x3: 1.82 us in registers of 16 bytes, 0.82 by a network (Xeon, Emerald Rapids)
constexpr bool wastes_registers(isa instructions, int bytes, int element_bytes, dim_t count) {
    return count > 7 && instructions == isa::avx512 && bytes < vector_bytes(instructions) && element_bytes > 1;
}

/// Returns the tile of an interleave: a few elements that alternate in memory on one side and are each dense along
/// another node on the other side. Empty if there is none.
constexpr std::optional<tile_choice> choose_interleave(const refinement& r, const element_sizes& sizes,
                                                       isa instructions, side of,
                                                       network_kind network = network_kind::constant) {
    const auto step = [&](const reorder_node& n) { return of == side::source ? n.src : n.dst; };
    const auto step_across = [&](const reorder_node& n) { return of == side::source ? n.dst : n.src; };
    // Networks that are constants take less time than an interleave of nine, unless the registers of AVX-512 hold all
    // of its tables and elements are small: bf16 abcd -> acdb of 64x64x3x3 1.97 us and 2.77; with AVX2 2.22 and 1.96.
    const bool has_nine = network == network_kind::table || (instructions == isa::avx512 && sizes.work <= 2);
    const dim_t most = has_nine ? most_interleaved : 7;
    for (int k = 0; k < r.nodes.size(); ++k) {
        const reorder_node& alternating = r.nodes[k];
        const dim_t count = alternating.extent;
        if (step(alternating) != 1 || count < 3 || count > most || (count & (count - 1)) == 0 ||
            alternating.is_uneven || !r.is_only_node(alternating))
            continue;
        for (int along = 0; along < r.nodes.size(); ++along) {
            if (step(r.nodes[along]) != count || step_across(r.nodes[along]) != 1) continue;
            tile_choice out;
            out.interleaved = k;
            out.pattern.interleave = static_cast<int>(count);
            out.pattern.interleaves_source = of == side::source;
            int lane_bits = log2_of(vector_bytes(instructions) / sizes.work);
            // A tile that goes through memory is not worth lanes without elements.
            const dim_t elements = divide_up(r.bounds[r.nodes[along].axis].valid, r.nodes[along].index_step);
            while (dim_t{1} << lane_bits > r.nodes[along].extent || dim_t{1} << lane_bits > elements ||
                   lane_bits > r.splittable_bits(along) ||
                   !has_registers(network, instructions, sizes.work << lane_bits))
                --lane_bits;
            if (lane_bits <= 0 || sizes.work << lane_bits < 16) continue;
            if (network == network_kind::table &&
                (has_many_edges(r, r.nodes[along], lane_bits, count) ||
                 wastes_registers(instructions, sizes.work << lane_bits, sizes.work, count)))
                continue;
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

// The tiles of a reorder, cheapest first.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, AVX-512. Registers of 16, in segments of 16 on both sides, cost
// at least 18432 half cycles for 2^15 elements; registers of 8 at least 28672, and registers of 4 at least 40960. The
// first tile is built, and its network costs no more than the estimate, so no other tile is built.

/// The candidate tiles, cheapest first. A tile is built only when no other can be cheaper, so most are never built.
class tile_queue {
public:
    constexpr tile_queue(const refinement& r, const element_sizes& sizes, isa instructions,
                         network_kind network = network_kind::constant)
        : r_(r),
          sizes_(sizes),
          instructions_(instructions),
          network_(network),
          dense_(r, sizes, instructions, network == network_kind::table) {
        for (const side of : {side::source, side::destination})
            if (const auto choice =
                    r.half_bytes >= 0 ? std::nullopt : choose_interleave(r, sizes, instructions, of, network)) {
                entries_.push_back({choice->cost, 0, 0, 0, tiles_.size()});
                tiles_.push_back(*choice);
            }
        for (int lane = 0; network == network_kind::constant && lane < from() && lane < to(); ++lane)
            steps_[lane + 1] =
                steps_[lane] +
                (dense_.src[lane] == dense_.dst[lane] ? 0 : cost_of_step(network, instructions, lane, sizes.work));
        if (network == network_kind::table) find_src_lanes();
    }

    /// Returns the next tile that costs less than `limit`; null if there is none.
    constexpr const tile_choice* next(dim_t limit = INT64_MAX) {
        for (;;) {
            entry* first = nullptr;
            for (int k = 0; k < entries_.size(); ++k)
                if (entry& e = entries_[k]; !e.seen && e.cost < limit && (first == nullptr || e.cost < first->cost))
                    first = &e;
            // Of tiles that cost the same, the wider one comes first.
            if (const dim_t cost = first == nullptr ? limit : first->cost; cost > least_to_come_) {
                add_shapes(lanes_to_come_--);
                least_to_come_ = least_to_come();
                continue;
            }
            if (first == nullptr) return nullptr;
            const dim_t bound = first->cost;
            if (first->tile < 0 && !first->has_ends) add_ends(*first);
            if (first->tile < 0 && first->cost == bound) build(*first);
            if (first->tile < 0 || first->cost != bound) continue;  // another one may be first now
            first->seen = true;
            return &tiles_[first->tile];
        }
    }
    /// Begins again, leaving out one of the tiles.
    constexpr void restart_without(const tile_choice& tile) {
        for (int k = 0; k < entries_.size(); ++k) {
            entry& e = entries_[k];
            e.is_out = e.is_out || (e.tile >= 0 && &tiles_[e.tile] == &tile);
            e.seen = e.is_out;
        }
    }

private:
    /// A tile that may not be built yet.
    struct entry {
        dim_t cost;  ///< a lower bound until the tile is built
        int lane_bits, src_segment, dst_segment;
        int tile = -1;          ///< index of the built tile; -1: not built
        bool has_ends = false;  ///< the lower bound has the ends of axes
        bool seen = false, is_out = false;
    };

    // Registers have at least 16 bytes, and segments at least 8. If the network is a table, a register of 16 bytes may
    // have segments of 4 bytes if these are two elements: one would be no gain over moving single elements.
    constexpr int least_segment(int lane_bits) const {
        const bool has_short_ones = network_ == network_kind::table && lane_bits == narrowest_ && sizes_.work <= 2;
        return narrowest_ - (has_short_ones ? 2 : 1);
    }
    /// Returns the most dense bits of a side that are in a register.
    constexpr int from() const { return dense_.src.size() < widest_ ? dense_.src.size() : widest_; }
    constexpr int to() const { return dense_.dst.size() < widest_ ? dense_.dst.size() : widest_; }

    /// Returns a lower bound of the costs of all shapes that are not in the queue yet.
    constexpr dim_t least_to_come() const {
        dim_t least = INT64_MAX;
        for (int lane_bits = lanes_to_come_; lane_bits >= narrowest_; --lane_bits) {
            const dim_t cost = (dim_t{cost_of_register(sizes_, instructions_, lane_bits, 1, 1)} << 14) >> lane_bits;
            least = cost < least ? cost : least;
        }
        return least;
    }
    /// Adds the shapes of registers of 2^lane_bits elements.
    constexpr void add_shapes(int lane_bits) {
        const auto add = [&](int src_segment, int dst_segment) {
            if (!entries_.full())
                entries_.push_back(
                    {least_cost(lane_bits, src_segment, dst_segment), lane_bits, src_segment, dst_segment});
        };
        const int src_segment = from() < lane_bits ? from() : lane_bits,
                  dst_segment = to() < lane_bits ? to() : lane_bits, least = least_segment(lane_bits);
        if (!has_registers(network_, instructions_, sizes_.work << lane_bits)) return;
        if (src_segment < least || dst_segment < least) return;
        if (r_.half_bytes >= 0) {
            // One register bit is taken, so shorter segments on one side or both are tiles, too.
            for (int src = least; src <= src_segment; ++src)
                for (int dst = least; dst <= dst_segment; ++dst) add(src, dst);
            return;
        }
        add(src_segment, dst_segment);
        // Whole registers on one side and segments on the other need fewer registers.
        // So do halves of the narrowest if an axis of 9 to 15 elements would be masked in all of them.
        const auto first_of = [&](const dense_bits& dense) {
            const dim_t extent = dense.empty() ? 0 : r_.nodes[dense[0].node].extent;
            return network_ == network_kind::table && extent < dim_t{1} << narrowest_ ? narrowest_ - 1 : narrowest_;
        };
        for (int segment = first_of(dense_.dst); segment < dst_segment; ++segment) add(src_segment, segment);
        for (int segment = first_of(dense_.src); segment < src_segment; ++segment) add(segment, dst_segment);
        // Small elements have so many lanes that segments on both sides fill the registers of a tile.
        for (int src = narrowest_; network_ == network_kind::table && src < src_segment; ++src) {
            const int registers = most_register_bits(network_, sizes_.work << lane_bits, 1 << (lane_bits - src)),
                      dst = lane_bits + registers - src;
            if (dst >= narrowest_ && dst < dst_segment) add(src, dst);
        }
    }

    /// Finds the place of each dense bit of the destination among those of the source; 8 for bits that are not there.
    constexpr void find_src_lanes() {
        for (int lane = 0; lane < dense_.dst.size(); ++lane) {
            int& from = src_lanes_[lane];
            while (from < dense_.src.size() && dense_.src[from] != dense_.dst[lane]) ++from;
            if (from == dense_.src.size()) from = 8;
        }
    }
    /// Returns a lower bound of the cost of the shuffles of a shape: those of the lanes that are in segments on both
    /// sides; if the network is a table, one for each bit of a segment of the destination that cannot be in the lanes
    /// of the source.
    constexpr int least_steps(int lane_bits, int src_segment, int dst_segment) const {
        if (network_ == network_kind::constant) return steps_[src_segment < dst_segment ? src_segment : dst_segment];
        int entering = src_segment - lane_bits;  // lanes above the segments of the source may have any bits
        for (int lane = 0; lane < dst_segment; ++lane) entering += src_lanes_[lane] >= src_segment;
        return entering <= 0 ? 0 : entering * least_cost_of_step(instructions_);
    }
    /// Returns a lower bound of the cost of a shape, without the ends of axes.
    constexpr dim_t least_cost(int lane_bits, int src_segment, int dst_segment) const {
        const int steps = least_steps(lane_bits, src_segment, dst_segment);
        const int whole = cost_of_register(sizes_, instructions_, lane_bits, 1 << (lane_bits - src_segment),
                                           1 << (lane_bits - dst_segment));
        return (dim_t{whole + 2 * steps} << 14) >> lane_bits;
    }
    /// Adds to a lower bound what the ends of axes cost a tile that has the bits of the segments alone. More bits can
    /// only make it more: see cost_of.
    constexpr void add_ends(entry& e) const {
        std::int8_t taken[max_nodes]{};
        std::uint64_t nodes = 0;
        const auto take = [&](const dense_bits& dense, int segment) {
            for (int k = 0; k < segment; ++k) {
                std::int8_t& bits = taken[dense[k].node];
                if (dense[k].bit >= bits) bits = static_cast<std::int8_t>(dense[k].bit + 1);
                nodes |= std::uint64_t{1} << dense[k].node;
            }
        };
        take(dense_.src, e.src_segment);
        take(dense_.dst, e.dst_segment);
        bool is_masked = false;
        for (; nodes != 0; nodes &= nodes - 1) {  // in the order of cost_of, which rounds down
            const int node = std::countr_zero(nodes);
            e.cost = cost_with_end(e.cost, r_.nodes[node].extent, taken[node]);
            is_masked = is_masked || (network_ == network_kind::table && passes_most_ends(r_, node, taken[node]));
        }
        if (is_masked) e.cost = cost_with_masks(e.cost, instructions_);
        e.has_ends = true;
    }
    constexpr void build(entry& e) {
        tiles_.push_back({});
        const int last = tiles_.size() - 1;
        tile_builder builder(tiles_[last], r_, dense_, sizes_, instructions_,
                             {e.lane_bits, e.src_segment, e.dst_segment}, network_);
        e.seen = e.is_out = !builder.build();
        if (e.is_out) return tiles_.erase(last);
        e.cost = tiles_[last].cost;
        e.tile = last;
    }

    const refinement& r_;
    element_sizes sizes_;
    isa instructions_;
    network_kind network_;
    dense_sides dense_;
    int widest_ = log2_of(vector_bytes(instructions_) / sizes_.work), narrowest_ = log2_of(16 / sizes_.work);
    int lanes_to_come_ = widest_;  ///< of the widest registers whose shapes are not in the queue yet
    dim_t least_to_come_ = least_to_come();
    int src_lanes_[8]{};  ///< see find_src_lanes; not more than 8, see dense_sides::most
    int steps_[8]{};      ///< cost of the shuffles of the lanes below that are in segments on both sides
    scratch_list<entry, 28> entries_;
    scratch_list<tile_choice, 28> tiles_;
};

}  // namespace plait::engine
