// Which code moves a tile: that of whole tiles, of masked tiles that read whole segments and store the existing lanes,
// or of masked tiles that read no lane beyond an end either. The kernel here moves nothing and records its calls.

#include <plait/engine/kernel/run_time_tiles.hpp>

#include <plait/engine/plan/make_plan.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace test_engine_kernel_run_time_tiles { namespace {

using namespace plait;
using namespace plait::engine;

enum class path { whole, streamed, masked, interleaved };

struct call {
    path by;
    dim_t rows, tiles;
    const std::byte* src;
    std::vector<std::uint64_t> loaded, stored;  ///< the largest first, as segments may be counted in any order
    bool loads_whole, loads_nothing, streams;
};
std::vector<call>* calls = nullptr;  // global, because a kernel's functions are plain functions

std::vector<std::uint64_t> sorted(const std::uint64_t* lanes, int segment_bits) {
    std::vector<std::uint64_t> out(lanes, lanes + (1 << segment_bits));
    std::sort(out.rbegin(), out.rend());
    return out;
}

template <path By>
void whole_tiles(const reorder_plan&, const run_time_offsets&, const kernel_walk& walk, const std::byte* src,
                 std::byte*) noexcept {
    calls->push_back({By, walk.rows, walk.tiles, src, {}, {}, true, false, By == path::streamed});
}
void masked_tiles(const reorder_plan&, const run_time_offsets& at, const segment_lanes& lanes, const kernel_walk& walk,
                  const std::byte* src, std::byte*) noexcept {
    calls->push_back({path::masked, walk.rows, walk.tiles, src, sorted(lanes.loaded, at.src_bits.size()),
                      sorted(lanes.stored, at.dst_bits.size()), lanes.loads_whole, lanes.loads_nothing, lanes.streams});
}
void edge_tiles(const reorder_plan&, const remaining_extents<>&, const kernel_walk& walk, const std::byte* src,
                std::byte*) noexcept {
    calls->push_back({path::interleaved, walk.rows, walk.tiles, src, {}, {}, false, false, false});
}

/// A tensor of f32 whose tiles of 4 x 4 are transposed, with a kernel that records its calls.
struct transpose {
    reorder_plan plan;
    run_time_kernel kernel;
    run_time_offsets at;
    std::vector<std::byte> memory, out_memory;

    transpose(const layout& src, const layout& dst)
        : memory(src.element_span() * 4), out_memory(dst.element_span() * 4) {
        const refinement r = coalesce(*refine(src, dst));
        const auto tile = choose_tile(r, dense_sides(r, element_sizes(4), isa::sse41), element_sizes(4), isa::sse41,
                                      {2, 2, 2}, network_kind::table);
        REQUIRE(tile);
        REQUIRE(plan_around(plan, r, *tile, element_sizes(4), false));
        make_run_time_form(plan);
        kernel.whole = whole_tiles<path::whole>;
        kernel.stream = whole_tiles<path::streamed>;
        kernel.masked = masked_tiles;
        kernel.network_of = isa::sse41;
        at = kernel.offsets_for(plan);
    }
    /// The remaining extents of a tile that begins at these indices, for these ends.
    remaining_extents<> remaining(std::initializer_list<dim_t> starts) const {
        remaining_extents<> out(plan, memory.data());
        int bound = 0;
        for (const dim_t start : starts) out.move_on(bound++, start);
        return out;
    }
    std::vector<call> run(const tile_walk& walk, dim_t first_element, const remaining_extents<>& left,
                          bool stream = false) {
        std::vector<call> out;
        calls = &out;
        found_edges found;
        run_time_tiles tiles(plan, kernel, at, stream, found);
        tiles.run(walk, memory.data() + first_element * 4, out_memory.data(), left);
        calls = nullptr;
        return out;
    }
};

constexpr tile_walk one_tile{1, 1, 1, 0, 0, 0, 0, 0, 0, false, 0, 0};
constexpr std::uint64_t all = 0xffff, half = 0x00ff;  // a lane of a mask is a byte: four elements, two elements

