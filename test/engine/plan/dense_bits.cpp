#include <plait/engine/plan/choose_tile.hpp>
#include <plait/engine/plan/refinement.hpp>

#include "random_refined_pair.hpp"
#include "worked_pair.hpp"

namespace test_engine_plan_dense_bits {

using namespace plait_test;

node_bit bit_of(int node, int bit) { return {static_cast<std::int8_t>(node), static_cast<std::int8_t>(bit)}; }

TEST_CASE("worked pair: three nodes, as counted by hand") {
    CHECK(worked.nodes.size() == 3);
    CHECK(worked.nodes[channel_node] == reorder_node{worked.nodes[channel_node].axis, 16, 1, 6, 1, false});
    CHECK(worked.nodes[block_node] == reorder_node{worked.nodes[channel_node].axis, 2, 16, 96, 96, false});
    CHECK(worked.nodes[place_node] == reorder_node{worked.nodes[place_node].axis, 6, 1, 1, 16, false});
    CHECK(worked.bounds[worked.nodes[channel_node].axis] == axis_bound{17, 32});
    CHECK(worked.bounds[worked.nodes[place_node].axis] == axis_bound{6, 6});
}

TEST_CASE("find_dense_bits: the source's run is the six places, the third bit of which is partly filled and ends it") {
    const dense_bits found = find_dense_bits(worked, side::source, 5);
    CHECK(found.size() == 3);
    for (int k = 0; k < 3; ++k) CHECK(found[k] == bit_of(place_node, k));
}

TEST_CASE("find_dense_bits: the destination's run continues with the next node if one ends exactly") {
    // Four bits of 16 channels; the places continue 16 elements further, and partly fill up to 16 * 8.
    const dense_bits found = find_dense_bits(worked, side::destination, 9);
    CHECK(found.size() == 7);
    for (int k = 0; k < 4; ++k) CHECK(found[k] == bit_of(channel_node, k));
    for (int k = 4; k < 7; ++k) CHECK(found[k] == bit_of(place_node, k - 4));
}

TEST_CASE("find_dense_bits: with gaps, a node continues one that partly fills its last bit") {
    // 3 channels in places for 4, and 8 pixels: pixels are 4 elements apart.
    constexpr layout pixels({8, 3}, strides{4, 1});
    const refinement r = coalesce(*refine(pixels, layout({8, 3}, "ab")));
    CHECK(find_dense_bits(r, side::source, 5, false).size() == 2);
    CHECK(find_dense_bits(r, side::source, 5, true).size() == 5);
}

TEST_CASE("find_dense_bits: a node inside others has only the powers of two that divide it") {
    // Blocks of 12 channels: 12 = 4 * 3, so a tile may take two bits of them; with four, tiles would pass the block's
    // end, followed by other channels. 25 channels end inside their third block.
    const refinement r = coalesce(*refine(layout({25, 2}, "ab"), layout({25, 2}, "Ab12a")));
    CHECK(find_dense_bits(r, side::destination, 6).size() == 2);
    // Blocks that channels fill exactly are a separate axis, whose end a tile may pass.
    const refinement whole = coalesce(*refine(layout({24, 2}, "ab"), layout({24, 2}, "Ab12a")));
    CHECK(find_dense_bits(whole, side::destination, 6).size() == 4);
}

TEST_CASE("find_dense_bits: if fewer are wanted, they are the first of these bits") {
    for (const side of : {side::source, side::destination})
        for (int fewer = 0; fewer <= 7; ++fewer) {
            const dense_bits all = find_dense_bits(worked, of, 7), some = find_dense_bits(worked, of, fewer);
            REQUIRE(some.size() == (fewer < all.size() ? fewer : all.size()));
            for (int k = 0; k < some.size(); ++k) CHECK(some[k] == all[k]);
        }
}

TEST_CASE(
    "dense_sides: a register and one bit more, of the smaller elements; a cache line where registers are smaller") {
    // 64 bytes are 2^4 f32 and 2^6 of one byte.
    CHECK(dense_sides::most(element_sizes(4), isa::avx512) == 5);
    CHECK(dense_sides::most(element_sizes(4), isa::sse41) == 5);
    CHECK(dense_sides::most({4, 1, 4}, isa::avx2) == 7);
}

TEST_CASE("find_dense_bits: bit k of a side is 2^k elements from the tile's start, for random pairs") {
    random_source random(31);
    int found = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::optional<refined_pair> pair = random_refined_pair(random);
        if (!pair) continue;
        const refinement& r = pair->loops;
        for (const side of : {side::source, side::destination}) {
            const dense_bits dense = find_dense_bits(r, of, 7);
            int first = 0;  // the first bit of its node
            for (int k = 0; k < dense.size(); ++k) {
                if (dense[k].node != dense[first].node) first = k;
                const reorder_node& n = r.nodes[dense[k].node];
                CHECK(dense[k].bit == k - first);
                CHECK(((of == side::source ? n.src : n.dst) << dense[k].bit) == (dim_t{1} << k));
                CHECK(dense[k].bit < r.splittable_bits(dense[k].node));
                ++found;
            }
        }
    }
    CHECK(found > 2000);
}

TEST_CASE("find_dense_bits: of two nodes with one stride, takes the one that matches the other side") {
    // One channel in blocks of 16: the places of the source, and the steps without elements, both are one apart.
    refinement r = *refine(layout({1, 6}, "ab"), layout({1, 6}, "Ab16a"));
    continue_source(r, 4);
    r = coalesce(r);
    const dense_bits found = find_dense_bits(r, side::source, 4);
    CHECK(found.size() == 4);
    for (int k = 0; k < 4; ++k) CHECK(found[k] == bit_of(found[0].node, k));
    CHECK(r.nodes[found[0].node].dst == 1);
    CHECK(r.nodes[found[0].node].extent == 16);
}

}  // namespace test_engine_plan_dense_bits
