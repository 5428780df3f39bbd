#include <plait/algebra/inverse.hpp>
#include <plait/algebra/rename_axes.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_rename_axes {

using namespace plait;

TEST_CASE("rename_axes: axis names[i] becomes axis i") {
    constexpr layout l({2, 17, 5, 4}, "aBcd8b");
    constexpr layout out = rename_axes(l, {1, 3, 0, 2});
    STATIC_CHECK(out.dims == dims{17, 4, 2, 5});
    STATIC_CHECK(out == layout({17, 4, 2, 5}, "cAdb8a"));
    // A rotation and its inverse differ, so this tells renaming from permuting.
    STATIC_CHECK(rename_axes(layout({2, 3, 4}, "abc"), {1, 2, 0}).dims == dims{3, 4, 2});
    STATIC_CHECK(permute_axes(layout({2, 3, 4}, "abc"), {1, 2, 0}).dims == dims{4, 2, 3});
}

TEST_CASE("rename_axes: is permute_axes by the inverse, for all permutations and kinds") {
    constexpr layout layouts[] = {layout({2, 17, 5, 4}, "aBcd8b"), layout({2, dynamic, 3, 4}, "acdb"),
                                  layout({2, 3, 4, 5}, "any"), layout({1, 2, 3, 4}, strides{-5, 40, 10, 2})};
    STATIC_CHECK([&] {
        for (const layout& l : layouts) {
            permutation p = identity_permutation(4);
            for (int i = 0; i < 24; ++i, p = plait_test::next(p)) {
                if (rename_axes(l, p) != permute_axes(l, inverse(p))) return false;
                for (int a = 0; a < 4; ++a)
                    if (rename_axes(l, p).dims[a] != l.dims[static_cast<int>(p[a])]) return false;
            }
        }
        return true;
    }());
}

TEST_CASE("rename_axes: refuses what permute_axes refuses") {
    constexpr layout l({2, 3}, "ab");
    STATIC_CHECK(check_rename_axes(l, {0, 0}) == verdict{reason::not_a_permutation, 1, 0, 2});
    STATIC_CHECK(check_rename_axes(l, {0, 1, 2}) == verdict{reason::rank_differs, -1, 3, 2});
    STATIC_CHECK(check_rename_axes(layout(), {}) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(!try_rename_axes(l, {0, 0}).has_value());
    STATIC_CHECK(try_rename_axes(l, {1, 0}) == layout({3, 2}, "ba"));
}

}  // namespace test_algebra_rename_axes
