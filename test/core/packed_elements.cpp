#include <plait/core/packed_elements.hpp>

#include "support/static_check.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace test_core_packed_elements { namespace {

using namespace plait;
using namespace plait::detail;

/// Returns bit `place` of memory.
bool bit_of(const std::vector<std::byte>& memory, std::size_t place) {
    return (std::to_integer<unsigned>(memory[place / 8]) >> place % 8 & 1) != 0;
}

/// Writes each element of 12, one at a time, and checks every bit of memory against the definition.
template <class T>
int wrong_bits() {
    constexpr int bits = size_in_bits(data_type_of<T>);
    int wrong = 0;
    for (int place = 0; place < 12; ++place)
        for (unsigned value = 0; value < 1u << bits; ++value)
            for (const std::byte fill : {std::byte{0}, std::byte{0xff}, std::byte{0x5a}}) {
                std::vector<std::byte> memory(12 * sizeof(T) + 1, fill);
                const std::vector<std::byte> before = memory;
                const T element = T::from_bits(static_cast<std::uint8_t>(value));
                store_element<T>(memory.data(), place, element);
                for (std::size_t bit = 0; bit < 8 * memory.size(); ++bit) {
                    const auto inside = static_cast<long>(bit) - long{place} * bits;
                    const bool is_of_element = inside >= 0 && inside < bits;
                    const bool wanted = is_of_element ? (value >> inside & 1) != 0 : bit_of(before, bit);
                    wrong += bit_of(memory, bit) != wanted;
                }
                wrong += load_element<T>(memory.data(), place).bits != element.bits;
                zero_element(data_type_of<T>, memory.data(), place);
                for (std::size_t bit = 0; bit < 8 * memory.size(); ++bit) {
                    const auto inside = static_cast<long>(bit) - long{place} * bits;
                    wrong += bit_of(memory, bit) != (inside >= 0 && inside < bits ? false : bit_of(before, bit));
                }
            }
    return wrong;
}

TEST_CASE("packed elements: element k is at bit k * bits, and others in its bytes keep theirs") {
    CHECK(wrong_bits<u1>() == 0);
    CHECK(wrong_bits<u2>() == 0);
    CHECK(wrong_bits<u4>() == 0);
    CHECK(wrong_bits<s4>() == 0);
    CHECK(wrong_bits<float4_e2m1>() == 0);
    CHECK(wrong_bits<float4_e3m0>() == 0);
    CHECK(wrong_bits<float6_e2m3>() == 0);
    CHECK(wrong_bits<float6_e3m2>() == 0);
    CHECK(wrong_bits<float8_ue4m3>() == 0);
}

/// Returns 24 bytes of some value.
std::vector<std::byte> numbered(unsigned seed) {
    std::vector<std::byte> out(24);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>((i + seed) * 2654435761u >> 13);
    return out;
}

TEST_CASE("read_bits and write_bits: every width up to 64, and no other bit") {
    const std::vector<std::byte> from = numbered(3), before = numbered(4);
    for (dim_t begin = 0; begin < 17; ++begin)
        for (int width = 1; width <= 64; ++width) {
            std::vector<std::byte> written = before;
            const std::uint64_t bits = read_bits(from.data(), begin, width);
            write_bits(written.data(), begin + 3, width, ~bits);
            bool right = width == 64 || bits >> width == 0;
            for (dim_t bit = 0; bit < 8 * 24; ++bit) {
                const dim_t k = bit - begin - 3;
                const bool inside = k >= 0 && k < width;
                const auto place = static_cast<std::size_t>(bit);
                right = right && (!inside || (bits >> k & 1) == bit_of(from, static_cast<std::size_t>(begin + k)));
                right = right && bit_of(written, place) == (inside ? (bits >> k & 1) == 0 : bit_of(before, place));
            }
            REQUIRE(right);
        }
}

TEST_CASE("copy_bits and clear_bits: every run of bits, and no other bit") {
    const std::vector<std::byte> from = numbered(1), before = numbered(2);
    for (dim_t begin = 0; begin < 10; ++begin)
        for (dim_t to = 0; to < 10; ++to)
            for (dim_t count = 0; count < 60; ++count) {
                std::vector<std::byte> copied = before, zeroed = before;
                copy_bits(from.data(), begin, copied.data(), {to, count});
                clear_bits(zeroed.data(), {to, count});
                bool right = true;
                for (dim_t bit = 0; bit < 8 * 24; ++bit) {
                    const bool inside = bit >= to && bit < to + count;
                    const auto place = static_cast<std::size_t>(bit),
                               source = static_cast<std::size_t>(bit - to + begin);
                    right = right && bit_of(copied, place) == bit_of(inside ? from : before, inside ? source : place);
                    right = right && bit_of(zeroed, place) == (!inside && bit_of(before, place));
                }
                REQUIRE(right);
            }
}

TEST_CASE("packed elements: constants") {
    STATIC_CHECK([] {
        std::array<std::byte, 3> six{};
        for (int i = 0; i < 4; ++i)
            set_element<float6_e2m3>(six.data(), i, float6_e2m3::from_bits(static_cast<std::uint8_t>(16 * i + i)));
        // 0, 17, 34, 51 as 6 bits each, the first the lowest
        return six[0] == std::byte{0x40} && six[1] == std::byte{0x24} && six[2] == std::byte{0xce} &&
               get_element<float6_e2m3>(six.data(), 2).bits == 34;
    }());
    STATIC_CHECK([] {
        const std::byte pair[] = {std::byte{0x8f}};
        return get_element<s4>(pair, 0) == s4(-1) && get_element<s4>(pair, 1) == s4(-8);
    }());
    STATIC_CHECK([] {
        float plain[2] = {1, 2};
        set_element<float>(plain, 1, 5);
        return get_element<float>(plain, 1) == 5 && get_element<float>(plain, 0) == 1;
    }());
    STATIC_CHECK(std::is_same_v<memory_of<u4>, std::byte> && std::is_same_v<memory_of<float>, float>);
    STATIC_CHECK(packed_element<u1> && packed_element<float6_e3m2> && !packed_element<float8_e8m0> &&
                 !packed_element<boolean> && !packed_element<int>);
}

TEST_CASE("bytes_of: the bytes with a bit of the elements") {
    for (int t = 1; t < element_type_count; ++t) {
        const auto type = static_cast<data_type>(t);
        const long long bits = size_in_bits(type);
        for (long long first = 0; first < 20; ++first)
            for (long long count = 0; count < 20; ++count) {
                const byte_range range = bytes_of(type, first, count);
                CHECK(range.begin == first * bits / 8);
                const long long end = first * bits + count * bits;
                CHECK((count == 0 ? range.count == 0 : range.begin + range.count == (end + 7) / 8));
            }
    }
    STATIC_CHECK(bytes_of(data_type::u4, 3, 3).begin == 1 && bytes_of(data_type::u4, 3, 3).count == 2);
    STATIC_CHECK(bytes_of(data_type::f6_e2m3, 0, 4).count == 3);
    STATIC_CHECK(bytes_of(data_type::u1, 7, 2).begin == 0 && bytes_of(data_type::u1, 7, 2).count == 2);
}

}}  // namespace test_core_packed_elements
