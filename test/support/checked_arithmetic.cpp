#include <plait/support/checked_arithmetic.hpp>

#include "support/static_check.hpp"

namespace test_support_checked_arithmetic {

using plait::detail::checked_integer, plait::detail::divide_down, plait::detail::divide_up,
    plait::detail::greatest_common_divisor;

TEST_CASE("checked_integer: exact results, up to the ends of the range") {
    STATIC_CHECK(plait::detail::checked_integer{}.value == 0);
    STATIC_CHECK(plait::detail::checked_integer{}.ok());
    STATIC_CHECK((plait::detail::checked_integer{6} * 7 + 1).value == 43);
    STATIC_CHECK((plait::detail::checked_integer{INT64_MAX - 1} + 1).ok());
    STATIC_CHECK((plait::detail::checked_integer{INT64_MAX - 1} + 1).value == INT64_MAX);
    STATIC_CHECK((plait::detail::checked_integer{INT64_MIN + 1} + -1).ok());
    STATIC_CHECK((plait::detail::checked_integer{INT64_MAX} * -1).ok());
    STATIC_CHECK((plait::detail::checked_integer{INT64_MAX} * 0).ok());
    STATIC_CHECK((plait::detail::checked_integer{std::int64_t{1} << 31} * (std::int64_t{1} << 31)).ok());
}

TEST_CASE("checked_integer: reports an overflow") {
    STATIC_CHECK(!(plait::detail::checked_integer{INT64_MAX} + 1).ok());
    STATIC_CHECK(!(plait::detail::checked_integer{INT64_MIN} + -1).ok());
    STATIC_CHECK(!(plait::detail::checked_integer{INT64_MIN} * -1).ok());
    STATIC_CHECK(!(plait::detail::checked_integer{std::int64_t{1} << 32} * (std::int64_t{1} << 31)).ok());
}

TEST_CASE("checked_integer: an overflow remains after further operations") {
    STATIC_CHECK(!(plait::detail::checked_integer{INT64_MAX} * 2 * 0).ok());
    STATIC_CHECK(!(plait::detail::checked_integer{INT64_MAX} + 1 + -1).ok());
    STATIC_CHECK([] {
        checked_integer x{INT64_MAX};
        x += 1;
        x += 5;
        x *= 1;
        return !x.ok();
    }());
}

TEST_CASE(
    "add_overflows, multiply_overflows: agree with the builtins, and so do the functions that work without them") {
    const std::int64_t numbers[] = {0,
                                    1,
                                    -1,
                                    2,
                                    -2,
                                    3,
                                    -7,
                                    INT32_MAX,
                                    INT32_MIN,
                                    3037000499,
                                    3037000500,
                                    -3037000500,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MAX - 1,
                                    INT64_MIN + 1,
                                    INT64_MAX / 2,
                                    INT64_MIN / 2};
    for (const std::int64_t a : numbers)
        for (const std::int64_t b : numbers) {
            std::int64_t expected = 0, found = 0;
            const bool wrapped_sum = __builtin_add_overflow(a, b, &expected);
            CHECK(plait::detail::add_overflows(a, b, found) == wrapped_sum);
            CHECK(found == expected);
            CHECK(plait::detail::sum_is_wrapped(a, b, plait::detail::wrapping_add(a, b)) == wrapped_sum);
            const bool wrapped_product = __builtin_mul_overflow(a, b, &expected);
            CHECK(plait::detail::multiply_overflows(a, b, found) == wrapped_product);
            CHECK(found == expected);
            CHECK(plait::detail::product_is_wrapped(a, b, plait::detail::wrapping_multiply(a, b)) == wrapped_product);
        }
}

TEST_CASE("divide_up: rounds up, without leaving the range") {
    STATIC_CHECK(plait::detail::divide_up(0, 8) == 0);
    STATIC_CHECK(plait::detail::divide_up(1, 8) == 1);
    STATIC_CHECK(plait::detail::divide_up(8, 8) == 1);
    STATIC_CHECK(plait::detail::divide_up(9, 8) == 2);
    STATIC_CHECK(plait::detail::divide_up(INT64_MAX, 1) == INT64_MAX);
    STATIC_CHECK(plait::detail::divide_up(INT64_MAX, 2) == (std::int64_t{1} << 62));
    STATIC_CHECK(plait::detail::divide_up(INT64_MAX, INT64_MAX) == 1);
}

TEST_CASE("checked_integer: adds a product, and reports an overflow of either step") {
    STATIC_CHECK(plait::detail::checked_integer{1}.add_product(6, 7).value == 43);
    STATIC_CHECK(plait::detail::checked_integer{1}.add_product(6, 7).ok());
    STATIC_CHECK(plait::detail::checked_integer{1}.add_product(INT64_MAX - 1, 1).ok());
    STATIC_CHECK(!plait::detail::checked_integer{1}.add_product(INT64_MAX, 1).ok());
    STATIC_CHECK(!plait::detail::checked_integer{}.add_product(INT64_MAX, 2).ok());
    STATIC_CHECK(!plait::detail::checked_integer{INT64_MAX}.add_product(INT64_MIN, 2).ok());
    STATIC_CHECK(!plait::detail::checked_integer{}.add_product(INT64_MAX, 2).add_product(1, 1).ok());
}

TEST_CASE("greatest_common_divisor: divides both, and no larger number does") {
    STATIC_CHECK(plait::detail::greatest_common_divisor(12, 18) == 6);
    STATIC_CHECK(plait::detail::greatest_common_divisor(0, 0) == 0);
    STATIC_CHECK(plait::detail::greatest_common_divisor(0, 7) == 7);
    STATIC_CHECK(plait::detail::greatest_common_divisor(7, 0) == 7);
    STATIC_CHECK(plait::detail::greatest_common_divisor(INT64_MAX, 2) == 1);
    for (std::int64_t a = 0; a < 40; ++a)
        for (std::int64_t b = 1; b < 40; ++b) {
            std::int64_t largest = 0;
            for (std::int64_t d = 1; d <= 40; ++d)
                if (a % d == 0 && b % d == 0) largest = d;
            CHECK(plait::detail::greatest_common_divisor(a, b) == largest);
        }
}

TEST_CASE("divide_down: n / by, below and above the limits of 32 bits") {
    const std::int64_t numbers[] = {0,          1,          2,           7,           0x7fffffff, 0x80000000,
                                    0xfffffffe, 0xffffffff, 0x100000000, 0x100000001, INT64_MAX};
    for (const std::int64_t n : numbers)
        for (const std::int64_t by : numbers)
            if (by != 0) CHECK(plait::detail::divide_down(n, by) == n / by);
    static_assert(plait::detail::divide_down(17, 5) == 3);
}

}  // namespace test_support_checked_arithmetic
