#pragma once
// Random pairs of layouts as loop nests.

#include "laws/random_pairs.hpp"

#include <plait/contract/check_reorder.hpp>
#include <plait/engine/plan/refinement.hpp>

#include <optional>

namespace plait_test {

struct refined_pair {
    layout src, dst;
    engine::refinement loops;
};

/// Empty if the next pair is refused or has no common loop nest.
inline std::optional<refined_pair> random_refined_pair(random_source& random) {
    const dims extents = random_extents(random);
    const layout src = random_layout(random, extents, true), dst = random_layout(random, extents, false);
    if (!check_reorder(src, dst).ok()) return {};
    const std::optional<engine::refinement> refined = engine::refine(src, dst);
    if (!refined) return {};
    return refined_pair{src, dst, engine::coalesce(*refined)};
}

}  // namespace plait_test
