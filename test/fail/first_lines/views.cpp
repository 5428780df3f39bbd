// Mistakes with views.
#include <plait/plait.hpp>
#include <plait/reorder/converted_rows.hpp>

#include <vector>

// BOTH: for_each_block calls its action with three arguments
float* data;
void run() {
    const plait::tensor_view image(data, plait::nChw16c<1, 64, 8, 8>());
#ifdef FIXED
    for_each_block(image, [](const plait::position&, std::span<float, 16> block, const plait::dims&) { block[0] = 0; });
#else
    for_each_block(image, [](std::span<float, 16> block) { block[0] = 0; });
#endif
}

// BOTH: for_each_element calls its action with one argument: the element
float* data;
void run() {
    const plait::tensor_view image(data, plait::nchw<1, 64, 8, 8>());
    for_each_element(image, [](const plait::position&, float& x) { x = 0; });
    // FIXED: for_each_element(image, [](float& x) { x = 0; });
}

// BOTH: for_each_position calls its action with two arguments: the plait::position and the element
float* data;
void run() {
    const plait::tensor_view image(data, plait::nchw<1, 64, 8, 8>());
    for_each_position(image, [](float& x) { x = 0; });
    // FIXED: for_each_position(image, [](const plait::position&, float& x) { x = 0; });
}

// GCC: no matching function for call to ‘convolve(plait::u_0::tensor_view<const float, plait::u_0::nchw<
// GCC: with_axes<W,
// GCC: {"oihw", 4}>
// CLANG: constraints not satisfied [with W = plait::nchw<64, 64, 3, 3>]
template <class W>
    requires plait::with_axes<W, "oihw">
void convolve(plait::tensor_view<const float, W>) {}
const float* weights;
void run() {
    convolve(plait::tensor_view(weights, plait::nchw<64, 64, 3, 3>()));
    // FIXED: convolve(plait::tensor_view(weights, plait::oihw<64, 64, 3, 3>()));
}

// GCC: no matching function for call to ‘relu(plait::u_0::tensor_view<float, plait::u_0::nhwc<1, 64, 8, 8> >)’
// GCC: matches<L,
// GCC: {"nChw16c"}>
// CLANG: constraints not satisfied [with L = plait::nhwc<1, 64, 8, 8>]
// CLANG: plait::matches<L, "nChw16c">
template <class L>
void relu(plait::tensor_view<float, L>) requires plait::matches<L, "nChw16c"> {}
float* data;
void run() {
    relu(plait::tensor_view(data, plait::nhwc<1, 64, 8, 8>()));
    // FIXED: relu(plait::tensor_view(data, plait::nChw16c<1, 64, 8, 8>()));
}

// BOTH: number_of_indices_differs<
// BOTH: indices<5>
// BOTH: axes<4>
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
float first(float* data) {
    const auto v = zero_pad(plait::tensor_view(data, blocked()));
    return v.at(0, 0, 0, 0, 0);
    // FIXED: return v.at(0, 0, 0, 0);
}

// BOTH: number_of_indices_differs<
// BOTH: indices<3>
// BOTH: axes<4>
// ERRORS: any
// Clang repeats the error of a deleted call operator.
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
float first(float* data) {
    const plait::tensor_view v(data, plain());
    return v(0, 0, 0);
    // FIXED: return v(0, 0, 0, 0);
}

// GCC: no matching function for call to ‘sum_of_blocks(plait::u_0::tensor_view<float, plait::u_0::nChw16c<
// GCC: zero_padded<
// CLANG: constraints not satisfied
template <plait::zero_padded X>
float sum_of_blocks(const X&);
float* data;
void run() {
    sum_of_blocks(plait::tensor_view(data, plait::nChw16c<1, 17, 2, 2>()));
    // FIXED: sum_of_blocks(plait::zero_pad(plait::tensor_view(data, plait::nChw16c<1, 17, 2, 2>())));
}

// GCC: part_cuts_a_block: along axis 1 the part begins or ends at 8, inside a block of 16
// CLANG: &part_cuts_a_block, plait::rejected::axis<1>, plait::rejected::numbers<8, 16>
float* part(float* data) {
    const plait::tensor_view v(data, plait::nChw16c<1, 64, 56, 56>());
    return &plait::submemory(v, plait::dims_c<1, 32, 56, 56>, plait::position_c<0, 8, 0, 0>)(0, 0, 0, 0);
    // FIXED: return &plait::submemory(v, plait::dims_c<1, 32, 56, 56>, plait::position_c<0, 16, 0, 0>)(0, 0, 0, 0);
}

