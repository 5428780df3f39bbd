#include <plait/packed/record.hpp>

#include "packed/record_tags.hpp"
#include "support/static_check.hpp"

#include <string>

namespace test_packed_record_places { namespace {

using namespace packed_test;

constexpr dim_t up(dim_t x, dim_t by) { return (x + by - 1) / by * by; }

/// Compares the places of a field with a formula, for all indices.
template <class Formula>
void check_places(const record& r, std::string_view field, Formula formula) {
    CAPTURE(r.tag.text().c_str());
    for_each_index(r.dims, [&](const position& at) { REQUIRE(r.bit_offset(field, at) == formula(at[0], at[1])); });
}

record made(std::string_view text, dims extents) { return parse_record(text, extents).value(); }

TEST_CASE("record_places: llama.cpp's rows, and rows interleaved, by their formulas") {
    const record rows = made("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {6, 96});
    check_places(rows, "d", [](dim_t n, dim_t k) { return 8 * 18 * (n * 3 + k / 32); });
    check_places(rows, "q",
                 [](dim_t n, dim_t k) { return 8 * (18 * (n * 3 + k / 32) + 2 + k % 16) + k % 32 / 16 * 4; });
    struct shape {
        dim_t r, i;
        const char* text;
    };
    for (const auto& [rows_of_panel, i, text] : {shape{4, 4, "nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)"},
                                                 shape{4, 8, "nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)"},
                                                 shape{8, 8, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"}}) {
        const dim_t R = rows_of_panel, I = i, size = 18 * R;
        const record packed = made(text, {16, 96});
        CHECK(packed.size_in_bytes() == 16 * 3 * 18);
        check_places(packed, "d", [=](dim_t n, dim_t k) { return 8 * ((n / R * 3 + k / 32) * size + 2 * (n % R)); });
        check_places(packed, "q", [=](dim_t n, dim_t k) {
            const dim_t j = k % 16;
            return 8 * ((n / R * 3 + k / 32) * size + 2 * R + j / I * R * I + n % R * I + j % I) + k % 32 / 16 * 4;
        });
    }
}

TEST_CASE("record_places: llama.cpp's tiles for AMX") {
    const record r = made(
        "nk: NK(q:u4 32k 16n 4k 2k@4, s:u8 8k 16n /32k, m:u8 4k 16n 2k /32k, d:f16 16n /256k, "
        "dmin:f16 16n /256k)",
        {32, 512});
    const auto block = [](dim_t n, dim_t k) { return 8 * 2368 * (n / 16 * 2 + k / 256); };
    check_places(r, "q", [&](dim_t n, dim_t k) {
        return block(n, k) + 8 * (k % 256 / 8 * 64 + n % 16 * 4 + k % 4) + k % 8 / 4 * 4;
    });
    check_places(r, "s", [&](dim_t n, dim_t k) { return block(n, k) + 8 * (2048 + 16 * (k % 256 / 32) + n % 16); });
    check_places(r, "m", [&](dim_t n, dim_t k) {
        const dim_t u = k % 256 / 32;
        return block(n, k) + 8 * (2176 + u / 2 * 32 + 2 * (n % 16) + u % 2);
    });
    check_places(r, "dmin", [&](dim_t n, dim_t k) { return block(n, k) + 8 * (2336 + 2 * (n % 16)); });
}

TEST_CASE("record_places: KleidiAI's panels, with padding in both axes") {
    const dim_t K = 40, KP = up(K, 32), panel = 4 * (KP / 2 + 12);
    const record r = made(
        "nk: N(q:u4^8 K 4k 4n 4k 2k@16, sum:s32 4n /k =sum(q)*16, scale:f32*0.0625 4n /k, bias:f32 4n /k)", {7, K});
    CHECK(r.size_in_bytes() == static_cast<std::size_t>(2 * panel));
    check_places(r, "q", [=](dim_t n, dim_t k) {
        const dim_t j = k / 32 * 16 + k % 16;
        return 8 * (n / 4 * panel + (j / 4 * 4 + n % 4) * 4 + j % 4) + k % 32 / 16 * 4;
    });
    check_places(r, "sum", [=](dim_t n, dim_t) { return 8 * (n / 4 * panel + 2 * KP + 4 * (n % 4)); });
    check_places(r, "bias", [=](dim_t n, dim_t) { return 8 * (n / 4 * panel + 2 * KP + 32 + 4 * (n % 4)); });
}

TEST_CASE("record_places: XNNPACK's rotation by the row") {
    const dim_t K = 10, KP = up(K, 8), nr = 8, sr = 4, kr = 2;
    const record r = made("nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n 2k, _:16)", {13, K});
    const dim_t panel = 4 * nr * (KP + 1) + 16;
    check_places(r, "w", [=](dim_t n, dim_t k) {
        const dim_t row = n % nr, slot = k / (sr * kr) * sr + ((k % (sr * kr) / kr - row) % sr + sr) % sr;
        return 8 * (n / nr * panel + 4 * (nr + (slot * nr + row) * kr + k % kr));
    });
}

TEST_CASE("record_places: FBGEMM's blocks, of which the last one is shorter") {
    for (const dim_t K : {0, 3, 511, 512, 513, 1024, 1200}) {
        const dim_t N = 20, NP = up(N, 16), blocks = detail::larger_of(up(K, 512) / 512, 1),
                    last = K - (blocks - 1) * 512;
        const record r = made("kn: (w:f16 KN <512k 16n)", {K, N});
        CHECK(r.size_in_bits == 16 * K * NP);
        check_places(r, "w", [=](dim_t k, dim_t n) {
            const dim_t h = k / 512 == blocks - 1 ? last : 512;
            return 16 * (k / 512 * 512 * NP + n / 16 * h * 16 + k % 512 * 16 + n % 16);
        });
    }
}

TEST_CASE("record_places: PyTorch's blocks, and rows that are left") {
    const dim_t K = 6;
    for (const dim_t N : {16, 64, 80, 112, 176}) {
        const record r = made("nk: (w:u4 n[:%64] N k 32n 2n@32, w:u4 n[%64:] k n)", {N, K});
        check_places(r, "w", [=](dim_t n, dim_t k) {
            const dim_t begin = n / 64 * 64, w = N - begin;
            if (w >= 64) return 4 * begin * K + 8 * (k * 32 + n % 32) + n % 64 / 32 * 4;
            return 4 * begin * K + 4 * (k * w + n - begin);
        });
    }
}

TEST_CASE("record_places: oneDNN's blocks with compensation, and scales in tiles") {
    const dim_t a_extent = 70, b_extent = 100, KP = 128, NP = 128;
    const record r = made("ab: (w:s8 BA16a64b4a, comp:s32 B64b /a =sum(w)*-128)", {a_extent, b_extent});
    check_places(r, "w", [=](dim_t k, dim_t n) {
        return 8 * (n / 64 * KP * 64 + k / 64 * 4096 + k % 64 / 4 * 256 + n % 64 * 4 + k % 4);
    });
    check_places(r, "comp", [=](dim_t, dim_t n) { return 8 * (KP * NP + 4 * n); });
    const record scales = made("nk: NK(s:ue4m3 32n 4n@32 4k /16k)", {200, 200});
    check_places(scales, "s", [](dim_t n, dim_t k) {
        const dim_t g = k / 16;
        return 8 * ((n / 128 * 4 + g / 4) * 512 + n % 32 * 16 + n % 128 / 32 * 4 + g % 4);
    });
}

TEST_CASE("record_places: digits that run backwards, and fields that begin at a multiple") {
    const record r = made("nk: (q:u4 nK 4k 2k!, _:%16, s:f32 n /k)", {3, 20});
    check_places(r, "q", [](dim_t n, dim_t k) { return 4 * (n * 24 + k / 8 * 8 + k % 8 / 2 * 2 + 1 - k % 2); });
    check_places(r, "s", [](dim_t n, dim_t) { return 8 * (48 + 4 * n); });
    // High nibble first, in a group: each item begins where the one before it ends, if it is not aligned.
    const record odd = made("nk: n(a:u3 /k, q:u4 K 2k!, _:%2, b:u8 /k)", {2, 5});
    check_places(odd, "q", [](dim_t n, dim_t k) { return n * 40 + 3 + 4 * (k / 2 * 2 + 1 - k % 2); });
    check_places(odd, "b", [](dim_t n, dim_t) { return n * 40 + 32; });
    CHECK(odd.size_in_bytes() == 10);
}

TEST_CASE("record_places: refused extents, loops and pieces") {
    constexpr auto why = [](std::string_view text, dims extents) { return parse_record(text, extents).error(); };
    using enum reason;
    STATIC_CHECK(why("nk: w:u4 nk", {4}) == verdict{rank_differs, -1, 1, 2});
    STATIC_CHECK(why("nk: w:u4 nk", {4, -1}) == verdict{dim_is_negative, 1, -1, 0});
    STATIC_CHECK(why("nk: w:u4 nk", {4, dynamic}) == verdict{dim_is_dynamic, 1});
    STATIC_CHECK(why("nk: w:u4 nk", {dim_t{1} << 40, dim_t{1} << 40}).reason == size_overflows);
    STATIC_CHECK(why("nk: w:u4 nk", {0, 4}).ok() && why("nk: NK(d:f16 4n /32k, q:u4 4n 32k)", {4, 0}).ok());
    // A loop around two fields has one number of values.
    STATIC_CHECK(why("nk: N(w:u8 n[:4] 2n k, w:u8 n[4:] 2n k)", {8, 1}).ok());
    STATIC_CHECK(why("nk: N(w:u8 n[:4] 2n k, w:u8 n[4:] 2n k)", {10, 1}) == verdict{loop_extents_differ, -1, 5, 2, 3});
    STATIC_CHECK(why("kn: w:f16 NK <512k 16n", {600, 20}) == verdict{ragged_loop_is_not_outermost, -1, 15});
    STATIC_CHECK(why("kn: N(w:f16 K <512k 16n, b:f16 16n /k)", {600, 20}).reason == ragged_loop_is_not_outermost);
    STATIC_CHECK(why("nk: n(_:16)", {4, 4}).reason == record_is_malformed);
}

TEST_CASE("record_places: each bit of each value is stored once") {
    constexpr auto why = [](std::string_view text, dims extents) { return parse_record(text, extents).error(); };
    using enum reason;
    constexpr dim_t w = detail::short_name(detail::field_name_of("w"));
    STATIC_CHECK(why("nk: (w:u4 nk, w:u4 nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 2});
    STATIC_CHECK(why("nk: (w:u4 nk, w.4:u2 nk)", {4, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 nk, w.3:u2 nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 3, 2});
    STATIC_CHECK(why("nk: (w:u4 nk, w.5:u2 nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 4, 0});
    STATIC_CHECK(why("nk: w.4:u2 nk", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 0});
    STATIC_CHECK(why("nk: w:u4 n[:2] nk", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 0});
    STATIC_CHECK(why("nk: w:u4 n[:4] nk", {4, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 n[:2] nk, w:u4 n[2:] nk)", {4, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 n[:2] nk, w:u4 n[3:] nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 0});
    STATIC_CHECK(why("nk: (w:u4 n[:3] nk, w:u4 n[2:] nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 2});
    STATIC_CHECK(why("nk: (w:u4 2n@2=0 N 2n k, w:u4 2n@2=1 N 2n k)", {8, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 2n@2=0 N 2n k, w:u4 2n@2=0 N 2n k)", {8, 4}).reason == bits_are_not_covered);
    // Two ranges of two axes: four pieces.
    STATIC_CHECK(
        why("nk: (w:u4 n[:%4] k[:%4] nk, w:u4 n[:%4] k[%4:] nk, w:u4 n[%4:] k[:%4] nk, w:u4 n[%4:] k[%4:] nk)", {7, 9})
            .ok());
    STATIC_CHECK(
        why("nk: (w:u4 n[:%4] k[:%4] nk, w:u4 n[:%4] k[%4:] nk, w:u4 n[%4:] k[:%4] nk, w:u4 n[%4:] k[:%4] nk)", {7, 9})
            .reason == bits_are_not_covered);
    // The reference: count the pieces of each value.
    for_each_record([](const record& r) {
        CAPTURE(r.tag.text().c_str());
        for (const record_piece& piece : r.pieces)
            for_each_index(r.dims, [&](const position& at) {
                std::uint64_t once = 0;
                for (const record_piece& other : r.pieces) {
                    const record_field& f = r.field_of(other);
                    if (!(f.name == r.field_of(piece).name) || !other.holds(at)) continue;
                    for (int bit = f.low; bit < f.low + f.width; ++bit) {
                        REQUIRE((once >> bit & 1) == 0);
                        once |= std::uint64_t{1} << bit;
                    }
                }
                REQUIRE((once & (once + 1)) == 0);  // from bit 0 on, without a gap
                REQUIRE(once != 0);
            });
    });
}

TEST_CASE("record_places: bit_offset refuses other names, ranks and indices") {
    constexpr record r("nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)", {8, 64});
    const auto why = [&](std::string_view name, const position& at) {
        try {
            static_cast<void>(r.bit_offset(name, at));
        } catch (const rejection& refused) {
            return refused.verdict().reason;
        }
        return reason::none;
    };
    CHECK(why("q", {7, 63}) == reason::none);
    CHECK(why("x", {0, 0}) == reason::field_is_missing);
    CHECK(why("q", {0}) == reason::rank_differs);
    CHECK(why("q", {8, 0}) == reason::position_is_out_of_range);
    CHECK(why("q", {0, -1}) == reason::position_is_out_of_range);
}

}}  // namespace test_packed_record_places
