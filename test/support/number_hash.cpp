#include <plait/support/number_hash.hpp>

#include "support/static_check.hpp"

#include <initializer_list>

namespace test_support_number_hash {

using plait::detail::number_hash;

constexpr std::uint64_t hash_of(std::initializer_list<std::int64_t> numbers, std::uint64_t begun = 0) {
    number_hash hash(begun);
    for (const std::int64_t n : numbers) hash.add(n);
    return hash.value();
}

TEST_CASE("number_hash: its values are stored, and never change") {
    STATIC_CHECK(hash_of({}) == 0);
    STATIC_CHECK(hash_of({0}) == 0xe220a8397b1dcdafU);  // the first number of splitmix64 with seed 0
    STATIC_CHECK(hash_of({1, 2, 3}) == 0xd0734750fde362b3U);
    STATIC_CHECK(hash_of({2, -1}, 5) == 0xa9a96b699dc41760U);
    STATIC_CHECK(hash_of({1, 3, 2}) != hash_of({1, 2, 3}));
    STATIC_CHECK(hash_of({1, 2, 0}) != hash_of({1, 2}));
}

}  // namespace test_support_number_hash
