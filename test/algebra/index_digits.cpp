#include <plait/algebra/index_digits.hpp>

#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"
#include "laws/random_layouts.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace test_algebra_index_digits { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::random_source;

constexpr digit_list list_of(std::initializer_list<digit> digits) {
    digit_list out;
    for (const digit& d : digits) out.push_back(d);
    return out;
}

/// Returns the extents that can be taken from the inside: whole digits, then a divisor of the next one.
constexpr bool can_be_taken(digit_list list, dim_t extent) { return take_inside(list, extent).why.ok(); }

constexpr dim_t product_of(const digit_list& list) {
    dim_t product = 1;
    for (const digit& d : list) product *= d.extent;
    return product;
}

/// Computes nearest_extent by trying all extents; returns the smaller of two at the same distance.
constexpr dim_t nearest_by_trying(const digit_list& list, dim_t wanted) {
    for (dim_t away = 0;; ++away) {
        if (away < wanted && can_be_taken(list, wanted - away)) return wanted - away;
        if (can_be_taken(list, wanted + away)) return wanted + away;
    }
}

/// Returns the offset of an index below the product of the extents.
constexpr dim_t value_of(const digit_list& list, dim_t index) {
    dim_t offset = 0;
    for (int k = list.size() - 1; k >= 0; --k) {
        offset += (k == 0 ? index : index % list[k].extent) * list[k].stride;
        index /= list[k].extent;
    }
    return offset;
}

/// Checks that the taken and the remaining digits give every index its old offset.
constexpr bool taking_keeps_values(const digit_list& list, dim_t extent) {
    digit_list rest = list, inner;
    const digits_taken taken = take_inside(rest, extent);
    if (!taken.why.ok()) return taken.why.third == nearest_by_trying(list, extent);
    for (int k = taken.digits.size() - 1; k >= 0; --k) inner.push_back(taken.digits[k]);
    if (product_of(inner) != extent || product_of(rest) * extent != product_of(list)) return false;
    for (dim_t i = 0; i < product_of(list); ++i)
        if (value_of(list, i) != value_of(rest, i / extent) + value_of(inner, i % extent)) return false;
    return true;
}

constexpr digit_list three = list_of({{0, 6, 100}, {1, 10, 7}, {2, 4, 1}});

TEST_CASE("index_digits: a digit continues another if its step is the length of all values of the other") {
    STATIC_CHECK(steps_over({0, 2, 12}, {1, 4, 3}));
    STATIC_CHECK(!steps_over({0, 2, 11}, {1, 4, 3}));
    STATIC_CHECK(!steps_over({0, 2, 13}, {1, 4, 3}));
    STATIC_CHECK(steps_over({0, dynamic, 12}, {1, 4, 3}));
    STATIC_CHECK(!steps_over({0, 2, 12}, {1, dynamic, 3}));
    STATIC_CHECK(!steps_over({0, 2, dynamic}, {1, 4, 3}));
    STATIC_CHECK(!steps_over({0, 2, outside(1)}, {1, 4, 3}));
    STATIC_CHECK(!steps_over({0, 2, 12}, {1, 4, outside(2)}));
    STATIC_CHECK(steps_over({0, 2, 0}, {1, 4, 0}));
    // 2^62 times 4 wraps around to 0.
    STATIC_CHECK(!steps_over({0, 2, 0}, {1, 4, dim_t{1} << 62}));
}

TEST_CASE("index_digits: digits that continue each other are merged, digits of one value are left out") {
    constexpr auto merged = [] {
        digit_list list;
        for (const digit& d :
             {digit{0, 1, 99}, digit{0, 2, 60}, digit{1, 1, 7}, digit{1, 5, 12}, digit{2, 3, 4}, digit{2, 4, 2}})
            append_merged(list, d);
        return list;
    };
    STATIC_CHECK(merged() == list_of({{0, 30, 4}, {2, 4, 2}}));
    constexpr auto unknown = [] {
        digit_list list = list_of({{0, dynamic, 6}});
        append_merged(list, {1, 6, 1});
        return list;
    };
    STATIC_CHECK(unknown() == list_of({{0, dynamic, 1}}));
}

