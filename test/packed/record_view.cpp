// Views of records: values read and written by their field and index.

#include <plait/packed/record_view.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace plait;

namespace {

/// Reads the bits of a value one by one, as the pieces of the record say.
std::uint64_t bits_at(const record& r, const std::vector<std::byte>& memory, const char* name, const position& index) {
    std::uint64_t out = 0, added = 0;
    int width = 0;
    for (const record_piece& piece : r.pieces) {
        const record_field& field = r.field_of(piece);
        if (!(field.name == name) || !piece.holds(index)) continue;
        added = static_cast<std::uint64_t>(field.subtracted);
        width = std::max(width, field.low + field.width);
        const dim_t place = piece.place(index);
        for (int i = 0; i < field.width; ++i) {
            const auto at = static_cast<std::size_t>(place + i);
            const std::uint64_t bit = std::to_integer<std::uint64_t>(memory[at / 8]) >> at % 8 & 1;
            out |= (bit ^ (field.flipped >> i & 1)) << (field.low + i);
        }
    }
    return added == 0 ? out : (out + added) % (std::uint64_t{1} << width);
}

std::vector<std::byte> view_bytes(std::size_t size) {
    std::vector<std::byte> out(size);
    std::uint32_t state = 12345;
    for (std::byte& b : out) b = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
    return out;
}

/// Checks that get returns the bits of the pieces, and that set changes these bits and no others.
template <fixed_string Name, record_type R>
void check_field(const R& r, const record& whole) {
    const std::vector<std::byte> before = view_bytes(whole.size_in_bytes());
    std::vector<std::byte> held = before;
    const record_view weights_view{std::span(held), r};
    const record_view<const std::byte, R> reader = weights_view;
    using value = typename record_view<std::byte, R>::template value_type<Name>;
    int wrong = 0, spoiled = 0;
    for (dim_t n = 0; n < whole.dims[0]; ++n)
        for (dim_t k = 0; k < whole.dims[1]; ++k) {
            const std::uint64_t bits = bits_at(whole, held, Name.data(), {n, k});
            wrong += detail::bits_of(reader.template get<Name>(n, k)) != bits;
            const std::uint64_t all = (std::uint64_t{2} << (detail::field_values_of<R, Name>::bits - 1)) - 1;
            weights_view.template set<Name>(n, k, detail::value_of<value>(~bits & all));
            wrong += bits_at(whole, held, Name.data(), {n, k}) != (~bits & all);
            weights_view.template set<Name>(n, k, detail::value_of<value>(bits));
            spoiled += held != before;
        }
    CHECK(wrong == 0);
    CHECK(spoiled == 0);
}
template <fixed_string Text, dim_t N, dim_t K, fixed_string... Names>
void check_fields() {
    using known = record_constant<Text, N, K>;
    (check_field<Names>(known(), known::value), ...);
    if constexpr (known::value.pieces.values[0].where.empty())  // else no extent can be bound
        (check_field<Names>(record_constant<Text, dynamic, dynamic>(dims{N, K}), known::value), ...);
}

using packed = record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 16, 64>;

/// Returns what was written to a record in a constant expression.
constexpr int written_in_a_constant() {
    std::array<std::byte, packed::size_in_bytes()> held{};
    const record_view weights_view{std::span<std::byte>(held), packed()};
    weights_view.set<"q">(3, 17, u4(5));
    weights_view.set<"d">(3, 17, float16(1.5f));
    const auto block = weights_view.block<"q">(0, 0);
    return static_cast<int>(weights_view.get<"q">(3, 17)) + 100 * (weights_view.get<"d">(3, 31) == float16(1.5f)) +
           1000 * (block[3 * 8 + 1] == std::byte{0xd0}) + 10000 * static_cast<int>(block.size());
}
static_assert(written_in_a_constant() == 1281105);

}  // namespace

