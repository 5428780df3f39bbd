"""The tool compared with NumPy: the same bytes as reshape and transpose, and one clear sentence for every other
input."""

import os
import tempfile

import numpy

import tool
from memory import to_memory
from tool import check, end, run


def round_trips(folder):
    generator = numpy.random.default_rng(7)
    source, target, back = (os.path.join(folder, name) for name in ("in.npy", "out.npy", "back.npy"))
    cases = [
        ("nchw", (2, 17, 5, 4), ["nChw16c", "nChw8c", "nhwc", "chwn", "nChw4c", "NChw2n3c", "nChw24c"]),
        ("nchw", (1, 64, 56, 56), ["nChw16c", "nChw8c", "nhwc"]),
        ("oihw", (33, 20, 3, 3), ["OIhw16i16o", "OIhw4i16o4i", "OIhw8i16o2i", "hwio", "Ohwi16o"]),
        ("goihw", (2, 9, 7, 3, 1), ["gOIhw8i8o", "Goihw8g", "hwigo"]),
        ("abc", (3, 40, 70), ["acb", "cab", "aCB16b16c", "abC48c"]),
        ("x", (7,), ["x", "X4x"]),
        ("nc", (0, 5), ["cn", "nC4c"]),
    ]
    for logical, shape, tags in cases:
        letters = "".join(axis for axis in logical)
        for dtype in ("<f4", "<f8", "<f2", "<i4", "|i1", "|u1", "<i8", "<u2", "|b1", "<c8"):
            values = generator.integers(0, 2 if dtype == "|b1" else 100, shape).astype(dtype)
            for tag in tags:
                what = f"{logical} -> {tag} {shape} {dtype}"
                numpy.save(source, values)
                answer = run("reorder", source, target, "--from", logical, "--to", tag)
                check(answer.returncode == 0, what + ": " + answer.stderr)
                wanted = to_memory(values, letters, tag)
                got = numpy.load(target)
                check(got.dtype == wanted.dtype and got.shape == wanted.shape and got.tobytes() == wanted.tobytes(), what)
                answer = run("reorder", target, back, "--from", tag, "--to", logical, "--dims", "x".join(map(str, shape)))
                check(answer.returncode == 0 and numpy.load(back).tobytes() == values.tobytes(), what + " and back")
                with open(source, "rb") as by_numpy, open(back, "rb") as by_plait:
                    check(by_numpy.read() == by_plait.read(), what + " and back: the header is NumPy's")
    # A file reordered in place, and one in Fortran order.
    values = numpy.arange(2 * 3 * 4 * 5, dtype="<f4").reshape(2, 3, 4, 5)
    numpy.save(source, numpy.asfortranarray(values))
    check(run("reorder", source, source, "--from", "nchw", "--to", "nhwc").returncode == 0, "onto itself")
    check((numpy.load(source) == values.transpose(0, 2, 3, 1)).all(), "Fortran order")


