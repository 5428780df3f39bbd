#include "static_check.hpp"

#include <plait/support/monotonic_clock.hpp>

#include <doctest/doctest.h>

namespace {
using namespace plait::detail;

TEST_CASE("monotonic_clock: the time between two readings") {
    STATIC_CHECK(seconds_between({1, 0}, {2, 500'000'000}) == 1.5f);
    STATIC_CHECK(seconds_between({1, 500'000'000}, {2, 0}) == 0.5f);
    STATIC_CHECK(seconds_between({7, 250}, {7, 250}) == 0);
}

TEST_CASE("monotonic_clock: readings do not go back, and go on") {
    const clock_reading first = read_monotonic_clock();
    clock_reading last = first;
    for (int i = 0; i < 10'000'000 && seconds_between(first, last) < 1e-4f; ++i) {
        const clock_reading next = read_monotonic_clock();
        CHECK((next.nanoseconds >= 0 && next.nanoseconds < 1'000'000'000));
        CHECK((next.seconds > last.seconds || (next.seconds == last.seconds && next.nanoseconds >= last.nanoseconds)));
        last = next;
    }
    CHECK(seconds_between(first, last) >= 1e-4f);
}

}  // namespace
