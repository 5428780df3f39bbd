// The loops around tiles, cut into boxes: which tiles a kernel has to move, and with which lanes. The kernel here
// has no instructions: it moves numbers one by one, by the places and lanes of segments. A plain loop nest
// that checks the limits at each tile computes what must be moved, and how often.

#include "engine/plan/random_refined_pair.hpp"
#include "engine/plan/run_plan.hpp"

#include <plait/engine/kernel/run_time_loops.hpp>
#include <plait/engine/simd/table_kernels.hpp>

#include <array>

namespace test_engine_kernel_run_time_loops { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

/// The numbers that the kernel moves: elements of one byte, so that steps in bytes are steps in elements.
struct moved_numbers {
    const std::vector<int>* in;
    std::vector<int>* out;
    std::vector<int> stored;  ///< how often each place of the destination is stored
    dim_t tiles = 0, partial_tiles = 0, walks = 0;
    bool is_inside = true;           ///< no read after the source, no store outside the destination
    bool lanes_are_elements = true;  ///< masks have all bytes of an element or none
};
moved_numbers* now = nullptr;  // global, because a kernel's functions are plain functions

std::vector<std::byte> from_memory(1), to_memory(1);  // where both tensors begin; only steps from there count

/// The access of a tile to one of its elements.
struct lane_access {
    bool loaded, stored;
};

template <class Access>
void move_tile(const reorder_plan& plan, const std::byte* src, std::byte* dst, const Access& access) {
    const dim_t from = (src - from_memory.data()) / plan.sizes.src, to = (dst - to_memory.data()) / plan.sizes.dst;
    ++now->tiles;
    const int alternating = plan.pattern.interleave != 0 ? plan.pattern.interleave : 1;
    for (int element = 0; element < 1 << plan.bits.size(); ++element)
        for (int c = 0; c < alternating; ++c) {
            const lane_access has = access(element);
            dim_t from_here = from + c * plan.interleaved.src, to_here = to + c * plan.interleaved.dst;
            for (int b = 0; b < plan.bits.size(); ++b) {
                from_here += (element >> b & 1) * plan.bits[b].src;
                to_here += (element >> b & 1) * plan.bits[b].dst;
            }
            const bool reads_inside = from_here < static_cast<dim_t>(now->in->size()),
                       writes_inside = to_here >= 0 && to_here < static_cast<dim_t>(now->out->size());
            now->is_inside = now->is_inside && (!has.loaded || reads_inside) && (!has.stored || writes_inside);
            if (!has.stored || !writes_inside) continue;
            ++now->stored[static_cast<std::size_t>(to_here)];
            (*now->out)[static_cast<std::size_t>(to_here)] =
                has.loaded && reads_inside && from_here >= 0 ? (*now->in)[static_cast<std::size_t>(from_here)] : 0;
        }
}
/// Calls `tile(src, dst)` for the tiles of a walk, by definition.
template <class Tile>
void for_each_tile(const kernel_walk& walk, const std::byte* src, std::byte* dst, const Tile& tile) {
    ++now->walks;
    const auto move = [&](const tile_step& by) { src += by.src, dst += by.dst; };
    for (dim_t plane = 0; plane < walk.planes; ++plane)
        for (dim_t row = 0; row < walk.rows; ++row) {
            for (dim_t k = 0; k < walk.tiles; ++k, move(walk.step)) tile(src, dst);
            if (walk.has_overlap) {
                move({-walk.overlap.src, -walk.overlap.dst});
                tile(src, dst);
                move(walk.step);
            }
            move(row + 1 < walk.rows ? walk.to_row : walk.to_plane);
        }
}

void move_whole(const reorder_plan& plan, const run_time_offsets&, const kernel_walk& walk, const std::byte* src,
                std::byte* dst) noexcept {
    for_each_tile(walk, src, dst, [&](const std::byte* from, std::byte* to) {
        move_tile(plan, from, to, [](int) { return lane_access{true, true}; });
    });
}

/// True if one side of a tile has an element; also computes its segment and lane.
bool has_element(const reorder_plan& plan, const run_time_offsets& at, side of, const std::uint64_t* lanes,
                 int element) {
    const segment_bits& counted = of == side::source ? at.src_bits : at.dst_bits;
    int piece = 0, lane = 0;
    for (int k = 0; k < counted.size(); ++k) piece |= (element >> counted[k] & 1) << k;
    for (int k = 0; k < plan.pattern.segment_bits(of); ++k)
        lane |= (element >> (of == side::source ? k : plan.pattern.dst_lanes[k]) & 1) << k;
    const int of_element = log2_of(plan.sizes.work), width = 1 << of_element;
    const std::uint64_t all = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1,
                        here = lanes[piece] >> (lane << of_element) & all;
    now->lanes_are_elements = now->lanes_are_elements && (here == 0 || here == all);
    return here != 0;
}
void move_masked(const reorder_plan& plan, const run_time_offsets& at, const segment_lanes& lanes,
                 const kernel_walk& walk, const std::byte* src, std::byte* dst) noexcept {
    for_each_tile(walk, src, dst, [&](const std::byte* from, std::byte* to) {
        ++now->partial_tiles;
        move_tile(plan, from, to, [&](int element) {
            return lane_access{has_element(plan, at, side::source, lanes.loaded, element),
                               has_element(plan, at, side::destination, lanes.stored, element)};
        });
    });
}
void move_edge(const reorder_plan& plan, const remaining_extents<>& rest, const kernel_walk& walk, const std::byte* src,
               std::byte* dst) noexcept {
    const simd::interleave_lanes lanes(plan, rest);
    for_each_tile(walk, src, dst, [&](const std::byte* from, std::byte* to) {
        ++now->partial_tiles;
        move_tile(plan, from, to, [&](int element) {
            return lane_access{element < lanes.valid, element < lanes.stored};
        });
    });
}

run_time_kernel recording_kernel(const reorder_plan& plan, isa which) {
    run_time_kernel out;
    out.whole = out.stream = move_whole;
    if (plan.pattern.interleave != 0) out.edge = move_edge;
    else out.masked = move_masked;
    out.finish_streams = [] {};
    out.network_of = which;
    return out;
}

/// Counts the features of random plans.
struct seen_plans {
    int plans = 0, with_limits = 0, backs = 0, carries = 0, loops_along_one_limit = 0, empty = 0, interleaves = 0,
        kept = 0, with_kept_walks = 0, with_several_walks = 0;
    dim_t tiles = 0, partial_tiles = 0, walks = 0;

