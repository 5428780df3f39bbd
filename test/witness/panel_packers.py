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


def qsi4c32p(nr, B, bl, adds=None):
    """`adds` values of k and as many of k + 16 are added as integers; the portable packer adds B of each."""
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
                    for segment in range(group, group + 16, adds or B):
                        whole = sum(q[k] - 8 + q[k + 16] - 8 for k in range(segment, segment + (adds or B)))
                        total = np.float32(total + np.float32(whole) * bf16(v["s"][n][b]))
            behind = at + depth // bl * block
            out.number(behind + 4 * r, bits_of(total), 4)
            out.number(behind + 4 * nr + 4 * r, v["bias"][n][0], 4)
        return out
    return packed


def adjacent_nibbles(k, r, nr, B):
    """As place_of_nibble, but two adjacent k are in a byte, and B k of a row side by side."""
    nibble = (k // B * nr + r) * B + k % B
    return nibble // 2, nibble % 2


def put_row_ends(out, at, nr, r, numbers):
    """Writes the numbers of 4 bytes of row r: all rows of the first one, of the second one ..."""
    for i, number in enumerate(numbers):
        out.number(at + 4 * nr * i + 4 * r, number, 4)


def qsi8cxp(nr, B):
    def packed(v):
        rows, depth = size_of(v, "w")
        size = nr * (up(depth, 32) + 12)
        out = Bytes(up(rows, nr) // nr * size)
        for row in range(up(rows, nr)):
            at, r, n = row // nr * size, row % nr, min(row, rows - 1)
            for k in range(depth):
                out.put(at + (k // B * nr + r) * B + k % B, v["w"][n][k])
            put_row_ends(out, at + nr * up(depth, 32), nr, r,
                         [sum(signed(w) for w in v["w"][n]), v["scale"][n][0], v["bias"][n][0]])
        return out
    return packed


def qsi4cxps1s0(nr, B):
    """Rows after the last one are 0."""
    def packed(v):
        rows, depth = size_of(v, "q")
        size = nr * (up(depth, 32) // 2 + 12)
        out = Bytes(up(rows, nr) // nr * size)
        for n in range(rows):
            at, r = n // nr * size, n % nr
            for k in range(depth):
                byte, is_high = adjacent_nibbles(k, r, nr, B)
                out.nibble(at + byte, is_high, v["q"][n][k] ^ 8)
            put_row_ends(out, at + nr * up(depth, 32) // 2, nr, r,
                         [sum(q - 8 for q in v["q"][n]), v["scale"][n][0], v["bias"][n][0]])
        return out
    return packed


def qsu2cxp(v):
    """Panels of 4 rows. A byte has the k of the same remainder by 4 of 16: k, k + 4, k + 8, k + 12. The values of rows
    after the last one are 2, their sums, scales and biases 0."""
    rows, depth = size_of(v, "q")
    size = depth + 48
    out = Bytes(up(rows, 4) // 4 * size)
    for row in range(rows, up(rows, 4)):
        for k in range(0, depth, 4):
            out.put(row // 4 * size + k // 16 * 16 + row % 4 * 4 + k % 16 // 4, 0xaa)
    for n in range(rows):
        at, r = n // 4 * size, n % 4
        for k in range(depth):
            out.put(at + k // 16 * 16 + r * 4 + k % 4, v["q"][n][k], k % 16 // 4 * 2, 2)
        put_row_ends(out, at + depth, 4, r, [sum(q - 2 for q in v["q"][n]), v["scale"][n][0], v["bias"][n][0]])
    return out


def qsi4c32ps1s0(nr, B):
    """Blocks of 32: nibbles, scales; after all blocks f32 sums, a block at a time, and the bias."""
    def packed(v):
        rows, depth = size_of(v, "q")
        block, size = nr * 18, depth // 32 * nr * 18 + 8 * nr
        out = Bytes(up(rows, nr) // nr * size)
        for row in range(up(rows, nr)):
            at, r, n = row // nr * size, row % nr, min(row, rows - 1)
            total = np.float32(0)
            for b in range(depth // 32):
                q = v["q"][n][32 * b:32 * b + 32]
                for k in range(32):
                    byte, is_high = adjacent_nibbles(k, r, nr, B)
                    out.nibble(at + block * b + byte, is_high, q[k] ^ 8)
                out.number(at + block * b + nr * 16 + 2 * r, v["s"][n][b], 2)
                total = np.float32(total + np.float32(sum(q) - 256) * bf16(v["s"][n][b]))
            put_row_ends(out, at + depth // 32 * block, nr, r, [bits_of(total), v["bias"][n][0]])
        return out
    return packed


def qai4c32p(nr, B):
    def packed(v):
        rows, depth = size_of(v, "q")
        block, size = nr * 24, depth // 32 * nr * 24 + 4 * nr
        out = Bytes(up(rows, nr) // nr * size)
        for row in range(up(rows, nr)):
            at, r, n = row // nr * size, row % nr, min(row, rows - 1)
            for b in range(depth // 32):
                for k in range(32):
                    byte, is_high = place_of_nibble(k, r, nr, B)
                    out.nibble(at + block * b + byte, is_high, v["q"][n][32 * b + k] ^ 8)
                put_row_ends(out, at + block * b + nr * 16, nr, r,
                             [v["zero"][n][b], bits_of(f32(v["scale"][n][b]) * np.float32(0.0625))])
            put_row_ends(out, at + depth // 32 * block, nr, r, [v["bias"][n][0]])
        return out
    return packed


def scalef16_of_64(nr, B):
    """A scale for 64 values, which are two blocks of 32 one after the other."""
    def packed(v):
        rows, depth = size_of(v, "q")
        size = nr * 34
        out = Bytes(rows // nr * (depth // 64) * size)
        for n in range(rows):
            for k in range(depth):
                at, r = (n // nr * (depth // 64) + k // 64) * size, n % nr
                out.number(at + 2 * r, v["d"][n][k // 64], 2)
                byte, is_high = place_of_nibble(k % 32, r, nr, B)
                out.nibble(at + 2 * nr + k % 64 // 32 * nr * 16 + byte, is_high, v["q"][n][k] ^ 8)
        return out
    return packed


def ps1s0scalef16(v):
    """Panels of 16 rows: all nibbles as they are, 4 k of a row side by side, then all scales."""
    rows, depth = size_of(v, "q")
    size = depth * 8 + depth
    out = Bytes(up(rows, 16) // 16 * size)
    for n in range(rows):
        at, r = n // 16 * size, n % 16
        for k in range(depth):
            byte, is_high = adjacent_nibbles(k, r, 16, 4)
            out.nibble(at + byte, is_high, v["q"][n][k])
        for b in range(depth // 32):
            out.number(at + depth * 8 + 32 * b + 2 * r, v["d"][n][b], 2)
    return out


def source_of_nibbles(mask, first_is_high=False):
    """Rows of KleidiAI's sources: two adjacent k in a byte, each row whole bytes."""
    def packed(v):
        rows, depth = size_of(v, "q")
        stride = up(depth, 2) // 2
        out = Bytes(rows * stride)
        for n in range(rows):
            for k in range(depth):
                out.nibble(n * stride + k // 2, (k % 2 == 1) != first_is_high, v["q"][n][k] ^ mask)
        return out
    return packed


def source_of_64(v):
    """Blocks of a scale and 32 bytes: of each 32 values, k and k + 16 in a byte."""
    rows, depth = size_of(v, "q")
    out = Bytes(rows * depth // 64 * 34)
    for n in range(rows):
        for k in range(depth):
            at = (n * (depth // 64) + k // 64) * 34
            out.number(at, v["d"][n][k // 64], 2)
            out.nibble(at + 2 + k % 64 // 32 * 16 + k % 16, k % 32 >= 16, v["q"][n][k])
    return out


def with_bias(nr, size):
    """W[n][k]: panels of nr biases and, for each k, nr values of `size` bytes."""
    def packed(v):
        columns, depth = size_of(v, "w")
        out = Bytes(up(columns, nr) // nr * nr * (depth + 1) * size)
        for n in range(columns):
            at, r = n // nr * nr * (depth + 1), n % nr
            out.number(size * (at + r), v["bias"][n][0], size)
            for k in range(depth):
                out.number(size * (at + nr * (1 + k) + r), v["w"][n][k], size)
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


def qs8_goi_without_scales(nr, kr, izp):
    def put_ends(out, at, r, n, _, v):
        out.number(at + 4 * r, v["bias"][n][0] - izp * sum(signed(w) for w in v["w"][n]), 4)
    return rotated(nr, kr, 1, 1, put_ends, 0)


def small_goi(nr, place, izp, zero, mask, depth_multiple, bits, padding=0):
    """Panels of nr biases and values below a byte. place returns the byte and the lowest bit of a value. `padding` is
    what follows the last k of a row."""
    def packed(v):
        rows, depth = size_of(v, "w")
        panel = 4 * nr + nr * up(depth, depth_multiple) * bits // 8
        out = Bytes(up(rows, nr) // nr * panel)
        for n in range(rows):
            at, r = n // nr * panel, n % nr
            out.number(at + 4 * r, v["bias"][n][0] - izp * sum(w - zero for w in v["w"][n]), 4)
            for k in range(depth):
                byte, low = place(k, r)
                out.put(at + 4 * nr + byte, v["w"][n][k] ^ mask, low, bits)
            for k in range(depth, up(depth, depth_multiple)):
                byte, low = place(k, r)
                out.put(at + 4 * nr + byte, padding, low, bits)
        return out
    return packed


def place_of_qc4w_non_planar(k, r):
    """64 rows of four k: rows r and r + 16 of 32 are in a byte."""
    return k // 4 * 128 + r // 32 * 64 + r % 16 * 4 + k % 4, r % 32 // 16 * 4


def place_of_qc4uw(k, r):
    return (k // 16 * 8 + r) * 8 + k % 8, k // 8 % 2 * 4


def place_of_qc2w(k, r):
    return (k // 32 * 8 + r) * 8 + k % 8, k // 8 % 4 * 2


def fbgemm_s8(v):
    """W[k][n] in blocks of 512 k, which are filled with 0, and of 8 n; four k side by side."""
    depth, columns = size_of(v, "w")
    padded = up(columns, 8)
    out = Bytes(up(depth, 512) * padded)
    for k in range(depth):
        for n in range(columns):
            out.put(k // 512 * 512 * padded + n // 8 * 4096 + k % 512 // 4 * 32 + n % 8 * 4 + k % 4, v["w"][k][n])
    return out


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


def tiles_of_32_by_4(v):
    rows, scales = size_of(v, "s")
    out = Bytes(up(rows, 32) * up(scales, 4))
    for n in range(rows):
        for g in range(scales):
            out.put((n // 32 * (up(scales, 4) // 4) + g // 4) * 128 + n % 32 * 4 + g % 4, v["s"][n][g])
    return out
