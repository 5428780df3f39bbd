#include <plait/descriptor/recast.hpp>

#include "support/static_check.hpp"

namespace test_descriptor_recast { namespace {

using namespace plait;

constexpr dim_t many = dim_t{1} << 60;

TEST_CASE("recast of descriptors: the layout is recast, and the type is that of the new elements") {
    constexpr descriptor made = recast(descriptor(data_type::f32, layout({2, 8}, "ab")), data_type::u8);
    STATIC_CHECK(made == descriptor(data_type::u8, layout({2, 32}, "ab")));
    STATIC_CHECK(recast(made, data_type::f32) == descriptor(data_type::f32, layout({2, 8}, "ab")));
}

TEST_CASE("recast of descriptors: sizes are those of elements of the new type, up to the limit") {
    constexpr descriptor f32_elements(data_type::f32, layout({many}, "a"));
    STATIC_CHECK(recast(f32_elements, data_type::u8).dims() == dims{4 * many});
    STATIC_CHECK(recast(f32_elements, data_type::u8).size_in_bytes() == f32_elements.size_in_bytes());
    STATIC_CHECK(recast(f32_elements, data_type::f16).dims() == dims{2 * many});
    STATIC_CHECK(recast(recast(f32_elements, data_type::u8), data_type::f32) == f32_elements);
    // Of packed elements, bits are counted.
    STATIC_CHECK(recast(descriptor(data_type::u8, layout({many / 4}, "a")), data_type::u4).dims() == dims{many / 2});
    STATIC_CHECK(check_recast(f32_elements, data_type::u4).reason == reason::size_overflows);
}

TEST_CASE("recast of descriptors: refused with compensation, and as the layout") {
    constexpr descriptor weights(data_type::s8, layout({4, 4}, "ab"), {.s8s8_compensation = true, .s8s8_mask = 1});
    STATIC_CHECK(check_recast(weights, data_type::f32) == verdict{reason::descriptor_has_extra});
    STATIC_CHECK(check_recast(descriptor(data_type::u8, layout({2, 6}, "ab")), data_type::f32) ==
                 verdict{reason::extents_do_not_divide, 1, 6, 4});
    STATIC_CHECK(check_recast(descriptor(), data_type::u8).reason == reason::layout_is_undefined);
}

}}  // namespace test_descriptor_recast
