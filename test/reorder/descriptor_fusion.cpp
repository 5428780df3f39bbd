#include <plait/reorder/descriptor_fusion.hpp>

#include "support/static_check.hpp"

namespace test_reorder_descriptor_fusion { namespace {

using namespace plait;

using enum data_type;
constexpr layout plain({16, 8, 3, 3}, "oihw"), last({16, 8, 3, 3}, "hwio"), blocked({16, 8, 3, 3}, "OIhw4i16o4i");
constexpr extra sums{.s8s8_compensation = true, .s8s8_mask = 1};
constexpr descriptor_step moved{descriptor(f32, last), descriptor(f32, plain)};
constexpr descriptor_step quantised{descriptor(f32, plain), descriptor(s8, blocked, sums), {.dst_scale = 0.7f}};

TEST_CASE("fuse: the result has the compensation and the scale_adjust of the last destination") {
    STATIC_CHECK(fuse(moved, quantised) == descriptor_step{moved.src, quantised.dst, quantised.attributes});
    STATIC_CHECK(fuse({descriptor(f16, last), descriptor(f32, plain)}, quantised).src == descriptor(f16, last));
    // The sums of the first reorder would be lost, and its scale_adjust rounds.
    constexpr descriptor_step from_sums{descriptor(s8, plain), descriptor(s8, plain)};
    STATIC_CHECK(check_fuse(quantised, {descriptor(s8, blocked), descriptor(s8, plain)}).reason ==
                 reason::descriptor_has_extra);
    STATIC_CHECK(check_fuse({descriptor(f32, plain), quantised.dst}, from_sums).reason == reason::descriptor_has_extra);
    // The factor 1/2 joins the scale, unless the product is near the smallest f32, because scale_adjust would round it.
    constexpr descriptor_step halved{descriptor(f16, plain), descriptor(f32, plain), {.src_scale = 0.5f}};
    constexpr auto adjusted = [](float scale, float adjust) {
        return descriptor_step{
            descriptor(f32, plain), descriptor(s8, plain, {.scale_adjust = adjust}), {.src_scale = scale}};
    };
    STATIC_CHECK(fuse(halved, adjusted(3, 0.7f)).attributes.src_scale == 1.5f);
    STATIC_CHECK(check_fuse(halved, adjusted(0x1p-125f, 0.7f)).reason == reason::attributes_round_between);
}

TEST_CASE("moves_nothing: false for a reorder that writes sums") {
    constexpr descriptor_step same{descriptor(s8, plain), descriptor(s8, plain)},
        with_sums{descriptor(s8, plain), descriptor(s8, plain, sums)};
    STATIC_CHECK(same.moves_nothing());
    STATIC_CHECK(!with_sums.moves_nothing());
    STATIC_CHECK(!fuse(same, with_sums).moves_nothing());
}

TEST_CASE("fuse: a destination with sums keeps its axes") {
    // 20 channels in blocks of 16 cannot be joined with their pixels. Without sums, the destination is viewed with the
    // four axes of the source.
    constexpr layout padded({2, 20, 3, 3}, "nChw16c"), rows({2, 20, 3, 3}, "nchw"), two({2, 180}, "ab");
    constexpr descriptor_step a{descriptor(s8, padded), descriptor(s8, rows)},
        b{descriptor(s8, two), descriptor(s8, two)}, c{descriptor(s8, two), descriptor(s8, two, sums)};
    STATIC_CHECK(fuse(a, b).dst.layout == rows);
    STATIC_CHECK(check_fuse(a, c).reason == reason::axis_is_padded);
}

}}  // namespace test_reorder_descriptor_fusion
