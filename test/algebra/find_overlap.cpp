#include <plait/algebra/find_overlap.hpp>
#include <plait/algebra/is_nested.hpp>

#include "laws/hand_made_layouts.hpp"
#include "laws/layout_laws.hpp"

namespace test_algebra_find_overlap { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

/// Checks the law: two different positions inside the padded extents have the returned offset.
constexpr bool is_overlap_of(const layout& l, const overlap& found) {
    return found.first != found.second && l.padded_offset(found.first) == found.offset &&
           l.padded_offset(found.second) == found.offset;
}

constexpr bool overlaps(const layout& l) {
    const std::optional<overlap> found = find_overlap(l);
    return found.has_value() && is_overlap_of(l, *found) && !is_injective(l);
}
constexpr bool is_free_of_overlaps(const layout& l) { return !find_overlap(l).has_value() && is_injective(l); }

layout with_inner_strides(layout l, std::initializer_list<dim_t> steps) {
    int k = l.ndims();
    for (dim_t step : steps) l.digits[k++].stride = step;
    return l;
}

bool has_two_in_one_place(const layout& l) {
    const std::vector<dim_t> offsets = plait_test::all_offsets(l);
    return std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
}

/// Checks an undecided layout: it does not count as injective, and the refusal names the reason.
bool is_not_decided(const layout& l, reason why) {
    const overlap_search search = search_overlap(l);
    return !search.none() && !search.found && !is_injective(l) && search.why.reason == why &&
           check_find_overlap(l) == search.why &&
           plait_test::refusal_of([&l] { return find_overlap(l); }) == search.why;
}

TEST_CASE("find_overlap: if strides nest, only a broadcast axis shares places") {
    STATIC_CHECK(is_free_of_overlaps(layout({2, 17, 5, 4}, "nChw8c")));
    STATIC_CHECK(is_free_of_overlaps(layout({1, 3}, strides{-5, 1})));
    STATIC_CHECK(is_free_of_overlaps(layout({2, 5}, "aB8b", strides{8, 0})));
    STATIC_CHECK(find_overlap(layout({4, 3}, strides{0, 1})) == overlap{{1, 0}, {0, 0}, 0});
    STATIC_CHECK(find_overlap(layout({2, 9}, "aB8b", strides{8, 0})) == overlap{{0, 8}, {0, 0}, 0});
    for (const layout& l : plait_test::varied_layouts) CHECK(is_free_of_overlaps(l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK(overlaps(l));
}

TEST_CASE("find_overlap: strides that do not nest, sharing and not") {
    STATIC_CHECK(find_overlap(by_hand({3, 4}, {3, 4}, {2, 1})) == overlap{{1, 0}, {0, 2}, 2});
    STATIC_CHECK(is_free_of_overlaps(by_hand({3, 2}, {3, 2}, {2, 3})));
    STATIC_CHECK(overlaps(by_hand({4, 3}, {4, 3}, {2, 3})));
    STATIC_CHECK(overlaps(by_hand({2, 2}, {2, 2}, {5, 5})));
    // One step of each of three digits: 6 + 4 == 10.
    STATIC_CHECK(overlaps(by_hand({2, 2, 2}, {2, 2, 2}, {10, 6, 4})));
    STATIC_CHECK(is_free_of_overlaps(by_hand({2, 2, 2}, {2, 2, 2}, {11, 6, 4})));
    // The offset counts from offset0, and may be in the padding.
    STATIC_CHECK(overlaps(by_hand({1, 1}, {3, 4}, {2, 1}, {}, {2, 3}, 100)));
    STATIC_CHECK(find_overlap(by_hand({1, 1}, {3, 4}, {2, 1}, {}, {2, 3}, 100))->offset == 102);
}

TEST_CASE("find_overlap: inner digits that are neither dense nor in descending order, as in views") {
    layout l = by_hand({192}, {192}, {96}, {{0, 8}, {0, 12}});
    CHECK(is_free_of_overlaps(with_inner_strides(l, {1, 8})));
    CHECK(overlaps(with_inner_strides(l, {1, 7})));
    CHECK(is_free_of_overlaps(with_inner_strides(l, {12, 1})));
    CHECK(overlaps(with_inner_strides(l, {11, 1})));
}

TEST_CASE("find_overlap: in a part of one block only existing elements count") {
    // {0, 1, 2} of a block of 4 and steps of 3: the full block would share.
    STATIC_CHECK(is_free_of_overlaps(by_hand({2, 3}, {2, 3}, {3, 8}, {{1, 4}})));
    STATIC_CHECK(overlaps(by_hand({2, 4}, {2, 4}, {3, 8}, {{1, 4}})));
    // 2 x 2 with strides 3 and 5, and a step of 8: only the last of the four elements meets it.
    CHECK(is_free_of_overlaps(with_inner_strides(by_hand({2, 3}, {2, 3}, {8, 9}, {{1, 2}, {1, 2}}), {3, 5})));
    CHECK(overlaps(with_inner_strides(by_hand({2, 4}, {2, 4}, {8, 9}, {{1, 2}, {1, 2}}), {3, 5})));
    // A digit that is never reached may have any stride.
    CHECK(is_free_of_overlaps(with_inner_strides(by_hand({2, 1}, {2, 1}, {3, 0}, {{1, 8}}), {0})));
}

TEST_CASE("find_overlap: without elements nothing is shared; negative strides count backwards") {
    STATIC_CHECK(is_free_of_overlaps(layout({0, 3}, strides{1, 0})));
    STATIC_CHECK(is_free_of_overlaps(by_hand({0, 3}, {0, 3}, {-4, INT64_MAX})));
    STATIC_CHECK(overlaps(by_hand({3, 4}, {3, 4}, {-2, 1}, {}, {}, 50)));
    STATIC_CHECK(overlaps(by_hand({3, 4}, {3, 4}, {-2, -1}, {}, {}, 50)));
    STATIC_CHECK(is_free_of_overlaps(by_hand({3, 2}, {3, 2}, {2, -3}, {}, {}, 50)));
}

TEST_CASE("find_overlap: huge extents, without a loop over elements") {
    constexpr dim_t huge = dim_t{1} << 28;
    STATIC_CHECK(is_free_of_overlaps(layout({dim_t{1} << 31, dim_t{1} << 31}, "ba")));
    // Coprime strides meet first at their product.
    STATIC_CHECK(is_free_of_overlaps(by_hand({huge, huge}, {huge, huge}, {huge + 1, huge})));
    STATIC_CHECK(overlaps(by_hand({huge + 1, huge + 2}, {huge + 1, huge + 2}, {huge + 1, huge})));
    STATIC_CHECK(overlaps(by_hand({huge, 4, 16}, {huge, 4, 16}, {60, 16, 1})));
    STATIC_CHECK(is_free_of_overlaps(by_hand({4, 4, 16}, {4, 4, 16}, {80, 16, 1})));
}

TEST_CASE("find_overlap: layouts that cannot be decided are refused, and are not injective") {
    STATIC_CHECK(check_find_overlap(layout()) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_find_overlap(layout({2}, "any")) == verdict{reason::layout_is_any});
    STATIC_CHECK(check_find_overlap(plait_test::opaque_layout({2})) == verdict{reason::layout_is_opaque});
    STATIC_CHECK(check_find_overlap(layout({dynamic, 2}, "ab")) == verdict{reason::dim_is_dynamic, 0, 0, 0});
    STATIC_CHECK(check_find_overlap(layout({2, 2}, strides{dynamic, 1})) ==
                 verdict{reason::stride_is_dynamic, 0, 0, 0});
    layout malformed({2, 3}, "ab");
    malformed.digits[1].axis = 7;
    CHECK((check_find_overlap(malformed).reason == reason::layout_is_malformed));
    CHECK(!is_injective(malformed));
    malformed = by_hand({2, 3}, {2, 3}, {3, 1});
    malformed.padded_dims[1] = -3;
    CHECK((check_find_overlap(malformed) == verdict{reason::padded_dim_does_not_fit, 1, -3, 3}));
    // Offsets that exceed 63 bits.
    CHECK(is_not_decided(by_hand({3, 3}, {3, 3}, {INT64_MAX, INT64_MAX - 2}), reason::size_overflows));
    CHECK(is_not_decided(by_hand({3, 4}, {3, 4}, {2, 1}, {}, {}, INT64_MAX), reason::strides_do_not_nest));
    // A stride of 0 is decided even then.
    CHECK(overlaps(by_hand({3, 4}, {3, 4}, {0, 1}, {}, {}, INT64_MAX - 3)));
}

TEST_CASE("find_overlap: a search that is given up is refused") {
    // Strides without a pattern, all of similar size: most of 25^6 combinations would have to be tried.
    const layout l =
        by_hand({25, 25, 25, 25, 25, 25}, {25, 25, 25, 25, 25, 25},
                {400218372613211, 413327718218317, 431192830912721, 447712837162911, 469182736451827, 491827361827363});
    CHECK(is_not_decided(l, reason::strides_do_not_nest));
}

TEST_CASE("find_overlap: agrees with a search of all elements, for any strides") {
    plait_test::random_source random(2024);
    int shared = 0, layouts = 0, nested = 0, given_up = 0;
    for (int i = 0; i < 6000; ++i) {
        const layout l = plait_test::hand_made_layout(random, i % 3 == 0 ? 12 : i % 3 == 1 ? 60 : 2000);
        const overlap_search search = search_overlap(l);
        const bool expected = has_two_in_one_place(l);
        given_up += !search.why.ok();
        if (search.why.ok() && (search.found.has_value() != expected || is_injective(l) == expected)) FAIL_CHECK(i);
        if (search.found && !is_overlap_of(l, *search.found)) FAIL_CHECK(i);
        // If strides nest, only a stride of 0 shares places.
        if (is_nested(l) && expected != (first_shared_digit(l) >= 0)) FAIL_CHECK(i);
        shared += expected;
        layouts += check_layout(l).ok();
        nested += is_nested(l);
    }
    MESSAGE(shared, " share places, ", layouts, " are layouts, ", nested, " nest, ", given_up, " not decided");
    CHECK(nested > 50);
    CHECK(shared > 1000);
    CHECK(shared < 5500);
    CHECK(given_up == 0);
}

}}  // namespace test_algebra_find_overlap
