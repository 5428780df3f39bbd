#pragma once
// The laws of operations, checked on every element of layouts that satisfy fuzz::is_small. Others are in
// chains/brute_force.hpp.

#include "fuzz/bytes.hpp"

#include <plait/algebra/axis_pattern.hpp>
#include <plait/algebra/position_of.hpp>

#include <algorithm>
#include <vector>

namespace fuzz {

using plait::position;

/// True if two layouts have the same fields. operator== ignores some strides.
inline bool same_value(const layout& a, const layout& b) {
    return a.kind == b.kind && a.dims == b.dims && a.padded_dims == b.padded_dims &&
           a.padded_offsets == b.padded_offsets && a.offset0 == b.offset0 && a.digits == b.digits;
}

/// True if law(position, offset) holds for every element of l.
template <class Law>
bool for_all(const layout& l, const Law& law) {
    for (dim_t i = 0, all = l.volume(); i < all; ++i)
        if (!law(plait::unravel(l.dims, i), l.linear_offset(i))) return false;
    return true;
}

/// True if each element has the same row-major number and the same place in both.
inline bool same_order(const layout& a, const layout& b) {
    if (a.volume() != b.volume()) return false;
    for (dim_t i = 0, all = a.volume(); i < all; ++i)
        if (a.linear_offset(i) != b.linear_offset(i)) return false;
    return true;
}

/// Checks that two layouts have the same places, in any order.
inline bool same_places(const layout& a, const layout& b) {
    std::vector<dim_t> x, y;
    for (dim_t i = 0, all = a.volume(); i < all; ++i) x.push_back(a.linear_offset(i));
    for (dim_t i = 0, all = b.volume(); i < all; ++i) y.push_back(b.linear_offset(i));
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    return x == y;
}

/// Checks the elements of a rearranged layout. The index of each name is a digit of its group, the first one the
/// outermost. An ellipsis has one digit per axis that it stands for. A name without an extent has the rest of its
/// group.
inline bool rearranged(const layout& a, const layout& b, const plait::axis_pattern& pattern, plait::dims extents) {
    const int rest = a.ndims() - pattern.left.groups.size() + 1;
    plait::dims of_rest;
    int axis = 0;
    for (const plait::detail::pattern_group& group : pattern.left.groups) {
        dim_t left = group.spreads ? 1 : a.dims[axis];
        int missing = -1;
        for (int k = group.first; k < group.last && !group.spreads; ++k) {
            dim_t& extent = extents[pattern.left.items[k]];
            if (extent == plait::dynamic) missing = pattern.left.items[k];
            else left = extent == 0 ? 0 : left / extent;
        }
        if (missing >= 0) extents[missing] = left;
        for (int r = 0; group.spreads && r < rest; ++r) of_rest.push_back(a.dims[axis + r]);
        axis += group.spreads ? rest : 1;
    }
    return for_all(b, [&](const position& at, dim_t offset) {
        dim_t index[plait::max_ndims]{}, index_of_rest[plait::max_ndims]{};
        int to = 0;
        for (const plait::detail::pattern_group& group : pattern.right.groups) {
            if (group.spreads) {
                for (int r = 0; r < rest; ++r) index_of_rest[r] = at[to++];
                continue;
            }
            dim_t number = at[to++];
            for (int k = group.last; k-- > group.first;) {
                const int item = pattern.right.items[k];
                if (item != plait::axis_pattern::ellipsis)
                    index[item] = number % extents[item], number /= extents[item];
                for (int r = rest; item == plait::axis_pattern::ellipsis && r-- > 0;)
                    index_of_rest[r] = number % of_rest[r], number /= of_rest[r];
            }
            if (number != 0) return false;
        }
        position from;
        for (const plait::detail::pattern_group& group : pattern.left.groups) {
            dim_t number = 0;
            for (int k = group.first; k < group.last && !group.spreads; ++k)
                number = number * extents[pattern.left.items[k]] + index[pattern.left.items[k]];
            if (!group.spreads) from.push_back(number);
            for (int r = 0; group.spreads && r < rest; ++r) from.push_back(index_of_rest[r]);
        }
        return a.offset(from) == offset;
    });
}

inline bool inverted(const layout& l, const layout& b) {
    for (dim_t i = 0, all = l.volume(); i < all; ++i)
        if (b.offset(position{l.linear_offset(i)}) != i) return false;
    return true;
}

inline bool composed(const layout& a, const layout& b, const layout& c) {
    if (!is_small(b)) return true;
    return c.dims == b.dims &&
           for_all(b, [&](const position& at, dim_t offset) { return c.offset(at) == a.linear_offset(offset); });
}

inline bool offsets_lead_back(const layout& l) {
    return !check_position_of(l).ok() ||
           for_all(l, [&](const position& at, dim_t offset) { return position_of(l, offset) == at; });
}

}  // namespace fuzz
