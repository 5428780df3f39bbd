#pragma once
// Which of several orders the calls of a reorder use: its own, which is number 0, or one of those that it may
// try: orders of loops, and stores past the caches or into them (`orders_to_try`, plan/order_loops.hpp). The first
// calls try each order, and later calls use the fastest. All orders write the same bytes. A static kernel has two: with
// stores past the caches, and without.
//
// Example: four orders. Calls 0 and 1 use order 0, calls 2 and 3 order 1, and so on; calls 8 to 15 do so again. The time
// of the first call of two does not count: it finds in the caches what another order left there, or pays the page
// faults of a new destination. There are two rounds because a call may be interrupted. If call 5 took the least time of
// those that count, later calls use order 2.
//
// If orders took turns at each call, stores past the caches would seem as fast as stores into them: the calls before
// and after would pay for the lines that they evict. On Zen 4, f32 cdba -> ABcd8b16a of 8 MB with AVX2 was given stores
// past the caches, and took 0.70 ms instead of 0.26.

#include <plait/support/monotonic_clock.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The state of the trials of one plan, or of one static kernel. Threads may share it: each access is atomic, and a
/// lost update only costs time. A copy goes on from the state that it was copied in.
class trial_state {
public:
    constexpr trial_state() noexcept {}
    trial_state(const trial_state& other) noexcept : state_(other.load()) {}
    trial_state& operator=(const trial_state& other) noexcept {
        store(other.load());
        return *this;
    }

    /// Returns how often each order is tried, by two calls in succession.
    static constexpr int rounds_of(int orders) { return orders <= 2 ? 3 : 2; }
    /// Returns the number of calls after which the fastest of `orders` orders is used.
    static constexpr int calls_to_try(int orders) { return rounds_of(orders) * 2 * orders; }

