// The plan around a tile: loops, bounds and overlaps, and whether masks can bound the lanes.
// Random pairs of layouts: every pair that has a common refinement has a plan for every instruction set and size, and
// each plan is right. PLAIT_RANDOM_PLANS=100000 runs more pairs, PLAIT_RANDOM_SEED chooses others.
#include <plait/engine/plan/make_plan.hpp>

#include "engine/plan/permutation_plans.hpp"
#include "laws/random_pairs.hpp"
#include "run_plan.hpp"
#include "support/static_check.hpp"
#include "worked_pair.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <optional>
#include <set>

namespace test_engine_plan_make_plan {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

namespace {

TEST_CASE("plan: run without registers, it stores every padded element, and nothing else") {
    for (const char* from : {"abcd", "acdb", "dcba", "aBcd8b", "aBcd16b", "ABcd4b8a2b"})
        for (const char* to : {"abcd", "acdb", "badc", "aBcd4b", "aBcd16b", "ABcd8b4a", "aBcd24b"})
            for (const dims& extents : {dims{2, 17, 3, 5}, dims{1, 16, 1, 33}, dims{3, 1, 7, 2}, dims{2, 39, 5, 1}}) {
                const layout src(extents, *parse_format_tag(from)), dst(extents, *parse_format_tag(to));
                if (refine(src, dst)) plan_moves_everything(src, dst);
            }
}

TEST_CASE("plan: interleaves of a few elements") {
    for (const dim_t count : {3, 5, 6, 7, 9})
        for (const dims& extents : {dims{2, count, 9, 8}, dims{1, count, 1, 5}, dims{3, count, 64, 2}}) {
            plan_moves_everything(layout(extents, "abcd"), layout(extents, "acdb"));
            plan_moves_everything(layout(extents, "acdb"), layout(extents, "abcd"));
            plan_moves_everything(layout(extents, "acdb"), layout(extents, "Abcd4a"));
            plan_moves_everything(layout(extents, "abcd"), layout(extents, "acDb16d"));
        }
    STATIC_CHECK(make_plan(layout({1, 3, 64, 4}, "abcd"), layout({1, 3, 64, 4}, "acdb"), element_sizes(1), isa::avx2)
                     ->pattern.interleave == 3);
    // Nine only of small elements with AVX-512 if the network is a constant.
    const auto has_nine = [](int bytes, isa which) {
        const layout src({64, 64, 3, 3}, "abcd"), dst({64, 64, 3, 3}, "acdb");
        return make_plan(src, dst, element_sizes(bytes), which)->pattern.interleave == 9;
    };
    CHECK(has_nine(1, isa::avx512));
    CHECK(has_nine(2, isa::avx512));
    CHECK_FALSE(has_nine(4, isa::avx512));
    CHECK_FALSE(has_nine(1, isa::avx2));
}

TEST_CASE("plan: blocks that do not divide each other") {
    for (const dims& extents : {dims{2, 96, 3}, dims{1, 100, 5}, dims{3, 7, 1}, dims{1, 240, 2}}) {
        plan_moves_everything(layout(extents, "aBc32b"), layout(extents, "aBc48b"));
        plan_moves_everything(layout(extents, "aBc24b"), layout(extents, "aBc16b"));
        plan_moves_everything(layout(extents, "aBc6b4b"), layout(extents, "aBc16b"));
        plan_moves_everything(layout(extents, "aBc10b4b"), layout(extents, "aBc6b8b"));
        plan_moves_everything(layout(extents, "aBc5b"), layout(extents, "aBc7b"));
        plan_moves_everything(layout(extents, "aBC12b4c"), layout(extents, "aCB4c8b"));
    }
    // Six are interleaved in the source, and twice three in the destination.
    plan_moves_everything(layout({64, 6}, "aB2b"), layout({64, 6}, "BA3b32a"));
}

TEST_CASE("plan: without elements nothing is stored") {
    for (const dims& extents : {dims{0, 3}, dims{3, 0}, dims{0, 0}})
        plan_moves_everything(layout(extents, "ab"), layout(extents, "Ba4b"));
}

TEST_CASE("plan: gaps, broadcasts and views") {
    plan_moves_everything(layout({8, 20}, "AB4b8a4b"), layout({8, 20}, "AB8a4b"));
    plan_moves_everything(layout({1, 8}, strides{INT64_MAX, 1}), layout({1, 8}, "Ab16a"));

    plan_moves_everything(layout({4, 20}, strides{40, 1}), layout({4, 20}, strides{50, 1}));
    plan_moves_everything(layout({4, 20}, strides{40, 2}), layout({4, 20}, "ba"));
    plan_moves_everything(layout({20, 18}, strides{0, 1}), layout({20, 18}, "ba"));
    layout part({2, 5, 3}, "aBc8b");  // channels 0 to 4 of a block, a view that ends inside it
    part.padded_dims = part.dims;
    part.offset0 = 3;
    REQUIRE(check_layout(part).ok());
    plan_moves_everything(layout({2, 5, 3}, "abc"), part);
    plan_moves_everything(part, layout({2, 5, 3}, "acb"));
}

TEST_CASE("plan: the kernels of common pairs") {
    constexpr reorder_plan plan =
        *make_plan(layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c"), element_sizes(4), isa::avx512);
    STATIC_CHECK(plan.pattern.lane_bits == 4 && plan.pattern.register_bits == 4);
    STATIC_CHECK(plan.loops.size() == 2 && plan.loops[0].extent == 4 && plan.loops[1].extent == 196);
    STATIC_CHECK(plan.bounds.empty() && plan.contiguous_bytes() == 16 * 64);
    STATIC_CHECK(plan.bytes_moved() == 2 * 64 * 56 * 56 * 4);

    // A tail with padding has a bound: 17 channels of 32. The last of 49 places are moved by a tile that overlaps.
    constexpr reorder_plan tails =
        *make_plan(layout({1, 17, 7, 7}, "nchw"), layout({1, 17, 7, 7}, "nChw16c"), element_sizes(4), isa::avx512);
    STATIC_CHECK(tails.bounds.size() == 1 && tails.bounds[0].valid == 17 && tails.bounds[0].stored == 32);
    STATIC_CHECK(tails.loops.back().extent == 13 && tails.loops.back().overlap == 3);

    // Shorter vectors still write whole cache lines.
    constexpr reorder_plan narrow =
        *make_plan(layout({1, 64, 56, 56}, "nChw16c"), layout({1, 64, 56, 56}, "nchw"), element_sizes(4), isa::sse41);
    STATIC_CHECK(narrow.pattern.lane_bits == 2 && narrow.contiguous_bytes() >= cache_line_bytes);
}

TEST_CASE("plan: only whole lines of large tensors go past the cache") {
    constexpr reorder_plan large = *make_plan(layout({32, 256, 56, 56}, "nchw"), layout({32, 256, 56, 56}, "nChw16c"),
                                              element_sizes(4), isa::avx512);
    STATIC_CHECK(may_stream(large));
    constexpr reorder_plan small =
        *make_plan(layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c"), element_sizes(4), isa::avx512);
    STATIC_CHECK(!may_stream(small));
    constexpr reorder_plan odd = *make_plan(layout({64, 256, 55, 55}, "nChw16c"), layout({64, 256, 55, 55}, "nchw"),
                                            element_sizes(4), isa::avx512);
    STATIC_CHECK(!may_stream(odd));
    // The planes of red, green and blue are as far apart as they have pixels.
    constexpr reorder_plan odd_planes = *make_plan(layout({1, 3, 4099, 1025}, "nhwc"),
                                                   layout({1, 3, 4099, 1025}, "nchw"), element_sizes(1), isa::avx512);
    STATIC_CHECK(odd_planes.pattern.interleave == 3 && odd_planes.line_alignment() == 1 && !may_stream(odd_planes));
}

/// True if each register is stored right after the one with the lower part of its cache line.
constexpr bool lines_are_stored_whole(const layout& src, const layout& dst, isa which) {
    const reorder_plan plan = *make_plan(src, dst, element_sizes(4), which);
    const shuffle_network network = *find_network(plan.pattern, rules_of(which, 4, plan.pattern.lane_bits));
    dim_t run = dim_t{1} << plan.pattern.dst_lanes.size();
    for (const int k : store_order(network.ends)) {
        const int bit = network.ends.registers[k];
        if (run * plan.sizes.dst == cache_line_bytes) return true;
        if (plan.bits[bit].dst != run) return false;
        run *= 2;
    }
    return run * plan.sizes.dst == cache_line_bytes;
}

TEST_CASE("plan: the registers of one destination line are stored one after the other") {
    constexpr dims large{32, 256, 56, 56};
    STATIC_CHECK(lines_are_stored_whole(layout(large, "abcd"), layout(large, "aBcd16b"), isa::avx2));
    STATIC_CHECK(lines_are_stored_whole(layout(large, "aBcd16b"), layout(large, "abcd"), isa::avx2));
    STATIC_CHECK(lines_are_stored_whole(layout(large, "abcd"), layout(large, "aBcd16b"), isa::sse41));
    STATIC_CHECK(lines_are_stored_whole(layout(large, "abcd"), layout(large, "acdb"), isa::avx512));
}

TEST_CASE(
    "make_plan: single elements if one side has no runs; none if there are more bounds than a plan has room for") {
    const layout src({3, 5}, {10, 2}), dst({3, 5}, "ab");
    const auto one = make_plan(src, dst, element_sizes(4), isa::avx2);
    REQUIRE(one);
    CHECK(one->bits.empty());
    CHECK(*one == *make_scalar_plan(src, dst, element_sizes(4)));
    refinement r;
    dim_t step = 1;
    for (int axis = 0; axis <= max_bounds; ++axis, step *= 2) {
        r.bounds.push_back({1, 1});
        r.nodes.push_back({axis, 2, 1, step, step * step, false});
    }
    r.src_end = step;
    CHECK_FALSE(make_plan(r, element_sizes(1), isa::avx2).has_value());
}

TEST_CASE("make_plan: no tile of the queue is cheaper, including the steps of its network") {
    struct question {
        layout src, dst;
    };
    const question questions[] = {{worked_src, worked_dst},
                                  {layout({1, 64, 56, 56}, "nChw16c"), layout({1, 64, 56, 56}, "nchw")},
                                  {layout({256, 256, 3, 3}, "oihw"), layout({256, 256, 3, 3}, "OIhw4i16o4i")},
                                  {layout({1, 17, 7, 7}, "nchw"), layout({1, 17, 7, 7}, "nhwc")},
                                  {layout({64, 16, 2}, {64, 4, 1}), layout({64, 16, 2}, "bac")}};
    for (const question& q : questions)
        for (const isa which : {isa::sse41, isa::avx2, isa::avx512})
            for (const element_sizes& sizes : {element_sizes(1), element_sizes(4), element_sizes(4, 2, 2)}) {
                const refinement r = coalesce(*refine(q.src, q.dst));
                std::optional<reorder_plan> best;
                dim_t least = 0;
                tile_queue tiles(r, sizes, which);
                while (const tile_choice* const tile = tiles.next()) {  // all of them
                    const auto network =
                        find_network(tile->pattern, rules_of(which, sizes.work, tile->pattern.lane_bits));
                    if (!network) continue;
                    const int steps = cost_of_network(*network, which, sizes.work);
                    const dim_t cost = tile->interleaved >= 0 ? 0 : cost_of(*tile, r, sizes, which, steps);
                    reorder_plan plan;
                    if (!plan_around(plan, r, *tile, sizes) || (best && cost >= least)) continue;
                    best = plan;
                    least = cost;
                }
                if (!best) best = make_scalar_plan(q.src, q.dst, sizes);
                CHECK(make_plan(q.src, q.dst, sizes, which) == best);
            }
}

/// The plan around the tile that is counted by hand in choose_tile.cpp: four places by 16 channels of f32.
reorder_plan worked_plan(bool may_overlap) {
    const auto tile = choose_tile(worked, dense_sides(worked, element_sizes(4), isa::sse41), element_sizes(4),
                                  isa::sse41, {2, 2, 2}, network_kind::constant);
    REQUIRE(tile);
    reorder_plan plan;
    REQUIRE(plan_around(plan, worked, *tile, element_sizes(4), may_overlap));
    return plan;
}

TEST_CASE("plan_around: two blocks of channels, the second of which ends at 17; six places in two tiles that overlap") {
    const reorder_plan plan = worked_plan(true);
    CHECK(plan.elements == 32 * 6);  // padding included
    REQUIRE(plan.loops.size() == 2);
    CHECK(plan.loops[0] == plan_loop{2, 96, 96, 0, 16, 0, 0, 0, false, plan.loops[0].axis, false});
    // The second tile begins at place 2 instead of 4: two places further back, two elements and 2 * 16.
    CHECK(plan.loops[1] == plan_loop{2, 4, 64, -1, 4, 2, 2, 32, false, plan.loops[1].axis, true});
    REQUIRE(plan.bounds.size() == 1);
    CHECK(plan.bounds[0] == plan_bound{17, 32, 16});  // a tile has all channels of a block
    for (int bit = 0; bit < 2; ++bit) CHECK(plan.pattern.bounds[bit] == -1);
    for (int bit = 2; bit < 6; ++bit) CHECK(plan.pattern.bounds[bit] == 0);
}

TEST_CASE("plan_around: if tiles may not overlap, the last one passes the end of the places") {
    const reorder_plan plan = worked_plan(false);
    CHECK(plan.loops[1].overlap == 0);
    CHECK(plan.loops[1].bound == 0);
    // In the order in which the tile's bits count them.
    REQUIRE(plan.bounds.size() == 2);
    CHECK(plan.bounds[0] == plan_bound{6, 6, 4});
    CHECK(plan.bounds[1] == plan_bound{17, 32, 16});
}

TEST_CASE("plan_around: no overlap if tiles are stored past the cache, because they would not begin at cache lines") {
    // 2^22 + 1 f32, read and written, are more than 24 MB.
    const layout large({(1 << 22) + 1}, "a"), small({(1 << 10) + 1}, "a");
    const reorder_plan streamed = *make_plan(large, large, element_sizes(4), isa::avx512),
                       cached = *make_plan(small, small, element_sizes(4), isa::avx512);
    CHECK(streamed.loops[0].overlap == 0);
    CHECK(streamed.bounds.size() == 1);
    CHECK(cached.loops[0].overlap > 0);
    CHECK(cached.bounds.empty());
}

TEST_CASE("masks_can_bound: lanes along an axis are one run of rising powers") {
    const auto of_lanes = [](std::initializer_list<int> bounds, std::initializer_list<dim_t> index_steps) {
        reorder_plan plan;
        plan.pattern.lane_bits = static_cast<int>(bounds.size());
        for (const int bound : bounds) {
            plan.pattern.dst_lanes.push_back(plan.pattern.bounds.size());
            plan.pattern.bounds.push_back(bound);
        }
        for (const dim_t step : index_steps) plan.bits.push_back({0, 0, step, 0});
        return masks_can_bound(plan, 0);
    };
    CHECK(of_lanes({0, 0, 0}, {1, 2, 4}));
    CHECK(of_lanes({-1, 0, 0}, {1, 8, 16}));       // another axis below, as in aB8b2a
    CHECK(of_lanes({1, 1, 1}, {1, 8, 2}));         // nothing along the axis
    CHECK_FALSE(of_lanes({0, 1, 0}, {1, 1, 2}));   // in two places, as c in 2c4b2c
    CHECK_FALSE(of_lanes({0, 0, -1}, {1, 4, 1}));  // lanes for indices 0, 1, 4, 5
    CHECK_FALSE(of_lanes({0, 0, -1}, {2, 1, 1}));  // 0, 2, 1, 3
}

TEST_CASE("masks_can_bound: checks the destination's lanes like the source's") {
    reorder_plan plan;
    plan.pattern.lane_bits = plan.pattern.register_bits = 2;
    for (const int bound : {-1, -1, 0, 0}) plan.pattern.bounds.push_back(bound);
    for (const dim_t step : {1, 2, 1, 2}) plan.bits.push_back({0, 0, step, 0});
    plan.pattern.dst_lanes = {};
    for (const int lane : {2, 3}) plan.pattern.dst_lanes.push_back(lane);
    CHECK(masks_can_bound(plan, 0));
    plan.pattern.dst_lanes[0] = 3, plan.pattern.dst_lanes[1] = 2;
    CHECK_FALSE(masks_can_bound(plan, 0));
}

TEST_CASE("plan: random pairs of layouts") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 4));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 300);
    // A plan depends only on sizes: moves of each, and conversions in the narrower type, on either side.
    const element_sizes sizes[] = {element_sizes(1), element_sizes(2), element_sizes(4), element_sizes(8), {4, 1, 1},
                                   {1, 4, 1},        {2, 4, 2},        {8, 2, 2},        {2, 8, 2},        {8, 4, 4}};
    std::uint64_t planned = 0, vectors = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const dims extents = random_extents(random);
        const layout src = random_layout(random, extents, true),
                     dst = random.once_in(20) ? src : random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok() || !make_scalar_plan(src, dst, element_sizes(4))) continue;
        ++planned;
        const wanted_result wanted(src, dst);
        for (const isa which : {isa::sse41, isa::avx2, isa::avx512}) {
            // All sizes would take too long, so the size for a pair is random too.
            const element_sizes& size = sizes[random.between(0, std::size(sizes) - 1)];
            plan_moves_everything(wanted, src, dst, which, size, random.once_in(4));
            vectors += make_plan(src, dst, size, which)->pattern.lane_bits > 0;
        }
    }
    MESSAGE(planned, " of ", count, " pairs planned, ", vectors, " of their plans with vectors");
    CHECK(planned * 2 > count);
    CHECK(vectors > planned);
}

