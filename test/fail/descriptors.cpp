// Descriptors: types and extra data.
#include <plait/descriptor/descriptor.hpp>
#include <plait/descriptor/operations.hpp>

// EXPECT: data_type_is_unknown (0, 0)
constexpr plait::layout rows({2, 3}, "ab");
constexpr plait::descriptor refused(plait::data_type::undef, rows);
// FIXED: constexpr plait::descriptor refused(plait::data_type::s8, rows);

// EXPECT: data_types_differ (9, 8)
constexpr plait::layout whole({4, 3}, "ab");
constexpr plait::layout first = plait::submemory(whole, {2, 3}, {0, 0}),
                        second = plait::submemory(whole, {2, 3}, {2, 0});
constexpr plait::descriptor above(plait::data_type::u8, first);
constexpr plait::descriptor below(plait::data_type::s8, second);
// FIXED: constexpr plait::descriptor below(plait::data_type::u8, second);
constexpr plait::descriptor refused = plait::concatenate_along(above, below, 0);

// EXPECT: extra_needs_s8 (9, 0)
constexpr plait::layout weights({32, 16}, "AB16a4b");
constexpr plait::extra compensated = {.s8s8_compensation = true, .s8s8_mask = 1};
constexpr plait::descriptor refused(plait::data_type::u8, weights, compensated);
// FIXED: constexpr plait::descriptor refused(plait::data_type::s8, weights, compensated);

// EXPECT: mask_has_no_compensation (1, 0)
constexpr plait::layout weights({32, 16}, "AB16a4b");
constexpr plait::extra added = {.s8s8_mask = 1};
// FIXED: constexpr plait::extra added = {.s8s8_compensation = true, .s8s8_mask = 1};
constexpr plait::descriptor refused(plait::data_type::s8, weights, added);

// EXPECT: scale_adjust_is_invalid (0, 0)
constexpr plait::layout weights({32, 16}, "AB16a4b");
constexpr plait::extra added = {.scale_adjust = 0};
// FIXED: constexpr plait::extra added = {.scale_adjust = 0.5f};
constexpr plait::descriptor refused(plait::data_type::s8, weights, added);
