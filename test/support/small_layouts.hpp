#pragma once
// Layouts put together by hand that no constructor returns, and the small layouts for which laws are checked.

#include "support/static_check.hpp"

#include <plait/core/layout.hpp>

#include <initializer_list>

namespace plait_test {

using plait::dim_t;

/// Returns a layout of these digits, unchecked. The outermost digit of each axis comes first.
constexpr plait::layout of_digits(const plait::dims& dims, const plait::dims& padded_dims,
                                  std::initializer_list<plait::digit> digits) {
    plait::layout out;
    out.kind = plait::format_kind::blocked;
    out.dims = dims;
    out.padded_dims = padded_dims;
    for (int a = 0; a < dims.size(); ++a) out.padded_offsets.push_back(0);
    for (const plait::digit& d : digits) out.digits.push_back(d);
    return out;
}

/// Returns a layout of which an axis of one index has only padding.
constexpr plait::layout emptied(plait::layout l, int axis) {
    l.dims[axis] = 0;
    return l;
}

/// Returns a blocked layout, unchecked: `strides` of the outermost blocks, and inner blocks from outer to inner.
constexpr plait::layout by_hand(const plait::dims& dims, const plait::dims& padded_dims, const plait::strides& strides,
                                std::initializer_list<plait::inner_block> blocks = {},
                                const plait::position& padded_offsets = {}, dim_t offset0 = 0) {
    plait::layout out;
    out.kind = plait::format_kind::blocked;
    out.dims = dims;
    out.padded_dims = padded_dims;
    out.offset0 = offset0;
    for (int a = 0; a < dims.size(); ++a) {
        dim_t block = 1;
        for (const plait::inner_block& inner : blocks)
            if (inner.axis == a) block *= inner.size;
        const bool known = padded_dims[a] != plait::dynamic;
        out.digits.push_back({a, known ? plait::detail::divide_up(padded_dims[a], block) : plait::dynamic, strides[a]});
        out.padded_offsets.push_back(padded_offsets.size() > a ? padded_offsets[a] : 0);
    }
    for (const plait::inner_block& block : blocks) {
        dim_t stride = 1;
        for (const plait::inner_block* inner = &block + 1; inner != blocks.end(); ++inner) stride *= inner->size;
        out.digits.push_back({block.axis, block.size, stride});
    }
    return out;
}

/// Returns an opaque layout: a format without a description, which no constructor returns.
constexpr plait::layout opaque_layout(const plait::dims& dims) {
    plait::layout out;
    out.kind = plait::format_kind::opaque;
    out.dims = dims;
    out.padded_dims = dims;
    for (int a = 0; a < dims.size(); ++a) out.padded_offsets.push_back(0);
    return out;
}

/// Returns the verdict that an operation throws at run time; success if it does not throw.
template <class Operation>
plait::verdict refusal_of(const Operation& operation) {
    try {
        static_cast<void>(operation());
    } catch (const plait::rejection& refused) {
        return refused.verdict();
    }
    return {};
}

/// Returns the permutation after p in lexicographic order, or the first one if p is the last.
constexpr plait::permutation next(plait::permutation p) {
    const int n = p.size();
    int i = n - 2;
    while (i >= 0 && p[i] > p[i + 1]) --i;
    if (i >= 0) {
        int j = n - 1;
        while (p[j] < p[i]) --j;
        const dim_t kept = p[i];
        p[i] = p[j];
        p[j] = kept;
    }
    for (int low = i + 1, high = n - 1; low < high; ++low, --high) {
        const dim_t kept = p[low];
        p[low] = p[high];
        p[high] = kept;
    }
    return p;
}

constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Returns the plain tag whose axes have the order p in memory, outermost first.
constexpr plait::format_tag plain_order(const plait::permutation& p) {
    plait::format_tag tag;
    tag.kind = plait::format_kind::blocked;
    for (dim_t axis : p) tag.axes.push_back(static_cast<int>(axis));
    return tag;
}

/// Returns the tag with inner blocks added, from outer to inner.
constexpr plait::format_tag blocked_by(plait::format_tag tag, std::initializer_list<plait::inner_block> blocks) {
    for (const plait::inner_block& block : blocks) tag.blocks.push_back(block);
    return tag;
}

/// Returns the tag in which axis a of `tag` is axis p[a].
constexpr plait::format_tag permuted(plait::format_tag tag, const plait::permutation& p) {
    for (int& axis : tag.axes) axis = static_cast<int>(p[axis]);
    for (plait::inner_block& block : tag.blocks) block.axis = static_cast<int>(p[block.axis]);
    return tag;
}

constexpr plait::dims permuted(const plait::dims& d, const plait::permutation& p) {
    plait::dims out = d;
    for (int a = 0; a < d.size(); ++a) out[static_cast<int>(p[a])] = d[a];
    return out;
}

/// Layouts of few elements: with blocks, padding, gaps, broadcast axes, offsets, and views of a part of one block.
inline constexpr plait::layout varied_layouts[] = {
    plait::layout({3, 2}, "ab"),
    plait::layout({3, 2}, "ba"),
    plait::layout({2, 3, 2}, "cab"),
    plait::layout({2, 5}, "aB4b"),
    plait::layout({5, 3}, "AB2a4b"),
    plait::layout({3, 5}, "BA2b2a2b"),
    plait::layout({2, 1, 3}, "aBc4b"),
    plait::layout({1, 1, 1}, "abc"),
    plait::layout({2, 3}, plait::strides{5, 1}),
    plait::layout({2, 3}, plait::strides{2, 7}),
    plait::layout({2, 3, 2}, "aBc2b", plait::strides{20, 8, 3}),
    plait::layout({1, 3}, plait::strides{-5, 1}),
    by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5),
    by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}}, {}, 11),
    by_hand({3, 2, 2}, {3, 2, 2}, {64, 64, 128}, {{0, 2}, {1, 4}, {0, 4}}),
};

/// Small layouts in which several positions share one place.
inline constexpr plait::layout broadcast_layouts[] = {
    plait::layout({4, 3}, plait::strides{0, 1}),
    plait::layout({2, 3, 2}, plait::strides{0, 2, 0}),
    plait::layout({2, 5}, "aB4b", plait::strides{0, 6}),
};

}  // namespace plait_test
