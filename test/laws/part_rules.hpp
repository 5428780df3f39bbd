#pragma once
// The rule for parts, stated the plain way, on offsets: what submemory is held against.

#include <plait/core/layout.hpp>

namespace plait_test {

using plait::dim_t;

/// Semantics 8 along one axis of which along(0), along(1), ... are the offsets, as far as it has elements (padded
/// offset included, of which the first are padding), in blocks of `block`.
///
/// The digits follow from the offsets: as long as the steps are equal, it is one. The part counts in the first digit
/// that it does not carry out of, and all inside that one begin with 0. And it is whole values of that digit, or goes
/// to the end, or lies in one block.
template <class Along>
constexpr bool may_be_part(const Along& along, dim_t elements, dim_t block, dim_t first, dim_t extent) {
    if (extent == 0) return true;
    const auto from_0 = [&](dim_t i) { return along(i) - along(0); };
    dim_t inside = 1;
    for (;;) {
        dim_t values = 1;
        while (inside * values < elements && from_0(inside * values) == values * from_0(inside)) ++values;
        const dim_t around = inside * values;
        if (around >= elements || first / around == (first + extent - 1) / around) break;
        inside = around;
    }
    if (first % inside != 0) return false;
    return extent % inside == 0 || first + extent == elements || first / block == (first + extent - 1) / block;
}

/// True if the part is allowed along every axis.
constexpr bool may_be_part(const plait::layout& parent, const plait::dims& extents, const plait::position& offsets) {
    for (int a = 0; a < parent.ndims(); ++a) {
        const auto along = [&](dim_t index) {
            plait::position at;
            for (int b = 0; b < parent.ndims(); ++b) at.push_back(b == a ? index : 0);
            return plait::detail::evaluate_digits(parent, at);
        };
        const dim_t begin = parent.padded_offsets[a];
        if (!may_be_part(along, begin + parent.dims[a], parent.block_size(a), begin + offsets[a], extents[a]))
            return false;
    }
    return true;
}

/// The rule by which oneDNN does not make a part that is one; null if it ought to.
///
/// Pre:     may_be_part(parent, extents, offsets)
constexpr const char* part_rule(const plait::layout& parent, const plait::dims& extents,
                                const plait::position& offsets) {
    bool begins_inside = false, ends_inside = false;
    for (int a = 0; a < parent.ndims(); ++a) {
        if (parent.padded_offsets[a] != 0) return "semantics 8: a parent may have padded offsets";
        const dim_t block = parent.block_size(a);
        begins_inside = begins_inside || offsets[a] % block != 0;
        ends_inside =
            ends_inside || (extents[a] > block && extents[a] % block != 0 && offsets[a] + extents[a] != parent.dims[a]);
    }
    if (begins_inside)
        return "semantics 8: a part inside one block may begin anywhere in it, and one without elements too";
    if (ends_inside)
        return "semantics 8: blocks that chain with what is outside of them are cut as an axis without blocks is";
    return nullptr;
}

}  // namespace plait_test
