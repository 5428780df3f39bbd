// Parts of a layout, and other axes in place of one.
#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/strided_slice.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/with_strides.hpp>
#include <plait/descriptor/descriptor.hpp>
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>
#include <plait/view/table_views.hpp>
#include <plait/view/view_slice.hpp>

// EXPECT: axis_is_not_one_element (0, 2, 2)
constexpr plait::layout row({2, 3}, "ab");
// FIXED: constexpr plait::layout row({1, 3}, "ab");
constexpr auto refused = plait::broadcast_axis(row, 0, 4);

// EXPECT: axis_is_out_of_range (4, 4)
constexpr auto activations = plait::nchw<2, 17, 5, 4>{};
#ifdef FIXED
constexpr auto refused = plait::slice(activations, std::integral_constant<int, 3>{}, std::integral_constant<int, 0>{});
#else
constexpr auto refused = plait::slice(activations, std::integral_constant<int, 4>{}, std::integral_constant<int, 0>{});
#endif

// EXPECT: blocks_do_not_align (0, 12, 1)
constexpr plait::layout pool({64, 4}, "Ab16a");
using pages = plait::tensor_view<float, plait::layout_constant<pool>>;
auto keys(const pages& v, const std::span<const int>& table) { return plait::paged<0, 12>(v, table, 40); }
// FIXED: auto keys(const pages& v, const std::span<const int>& table) { return plait::paged<0, 16>(v, table, 40); }

// EXPECT: extra_needs_offset_zero (1024, 0)
constexpr plait::layout weights({128, 16}, "AB16a4b");
constexpr plait::extra compensated = {.s8s8_compensation = true, .s8s8_mask = 1};
constexpr plait::layout part = plait::submemory(weights, {64, 16}, {64, 0});
// FIXED: constexpr plait::layout part = plait::submemory(weights, {64, 16}, {0, 0});
constexpr plait::descriptor refused(plait::data_type::s8, part, compensated);

// EXPECT: layout_is_opaque
#ifdef FIXED
constexpr plait::layout packed({2, 3}, "ab");
#else
constexpr plait::layout packed = [] {
    plait::layout l({2, 3}, "any");
    l.kind = plait::format_kind::opaque;
    return l;
}();
#endif
constexpr plait::layout refused = plait::permute_axes(packed, {1, 0});

// EXPECT: layout_is_undefined
constexpr plait::layout somewhere;
// FIXED: constexpr plait::layout somewhere({2, 3}, "ab");
constexpr plait::layout refused = plait::permute_axes(somewhere, {1, 0});

// EXPECT: not_a_permutation (2, 1, 3)
constexpr plait::layout image({3, 224, 224}, "abc");
constexpr plait::layout refused = plait::permute_axes(image, {0, 1, 1});
// FIXED: constexpr plait::layout refused = plait::permute_axes(image, {0, 1, 2});

// EXPECT: parent_is_dynamic (0, 0, 0)
constexpr plait::layout parent({plait::dynamic, 32}, "ab");
// FIXED: constexpr plait::layout parent({2, 32}, "ab");
constexpr auto refused = plait::submemory(parent, {2, 16}, {0, 0});

// EXPECT: parent_is_not_blocked
constexpr plait::layout parent({2, 32}, "any");
// FIXED: constexpr plait::layout parent({2, 32}, "ab");
constexpr auto refused = plait::submemory(parent, {2, 16}, {0, 0});

// EXPECT: part_cuts_a_block (1, 17, 16)
constexpr plait::dims extents{2, 17, 3};
// FIXED: constexpr plait::dims extents{2, 16, 3};
constexpr auto refused = plait::submemory(plait::layout({2, 32, 3}, "aBc16b"), extents, {0, 0, 0});

// EXPECT: part_is_outside_parent (1, 33, 32)
constexpr plait::position offsets{0, 17};
// FIXED: constexpr plait::position offsets{0, 16};
constexpr auto refused = plait::submemory(plait::layout({2, 32}, "aB16b"), {2, 16}, offsets);

// EXPECT: parts_do_not_meet (1, 1024, 512)
constexpr plait::layout whole({2, 96, 4, 4}, "nChw16c");
constexpr plait::layout first = plait::submemory(whole, {2, 32, 4, 4}, {0, 0, 0, 0});
constexpr plait::layout next = plait::submemory(whole, {2, 32, 4, 4}, {0, 32, 0, 0});
constexpr plait::layout last = plait::submemory(whole, {2, 32, 4, 4}, {0, 64, 0, 0});
constexpr plait::layout refused = plait::concatenate_along(first, last, 1);
// FIXED: constexpr plait::layout refused = plait::concatenate_along(first, next, 1);

// EXPECT: stride_is_negative (1, -1, 0)
constexpr plait::layout refused = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, -1});
// FIXED: constexpr plait::layout refused = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, 1});

// EXPECT: part_cuts_a_block (1, 8, 16)
float data[384];
plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());
auto refused = plait::submemory(view, plait::dims_c<1, 9, 3, 2>, plait::position_c<0, 8, 0, 0>);
// FIXED: auto refused = plait::submemory(view, plait::dims_c<1, 1, 3, 2>, plait::position_c<0, 16, 0, 0>);

// EXPECT: step_leads_away (1, 2, 6, 0)
#ifdef FIXED
constexpr plait::dim_t begin = 0, end = 6;
#else
constexpr plait::dim_t begin = 6, end = 0;
#endif
constexpr auto refused = plait::strided_slice(plait::layout({2, 32, 3}, "aBc16b"), 1, begin, end, 2);

// EXPECT: step_cuts_a_block (1, 3, 0, 16)
#ifdef FIXED
constexpr plait::dim_t step = 2;
#else
constexpr plait::dim_t step = 3;
#endif
constexpr auto refused = plait::strided_slice(plait::layout({2, 96, 3}, "aBc16b"), 1, 0, 96, step);
