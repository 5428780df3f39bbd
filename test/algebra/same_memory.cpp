#include <plait/algebra/same_memory.hpp>

#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

namespace test_algebra_same_memory { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr bool same_both_ways(const layout& a, const layout& b) { return same_memory(a, b) && same_memory(b, a); }
constexpr bool differ_both_ways(const layout& a, const layout& b) { return !same_memory(a, b) && !same_memory(b, a); }

bool keeps_an_offset(const layout& l) {
    const layout form = canonical_form(l);
    for (dim_t offset : form.padded_offsets)
        if (offset != 0) return true;
    return false;
}

TEST_CASE("same_memory: true for other blocks, padding and strides with the same offsets") {
    STATIC_CHECK(same_both_ways(layout({17}, "A8a"), layout({17}, "a")));
    STATIC_CHECK(same_both_ways(layout({16}, "A16a"), layout({16}, "A4a4a")));
    STATIC_CHECK(same_both_ways(layout({2, 64, 5}, "aBc4b4b"), layout({2, 64, 5}, "aBc16b")));
    STATIC_CHECK(same_both_ways(layout({1, 3}, strides{-5, 1}), layout({1, 3}, strides{99, 1})));
    STATIC_CHECK(same_both_ways(layout({1, 1}, "ab"), layout({1, 1}, "BA4b4a")));
    STATIC_CHECK(same_both_ways(layout({0, 3}, "ab"), layout({0, 3}, "BA4b4a")));
    STATIC_CHECK(same_both_ways(layout({8, 3}, strides{0, 1}), layout({8, 3}, "Ab2a", strides{0, 2})) == false);
    STATIC_CHECK(same_both_ways(by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5),
                                by_hand({2, 3}, {2, 3}, {8, 1}, {}, {}, 15)));
    // A part of a block, and plain strides.
    STATIC_CHECK(same_both_ways(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}}), layout({2, 3}, strides{16, 1})));
}

TEST_CASE("same_memory: false for layouts that differ") {
    STATIC_CHECK(differ_both_ways(layout({2, 3}, "ab"), layout({2, 3}, "ba")));
    STATIC_CHECK(differ_both_ways(layout({2, 3}, "ab"), layout({3, 2}, "ab")));
    STATIC_CHECK(differ_both_ways(layout({2, 3}, "ab"), by_hand({2, 3}, {2, 3}, {3, 1}, {}, {}, 1)));
    STATIC_CHECK(differ_both_ways(layout({2, 17, 2}, "aBc8b"), layout({2, 17, 2}, "aBc16b")));
    STATIC_CHECK(differ_both_ways(layout({2, 3}, "ab"), by_hand({2, 3}, {2, 4}, {4, 1})));
    STATIC_CHECK(differ_both_ways(layout({8, 3}, strides{0, 1}), layout({8, 3}, "ba")));
}

TEST_CASE("same_memory: may be undecided if padded offsets carry") {
    // Offsets 7 and 100.
    constexpr layout carries = by_hand({2}, {16}, {100}, {{0, 8}}, {7}), plain = by_hand({2}, {2}, {93}, {}, {}, 7);
    STATIC_CHECK(check_layout(carries).ok());
    STATIC_CHECK(differ_both_ways(carries, plain));
    STATIC_CHECK(same_memory(carries, carries));
    CHECK(plait_test::logical_offsets(carries) == plait_test::logical_offsets(plain));
    // Equal digits in more padding, with the tensor one block further.
    STATIC_CHECK(same_both_ways(carries, by_hand({2}, {24}, {100}, {{0, 8}}, {7})));
    STATIC_CHECK(differ_both_ways(carries, by_hand({2}, {24}, {100}, {{0, 8}}, {15})));
}

TEST_CASE("same_memory: undecided for opaque layouts; two undefined layouts are the same") {
    STATIC_CHECK(same_memory(layout(), layout()));
    STATIC_CHECK(differ_both_ways(layout(), layout({2}, "any")));
    STATIC_CHECK(!same_memory(layout({2}, "any"), layout({2}, "any")));
    STATIC_CHECK(!same_memory(plait_test::opaque_layout({2}), plait_test::opaque_layout({2})));
    STATIC_CHECK(differ_both_ways(layout({2}, "a"), layout({2}, "any")));
    // A malformed layout is the same as no layout, not even itself.
    constexpr layout malformed = by_hand({3, 4}, {3, 4}, {-2, 1});
    STATIC_CHECK(!same_memory(malformed, malformed));
}

