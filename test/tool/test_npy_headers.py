"""Headers of .npy files from programs other than NumPy 2, compared with numpy.load; types; fields."""

import io
import os
import struct
import tempfile
import warnings

import numpy

import tool
from tool import check, end, run

X = numpy.arange(1, 7, dtype="<f4").reshape(2, 3)
HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"


def npy(header, data=X.tobytes(), version=1):
    length = 2 if version == 1 else 4
    text = header.encode("utf-8" if version == 3 else "latin1")
    text += b" " * (-(8 + length + len(text) + 1) % 64) + b"\n"
    return b"\x93NUMPY" + bytes((version, 0)) + struct.pack("<H" if version == 1 else "<I", len(text)) + text + data


def moved(folder, content, *more, formats=("ab", "ba")):
    """Returns the tool's output for a file with these bytes; None and the sentence if it is rejected."""
    source, target = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
    with open(source, "wb") as file:
        file.write(content)
    answer = run("reorder", source, target, "--from", formats[0], "--to", formats[1], *more)
    check(answer.returncode in (0, 1), f"{content[:80]}: {answer.returncode}")
    return (None, answer.stderr) if answer.returncode else (numpy.load(target), "")


def literals(folder):
    same = [HEADER.replace("(2, 3)", shape) for shape in
            ("(2L, 3L)", "(2L,3L,)", "(2,3)", "( 2 , 3 )", "(\t2,\n3\r\n)", "(0x2, 0b11)", "(0o2, 3)", "(2, +3)", "((2), (3))",
             "((2, 3))", "(2, # two\n 3)", "(2,\\\n3)")]
    same += [HEADER.replace("'<f4'", name) for name in
             ('"<f4"', "u'<f4'", 'U"<f4"', "r'<f4'", "'''<f4'''", '"""<f4"""', "'<' 'f4'", r"'\x3cf4'", r"'\u003cf4'",
              r"'\74f\64'", r"'\U0000003cf4'", "('<f4')", "'f4'", "'=f4'", "'|f4'", "'<\\\nf4'")]
    same += [HEADER.replace("'", '"'), HEADER.replace(" ", "\t"), HEADER.replace(" ", "\n"), HEADER.replace(" ", ""),
             HEADER.replace(", }", "}"), f"({HEADER})", " \t" + HEADER, HEADER + "\t\n", HEADER.replace("False", "False ,"),
             "{'shape': (2, 3), 'descr': '<f4', 'fortran_order': False}", HEADER.replace("'shape'", "u'sh' \"ape\"")]
    for header in same:
        for version in (1, 2, 3):
            content = npy(header, version=version)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    wanted = numpy.load(io.BytesIO(content))
            except (ValueError, SyntaxError):
                wanted = None
            got, why = moved(folder, content)
            check((got is None) == (wanted is None), f"{header!r} in version {version}: {why}")
            check(got is None or (got == X.T).all(), f"{header!r} in version {version}")
    check(moved(folder, npy(HEADER.replace("'<f4'", "b'<f4'")))[0] is not None, "a name in bytes")
    check(moved(folder, npy(HEADER.replace("(2, 3)", "(2L, 3L)"), version=3))[0] is None, "no long in version 3")


def malformed(folder):
    for header, says in ((HEADER.replace("(2, 3)", "(2, 3"), "lacks a value at character 58"),
                         (HEADER.replace("(2, 3)", "(2,, 3)"), "lacks a value at character 54"),
                         (HEADER.replace("(2, 3)", "(2 3)"), "lacks a ')' at character 54"),
                         (HEADER.replace("(2, 3)", "(02, 3)"), "begins with 0 at character 52"),
                         (HEADER.replace("(2, 3)", "(2l, 3)"), "'l' within a whole number at character 53"),
                         (HEADER.replace("(2, 3)", "(2.0, 3)"), "'.' within a whole number"),
                         (HEADER.replace("(2, 3)", "[2, 3]"), "no tuple"), (HEADER.replace("(2, 3)", "(6)"), "no tuple"),
                         (HEADER.replace("(2, 3)", "(True, 6)"), "entry 1"), (HEADER.replace("(2, 3)", "(2, -3)"), "entry 2"),
                         (HEADER.replace("'<f4'", "'<f4"), "lacks"), (HEADER.replace("'<f4'", "<f4"), "lacks a value"),
                         (HEADER.replace("'<f4'", r"'\xf'"), "hexadecimal digit"), (HEADER + ";", "text after"),
                         (HEADER.replace("False", "0"), "neither True nor False"), (HEADER.replace("False", "maybe"), "fortran_order"),
                         (HEADER.replace("'descr'", "'more': 1, 'descr'"), "unexpected key 'more' at character 2"),
                         (HEADER[:-1], "lacks a '}'"), (HEADER.replace("'descr':", "'descr'"), "lacks a ':'"),
                         ("[]", "no dictionary"), ("", "lacks a value"), (HEADER.replace("'<f4'", "(" * 100), "in more than 32"),
                         (HEADER.replace("'<f4'", "'<f3'"), "'<f3'"), (HEADER.replace("'<f4'", "'|O'"), "Python objects")):
        got, why = moved(folder, npy(header))
        check(got is None and "x.npy" in why and says in why, f"{header!r}: {why}")


