// The laws of reshape and related operations on every small layout of a kind and every shape with its number of
// elements, some at compile time, and on random small layouts (strided, padded, broadcast, views of a part); and the
// orders that extended_reshape may give up.

#include "laws/reshape_laws.hpp"

#include "laws/random_layouts.hpp"

#include <algorithm>
#include <vector>

namespace test_laws_reshapes { namespace {

using namespace plait;
using namespace plait_test;
using namespace plait::detail;

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

/// Adds `n` extents with the given product. Its prime factors are distributed at random.
void add_shape(dims& out, dim_t product, int n, random_source& random) {
    const int begin = out.size();
    for (int a = 0; a < n; ++a) out.push_back(1);
    for (dim_t p = 2; product > 1; ++p)
        for (; product % p == 0; product /= p) out[begin + static_cast<int>(random.between(0, n - 1))] *= p;
}

/// Returns random dims with the number of elements of l, for runs of its axes. If `padded`, some runs include padding.
dims random_shape(const layout& l, random_source& random, bool padded) {
    dims out;
    for (int a = 0; a < l.ndims();) {
        dim_t product = 1;
        const bool counts = padded && random.once_in(2);
        int run = static_cast<int>(random.between(1, l.ndims() - a));
        for (; run > 0; --run, ++a) product *= counts ? l.padded_dims[a] : l.dims[a];
        if (product == 0) out.push_back(0);
        else add_shape(out, product, static_cast<int>(random.between(1, 2)), random);
        if (random.once_in(6) && out.size() < 9) out.push_back(1);
    }
    return out;
}

template <class Law>
void check_law(std::uint64_t seed, bool padded, const Law& law) {
    random_source random(seed);
    int changed = 0;
    for (int i = 0; i < 10000; ++i) {
        const layout l = random.small_layout();
        const dims to = random_shape(l, random, padded);
        if (!law(l, to)) FAIL_CHECK(explain(l) << " as " << to_string(to));
        changed += to != l.dims;
    }
    CHECK(changed > 2000);
}

/// Returns the offsets of axes first to last - 1 in row-major order. All other indices are 0.
std::vector<dim_t> offsets_of(const layout& l, const dims& extents, int first, int last) {
    std::vector<dim_t> out;
    dims counted = extents;
    for (int a = 0; a < l.ndims(); ++a)
        if (a < first || a >= last) counted[a] = 1;
    position at = origin(l.ndims());
    if (volume(counted) == 0) return out;
    do out.push_back(evaluate_digits(l, at));
    while (advance(at, counted));
    return out;
}

bool is_plain_chunk(const std::vector<dim_t>& offsets) {
    for (std::size_t i = 2; i < offsets.size(); ++i)
        if (offsets[i] - offsets[i - 1] != offsets[1] - offsets[0]) return false;
    return true;
}

/// True if each group of axes keeps its places, and each changed group is a contiguous chunk that is split row-major.
bool gives_up_only_what_it_may(const layout& l, const dims& to, reshape_flags flags) {
    const bool padding = has_flag(flags, reshape_flags::allow_padding_mismatch);
    const expected<layout> out = try_extended_reshape(l, to, flags);
    const verdict why = check_extended_reshape(l, to, flags);
    axis_groups groups;
    if (l.volume() == 0) return !out || (check_layout(*out).ok() && out->dims == to && out->span_begin() >= 0);
    if (!add_groups(groups, l, to, {0, l.ndims(), 0, to.size()}, rules_of(flags)).ok()) return !out;
    if (out && (!check_layout(*out).ok() || out->dims != to || out->span_begin() != l.span_begin())) return false;
    bool all_contiguous = true;
    for (const axis_group& group : groups) {
        std::vector<dim_t> before =
            offsets_of(l, padding || group.keeps_axis() ? l.padded_dims : l.dims, group.first, group.last);
        const std::vector<dim_t> in_order = before;
        if (!group.keeps_axis()) {
            std::sort(before.begin(), before.end());
            all_contiguous = all_contiguous && is_plain_chunk(before);
            for (dim_t least = before.front(); dim_t & offset : before) offset -= least;
        }
        // Elements are in the order of memory, or in their old order if that is also a chunk, maybe with a negative
        // step.
        if (out && before != offsets_of(*out, out->padded_dims, group.to_first, group.to_last) &&
            (in_order != offsets_of(*out, out->padded_dims, group.to_first, group.to_last) ||
             !is_plain_chunk(in_order)))
            return false;
        for (int b = group.to_first; out && b < group.to_last && !group.keeps_axis(); ++b)
            if (out->padded_dims[b] != to[b] || out->block_size(b) != 1) return false;
    }
    // A group that is refused because of its order is not a chunk in any order.
    if (has_flag(flags, reshape_flags::allow_order_mismatch))
        return (!out || all_contiguous) && (why.reason != reason::group_is_not_contiguous || !all_contiguous);
    return why.reason != reason::group_is_not_contiguous;
}

TEST_CASE("law at random: view refuses exactly the shapes that have no layout") {
    check_law(52, false, [](const layout& l, const dims& to) {
        return l.volume() == 0 || l.volume() > 64 || view_is_complete(l, to);
    });
}

TEST_CASE("law at random: a view of a view has the elements of the single view") {
    random_source random(54);
    int seen = 0;
    for (int i = 0; i < 10000; ++i) {
        const layout l = random.small_layout();
        const dims by = random_shape(l, random, false), to = random_shape(l, random, false);
        const expected<layout> first = try_view(l, by),
                               last = first.and_then([&](const layout&x) { return try_view(x, to); });
        seen += last.has_value();
        if (last && (!keeps_the_elements(l, *last) || !try_view(l, to))) FAIL_CHECK(explain(l) << explain(*first));
    }
    CHECK(seen > 500);
}

TEST_CASE("law at random: extended_reshape changes only the order in a chunk, or the padding, if the flags allow it") {
    using enum reshape_flags;
    std::uint64_t seed = 55;
    for (const reshape_flags flags :
         {none, allow_order_mismatch, allow_padding_mismatch, allow_order_mismatch | allow_padding_mismatch}) {
        check_law(seed++, has_flag(flags, allow_padding_mismatch),
                  [flags](const layout& l, const dims& to) { return gives_up_only_what_it_may(l, to, flags); });
    }
}

}}  // namespace test_laws_reshapes
