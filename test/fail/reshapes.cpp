// Operations that change the axes of a layout.
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/v0_blocking.hpp>
#include <plait/algebra/view.hpp>
#include <plait/descriptor/operations.hpp>
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

// EXPECT: axis_has_blocks_in_blocks (1, 2, 4)
constexpr plait::layout weights({64, 64}, "AB4b16a2b");
// FIXED: constexpr plait::layout weights({64, 64}, "AB16a4b2b");
constexpr auto refused = v0_blocking_of(weights);

// EXPECT: axis_is_blocked (1, 16, 32)
constexpr plait::layout image({2, 32, 5, 4}, "nChw16c");
constexpr plait::layout refused = plait::flatten(image, 1);
// FIXED: constexpr plait::layout refused = plait::flatten(image, 2);

// EXPECT: axis_is_out_of_range (-1, 3, 3)
constexpr plait::layout image({3, 28, 28}, "abc");
constexpr plait::layout refused = plait::split_axis(image, 3, {7, 4});
// FIXED: constexpr plait::layout refused = plait::split_axis(image, 2, {7, 4});

// EXPECT: axis_is_padded (1, 16, 15)
constexpr plait::layout image({2, 15}, "aB8b");
constexpr plait::layout refused = plait::view(image, {2, 3, 5});
// FIXED: constexpr plait::layout refused = plait::view(image, {2, 1, 15});

// EXPECT: narrow
constexpr auto rows = plait::formats::ab<4, 8>{};
// Converted to int, the number would be axis 1.
constexpr auto refused = plait::flatten(rows, std::integral_constant<long long, (1LL << 32) + 1>{});
// FIXED: constexpr auto refused = plait::flatten(rows, std::integral_constant<long long, 1>{});

// EXPECT: descriptor_has_extra (0, 0)
constexpr plait::layout weights({32, 16, 3, 3}, "ABcd16a4b");
constexpr plait::descriptor whole(plait::data_type::s8, weights, {.s8s8_compensation = true, .s8s8_mask = 1});
// FIXED: constexpr plait::descriptor whole(plait::data_type::s8, weights);
constexpr plait::descriptor refused = plait::reshape(whole, {32, 16, 9});

// EXPECT: extents_do_not_divide (1, 9, 6, 3)
constexpr plait::layout columns({2, 9}, "ba");
constexpr plait::layout refused = plait::view(columns, {3, 6});
// FIXED: constexpr plait::layout refused = plait::view(columns, {6, 3});

// EXPECT: group_is_not_contiguous (0, 12, 3)
constexpr plait::layout image({2, 3, 4}, "acb");
#ifdef FIXED
constexpr plait::layout refused = plait::extended_reshape(image, {2, 12}, plait::reshape_flags::allow_order_mismatch);
#else
constexpr plait::layout refused = plait::extended_reshape(image, {6, 4}, plait::reshape_flags::allow_order_mismatch);
#endif

// EXPECT: joined_axes_do_not_chain (1, 1, 12544)
constexpr plait::layout image({2, 16, 28, 28}, "nhwc");
constexpr plait::layout refused = plait::reshape(image, {2, 16 * 784});
// FIXED: constexpr plait::layout refused = plait::reshape(image, {2, 16, 784});

// EXPECT: too_many_digits (-1, 25, 24)
// Returns a layout with as many digits as a layout can have, as views make them. No further axis fits.
constexpr plait::layout many_digits(int count) {
    plait::layout l({2}, "a");
    while (l.digits.size() < count) {
        for (plait::digit& d : l.digits) d.stride *= 3;
        l.digits.push_back({0, 2, 1});
        l.dims[0] = l.padded_dims[0] *= 2;
    }
    return l;
}
constexpr plait::layout refused = plait::reshape(many_digits(24), {1 << 24, 1});
// FIXED: constexpr plait::layout refused = plait::reshape(many_digits(24), {1 << 24});

// EXPECT: unit_axis_is_padded (1, 4, 4)
constexpr plait::layout image({2, 1, 3}, "aBc4b");
constexpr plait::layout refused = plait::reshape(image, {2, 3});
// FIXED: constexpr plait::layout refused = plait::reshape(image, {1, 2, 1, 3});

// EXPECT: volumes_differ (-1, 2352, 2350)
constexpr plait::layout image({3, 28, 28}, "abc");
constexpr plait::layout refused = plait::reshape(image, {2350});
// FIXED: constexpr plait::layout refused = plait::reshape(image, {3 * 784});

// EXPECT: zero_extent_is_not_matched (2, 3, 0)
constexpr plait::layout empty({plait::dynamic, 0, 3}, "abc");
constexpr plait::layout refused = plait::reshape(empty, {plait::dynamic, 3, 0});
// FIXED: constexpr plait::layout refused = plait::reshape(empty, {plait::dynamic, 0, 1, 3});
