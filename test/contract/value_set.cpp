// The numbers of each element type, and which types hold all numbers of another: compared with all of them, one by one.

#include <plait/contract/convert.hpp>
#include <plait/contract/value_set.hpp>

#include "support/static_check.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace test_contract_value_set { namespace {

using namespace plait;
using namespace plait::detail;

template <class T>
inline constexpr bool is_small = sizeof(T) == 1;

/// True if each bit pattern of T is a number of U, with the same sign, or NaN in both.
template <class T, class U>
bool holds_all_numbers() {
    for (unsigned bits = 0; bits < 1u << size_in_bits(data_type_of<T>); ++bits) {
        T x{};
        const auto byte = static_cast<std::uint8_t>(bits);
        if constexpr (std::is_integral_v<T>) std::memcpy(&x, &byte, 1);
        else x = T::from_bits(byte);
        const auto number = convert<double>(x), back = convert<double>(convert<U>(x));
        if (number != number ? back == back
                             : std::bit_cast<std::uint64_t>(number) != std::bit_cast<std::uint64_t>(back))
            return false;
    }
    return true;
}

TEST_CASE("loss_in: none exactly if each number of a small type is one of the other type") {
    int pairs = 0;
    for (int from = 1; from < element_type_count; ++from)
        with_element_type(static_cast<data_type>(from), [&]<class T>(T) {
            if constexpr (is_small<T>)
                for (int to = 1; to < element_type_count; ++to)
                    with_element_type(static_cast<data_type>(to), [&]<class U>(U) {
                        const type_loss loss = loss_in(values_of_type<T>(), data_type_of<U>);
                        INFO(to_string(data_type_of<T>), " in ", to_string(data_type_of<U>));
                        // What is said to be none must be; few pairs that lose nothing are said to lose something.
                        if (loss == type_loss::none) CHECK(holds_all_numbers<T, U>());
                        pairs += loss == type_loss::none;
                    });
        });
    CHECK(pairs > 100);
}

TEST_CASE("values_of: small types") {
    STATIC_CHECK(values_of(data_type::s4).low == -8 && values_of(data_type::s4).high == 7);
    STATIC_CHECK(values_of(data_type::u2).digits == 2 && values_of(data_type::u2).is_integer);
    STATIC_CHECK(values_of(data_type::f4_e2m1).high == 6 && values_of(data_type::f4_e2m1).last_digit == -1);
    STATIC_CHECK(!values_of(data_type::f4_e3m0).has_nan && values_of(data_type::f4_e3m0).digits == 1);
    STATIC_CHECK(values_of(data_type::ue4m3).low == 0 && !values_of(data_type::ue4m3).has_negative_zero);
    STATIC_CHECK(values_of(data_type::e8m0).has_nan && !values_of(data_type::e8m0).has_infinity);
    STATIC_CHECK(values_of(data_type::boolean).high == 1);
    STATIC_CHECK(loss_in(values_of(data_type::u4), data_type::s4) == type_loss::saturates);
    STATIC_CHECK(loss_in(values_of(data_type::u4), data_type::f4_e2m1) != type_loss::none);
    STATIC_CHECK(loss_in(values_of(data_type::f4_e2m1), data_type::f6_e2m3) == type_loss::none);
    STATIC_CHECK(loss_in(values_of(data_type::s4), data_type::s8) == type_loss::none);
    STATIC_CHECK(loss_in(values_of(data_type::e8m0), data_type::bf16) == type_loss::none);
}

}}  // namespace test_contract_value_set
