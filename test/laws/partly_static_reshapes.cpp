// Regrouping axes commutes with binding dynamic extents, for every order of the axes, every choice of dynamic axes, and
// every value, including 1 and 0.

#include "laws/reshape_laws.hpp"

#include <plait/algebra/same_memory.hpp>

namespace test_laws_partly_static_reshapes {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

namespace {

struct partly_static {
    layout partly, full;
    dims values;  ///< the values of the dynamic extents, in order
};

constexpr partly_static make_partly(const dims& extents, const format_tag& tag, unsigned dynamic_axes) {
    dims partly = extents, values;
    for (int a = 0; a < extents.size(); ++a)
        if ((dynamic_axes >> a & 1U) != 0) {
            values.push_back(extents[a]);
            partly[a] = dynamic;
        }
    return {layout(partly, tag), layout(extents, tag), values};
}

constexpr dims filled_in(dims extents, const dims& values) {
    int next = 0;
    for (dim_t& extent : extents)
        if (extent == dynamic && next < values.size()) extent = values[next++];
    return extents;
}

/// True if the layouts are equal except for strides of outermost digits with extent 1, which have no effect.
constexpr bool same_layout(layout a, layout b) {
    for (layout* l : {&a, &b})
        for (int k = 0; k < l->ndims(); ++k)
            if (l->digits[k].extent == 1) l->digits[k].stride = 0;
    return a == b;
}

/// True if the partly static result binds to the static one; if there is no result, an unknown extent is the reason.
///
/// If a dynamic extent is bound to 1, the axis may or may not have been removed. If it has a block, the block may be on
/// another axis: dims {1, 1} may result from {?, 1} or {1, ?}. Then only the memory is compared.
constexpr bool binds_to(const expected<layout>& partly, const expected<layout>& full, const partly_static& p,
                        const dims& values) {
    bool unit = false, blocked_unit = false;
    for (int a = 0; a < p.full.ndims(); ++a) {
        if (p.partly.dims[a] != dynamic || p.full.dims[a] != 1) continue;
        unit = true;
        blocked_unit = blocked_unit || !is_single_place(p.full, a);
    }
    if (!partly)
        return !full || unit || p.full.volume() == 0 || partly.error().reason == reason::dim_is_dynamic ||
               partly.error().reason == reason::stride_is_dynamic;
    if (!check_layout(*partly).ok()) return false;
    const expected<layout> bound = try_bind(*partly, values);
    if (!bound || !check_static(*bound).ok()) return false;
    // A join of dynamic axes cannot know that their product will be zero.
    if (p.full.volume() == 0) return bound->volume() == 0;
    if (!full) return false;
    if (!blocked_unit) return same_layout(*bound, *full);
    return same_memory(*bound, *full) && bound->padded_volume() == full->padded_volume() &&
           bound->element_span() == full->element_span();
}

constexpr bool reshape_commutes(const partly_static& p, const dims& to, const regroup_rules& rules) {
    return binds_to(regroup_to(p.partly, to, rules), regroup_to(p.full, filled_in(to, p.values), rules), p, p.values);
}

constexpr bool split_commutes(const partly_static& p, int axis, const dims& parts) {
    return binds_to(make_split(p.partly, axis, parts), make_split(p.full, axis, parts), p, p.values);
}

/// Returns the values that bind the result of a join. The value of the joined axis is the product of the joined axes.
constexpr dims joined_values(const partly_static& p, int first, int last) {
    dims values;
    for (int a = 0, next = 0; a < p.partly.ndims(); ++a) {
        const bool unknown = p.partly.dims[a] == dynamic;
        if (a < first || a > last) {
            if (unknown) values.push_back(p.values[next]);
        } else if (a == last) {
            dim_t product = 1;
            bool any_unknown = false;
            for (int k = first; k <= last; ++k) {
                product *= p.full.dims[k];
                any_unknown = any_unknown || p.partly.dims[k] == dynamic;
            }
            if (any_unknown) values.push_back(product);
        }
        next += unknown;
    }
    return values;
}

constexpr bool join_commutes(const partly_static& p, int first, int last) {
    return binds_to(make_joined(p.partly, first, last), make_joined(p.full, first, last), p,
                    joined_values(p, first, last));
}

/// True if a law holds for all orders of the axes and all choices of dynamic axes.
template <class Law>
constexpr bool for_each_partly(const dims& extents, std::initializer_list<inner_block> blocks, const Law& law) {
    permutation order = identity_permutation(extents.size());
    for (int i = 0; i < factorial(extents.size()); ++i, order = next(order))
        for (unsigned axes = 0; axes < 1U << extents.size(); ++axes)
            if (!law(make_partly(extents, blocked_by(plain_order(order), blocks), axes))) return false;
    return true;
}

}  // namespace

TEST_CASE("law: join_axes commutes with binding") {
    constexpr auto joins = [](const partly_static& p) {
        for (int first = 0; first < p.partly.ndims(); ++first)
            for (int last = first; last < p.partly.ndims(); ++last)
                if (!join_commutes(p, first, last)) return false;
        return true;
    };
    STATIC_CHECK(for_each_partly({2, 3}, {}, joins));
    for (const dims& extents :
         {dims{2, 3, 4}, {2, 3, 4, 5}, {2, 1, 3, 2}, {1, 2, 1, 3}, {6}, {1, 1}, {2, 0, 3}, {0, 4}}) {
        CAPTURE(to_string(layout(extents, "any")));
        CHECK(for_each_partly(extents, {}, joins));
        CHECK(for_each_partly(extents, {{0, 4}}, joins));
        if (extents.size() > 1) CHECK(for_each_partly(extents, {{1, 2}, {0, 2}}, joins));
        if (extents.size() > 2) CHECK(for_each_partly(extents, {{2, 4}}, joins));
    }
}

TEST_CASE("law: split_axis commutes with binding") {
    constexpr auto splits = [](const partly_static& p) {
        for (int axis = 0; axis < p.partly.ndims(); ++axis)
            for (int n = 1; n < 4; ++n)
                if (!for_each_shape(p.full.dims[axis], n,
                                    [&](const dims& parts) { return split_commutes(p, axis, parts); }))
                    return false;
        return true;
    };
    STATIC_CHECK(for_each_partly({6, 2}, {}, splits));
    for (const dims& extents : {dims{6, 4, 2}, {4, 1, 6, 2}, {1, 12, 3}, {8}, {6, 0, 2}}) {
        CHECK(for_each_partly(extents, {}, splits));
        CHECK(for_each_partly(extents, {{0, 4}}, splits));
        if (extents.size() > 2) CHECK(for_each_partly(extents, {{2, 2}, {1, 4}}, splits));
    }
}

TEST_CASE("law: reshape, view and extended_reshape commute with binding") {
    // All shapes are tried, with the dynamic extents kept in order.
    constexpr auto reshapes = [](const partly_static& p, const dims& to) {
        using enum reshape_flags;
        return reshape_commutes(p, to, {}) && reshape_commutes(p, to, {.through_blocks = true}) &&
               reshape_commutes(p, to, rules_of(allow_order_mismatch));
    };
    constexpr auto everywhere = [=](const partly_static& p) {
        for (int n = 1; n < 5; ++n) {
            const bool held = for_each_shape(p.full.volume(), n, [&](const dims& to) {
                // Each extent is tried as a number and as dynamic.
                for (unsigned axes = 0; axes < 1U << n; ++axes) {
                    dims partly = to, values;
                    for (int b = 0; b < n; ++b)
                        if ((axes >> b & 1U) != 0) {
                            values.push_back(to[b]);
                            partly[b] = dynamic;
                        }
                    if (values == p.values && !reshapes(p, partly)) return false;
                }
                return true;
            });
            if (!held) return false;
        }
        return true;
    };
    for (const dims& extents : {dims{2, 3, 4}, {2, 1, 6, 2}, {4, 2}, {1, 3, 2}}) {
        CHECK(for_each_partly(extents, {}, everywhere));
        CHECK(for_each_partly(extents, {{0, 2}}, everywhere));
        CHECK(for_each_partly(extents, {{1, 3}, {0, 2}}, everywhere));
    }
}

}  // namespace test_laws_partly_static_reshapes
