#pragma once
// Which order of loops the calls of a planned reorder use: its own, which is number 0, or one of
// `orders_to_try` (plan/order_loops.hpp). The first calls try each order, and later calls use the fastest. All orders
// write the same bytes.
//
// Example: four orders. Call 0 uses order 0. Its time does not count, because the first call pays the page faults of
// a new destination. Calls 1 to 4 use orders 0 to 3, and calls 5 to 8 do so again, because a call may be interrupted.
// If call 3 took the least time of all, later calls use order 2.

#include <plait/unit_flags.hpp>

#include <bit>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The state of the trials of one plan. Threads may share it: each access is atomic, and a lost update only costs time.
/// A copy goes on from the state that it was copied in.
class order_trials {
public:
    order_trials() noexcept = default;
    order_trials(const order_trials& other) noexcept : state_(other.load()) {}
    order_trials& operator=(const order_trials& other) noexcept {
        __atomic_store_n(&state_, other.load(), __ATOMIC_RELAXED);
        return *this;
    }

    static constexpr int rounds = 2;  ///< how often each order is tried
    /// Returns the number of calls after which the fastest of `orders` orders is used.
    static constexpr int calls_to_try(int orders) { return rounds * orders + 1; }

    /// A call: the order that it uses, and whether it is a trial.
    struct call {
        int order = 0;
        bool is_trial = false;    ///< true: the call is one of the first
        std::uint32_t state = 0;  ///< when the call began
    };
    /// Returns what the next call does, if there are `orders` orders.
    ///
    /// Pre:     0 < orders < 127
    call next(int orders) const noexcept {
        const std::uint32_t state = load();
        const int calls = calls_of(state);
        if (calls >= calls_to_try(orders)) return {fastest_of(state), false, state};
        return {calls == 0 ? 0 : (calls - 1) % orders, true, state};
    }
    /// Ends a call with its time. Has an effect only if it is a trial, and no other thread ended the same trial.
    void end(const call& trial, float seconds) const noexcept {
        if (!trial.is_trial) return;
        const int calls = calls_of(trial.state);
        const std::uint32_t time = std::bit_cast<std::uint32_t>(seconds) >> 16, least = least_time_of(trial.state);
        const bool is_fastest = calls > 0 && time < least;
        const int fastest = is_fastest ? trial.order : fastest_of(trial.state);
        const std::uint32_t next = (is_fastest ? time : least) << 16 | static_cast<std::uint32_t>(fastest) << 8 |
                                   static_cast<std::uint32_t>(calls + 1);
        std::uint32_t expected = trial.state;
        __atomic_compare_exchange_n(&state_, &expected, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }

private:
    // The bits: from 0 the calls that have ended, from 8 the fastest order, from 16 the upper half of its time, a
    // float. The order of positive floats is that of their bits. At first no call has ended, and the least time is
    // infinite.
    mutable std::uint32_t state_ = 0x7f800000;

    std::uint32_t load() const noexcept { return __atomic_load_n(&state_, __ATOMIC_RELAXED); }
    static int calls_of(std::uint32_t state) { return static_cast<int>(state & 255); }
    static int fastest_of(std::uint32_t state) { return static_cast<int>(state >> 8 & 255); }
    static std::uint32_t least_time_of(std::uint32_t state) { return state >> 16; }
};

}  // namespace plait::engine
