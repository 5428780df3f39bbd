#include <plait/descriptor/compensation_layout.hpp>

#include <plait/algebra/permute_axes.hpp>

#include "laws/random_layouts.hpp"
#include "support/static_check.hpp"

#include <algorithm>
#include <vector>

namespace test_descriptor_compensation_layout { namespace {

using namespace plait;
using namespace plait::detail;

/// Returns the place of each sum by the definition, in row-major order of the padded extents. The place is the rank of
/// the sum's offset: of all indices along the masked axes, padding included, with index 0 along the other axes.
std::vector<dim_t> places_by_order(const layout& l, int mask) {
    dims extents = l.padded_dims;
    for (int a = 0; a < l.ndims(); ++a)
        if ((mask >> a & 1) == 0) extents[a] = 1;
    std::vector<std::pair<dim_t, dim_t>> offsets;  // each with the number of its index
    for (dim_t number = 0; number < volume(extents); ++number)
        offsets.emplace_back(l.padded_offset(unravel(extents, number)), number);
    std::sort(offsets.begin(), offsets.end());
    std::vector<dim_t> out(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i)
        out[static_cast<std::size_t>(offsets[i].second)] = static_cast<dim_t>(i);
    return out;
}
std::vector<dim_t> places_of(const layout& sums, int mask) {
    dims extents = sums.padded_dims;
    for (int a = 0; a < sums.ndims(); ++a)
        if ((mask >> a & 1) == 0) extents[a] = 1;
    std::vector<dim_t> out;
    for (dim_t number = 0; number < volume(extents); ++number)
        out.push_back(sums.padded_offset(unravel(extents, number)));
    return out;
}
dim_t mask_volume_of(const dims& extents, int mask) {
    dim_t out = 1;
    for (int a = 0; a < extents.size(); ++a) out *= (mask >> a & 1) != 0 ? extents[a] : 1;
    return out;
}
/// True if no element of the layout shares its place, so that each sum has its own place.
bool has_own_places(const layout& l) { return steps_over_the_inside(l); }

constexpr layout in(const dims& extents, const char* tag) { return {extents, *parse_format_tag(tag)}; }

TEST_CASE("compensation_layout: the destination's own order, restricted to the axes of the mask") {
    // oneDNN 2.6 and 3.14 write the sums in this order.
    STATIC_CHECK(compensation_layout(in({2, 2, 1, 1}, "Abcd16a"), 3).offset(0, 1, 0, 0) == 16);
    STATIC_CHECK(compensation_layout(in({2, 2, 1, 1}, "Abcd16a"), 3).offset(1, 0, 0, 0) == 1);
    struct example {
        dims extents;
        const char* tag;
        int mask;
        dims kept;
        const char* restricted;
    };
    const example examples[] = {
        {{17, 2, 3, 3}, "Abcd16a", 3, {17, 2}, "Ab16a"},
        {{17, 5, 2, 3}, "Abcd8a", 3, {17, 5}, "Ab8a"},
        {{17, 5, 2, 3}, "Abcd4a", 3, {17, 5}, "Ab4a"},
        {{4, 6, 2, 3}, "bacd", 3, {4, 6}, "ba"},
        {{4, 6, 2, 3}, "cbad", 3, {4, 6}, "ba"},
        {{4, 6, 2, 3}, "cdba", 3, {4, 6}, "ba"},
        {{3, 18, 20, 2}, "BaCd4c16b4c", 3, {3, 18}, "Ba16b"},
        {{3, 18, 20, 2}, "BaCd4c16b4c", 6, {18, 20}, "AB4b16a4b"},
        {{20, 18, 2, 2}, "ABcd16a16b", 3, {20, 18}, "AB16a16b"},
        {{20, 18}, "AB16b16a", 3, {20, 18}, "AB16b16a"},
        {{4, 6, 2}, "bac", 3, {4, 6}, "ba"},
        {{4, 6, 2}, "bac", 5, {4, 2}, "ab"},
        {{17, 23, 3, 3}, "ABcd4b16a4b", 1, {17}, "A16a"},
        {{17, 23, 3, 3}, "ABcd4b16a4b", 2, {23}, "A16a"},
    };
    for (const example& e : examples) {
        const layout sums = compensation_layout(in(e.extents, e.tag), e.mask), wanted = in(e.kept, e.restricted);
        CHECK(check_layout(sums).ok());
        CHECK(sums.element_span() == wanted.element_span());
        CHECK(places_of(sums, e.mask) == places_of(wanted, 3));
    }
    STATIC_CHECK(compensation_layout(in({2, 3}, "ab"), 0).element_span() == 1);
    STATIC_CHECK(compensation_layout(in({2, 0}, "ab"), 1).element_span() == 0);
    STATIC_CHECK(compensation_layout(in({20, 18}, "AB16b16a"), 3) == in({20, 18}, "AB16b16a"));
}

TEST_CASE("compensation_layout: refuses dynamic and undefined layouts") {
    CHECK(plait_test::refusal_of([] {
              return compensation_layout(in({dynamic, 3}, "ab"), 1);
          }) == verdict{reason::dim_is_dynamic, 0, 0, 0});
    CHECK(plait_test::refusal_of([] { return compensation_layout(layout(), 0); }).reason ==
          reason::layout_is_undefined);
}

TEST_CASE(
    "compensation_layout of random layouts: the sums are in the order of the memory, each in a place of its own") {
    plait_test::random_source random(29);
    int dense = 0, with_gaps = 0, of_parts = 0;
    for (int i = 0; i < 4000; ++i) {
        layout l = random.small_layout();
        // An axis that has only padding.
        if (random.once_in(8)) l.dims[static_cast<int>(random.between(0, l.ndims() - 1))] = 0;
        if (!check_layout(l).ok() || l.padded_volume() == 0) continue;
        // A tensor with compensation begins at offset 0, so no axis runs backwards.
        if (runs_backwards(l)) continue;
        l.offset0 = 0;
        const int mask = static_cast<int>(random.between(0, (1 << l.ndims()) - 1));
        const layout sums = compensation_layout(l, mask);
        CHECK(check_layout(sums).ok());
        CHECK(sums.dims == l.dims);
        CHECK(static_cast<dim_t>(sums.element_span()) == compensation_count(l, mask).value);
        if (!has_own_places(l)) continue;
        bool has_part = false;
        for (int a = 0; a < l.ndims(); ++a)
            has_part = has_part || ((mask >> a & 1) != 0 && l.padded_dims[a] % l.block_size(a) != 0);
        if (l.is_dense() || !has_part) {
            CHECK(static_cast<dim_t>(sums.element_span()) == mask_volume_of(l.padded_dims, mask));
            CHECK(places_of(sums, mask) == places_by_order(l, mask));
        } else {
            // A part of a block may leave places out, but no sums share a place, and the order is the same.
            const std::vector<dim_t> places = places_of(sums, mask), order = places_by_order(l, mask);
            std::vector<dim_t> at(places.size());
            for (std::size_t k = 0; k < at.size(); ++k) at[static_cast<std::size_t>(order[k])] = places[k];
            CHECK(std::adjacent_find(at.begin(), at.end(), std::greater_equal<>()) == at.end());
        }
        if (l.is_dense()) {
            ++dense;
            CHECK(sums.element_span() <= l.element_span());
        } else {
            ++with_gaps;
        }
        of_parts += has_part ? 1 : 0;
    }
    CHECK(dense > 500);
    CHECK(with_gaps > 500);
    CHECK(of_parts > 100);
}

TEST_CASE("compensation_layout: a permutation of the axes moves no sum, unless axes share their places") {
    plait_test::random_source random(30);
    const strides some_zeros = {0, 0, 1, 0, 0};
    int kept = 0, refused = 0;
    for (int i = 0; i < 4000; ++i) {
        layout l = random.small_layout();
        if (random.once_in(5)) {  // axes that share their places
            dims extents;
            for (int a = 0; a < l.ndims(); ++a) extents.push_back(random.between(1, 3));
            l = layout(extents, strides(some_zeros.values, static_cast<std::size_t>(l.ndims())));
        }
        if (!check_layout(l).ok() || l.padded_volume() == 0) continue;
        const permutation p = random.order(l.ndims());
        const int mask = static_cast<int>(random.between(0, (1 << l.ndims()) - 1)), after = permute_mask(mask, p);
        const layout moved = compensation_layout(permute_axes(l, p), after);
        if (keeps_compensation_order(l, mask, p)) {
            ++kept;
            CHECK(moved == permute_axes(compensation_layout(l, mask), p));
        } else {
            ++refused;
            CHECK(moved != permute_axes(compensation_layout(l, mask), p));
            CHECK(!has_own_places(l));
        }
    }
    CHECK(kept > 1000);
    CHECK(refused > 10);
}

TEST_CASE(
    "keeps_compensation_order: false for axes that share their places, or that may share them once they are bound") {
    const layout shared({3, 3}, strides{0, 0});
    CHECK(!keeps_compensation_order(shared, 3, {1, 0}));
    CHECK(keeps_compensation_order(shared, 3, {0, 1}));
    CHECK(keeps_compensation_order(shared, 1, {1, 0}));
    CHECK(keeps_compensation_order(layout({3, 4}, strides{0, 0}), 3, {1, 0}));
    CHECK(keeps_compensation_order(layout({3, 1}, strides{0, 0}), 3, {1, 0}));
    CHECK(keeps_compensation_order(in({0, 0}, "ab"), 3, {1, 0}));  // no elements, no sums
    CHECK(!keeps_compensation_order(layout({3, dynamic}, strides{0, 0}), 3, {1, 0}));
    STATIC_CHECK(keeps_compensation_order(in({dynamic, dynamic, 5}, "bca"), 7, {2, 1, 0}));
}

}}  // namespace test_descriptor_compensation_layout
