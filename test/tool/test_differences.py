"""plait diff of files of arrays, compared with NumPy: which elements differ, by how much, and the exit code."""

import json
import os
import struct
import tempfile

import numpy

import tool
from tool import TOOL, check, end, pipe, run

FOLDER = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(FOLDER.name, name)


def npy(name, array):
    numpy.save(path(name), array)
    return path(name)


def safetensors(name, **arrays):
    header, data = {}, b""
    for key, (dtype, shape, content) in arrays.items():
        header[key] = {"dtype": dtype, "shape": list(shape), "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    with open(path(name), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    return path(name)


def same(what, *arguments, says=()):
    answer = run("diff", *arguments)
    check(answer.returncode == 0 and answer.stderr == "" and " are equal" in answer.stdout, f"{what}: {answer}")
    for text in says:
        check(text in answer.stdout, f"{what}: says '{answer.stdout}', not '{text}'")


def differ(what, *arguments, says=()):
    answer = run("diff", *arguments)
    check(answer.returncode == 1 and answer.stderr == "" and " differ\n" in answer.stdout, f"{what}: {answer}")
    for text in says:
        check(text in answer.stdout, f"{what}: says '{answer.stdout}', not '{text}'")
    return answer.stdout


def refused(what, *arguments, says, lines=1):
    answer = tool.refused(what, "diff", *arguments, says=says, code=2, lines=lines)
    check(answer.stdout == "", f"{what}: prints {answer.stdout}")


def said(*arguments, code):
    answer = run("diff", "--json", *arguments)
    check(answer.returncode == code and answer.stderr == "", f"{arguments}: {answer}")
    return json.loads(answer.stdout)


def wanted(a, b, atol=0.0, rtol=0.0):
    """What the tool must say, from NumPy in long double: how many differ, the first, the worst two."""
    with numpy.errstate(all="ignore"):
        wide = numpy.clongdouble if a.dtype.kind == "c" or b.dtype.kind == "c" else numpy.longdouble
        x, y = a.astype(wide).ravel(), b.astype(wide).ravel()

        def part(p, q):
            error = numpy.abs(p - q)
            error[(p == q) | (numpy.isnan(p) & numpy.isnan(q))] = 0
            error[numpy.isnan(error)] = numpy.inf
            return error

        error = numpy.hypot(part(x.real, y.real), part(x.imag, y.imag))
        size = numpy.abs(y)
        finite = numpy.isfinite(error) & numpy.isfinite(size)
        relative = numpy.where(finite & (size != 0), error / numpy.where(size == 0, 1, size), numpy.inf)
        unequal = error != 0
        beyond = unequal & ~(finite & (error <= atol + rtol * numpy.where(finite, size, 0)))
    shown = beyond if beyond.any() else unequal
    places = numpy.flatnonzero(shown)
    return beyond.sum(), (unequal & ~beyond).sum(), places, error, relative


def close(number, text):
    number = float(number)
    return float(text) == number or abs(float(text) - number) <= 1e-12 * abs(number)


def random_pairs():
    generator = numpy.random.default_rng(5)
    special = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1.0, 5e-324]
    types = ["<f8", "<f4", "<f2", "<i8", "<u8", "<i4", "<u4", "<i2", "<u2", "|i1", "|u1", "|b1", "<c8", "<c16", ">f4", ">i8", ">c8"]
    for number in range(120):
        shape = [(), (7,), (3, 5), (2, 3, 4), (1, 1500), (1024, 3), (0, 4)][number % 7]
        dtype = types[number % len(types)]
        other = dtype if number % 3 else types[int(generator.integers(len(types)))]
        a = generator.integers(0, 2 if "b1" in dtype + other else 100, shape)
        b = numpy.where(generator.random(shape) < (0.02 if number % 2 else 0.5), a + generator.integers(0, 2 if "b1" in other else 9, shape), a)
        pair = []
        for values, kind in ((a, dtype), (b, other)):
            with numpy.errstate(all="ignore"):
                array = numpy.array(values).astype(kind)
                if array.dtype.kind in "fc" and number % 4 == 1:
                    array = numpy.where(generator.random(shape) < 0.1, generator.choice(special, shape), array).astype(kind)
                if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and number % 4 == 2:
                    array = array + numpy.array(2**62, kind)
            pair.append(numpy.asfortranarray(array) if number % 5 == 0 else array)
        a, b = pair
        options, atol, rtol = [], 0.0, 0.0
        if number % 3 == 1:
            atol, rtol = [(3.0, 0.0), (0.0, 0.05), (1.0, 0.01)][number % 3]
            options = ["--atol", str(atol), "--rtol", str(rtol)]
        count, within, places, error, relative = wanted(a, b, atol, rtol)
        what = f"{number}: {dtype} and {other}, {shape}, {options}"
        types_differ = a.dtype.newbyteorder("<") != b.dtype.newbyteorder("<")
        got = said(npy("a.npy", a), npy("b.npy", b), *options, code=int(count != 0 or types_differ))
        one = got["arrays"][0]
        check(got["same"] == one["same"] == (count == 0 and not types_differ), what)
        check((one["types"][0] != one["types"][1]) == types_differ, f"{what}: {one['types']}")
        check((one["differ"], one["within"], one["elements"]) == (count, within, a.size), f"{what}: {one['differ']}, {one['within']}, not {count}, {within}")
        if len(places) == 0:
            check("first" not in one, what)
            continue
        check(one["first"]["index"] == list(map(int, numpy.unravel_index(places[0], shape))), f"{what}: {one['first']}")
        for name, by in (("worst_absolute", error), ("worst_relative", relative)):
            worst = places[numpy.argmax(by[places])]
            check(one[name]["index"] == list(map(int, numpy.unravel_index(worst, shape))), f"{what}, {name}: {one[name]}")
            check(close(error[worst], one[name]["absolute"]) and close(relative[worst], one[name]["relative"]), f"{what}, {name}: {one[name]}")
            at = numpy.unravel_index(worst, shape)
            for array, text in zip((a, b), one[name]["values"]):
                value = array.dtype.type(complex(text)) if array.dtype.kind == "c" else array.dtype.type(
                    int(text) if array.dtype.kind in "iub" else text)
                check(value == array[at] or (value != value and array[at] != array[at]), f"{what}, {name}: {text} is not {array[at]}")