// GCC: values_are_quantized: the elements stand for other numbers (scale: f32
// CLANG: values_are_quantized
float first_of(const plait::plain_values auto& x) { return x(0); }
float first_of(const auto& x) {
    require_plain_values(x);
    return 0;
}
const std::int8_t* data;
const plait::tensor_view codes(data, plait::format<"a", 3>());
void run() {
    first_of(plait::with_quantization(codes, plait::per_tensor(0.5f)));
    // FIXED: first_of(codes);
}

// BOTH: of a vector v, of v.data()
float first(std::vector<float>& data) {
    return plait::tensor_view(data, plait::nChw16c<1, 64, 56, 56>())(0, 0, 0, 0);
    // FIXED: return plait::tensor_view(data.data(), plait::nChw16c<1, 64, 56, 56>())(0, 0, 0, 0);
}

// BOTH: a_reorder_of_views_needs_layouts_that_are_types_otherwise_pass_layouts_and_pointers
// BOTH: layout>
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_any(const float* in, float* out, const plait::layout& l) {
    const plait::tensor_view from(in, plain());
    const plait::tensor_view to(out, l);
    reorder(from, to);
    // FIXED: reorder(from.plain_layout(), from.data(), to.plain_layout(), to.data());
}

// BOTH: elements_smaller_than_a_byte_are_reordered_by_pointers_to_their_bytes_with_both_types_named
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(std::byte* in, float* out) {
    reorder(plait::tensor_view(plait::nibbles<plait::u4>(in), plain()), plait::tensor_view(out, blocked()));
    // FIXED: plait::reorder<plain::value, blocked::value, plait::u4, float>(in, out);
}

// BOTH: elements_smaller_than_a_byte_are_read_through_tables_by_make_reorder_of_descriptors_with_reorder_tables
using rows = plait::formats::ab<29, 4>;
const plait::descriptor four_bits(plait::data_type::u4, rows::value);
void to_pages(std::byte* in, std::byte* out, const std::vector<int>& table) {
    const plait::tensor_view from(plait::nibbles<plait::u4>(in), rows()), to(plait::nibbles<plait::u4>(out), rows());
    reorder(from, plait::paged<0, 1>(to, table, 29));
    // FIXED: (*plait::make_reorder(four_bits, four_bits, {.destination_table = {0}}))(in, out, {.destination = table});
}

// BOTH: elements_that_are_no_numbers_of_plait_are_moved_to_the_same_type_and_not_converted
// GCC: const long int
// CLANG: const long
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const long* in, float* out) {
    // FIXED: void to_blocks(const int* in, float* out) {
    reorder(plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}

// GCC: assignment of read-only location
// CLANG: which returns const-qualified type 'plait::tensor_view<const float,
float* data;
void run() {
    const plait::tensor_view image(static_cast<const float*>(data), plait::nchw<1, 64, 8, 8>());
    // FIXED: const plait::tensor_view image(data, plait::nchw<1, 64, 8, 8>());
    image(0, 1, 2, 3) = 5;
}

// GCC: axis_is_named_otherwise: axis 0 is called \'n\' by its tensor, but \'o\' where the tensor is used
// CLANG: &axis_is_named_otherwise, plait::rejected::axis<0>, plait::rejected::letters<'n', 'o'>
void convolve(const plait::nchw<64, 64, 3, 3>& weights) {
    // FIXED: void convolve(const plait::oihw<64, 64, 3, 3>& weights) {
    plait::require_axes<"oihw">(weights);
}

// GCC: mask_is_out_of_range: the mask 32 of an attribute has bits beyond the 4 axes
// CLANG: &mask_is_out_of_range, plait::rejected::no_axis, plait::rejected::numbers<32, 4>
std::vector<float> scales(64, 1.0f);
auto quantised(std::int8_t* data) {
    const plait::tensor_view image(data, plait::nchw<1, 64, 8, 8>());
    return with_quantization(image, plait::per_index<5>(scales));
    // FIXED: return with_quantization(image, plait::per_index<1>(scales));
}
