#include <plait/view/nibbles.hpp>

#include "support/static_check.hpp"

#include <plait/plait.hpp>

#include <array>
#include <numeric>
#include <vector>

namespace test_view_nibbles { namespace {

using namespace plait;

/// Bytes whose halves count up: 10 32 54 ...
constexpr std::array<std::byte, 8> counted() {
    std::array<std::byte, 8> out{};
    for (int i = 0; i < 8; ++i) out[static_cast<std::size_t>(i)] = static_cast<std::byte>((2 * i) | (2 * i + 1) << 4);
    return out;
}

constexpr layout in_pairs({4, 6}, "aB2b");

TEST_CASE("nibbles: the first of two elements is the low half of the byte, const or not") {
    std::array<std::byte, 8> memory = counted();
    const auto pointer = nibbles<u4>(memory.data());
    const auto reader = nibbles<u4>(static_cast<const std::byte*>(memory.data()));
    for (int i = 0; i < 16; ++i) {
        CHECK(static_cast<int>(pointer[i]) == i);
        CHECK(static_cast<int>(reader[i]) == i);
        CHECK(static_cast<int>(*(pointer + i)) == i);
    }
    STATIC_CHECK(std::is_same_v<decltype(reader[0]), u4>);
    CHECK(static_cast<int>(nibbles<s4>(memory.data())[15]) == -1);
    CHECK(static_cast<int>(nibbles<u1>(memory.data())[4]) == 1);  // 10, in bits from the lowest: 00001000
}

TEST_CASE("nibbles: a write changes one element, and no bit beside it") {
    for (int written = 0; written < 16; ++written) {
        std::array<std::byte, 8> memory = counted();
        nibbles<u4>(memory.data())[written] = u4(7);
        for (int i = 0; i < 16; ++i) CHECK(static_cast<int>(nibbles<u4>(memory.data())[i]) == (i == written ? 7 : i));
    }
    for (int written = 0; written < 10; ++written) {  // of 6 bits: four in three bytes, across bytes
        std::array<std::byte, 8> memory{};
        memory.fill(std::byte{0xff});
        const auto sixes = nibbles<float6_e2m3>(memory.data());
        sixes[written] = float6_e2m3(1.5f);
        for (int i = 0; i < 10; ++i)
            CHECK(static_cast<float>(static_cast<float6_e2m3>(sixes[i])) == (i == written ? 1.5f : -7.5f));
    }
}

TEST_CASE("nibbles: proxies are assigned to each other by value, and swapped") {
    std::array<std::byte, 8> memory = counted();
    const auto pointer = nibbles<u4>(memory.data());
    pointer[0] = pointer[9];
    CHECK(static_cast<int>(pointer[0]) == 9);
    swap(pointer[0], pointer[1]);
    CHECK(static_cast<int>(pointer[0]) == 1);
    CHECK(static_cast<int>(pointer[1]) == 9);
    CHECK(pointer[1] == u4(9));
}

TEST_CASE("tensor_view of nibbles: elements, parts and slices lie where the layout says") {
    std::vector<std::byte> memory(descriptor(data_type::u4, in_pairs).size_in_bytes());
    const tensor_view v(nibbles<u4>(memory.data()), layout_c<in_pairs>);
    for (dim_t a = 0; a < 4; ++a)
        for (dim_t b = 0; b < 6; ++b) v(a, b) = u4((a * 6 + b) % 16);
    for (dim_t a = 0; a < 4; ++a)
        for (dim_t b = 0; b < 6; ++b) {
            const auto wanted = static_cast<int>((a * 6 + b) % 16);
            CHECK(static_cast<int>(v.at(a, b)) == wanted);
            CHECK(static_cast<int>(permute_axes(v, permutation{1, 0})(b, a)) == wanted);
            CHECK(static_cast<int>(slice(v, 0, a)(b)) == wanted);
            CHECK(static_cast<int>(v.as_const()(a, b)) == wanted);
        }
    int sum = 0, visited = 0;
    for_each_element(v, [&](auto element) {
        sum += static_cast<int>(element);
        ++visited;
    });
    CHECK(visited == 24);
    CHECK(sum == 120 + 28);
    CHECK(v.block(1, 2).size() == 1);  // a block of two elements is a byte
    CHECK(v.block(1, 2)[0] == std::byte{0xba});
}

TEST_CASE("tensor_view of nibbles: at refuses a position outside, and a null pointer is refused") {
    std::array<std::byte, 8> memory = counted();
    const tensor_view v(nibbles<u4>(memory.data()), layout({4, 4}, "ab"));
    CHECK_THROWS_AS(v.at(4, 0), rejection);
    CHECK_THROWS_AS(tensor_view(nibbles<u4>(static_cast<std::byte*>(nullptr)), layout({4, 4}, "ab")), rejection);
}

}}  // namespace test_view_nibbles
