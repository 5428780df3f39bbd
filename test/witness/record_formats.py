"""Published formats of packed weights: the tag of each, and a packer written from its description.

usage: record_formats.py [NAME...]. Packs random values of every format with the model, from the tag, and compares the
       bytes with those of the packer. Returns 1 if they differ.
"""

import dataclasses
import random
import sys

import numpy as np

import ggml_packers as g
import panel_packers as p
from record_cases import random_values
from record_model import Record, pack, unpack


@dataclasses.dataclass
class Format:
    name: str
    tag: str
    dims: list
    packer: object
    parameters: dict = dataclasses.field(default_factory=dict)


def six(fixed, loop):
    """The 6-bit scales s and minima m of Q4_K and Q5_K: 12 bytes for eight of each, with the upper half apart."""
    low, high = f"{fixed}=0 /32k", f"{fixed}=1 /32k"
    return ", ".join([f"{loop}(s:u6 {low}, s.4:u2 {high})", f"{loop}(m:u6 {low}, m.4:u2 {high})",
                      f"{loop}(s:u4 {high}, m:u4 {high})"])


def scales_of(rows):
    """The two scales of K types, for each row of a panel."""
    return f"d:f16 {rows}/256k, dmin:f16 {rows}/256k"


SIX_OF_ROWS, SIX_OF_BLOCKS = six("2n@4", "4n"), six("2k@128", "4k")
BLOCKS = [(16, 64), (48, 96), (32, 32)]  # for panels of 4, 8 or 16 rows that are never padded
K_BLOCKS = [(16, 512), (32, 256)]
TAILS = [(8, 64), (5, 40), (17, 33), (1, 1)]


def panels(name, field, R, I, mask=""):
    inner = f"{16 // I}k {R}n {I}k" if I < 16 else f"{R}n 16k"
    if I == 1:
        inner = f"16k {R}n"
    return f"nk: NK({field} {R}n /32k, {name}{mask} {inner} 2k@16)"


def q4_0(R, I):
    return panels("q:u4", "d:f16", R, I, "^8")


def qsi4cxp(nr, B):
    return (f"nk: N(q:u4^8 K {16 // B}k {nr}n {B}k 2k@16 ~n, sum:s32 {nr}n /k =sum(q)*16 ~n, "
            f"scale:f32*0.0625 {nr}n /k ~n, bias:f32 {nr}n /k ~n)")


def qsi4c32p(nr, B, bl):
    blocks = f"{bl // 32}k " if bl > 32 else ""
    return (f"nk: N(K(q:u4^8 {blocks}{16 // B}k {nr}n {B}k 2k@16 ~n, s:bf16 {nr}n /{bl}k ~n), "
            f"sum:f32 {nr}n /k =sum(q*s;{B}k 2k@16) ~n, bias:f32 {nr}n /k ~n)")


def qsi4c32p_neon(nr, B, bl):
    return qsi4c32p(nr, B, bl).replace(f";{B}k 2k@16", ";32k")


def per_channel(values, nr, summed, padding=""):
    """The ends of a panel: sums, scales and biases of each row."""
    return (f"nk: N({values}{padding}, sum:s32 {nr}n /k ={summed}{padding}, scale:f32 {nr}n /k{padding}, "
            f"bias:f32 {nr}n /k{padding})")


def repeating(tag):
    return tag.replace("/32k", "/32k ~n").replace("2k@16", "2k@16 ~n")


def fbgemm(block, width, dims):
    padded = g.up(dims[1], width)
    return f"kn: (w:f16 KN <{block}k {width}n, _:%{block * padded * 2})"


