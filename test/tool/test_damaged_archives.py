"""Ambiguous archives, or with hidden members: .npz and .safetensors files that are rejected with the place."""

import io
import json
import os
import struct
import tempfile
import zipfile
import zlib

import numpy

from tool import check, end, run

X = numpy.arange(6, dtype="<f4").reshape(2, 3)


def npy_bytes(x):
    memory = io.BytesIO()
    numpy.save(memory, x)
    return memory.getvalue()


def npz(arrays, comment=b"", method=zipfile.ZIP_STORED):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as archive:
        archive.comment = comment
        for name, x in arrays.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as member:
                member.write(npy_bytes(x))
    return bytearray(memory.getvalue())


def moved(folder, content, ending, *more):
    source, target = os.path.join(folder, "x" + ending), os.path.join(folder, "y.npz")
    if os.path.exists(target):
        os.remove(target)
    with open(source, "wb") as file:
        file.write(content)
    answer = run("reorder", source, target, "--from", "ab", "--to", "ba", *more)
    check(answer.returncode in (0, 1) and (answer.returncode == 0) == os.path.exists(target), f"{answer.returncode} {answer.stderr}")
    return (numpy.load(target) if answer.returncode == 0 else None), answer.stderr


def refused(folder, what, content, ending, *says):
    got, why = moved(folder, content, ending)
    check(got is None and all(text in why for text in says) and "x" + ending in why, f"{what}: {'accepted' if got else why}")


def zip_archives(folder):
    two = npz({"a": X, "b": X + 1})
    for content in (two, npz({"a": X, "b": X + 1}, b"a comment"), npz({"a": X, "b": X + 1}, b"PK\5\6 in a comment"),
                    npz({"a": X, "b": X + 1}, method=zipfile.ZIP_DEFLATED)):
        got, why = moved(folder, content, ".npz")
        check(got is not None and (got["a"] == X.T).all() and (got["b"] == X.T + 1).all(), f"zip64 members, comments: {why}")
    end_record = two.rindex(b"PK\5\6")
    first, second = two.index(b"PK\1\2"), two.rindex(b"PK\1\2")
    local = two.index(b"PK\3\4", 4)

    def changed(*places):
        out = bytearray(two)
        for form, at, value in places:
            struct.pack_into(form, out, at, value)
        return out

    refused(folder, "the count", changed(("<H", end_record + 10, 1)), ".npz", "counts 1", "2 in this file")
    refused(folder, "both counts", changed(("<H", end_record + 10, 1), ("<H", end_record + 8, 1)), ".npz", "counts 1", "has 2")
    refused(folder, "counts and size", changed(("<H", end_record + 10, 1), ("<H", end_record + 8, 1),
                                               ("<I", end_record + 12, second - first)), ".npz", "end record is at byte")
    refused(folder, "counts, size, begin", changed(("<H", end_record + 10, 1), ("<H", end_record + 8, 1), ("<I", end_record + 16, second),
                                                   ("<I", end_record + 12, end_record - second)), ".npz", "from 0 to", "belong to no member")
    refused(folder, "more than there are", changed(("<H", end_record + 10, 3), ("<H", end_record + 8, 3)), ".npz", "counts 3", "has 2")
    refused(folder, "a name in the directory", changed(("<B", second + 46, ord("c"))), ".npz", "'c.npy'", f"at byte {local}", "'b.npy'")
    refused(folder, "a name behind it", changed(("<B", local + 30, ord("c"))), ".npz", "'b.npy'", "'c.npy'")
    refused(folder, "the same place", changed(("<I", second + 42, 0)), ".npz", "'b.npy'", "'a.npy'")
    refused(folder, "a checksum", changed(("<I", local + 14, 1)), ".npz", "the checksum")
    refused(folder, "a method", changed(("<H", local + 8, 8)), ".npz", "by method 8")
    refused(folder, "a NUL", bytes(two).replace(b"b.npy", b"b\0npy"), ".npz", "NUL")
    refused(folder, "encrypted", changed(("<H", first + 8, 1), ("<H", 6, 1)), ".npz", "encrypted")
    refused(folder, "a later version", changed(("<H", first + 6, 64)), ".npz", "needs version 64")
    refused(folder, "in several parts", changed(("<H", end_record + 4, 1)), ".npz", "one part")
    one, size = npz({"a": X}), len(npy_bytes(X))
    entry = one.index(b"PK\1\2")
    extra = struct.pack("<6H", 1, 0, size, 0, 0, 0)  # a zip64 field of no bytes, and fields that read as the size behind it
    begin = entry + 46 + len("a.npy")
    short = one[:begin] + extra + one[begin:]
    struct.pack_into("<I", short, entry + 24, 0xffffffff)
    struct.pack_into("<H", short, entry + 30, len(extra))
    last = short.rindex(b"PK\5\6")
    struct.pack_into("<I", short, last + 12, last - entry)
    refused(folder, "a zip64 field without its number", short, ".npz", "4294967295")
    refused(folder, "bytes in front", b"#!/bin/sh\n" + two, ".npy", "x.npy")
    refused(folder, "a byte in front of the directory's end", two[:end_record] + b"!" + two[end_record:], ".npz", "end record is at byte")


