#include <plait/algebra/listed_digits.hpp>

#include "support/static_check.hpp"

#include <doctest/doctest.h>

#include <array>

namespace test_algebra_listed_digits {

using namespace plait;
using plait::detail::list_digits;

/// Returns the digits of these offsets along axis 2.
template <std::size_t Count>
constexpr detail::listed_digits digits_of(const std::array<dim_t, Count>& offsets) {
    return list_digits(2, static_cast<dim_t>(Count), [&](dim_t j) { return offsets[static_cast<std::size_t>(j)]; });
}

TEST_CASE("list_digits: one stride; blocks; blocks that count backwards; a last block that is cut") {
    constexpr auto line = digits_of(std::array<dim_t, 5>{0, 7, 14, 21, 28});
    STATIC_CHECK((line.digits.size() == 1 && line.digits[0] == digit{2, 5, 7} && line.inside == 1));
    constexpr auto blocks = digits_of(std::array<dim_t, 6>{0, 1, 2, 10, 11, 12});
    STATIC_CHECK(
        (blocks.digits.size() == 2 && blocks.digits[0] == digit{2, 2, 10} && blocks.digits[1] == digit{2, 3, 1}));
    STATIC_CHECK(blocks.inside == 3);
    constexpr auto back = digits_of(std::array<dim_t, 4>{0, -1, 8, 7});
    STATIC_CHECK((back.digits[0] == digit{2, 2, 8} && back.digits[1] == digit{2, 2, -1}));
    constexpr auto cut = digits_of(std::array<dim_t, 5>{0, 1, 10, 11, 20});
    STATIC_CHECK((cut.digits[0] == digit{2, 3, 10} && cut.inside == 2));
}

TEST_CASE("list_digits: offsets that no digits have") {
    STATIC_CHECK(digits_of(std::array<dim_t, 4>{0, 1, 3, 5}).digits.empty());
    STATIC_CHECK(digits_of(std::array<dim_t, 4>{0, 1, 10, 12}).digits.empty());
    STATIC_CHECK(digits_of(std::array<dim_t, 6>{0, 1, 2, 10, 11, 13}).digits.empty());
}

}  // namespace test_algebra_listed_digits
