// The laws of repeated, broadcast and sliced random layouts: which are allowed, and that the elements keep their
// places. test/chains compares these and all other operations with brute force.

#include "laws/random_layouts.hpp"

#include "laws/view_laws.hpp"

namespace test_laws_random_views { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr int how_many = 2000;

TEST_CASE("law at random: slices, repetitions and broadcast axes keep the elements") {
    random_source random(22);
    for (int i = 0; i < how_many; ++i) {
        const layout l = random.small_layout();
        if (l.ndims() > 1 && !slices_are_the_elements(l)) FAIL_CHECK(explain(l));
        if (!repeats_every_axis(l)) FAIL_CHECK(explain(l));
        if (!broadcasts_every_unit_axis(l)) FAIL_CHECK(explain(l));
    }
}

TEST_CASE("law at random: repetitions and slices of views keep the elements") {
    random_source random(23);
    int slices = 0;
    for (int i = 0; i < how_many; ++i) {
        const layout l = random.small_layout();
        const int axis = static_cast<int>(random.between(0, l.ndims() - 1));
        const expected<layout> twice = try_repeat(l, axis, 2);
        if (twice && !repeats_every_axis(*twice)) FAIL_CHECK(explain(l));
        // The second part of a repetition has the elements of the layout.
        if (twice) {
            position offsets = origin(l.ndims());
            offsets[axis] = l.dims[axis];
            if (l.padded_offsets == origin(l.ndims()) && l.volume() > 0)
                CHECK(is_part(submemory(*twice, l.dims, offsets), l, l.dims, origin(l.ndims())));
        }
        if (l.ndims() < 3 || l.volume() == 0) continue;
        ++slices;
        if (!slices_are_the_elements(slice(l, axis, l.dims[axis] - 1))) FAIL_CHECK(explain(l));
    }
    CHECK(slices > how_many / 10);
}

}}  // namespace test_laws_random_views
