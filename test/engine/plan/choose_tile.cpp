#include <plait/engine/plan/choose_tile.hpp>
#include <plait/engine/plan/lane_network.hpp>
#include <plait/engine/plan/refinement.hpp>

#include "random_refined_pair.hpp"
#include "worked_pair.hpp"

#include <doctest/doctest.h>

#include <tuple>
#include <vector>

namespace test_engine_plan_choose_tile {

using namespace plait_test;
using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

namespace {

TEST_CASE("cost_of: registers, shuffles, spills and elements beyond the end of an axis, by hand") {
    // Each of 16 registers is loaded (2 quarters of a cycle), stored (4), exchanged in two steps (2 each, for both
    // registers of an exchange), and spilled (2), because 16 registers leave none to shuffle with: 12 each, 192 for 64
    // elements. Six of eight places exist: 8/6 of the cost. For 2^15 elements: 192 * 2^14 / 2^6 * 8 / 6.
    const tile_choice tile = *choose_tile(worked, dense_sides(worked, element_sizes(4), isa::sse41), element_sizes(4),
                                          isa::sse41, {2, 2, 2});
    CHECK(tile.cost == 192 * (1 << 14) / 64 * 8 / 6);
    CHECK(cost_of(tile, worked, element_sizes(4), isa::sse41, 2) == tile.cost);
    CHECK(cost_of(tile, worked, element_sizes(4), isa::sse41, 3) == (192 + 16 * 2) * (1 << 14) / 64 * 8 / 6);
    // AVX-512 has 32 registers, none of which is spilled.
    CHECK(cost_of(tile, worked, element_sizes(4), isa::avx512, 2) == (192 - 16 * 2) * (1 << 14) / 64 * 8 / 6);
}

TEST_CASE("cost_of: tiles that pass the end of an axis cost more if masks are data") {
    // 9 of 16 places are masked in every tile; of 8 places, the last tile moves back. Seven of 8 channels are padded to
    // 16: one tile of two is masked.
    for (const auto& [extents, from, to, bits, is_masked] :
         {std::tuple<dims, const char*, const char*, int, bool>{{32, 9}, "ab", "ba", 4, true},
          {{32, 9}, "ab", "ba", 3, false},
          {{32, 17}, "ab", "ba", 4, false},
          {{32, 7}, "ab", "aB16b", 3, true},
          {{32, 31}, "ab", "aB16b", 3, false}}) {
        const refinement r = coalesce(*refine(layout(extents, from), layout(extents, to)));
        const int node = node_with_source_step(r, 1);
        CHECK(passes_most_ends(r, node, bits) == is_masked);
        CHECK_FALSE(passes_most_ends(r, node, 0));
    }
    const refinement r = coalesce(*refine(layout({32, 9}, "ab"), layout({32, 9}, "ba")));
    for (const isa which : {isa::sse41, isa::avx512}) {
        tile_choice tile;
        tile.pattern.lane_bits = 4;
        for (int i = 0; i < 4; ++i) tile.take(node_with_source_step(r, 1));
        const dim_t constants = cost_of(tile, r, element_sizes(1), which, 0);
        tile.masks_cost = true;
        CHECK(cost_of(tile, r, element_sizes(1), which, 0) ==
              (which == isa::avx512 ? constants * 5 / 4 : constants * 2));
    }
}

/// The memory cost of a tile of 2^rows x 2^columns of a matrix of f32 that is transposed.
dim_t memory_cost_of(dim_t matrix_rows, dim_t matrix_columns, int rows, int columns) {
    const refinement r =
        coalesce(*refine(layout({matrix_rows, matrix_columns}, "ab"), layout({matrix_rows, matrix_columns}, "ba")));
    tile_choice tile;
    for (int i = 0; i < rows; ++i) tile.take(node_with_source_step(r, matrix_columns));
    for (int i = 0; i < columns; ++i) tile.take(node_with_source_step(r, 1));
    return cost_of_memory(tile, r, stored_elements(r), element_sizes(4));
}

TEST_CASE("cost_of_memory: parts of lines that share a set of the first cache, by hand") {
    // A row of 1024 elements is 4096 bytes: all rows of a tile are in one set. With 16 rows of eight elements each line
    // is fetched once more: 8 half cycles for each of the 2^15 / 16 lines; twice more if four elements of it are
    // moved.
    CHECK(memory_cost_of(1024, 1024, 4, 3) == 8 * 2048);
    CHECK(memory_cost_of(1024, 1024, 4, 2) == 8 * 2048 * 3);
    // The destination's lines are also written back.
    CHECK(memory_cost_of(1024, 1024, 3, 4) == 16 * 2048);
    // Whole lines are never fetched again, eight lines fit in a set, and lines in different sets do not compete.
    CHECK(memory_cost_of(1024, 1024, 4, 4) == 0);
    CHECK(memory_cost_of(1024, 1024, 3, 3) == 0);
    CHECK(memory_cost_of(1024, 1000, 4, 3) == 0);
    // Both tensors, of 64 KB each, stay in a cache that is near.
    CHECK(memory_cost_of(16, 1024, 4, 3) == 0);
}

TEST_CASE("cost_of_memory: lines of a large tensor that a tile cannot store past the cache are read first") {
    // Together 26 MB: lines of the destination begin at multiples of 16 elements, or not, or are not whole in a tile.
    CHECK(memory_cost_of(2048, 1601, 4, 4) == 0);
    CHECK(memory_cost_of(2056, 1601, 4, 4) == 4 << 14);
    // Halves of lines may be read once more.
    CHECK(memory_cost_of(2064, 1601, 3, 3) == (4 << 14) + (1 << 12));
    // 20 MB.
    CHECK(memory_cost_of(1544, 1601, 4, 4) == 0);
}

std::optional<tile_choice> tile_of(const refinement& r, int bytes, isa which, int lane_bits, int src_segment,
                                   int dst_segment, network_kind network = network_kind::constant) {
    return choose_tile(r, dense_sides(r, element_sizes(bytes), which), element_sizes(bytes), which,
                       {lane_bits, src_segment, dst_segment}, network);
}

node_bit bit_of(int node, int bit) { return {static_cast<std::int8_t>(node), static_cast<std::int8_t>(bit)}; }

}  // namespace

TEST_CASE("choose_tile: four lanes of places come in, four lanes of channels go out, and registers fill a cache line") {
    // f32 in registers of four: two bits of places are lanes of the source, two bits of channels lanes of the
    // destination, and two bits more of channels make 16 * 4 = 64 bytes, a line. Six bits are 16 registers of four.
    const tile_choice tile = *tile_of(worked, 4, isa::sse41, 2, 2, 2);
    CHECK(tile.pattern.lane_bits == 2);
    CHECK(tile.pattern.register_bits == 4);
    CHECK(tile.taken[place_node] == 2);
    CHECK(tile.taken[channel_node] == 4);
    CHECK(tile.taken[block_node] == 0);
    CHECK(tile.bits[0] == bit_of(place_node, 0));
    CHECK(tile.bits[1] == bit_of(place_node, 1));
    CHECK(tile.bits[2] == bit_of(channel_node, 0));
    CHECK(tile.bits[3] == bit_of(channel_node, 1));
    CHECK(tile.pattern.dst_lanes.size() == 2);
    CHECK(tile.pattern.dst_lanes[0] == 2);
    CHECK(tile.pattern.dst_lanes[1] == 3);
    CHECK(tile.pattern.src_upper_bits == 0);
}

TEST_CASE("choose_tile: none if the layouts have no segments of this length") {
    // Only three bits of the source's six places are dense.
    CHECK(!tile_of(worked, 4, isa::avx512, 4, 4, 4).has_value());
    CHECK(tile_of(worked, 4, isa::avx512, 4, 3, 4).has_value());
}

TEST_CASE("choose_tile: lanes above the source's segments are the destination's") {
    // Registers of 8 with segments of 4 places: the third lane counts segments, which may be anywhere. The third lane
    // of the destination is the third bit of channels: if it is the source's too, it need not be moved.
    const tile_choice tile = *tile_of(worked, 4, isa::avx2, 3, 2, 3);
    CHECK(tile.pattern.src_upper_bits == 1);
    CHECK(tile.pattern.segments(side::source) == 2);
    CHECK(tile.pattern.segments(side::destination) == 1);
    CHECK(tile.bits[2] == bit_of(channel_node, 2));
    CHECK(tile.pattern.dst_lanes[2] == 2);
    // A copy: the lanes of the source are those of the destination, upper ones too, and nothing is shuffled.
    const refinement copy = coalesce(*refine(layout({64}, "a"), layout({64}, "a")));
    const tile_choice same = *tile_of(copy, 4, isa::avx2, 3, 2, 3);
    CHECK(same.pattern.dst_lanes[0] == 0);
    CHECK(same.pattern.dst_lanes[1] == 1);
    CHECK(same.pattern.dst_lanes[2] == 2);
}

TEST_CASE("choose_tile: runs that are short on both sides are moved four at a time") {
    // Rows of four f32 in 4096 places, 8 apart: a register has all of a row; one such tile would have little to do.
    const refinement r = coalesce(*refine(layout({4096, 4}, strides{8, 1}), layout({4096, 4}, strides{16, 1})));
    const tile_choice tile = *tile_of(r, 4, isa::sse41, 2, 2, 2);
    CHECK(tile.pattern.register_bits == 2);
}

TEST_CASE("choose_tile: registers do not extend over the end of a short axis") {
    // Five places: a second register of four would be moved for one of them.
    const refinement r = coalesce(*refine(layout({4, 5}, strides{100, 1}), layout({4, 5}, strides{200, 1})));
    const tile_choice tile = *tile_of(r, 4, isa::sse41, 2, 2, 2);
    CHECK(tile.taken[node_with_source_step(r, 1)] == 2);
    // Eight places: at most as many registers as exist.
    const refinement eight = coalesce(*refine(layout({4, 8}, strides{100, 1}), layout({4, 8}, strides{200, 1})));
    CHECK(tile_of(eight, 4, isa::sse41, 2, 2, 2)->taken[node_with_source_step(eight, 1)] == 3);
}

TEST_CASE("choose_interleave: not for a table if a quarter of the tiles pass an end that no tile can overlap") {
    const auto interleaves = [](dim_t channels, network_kind network) {
        const dims extents{1, channels, 7, 6};
        const refinement r = coalesce(*refine(layout(extents, "aBCd16c16b4c"), layout(extents, "abcd")));
        return choose_interleave(r, element_sizes(4), isa::avx512, side::destination, network).has_value();
    };
    CHECK(!interleaves(512, network_kind::table));  // of 7 places, 4 and 3
    CHECK(interleaves(512, network_kind::constant));
    const auto many_edges = [](dim_t valid, dim_t extent, dim_t count = 4) {
        refinement r;
        r.nodes.push_back({.axis = 0, .extent = extent, .index_step = 1, .src = 1, .dst = 1});
        r.bounds.push_back({valid, valid});
        return has_many_edges(r, r.nodes[0], 2, count);
    };
    CHECK(many_edges(7, 4));
    CHECK(many_edges(11, 4));
    CHECK(!many_edges(15, 4));
    CHECK(!many_edges(8, 4));
    CHECK(!many_edges(7, 7));  // the last tile overlaps
    CHECK((many_edges(27, 4, 9) && !many_edges(27, 4) && !many_edges(31, 4, 9)));
}

TEST_CASE("choose_interleave: nine elements only in whole registers of AVX-512, unless they are bytes") {
    const auto lanes = [](isa instructions, int bytes, const dims& extents) {
        const refinement r = coalesce(*refine(layout(extents, "abcd"), layout(extents, "acdb")));
        const auto tile = choose_interleave(r, element_sizes(bytes), instructions, side::source, network_kind::table);
        return tile ? 1 << tile->pattern.lane_bits : 0;
    };
    CHECK(lanes(isa::avx512, 4, {64, 8, 3, 3}) == 0);
    CHECK(lanes(isa::avx512, 4, {64, 16, 3, 3}) == 16);
    CHECK(lanes(isa::avx512, 1, {64, 16, 3, 3}) == 16);
    CHECK(lanes(isa::avx2, 4, {64, 8, 3, 3}) == 8);
}

TEST_CASE("choose_interleave: three interleaved channels, dense along the pixels of the other side") {
    const refinement r = coalesce(*refine(layout({1, 3, 8, 8}, "nhwc"), layout({1, 3, 8, 8}, "nchw")));
    const tile_choice tile = *choose_interleave(r, element_sizes(1), isa::sse41, side::source);
    CHECK(tile.pattern.interleave == 3);
    CHECK(tile.pattern.interleaves_source);
    CHECK(tile.pattern.lane_bits == 4);  // 16 bytes, of 64 pixels
    CHECK(tile.pattern.register_bits == 0);
    CHECK(r.nodes[tile.interleaved].extent == 3);
    CHECK(r.nodes[tile.interleaved].src == 1);
    CHECK(!choose_interleave(r, element_sizes(1), isa::sse41, side::destination).has_value());
    // Ten pixels of one byte are fewer than the 16 that a register has, and no register has 8.
    const refinement few = coalesce(*refine(layout({1, 3, 2, 5}, "nhwc"), layout({1, 3, 2, 5}, "nchw")));
    CHECK(!choose_interleave(few, element_sizes(1), isa::sse41, side::source).has_value());
    // Powers of two have networks, and eight or more fill a segment.
    for (const dim_t count : {2, 4, 8, 9}) {
        const refinement other = coalesce(*refine(layout({1, count, 8, 8}, "nhwc"), layout({1, count, 8, 8}, "nchw")));
        CHECK(!choose_interleave(other, element_sizes(1), isa::sse41, side::source).has_value());
    }
}

TEST_CASE("has_registers, most_register_bits: the registers of kernels with networks as tables") {
    CHECK(!has_registers(network_kind::table, isa::avx512, 32));
    CHECK(has_registers(network_kind::table, isa::avx2, 32));
    CHECK(has_registers(network_kind::table, isa::avx512, 16));
    CHECK(has_registers(network_kind::constant, isa::avx512, 32));
    CHECK(most_register_bits(network_kind::table, 32, 1) == 3);
    CHECK(most_register_bits(network_kind::table, 64, 8) == 3);
    CHECK(most_register_bits(network_kind::table, 64, 1) == 4);
    CHECK(most_register_bits(network_kind::table, 16, 4) == 4);
}

TEST_CASE("choose_one_element: no bits, for any layouts") {
    const tile_choice tile = choose_one_element(worked, element_sizes(4), isa::avx512);
    CHECK(tile.bits.empty());
    CHECK(tile.pattern.lanes() == 1);
    CHECK(tile.pattern.registers() == 1);
}

namespace {

void is_a_tile(const refinement& r, const tile_choice& tile, int src_segment, int dst_segment) {
    const tile_pattern& pattern = tile.pattern;
    CHECK(tile.bits.size() == pattern.lane_bits + pattern.register_bits);
    CHECK(pattern.register_bits <= max_register_bits);
    CHECK(pattern.segment_bits(side::source) == src_segment);
    CHECK(pattern.segment_bits(side::destination) == dst_segment);
    const auto step = [&](int bit, side of) {
        const reorder_node& n = r.nodes[tile.bits[bit].node];
        return (of == side::source ? n.src : n.dst) << tile.bits[bit].bit;
    };
    for (int lane = 0; lane < src_segment; ++lane) CHECK(step(lane, side::source) == (dim_t{1} << lane));
    for (int lane = 0; lane < dst_segment; ++lane)
        CHECK(step(pattern.dst_lanes[lane], side::destination) == (dim_t{1} << lane));
    // The lowest bits of each node, each once.
    for (int node = 0; node < r.nodes.size(); ++node) {
        CHECK(tile.taken[node] <= r.splittable_bits(node));
        for (std::int8_t bit = 0; bit < tile.taken[node]; ++bit)
            CHECK(tile.find({static_cast<std::int8_t>(node), bit}) >= 0);
    }
    int taken = 0;
    for (int node = 0; node < r.nodes.size(); ++node) taken += tile.taken[node];
    CHECK(taken == tile.bits.size());
}

}  // namespace

TEST_CASE("choose_tile: lanes of segments are dense, and bits are the lowest of their nodes, for random pairs") {
    random_source random(32);
    int tiles = 0;
    for (int i = 0; i < 600; ++i) {
        const std::optional<refined_pair> pair = random_refined_pair(random);
        if (!pair) continue;
        const refinement& r = pair->loops;
        for (const network_kind network : {network_kind::constant, network_kind::table})
            for (int lane_bits = 1; lane_bits <= 4; ++lane_bits)
                for (int from = 0; from <= lane_bits; ++from)
                    for (int to = 0; to <= lane_bits; ++to)
                        if (const auto tile = tile_of(r, 4, isa::avx512, lane_bits, from, to, network)) {
                            is_a_tile(r, *tile, from, to);
                            ++tiles;
                        }
    }
    CHECK(tiles > 500);
}

namespace {

std::vector<tile_choice> all_of(tile_queue& tiles, dim_t limit = INT64_MAX) {
    std::vector<tile_choice> out;
    while (const tile_choice* const tile = tiles.next(limit)) out.push_back(*tile);
    return out;
}

struct question {
    layout src, dst;
};
const question questions[] = {{layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c")},
                              {layout({1, 64, 56, 56}, "nChw16c"), layout({1, 64, 56, 56}, "nchw")},
                              {layout({1, 3, 224, 224}, "nchw"), layout({1, 3, 224, 224}, "nhwc")},
                              {layout({256, 256, 3, 3}, "oihw"), layout({256, 256, 3, 3}, "OIhw4i16o4i")},
                              {layout({1, 17, 7, 7}, "nchw"), layout({1, 17, 7, 7}, "nhwc")},
                              {layout({1, 17, 9, 9}, "nchw"), layout({1, 17, 9, 9}, "nChw16c")},
                              {layout({64, 64, 28, 28}, "abcd"), layout({64, 64, 28, 28}, "bacd")},
                              {layout({256}, "a"), layout({256}, "a")},
                              {layout({64, 32}, {64, 2}), layout({64, 32}, "ab")},  // single elements, pairs
                              {layout({64, 16, 2}, {64, 4, 1}), layout({64, 16, 2}, "bac")}};

template <class Look>
void look_at_all(Look look) {
    for (const question& q : questions)
        for (const isa which : every_isa)
            for (const element_sizes sizes :
                 {element_sizes(1), element_sizes(4), element_sizes(8), element_sizes(4, 2, 2), element_sizes(1, 4, 1)})
                look(coalesce(*refine(q.src, q.dst)), sizes, which);
}

TEST_CASE("tile_queue: tiles come cheapest first, and a limit leaves out only more expensive ones") {
    const auto come_in_order = [](const refinement& r, const element_sizes& sizes, isa which, network_kind network) {
        tile_queue tiles(r, sizes, which, network);
        const std::vector<tile_choice> all = all_of(tiles);
        for (std::size_t k = 1; k < all.size(); ++k) CHECK(all[k - 1].cost <= all[k].cost);
        for (const tile_choice& limit : all) {
            tile_queue others(r, sizes, which, network);
            std::size_t cheaper = 0;
            for (const tile_choice& tile : all) cheaper += tile.cost < limit.cost;
            CHECK(all_of(others, limit.cost).size() == cheaper);
        }
    };
    look_at_all([&](const refinement& r, const element_sizes& sizes, isa which) {
        come_in_order(r, sizes, which, network_kind::constant);
        if (sizes.src == sizes.work && sizes.dst == sizes.work) come_in_order(r, sizes, which, network_kind::table);
    });
    // A lower bound that is too high would delay a tile: axes that end inside of tiles, padding, uneven steps.
    random_source random(2911);
    for (int i = 0; i < 200; ++i) {
        const std::optional<refined_pair> pair = random_refined_pair(random);
        if (!pair) continue;
        for (const isa which : {isa::sse41, isa::avx2, isa::avx512})
            for (const int bytes : {1, 4})
                for (const network_kind network : {network_kind::constant, network_kind::table})
                    come_in_order(pair->loops, element_sizes(bytes), which, network);
    }
}

TEST_CASE("tile_queue: the cost of a tile whose network is data is at most that of its network") {
    look_at_all([](const refinement& r, const element_sizes& sizes, isa which) {
        if (sizes.src != sizes.work || sizes.dst != sizes.work) return;
        tile_queue tiles(r, sizes, which, network_kind::table);
        for (const tile_choice& tile : all_of(tiles)) {
            if (tile.interleaved >= 0) continue;
            const int steps = cost_of_network(find_lane_network(tile.pattern, log2_of(sizes.work)), which);
            CHECK(tile.cost <= cost_of(tile, r, sizes, which, steps));
        }
    });
}

TEST_CASE("tile_queue: bytes have segments of part of a register on both sides, and of half of 16 if 9 are dense") {
    const auto has = [](const layout& src, const layout& dst, isa which, network_kind network, int lane_bits, int from,
                        int to) {
        tile_queue tiles(coalesce(*refine(src, dst)), element_sizes(1), which, network);
        for (const tile_choice& tile : all_of(tiles))
            if (const tile_pattern& p = tile.pattern; p.interleave == 0 && p.lane_bits == lane_bits &&
                                                      p.segment_bits(side::source) == from &&
                                                      p.segment_bits(side::destination) == to)
                return true;
        return false;
    };
    const layout rows({256, 256}, "ab"), columns({256, 256}, "ba");
    CHECK(has(rows, columns, isa::avx2, network_kind::table, 5, 4, 4));
    CHECK(has(rows, columns, isa::avx512, network_kind::table, 6, 5, 5));
    CHECK_FALSE(has(rows, columns, isa::avx2, network_kind::constant, 5, 4, 4));
    const layout weights({64, 64, 3, 3}, "abcd"), blocked({64, 64, 3, 3}, "ABcd16b16a");
    CHECK(has(weights, blocked, isa::avx2, network_kind::table, 5, 3, 5));
    CHECK_FALSE(has(weights, blocked, isa::avx2, network_kind::constant, 5, 3, 5));
}

TEST_CASE("tile_queue: restarts without the rejected tile") {
    look_at_all([](const refinement& r, const element_sizes& sizes, isa which) {
        tile_queue tiles(r, sizes, which);
        const std::size_t count = all_of(tiles).size();
        tile_queue others(r, sizes, which);
        for (std::size_t left = count; left > 0; --left) {
            const tile_choice* const first = others.next();
            REQUIRE(first != nullptr);
            others.restart_without(*first);
            CHECK(all_of(others).size() == left - 1);
            others.restart_without(*first);
        }
        CHECK(others.next() == nullptr);
    });
}

TEST_CASE("tile_queue: tiles for networks as data have only registers and segments that kernels support") {
    int built = 0;
    look_at_all([&](const refinement& r, const element_sizes& sizes, isa which) {
        if (sizes.src != sizes.work || sizes.dst != sizes.work) return;  // those are only moved
        tile_queue tiles(r, sizes, which, network_kind::table);
        for (const tile_choice& tile : all_of(tiles)) {
            const tile_pattern& p = tile.pattern;
            const int bytes = sizes.work << p.lane_bits;
            CHECK(bytes >= 16);
            CHECK(bytes <= vector_bytes(which));
            CHECK_FALSE((which == isa::avx512 && bytes == 32));
            if (p.interleave != 0) continue;
            ++built;
            CHECK(p.register_bits <= (bytes == 32 ? 3 : 4));
            for (const side of : {side::source, side::destination}) {
                // Half of a register of 16 bytes, or a quarter of small elements; an eighth of a wider one.
                const int piece = sizes.work << p.segment_bits(of);
                CHECK(piece >= (bytes == 16 && sizes.work <= 2 ? 4 : 8));
                if (p.segments(of) == 8) CHECK(p.register_bits <= 3);
            }
        }
    });
    CHECK(built > 100);
}

}  // namespace

}  // namespace test_engine_plan_choose_tile
