// plait prove: writes the plan that a reorder runs as JSON, for tools/check_certificate.py, which decides whether the
// plan moves each element to its place. The plan is read from the planned reorder. Tiles at the ends of axes are those
// that the loops of the engine pass to a kernel: a kernel that only records them is run here.

#include "array_type.hpp"
#include "commands.hpp"
#include "isa_name.hpp"
#include "json_text.hpp"

#include <plait/contract/check_reorder.hpp>
#include <plait/core/places.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/engine/kernel/run_time_loops.hpp>
#include <plait/engine/quantize/cache_blocks.hpp>
#include <plait/engine/simd/table_kernels.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <numeric>
#include <set>

namespace tool {
namespace {

using plait::dim_t;
namespace engine = plait::engine;

constexpr int certificate_version = 2;
constexpr std::size_t most_edges = 4096;
constexpr int most_steps = 1 << 16;
constexpr dim_t most_scales = dim_t{1} << 28;

json jumps_of(const plait::layout& l, int axis, dim_t indices) {
    json out = json::array();
    for (const auto& jump : plait::detail::places_of(l, axis, indices).jumps) out.push_back({jump.border, jump.by});
    return out;
}

/// Returns the axes of the tensor: how many indices have an element, a place, and are written by tiles; and the jumps
/// of both sides. If the destination is zeroed first, tiles may leave out padding.
json axes_of(const plait::layout& src, const plait::layout& dst, int bytes, bool is_zeroed) {
    engine::refinement r;
    const bool refined = engine::refine(r, src, dst, static_cast<dim_t>(src.element_span()));
    if (is_zeroed && refined) engine::leave_out_padding(r, bytes);
    json out = json::array();
    for (int a = 0; a < src.ndims(); ++a) {
        const dim_t elements = src.dims[a], stored = dst.padded_dims[a];
        out.push_back({{"elements", elements},
                       {"stored", stored},
                       {"written", refined ? r.bounds[a].stored : stored},
                       {"source", jumps_of(src, a, elements)},
                       {"destination", jumps_of(dst, a, stored)}});
    }
    return out;
}

json loops_of(const engine::reorder_plan& plan) {
    json out = json::array();
    for (const engine::plan_loop& loop : plan.loops) {
        json uneven = json::array();
        for (const engine::uneven_step& step : plan.uneven_steps)
            if (loop.is_uneven && step.axis == loop.axis) uneven.push_back({step.period, step.src, step.dst});
        out.push_back({{"count", loop.extent},
                       {"source", loop.src},
                       {"destination", loop.dst},
                       {"axis", loop.axis},
                       {"index", loop.index_step},
                       {"overlap", {loop.overlap, loop.overlap_src, loop.overlap_dst}},
                       {"uneven", uneven}});
    }
    return out;
}

/// Returns the digits of the index inside a tile: its bits, and the elements that alternate in an interleave.
json bits_of(const engine::reorder_plan& plan) {
    json out = json::array();
    const auto add = [&](int count, const engine::tile_bit& bit) {
        out.push_back({{"count", count},
                       {"source", bit.src},
                       {"destination", bit.dst},
                       {"axis", bit.axis},
                       {"index", bit.index_step}});
    };
    for (const engine::tile_bit& bit : plan.bits) add(2, bit);
    if (plan.pattern.interleave != 0) add(plan.pattern.interleave, plan.interleaved);
    return out;
}

/// Returns the bounds, each with the axis of the loops and bits that count along it.
json bounds_of(const engine::reorder_plan& plan) {
    json out = json::array();
    for (int x = 0; x < plan.bounds.size(); ++x) {
        int axis = -1;
        for (const engine::plan_loop& loop : plan.loops)
            if (loop.bound == x) axis = loop.axis;
        for (int b = 0; b < plan.bits.size(); ++b)
            if (plan.pattern.bounds[b] == x) axis = plan.bits[b].axis;
        const engine::plan_bound& bound = plan.bounds[x];
        out.push_back({{"axis", axis}, {"elements", bound.valid}, {"stored", bound.stored}, {"reach", bound.reach}});
    }
    return out;
}

/// Returns the network that the vectors of a kernel were made of, as permutations of the bits of a byte's place: those
/// of its lane, then those of its register's number. Bit t of a place is bit `order[t]` of the place before the step.
json network_of(const engine::lane_network& network, int lane_bits) {
    json steps = json::array();
    std::vector<int> same(static_cast<std::size_t>(lane_bits + network.register_bits));
    std::iota(same.begin(), same.end(), 0);
    const auto add_order = [&](const engine::bit_order& lanes) {
        if (lanes.keeps(0, engine::max_lane_bits)) return;
        std::vector<int> order = same;
        for (int t = 0; t < lane_bits; ++t) order[static_cast<std::size_t>(t)] = lanes.from[t];
        steps.push_back({{"order", order}});
    };
    for (int k = 0; k < network.register_bits; ++k) {
        if (network.within_at == k) add_order(network.within);
        const auto of_register = static_cast<std::size_t>(lane_bits + k);
        const int lane = network.exchanged[k];
        std::vector<int> order = same;
        if (lane ==
            engine::turn_of_lanes) {  // the register bit to lane bit 2, that to lane bit 3, that to the register
            order[2] = same[of_register];
            order[3] = 2;
            order[of_register] = 3;
        } else if (lane >= 0) {
            std::swap(order[static_cast<std::size_t>(lane)], order[of_register]);
        }
        if (order != same) steps.push_back({{"order", order}});
        add_order(network.ordered[k]);
    }
    add_order(network.order);
    return steps;
}

/// Returns the offsets of the segments of one side of a tile, in bytes.
json segments_of(const engine::side_offsets& side, int bits) {
    json out = json::array();
    for (int segment = 0; segment < 1 << bits; ++segment) out.push_back(side.offset_of(segment));
    return out;
}

json tile_of(const engine::reorder_plan& plan, const engine::run_time_kernel& kernel,
             const engine::run_time_offsets& offsets) {
    const engine::tile_pattern& pattern = plan.pattern;
    const int element_bits = engine::log2_of(plan.sizes.work);
    const engine::lane_network network = engine::find_table_network(pattern, element_bits, kernel.network_of);
    engine::network_vectors vectors;
    engine::fill_vectors(vectors, network, kernel.network_of);
    vectors.src_segments = offsets.network.src_segments;
    vectors.dst_segments = offsets.network.dst_segments;
    if (!(vectors == offsets.network)) throw failure("the plan has the vectors of another network");
    return {{"registers", pattern.registers()},
            {"register_bytes", pattern.lanes() * plan.sizes.work},
            {"source", segments_of(offsets.src, offsets.src_bits.size())},
            {"network", network_of(network, engine::log2_of(pattern.lanes() * plan.sizes.work))},
            {"destination", segments_of(offsets.dst, offsets.dst_bits.size())}};
}

// Interleaves. Their shuffles are read from the tables of their kernels.

/// The byte of all registers that each byte of them is taken from, in each 128-bit part: 16 numbers a register.
using picked_bytes = std::vector<int>;
using shuffle_steps = std::vector<picked_bytes>;

/// Returns what the tables of an odd count do: bytes are selected from the registers, and put in order in each.
template <int Count>
shuffle_steps steps_of(const engine::blend_tables<Count>& tables, bool deals) {
    picked_bytes selected, ordered;
    for (std::size_t to = 0; to < Count; ++to)
        for (std::size_t i = 0; i < 16; ++i) {
            std::size_t from = 0;  // unless a table selects another register
            for (std::size_t other = 1; other < Count; ++other)
                if ((deals ? tables.selected[other][to] : tables.selected[to][other])[i] != 0) from = other;
            selected.push_back(static_cast<int>(16 * from + i));
            ordered.push_back(static_cast<int>(16 * to) + tables.order[to][i]);
        }
    return deals ? shuffle_steps{selected, ordered} : shuffle_steps{ordered, selected};
}
/// Returns what the tables of an even count do: each register is put together of bytes of all.
template <int Count>
shuffle_steps steps_of(const engine::simd::interleave_tables<Count>& tables, bool) {
    picked_bytes picked;
    for (std::size_t to = 0; to < Count; ++to)
        for (std::size_t i = 0; i < 16; ++i) {
            int byte = -1;
            for (std::size_t from = 0; from < Count; ++from) {
                const int taken = tables.of[to][from][i];
                if (taken >= 16) continue;
                if (byte >= 0) throw failure("the tables of an interleave put two bytes in one place");
                byte = static_cast<int>(16 * from) + taken;
            }
            picked.push_back(byte);
        }
    return {picked};
}
/// Returns what an interleave of three does to the registers `first`, `first + apart`, `first + 2 * apart` of nine.
picked_bytes in_nine(const picked_bytes& three, int groups, int apart) {
    picked_bytes out(static_cast<std::size_t>(9 * 16));
    for (int group = 0; group < groups; ++group) {
        const int first = apart == 1 ? 3 * group : group;
        for (int r = 0; r < 3; ++r)
            for (int i = 0; i < 16; ++i) {
                const int from = three[static_cast<std::size_t>(16 * r + i)];
                out[static_cast<std::size_t>(16 * (first + r * apart) + i)] =
                    16 * (first + from / 16 * apart) + from % 16;
            }
    }
    return out;
}
/// Returns the shuffles of an interleave in the order of `interleave_steps`.
template <bool Deals>
shuffle_steps steps_of_interleave(int count, int element_bytes) {
    const auto size = static_cast<std::size_t>(engine::log2_of(element_bytes));
    switch (count) {
        case 3: return steps_of(engine::simd::every_blend_table<3, Deals>[size], Deals);
        case 5: return steps_of(engine::simd::every_blend_table<5, Deals>[size], Deals);
        case 6: return steps_of(engine::simd::every_interleave_table<6, Deals>[size], Deals);
        case 7: return steps_of(engine::simd::every_blend_table<7, Deals>[size], Deals);
        case 9: break;
        default: throw failure("an interleave of " + std::to_string(count) + " has no tables");
    }
    const shuffle_steps three = steps_of(engine::simd::every_blend_table<3, Deals>[size], Deals);
    shuffle_steps out;
    for (const int apart : Deals ? std::array{1, 3} : std::array{3, 1})
        for (const picked_bytes& step : three) out.push_back(in_nine(step, 3, apart));
    return out;
}

/// One side of an interleave: where its segments are, in bytes.
struct interleave_side {
    std::vector<dim_t> segments;
    int segment_bytes;
    bool alternates;
};
/// Returns the segments of the registers, one after the other. Where elements alternate, each 128-bit part of the run
/// has 16 bytes of each register.
interleave_side side_of_interleave(const engine::reorder_plan& plan, bool source) {
    const engine::tile_pattern& pattern = plan.pattern;
    const int bytes = pattern.lanes() * plan.sizes.work;
    interleave_side out{{}, bytes, pattern.interleaves_source == source};
    if (out.alternates) out.segment_bytes = 16;
    const dim_t apart = (source ? plan.interleaved.src : plan.interleaved.dst) * plan.sizes.work;
    for (int r = 0; r < pattern.interleave; ++r) {
        if (!out.alternates) out.segments.push_back(r * apart);
        for (int part = 0; out.alternates && part < bytes / 16; ++part)
            out.segments.push_back((part * pattern.interleave + r) * dim_t{16});
    }
    return out;
}

json tile_of_interleave(const engine::reorder_plan& plan) {
    const engine::tile_pattern& pattern = plan.pattern;
    json network = json::array();
    for (const picked_bytes& step : pattern.interleaves_source
                                        ? steps_of_interleave<true>(pattern.interleave, plan.sizes.work)
                                        : steps_of_interleave<false>(pattern.interleave, plan.sizes.work)) {
        json registers = json::array();
        for (auto at = step.begin(); at != step.end(); at += 16) registers.push_back(picked_bytes(at, at + 16));
        network.push_back({{"pick", registers}});
    }
    return {{"registers", pattern.interleave},
            {"register_bytes", pattern.lanes() * plan.sizes.work},
            {"source", side_of_interleave(plan, true).segments},
            {"network", network},
            {"destination", side_of_interleave(plan, false).segments}};
}

/// Returns the staging buffer of an order of loops: the loops and the tile that fill it, and the rows that are copied
/// to it and from it, in elements; null if tiles write the destination.
json staged_of(const engine::reorder_plan& plan, const engine::run_time_kernel& kernel) {
    if (plan.staged_from < 0) return nullptr;
    const engine::staged_strip strip(plan);
    const dim_t bytes = plan.sizes.work, of_row = strip.from.row_bytes / bytes;
    json from, rows = json::array();
    if (!strip.from.rows.empty()) {
        from = {{"rows", json::array()}, {"length", of_row}, {"pitch", of_row}};
        for (const dim_t row : strip.from.rows) {
            if (row % bytes != 0) throw failure("a row of the source begins inside an element");
            from["rows"].push_back(row / bytes);
        }
    }
    for (const dim_t row : strip.through.rows) rows.push_back(row);
    const engine::reorder_plan& filling = strip.through.filling;
    return {{"from", plan.staged_from},
            {"loops", loops_of(filling)},
            {"bits", bits_of(filling)},
            {"tile", tile_of(filling, kernel, kernel.offsets_for(filling))},
            {"source", from},
            {"destination", {{"rows", rows}, {"length", strip.through.row_elements}, {"pitch", strip.through.pitch}}}};
}

// Tiles at the ends of axes. The extents that remain of each bound in a tile are found as the loops of the engine find
// them: of many steps whose tiles are equal one is taken.

using remaining_pair = std::pair<dim_t, dim_t>;  ///< valid, stored

class remaining_search {
public:
    std::set<remaining_pair> found;

