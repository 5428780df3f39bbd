// What the ends of axes leave of a tile. Masks of its segments are compared with their definition: each lane of each
// segment has an index along each axis, and is set if all indices are below the remaining extents.
#include <plait/engine/plan/tile_ends.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace test_engine_plan_tile_ends {

using namespace plait;
using namespace plait::engine;

namespace {

/// Returns a plan of f32 with two bounds: 17 of 32 channels in tiles of 16, and 6 places in tiles of 2.
reorder_plan channels_and_places() {
    reorder_plan plan;
    plan.sizes = element_sizes(4);
    plan.src_end = 102;
    plan.bounds.push_back({17, 32, 16});
    plan.bounds.push_back({6, 6, 2});
    return plan;
}

constexpr bool none[max_bounds]{};  // no bound is passed in the same way by every tile

/// Returns the remaining extents of the plan with other ones along the channels.
remaining_extents<2> with_channels(dim_t valid, dim_t stored) {
    remaining_extents<2> out(channels_and_places());
    out.valid[0] = valid;
    out.stored[0] = stored;
    return out;
}

TEST_CASE("remaining_extents: a kernel for more bounds than the plan has never reaches the others") {
    const reorder_plan plan = channels_and_places();
    remaining_extents<> remaining(plan);
    for (int bound = 2; bound < max_bounds; ++bound) {
        CHECK(remaining.valid[bound] == INT64_MAX);
        CHECK(remaining.stored[bound] == INT64_MAX);
    }
    CHECK(remaining.whole(plan, none));
    CHECK(remaining.any());
    remaining.move_on(1, 5);
    CHECK_FALSE(remaining.whole(plan, none));
}

TEST_CASE("whole: a tile of 16 needs 16 valid and 16 stored indices, unless every tile passes the bound") {
    const reorder_plan plan = channels_and_places();
    const bool channels[max_bounds] = {true}, places[max_bounds] = {false, true};
    CHECK(with_channels(16, 16).whole(plan, none));
    CHECK_FALSE(with_channels(15, 16).whole(plan, none));
    CHECK_FALSE(with_channels(16, 15).whole(plan, none));
    CHECK(with_channels(15, 16).whole(plan, channels));
    CHECK(with_channels(16, 15).whole(plan, channels));
    CHECK_FALSE(with_channels(15, 16).whole(plan, places));
    remaining_extents<2> last(plan);
    last.move_on(1, 5);
    CHECK_FALSE(last.whole(plan, none));
    CHECK_FALSE(last.whole(plan, channels));
    CHECK(last.whole(plan, places));
}

TEST_CASE("leave_padding_out: stores valid elements, and returns true if there is more to store") {
    const auto left = [](dim_t valid, dim_t stored, bool leaves, dim_t wanted) {
        remaining_extents<2> remaining = with_channels(valid, stored);
        CHECK(remaining.leave_padding_out() == leaves);
        CHECK(remaining.valid[0] == valid);
        CHECK(remaining.stored[0] == wanted);
        CHECK(remaining.stored[1] == 6);
    };
    left(1, 16, true, 1);
    left(15, 16, true, 15);
    left(16, 16, false, 16);
    left(17, 16, false, 16);
    left(-15, 1, true, -15);
}

/// A tile of random bits: on the source side, adjacent lanes along two axes, then segments along any of three. The
/// bits of an axis count 1, 2, 4 and so on.
struct random_tile {
    reorder_plan plan;
    segment_bits counted;
    int element_bits;

