#pragma once
// Plans of random permutations, and where their tiles begin.

#include <plait/engine/plan/make_plan.hpp>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace plait_test {

using namespace plait;
using namespace plait::engine;

/// The plan of a permutation of a dense tensor: axis k of the destination is axis order[k] of the source.
inline reorder_plan permutation_plan(const dims& extents, const std::vector<int>& order, int bytes) {
    strides from, to;
    for (int a = 0; a < extents.size(); ++a) from.push_back(0), to.push_back(0);
    dim_t step = 1;
    for (int a = extents.size() - 1; a >= 0; --a) from[a] = step, step *= extents[a];
    step = 1;
    for (int k = extents.size() - 1; k >= 0; --k)
        to[order.at(static_cast<std::size_t>(k))] = step, step *= extents[order.at(static_cast<std::size_t>(k))];
    return *make_plan(layout(extents, from), layout(extents, to), {bytes, bytes, bytes}, isa::avx512);
}

using tile_place = std::pair<dim_t, dim_t>;

/// Where the tiles of a plan begin in the source and in the destination, in the order in which they are moved.
inline std::vector<tile_place> tiles_of(const reorder_plan& plan) {
    std::vector<tile_place> places{{0, 0}};
    for (int k = plan.loops.size() - 1; k >= 0; --k) {
        const plan_loop& loop = plan.loops[k];
        std::vector<tile_place> all;
        for (dim_t i = 0; i < loop.extent; ++i) {
            const bool back = loop.overlap != 0 && i + 1 == loop.extent;
            for (const auto& [src, dst] : places)
                all.emplace_back(src + i * loop.src - (back ? loop.overlap_src : 0),
                                 dst + i * loop.dst - (back ? loop.overlap_dst : 0));
        }
        places = std::move(all);
    }
    return places;
}

/// The places in the destination that a tile writes, from its first on.
inline std::vector<dim_t> places_in_tile(const reorder_plan& plan) {
    std::vector<dim_t> in_tile{0};
    for (const tile_bit& bit : plan.bits)
        for (std::size_t k = 0, count = in_tile.size(); k < count; ++k) in_tile.push_back(in_tile[k] + bit.dst);
    return in_tile;
}

struct random_permutation {
    dims extents;
    std::vector<int> order;
};
/// Permutations whose innermost axis changes, of `elements` elements or more, with whole cache lines on both
/// sides.
inline random_permutation next_permutation(std::mt19937& random, dim_t elements) {
    for (;;) {
        random_permutation out;
        const int rank = static_cast<int>(random() % 4) + 2;
        dim_t volume = 1;
        for (int a = 0; a < rank; ++a) {
            const dim_t extent = static_cast<dim_t>(random() % 60) + 2;
            out.extents.push_back(a + 1 == rank ? extent / 16 * 16 + 16 : extent);
            out.order.push_back(a);
            volume *= out.extents[a];
        }
        std::shuffle(out.order.begin(), out.order.end(), random);
        if (out.order.back() == rank - 1) continue;
        dim_t& inner = out.extents[out.order.back()];
        volume /= inner;
        inner = inner / 16 * 16 + 16;
        out.extents[0] *= divide_up(elements, volume * inner);
        if (out.order.back() != 0 || out.extents[0] % 16 == 0) return out;
    }
}

}  // namespace plait_test
