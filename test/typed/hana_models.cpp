#include <plait/algebra/compose.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/typed/hana_models.hpp>

#include "support/small_layouts.hpp"

#include <boost/hana.hpp>

#include <type_traits>
#include <utility>

namespace test_typed_hana_models {

namespace hana = boost::hana;
using namespace plait;
using namespace plait::detail;

namespace {

using number = hana::integral_constant_tag<dim_t>;

template <auto Value>
inline constexpr auto constant = hana::integral_c<dim_t, Value>;

/// The permutation with number I, in lexicographic order.
template <int I>
constexpr permutation numbered = [] {
    permutation p = identity_permutation(3);
    for (int i = 0; i < I; ++i) p = plait_test::next(p);
    return p;
}();
template <int I>
using perm = permutation_constant<numbered<I>>;

template <class P>
constexpr bool has_identity_and_inverse(P p) {
    using group = hana::tag_of_t<P>;
    return decltype(hana::plus(p, hana::zero<group>()) == p)::value &&
           decltype(hana::plus(hana::zero<group>(), p) == p)::value &&
           decltype(hana::plus(p, hana::negate(p)) == hana::zero<group>())::value &&
           decltype(hana::plus(hana::negate(p), p) == hana::zero<group>())::value &&
           decltype(hana::minus(p, p) == hana::zero<group>())::value;
}

template <class P, class Q, class R>
constexpr bool associates(P p, Q q, R r) {
    return decltype(hana::plus(hana::plus(p, q), r) == hana::plus(p, hana::plus(q, r)))::value;
}

template <int... I>
constexpr bool all_have_identity_and_inverse(std::integer_sequence<int, I...>) {
    return (has_identity_and_inverse(perm<I>{}) && ...);
}
template <int... I>
constexpr bool all_associate(std::integer_sequence<int, I...>) {
    return (associates(perm<I / 36>{}, perm<I / 6 % 6>{}, perm<I % 6>{}) && ...);
}

}  // namespace

TEST_CASE("Hana: dims are Comparable: reflexive, symmetric, transitive") {
    STATIC_CHECK(hana::Comparable<hana::tag_of_t<decltype(dims_c<2, 3>)>>::value);
    STATIC_CHECK(decltype(hana::equal(dims_c<2, 3>, dims_c<2, 3>))::value);
    STATIC_CHECK(!decltype(hana::equal(dims_c<2, 3>, dims_c<3, 2>))::value);
    STATIC_CHECK(!decltype(hana::equal(dims_c<3, 2>, dims_c<2, 3>))::value);
    STATIC_CHECK(!decltype(hana::equal(dims_c<2, 3>, dims_c<2, 3, 1>))::value);
    STATIC_CHECK(decltype(hana::not_equal(dims_c<2>, dims_c<>))::value);
    STATIC_CHECK(decltype(dims_c<2, 3> == dims_c<2, 3>)::value);
    STATIC_CHECK(!decltype(hana::equal(permutation_c<0, 1>, permutation_c<1, 0>))::value);
    STATIC_CHECK(decltype(hana::equal(permutation_c<1, 0>, permutation_c<1, 0>))::value);
}

TEST_CASE("Hana: dims are Foldable") {
    STATIC_CHECK(hana::Foldable<hana::tag_of_t<decltype(dims_c<2, 3>)>>::value);
    STATIC_CHECK(decltype(hana::length(dims_c<2, 17, 20>) == hana::size_c<3>)::value);
    STATIC_CHECK(decltype(hana::length(dims_c<>) == hana::size_c<0>)::value);
    STATIC_CHECK(decltype(hana::sum<number>(dims_c<2, 17, 20>) == constant<39>)::value);
    STATIC_CHECK(decltype(hana::product<number>(dims_c<2, 17, 20>) == constant<680>)::value);
    STATIC_CHECK(decltype(hana::product<number>(dims_c<>) == constant<1>)::value);
    STATIC_CHECK(hana::unpack(dims_c<2, 17, 20>,
                              [](auto... extents) { return ((10 * decltype(extents)::value) + ...); }) == 390);
    STATIC_CHECK(hana::unpack(dims_c<>, [](auto... extents) { return sizeof...(extents); }) == 0);
    // The result of the function is returned unchanged, even if it is a reference.
    static int target = 0;
    STATIC_CHECK(std::is_same_v<decltype(hana::unpack(dims_c<2>, [](auto) -> int& { return target; })), int&>);
}

TEST_CASE("Hana: dims are Iterable") {
    STATIC_CHECK(hana::Iterable<hana::tag_of_t<decltype(dims_c<2, 3>)>>::value);
    STATIC_CHECK(decltype(hana::at_c<1>(dims_c<2, 17, 20>) == constant<17>)::value);
    STATIC_CHECK(decltype(hana::front(dims_c<2, 17, 20>) == constant<2>)::value);
    STATIC_CHECK(decltype(hana::back(dims_c<2, 17, 20>) == constant<20>)::value);
    STATIC_CHECK(decltype(hana::drop_front(dims_c<2, 17, 20>) == dims_c<17, 20>)::value);
    STATIC_CHECK(decltype(hana::drop_front(dims_c<2, 17, 20>, hana::size_c<2>) == dims_c<20>)::value);
    STATIC_CHECK(decltype(hana::drop_front(dims_c<2, 17, 20>, hana::size_c<5>) == dims_c<>)::value);
    STATIC_CHECK(decltype(hana::drop_front(dims_c<2, 17>, hana::size_c<0>) == dims_c<2, 17>)::value);
    STATIC_CHECK(!decltype(hana::is_empty(dims_c<2>))::value);
    STATIC_CHECK(decltype(hana::is_empty(dims_c<>))::value);
    // The law of Iterable: at(n, xs) is the front of xs without its first n elements.
    STATIC_CHECK(decltype(hana::at_c<2>(dims_c<2, 17, 20>) ==
                          hana::front(hana::drop_front(dims_c<2, 17, 20>, hana::size_c<2>)))::value);
    STATIC_CHECK(decltype(hana::to_tuple(dims_c<2, 17>) == hana::make_tuple(constant<2>, constant<17>))::value);
}

TEST_CASE("Hana: permutations of three axes are a Group") {
    STATIC_CHECK(hana::Monoid<permutation_tag<3>>::value);
    STATIC_CHECK(hana::Group<permutation_tag<3>>::value);
    STATIC_CHECK(all_have_identity_and_inverse(std::make_integer_sequence<int, 6>{}));
    STATIC_CHECK(all_associate(std::make_integer_sequence<int, 216>{}));
    // plus(p, q) applies q, then p. It does not commute.
    STATIC_CHECK(decltype(hana::plus(permutation_c<1, 2, 0>, permutation_c<0, 2, 1>) == permutation_c<1, 0, 2>)::value);
    STATIC_CHECK(decltype(hana::plus(permutation_c<0, 2, 1>, permutation_c<1, 2, 0>) == permutation_c<2, 1, 0>)::value);
    STATIC_CHECK(
        decltype(hana::minus(permutation_c<1, 0, 2>, permutation_c<0, 2, 1>) == permutation_c<1, 2, 0>)::value);
}

TEST_CASE("Hana: the tags that select the models") {
    STATIC_CHECK(std::is_same_v<hana::tag_of_t<decltype(dims_c<2, 3>)>, dims_tag>);
    STATIC_CHECK(std::is_same_v<hana::tag_of_t<decltype(permutation_c<1, 0>)>, permutation_tag<2>>);
}

}  // namespace test_typed_hana_models
