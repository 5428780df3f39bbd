#pragma once

#include <plait/algebra/is_injective.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The name of a layout.
using layout_name = inline_text<1023>;

/// Returns true if strides and inner blocks describe l completely, so that a memory descriptor of oneDNN can hold it.
/// True of every layout made from a tag. A view may need more digits, or digits that are not dense.
[[nodiscard]] constexpr bool is_blocking(const layout& l) {
    if (l.digits.size() > l.ndims() + max_inner_blocks) return false;
    detail::checked_integer stride{1};
    for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
        if (l.digits[k].stride != stride.value) return false;
        stride *= l.digits[k].extent;
    }
    return stride.ok();
}

namespace detail {
/// Returns the axes in the order of memory, outermost first: by stride, then the larger outer extent first, then the
/// lower axis first. A broadcast axis (stride 0) is outermost.
///
/// Pre:     l is blocked and has no dynamic strides
constexpr inline_list<int, max_ndims> memory_order(const layout& l) {
    inline_list<int, max_ndims> order;
    const auto lies_outside = [&l](int a, int b) {
        const digit &x = l.digits[a], &y = l.digits[b];
        // Backwards axes are ordered by the absolute value of the stride.
        const dim_t here = x.extent > 1 ? step_size(x.stride) : x.stride,
                    there = y.extent > 1 ? step_size(y.stride) : y.stride;
        if (here != there) return there != 0 && (here == 0 || here > there);
        return x.extent != y.extent ? x.extent > y.extent : a < b;
    };
    for (int a = 0; a < l.ndims(); ++a) {
        int at = order.size();
        order.push_back(a);
        for (; at > 0 && lies_outside(a, order[at - 1]); --at) order[at] = order[at - 1];
        order[at] = a;
    }
    return order;
}

/// Returns true if the tag alone determines where the elements of l are: l is dense, and the layout of these dims and
/// this tag has the same strides. Strides differ if l is padded further than to whole blocks, unless along the
/// outermost axis.
///
/// Pre:     l is blocked; the tag has its inner blocks, and its axes in the order of memory
[[nodiscard]] constexpr bool is_said_by_tag(const layout& l, const format_tag& tag) {
    if (!l.is_dense()) return false;
    if (!has_elements(l.dims)) return true;
    const expected<layout> made = try_layout(l.dims, tag);
    if (!made.has_value()) return false;
    bool more_padding = false;
    for (int a = 0; a < l.ndims(); ++a) more_padding = more_padding || l.padded_dims[a] > made->padded_dims[a];
    for (int a = 0; a < l.ndims(); ++a) {
        // Within one block no index steps by the outer stride. But it may be the only sign of more padding.
        const bool counts = more_padding ? stride_counts(l, a) : l.padded_dims[a] > l.block_size(a);
        if (counts && made->digits[a].stride != l.digits[a].stride) return false;
    }
    return true;
}
}  // namespace detail

/// Returns the tag that names l, with its axes in the order of memory and its inner blocks; empty if there is none.
///
/// Post:    if there is a tag, layout(l.dims, the tag, l.strides()) has the strides and inner blocks of l; or l has no
///          elements
/// Refused: (the result is empty) undefined, any and opaque layouts; inner blocks that are not dense; unknown strides;
///          a part of one block with unique places, if the elements of whole blocks would share places
[[nodiscard]] constexpr std::optional<format_tag> tag_of(const layout& l) {
    if (!detail::check_blocked(l).ok() || !is_blocking(l)) return std::nullopt;
    for (const digit& d : l.digits)
        if (!detail::is_known(d.stride)) return std::nullopt;
    format_tag tag;
    tag.kind = format_kind::blocked;
    tag.axes = detail::memory_order(l);
    tag.blocks = l.inner_blocks();
    if (detail::is_said_by_tag(l, tag)) return tag;
    const expected<layout> made = try_layout(l.dims, tag, l.strides());
    if (!made.has_value()) return std::nullopt;
    // The elements of a part of one block may have unique places although those of the whole block do not.
    return detail::check_nesting(*made).ok() || is_injective(*made) || !is_injective(l) ? std::optional(tag)
                                                                                        : std::nullopt;
}

/// Appends a tag in letters of one family: letters[a] for axis a, in upper case if the axis is blocked.
constexpr void append_tag(layout_name& out, const format_tag& tag, const char* letters) {
    for (int a : tag.axes) {
        const char letter = axis_family::lower(letters[a]);
        out += tag.block_size(a) == 1 ? letter : static_cast<char>(letter - 'a' + 'A');
    }
    for (const inner_block& block : tag.blocks) (out += block.size) += axis_family::lower(letters[block.axis]);
}

namespace detail {
/// Appends the strides of l after a colon: ":480x160x32x8".
constexpr void append_strides(layout_name& out, const layout& l) {
    for (int a = 0; a < l.ndims(); ++a) (out += a == 0 ? ':' : 'x') += l.digits[a].stride;
}

/// Appends the digits of l, each as axis:extent*stride. Possible for every layout.
constexpr void append_digits(layout_name& out, const layout& l) {
    for (const digit& d : l.digits) {
        if (out.size() > 0) out += ' ';
        ((out += d.axis < 0 || d.axis >= max_ndims ? '?' : axis_families[0].letters[d.axis]) += ':') += d.extent;
        (out += '*') += d.stride;
    }
}
}  // namespace detail

/// Returns the abstract format tag of l, followed by a colon and the strides if the tag does not determine them: if l
/// is not dense, or if its strides contain more padding than whole blocks need. A layout can be made again from this
/// name and its dims.
///
/// Other results:
/// - "undef", "any" and "opaque" for those kinds
/// - "*" if a stride is known only at run time
/// - the digits (axis:extent*stride) if no tag with strides describes them: if the inner blocks are not dense, or only
///   a part of one block has unique places
///
/// The name does not contain offset0, padding and padded offsets.
///
/// Pre:     none; any layout
/// Post:    if the name is a tag, layout(l.dims, tag) has the inner blocks of l, and the strides that any index steps
///          by; if it is tag:strides, layout(l.dims, tag, strides) has all of them. Either is same_memory as l if the
///          offset0 are equal and l has no padded offsets
/// Cost:    O(digits squared) steps
/// Source:  spec semantics 10
/// Example: examples/01_layouts.cpp
[[nodiscard]] constexpr layout_name format_name(const layout& l) {
    layout_name out;
    if (l.kind != format_kind::blocked)
        return out += l.kind == format_kind::undef ? "undef" : l.kind == format_kind::any ? "any" : "opaque";
    if (const std::optional<format_tag> tag = tag_of(l)) {
        append_tag(out, *tag, axis_families[0].letters);
        if (!detail::is_said_by_tag(l, *tag)) detail::append_strides(out, l);
        return out;
    }
    // If some digits are not numbers, listing them would tell no more than a star.
    if (detail::check_structure(l).ok() && is_blocking(l))
        for (const digit& d : l.digits)
            if (!detail::is_known(d.stride)) return out += "*";
    detail::append_digits(out, l);
    return out;
}

}  // namespace plait
