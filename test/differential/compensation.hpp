#pragma once
// Random weights that plait and oneDNN quantise. Both write compensation after the data.

#include "differential/reorder_cases.hpp"

#include <plait/contract/descriptor_reference.hpp>

#include <string>

namespace differential {

/// A format for which oneDNN writes compensation: the source and destination formats, and the axes with one sum per
/// index.
struct compensated_format {
    const char *from, *to;
    int mask;
};
inline constexpr compensated_format compensated_formats[] = {
    {"abc", "ABc4b16a4b", 1},     {"abcd", "ABcd4b16a4b", 1},   {"cdba", "ABcd4b16a4b", 1},
    {"abcd", "ABcd2b8a4b", 1},    {"cdba", "ABcd2b8a4b", 1},    {"abcd", "ABcd4b4a", 1},
    {"abcde", "aBCde4c16b4c", 3}, {"decab", "aBCde4c16b4c", 3}, {"abcde", "aBCde2c8b4c", 3},
    {"abcde", "Abcde16a", 3},     {"abcd", "Abcd16a", 3},       {"abcde", "Abcde8a", 3},
    {"ab", "BA16a64b4a", 2},      {"ba", "BA16a64b4a", 2},      {"abc", "aCB16b64c4b", 5},
    {"acb", "aCB16b64c4b", 5},    {"abcd", "cdba", 1},          {"abcde", "ABcde4b16a4b", 1},
    {"abcd", "ABcd16b64a4b", 1},  {"abcd", "AcdB16b64a4b", 1},  {"abcd", "Abcd8a", 3},
    {"abcd", "Abcd4a", 3},        {"abcde", "Abcde4a", 3},      {"acdb", "Abcd16a", 3},
    {"dcab", "Abcd16a", 3},       {"decab", "Abcde16a", 3},     {"abcd", "bacd", 3},
    {"abcd", "cbad", 3},          {"abcd", "cdba", 3},          {"abcd", "abcd", 3},
    {"abcd", "acdb", 3},          {"abcde", "decab", 3},        {"abc", "bac", 3},
    {"abcd", "BaCd4c16b4c", 3},   {"abcd", "ABcd16a16b", 3},    {"abcd", "ABcd16b16a", 3},
    {"abcd", "ABcd4b16a4b", 3},   {"ab", "AB16b16a", 3},        {"Abcd16a", "cdba", 3},
};

struct compensated_case {
    plait::descriptor src, dst;
    plait::reorder_attributes attributes;
    std::vector<float> scales;
    std::vector<std::byte> in;

    explicit compensated_case(random_source& random) {
        const auto number = random.between(0, static_cast<dim_t>(std::size(compensated_formats)) - 1);
        const compensated_format& format = compensated_formats[number];
        const auto from = *plait::parse_format_tag(format.from), to = *plait::parse_format_tag(format.to);
        plait::dims extents;
        for (int a = 0; a < from.ndims(); ++a) {
            const bool is_channel = to.block_size(a) > 1 || (from.ndims() < 4 && a < 2);
            const bool is_masked = (format.mask >> a & 1) != 0;
            // Each axis has at least two rows, because oneDNN takes the scales of other elements if there is one row.
            extents.push_back(is_channel  ? random.between(from.ndims() == 2 ? 2 : 1, 70)
                              : is_masked ? random.between(1, 9)
                                          : random.between(1, from.ndims() == 5 ? 2 : 3));
        }
        // Sometimes one channel per group, as in depthwise weights; oneDNN may leave out the sums then.
        if (format.mask == 3 && to.block_size(0) > 1 && random.once_in(4)) extents[1] = 1;
        // The data fill whole words, because oneDNN does not round their size up, and its sums would not be aligned.
        if (to.blocks.empty()) extents[0] = (extents[0] + 3) / 4 * 4;
        plait::extra extra;
        extra.s8s8_compensation = !random.once_in(3);
        extra.asymmetric_source_compensation = !extra.s8s8_compensation || random.once_in(2);
        if (extra.s8s8_compensation) extra.s8s8_mask = format.mask;
        if (extra.asymmetric_source_compensation) extra.asymmetric_source_mask = format.mask;
        if (random.once_in(3)) extra.scale_adjust = 0.5f;
        src = {random.once_in(2) ? plait::data_type::f32 : plait::data_type::s8, plait::layout(extents, from)};
        dst = {plait::data_type::s8, plait::layout(extents, to), extra};
        if (!random.once_in(3)) {
            const int mask = random.once_in(2) ? 0 : format.mask;
            for (dim_t i = plait::mask_volume(extents, mask); i > 0; --i)
                scales.push_back(static_cast<float>(random.between(1, 90)) / 64);
            attributes.src_scale = {scales, mask};
        }
        in.resize(src.size_in_bytes());
        for (std::size_t i = 0; i < in.size(); i += src.type == plait::data_type::f32 ? 4 : 1) {
            const auto x = static_cast<float>(random.between(-300, 300)) / 2;
            if (src.type == plait::data_type::f32) std::memcpy(&in[i], &x, sizeof(x));
            else in[i] = static_cast<std::byte>(random.between(0, 255));
        }
    }
    compensated_case(const compensated_case&) = delete;
    compensated_case& operator=(const compensated_case&) = delete;

    plait::dim_t elements_of_a_sum() const {
        plait::dim_t out = 1;
        for (int a = 0; a < dst.ndims(); ++a)
            if (((dst.extra.s8s8_mask | dst.extra.asymmetric_source_mask) >> a & 1) == 0) out *= dst.dims()[a];
        return out;
    }
    dnnl_memory_desc_t their_source() const { return plait::to_onednn(src); }
    dnnl_memory_desc_t their_destination() const { return plait::to_onednn(dst); }
    std::string text(const std::byte* ours, const std::byte* theirs, std::size_t bytes) const {
        std::size_t at = 0;
        while (at < bytes && ours[at] == theirs[at]) ++at;
        std::string out =
            std::string("\n  ") + plait::to_string(src.type) + " " + to_text(descriptor_of(src.layout)) + "\n  to " +
            to_text(descriptor_of(dst.layout)) + "\n  s8s8 mask " + std::to_string(dst.extra.s8s8_mask) +
            ", asymmetric mask " + std::to_string(dst.extra.asymmetric_source_mask) + ", scale mask " +
            std::to_string(attributes.src_scale.mask) + ", scale_adjust " + std::to_string(dst.extra.scale_adjust) +
            "\n  at byte " + std::to_string(at) + " of " + std::to_string(dst.data_size_in_bytes()) + ": plait ";
        const bool is_sum = at >= dst.data_size_in_bytes();
        for (const std::byte* from : {ours, theirs}) {
            std::int32_t sum = std::to_integer<std::int8_t>(from[at]);
            if (is_sum) std::memcpy(&sum, from + at / 4 * 4, sizeof(sum));
            out += std::to_string(sum) + (from == ours ? ", oneDNN " : "");
        }
        return out;
    }
};

}  // namespace differential
