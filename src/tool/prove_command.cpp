// plait prove: writes the plan that a reorder runs as JSON, for tools/check_certificate.py, which decides whether the
// plan moves each element to its place. The plan is read from the planned reorder. Tiles at the ends of axes are those
// that the loops of the engine pass to a kernel: a kernel that only records them is run here.

#include "array_type.hpp"
#include "commands.hpp"
#include "isa_name.hpp"
#include "json_text.hpp"

#include <plait/contract/check_reorder.hpp>
#include <plait/core/places.hpp>
#include <plait/engine/kernel/plan_move.hpp>
#include <plait/engine/kernel/run_time_loops.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <set>

namespace tool {
namespace {

using plait::dim_t;
namespace engine = plait::engine;

constexpr int certificate_version = 1;
constexpr std::size_t most_edges = 4096;
constexpr int most_steps = 1 << 16;

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

json bits_of(const engine::reorder_plan& plan) {
    json out = json::array();
    for (const engine::tile_bit& bit : plan.bits)
        out.push_back({{"source", bit.src}, {"destination", bit.dst}, {"axis", bit.axis}, {"index", bit.index_step}});
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

json order_of(const engine::bit_order& order) {
    json out = json::array();
    for (const std::int8_t from : order.from) out.push_back(from);
    return out;
}

/// Returns the network that the vectors of a kernel were made of, as permutations of the bits of a byte's place.
json network_of(const engine::lane_network& network) {
    json steps = json::array();
    for (int k = 0; k < network.register_bits; ++k) {
        if (network.within_at == k) steps.push_back({{"order", order_of(network.within)}});
        const int lane = network.exchanged[k];
        if (lane == engine::turn_of_lanes) steps.push_back({{"turn", k}});
        else if (lane >= 0) steps.push_back({{"exchange", {k, lane}}});
        if (!network.ordered[k].keeps(0, engine::max_lane_bits))
            steps.push_back({{"order", order_of(network.ordered[k])}});
    }
    if (!network.order.keeps(0, engine::max_lane_bits)) steps.push_back({{"order", order_of(network.order)}});
    return steps;
}

/// Returns the offsets of the segments of one side of a tile, in bytes.
json segments_of(const engine::side_offsets& side, int bits) {
    json out = json::array();
    for (int segment = 0; segment < 1 << bits; ++segment) out.push_back(side.offset_of(segment));
    return out;
}

json tile_of(const engine::planned_tiles& planned) {
    const engine::reorder_plan& plan = planned.plan;
    const engine::tile_pattern& pattern = plan.pattern;
    if (pattern.interleave != 0)
        return {{"interleave", pattern.interleave},
                {"lanes", pattern.lanes()},
                {"alternates_in", pattern.interleaves_source ? "source" : "destination"},
                {"step", {plan.interleaved.src, plan.interleaved.dst}},
                {"axis", plan.interleaved.axis}};
    const int element_bits = engine::log2_of(plan.sizes.work);
    const engine::lane_network network = engine::find_table_network(pattern, element_bits, planned.kernel->network_of);
    engine::network_vectors vectors;
    engine::fill_vectors(vectors, network, planned.kernel->network_of);
    vectors.src_segments = planned.offsets.network.src_segments;
    vectors.dst_segments = planned.offsets.network.dst_segments;
    if (!(vectors == planned.offsets.network)) throw failure("the plan has the vectors of another network");
    return {{"registers", pattern.registers()},
            {"register_bytes", pattern.lanes() * plan.sizes.work},
            {"source", segments_of(planned.offsets.src, planned.offsets.src_bits.size())},
            {"network", network_of(network)},
            {"destination", segments_of(planned.offsets.dst, planned.offsets.dst_bits.size())}};
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
    recorder.masked = record_masked;
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
/// each segment. An interleave has no masks: its kernel reads the remaining extents.
json edges_of(const engine::planned_tiles& planned) {
    json out = json::array();
    const engine::reorder_plan& plan = planned.plan;
    if (plan.bounds.empty() || planned.kernel->masked == nullptr) return out;
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

}  // namespace

void prove(const prove_options& options) {
    const auto [src, dst] = read_two_layouts(options.arguments);
    const plait::data_type type = read_type(options.type);
    const plait::isa isa = read_isa(options.isa);
    const std::string names = src.text + " -> " + dst.text;
    if (const plait::verdict why = plait::check_reorder(src.layout, dst.layout); !why.ok())
        throw failure("reorder " + names + ": " + plait::describe(why).c_str());
    if (plait::size_in_bits(type) < 8)
        throw failure("type '" + options.type + "': a certificate is of elements of whole bytes");
    if (!engine::has_compiled_kernels(isa))
        throw failure("instruction set '" + std::string(plait::to_string(isa)) +
                      "': this program has no kernels of it");
    const auto planned = engine::compiled_once::make(isa, {type, src.layout}, {type, dst.layout}, {});
    if (!planned) throw failure("reorder " + names + ": " + plait::describe(planned.error()).c_str());
    const engine::planned_tiles* const tiles = engine::compiled_once::tiles_of(*planned);
    if (tiles == nullptr)
        throw failure("reorder " + names + ": there is no certificate, because " +
                      (dst.layout.padded_volume() == 0 ? "nothing is moved" : "elements are not moved by tiles alone"));
    const int bytes = static_cast<int>(plait::size_in_bytes(type));
    json orders = json::array();
    orders.push_back(loops_of(tiles->plan));
    for (const engine::loop_order& order : tiles->orders)
        orders.push_back(loops_of(engine::in_order(tiles->plan, order)));
    const engine::reorder_plan& plan = tiles->plan;
    std::cout << json{{"certificate", certificate_version},
                      {"source", std::string(plait::to_string(type)) + ' ' + src.text},
                      {"destination", std::string(plait::to_string(type)) + ' ' + dst.text},
                      {"isa", plait::to_string(isa)},
                      {"element_bytes", bytes},
                      {"offsets", {src.layout.offset0, dst.layout.offset0}},
                      {"axes", axes_of(src.layout, dst.layout, bytes, tiles->zeroed.first.bytes > 0)},
                      {"plan_offsets", {plan.src_offset, plan.dst_offset}},
                      {"orders", orders},
                      {"bounds", bounds_of(plan)},
                      {"bits", bits_of(plan)},
                      {"tile", tile_of(*tiles)},
                      {"edges", edges_of(*tiles)},
                      {"zeroed", zeroed_of(tiles->zeroed)}}
                     .dump()
              << '\n';
}

}  // namespace tool