TEST_CASE("index_digits: the digits of an axis, outermost first") {
    STATIC_CHECK(digits_of_axis(layout({8, 6, 3}, "BAc4b2a2b"), 1) == list_of({{1, 4, 4}, {1, 2, 1}}));
    STATIC_CHECK(digits_of_axis(layout({8, 6, 3}, "BAc4b2a2b"), 0) == list_of({{0, 4, 48}, {0, 2, 2}}));
    STATIC_CHECK(digits_of_axis(layout({8, 1, 3}, "abc"), 1) == digit_list{});
    STATIC_CHECK(digits_of_axis(layout({dynamic, 2}, "ab"), 0) == list_of({{0, dynamic, 2}}));
}

/// The places of the first indices that a list of digits describes.
std::vector<dim_t> places_in(const digit_list& digits, dim_t indices) {
    std::vector<dim_t> out;
    for (dim_t i = 0; i < indices; ++i) {
        dim_t place = 0, rest = i;
        for (int k = digits.size() - 1; k >= 0; --k) {
            place += (k == 0 ? rest : rest % digits[k].extent) * digits[k].stride;
            rest /= digits[k].extent;
        }
        out.push_back(place);
    }
    return out;
}

TEST_CASE("index_digits: the fewest digits are equal if and only if the places of the indices are") {
    for (const dims& extents : {dims{8}, dims{5}, dims{2, 6}}) {
        const std::vector<layout> all = plait_test::many_layouts(extents);
        const int axis = extents.size() - 1;
        for (dim_t indices = 1; indices <= extents[axis]; ++indices) {
            std::map<std::vector<dim_t>, digit_list> by_places;
            std::vector<digit_list> lists;
            for (const layout& l : all) {
                position at = plait_test::origin(l.ndims());
                std::vector<dim_t> places;
                for (; at[axis] < indices; ++at[axis]) places.push_back(evaluate_digits(l, at));
                const digit_list fewest = fewest_digits(l, axis, indices);
                if (places_in(fewest, indices) != places) FAIL_CHECK(to_string(l));
                if (by_places.try_emplace(places, fewest).first->second != fewest) FAIL_CHECK(to_string(l));
            }
            std::vector<std::vector<digit>> different;
            for (const auto& [places, fewest] : by_places) {
                // The outermost digit has one value at least: with fewer digits, there would be none.
                CHECK((fewest.empty() ? indices == 1 : fewest[0].extent > 1));
                const std::vector<digit> digits(fewest.begin(), fewest.end());
                CHECK(std::find(different.begin(), different.end(), digits) == different.end());
                different.push_back(digits);
            }
            CHECK((indices < 4 || different.size() > 10));
        }
    }
}

TEST_CASE("index_digits: the fewest digits of a dynamic axis, and of strides that are not known") {
    STATIC_CHECK(fewest_digits(layout({dynamic, 8}, "Ab4a2a"), 0) == list_of({{0, dynamic, 64}, {0, 8, 1}}));
    STATIC_CHECK(fewest_digits(layout({dynamic, 8}, "bA8a"), 0) == list_of({{0, dynamic, 1}}));
    STATIC_CHECK(fewest_digits(layout({dynamic, 8}, strides{0, 1}), 0) == list_of({{0, dynamic, 0}}));
    constexpr layout linked({2, 32, dynamic}, "aBc16b");
    STATIC_CHECK(fewest_digits(linked, 1) == list_of({{1, 2, outside(2)}, {1, 16, 1}}));
    STATIC_CHECK(fewest_digits(layout({3, 4}, strides{dynamic, 1}), 0) == list_of({{0, 3, dynamic}}));
    STATIC_CHECK(fewest_digits(layout({0, 4}, "ab"), 0).empty());
}

TEST_CASE("index_digits: the divisors next to a number equal those found by trying all") {
    for (dim_t n = 1; n <= 200; ++n)
        for (dim_t x = 1; x <= n + 3; ++x) {
            dim_t below = x < n ? x : n, above = x;
            while (n % below != 0) --below;
            CHECK(divisor_at_most(n, x) == below);
            if (x > n) continue;
            while (n % above != 0) ++above;
            CHECK(divisor_at_least(n, x) == above);
        }
    // Both are searched for from the side with fewer candidates.
    constexpr dim_t prime = 1'000'003;
    STATIC_CHECK(divisor_at_most(prime * 3, prime * 3 - 1) == prime);
    STATIC_CHECK(divisor_at_most(prime * 3, 5) == 3);
    STATIC_CHECK(divisor_at_least(prime * 3, 4) == prime);
    STATIC_CHECK(divisor_at_least(prime * 3, prime * 2) == prime * 3);
}

