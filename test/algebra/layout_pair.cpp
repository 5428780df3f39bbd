#include <plait/algebra/layout_pair.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_layout_pair {

using namespace plait;
using detail::check_pair, detail::measure_reorder;

TEST_CASE("layout_pair: equal dims, and a destination whose elements have places of their own") {
    constexpr layout a({2, 3}, "ab");
    STATIC_CHECK(check_pair(a, layout({2, 3}, "ba")).ok());
    STATIC_CHECK(check_pair(a, layout({2, 4}, "ab")) == verdict{reason::dims_differ, 1, 3, 4});
    STATIC_CHECK(check_pair(a, layout({2}, "a")).reason == reason::rank_differs);
    STATIC_CHECK(check_pair(a, layout({2, 3}, strides{0, 1})) ==
                 verdict{reason::destination_is_not_injective, 0, 2, 0});
    STATIC_CHECK(check_pair(layout({2, 3}, strides{0, 1}), a).ok());
}

TEST_CASE("layout_pair: the places that both sides cover") {
    constexpr auto measured = measure_reorder(layout({2, 3}, "ab"), layout({2, 3}, strides{8, 1}));
    STATIC_CHECK(measured.why.ok() && measured.ends.src == 6 && measured.ends.dst == 11);
    STATIC_CHECK(measure_reorder(layout({2, 3}, "ab"), layout({2, dynamic}, "ab")).why.reason ==
                 reason::dim_is_dynamic);
}

}  // namespace test_algebra_layout_pair
