#pragma once
// Layouts as functions: laws that are checked for all elements, and a search for the layout of a function.

#include "laws/random_layouts.hpp"

#include <plait/algebra/compose.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace plait_test {

using plait::layout;

/// A mode of a layout in CuTe: its extent and its stride.
struct cute_mode {
    dim_t extent, stride;
};

/// True if l is the function of a layout in CuTe with these flattened modes. In CuTe the first mode is the fastest; in
/// plait the last axis is the fastest. With the axes in reverse order, elements have equal numbers.
constexpr bool is_cute(const layout& l, std::initializer_list<cute_mode> modes) {
    dim_t volume = 1;
    for (const cute_mode& mode : modes) volume *= mode.extent;
    if (volume != l.volume() || !check_layout(l).ok()) return false;
    for (dim_t i = 0; i < volume; ++i) {
        dim_t offset = 0, rest = i;
        for (const cute_mode& mode : modes) {
            offset += rest % mode.extent * mode.stride;
            rest /= mode.extent;
        }
        if (l.linear_offset(i) != offset) return false;
    }
    return true;
}

/// Layouts with one or two axes, for laws that are checked at compile time.
inline constexpr layout tiny_functions[] = {
    layout({1}, "a"),         layout({6}, plait::strides{2}),
    layout({2, 4}, "ba"),     layout({2, 6}, plait::strides{2, 8}),
    layout({4, 4}, "AB2a2b"), layout({3, 4}, plait::strides{0, 3}),
    layout({3, 4}, "Ba2b"),
};

/// True if compose(a, b) has the offset of a at each offset of b, padding included, or is refused with a reason.
constexpr bool follows(const layout& a, const layout& b) {
    const plait::expected<layout> out = plait::try_compose(a, b);
    if (!out) return !plait::check_compose(a, b).ok();
    if (!check_layout(*out).ok() || out->dims != b.dims || out->padded_dims != b.padded_dims) return false;
    for (dim_t i = 0; i < b.padded_volume(); ++i)
        if (out->padded_linear_offset(i) != a.linear_offset(b.padded_linear_offset(i))) return false;
    for (dim_t i = 0; i < b.volume(); ++i)
        if (out->linear_offset(i) != a.linear_offset(b.linear_offset(i))) return false;
    return true;
}

constexpr bool same_function(const layout& l, const layout& other) {
    if (l.dims != other.dims) return false;
    for (dim_t i = 0; i < l.volume(); ++i)
        if (l.linear_offset(i) != other.linear_offset(i)) return false;
    return true;
}

/// Returns the layout over the axes of `shape` whose offset at p is f(p), if it exists. Each axis is split into digits,
/// greedily from the inside: the longest run of equal steps is the innermost digit, because a shorter digit would only
/// split it. The digit has to divide the axis. The next digit is found among the multiples of the run. Views of a part
/// of one block are not found.
///
/// `f` takes a position in the padded extents of `shape`.
inline std::optional<layout> layout_of_function(const layout& shape,
                                                const std::function<dim_t(const plait::position&)>& f) {
    layout out = shape;
    out.digits = {};
    plait::position zero;
    for (int a = 0; a < shape.ndims(); ++a) zero.push_back(0);
    out.offset0 = f(zero);
    plait::detail::digit_list inner;
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
    plait::detail::sort_inner_digits(out);
    if (!check_layout(out).ok()) return std::nullopt;
    for (dim_t i = 0; i < shape.padded_volume(); ++i) {
        const plait::position at = unravel(shape.padded_dims, i);
        if (out.padded_offset(at) != f(at)) return std::nullopt;
    }
    return out;
}

/// Returns a random layout of up to `axes` axes with up to `largest` elements, in any order, with blocks, padding, gaps
/// and sometimes a broadcast axis.
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
        if (const plait::expected<layout> made = try_layout(extents, tag, steps)) out = *made;
    }
    if (random.once_in(8)) out.offset0 = random.between(0, 5);
    return out;
}

/// Returns a view of the first elements of a block, or l if it has no block.
inline layout part_of_a_block(random_source& random, layout l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (const dim_t block = l.block_size(a); block > 1) {
            l.dims[a] = l.padded_dims[a] = random.between(1, block);
            l.digits[a].extent = 1;
            return l;
        }
    return l;
}

/// Returns a random inner layout: one axis, two axes that may share digits, blocks, or a part of a block.
inline layout random_inner(random_source& random) {
    if (random.once_in(3)) return layout({random.between(1, 16)}, plait::strides{random.between(0, 9)});
    if (random.once_in(4)) {
        const dim_t step = random.between(1, 5), extent = random.between(1, 5);
        return layout({random.between(1, 4), extent}, plait::strides{step * extent + random.between(0, 4), step});
    }
    const layout out = random_function(random, 2, 8);
    return random.once_in(10) ? part_of_a_block(random, out) : out;
}

}  // namespace plait_test
