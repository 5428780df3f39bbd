#include <plait/algebra/canonical_form.hpp>

#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

namespace test_algebra_canonical_form { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

/// Checks the laws: the form is valid, has the same offsets, is its own canonical form, and has no more digits.
constexpr bool is_canonical_form_of(const layout& form, const layout& l) {
    if (!check_layout(form).ok() || form.dims != l.dims || canonical_form(form) != form) return false;
    // An axis that runs backwards and is not whole becomes a part of a block, which may take one digit more.
    if (form.digits.size() > l.digits.size() + (runs_backwards(l) ? l.ndims() : 0)) return false;
    // In constant expressions, only as many as the compilers' step limits allow.
    if (!check_static(l).ok() || l.volume() > (std::is_constant_evaluated() ? 100 : 10000)) return true;
    if (l.volume() == 0) return true;
    position at = plait_test::origin(l.ndims());
    do
        if (form.offset(at) != l.offset(at)) return false;
    while (plait_test::advance(at, l.dims));
    return true;
}

constexpr bool becomes(const layout& l, const layout& expected) {
    return canonical_form(l) == expected && canonical_form(l).strides() == expected.strides() &&
           is_canonical_form_of(expected, l);
}

TEST_CASE("canonical_form: digits that continue each other are merged") {
    STATIC_CHECK(becomes(layout({17}, "A8a"), layout({17}, "a")));
    STATIC_CHECK(becomes(layout({16}, "A4a4a"), layout({16}, "a")));
    STATIC_CHECK(becomes(layout({2, 32}, "aB4b4b"), layout({2, 32}, "ab")));
    STATIC_CHECK(becomes(layout({2, 64, 5}, "aBc4b4b"), layout({2, 64, 5}, "aBc16b")));
    STATIC_CHECK(becomes(layout({33, 33, 3}, "ABc4b16a4b"), layout({33, 33, 3}, "ABc4b16a4b")));
    // The outermost blocks of b are directly outside its blocks of 4.
    STATIC_CHECK(becomes(layout({33, 48}, "AB4b16a4b"), layout({33, 48}, "AB16a4b")));
    STATIC_CHECK(becomes(layout({8, 3}, strides{0, 1}), layout({8, 3}, strides{0, 1})));
    STATIC_CHECK(becomes(by_hand({8, 3}, {8, 3}, {0, 1}), layout({8, 3}, strides{0, 1})));
}

TEST_CASE("canonical_form: digits that no index reaches are left out, as is padding") {
    STATIC_CHECK(becomes(layout({2, 5, 3}, "aBc8b"), layout({2, 5, 3}, strides{24, 1, 8})));
    STATIC_CHECK(becomes(layout({2, 17, 3}, "aBc8b"), layout({2, 17, 3}, "aBc8b")));
    STATIC_CHECK(becomes(by_hand({2, 3}, {4, 4}, {4, 1}), layout({2, 3}, strides{4, 1})));
    STATIC_CHECK(
        becomes(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}}, {}, 11), by_hand({2, 3}, {2, 3}, {16, 1}, {}, {}, 11)));
    STATIC_CHECK(becomes(layout({1, 3}, strides{-5, 1}), layout({1, 3}, strides{0, 1})));
    STATIC_CHECK(becomes(layout({1, 1}, "AB4a4b"), layout({1, 1}, strides{0, 0})));
    STATIC_CHECK(becomes(layout({0, 3, dynamic}, "aBc4b"), by_hand({0, 3, dynamic}, {0, 3, dynamic}, {0, 0, 0})));
}

TEST_CASE("canonical_form: padded offsets are added to offset0 unless they carry") {
    STATIC_CHECK(
        becomes(by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5), by_hand({2, 3}, {2, 3}, {8, 1}, {}, {}, 15)));
    // 2 + 5 stays in the block of 8; 5 + 5 does not.
    STATIC_CHECK(
        becomes(by_hand({2, 6}, {2, 16}, {8, 16}, {{1, 8}}, {0, 2}), by_hand({2, 6}, {2, 6}, {8, 1}, {}, {}, 2)));
    STATIC_CHECK(becomes(by_hand({2, 6}, {2, 24}, {8, 16}, {{1, 8}}, {0, 5}),
                         by_hand({2, 6}, {2, 16}, {8, 16}, {{1, 8}}, {0, 5})));
    // The outer part of the padded offset is added nevertheless.
    STATIC_CHECK(becomes(by_hand({2, 6}, {2, 24}, {8, 16}, {{1, 8}}, {0, 13}),
                         by_hand({2, 6}, {2, 16}, {8, 16}, {{1, 8}}, {0, 5}, 16)));
    // 3 carries into the digit of 2, which then carries because of its own 4.
    layout twice = by_hand({3}, {16}, {100}, {{0, 2}, {0, 4}}, {7});
    twice.digits[1].stride = 10;
    CHECK(becomes(twice, twice));
    // Digits that continue each other never carry.
    STATIC_CHECK(becomes(by_hand({6}, {24}, {8}, {{0, 8}}, {5}, 1), by_hand({6}, {6}, {1}, {}, {}, 6)));
}

