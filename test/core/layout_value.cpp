#include <plait/core/layout.hpp>

#include "support/small_layouts.hpp"

#include <type_traits>

namespace test_core_layout_value { namespace {

using namespace plait;

template <layout L>
struct holds {
    static constexpr layout value = L;
};

TEST_CASE("layout: is a structural type; equal values give one type") {
    STATIC_CHECK(std::is_trivially_copyable_v<layout>);
    STATIC_CHECK(std::is_same_v<holds<layout({2, 3}, "ab")>, holds<layout({2, 3}, strides{3, 1})>>);
    STATIC_CHECK(!std::is_same_v<holds<layout({2, 3}, "ab")>, holds<layout({2, 3}, "ba")>>);
    STATIC_CHECK(holds<layout({2, 17, 5, 4}, "nChw8c")>::value == layout({2, 17, 5, 4}, "aBcd8b"));
}

TEST_CASE("layout: returns its extents, strides, blocks and volumes") {
    constexpr layout l({17, 33, 3, 3}, "OIhw4i16o4i");
    STATIC_CHECK(l.ndims() == 4);
    STATIC_CHECK(l.kind == format_kind::blocked);
    STATIC_CHECK(l.dims == dims{17, 33, 3, 3});
    STATIC_CHECK(l.padded_dims == dims{32, 48, 3, 3});
    STATIC_CHECK(l.strides() == strides{6912, 2304, 768, 256});
    STATIC_CHECK(l.inner_blocks().size() == 3);
    STATIC_CHECK(l.inner_blocks()[0] == inner_block{1, 4});
    STATIC_CHECK(l.inner_blocks()[1] == inner_block{0, 16});
    STATIC_CHECK(l.inner_blocks()[2] == inner_block{1, 4});
    STATIC_CHECK(l.block_size(0) == 16);
    STATIC_CHECK(l.block_size(1) == 16);
    STATIC_CHECK(l.block_size(2) == 1);
    STATIC_CHECK(l.volume() == 17 * 33 * 9);
    STATIC_CHECK(l.padded_volume() == 32 * 48 * 9);
    STATIC_CHECK(l.is_padded());
    STATIC_CHECK(!l.is_dynamic());
    STATIC_CHECK(!layout({16, 32}, "OI16o16i").is_padded());
}

TEST_CASE("layout: one outer digit per axis, followed by the dense inner blocks") {
    constexpr layout l({17, 33, 3, 3}, "OIhw4i16o4i");
    STATIC_CHECK(l.digits.size() == 7);
    STATIC_CHECK(l.digits[0] == digit{0, 2, 6912});
    STATIC_CHECK(l.digits[1] == digit{1, 3, 2304});
    STATIC_CHECK(l.digits[4] == digit{1, 4, 64});
    STATIC_CHECK(l.digits[5] == digit{0, 16, 4});
    STATIC_CHECK(l.digits[6] == digit{1, 4, 1});
}

TEST_CASE("layout: a default layout is undefined and has no elements") {
    STATIC_CHECK(layout() == layout({}, "undef"));
    STATIC_CHECK(layout().kind == format_kind::undef);
    STATIC_CHECK(layout().ndims() == 0);
    STATIC_CHECK(layout().volume() == 0);
    STATIC_CHECK(layout().padded_volume() == 0);
    STATIC_CHECK(layout().strides() == strides{});
    STATIC_CHECK(layout().inner_blocks().empty());
    STATIC_CHECK(!layout().is_dynamic());
    STATIC_CHECK(!layout().is_dense());
}

TEST_CASE("layout: dynamic extents and strides are reported as dynamic") {
    constexpr layout by_extent({dynamic, 3}, "ab"), by_stride({2, 3}, strides{dynamic, 1});
    STATIC_CHECK(by_extent.is_dynamic());
    STATIC_CHECK(by_extent.volume() == dynamic);
    STATIC_CHECK(by_extent.padded_volume() == dynamic);
    STATIC_CHECK(by_stride.is_dynamic());
    STATIC_CHECK(by_stride.volume() == 6);
    STATIC_CHECK(by_stride.strides() == strides{dynamic, 1});
    // The value that stands for "outside another axis" is never returned as a number.
    STATIC_CHECK(layout({2, dynamic, 3}, "abc").strides() == strides{dynamic, 3, 1});
}

TEST_CASE("layout: reading the numbers of a hand-made layout stays within its lists") {
    layout broken = plait_test::by_hand({2, 3}, {2, 3}, {3, 1});
    broken.dims.count = 1000;
    CHECK(broken.ndims() == max_ndims);
    CHECK(broken.strides().size() == 2);
    CHECK(broken.inner_blocks().empty());
    broken.digits.count = 1000;
    CHECK(broken.strides().size() == max_ndims);
    CHECK(broken.inner_blocks().size() == max_inner_blocks);
    broken.digits.count = -1;
    CHECK(broken.strides().empty());
    CHECK(broken.block_size(0) == 1);
}

}}  // namespace test_core_layout_value
