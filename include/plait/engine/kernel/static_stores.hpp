#pragma once
// Whether a static kernel stores past the caches. Which is faster depends on the last cache, which holds 12 MB or 480,
// and on the reorder, so the first calls of each kernel try both.

#include <plait/engine/kernel/order_trials.hpp>
#include <plait/engine/plan/plan.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

inline bool is_aligned(const void* pointer, std::uintptr_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

/// The trials of a static kernel that may store past the caches: order 0 does so, order 1 does not.
template <class Plan>
inline constinit trial_state static_trials;
/// True if static kernels try nothing: they go on with what was faster so far.
inline constinit bool static_trials_are_stopped = false;

/// Calls run(std::bool_constant<Stream>), where Stream is true if whole cache lines are to be stored past the caches. A
/// call is a trial if it moves the whole tensor, or the first of its parts; other parts do what the first one tries.
///
/// Post:    if trials are stopped, the call does what was faster so far; if there were none, it stores past the caches
template <class Plan, class Run>
inline void choose_static_stores(const void* out, bool is_first, const Run& run) noexcept {
    if constexpr (may_stream(Plan::value)) {
        if (is_aligned(out, cache_line_bytes)) {
            const auto run_order = [&run](int order) {
                if (order == 0) run(std::true_type());
                else run(std::false_type());
            };
            const trial_state& trials = static_trials<Plan>;
            if (__atomic_load_n(&static_trials_are_stopped, __ATOMIC_RELAXED)) return run_order(trials.fastest());
            return trials.try_next(2, is_first, 1, run_order);
        }
    }
    run(std::false_type());
}

}  // namespace plait::engine
