"""Checks how gdb prints layouts, views and distributions.

usage: check_gdb.py PROJECT SCRATCH COMPILER
"""

import pathlib
import re

from trial import main, new_folder, require, run

# Expressions to print in gdb, and the expected output.
SHOWN = [
    ("blocked", "nChw16c 2x17x5x4"),
    ("all[1]", "nchw 2x17x5x4"),
    ("all[2]", "nhwc 2x17x5x4"),
    ("all[3]", "nchw:400x20x4x1 2x17x5x4"),
    ("weights", "ABcd4b16a4b 64x32x3x3"),
    ("all[5]", "ba 6x4"),
    ("all[7]", "undef"),
    ("all[8]", "nchw:96x6x3x1 ?x16x2x3"),
    ("all[10]", "nChw16c 1x1x5x4 +960"),
    ("quantised", "s8 ABcd4b16a4b 64x32x3x3 s8s8_compensation"),
    ("image", "2x17x5x4"),
    ("/r image.count", "4"),
    ("spread[1].mesh", "mesh of 2x2 ranks"),
    ("some", "nchw 2x17x5x4"),
    ("of_format", "float nChw16c 2x17x5x4 at &data"),
    ("in_letters", "float OIhw4i16o4i 17x32x3x3 at &data"),
    ("of_tag", "float nhwc 2x17x5x4 at &data"),
    ("of_strides", "float ba:1x9 2x3 at &data"),
    ("at_run_time", "const float nChw16c 2x17x5x4 at &data"),
    ("bound", "float nchw 2x17x5x4 at &data"),
    ("bound_in_blocks", "float nChw8c 1x20x5x4 at &data"),
    ("packed", "u4 ncw 2x3x4 at &nibbles"),
    ("packed_further", "const u4 ncw 2x3x4 at &nibbles, element 2"),
]
IN_LETTERS = [("weights", "OIhw4i16o4i 64x32x3x3"), ("blocked", "oIhw16i 2x17x5x4"), ("all[5]", "ba 6x4")]


PLACES = ["data", "nibbles"]  # arrays of the program, whose addresses views print


def commands(expressions):
    return [word for expression in expressions for word in ("-ex", f"print {expression}")]


def trial(project, scratch, compiler):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    program = scratch / "program"
    run(compiler, "-std=c++20", "-g", "-O0", "-I", project / "include", project / "test/packaging/gdb/main.cpp", "-o", program)
    groups = {"layout": [], "distribution": []}  # what plait calls the values of the arrays `all` and `spread`
    for line in run(program).splitlines():
        kind, name = line.split(" ", 1)
        groups[kind].append(name.strip())
    spread = [(f"spread[{number}]", name) for number, name in enumerate(groups["distribution"])]
    abstract = [(f"all[{number}]", name) for number, name in enumerate(groups["layout"])]
    addresses = [f"(unsigned long)&{place}[0]" for place in PLACES]
    printed = run("gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex", f"source {project}/packaging/plait_gdb.py",
                  "-ex", "break look", "-ex", "run", "-ex", "up", *commands(addresses), *commands(what for what, _ in SHOWN + spread),
                  "-ex", "set plait-letters oihw", *commands(what for what, _ in IN_LETTERS),
                  "-ex", "set plait-letters abstract", *commands(what for what, _ in abstract), program)
    values = [line.split(" = ", 1)[1] for line in printed.splitlines() if line.startswith("$")]
    asked = SHOWN + spread + IN_LETTERS
    require(len(values) == len(PLACES) + len(asked) + len(abstract), printed)
    address = dict(zip(PLACES, map(hex, map(int, values[:len(PLACES)]))))
    values = values[len(PLACES):]
    wanted = [re.sub(r"&(\w+)", lambda found: address[found[1]], text) for _, text in asked]
    problems = [f"print {what}: {value}, not {text}" for (what, _), text, value in zip(asked, wanted, values) if value.strip() != text]
    # With the letters a, b, c, the printed layout is the result of format_name followed by the extents.
    problems += [f"{what} is {value}, and plait calls it {name}" for (what, name), value in zip(abstract, values[len(asked):])
                 if not (value + " ").startswith(name + " ")]
    require(not problems and spread and abstract, "\n".join(problems))


main(trial)
