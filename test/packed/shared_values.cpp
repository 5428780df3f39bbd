// Records whose values are shared by far more indices than there is memory for: work follows the bytes, or is refused.
// And tags with numbers whose products would overflow.
#include <plait/packed.hpp>

#include <doctest/doctest.h>

#include <cstring>

#include <string>
#include <vector>

namespace test_packed_shared_values { namespace {
using namespace plait;
using bytes = std::vector<std::byte>;

constexpr dim_t far = dim_t{1} << 40;

TEST_CASE("records that share values along a long axis are packed, repacked, verified and unpacked at once") {
    for (const char* text :
         {"nk: n(s:u8 /k)", "nk: n(s:u8 /k, m:s32 /k =sum(s))", "nk: N(s:u8 8n /k ~n)", "nk: N(s:u8 3n /k ~n)",
          "nk: N(s:u8 3n /k, m:s32 3n /k =sum(s))", "nk: N(s:u8 3n /k ~n, m:s32 3n /k =sum(s)*-3 ~n)",
          "nk: n(s:u4 /k, s.4:u4 /k, m:s32 /k =sum(s))", "nk: n(s:u8 4k /k, m:s32 /k =sum(s))",
          "nk: (s:u8 4k /k /n, m:s32 /k /n =sum(s))",
          "nk: N(s:u8 2n@4=0 4n /k, s:u8 2n@4=1 4n /k, m:s32 8n /k =sum(s))",
          "nk: N(4n(s:u6 2n@4=0 /k, s.4:u2 2n@4=1 /k), 4n(s:u4 2n@4=1 /k, t:u4 2n@4=1 /k, t:u4 2n@4=0 /k))"})
        for (const dim_t columns : {far, far + 3}) {
            INFO(std::string(text), " ", columns);
            const record r = parse_record(text, dims{8, columns}).value();
            REQUIRE(r.size < 500);
            bytes given(r.size_in_bytes(), std::byte{0x35}), out(given.size(), std::byte{0xff});
            const auto planned = make_repack(r, r);
            if (!planned.has_value()) {
                CHECK(planned.error().reason == reason::indices_are_too_many);
                continue;
            }
            (*planned)(given, out);
            CHECK(verify(r, out) == verdict());
        }
}

TEST_CASE("sums count each index that shares a value") {
    const auto sum_of = [](const char* text, dim_t columns, std::uint8_t value) {
        const record r = parse_record(text, dims{1, columns}).value();
        bytes given(r.size_in_bytes(), std::byte{value}), out(given.size());
        make_repack(r, r).value()(given, out);
        CHECK(verify(r, out) == verdict());
        std::uint32_t sum = 0;
        std::memcpy(&sum, out.data() + r.bit_offset("m", 0, 0) / 8, 4);
        return sum;
    };
    CHECK(sum_of("nk: n(s:u8 /k, m:s32 /k =sum(s))", far + 3, 5) == 15);  // modulo 2^32
    CHECK(sum_of("nk: n(s:u8 /k, m:s32 /k =sum(s))", 1000, 5) == 5000);
    CHECK(sum_of("nk: n(s:u8 4k /k, m:s32 /k =sum(s))", 4000, 5) == 20000);
    CHECK(sum_of("nk: n(s:u8 4k /k, m:s32 /k =sum(s))", 4002, 5) == 20010);
    CHECK(sum_of("nk: n(s:u4 /k, s.4:u4 /k, m:s32 /k =sum(s)*-2)", 1001, 0x33) == std::uint32_t{0} - 2 * 1001 * 0x33);
}

TEST_CASE("sums that would need a step for each of too many indices are refused, with the numbers") {
    const auto why = [](const char* text, const dims& extents) {
        const record r = parse_record(text, extents).value();
        return make_repack(r, r).error();
    };
    const verdict both = why("nk: (q:u8 k /n, m:s32 n /k =sum(q))", dims{1 << 20, 1 << 20});
    CHECK(both.reason == reason::indices_are_too_many);
    CHECK(both.second == dim_t{1} << 40);
    const verdict rounded = why("nk: n(q:u8 /k, m:f32 /k =sum(q;8k))", dims{8, far});
    CHECK(rounded.reason == reason::indices_are_too_many);
    CHECK(describe(rounded).c_str() ==
          "indices_are_too_many: field m would be moved or summed one index at a time, in 8796093022208 steps; for "
          "records "
          "of this size there may be " +
              std::to_string(rounded.third));
    const record r = parse_record("nk: n(q:u8 /k, m:f32 /k =sum(q;8k))", dims{8, far}).value();
    CHECK(verify(r, bytes(r.size_in_bytes())).reason == reason::indices_are_too_many);
}

TEST_CASE("numbers whose products do not fit are refused") {
    const auto why = [](const char* text, const dims& extents) {
        const expected<record_tag> tag = parse_record_tag(text);
        return tag.has_value() ? try_record(*tag, extents).error() : tag.error();
    };
    using enum reason;
    // 2^32 times 2^32 is 0 in 64 bits, and 2^62 times 3 is negative.
    for (const char* digits : {"4294967296k 4294967296k", "2147483648k 4294967296k 4k", "4294967296k@4294967296",
                               "288230376151711744k@2", "3k@288230376151711744"})
        CHECK(why(("nk: nK(q:u4 32k, s:f32 /32k =sum(q*d;" + std::string(digits) + "), d:f16 /32k)").c_str(),
                  dims{1, far})
                  .reason == size_overflows);
    CHECK(why("nk: (n K(q:u4 32k), s:f32 n k[:0] K /32k =sum(q;32k), s:f32 n k[0:] K /32k =sum(q;32k))", dims{1, 64})
              .ok());
    CHECK(why("nk: 288230376151711744k!(q:u8 n /k)", dims{1, 1}).reason == size_overflows);
    CHECK(why("nk: n 288230376151711744k!(q:u64 /k, d:u8 /k)", dims{1, 1}).reason == record_type_is_unknown);
    CHECK(why("nk: NK(4n!(288230376151711744k!(q:u8, d:u8)))", dims{1, 1}).reason == size_overflows);
    // A digit with 2^40 values, of which an index reaches four.
    CHECK(why("nk: n(s:u8 1099511627776k@1=1 /k)", dims{1, 4}).reason == bits_are_not_covered);
    CHECK(why("nk: nk(q:u16, q.16:u16, q.32:u16, q.48:u16, q.60:u16)", dims{1, 1}) ==
          verdict{record_is_malformed, -1, 50});
}
}}  // namespace test_packed_shared_values
