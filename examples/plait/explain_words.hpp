#pragma once
// What plait explain says before and behind the plan: what copy it is, how the axes are called, what the words mean.

#include "layout_text.hpp"

namespace tool {

/// Which copy moves the one to the other, in one line: "a copy byte for byte, in the same order: what memcpy does".
std::string describe_copy(const plait::layout& from, const plait::layout& to, bool converts);

/// Where two tags call the axes differently: "the second names the axes differently: ..."; else empty.
std::string describe_names(const named_layout& from, const named_layout& to);

/// The words of the plan, a line each.
std::string legend();

}  // namespace tool
