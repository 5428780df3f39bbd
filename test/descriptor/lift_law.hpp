#pragma once
// The law of every operation on descriptors: it equals the operation on layouts, and its four forms agree.

#include "support/small_layouts.hpp"

#include <plait/descriptor/descriptor.hpp>

namespace plait_test {

/// The number of operations that were allowed, and the number of those that were refused.
struct tally {
    int allowed = 0, refused = 0;
};

/// Checks the law for one operation, given as its four forms.
///
/// Pre:     d has no extra, and sizes far from 63 bits
template <class Check, class Make, class Try, class Into>
void check_lift(tally& count, const plait::descriptor& d, Check check, Make make, Try attempt, Into into) {
    const plait::verdict why = check(d);
    REQUIRE(why == check(d.layout));
    REQUIRE(refusal_of([&] { return make(d); }) == why);
    const plait::expected<plait::descriptor> made = attempt(d);
    REQUIRE(made.error() == why);
    REQUIRE(made.has_value() == why.ok());
    // The operation in place: if it is refused, the descriptor stays as it was.
    plait::descriptor out = d;
    REQUIRE(into(out, out) == why);
    ++(why.ok() ? count.allowed : count.refused);
    if (!why.ok()) {
        REQUIRE(out == d);
        return;
    }
    const plait::descriptor expected(d.type, make(d.layout));
    REQUIRE(make(d) == expected);
    REQUIRE(*made == expected);
    REQUIRE(out == expected);
}

}  // namespace plait_test

// Checks the law for the operation `name` with these arguments. Its four forms accept layouts and descriptors.
#define PLAIT_LIFTS(count, name, d, ...)                                                     \
    plait_test::check_lift(                                                                  \
        count, d, [&](const auto& x) { return check_##name(x __VA_OPT__(, ) __VA_ARGS__); }, \
        [&](const auto& x) { return name(x __VA_OPT__(, ) __VA_ARGS__); },                   \
        [&](const auto& x) { return try_##name(x __VA_OPT__(, ) __VA_ARGS__); },             \
        [&](auto& out, const auto& in) { return name(out, in __VA_OPT__(, ) __VA_ARGS__); })
