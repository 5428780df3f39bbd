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
// - KleidiAI's scalef16 with blocks of more than 32, and its kxn variants, whose nibbles mean what the source's do
// - XNNPACK's 4-bit format with sr = 2, whose formula loses elements, and the scales of qb4w, which are rounded
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
using q8_0_rows = record_constant<"nk: nK(d:f16 /32k, q:s8 32k)", N, K>;
template <dim_t N, dim_t K>
using q2_k_rows = record_constant<
    "nk: nK(16k(s:u4 /16k, m:u4 /16k), q:u2 2k@128 32k 4k@32, d:f16 /256k, "
    "dmin:f16 /256k)",
    N, K>;
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

// KleidiAI. Rows after the last one of N repeat it, in all fields.
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
using qsi4c32pscalef16_4x8 = record_constant<"nk: NK(d:f16 4n /32k ~n, q:u4^8 2k 4n 8k 2k@16 ~n)", N, K>;
template <dim_t N, dim_t K>
using qsi4c32pscalef16_8x8 = record_constant<"nk: NK(d:f16 8n /32k ~n, q:u4^8 2k 8n 8k 2k@16 ~n)", N, K>;
template <dim_t N, dim_t K>
using f32p8x1biasf32 = record_constant<"nk: N(bias:f32 8n /k, w:f32 k 8n)", N, K>;
template <dim_t N, dim_t K>
using x32p16x1b = record_constant<"nk: N(bias:f32 16n /k, w:f32 k 16n)", N, K>;

// XNNPACK. The bias of 4-bit weights is given times 16. izp is the zero point of the input.
template <dim_t N, dim_t K>
using xnnpack_f32_goi_8x1 = record_constant<"nk: N(bias:f32 8n /k, w:f32 k 8n)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_f32_goi_8s4 = record_constant<"nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qs8_goi_8x8 = record_constant<"nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 8n 8k)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qs8_qc8w_goi_8x8 =
    record_constant<"nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 8n 8k, scale:f32 8n /k)", N, K>;
template <dim_t N, dim_t K>
using xnnpack_qc4w_goi_8x8 = record_constant<"nk: N(bias:s32 8n /k =+sum(w)*-16izp, w:u4^8 K 8n 8k 2k@8)", N, K>;

// FBGEMM (16 columns with AVX2, 32 with AVX-512) and MLAS. The last block of k is shorter.
template <dim_t N, dim_t K>
using fbgemm_f16_16 = record_constant<"nk: w:f16 KN <512k 16n", N, K>;
template <dim_t N, dim_t K>
using fbgemm_f16_32 = record_constant<"nk: w:f16 KN <512k 32n", N, K>;
template <dim_t N, dim_t K>
using mlas_sgemm = record_constant<"nk: w:f32 KN <256k 16n", N, K>;

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
// (CUTLASS, cuBLASLt, gfx1250), of 8 by 4, and those of CDNA4. Rows and scales are padded to whole tiles.
template <dim_t N, dim_t K>
using nvfp4_scales_128x4 = record_constant<"nk: s:ue4m3 NK 32n 4n@32 4k /16k", N, K>;
template <dim_t N, dim_t K>
using nvfp4_scales_8x4 = record_constant<"nk: s:ue4m3 NK 8n 4k /16k", N, K>;
template <dim_t N, dim_t K>
using mx_scales_128x4 = record_constant<"nk: s:e8m0 NK 32n 4n@32 4k /32k", N, K>;
template <dim_t N, dim_t K>
using mx_scales_cdna4 = record_constant<"nk: s:e8m0 NK 4k 16n 2k@128 2n@16 /32k", N, K>;

}  // namespace plait::packed_formats
