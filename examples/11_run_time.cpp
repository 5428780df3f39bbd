// Tensors known only at run time: a descriptor is the element type, the layout and the extra data. The program shows
// sizes, operations with verdicts, padding, reorders with and without a plan, and quantised weights.

#include <plait/plait.hpp>

#include <cstdint>
#include <cstring>
#include <iostream>
#include <span>
#include <string>
#include <vector>

using plait::data_type, plait::descriptor, plait::extra, plait::layout, plait::status;

int main() {
    // A type and a layout from numbers and text that are known only at run time.
    const plait::dims image = {2, 17, 5, 4};
    const std::string tag = "nChw16c";
    const auto type = plait::parse_data_type("bf16");
    if (!type || !plait::check_layout(image, tag).ok()) return 1;
    descriptor d(*type, layout(image, tag));
    std::cout << to_string(d.type) << ' ' << d.layout << " takes " << d.size_in_bytes() << " bytes\n";

    // Each operation has an overload that returns a verdict and never throws. A verdict can be compared with a status.
    // If the operation fails, the result is unchanged.
    if (plait::permute_axes(d, d, {0, 3, 1, 2}) != status::success || d.dims() != plait::dims{2, 5, 4, 17}) return 2;
    std::cout << "axes permuted: " << d.layout << "\nreshape: " << plait::reshape(d, d, {24}) << '\n';
    // Other overloads return the descriptor and throw if they fail; try_ functions return the verdict in its place.
    if (plait::try_reshape(d, {24}).error() != plait::check_reshape(d, {24}) || d.ndims() != 4) return 3;

    // Padding must be zero. A program that writes elements one by one calls zero_pad, which writes only the padding.
    std::vector<unsigned short> data(d.buffer_size_in_bytes() / 2, 0x3f80);
    const bool before = plait::is_padding_zero(d, data.data());
    plait::zero_pad(d, data.data());
    std::cout << "padding zero: " << before << ", then " << plait::is_padding_zero(d, data.data()) << '\n';
    if (data[0] != 0x3f80 || data[320] != 0x3f80 || data[321] != 0) return 5;  // channel 16, and the place after it

    // The plan of a reorder is a value: make it once, run it any number of times, from any number of threads.
    const descriptor plain(data_type::f32, layout(image, "nchw")), blocked(data_type::f32, layout(image, tag));
    std::vector<float> in(plain.size_in_bytes() / sizeof(float)), out(blocked.size_in_bytes() / sizeof(float), -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const auto planned = plait::make_reorder(plain, blocked);
    if (!planned) return 6;
    (*planned)(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)));
    std::cout << "element (1, 16, 2, 3) was " << in[static_cast<std::size_t>(plain.layout.offset(1, 16, 2, 3))]
              << " and is " << out[static_cast<std::size_t>(blocked.layout.offset(1, 16, 2, 3))] << '\n';
    // The sizes of the buffers are checked. If one is too small, nothing is written.
    const auto short_of_one = std::as_writable_bytes(std::span(out)).first(out.size() * sizeof(float) - 1);
    std::cout << planned->attempt(std::as_bytes(std::span(in)), short_of_one).error() << '\n';

    // Quantised weights are followed by the sums that a convolution must subtract, one s32 for each padded output
    // channel. The mask follows its axis. An operation that would make the mask wrong fails.
    const extra compensated = {.s8s8_compensation = true, .s8s8_mask = 1};
    const descriptor floats(data_type::f32, layout({17, 23, 3, 3}, "oihw"));
    const descriptor weights(data_type::s8, layout({17, 23, 3, 3}, "OIhw4i16o4i"), compensated);
    std::cout << "weights: " << weights.size_in_bytes() << " bytes, " << weights.s8s8_count() << " sums from "
              << weights.s8s8_begin() << " on\n";
    if (plait::permute_axes(weights, {1, 0, 2, 3}).extra.s8s8_mask != 2) return 7;
    std::cout << plait::check_reshape(weights, {17, 23, 9}) << '\n';

    // Plans and runs in one call: 0.5 at a scale of 0.25 is 2, and a sum is -128 * 2 * 23 * 3 * 3.
    const std::vector<float> filters(floats.size_in_bytes() / sizeof(float), 0.5f);
    std::vector<std::byte> quantised(weights.size_in_bytes());
    plait::reorder(floats, filters.data(), weights, quantised.data(), {.dst_scale = 0.25f});
    std::int32_t sum = 0;
    std::memcpy(&sum, quantised.data() + weights.s8s8_begin(), sizeof(sum));
    std::cout << "a weight is " << static_cast<int>(quantised[0]) << ", the sum of channel 0 " << sum << '\n';
    return quantised[0] == std::byte{2} && sum == -128 * 2 * 23 * 3 * 3 ? 0 : 8;
}
