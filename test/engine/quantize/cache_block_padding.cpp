#include <plait/engine/quantize/cache_block_rows.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace test_engine_quantize_cache_block_padding { namespace {

using namespace plait;
using namespace plait::engine;

cache_block_plan cache_blocks_of(const layout& src, const layout& dst) {
    converting_plan plan;
    plan.conversion = make_conversion(data_type::f32, data_type::s8, {}, 1);
    cache_block_plan blocks;
    REQUIRE(plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span())));
    return blocks;
}

/// Calls visit(number, place in the destination, index along each axis) for each element of a cache block.
template <class Visit>
void for_each_element(const cache_block_shape& shape, const Visit& visit) {
    for (dim_t number = 0; number < shape.volume(); ++number) {
        dim_t remaining = number, place = 0, at[max_block_nodes]{};
        for (const cache_block_node& n : shape.nodes) {
            place += remaining % n.block_steps * n.dst;
            at[n.axis] += remaining % n.block_steps * n.index_step;
            remaining /= n.block_steps;
        }
        visit(number, place, at);
    }
}

/// The places of a cache block in the destination: those that are stored, or all.
std::vector<dim_t> offsets_for(const cache_block_plan& blocks, const dim_t* stored, bool all) {
    std::vector<dim_t> places;
    for_each_element(blocks.shape, [&](dim_t, dim_t place, const dim_t* at) {
        bool is_stored = true;
        for (int a = 0; a < blocks.shape.bounds.size(); ++a)
            is_stored = is_stored && (!blocks.bounded[a] || at[a] < stored[a]);
        if (is_stored || all) places.push_back(place);
    });
    return places;
}

/// Zeros the cache block for every number of elements that an axis may have left; returns for how many
/// inside the cache block that succeeded.
int check_zeros(const cache_block_plan& blocks) {
    int zeroed = 0;
    dim_t full[max_block_nodes]{};
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) full[a] = blocks.reach[a];
    const std::vector<dim_t> all = offsets_for(blocks, full, true);
    const dim_t size = 4 * (1 + *std::max_element(all.begin(), all.end()));
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) {
        if (!blocks.bounded[a]) continue;
        for (dim_t left = 1; left <= blocks.reach[a] + 1; ++left) {
            dim_t stored[max_block_nodes];
            std::copy_n(full, max_block_nodes, stored);
            stored[a] = left;
            std::vector<unsigned char> expected(static_cast<std::size_t>(size), 7), found = expected;
            if (zero_cache_block(blocks, stored, 4, reinterpret_cast<std::byte*>(found.data()))) {
                zeroed += left < blocks.reach[a] ? 1 : 0;
                for (const dim_t place : offsets_for(blocks, stored, false))
                    std::fill_n(expected.begin() + 4 * place, 4, static_cast<unsigned char>(0));
            }
            CHECK(found == expected);
        }
    }
    return zeroed;
}

TEST_CASE("zero_cache_block: zeros all stored padding and nothing else") {
    // One block of channels in a cache block, which ends inside it; parts of a plane; adjacent blocks; no end
    // inside.
    CHECK(check_zeros(cache_blocks_of(layout({2, 17, 56, 56}, "nchw"), layout({2, 17, 56, 56}, "nChw16c"))) > 0);
    CHECK(check_zeros(cache_blocks_of(layout({2, 8, 101, 103}, "nhwc"), layout({2, 8, 101, 103}, "nChw8c"))) > 0);
    CHECK(check_zeros(cache_blocks_of(layout({300, 301}, "ab"), layout({300, 301}, "ba"))) > 0);
    CHECK(check_zeros(cache_blocks_of(layout({17, 33, 3, 3}, "hwio"), layout({17, 33, 3, 3}, "OIhw16i16o"))) == 0);
}

TEST_CASE("zero_cache_block: leaves an axis that ends within a partly stored block to the rows") {
    const cache_block_plan blocks =
        cache_blocks_of(layout({17, 33, 3, 3}, "oihw"), layout({17, 33, 3, 3}, "OIhw4i16o4i"));
    dim_t stored[max_block_nodes];
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) stored[a] = blocks.reach[a] - 1;
    std::vector<std::byte> memory(1 << 16, std::byte{7});
    CHECK_FALSE(zero_cache_block(blocks, stored, 1, memory.data()));
    CHECK(memory == std::vector<std::byte>(1 << 16, std::byte{7}));
}

TEST_CASE("zero_padding_of: zeros the cache block first, unless beta reads its elements") {
    const cache_block_plan blocks =
        cache_blocks_of(layout({2, 17, 56, 56}, "nchw"), layout({2, 17, 56, 56}, "nChw16c"));
    dim_t stored[max_block_nodes];
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) stored[a] = blocks.reach[a];
    const std::vector<std::byte> full(1 << 18, std::byte{7});
    const auto zeroed = [&](const value_conversion& conversion, bool is_all_padding, padding_zeroed wanted) {
        std::vector<std::byte> memory = full;
        CHECK(zero_padding_of(blocks, conversion, stored, is_all_padding, memory.data()) == wanted);
        return memory != full;
    };
    value_conversion plain, adds, packs;
    plain.dst_bytes = adds.dst_bytes = packs.dst_bytes = 1;
    adds.attributes.beta = 1;
    packs.dst_memory = data_type::s4;
    CHECK(zeroed(plain, false, padding_zeroed::before_rows));
    CHECK_FALSE(zeroed(adds, false, padding_zeroed::after_rows));
    CHECK(zeroed(adds, true, padding_zeroed::before_rows));
    CHECK_FALSE(zeroed(packs, false, padding_zeroed::with_rows));
}

}}  // namespace test_engine_quantize_cache_block_padding
