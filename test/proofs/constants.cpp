// The operations of a smaller world, decided as constants: undefined behaviour on the way would be an error. Compiled
// with both compilers by ./dev test deep theory; the numbers are part of the claim.
#include "operations.hpp"

namespace {

/// How many cases there are, and how many allowed results are wrong.
struct totals {
    int layouts = 0, cases = 0, wrong = 0;
};
/// Decides the layouts with these numbers, so that no constant takes too many steps.
constexpr totals decide_part(int part, int parts, const small_world::limits& of) {
    totals out;
    auto visit = [&](const small_world::decision& d) {
        ++out.cases;
        out.wrong += !d.is_right;
    };
    small_world::for_each_layout(of, [&](const plait::layout& l) {
        if (out.layouts++ % parts == part) small_world::decide_operations(l, visit);
    });
    return out;
}

inline constexpr small_world::limits constants = {.axes = 2, .digits = 3, .extent = 2, .has_parts = true};
template <int Part>
constexpr totals of_part = decide_part(Part, 16, constants);
template <int... Part>
constexpr totals sum(std::integer_sequence<int, Part...>) {
    totals out;
    ((out.cases += of_part<Part>.cases, out.wrong += of_part<Part>.wrong, out.layouts = of_part<Part>.layouts), ...);
    return out;
}
constexpr totals all = sum(std::make_integer_sequence<int, 16>());
static_assert(all.wrong == 0 && all.layouts == 1188 && all.cases == 42688);

}  // namespace
