#pragma once
// The same reorder by oneDNN, with one thread; where its library was not there to link, nothing.

#include <plait/core/layout.hpp>

#include <functional>

namespace demo {

/// Empty where there is no libdnnl.
std::function<void()> libdnnl_reorder(const plait::layout& from, float* in, const plait::layout& to, float* out);

}  // namespace demo