TEST_CASE("same_memory: for dynamic layouts, true means true for every value") {
    STATIC_CHECK(same_both_ways(layout({2, dynamic, 3}, "abc"), layout({2, dynamic, 3}, "abc")));
    STATIC_CHECK(same_both_ways(layout({dynamic, 8}, "aB8b"), layout({dynamic, 8}, "ab")));
    STATIC_CHECK(same_both_ways(layout({2, dynamic}, "aB4b4b"), layout({2, dynamic}, "aB16b")));
    STATIC_CHECK(same_both_ways(layout({2, 1, dynamic}, "abc"), layout({2, 1, dynamic}, "bac")));
    STATIC_CHECK(same_both_ways(layout({0, dynamic}, "ab"), layout({0, dynamic}, "ba")));
    STATIC_CHECK(differ_both_ways(layout({2, dynamic, 3}, "abc"), layout({2, dynamic, 3}, "bac")));
    // Padding a dynamic extent to 8 moves the axes outside it.
    STATIC_CHECK(differ_both_ways(layout({2, dynamic}, "aB8b"), layout({2, dynamic}, "ab")));
    // Known strides that would be the same without the padding that the digit counts: undecided.
    STATIC_CHECK(!same_memory(layout({dynamic}, "A8a"), layout({dynamic}, "a")));
    // Two unknown strides may differ, unless they are not compared.
    STATIC_CHECK(!same_memory(layout({2, 3}, strides{dynamic, 1}), layout({2, 3}, strides{dynamic, 1})));
    STATIC_CHECK(same_memory(layout({1, 3}, strides{dynamic, 1}), layout({1, 3}, strides{dynamic, 1})));
    layout circle({2, dynamic, dynamic}, "abc");
    circle.digits[1].stride = outside(2);
    circle.digits[2].stride = outside(1);
    CHECK(!same_memory(circle, circle));
}

TEST_CASE("same_memory: if dynamic layouts are the same, every bound pair is the same") {
    std::vector<layout> all;
    for (const dims& extents : {dims{dynamic, 3, 2}, dims{2, dynamic, 1}, dims{4, dynamic, dynamic}}) {
        all.clear();
        permutation order = identity_permutation(3);
        for (int i = 0; i < 6; ++i, order = plait_test::next(order)) {
            const format_tag plain = plait_test::plain_order(order);
            all.emplace_back(extents, plain);
            for (int a = 0; a < 3; ++a)
                for (dim_t size : {2, 4})
                    for (int b = 0; b < 3; ++b) {
                        all.emplace_back(extents, plait_test::blocked_by(plain, {{a, size}}));
                        all.emplace_back(extents, plait_test::blocked_by(plain, {{a, size}, {b, 2}}));
                    }
        }
        int same = 0;
        for (const layout& a : all)
            for (const layout& b : all) {
                if (!same_memory(a, b)) continue;
                ++same;
                for (dim_t x : {1, 2, 3, 5})
                    for (dim_t y : {1, 4, 7}) {
                        const dims values = dynamic_extents(a) == 1 ? dims{x} : dims{x, y};
                        if (plait_test::logical_offsets(bind(a, values)) !=
                            plait_test::logical_offsets(bind(b, values)))
                            FAIL_CHECK(format_name(a).c_str(), " and ", format_name(b).c_str());
                    }
            }
        CHECK(same > static_cast<int>(all.size()));
    }
}

TEST_CASE("same_memory: true exactly if all offsets agree, for all pairs of small layouts") {
    for (const dims& extents : {dims{1}, dims{5}, dims{8}, dims{16}, dims{17}, dims{1, 1}, dims{1, 6}, dims{4, 3}}) {
        const std::vector<layout> all = plait_test::many_layouts(extents);
        std::vector<std::vector<dim_t>> offsets;
        std::vector<bool> keeps;
        for (const layout& l : all) {
            offsets.push_back(plait_test::logical_offsets(l));
            keeps.push_back(keeps_an_offset(l));
        }
        long same = 0, unsaid = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i; j < all.size(); ++j) {
                const bool said = same_memory(all[i], all[j]), is = offsets[i] == offsets[j];
                same += said && i != j;
                // Only padded offsets that carry may leave it undecided.
                const bool may_be_unsaid = keeps[i] || keeps[j];
                unsaid += is && !said;
                if (said ? !is : is && !may_be_unsaid)
                    FAIL_CHECK(format_name(all[i]).c_str(), " and ", format_name(all[j]).c_str());
            }
        MESSAGE(to_string(extents), ": ", all.size(), " layouts, ", same, " pairs are the same, ", unsaid, " unsaid");
        CHECK(same > static_cast<long>(all.size()));
    }
}

TEST_CASE("same_memory: true for other descriptions of large layouts; if true, all sampled offsets agree") {
    plait_test::random_source random(31);
    int otherwise = 0;
    for (int i = 0; i < 2000; ++i) {
        const int n = static_cast<int>(random.between(1, 5));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.once_in(5) ? 1 : random.between(1, 2000));
        const layout l(extents, random.tag(n, 3, 16)), other = plait_test::said_otherwise(l, random);
        otherwise += l != other;
        if (!check_layout(other).ok() || !same_both_ways(l, other)) FAIL_CHECK(to_string(l));
        for (int k = 0; k < 20; ++k) {
            const position at = random.inside(extents);
            if (l.offset(at) != other.offset(at) || canonical_form(other).offset(at) != l.offset(at)) FAIL_CHECK(i);
        }
        layout moved = other;
        moved.offset0 += 1;
        if (same_memory(l, moved)) FAIL_CHECK(i);
        const layout third(extents, random.tag(n, 3, 16));
        if (!same_memory(l, third)) continue;
        for (int k = 0; k < 50; ++k) {
            const position at = random.inside(extents);
            if (l.offset(at) != third.offset(at)) FAIL_CHECK(i);
        }
    }
    CHECK(otherwise > 1000);
}

}}  // namespace test_algebra_same_memory
