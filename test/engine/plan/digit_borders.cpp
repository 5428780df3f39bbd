// Where the digits of an axis begin.

#include <plait/engine/plan/digit_borders.hpp>

#include "support/static_check.hpp"

#include <initializer_list>

namespace test_engine_plan_digit_borders {

using namespace plait;
using namespace plait::engine;

namespace {

constexpr bool are(const auto& list, std::initializer_list<dim_t> wanted) {
    int i = 0;
    for (const dim_t x : wanted)
        if (i == list.size() || list[i++] != x) return false;
    return i == list.size();
}
constexpr bool common(const char* from, const char* to, dim_t extent, std::initializer_list<dim_t> wanted,
                      bool uneven) {
    const layout src({extent}, *parse_format_tag(from)), dst({extent}, *parse_format_tag(to));
    const common_borders borders(digit_borders(src, 0), digit_borders(dst, 0), dst.padded_dims[0]);
    return are(borders.index_steps, wanted) && borders.is_uneven == uneven;
}

}  // namespace

TEST_CASE("digit_borders: of 17 channels, plain and in blocks of 16") {
    STATIC_CHECK([] {
        const digit_borders plain(layout({1, 17, 56, 56}, "nchw"), 1), blocked(layout({1, 17, 56, 56}, "nChw16c"), 1);
        return are(plain.index_steps, {1}) && are(plain.stride, {3136}) && are(blocked.index_steps, {1, 16}) &&
               are(blocked.stride, {1, 50176}) && plain.stride_at(16) == 16 * 3136 && blocked.stride_at(8) == 8 &&
               blocked.stride_at(32) == 2 * 50176;
    }());
}

TEST_CASE("common_borders: each a multiple of the one before") {
    STATIC_CHECK(common("a", "A16a", 64, {1, 16}, false));
    STATIC_CHECK(common("A8a", "A16a", 64, {1, 8, 16}, false));
    STATIC_CHECK(common("A4a2a", "A16a", 64, {1, 2, 8, 16}, false));
}

TEST_CASE("common_borders: blocks that do not divide each other continue by their greatest common divisor") {
    STATIC_CHECK(common("A32a", "A48a", 192, {1, 16}, true));
    STATIC_CHECK(common("A5a", "A7a", 36, {1}, true));
    STATIC_CHECK(common("A4a", "A6a", 4, {1, 4}, false));  // no index reaches 6
}

}  // namespace test_engine_plan_digit_borders
