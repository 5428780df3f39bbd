// Tensors known only at run time: type, layout and extra in one value; sizes, the algebra with statuses, padding.

#include <plait/plait.hpp>

#include <vector>

using plait::data_type, plait::descriptor, plait::extra, plait::layout, plait::reason, plait::status;

int main() {
    // A type and a layout, from numbers and text that need not be known before.
    const plait::dims image = {2, 17, 5, 4};
    const auto tag = plait::parse_format_tag("nChw16c");
    if (!tag) return 1;
    descriptor d(data_type::bf16, layout(image, *tag));
    if (d.size_in_bytes() != 2u * 32 * 5 * 4 * 2) return 2;

    // Every operation, with a status: nothing is thrown, and what is refused leaves the result as it was.
    if (plait::permute_axes(d, d, {0, 3, 1, 2}) != status::success || d.dims() != plait::dims{2, 5, 4, 17}) return 3;
    if (plait::reshape(d, d, {24}) != status::invalid_arguments || d.ndims() != 4) return 4;
    if (plait::check_reshape(d, {24}).reason != reason::volumes_differ) return 5;
    // Or as values: thrown, or empty, where refused.
    if (plait::join_axes(descriptor(data_type::f32, layout(image, "nchw")), 2, 3).dims()[2] != 20) return 6;
    if (plait::try_reshape(d, {24})) return 7;

    // Padding is zero: who writes elements one by one sees to it, and nothing but padding is written.
    std::vector<unsigned short> data(d.buffer_size_in_bytes() / 2, 0x3f80);
    if (plait::is_padding_zero(d, data.data())) return 8;
    if (plait::zero_pad(d, data.data()) != status::success || !plait::is_padding_zero(d, data.data())) return 9;
    if (data[0] != 0x3f80 || data[320] != 0x3f80 || data[321] != 0) return 10;  // channel 16, and the place behind it

    // Quantised weights: what a convolution has to subtract lies behind them, one s32 for each padded output channel.
    const extra compensated = {.s8s8_compensation = true, .s8s8_mask = 1};
    const descriptor weights(data_type::s8, layout({17, 23, 3, 3}, "OIhw4i16o4i"), compensated);
    if (weights.s8s8_begin() != 9216 || weights.s8s8_count() != 32 || weights.size_in_bytes() != 9344) return 11;
    // The mask goes where its axis goes; an operation that would make it wrong is refused.
    if (plait::permute_axes(weights, {1, 0, 2, 3}).extra.s8s8_mask != 2) return 12;
    if (plait::check_reshape(weights, {17, 23, 9}).reason != reason::descriptor_has_extra) return 13;
    // Floats can become these; what they became cannot go on, for its compensation would be lost.
    const descriptor floats(data_type::f32, layout({17, 23, 3, 3}, "oihw"));
    if (!plait::check_reorder(floats, weights).ok()) return 14;
    return plait::check_reorder(weights, floats).ok() ? 15 : 0;
}
