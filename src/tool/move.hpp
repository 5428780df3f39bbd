#pragma once
// The only place where the tool moves data: all kernels are compiled in move.cpp.

#include <plait/contract/attributes.hpp>
#include <plait/core/data_type.hpp>
#include <plait/core/layout.hpp>

#include <cstddef>
#include <functional>

namespace tool {

/// A tensor to be moved. Types that plait does not know are moved without conversion: both are undef, and `bytes` is
/// the size of an element.
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
    std::function<void(const std::byte* in, std::byte* out)> run;  ///< like move_tensor, without progress
};
/// Plans a move; throws failure with plait's sentence if it is rejected.
planned_move plan_move(const move_request& request);
/// Checks a move like plan_move, without keeping the plan.
void check_move(const move_request& request);
/// Moves a tensor. If it is larger than 100 MB and progress is wanted, prints a line of progress to standard error.
///
/// Pre:     check_move does not throw; data is aligned for its elements, buffers are as large as the layouts need
void move_tensor(const move_request& request, const std::byte* in, std::byte* out);

}  // namespace tool
