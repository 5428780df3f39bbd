"""Invalid command lines: the message names the unknown or missing word, and the nearest known one; and plait diff."""

import itertools
import json
import os
import subprocess
import tempfile

import numpy

from tool import TOOL, check, end, on_a_terminal, refused, run


def words():
    refused("an unknown option", "reorder", "a", "b", "--form", "x", "--to", "y", code=2, lines=2,
            says=["'--form' is no option of reorder", "nearest   --from"])
    refused("with its value", "reorder", "a", "b", "--form=x", "--to", "y", code=2, lines=2, says=["'--form' is no option"])
    refused("an option like no other", "show", "ab", "2x3", "--quickly-please", code=2, says=["'--quickly-please' is no option of show"])
    refused("an option of plait", "--verison", code=2, lines=2, says=["--verison", "nearest   --version"])
    refused("no layout", "show", code=2, says=["show needs a layout"])
    refused("no files", "reorder", code=2, says=["reorder needs a .npy, .npz or .safetensors file"])
    refused("no format", "reorder", "a", "b", "--from", "ab", code=2, says=["reorder needs --to: the format wanted"])
    refused("no graph", "choose", code=2, says=["choose needs a JSON file"])
    refused("a word too many", "show", "ab", "2x3", "4", code=2, says=["'4' is one word too many"])


def layouts():
    refused("dims in words", "show", "nchw", "2", "3", "4", "5", lines=2, says=["nchw 2 3 4 5", "nearest   nchw 2x3x4x5"])
    refused("dims in words, reordered", "explain", "ab 2 3", "ba 2 3", lines=2, says=["nearest   ab 2x3"])
    refused("a negative extent", "show", "abcd", "1x-3x4x4", says=["column 3 is negative"])
    refused("a negative offset", "show", "abcd", "1x3x4x4+-1", says=["column 1 is negative"])
    for tag, near in (("NCHW", "nchw"), ("NHWC", "nhwc"), ("OIHW", "oihw"), ("AB", "ab"), ("NChw", "nchw")):
        refused(f"{tag} in capitals", "show", tag, "x".join("2345"[: len(tag)]), lines=2, says=[tag, f"nearest   {near}"])
    why = refused("a layout that is any", "explain", "any", "ab", "2x3", lines=None, says=["it has no place in memory yet"])
    check("dynamic" not in why.stderr, f"a layout that is any: {why.stderr}")
    refused("another rank", "show", "nhwcd", "2x3x4x5", lines=2, says=["format nhwcd has 5 axes, dims 2x3x4x5 have 4"])
    refused("another rank, with strides", "show", "abc:3x2x1", "2x3", says=["format abc has 3 axes, dims 2x3 have 2"])
    answer = run("show", "nChw8c", "2x17x5x4")
    check("name      nChw8c 2x17x5x4\n" in answer.stdout and "aBcd8b" not in answer.stdout, "the letters that were typed")
    check("name      aBcd8b 2x17x5x4\n" in run("show", "aBcd8b", "2x17x5x4").stdout, "abstract letters that were typed")
    check("name      ab 2x3\n" in run("show", "2x3").stdout, "no letters were typed")


