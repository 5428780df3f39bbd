#pragma once
// The rules for strides, stated the plain way: what the constructors of layouts are held against.

#include <plait/core/dims.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace plait_test {

using plait::dim_t;

/// Semantics 3, stated the plain way: of two axes that are known and have more than one place or none, one lies outside
/// the other. (A zero extent counts as one place to get past.)
inline bool known_axes_nest(const plait::dims& extents, const plait::strides& steps) {
    std::vector<std::pair<dim_t, dim_t>> axes;
    for (int a = 0; a < extents.size(); ++a)
        if (extents[a] != plait::dynamic && steps[a] != plait::dynamic && steps[a] != 0 && extents[a] != 1)
            axes.emplace_back(steps[a], std::max<dim_t>(extents[a], 1));
    std::sort(axes.begin(), axes.end());
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].first < (i == 0 ? 1 : axes[i - 1].first * axes[i - 1].second)) return false;
    return true;
}

/// Semantics 3: null strides are those of the tag abc...; a zero extent counts as one, a dynamic one hides what is
/// outside.
inline plait::strides row_major(const plait::dims& extents) {
    plait::strides out;
    for (int a = 0; a < extents.size(); ++a) {
        dim_t product = 1;
        for (int inner = a + 1; inner < extents.size(); ++inner)
            if (product != plait::dynamic)
                product =
                    extents[inner] == plait::dynamic ? plait::dynamic : product * std::max<dim_t>(extents[inner], 1);
        out.push_back(product);
    }
    return out;
}

}  // namespace plait_test
