#include <plait/algebra/neighbour_count.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_neighbour_count {

using namespace plait;

/// The elements whose neighbour is the same in both layouts; -1 if the search is given up.
constexpr dim_t neighbours_in(const layout& src, const layout& dst) {
    const detail::copy_digits both(src, dst);
    detail::neighbour_count count(both);
    return count.can_find() && count.find() ? count.elements : -1;
}

TEST_CASE("neighbour_count: elements that go on from each other on both sides") {
    STATIC_CHECK(neighbours_in(layout({4, 6}, "ab"), layout({4, 6}, "ab")) == 23);
    STATIC_CHECK(neighbours_in(layout({4, 6}, "ab"), layout({4, 6}, "ba")) == 0);
    STATIC_CHECK(neighbours_in(layout({4, 6}, "ab"), layout({4, 6}, strides{8, 1})) == 20);
    // Backwards on both sides, and on one.
    STATIC_CHECK(neighbours_in(layout({6}, strides{-1}), layout({6}, strides{-1})) == 5);
    STATIC_CHECK(neighbours_in(layout({6}, strides{-1}), layout({6}, strides{1})) == 0);
    // Blocks of 16 and of 24: 12 runs in 8 steps of either, of which the common multiples go on.
    STATIC_CHECK(neighbours_in(layout({96, 2}, "Ab16a"), layout({96, 2}, "Ab24a")) == 192 - 15);
}

TEST_CASE("neighbour_count: a search is given up if places are too far apart") {
    STATIC_CHECK(neighbours_in(layout({dim_t{1} << 30, 4}, "ab"), layout({dim_t{1} << 30, 4}, "ba")) == 0);
    STATIC_CHECK(neighbours_in(layout({dim_t{1} << 61, 2}, "ab"), layout({dim_t{1} << 61, 2}, "ba")) == -1);
}

}  // namespace test_algebra_neighbour_count
