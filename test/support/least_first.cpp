#include <plait/support/least_first.hpp>

#include "support/static_check.hpp"

#include <random>
#include <set>

namespace test_support_least_first {

using namespace plait;
using namespace plait::detail;

TEST_CASE("least_first: pops the least element, also in a constant expression") {
    constexpr auto sorted = [] {
        least_first<int> next;
        for (const int value : {5, 1, 4, 1, 3}) next.push(value);
        int digits = 0;
        while (!next.empty()) digits = 10 * digits + next.pop();
        return digits;
    }();
    STATIC_CHECK(sorted == 11345);
}

TEST_CASE("least_first: pushing and popping in random order agrees with a sorted set") {
    std::mt19937 random(29);
    std::multiset<unsigned> want;
    least_first<unsigned> next;
    for (int k = 0; k < 20'000; ++k) {
        if (want.empty() || random() % 5 < 3) {
            const unsigned value = static_cast<unsigned>(random() % 100);
            want.insert(value);
            next.push(value);
        } else {
            REQUIRE(next.pop() == *want.begin());
            want.erase(want.begin());
        }
        REQUIRE(next.empty() == want.empty());
    }
}

}  // namespace test_support_least_first
