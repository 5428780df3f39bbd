// The pairs of shuffles for each number and size of lanes.

#include <plait/engine/plan/shuffle_rules.hpp>

#include "support/static_check.hpp"

namespace test_engine_plan_shuffle_rules {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

TEST_CASE("rules_of: four lanes of 4 bytes have unpacks at each place") {
    STATIC_CHECK([] {
        const shuffle_rules rules = rules_of(isa::sse41, 4, 2);
        return rules.size() == 2 && rules[0] == shuffle_rule{0, 1, true} && rules[1] == shuffle_rule{1, 1, true};
    }());
}

TEST_CASE("rules_of: parts of 128 bits are exchanged, and enter above") {
    STATIC_CHECK([] {
        const shuffle_rules twice = rules_of(isa::avx2, 4, 3), wide = rules_of(isa::avx512, 4, 4);
        return twice.size() == 3 && twice[2] == shuffle_rule{2, 2, true} && wide.size() == 4 &&
               wide[2] == shuffle_rule{2, 3, false} && wide[3] == shuffle_rule{3, 3, true};
    }());
}

TEST_CASE("rules_of: none for less than 128 bits") { STATIC_CHECK(rules_of(isa::neon, 4, 1).empty()); }

TEST_CASE("log2_of: of powers of two") { STATIC_CHECK(log2_of(1) == 0 && log2_of(2) == 1 && log2_of(64) == 6); }

}  // namespace test_engine_plan_shuffle_rules
