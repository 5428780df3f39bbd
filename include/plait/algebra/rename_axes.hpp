#pragma once

#include <plait/algebra/permute_axes.hpp>

namespace plait {

/// Whether the axes of l can be renamed by `names`; refused as in check_permute_axes.
constexpr verdict check_rename_axes(const layout& l, const permutation& names) { return check_permute_axes(l, names); }

/// Makes axis names[i] of l the axis i of the result; the data stays where it is.
///
/// Pre:     check_rename_axes(l, names).ok()
/// Post:    result == permute_axes(l, inverse(names)), and result.dims[i] == l.dims[names[i]]
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.2
/// Example: examples/03_permute_axes.cpp
[[nodiscard]] constexpr layout rename_axes(const layout& l, const permutation& names) {
    require(check_rename_axes(l, names));
    return permute_axes(l, inverse(names));
}

/// rename_axes(l, names), or what check_rename_axes says against it.
[[nodiscard]] constexpr expected<layout> try_rename_axes(const layout& l, const permutation& names) {
    const verdict why = check_rename_axes(l, names);
    return {why.ok() ? rename_axes(l, names) : layout(), why};
}

}  // namespace plait
