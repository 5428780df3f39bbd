#pragma once
// Where an operation on a layout is refused: what is nearest to it, and would work. Each answer was tried.

#include "layout_text.hpp"

namespace tool {

/// Lines to print below the refusal of reshape, or of view: a view that does it in place, extents that fit, or the copy
/// after which it works.
std::vector<std::string> nearest_reshape(const named_layout& from, const plait::dims& to, const plait::verdict& why,
                                         bool was_view);

/// The largest part inside the one asked for, or the least around it, that is a layout of its own.
std::vector<std::string> nearest_part(const named_layout& from, const plait::dims& extents,
                                      const plait::position& offsets);

/// The permutation that keeps the first of doubled numbers, and fills in the missing ones in order.
std::vector<std::string> nearest_permutation(const plait::permutation& p, int ndims);

/// "from" and "to" lines, which come first.
std::vector<std::string> both_sides(const named_layout& from, const std::string& to);

}  // namespace tool
