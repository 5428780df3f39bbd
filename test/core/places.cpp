#include <plait/core/places.hpp>
#include <plait/packed/record_places.hpp>

#include "laws/many_layouts.hpp"

#include <set>

namespace test_core_places {

using namespace plait;
using namespace plait::detail;

namespace {

std::vector<dim_t> values_of(const axis_places& p, dim_t indices) {
    std::vector<dim_t> out;
    for (dim_t i = 0; i < indices; ++i) out.push_back(p(i));
    return out;
}

/// Solves the triangular system: the jump at a border is what is left of the value there.
axis_places places_with(const std::vector<dim_t>& values) {
    axis_places out;
    for (dim_t i = 1; i < static_cast<dim_t>(values.size()); ++i)
        out.add(i, values[static_cast<std::size_t>(i)] - out(i));
    return out;
}

/// The place of an index by the meaning of digits.
struct plain_digit {
    dim_t step, extent, stride;
};
dim_t place_in(const std::vector<plain_digit>& digits, dim_t index) {
    dim_t place = 0;
    for (const plain_digit& d : digits) {
        const dim_t value = index / d.step;
        place += (d.extent == 0 ? value : value % d.extent) * d.stride;
    }
    return place;
}

}  // namespace

TEST_CASE("places: every function is a sum of jumps, and different lists are different functions") {
    for (const int indices : {1, 2, 5, 8}) {
        std::set<std::vector<dim_t>> functions;
        int lists = 1;
        for (int k = 1; k < indices; ++k) lists *= 3;
        for (int number = 0; number < lists; ++number) {
            axis_places p;
            std::vector<dim_t> values{0};
            int rest = number;
            for (dim_t border = 1; border < indices; ++border, rest /= 3) {
                p.add(border, rest % 3 - 1);
                values.push_back(rest % 3 * border - 2);
            }
            functions.insert(values_of(p, indices));
            CHECK(places_with(values_of(p, indices)) == p);
            CHECK(values_of(places_with(values), indices) == values);
        }
        CHECK(functions.size() == static_cast<std::size_t>(lists));
    }
}

TEST_CASE("places: jumps are kept in rising order, and those that cancel are none") {
    axis_places p;
    p.add(8, 5), p.add(2, 3), p.add(8, -5), p.add(4, 0), p.add(1, -2);
    CHECK(p.jumps.size() == 2);
    CHECK(p.jumps[0] == jump{1, -2});
    CHECK(p.jumps[1] == jump{2, 3});
    p.add(2, -3), p.add(1, 2);
    CHECK(p.jumps.empty());
}

TEST_CASE("places: of digits in any order, with gaps, repeated and backwards") {
    std::mt19937 random(1);
    const auto draw = [&](dim_t low, dim_t high) { return low + static_cast<dim_t>(random()) % (high - low + 1); };
    for (int round = 0; round < 3000; ++round) {
        std::vector<plain_digit> digits;
        dim_t step = 1;
        for (dim_t k = draw(0, 4); k > 0; --k) {
            step *= draw(1, 3);
            const dim_t extent = draw(1, 5);
            digits.insert(digits.begin() + draw(0, static_cast<dim_t>(digits.size())), {step, extent, draw(-40, 40)});
            step *= extent;
        }
        if (draw(0, 1) == 1) digits.push_back({step, 0, draw(-40, 40)});
        const dim_t indices = draw(1, 2 * step);
        axis_places p;
        for (const plain_digit& d : digits) p.add_digit(d.step, d.extent, d.stride, indices);
        for (dim_t i = 0; i < indices; ++i) CHECK(p(i) == place_in(digits, i));
        for (const jump& j : p.jumps) CHECK((j.border < indices && j.by != 0));
        // A step from a multiple of it, if no border is inside.
        for (const dim_t of : {dim_t{1}, step}) {
            bool divides = of < indices;
            for (const jump& j : p.jumps)
                divides = divides && (j.border >= of ? j.border % of == 0 : of % j.border == 0);
            if (divides) CHECK(p.step_of(of) == p(of));
        }
        const dim_t origin = draw(0, indices - 1);
        if (axis_places moved; places_from(moved, p, origin, indices - origin))
            for (dim_t i = 0; i + origin < indices; ++i) CHECK(moved(i) == p(i + origin) - p(origin));
    }
    axis_places inside;
    CHECK_FALSE(places_from(
        inside,
        [] {
            axis_places p;
            p.add(1, 1), p.add(8, 9);
            return p;
        }(),
        4, 5));
    CHECK(places_from(
        inside,
        [] {
            axis_places p;
            p.add(1, 1), p.add(8, 9);
            return p;
        }(),
        4, 4));
}

TEST_CASE("places: of layouts they are what an index adds to the offset, and equal for the same memory") {
    for (const dims& extents : {dims{7}, dims{5, 6}})
        for (const layout& l : plait_test::many_layouts(extents)) {
            for (int a = 0; a < l.ndims(); ++a) {
                position at;
                for (int k = 0; k < l.ndims(); ++k) at.push_back(0);
                const dim_t first = l.padded_offset(at);
                const axis_places p = places_of(l, a, l.padded_dims[a]);
                std::vector<dim_t> offsets;
                for (dim_t i = 0; i < l.padded_dims[a]; ++i) {
                    at[a] = i;
                    offsets.push_back(l.padded_offset(at) - first);
                }
                CHECK(values_of(p, l.padded_dims[a]) == offsets);
                CHECK(places_with(offsets) == p);
            }
        }
    for (const layout& l : plait_test::many_layouts({3, 4}))
        for (int a = 0; a < l.ndims(); ++a) {
            position at{0, 0};
            const dim_t first = l.offset(at);
            axis_places p;
            const bool known = element_places_of(p, l, a);
            CHECK((known || l.padded_offsets[a] != 0));
            for (; known && at[a] < l.dims[a]; ++at[a]) CHECK(p(at[a]) == l.offset(at) - first);
        }
    const layout far({2, 3}, strides{dim_t{1} << 61, 1});
    CHECK(places_of(far, 0, 2)(1) == dim_t{1} << 61);
}

TEST_CASE("places: a constant expression") {
    constexpr auto jumps_of = [](const layout& l, int axis) { return places_of(l, axis, l.dims[axis]).jumps; };
    STATIC_CHECK(jumps_of(layout({1, 17, 56, 56}, "aBcd16b"), 1)[1] == jump{16, 50176 - 16});
    STATIC_CHECK(jumps_of(layout({1, 16, 56, 56}, "aBcd16b"), 1).size() == 1);
    STATIC_CHECK(jumps_of(layout({48}, "A4a4a"), 0).size() == 1);
    STATIC_CHECK(jumps_of(layout({1, 3}, "ab"), 0).empty());
}

}  // namespace test_core_places
