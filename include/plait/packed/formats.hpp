#pragma once
// Formats of packed weights by name, for W[n][k] with n outputs and k inputs: a line each. The name of a packed format
// ends with its rows and the bytes (elements) of one row that lie side by side: 8x8.
//
// A field is d for a scale, m or dmin for a minimum, s for the scale of a part of a block, q for quantised values, w
// for weights that are numbers themselves. Extents may be `dynamic`, except where a format cuts an axis into ranges.
//
// Not here, because they are no layout, or have an extent that only the machine knows:
// - codebooks and computed scales: IQ2, IQ3, NF4, and quantising itself
// - values in base 3: TQ1
// - KleidiAI's formats for SVE and SME (`vl`), whose rows are a multiple of the vector's length
// - XNNPACK's 4-bit format with sr = 2, whose formula loses elements, and qb4w, whose sums subtract a product at a time
// - SpacemiT's Q2_K, whose scales and minima share bytes in two orders, and its formats of computed values: Q4_1, Q5_1,
//   Q4_K, MXFP4
// - MLAS's MatMulNBits: scales times zero points, a product of two fields

#include <plait/packed/record_constant.hpp>

/// Formats of packed weights, by name.
namespace plait::inline PLAIT_UNIT_FLAGS::packed_formats {

// llama.cpp: rows, as files have them.
template <dim_t N, dim_t K>
using q4_0_rows = record_constant<"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q4_1_rows = record_constant<"nk: nK(d:f16 /32k, m:f16 /32k, q:u4 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q5_0_rows = record_constant<"nk: nK(d:f16 /32k, q.4:u1 32k, q:u4 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q5_1_rows = record_constant<"nk: nK(d:f16 /32k, m:f16 /32k, q.4:u1 32k, q:u4 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q8_0_rows = record_constant<"nk: nK(d:f16 /32k, q:s8 32k)", N, K>;
template <dim_t N, dim_t K>
using q1_0_rows = record_constant<"nk: nK(d:f16 /128k, q:u1 128k)", N, K>;
template <dim_t N, dim_t K>
using q2_0_rows = record_constant<"nk: nK(d:f16 /64k, q:u2 64k)", N, K>;
template <dim_t N, dim_t K>
using tq2_0_rows = record_constant<"nk: nK(q:u2 2k@128 32k 4k@32, d:f16 /256k)", N, K>;
template <dim_t N, dim_t K>
using q2_k_rows = record_constant<
    "nk: nK(16k(s:u4 /16k, m:u4 /16k), q:u2 2k@128 32k 4k@32, d:f16 /256k, "
    "dmin:f16 /256k)",
    N, K>;
template <dim_t N, dim_t K>
using q3_k_rows = record_constant<
    "nk: nK(q.2:u1 32k 8k@32, q:u2 2k@128 32k 4k@32, s:u4 8k 2k@128 /16k, s.4:u2 4k 4k@64 /16k, d:f16 /256k)", N, K>;
template <dim_t N, dim_t K>
using q4_k_rows = record_constant<
    "nk: nK(d:f16 /256k, dmin:f16 /256k, "
    "4k(s:u6 2k@128=0 /32k, s.4:u2 2k@128=1 /32k), "
    "4k(m:u6 2k@128=0 /32k, m.4:u2 2k@128=1 /32k), "
    "4k(s:u4 2k@128=1 /32k, m:u4 2k@128=1 /32k), q:u4 4k 32k 2k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q5_k_rows = record_constant<
    "nk: nK(d:f16 /256k, dmin:f16 /256k, "
    "4k(s:u6 2k@128=0 /32k, s.4:u2 2k@128=1 /32k), "
    "4k(m:u6 2k@128=0 /32k, m.4:u2 2k@128=1 /32k), "
    "4k(s:u4 2k@128=1 /32k, m:u4 2k@128=1 /32k), q.4:u1 32k 8k@32, q:u4 4k 32k 2k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q6_k_rows = record_constant<
    "nk: nK(q:u4 2k@128 2k@32 32k 2k@64, q.4:u2 2k@128 32k 4k@32, s:s8 16k /16k, "
    "d:f16 /256k)",
    N, K>;
template <dim_t N, dim_t K>
using iq4_nl_rows = record_constant<"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using iq4_xs_rows = record_constant<"nk: nK(d:f16 /256k, s.4:u2 8k /32k, s:u4 8k /32k, q:u4 8k 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using mxfp4_rows = record_constant<"nk: nK(e:e8m0 /32k, q:f4_e2m1 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using nvfp4_rows = record_constant<"nk: nK(d:ue4m3 4k /16k, q:f4_e2m1 4k 8k 2k@8)", N, K>;

// llama.cpp: rows interleaved for a kernel. It packs only if the rows divide N.
template <dim_t N, dim_t K>
using q4_0_4x4 = record_constant<"nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q4_0_4x8 = record_constant<"nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q4_0_8x8 = record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q4_0_16x1 = record_constant<"nk: NK(d:f16 16n /32k, q:u4^8 16k 16n 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q8_0_4x4 = record_constant<"nk: NK(d:f16 4n /32k, q:s8 8k 4n 4k)", N, K>;
template <dim_t N, dim_t K>
using q8_0_4x8 = record_constant<"nk: NK(d:f16 4n /32k, q:s8 4k 4n 8k)", N, K>;
template <dim_t N, dim_t K>
using q8_0_16x1 = record_constant<"nk: NK(d:f16 16n /32k, q:s8 32k 16n)", N, K>;
template <dim_t N, dim_t K>
using iq4_nl_4x4 = record_constant<"nk: NK(d:f16 4n /32k, q:u4 4k 4n 4k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using iq4_nl_8x8 = record_constant<"nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using iq4_nl_16x1 = record_constant<"nk: NK(d:f16 16n /32k, q:u4 16k 16n 2k@16)", N, K>;
template <dim_t N, dim_t K>
using mxfp4_4x4 = record_constant<"nk: NK(e:e8m0 4n /32k, q:f4_e2m1 4k 4n 4k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using mxfp4_8x8 = record_constant<"nk: NK(e:e8m0 8n /32k, q:f4_e2m1 2k 8n 8k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using q2_k_8x8 = record_constant<
    "nk: NK(d:f16 8n /256k, dmin:f16 8n /256k, 8k 8n 2k(s:u4 /16k, m:u4 /16k), "
    "q:u2 2k@128 4k 8n 8k 4k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q2_k_16x1 = record_constant<
    "nk: NK(d:f16 16n /256k, dmin:f16 16n /256k, "
    "2k@128 2k@16 4k@32 16n(s:u4 /16k, m:u4 /16k), q:u2 2k@128 32k 16n 4k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q4_k_8x4 = record_constant<
    "nk: NK(d:f16 8n /256k, dmin:f16 8n /256k, 8k("
    "4n(s:u6 2n@4=0 /32k, s.4:u2 2n@4=1 /32k), "
    "4n(m:u6 2n@4=0 /32k, m.4:u2 2n@4=1 /32k), "
    "4n(s:u4 2n@4=1 /32k, m:u4 2n@4=1 /32k)), q:u4 4k 8k 8n 4k 2k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q4_k_8x8 = record_constant<
    "nk: NK(d:f16 8n /256k, dmin:f16 8n /256k, 8k("
    "4n(s:u6 2n@4=0 /32k, s.4:u2 2n@4=1 /32k), "
    "4n(m:u6 2n@4=0 /32k, m.4:u2 2n@4=1 /32k), "
    "4n(s:u4 2n@4=1 /32k, m:u4 2n@4=1 /32k)), q:u4 4k 4k 8n 8k 2k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q4_k_16x1 = record_constant<
    "nk: NK(d:f16 16n /256k, dmin:f16 16n /256k, 8k 16n(s:u4 /32k, m:u4 /32k), "
    "4k 16n 2k@128(s.4:u2 /32k, m.4:u2 /32k), q:u4 4k 32k 16n 2k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q5_k_8x4 = record_constant<
    "nk: NK(d:f16 8n /256k, dmin:f16 8n /256k, 8k("
    "4n(s:u6 2n@4=0 /32k, s.4:u2 2n@4=1 /32k), "
    "4n(m:u6 2n@4=0 /32k, m.4:u2 2n@4=1 /32k), "
    "4n(s:u4 2n@4=1 /32k, m:u4 2n@4=1 /32k)), q.4:u1 8k 8n 4k 8k@32, "
    "q:u4 4k 8k 8n 4k 2k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q5_k_8x8 = record_constant<
    "nk: NK(d:f16 8n /256k, dmin:f16 8n /256k, 8k("
    "4n(s:u6 2n@4=0 /32k, s.4:u2 2n@4=1 /32k), "
    "4n(m:u6 2n@4=0 /32k, m.4:u2 2n@4=1 /32k), "
    "4n(s:u4 2n@4=1 /32k, m:u4 2n@4=1 /32k)), q.4:u1 4k 8n 8k 8k@32, "
    "q:u4 4k 4k 8n 8k 2k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q6_k_8x4 = record_constant<
    "nk: NK(d:f16 8n /256k, s:s8 16k 8n /16k, q:u4 2k@128 2k@32 8k 8n 4k 2k@64, "
    "q.4:u2 2k@128 8k 8n 4k 4k@32)",
    N, K>;
template <dim_t N, dim_t K>
using q6_k_8x8 = record_constant<
    "nk: NK(d:f16 8n /256k, s:s8 16k 8n /16k, q:u4 2k@128 2k@32 4k 8n 8k 2k@64, "
    "q.4:u2 2k@128 4k 8n 8k 4k@32)",
    N, K>;

// llama.cpp: tiles of 16 rows for AMX. It packs only if 32 divides N.
template <dim_t N, dim_t K>
using amx_q4_0 = record_constant<"nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k)", N, K>;
template <dim_t N, dim_t K>
using amx_q4_1 = record_constant<"nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k, m:f16 16n /32k)", N, K>;
template <dim_t N, dim_t K>
using amx_q8_0 = record_constant<"nk: NK(q:s8 8k 16n 4k, d:f16 16n /32k, sum:s32 16n /32k =sum(q)*128)", N, K>;
template <dim_t N, dim_t K>
using amx_q4_k = record_constant<
    "nk: NK(q:u4 32k 16n 4k 2k@4, s:u8 8k 16n /32k, m:u8 4k 16n 2k /32k, "
    "d:f16 16n /256k, dmin:f16 16n /256k)",
    N, K>;
template <dim_t N, dim_t K>
using amx_q5_k = record_constant<
    "nk: NK(q:u4 32k 16n 4k 2k@4, q.4:u1 8k 16n 4k 8k@4, s:u8 8k 16n /32k, m:u8 4k 16n 2k /32k, d:f16 16n /256k, "
    "dmin:f16 16n /256k)",
    N, K>;
template <dim_t N, dim_t K>
using amx_q6_k =
    record_constant<"nk: NK(q:u4 32k 16n 4k 2k@4, q.4:u2 16k 16n 4k 4k@4, s:s8 16k 16n /16k, d:f16 16n /256k)", N, K>;
// Scales of 6 bits have the zero 32 and are stored without it, as numbers with a sign.
template <dim_t N, dim_t K>
using amx_iq4_xs = record_constant<"nk: NK(q:u4 32k 16n 4k 2k@4, s:u8-32 8k 16n /32k, d:f16 16n /256k)", N, K>;

// llama.cpp: panels of 16 or 32 rows for SpacemiT's CPUs.
template <dim_t N, dim_t K>
using spacemit_q4_0_16 = record_constant<"nk: NK(d:f16 16n /32k, q:u4 2k 16n 8k 2k@8)", N, K>;
template <dim_t N, dim_t K>
using spacemit_q4_0_32 = record_constant<"nk: NK(d:f16 32n /32k, q:u4 32n 32k)", N, K>;
template <dim_t N, dim_t K>
using spacemit_q5_0_32 = record_constant<"nk: NK(d:f16 32n /32k, q.4:u1 32n 32k, q:u4 32n 32k)", N, K>;
template <dim_t N, dim_t K>
using spacemit_q8_0_32 = record_constant<"nk: NK(d:f16 32n /32k, q:s8 32n 32k)", N, K>;
template <dim_t N, dim_t K>
using spacemit_q3_k_32 =
    record_constant<"nk: NK(s:u8-32 16k 32n /16k, q.2:u1 16k 32n 16k, q:u2 4k 32n 16k 4k@16, d:f16 32n /256k)", N, K>;

// KleidiAI, per channel: rhs_pack_nxk_qsi4cxp_qs4cxs1s0. Rows after the last one of N repeat it, in all fields. The
// sums are those of a zero point of the left side of 1, the only one that KleidiAI takes. The source is rows of even
// and odd k in a byte: unsigned numbers with the zero point 8 (qsu4cxs1s0), or signed ones (qsi4cxs1s0).
// rhs_pack_kxn_qsi4cxp_qs4cxs1s0 writes the same record, except that each nibble of a padding row is another k.
template <dim_t N, dim_t K>
using qsi4cxp_4x4 = record_constant<
    "nk: N(q:u4^8 K 4k 4n 4k 2k@16 ~n, sum:s32 4n /k ~n =sum(q)*16, "
    "scale:f32*0.0625 4n /k ~n, bias:f32 4n /k ~n)",
    N, K>;
template <dim_t N, dim_t K>
using qsi4cxp_4x8 = record_constant<
    "nk: N(q:u4^8 K 2k 4n 8k 2k@16 ~n, sum:s32 4n /k ~n =sum(q)*16, "
    "scale:f32*0.0625 4n /k ~n, bias:f32 4n /k ~n)",
    N, K>;
template <dim_t N, dim_t K>
using qsi4cxp_8x4 = record_constant<
    "nk: N(q:u4^8 K 4k 8n 4k 2k@16 ~n, sum:s32 8n /k ~n =sum(q)*16, "
    "scale:f32*0.0625 8n /k ~n, bias:f32 8n /k ~n)",
    N, K>;
template <dim_t N, dim_t K>
using qsi4cxp_8x8 = record_constant<
    "nk: N(q:u4^8 K 2k 8n 8k 2k@16 ~n, sum:s32 8n /k ~n =sum(q)*16, "
    "scale:f32*0.0625 8n /k ~n, bias:f32 8n /k ~n)",
    N, K>;
template <dim_t N, dim_t K>
using qsu4cxs1s0_rows = record_constant<"nk: q:u4 nK 2k", N, K>;
template <dim_t N, dim_t K>
using qsi4cxs1s0_rows = record_constant<"nk: q:u4^8 nK 2k", N, K>;
// The bytes of a row that lie side by side are adjacent k, and padding is zero:
// rhs_pack_nxk_qsi4cxps1s0_qsu4cxs1s0_neon.
template <dim_t N, dim_t K>
using qsi4cxps1s0_8x16 =
    record_constant<"nk: N(q:u4^8 K 2k 8n 16k, sum:s32 8n /k =sum(q), scale:f32 8n /k, bias:f32 8n /k)", N, K>;
// 8 bits: rhs_pack_nxk_qsi8cxp_qsi8cx_neon and kxn, with a zero point of the left side of 1.
template <dim_t N, dim_t K>
using qsi8cxp_4x4 =
    record_constant<"nk: N(w:s8 K 8k 4n 4k ~n, sum:s32 4n /k ~n =sum(w), scale:f32 4n /k ~n, bias:f32 4n /k ~n)", N, K>;
template <dim_t N, dim_t K>
using qsi8cxp_4x8 =
    record_constant<"nk: N(w:s8 K 4k 4n 8k ~n, sum:s32 4n /k ~n =sum(w), scale:f32 4n /k ~n, bias:f32 4n /k ~n)", N, K>;
// 2 bits: rhs_pack_nxk_qsu2cxp4x4bf32sf32_qsu2cx_neon, which takes K that 32 divides. The values of padding rows
// are the zero point, 2.
template <dim_t N, dim_t K>
using qsu2cxp_4x4 =
    record_constant<"nk: N(q:u2 K 2k@16 4n 4k 4k@4 ~n=2, sum:s32 4n /k =sum(q-2), scale:f32 4n /k, bias:f32 4n /k)", N,
                    K>;

// KleidiAI, with scales of blocks of 32 or 64: the portable rhs_pack_nxk_qsi4c32p_qsu4c32s1s0, which adds each run of
// 16 values to the sum. Those that end in `_neon` are of qsi4c32pnrx4 and qsi4c32pnrx8, which add 32 values at a time;
// the sums differ in their last bits. The kxn variants write the same records, as above.
template <dim_t N, dim_t K>
using qsi4c32p_8x8_32 = record_constant<
    "nk: N(K(q:u4^8 2k 8n 8k 2k@16 ~n, s:bf16 8n /32k ~n), "
    "sum:f32 8n /k ~n =sum(q*s;8k 2k@16), bias:f32 8n /k ~n)",
    N, K>;
template <dim_t N, dim_t K>
using qsi4c32p_8x8_64 = record_constant<
    "nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16 ~n, s:bf16 8n /64k ~n), "
    "sum:f32 8n /k ~n =sum(q*s;8k 2k@16), bias:f32 8n /k ~n)",
    N, K>;
template <dim_t N, dim_t K>
using qsi4c32p_4x4_32_neon = record_constant<
    "nk: N(K(q:u4^8 4k 4n 4k 2k@16 ~n, s:bf16 4n /32k ~n), sum:f32 4n /k ~n =sum(q*s;32k), bias:f32 4n /k ~n)", N, K>;
template <dim_t N, dim_t K>
using qsi4c32p_4x4_64_neon = record_constant<
    "nk: N(K(q:u4^8 2k 4k 4n 4k 2k@16 ~n, s:bf16 4n /64k ~n), sum:f32 4n /k ~n =sum(q*s;32k), bias:f32 4n /k ~n)", N,
    K>;
template <dim_t N, dim_t K>
using qsi4c32p_8x4_32_neon = record_constant<
    "nk: N(K(q:u4^8 4k 8n 4k 2k@16 ~n, s:bf16 8n /32k ~n), sum:f32 8n /k ~n =sum(q*s;32k), bias:f32 8n /k ~n)", N, K>;
template <dim_t N, dim_t K>
using qsi4c32p_8x4_64_neon = record_constant<
    "nk: N(K(q:u4^8 2k 4k 8n 4k 2k@16 ~n, s:bf16 8n /64k ~n), sum:f32 8n /k ~n =sum(q*s;32k), bias:f32 8n /k ~n)", N,
    K>;
template <dim_t N, dim_t K>
using qsi4c32p_8x8_32_neon = record_constant<
    "nk: N(K(q:u4^8 2k 8n 8k 2k@16 ~n, s:bf16 8n /32k ~n), sum:f32 8n /k ~n =sum(q*s;32k), bias:f32 8n /k ~n)", N, K>;
template <dim_t N, dim_t K>
using qsi4c32p_8x8_64_neon = record_constant<
    "nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16 ~n, s:bf16 8n /64k ~n), sum:f32 8n /k ~n =sum(q*s;32k), bias:f32 8n /k ~n)", N,
    K>;
// Adjacent k in a byte: rhs_pack_nxk_qsi4c32ps1s0nrx4_qsu4c32s1s0_neon.
template <dim_t N, dim_t K>
using qsi4c32ps1s0_8x4_32 = record_constant<
    "nk: N(K(q:u4^8 8k 8n 4k ~n, s:bf16 8n /32k ~n), sum:f32 8n /k ~n =sum(q*s;32k), bias:f32 8n /k ~n)", N, K>;
// With zero points: rhs_pack_nxk_qai4c32p_qau4c32s0s1_f32_f32_f32_neon. The first k of a byte of its source is in the
// high half.
template <dim_t N, dim_t K>
using qai4c32p_4x8 = record_constant<
    "nk: N(K(q:u4^8 2k 4n 8k 2k@16 ~n, zero:f32 4n /32k ~n, scale:f32*0.0625 4n /32k ~n), bias:f32 4n /k ~n)", N, K>;
template <dim_t N, dim_t K>
using qau4c32s0s1_rows = record_constant<"nk: q:u4 nK 2k!", N, K>;
// Scales of f16 before the values: rhs_pack_nxk_qsi4c32pscalef16_qsu4c32s16s0, whose source has ggml's halves, k and
// k + 16. Blocks of 64 have these for each 32. The last one is rhs_pack_nxk_qsi4c32ps1s0scalef16_qsu4c32s16s0_neon: all
// scales come after the values.
template <dim_t N, dim_t K>
using qsi4c32pscalef16_4x8 = record_constant<"nk: NK(d:f16 4n /32k ~n, q:u4^8 2k 4n 8k 2k@16 ~n)", N, K>;
template <dim_t N, dim_t K>
using qsi4c32pscalef16_8x8 = record_constant<"nk: NK(d:f16 8n /32k ~n, q:u4^8 2k 8n 8k 2k@16 ~n)", N, K>;
template <dim_t N, dim_t K>
using qsi4c32pscalef16_8x8_64 = record_constant<"nk: NK(d:f16 8n /64k ~n, q:u4^8 2k 2k 8n 8k 2k@16 ~n)", N, K>;
template <dim_t N, dim_t K>
using qsu4c32s16s0_64_rows = record_constant<"nk: nK(d:f16 /64k, q:u4 2k 16k 2k@16)", N, K>;
template <dim_t N, dim_t K>
using qsi4c32ps1s0scalef16_16x4 = record_constant<"nk: N(q:u4 K 8k 16n 4k, d:f16 K 16n /32k)", N, K>;

// KleidiAI, weights that are numbers: rhs_pack_kxn_f32p8x1biasf32_f32_f32_neon, rhs_pack_kxn_x32p16x1b_x32_x32_neon
// (and nxk), rhs_pack_kxn_f16p16x1biasf16_f16_f16_neon, rhs_pack_kxn_x16p32x1b_x16_x16_neon. Columns after the last one
// of N are zero, not repeated. Of the bias of these f32p8x1biasf32 writes only the first.
template <dim_t N, dim_t K>
using f32p8x1biasf32 = record_constant<"nk: N(bias:f32 8n /k, w:f32 k 8n)", N, K>;
template <dim_t N, dim_t K>
using x32p16x1b = record_constant<"nk: N(bias:f32 16n /k, w:f32 k 16n)", N, K>;
template <dim_t N, dim_t K>
using f16p16x1biasf16 = record_constant<"nk: N(bias:f16 16n /k, w:f16 k 16n)", N, K>;
template <dim_t N, dim_t K>
using x16p32x1b = record_constant<"nk: N(bias:f16 32n /k, w:f16 k 32n)", N, K>;

// XNNPACK: the functions of src/reference/packing.cc. The bias of 4-bit weights is given times 16, except that of
// qc4uw. izp is the zero point of the input. In rows after the last one of N those functions leave what the buffer
// held, and the packw kernels of x86 leave copies of other rows. No result depends on them; the record has zeros there,
// and verify passes such a buffer with ignore_padding.
template <dim_t N, dim_t K>
using xnnpack_f32_goi_8x1 = record_constant<"nk: N(bias:f32 8n /k, w:f32 k 8n)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_f32_goi_16x1 = record_constant<"nk: N(bias:f32 16n /k, w:f32 k 16n)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_f32_goi_8s4 = record_constant<"nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qs8_goi_8x8 = record_constant<"nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 8n 8k)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qs8_goi_64x4 = record_constant<"nk: N(bias:s32 64n /k =+sum(w)*-izp, w:s8 K 64n 4k)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qs8_qc8w_goi_8x8 =
    record_constant<"nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 8n 8k, scale:f32 8n /k)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qc4w_goi_8x8 = record_constant<"nk: N(bias:s32 8n /k =+sum(w)*-16izp, w:u4^8 K 8n 8k 2k@8)", N, K>;
// pack_qs8_qc4w_gemm_goi_w_non_planar_avx512: 64 rows, with 16 rows apart in the two halves of a byte.
template <dim_t N, dim_t K>
using xnnpack_qc4w_goi_non_planar_64x4 =
    record_constant<"nk: N(bias:s32 64n /k =+sum(w)*-16izp, w:u4^8 K 2n@32 16n 4k 2n@16)", N, K>;
// pack_qs8_qc4uw_gemm_goi_w stores the values as they are, and after the last k their zero point, 8.
template <dim_t N, dim_t K>
using xnnpack_qc4uw_goi_8x8 = record_constant<"nk: N(bias:s32 8n /k =+sum(w-8)*-izp, w:u4 K 8n 8k 2k@8 ~k=8)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qc2w_goi_8x8 = record_constant<"nk: N(bias:s32 8n /k =+sum(w)*-izp, w:u2^2 K 8n 8k 4k@8)", N, K>;

// FBGEMM: PackedGemmMatrixB<float16> (16 columns with AVX2, 32 with AVX-512) and PackBMatrix<int8_t> for AVX2 and sums
// of 32 bits. MLAS: MlasGemmPackB of f32, and OpenVINO's copy of it, whose blocks of k follow from the size of the L2
// cache, here 1024. The last block of k is shorter, except in FBGEMM's of 8 bits. FBGEMM clamps what it converts to f16
// to +-65504; pack makes infinities.
template <dim_t N, dim_t K>
using fbgemm_f16_16 = record_constant<"nk: w:f16 KN <512k 16n", N, K>;
template <dim_t N, dim_t K>
using fbgemm_f16_32 = record_constant<"nk: w:f16 KN <512k 32n", N, K>;
template <dim_t N, dim_t K>
using fbgemm_s8_8x4 = record_constant<"nk: w:s8 KN 128k 8n 4k", N, K>;
template <dim_t N, dim_t K>
using mlas_sgemm = record_constant<"nk: w:f32 KN <256k 16n", N, K>;
template <dim_t N, dim_t K>
using mlas_sgemm_1024 = record_constant<"nk: w:f32 KN <1024k 16n", N, K>;

// PyTorch's int4pack: other bytes with AVX-512, with AVX2, and without. Its scales and zeros are another tensor.
template <dim_t N, dim_t K>
using pytorch_int4_64 = record_constant<"nk: (w:u4 n[:%64] N k 32n 2n@32, w:u4 n[%64:] k n)", N, K>;
template <dim_t N, dim_t K>
using pytorch_int4_32 = record_constant<"nk: (w:u4 n[:%32] N k 16n 2n@16, w:u4 n[%32:] k n)", N, K>;
template <dim_t N, dim_t K>
using pytorch_int4_pairs = record_constant<"nk: w:u4 N k <32n", N, K>;

// AWQ, with the nibbles of 8 columns in the order 0, 2, 4, 6, 1, 3, 5, 7. Its scales are another tensor.
template <dim_t N, dim_t K>
using awq_int4 = record_constant<"nk: w:u4 kN 2n 4n@2", N, K>;

// oneDNN: BA16a64b4a for AMX, with the compensation of s8 sources, and that of their zero point.
template <dim_t N, dim_t K>
using onednn_amx_s8 = record_constant<"nk: (w:s8 NK16k64n4k, comp:s32 N64n /k =sum(w)*-128)", N, K>;
template <dim_t N, dim_t K>
using onednn_amx_s8_asymmetric = record_constant<
    "nk: (w:s8 NK16k64n4k, comp:s32 N64n /k =sum(w)*-128, "
    "zero_comp:s32 N64n /k =sum(w)*-1)",
    N, K>;

// Scales of OCP MX (32 of k) and NVFP4 (16 of k) that lie apart from the values: tiles of 128 rows by 4 scales
// (CUTLASS, cuBLASLt, gfx1250), of 32 by 4 (gfx1250, FlyDSL), of 8 by 4, and those of CDNA4. Rows and scales are padded
// to whole tiles.
template <dim_t N, dim_t K>
using nvfp4_scales_128x4 = record_constant<"nk: s:ue4m3 NK 32n 4n@32 4k /16k", N, K>;
template <dim_t N, dim_t K>
using nvfp4_scales_8x4 = record_constant<"nk: s:ue4m3 NK 8n 4k /16k", N, K>;
template <dim_t N, dim_t K>
using mx_scales_128x4 = record_constant<"nk: s:e8m0 NK 32n 4n@32 4k /32k", N, K>;
template <dim_t N, dim_t K>
using mx_scales_32x4 = record_constant<"nk: s:e8m0 NK 32n 4k /32k", N, K>;
template <dim_t N, dim_t K>
using mx_scales_cdna4 = record_constant<"nk: s:e8m0 NK 4k 16n 2k@128 2n@16 /32k", N, K>;

}  // namespace plait::packed_formats
