#pragma once
// The demo's reorder done by oneDNN, with one thread; empty if its library was not available to link.

#include <plait/core/layout.hpp>

#include <functional>

namespace demo {

/// Returns a function that runs oneDNN's reorder; empty without libdnnl.
std::function<void()> libdnnl_reorder(const plait::layout& from, float* in, const plait::layout& to, float* out);

}  // namespace demo
