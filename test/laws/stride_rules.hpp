#pragma once
// The rules for strides, without an algorithm. Tests compare the constructors of layouts with them.

#include <plait/core/dims.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace plait_test {

using plait::dim_t;

/// True if strides nest by semantics 3: of any two axes with a known extent other than 1 and a known stride
/// other than 0, one is outside the other. An extent of 0 counts as 1 place.
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

/// Returns the default strides of semantics 3, those of the tag abc... An extent of 0 counts as 1. Strides outside a
/// dynamic extent are dynamic.
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
