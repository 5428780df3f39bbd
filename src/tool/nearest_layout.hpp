#pragma once
// Suggestions for an operation on a layout that was rejected: the nearest that works. Each suggestion was tried.

#include "layout_text.hpp"

namespace tool {

/// Returns lines to print after the rejection of reshape or view: a view that does it in place, extents that fit, or
/// the copy after which it works.
std::vector<std::string> nearest_reshape(const named_layout& from, const plait::dims& to, const plait::verdict& why,
                                         bool was_view);

/// Returns the largest part inside the requested one, or the smallest around it, that has a layout.
std::vector<std::string> nearest_part(const named_layout& from, const plait::dims& extents,
                                      const plait::position& offsets);

/// Returns the permutation that keeps the first of duplicate numbers, and fills in the missing ones in order.
std::vector<std::string> nearest_permutation(const plait::permutation& p, int ndims);

/// Returns the "from" and "to" lines, which come first.
std::vector<std::string> both_sides(const named_layout& from, const std::string& to);

}  // namespace tool
