#pragma once
// The text that plait explain prints around the plan: the kind of copy, the names of the axes, the terms.

#include "layout_text.hpp"

namespace tool {

/// Describes the copy in one line: "a copy byte for byte, in the same order: what memcpy does".
std::string describe_copy(const plait::layout& from, const plait::layout& to, bool converts);

/// Returns "the second names the axes differently: ..." if two tags do; otherwise empty.
std::string describe_names(const named_layout& from, const named_layout& to);

/// Returns the terms of the plan, one per line.
std::string legend();

}  // namespace tool
