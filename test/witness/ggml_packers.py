"""Packers of the formats of ggml (llama.cpp), written as one formula for each byte. They share no code with plait,
nor with record_model.py.

Each packer is called with the raw bits of the fields, as a list of rows for each field, and returns the bytes.
Weights are W[n][k]; r is the row in its panel of R rows, and I bytes of a row lie side by side.
"""


def up(x, multiple):
    return -(-x // multiple) * multiple


class Bytes(bytearray):
    """Zeroed memory that is filled byte by byte."""

    def put(self, byte, value, low=0, width=8):
        """Writes some bits of a byte."""
        assert 0 <= value < 1 << width and low + width <= 8
        self[byte] |= value << low

    def nibble(self, byte, is_high, value):
        self.put(byte, value, 4 if is_high else 0, 4)

    def number(self, byte, value, size):
        self[byte:byte + size] = (value % (1 << 8 * size)).to_bytes(size, "little")


def size_of(v, name):
    return len(v[name]), len(v[name][0])


# llama.cpp: rows of blocks as in the file.

def put_six(out, at, i, s, m):
    """Writes scale and minimum number i of eight, 6 bits each, to the 12 bytes at `at`."""
    if i < 4:
        out.put(at + i, s, 0, 6)
        out.put(at + 4 + i, m, 0, 6)
    else:
        out.nibble(at + 8 + i - 4, False, s % 16)
        out.nibble(at + 8 + i - 4, True, m % 16)
        out.put(at + i - 4, s // 16, 6, 2)
        out.put(at + i, m // 16, 6, 2)


def q4_0_rows(v):
    rows, depth = size_of(v, "q")
    out = Bytes(rows * depth // 32 * 18)
    for n in range(rows):
        for b in range(depth // 32):
            at = (n * (depth // 32) + b) * 18
            out.number(at, v["d"][n][b], 2)
            for k in range(32):
                out.nibble(at + 2 + k % 16, k >= 16, v["q"][n][32 * b + k])
    return out


def q8_0_rows(v):
    rows, depth = size_of(v, "q")
    out = Bytes(rows * depth // 32 * 34)
    for n in range(rows):
        for k in range(depth):
            at = (n * (depth // 32) + k // 32) * 34
            out.number(at, v["d"][n][k // 32], 2)
            out.put(at + 2 + k % 32, v["q"][n][k])
    return out


def blocks_of_rows(Q, size, put_block):
    """Rows of blocks of Q values. put_block writes a block, given its part of each field."""
    def packed(v):
        rows, depth = size_of(v, "q")
        out = Bytes(rows * (depth // Q) * size)
        for n in range(rows):
            for b in range(depth // Q):
                part = {name: field[n][len(field[n]) // (depth // Q) * b:len(field[n]) // (depth // Q) * (b + 1)]
                        for name, field in v.items()}
                put_block(out, (n * (depth // Q) + b) * size, part)
        return out
    return packed


def q5_rows(has_minimum):
    """The fifth bits are a number of 32 bits before the halves."""
    def put_block(out, at, part):
        out.number(at, part["d"][0], 2)
        if has_minimum:
            out.number(at + 2, part["m"][0], 2)
        at += 4 if has_minimum else 2
        out.number(at, sum(q // 16 << k for k, q in enumerate(part["q"])), 4)
        for k, q in enumerate(part["q"]):
            out.nibble(at + 4 + k % 16, k >= 16, q % 16)
    return blocks_of_rows(32, 24 if has_minimum else 22, put_block)


def put_q4_1(out, at, part):
    out.number(at, part["d"][0], 2)
    out.number(at + 2, part["m"][0], 2)
    for k, q in enumerate(part["q"]):
        out.nibble(at + 4 + k % 16, k >= 16, q)


def small_rows(Q, bits):
    """Q1_0 and Q2_0: a scale, then the values one after the other in bits."""
    def put_block(out, at, part):
        out.number(at, part["d"][0], 2)
        out.number(at + 2, sum(q << bits * k for k, q in enumerate(part["q"])), Q * bits // 8)
    return blocks_of_rows(Q, 2 + Q * bits // 8, put_block)


def put_tq2_0(out, at, part):
    out[at:at + 64] = bytes_of_2_bits(part["q"])
    out.number(at + 64, part["d"][0], 2)


def put_q3_k(out, at, part):
    """hmask, qs, 12 bytes of 16 scales of 6 bits, d."""
    for k, q in enumerate(part["q"]):
        out.put(at + k % 32, q // 4, k // 32, 1)
    out[at + 32:at + 96] = bytes_of_2_bits([q % 4 for q in part["q"]])
    for j, scale in enumerate(part["s"]):
        out.nibble(at + 96 + j % 8, j >= 8, scale % 16)
        out.put(at + 104 + j % 4, scale // 16, j // 4 * 2, 2)
    out.number(at + 108, part["d"][0], 2)


def put_iq4_xs(out, at, part):
    out.number(at, part["d"][0], 2)
    out.number(at + 2, sum(scale // 16 << 2 * u for u, scale in enumerate(part["s"])), 2)
    for u, scale in enumerate(part["s"]):
        out.nibble(at + 4 + u // 2, u % 2, scale % 16)
    for k, q in enumerate(part["q"]):
        out.nibble(at + 8 + k // 32 * 16 + k % 16, k % 32 >= 16, q)


def q4_k_rows(v):
    rows, depth = size_of(v, "q")
    out = Bytes(rows * depth // 256 * 144)
    for n in range(rows):
        for b in range(depth // 256):
            at = (n * (depth // 256) + b) * 144
            out.number(at, v["d"][n][b], 2)
            out.number(at + 2, v["dmin"][n][b], 2)
            for u in range(8):
                put_six(out, at + 4, u, v["s"][n][8 * b + u], v["m"][n][8 * b + u])
            for k in range(256):
                out.nibble(at + 16 + k // 64 * 32 + k % 32, k % 64 >= 32, v["q"][n][256 * b + k])
    return out


# llama.cpp: panels of R rows, I bytes of one row side by side.

def panels_of_32(R, I, d_bytes, mask, d="d"):
    """Blocks of 32 values with one scale: Q4_0 (scale f16, XOR 8), IQ4_NL (f16), MXFP4 (a byte)."""
    def packed(v):
        rows, depth = size_of(v, "q")
        size = R * (d_bytes + 16)
        out = Bytes(rows // R * (depth // 32) * size)
        for n in range(rows):
            for k in range(depth):
                at, r = (n // R * (depth // 32) + k // 32) * size, n % R
                out.number(at + d_bytes * r, v[d][n][k // 32], d_bytes)
                j = k % 16
                byte = at + d_bytes * R + j // I * R * I + r * I + j % I
                out.nibble(byte, k % 32 >= 16, v["q"][n][k] ^ mask)
        return out
    return packed


def q8_0_panels(R, I):
    def packed(v):
        rows, depth = size_of(v, "q")
        out = Bytes(rows // R * (depth // 32) * 34 * R)
        for n in range(rows):
            for k in range(depth):
                at, r = (n // R * (depth // 32) + k // 32) * 34 * R, n % R
                out.number(at + 2 * r, v["d"][n][k // 32], 2)
                out.put(at + 2 * R + k % 32 // I * R * I + r * I + k % I, v["q"][n][k])
        return out
    return packed


def k_panels(R, size, put_block):
    """Blocks of 256 values in panels of R rows. put_block writes row r of a block, given its part of each field."""
    def packed(v):
        rows, depth = size_of(v, "q")
        out = Bytes(rows // R * (depth // 256) * size)
        for n in range(rows):
            for b in range(depth // 256):
                part = {name: field[n][len(field[n]) // (depth // 256) * b:len(field[n]) // (depth // 256) * (b + 1)]
                        for name, field in v.items()}
                put_block(out, (n // R * (depth // 256) + b) * size, n % R, part)
        return out
    return packed


def put_interleaved(out, at, R, I, r, source):
    """Writes the bytes of row r, I bytes at a time side by side with those of the other rows."""
    for j, byte in enumerate(source):
        out.put(at + j // I * R * I + r * I + j % I, byte)


def bytes_of_4_bits(q):
    """Returns the quants of Q4_K's and Q5_K's rows: byte k / 64 * 32 + k % 32, high where k % 64 >= 32."""
    out = Bytes(128)
    for k in range(256):
        out.nibble(k // 64 * 32 + k % 32, k % 64 >= 32, q[k] % 16)
    return out


def q4_k_panels(I):
    def put_block(out, at, r, part):
        out.number(at + 2 * r, part["d"][0], 2)
        out.number(at + 16 + 2 * r, part["dmin"][0], 2)
        for u in range(8):
            put_six(out, at + 32 + 12 * u, r, part["s"][u], part["m"][u])
        put_interleaved(out, at + 128, 8, I, r, bytes_of_4_bits(part["q"]))
    return k_panels(8, 1152, put_block)


def put_q4_k_16x1(out, at, r, part):
    out.number(at + 2 * r, part["d"][0], 2)
    out.number(at + 32 + 2 * r, part["dmin"][0], 2)
    for u in range(8):
        s, m = part["s"][u], part["m"][u]
        out.nibble(at + 64 + 16 * u + r, False, s % 16)
        out.nibble(at + 64 + 16 * u + r, True, m % 16)
        high = at + 192 + u % 4 * 16 + r
        out.put(high, s // 16, u // 4 * 4, 2)
        out.put(high, m // 16, u // 4 * 4 + 2, 2)
    put_interleaved(out, at + 256, 16, 1, r, bytes_of_4_bits(part["q"]))


def bytes_of_5th_bits(q):
    """Returns qh of Q5_K: bit k / 32 of byte k % 32."""
    out = Bytes(32)
    for k in range(256):
        out.put(k % 32, q[k] // 16, k // 32, 1)
    return out


def q5_k_panels(I):
    def put_block(out, at, r, part):
        out.number(at + 2 * r, part["d"][0], 2)
        out.number(at + 16 + 2 * r, part["dmin"][0], 2)
        for u in range(8):
            put_six(out, at + 32 + 12 * u, r, part["s"][u], part["m"][u])
        put_interleaved(out, at + 128, 8, I, r, bytes_of_5th_bits(part["q"]))
        put_interleaved(out, at + 384, 8, I, r, bytes_of_4_bits(part["q"]))
    return k_panels(8, 1408, put_block)


def put_q5_k_row(out, at, _, part):
    out.number(at, part["d"][0], 2)
    out.number(at + 2, part["dmin"][0], 2)
    for u in range(8):
        put_six(out, at + 4, u, part["s"][u], part["m"][u])
    out[at + 16:at + 48] = bytes_of_5th_bits(part["q"])
    out[at + 48:at + 176] = bytes_of_4_bits(part["q"])


def bytes_of_2_bits(q):
    """Returns the quants of Q2_K, and the high bits of Q6_K: byte k / 128 * 32 + k % 32, bits 2 * (k % 128 / 32)."""
    out = Bytes(64)
    for k in range(256):
        out.put(k // 128 * 32 + k % 32, q[k], k % 128 // 32 * 2, 2)
    return out


def put_q2_k_row(out, at, _, part):
    for u in range(16):
        out.nibble(at + u, False, part["s"][u])
        out.nibble(at + u, True, part["m"][u])
    out[at + 16:at + 80] = bytes_of_2_bits(part["q"])
    out.number(at + 80, part["d"][0], 2)
    out.number(at + 82, part["dmin"][0], 2)


def q2_k_panels(R, I, place_of_scale):
    def put_block(out, at, r, part):
        out.number(at + 2 * r, part["d"][0], 2)
        out.number(at + 2 * R + 2 * r, part["dmin"][0], 2)
        for u in range(16):
            byte = at + 4 * R + place_of_scale(u, r)
            out.nibble(byte, False, part["s"][u])
            out.nibble(byte, True, part["m"][u])
        put_interleaved(out, at + 20 * R, R, I, r, bytes_of_2_bits(part["q"]))
    return k_panels(R, 84 * R, put_block)


def bytes_of_low_bits_of_6(q):
    """Returns ql of Q6_K: byte k / 128 * 64 + k % 64, high where k % 128 >= 64."""
    out = Bytes(128)
    for k in range(256):
        out.nibble(k // 128 * 64 + k % 64, k % 128 >= 64, q[k] % 16)
    return out


def put_q6_k_row(out, at, _, part):
    out[at:at + 128] = bytes_of_low_bits_of_6(part["q"])
    out[at + 128:at + 192] = bytes_of_2_bits([q // 16 for q in part["q"]])
    out[at + 192:at + 208] = bytes(part["s"])
    out.number(at + 208, part["d"][0], 2)


def q6_k_panels(I):
    def put_block(out, at, r, part):
        out.number(at + 2 * r, part["d"][0], 2)
        for u in range(16):
            out.put(at + 16 + 8 * u + r, part["s"][u])
        put_interleaved(out, at + 144, 8, I, r, bytes_of_low_bits_of_6(part["q"]))
        put_interleaved(out, at + 1168, 8, I, r, bytes_of_2_bits([q // 16 for q in part["q"]]))
    return k_panels(8, 1680, put_block)


def nvfp4_rows(v):
    rows, depth = size_of(v, "q")
    out = Bytes(rows * depth // 64 * 36)
    for n in range(rows):
        for k in range(depth):
            at, u = (n * (depth // 64) + k // 64) * 36, k % 64 // 16
            out[at + u] = v["d"][n][k // 16]
            out.nibble(at + 4 + 8 * u + k % 8, k % 16 >= 8, v["q"][n][k])
    return out


# llama.cpp: AMX tiles of 16 rows by 32 (or 256) k.

def put_amx_nibbles(out, at, r, q):
    for k, value in enumerate(q):
        out.nibble(at + k // 8 * 64 + r * 4 + k % 4, k % 8 >= 4, value)


def amx_q4(has_minimum):
    def packed(v):
        rows, depth = size_of(v, "q")
        size = 320 if has_minimum else 288
        out = Bytes(rows // 16 * (depth // 32) * size)
        for n in range(rows):
            for b in range(depth // 32):
                at, r = (n // 16 * (depth // 32) + b) * size, n % 16
                put_amx_nibbles(out, at, r, v["q"][n][32 * b:32 * b + 32])
                out.number(at + 256 + 2 * r, v["d"][n][b], 2)
                if has_minimum:
                    out.number(at + 288 + 2 * r, v["m"][n][b], 2)
        return out
    return packed


def signed(bits, width=8):
    return bits - (bits >> (width - 1) << width)


def amx_q8_0(v):
    rows, depth = size_of(v, "q")
    out = Bytes(rows // 16 * (depth // 32) * 608)
    for n in range(rows):
        for b in range(depth // 32):
            at, r, q = (n // 16 * (depth // 32) + b) * 608, n % 16, v["q"][n][32 * b:32 * b + 32]
            for k in range(32):
                out.put(at + k // 4 * 64 + r * 4 + k % 4, q[k])
            out.number(at + 512 + 2 * r, v["d"][n][b], 2)
            out.number(at + 544 + 4 * r, 128 * sum(signed(x) for x in q), 4)
    return out


def put_amx_q4_k(out, at, r, part):
    put_amx_nibbles(out, at, r, part["q"])
    for u in range(8):
        out.put(at + 2048 + 16 * u + r, part["s"][u])
        out.put(at + 2176 + u // 2 * 32 + 2 * r + u % 2, part["m"][u])
    out.number(at + 2304 + 2 * r, part["d"][0], 2)
    out.number(at + 2336 + 2 * r, part["dmin"][0], 2)


def put_amx_q5_k(out, at, r, part):
    put_amx_nibbles(out, at, r, [q % 16 for q in part["q"]])
    for k, q in enumerate(part["q"]):
        out.put(at + 2048 + k // 32 * 64 + r * 4 + k % 4, q // 16, k % 32 // 4, 1)
    for u in range(8):
        out.put(at + 2560 + 16 * u + r, part["s"][u])
        out.put(at + 2688 + u // 2 * 32 + 2 * r + u % 2, part["m"][u])
    out.number(at + 2816 + 2 * r, part["d"][0], 2)
    out.number(at + 2848 + 2 * r, part["dmin"][0], 2)


def put_amx_q6_k(out, at, r, part):
    put_amx_nibbles(out, at, r, [q % 16 for q in part["q"]])
    for k, q in enumerate(part["q"]):
        out.put(at + 2048 + k // 16 * 64 + r * 4 + k % 4, q // 16, k % 16 // 4 * 2, 2)
    for u in range(16):
        out.put(at + 3072 + 16 * u + r, part["s"][u])
    out.number(at + 3328 + 2 * r, part["d"][0], 2)


def put_amx_iq4_xs(out, at, r, part):
    """Scales of 6 bits have the zero 32, and are stored without it."""
    put_amx_nibbles(out, at, r, part["q"])
    for u in range(8):
        out.put(at + 2048 + 16 * u + r, (part["s"][u] - 32) % 256)
    out.number(at + 2176 + 2 * r, part["d"][0], 2)


# llama.cpp for SpacemiT: panels of R rows, a block is the scales and then each row, or runs of it.

def spacemit(R, size, put_row):
    def packed(v):
        rows, depth = size_of(v, "q")
        out = Bytes(rows // R * (depth // 32) * size)
        for n in range(rows):
            for b in range(depth // 32):
                at, r = (n // R * (depth // 32) + b) * size, n % R
                out.number(at + 2 * r, v["d"][n][b], 2)
                put_row(out, at + 2 * R, r, v["q"][n][32 * b:32 * b + 32])
        return out
    return packed


def put_spacemit_q4_0_16(out, at, r, q):
    for k in range(32):
        out.nibble(at + k // 16 * 128 + r * 8 + k % 8, k % 16 >= 8, q[k])


def put_spacemit_q4_0_32(out, at, r, q):
    for k in range(32):
        out.nibble(at + r * 16 + k // 2, k % 2, q[k])


def put_spacemit_q5_0_32(out, at, r, q):
    for k in range(32):
        out.put(at + r * 4 + k // 8, q[k] // 16, k % 8, 1)
        out.nibble(at + 128 + r * 16 + k // 2, k % 2, q[k] % 16)


def put_spacemit_q3_k(out, at, r, part):
    """Scales without their zero 32; a word of the third bits of 16 k; bytes of k, k + 16, k + 32, k + 48."""
    for j in range(16):
        out.put(at + 32 * j + r, (part["s"][j] - 32) % 256)
        out.number(at + 512 + 64 * j + 2 * r, sum(q // 4 << i for i, q in enumerate(part["q"][16 * j:16 * j + 16])), 2)
    for k, q in enumerate(part["q"]):
        out.put(at + 1536 + (k // 64 * 32 + r) * 16 + k % 16, q % 4, k % 64 // 16 * 2, 2)
    out.number(at + 3584 + 2 * r, part["d"][0], 2)


def put_spacemit_q8_0_32(out, at, r, q):
    out[at + r * 32:at + r * 32 + 32] = bytes(q)
