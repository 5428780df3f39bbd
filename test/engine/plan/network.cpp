#include "support/static_check.hpp"

#include <plait/engine/plan/network.hpp>

namespace test_engine_plan_network { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

constexpr tile_pattern transpose(int bits) {
    tile_pattern pattern{bits, bits, {}, {}};
    for (int l = 0; l < bits; ++l) pattern.dst_lanes.push_back(bits + l);
    return pattern;
}

/// Runs a network on numbered elements one by one, from the specification of each rule. It shares no code with
/// find_network or the kernels.
constexpr bool carries_out(const tile_pattern& pattern, const shuffle_network& network) {
    int elements[16][64]{};
    for (int r = 0; r < pattern.registers(); ++r)
        for (int l = 0; l < pattern.lanes(); ++l) elements[r][l] = r * pattern.lanes() + l;
    for (const shuffle_step& step : network.steps) {
        int next[16][64]{};
        for (int r = 0; r < pattern.registers(); ++r)
            for (int l = 0; l < pattern.lanes(); ++l) {
                // The destination of the element at (r, l).
                const auto [first, last, upwards] = step.rule;
                int to_lane = l;
                for (int bit = first; bit <= last; ++bit) to_lane &= ~(1 << bit);
                for (int bit = first; bit <= last; ++bit) {
                    const int to = upwards ? bit + 1 : bit - 1;
                    if (to >= first && to <= last) to_lane |= (l >> bit & 1) << to;
                }
                to_lane |= (r >> step.register_bit & 1) << (upwards ? first : last);
                const int leaving = l >> (upwards ? last : first) & 1;
                const int to_register = (r & ~(1 << step.register_bit)) | leaving << step.register_bit;
                next[to_register][to_lane] = elements[r][l];
            }
        for (int r = 0; r < pattern.registers(); ++r)
            for (int l = 0; l < pattern.lanes(); ++l) elements[r][l] = next[r][l];
    }
    // Lane bit l of a segment in the result must count the pattern's bit; the others count the bits in `ends`.
    for (int r = 0; r < pattern.registers(); ++r)
        for (int l = 0; l < pattern.lanes(); ++l) {
            int wanted = 0;
            for (int bit = 0; bit < pattern.lane_bits; ++bit)
                wanted |= (l >> bit & 1) << (bit < pattern.dst_lanes.size() ? pattern.dst_lanes[bit]
                                                                            : network.ends.lanes[bit]);
            for (int bit = 0; bit < pattern.register_bits; ++bit)
                wanted |= (r >> bit & 1) << network.ends.registers[bit];
            if (elements[r][l] != wanted) return false;
        }
    return true;
}

constexpr bool solved(const tile_pattern& pattern, isa which, int element_bytes, int steps) {
    const auto network = find_network(pattern, rules_of(which, element_bytes, pattern.lane_bits));
    return network && network->steps.size() == steps && carries_out(pattern, *network);
}

TEST_CASE("network: a transpose of 2^n takes n steps, with every instruction set") {
    STATIC_CHECK(solved(transpose(4), isa::avx512, 4, 4));
    STATIC_CHECK(solved(transpose(3), isa::avx512, 8, 3));
    STATIC_CHECK(solved(transpose(3), isa::avx2, 4, 3));
    STATIC_CHECK(solved(transpose(2), isa::avx2, 8, 2));
    STATIC_CHECK(solved(transpose(4), isa::avx2, 2, 4));
    STATIC_CHECK(solved(transpose(4), isa::sse41, 1, 4));
    STATIC_CHECK(solved(transpose(3), isa::sse41, 2, 3));
    STATIC_CHECK(solved(transpose(2), isa::sse41, 4, 2));
    STATIC_CHECK(solved(transpose(1), isa::sse41, 8, 1));
    STATIC_CHECK(solved(transpose(4), isa::neon, 1, 4));
    STATIC_CHECK(solved(transpose(2), isa::neon, 4, 2));
}

TEST_CASE("network: blocks of half a register, in and out") {
    // 16 lanes of w become 8 of c and two of w: three bits enter, and w's lowest moves to the top.
    STATIC_CHECK(solved({4, 3, {{4, 5, 6, 0}, 4}, {}}, isa::avx512, 4, 4));
    STATIC_CHECK(solved({4, 3, {{3, 4, 5, 6}, 4}, {}}, isa::avx512, 4, 4));
}

TEST_CASE("network: segments of a register may go anywhere, so only their lanes must be in place") {
    // 64 bytes along one axis become four pieces of 16 along another: four bits enter below, the upper two stay.
    STATIC_CHECK(solved({6, 4, {{6, 7, 8, 9}, 4}, {}}, isa::avx512, 1, 4));
    // The way back: the destination's upper lanes are in place from the start.
    STATIC_CHECK(solved({6, 4, {{6, 7, 8, 9, 4, 5}, 6}, {}, 2}, isa::avx512, 1, 4));
    STATIC_CHECK(solved({5, 4, {{5, 6, 7, 8}, 4}, {}}, isa::avx512, 2, 5));
}

TEST_CASE("network: an identity takes no step, and a move that no rule can do has no network") {
    STATIC_CHECK(solved({4, 0, {{0, 1, 2, 3}, 4}, {}}, isa::avx512, 4, 0));
    STATIC_CHECK(solved({4, 2, {{0, 1, 2, 3}, 4}, {}}, isa::avx512, 4, 0));
    // Two lane bits to exchange, and no register bit to exchange them through.
    STATIC_CHECK(!find_network({2, 0, {{1, 0}, 2}, {}}, rules_of(isa::sse41, 4, 2)));
}

TEST_CASE("network: the check detects a wrong network") {
    shuffle_network network = *find_network(transpose(4), rules_of(isa::avx512, 4, 4));
    CHECK(carries_out(transpose(4), network));
    network.steps[1].rule.upwards = false;
    network.steps[1].rule.first = 0;
    CHECK(!carries_out(transpose(4), network));
}

}}  // namespace test_engine_plan_network