TEST_CASE("index_digits: far from any divisor a common one is returned, and the search ends") {
    constexpr dim_t huge = (dim_t{1} << 61) - 1;  // a prime
    CHECK(divisor_at_most(huge, dim_t{1} << 30) == 1);
    CHECK(divisor_at_least(huge, dim_t{1} << 30) == huge);
    CHECK(divisor_at_most(dim_t{1} << 60, (dim_t{1} << 30) * 3) == dim_t{1} << 30);
    CHECK(divisor_at_most(INT64_MAX, INT64_MAX - 1) == INT64_MAX / 7);
}

TEST_CASE("index_digits: the nearest extent is the nearest") {
    STATIC_CHECK(nearest_extent(three, 7) == 8);
    STATIC_CHECK(nearest_extent(three, 3) == 2);    // 2 and 4 are at the same distance
    STATIC_CHECK(nearest_extent(three, 30) == 20);  // 20 and 40
    STATIC_CHECK(nearest_extent(three, 31) == 40);
    STATIC_CHECK(nearest_extent(three, 1000) == 240);
    for (dim_t wanted = 1; wanted < 300; ++wanted)
        CHECK(nearest_extent(three, wanted) == nearest_by_trying(three, wanted));
    random_source random(31);
    for (int i = 0; i < 3000; ++i) {
        digit_list list;
        for (dim_t n = random.between(1, 4); n > 0; --n) list.push_back({0, random.between(1, 12), n * 1000});
        const dim_t wanted = random.between(1, product_of(list) + 5);
        CHECK(nearest_extent(list, wanted) == nearest_by_trying(list, wanted));
    }
}

TEST_CASE(
    "index_digits: taking from the inside keeps the offset of every index, or names the extents that could be taken") {
    STATIC_CHECK([] {
        for (dim_t extent = 1; extent <= 24; ++extent)
            if (!taking_keeps_values(list_of({{0, 2, 50}, {0, 3, 9}, {0, 4, 2}}), extent)) return false;
        return true;
    }());
    for (dim_t extent = 1; extent <= 240; ++extent) CHECK(taking_keeps_values(three, extent));
}

TEST_CASE("index_digits: extents that cannot be taken are refused") {
    constexpr auto why = [](digit_list list, dim_t extent) { return take_inside(list, extent).why; };
    STATIC_CHECK(why(three, 6) == verdict{reason::extents_do_not_divide, 2, 4, 6, 4});  // 4 or 8
    STATIC_CHECK(why(three, 12) == verdict{reason::extents_do_not_divide, 1, 40, 12, 8});
    STATIC_CHECK(why(three, 3) == verdict{reason::extents_do_not_divide, 2, 4, 3, 2});
    STATIC_CHECK(why(three, 160) == verdict{reason::extents_do_not_divide, 0, 240, 160, 120});
    STATIC_CHECK(why(three, 480) == verdict{reason::volumes_differ, -1, 240, 480});
    STATIC_CHECK(why(list_of({{0, 4, dim_t{1} << 62}}), 2) == verdict{reason::size_overflows, 0, dim_t{1} << 62, 2});
    STATIC_CHECK(why(list_of({{3, 6, outside(1)}}), 2).ok());
    STATIC_CHECK(why({}, 1).ok());
}

TEST_CASE("index_digits: inner digits are sorted by stride, but digits of one axis keep their order") {
    constexpr auto sorted = [](std::initializer_list<digit> inner) {
        layout l({1, 1, 1}, "abc");
        for (const digit& d : inner) l.digits.push_back(d);
        sort_inner_digits(l);
        digit_list out;
        for (int k = 3; k < l.digits.size(); ++k) out.push_back(l.digits[k]);
        return out;
    };
    STATIC_CHECK(sorted({{0, 2, 1}, {1, 3, 2}, {2, 4, 6}}) == list_of({{2, 4, 6}, {1, 3, 2}, {0, 2, 1}}));
    STATIC_CHECK(sorted({{0, 2, 1}, {0, 3, 2}}) == list_of({{0, 2, 1}, {0, 3, 2}}));
    STATIC_CHECK(sorted({{0, 2, 1}, {1, 4, 8}, {0, 3, 5}}) == list_of({{1, 4, 8}, {0, 2, 1}, {0, 3, 5}}));
    STATIC_CHECK(sorted({{1, 3, 9}, {0, 2, 1}}) == list_of({{1, 3, 9}, {0, 2, 1}}));
}

}}  // namespace test_algebra_index_digits
