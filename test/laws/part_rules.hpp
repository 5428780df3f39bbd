#pragma once
// The rule for parts in terms of offsets, without an algorithm. Tests compare submemory with it.

#include <plait/core/layout.hpp>

namespace plait_test {

using plait::dim_t;

/// True if semantics 8 allows a part along one axis. along(0), along(1), ... are the offsets of the axis, including its
/// padded offset but no padding after its elements. `block` is the size of a block.
///
/// The digits follow from the offsets: equal steps are one digit. The part is counted in the innermost digit that the
/// part does not carry out of. The part must begin at index 0 of all digits inside this one. In addition, it must
/// consist of whole values of this digit, end with the axis, or be inside one block.
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

/// Returns the rule by which oneDNN refuses an allowed part, or null if oneDNN should make it.
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
