// The laws of reshape and related operations on every small layout of a kind and every shape with its number of
// elements: some at compile time, all of them at run time.

#include "laws/reshape_laws.hpp"

namespace test_laws_small_reshapes { namespace {

using namespace plait;
using namespace plait_test;

/// True if a law holds for a layout and all dims of 1 to `ndims` axes with its volume.
template <class Law>
constexpr bool for_all_shapes(const layout& l, int ndims, const Law& law) {
    for (int n = 1; n <= ndims; ++n)
        if (!for_each_shape(l.volume(), n, [&](const dims& to) { return law(l, to); })) return false;
    return true;
}

/// True if a law holds for the dense layouts in all orders of their axes, and all their shapes.
template <class Law>
constexpr bool in_all_orders(const dims& extents, std::initializer_list<inner_block> blocks, int ndims,
                             const Law& law) {
    permutation order = identity_permutation(extents.size());
    for (int i = 0; i < factorial(extents.size()); ++i, order = next(order))
        if (!for_all_shapes(layout(extents, blocked_by(plain_order(order), blocks)), ndims, law)) return false;
    return true;
}

constexpr bool keeps_the_elements_in_all(const layout& l, const dims& to) {
    return reshaping_keeps_the_elements(l, to) && viewing_keeps_the_elements(l, to) && others_are_reshape(l, to);
}
constexpr bool all_laws(const layout& l, const dims& to) {
    return keeps_the_elements_in_all(l, to) && view_is_complete(l, to);
}

constexpr bool goes_there_and_back(const layout& l, const dims& to) {
    const expected<layout> seen = try_view(l, to);
    return reshapes_back(l, to) && (!seen || (try_view(*seen, l.dims) && viewing_keeps_the_elements(*seen, l.dims)));
}

/// Checks that joined axes can be split again, and split axes joined.
constexpr bool splitting_undoes_joining(const layout& l) {
    for (int first = 0; first < l.ndims(); ++first)
        for (int last = first; last < l.ndims(); ++last) {
            const expected<layout> joined = try_join_axes(l, first, last);
            if (try_flatten(l, first, last) != joined) return false;
            if (last == l.ndims() - 1 && try_flatten(l, first) != joined) return false;
            if (!joined) continue;
            dims old;
            for (int a = first; a <= last; ++a) old.push_back(l.dims[a]);
            if (!keeps_the_elements(l, *joined) || !is_again(l, try_split_axis(*joined, first, old))) return false;
        }
    return true;
}
constexpr bool joining_undoes_splitting(const layout& l) {
    for (int axis = 0; axis < l.ndims(); ++axis)
        for (int n = 1; n < 4; ++n) {
            const bool held = for_each_shape(l.dims[axis], n, [&](const dims& parts) {
                const expected<layout> split = try_split_axis(l, axis, parts);
                return !split ||
                       (keeps_the_elements(l, *split) && is_again(l, try_join_axes(*split, axis, axis + n - 1)));
            });
            if (!held) return false;
        }
    return true;
}

TEST_CASE("law: reshape, view and related operations keep the elements at compile time, and can be undone") {
    STATIC_CHECK(in_all_orders({2, 3}, {}, 3, keeps_the_elements_in_all));
    STATIC_CHECK(in_all_orders({2, 1, 2}, {}, 2, keeps_the_elements_in_all));
    STATIC_CHECK(in_all_orders({4, 2}, {{0, 2}}, 2, keeps_the_elements_in_all));
    STATIC_CHECK(for_all_shapes(layout({2, 3, 2}, "aBc2b", strides{20, 8, 3}), 2, keeps_the_elements_in_all));
    STATIC_CHECK(for_all_shapes(by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5), 2, keeps_the_elements_in_all));
    STATIC_CHECK(view_is_complete(layout({2, 4}, "bA2a"), {4, 2}));
    STATIC_CHECK(in_all_orders({2, 2}, {}, 2, goes_there_and_back));
    STATIC_CHECK(splitting_undoes_joining(layout({2, 1, 3}, "cab")));
    STATIC_CHECK(joining_undoes_splitting(layout({4, 2}, "ba")));
}

TEST_CASE("law: reshape, view and related operations keep the elements, and view is complete") {
    for (const layout& l : varied_layouts) CHECK(for_all_shapes(l, 4, all_laws));
    for (const layout& l : broadcast_layouts) CHECK(for_all_shapes(l, 4, all_laws));
    for (const dims& extents : {dims{24}, {4, 6}, {6, 4}, {2, 3, 4}, {3, 1, 4}, {2, 3, 2, 2}, {1, 1, 6}, {5, 3}}) {
        CAPTURE(to_string(layout(extents, "any")));
        CHECK(in_all_orders(extents, {}, 5, all_laws));
        CHECK(in_all_orders(extents, {{0, 2}}, 5, all_laws));
        CHECK(in_all_orders(extents, {{0, 3}, {0, 2}}, 5, all_laws));
        if (extents.size() == 1) continue;
        CHECK(in_all_orders(extents, {{1, 4}}, 5, all_laws));
        CHECK(in_all_orders(extents, {{1, 2}, {0, 2}}, 5, all_laws));
        CHECK(in_all_orders(extents, {{0, 2}, {1, 3}, {0, 2}}, 5, all_laws));
    }
}

TEST_CASE("law: reshaping, joining and splitting can be undone") {
    constexpr auto join_and_split = [](const layout& l) {
        return splitting_undoes_joining(l) && joining_undoes_splitting(l);
    };
    for (const layout& l : varied_layouts) {
        CHECK(join_and_split(l));
        CHECK(for_all_shapes(l, 4, goes_there_and_back));
    }
    for (const layout& l : broadcast_layouts) CHECK(join_and_split(l));
    for (const dims& extents : {dims{24}, {4, 6}, {2, 3, 4}, {3, 1, 4}, {2, 3, 2, 2}, {1, 1, 6}}) {
        CHECK(in_all_orders(extents, {}, 4, goes_there_and_back));
        CHECK(in_all_orders(extents, {{0, 2}}, 4, goes_there_and_back));
        permutation order = identity_permutation(extents.size());
        for (int i = 0; i < factorial(extents.size()); ++i, order = next(order)) {
            CHECK(join_and_split(layout(extents, plain_order(order))));
            CHECK(join_and_split(layout(extents, blocked_by(plain_order(order), {{0, 2}}))));
        }
    }
}

}}  // namespace test_laws_small_reshapes
