#pragma once

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns true if l has the inner blocks of the wanted layout. Outermost digits are not compared.
[[nodiscard]] constexpr bool has_blocks_of(const layout& l, const layout& wanted) {
    if (l.digits.size() != wanted.digits.size()) return false;
    for (int k = l.ndims(); k < l.digits.size(); ++k)
        if (l.digits[k] != wanted.digits[k]) return false;
    return true;
}
}  // namespace detail

/// Returns true if l has the inner blocks of the tag, and the strides that the tag gives for its dims.
///
/// Pre:     none; any layout
/// Post:    matches_tag(layout(d, tag), tag) for every d; padding, padded_offsets and offset0 are not compared
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds rfc-memory-descriptor, 3
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr bool matches_tag(const layout& l, const format_tag& tag) {
    if (l.kind != tag.kind) return false;
    if (l.kind != format_kind::blocked) return true;
    const expected<layout> wanted = detail::make_layout(l.dims, tag);
    if (!wanted || !detail::has_blocks_of(l, *wanted)) return false;
    for (int a = 0; a < l.ndims(); ++a)
        if (detail::stride_counts(l, a) && l.digits[a].stride != wanted->digits[a].stride) return false;
    return true;
}

/// Returns true if l has the inner blocks of the tag and the given strides; a stride of -1 matches any.
///
/// Source:  seeds rfc-memory-descriptor, 3, example 2
[[nodiscard]] constexpr bool matches_tag(const layout& l, const format_tag& tag, const strides& steps) {
    if (l.kind != tag.kind || l.kind != format_kind::blocked || l.ndims() != steps.size()) return false;
    const expected<layout> wanted = detail::make_layout(l.dims, tag);
    if (!wanted || !detail::has_blocks_of(l, *wanted)) return false;
    for (int a = 0; a < l.ndims(); ++a)
        if (steps[a] != -1 && detail::stride_counts(l, a) && l.strides()[a] != steps[a]) return false;
    return true;
}

}  // namespace plait
