// The reference reorder of elements smaller than a byte: each element by definition, and every other bit as it was.

#include "laws/random_layouts.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/contract/descriptor_reference.hpp>

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace test_contract_packed_reference { namespace {

using namespace plait;
using namespace plait::detail;

std::uint8_t bits_at(const std::vector<std::byte>& memory, dim_t place, int bits) {
    unsigned out = 0;
    for (int i = 0; i < bits; ++i) {
        const auto bit = static_cast<std::size_t>(place * bits + i);
        out |= (std::to_integer<unsigned>(memory[bit / 8]) >> bit % 8 & 1) << i;
    }
    return static_cast<std::uint8_t>(out);
}

/// Returns the number of elements, padded or not, that are wrong after a move, and of other bits that changed.
int wrong_places(data_type type, const layout& src, const layout& dst, plait_test::random_source& random) {
    const descriptor from(type, src), to(type, dst);
    const int bits = size_in_bits(type);
    std::vector<std::byte> in(from.buffer_size_in_bytes() + 1), out(to.buffer_size_in_bytes() + 1);
    for (std::byte& b : in) b = static_cast<std::byte>(random.between(0, 255));
    for (std::byte& b : out) b = static_cast<std::byte>(random.between(0, 255));
    const std::vector<std::byte> before = out;
    reference_reorder(from, in.data(), to, out.data());
    std::set<dim_t> written;
    int wrong = 0;
    for (dim_t number = 0; number < dst.padded_volume(); ++number) {
        position padded = unravel(dst.padded_dims, number), at = padded;
        bool inside = true;
        for (int a = 0; a < dst.ndims(); ++a) {
            at[a] -= dst.padded_offsets[a];
            inside = inside && at[a] >= 0 && at[a] < dst.dims[a];
        }
        const dim_t place = dst.padded_offset(padded);
        written.insert(place);
        wrong += bits_at(out, place, bits) != (inside ? bits_at(in, src.offset(at), bits) : 0);
    }
    for (dim_t place = 0; (place + 1) * bits <= static_cast<dim_t>(8 * out.size()); ++place)
        if (written.count(place) == 0) wrong += bits_at(out, place, bits) != bits_at(before, place, bits);
    return wrong;
}

constexpr data_type packed_types[] = {data_type::u1,      data_type::u2,      data_type::u4,      data_type::s4,
                                      data_type::f4_e2m1, data_type::f4_e3m0, data_type::f6_e2m3, data_type::f6_e3m2};

TEST_CASE("reference_reorder: packed elements, with odd extents, padding and parts that begin inside a byte") {
    plait_test::random_source random(4);
    const layout whole({5, 7}, "ab"), blocked({5, 7}, "AB4a2b"), turned({5, 7}, "ba");
    for (const data_type type : packed_types) {
        INFO(to_string(type));
        CHECK(wrong_places(type, whole, turned, random) == 0);
        CHECK(wrong_places(type, whole, blocked, random) == 0);
        CHECK(wrong_places(type, blocked, turned, random) == 0);
        // Rows 1 to 3 and columns 3 to 5: the neighbours' halves of the bytes stay as they are.
        const layout part = submemory(whole, {3, 3}, {1, 3}), dense({3, 3}, "ba");
        CHECK(wrong_places(type, dense, part, random) == 0);
        CHECK(wrong_places(type, part, dense, random) == 0);
        CHECK(wrong_places(type, part, submemory(turned, {3, 3}, {1, 1}), random) == 0);
    }
}

TEST_CASE("reference_reorder: padding that shares a byte with an element is zeroed, and the element is kept") {
    const layout three({3}, "a"), four({3}, "A4a");
    const std::byte in[] = {std::byte{0x21}, std::byte{0x43}};
    std::byte out[3] = {std::byte{0xff}, std::byte{0xff}, std::byte{0xff}};
    reference_reorder(descriptor(data_type::u4, three), in, descriptor(data_type::u4, four), out);
    CHECK(out[0] == std::byte{0x21});
    CHECK(out[1] == std::byte{0x03});
    CHECK(out[2] == std::byte{0xff});
    // The rest of the last byte is no padding, and belongs to somebody else.
    std::byte half[2] = {std::byte{0xff}, std::byte{0xff}};
    reference_reorder(descriptor(data_type::u4, three), in, descriptor(data_type::u4, three), half);
    CHECK(half[1] == std::byte{0xf3});
}

TEST_CASE("reference_reorder: packed elements are converted, with scales and zero points") {
    const layout l({2, 2}, "ab");
    const std::byte in[] = {std::byte{0x8f}, std::byte{0x71}};  // s4: -1, -8, 1, 7
    float out[4] = {};
    const float scales[] = {2, 3};
    reference_reorder(descriptor(data_type::s4, l), in, descriptor(data_type::f32, l), out,
                      {.src_scale = {scales, 1}, .src_zero_point = 1});
    CHECK((out[0] == -4 && out[1] == -18 && out[2] == 0 && out[3] == 18));
    std::byte back[2] = {};
    reference_reorder(descriptor(data_type::f32, l), out, descriptor(data_type::s4, l), back);
    CHECK(back[0] == std::byte{0x8c});  // -4, and -18 saturated to -8
    CHECK(back[1] == std::byte{0x70});
    // The static reference takes the types, and gives the same bytes.
    std::byte again[2] = {};
    reference_reorder<float, s4>(l, out, l, again);
    CHECK((again[0] == back[0] && again[1] == back[1]));
    // With beta, the old value of the destination is its element, not its byte.
    std::byte old[2] = {std::byte{0x21}, std::byte{0x43}};
    reference_reorder(descriptor(data_type::s4, l), in, descriptor(data_type::u4, l), old, {.beta = 2});
    CHECK(old[0] == std::byte{0x01});  // -1 + 2 * 1, and -8 + 2 * 2, which saturates to 0
    CHECK(old[1] == std::byte{0xf7});  // 1 + 2 * 3, and 7 + 2 * 4
}

}}  // namespace test_contract_packed_reference