def words():
    a = numpy.arange(24, dtype="<f4").reshape(2, 3, 4)
    b = a.copy()
    first, second = npy("a.npy", a), npy("b.npy", b)
    same("a file and its copy", first, second, says=["24 elements of f32, shape (2, 3, 4)"])
    b[0, 1, 2] += 0.5
    b[1, 2, 3] = 27
    npy("b.npy", b)
    text = differ("two elements", first, second)
    check(text.splitlines()[1:] == [
        "shape     (2, 3, 4) in both", "type      f32 in both", "differ    2 of 24 elements", "first     at (0, 1, 2): 6 and 6.5",
        "absolute  error at most 4, at (1, 2, 3): 23 and 27", "relative  error at most 0.148148, at (1, 2, 3): 23 and 27"], text)
    differ("a tolerance for one", first, second, "--atol", "0.5", says=["differ    1 of 24 elements, and 1 within the tolerance", "first     at (1, 2, 3)"])
    same("a tolerance for both", first, second, "--rtol", "0.2", says=["are equal within the tolerance: 24", "differ    0 of 24 elements, and 2 within", "at (0, 1, 2): 6 and 6.5"])
    same("an absolute tolerance for both", first, second, "--atol=4")
    differ("a tolerance just below", first, second, "--atol", "3.9999999")
    differ("another shape", first, npy("c.npy", a.reshape(6, 4)), says=["shape     (2, 3, 4) and (6, 4)", "not compared: the shapes differ"])
    differ("another type", first, npy("c.npy", a.astype("<f8")), says=["type      f32 and f64"])
    same("another type, ignored", first, path("c.npy"), "--ignore-type")
    differ("other values, the type ignored", second, path("c.npy"), "--ignore-type", says=["differ    2 of 24"])
    same("Fortran order", first, npy("c.npy", numpy.asfortranarray(a)))
    same("bytes swapped", first, npy("c.npy", a.astype(">f4")))
    same("onto itself", first, first)
    same("empty arrays", npy("c.npy", numpy.zeros((3, 0))), path("c.npy"), says=["0 elements of f64"])
    differ("empty arrays of other shapes", path("c.npy"), npy("d.npy", numpy.zeros((0, 3))))
    same("an array without axes", npy("c.npy", numpy.float32(3)), path("c.npy"))
    with open(first, "rb") as file:
        answer = pipe(file.read(), "diff", "-", second)
    check(answer.returncode == 1 and b"standard input and" in answer.stdout, f"standard input: {answer}")
    with open("/dev/full", "wb") as full:
        for file in (first, second):
            answer = tool.subprocess.run([TOOL, "diff", first, file], stdout=full, stderr=tool.subprocess.PIPE, timeout=60)
            check(answer.returncode == 2 and b"cannot be written" in answer.stderr, f"a full device: {answer}")


