// Formats of packed weights by name: their sizes, and places in them.

#include <plait/packed/formats.hpp>
#include <plait/packed/record_laws.hpp>
#include <plait/packed/record_memory.hpp>

#include <doctest/doctest.h>

using namespace plait;
using namespace plait::packed_formats;

namespace {

/// The bytes of a record of one block.
template <template <dim_t, dim_t> class Format, dim_t N, dim_t K>
inline constexpr dim_t block = Format<N, K>::value.size;

static_assert(block<q4_0_rows, 1, 32> == 18 && block<q4_1_rows, 1, 32> == 20 && block<q8_0_rows, 1, 32> == 34);
static_assert(block<q2_k_rows, 1, 256> == 84 && block<q4_k_rows, 1, 256> == 144 && block<q5_k_rows, 1, 256> == 176);
static_assert(block<q6_k_rows, 1, 256> == 210 && block<mxfp4_rows, 1, 32> == 17 && block<nvfp4_rows, 1, 64> == 36);

static_assert(block<q4_0_4x4, 4, 32> == 72 && block<q4_0_4x8, 4, 32> == 72 && block<q4_0_8x8, 8, 32> == 144);
static_assert(block<q4_0_16x1, 16, 32> == 288 && block<q8_0_4x4, 4, 32> == 136 && block<q8_0_4x8, 4, 32> == 136);
static_assert(block<q8_0_16x1, 16, 32> == 544 && block<iq4_nl_4x4, 4, 32> == 72 && block<iq4_nl_8x8, 8, 32> == 144);
static_assert(block<iq4_nl_16x1, 16, 32> == 288 && block<mxfp4_4x4, 4, 32> == 68 && block<mxfp4_8x8, 8, 32> == 136);
static_assert(block<q2_k_8x8, 8, 256> == 672 && block<q2_k_16x1, 16, 256> == 1344);
static_assert(block<q4_k_8x4, 8, 256> == 1152 && block<q4_k_8x8, 8, 256> == 1152 && block<q4_k_16x1, 16, 256> == 2304);
static_assert(block<q5_k_8x4, 8, 256> == 1408 && block<q5_k_8x8, 8, 256> == 1408);
static_assert(block<q6_k_8x4, 8, 256> == 1680 && block<q6_k_8x8, 8, 256> == 1680);

static_assert(block<q5_0_rows, 1, 32> == 22 && block<q5_1_rows, 1, 32> == 24 && block<q1_0_rows, 1, 128> == 18);
static_assert(block<q2_0_rows, 1, 64> == 18 && block<tq2_0_rows, 1, 256> == 66 && block<q3_k_rows, 1, 256> == 110);
static_assert(block<iq4_nl_rows, 1, 32> == 18 && block<iq4_xs_rows, 1, 256> == 136);
static_assert(block<amx_q5_k, 16, 256> == 2880 && block<amx_q6_k, 16, 256> == 3360);
static_assert(block<spacemit_q4_0_16, 16, 32> == 288 && block<spacemit_q4_0_32, 32, 32> == 576);
static_assert(block<spacemit_q5_0_32, 32, 32> == 704 && block<spacemit_q8_0_32, 32, 32> == 1088);

static_assert(block<amx_q4_0, 16, 32> == 288 && block<amx_q4_1, 16, 32> == 320 && block<amx_q8_0, 16, 32> == 608);
static_assert(block<amx_q4_k, 16, 256> == 2368 && block<amx_iq4_xs, 16, 256> == 2208);
static_assert(block<spacemit_q3_k_32, 32, 256> == 3648);

// A panel of KleidiAI has nr (KP / 2 + 12) bytes; with scales of blocks, 8 bytes of sum and bias, and 2 of each scale.
static_assert(block<qsi4cxp_4x4, 4, 90> == 4 * (96 / 2 + 12) && block<qsi4cxp_4x8, 4, 90> == 4 * (96 / 2 + 12));
static_assert(block<qsi4cxp_8x4, 5, 90> == 8 * (96 / 2 + 12) && block<qsi4cxp_8x8, 5, 90> == 8 * (96 / 2 + 12));
static_assert(block<qsi4c32p_8x8_32, 8, 128> == 8 * (64 + 4 * 2 + 8));
static_assert(block<qsi4c32p_8x8_64, 8, 128> == 8 * (64 + 2 * 2 + 8));
static_assert(block<qsi4c32pscalef16_4x8, 4, 32> == 72 && block<qsi4c32pscalef16_8x8, 8, 32> == 144);
static_assert(block<qsu4cxs1s0_rows, 3, 7> == 3 * 4 && block<qsi4cxs1s0_rows, 3, 7> == 3 * 4);
static_assert(block<qau4c32s0s1_rows, 3, 8> == 3 * 4 && block<qsu4c32s16s0_64_rows, 1, 64> == 34);
static_assert(block<qsi4cxps1s0_8x16, 8, 90> == 8 * (96 / 2 + 12) && block<qsu2cxp_4x4, 4, 64> == 4 * (64 / 4 + 12));
static_assert(block<qsi8cxp_4x4, 4, 90> == 4 * (96 + 12) && block<qsi8cxp_4x8, 3, 90> == 4 * (96 + 12));
static_assert(block<qsi4c32p_4x4_32_neon, 4, 128> == 4 * (64 + 4 * 2 + 8));
static_assert(block<qsi4c32p_8x4_64_neon, 8, 128> == 8 * (64 + 2 * 2 + 8));
static_assert(block<qsi4c32ps1s0_8x4_32, 8, 128> == 8 * (64 + 4 * 2 + 8));
static_assert(block<qai4c32p_4x8, 4, 64> == 4 * (32 + 2 * 8 + 4));
static_assert(block<qsi4c32pscalef16_8x8_64, 8, 64> == 8 * 34 && block<qsi4c32ps1s0scalef16_16x4, 16, 32> == 288);
static_assert(block<f16p16x1biasf16, 16, 7> == 16 * 2 * 8 && block<x16p32x1b, 32, 7> == 32 * 2 * 8);
static_assert(block<f32p8x1biasf32, 8, 7> == 8 * 4 * 8 && block<x32p16x1b, 16, 7> == 16 * 4 * 8);

static_assert(block<xnnpack_f32_goi_8x1, 8, 7> == 8 * 4 * 8 && block<xnnpack_f32_goi_8s4, 8, 7> == 8 * 4 * 9);
static_assert(block<xnnpack_qs8_goi_8x8, 8, 7> == 8 * (4 + 8) &&
              block<xnnpack_qs8_qc8w_goi_8x8, 8, 7> == 8 * (4 + 8 + 4));
static_assert(block<xnnpack_qc4w_goi_8x8, 8, 17> == 8 * (4 + 32 / 2));

static_assert(block<xnnpack_f32_goi_16x1, 16, 7> == 16 * 4 * 8 && block<xnnpack_qs8_goi_64x4, 64, 7> == 64 * (4 + 8));
static_assert(block<xnnpack_qc4w_goi_non_planar_64x4, 64, 7> == 64 * (4 + 4));
static_assert(block<xnnpack_qc4uw_goi_8x8, 8, 16> == 8 * (4 + 8) && block<xnnpack_qc2w_goi_8x8, 8, 33> == 8 * (4 + 16));

static_assert(block<fbgemm_s8_8x4, 9, 513> == 16 * 1024 && block<mlas_sgemm_1024, 20, 1500> == 4 * 32 * 1500);
static_assert(block<mx_scales_32x4, 33, 129> == 2 * 2 * 128);
static_assert(block<fbgemm_f16_16, 20, 700> == 2 * 32 * 700 && block<fbgemm_f16_32, 33, 700> == 2 * 64 * 700);
static_assert(block<mlas_sgemm, 20, 700> == 4 * 32 * 700);
static_assert(block<pytorch_int4_64, 80, 6> == 240 && block<pytorch_int4_32, 80, 6> == 240);
static_assert(block<pytorch_int4_pairs, 80, 6> == 240 && block<awq_int4, 16, 6> == 48);
static_assert(block<onednn_amx_s8, 70, 65> == 128 * 128 + 4 * 128);
static_assert(block<onednn_amx_s8_asymmetric, 70, 65> == 128 * 128 + 2 * 4 * 128);
static_assert(block<nvfp4_scales_128x4, 130, 65> == 2 * 2 * 512 && block<nvfp4_scales_8x4, 9, 65> == 2 * 2 * 32);
static_assert(block<mx_scales_128x4, 130, 129> == 2 * 2 * 512 && block<mx_scales_cdna4, 32, 256> == 256);

// Formats that are the same bytes.
static_assert(same_memory(iq4_nl_rows<24, 96>::value, q4_0_rows<24, 96>::value));
static_assert(same_memory(qsi4c32pscalef16_8x8_64<24, 64>::value,
                          record("nk: NK(d:f16 8n /64k, q:u4^8 2k@32 2k 8n 8k 2k@16)", {24, 64})));
// KleidiAI's NEON packers differ from the portable one in the order of the sums alone.
static_assert(same_memory(qsi4c32p_8x8_32_neon<24, 96>::value, qsi4c32p_8x8_32<24, 96>::value));
static_assert(!(qsi4c32p_8x8_32_neon<24, 96>::value == qsi4c32p_8x8_32<24, 96>::value));
static_assert(same_memory(xnnpack_f32_goi_16x1<24, 96>::value, x32p16x1b<24, 96>::value));
static_assert(same_memory(qsi4c32pscalef16_8x8<24, 96>::value, q4_0_8x8<24, 96>::value));
static_assert(!(qsi4c32pscalef16_8x8<24, 96>::value == q4_0_8x8<24, 96>::value));
static_assert(same_memory(xnnpack_f32_goi_8x1<24, 96>::value, f32p8x1biasf32<24, 96>::value));
static_assert(same_memory(nvfp4_scales_128x4<256, 128>::value,
                          record("nk: s:ue4m3 NK 4n@8 8n 4n@32 4k /16k", {256, 128})));
static_assert(same_memory(nvfp4_scales_128x4<256, 128>::value,
                          record("nk: NK(s:ue4m3 8n@4 4n@1 4n@32 2k 2k /16k)", {256, 128})));
// Tiles of 8 rows are those of 128 for up to 8 rows only in their places, not in their size.
static_assert(!same_memory(nvfp4_scales_128x4<8, 64>::value, nvfp4_scales_8x4<8, 64>::value));
static_assert(!same_memory(q4_0_8x8<24, 96>::value, iq4_nl_8x8<24, 96>::value));  // ^8
static_assert(!same_memory(q4_0_4x4<24, 96>::value, q4_0_4x8<24, 96>::value));
static_assert(!same_memory(pytorch_int4_64<96, 8>::value, pytorch_int4_32<96, 8>::value));
static_assert(same_memory(pytorch_int4_64<128, 8>::value, record("nk: w:u4 N k 32n 2n@32", {128, 8})));
static_assert(!same_memory(pytorch_int4_64<112, 8>::value, record("nk: w:u4 N k 32n 2n@32", {112, 8})));
static_assert(same_memory(pytorch_int4_64<48, 8>::value, record("nk: w:u4 kn", {48, 8})));
static_assert(same_memory(fbgemm_f16_16<20, 512>::value, record("nk: w:f16 N k 16n", {20, 512})));
static_assert(!same_memory(fbgemm_f16_16<20, 513>::value, record("nk: w:f16 N k 16n", {20, 513})));

/// Compares all places of a field with a formula for bits.
template <fixed_string Name, class R, class Formula>
void check_places(Formula formula) {
    int wrong = 0;
    for (dim_t n = 0; n < R::extent(0); ++n)
        for (dim_t k = 0; k < R::extent(1); ++k) wrong += R::template bit_offset<Name>(n, k) != formula(n, k);
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("places of llama.cpp's formats") {
    constexpr dim_t K = 512;
    check_places<"q", q4_0_8x8<24, K>>([](dim_t n, dim_t k) {
        const dim_t j = k % 16, block = (n / 8 * (K / 32) + k / 32) * 144;
        return 8 * (block + 16 + j / 8 * 64 + n % 8 * 8 + j % 8) + k % 32 / 16 * 4;
    });
    check_places<"q", q4_k_rows<3, K>>([](dim_t n, dim_t k) {
        return 8 * ((n * (K / 256) + k / 256) * 144 + 16 + k % 256 / 64 * 32 + k % 32) + k % 64 / 32 * 4;
    });
    check_places<"s", q4_k_rows<3, K>>([](dim_t n, dim_t k) {
        const dim_t i = k % 256 / 32, block = (n * (K / 256) + k / 256) * 144 + 4;
        return 8 * (block + (i < 4 ? i : 4 + i));
    });
    check_places<"m", q4_k_8x8<16, K>>([](dim_t n, dim_t k) {
        const dim_t i = n % 8, six = (n / 8 * (K / 256) + k / 256) * 1152 + 32 + k % 256 / 32 * 12;
        return 8 * (six + (i < 4 ? 4 + i : 4 + i)) + (i < 4 ? 0 : 4);
    });
    check_places<"q", q4_k_8x4<16, K>>([](dim_t n, dim_t k) {
        const dim_t j = k % 256 / 64 * 32 + k % 32, block = (n / 8 * (K / 256) + k / 256) * 1152;
        return 8 * (block + 128 + j / 4 * 32 + n % 8 * 4 + j % 4) + k % 64 / 32 * 4;
    });
    check_places<"q", amx_q4_k<32, K>>([](dim_t n, dim_t k) {
        const dim_t start = (n / 16 * (K / 256) + k / 256) * 2368;
        return 8 * (start + k % 256 / 8 * 64 + n % 16 * 4 + k % 4) + k % 8 / 4 * 4;
    });
    check_places<"m", amx_q4_k<32, K>>([](dim_t n, dim_t k) {
        const dim_t start = (n / 16 * (K / 256) + k / 256) * 2368, u = k % 256 / 32;
        return 8 * (start + 2176 + u / 2 * 32 + 2 * (n % 16) + u % 2);
    });
}

TEST_CASE("places of other libraries' formats") {
    check_places<"q", qsi4cxp_4x4<10, 70>>([](dim_t n, dim_t k) {
        const dim_t j = k / 32 * 16 + k % 16;
        return 8 * (n / 4 * 4 * (96 / 2 + 12) + (j / 4 * 4 + n % 4) * 4 + j % 4) + k % 32 / 16 * 4;
    });
    check_places<"w", xnnpack_f32_goi_8s4<19, 23>>([](dim_t n, dim_t k) {
        const dim_t r = n % 8, slot = k / 4 * 4 + ((k - r) % 4 + 4) % 4;
        return 32 * (n / 8 * 8 * 25 + 8 + slot * 8 + r);
    });
    check_places<"w", xnnpack_qc4w_goi_8x8<19, 23>>([](dim_t n, dim_t k) {
        return 8 * (n / 8 * (32 + 128) + 32 + (k / 16 * 8 + n % 8) * 8 + k % 8) + k / 8 % 2 * 4;
    });
    check_places<"q", qsu2cxp_4x4<6, 64>>(
        [](dim_t n, dim_t k) { return 8 * (n / 4 * (64 + 48) + k / 16 * 16 + n % 4 * 4 + k % 4) + k % 16 / 4 * 2; });
    check_places<"w", xnnpack_qc4w_goi_non_planar_64x4<70, 13>>([](dim_t n, dim_t k) {
        const dim_t r = n % 64;
        return 8 * (n / 64 * 64 * (4 + 8) + 256 + k / 4 * 128 + r / 32 * 64 + r % 16 * 4 + k % 4) + r % 32 / 16 * 4;
    });
    check_places<"w", xnnpack_qc2w_goi_8x8<10, 40>>([](dim_t n, dim_t k) {
        return 8 * (n / 8 * (32 + 128) + 32 + (k / 32 * 8 + n % 8) * 8 + k % 8) + k % 32 / 8 * 2;
    });
    check_places<"w", fbgemm_s8_8x4<10, 600>>([](dim_t n, dim_t k) {
        return 8 * (k / 512 * 512 * 16 + n / 8 * 4096 + k % 512 / 4 * 32 + n % 8 * 4 + k % 4);
    });
    check_places<"s", mx_scales_32x4<40, 300>>([](dim_t n, dim_t k) {
        const dim_t g = k / 32;
        return 8 * ((n / 32 * 3 + g / 4) * 128 + n % 32 * 4 + g % 4);
    });
    check_places<"w", fbgemm_f16_16<20, 700>>([](dim_t n, dim_t k) {
        const dim_t height = k < 512 ? 512 : 188;
        return 16 * (k / 512 * 512 * 32 + n / 16 * height * 16 + k % 512 * 16 + n % 16);
    });
    check_places<"w", pytorch_int4_64<112, 6>>([](dim_t n, dim_t k) {
        const dim_t i = n % 64;
        return n < 64 ? 8 * (k * 32 + i % 32) + i / 32 * 4 : 8 * (64 * 3 + k * 24 + i / 2) + i % 2 * 4;
    });
    check_places<"w", awq_int4<16, 3>>([](dim_t n, dim_t k) {
        constexpr dim_t nibble[] = {0, 4, 1, 5, 2, 6, 3, 7};
        return 4 * (k * 16 + n / 8 * 8 + nibble[n % 8]);
    });
    check_places<"w", onednn_amx_s8<70, 65>>([](dim_t n, dim_t k) {
        return 8 * (n / 64 * 128 * 64 + k / 64 * 4096 + k % 64 / 4 * 256 + n % 64 * 4 + k % 4);
    });
    check_places<"s", mx_scales_128x4<300, 300>>([](dim_t n, dim_t k) {
        const dim_t g = k / 32;
        return 8 * ((n / 128 * 3 + g / 4) * 512 + n % 32 * 16 + n % 128 / 32 * 4 + g % 4);
    });
}

namespace {
/// Counts the formats of a list in which two values share a bit, or in which a bit has no value though none is padded.
template <template <dim_t, dim_t> class... Formats>
int count_wrong() {
    int wrong = 0;
    const auto check = [&wrong](const record& whole) {
        wrong += !is_dense(whole);
        wrong += !check_fields_disjoint(record(whole.tag, {70, 300})).ok();
    };
    (check(Formats<256, 512>::value), ...);
    return wrong;
}
}  // namespace

TEST_CASE("no format has values that share a bit, or gaps") {
    CHECK(count_wrong<q4_0_rows, q4_1_rows, q8_0_rows, q2_k_rows, q4_k_rows, q5_k_rows, q6_k_rows, mxfp4_rows,
                      nvfp4_rows, q4_0_4x4, q4_0_4x8, q4_0_8x8, q4_0_16x1, q8_0_4x4, q8_0_4x8, q8_0_16x1, iq4_nl_4x4,
                      iq4_nl_8x8, iq4_nl_16x1, mxfp4_4x4, mxfp4_8x8, q2_k_8x8, q2_k_16x1, q4_k_8x4, q4_k_8x8, q4_k_16x1,
                      q5_k_8x4, q5_k_8x8, q6_k_8x4, q6_k_8x8, amx_q4_0, amx_q4_1, amx_q8_0, amx_q4_k, qsi4cxp_4x4,
                      qsi4cxp_4x8, qsi4cxp_8x4, qsi4cxp_8x8, qsi4c32p_8x8_32, qsi4c32p_8x8_64, qsi4c32pscalef16_4x8,
                      qsi4c32pscalef16_8x8, f32p8x1biasf32, x32p16x1b, xnnpack_f32_goi_8x1, xnnpack_f32_goi_8s4,
                      xnnpack_qs8_goi_8x8, xnnpack_qs8_qc8w_goi_8x8, xnnpack_qc4w_goi_8x8, fbgemm_f16_16, fbgemm_f16_32,
                      mlas_sgemm, pytorch_int4_64, pytorch_int4_32, pytorch_int4_pairs, awq_int4, onednn_amx_s8,
                      onednn_amx_s8_asymmetric, nvfp4_scales_128x4, nvfp4_scales_8x4, mx_scales_128x4,
                      mx_scales_cdna4>() == 0);
    CHECK(count_wrong<q5_0_rows, q5_1_rows, q1_0_rows, q2_0_rows, tq2_0_rows, q3_k_rows, iq4_nl_rows, iq4_xs_rows,
                      amx_q5_k, amx_q6_k, amx_iq4_xs, spacemit_q3_k_32, spacemit_q4_0_16, spacemit_q4_0_32,
                      spacemit_q5_0_32, spacemit_q8_0_32, qsu4cxs1s0_rows, qsi4cxs1s0_rows, qsi4cxps1s0_8x16,
                      qsi8cxp_4x4, qsi8cxp_4x8, qsu2cxp_4x4, qsi4c32p_4x4_32_neon, qsi4c32p_4x4_64_neon,
                      qsi4c32p_8x4_32_neon, qsi4c32p_8x4_64_neon, qsi4c32p_8x8_32_neon, qsi4c32p_8x8_64_neon,
                      qsi4c32ps1s0_8x4_32, qai4c32p_4x8, qau4c32s0s1_rows, qsi4c32pscalef16_8x8_64,
                      qsu4c32s16s0_64_rows, qsi4c32ps1s0scalef16_16x4, f16p16x1biasf16, x16p32x1b, xnnpack_f32_goi_16x1,
                      xnnpack_qs8_goi_64x4, xnnpack_qc4w_goi_non_planar_64x4, xnnpack_qc4uw_goi_8x8,
                      xnnpack_qc2w_goi_8x8, fbgemm_s8_8x4, mlas_sgemm_1024, mx_scales_32x4>() == 0);
}

TEST_CASE("formats whose extents are bound at run time") {
    const q4_0_8x8<dynamic, dynamic> bound(dims{24, 96});
    CHECK(bound.bit_offset<"q">(17, 70) == q4_0_8x8<24, 96>::bit_offset<"q">(17, 70));
    CHECK(bound.size_in_bytes() == q4_0_8x8<24, 96>::size_in_bytes());
}