// 6 x 6: the source's lanes run along b, bound 0, and registers along a, bound 1; at 4 of each, two are left.
const layout six({6, 6}, "ab"), turned({6, 6}, "ba");
using masks = std::vector<std::uint64_t>;

TEST_CASE("run_time_tiles: a tile that no end cuts is whole, and stored past the cache if the plan says so") {
    transpose t(six, turned);
    REQUIRE(t.plan.bits.size() == 4);
    REQUIRE(t.plan.bounds.size() == 2);
    REQUIRE(t.plan.pattern.bounds[0] == 0);
    for (const bool stream : {false, true}) {
        const std::vector<call> made = t.run(one_tile, 0, t.remaining({0, 0}), stream);
        REQUIRE(made.size() == 1);
        CHECK(made[0].by == (stream ? path::streamed : path::whole));
    }
}

TEST_CASE("run_time_tiles: masked, and whole segments are read beyond the end of a row that others follow") {
    // Columns 4 and 5 of rows 0 to 3: four lanes from column 4 include two elements of the next row, and that of row 3
    // ends with element 3 * 6 + 8 = 26 of 36.
    transpose t(six, turned);
    const std::vector<call> made = t.run(one_tile, 4, t.remaining({4, 0}));
    REQUIRE(made.size() == 1);
    CHECK(made[0].by == path::masked);
    CHECK(made[0].loaded == masks{all, all, all, all});
    CHECK(made[0].loads_whole);
    CHECK(made[0].stored == masks{all, all, 0, 0});  // two of four columns, each with four rows
}

TEST_CASE("run_time_tiles: masked exactly if a segment would be read beyond the end of the source") {
    // Columns 4 and 5 of rows 4 and 5: four lanes of row 5 would end with element 5 * 6 + 8 = 38 of 36.
    transpose t(six, turned);
    const std::vector<call> made = t.run(one_tile, 4 * 6 + 4, t.remaining({4, 4}));
    REQUIRE(made.size() == 1);
    CHECK(made[0].by == path::masked);
    CHECK(made[0].loaded == masks{half, half, 0, 0});
    CHECK_FALSE(made[0].loads_whole);
    CHECK(made[0].stored == masks{half, half, 0, 0});
}

TEST_CASE("run_time_tiles: masked exactly if the source ends one byte before the end of a segment") {
    // The tile of columns 4 and 5 that is read up to the end of element 25, with sources that end there or before.
    transpose t(six, turned);
    for (const dim_t missing : {0, 1}) {
        CAPTURE(missing);
        remaining_extents<> left = t.remaining({4, 0});
        left.src_end = t.memory.data() + 26 * 4 - missing;
        const std::vector<call> made = t.run(one_tile, 4, left);
        REQUIRE(made.size() == 1);
        CHECK(made[0].loads_whole == (missing == 0));
        CHECK(made[0].loaded == masks(4, missing == 0 ? all : half));
    }
}

TEST_CASE(
    "run_time_tiles: of several tiles that are alike only the last one, at the end of the source, is masked exactly") {
    // Three matrices of 6 x 6: the last tile of each, as above; that of the third is at the end.
    transpose t(layout({3, 6, 6}, "abc"), layout({3, 6, 6}, "acb"));
    const dim_t matrix = 36 * 4;
    const tile_walk walk{1, 3, 1, 0, 0, matrix, matrix, 0, 0, false, 0, 0};
    const std::vector<call> made = t.run(walk, 28, t.remaining({4, 4}));
    REQUIRE(made.size() == 2);
    CHECK(made[0].rows == 2);
    CHECK(made[0].src == t.memory.data() + 28 * 4);
    CHECK(made[0].loaded == masks{all, all, 0, 0});
    CHECK(made[0].loads_whole);
    CHECK(made[1].rows == 1);
    CHECK(made[1].src == t.memory.data() + 28 * 4 + 2 * matrix);
    CHECK(made[1].loaded == masks{half, half, 0, 0});
    CHECK_FALSE(made[1].loads_whole);
}

