#pragma once
// Layouts as functions: the laws by going through all elements, and an oracle that says whether a function could have
// been a layout at all.

#include "laws/random_layouts.hpp"

#include <plait/core/layout.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace plait_test {

using plait::layout;

/// The layout over the axes of `shape` whose offset at p is f(p), if there is one: each axis taken apart into digits,
/// greedily from the inside. The longest run of equal steps is the innermost digit (a shorter one would only cut it),
/// and has to divide the axis; then the same for every so many-th index. Views of a part of one block are left out.
///
/// `f` takes a position in the padded extents of `shape`.
inline std::optional<layout> layout_of_function(const layout& shape,
                                                const std::function<dim_t(const plait::position&)>& f) {
    layout out = shape;
    out.digits = {};
    plait::position zero;
    for (int a = 0; a < shape.ndims(); ++a) zero.push_back(0);
    out.offset0 = f(zero);
    plait::digit_list inner;
    for (int a = 0; a < shape.ndims(); ++a) {
        const dim_t n = shape.padded_dims[a];
        std::vector<dim_t> along;
        for (dim_t i = 0; i < n; ++i) {
            plait::position at = zero;
            at[a] = i;
            along.push_back(f(at) - out.offset0);
        }
        std::vector<plait::digit> digits;  // from the inside
        for (dim_t every = 1; every < n;) {
            dim_t run = 1;
            const dim_t step = along[static_cast<std::size_t>(every)];
            while (run * every < n && along[static_cast<std::size_t>(run * every)] == run * step) ++run;
            if (n % (run * every) != 0) return std::nullopt;
            digits.push_back({a, run, step});
            every *= run;
        }
        if (digits.empty()) digits.push_back({a, n, 0});
        out.digits.push_back(digits.back());
        for (std::size_t k = digits.size() - 1; k-- > 0;) inner.push_back(digits[k]);
    }
    if (out.digits.size() + inner.size() > plait::max_digits) return std::nullopt;
    for (const plait::digit& d : inner) out.digits.push_back(d);
    sort_inner_digits(out);
    if (!check_layout(out).ok()) return std::nullopt;
    for (dim_t i = 0; i < shape.padded_volume(); ++i) {
        const plait::position at = unravel(shape.padded_dims, i);
        if (out.padded_offset(at) != f(at)) return std::nullopt;
    }
    return out;
}

/// Up to `axes` axes of up to `largest` elements: any order, blocks and padding, gaps, and sometimes a broadcast axis.
inline layout random_function(random_source& random, int axes, dim_t largest) {
    static constexpr dim_t usual[] = {1, 2, 2, 3, 4, 4, 5, 6, 8, 12};
    const int n = static_cast<int>(random.between(1, axes));
    plait::dims extents;
    for (int a = 0; a < n; ++a) extents.push_back(std::min(usual[random.between(0, 9)], largest));
    const plait::format_tag tag = random.tag(n, random.once_in(3) ? 2 : 0, 4);
    layout out(extents, tag);
    if (random.once_in(2)) {
        plait::strides steps = out.strides();
        dim_t factor = 1;
        for (int k = n - 1; k >= 0; --k) {
            if (random.once_in(3)) factor *= random.between(2, 3);
            steps[tag.axes[k]] *= factor;
        }
        if (random.once_in(6)) steps[static_cast<int>(random.between(0, n - 1))] = 0;
        if (const std::optional<layout> made = try_layout(extents, tag, steps)) out = *made;
    }
    if (random.once_in(8)) out.offset0 = random.between(0, 5);
    return out;
}

/// A view of the first elements of a block along an axis that has one; else l.
inline layout part_of_a_block(random_source& random, layout l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (const dim_t block = l.block_size(a); block > 1) {
            l.dims[a] = l.padded_dims[a] = random.between(1, block);
            l.digits[a].extent = 1;
            return l;
        }
    return l;
}

}  // namespace plait_test