    explicit random_tile(std::mt19937& random) {
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        element_bits = below(4);
        const int piece = 1 + below(4), upper = below(3), registers = below(4), first_lanes = below(piece + 1);
        tile_pattern& pattern = plan.pattern;
        pattern.lane_bits = piece + upper;
        pattern.register_bits = registers;
        pattern.src_upper_bits = upper;
        dim_t weight[3]{1, 1, 1};
        for (int b = 0; b < piece + upper + registers; ++b) {
            const int axis = b < first_lanes ? 0 : b < piece ? 1 : below(4) - 1;
            pattern.bounds.push_back(axis);
            plan.bits.push_back({});
            if (axis >= 0) {
                plan.bits[b].index_step = weight[axis];
                weight[axis] *= 2;
            }
            if (b >= piece) counted.push_back(b);
        }
    }
    int piece_lane_bits() const { return plan.pattern.segment_bits(side::source); }
    /// Returns the index of a lane of a segment along an axis.
    dim_t index(int axis, int lane, int piece) const {
        dim_t sum = 0;
        for (int b = 0; b < plan.bits.size(); ++b) {
            const int number = b < piece_lane_bits() ? lane >> b : piece >> (b - piece_lane_bits());
            if (plan.pattern.bounds[b] == axis && (number & 1) != 0) sum += plan.bits[b].index_step;
        }
        return sum;
    }
};

TEST_CASE("segment_masks: has the lanes with all indices below the remaining extents") {
    std::mt19937 random(20221125);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    long partial = 0, empty = 0;
    for (int question = 0; question < 3000; ++question) {
        const random_tile tile(random);
        const int lanes = 1 << tile.piece_lane_bits(), pieces = 1 << tile.counted.size();
        const int lane_bytes = 1 << tile.element_bits;
        if (lanes * lane_bytes > 64) continue;
        const std::uint64_t all = all_lanes_of(tile.piece_lane_bits() + tile.element_bits);
        dim_t left[3];
        for (dim_t& one : left) one = below(3) == 0 ? 1000 : below(20) - 2;
        std::vector<std::uint64_t> found(static_cast<std::size_t>(pieces) + 1, 0x123), whole = found;
        const segment_masks masks(found.data(), tile.counted.size(), all),
            of_pieces(whole.data(), tile.counted.size(), all);
        for (int axis = 0; axis < 3; ++axis) {
            const bounded_side side(tile.plan, tile.counted, tile.element_bits, side::source, axis);
            masks.keep(side, left[axis]);
            of_pieces.keep_segments(side, left[axis]);
        }
        CHECK(found.back() == 0x123);
        for (int piece = 0; piece < pieces; ++piece) {
            std::uint64_t expected = 0;
            bool begins = true;
            for (int axis = 0; axis < 3; ++axis) begins = begins && tile.index(axis, 0, piece) < left[axis];
            for (int lane = 0; lane < lanes; ++lane) {
                bool is_there = true;
                for (int axis = 0; axis < 3; ++axis) is_there = is_there && tile.index(axis, lane, piece) < left[axis];
                for (int byte = 0; is_there && byte < lane_bytes; ++byte)
                    expected |= std::uint64_t{1} << (lane * lane_bytes + byte);
            }
            partial += expected != 0 && expected != all ? 1 : 0;
            empty += expected == 0 ? 1 : 0;
            CHECK(found[static_cast<std::size_t>(piece)] == expected);
            CHECK(whole[static_cast<std::size_t>(piece)] == (begins ? all : 0));
        }
    }
    CHECK(partial > 1000);
    CHECK(empty > 1000);
}

TEST_CASE("lanes_below: the first steps of every group of lanes") {
    CHECK(lanes_below(0, 2, 3, 1) == 0x7777777777777777);
    CHECK(lanes_below(1, 2, 3, 1) == 0x3f3f3f3f3f3f3f3f);
    CHECK(lanes_below(0, 2, 5, 2) == 0x7777777777777777);  // 5 indices of steps of two: three steps
    CHECK(lanes_below(0, 2, 0, 1) == 0);
    CHECK(lanes_below(0, 2, 4, 1) == ~std::uint64_t{0});
    CHECK(lanes_below(0, 0, 1, 1) == ~std::uint64_t{0});
}

}  // namespace

}  // namespace test_engine_plan_tile_ends