def types(folder):
    """Every type of 1, 2, 4 or 8 bytes is moved bit by bit; others are rejected because of their size."""
    bits = numpy.random.default_rng(3).integers(0, 256, (2, 3, 8), "u1")
    for name in ("|b1", "|i1", "<u2", "<i8", ">u8", "<f2", "<c8", ">c8", "|S1", "|S4", "|S8", "<U1", ">U2", "|V2", "|V8", "<M8[ns]", ">m8[us]",
                 "<M8"):
        x = numpy.frombuffer(bits[..., : numpy.dtype(name).itemsize].tobytes(), name).reshape(2, 3)
        if name[1] == "U":
            x = numpy.array([["a", "b"[: numpy.dtype(name).itemsize // 4], "c"]] * 2, name)
        memory = io.BytesIO()
        numpy.save(memory, x)
        got, why = moved(folder, memory.getvalue())
        wanted = x.T.astype(x.dtype.newbyteorder("<"))
        check(got is not None and got.dtype == wanted.dtype and got.tobytes() == wanted.tobytes(), f"{name}: {why}")
    for name, size in (("<U7", 28), ("|S3", 3), ("<c16", 16), ("|V0", 0), ("|V16", 16)):
        memory = io.BytesIO()
        numpy.save(memory, numpy.zeros((2, 3), name)) if size else memory.write(npy(HEADER.replace("<f4", name), b""))
        got, why = moved(folder, memory.getvalue())
        check(got is None and f"'{name}', whose elements have {size} bytes" in why, f"{name}: {why}")


def fields(folder):
    record = numpy.dtype([("a", "<f4"), (("Title", "b"), ">i2"), ("pos", [("x", "<f8"), ("y", "|i1")]), ("m", "<u2", (4,)),
                          ("two", [("z", "<f4")], (2,)), ("größe", "|u1")], align=True)
    for x in (numpy.zeros((2, 3), record), numpy.zeros((2, 3), record, order="F")):
        for i, index in enumerate(numpy.ndindex(2, 3)):
            x[index]["a"], x[index]["pos"]["x"], x[index]["b"], x[index]["größe"] = i, i + 0.5, i - 3, i
            x[index]["m"], x[index]["two"]["z"] = numpy.arange(4) + i, numpy.arange(2) + i
        memory = io.BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            numpy.save(memory, x)
        for path, wanted in (("a", x["a"]), ("b", x["b"]), ("Title", x["b"]), ("pos.x", x["pos"]["x"]), ("pos.y", x["pos"]["y"]),
                             ("m", x["m"]), ("two.z", x["two"]["z"]), ("größe", x["größe"])):
            formats = ("ab", "ba") if wanted.ndim == 2 else ("abc", "cab")
            got, why = moved(folder, memory.getvalue(), "--field", path, formats=formats)
            wanted = wanted.T if wanted.ndim == 2 else wanted.transpose(2, 0, 1)
            check(got is not None and (got == wanted).all() and got.shape == wanted.shape, f"--field {path}: {why}")
        for more, says in (([], "--field a, --field b, --field pos.x"), (["--field", "c"], "no field 'c'"),
                           (["--field", "pos"], "no field 'pos'")):
            got, why = moved(folder, memory.getvalue(), *more)
            check(got is None and says in why, f"{more}: {why}")
    got, why = moved(folder, npy(HEADER), "--field", "a")
    check(got is None and "no structured array" in why, why)
    got, why = moved(folder, npy(HEADER.replace("'<f4'", "[('a', '<u2'), ('a', '<u2')]")), "--field", "a")
    check(got is None and "'a' twice" in why, why)


def alignment(folder):
    """Data begins at a multiple of 64 bytes, as in files of NumPy, whatever the length of the header."""
    for digits in range(1, 70):
        shape = (1,) * (digits % 9) + (int("1" + "0" * (digits // 12)),)
        letters = "abcdefghijkl"[:len(shape)]
        moved(folder, npy(HEADER.replace("(2, 3)", repr(shape)), b"\0" * 4 * shape[-1]), formats=(letters, letters))
        with open(os.path.join(folder, "y.npy"), "rb") as file:
            content = file.read()
        begin = 10 + int.from_bytes(content[8:10], "little")
        check(begin % 64 == 0 and len(content) == begin + 4 * shape[-1], f"{shape}: data at {begin} of {len(content)}")


for test in (literals, malformed, types, fields, alignment):
    with tempfile.TemporaryDirectory() as directory:
        test(directory)
end()
