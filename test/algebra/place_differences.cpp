#include <plait/algebra/place_differences.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace test_algebra_place_differences { namespace {

using namespace plait;
using namespace plait::detail;

using search = difference_search<5>;

/// Calls what(sum, first) for each choice of the differences; `first` is the first of them that is not 0, or 0.
template <class What>
void for_each_choice(const search& s, int i, dim_t sum, dim_t first, const What& what) {
    if (i == s.digits.size()) return what(sum, first);
    for (dim_t x = s.digits[i].low; x <= s.digits[i].high; ++x)
        for_each_choice(s, i + 1, sum + x * s.digits[i].stride, first == 0 ? x : first, what);
}

TEST_CASE("place_differences: found if and only if some differences have a sum in the range") {
    std::mt19937_64 engine(17);
    const auto random = [&](dim_t low, dim_t high) {
        return low + static_cast<dim_t>(engine() % static_cast<std::uint64_t>(high - low + 1));
    };
    int found = 0, symmetric = 0;
    for (int i = 0; i < 20'000; ++i) {
        search s;
        const bool is_symmetric = random(0, 1) == 0;
        for (dim_t k = random(0, 5); k > 0; --k) {
            const dim_t high = random(0, 3);
            s.insert({random(1, 40), is_symmetric ? -high : random(-3, high), high});
        }
        for (int k = 1; k < s.digits.size(); ++k) REQUIRE(s.digits[k - 1].stride >= s.digits[k].stride);
        const dim_t least = is_symmetric ? -random(0, 6) : random(-60, 60);
        const dim_t most = is_symmetric ? -least : least + (random(0, 1) == 0 ? 0 : random(0, 8));
        int wanted = 0, seen = 0;
        for_each_choice(s, 0, 0, 0, [&](dim_t sum, dim_t first) {
            wanted += sum >= least && sum <= most && (!is_symmetric || first > 0);
        });
        // Refused, so that all are seen.
        const bool all = s.find(0, s.digits.size(), least, most, is_symmetric, 1 << 20, [&] {
            dim_t sum = 0;
            for (int k = 0; k < s.digits.size(); ++k) {
                REQUIRE(s.digits[k].found >= s.digits[k].low);
                REQUIRE(s.digits[k].found <= s.digits[k].high);
                sum += s.digits[k].found * s.digits[k].stride;
            }
            REQUIRE(sum >= least);
            REQUIRE(sum <= most);
            ++seen;
            return false;
        });
        CAPTURE(i);
        REQUIRE(!all);
        REQUIRE(!s.gave_up());
        REQUIRE(seen == wanted);
        found += wanted > 0;
        symmetric += wanted > 0 && is_symmetric;
    }
    CHECK(found > 5'000);
    CHECK(symmetric > 1'000);
}

TEST_CASE("place_differences: a search ends after as many tries as it may make") {
    search s;
    for (const dim_t stride : {97, 89, 83, 79, 73}) s.insert({stride, -1000, 1000});
    int seen = 0;
    CHECK_FALSE(s.find(0, 5, 1, 1, false, 100, [&] { return ++seen, false; }));
    CHECK(s.gave_up());
    CHECK(seen < 100);
    CHECK(s.find(0, 5, 1, 1, false, 1 << 20, [] { return true; }));
    CHECK_FALSE(s.gave_up());
}

}}  // namespace test_algebra_place_differences
