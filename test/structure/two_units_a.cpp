// Checks that two units that include all of plait can be linked, and share one copy of what both use.
#include "two_units.hpp"

two_units::answer two_units::from_unit_a() { return make_answer(); }

int main() {
    const two_units::answer a = two_units::from_unit_a(), b = two_units::from_unit_b();
    const bool same = a.text == b.text && a.kernel == b.kernel && a.constant == b.constant;
    return same && a.last == 7 && b.last == 7 ? 0 : 1;
}
