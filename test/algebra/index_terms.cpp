#include <plait/algebra/index_terms.hpp>

#include "laws/hand_made_layouts.hpp"
#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

namespace test_algebra_index_terms { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr dim_t sum_of(const layout& l, const index_terms& terms, const position& padded) {
    dim_t offset = l.offset0;
    for (const index_term& t : terms) {
        const dim_t value = padded[t.axis] / t.divisor;
        offset += (t.extent == 0 ? value : value % t.extent) * t.stride;
    }
    return offset;
}

dim_t sum_of_places(const layout& l, const index_terms& terms, const position& padded) {
    dim_t offset = l.offset0;
    for (int a = 0; a < l.ndims(); ++a) offset += places_of(terms, a)(padded[a]);
    return offset;
}

/// Checks the law, also for padding.
bool says_every_offset(const layout& l) {
    if (l.padded_volume() == 0) return true;
    const index_terms terms = terms_of(l);
    position at = origin(l.ndims());
    do
        if (sum_of(l, terms, at) != l.padded_offset(at) || sum_of_places(l, terms, at) != l.padded_offset(at))
            return false;
    while (advance(at, l.padded_dims));
    return true;
}

constexpr index_terms as_terms(std::initializer_list<index_term> terms) {
    index_terms out;
    for (const index_term& t : terms) out.push_back(t);
    return out;
}

TEST_CASE("index_terms: one term per digit, from the inside out; the outermost takes the rest of the index") {
    STATIC_CHECK(terms_of(layout({2, 32, 5, 6}, "nChw16c")) ==
                 as_terms({{0, 1, 0, 960}, {1, 1, 16, 1}, {1, 16, 0, 480}, {2, 1, 0, 96}, {3, 1, 0, 16}}));
    STATIC_CHECK(terms_of(layout({8, 12}, "AB4b2b2a")) == as_terms({{0, 1, 2, 1}, {0, 2, 0, 32}, {1, 1, 0, 2}}));
}

TEST_CASE("index_terms: terms that are always 0 are left out, and digits that continue each other are merged") {
    STATIC_CHECK(terms_of(layout({1, 16, 1}, "aBc16b")) == as_terms({{1, 1, 0, 1}}));
    STATIC_CHECK(terms_of(layout({2, 32, 1, 1}, "nChw16c")) == as_terms({{0, 1, 0, 32}, {1, 1, 0, 1}}));
    STATIC_CHECK(terms_of(layout({4, 3}, strides{0, 1})) == as_terms({{1, 1, 0, 1}}));
    STATIC_CHECK(terms_of(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}})) == as_terms({{0, 1, 0, 16}, {1, 1, 0, 1}}));
    STATIC_CHECK(terms_of(layout({0, 3}, "ab")) == as_terms({{1, 1, 0, 1}}));
    STATIC_CHECK(terms_of(layout({1, 1}, "ab")).empty());
}

TEST_CASE("index_terms: a partly static layout has terms for known digits, also with unknown strides") {
    const layout l({dynamic, 32, dynamic, 6}, "nChw16c");
    CHECK(terms_of(l) == as_terms({{0, 1, 0, l.digits[0].stride},
                                   {1, 1, 16, 1},
                                   {1, 16, 0, l.digits[1].stride},
                                   {2, 1, 0, 96},
                                   {3, 1, 0, 16}}));
    CHECK(!is_known(terms_of(l)[2].stride));
    // Channels that continue their blocks are one digit, for any number of channels.
    CHECK(terms_of(layout({2, dynamic, 1, 1}, "nChw16c"))[1] == index_term{1, 1, 0, 1});
}

TEST_CASE("law: the terms add up to the offset of every element and of all padding") {
    for (const dims& extents : {dims{2, 5}, dims{3, 1}, dims{4, 4}, dims{2, 3, 5}})
        for (const layout& l : many_layouts(extents))
            if (!says_every_offset(l)) FAIL_CHECK(explain(l));
    random_source random(31);
    for (int i = 0; i < 3000; ++i) {
        const layout l = random.small_layout();
        if (!says_every_offset(l)) FAIL_CHECK(explain(l));
        const layout hand_made = hand_made_layout(random, 100);
        if (!says_every_offset(hand_made)) FAIL_CHECK(explain(hand_made));
    }
}

}}  // namespace test_algebra_index_terms
