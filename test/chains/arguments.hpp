#pragma once
// Random extents for reshapes.

#include "chains/layouts.hpp"

namespace chains {

/// Returns extents that usually have the same product: neighbours are joined, others split, and axes of extent 1 are
/// added or removed.
inline dims random_shape(random_source& random, const dims& old) {
    std::vector<dim_t> out;
    for (int a = 0; a < old.size(); ++a) {
        const dim_t extent = old[a];
        if (extent == 1 && random.once_in(2)) continue;
        if (!out.empty() && extent > 0 && out.back() > 0 && random.once_in(3)) {
            out.back() *= extent;
            continue;
        }
        dim_t factor = extent > 3 && random.once_in(2) ? random.between(2, 6) : 1;
        while (extent % factor != 0) --factor;
        if (factor > 1) out.push_back(random.once_in(2) ? factor : extent / factor);
        out.push_back(factor > 1 ? extent / out.back() : extent);
        if (random.once_in(6)) out.push_back(1);
    }
    if (out.empty() || random.once_in(8)) out.insert(out.begin(), 1);
    if (out.size() > 1 && random.once_in(12)) std::swap(out.front(), out.back());
    return dims(out.data(), std::min<std::size_t>(out.size(), 7));
}

/// Returns a shape in which each run of known extents is factored anew. Dynamic extents stay, and some are added or
/// removed.
inline dims shape_around(random_source& random, const dims& old) {
    dims out, run;
    const auto add_run = [&] {
        if (run.empty() && !random.once_in(6)) return;
        for (const dim_t extent : random_shape(random, run)) out.push_back(extent);
        run = {};
    };
    for (const dim_t extent : old) {
        if (extent != plait::dynamic) {
            run.push_back(extent);
            continue;
        }
        add_run();
        out.push_back(plait::dynamic);
    }
    add_run();
    return out;
}

}  // namespace chains