def odds():
    """Words of other programs have a nearest word; an output with an ending of another kind of file is refused."""
    for said, near in (("int8", "s8"), ("float32", "f32"), ("float16", "f16"), ("bfloat16", None), ("uint4", "u4"), ("i32", "s32"), ("FP16", "f16"),
                       ("fp8", "f8_e4m3"), ("f23", "f32"), ("bool", "boolean")):
        if near is not None:
            refused(f"--type {said}", "explain", "ab", "ba", "2x3", "--type", said, lines=2, says=[f"type '{said}' is none of", f"nearest   {near}"])
            check(run("explain", "ab", "ba", "2x3", "--type", near).returncode == 0, f"--type {near}")
    refused("no type at all", "explain", "ab", "ba", "2x3", "--type", "complicated", says=["is none of"])
    for said, near, dims in (("NCHW16c", "nChw16c", "1x17x2x3"), ("OIHW4i16o4i", "OIhw4i16o4i", "64x32x3x3"), ("NCHW4n16c", "NChw4n16c", "4x17x2x3"),
                             ("nchw16c", "nChw16c", "1x17x2x3"), ("NCDHW8c", "nCdhw8c", "1x8x2x3x4")):
        refused(said, "show", said, dims, lines=2, says=[f"nearest   {near}"])
    with tempfile.TemporaryDirectory() as folder:
        x, one = os.path.join(folder, "x.npy"), ["--from", "ab", "--to", "ba"]
        numpy.save(x, numpy.arange(6, dtype="<f4").reshape(2, 3))
        for ending in (".txt", ".pt", ".npy.old", ".NPY", ".gguf"):
            target = os.path.join(folder, "y" + ending)
            refused(f"an output {ending}", "reorder", x, target, *one, lines=2, says=[f"y{ending}: what is written is .npy", "nearest"])
            check(not os.path.exists(target), f"nothing is written to {target}")
        for name in ("y", "y.npy", "y.v1/z.npy"):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            check(run("reorder", x, os.path.join(folder, name), *one).returncode == 0, f"an output {name}")
        os.symlink(os.path.join(folder, "y.npy"), os.path.join(folder, "link.npy"))
        refused("a graph that is missing", "choose", os.path.join(folder, "nothere.json"), says=["nothere.json: cannot be opened: No such file"])
        refused("a graph that is a directory", "choose", folder, says=["is a directory"])
        for runs in ("x", "-1", "1.5", "9" * 30):
            why = refused(f"--runs {runs}", "choose", x, "--runs", runs, code=2, says=[f"'{runs}' is no whole number from 0 on"])
            check(len(why.stderr) < 200, f"--runs {runs}: {why.stderr}")
        # Scales of NumPy's own type are the nearest f32; those that none is near are refused.
        scales, wide = os.path.join(folder, "s.npy"), os.path.join(folder, "w.npy")
        for dtype in ("<f4", "<f8"):
            numpy.save(scales, numpy.array([0.1, 0.7, 3], dtype))
            check(run("reorder", x, wide, "--from", "ab", "--to", "ab", "--src-scale", scales, "--mask", "b").returncode == 0, f"scales {dtype}")
            got = numpy.load(wide)
            check((got == numpy.load(x) * numpy.array([0.1, 0.7, 3], "<f4")).all(), f"scales {dtype}: {got}")
        for option, wrong, lines in (("--src-scale", 1e300, 1), ("--src-scale", 1e-300, 1), ("--dst-scale", float("nan"), 2), ("--dst-scale", 0, 2)):
            numpy.save(scales, numpy.array([1, wrong, 3], "<f8"))
            refused(f"the scale {wrong}", "reorder", x, wide, "--from", "ab", "--to", "ab", option, scales, "--mask", "b", says=["index 1, has the scale"],
                    lines=lines)
        # NaN has no integer: it is what conversions of the hardware give, as in the library.
        numpy.save(x, numpy.array([[numpy.nan, 1e9, -1e9]], "<f4"))
        for type_name, least, most in (("s8", -128, 127), ("u8", 255, 255), ("s32", -(1 << 31), (1 << 31) - 128)):
            check(run("reorder", x, wide, "--from", "ab", "--to", "ab", "--type", type_name).returncode == 0, f"NaN to {type_name}")
            check(numpy.load(wide)[0, 0] == least, f"NaN to {type_name}: {numpy.load(wide)}")
    answer = run("--help").stdout
    check("weights" in answer.splitlines()[0] and "ranks" in " ".join(answer.splitlines()[:2]), f"the top of --help: {answer[:200]}")
    with tempfile.TemporaryDirectory() as folder:
        texts, which = {}, {}
        for isa in (None, "avx2", "avx512", "portable"):
            arguments = ["nchw", "nChw8c", "1x17x2x3", *(["--isa", isa] if isa else [])]
            picture = os.path.join(folder, f"{isa}.svg")
            check(run("draw", "--reorder", *arguments, "-o", picture).returncode == 0, f"draw {isa}")
            with open(picture, encoding="utf-8") as file:
                texts[isa] = file.read()
            which[isa] = run("explain", *arguments).stdout
        check(all(texts[isa] == texts[None] for isa in which if which[isa] == which[None]), "draw and explain take the same instruction set")


