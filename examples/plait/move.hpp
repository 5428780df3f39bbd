#pragma once
// The one place where the tool moves data: all of the kernels belong to move.cpp.

#include <plait/contract/attributes.hpp>
#include <plait/core/data_type.hpp>
#include <plait/core/layout.hpp>

#include <cstddef>
#include <functional>

namespace tool {

/// A tensor on its way. Types that plait does not know are moved as they are: both undef, and `bytes` says how large an
/// element is.
struct move_request {
    plait::layout from, to;
    plait::data_type from_type = plait::data_type::undef, to_type = plait::data_type::undef;
    int bytes = 0;
    plait::reorder_attributes attributes;
    bool shows_progress = false;
};

/// A move that is planned once and run often.
struct planned_move {
    std::size_t src_bytes = 0, dst_bytes = 0;
    std::function<void(const std::byte* in, std::byte* out)> run;  ///< as move_tensor, without progress
};
/// Throws failure with plait's sentence where the move is refused.
planned_move plan_move(const move_request& request);
/// The same, without the plan.
void check_move(const move_request& request);
/// Moves it. A line of progress goes to standard error where it is wanted and the tensor is larger than 100 MB.
///
/// Pre:     check_move does not throw; data is aligned for its elements, buffers are as large as the layouts need
void move_tensor(const move_request& request, const std::byte* in, std::byte* out);

}  // namespace tool
