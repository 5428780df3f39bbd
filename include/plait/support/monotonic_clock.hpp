#pragma once
// The time since a fixed moment, from a clock that is not set while programs run.

#include <plait/unit_flags.hpp>

#include <cstdint>

#if defined(_WIN32)
#include <chrono>
#else
#include <time.h>  // clock_gettime, which <ctime> does not have; <chrono> takes long to compile
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A moment of the clock.
struct clock_reading {
    std::int64_t seconds = 0, nanoseconds = 0;
};

/// Returns the time since a moment that is the same in a run of a program.
///
/// Post:    0 <= nanoseconds < 1e9; no reading is before one that the thread made earlier
/// Cost:    some 25 ns
/// Source:  POSIX, clock_gettime of CLOCK_MONOTONIC. On Windows std::chrono::steady_clock. std::timespec_get would read
///          a clock that is set while programs run.
/// Example: seconds_between(read_monotonic_clock(), read_monotonic_clock()) >= 0
inline clock_reading read_monotonic_clock() noexcept {
#if defined(_WIN32)
    const std::int64_t count =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    return {count / 1'000'000'000, count % 1'000'000'000};
#else
    ::timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return {now.tv_sec, now.tv_nsec};
#endif
}

/// Returns the time from one reading to another, in seconds.
///
/// Post:    the difference, rounded as float is
/// Cost:    constexpr
/// Source:  arithmetic
/// Example: seconds_between({1, 0}, {2, 500'000'000}) == 1.5f
constexpr float seconds_between(const clock_reading& begun, const clock_reading& ended) {
    return static_cast<float>(ended.seconds - begun.seconds) +
           static_cast<float>(ended.nanoseconds - begun.nanoseconds) * 1e-9f;
}

}  // namespace plait::detail