def numbers():
    """Rules for NaN, infinities, zeros and large integers."""
    nan, inf = numpy.float32("nan"), numpy.float32("inf")
    other_nan = numpy.array([0x7fc00001], "<u4").view("<f4")[0]
    same("NaN and NaN, 0 and -0", npy("a.npy", numpy.array([nan, nan, 0, -0.0, inf], "<f4")),
         npy("b.npy", numpy.array([nan, other_nan, -0.0, 0, inf], "<f4")))
    for a, b, error in ((nan, 1, "inf"), (1, nan, "inf"), (inf, -inf, "inf"), (inf, 1, "inf"), (1, inf, "inf"), (inf, nan, "inf")):
        differ(f"{a} and {b}", npy("a.npy", numpy.array([7, a], "<f4")), npy("b.npy", numpy.array([7, b], "<f4")), "--atol", "1e30", "--rtol", "9",
               says=["1 of 2", f"absolute  error at most {error}", f"at (1,): {a if a != 1 else 1} and {b}"])
    differ("a second number of 0", npy("a.npy", numpy.array([1.0])), npy("b.npy", numpy.array([0.0])), says=["absolute  error at most 1,", "relative  error at most inf"])
    for dtype, a, b, error in (("<i8", 2**53, 2**53 + 1, "1"), ("<u8", 2**64 - 1, 2**64 - 2, "1"), ("<i8", -2**63, 2**63 - 1, "1.84467e+19")):
        differ(f"{dtype}", npy("a.npy", numpy.array([a], dtype)), npy("b.npy", numpy.array([b], dtype)), says=[f"error at most {error}, at (0,): {a} and {b}"])
    differ("u8 and i8", npy("a.npy", numpy.array([2**63], "<u8")), npy("b.npy", numpy.array([-2**63], "<i8")), "--ignore-type", says=[f"{2**63} and -{2**63}"])
    same("i8 and f8", npy("a.npy", numpy.array([2**53], "<i8")), npy("b.npy", numpy.array([2.0**53], "<f8")), "--ignore-type")
    differ("i8 and f8 that is near", npy("a.npy", numpy.array([2**53 + 1], "<i8")), path("b.npy"), "--ignore-type")
    same("f8 within a tolerance", npy("a.npy", numpy.array([1.0])), npy("b.npy", numpy.array([1 + 2.0**-52])), "--atol", "2.220446049250313e-16")