TEST_CASE("run_time_tiles: the tile that is moved back is the last one, and reads as far as it lies") {
    // The matrices of the test above as a row of two tiles and one that is moved back, by nothing or by a matrix.
    transpose t(layout({3, 6, 6}, "abc"), layout({3, 6, 6}, "acb"));
    const dim_t matrix = 36 * 4;
    tile_walk walk{1, 1, 2, 0, 0, 0, 0, matrix, matrix, true, 0, 0};
    const std::vector<call> made = t.run(walk, 28, t.remaining({4, 4}));
    REQUIRE(made.size() == 2);
    CHECK(made[0].tiles == 2);
    CHECK(made[0].loads_whole);
    CHECK(made[1].tiles == 1);
    CHECK(made[1].src == t.memory.data() + 28 * 4 + 2 * matrix);
    CHECK(made[1].loaded == masks{half, half, 0, 0});
    CHECK_FALSE(made[1].loads_whole);
    walk.overlap_src = walk.overlap_dst = matrix;
    const std::vector<call> all_inside = t.run(walk, 28, t.remaining({4, 4}));
    REQUIRE(all_inside.size() == 1);
    CHECK(all_inside[0].loads_whole);
}

TEST_CASE("run_time_tiles: a tile of padding alone loads nothing and stores all of it") {
    // Rows 0 to 16 of 17 in blocks of 16, 32 of which are stored: the second tile of 16 may have no valid row.
    transpose t(layout({17, 6}, "ab"), layout({17, 6}, "Ab16a"));
    int along_rows = 0;
    while (t.plan.bounds[along_rows].valid == t.plan.bounds[along_rows].stored) ++along_rows;
    remaining_extents<> left = t.remaining({});
    left.valid[along_rows] = 0;
    left.stored[along_rows] = t.plan.bounds[along_rows].reach;
    const std::vector<call> made = t.run(one_tile, 0, left);
    REQUIRE(made.size() == 1);
    CHECK(made[0].by == path::masked);
    CHECK(made[0].loads_nothing);
    CHECK_FALSE(made[0].loads_whole);
    for (const std::uint64_t lanes : made[0].loaded) CHECK(lanes == 0);
    for (const std::uint64_t lanes : made[0].stored) CHECK(lanes == all);
}

TEST_CASE("run_time_tiles: masked tiles are stored past the cache only if they store whole lines or nothing of them") {
    // 17 rows in blocks of 16: in the second block a tile of four rows loads one row and stores all four, zeros
    // included. If two columns are left, half of the segments are not stored: those of other lines. If two rows were
    // left, a line would be stored in part.
    transpose t(layout({17, 6}, "ab"), layout({17, 6}, "Ab16a"));
    int rows = 0;
    while (t.plan.bounds[rows].valid == t.plan.bounds[rows].stored) ++rows;
    for (const bool stream : {false, true})
        for (const bool at_last_columns : {false, true})
            for (const dim_t rows_stored : {t.plan.bounds[rows].reach, dim_t{2}}) {
                remaining_extents<> left = t.remaining({});
                left.valid[rows] = 1;
                left.stored[rows] = rows_stored;
                if (at_last_columns) left.stored[1 - rows] = left.valid[1 - rows] = 2;
                const std::vector<call> made = t.run(one_tile, 0, left, stream);
                REQUIRE(made.size() == 1);
                CHECK(made[0].by == path::masked);
                CHECK(made[0].streams == (stream && rows_stored != 2));
                if (!made[0].streams) continue;
                for (const std::uint64_t lanes : made[0].stored) CHECK((lanes == 0 || lanes == all));
                CHECK((made[0].stored.back() == 0) == at_last_columns);
            }
}

TEST_CASE("run_time_tiles: an interleave has separate code for its ends") {
    transpose t(six, turned);
    t.kernel.masked = nullptr;
    t.kernel.edge = edge_tiles;
    const std::vector<call> made = t.run(one_tile, 4, t.remaining({4, 0}));
    REQUIRE(made.size() == 1);
    CHECK(made[0].by == path::interleaved);
    CHECK(t.run(one_tile, 0, t.remaining({0, 0}))[0].by == path::whole);
}

}}  // namespace test_engine_kernel_run_time_tiles