TEST_CASE("canonical_form: inner digits are ordered by stride, and within an axis from outer to inner") {
    // Two digits of one axis, 8 within 12 in memory: they stay in the order of the radices.
    layout l = by_hand({192, 2}, {192, 2}, {96, 192}, {{0, 8}, {0, 12}});
    l.digits[2].stride = 1;
    l.digits[3].stride = 8;
    CHECK(check_layout(l).ok());
    CHECK(becomes(l, l));
    // Digits of two axes: the larger stride is first, so that a tag can name them.
    layout crossed = by_hand({4, 4, 3}, {4, 4, 3}, {24, 12, 4}, {{0, 2}, {1, 2}});
    crossed.digits[3].stride = 1;
    crossed.digits[4].stride = 2;
    CHECK(becomes(crossed, layout({4, 4, 3}, "ABc2b2a")));
    CHECK((format_name(canonical_form(crossed)) == "ABc2b2a"));
}

TEST_CASE("canonical_form: dynamic extents keep their outermost digit and the digits that others are outside of") {
    STATIC_CHECK(becomes(layout({2, dynamic, 3}, "abc"), layout({2, dynamic, 3}, "abc")));
    STATIC_CHECK(becomes(layout({2, dynamic}, "aB4b4b"), layout({2, dynamic}, "aB16b")));
    STATIC_CHECK(becomes(layout({dynamic, 8}, "aB8b"), layout({dynamic, 8}, "ab")));
    // The stride of a is the stride of b times its places: two blocks, whatever the padding of b.
    constexpr layout l({2, 5, dynamic}, "aBc4b");
    STATIC_CHECK(canonical_form(l) == l);
    // One block has one place, so a lies directly outside c.
    STATIC_CHECK(canonical_form(layout({2, 3, dynamic}, "aBc4b")).digits[0].stride == outside(2));
    STATIC_CHECK(canonical_form(layout({2, 3, dynamic}, "aBc4b")).digits[1] == digit{1, 3, 1});
    for (dim_t extent : {0, 1, 2, 7}) {
        const layout bound = bind(layout({2, 5, dynamic, 3, 1}, "adBce4b"), {extent});
        CHECK(canonical_form(bind(canonical_form(layout({2, 5, dynamic, 3, 1}, "adBce4b")), {extent})) ==
              canonical_form(bound));
    }
}

TEST_CASE("canonical_form: an axis that others are outside of keeps its places and padding") {
    const auto binds_the_same = [](const layout& l) {
        if (!check_layout(l).ok() || !check_layout(canonical_form(l)).ok()) return false;
        for (dim_t extent : {1, 2, 7}) {
            const layout bound = bind(l, {extent}), form = bind(canonical_form(l), {extent});
            if (plait_test::logical_offsets(bound) != plait_test::logical_offsets(form)) return false;
        }
        return true;
    };
    // b is padded to three blocks where two would do: a lies outside all three.
    layout l({2, 5, dynamic}, "aBc4b");
    l.padded_dims[1] = 12;
    l.digits[1].extent = 3;
    l.digits[0].stride = outside(1);
    CHECK(binds_the_same(l));
    CHECK(canonical_form(l) == l);
    // The second block of b is never reached, but it is there.
    l = layout({2, 3, dynamic}, "aBc4b");
    l.padded_dims[1] = 8;
    l.digits[1].extent = 2;
    l.digits[0].stride = outside(1);
    CHECK(binds_the_same(l));
    CHECK(canonical_form(l) == l);
    // The same holds for an axis outside it: here a, outside c, which is outside b.
    l = layout({2, 3, 3, dynamic}, "aCBd4b4c");
    l.padded_dims[1] = l.padded_dims[2] = 8;
    l.digits[1].extent = l.digits[2].extent = 2;
    l.digits[0].stride = outside(2);
    l.digits[2].stride = outside(1);
    CHECK(binds_the_same(l));
    // A padded offset larger than a block of unknown stride stays.
    l.padded_offsets[1] = 5;
    CHECK(binds_the_same(l));
    for (const layout& plain : {layout({2, dynamic, 3}, "abc"), layout({2, 1, dynamic}, "aBc4b"),
                                layout({2, 5, 1, 3, dynamic}, "aBCDe4b2c2d4b")})
        CHECK(binds_the_same(plain));
}

