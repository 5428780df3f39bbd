#include <plait/algebra/compose.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/core/dims.hpp>

#include "support/small_layouts.hpp"

#include <type_traits>

namespace test_core_dims { namespace {

using namespace plait;

template <class A, class B>
concept comparable = requires(const A& a, const B& b) {
    a == b;
};

template <class A, class B>
constexpr bool unrelated() {
    return !std::is_convertible_v<A, B> && !std::is_constructible_v<B, A> && !std::is_assignable_v<B&, A> &&
           !comparable<A, B> && !std::is_convertible_v<B, A> && !std::is_constructible_v<A, B>;
}

constexpr dim_t half = dim_t{1} << 31;

TEST_CASE("dims: extents, strides, positions and permutations are different types and do not convert") {
    STATIC_CHECK(unrelated<dims, strides>());
    STATIC_CHECK(unrelated<dims, position>());
    STATIC_CHECK(unrelated<dims, permutation>());
    STATIC_CHECK(unrelated<strides, position>());
    STATIC_CHECK(unrelated<strides, permutation>());
    STATIC_CHECK(unrelated<position, permutation>());
    STATIC_CHECK(comparable<dims, dims>);
}

TEST_CASE("dims: holds the numbers in order") {
    STATIC_CHECK(dims{}.ndims() == 0);
    STATIC_CHECK(dims{}.empty());
    STATIC_CHECK(dims{2, 3, 4}.ndims() == 3);
    STATIC_CHECK(dims{2, 3, 4}[2] == 4);
    STATIC_CHECK(dims{2, 3} == dims{2, 3});
    STATIC_CHECK(dims{2, 3} != dims{3, 2});
    STATIC_CHECK(dims{2, 3} != dims{2, 3, 0});
    STATIC_CHECK(dims{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}.ndims() == max_ndims);
    constexpr dim_t array[] = {7, 8, 9};
    STATIC_CHECK(dims(array, 2) == dims{7, 8});
    STATIC_CHECK(dims(array, 0) == dims{});
    STATIC_CHECK(dims(nullptr, 0) == dims{});
}

TEST_CASE("dims: more than 12 axes are refused, before any is read past the end") {
    const verdict why = plait_test::refusal_of([] { return dims{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}; });
    CHECK((why == verdict{reason::too_many_axes, -1, 13, 12}));
    CHECK((why.status() == status::invalid_arguments));
    const dim_t numbers[13]{};
    CHECK((plait_test::refusal_of([&] { return permutation(numbers, 13); }).reason == reason::too_many_axes));
    CHECK((plait_test::refusal_of([&] { return strides(numbers, SIZE_MAX); }).reason == reason::too_many_axes));
    CHECK((plait_test::refusal_of([&] { return position(numbers, 12); }).ok()));
}

TEST_CASE("volume: the product; dynamic if an extent is; refused if it overflows") {
    STATIC_CHECK(volume(dims{}) == 1);
    STATIC_CHECK(volume(dims{2, 3, 4}) == 24);
    STATIC_CHECK(volume(dims{5, 0, 4}) == 0);
    STATIC_CHECK(volume(dims{0, INT64_MAX, INT64_MAX}) == 0);
    STATIC_CHECK(volume(dims{2, dynamic, 4}) == dynamic);
    STATIC_CHECK(volume(dims{INT64_MAX, 1}) == INT64_MAX);
    STATIC_CHECK(volume(dims{half, half}) == dim_t{1} << 62);
    CHECK((plait_test::refusal_of([] {
               return volume(dims{half, half, 2});
           }) == verdict{reason::size_overflows, 2, dim_t{1} << 62, 2}));
}

TEST_CASE("volume: never overflows if an extent is zero, at any position") {
    CHECK((plait_test::refusal_of([] { return volume(dims{0, half, half, 2}); }).ok()));
    CHECK((plait_test::refusal_of([] { return volume(dims{half, half, 2, 0}); }).ok()));
    CHECK((plait_test::refusal_of([] {
               return volume(dims{half, half, 2, dynamic});
           }).ok() == plait_test::refusal_of([] {
                          return volume(dims{dynamic, half, half, 2});
                      }).ok()));
}

TEST_CASE("check_permutation: names the first entry that is outside or used twice") {
    STATIC_CHECK(check_permutation({}, 0).ok());
    STATIC_CHECK(check_permutation({2, 0, 1}, 3).ok());
    STATIC_CHECK(check_permutation({0, 1}, 3) == verdict{reason::rank_differs, -1, 2, 3});
    STATIC_CHECK(check_permutation({0, 1, 2}, 2) == verdict{reason::rank_differs, -1, 3, 2});
    STATIC_CHECK(check_permutation({0, 2, 2}, 3) == verdict{reason::not_a_permutation, 2, 2, 3});
    STATIC_CHECK(check_permutation({0, 3, 1}, 3) == verdict{reason::not_a_permutation, 1, 3, 3});
    STATIC_CHECK(check_permutation({-1, 0}, 2) == verdict{reason::not_a_permutation, 0, -1, 2});
    // Far out of range: a shift by this number would be undefined behaviour.
    STATIC_CHECK(check_permutation({0, INT64_MAX}, 2).reason == reason::not_a_permutation);
    STATIC_CHECK(check_permutation({dynamic, 0}, 2).reason == reason::not_a_permutation);
    STATIC_CHECK(check_permutation({11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 12).ok());
}

TEST_CASE("compose: applies the second permutation, then the first") {
    STATIC_CHECK(compose(permutation{1, 2, 0}, permutation{0, 2, 1}) == permutation{1, 0, 2});
    STATIC_CHECK(compose(permutation{0, 2, 1}, permutation{1, 2, 0}) == permutation{2, 1, 0});
    STATIC_CHECK(compose(permutation{}, permutation{}) == permutation{});
    STATIC_CHECK(identity_permutation(3) == permutation{0, 1, 2});
    STATIC_CHECK(inverse(permutation{1, 2, 0}) == permutation{2, 0, 1});
    STATIC_CHECK(inverse(permutation{}) == permutation{});
    const auto composed = [](const permutation& p, const permutation& q) {
        return plait_test::refusal_of([&] { return compose(p, q); }).reason;
    };
    CHECK((composed({0, 1}, {0, 1, 2}) == reason::rank_differs));
    CHECK((composed({0, 0}, {0, 1}) == reason::not_a_permutation));
    CHECK((composed({0, 1}, {0, 2}) == reason::not_a_permutation));
    CHECK((plait_test::refusal_of([] { return inverse(permutation{0, 2}); }).reason == reason::not_a_permutation));
}

TEST_CASE("inverse: undoes every permutation of four axes, from both sides") {
    STATIC_CHECK([] {
        permutation p = identity_permutation(4);
        for (int i = 0; i < plait_test::factorial(4); ++i, p = plait_test::next(p)) {
            if (compose(p, inverse(p)) != identity_permutation(4)) return false;
            if (compose(inverse(p), p) != identity_permutation(4)) return false;
        }
        return p == identity_permutation(4);
    }());
}

}}  // namespace test_core_dims