    remaining_search(const engine::reorder_plan& plan, int x) : bound_(plan.bounds[x]) {
        for (const engine::plan_loop& loop : plan.loops)
            if (loop.bound == x) loops_.push_back(loop);
        std::sort(loops_.begin(), loops_.end(),
                  [](const engine::plan_loop& a, const engine::plan_loop& b) { return a.index_step > b.index_step; });
        run(0, 0);
    }

private:
    engine::plan_bound bound_;
    std::vector<engine::plan_loop> loops_;
    int steps_ = 0;

    dim_t clipped(dim_t remaining) const { return std::clamp<dim_t>(remaining, 0, bound_.reach); }
    void run(std::size_t k, dim_t first) {
        if (found.size() > most_edges || ++steps_ > most_steps)
            throw failure("the tiles of this plan end in too many ways for a certificate");
        if (k == loops_.size()) {
            if (first < bound_.stored) found.insert({clipped(bound_.valid - first), clipped(bound_.stored - first)});
            return;
        }
        dim_t reach = bound_.reach;
        for (std::size_t inside = k + 1; inside < loops_.size(); ++inside)
            reach += (loops_[inside].extent - 1) * loops_[inside].index_step;
        const dim_t step = loops_[k].index_step, last = loops_[k].extent - 1,
                    whole = std::min(bound_.valid, bound_.stored) - reach;
        for (dim_t i = 0; i <= last && first + i * step < bound_.stored; ++i) {
            const dim_t at = first + i * step;
            if (at <= whole) {
                found.insert({bound_.reach, bound_.reach});
                i = std::min(last, (whole - first) / step);
            } else if (at >= bound_.valid && at + reach <= bound_.stored) {
                found.insert({0, bound_.reach});
                i = std::min(last, (bound_.stored - reach - first) / step);
            } else {
                run(k + 1, at);
            }
        }
    }
};

/// The arguments with which a kernel is called for a tile at an end.
struct recorded_edge {
    bool is_masked = false;
    std::vector<std::uint64_t> loaded, stored;
    std::vector<dim_t> source, destination;
    bool loads_whole = false, loads_nothing = false;
};
recorded_edge* recorded = nullptr;

/// Returns, as bits, the bytes of each segment if `lanes_bytes` bytes of each register are there. Where elements
/// alternate, these are the first bytes of one run.
std::vector<std::uint64_t> lanes_of(const interleave_side& side, dim_t lanes_bytes, int count) {
    std::vector<std::uint64_t> out;
    for (const dim_t segment : side.segments) {
        const dim_t left = side.alternates ? lanes_bytes * count - segment : lanes_bytes;
        const dim_t bytes = std::clamp<dim_t>(left, 0, side.segment_bytes);
        out.push_back(bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - bytes));
    }
    return out;
}
/// An interleave reads and writes as many lanes of each register as remain; its kernel zeroes the others.
void record_interleave(const engine::reorder_plan& plan, const engine::remaining_extents<>& remaining,
                       const engine::kernel_walk&, const std::byte*, std::byte*) noexcept {
    const engine::simd::interleave_lanes lanes(plan, remaining);
    const interleave_side source = side_of_interleave(plan, true), destination = side_of_interleave(plan, false);
    const dim_t bytes = plan.sizes.work;
    const int count = plan.pattern.interleave;
    *recorded = {true,
                 lanes_of(source, lanes.valid * bytes, count),
                 lanes_of(destination, lanes.stored * bytes, count),
                 source.segments,
                 destination.segments,
                 false,
                 false};
}

void record_whole(const engine::reorder_plan&, const engine::run_time_offsets&, const engine::kernel_walk&,
                  const std::byte*, std::byte*) noexcept {}
void record_masked(const engine::reorder_plan&, const engine::run_time_offsets& offsets,
                   const engine::segment_lanes& lanes, const engine::kernel_walk&, const std::byte*,
                   std::byte*) noexcept {
    const int in = 1 << offsets.src_bits.size(), out = 1 << offsets.dst_bits.size();
    *recorded = {true,
                 {lanes.loaded, lanes.loaded + in},
                 {lanes.stored, lanes.stored + out},
                 {lanes.src_offsets, lanes.src_offsets + in},
                 {lanes.dst_offsets, lanes.dst_offsets + out},
                 lanes.loads_whole,
                 lanes.loads_nothing};
}

json edge_of(const engine::planned_tiles& planned, const std::vector<remaining_pair>& left, bool reads_beyond) {
    engine::run_time_kernel recorder;
    recorder.whole = recorder.stream = record_whole;
    if (planned.plan.pattern.interleave == 0) recorder.masked = record_masked;
    recorder.edge = record_interleave;
    engine::found_edges found;
    engine::run_time_tiles tiles(planned.plan, recorder, planned.offsets, false, found);
    alignas(64) std::byte place{};  // addresses are computed from it, which nothing reads
    engine::remaining_extents<> remaining(planned.plan, &place);
    for (std::size_t x = 0; x < left.size(); ++x)
        remaining.valid[x] = left[x].first, remaining.stored[x] = left[x].second;
    remaining.src_end = &place + (reads_beyond ? dim_t{1} << 46 : 0);
    engine::tile_walk walk;
    walk.tiles = reads_beyond ? 2 : 1;
    recorded_edge edge;
    recorded = &edge;
    tiles.run(walk, &place, &place, remaining);
    recorded = nullptr;
    if (!edge.is_masked) throw failure("a tile at the end of an axis is moved whole");
    json pairs = json::array();
    for (const auto& [valid, stored] : left) pairs.push_back({valid, stored});
    return {{"remaining", pairs},
            {"loads", edge.loads_nothing ? "nothing" : edge.loads_whole ? "whole segments" : "lanes"},
            {"loaded", edge.loaded},
            {"source", edge.source},
            {"stored", edge.stored},
            {"destination", edge.destination}};
}

/// Returns the tiles at ends: for each combination of the extents that remain, the bytes that are loaded and stored of
/// each segment.
json edges_of(const engine::planned_tiles& planned) {
    json out = json::array();
    const engine::reorder_plan& plan = planned.plan;
    if (plan.bounds.empty()) return out;
    std::vector<std::vector<remaining_pair>> of_bounds;
    std::size_t count = 1;
    for (int x = 0; x < plan.bounds.size(); ++x) {
        const remaining_search search(plan, x);
        of_bounds.emplace_back(search.found.begin(), search.found.end());
        count *= std::max<std::size_t>(search.found.size(), 1);
        if (count > most_edges)
            throw failure("the tiles of this plan end in more than " + std::to_string(most_edges) + " ways");
    }
    for (std::size_t number = 0; number < count; ++number) {
        std::vector<remaining_pair> left;
        bool is_whole = true;
        std::size_t rest = number;
        for (int x = 0; x < plan.bounds.size(); ++x) {
            const auto& pairs = of_bounds[static_cast<std::size_t>(x)];
            if (pairs.empty()) return out;
            left.push_back(pairs[rest % pairs.size()]);
            rest /= pairs.size();
            const dim_t reach = plan.bounds[x].reach;
            is_whole = is_whole && left.back() == remaining_pair{reach, reach};
        }
        if (is_whole) continue;
        out.push_back(edge_of(planned, left, true));
        if (json strict = edge_of(planned, left, false); strict != out.back()) out.push_back(std::move(strict));
    }
    return out;
}

/// Returns the runs of the destination that are zeroed first, in bytes; null if there are none.
json zeroed_of(const engine::zeroed_runs& zeroed) {
    if (zeroed.first.bytes <= 0) return nullptr;
    json loops = json::array();
    for (const engine::place_loop& loop : zeroed.loops) loops.push_back({loop.count, loop.stride});
    return {{"from", zeroed.first.from}, {"bytes", zeroed.first.bytes}, {"loops", loops}};
}

void write_certificate(const json& certificate, const std::string& src, const std::string& dst, plait::isa isa) {
    json out{
        {"certificate", certificate_version}, {"source", src}, {"destination", dst}, {"isa", plait::to_string(isa)}};
    out.update(certificate);
    std::cout << out.dump() << '\n';
}

json certificate_of(const engine::planned_tiles& tiles, const plait::layout& src, const plait::layout& dst, int bytes) {
    const engine::reorder_plan& plan = tiles.plan;
    json orders = json::array();
    const auto add_order = [&](const engine::reorder_plan& ordered) {
        orders.push_back({{"loops", loops_of(ordered)}, {"staged", staged_of(ordered, *tiles.kernel)}});
    };
    add_order(plan);
    for (const engine::loop_order& order : tiles.orders) add_order(engine::in_order(plan, order));
    return {
        {"element_bytes", bytes},
        {"offsets", {src.offset0, dst.offset0}},
        {"axes", axes_of(src, dst, bytes, tiles.zeroed.first.bytes > 0)},
        {"plan_offsets", {plan.src_offset, plan.dst_offset}},
        {"orders", orders},
        {"bounds", bounds_of(plan)},
        {"bits", bits_of(plan)},
        {"tile", plan.pattern.interleave != 0 ? tile_of_interleave(plan) : tile_of(plan, *tiles.kernel, tiles.offsets)},
        {"edges", edges_of(tiles)},
        {"zeroed", zeroed_of(tiles.zeroed)}};
}

// Conversions. Their plan is loops over single elements, which are cut into cache blocks and rows when they run. A
// certificate has these loops, as an order around a tile of one element.

/// Returns the loops of a plan of values. Their source is that of the elements, or an array of values.
json loops_of(const engine::cache_block_shape& shape, int array) {
    json out = json::array();
    for (const engine::cache_block_node& node : shape.nodes) {
        json uneven = json::array();
        for (const engine::uneven_step& step : shape.uneven_steps)
            if (node.is_uneven && step.axis == node.axis)
                uneven.push_back({step.period, array < 0 ? step.src : 0, step.dst});
        out.push_back({{"count", node.extent},
                       {"source", array < 0 ? node.src : node.value_steps[array]},
                       {"destination", node.dst},
                       {"axis", node.axis},
                       {"index", node.index_step},
                       {"overlap", {0, 0, 0}},
                       {"uneven", uneven}});
    }
    return out;
}

/// Returns a certificate of a plan of values, without axes and zeroed runs: that of the elements, or of an array of
/// values, of which padding has none.
json certificate_of(const engine::cache_block_shape& shape, int array, int bytes) {
    json bounds = json::array(), edges = json::array();
    std::vector<bool> has_padding;
    for (int axis = 0; axis < shape.bounds.size(); ++axis) {
        const dim_t valid = shape.bounds[axis].valid, stored = array < 0 ? shape.bounds[axis].stored : valid;
        bounds.push_back({{"axis", axis}, {"elements", valid}, {"stored", stored}, {"reach", 1}});
        has_padding.push_back(valid < stored);
    }
    for (unsigned ends = 1; ends < 1U << has_padding.size(); ++ends) {
        json left = json::array();
        bool are_ends = true;
        for (std::size_t axis = 0; axis < has_padding.size(); ++axis) {
            const bool is_end = (ends >> axis & 1) != 0;
            are_ends = are_ends && (!is_end || has_padding[axis]);
            left.push_back({is_end ? 0 : 1, 1});
        }
        if (!are_ends) continue;
        edges.push_back({{"remaining", left},
                         {"loads", "nothing"},
                         {"loaded", {0}},
                         {"source", {0}},
                         {"stored", {(1 << bytes) - 1}},
                         {"destination", {0}}});
    }
    return {{"element_bytes", bytes},
            {"plan_offsets", {array < 0 ? shape.src_offset : shape.first_values[array], shape.dst_offset}},
            {"orders", json::array({json{{"loops", loops_of(shape, array)}, {"staged", nullptr}}})},
            {"bounds", bounds},
            {"bits", json::array()},
            {"tile",
             {{"registers", 1},
              {"register_bytes", bytes},
              {"source", {0}},
              {"network", json::array()},
              {"destination", {0}}}},
            {"edges", edges}};
}

/// Returns the axes of the tensor with the places of its scales, which `group[a]` indices along axis a share.
json axes_of_scales(const plait::layout& dst, const plait::dims& group) {
    json out = json::array();
    dim_t stride = 1;
    for (int a = dst.ndims() - 1; a >= 0; --a) {
        const dim_t extent = dst.dims[a];
        json jumps = json::array();
        if (group[a] < extent) jumps.push_back({group[a], stride});
        out.push_back({{"elements", extent},
                       {"stored", extent},
                       {"written", extent},
                       {"source", jumps},
                       {"destination", jumps_of(dst, a, extent)}});
        stride *= plait::detail::divide_up(extent, group[a]);
    }
    std::reverse(out.begin(), out.end());
    return out;
}

plait::dims group_of(const std::string& text, const plait::dims& extents) {
    if (text.empty()) return extents;
    plait::dims group = read_dims(text);
    if (group.size() != extents.size())
        throw failure("--group " + text + ": has " + std::to_string(group.size()) + " numbers, but the tensor has " +
                      std::to_string(extents.size()) + " axes");
    for (const dim_t indices : group)
        if (indices < 1) throw failure("--group " + text + ": a group has at least one index");
    return group;
}

}  // namespace