def overlapping(folder):
    """Members inside another member, each with its own header that the directory points to."""
    raw = npy_bytes(X)
    header = lambda name, size, crc: struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 0, 0, 0, crc, size, size, len(name), 0) + name
    inner = header(b"b.npy", len(raw), zlib.crc32(raw)) + raw
    outer_data = raw + inner
    whole = header(b"a.npy", len(outer_data), zlib.crc32(outer_data)) + outer_data
    entry = lambda name, data, at: struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 0, 0, 0, zlib.crc32(data), len(data),
                                              len(data), len(name), 0, 0, 0, 0, 0, at) + name
    directory = entry(b"a.npy", outer_data, 0) + entry(b"b.npy", raw, len(whole) - len(inner))
    last = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 2, 2, len(directory), len(whole), 0)
    refused(folder, "a member in another", whole + directory + last, ".npz", "overlap", "'a.npy'", "'b.npy'")
    deflated = npz({"a": X}, method=zipfile.ZIP_DEFLATED)
    first = deflated.index(b"PK\1\2")
    size = struct.unpack_from("<I", deflated, first + 20)[0]
    longer = deflated[:first] + b"!" + deflated[first:]
    struct.pack_into("<I", longer, first + 21, size + 1)
    struct.pack_into("<I", longer, longer.rindex(b"PK\5\6") + 16, first + 1)
    struct.pack_into("<I", longer, 18, size + 1)
    struct.pack_into("<Q", longer, longer.index(b"\1\0\x10\0") + 12, size + 1)
    refused(folder, "a byte behind what is deflated", longer, ".npz", "damaged at byte")


def streamed(folder):
    """Archives written to a pipe: sizes and checksums follow the members."""
    class pipe(io.RawIOBase):
        content = b""

        def writable(self):
            return True

        def write(self, data):
            self.content += bytes(data)
            return len(data)

    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        out = pipe()
        with zipfile.ZipFile(out, "w", method) as archive:
            for name in ("a", "b"):
                archive.writestr(name + ".npy", npy_bytes(X))
        got, why = moved(folder, out.content, ".npz")
        check(got is not None and (got["b"] == X.T).all(), f"data descriptors: {why}")
        descriptor = out.content.index(b"PK\7\x08")
        for at in (4, 8, 12):
            changed = bytearray(out.content)
            changed[descriptor + at] ^= 1
            refused(folder, f"byte {at} of a data descriptor", changed, ".npz", "'a.npy'", f"behind it, at byte {descriptor}")


def safetensors(header, data, blanks=b""):
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text + blanks)) + text + blanks + data


def tensor(begin, stop, dtype="F32", shape=(2, 3)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, stop]}


def tensors(folder):
    data = X.tobytes()
    good = {"a": tensor(0, 24)}
    for content in (safetensors(good, data), safetensors(good, data, b"   "),
                    safetensors({"b": tensor(24, 48), "a": tensor(0, 24)}, data + data),
                    safetensors({"a": tensor(0, 24), "": tensor(24, 48)}, data + data)):
        got, why = moved(folder, content, ".safetensors")
        check(got is not None and (got["a"] == X.T).all(), f"good: {why}")
    text = json.dumps(good).encode()
    for what, content, *says in (
            ("a hole in front", safetensors({"a": tensor(4, 28)}, b"1234" + data), "from 0 to 4 belong to no tensor"),
            ("a hole", safetensors({"a": tensor(0, 24), "b": tensor(25, 49)}, data + b"!" + data), "from 24 to 25"),
            ("bytes behind", safetensors(good, data + b"!"), "from 24 to 25 belong to no tensor"),
            ("bytes of nothing", safetensors({}, b"!"), "from 0 to 1"),
            ("blanks in front", safetensors(b"  " + text, data), "at byte 8"),
            ("a byte order mark", safetensors(b"\xef\xbb\xbf" + text, data), "at byte 8"),
            ("a NUL behind", safetensors(text, data, b"\0" * 8), f"at byte {8 + len(text)}"),
            ("a NUL and more", safetensors(text + b"\0hidden", data), f"at byte {8 + len(text)}"),
            ("a line end behind", safetensors(text, data, b"\n"), f"at byte {8 + len(text)}"),
            ("text behind", safetensors(text + b"{}", data), "at byte"),
            ("a list", safetensors(b"[]", b""), "at byte 8"), ("no header", safetensors(b"", b""), "at byte 8"),
            ("twice", safetensors(text[:-1] + b", " + text[1:], data), "'a' is there twice"),
            ("twice, escaped", safetensors(text[:-1] + b", " + text[1:].replace(b'"a"', b'"\\u0061"'), data), "'a' is there twice"),
            ("a field twice", safetensors(text.replace(b'"shape"', b'"dtype": "F32", "shape"'), data), "'dtype' is there twice"),
            ("overlap", safetensors({"a": tensor(0, 24), "b": tensor(20, 44)}, data + data[:20]), "'b'", "overlaps"),
            ("an empty one within another", safetensors({"a": tensor(0, 24), "b": tensor(8, 8, shape=(0, 3))}, data), "overlaps"),
            ("backwards", safetensors({"a": tensor(24, 0)}, data), "from byte 24 to 0"),
            ("a size", safetensors({"a": tensor(0, 20)}, data[:20]), "20 bytes", "need 24"),
            ("a fraction", safetensors(text.replace(b"24", b"24.0"), data), "63 bits"),
            ("half a byte", safetensors({"a": tensor(0, 2, "F4", (3,))}, b"12"), "12 bits"),
            ("a type below a byte", safetensors({"a": tensor(0, 3, "F4", (2, 4))}, b"123"), "3 bytes", "need 4"),
            ("a type of 6 bits", safetensors({"a": tensor(0, 6, "F6_E2M3", (2, 3))}, b"123456"), "36 bits"),
            ("no type", safetensors({"a": tensor(0, 24, "Q4_K")}, data), "'Q4_K', which is none that this plait knows")):
        refused(folder, what, content, ".safetensors", *says)


for test in (zip_archives, overlapping, streamed, tensors):
    with tempfile.TemporaryDirectory() as directory:
        test(directory)
end()
