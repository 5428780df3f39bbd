// Kernels with attributes of static layouts: which pairs have which. The table of engine/kernel/static_rows.hpp tests
// their results.
#include <plait/engine/quantize/attributed_kernel.hpp>

#include "support/static_check.hpp"

namespace test_engine_quantize_attributed_kernel {

using namespace plait;
using namespace plait::engine;

TEST_CASE("make_scaled_plan: axes are merged if no value differs along them") {
    constexpr layout plain({2, 32, 7, 7}, "nchw");
    constexpr reorder_plan by_tensor = *make_scaled_plan(plain, plain, element_sizes(4), isa::avx512);
    STATIC_CHECK(by_tensor.loops.size() == 1);
}

TEST_CASE("is_by_tensor: one value for each attribute, and the destination is not read") {
    STATIC_CHECK(is_by_tensor({.src_scale = 0.5f, .dst_zero_point = 3}) && !is_by_tensor({.beta = 1}));
    constexpr reorder_attributes by_channel = [] {
        reorder_attributes a;
        a.src_zero_point.mask = 2;
        return a;
    }();
    STATIC_CHECK(!is_by_tensor(by_channel));
}

TEST_CASE("converts_rows: narrow elements, if no tile has several") {
    constexpr layout quarter({1, 20, 3, 5}, "BcdA16b4a"), dense({1, 20, 3, 5}, "abcd");
    using alone = static_plan<quarter, dense, element_types_of<float16, float>, isa::avx2>;
    using tiles = static_plan<dense, dense, element_types_of<float16, float>, isa::avx2>;
    STATIC_CHECK(!alone::value.pattern.has_vectors() && tiles::value.pattern.has_vectors());
    STATIC_CHECK(converts_rows<alone, float16, float> && !converts_rows<alone, std::int32_t, float>);
    STATIC_CHECK(!converts_rows<tiles, float16, float>);
}

}  // namespace test_engine_quantize_attributed_kernel
