#pragma once
// Many layouts of the same dims. Some describe the same memory in different ways.

#include "laws/random_layouts.hpp"

#include <vector>

namespace plait_test {

/// Returns the offset of each logical position, in row-major order.
inline std::vector<dim_t> logical_offsets(const plait::layout& l) {
    std::vector<dim_t> out;
    for (dim_t i = 0; i < l.volume(); ++i) out.push_back(l.linear_offset(i));
    return out;
}

/// Returns all plain orders with up to two inner blocks, and variants of each: larger strides, broadcast axes, more
/// padding with the tensor anywhere in it, another offset0, and parts of a block.
inline std::vector<plait::layout> many_layouts(const plait::dims& extents) {
    std::vector<plait::layout> out;
    const auto add = [&out](const plait::layout& l) {
        if (check_layout(l).ok()) out.push_back(l);
    };
    const auto add_variants = [&add](const plait::layout& l) {
        add(l);
        plait::layout moved = l;
        moved.offset0 = 3;
        add(moved);
        for (int a = 0; a < l.ndims(); ++a) {
            plait::layout other = l;
            other.digits[a].stride *= 2;
            add(other);
            other.digits[a].stride = a;
            add(other);
            other = l;
            if (l.padded_dims[a] == 1) other.digits[a].stride = -7;
            add(other);
            // Adds a block to this axis, outermost in memory, with the tensor at each possible padded offset.
            other = l;
            const dim_t block = l.block_size(a);
            other.padded_dims[a] += block;
            other.digits[a].extent += 1;
            other.digits[a].stride = 64;
            add(other);
            for (dim_t front = 1; front <= other.padded_dims[a] - l.dims[a]; ++front) {
                other.padded_offsets[a] = front;
                add(other);
            }
            if (block >= l.dims[a] && block > 1) {
                other = l;
                other.padded_dims[a] = l.dims[a];
                other.digits[a].stride = 100;
                add(other);
            }
        }
        // Adds inner digits with gaps, and in another order.
        for (int k = l.ndims(); k < l.digits.size(); ++k) {
            plait::layout other = l;
            other.digits[k].stride *= 16;
            add(other);
            other.digits[k].stride = 1;
            if (k > l.ndims()) other.digits[k - 1].stride = l.digits[k].extent;
            add(other);
            if (k > l.ndims()) {
                other.digits[k - 1].stride = 1;
                other.digits[k].stride = l.digits[k - 1].extent;
                add(other);
            }
        }
    };
    plait::permutation order = plait::identity_permutation(extents.size());
    for (int i = 0; i < factorial(extents.size()); ++i, order = next(order)) {
        const plait::format_tag plain = plain_order(order);
        add_variants(plait::layout(extents, plain));
        for (int a = 0; a < extents.size(); ++a)
            for (dim_t size : {2, 3, 4, 8}) {
                const plait::format_tag one = blocked_by(plain, {{a, size}});
                add_variants(plait::layout(extents, one));
                for (int b = 0; b < extents.size(); ++b)
                    for (dim_t second : {2, 4}) add_variants(plait::layout(extents, blocked_by(one, {{b, second}})));
            }
    }
    return out;
}

/// Returns another description of l's memory, with some digits split in two and with padding that no index reaches.
inline plait::layout said_otherwise(plait::layout l, random_source& random) {
    for (int tries = 0; tries < 6; ++tries) {
        const int k = static_cast<int>(random.between(0, l.digits.size() - 1));
        const plait::digit d = l.digits[k];
        plait::layout out = l;
        const dim_t by = random.between(2, 4);
        plait::digit inner = d;
        inner.extent = by;
        out.digits[k].stride = d.stride * by;
        if (k < l.ndims()) {
            // The remainder of the split becomes padding. A part of a block cannot have padding.
            if (l.padded_dims[k] % l.block_size(k) != 0 || out.digits.full()) continue;
            out.digits[k].extent = plait::detail::divide_up(d.extent, by);
            out.padded_dims[k] = out.digits[k].extent * by * l.block_size(k);
        } else if (d.extent % by == 0 && d.extent > by && !out.digits.full()) {
            out.digits[k].extent = d.extent / by;
        } else {
            continue;
        }
        // The new digit goes directly inside the digit that was split.
        out.digits.push_back(inner);
        const int at = k < l.ndims() ? l.ndims() : k + 1;
        for (int i = out.digits.size() - 1; i > at; --i) out.digits[i] = out.digits[i - 1];
        out.digits[at] = inner;
        if (check_layout(out).ok()) l = out;
    }
    return l;
}

}  // namespace plait_test
