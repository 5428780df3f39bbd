// The law of partly static layouts, checked on values: an operation before binding equals the operation after it, and a
// final refusal is a refusal for every value.

#include <plait/algebra/operations.hpp>
#include <plait/layouts.hpp>
#include "support/small_layouts.hpp"

#include <plait/typed/operations.hpp>

#include <vector>

namespace test_laws_partly_static { namespace {

using namespace plait;
using namespace plait::detail;

/// Returns all lists of `n` entries from `choices`.
std::vector<dims> lists_of(int n, const std::vector<dim_t>& choices) {
    std::vector<dims> out{dims()};
    for (int i = 0; i < n; ++i) {
        std::vector<dims> longer;
        for (const dims& shorter : out)
            for (const dim_t choice : choices) {
                longer.push_back(shorter);
                longer.back().push_back(choice);
            }
        out = longer;
    }
    return out;
}

std::vector<layout> partly_static_layouts() {
    std::vector<layout> out;
    const auto add = [&](int n, std::initializer_list<format_tag> tags) {
        for (const dims& extents : lists_of(n, {1, 4, dynamic}))
            for (const format_tag& tag : tags)
                if (dynamic_extents(layout(extents, tag)) > 0) out.emplace_back(extents, tag);
    };
    add(2, {"ab", "ba", "aB4b", "BA2a4b"});
    add(3, {"abc", "cab", "aBc4b", "CAb2a4c"});
    for (const strides& steps : {strides{8, 1}, strides{dynamic, 1}, strides{0, 1}, strides{1, dynamic}}) {
        out.emplace_back(dims{dynamic, dynamic}, steps);
        out.emplace_back(dims{dynamic, 3}, steps);
    }
    return out;
}

/// The number of times that an operation was allowed, depended on values, or was finally refused. Tests check that each
/// case occurs.
struct tally {
    int allowed = 0, waits = 0, refused = 0;
};

/// True if the law holds for `open` and all values of its extents. Calls the operation with `open` and with bound
/// layouts.
template <class Attempt>
bool commutes_with_binding(const layout& open, const Attempt& attempt, tally& count) {
    const expected<layout> before = attempt(open);
    const bool for_good = is_refused_for_good(attempt, before.error(), open);
    const bool partly_static = before.has_value() && says_all(attempt, *before, open);
    ++(partly_static ? count.allowed : for_good ? count.refused : count.waits);
    for (const dims& values : lists_of(dynamic_extents(open), {0, 1, 2, 4})) {
        const expected<layout> bound = try_bind(open, values);
        if (!bound) continue;
        const expected<layout> after = attempt(*bound);
        // A tensor that has no elements after binding can be joined in any way.
        if (for_good && after && bound->volume() != 0) return false;
        if (!partly_static || !after) continue;
        const expected<layout> later = try_bind(*before, values_of(before->dims, after->dims));
        if (!later || (after->volume() == 0 ? later->dims != after->dims : later != after)) return false;
    }
    return true;
}

// Checks the law for an operation with given arguments.
#define CHECK_LAW(count, open, operation, ...) \
    CHECK(commutes_with_binding(               \
        open, [&](const layout& x) { return try_##operation(x, __VA_ARGS__); }, count))

TEST_CASE("partly static: permute_axes and with_strides commute with binding") {
    tally permuting, striding;
    for (const layout& open : partly_static_layouts()) {
        INFO(to_string(open));
        permutation p = identity_permutation(open.ndims());
        p[0] = open.ndims() - 1, p[open.ndims() - 1] = 0;
        CHECK_LAW(permuting, open, permute_axes, p);
        for (const strides& steps : {strides{64, 8}, strides{8, 64}, strides{64, 0}, strides{dynamic, 8},
                                     strides{512, 64, 8}, strides{8, 64, 512}, strides{2, 1}})
            CHECK_LAW(striding, open, with_strides, steps);
    }
    CHECK((permuting.allowed > 100 && permuting.waits + permuting.refused == 0));
    CHECK((striding.allowed > 100 && striding.waits > 10 && striding.refused > 100));
}

TEST_CASE("partly static: reshape and related operations commute with binding") {
    tally reshaping, viewing, splitting, joining, tiling;
    for (const layout& open : partly_static_layouts()) {
        INFO(to_string(open));
        for (int n = 1; n <= 3; ++n)
            for (const dims& to : lists_of(n, {1, 4, dynamic})) {
                if (!check_entries(to, open.dims).ok()) continue;
                const auto dims_of = [&](const layout& x) { return filled(to, values_of(open.dims, x.dims)); };
                CHECK_LAW(reshaping, open, reshape, dims_of(x));
                CHECK_LAW(viewing, open, view, dims_of(x));
                CHECK_LAW(reshaping, open, extended_reshape, dims_of(x), reshape_flags::allow_order_mismatch);
                CHECK_LAW(reshaping, open, extended_reshape, dims_of(x), reshape_flags::allow_padding_mismatch);
                if (n == open.ndims()) CHECK_LAW(tiling, open, tile, to);
                for (int axis = 0; axis < open.ndims() && n < 3; ++axis) {
                    const dims extent{open.dims[axis]};
                    if (!check_entries(to, extent).ok()) continue;
                    const auto parts = [&](const layout& x) { return filled(to, values_of(extent, {x.dims[axis]})); };
                    CHECK_LAW(splitting, open, split_axis, axis, parts(x));
                }
            }
        for (int first = 0; first < open.ndims(); ++first)
            for (int last = first; last < open.ndims(); ++last) CHECK_LAW(joining, open, join_axes, first, last);
    }
    for (const tally& count : {reshaping, viewing, splitting, joining, tiling})
        CHECK((count.allowed > 30 && count.waits > 5 && count.refused > 10));
}

TEST_CASE("partly static: slices, broadcasts, repetitions, parts and concatenations commute with binding") {
    tally slicing, stepping, broadcasting, repeating, cutting, concatenating;
    for (const layout& open : partly_static_layouts()) {
        INFO(to_string(open));
        for (int axis = 0; axis < open.ndims(); ++axis)
            for (const dim_t number : {0, 1, 5}) {
                CHECK_LAW(slicing, open, slice, axis, number);
                CHECK_LAW(stepping, open, strided_slice, axis, 0, number, 1);
                CHECK_LAW(stepping, open, strided_slice, axis, number, -1, -2);
                CHECK_LAW(broadcasting, open, broadcast_axis, axis, number);
                CHECK_LAW(repeating, open, repeat, axis, number);
            }
        for (const dims& extents : lists_of(open.ndims(), {1, 2, dynamic})) {
            const auto whole = [&](const layout& x) {
                dims out = extents;
                for (int a = 0; a < x.ndims(); ++a)
                    if (out[a] == dynamic && open.dims[a] == dynamic) out[a] = x.dims[a];
                return out;
            };
            position from;
            for (int a = 0; a < open.ndims(); ++a) from.push_back(a == 0 ? 1 : 0);
            CHECK_LAW(cutting, open, submemory, whole(x), from);
        }
        for (const layout& other : {layout({2}, "a"), layout({2, 3}, strides{512, 4096}), layout({2}, "any")})
            CHECK_LAW(concatenating, open, concatenate, other);
    }
    CHECK((slicing.allowed > 100 && slicing.waits > 100 && slicing.refused > 50));
    CHECK((stepping.allowed > 100 && stepping.waits > 100 && stepping.refused > 50));
    CHECK((broadcasting.allowed > 100 && broadcasting.waits > 100 && broadcasting.refused > 50));
    CHECK((repeating.allowed > 100 && repeating.waits > 100 && repeating.refused > 10));
    CHECK((cutting.waits > 100 && cutting.refused > 100));
    CHECK((concatenating.allowed > 50 && concatenating.refused > 10));
}

}}  // namespace test_laws_partly_static
