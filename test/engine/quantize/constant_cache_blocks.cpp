// Constant plans of cache blocks, and reorders of elements that no tile holds several of. The table of
// engine/kernel/static_rows.hpp tests the results of the others.
#include <plait/engine/quantize/constant_cache_blocks.hpp>

#include <plait/reorder/converted_rows.hpp>

#include "support/static_check.hpp"

#include <cstring>
#include <vector>

namespace test_engine_quantize_constant_cache_blocks {

using namespace plait;
using namespace plait::engine;

namespace {

constexpr layout plain({2, 32, 7, 7}, "nchw"), blocked({2, 32, 7, 7}, "nChw16c"), last({2, 32, 7, 7}, "nhwc");

constexpr cache_block_plan plan_for(const layout& dst, expected_values values) {
    return plan_expected_values<isa::avx512>(plain, dst, data_type::f32, data_type::s8, values);
}
/// Returns the number of nodes along an axis of the tensor that has expected values.
constexpr int nodes_along(const cache_block_plan& blocks, int axis) {
    int count = 0;
    for (const cache_block_node& n : blocks.shape.nodes) count += n.tensor_axis == axis ? 1 : 0;
    return count;
}

TEST_CASE("is_expected: usual values are along the first two axes, or all of up to three, and beta is 0") {
    constexpr reorder_attributes half{.src_scale = 0.5f}, old{.beta = 1};
    STATIC_CHECK(usual_values(2).axes == 3 && usual_values(3).axes == 7 && usual_values(5).axes == 3);
    STATIC_CHECK(is_expected(half, usual_values(4)) && !is_expected(old, usual_values(4)));
    constexpr auto along = [](int mask) {
        reorder_attributes a;
        a.dst_zero_point.mask = mask;
        return a;
    };
    STATIC_CHECK(is_expected(along(2), usual_values(4)) && !is_expected(along(4), usual_values(4)));
    STATIC_CHECK(is_expected(along(4), usual_values(3)) && !is_expected(along(2), {1, true}));
    STATIC_CHECK(is_expected(along(15), any_values(4)) && is_expected(old, any_values(4)));
}

TEST_CASE("plan_expected_values: axes with values stay apart, axes without are merged") {
    constexpr cache_block_plan usual = plan_for(blocked, usual_values(4)), any = plan_for(blocked, any_values(4));
    STATIC_CHECK(nodes_along(usual, 0) == 1 && nodes_along(usual, 1) == 2 && nodes_along(usual, 2) == 0);
    STATIC_CHECK(usual.shape.nodes.size() == 4 && any.shape.nodes.size() == 5);
    STATIC_CHECK(nodes_along(any, 2) == 1 && nodes_along(any, 3) == 1);
}

TEST_CASE("plan_expected_values: old values of the destination are added there, not in a buffer") {
    constexpr cache_block_plan usual = plan_for(last, usual_values(4)), any = plan_for(last, any_values(4));
    STATIC_CHECK(usual.shape.side == cache_block_side::source && any.shape.side == cache_block_side::destination);
    STATIC_CHECK(usual.block_copy.plan.sizes.dst == 1);
    STATIC_CHECK(any.block_copy.plan.sizes.dst == 4);
}

TEST_CASE("plan_expected_values: no blocks if the layouts have no common refinement") {
    constexpr layout whole({8}, "a"), shifted = [] {
        layout l({4}, "A8a");
        l.padded_offsets[0] = 2;
        return l;
    }();
    STATIC_CHECK(!refine(shifted, layout({4}, "a")));
    STATIC_CHECK(plan_expected_values<isa::avx512>(whole, whole, data_type::f32, data_type::f32, any_values(1))
                     .shape.nodes.size() == 1);
    STATIC_CHECK(
        plan_expected_values<isa::avx512>(shifted, layout({4}, "a"), data_type::f32, data_type::f32, any_values(1))
            .shape.nodes.empty());
}

}  // namespace

/// Compares the static reorder of elements that no tile holds several of with the reference.
template <class T, class U>
void check_rows() {
    constexpr layout quarter({1, 20, 3, 5}, "BcdA16b4a"), dense({1, 20, 3, 5}, "abcd");
    std::vector<T> in(quarter.element_span());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = convert<T>(static_cast<float>(i % 97) - 48);
    std::vector<U> wanted(dense.element_span()), out = wanted;
    for (const float scale : {1.f, 0.5f}) {
        const reorder_attributes attributes{.src_scale = scale};
        reference_reorder(quarter, in.data(), dense, wanted.data(), attributes);
        if (scale == 1) reorder<quarter, dense>(in.data(), out.data());
        else reorder<quarter, dense>(in.data(), out.data(), attributes);
        CHECK(std::memcmp(out.data(), wanted.data(), out.size() * sizeof(U)) == 0);
    }
}
TEST_CASE("reorder: narrow elements that are converted in rows are those of the reference") {
    check_rows<float16, float>();
    check_rows<float16, float16>();
    check_rows<float, float16>();
    check_rows<bfloat16, std::int8_t>();
    check_rows<std::int8_t, bfloat16>();
}

}  // namespace test_engine_quantize_constant_cache_blocks
