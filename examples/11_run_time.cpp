// Tensors known only at run time: type, layout and extra in one value; sizes, the algebra with verdicts, padding;
// reorders, planned once or run at once, and weights that are quantised on the way.

#include <plait/plait.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

using plait::data_type, plait::descriptor, plait::extra, plait::layout, plait::reason, plait::status;

int main() {
    // A type and a layout, from numbers and text that need not be known before.
    const plait::dims image = {2, 17, 5, 4};
    const std::string tag = "nChw16c";
    const auto type = plait::parse_data_type("bf16");
    if (!type || !plait::check_layout(image, tag).ok()) return 1;
    descriptor d(*type, layout(image, tag));
    if (d.size_in_bytes() != 2u * 32 * 5 * 4 * 2) return 2;

    // Every operation, with a verdict, which is a status to who wants no more: nothing is thrown, and what is refused
    // leaves the result as it was.
    if (plait::permute_axes(d, d, {0, 3, 1, 2}) != status::success || d.dims() != plait::dims{2, 5, 4, 17}) return 3;
    if (plait::reshape(d, d, {24}) != status::invalid_arguments || d.ndims() != 4) return 4;
    if (plait::check_reshape(d, {24}).reason != reason::volumes_differ) return 5;
    // Or as values: thrown where refused, or the reason in place of the value.
    if (plait::join_axes(descriptor(data_type::f32, layout(image, "nchw")), 2, 3).dims()[2] != 20) return 6;
    if (plait::try_reshape(d, {24}).error() != plait::check_reshape(d, {24})) return 7;

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
    if (plait::check_reorder(weights, floats).ok()) return 15;

    // The plan of a reorder is a value: made once, run often, by any number of threads.
    const descriptor plain(data_type::f32, layout(image, "nchw")), blocked(data_type::f32, layout(image, tag));
    std::vector<float> in(plain.size_in_bytes() / sizeof(float)), out(blocked.size_in_bytes() / sizeof(float), -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const auto planned = plait::make_reorder(plain, blocked);
    if (!planned || (*planned)(in.data(), out.data()) != status::success) return 16;
    std::printf("element (1, 16, 2, 3) was %g and is %g; the padding behind it is %g\n", in[671],
                out[static_cast<std::size_t>(blocked.layout.offset(1, 16, 2, 3))],
                out[static_cast<std::size_t>(blocked.layout.padded_offset(1, 17, 2, 3))]);
    if (out[static_cast<std::size_t>(blocked.layout.offset(1, 16, 2, 3))] != in[671]) return 17;
    // Where sizes are passed they are checked, and nothing is written where they will not do.
    const auto short_of_one = std::as_writable_bytes(std::span(out)).first(out.size() * sizeof(float) - 1);
    const plait::verdict too_small = (*planned)(std::as_bytes(std::span(in)), short_of_one);
    std::printf("%s\n",
                describe(too_small).c_str());  // "... the destination has 5119 bytes, but its tensor needs 5120"
    if (too_small.reason != reason::buffer_is_too_small || too_small.first + 1 != too_small.second) return 18;
    // Other extents: there is no such reorder, and so no plan, but the reason.
    if (plait::make_reorder(plain, floats).error() != plait::check_reorder(plain, floats)) return 19;

    // Planned and run at once: back, and to weights with their sums. The scale is a quarter: 0.5 becomes 2.
    std::vector<float> back(in.size());
    if (plait::reorder(blocked, out.data(), plain, back.data()) != status::success || back != in) return 20;
    const std::vector<float> filters(floats.size_in_bytes() / sizeof(float), 0.5f);
    std::vector<std::byte> quantised(weights.size_in_bytes());
    if (plait::reorder(floats, filters.data(), weights, quantised.data(), {.dst_scale = 0.25f}) != status::success)
        return 21;
    std::int32_t sum = 0;
    std::memcpy(&sum, quantised.data() + weights.s8s8_begin(), sizeof(sum));
    std::printf("a weight is %d; what to add for output channel 0 is %d\n", static_cast<int>(quantised[0]), sum);
    return quantised[0] == std::byte{2} && sum == -128 * 2 * 23 * 3 * 3 ? 0 : 22;
}