def bits():
    """Types that NumPy has no name for, and those that are no numbers."""
    values = numpy.array([1, -2, 3.5, 7e4], "<f4")
    halves = (values.view("<u4") >> 16).astype("<u2")
    a = safetensors("a.safetensors", w=("BF16", (4,), halves.tobytes()))
    halves[1] += 1
    b = safetensors("b.safetensors", w=("BF16", (4,), halves.tobytes()))
    differ("bf16", a, b, says=["array     'w'", "type      bf16 in both", "1 of 4", "at (1,): -2 and -2.015625"])
    differ("bits of bf16", npy("b.npy", halves), b, says=["type      <u2 and bf16"])
    same("bits of bf16, said", path("b.npy"), b, "--src-type", "bf16")
    differ("bits of bf16 and numbers", path("b.npy"), npy("c.npy", values), "--src-type", "bf16", "--ignore-type", says=["bf16 and f32", "2 of 4"])
    nibbles = numpy.array([[0x21, 0x43], [0x65, 0x87]], "|u1")
    npy("n.npy", nibbles)
    nibbles[1, 1] = 0x77
    differ("nibbles", path("n.npy"), npy("m.npy", nibbles), "--src-type", "u4", says=["(2, 4) in both", "type      u4 in both", "1 of 8", "at (1, 3): 8 and 7"])
    f4 = [safetensors(name, w=("F4", (2, 4), bytes([0x21, 0x43, 0x65, last]))) for name, last in (("f.safetensors", 0x87), ("g.safetensors", 0x77))]
    differ("f4", *f4, says=["type      f4_e2m1 in both", "1 of 8", "at (1, 3): -0 and 6"])
    f8 = [safetensors(name, w=("F8_E4M3", (3,), last)) for name, last in (("f.safetensors", b"\x38\x7f\xff"), ("g.safetensors", b"\x38\xff\x38"))]
    differ("f8", *f8, says=["1 of 3", "at (2,): ", "nan and 1"])
    unknown = [safetensors(name, w=(kind, (3,), last)) for name, kind, last in
               (("f.safetensors", "F8_E4M3FNUZ", b"abc"), ("g.safetensors", "F8_E4M3FNUZ", b"abc"), ("h.safetensors", "F8_E4M3FNUZ", b"abd"))]
    same("a type that is only moved", *unknown[:2])
    refused("a type that is only moved, others", *unknown[1:], says=["'w': some bytes differ", "F8_E4M3FNUZ"])
    differ("texts", npy("a.npy", numpy.array(["ab", "c\xe4"])), npy("b.npy", numpy.array(["ab", "cd"])), says=["1 of 2", "first     at (1,): 'c\xe4' and 'cd'"])
    same("texts of other lengths", npy("a.npy", numpy.array([b"ab", b"c"])), npy("b.npy", numpy.array([b"ab", b"c"], "S7")), "--ignore-type")
    differ("texts and numbers", path("a.npy"), npy("c.npy", numpy.zeros(2)), says=["elements of |S2 and f64 are not comparable"])
    times = numpy.array(["2020-01-01", "NaT"], "M8[s]")
    same("times", npy("a.npy", times), npy("b.npy", times))
    differ("other times", path("a.npy"), npy("b.npy", times[::-1].copy()), says=["2 of 2", "NaT"])
    differ("raw bytes", npy("a.npy", numpy.array([b"abc"], "V3")), npy("b.npy", numpy.array([b"abd"], "V3")), says=["0x616263 and 0x616264"])
    if numpy.dtype(numpy.longdouble).itemsize > 8:
        long = numpy.array([1, 2], numpy.longdouble)
        same("longdouble", npy("a.npy", long), npy("b.npy", long))
        refused("other longdouble", path("a.npy"), npy("b.npy", long + 1), says=["some bytes differ", "<f16"])
    refused("a type that no array has", path("c.npy"), path("c.npy"), "--src-type", "bf16", says=["no array that is compared has unsigned integers of 16 bits"])


