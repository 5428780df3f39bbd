// Layouts as types, and views.
#include <plait/contents/contents_concepts.hpp>
#include <plait/typed/bound_layout.hpp>
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>
#include <plait/view/mdspan_layout.hpp>
#include <plait/view/tensor_view.hpp>
#include <plait/view/view_operations.hpp>
#include <plait/view/view_slice.hpp>

#include "../view/stand_in_extents.hpp"

// EXPECT: axis_is_named_otherwise (0, 110, 111)
constexpr plait::nchw<64, 64, 3, 3> weights;
// FIXED: constexpr plait::oihw<64, 64, 3, 3> weights;
constexpr auto refused = (plait::require_axes<"oihw">(weights), 0);

// EXPECT: axis_is_not_named (0, 111)
// The axes a and b have no meaning, so neither matches o or i.
constexpr plait::formats::ab<64, 32> matrix;
constexpr auto refused = (plait::require_axes<"oi">(matrix), 0);
// FIXED: constexpr auto refused = (plait::require_axes<"oi">(plait::name_axes<"oi">(matrix)), 0);

// EXPECT: bound_values_do_not_match (1, 2)
constexpr auto images = plait::layout_c<plait::layout({1, 64, plait::dynamic, plait::dynamic}, "nChw16c")>;
auto refused(int height) { return plait::bind(images, height); }
// FIXED: auto refused(int height, int width) { return plait::bind(images, height, width); }

// EXPECT: axis_is_blocked (1, 16, 64)
// The reshape is refused for all extents, so the compiler refuses it.
using activations = plait::nChw16c<plait::dynamic, 64, plait::dynamic, 7>;
// FIXED: using activations = plait::nchw<plait::dynamic, 64, plait::dynamic, 7>;
plait::layout split_channels(int batch, int height) {
    return plait::reshape(plait::bind(activations{}, batch, height),
                          plait::dims_c<plait::dynamic, 4, 16, plait::dynamic, 7>);
}

// EXPECT: bound_values_do_not_match (2, 1)
using plait::dynamic;
plait::layout split_channels(int batch, int height) {
    const auto activations = plait::bind(plait::nchw<dynamic, 64, dynamic, 7>{}, batch, height);
    return plait::reshape(activations, plait::dims_c<dynamic, 4, 16, 7, 7>);
    // FIXED: return plait::reshape(activations, plait::dims_c<dynamic, 4, 16, dynamic, 7>);
}

// EXPECT: position_is_out_of_range (2, 3, 3)
constexpr auto bound = plait::bind(plait::nChw16c<2, 17, plait::dynamic, 2>(), 3);
constexpr plait::dim_t refused = bound.offset(1, 16, 3, 1);
// FIXED: constexpr plait::dim_t refused = bound.offset(1, 16, 2, 1);

// EXPECT: compensation_is_missing (-1, 1, 2)
constexpr plait::tensor_compensation s8s8{.s8s8 = true, .s8s8_mask = 1 << 0};
constexpr plait::tensor_compensation asymmetric{.asymmetric_source = true, .asymmetric_source_mask = 1 << 0};
// The sources of this kernel have a zero point.
int convolve(const auto& weights) {
    plait::require_compensated<asymmetric>(weights);
    return 0;
}
std::int8_t* data;
const plait::tensor_view weights(data, plait::OIhw4i16o4i<16, 16, 1, 1>());
const int done = convolve(plait::detail::held_as<plait::padding_state::zero, s8s8>(weights));
// FIXED: const int done = convolve(plait::detail::held_as<plait::padding_state::zero, asymmetric>(weights));

// EXPECT: compensation_mask_differs (-1, 3, 1, 1)
constexpr plait::tensor_compensation by_output{.s8s8 = true, .s8s8_mask = 1 << 0};
constexpr plait::tensor_compensation by_both{.s8s8 = true, .s8s8_mask = 1 << 0 | 1 << 1};
int convolve(const auto& weights) {
    plait::require_compensated<by_output>(weights);
    return 0;
}
std::int8_t* data;
const plait::tensor_view weights(data, plait::OIhw4i16o4i<16, 16, 1, 1>());
const int done = convolve(plait::detail::held_as<plait::padding_state::zero, by_both>(weights));
// FIXED: const int done = convolve(plait::detail::held_as<plait::padding_state::zero, by_output>(weights));

// EXPECT: not_a_permutation (1, 0, 2)
constexpr auto rows = plait::layout_c<plait::layout({4, 8}, "ab")>;
constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<0, 0>);
// FIXED: constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<1, 0>);

