// Tensors known only at run time: type, layout and extra in one value; sizes, the algebra with verdicts, padding;
// reorders, planned once or run at once, and weights that are quantised on the way.

#include <plait/plait.hpp>

#include <cstdint>
#include <cstring>
#include <iostream>
#include <span>
#include <string>
#include <vector>

using plait::data_type, plait::descriptor, plait::extra, plait::layout, plait::status;

int main() {
    // A type and a layout, from numbers and text that need not be known before.
    const plait::dims image = {2, 17, 5, 4};
    const std::string tag = "nChw16c";
    const auto type = plait::parse_data_type("bf16");
    if (!type || !plait::check_layout(image, tag).ok()) return 1;
    descriptor d(*type, layout(image, tag));
    std::cout << to_string(d.type) << ' ' << d.layout << " takes " << d.size_in_bytes() << " bytes\n";

    // Every operation, with a verdict, which is a status to who wants no more: nothing is thrown, and what is refused
    // leaves the result as it was.
    if (plait::permute_axes(d, d, {0, 3, 1, 2}) != status::success || d.dims() != plait::dims{2, 5, 4, 17}) return 2;
    std::cout << "axes permuted: " << d.layout << "\nreshape: " << plait::reshape(d, d, {24}) << '\n';
    // Or as values: thrown where refused, or the reason in place of the value.
    if (plait::try_reshape(d, {24}).error() != plait::check_reshape(d, {24}) || d.ndims() != 4) return 3;

    // Padding is zero: who writes elements one by one sees to it, and nothing but padding is written.
    std::vector<unsigned short> data(d.buffer_size_in_bytes() / 2, 0x3f80);
    const bool before = plait::is_padding_zero(d, data.data());
    plait::zero_pad(d, data.data());
    std::cout << "padding zero: " << before << ", then " << plait::is_padding_zero(d, data.data()) << '\n';
    if (data[0] != 0x3f80 || data[320] != 0x3f80 || data[321] != 0) return 5;  // channel 16, and the place behind it

    // The plan of a reorder is a value: made once, run often, by any number of threads.
    const descriptor plain(data_type::f32, layout(image, "nchw")), blocked(data_type::f32, layout(image, tag));
    std::vector<float> in(plain.size_in_bytes() / sizeof(float)), out(blocked.size_in_bytes() / sizeof(float), -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const auto planned = plait::make_reorder(plain, blocked);
    if (!planned) return 6;
    (*planned)(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)));
    std::cout << "element (1, 16, 2, 3) was " << in[static_cast<std::size_t>(plain.layout.offset(1, 16, 2, 3))]
              << " and is " << out[static_cast<std::size_t>(blocked.layout.offset(1, 16, 2, 3))] << '\n';
    // Sizes are checked, and nothing is written where they will not do.
    const auto short_of_one = std::as_writable_bytes(std::span(out)).first(out.size() * sizeof(float) - 1);
    std::cout << planned->attempt(std::as_bytes(std::span(in)), short_of_one).error() << '\n';

    // Quantised weights: what a convolution has to subtract lies behind them, one s32 for each padded output channel.
    // The mask goes where its axis goes; an operation that would make it wrong is refused.
    const extra compensated = {.s8s8_compensation = true, .s8s8_mask = 1};
    const descriptor floats(data_type::f32, layout({17, 23, 3, 3}, "oihw"));
    const descriptor weights(data_type::s8, layout({17, 23, 3, 3}, "OIhw4i16o4i"), compensated);
    std::cout << "weights: " << weights.size_in_bytes() << " bytes, " << weights.s8s8_count() << " sums from "
              << weights.s8s8_begin() << " on\n";
    if (plait::permute_axes(weights, {1, 0, 2, 3}).extra.s8s8_mask != 2) return 7;
    std::cout << plait::check_reshape(weights, {17, 23, 9}) << '\n';

    // Planned and run at once: 0.5 at a scale of a quarter is 2, and a sum -128 * 2 * 23 * 3 * 3.
    const std::vector<float> filters(floats.size_in_bytes() / sizeof(float), 0.5f);
    std::vector<std::byte> quantised(weights.size_in_bytes());
    plait::reorder(floats, filters.data(), weights, quantised.data(), {.dst_scale = 0.25f});
    std::int32_t sum = 0;
    std::memcpy(&sum, quantised.data() + weights.s8s8_begin(), sizeof(sum));
    std::cout << "a weight is " << static_cast<int>(quantised[0]) << ", the sum of channel 0 " << sum << '\n';
    return quantised[0] == std::byte{2} && sum == -128 * 2 * 23 * 3 * 3 ? 0 : 8;
}