TEST_CASE("canonical_form: a backwards block inside a stride that is not known keeps its padding") {
    layout l = by_hand({8}, {9}, {dynamic}, {{0, 3}}, {}, 8);
    l.digits[1].stride = -1;
    CHECK(check_layout(l).ok());
    CHECK(check_layout(canonical_form(l)).ok());
    CHECK(canonical_form(l) == l);
}

TEST_CASE("canonical_form: it is valid and binds to the same places, for every order, block and set of dynamic axes") {
    // Each axis has 3 elements: padded in blocks of 2, and a part of a block of 4 once it is bound.
    std::string order = "abc";
    do
        for (const char* block : {"", "2a", "2b", "4b", "2c2b", "4a2a"})
            for (unsigned open = 1; open < 8; ++open) {
                std::string tag = order;
                for (const char* at = block; *at != 0; ++at)
                    for (char& letter : tag)
                        if (letter == *at) letter = static_cast<char>(letter - 'a' + 'A');
                tag += block;
                dims extents{3, 3, 3}, found;
                for (int a = 0; a < 3; ++a)
                    if ((open >> a & 1u) != 0) {
                        extents[a] = dynamic;
                        found.push_back(3);
                    }
                const layout l(extents, *parse_format_tag(tag)), form = canonical_form(l);
                CAPTURE(tag);
                CAPTURE(open);
                CHECK(check_layout(form).ok());
                CHECK(canonical_form(form) == form);
                CHECK(plait_test::logical_offsets(bind(form, found)) == plait_test::logical_offsets(bind(l, found)));
            }
    while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("canonical_form: kinds without digits are their own canonical form; malformed layouts are refused") {
    STATIC_CHECK(canonical_form(layout()) == layout());
    STATIC_CHECK(canonical_form(layout({2, 3}, "any")) == layout({2, 3}, "any"));
    STATIC_CHECK(canonical_form(plait_test::opaque_layout({2})) == plait_test::opaque_layout({2}));
    STATIC_CHECK(check_canonical_form(by_hand({3, 4}, {3, 4}, {-2, 1})) ==
                 verdict{reason::stride_is_negative, 0, -2, 0, 4});
    STATIC_CHECK(!try_canonical_form(by_hand({3, 4}, {3, 4}, {-2, 1})).has_value());
    STATIC_CHECK(check_canonical_form(by_hand({3}, {2}, {1})) == verdict{reason::padded_dim_does_not_fit, 0, 2, 3});
    layout malformed({2, 3}, "ab");
    malformed.digits.count = 77;
    CHECK((check_canonical_form(malformed) == verdict{reason::layout_is_malformed, -1, 77, 2}));
    CHECK((plait_test::refusal_of([&] { return canonical_form(malformed); }).reason == reason::layout_is_malformed));
    CHECK(malformed.digits.count == 77);
    // Strides that are outside each other in a cycle, and a link that should be a number.
    layout circle({2, dynamic, dynamic}, "abc");
    circle.digits[1].stride = outside(2);
    circle.digits[2].stride = outside(1);
    CHECK(check_canonical_form(circle).ok());
    layout far({2, 3, 2}, "abc");
    far.digits[0].stride = outside(1);
    far.digits[1].stride = INT64_MAX / 8;
    CHECK((check_canonical_form(far) == verdict{reason::layout_is_malformed, 0, outside(1), INT64_MAX / 8}));
}

TEST_CASE("canonical_form: the laws hold for all small layouts and for random ones") {
    for (const layout& l : plait_test::varied_layouts) CHECK(is_canonical_form_of(canonical_form(l), l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK(is_canonical_form_of(canonical_form(l), l));
    for (const dims& extents : {dims{5}, dims{8}, dims{1, 6}, dims{4, 3}, dims{2, 3, 2}})
        for (const layout& l : plait_test::many_layouts(extents))
            if (!is_canonical_form_of(canonical_form(l), l)) FAIL_CHECK(to_string(l));
    plait_test::random_source random(5);
    for (int i = 0; i < 5000; ++i) {
        layout l = random.small_layout();
        const layout before = l;
        if (!is_canonical_form_of(canonical_form(l), l)) FAIL_CHECK(i);
        l = canonical_form(l);
        if (!is_canonical_form_of(l, before)) FAIL_CHECK(i);
    }
}

}}  // namespace test_algebra_canonical_form
