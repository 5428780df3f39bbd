#pragma once
// Layouts with every axis map of their rank, and the conversion of positions from the shape to the library's order.

#include "laws/layout_laws.hpp"

#include <plait/bridge/shaped_layout.hpp>

namespace plait_test {

using plait::axis_map, plait::shaped_layout;

/// Returns a position of the shape in the library's order, by the definition of the map.
constexpr position in_library(const position& p, const axis_map& m) {
    position out = p;
    for (int i = 0; i < p.size(); ++i) out[i] = p[static_cast<int>(m[i])];
    return out;
}
constexpr permutation permutation_of(const axis_map& m) {
    return permutation(m.values, static_cast<std::size_t>(m.size()));
}

/// True if `holds` is true for every axis map of a rank.
template <class Law>
bool for_each_map(int ndims, const Law& holds) {
    permutation p = plait::identity_permutation(ndims);
    for (int i = 0; i < factorial(ndims); ++i, p = next(p))
        if (!holds(axis_map(p.values, static_cast<std::size_t>(ndims)))) return false;
    return true;
}

/// True if `holds` is true for the varied layouts and one of four axes, with every map.
template <class Law>
bool for_each_shaped(const Law& holds) {
    const auto with_maps = [&](const layout& l) {
        return for_each_map(l.ndims(), [&](const axis_map& m) { return holds(shaped_layout(l, m)); });
    };
    for (const layout& l : varied_layouts)
        if (!with_maps(l)) return false;
    return with_maps(layout({2, 5, 3, 2}, "nChw4c"));
}

}  // namespace plait_test
