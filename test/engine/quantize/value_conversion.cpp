// Conversions of values, chosen once per plan.

#include <plait/engine/quantize/value_conversion.hpp>

#include "support/static_check.hpp"

namespace test_engine_quantize_value_conversion { namespace {

using namespace plait;
using namespace plait::engine;

constexpr float scales[] = {1, 2};
constexpr value_conversion conversion_of(data_type from, data_type to, const reorder_attributes& a, float adjust = 1) {
    return make_conversion(from, to, a, adjust);
}
constexpr data_type f32 = data_type::f32, f64 = data_type::f64, s8 = data_type::s8;

TEST_CASE("make_conversion: steps without effect are left out, except values by index") {
    constexpr value_conversion trivial = conversion_of(f32, s8, {});
    STATIC_CHECK(!trivial.has_operands() && !trivial.has_arrays() && !trivial.copies);
    STATIC_CHECK(trivial.src_bytes == 4 && trivial.dst_bytes == 1);
    constexpr value_conversion scaled = conversion_of(f32, s8, {.src_scale = 0.5f, .dst_zero_point = 3});
    STATIC_CHECK(scaled.active[src_scales] && scaled.active[dst_zero_points]);
    STATIC_CHECK(!scaled.active[dst_scales] && !scaled.active[src_zero_points]);
    constexpr value_conversion by_index = conversion_of(f32, s8, {.dst_scale = {scales, 1}});
    STATIC_CHECK(by_index.active[dst_scales] && by_index.has_arrays());
}

TEST_CASE("make_conversion: elements are copied if neither their type nor their value changes") {
    STATIC_CHECK(conversion_of(f32, f32, {}).copies && !conversion_of(f32, f32, {.beta = 1}).copies);
    STATIC_CHECK(!conversion_of(s8, s8, {}, 0.5f).copies && conversion_of(s8, s8, {}, 0.5f).active[src_scales]);
}

TEST_CASE("make_conversion: computes in f64 if either side is f64") {
    STATIC_CHECK(conversion_of(f64, s8, {}).in_f64 && conversion_of(f32, f64, {}).in_f64);
    STATIC_CHECK(!conversion_of(f32, s8, {}).in_f64);
}

TEST_CASE("keeps_zero: true for multiplied elements, unless a scale changes zero") {
    STATIC_CHECK(conversion_of(f32, s8, {.src_scale = 0.5f, .dst_scale = 4}).keeps_zero());
    STATIC_CHECK(!conversion_of(f32, s8, {.src_scale = -1.0f}).keeps_zero());  // -0
    STATIC_CHECK(!conversion_of(f32, s8, {.dst_scale = 0.0f}).keeps_zero());   // NaN
    STATIC_CHECK(!conversion_of(f32, s8, {.src_zero_point = 1}).keeps_zero());
    STATIC_CHECK(!conversion_of(f32, s8, {.dst_zero_point = 1}).keeps_zero());
    STATIC_CHECK(!conversion_of(f32, s8, {.beta = 1}).keeps_zero());
    STATIC_CHECK(!conversion_of(f32, s8, {.src_scale = {scales, 1}}).keeps_zero());
}

}}  // namespace test_engine_quantize_value_conversion
