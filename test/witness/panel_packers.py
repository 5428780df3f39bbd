"""Packers of the formats of KleidiAI, XNNPACK, FBGEMM, MLAS, PyTorch and oneDNN, and of scales in tiles, written as
one formula for each byte. They share no code with plait, nor with record_model.py.

Arguments are as in ggml_packers.py. Bytes that an original packer leaves as they were are 0 here: rows after the last
one in XNNPACK, and most of the bias after the last column in KleidiAI's f32 packer.
"""

import numpy as np

from ggml_packers import Bytes, signed, size_of, up


def f32(bits):
    """Returns the number of f32 bits."""
    return np.array([bits], dtype=np.uint32).view(np.float32)[0]


def bits_of(number):
    return int(np.array([number], dtype=np.float32).view(np.uint32)[0])


def bf16(bits):
    return f32(bits << 16)


# KleidiAI: panels of nr rows, B bytes of a row side by side. Rows after the last one are that row again.

def repeating(nr, packer):
    """Returns a packer for rows that need not fill the last panel; the last row is repeated."""
    def packed(v):
        count = up(len(next(iter(v.values()))), nr)
        return packer({name: [rows[min(n, len(rows) - 1)] for n in range(count)] for name, rows in v.items()})
    return packed


def place_of_nibble(k, r, nr, B):
    """Returns the byte and the nibble of a value in the payload of a panel."""
    j = k // 32 * 16 + k % 16
    return (j // B * nr + r) * B + j % B, k % 32 // 16


def qsi4cxp(nr, B):
    def packed(v):
        rows, depth = size_of(v, "q")
        padded = up(depth, 32)
        size = nr * (padded // 2 + 12)
        out = Bytes(up(rows, nr) // nr * size)
        for row in range(up(rows, nr)):
            at, r, n = row // nr * size, row % nr, min(row, rows - 1)
            for k in range(depth):
                byte, is_high = place_of_nibble(k, r, nr, B)
                out.nibble(at + byte, is_high, v["q"][n][k] ^ 8)
            behind = at + nr * padded // 2
            out.number(behind + 4 * r, 16 * sum(q - 8 for q in v["q"][n]), 4)
            out.number(behind + 4 * nr + 4 * r, bits_of(f32(v["scale"][n][0]) * np.float32(0.0625)), 4)
            out.number(behind + 8 * nr + 4 * r, v["bias"][n][0], 4)
        return out
    return packed


def qsi4c32p(nr, B, bl):
    def packed(v):
        rows, depth = size_of(v, "q")
        block = nr * (bl // 2 + 2)
        size = depth // bl * block + 8 * nr
        out = Bytes(up(rows, nr) // nr * size)
        for row in range(up(rows, nr)):
            at, r, n = row // nr * size, row % nr, min(row, rows - 1)
            total = np.float32(0)
            for b in range(depth // bl):
                q = v["q"][n][bl * b:bl * b + bl]
                for k in range(bl):
                    byte, is_high = place_of_nibble(k, r, nr, B)
                    out.nibble(at + block * b + byte, is_high, q[k] ^ 8)
                out.number(at + block * b + nr * bl // 2 + 2 * r, v["s"][n][b], 2)
                for group in range(0, bl, 32):
                    for segment in range(group, group + 16, B):
                        whole = sum(q[k] - 8 + q[k + 16] - 8 for k in range(segment, segment + B))
                        total = np.float32(total + np.float32(whole) * bf16(v["s"][n][b]))
            behind = at + depth // bl * block
            out.number(behind + 4 * r, bits_of(total), 4)
            out.number(behind + 4 * nr + 4 * r, v["bias"][n][0], 4)
        return out
    return packed


def f32_with_bias(nr):
    """W[k][n]: panels of nr biases and K rows of nr."""
    def packed(v):
        depth, columns = size_of(v, "w")
        out = Bytes(up(columns, nr) // nr * nr * (depth + 1) * 4)
        for n in range(columns):
            at, r = n // nr * nr * (depth + 1), n % nr
            out.number(4 * (at + r), v["bias"][0][n], 4)
            for k in range(depth):
                out.number(4 * (at + nr * (1 + k) + r), v["w"][k][n], 4)
        return out
    return packed


# XNNPACK: slot t of row r holds the k that are rotated by the row.

def rotated(nr, kr, sr, size, put_ends, extra):
    """Panels of nr biases, the payload of elements of `size` bytes, and extra bytes."""
    def packed(v):
        rows, depth = size_of(v, "w")
        skr = sr * kr
        padded = up(depth, skr)
        panel = 4 * nr + nr * padded * size + extra
        out = Bytes(up(rows, nr) // nr * panel)
        for n in range(rows):
            at, r = n // nr * panel, n % nr
            for t in range(padded // kr):
                for b in range(kr):
                    k = t // sr * skr + (t + r) % sr * kr + b
                    if k < depth:
                        out.number(at + 4 * nr + ((t * nr + r) * kr + b) * size, v["w"][n][k], size)
            put_ends(out, at, r, n, at + 4 * nr + nr * padded * size, v)
        return out
    return packed


def put_f32_bias(out, at, r, n, _, v):
    out.number(at + 4 * r, v["bias"][n][0], 4)


def qs8_goi(nr, kr, sr, izp):
    def put_ends(out, at, r, n, behind, v):
        out.number(at + 4 * r, v["bias"][n][0] - izp * sum(signed(w) for w in v["w"][n]), 4)
        out.number(behind + 4 * r, v["scale"][n][0], 4)
    return rotated(nr, kr, sr, 1, put_ends, 4 * nr)


def qc4w_goi(nr, kr, izp):
    """With sr = 1 and a zero point of 8. The bias that is given is 16 times the original one."""
    def packed(v):
        rows, depth = size_of(v, "w")
        panel = 4 * nr + nr * up(depth, 2 * kr) // 2
        out = Bytes(up(rows, nr) // nr * panel)
        for n in range(rows):
            at, r = n // nr * panel, n % nr
            out.number(at + 4 * r, v["bias"][n][0] - 16 * izp * sum(w - 8 for w in v["w"][n]), 4)
            for k in range(depth):
                out.nibble(at + 4 * nr + (k // (2 * kr) * nr + r) * kr + k % kr, k // kr % 2, v["w"][n][k] ^ 8)
        return out
    return packed


# W[k][n] in panels of columns, in blocks of k whose last one is shorter.

def ragged(block, width, size, fills_last_block):
    """FBGEMM (elements of 2 bytes, room for a whole last block) and MLAS (4 bytes)."""
    def packed(v):
        depth, columns = size_of(v, "w")
        padded = up(columns, width)
        out = Bytes((up(depth, block) if fills_last_block else depth) * padded * size)
        for k in range(depth):
            first = k // block * block
            h = min(block, depth - first)
            for n in range(columns):
                element = first * padded + n // width * h * width + k % block * width + n % width
                out.number(element * size, v["w"][k][n], size)
        return out
    return packed


def pytorch_int4(block):
    def packed(v):
        rows, depth = size_of(v, "w")
        out = Bytes(rows * depth // 2)
        for n in range(rows):
            base = n // block * block
            w = min(block, rows - base)
            i = n - base
            for k in range(depth):
                at = base * depth // 2
                if w == block:
                    out.nibble(at + k * block // 2 + i % (block // 2), i >= block // 2, v["w"][n][k])
                else:
                    out.nibble(at + k * w // 2 + i // 2, i % 2, v["w"][n][k])
        return out
    return packed


def awq(v):
    """Eight columns in four bytes; nibble i holds column 0, 2, 4, 6, 1, 3, 5, 7."""
    rows, columns = size_of(v, "w")
    out = Bytes(rows * columns // 2)
    for a in range(rows):
        for b in range(columns):
            i = (0, 4, 1, 5, 2, 6, 3, 7)[b % 8]
            out.nibble((a * columns + b // 8 * 8 + i) // 2, i % 2, v["w"][a][b])
    return out


def onednn_amx(has_zero_point):
    """BA16a64b4a of s8 with compensation: W[a][b], a = k and b = n."""
    def packed(v):
        depth, columns = size_of(v, "w")
        k_padded, n_padded = up(depth, 64), up(columns, 64)
        end = k_padded * n_padded
        out = Bytes(end + n_padded * (8 if has_zero_point else 4))
        for n in range(columns):
            for k in range(depth):
                out.put(n // 64 * k_padded * 64 + k // 64 * 4096 + k % 64 // 4 * 256 + n % 64 * 4 + k % 4, v["w"][k][n])
            total = sum(signed(v["w"][k][n]) for k in range(depth))
            out.number(end + 4 * n, -128 * total, 4)
            if has_zero_point:
                out.number(end + 4 * n_padded + 4 * n, -total, 4)
        return out
    return packed


# Scales of one byte in tiles: g is the number of the scale along k.

def tiles_of_128_by_4(multiple):
    """Scales along k are padded to a multiple of 4 or 8."""
    def packed(v):
        rows, scales = size_of(v, "s")
        padded = up(scales, multiple)
        out = Bytes(up(rows, 128) * padded)
        for n in range(rows):
            for g in range(scales):
                tile = n // 128 * (padded // 4) + g // 4
                out.put(tile * 512 + n % 32 * 16 + n % 128 // 32 * 4 + g % 4, v["s"][n][g])
        return out
    return packed


def tiles_of_8_by_4(v):
    rows, scales = size_of(v, "s")
    out = Bytes(up(rows, 8) * up(scales, 4))
    for n in range(rows):
        for g in range(scales):
            out.put((n // 8 * (up(scales, 4) // 4) + g // 4) * 32 + n % 8 * 4 + g % 4, v["s"][n][g])
    return out


def cdna4_tiles(v):
    """Tiles of 32 rows by 8 scales. Of (2, 16) rows and (2, 4) scales order: 4 scales, 16 rows, 2 scales, 2 rows."""
    rows, scales = size_of(v, "s")
    padded = np.zeros((up(rows, 32), up(scales, 8)), dtype=np.uint8)
    padded[:rows, :scales] = v["s"]
    tiles = padded.reshape(-1, 2, 16, up(scales, 8) // 8, 2, 4)
    return tiles.transpose(0, 3, 5, 2, 4, 1).tobytes()