def refusals(folder):
    def path(name):
        return os.path.join(folder, name)

    good, out = path("good.npy"), path("kept.npy")
    numpy.save(good, numpy.zeros((2, 17, 5, 4), "<f4"))
    with open(good, "rb") as file:
        whole = file.read()
    with open(out, "wb") as file:
        file.write(b"as it was")

    def refused(what, *arguments, says, code=1, lines=1):
        before = sorted(os.listdir(folder))
        answer = tool.refused(what, *arguments, says=says, code=code, lines=lines)
        check(answer.stdout == "", f"{what}: prints {answer.stdout}")
        check(sorted(os.listdir(folder)) == before, f"{what}: leaves files behind")
        with open(out, "rb") as file:  # the previous contents of the output
            check(file.read() == b"as it was", f"{what}: overwrites")

    def reorder_of(name, source="nchw", target="nChw16c", *more):
        return ["reorder", name, out, "--from", source, "--to", target, *more]

    refused("bad tag", *reorder_of(good, "nchq"), says=["nchq", "column 4", "nchw"], lines=2)
    refused("bad tag", *reorder_of(good, "nchw", "nChw16"), says=["nChw16", "column 5", "tag_block_is_malformed", "nChw16c"], lines=2)
    refused("bad block", *reorder_of(good, "nchw", "nChw1c"), says=["column 5", "at least 2"], lines=None)
    refused("any", *reorder_of(good, "any"), says=["any"])
    refused("tag ranks", *reorder_of(good, "nchw", "nhc"), says=["4 axes", "3"])
    refused("rank", *reorder_of(good, "nhc", "nch"), says=["good.npy", "(2, 17, 5, 4)", "4 axes", "3"])
    refused("block in shape", *reorder_of(good, "nCh8c", "nch"), says=["good.npy", "has 4 at place 4", "blocks of 8"])
    refused("dims", *reorder_of(good, "nchw", "nhwc", "--dims", "2x16x5x4"), says=["2x16x5x4", "2x17x5x4"])
    refused("dims text", *reorder_of(good, "nchw", "nhwc", "--dims", "2x17y5"), says=["2x17y5", "column 5"])
    refused("no file", *reorder_of(path("absent.npy")), says=["absent.npy", "No such file"])
    refused("a directory", *reorder_of(folder), says=[folder])
    refused("no place", "reorder", good, path("no/such/place.npy"), "--from", "nchw", "--to", "nhwc", says=["no/such/place.npy", "cannot be written"])
    refused("overflow", "show", "nchw", "4294967296x4294967296x4294967296x1", says=["size_overflows", "4294967296"])
    refused("negative", "show", "ab", "3x-4", says=["3x-4", "column 3"])
    refused("show ranks", "show", "nchw", "3x4", says=["rank_differs", "4", "2", "ab 3x4"], lines=2)
    refused("explain type", "explain", "nchw", "nhwc", "1x2x3x4", "--type", "f31", says=["f31", "bf16", "nearest   f32"], lines=2)
    refused("explain to", "explain", "nchw", "nhwc", "1x2x3x4", "--to", "int8", says=["int8", "nearest   s8"], lines=2)
    refused("explain isa", "explain", "nchw", "nhwc", "1x2x3x4", "--isa", "mmx", says=["mmx", "avx2", "all"])
    refused("explain rank", "explain", "nchw", "nhc", "1x2x3x4", says=["nhc", "rank_differs"], lines=2)
    refused("explain tag", "explain", "nchq", "nhwc", "1x2x3x4", says=["nchq", "column 4"], lines=2)
    refused("no arguments", says=[], code=2)
    refused("unknown command", "transpose", says=["transpose"], code=2)
    refused("a command with a typo", "reodrer", says=["reodrer", "nearest   plait reorder"], code=2, lines=2)
    refused("missing option", "reorder", good, out, "--from", "nchw", says=["--to"], code=2)
    refused("unknown option", *reorder_of(good, "nchw", "nhwc", "--quickly"), says=["--quickly"], code=2)

    header = whole.index(b"\n") + 1
    files = {
        "empty": (b"", "ends within the .npy signature"),
        "other": (b"PX\x03\x04" + whole[4:], "no .npy file"),
        "version": (whole[:6] + b"\x09" + whole[7:], "version 9"),
        "cut header": (whole[:40], "ends within the .npy header"),
        "cut data": (whole[:-1], "2719 bytes of data"),
        "more data": (whole + b"!", "2721 bytes of data"),
        "huge header": (whole[:6] + b"\x02\x00\xff\xff\xff\xff" + whole[10:], "4294967295"),
        "key": (whole.replace(b"'descr'", b"'desxr'"), "desxr"),
        "type": (whole.replace(b"'<f4'", b"'|O4'"), "|O4"),
        "long type": (whole.replace(b"'<f4'", b"'<f9'"), "<f9"),
        "complex": (whole.replace(b"'<f4'", b"'<c4'"), "<c4"),
        "order": (whole.replace(b"False", b"Maybe"), "fortran_order"),
        "shape": (whole.replace(b"17", b"-7"), "entry 2"),
        "huge shape": (whole.replace(b"(2, 17, 5, 4)", b"(9999999999999999999,)")[: len(whole)], "63 bits"),
        "large shape": (whole.replace(b"(2, 17, 5, 4), }  ", b"(4000000000, 400000000, 5, 4), }")[:header] + whole[header:], ""),
        "no brace": (whole.replace(b"}", b" "), "'"),
        "twice": (whole.replace(b"'shape': (2, 17, 5, 4), }  ", b"'shape': (2,),'shape':(2,)}"), "unexpected key 'shape'"),
        "junk": (whole[:10] + bytes((7 * i + 3) % 256 for i in range(header - 10)) + whole[header:], "header"),
    }
    for what, (content, says) in files.items():
        name = path("bad.npy")
        with open(name, "wb") as file:
            file.write(content)
        refused(what, *reorder_of(name), says=["bad.npy", says])
        os.remove(name)


def shows():
    answer = run("show", "nChw8c", "2x17x5x4")
    check(answer.returncode == 0, "show")
    for text in ("name      nChw8c 2x17x5x4", "2x24x5x4", "480x160x32x8", "960"):
        check(text in answer.stdout, f"show lacks {text}: {answer.stdout}")
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include/plait/version.hpp")
    with open(header, encoding="utf-8") as file:
        check(f'PLAIT_VERSION "{run("--version").stdout.strip()}"' in file.read(), "--version")
    check(run("--help").returncode == 0, "--help")


def explains():
    def lines_of(*arguments):
        answer = run("explain", *arguments)
        check(answer.returncode == 0 and answer.stderr == "", f"explain {arguments}: {answer.stderr}")
        return answer.stdout.splitlines()

    lines = lines_of("nchw", "nChw16c", "1x17x56x56", "--to", "bf16", "--isa", "avx2")
    check(lines[0] == "reorder   f32 nchw 1x17x56x56 -> bf16 nChw16c 1x17x56x56, avx2", f"explain: {lines[0]}")
    for text in ("memory    53312 elements: 213248 bytes read, 200704 written", "bounds    x  17 elements, 32 stored",
                 "copy      a copy into another order, each element converted; padding to 1x32x56x56 is written as zeros"):
        check(text in lines, f"explain lacks '{text}'")
    check(15 <= len(lines) <= 40 and max(map(len, lines)) <= 160, "explain: its size")
    names = [line.split()[0] for line in lines_of("nchw", "nhwc", "1x3x8x8", "--type", "u8", "--isa", "all")[1:]]
    check(names == ["portable", "neon", "sse41", "avx2", "avx512"], f"explain all: {names}")
    cpu = lines_of("ab", "ba", "64x64")[0].split()[-1]  # the widest instruction set of this CPU
    check(cpu in names, f"explain: {cpu}")


with tempfile.TemporaryDirectory() as directory:
    round_trips(directory)
with tempfile.TemporaryDirectory() as directory:
    refusals(directory)
shows()
explains()
end()
