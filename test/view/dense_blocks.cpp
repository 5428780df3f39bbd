#include <plait/view/dense_blocks.hpp>

#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

#include <algorithm>

namespace test_view_dense_blocks { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Checks by visiting all padded elements that each outermost block is a run of places that begins at block_offset.
bool blocks_are_runs(const layout& l) {
    const dim_t size = inner_volume(l);
    std::vector<std::vector<dim_t>> offsets(static_cast<std::size_t>(l.padded_volume()));
    position at = origin(l.ndims());
    do {
        position block = at;
        for (int a = 0; a < l.ndims(); ++a) block[a] /= l.block_size(a);
        dim_t number = 0;
        for (int a = 0; a < l.ndims(); ++a) number = number * l.padded_dims[a] + block[a];
        offsets[static_cast<std::size_t>(number)].push_back(l.padded_offset(at) - l.block_offset(block));
    } while (advance(at, l.padded_dims));
    for (std::vector<dim_t>& places : offsets) {
        if (places.empty()) continue;
        std::sort(places.begin(), places.end());
        if (static_cast<dim_t>(places.size()) != size) return false;
        for (dim_t i = 0; i < size; ++i)
            if (places[static_cast<std::size_t>(i)] != i) return false;
    }
    return true;
}

TEST_CASE("has_dense_blocks: true for every tag; false for a part of a block and for blocks with gaps") {
    STATIC_CHECK(has_dense_blocks(layout({2, 17, 5, 6}, "nChw16c")));
    STATIC_CHECK(has_dense_blocks(layout({17, 20, 3, 3}, "OIhw4i16o4i")));
    STATIC_CHECK(has_dense_blocks(layout({2, 3}, strides{5, 1})));
    STATIC_CHECK(has_dense_blocks(layout({dynamic, dynamic}, "aB4b")));
    STATIC_CHECK(inner_volume(layout({17, 20, 3, 3}, "OIhw4i16o4i")) == 256);
    STATIC_CHECK(inner_volume(layout({17, 20}, "ab")) == 1);
    // Five channels of a block of eight.
    STATIC_CHECK(!has_dense_blocks(by_hand({2, 5}, {2, 5}, {16, 8}, {{1, 8}})));
    layout gaps({2, 8}, "aB8b");
    gaps.digits[2].stride = 2;
    gaps.digits[0].stride = gaps.digits[1].stride = 16;
    CHECK(!has_dense_blocks(gaps));
}

TEST_CASE("law: dense blocks are runs that begin at block_offset") {
    int dense = 0, others = 0;
    for (const dims& extents : {dims{2, 5}, dims{4, 4}, dims{2, 3, 5}})
        for (const layout& l : many_layouts(extents)) {
            if (l.padded_volume() == 0) continue;
            ++(has_dense_blocks(l) ? dense : others);
            if (has_dense_blocks(l) != blocks_are_runs(l)) FAIL_CHECK(explain(l));
        }
    CHECK(dense > 500);
    CHECK(others > 100);
}

TEST_CASE("valid_part: the elements of a block that are in the tensor") {
    const auto is = [](const valid_part& part, dim_t first, dim_t count) {
        return part.first == first && part.count == count;
    };
    STATIC_CHECK(is(valid_part_of(0, 17, 16, 0), 0, 16));
    STATIC_CHECK(is(valid_part_of(0, 17, 16, 1), 0, 1));
    STATIC_CHECK(is(valid_part_of(0, 17, 16, 2), 0, 0));
    STATIC_CHECK(is(valid_part_of(3, 4, 8, 0), 3, 4));
    STATIC_CHECK(is(valid_part_of(6, 4, 8, 0), 6, 2));
    STATIC_CHECK(is(valid_part_of(6, 4, 8, 1), 0, 2));
    STATIC_CHECK(is(valid_part_of(9, 4, 8, 0), 0, 0));
}

}}  // namespace test_view_dense_blocks
