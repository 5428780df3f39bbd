// Views of layouts whose fields have arbitrary numbers: each is refused or is a valid layout. Sanitizers find undefined
// behaviour here.

#include "laws/random_layouts.hpp"

#include "laws/view_laws.hpp"

#include <plait/algebra/axis_map.hpp>
#include <plait/algebra/with_strides.hpp>

namespace test_laws_hostile_views {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

namespace {

constexpr dim_t strange[] = {-1,
                             0,
                             1,
                             2,
                             3,
                             4,
                             8,
                             -5,
                             100,
                             dim_t{1} << 40,
                             dim_t{1} << 62,
                             INT64_MAX - 1,
                             INT64_MAX,
                             dynamic,
                             outside(0),
                             outside(1),
                             outside(11),
                             outside(11) + 1};

dim_t anything(random_source& random) { return strange[random.between(0, std::size(strange) - 1)]; }

int any_int(random_source& random) {
    return random.once_in(4) ? static_cast<int>(random.between(INT32_MIN, INT32_MAX))
                             : static_cast<int>(random.between(-1, 26));
}

/// Sets one field to an arbitrary number.
void spoil(layout& l, random_source& random) {
    const int k = static_cast<int>(random.between(0, 3));
    digit& d = l.digits[static_cast<int>(random.between(0, 6))];
    switch (random.between(0, 9)) {
        case 0: l.dims[k] = anything(random); break;
        case 1: l.padded_dims[k] = anything(random); break;
        case 2: l.padded_offsets[k] = anything(random); break;
        case 3: l.offset0 = anything(random); break;
        case 4: d.extent = anything(random); break;
        case 5: d.stride = anything(random); break;
        case 6: d.axis = any_int(random); break;
        case 7: (random.once_in(2) ? l.dims.count : l.digits.count) = any_int(random); break;
        case 8: l.kind = static_cast<format_kind>(random.between(0, 5)); break;
        default: l.dims[k] = l.padded_dims[k] = l.digits[k].extent = anything(random); break;
    }
}

struct arguments {
    dims extents;
    position offsets;
    strides steps;
    int axis = 0;
    dim_t number = 0;
};

/// Returns random arguments, most of them close to valid ones for l.
arguments arguments_for(const layout& l, random_source& random) {
    arguments out;
    const auto number = [&] { return random.once_in(6) ? anything(random) : random.between(0, 4); };
    for (int a = 0; a < l.ndims(); ++a) {
        const bool usual = l.dims[a] >= 0 && l.dims[a] < 100 && !random.once_in(8);
        const dim_t first = usual ? random.between(0, l.dims[a]) : number();
        out.offsets.push_back(first);
        out.extents.push_back(usual ? random.between(0, l.dims[a] - first) : number());
        out.steps.push_back(random.once_in(3) ? number() : l.digits[a].stride);
    }
    out.axis = random.once_in(10) ? any_int(random) : static_cast<int>(random.between(0, l.ndims()));
    out.number = number();
    return out;
}

axis_map rotation(int ndims) {
    axis_map out;
    for (int a = 0; a < ndims; ++a) out.push_back((a + 1) % ndims);
    return out;
}

expected<layout> random_view(const layout& l, int which, const arguments& x) {
    switch (which) {
        case 0: return try_submemory(l, x.extents, x.offsets);
        case 1: return try_with_strides(l, x.steps);
        case 2: return try_slice(l, x.axis, x.number);
        case 3: return try_repeat(l, x.axis, x.number);
        case 4: return try_broadcast_axis(l, x.axis, x.number);
        default: return try_adapt(l, rotation(l.ndims()), rotation(l.ndims()));
    }
}

/// True if all elements of l can be visited in a test.
bool is_small(const layout& l) {
    if (!check_layout(l).ok() || !check_static(l).ok() || l.offset0 > 1000) return false;
    dim_t product = 1;
    for (dim_t extent : l.padded_dims) {
        if (extent > 512 || product > 512) return false;
        product *= extent;
    }
    return product <= 512;
}

}  // namespace

TEST_CASE("views of layouts with arbitrary fields: are refused, or are valid layouts") {
    random_source random(31);
    int made[6]{};
    for (int i = 0; i < 20000; ++i) {
        layout l = random.small_layout();
        if (random.once_in(3)) {
            const int a = static_cast<int>(random.between(0, l.ndims() - 1));
            l.dims[a] = l.padded_dims[a] = l.digits[a].extent = dynamic;
            l.padded_offsets[a] = 0;
        }
        for (dim_t spoilt = random.between(-2, 3); spoilt > 0; --spoilt) spoil(l, random);
        // Makes views of views, until one is refused or invalid.
        for (int round = 0; round < 3; ++round) {
            const arguments x = arguments_for(l, random);
            const int which = static_cast<int>(random.between(0, 5));
            const bool was_one = check_layout(l).ok();
            static_cast<void>(try_v0_blocking_of(l));
            const expected<layout> out = random_view(l, which, x);
            if (!out) continue;
            ++made[which];
            // Axes of invalid layouts can be permuted. All other views require a valid layout.
            if ((which != 5 || was_one) && !check_layout(*out).ok()) FAIL_CHECK(which, ": ", explain(l));
            if (!was_one) break;
            if (which == 0 && is_small(l) && !is_part(*out, l, x.extents, x.offsets)) FAIL_CHECK(explain(l));
            if (which == 3 && is_small(l) && is_small(*out) && !starts_over(*out, l, x.axis, x.number))
                FAIL_CHECK(explain(l));
            if (is_small(l) && l.ndims() > 1 && !slices_are_the_elements(l)) FAIL_CHECK(explain(l));
            l = *out;
        }
    }
    for (int count : made) CHECK(count > 500);
}

}  // namespace test_laws_hostile_views
