// The operations of smaller worlds, decided as constants: undefined behaviour on the way would be an error. Compiled
// with both compilers by ./dev test deep theory; the numbers are part of the claim.
#include "more_operations.hpp"

#include <utility>

namespace {

using small_world::limits, plait::layout;

/// How many layouts and cases there are, and how many allowed results are wrong.
struct totals {
    int layouts = 0, cases = 0, wrong = 0;
    constexpr bool operator==(const totals&) const = default;
};
/// Decides the layouts with these numbers, so that no constant takes too many steps.
template <class Operations>
constexpr totals decide_part(int part, int parts, const limits& of, const Operations& decide) {
    totals out;
    auto count = [&](const small_world::decision& d) {
        ++out.cases;
        out.wrong += !d.is_right;
    };
    auto visit = [&](const layout& l) {
        if (out.layouts++ % parts == part) decide(l, count);
    };
    small_world::for_each_layout(of, visit);
    return out;
}

/// The operations of operations.hpp, on larger layouts than the others.
struct tables_of_layouts {
    static constexpr limits of{.axes = 2, .digits = 3, .extent = 2, .has_parts = true};
    static constexpr int parts = 16;
    template <class Visit>
    constexpr void operator()(const layout& l, Visit& visit) const {
        small_world::decide_operations(l, visit);
    }
};
/// The operations of more_operations.hpp with one operand.
struct other_operations {
    static constexpr limits of{.axes = 2, .digits = 2, .extent = 2, .has_parts = true};
    static constexpr int parts = 16;
    template <class Visit>
    constexpr void operator()(const layout& l, Visit& visit) const {
        small_world::decide_more(l, visit);
    }
};
/// Compositions, and the operations of more_operations.hpp with two operands: each layout with each.
struct operations_on_pairs {
    static constexpr limits of{.axes = 1, .digits = 1, .extent = 3, .has_parts = true};
    static constexpr int parts = 8;
    template <class Visit>
    constexpr void operator()(const layout& a, Visit& visit) const {
        const small_world::table of_a = small_world::table_of(a);
        auto second = [&](const layout& b) {
            small_world::decide_composition(a, of_a, b, visit);
            small_world::decide_pair(a, of_a, b, visit);
        };
        small_world::for_each_layout(of, second);
    }
};

template <class Operations, int Part>
constexpr totals of_part = decide_part(Part, Operations::parts, Operations::of, Operations{});
template <class Operations, int... Part>
constexpr totals sum(std::integer_sequence<int, Part...>) {
    totals out;
    ((out.cases += of_part<Operations, Part>.cases, out.wrong += of_part<Operations, Part>.wrong,
      out.layouts = of_part<Operations, Part>.layouts),
     ...);
    return out;
}
template <class Operations>
constexpr totals all = sum<Operations>(std::make_integer_sequence<int, Operations::parts>());

static_assert(all<tables_of_layouts> == totals{.layouts = 1188, .cases = 42688, .wrong = 0});
static_assert(all<other_operations> == totals{.layouts = 144, .cases = 6075, .wrong = 0});
static_assert(all<operations_on_pairs> == totals{.layouts = 22, .cases = 1804, .wrong = 0});

}  // namespace
