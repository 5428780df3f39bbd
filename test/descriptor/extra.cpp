#include <plait/descriptor/extra.hpp>

#include "support/static_check.hpp"

namespace test_descriptor_extra {

using namespace plait;

TEST_CASE("extra: a default-constructed one is empty") {
    STATIC_CHECK(extra().empty());
    STATIC_CHECK(check_extra(extra(), 0).ok());
    STATIC_CHECK(!extra{.scale_adjust = 0.5f}.empty());
    STATIC_CHECK(!extra{.scale_adjust = 0.5f}.has_buffers());
    STATIC_CHECK(extra{.s8s8_compensation = true}.has_buffers());
    STATIC_CHECK(extra{.asymmetric_source_compensation = true}.has_buffers());
    STATIC_CHECK(extra{.s8s8_compensation = true} != extra{.s8s8_compensation = true, .s8s8_mask = 1});
    STATIC_CHECK(extra{.s8s8_compensation = true} != extra{.asymmetric_source_compensation = true});
    STATIC_CHECK(extra{.scale_adjust = 0.5f} != extra{});
}

TEST_CASE("extra: masks name existing axes, and only for compensation that is present") {
    STATIC_CHECK(check_extra({.s8s8_compensation = true, .s8s8_mask = 3}, 2).ok());
    STATIC_CHECK(check_extra({.s8s8_compensation = true, .s8s8_mask = 0xfff}, 12).ok());
    STATIC_CHECK(check_extra({.s8s8_compensation = true, .s8s8_mask = 4}, 2) ==
                 verdict{reason::mask_is_out_of_range, -1, 4, 2});
    STATIC_CHECK(check_extra({.s8s8_compensation = true, .s8s8_mask = -1}, 2) ==
                 verdict{reason::mask_is_out_of_range, -1, -1, 2});
    STATIC_CHECK(check_extra({.asymmetric_source_compensation = true, .asymmetric_source_mask = 0x1000}, 12) ==
                 verdict{reason::mask_is_out_of_range, -1, 0x1000, 12});
    STATIC_CHECK(check_extra({.s8s8_mask = 1}, 2) == verdict{reason::mask_has_no_compensation, -1, 1, 0});
    STATIC_CHECK(check_extra({.s8s8_compensation = true, .asymmetric_source_mask = 2}, 2) ==
                 verdict{reason::mask_has_no_compensation, -1, 2, 0});
}

TEST_CASE("extra: scale_adjust is a positive finite number") {
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for (const float good : {0.5f, 1.0f, 2.0f, std::numeric_limits<float>::max(), 1e-45f})
        CHECK(check_extra({.scale_adjust = good}, 2).ok());
    for (const float bad : {0.0f, -0.0f, -1.0f, infinity, -infinity, nan, -nan})
        CHECK(check_extra({.scale_adjust = bad}, 2) ==
              verdict{reason::scale_adjust_is_invalid, -1, std::bit_cast<std::int32_t>(bad), 0});
}

}  // namespace test_descriptor_extra
