// Decides every operation on every layout of a small world: that allowed results are right, and whether what is refused
// has a result. Prints how many cases of each operation there are, and the reasons of refusals that have one.
// docs/design/proofs.md explains these; any other one is a failure.
#include "more_operations.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

struct counts {
    long cases = 0, allowed = 0, wrong = 0;
    std::map<std::string, long> refused_whole, refused_padded;  // by reason
    long impossible = 0, needless = 0;
};
std::map<std::string, counts> all;

/// Refusals of what could be a layout, which are rules: padding is not dropped silently, a composition keeps the
/// padding of b, and reshape is that of oneDNN, which has no blocks.
bool is_rule(const std::string& operation, plait::reason why) {
    using plait::reason;
    if (operation == "compose, b padded") return true;
    if (operation == "reshape" && (why == reason::axis_is_blocked || why == reason::joined_axes_do_not_chain))
        return true;
    return why == reason::axis_is_padded || why == reason::unit_axis_is_padded ||
           why == reason::axis_is_not_one_element;
}

void count(const small_world::decision& d) {
    counts& c = all[d.operation];
    ++c.cases;
    c.wrong += !d.is_right;
    if (d.why == plait::reason::none) ++c.allowed;
    else if (d.result == small_world::representable::yes) {
        ++c.refused_whole[plait::to_string(d.why)];
        c.needless += !d.is_explained && !is_rule(d.operation, d.why);
    } else if (d.result == small_world::representable::with_padding) ++c.refused_padded[plait::to_string(d.why)];
    else ++c.impossible;
}

}  // namespace

int main(int arguments, char** argument) {
    small_world::limits of;
    if (arguments > 1) of.digits = std::atoi(argument[1]);
    long layouts = 0;
    small_world::for_each_layout(of, [&](const plait::layout& l) {
        ++layouts;
        small_world::decide_operations(l, count);
        small_world::decide_more(l, count);
    });
    // Compositions: all layouts of one or two axes and two or three digits with all of one axis and two digits.
    std::vector<plait::layout> left, right;
    small_world::for_each_layout({2, 3, 4, true}, [&](const plait::layout& l) { left.push_back(l); });
    small_world::for_each_layout({1, 2, 4, true}, [&](const plait::layout& l) { right.push_back(l); });
    small_world::for_each_layout({2, 2, 3, true}, [&](const plait::layout& l) { right.push_back(l); });
    for (const plait::layout& a : left) {
        const small_world::table of_a = small_world::table_of(a);
        for (const plait::layout& b : right) small_world::decide_composition(a, of_a, b, count);
    }
    // Other pairs: all layouts of one or two axes and two digits.
    std::vector<plait::layout> small;
    small_world::for_each_layout({2, 2, 4, true}, [&](const plait::layout& l) { small.push_back(l); });
    for (const plait::layout& a : small) {
        const small_world::table of_a = small_world::table_of(a);
        for (const plait::layout& b : small) small_world::decide_pair(a, of_a, b, count);
    }
    std::printf("%ld layouts, %zu x %zu compositions, %zu x %zu other pairs\n", layouts, left.size(), right.size(),
                small.size(), small.size());
    bool is_right = true;
    for (const auto& [name, c] : all) {
        std::printf(
            "%-26s %9ld cases: %9ld allowed, %ld of them wrong; %9ld refused without a result, %ld needlessly\n",
            name.c_str(), c.cases, c.allowed, c.wrong, c.impossible, c.needless);
        for (const auto& [why, times] : c.refused_whole)
            std::printf("    refused although there is a result: %9ld %s\n", times, why.c_str());
        for (const auto& [why, times] : c.refused_padded)
            std::printf("    refused although there is one with padding: %9ld %s\n", times, why.c_str());
        is_right = is_right && c.wrong == 0 && c.needless == 0;
    }
    return is_right ? 0 : 1;
}
