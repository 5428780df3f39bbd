#pragma once

#include <plait/core/layout.hpp>

namespace plait {

using layout_name = inline_text<1023>;

/// Whether strides and inner blocks say all about l, as they do for every layout made from a tag: a memory descriptor
/// of oneDNN can hold it. A view may need digits that are not dense, or more of them.
[[nodiscard]] constexpr bool is_blocking(const layout& l) {
    if (l.digits.size() > l.ndims() + max_inner_blocks) return false;
    dim_t stride = 1;
    for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
        if (l.digits[k].stride != stride) return false;
        stride *= l.digits[k].extent;
    }
    return true;
}

/// The axes in the order of memory, outermost first: by stride; among equal ones the larger outer extent, then the
/// lower axis first. A broadcast axis (stride 0) is outermost.
///
/// Pre:     l is blocked and has no dynamic strides
constexpr inline_list<int, max_ndims> memory_order(const layout& l) {
    inline_list<int, max_ndims> order;
    const auto lies_outside = [&l](int a, int b) {
        const digit &x = l.digits[a], &y = l.digits[b];
        if (x.stride != y.stride) return y.stride != 0 && (x.stride == 0 || x.stride > y.stride);
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

/// The abstract format tag of l, with its strides behind a colon if it is not dense.
///
/// "undef", "any" and "opaque" for those kinds; "*" where a stride is known only at run time; the digits
/// (axis:extent*stride) where the inner blocks are not dense.
///
/// Post:    for a dense l, padded to whole blocks and no further, layout(l.dims, the tag of this name) has the same
/// offsets Cost:    O(ndims squared) steps Example: examples/01_layouts.cpp
[[nodiscard]] constexpr layout_name format_name(const layout& l) {
    layout_name out;
    if (l.kind != format_kind::blocked)
        return out += l.kind == format_kind::undef ? "undef" : l.kind == format_kind::any ? "any" : "opaque";
    if (!is_blocking(l)) {
        for (const digit& d : l.digits) {
            if (out.size() > 0) out += ' ';
            ((out += static_cast<char>('a' + d.axis)) += ':') += d.extent;
            (out += '*') += d.stride;
        }
        return out;
    }
    for (const digit& d : l.digits)
        if (!is_known(d.stride)) return out += "*";
    for (int a : memory_order(l)) out += static_cast<char>((l.block_size(a) == 1 ? 'a' : 'A') + a);
    for (const inner_block& block : l.inner_blocks()) (out += block.size) += static_cast<char>('a' + block.axis);
    if (!l.is_dense())
        for (int a = 0; a < l.ndims(); ++a) (out += a == 0 ? ':' : 'x') += l.digits[a].stride;
    return out;
}

}  // namespace plait
