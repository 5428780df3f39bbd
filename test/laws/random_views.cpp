// The laws of views of random layouts and of views: the elements keep their places.

#include "laws/random_layouts.hpp"

#include "laws/view_laws.hpp"

#include <plait/algebra/with_strides.hpp>

namespace test_laws_random_views {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

namespace {

constexpr int how_many = 2000;

struct part {
    dims extents;
    position offsets;
};

/// Returns a random part of a tensor. One of three begins and ends at multiples of the blocks.
part random_part(random_source& random, const layout& l) {
    part out;
    const bool whole_blocks = random.once_in(3);
    for (int a = 0; a < l.ndims(); ++a) {
        dim_t first = random.between(0, l.dims[a]), end = random.between(first, l.dims[a]);
        const dim_t block = l.block_size(a);
        if (whole_blocks) first -= first % block;
        if (whole_blocks && end / block * block > first) end -= end % block;
        out.extents.push_back(end - first);
        out.offsets.push_back(first);
    }
    return out;
}

/// True if all that is known of `early` equals `late`, whose dynamic extents were bound before the view was made.
bool agrees_where_known(const layout& early, const layout& late) {
    if (early.dims != late.dims || early.offset0 != late.offset0 || early.digits.size() != late.digits.size())
        return false;
    for (int k = 0; k < early.digits.size(); ++k) {
        const digit &x = early.digits[k], &y = late.digits[k];
        if (x.axis != y.axis || x.extent != y.extent || (is_known(x.stride) && x.stride != y.stride)) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("law at random: the elements of a part are those of its parent") {
    random_source random(21);
    int parts = 0;
    for (int i = 0; i < how_many * 4; ++i) {
        const layout l = random.small_layout();
        const part p = random_part(random, l);
        const expected<layout> out = try_submemory(l, p.extents, p.offsets);
        if (!out) {
            CHECK(check_submemory(l, p.extents, p.offsets).reason == reason::part_cuts_a_block);
            continue;
        }
        ++parts;
        if (!is_part(*out, l, p.extents, p.offsets)) FAIL_CHECK(explain(l));
    }
    CHECK(parts > how_many);
}

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

TEST_CASE("law at random: version 0 describes every layout that it can hold, and keeps its strides") {
    random_source random(24);
    int described = 0;
    for (int i = 0; i < how_many; ++i) {
        const layout l = random.small_layout();
        CHECK(with_strides(l, l.strides()) == l);
        if (!check_v0_blocking_of(l).ok()) continue;
        ++described;
        if (!describes(v0_blocking_of(l), l)) FAIL_CHECK(explain(l));
    }
    CHECK(described > how_many / 2);
}

TEST_CASE("law at random: a view of a dynamic layout, bound, is the view of the bound layout") {
    random_source random(25);
    int checked = 0;
    for (int i = 0; i < how_many * 4; ++i) {
        const int n = static_cast<int>(random.between(2, 5));
        dims full, partly, values;
        for (int a = 0; a < n; ++a) {
            full.push_back(random.once_in(3) ? 1 : random.between(1, 6));
            const bool unknown = random.once_in(3);
            partly.push_back(unknown ? dynamic : full[a]);
            if (unknown) values.push_back(full[a]);
        }
        const layout l(partly, random.tag(n, 2, 3));
        const layout bound = bind(l, values);
        const int axis = static_cast<int>(random.between(0, n - 1));
        const dim_t index = random.between(0, full[axis] - 1);
        const expected<layout> views[] = {try_slice(l, axis, index), try_repeat(l, axis, 3),
                                          try_broadcast_axis(l, axis, 3)};
        const expected<layout> of_bound[] = {try_slice(bound, axis, index), try_repeat(bound, axis, 3),
                                             try_broadcast_axis(bound, axis, 3)};
        for (int v = 0; v < 3; ++v) {
            if (!views[v]) continue;
            ++checked;
            if (!of_bound[v] || !agrees_where_known(bind(*views[v], values), *of_bound[v])) FAIL_CHECK(explain(l));
        }
    }
    CHECK(checked > how_many);
}

}  // namespace test_laws_random_views
