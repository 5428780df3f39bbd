#include <plait/algebra/refine.hpp>

#include "support/static_check.hpp"

#include <array>
#include <random>
#include <vector>

namespace test_algebra_refine {

using namespace plait;
using namespace plait::detail;

namespace {

/// A place as digits {step, extent, stride}; extent 0: the outermost.
struct drawn_place {
    std::vector<std::array<dim_t, 3>> digits;

    dim_t operator()(dim_t index) const {
        dim_t out = 0;
        for (const auto& [step, extent, stride] : digits)
            out += (extent == 0 ? index / step : index / step % extent) * stride;
        return out;
    }
};

struct seen {
    int even = 0, uneven = 0, uneven_levels = 0, cut = 0, backwards = 0;
};

template <int Places>
void check_loops(std::mt19937& random, seen& of) {
    const auto draw = [&](dim_t low, dim_t high) { return low + static_cast<dim_t>(random()) % (high - low + 1); };
    const dim_t extent = draw(1, 150);
    drawn_place drawn[std::size_t{Places}];
    axis_places places[std::size_t{Places}];
    for (int p = 0; p < Places; ++p) {
        dim_t step = 1, stride = draw(0, 3);
        for (dim_t k = draw(0, 3); k > 0; --k) {
            const dim_t e = draw(2, 7);
            drawn[p].digits.push_back({step, e, stride});
            step *= e;
            stride = draw(0, 2) == 0 ? stride * e : draw(-1, 1) * draw(1, 5000);
            of.backwards += stride < 0;
        }
        drawn[p].digits.push_back({step, 0, stride});
        for (const auto& [s, e, t] : drawn[p].digits) places[p].add_digit(s, e, t, extent);
    }
    cut_list cuts;
    for (dim_t k = draw(0, 2); k > 0 && extent > 1; --k) cuts.push_back(draw(1, extent - 1));
    of.cut += !cuts.empty();
    axis_loops<Places> found;
    refine_axis<Places>(found, places, extent, cuts);
    of.even += found.is_even();
    of.uneven += !found.is_even();
    of.uneven_levels += found.jumps.size() > 2;
    CHECK(found.loops[0].step == 1);
    for (int k = 1; k < found.loops.size(); ++k)
        CHECK(found.loops[k].step == found.loops[k - 1].step * found.loops[k - 1].extent);
    const auto& outermost = found.loops.back();
    CHECK(outermost.extent == divide_up(extent, outermost.step));
    for (dim_t i = 0; i < extent; ++i)
        for (int p = 0; p < Places; ++p) {
            dim_t place = 0;
            for (int k = 0; k < found.loops.size(); ++k) {
                const bool last = k + 1 == found.loops.size();
                const dim_t value = last ? i / outermost.step : i / found.loops[k].step % found.loops[k].extent;
                place += value * found.loops[k].by[p];
                for (const loop_jump& j : found.jumps)
                    if (last && j.place == p) place += value / j.period * j.by;
            }
            CHECK(place == drawn[p](i));
        }
    // The loops are as few as the borders: each begins where a place jumps, at a cut, or where borders meet.
    if (found.is_even())
        for (const auto& loop : found.loops) {
            bool is_border = loop.step == 1;
            for (const dim_t cut : cuts) is_border = is_border || cut == loop.step;
            for (const axis_places& p : places)
                for (const jump& j : p.jumps) is_border = is_border || j.border == loop.step;
            CHECK(is_border);
        }
}

}  // namespace

TEST_CASE("refine: loops, and the jumps of the outermost, give each of one to four places") {
    std::mt19937 random(7);
    seen of;
    for (int round = 0; round < 3000; ++round) {
        check_loops<1>(random, of);
        check_loops<2>(random, of);
        check_loops<3>(random, of);
        check_loops<4>(random, of);
    }
    CHECK((of.even > 1000 && of.uneven > 1000 && of.uneven_levels > 300 && of.cut > 1000 && of.backwards > 1000));
}

TEST_CASE("refine: blocks of 16 and of 24 are steps of 8, of which every second and third is longer") {
    constexpr auto loops = [] {
        const axis_places places[] = {places_of(layout({2, 96}, "Ba16b"), 1, 96),
                                      places_of(layout({2, 96}, "Ba24b"), 1, 96)};
        axis_loops<2> out;
        refine_axis<2>(out, places, 96);
        return out;
    };
    STATIC_CHECK(loops().loops.size() == 2 && loops().loops[1].step == 8 && loops().loops[1].extent == 12);
    STATIC_CHECK(loops().loops[1].by[0] == 8 && loops().loops[1].by[1] == 8);
    STATIC_CHECK(loops().jumps.size() == 2 && loops().jumps[0].period == 2 && loops().jumps[1].period == 3);
    STATIC_CHECK(loops().jumps[0].by == 16 && loops().jumps[1].by == 24);
    STATIC_CHECK(loops().below == 16 && loops().above == 24);
}

TEST_CASE("refine: an axis without indices has one loop without steps") {
    constexpr auto loops = [] {
        axis_loops<1> out;
        const axis_places none[1];
        refine_axis<1>(out, none, 0);
        return out;
    };
    STATIC_CHECK(loops().loops.size() == 1 && loops().loops[0].extent == 0 && loops().is_even());
}

}  // namespace test_algebra_refine
