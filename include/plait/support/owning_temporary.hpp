#pragma once
// Temporaries that own their elements, which functions that keep a pointer to elements must not accept.

#include <plait/unit_flags.hpp>

#include <span>  // and the concepts of ranges, at a fraction of the cost of <ranges>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A temporary that owns its elements. It is destroyed before the elements are read. `Range` is deduced for a
/// `Range&&`.
///
/// Example: owning_temporary<std::vector<float>>; false for std::vector<float>& and std::span<float>
template <class Range>
concept owning_temporary = std::ranges::contiguous_range<Range> && !std::ranges::borrowed_range<Range>;

}  // namespace plait::detail
