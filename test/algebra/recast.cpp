#include <plait/algebra/recast.hpp>
#include <plait/algebra/same_memory.hpp>

#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

namespace test_algebra_recast {

using namespace plait;
using plait_test::by_hand;

namespace {

constexpr auto u8 = data_type::u8, f16 = data_type::f16, f32 = data_type::f32, u4 = data_type::u4, f64 = data_type::f64;

/// Returns the axis along which the number of elements differs; -1 if none.
int changed_axis(const layout& a, const layout& b) {
    for (int k = 0; k < a.ndims(); ++k)
        if (a.dims[k] != b.dims[k]) return k;
    return -1;
}

/// Checks that each element of `large` is the `factor` elements of `small` that it is made of.
bool are_parts(const layout& large, const layout& small, dim_t factor) {
    const int axis = changed_axis(large, small);
    if (axis < 0) return false;
    for (dim_t n = 0; n < small.volume(); ++n) {
        position at;
        dim_t rest = n;
        for (int a = 0; a < small.ndims(); ++a) at.push_back(0);
        for (int a = small.ndims() - 1; a >= 0; rest /= small.dims[a--]) at[a] = rest % small.dims[a];
        const dim_t part = at[axis] % factor, offset = small.offset(at);
        at[axis] /= factor;
        if (offset != large.offset(at) * factor + part) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("recast: the same memory, of many layouts, to smaller elements and back") {
    int smaller = 0, larger = 0, refused = 0;
    for (const dims& extents : {dims{6}, dims{4, 6}, dims{2, 8}})
        for (const layout& l : plait_test::many_layouts(extents)) {
            if (const auto made = try_recast(l, f32, u8)) {
                ++smaller;
                CHECK(check_layout(*made).ok());
                CHECK(are_parts(l, *made, 4));
                const auto back = try_recast(*made, u8, f32);
                CHECK((back.has_value() || !l.is_dense()));
                if (back) CHECK(same_memory(*back, l));
            }
            const auto made = try_recast(l, u8, f16);
            if (made) {
                ++larger;
                CHECK(check_layout(*made).ok());
                CHECK(are_parts(*made, l, 2));
            } else {
                ++refused;
                const reason why = made.error().reason;
                CHECK((why == reason::extents_do_not_divide || why == reason::group_is_not_contiguous));
            }
        }
    CHECK((smaller > 500 && larger > 50 && refused > 500));
}

TEST_CASE("recast: blocks, bits, and sizes") {
    STATIC_CHECK(recast(layout({2, 8}, "ab"), f32, u8) == layout({2, 32}, "ab"));
    STATIC_CHECK(recast(layout({2, 32}, "ab"), u8, f32) == layout({2, 8}, "ab"));
    STATIC_CHECK(recast(layout({2, 8}, "ba"), f32, f16) == layout({4, 8}, "ba"));
    STATIC_CHECK(recast(layout({1, 32, 5}, "aBc16b"), u8, f32) == layout({1, 8, 5}, "aBc4b"));
    STATIC_CHECK(recast(layout({1, 32, 5}, "aBc4b"), u8, f32) == layout({1, 8, 5}, "abc"));
    STATIC_CHECK(recast(layout({3, 8}, "ab"), u4, u8) == layout({3, 4}, "ab"));
    STATIC_CHECK(recast(layout({3, 8}, "ab"), u8, u8) == layout({3, 8}, "ab"));
    STATIC_CHECK(recast(layout({3, 8}, strides{-16, 1}), u8, f64).strides() == strides{-2, 1});
    STATIC_CHECK(recast(layout({1, 1}, "ab"), f32, u8).dims == dims{1, 4});
    // Digits that continue each other are one.
    STATIC_CHECK(recast(by_hand({8}, {8}, {4}, {{0, 2}, {0, 2}}), u8, f32) == layout({2}, "a"));
}

TEST_CASE("recast: refused with the axis and the numbers") {
    STATIC_CHECK(check_recast(layout({2, 6}, "ab"), u8, f32) == verdict{reason::extents_do_not_divide, 1, 6, 4});
    STATIC_CHECK(check_recast(layout({2, 8}, strides{10, 1}), u8, f32) ==
                 verdict{reason::extents_do_not_divide, 0, 10, 4});
    STATIC_CHECK(check_recast(layout({2, 8}, strides{16, 2}), u8, f32) ==
                 verdict{reason::group_is_not_contiguous, 1, 2, 1});
    STATIC_CHECK(check_recast(layout({2, 8}, strides{16, 2}), f32, u8) ==
                 verdict{reason::group_is_not_contiguous, 1, 2, 1});
    STATIC_CHECK(check_recast(layout({2, 8}, strides{8, -1}), f32, u8).reason == reason::group_is_not_contiguous);
    STATIC_CHECK(check_recast(by_hand({2, 8}, {2, 8}, {8, 1}, {}, {}, 2), u8, f32) ==
                 verdict{reason::extents_do_not_divide, 1, 2, 4});
    STATIC_CHECK(check_recast(layout({2, 8}, "ab"), data_type::undef, f32) ==
                 verdict{reason::data_type_is_unknown, -1, 0});
    STATIC_CHECK(check_recast(layout({dynamic, 8}, "ab"), u8, f32).reason == reason::dim_is_dynamic);
    STATIC_CHECK(check_recast(layout({dim_t{1} << 60}, "a"), f64, u8).reason == reason::size_overflows);
    STATIC_CHECK(check_recast(layout(), u8, f32).reason == reason::layout_is_undefined);
}

}  // namespace test_algebra_recast