def archives():
    a, b, c = numpy.arange(6.0), numpy.ones((2, 3), "<i4"), numpy.zeros(3, "<f2")
    numpy.savez(path("a.npz"), a=a, b=b, c=c)
    numpy.savez_compressed(path("b.npz"), c=c, b=b, a=a)
    first, second = path("a.npz"), path("b.npz")
    same("the order of members, deflated", first, second, says=["3 arrays, 15 elements"])
    numpy.savez(path("b.npz"), a=a, b=b + 1, d=c)
    text = differ("members", first, second, says=["array     'b'", "6 of 6", "only in   " + first + ": 'c'", "only in   " + second + ": 'd'"])
    check("array     'a'" not in text, text)
    check(said(first, second, code=1)["only_in_first"] == ["'c'"], "only_in_first")
    same("one of them", first, second, "--only", "a")
    differ("two of them", first, second, "--only", "a", "--only", "b")
    differ("one that only one has", first, second, "--only", "c", says=["only in   " + first])
    refused("one that is nowhere", first, second, "--only", "e", says=["neither", "'e'"])
    same("members by name", first + ":c", second + ":d")
    differ("members by name", first + ":a", second + ":b", says=["(6,) and (2, 3)"])
    refused("a member that is not there", first + ":aa", second, says=["a.npz: has no array called 'aa'", "nearest"], lines=2)
    refused("a member twice", first + ":a", second, "--only", "a", says=["--only"])
    same("a file and a member", npy("a.npy", a), first + ":a")
    same("a file and a member, --only", path("a.npy"), first, "--only", "a")
    refused("a file and three members", path("a.npy"), first, says=["a.npy is one array, and", "a.npz has 3 that are compared", "nearest"], lines=2)
    same("safetensors and npz", safetensors("a.safetensors", a=("F64", (6,), a.tobytes()), b=("I32", (2, 3), b.tobytes()), c=("F16", (3,), c.tobytes())), first)
    records = numpy.zeros(3, [("x", "<f4"), ("y", "<i2", (2,))])
    others = numpy.zeros(3, [("y", ">i2", (2,)), ("x", "<f4")])
    same("records with other orders of fields", npy("a.npy", records), npy("b.npy", others))
    others["y"][1, 1] = 5
    differ("records", path("a.npy"), npy("b.npy", others), says=["array     field y", "(3, 2) in both", "at (1, 1): 0 and 5"])
    differ("records with other fields", path("a.npy"), npy("b.npy", numpy.zeros(3, [("x", "<f4")])), says=["only in", "field y"])
    differ("records and numbers", path("a.npy"), npy("b.npy", numpy.zeros(3)), says=["only one is structured"])
    numpy.savez(path("o.npz"), o=numpy.array([{}, None], object), allow_pickle=True)
    same("Python objects with the same bytes", path("o.npz"), path("o.npz"))
    numpy.savez(path("p.npz"), o=numpy.array([{}, 1], object), allow_pickle=True)
    refused("Python objects", path("o.npz"), path("p.npz"), says=["Python objects"])


def wrong():
    good = npy("a.npy", numpy.zeros(3))
    refused("a file that is missing", good, path("absent.npy"), says=["absent.npy: cannot be opened: No such file"])
    refused("a directory", good, FOLDER.name, says=["is a directory"])
    with open(path("cut.npy"), "wb") as file:
        file.write(open(good, "rb").read()[:-1])
    refused("a file that is cut", good, path("cut.npy"), says=["has 23 bytes of data, but its shape and type need 24"])
    refused("a layout", good, "nchw 2x3x4x5", says=["nchw 2x3x4x5: cannot be opened"])
    refused("three files", good, good, good, says=["diff compares two files, and there are 3 words"])
    refused("one file", good, says=["there are 1 words"])
    refused("standard input twice", "-", "-", says=["only one file from standard input"])
    for number in ("-1", "nan", "inf", "x", "1e999", "0.1x"):
        refused(f"--atol {number}", good, good, f"--atol={number}", says=[f"'{number}' is no finite number from 0 on"])
    refused("an empty tolerance", good, good, "--rtol", "", says=["--rtol"])
    refused("a type", good, good, "--src-type", "int8", says=["'int8'"], lines=2)
    refused("a tolerance of layouts", "nchw", "nhwc", "2x3x4x5", "--atol", "1", says=["--atol is an option of files of arrays", "'nchw'"])


for test in (words, numbers, bits, archives, wrong, random_pairs):
    test()
end()