void prove(const prove_options& options) {
    const auto [src, dst] = read_two_layouts(options.arguments);
    const std::string to_name = options.to_type.empty() ? options.type : options.to_type;
    const plait::data_type type = read_type(options.type), to = read_type(to_name);
    const plait::isa isa = read_isa(options.isa);
    const std::string names = src.text + " -> " + dst.text;
    if (const plait::verdict why = plait::check_reorder(src.layout, dst.layout); !why.ok())
        throw failure("reorder " + names + ": " + plait::describe(why).c_str());
    for (const auto& [of, name] : {std::pair(type, options.type), std::pair(to, to_name)})
        if (plait::size_in_bits(of) < 8)
            throw failure("type '" + name + "': a certificate is of elements of whole bytes");
    if (!engine::has_compiled_kernels(isa))
        throw failure("instruction set '" + std::string(plait::to_string(isa)) +
                      "': this program has no kernels of it");
    const plait::dims extents = dst.layout.dims, group = group_of(options.group, extents);
    plait::reorder_attributes attributes;
    std::vector<float> scales;
    if (!options.group.empty()) {
        dim_t count = 1;
        for (int a = 0; a < extents.size(); ++a) count *= plait::detail::divide_up(extents[a], group[a]);
        if (count > most_scales) throw failure("--group " + options.group + ": makes too many scales");
        scales.assign(static_cast<std::size_t>(count), 2);
        attributes.src_scale = plait::values_by_group(scales, extents, group);
    }
    const auto planned = engine::compiled_once::make(isa, {type, src.layout}, {to, dst.layout}, attributes);
    if (!planned) throw failure("reorder " + names + ": " + plait::describe(planned.error()).c_str());
    const int bytes = static_cast<int>(plait::size_in_bytes(to));
    const std::string from_text = std::string(plait::to_string(type)) + ' ' + src.text,
                      to_text = std::string(plait::to_string(to)) + ' ' + dst.text;
    if (const engine::planned_tiles* const tiles = engine::compiled_once::tiles_of(*planned); tiles != nullptr)
        return write_certificate(certificate_of(*tiles, src.layout, dst.layout, bytes), from_text, to_text, isa);
    const engine::cache_block_plan* const blocks = engine::compiled_once::cache_blocks_of(*planned);
    if (blocks == nullptr)
        throw failure(
            "reorder " + names + ": there is no certificate, because " +
            (dst.layout.padded_volume() == 0 ? "nothing is moved" : "elements are not moved by tiles or by loops"));
    json elements = certificate_of(blocks->shape, -1, bytes);
    elements["offsets"] = {src.layout.offset0, dst.layout.offset0};
    elements["axes"] = axes_of(src.layout, dst.layout, bytes, blocks->zeroed.bytes > 0);
    elements["zeroed"] = nullptr;
    if (blocks->zeroed.bytes > 0)
        elements["zeroed"] = {{"from", blocks->zeroed.from}, {"bytes", blocks->zeroed.bytes}, {"loops", json::array()}};
    write_certificate(elements, from_text, to_text, isa);
    if (options.group.empty()) return;
    json values = certificate_of(blocks->shape, engine::src_scales, bytes);
    values["offsets"] = {0, dst.layout.offset0};
    values["axes"] = axes_of_scales(dst.layout, group);
    values["zeroed"] = nullptr;
    write_certificate(values, "scales by groups of " + options.group, to_text, isa);
}

}  // namespace tool
