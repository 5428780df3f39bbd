#pragma once
// Operations on descriptors of any type, any extra and any layout. No call crashes, and a refused call changes nothing.

#include "fuzz/laws.hpp"

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/descriptor/queries.hpp>
#include <plait/reorder/zero_pad.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace fuzz {

using plait::descriptor;

inline descriptor descriptor_from(const layout& l, byte_source& bytes) {
    descriptor d;
    d.type = bytes.once_in(8) ? static_cast<plait::data_type>(bytes.integer())
                              : static_cast<plait::data_type>(bytes.below(10));
    d.layout = l;
    if (!bytes.once_in(2)) return d;
    d.type = bytes.once_in(8) ? d.type : plait::data_type::s8;
    d.extra.s8s8_compensation = bytes.once_in(2);
    d.extra.asymmetric_source_compensation = bytes.once_in(2);
    if (d.extra.s8s8_compensation || bytes.once_in(8))
        d.extra.s8s8_mask = bytes.once_in(8) ? bytes.integer() : bytes.below(8);
    if (d.extra.asymmetric_source_compensation) d.extra.asymmetric_source_mask = bytes.below(8);
    if (bytes.once_in(4)) d.extra.scale_adjust = static_cast<float>(bytes.below(4)) / 2 - 0.5f;
    return d;
}

/// Checks that zero_pad writes only within its buffer, and that a second call changes nothing.
inline void pad(const descriptor& d) {
    if (!is_small(d.layout) || d.buffer_size_in_bytes() > 1 << 15) return;
    std::vector<unsigned char> data(d.buffer_size_in_bytes(), 0xa5);
    const bool allowed = check_zero_pad(d).ok();
    const bool done = try_zero_pad(d, data.empty() ? nullptr : data.data()).has_value();
    if (done != allowed) found("allowed, and not done; or the reverse", "zero_pad", d.layout);
    if (done && !is_padding_zero(d, data.data())) found("not zero after it", "is_padding_zero", d.layout);
    std::size_t elements = 0;
    for (const unsigned char byte : data) elements += byte != 0;
    const bool shared = !plait::is_injective(d.layout);
    const auto size = static_cast<std::size_t>(size_in_bytes(d.type));
    if (done && !shared && elements < static_cast<std::size_t>(d.layout.volume()) * size)
        found("elements were overwritten", "zero_pad", d.layout);
}

inline void look_at_descriptor(const descriptor& d) {
    static_cast<void>(check_reorder(d, d));
    if (!plait::check_descriptor(d).ok()) {
        if (try_zero_pad(d, nullptr).has_value()) found("no descriptor, and yet padded", "zero_pad", d.layout);
        return;
    }
    static_cast<void>(hash_of(d));
    static_cast<void>(format_name(d));
    if (!plait::check_size(d).ok()) return;
    if (d.size_in_bytes() > d.buffer_size_in_bytes() || d.size_in_bytes() > d.memory_size_in_bytes())
        found("more than there is", "size_in_bytes", d.layout);
    if (plait::detail::check_static(d.layout).ok()) pad(d);
}

/// Returns the offset of each element and the number of its sum.
inline std::vector<std::pair<plait::dim_t, plait::dim_t>> sums_of_elements(const descriptor& d) {
    std::vector<std::pair<plait::dim_t, plait::dim_t>> out;
    const layout sums = plait::compensation_layout(d.layout, d.extra.s8s8_mask);
    for (plait::dim_t number = 0; number < d.layout.volume(); ++number)
        out.emplace_back(d.layout.linear_offset(number), sums.linear_offset(number));
    std::sort(out.begin(), out.end());
    return out;
}
/// Checks that each element has the same place and belongs to the same sum as before. Only tensors with sums are
/// checked.
inline bool keeps_sums(const descriptor& before, const descriptor& after) {
    if (!before.extra.s8s8_compensation || !after.extra.s8s8_compensation) return true;
    if (!plait::check_size(before).ok() || !is_small(before.layout)) return true;
    return before.s8s8_begin() == after.s8s8_begin() && before.s8s8_count() == after.s8s8_count() &&
           sums_of_elements(before) == sums_of_elements(after);
}

/// Compares the status form of an operation, in place, with its result on the layout.
template <class Into>
void run_descriptor(const char* name, const descriptor& before, const plait::verdict& why,
                    const plait::expected<layout>& made, const Into& into) {
    if constexpr (requires(descriptor d) { into(d, d); }) {
        descriptor d = before;
        const plait::status answer = into(d, d);
        if (answer == plait::status::success) {
            if (!made || !same_value(*made, d.layout)) found("a descriptor has another result", name, before.layout);
            if (!plait::check_descriptor(d).ok()) found("the result is no descriptor", name, before.layout, d.layout);
            if (!keeps_sums(before, d)) found("a sum is another one's, or moved", name, before.layout, d.layout);
            return;
        }
        if (!same_value(d.layout, before.layout) || d.type != before.type)
            found("refused, and changed", name, before.layout);
        // If the layout is allowed, only a property of a descriptor may be the reason of a refusal: of the one before,
        // or of the result, such as a block whose size does not fit.
        descriptor result;
        result.type = before.type;
        if (made) result.layout = *made;
        const bool plain = plait::check_descriptor(before).ok() && before.extra.empty();
        if (plain && before.type == plait::data_type::s8 && why.ok() && is_small(before.layout) && is_small(*made) &&
            plait::check_descriptor(result).ok())
            found("refused for no reason", name, before.layout);
    }
}

}  // namespace fuzz