/// The places of every element that a plan moves.
std::set<tile_place> places_of(const reorder_plan& plan) {
    std::set<tile_place> all;
    std::vector<tile_place> in_tile{{0, 0}};
    for (const tile_bit& bit : plan.bits)
        for (std::size_t k = 0, count = in_tile.size(); k < count; ++k)
            in_tile.emplace_back(in_tile[k].first + bit.src, in_tile[k].second + bit.dst);
    for (const auto& [src, dst] : tiles_of(plan))
        for (const auto& [more_src, more_dst] : in_tile) all.emplace(src + more_src, dst + more_dst);
    return all;
}

reorder_plan channels_apart(dim_t pixels, dim_t channels, int bytes) {
    return permutation_plan({pixels, channels}, {1, 0}, bytes);
}

TEST_CASE("widen_tile: four registers become eight, and the loop has half the steps") {
    reorder_plan plan = channels_apart(dim_t{224} * 224, 4, 1);
    REQUIRE(plan.pattern.register_bits == 2);
    REQUIRE(plan.loops.back().extent == 784);
    widen_tile(plan);
    CHECK(plan.pattern.register_bits == 3);
    CHECK(plan.pattern.bounds.size() == plan.pattern.lane_bits + 3);
    CHECK(plan.bits.back() == tile_bit{256, 64, 64, plan.loops.back().axis});
    CHECK(plan.loops.back().extent == 392);
    CHECK(plan.loops.back().overlap == 0);
}