TEST_CASE("get and set have the bits of the pieces, and no others") {
    check_fields<"nk: NK(s:u8-32 8n /32k, q:u5-9 4k 8n 8k, w:s8-100 8n 32k)", 13, 70, "s", "q", "w">();
    check_fields<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 11, 70, "d", "q">();
    check_fields<"nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16, s:bf16 8n /64k), sum:f32 8n /k)", 9, 128, "q", "s", "sum">();
    check_fields<
        "nk: nK(d:f16 /256k, 4k(s:u6 2k@128=0 /32k, s.4:u2 2k@128=1 /32k), 4k(t:u4 2k@128=1 /32k, "
        "s:u4 2k@128=1 /32k), t:u4 4k 2k@128=0 /32k)",
        3, 512, "d", "s", "t">();
    check_fields<"nk: N(w:s8 K 4k-n 8n, b:s4 K 8n 8k)", 19, 23, "w", "b">();
    check_fields<"nk: N(w:u2 K 8n 2k! 2k, d:f32 8n /k)", 19, 23, "w", "d">();
}

TEST_CASE("values that begin at any bit, and cross bytes") {
    check_fields<"nk: nk(w:u3, x:u7)", 5, 8, "w", "x">();
    check_fields<"nk: nk(w:u1, x:f64, y:u13^4095, z:f16)", 5, 8, "w", "x", "y", "z">();
    check_fields<"nk: nk(w:u5, x:f32, y:f6_e2m3, y2:u6)", 5, 8, "w", "x", "y", "y2">();
}

TEST_CASE("ranges, and blocks that end early") {
    check_fields<"nk: (w:u4 n[:%32] N k 16n 2n@16, w:u4 n[%32:] k n)", 76, 6, "w">();
    check_fields<"kn: w:f16 KN <64k 16n", 70, 40, "w">();
}

TEST_CASE("values have the type of their field") {
    using weights_view =
        record_view<const std::byte,
                    record_constant<"nk: nK(d:f16 /32k, q:u4 16k 2k@16, b:u6 /32k, c:u12 /32k)", 4, 32>>;
    static_assert(std::is_same_v<weights_view::value_type<"d">, float16>);
    static_assert(std::is_same_v<weights_view::value_type<"q">, u4>);
    static_assert(std::is_same_v<weights_view::value_type<"b">, std::uint8_t>);
    static_assert(std::is_same_v<weights_view::value_type<"c">, std::uint16_t>);
}

TEST_CASE("numbers that a field does not hold are refused, not stored as others") {
    using weights = record_constant<"nk: n(q:u4 k, s:s4 k, b:u6 k, h:u4 k, h.4:u4 k, w:s8 k, z:s32 k, d:f16 k)", 1, 2>;
    std::array<std::byte, weights::size_in_bytes()> held{};
    const record_view values_of_record{std::span<std::byte>(held), weights()};
    const auto why = [](const auto& set) {
        try {
            set();
        } catch (const rejection& refused) {
            return refused.verdict();
        }
        return verdict();
    };
    const auto does_not_fit = [](const char* name, dim_t value, dim_t limit) {
        return verdict{reason::value_does_not_fit, -1, detail::short_name(detail::field_name_of(name)), value, limit};
    };
    CHECK(why([&] { values_of_record.set<"q">(0, 1, 19U); }) == does_not_fit("q", 19, 15));
    CHECK(why([&] { values_of_record.set<"q">(0, 1, -1); }) == does_not_fit("q", -1, 0));
    CHECK(why([&] { values_of_record.set<"b">(0, 1, s4(-2)); }) == does_not_fit("b", -2, 0));
    CHECK(why([&] { values_of_record.set<"s">(0, 1, 8); }) == does_not_fit("s", 8, 7));
    CHECK(why([&] { values_of_record.set<"s">(0, 1, -9LL); }) == does_not_fit("s", -9, -8));
    CHECK(why([&] { values_of_record.set<"b">(0, 1, 64); }) == does_not_fit("b", 64, 63));
    CHECK(why([&] { values_of_record.set<"h">(0, 1, 256); }) == does_not_fit("h", 256, 255));
    CHECK(why([&] { values_of_record.set<"w">(0, 1, 128); }) == does_not_fit("w", 128, 127));
    CHECK(why([&] { values_of_record.set<"w">(0, 1, 128.0f); }) == does_not_fit("w", 128, 127));
    CHECK(why([&] { values_of_record.set<"z">(0, 1, std::int64_t{1} << 31); }) ==
          does_not_fit("z", std::int64_t{1} << 31, 2147483647));
    CHECK(why([&] { values_of_record.set<"w">(0, 1, std::nan("")); }).reason == reason::value_does_not_fit);
    CHECK(held == std::array<std::byte, weights::size_in_bytes()>{});
    CHECK(why([&] {
              values_of_record.set<"q">(0, 1, 15U), values_of_record.set<"s">(0, 1, -8),
                  values_of_record.set<"b">(0, 1, 63), values_of_record.set<"h">(0, 1, 255);
              values_of_record.set<"w">(0, 1, -128), values_of_record.set<"z">(0, 1, -2147483647 - 1),
                  values_of_record.set<"d">(0, 1, 1.5f);
          }).ok());
    CHECK((values_of_record.get<"q">(0, 1) == u4(15) && values_of_record.get<"s">(0, 1) == s4(-8) &&
           values_of_record.get<"b">(0, 1) == 63));
    CHECK((values_of_record.get<"h">(0, 1) == 255 && values_of_record.get<"w">(0, 1) == -128 &&
           values_of_record.get<"z">(0, 1) == -2147483647 - 1));
}