def widths():
    """No line of a grid is wider than the terminal, or than COLUMNS."""
    def grid(text):
        return [line for line in text.replace("\r", "").split("\n\n", 1)[1].split("name      ")[0].splitlines() if line]

    for columns in ("40", "60", "120"):
        answer = subprocess.run([TOOL, "show", "nChw8c", "2x17x5x4"], capture_output=True, text=True, timeout=60,
                                env=dict(os.environ, COLUMNS=columns))
        longest = max(map(len, grid(answer.stdout)))
        check(int(columns) - 27 < longest <= int(columns), f"COLUMNS={columns}: {longest}")
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    code, text = on_a_terminal("show", "nChw8c", "1x9x2x3", columns=40, environment=dict(environment, NO_COLOR="1"))
    check(code == 0 and max(map(len, grid(text.decode()))) <= 40, f"40 columns: {text.decode()}")


def places(layout):
    """Returns the offset of each element, in the order of the indices, from the digits that --json prints."""
    out = {}
    for position in itertools.product(*map(range, layout["dims"])):
        place, rest = layout["offset"], list(position)
        for number in reversed(range(len(layout["digits"]))):
            digit = layout["digits"][number]
            axis, outermost = digit["axis"], number < len(layout["dims"])
            place += (rest[axis] if outermost else rest[axis] % digit["extent"]) * digit["stride"]
            rest[axis] //= digit["extent"]
        out[position] = place
    return out


def differences():
    for first, second in (("nchw 2x3x4x5", "nhwc 2x3x4x5"), ("nchw 2x17x2x3", "nChw16c 2x17x2x3"), ("nChw8c 1x17x2x3", "nChw16c 1x17x2x3"),
                          ("ab 3x4", "ab 3x4+5"), ("nchw 2x1x3x1", "nhwc 2x1x3x1"), ("ab 2x3:4x1", "ab 2x3"), ("ab 2x3:4x1", "ba 2x3"),
                          ("ab 0x3", "ba 0x3"), ("ab 1x3:9x1", "2x3"), ("(2,(2,2)):(4,(1,2))", "2x4"), ("ab 3x4", "ab 3x4:9x1")):
        answer = run("diff", "--json", first, second)
        if first.split()[-1].split(":")[0] == "1x3":
            check(answer.returncode == 1 and "the dims are 1x3 and 2x3" in answer.stderr, f"other dims: {answer.stderr}")
            continue
        said = json.loads(answer.stdout)
        a, b = places(said["first"]), places(said["second"])
        elsewhere = [index for index in a if a[index] != b[index]]
        what = f"diff {first} and {second}"
        check(answer.returncode == (1 if elsewhere else 0) and said["same"] == (not elsewhere), f"{what}: {answer.stderr}")
        if elsewhere:
            index = elsewhere[0]
            check(said["at"] == list(index) and said["offsets"] == [a[index], b[index]], f"{what}: {said['at']}, not {index}")
            check(f"is at offset {a[index]} in the first, at {b[index]} in the second" in answer.stderr, what)
        check(run("diff", first, second).stdout == "" if elsewhere else "same offset" in run("diff", first, second).stdout, what)
    check(run("diff", "nchw", "nchw", "2x3x4x5").returncode == 0, "diff FROM TO DIMS")
    refused("letters", "diff", "nchw", "nhwc", "2x3x4x5", lines=4, says=["n=0 c=0 h=0 w=1", "strides   60x20x5x1 and 60x1x15x3"])
    refused("no place", "diff", "any", "ab", "2x3", says=["'any' does not say where elements are"])
    refused("a large one", "diff", "ab", "2147483648x2:2x1", "ab", "2147483648x2:3x1", lines=4, says=["a=1 b=0"])


for test in (words, layouts, odds, widths, differences):
    test()
end()