FORMATS = [
    Format("Q4_0 rows", "nk: nK(d:f16 /32k, q:u4 16k 2k@16)", [(3, 64), (5, 32)], g.q4_0_rows),
    *[Format(f"Q4_0 {R}x{I}", q4_0(R, I), BLOCKS, g.panels_of_32(R, I, 2, 8))
      for R, I in ((4, 4), (4, 8), (8, 8), (16, 1))],
    Format("Q8_0 rows", "nk: nK(d:f16 /32k, q:s8 32k)", [(3, 64)], g.q8_0_rows),
    Format("Q8_0 4x4", "nk: NK(d:f16 4n /32k, q:s8 8k 4n 4k)", BLOCKS, g.q8_0_panels(4, 4)),
    Format("Q8_0 4x8", "nk: NK(d:f16 4n /32k, q:s8 4k 4n 8k)", BLOCKS, g.q8_0_panels(4, 8)),
    Format("Q8_0 16x1", "nk: NK(d:f16 16n /32k, q:s8 32k 16n)", BLOCKS, g.q8_0_panels(16, 1)),
    Format("Q4_K rows", f"nk: nK({scales_of('')}, {SIX_OF_BLOCKS}, q:u4 4k 32k 2k@32)", [(3, 512)], g.q4_k_rows),
    Format("Q4_K 8x4", f"nk: NK({scales_of('8n ')}, 8k({SIX_OF_ROWS}), q:u4 4k 8k 8n 4k 2k@32)", K_BLOCKS,
           g.q4_k_panels(4)),
    Format("Q4_K 8x8", f"nk: NK({scales_of('8n ')}, 8k({SIX_OF_ROWS}), q:u4 4k 4k 8n 8k 2k@32)", K_BLOCKS,
           g.q4_k_panels(8)),
    Format("Q4_K 16x1", f"nk: NK({scales_of('16n ')}, 8k 16n(s:u4 /32k, m:u4 /32k), 4k 16n 2k@128(s.4:u2 /32k, "
           "m.4:u2 /32k), q:u4 4k 32k 16n 2k@32)", K_BLOCKS, g.k_panels(16, 2304, g.put_q4_k_16x1)),
    Format("AMX Q4_0", "nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k)", BLOCKS, g.amx_q4(False)),
    Format("AMX Q4_1", "nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k, m:f16 16n /32k)", BLOCKS, g.amx_q4(True)),
    Format("AMX Q8_0", "nk: NK(q:s8 8k 16n 4k, d:f16 16n /32k, sum:s32 16n /32k =sum(q)*128)", BLOCKS, g.amx_q8_0),
    Format("AMX Q4_K", f"nk: NK(q:u4 32k 16n 4k 2k@4, s:u8 8k 16n /32k, m:u8 4k 16n 2k /32k, {scales_of('16n ')})",
           K_BLOCKS, g.k_panels(16, 2368, g.put_amx_q4_k)),
    *[Format(f"KleidiAI qsi4cxp {nr}x{B}", qsi4cxp(nr, B), TAILS, p.qsi4cxp(nr, B))
      for nr, B in ((4, 4), (8, 4), (4, 8), (8, 8))],
    *[Format(f"KleidiAI qsi4c32p {nr}x{B}, {bl}", qsi4c32p(nr, B, bl), [(8, 128), (5, 192), (17, 64), (1, 64)],
             p.qsi4c32p(nr, B, bl)) for nr, B, bl in ((8, 8, 64), (8, 8, 32), (4, 4, 64))],
    *[Format(f"KleidiAI qsi4c32p scalef16 {R}x{I}", repeating(q4_0(R, I)), [(8, 64), (5, 32), (17, 96)],
             p.repeating(R, g.panels_of_32(R, I, 2, 8))) for R, I in ((4, 4), (4, 8), (8, 8))],
    *[Format(f"KleidiAI f32 with bias, {nr}", f"kn: N(bias:f32 {nr}n /k, w:f32 k {nr}n)", [(7, 16), (5, 21), (1, 1)],
             p.f32_with_bias(nr)) for nr in (8, 16)],
    Format("XNNPACK f32 goi", "nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n, _:16)", TAILS,
           p.rotated(8, 1, 4, 4, p.put_f32_bias, 16)),
    Format("XNNPACK f32 goi 8s4", "nk: N(bias:f32 8n /k, w:f32 K 4k-n 8n)", TAILS,
           p.rotated(8, 1, 4, 4, p.put_f32_bias, 0)),
    Format("XNNPACK f32 goi, kr 2, sr 2", "nk: N(bias:f32 8n /k, w:f32 K 2k-n 8n 2k)", TAILS,
           p.rotated(8, 2, 2, 4, p.put_f32_bias, 0)),
    Format("XNNPACK qs8 goi", "nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 8n 8k, scale:f32 8n /k)", TAILS,
           p.qs8_goi(8, 8, 1, 77), {"izp": 77}),
    Format("XNNPACK qs8 goi, kr 2, sr 4", "nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 4k-n 8n 2k, scale:f32 8n /k)",
           TAILS, p.qs8_goi(8, 2, 4, -128), {"izp": -128}),
    Format("XNNPACK qc4w goi", "nk: N(bias:s32 8n /k =+sum(w)*-16izp, w:u4^8 K 8n 8k 2k@8)", TAILS,
           p.qc4w_goi(8, 8, 5), {"izp": 5}),
    *[Format(f"FBGEMM f16, {width} columns, {dims}", fbgemm(block, width, dims), [dims],
             p.ragged(block, width, 2, True))
      for block, width, dims in ((512, 16, (520, 19)), (512, 16, (512, 16)), (512, 32, (3, 5)), (8, 16, (21, 40)))],
    Format("MLAS f32", "kn: (w:f32 KN <256k 16n)", [(260, 19), (256, 16), (3, 5)], p.ragged(256, 16, 4, False)),
    Format("PyTorch int4, AVX-512", "nk: (w:u4 n[:%64] N k 32n 2n@32, w:u4 n[%64:] k n)",
           [(64, 6), (112, 4), (16, 2), (160, 8)], p.pytorch_int4(64)),
    Format("PyTorch int4, AVX2", "nk: (w:u4 n[:%32] N k 16n 2n@16, w:u4 n[%32:] k n)", [(32, 6), (80, 4), (16, 2)],
           p.pytorch_int4(32)),
    Format("AWQ", "ab: (w:u4 aB 2b 4b@2)", [(3, 16), (5, 8)], p.awq),
    Format("oneDNN AMX int8", "ab: (w:s8 BA16a64b4a, comp:s32 B64b /a =sum(w)*-128)", [(64, 64), (70, 65), (3, 5)],
           p.onednn_amx(False)),
    Format("oneDNN AMX int8 with zero points",
           "ab: (w:s8 BA16a64b4a, comp:s32 B64b /a =sum(w)*-128, zp:s32 B64b /a =sum(w)*-1)",
           [(64, 64), (70, 65), (3, 5)],
           p.onednn_amx(True)),
    Format("NVFP4 scales", "nk: NK(s:ue4m3 32n 4n@32 4k /16k)", [(128, 64), (130, 176), (5, 17)],
           p.tiles_of_128_by_4(4)),
    Format("MX scales", "nk: NK(s:e8m0 32n 4n@32 4k /32k)", [(128, 256), (130, 300), (5, 17)], p.tiles_of_128_by_4(4)),
    Format("NVFP4 scales, padded to 8", "nk: NK(s:ue4m3 2k 32n 4n@32 4k /16k)", [(128, 64), (130, 176), (5, 17)],
           p.tiles_of_128_by_4(8)),
    Format("NVFP4 scales, 8 rows", "nk: NK(s:ue4m3 8n 4k /16k)", [(128, 64), (13, 176), (5, 17)], p.tiles_of_8_by_4),
    Format("CDNA4 scales", "nk: NK(s:e8m0 4k 16n 2k@128 2n@16 /32k)", [(64, 256), (33, 300), (5, 17)], p.cdna4_tiles),
    Format("Q4_1 rows", "nk: nK(d:f16 /32k, m:f16 /32k, q:u4 16k 2k@16)", [(3, 64)], g.blocks_of_rows(32, 20, g.put_q4_1)),
    Format("Q5_0 rows", "nk: nK(d:f16 /32k, q.4:u1 32k, q:u4 16k 2k@16)", [(3, 64), (5, 32)], g.q5_rows(False)),
    Format("Q5_1 rows", "nk: nK(d:f16 /32k, m:f16 /32k, q.4:u1 32k, q:u4 16k 2k@16)", [(3, 64)], g.q5_rows(True)),
    Format("Q1_0 rows", "nk: nK(d:f16 /128k, q:u1 128k)", [(3, 256)], g.small_rows(128, 1)),
    Format("Q2_0 rows", "nk: nK(d:f16 /64k, q:u2 64k)", [(3, 128)], g.small_rows(64, 2)),
    Format("TQ2_0 rows", "nk: nK(q:u2 2k@128 32k 4k@32, d:f16 /256k)", [(3, 512)],
           g.blocks_of_rows(256, 66, g.put_tq2_0)),
    Format("Q3_K rows", "nk: nK(q.2:u1 32k 8k@32, q:u2 2k@128 32k 4k@32, s:u4 8k 2k@128 /16k, s.4:u2 4k 4k@64 /16k, "
           "d:f16 /256k)", [(3, 512)], g.blocks_of_rows(256, 110, g.put_q3_k)),
    Format("IQ4_NL rows", "nk: nK(d:f16 /32k, q:u4 16k 2k@16)", [(3, 64)], g.q4_0_rows),
    Format("IQ4_XS rows", "nk: nK(d:f16 /256k, s.4:u2 8k /32k, s:u4 8k /32k, q:u4 8k 16k 2k@16)", [(3, 512)],
           g.blocks_of_rows(256, 136, g.put_iq4_xs)),
    Format("AMX Q5_K", f"nk: NK(q:u4 32k 16n 4k 2k@4, q.4:u1 8k 16n 4k 8k@4, s:u8 8k 16n /32k, m:u8 4k 16n 2k /32k, "
           f"{scales_of('16n ')})", K_BLOCKS, g.k_panels(16, 2880, g.put_amx_q5_k)),
    Format("AMX Q6_K", "nk: NK(q:u4 32k 16n 4k 2k@4, q.4:u2 16k 16n 4k 4k@4, s:s8 16k 16n /16k, d:f16 16n /256k)",
           K_BLOCKS, g.k_panels(16, 3360, g.put_amx_q6_k)),
    Format("AMX IQ4_XS", "nk: NK(q:u4 32k 16n 4k 2k@4, s:u8-32 8k 16n /32k, d:f16 16n /256k)", K_BLOCKS,
           g.k_panels(16, 2208, g.put_amx_iq4_xs)),
    Format("SpacemiT Q3_K x32", "nk: NK(s:u8-32 16k 32n /16k, q.2:u1 16k 32n 16k, q:u2 4k 32n 16k 4k@16, "
           "d:f16 32n /256k)", [(32, 512), (64, 256)], g.k_panels(32, 3648, g.put_spacemit_q3_k)),
    Format("SpacemiT Q4_0 x16", "nk: NK(d:f16 16n /32k, q:u4 2k 16n 8k 2k@8)", BLOCKS,
           g.spacemit(16, 288, g.put_spacemit_q4_0_16)),
    Format("SpacemiT Q4_0 x32", "nk: NK(d:f16 32n /32k, q:u4 32n 32k)", [(32, 64), (64, 32)],
           g.spacemit(32, 576, g.put_spacemit_q4_0_32)),
    Format("SpacemiT Q5_0 x32", "nk: NK(d:f16 32n /32k, q.4:u1 32n 32k, q:u4 32n 32k)", [(32, 64), (64, 32)],
           g.spacemit(32, 704, g.put_spacemit_q5_0_32)),
    Format("SpacemiT Q8_0 x32", "nk: NK(d:f16 32n /32k, q:s8 32n 32k)", [(32, 64), (64, 32)],
           g.spacemit(32, 1088, g.put_spacemit_q8_0_32)),
    *[Format(f"KleidiAI qsi8cxp 4x{B}", per_channel(f"w:s8 K {32 // B}k 4n {B}k", 4, "sum(w)", " ~n"), TAILS,
             p.qsi8cxp(4, B)) for B in (4, 8)],
    Format("KleidiAI qsi4cxps1s0 8x16", per_channel("q:u4^8 K 2k 8n 16k", 8, "sum(q)"), TAILS, p.qsi4cxps1s0(8, 16)),
    Format("KleidiAI qsu2cxp 4x4", per_channel("q:u2 K 2k@16 4n 4k 4k@4 ~n=2", 4, "sum(q-2)"), [(8, 64), (5, 96), (1, 32)],
           p.qsu2cxp),
    *[Format(f"KleidiAI qsi4c32p {nr}x{B}, {bl}, NEON", qsi4c32p_neon(nr, B, bl), [(8, 128), (5, 192), (17, 64)],
             p.qsi4c32p(nr, B, bl, 16)) for nr, B in ((4, 4), (8, 4), (8, 8)) for bl in (32, 64)],
    Format("KleidiAI qsi4c32ps1s0 8x4, 32", "nk: N(K(q:u4^8 8k 8n 4k ~n, s:bf16 8n /32k ~n), "
           "sum:f32 8n /k ~n =sum(q*s;32k), bias:f32 8n /k ~n)", [(8, 128), (5, 192), (17, 64)], p.qsi4c32ps1s0(8, 4)),
    Format("KleidiAI qai4c32p 4x8", "nk: N(K(q:u4^8 2k 4n 8k 2k@16 ~n, zero:f32 4n /32k ~n, "
           "scale:f32*0.0625 4n /32k ~n), bias:f32 4n /k ~n)", [(8, 128), (5, 192), (1, 64)], p.qai4c32p(4, 8)),
    Format("KleidiAI scalef16 8x8, 64", "nk: NK(d:f16 8n /64k ~n, q:u4^8 2k 2k 8n 8k 2k@16 ~n)", [(8, 128), (13, 64)],
           p.repeating(8, p.scalef16_of_64(8, 8))),
    Format("KleidiAI ps1s0scalef16 16x4", "nk: N(q:u4 K 8k 16n 4k, d:f16 K 16n /32k)", [(16, 128), (19, 64)],
           p.ps1s0scalef16),
    Format("KleidiAI's source qsu4cxs1s0", "nk: q:u4 nK 2k", TAILS, p.source_of_nibbles(0)),
    Format("KleidiAI's source qsi4cxs1s0", "nk: q:u4^8 nK 2k", TAILS, p.source_of_nibbles(8)),
    Format("KleidiAI's source qau4c32s0s1", "nk: q:u4 nK 2k!", [(8, 64), (5, 32)], p.source_of_nibbles(0, True)),
    Format("KleidiAI's source qsu4c32s16s0, 64", "nk: nK(d:f16 /64k, q:u4 2k 16k 2k@16)", [(3, 128)], p.source_of_64),
    *[Format(f"KleidiAI f16 with bias, {nr}", f"nk: N(bias:f16 {nr}n /k, w:f16 k {nr}n)", [(16, 7), (35, 5), (1, 1)],
             p.with_bias(nr, 2)) for nr in (16, 32)],
    Format("XNNPACK f32 goi 16x1", "nk: N(bias:f32 16n /k, w:f32 k 16n)", TAILS, p.with_bias(16, 4)),
    Format("XNNPACK qs8 goi 8x8", "nk: N(bias:s32 8n /k =+sum(w)*-izp, w:s8 K 8n 8k)", TAILS,
           p.qs8_goi_without_scales(8, 8, 19), {"izp": 19}),
    Format("XNNPACK qs8 goi 64x4", "nk: N(bias:s32 64n /k =+sum(w)*-izp, w:s8 K 64n 4k)", [(64, 8), (70, 13)],
           p.qs8_goi_without_scales(64, 4, -3), {"izp": -3}),
    Format("XNNPACK qc4w goi, non-planar", "nk: N(bias:s32 64n /k =+sum(w)*-16izp, w:u4^8 K 2n@32 16n 4k 2n@16)",
           [(64, 8), (70, 13)], p.small_goi(64, p.place_of_qc4w_non_planar, 16 * 7, 8, 8, 4, 4), {"izp": 7}),
    Format("XNNPACK qc4uw goi", "nk: N(bias:s32 8n /k =+sum(w-8)*-izp, w:u4 K 8n 8k 2k@8 ~k=8)", TAILS,
           p.small_goi(8, p.place_of_qc4uw, 5, 8, 0, 16, 4, 8), {"izp": 5}),
    Format("XNNPACK qc2w goi", "nk: N(bias:s32 8n /k =+sum(w)*-izp, w:u2^2 K 8n 8k 4k@8)", TAILS,
           p.small_goi(8, p.place_of_qc2w, 9, 2, 2, 32, 2), {"izp": 9}),
    *[Format(f"FBGEMM s8, {dims}", "kn: w:s8 KN 128k 8n 4k", [dims], p.fbgemm_s8) for dims in ((520, 19), (512, 8))],
    Format("OpenVINO's MLAS f32", "kn: w:f32 KN <1024k 16n", [(1040, 19), (3, 5)], p.ragged(1024, 16, 4, False)),
    Format("gfx1250 scales", "nk: NK(s:e8m0 32n 4k /32k)", [(64, 256), (33, 300), (5, 17)], p.tiles_of_32_by_4),
    Format("MXFP4 rows", "nk: nK(e:e8m0 /32k, q:f4_e2m1 16k 2k@16)", [(3, 64)], g.panels_of_32(1, 16, 1, 0, "e")),
    Format("NVFP4 rows", "nk: nK(d:ue4m3 4k /16k, q:f4_e2m1 4k 8k 2k@8)", [(3, 128)], g.nvfp4_rows),
    Format("Q2_K rows", f"nk: nK(16k(s:u4 /16k, m:u4 /16k), q:u2 2k@128 32k 4k@32, {scales_of('')})", [(3, 512)],
           g.k_panels(1, 84, g.put_q2_k_row)),
    Format("Q5_K rows", f"nk: nK({scales_of('')}, {SIX_OF_BLOCKS}, q.4:u1 32k 8k@32, q:u4 4k 32k 2k@32)", [(3, 512)],
           g.k_panels(1, 176, g.put_q5_k_row)),
    Format("Q6_K rows", "nk: nK(q:u4 2k@128 2k@32 32k 2k@64, q.4:u2 2k@128 32k 4k@32, s:s8 16k /16k, d:f16 /256k)",
           [(3, 512)], g.k_panels(1, 210, g.put_q6_k_row)),
    *[Format(f"MXFP4 {R}x{I}", panels("q:f4_e2m1", "e:e8m0", R, I), BLOCKS, g.panels_of_32(R, I, 1, 0, "e"))
      for R, I in ((4, 4), (8, 8))],
    *[Format(f"IQ4_NL {R}x{I}", panels("q:u4", "d:f16", R, I), BLOCKS, g.panels_of_32(R, I, 2, 0))
      for R, I in ((4, 4), (8, 8), (16, 1))],
    Format("Q2_K 8x8", f"nk: NK({scales_of('8n ')}, 8k 8n 2k(s:u4 /16k, m:u4 /16k), q:u2 2k@128 4k 8n 8k 4k@32)",
           K_BLOCKS, g.q2_k_panels(8, 8, lambda u, r: u // 2 * 16 + 2 * r + u % 2)),
    Format("Q2_K 16x1", f"nk: NK({scales_of('16n ')}, 2k@128 2k@16 4k@32 16n(s:u4 /16k, m:u4 /16k), "
           "q:u2 2k@128 32k 16n 4k@32)", K_BLOCKS,
           g.q2_k_panels(16, 1, lambda u, r: (u // 8 * 8 + u % 2 * 4 + u % 8 // 2) * 16 + r)),
    *[Format(f"Q5_K 8x{I}", f"nk: NK({scales_of('8n ')}, 8k({SIX_OF_ROWS}), q.4:u1 {32 // I}k 8n {I}k 8k@32, "
             f"q:u4 4k {32 // I}k 8n {I}k 2k@32)", K_BLOCKS, g.q5_k_panels(I)) for I in (4, 8)],
    *[Format(f"Q6_K 8x{I}", f"nk: NK(d:f16 8n /256k, s:s8 16k 8n /16k, q:u4 2k@128 2k@32 {32 // I}k 8n {I}k 2k@64, "
             f"q.4:u2 2k@128 {32 // I}k 8n {I}k 4k@32)", K_BLOCKS, g.q6_k_panels(I)) for I in (4, 8)],
]


def check(form, dims, draw):
    """Returns what is wrong, or None."""
    record = Record(form.tag, dims)
    values = random_values(record, draw)
    expected = bytes(form.packer({name: field.tolist() for name, field in values.items()}))
    data = pack(record, dims, values, form.parameters)
    if data != expected:
        differing = np.flatnonzero(np.frombuffer(data, np.uint8)[:len(expected)] !=
                                   np.frombuffer(expected, np.uint8)[:len(data)])
        return f"{len(data)} bytes instead of {len(expected)}, {differing.size} differ, first {differing[:8]}"
    back = unpack(record, dims, data, form.parameters)
    wrong = [name for name in values if not np.array_equal(values[name], back[name])]
    return f"unpack differs in {wrong}" if wrong else None


def main(names):
    failures = count = 0
    for form in FORMATS:
        if names and form.name not in names:
            continue
        for dims in form.dims:
            count += 1
            wrong = check(form, dims, random.Random(f"{form.name} {dims}"))
            if wrong:
                failures += 1
                print(f"{form.name}, {dims}: {wrong}\n  {form.tag}")
    print(f"{count} cases of {len(FORMATS)} formats, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
