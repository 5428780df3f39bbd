// Reorders, and fusions of two.
#include <array>

#include <plait/reorder/fusion.hpp>
#include <plait/reorder/permute_with_reorder.hpp>
#include <plait/reorder/reorder.hpp>

// EXPECT: attributes_round_between (9, 2, 8)
constexpr plait::layout row({8}, "a");
constexpr float scale = 0.1f;
// FIXED: constexpr float scale = 0.5f;
constexpr plait::reorder_step first{row, row, plait::data_type::u8, plait::data_type::f32, {.src_scale = scale}};
constexpr plait::reorder_step second{row, row, plait::data_type::f32, plait::data_type::s8};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);

// EXPECT: beta_reads_the_middle (1056964608, 0)
constexpr plait::layout row({8}, "a"), other({8}, plait::strides{2});
constexpr float beta = 0.5f;
// FIXED: constexpr float beta = 0;
constexpr plait::reorder_step first{row, row, plait::data_type::s8, plait::data_type::f32, {.beta = beta}};
constexpr plait::reorder_step second{row, other, plait::data_type::f32, plait::data_type::f32};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);

// EXPECT: destination_is_not_injective (0, 4, 0)
constexpr plait::layout rows({4, 3}, "ab");
constexpr plait::layout repeated({4, 3}, plait::strides{0, 1});
// FIXED: constexpr plait::layout repeated({4, 3}, plait::strides{3, 1});
void spread(const float* in, float* out) { plait::reorder<rows, repeated>(in, out); }

// EXPECT: dims_differ (1, 64, 48)
constexpr plait::layout plain({1, 64, 56, 56}, "nchw");
constexpr plait::layout blocked({1, 48, 56, 56}, "nChw16c");
// FIXED: constexpr plait::layout blocked({1, 64, 56, 56}, "nChw16c");
void to_blocks(const float* in, float* out) { plait::reorder<plain, blocked>(in, out); }

// EXPECT: a reorder takes pointers to double
constexpr plait::layout rows({4, 3}, "ab");
constexpr plait::layout columns({4, 3}, "ba");
void copy(const float* const* in, float** out) { plait::reorder<rows, columns>(in, out); }
// FIXED: void copy(const float* in, float* out) { plait::reorder<rows, columns>(in, out); }

// EXPECT: mask_is_not_carried (2, 0)
// The second step has one axis of 21, in blocks of 4, which cannot be split into two. One scale per column of the first
// step is therefore not expressible for its elements.
constexpr plait::layout plain({3, 7}, "ab"), flat({21}, "a"), blocked({21}, "A4a");
constexpr auto scales = [] {
    std::array<float, 21> all{};
    all.fill(0.5f);
    return all;
}();
constexpr int mask = 2, count = 7;
// FIXED: constexpr int mask = 3, count = 21;
constexpr plait::reorder_step first{
    plain, plain, plait::data_type::f32, plait::data_type::s8, {.src_scale = {std::span(scales.data(), count), mask}}};
constexpr plait::reorder_step second{flat, blocked};
constexpr plait::reorder_step one = fuse(first, second);

// EXPECT: middle_layouts_differ (240, 960)
constexpr plait::layout plain({1, 3, 8, 10}, "nchw"), last({1, 3, 8, 10}, "nhwc");
constexpr plait::layout read({1, 3, 8, 10}, "nChw12c");
// FIXED: constexpr plait::layout read = last;
constexpr plait::reorder_step first{plain, last}, second{read, plain};
constexpr plait::reorder_step one = fuse(first, second);

// EXPECT: middle_type_rounds (2, 8, 7)
constexpr plait::layout row({8}, "a");
constexpr plait::data_type middle = plait::data_type::s8;
// FIXED: constexpr plait::data_type middle = plait::data_type::f64;
constexpr plait::reorder_step first{row, row, plait::data_type::f32, middle};
constexpr plait::reorder_step second{row, row, middle, plait::data_type::bf16};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);

// EXPECT: middle_type_saturates (7, 8)
constexpr plait::layout row({8}, "a");
constexpr plait::data_type middle = plait::data_type::s8;
// FIXED: constexpr plait::data_type middle = plait::data_type::f64;
constexpr plait::reorder_step first{row, row, plait::data_type::s32, middle};
constexpr plait::reorder_step second{row, row, middle, plait::data_type::f32};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);

// EXPECT: one_pass_differs (7, 1, 3)
constexpr plait::layout row({8}, "a");
constexpr plait::data_type last = plait::data_type::bf16;
// FIXED: constexpr plait::data_type last = plait::data_type::f16;
constexpr plait::reorder_step first{row, row, plait::data_type::s32, plait::data_type::f64};
constexpr plait::reorder_step second{row, row, plait::data_type::f64, last};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);

// EXPECT: rank_differs (3, 2)
constexpr plait::layout rows({4, 3}, "ab");
constexpr plait::format_tag wanted = "abc";
// FIXED: constexpr plait::format_tag wanted = "ab";
void transpose(const float* in, float* out) {
    plait::permute_with_reorder<rows, plait::permutation{1, 0}, wanted>(in, out);
}
