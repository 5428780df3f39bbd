"""The output of `plait show` and `plait draw`: a grid in the typed letters, colours only on a terminal, pictures with
each cell, label and mark of a layout (test/documents/picture_model.py)."""

import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../documents"))
import picture_model
from tool import TOOL, check, end, on_a_terminal, run


def in_colour(*arguments, **environment):
    """Returns the tool's output on a terminal with colours, unless the environment overrides this."""
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    return on_a_terminal(*arguments, environment=clean | {"TERM": "xterm"} | environment)[1].decode().replace("\r\n", "\n")


def shows():
    for layout in (["nChw8c", "1x17x2x3"], ["OIhw4i16o4i", "20x9x3x3"], ["ab", "300x400"], ["abcdef", "2x2x2x2x3x4"], ["ab:6x1", "3x4+5"]):
        answer = run("show", *layout)
        check(answer.returncode == 0 and answer.stderr == "", f"show {layout}: {answer.stderr}")
        lines = answer.stdout.splitlines()
        check(lines[0] == " ".join(layout), f"show: its title, {lines[0]}")
        check(max(map(len, lines)) <= 80, f"show {layout}: 80 columns")
        check("\x1b" not in answer.stdout, f"show {layout}: colours in a file")
    lines = run("show", "nChw8c", "1x17x2x3").stdout.splitlines()
    check(lines[6].startswith("h0    0    8   16   h0"), f"show: the grid, {lines[6]}")
    check("             c       3      48" in lines and "             c       8       1" in lines, "show: the digits in the letters typed")
    coloured = in_colour("show", "nChw8c", "1x17x2x3")
    check("\x1b[38;5;16;48;5;" in coloured, "show: colours on a terminal")
    check("\x1b" not in in_colour("show", "nChw8c", "1x17x2x3", NO_COLOR="1"), "show: NO_COLOR")
    check("\x1b" not in in_colour("show", "nChw8c", "1x17x2x3", TERM="dumb"), "show: a dumb terminal")
    check(run("show", "any", "3x4").stdout == "name      any 3x4\n", "show: what has no places")


def draws(folder):
    def draw(name, *arguments, **options):
        path = os.path.join(folder, name)
        answer = subprocess.run([TOOL, "draw", *arguments, "-o", path], capture_output=True, text=True, timeout=120, **options)
        return answer, path

    for name, arguments in {"layout.svg": ["nChw8c", "1x17x2x3"], "reorder.svg": ["--reorder", "nchw", "nChw8c", "1x17x2x3"],
                            "gaps.svg": ["ab", "3x4:6x1+5"], "plain.svg": ["3x4:6x1+5"],
                            "cute.svg": ["(4,(16,2)):(16,(1,64))"], "two.svg": ["--reorder", "ab 3x4", "3x4:1x3"], "large.svg": ["nChw16c", "64x64x56x56"],
                            "bf16.svg": ["--reorder", "nchw", "nhwc", "1x3x8x8", "--type", "f32", "--to", "bf16", "--isa", "avx512"]}.items():
        answer, path = draw(name, *arguments)
        check(answer.returncode == 0 and answer.stderr == "", f"draw {name}: {answer.stderr}")
        root = xml.etree.ElementTree.parse(path).getroot()
        check(root.tag == "{http://www.w3.org/2000/svg}svg", f"draw {name}: {root.tag}")
    for number, arguments in enumerate((["nChw8c", "1x17x2x3"], ["OIhw4i16o4i", "20x9x2x1"], ["aBcde4b", "2x5x2x3x2"], ["ab:6x1", "3x4"], ["ba", "3x4"],
                                        ["a", "7"], ["--reorder", "nchw", "nChw8c", "1x17x2x3"], ["--reorder", "nchw", "nChw8c", "1x16x4x4"],
                                        ["--reorder", "ab", "ba", "16x16"])):
        answer, path = draw(f"content_{number}.svg", *arguments, "--cells", "10000")
        check(answer.returncode == 0, f"draw {arguments}: {answer.stderr}")
        with open(path, encoding="utf-8") as file:
            problems = picture_model.problems_of(file.read(), arguments)
        check(not problems, f"draw {arguments}: {problems[:3]}")
    with open(os.path.join(folder, "layout.svg"), encoding="utf-8") as file:
        check(run("draw", "nChw8c", "1x17x2x3", "-o", "-").stdout == file.read(), "draw to standard output")
    answer, path = draw("layout.tex", "nChw8c", "1x17x2x3")
    with open(path, encoding="utf-8") as file:
        check(answer.returncode == 0 and r"\end{tikzpicture}" in file.read(), "draw .tex")
    if shutil.which("rsvg-convert"):
        answer, path = draw("layout.png", "nChw8c", "1x17x2x3")
        with open(path, "rb") as file:
            check(answer.returncode == 0 and file.read(4) == b"\x89PNG", f"draw .png: {answer.stderr}")

    def refused(what, answer, says, code=1):
        check(answer.returncode == code and says in answer.stderr, f"{what}: {answer.returncode} {answer.stderr}")
        check(not os.path.exists(os.path.join(folder, answer.args[-1])), f"{what}: leaves a file")

    refused("without rsvg-convert", draw("none.png", "ab", "3x4", env={"PATH": "/nowhere"})[0], "librsvg2-bin")
    check(not os.path.exists(os.path.join(folder, "none.png")), "draw: no file is left behind")
    refused("ending", draw("layout.gif", "ab", "3x4")[0], ".svg, .png or .tex")
    refused("folder", draw("nowhere/layout.svg", "ab", "3x4")[0], "cannot be written")
    refused("no places", draw("any.svg", "any", "3x4")[0], "layout_is_any")
    refused("strides twice", draw("twice.svg", "ab:4x1", "3x4:4x1")[0], "twice")
    refused("one layout of two", draw("one.svg", "--reorder", "nchw", "1x17x2x3")[0], "a layout, as nChw16c 2x17x5x4, is missing", 2)
    refused("a word too many", draw("more.svg", "ab", "3x4", "5")[0], "'5' is one word too many", 2)
    refused("no output", run("draw", "ab", "3x4"), "--output", 2)
    refused("no cells", draw("cells.svg", "ab", "3x4", "--cells", "0")[0], "--cells", 2)
    refused("many cells", draw("many.svg", "ab", "9999999x9999999", "--cells", "9223372036854775807")[0], "--cells", 2)
    refused("dims", draw("dims.svg", "--reorder", "ab 3x4", "ab 3x5")[0], "dims_differ")
    refused("isa", draw("isa.svg", "--reorder", "ab", "ba", "3x4", "--isa", "mmx")[0], "'mmx' is none of portable")
    refused("ranks", draw("ranks.svg", "nchw", "3x4")[0], "rank_differs")
    refused("type", draw("type.svg", "--reorder", "ab", "ba", "3x4", "--type", "f99")[0], "f99")


shows()
with tempfile.TemporaryDirectory() as directory:
    draws(directory)
end()