TEST_CASE("a factor is undone") {
    using scaled = record_constant<"nk: N(scale:f32*0.0625 4n /k, half:f16*0.5 4n /k)", 4, 1>;
    std::array<std::byte, scaled::size_in_bytes()> held{};
    const record_view weights_view{std::span<std::byte>(held), scaled()};
    weights_view.set<"scale">(1, 0, 3.0f);
    weights_view.set<"half">(1, 0, 3.0f);
    CHECK(weights_view.get<"scale">(1, 0) == 3.0f);
    CHECK(static_cast<float>(weights_view.get<"half">(1, 0)) == 3.0f);
    CHECK(weights_view.block<"scale">(0)[6] == std::byte{0x40});  // 0.1875 is 0x3e400000
}

TEST_CASE("a block is the bytes inside the loops that are letters") {
    std::vector<std::byte> held(packed::size_in_bytes());
    const record_view weights_view{std::span(held), packed()};
    for (dim_t panel = 0; panel < 2; ++panel)
        for (dim_t kb = 0; kb < 2; ++kb) {
            const std::span<std::byte, 128> q = weights_view.block<"q">(panel, kb);
            const std::span<std::byte, 16> d = weights_view.block<"d">(panel, kb);
            CHECK(q.data() - held.data() == packed::bit_offset<"q">(8 * panel, 32 * kb) / 8);
            CHECK(d.data() - held.data() == packed::bit_offset<"d">(8 * panel, 32 * kb) / 8);
        }
    using other = record_constant<"nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n, q:u8 k 8n!, _:16)", 19, 23>;
    held.resize(other::size_in_bytes());
    const record_view second{std::span<const std::byte>(held), other()};
    CHECK(second.block<"bias">(1).data() - held.data() == other::bit_offset<"bias">(8, 0) / 8);
    CHECK(second.block<"w">(1, 2).data() - held.data() == other::bit_offset<"w">(8, 8) / 8);
    CHECK(second.block<"w">(1, 2).size() == 128);
    CHECK(second.block<"q">(1, 2).data() - held.data() == other::bit_offset<"q">(15, 2) / 8);
    const record_constant<"nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n, q:u8 k 8n!, _:16)", dynamic, dynamic> bound(
        dims{19, 23});
    const record_view third{std::span<const std::byte>(held), bound};
    CHECK(third.block<"w">(2, 3).data() == second.block<"w">(2, 3).data());
    CHECK(third.block<"q">(2, 3).data() == second.block<"q">(2, 3).data());
}

TEST_CASE("a record with a name of its own") {
    struct weights : packed {};
    std::vector<std::byte> held(packed::size_in_bytes());
    const record_view weights_view{std::span(held), weights()};
    weights_view.set<"q">(9, 40, u4(3));
    CHECK(static_cast<int>(weights_view.get<"q">(9, 40)) == 3);
    CHECK(weights_view.block<"q">(1, 1).data() - held.data() == weights::bit_offset<"q">(8, 32) / 8);
    const auto bound = record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", dynamic, dynamic>(dims{16, 64});
    CHECK(static_cast<int>(record_view{std::span(held), bound}.get<"q">(9, 40)) == 3);
}

TEST_CASE("a buffer that is too small is refused") {
    std::vector<std::byte> held(packed::size_in_bytes() - 1);
    try {
        const record_view weights_view{std::span(held), packed()};
        CHECK(false);
    } catch (const rejection& r) {
        CHECK(r.verdict().reason == reason::buffer_is_too_small);
    }
}