    void add(const reorder_plan& plan) {
        ++plans;
        bool has_overlap = false, carrying = false, several = false, is_empty = false;
        for (int k = 0; k < plan.loops.size(); ++k) {
            const plan_loop& loop = plan.loops[k];
            has_overlap = has_overlap || loop.overlap != 0;
            carrying = carrying || loop.is_uneven;
            is_empty = is_empty || loop.extent == 0;
            for (int other = 0; other < k; ++other)
                several = several || (loop.bound >= 0 && plan.loops[other].bound == loop.bound);
        }
        with_limits += !plan.bounds.empty();
        backs += has_overlap;
        carries += carrying;
        loops_along_one_limit += several;
        empty += is_empty;
        interleaves += plan.pattern.interleave != 0;
    }
};

void check_moved(const moved_numbers& moved, const std::vector<int>& by_boxes, const std::vector<int>& by_loops,
                 const plan_run& loops, const wanted_result& wanted, seen_plans& seen, bool seen_before) {
    CHECK(by_boxes == by_loops);
    CHECK(moved.stored == loops.stored);
    CHECK(moved.is_inside);
    CHECK(moved.lanes_are_elements);
    CHECK(by_boxes == wanted.out);
    if (seen_before) return;
    seen.tiles += moved.tiles;
    seen.partial_tiles += moved.partial_tiles;
    seen.walks += moved.walks;
}

void boxes_move_what_loops_do(reorder_plan plan, const layout& src, const layout& dst, const wanted_result& wanted,
                              isa which, seen_plans& seen) {
    plan.staged_from = -1;  // a staged part is a separate plan whose destination is a buffer
    make_run_time_form(plan);
    seen.add(plan);
    INFO(text_of(src), " -> ", text_of(dst), " ", std::string(to_string(which)), " ", plan.sizes.work, " bytes, 2^",
         plan.pattern.lane_bits, " lanes, 2^", plan.pattern.register_bits, " registers");
    std::vector<int> by_loops(wanted.out.size(), -1);
    const plan_run loops = run_plan(plan, dst, wanted.in, by_loops);
    const run_time_kernel kernel = recording_kernel(plan, which);
    const run_time_offsets offsets = kernel.offsets_for(plan);
    kept_edges kept;
    kept_walks walks;
    int found_before = 0;
    enum { nothing_kept, edges_kept, walks_kept };
    for (const int mode : {nothing_kept, edges_kept, walks_kept}) {
        const bool keeps = mode == edges_kept;
        if (keeps) keep_walks(walks, kept, plan, kernel, offsets);
        if (mode == walks_kept && walks.count == 0) continue;
        seen.kept += keeps ? kept.count : 0;
        std::vector<int> by_boxes(wanted.out.size(), -1);
        moved_numbers moved{&wanted.in, &by_boxes, std::vector<int>(by_boxes.size())};
        now = &moved;
        found_edges found;
        if (mode == walks_kept) walks.run(plan, kernel, offsets, kept, from_memory.data(), to_memory.data());
        else run_kernel(plan, kernel, offsets, false, from_memory.data(), to_memory.data(), found, &kept);
        now = nullptr;
        seen.with_kept_walks += mode == walks_kept;
        seen.with_several_walks += mode == walks_kept && walks.count > 1;
        if (keeps && kept.count == found_before) CHECK(found.count == 0);
        found_before = found.count;
        check_moved(moved, by_boxes, by_loops, loops, wanted, seen, mode != nothing_kept);
    }
}

TEST_CASE("run_time_loops: boxes have the tiles and lanes of a plain loop nest that checks the limits at each tile") {
    from_memory.resize(std::size_t{1} << 24);
    to_memory.resize(std::size_t{1} << 24);
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 12));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 400);
    seen_plans seen;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::optional<refined_pair> pair = random_refined_pair(random);
        if (!pair) continue;
        const auto& [src, dst, r] = *pair;
        const isa which = std::array{isa::sse41, isa::avx2, isa::avx512}[static_cast<std::size_t>(i % 3)];
        const int bytes = 1 << random.between(0, 3);
        const wanted_result wanted(src, dst);
        std::vector<tile_choice> tiles{choose_one_element(r, element_sizes(bytes), which)};
        tile_queue all(r, element_sizes(bytes), which, network_kind::table);
        while (const tile_choice* const tile = all.next()) tiles.push_back(*tile);
        // All tiles would take too long: the cheapest with vectors, and a random one.
        for (const std::size_t k : {std::size_t{1}, static_cast<std::size_t>(random.between(0, 30))}) {
            reorder_plan plan;
            if (plan_around(plan, r, tiles[k % tiles.size()], element_sizes(bytes), !random.once_in(3)))
                boxes_move_what_loops_do(plan, src, dst, wanted, which, seen);
        }
    }
    MESSAGE(seen.plans, " plans, ", seen.with_limits, " with limits, ", seen.backs, " that go back, ", seen.carries,
            " with carries, ", seen.loops_along_one_limit, " with several loops along a limit, ", seen.interleaves,
            " interleaves, ", seen.empty, " empty; ", seen.tiles, " tiles, ", seen.partial_tiles, " in part, in ",
            seen.walks, " walks");
    CHECK(seen.with_limits * 4 > seen.plans);
    CHECK(seen.backs * 40 > seen.plans);
    CHECK(seen.carries * 40 > seen.plans);
    CHECK(seen.loops_along_one_limit * 100 > seen.plans);
    CHECK(seen.empty > 0);
    CHECK(seen.interleaves > 0);
    CHECK(seen.kept * 5 > seen.with_limits);
    CHECK(seen.with_kept_walks * 3 > seen.plans);
    CHECK(seen.with_several_walks * 20 > seen.plans);
    CHECK(seen.partial_tiles > 0);
    CHECK(seen.walks * 2 < seen.tiles);
}

TEST_CASE("run_time_loops: 17 of 32 channels, rows of 56 columns in tiles of 16: two boxes, each of one walk") {
    from_memory.resize(std::size_t{1} << 24);
    to_memory.resize(std::size_t{1} << 24);
    const layout src({1, 17, 56, 56}, "nchw"), dst({1, 17, 56, 56}, "nChw16c");
    const refinement r = coalesce(*refine(src, dst));
    tile_queue tiles(r, element_sizes(4), isa::avx512, network_kind::table);
    const tile_choice* const tile = tiles.next();
    REQUIRE(tile != nullptr);
    REQUIRE(tile->pattern.lane_bits == 4);
    REQUIRE(tile->pattern.register_bits == 4);
    reorder_plan plan;
    REQUIRE(plan_around(plan, r, *tile, element_sizes(4)));
    seen_plans seen;
    boxes_move_what_loops_do(plan, src, dst, wanted_result(src, dst), isa::avx512, seen);
    CHECK(seen.walks == 2);
    CHECK(seen.tiles == 2 * 196);  // h and w are one run in both: 3136 of them, 16 a tile
    CHECK(seen.partial_tiles == 196);
}

}}  // namespace test_engine_kernel_run_time_loops
