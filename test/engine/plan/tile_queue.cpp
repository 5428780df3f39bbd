#include <plait/engine/plan/choose_tile.hpp>
#include <plait/engine/plan/coalesce.hpp>
#include <plait/engine/plan/lane_network.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_engine_plan_tile_queue { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

std::vector<tile_choice> all_of(tile_queue& tiles, dim_t limit = INT64_MAX) {
    std::vector<tile_choice> out;
    while (const tile_choice* const tile = tiles.next(limit)) out.push_back(*tile);
    return out;
}

struct question {
    layout src, dst;
};
const question questions[] = {{layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c")},
                              {layout({1, 64, 56, 56}, "nChw16c"), layout({1, 64, 56, 56}, "nchw")},
                              {layout({1, 3, 224, 224}, "nchw"), layout({1, 3, 224, 224}, "nhwc")},
                              {layout({256, 256, 3, 3}, "oihw"), layout({256, 256, 3, 3}, "OIhw4i16o4i")},
                              {layout({1, 17, 7, 7}, "nchw"), layout({1, 17, 7, 7}, "nhwc")},
                              {layout({64, 64, 28, 28}, "abcd"), layout({64, 64, 28, 28}, "bacd")},
                              {layout({256}, "a"), layout({256}, "a")},
                              {layout({64, 32}, {64, 2}), layout({64, 32}, "ab")},  // single elements, pairs
                              {layout({64, 16, 2}, {64, 4, 1}), layout({64, 16, 2}, "bac")}};

template <class Look>
void look_at_all(Look look) {
    for (const question& q : questions)
        for (const isa which : every_isa)
            for (const element_sizes sizes :
                 {element_sizes(1), element_sizes(4), element_sizes(8), element_sizes(4, 2, 2), element_sizes(1, 4, 1)})
                look(coalesce(*refine(q.src, q.dst)), sizes, which);
}

TEST_CASE("tile_queue: tiles come cheapest first, and a limit leaves out only more expensive ones") {
    const auto come_in_order = [](const refinement& r, const element_sizes& sizes, isa which, network_kind network) {
        tile_queue tiles(r, sizes, which, network);
        const std::vector<tile_choice> all = all_of(tiles);
        for (std::size_t k = 1; k < all.size(); ++k) CHECK(all[k - 1].cost <= all[k].cost);
        for (const tile_choice& limit : all) {
            tile_queue others(r, sizes, which, network);
            std::size_t cheaper = 0;
            for (const tile_choice& tile : all) cheaper += tile.cost < limit.cost;
            CHECK(all_of(others, limit.cost).size() == cheaper);
        }
    };
    look_at_all([&](const refinement& r, const element_sizes& sizes, isa which) {
        come_in_order(r, sizes, which, network_kind::constant);
        if (sizes.src == sizes.work && sizes.dst == sizes.work) come_in_order(r, sizes, which, network_kind::table);
    });
}

TEST_CASE("tile_queue: the cost of a tile whose network is data is at most that of its network") {
    look_at_all([](const refinement& r, const element_sizes& sizes, isa which) {
        if (sizes.src != sizes.work || sizes.dst != sizes.work) return;
        tile_queue tiles(r, sizes, which, network_kind::table);
        for (const tile_choice& tile : all_of(tiles)) {
            if (tile.interleaved >= 0) continue;
            const int steps = cost_of_network(find_lane_network(tile.pattern, log2_of(sizes.work)), which);
            CHECK(tile.cost <= cost_of(tile, r, sizes, which, steps));
        }
    });
}

TEST_CASE("tile_queue: restarts without the rejected tile") {
    look_at_all([](const refinement& r, const element_sizes& sizes, isa which) {
        tile_queue tiles(r, sizes, which);
        const std::size_t count = all_of(tiles).size();
        tile_queue others(r, sizes, which);
        for (std::size_t left = count; left > 0; --left) {
            const tile_choice* const first = others.next();
            REQUIRE(first != nullptr);
            others.restart_without(*first);
            CHECK(all_of(others).size() == left - 1);
            others.restart_without(*first);
        }
        CHECK(others.next() == nullptr);
    });
}

TEST_CASE("tile_queue: tiles for networks as data have only registers and segments that kernels support") {
    int built = 0;
    look_at_all([&](const refinement& r, const element_sizes& sizes, isa which) {
        if (sizes.src != sizes.work || sizes.dst != sizes.work) return;  // those are only moved
        tile_queue tiles(r, sizes, which, network_kind::table);
        for (const tile_choice& tile : all_of(tiles)) {
            const tile_pattern& p = tile.pattern;
            const int bytes = sizes.work << p.lane_bits;
            CHECK(bytes >= 16);
            CHECK(bytes <= vector_bytes(which));
            CHECK_FALSE((which == isa::avx512 && bytes == 32));
            if (p.interleave != 0) continue;
            ++built;
            CHECK(p.register_bits <= (bytes == 32 ? 3 : 4));
            for (const side of : {side::source, side::destination}) {
                // Half of a register of 16 bytes, or a quarter of small elements; an eighth of a wider one.
                const int piece = sizes.work << p.segment_bits(of);
                CHECK(piece >= (bytes == 16 && sizes.work <= 2 ? 4 : 8));
                if (p.segments(of) == 8) CHECK(p.register_bits <= 3);
            }
        }
    });
    CHECK(built > 100);
}

}}  // namespace test_engine_plan_tile_queue