// EXPECT: dim_is_dynamic (2, 0, 0)
plait::dim_t offset(int c) {
    return plait::nChw16c<2, 17, plait::dynamic, 2>::offset(1, c, 2, 1);
    // FIXED: return plait::bind(plait::nChw16c<2, 17, plait::dynamic, 2>(), 3).offset(1, c, 2, 1);
}

// EXPECT: rank_differs (-1, 3, 4)
plait::dim_t offset(int c) {
    return plait::nChw16c<2, 17, 3, 2>::offset(1, c, 2);
    // FIXED: return plait::nChw16c<2, 17, 3, 2>::offset(1, c, 2, 1);
}

// EXPECT: position_is_out_of_range (1, 17, 17)
constexpr plait::dim_t refused = plait::nChw16c<2, 17, 3, 2>::offset(1, 17, 2, 1);
// FIXED: constexpr plait::dim_t refused = plait::nChw16c<2, 17, 3, 2>::offset(1, 16, 2, 1);

// EXPECT: rank_differs (3, 2)
constexpr auto rows = plait::layout_c<plait::layout({4, 8}, "ab")>;
constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<1, 2, 0>);
// FIXED: constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<1, 0>);

// EXPECT: volumes_differ (680, 681)
constexpr auto activations = plait::nchw<2, 17, 5, 4>{};
constexpr auto refused = plait::reshape(activations, plait::dims_c<681>);
// FIXED: constexpr auto refused = plait::reshape(activations, plait::dims_c<680>);

// EXPECT: data_is_null (-1, 384, 0)
constexpr float data[384]{};
constexpr plait::tensor_view<const float, plait::nChw16c<2, 17, 3, 2>> refused(nullptr, {});
// FIXED: constexpr plait::tensor_view<const float, plait::nChw16c<2, 17, 3, 2>> refused(data, {});

// EXPECT: index_type_is_too_small (-1, 368, 127)
using index_type = signed char;
// FIXED: using index_type = short;
using extents = plait_test::extents<index_type, 2, 17, 3, 2>;
auto span() { return plait::mdspan_layout<plait::nChw16c<2, 17, 3, 2>>::mapping<extents>().required_span_size(); }

// EXPECT: dims_differ (1, 17, 18)
using extents = plait_test::extents<int, 2, 18, plait_test::dynamic_extent, 2>;
// FIXED: using extents = plait_test::extents<int, 2, 17, plait_test::dynamic_extent, 2>;
using mapping = plait::mdspan_layout<plait::nChw16c<2, 17, 3, 2>>::mapping<extents>;
mapping made(const extents& e) { return e; }

// EXPECT: rank_differs (4, 3)
constexpr auto refused = plait::nChw16c<2, 17, 5>{};
// FIXED: constexpr auto refused = plait::nChw16c<2, 17, 5, 4>{};

// EXPECT: axis_is_out_of_range (4, 4)
float data[384];
plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());
auto refused = plait::slice(view, std::integral_constant<int, 4>(), 1);
// FIXED: auto refused = plait::slice(view, std::integral_constant<int, 3>(), 1);

// EXPECT: position_is_out_of_range (1, 2, 2)
constexpr float data[384]{};
constexpr plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());
constexpr float refused = view.block(1, 2, 2, 1)[0];
// FIXED: constexpr float refused = view.block(1, 1, 2, 1)[0];

// EXPECT: dim_is_dynamic (2, 0, 0)
float data[384];
plait::tensor_view refused(data, plait::nChw16c<2, 17, plait::dynamic, 2>());
// FIXED: plait::tensor_view refused(data, plait::bind(plait::nChw16c<2, 17, plait::dynamic, 2>(), 3));

// EXPECT: position_is_out_of_range (1, 17, 17)
constexpr float data[384]{};
constexpr plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());
constexpr float refused = view(1, 17, 2, 1);
// FIXED: constexpr float refused = view(1, 16, 2, 1);

// EXPECT: position_is_out_of_range (1, 17, 17)
constexpr float data[384]{};
constexpr plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());
constexpr float refused = view.at(1, 17, 2, 1);
// FIXED: constexpr float refused = view.at(1, 16, 2, 1);

// EXPECT: rank_differs (3, 4)
float data[384];
plait::tensor_view view(data, plait::nChw16c<2, 17, 3, 2>());
auto refused = plait::permute_axes(view, plait::permutation_c<0, 2, 1>);
// FIXED: auto refused = plait::permute_axes(view, plait::permutation_c<0, 3, 1, 2>);