    /// A call: the order that it uses, and whether it is a trial.
    struct call {
        int order = 0;
        bool is_trial = false;    ///< true: the call is one of the first
        bool counts = false;      ///< true: its time is compared
        bool is_last = false;     ///< true: no trial comes after it
        std::uint32_t state = 0;  ///< when the call began
    };
    /// Returns what the next call does, if there are `orders` orders.
    ///
    /// Pre:     0 < orders < 63
    call next(int orders) const noexcept {
        const std::uint32_t state = load();
        const int calls = calls_of(state);
        if (calls >= decided) return {fastest_of(state), false, false, false, state};
        return {calls / 2 % orders, true, calls % 2 != 0, calls + 1 >= calls_to_try(orders), state};
    }
    /// Ends a call with its time. Has an effect only if it is a trial, and no other thread ended the same trial.
    void end(const call& trial, float seconds) const noexcept {
        if (!trial.is_trial) return;
        const int calls = calls_of(trial.state);
        const std::uint32_t time = std::bit_cast<std::uint32_t>(seconds) >> 16, least = least_time_of(trial.state);
        const bool is_fastest = trial.counts && time < least;
        const int fastest = is_fastest ? trial.order : fastest_of(trial.state);
        const std::uint32_t next =
            state_of(is_fastest ? time : least, fastest, trial.is_last ? static_cast<int>(decided) : calls + 1);
        std::uint32_t expected = trial.state;
        __atomic_compare_exchange_n(&state_, &expected, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    /// Makes a call: run(order). If it is a trial and `is_timed`, its time counts, for each of `parts` equal parts.
    template <class Run>
    void try_next(int orders, bool is_timed, float parts, const Run& run) const noexcept {
        const call now = next(orders);
        if (!is_timed || !now.is_trial) return run(now.order);
        const detail::clock_reading begun = detail::read_monotonic_clock();
        run(now.order);
        end(now, detail::seconds_between(begun, detail::read_monotonic_clock()) / parts);
    }

    /// True if later calls try nothing.
    bool is_decided() const noexcept { return calls_of(load()) >= decided; }
    /// Returns the fastest order so far.
    int fastest() const noexcept { return fastest_of(load()); }
    /// Ends the trials: later calls use `order`.
    void decide(int order) noexcept { store(state_of(0, order, is_stopped() ? stopped : decided)); }
    /// Ends the trials of this plan, and of all that replace it: later calls use the order that was decided, or else
    /// the plan's own.
    void stop() noexcept { store(state_of(0, is_decided() ? fastest() : 0, stopped)); }
    /// Begins the trials of a plan that replaces this one.
    void begin_anew() noexcept { store(is_stopped() ? state_of(0, 0, stopped) : no_call); }

private:
    static constexpr int decided = 254, stopped = 255;  // in place of the number of calls
    // No call has ended, and the least time is infinite.
    static constexpr std::uint32_t no_call = 0x7f800000;
    // The bits: from 0 the calls that have ended, from 8 the fastest order, from 16 the upper half of its time, a
    // float. The order of positive floats is that of their bits.
    mutable std::uint32_t state_ = no_call;

    std::uint32_t load() const noexcept { return __atomic_load_n(&state_, __ATOMIC_RELAXED); }
    void store(std::uint32_t state) noexcept { __atomic_store_n(&state_, state, __ATOMIC_RELAXED); }
    bool is_stopped() const noexcept { return calls_of(load()) == stopped; }
    static constexpr std::uint32_t state_of(std::uint32_t time, int fastest, int calls) {
        return time << 16 | static_cast<std::uint32_t>(fastest) << 8 | static_cast<std::uint32_t>(calls);
    }
    static int calls_of(std::uint32_t state) { return static_cast<int>(state & 255); }
    static int fastest_of(std::uint32_t state) { return static_cast<int>(state >> 8 & 255); }
    static std::uint32_t least_time_of(std::uint32_t state) { return state >> 16; }
};

/// The trials of a plan. When they have ended, or if there is only one order, a call may keep what later calls run, so
/// that none of them makes it anew.
class order_trials : public trial_state {
public:
    order_trials() noexcept {}
    order_trials(const order_trials& other) noexcept : trial_state() { *this = other; }
    order_trials& operator=(const order_trials& other) noexcept {
        trial_state::operator=(other);
        const bool has_kept = __atomic_load_n(&other.room_state_, __ATOMIC_ACQUIRE) == room_is_full;
        if (has_kept) __builtin_memcpy(room_, other.room_, room_bytes);
        room_state_ = has_kept ? room_is_full : room_is_empty;
        return *this;
    }

    void decide(int order) noexcept { empty_room(), trial_state::decide(order); }
    void stop() noexcept { empty_room(), trial_state::stop(); }
    void begin_anew() noexcept { empty_room(), trial_state::begin_anew(); }

    /// Returns what a call has kept, or null.
    ///
    /// Pre:     Kept is the type of what this plan's calls keep
    template <class Kept>
    const Kept* kept() const noexcept {
        const bool is_full = __atomic_load_n(&room_state_, __ATOMIC_ACQUIRE) == room_is_full;
        return is_full ? reinterpret_cast<const Kept*>(room_) : nullptr;
    }
    /// Keeps what calls with the decided order run. Has no effect before, or if another thread does it.
    ///
    /// Pre:     `what` is for fastest()
    template <class Kept>
    void keep(const Kept& what) const noexcept {
        if (is_decided()) keep_made<Kept>([&what](void* room) { __builtin_memcpy(room, &what, sizeof what); });
    }
    /// Keeps what calls of a plan with one order run: make(room) writes it. Returns what is kept; null while another
    /// thread writes it.
    template <class Kept, class Make>
    const Kept* keep_made(const Make& make) const noexcept {
        static_assert(sizeof(Kept) <= room_bytes && alignof(Kept) <= alignof(std::int64_t) &&
                      std::is_trivially_copyable_v<Kept>);
        int expected = room_is_empty;
        if (!__atomic_compare_exchange_n(&room_state_, &expected, room_is_being_filled, false, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED))
            return kept<Kept>();
        make(static_cast<void*>(room_));
        __atomic_store_n(&room_state_, room_is_full, __ATOMIC_RELEASE);
        return kept<Kept>();
    }

private:
    static constexpr int room_is_empty = 0, room_is_being_filled = 1, room_is_full = 2;
    static constexpr std::size_t room_bytes = 5248;
    mutable int room_state_ = room_is_empty;
    alignas(std::int64_t) mutable std::byte room_[room_bytes];  // not initialised until it is full

    void empty_room() noexcept { room_state_ = room_is_empty; }
};

}  // namespace plait::engine
