#pragma once
// The orders of loops that a plan at run time tries with its first calls, see engine/kernel/order_trials.hpp. Which
// order is the fastest depends on the CPU and on the pages of memory, and no formula was found for it.
//
// Example: f32 ab -> ba of 2048 x 1024, 16 MB in all. The plan fills a staging buffer with 16 x 16 tiles, because rows
// that are 8192 bytes apart share sets of a cache. On Zen 4 it is 1.7 times as fast without the buffer, in steps along
// the destination first.

#include <plait/engine/plan/large_order.hpp>
#include <plait/engine/plan/staging.hpp>

#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The orders that a plan tries in addition to its own, if no cache holds the tensor. Measured on Zen 5, 54 rows of
/// `./dev bench large` that move the innermost axis, share of memcpy in geometric mean: the first order 0.69, the best
/// of the first three 0.80, of all five 0.83.
inline constexpr loop_order large_orders[] = {
    along_source, along_destination, {}, {side::source, 256}, {side::destination, 16}};

/// The orders that a plan tries in addition to its own, if the last cache may hold the tensor. Measured on Zen 4, 98
/// drawn permutations and formats of 1 to 24 MB in all: the best of these and the plan's own order is 1.06 times as
/// fast as the plan's in geometric mean; the best of 19 orders 1.07 times.
inline constexpr loop_order cached_orders[] = {
    {}, {side::source, 256}, {.inside = side::destination, .pages = 1024, .fetches_destination = true}};

/// The number of bytes, read and written, from which a plan tries orders. Smaller tensors gain less than a call that
/// puts its loops in order costs.
inline constexpr dim_t least_bytes_to_try = dim_t{2} << 20;

/// The most orders that a plan has, with its own.
inline constexpr int most_orders = 1 + sizeof(large_orders) / sizeof(large_orders[0]);

/// Returns the orders that a plan tries in addition to its own: none if its loops must have the order that they have,
/// or if the order matters little.
constexpr std::span<const loop_order> orders_to_try(const reorder_plan& plan) {
    const dim_t bytes = plan.bytes_moved();
    const bool needs_staging = plan.staged_from >= 0 && plan.pattern.half_bytes >= 0;
    if (bytes < least_bytes_to_try || plan.loops.size() < 2 || needs_staging || !plan.uneven_steps.empty()) return {};
    if (bytes < streaming_bytes) return cached_orders;
    return large_orders;
}

/// Returns a plan with its loops in another order, and without a staging buffer.
///
/// Pre:     the order is one of orders_to_try(plan), or of a plan of which this is a part
/// Post:    moves the same elements from and to the same places
constexpr reorder_plan in_order(reorder_plan plan, const loop_order& order) {
    join_loops(plan);
    plan.staged_from = -1;
    large_order(plan, order).order();
    plan.prefetch = prefetch_distance(plan);
    plan.destination_prefetch = order.fetches_destination ? destination_ahead(plan) : 0;
    return plan;
}

}  // namespace plait::engine
