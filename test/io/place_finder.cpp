#include <plait/io/place_finder.hpp>

#include "every_position.hpp"
#include "laws/random_layouts.hpp"
#include "support/hand_filled_layout.hpp"

#include <plait/core/layout_invariants.hpp>

#include <doctest/doctest.h>

namespace test_io_place_finder { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Returns the number of wrong results of place_finder, for every offset in the layout's span and a few around it.
int wrong_places(const layout& l) {
    const std::map<dim_t, held> all = places_of(l);
    const place_finder places(l);
    int wrong = 0;
    for (dim_t offset = l.offset0 - 2; offset < l.offset0 + static_cast<dim_t>(l.element_span()) + 3; ++offset) {
        const memory_place found = places.at(offset);
        const auto here = all.find(offset);
        const held none, &expected = here == all.end() ? none : here->second;
        const auto elements = static_cast<dim_t>(expected.elements.size());
        const auto padding = static_cast<dim_t>(expected.padding.size());
        wrong += found.elements != elements || found.padded != elements + padding;
        if (elements > 0) {
            position first = expected.elements[0];
            for (int a = 0; a < l.ndims(); ++a) first[a] += l.padded_offsets[a];
            wrong += found.first != first;
        } else if (padding > 0) {
            wrong += found.first != expected.padding[0];
        }
        // `next` must not skip a place with an element or padding.
        const auto next = all.lower_bound(offset);
        const std::optional<dim_t> said = places.next(offset);
        if (next != all.end()) wrong += !said || *said > next->first || *said < offset;
    }
    return wrong;
}

TEST_CASE("place_finder: finds the element at each offset of random layouts") {
    random_source random(31);
    int shared = 0, with_gaps = 0;
    for (int k = 0; k < 400; ++k) {
        const layout l = random.small_layout();
        if (!check_layout(l).ok()) continue;
        INFO("layout " << k);
        CHECK(wrong_places(l) == 0);
        shared += !is_injective(l);
        with_gaps += !l.is_dense();
    }
    CHECK(shared > 10);
    CHECK(with_gaps > 50);
    for (int k = 0; k < 200; ++k) CHECK(wrong_places(hand_filled_layout(random, {3, 5, 4}, 600)) == 0);
}

TEST_CASE("place_finder: counts the elements of a long broadcast without a loop over them") {
    const layout l({3, dim_t{1} << 40, 4}, strides{4, 0, 1});
    CHECK(place_finder(l).at(5).elements == dim_t{1} << 40);
    CHECK(place_finder(l).at(5).first == position{1, 0, 1});
}

TEST_CASE("place_finder: finds the next place after a gap of any length") {
    const layout l({3, 4}, strides{dim_t{1} << 50, 1});
    const place_finder places(l);
    CHECK(places.next(4) == dim_t{1} << 50);
    CHECK(places.next((dim_t{1} << 50) + 2) == (dim_t{1} << 50) + 2);
    CHECK(places.next((dim_t{2} << 50) + 4) == std::nullopt);
    CHECK(places.at(4).is_gap());
}

}}  // namespace test_io_place_finder