TEST_CASE("widen_tile: a last step that takes half of its tile twice is taken if there are many steps") {
    const auto widened = [](dim_t pixels) {
        reorder_plan plan = channels_apart(pixels, 4, 1);
        widen_tile(plan);
        return plan.pattern.register_bits - 2;
    };
    CHECK(widened(dim_t{64} * 15) == 0);
    CHECK(widened(dim_t{64} * 17) == 1);
    CHECK(widened(dim_t{64} * 2) == 1);
    CHECK(widened(64) == 0);
}

TEST_CASE("widen_tile: the same elements are moved") {
    int wider = 0;
    for (const int bytes : {1, 2, 4, 8})
        for (const dim_t channels : {2, 4, 8})
            for (const dim_t pixels : {64, 100, 127, 128, 1000, 1024, 1357, 3000})
                for (const bool apart : {true, false}) {
                    const reorder_plan plan = apart ? channels_apart(pixels, channels, bytes)
                                                    : permutation_plan({channels, pixels}, {1, 0}, bytes);
                    reorder_plan wide = plan;
                    widen_tile(wide);
                    wider += wide.pattern.register_bits > plan.pattern.register_bits;
                    INFO(bytes, " bytes, ", channels, " channels, ", pixels, " pixels");
                    CHECK((places_of(wide) == places_of(plan)));
                    CHECK(wide.pattern.register_bits <= 4);
                }
    CHECK(wider > 30);
}

TEST_CASE("widen_tile: not if registers are copied, interleaved or staged, if axes end in the tile, or steps differ") {
    const auto stays = [](const reorder_plan& plan) { return steps_of_wider_tile(plan) == 0; };
    const reorder_plan plan = channels_apart(dim_t{224} * 224, 4, 1);
    CHECK_FALSE(stays(plan));
    reorder_plan other = plan;
    other.pattern.interleave = 3;
    CHECK(stays(other));
    other = plan;
    other.pattern.half_bytes = 0;
    CHECK(stays(other));
    other = plan;
    other.bounds.push_back({});
    CHECK(stays(other));
    other = plan;
    other.uneven_steps.push_back({});
    CHECK(stays(other));
    other = plan;
    other.staged_from = 0;
    CHECK(stays(other));
    other = plan;
    other.loops = {};
    CHECK(stays(other));
    other = plan;
    other.pattern.dst_lanes = {};
    for (int lane = 0; lane < other.pattern.lane_bits; ++lane) other.pattern.dst_lanes.push_back(lane);
    other.pattern.src_upper_bits = 0;
    CHECK(stays(other));
}

}  // namespace

}  // namespace test_engine_plan_make_plan
