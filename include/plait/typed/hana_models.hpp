#pragma once
// Models of Boost.Hana's concepts. dims are Comparable, Foldable, Iterable sequences of integral constants; the
// permutations of n axes are Comparable and a Group under composition. If Boost is not installed, this header defines
// no models; nothing else in plait needs them.

#include <plait/typed/constants.hpp>

#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The Boost.Hana tag of dims_constant, which selects the models below.
///
/// Source:  Boost.Hana, tag dispatching
/// Example: boost::hana::tag_of_t<decltype(dims_c<2, 3>)> is dims_tag
struct dims_tag {};
}  // namespace detail
/// The Boost.Hana tag of permutation_constant, one per number of axes, because the permutations of n axes are a group.
///
/// Source:  Boost.Hana, tag dispatching
/// Example: boost::hana::tag_of_t<decltype(permutation_c<1, 0>)> is permutation_tag<2>
template <int NDims>
struct permutation_tag {};

namespace detail {
/// Returns the dims without the first `count` extents.
constexpr dims without_front(const dims& d, int count) {
    return count < d.size() ? dims(d.values + count, static_cast<std::size_t>(d.size() - count)) : dims();
}
}  // namespace detail
}  // namespace plait

#if __has_include(<boost/hana/fwd/core/tag_of.hpp>)

// Only forward declarations: a program that calls Hana's functions includes their headers itself.
#include <boost/hana/fwd/at.hpp>
#include <boost/hana/fwd/bool.hpp>
#include <boost/hana/fwd/core/tag_of.hpp>
#include <boost/hana/fwd/drop_front.hpp>
#include <boost/hana/fwd/equal.hpp>
#include <boost/hana/fwd/integral_constant.hpp>
#include <boost/hana/fwd/is_empty.hpp>
#include <boost/hana/fwd/minus.hpp>
#include <boost/hana/fwd/negate.hpp>
#include <boost/hana/fwd/plus.hpp>
#include <boost/hana/fwd/unpack.hpp>
#include <boost/hana/fwd/zero.hpp>

namespace boost::hana {

template <plait::dims D>
struct tag_of<plait::dims_constant<D>> {
    using type = plait::detail::dims_tag;
};
template <plait::permutation P>
struct tag_of<plait::permutation_constant<P>> {
    using type = plait::permutation_tag<P.size()>;
};

// Comparable
template <>
struct equal_impl<plait::detail::dims_tag, plait::detail::dims_tag> {
    template <class A, class B>
    static constexpr auto apply(A, B) {
        return bool_c<A::value == B::value>;
    }
};
template <int N>
struct equal_impl<plait::permutation_tag<N>, plait::permutation_tag<N>> {
    template <class P, class Q>
    static constexpr auto apply(P, Q) {
        return bool_c<P::value == Q::value>;
    }
};

// Foldable
template <>
struct unpack_impl<plait::detail::dims_tag> {
    template <class D, class F>
    static constexpr decltype(auto) apply(D, F&& f) {
        return [&]<int... I>(std::integer_sequence<int, I...>)->decltype(auto) {
            return static_cast<F&&>(f)(integral_c<plait::dim_t, D::value[I]>...);
        }
        (std::make_integer_sequence<int, D::value.size()>{});
    }
};

// Iterable
template <>
struct at_impl<plait::detail::dims_tag> {
    template <class D, class N>
    static constexpr auto apply(D, N) {
        static_assert(N::value >= 0 && N::value < D::value.size(), "hana::at: the dims have fewer axes than that");
        return integral_c<plait::dim_t, D::value[static_cast<int>(N::value)]>;
    }
};
template <>
struct drop_front_impl<plait::detail::dims_tag> {
    template <class D, class N>
    static constexpr auto apply(D, N) {
        return plait::dims_constant<plait::detail::without_front(D::value, static_cast<int>(N::value))>{};
    }
};
template <>
struct is_empty_impl<plait::detail::dims_tag> {
    template <class D>
    static constexpr auto apply(D) {
        return bool_c<D::value.empty()>;
    }
};

// Group
template <int N>
struct zero_impl<plait::permutation_tag<N>> {
    static constexpr auto apply() { return plait::permutation_constant<plait::identity_permutation(N)>{}; }
};
template <int N>
struct plus_impl<plait::permutation_tag<N>, plait::permutation_tag<N>> {
    template <class P, class Q>
    static constexpr auto apply(P, Q) {
        return plait::permutation_constant<plait::detail::composed_permutation(P::value, Q::value)>{};
    }
};
template <int N>
struct negate_impl<plait::permutation_tag<N>> {
    template <class P>
    static constexpr auto apply(P) {
        return plait::permutation_constant<plait::detail::inverse_permutation(P::value)>{};
    }
};
template <int N>
struct minus_impl<plait::permutation_tag<N>, plait::permutation_tag<N>> {
    template <class P, class Q>
    static constexpr auto apply(P, Q) {
        return plait::permutation_constant<plait::detail::composed_permutation(
            P::value, plait::detail::inverse_permutation(Q::value))>{};
    }
};

}  // namespace boost::hana

#endif
