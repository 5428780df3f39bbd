// Records as types: places are those of the record, whatever is known at compile time.

#include <plait/packed/record_constant.hpp>

#include <doctest/doctest.h>

using namespace plait;

namespace {

using packed_nk = record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
using spelled_otherwise = record_constant<"nk:NK(d: f16 8n/32k ,q:u4^8 2k@8 8n 8k 2k@16 )", 64, 256>;
static_assert(std::is_same_v<packed_nk, spelled_otherwise>);
// Equal tags have equal marks: as few as possible; of several such choices, the smallest steps have none.
static_assert(record_tag("nk: NK(q:u4 4k@8 16n 4k@1 2k@4)").text() == "nk: q:u4 NK 4k 16n 4k 2k@4");
static_assert(record_tag("nk: NK(q:u4 4k 16n 4k@1 2k)").text() == "nk: q:u4 NK 4k 16n 4k 2k@4");
static_assert(record_tag("nk: N(q:u4 K 4k@8 16n 4k@2 2k@1)").text() == "nk: q:u4 NK 4k 16n 4k 2k");
static_assert(packed_nk::value == record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {64, 256}));
static_assert(packed_nk::value.size == 64 * 8 * 18 && packed_nk::size_in_bytes() == 64 * 8 * 18);
static_assert(packed_nk::bit_offset<"q">(1, 16) == 8 * (16 + 8) + 4);
static_assert(packed_nk::extent(0) == 64 && packed_nk::extent(1) == 256);

static_assert(record_type<packed_nk> && !record_type<record> && !record_type<int>);
static_assert(reads<packed_nk, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)">);
static_assert(reads<packed_nk, "nk: NK(d:f16 8n /32k, q:u4^8 2k@8 8n 8k 2k@16)">);
static_assert(!reads<packed_nk, "nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)">);
static_assert(!reads<record, "nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)">);

// A record may have a name of its own, which is short in errors.
struct weights : packed_nk {};
static_assert(record_type<weights> && reads<weights, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)">);

/// Compares the place of each value of a field with the one that the record computes.
template <fixed_string Name, record_type R>
void check_places(const R& r, const record& whole) {
    REQUIRE(whole.ndims() == 2);
    REQUIRE(r.size_in_bytes() == whole.size_in_bytes());
    int wrong = 0;
    for (dim_t n = 0; n < whole.dims[0]; ++n)
        for (dim_t k = 0; k < whole.dims[1]; ++k)
            wrong += r.template bit_offset<Name>(n, k) != whole.bit_offset(Name.data(), n, k);
    CHECK(wrong == 0);
}
template <record_type R, fixed_string... Names>
void check_constant() {
    (check_places<Names>(R(), R::value), ...);
}
/// Compares them also with all extents, and with one of them, bound at run time.
template <fixed_string Text, dim_t N, dim_t K, fixed_string... Names>
void check_both() {
    constexpr record whole = record_constant<Text, N, K>::value;
    check_constant<record_constant<Text, N, K>, Names...>();
    (check_places<Names>(record_constant<Text, dynamic, dynamic>(dims{N, K}), whole), ...);
    (check_places<Names>(record_constant<Text, dynamic, K>(dims{N}), whole), ...);
    (check_places<Names>(record_constant<Text, N, dynamic>(dims{K}), whole), ...);
    CHECK(static_cast<record>(record_constant<Text, dynamic, dynamic>(dims{N, K})) == whole);
}

}  // namespace

TEST_CASE("bit_offset of a record type is that of its record") {
    check_both<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 16, 96, "d", "q">();
    check_both<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 13, 70, "d", "q">();
    check_both<"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", 5, 64, "d", "q">();
    check_both<"nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k, m:f16 16n /32k)", 32, 64, "q", "d", "m">();
    check_both<"nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16, s:bf16 8n /64k), sum:f32 8n /k, bias:f32 8n /k ~n)", 21, 192, "q",
               "s", "sum", "bias">();
}

TEST_CASE("pieces, turned digits, digits that run backwards, gaps") {
    check_both<
        "nk: nK(d:f16 /256k, 4k(s:u6 2k@128=0 /32k, s.4:u2 2k@128=1 /32k), 4k(t:u4 2k@128=1 /32k, "
        "s:u4 2k@128=1 /32k), t:u4 4k 2k@128=0 /32k)",
        3, 512, "d", "s", "t">();
    check_both<"nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n, _:16)", 19, 23, "bias", "w">();
    check_both<"nk: N(w:u4 K 8n 2k! 2k, _:%64, d:f32 8n /k)", 19, 23, "w", "d">();
    check_both<"nk: NK(s:ue4m3 32n 4n@32 4k /16k)", 140, 200, "s">();
}

TEST_CASE("ranges, and blocks that end early") {
    check_constant<record_constant<"kn: (w:f16 KN <512k 16n)", 700, 40>, "w">();
    check_constant<record_constant<"nk: (w:u4 n[:%32] N k 16n 2n@16, w:u4 n[%32:] k n)", 76, 6>, "w">();
}

TEST_CASE("numbers bound at run time are refused by name") {
    using partly = record_constant<"nk: N(q:u4 k 2n, d:f16 2n /k)", dynamic, 3>;
    CHECK(partly(dims{3}).bit_offset<"q">(2, 2) == 56 + 16);
    const auto refusal = [](auto make) {
        try {
            make();
        } catch (const rejection& r) {
            return r.verdict();
        }
        return verdict();
    };
    CHECK(refusal([] { partly(dims{3, 3}); }) == verdict{reason::bound_values_do_not_match, -1, 2, 1});
    CHECK(refusal([] { partly(dims{-3}); }) == verdict{reason::dim_is_negative, 0, -3, 0});
    using nibbles_in_rows = record_constant<"nk: (q:u4 nk)", dynamic, dynamic>;
    CHECK(nibbles_in_rows(dims{3, 4}).bit_offset<"q">(2, 3) == 44);
    CHECK(refusal([] { nibbles_in_rows(dims{3, 5}); }).reason == reason::chunk_ends_inside_a_byte);
}
