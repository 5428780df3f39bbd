// Reorders on a big-endian machine: elements keep their bytes, packed elements their place in a byte, and converted
// numbers their value.
#include <plait/implementation.hpp>
#include <plait/plait.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

static_assert(std::endian::native == std::endian::big);

namespace {
using namespace plait;
using bytes = std::vector<std::byte>;

/// The bytes of a tensor whose elements are small numbers, which most types have.
bytes small_numbers(const descriptor& d) {
    const descriptor f32(data_type::f32, d.layout);
    std::vector<float> numbers(f32.buffer_size_in_bytes() / sizeof(float));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 5 % 7) - 2;
    bytes out(d.buffer_size_in_bytes());
    reference_reorder(f32, numbers.data(), d, out.data());
    return out;
}

TEST_CASE("big-endian: numbers that are converted have the bits of their types") {
    const float in[] = {1, -2, 0.5f, 3};
    const descriptor f32(data_type::f32, layout({4}, "a"));
    const auto halves = [&](data_type type) {
        std::vector<std::uint16_t> out(4);
        reorder(f32, in, {type, layout({4}, "a")}, out.data());
        return out;
    };
    CHECK(halves(data_type::bf16) == std::vector<std::uint16_t>{0x3f80, 0xc000, 0x3f00, 0x4040});
    CHECK(halves(data_type::f16) == std::vector<std::uint16_t>{0x3c00, 0xc000, 0x3800, 0x4200});
    std::int32_t integers[4];
    reorder(f32, in, {data_type::s32, layout({4}, "a")}, integers);
    CHECK((integers[0] == 1 && integers[1] == -2 && integers[2] == 0 && integers[3] == 3));
    std::uint8_t nibbles[2];  // the first element is in the lower half
    reorder(f32, in, {data_type::s4, layout({4}, "a")}, nibbles);
    CHECK((nibbles[0] == 0xe1 && nibbles[1] == 0x30));
    const std::uint16_t given[] = {0x3f80, 0xc000, 0x3f00, 0x4040};
    float back[4];
    reorder({data_type::bf16, layout({4}, "a")}, given, f32, back);
    CHECK(std::memcmp(back, in, sizeof(in)) == 0);
}

TEST_CASE("big-endian: reorders of all pairs of types write what the reference writes") {
    struct pair {
        layout src, dst;
    };
    const pair layouts[] = {{layout({6, 40, 3}, "abc"), layout({6, 40, 3}, "cab")},
                            {layout({6, 40, 3}, "abc"), layout({6, 40, 3}, "aBc16b")},
                            {layout({6, 40, 3}, "aBc16b"), layout({6, 40, 3}, "ABc8b2a")}};
    int done = 0;
    for (const pair& p : layouts)
        for (int from = 1; from < detail::element_type_count; ++from)
            for (int to = 1; to < detail::element_type_count; ++to) {
                const descriptor src(static_cast<data_type>(from), p.src), dst(static_cast<data_type>(to), p.dst);
                const expected<planned_reorder> planned = make_reorder(src, dst);
                if (!planned) continue;
                INFO(std::string(to_string(src.type)), " -> ", std::string(to_string(dst.type)), " to layout ",
                     &p - layouts);
                const bytes in = small_numbers(src);
                bytes out(dst.buffer_size_in_bytes(), std::byte{0x5a}), wanted = out;
                (*planned)(in.data(), out.data());
                reference_reorder(src, in.data(), dst, wanted.data());
                CHECK(out == wanted);
                ++done;
            }
    CHECK(done > 300);
}

template <class From, class To>
void check_static() {
    constexpr layout src({5, 40, 7}, "abc"), dst({5, 40, 7}, "aBc16b");
    const descriptor from(data_type_of<From>, src), to(data_type_of<To>, dst);
    const bytes in = small_numbers(from);
    bytes out(to.buffer_size_in_bytes(), std::byte{0x5a}), wanted = out;
    reference_reorder(from, in.data(), to, wanted.data());
    reorder<src, dst>(reinterpret_cast<const detail::memory_of<From>*>(in.data()),
                      reinterpret_cast<detail::memory_of<To>*>(out.data()));
    CHECK(out == wanted);
}
TEST_CASE("big-endian: static reorders write what the reference writes") {
    check_static<std::uint8_t, std::uint8_t>();
    check_static<bfloat16, bfloat16>();
    check_static<float, float>();
    check_static<double, double>();
    check_static<float, bfloat16>();
    check_static<float16, float>();
    check_static<std::int8_t, float>();
}
}  // namespace
