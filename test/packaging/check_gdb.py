"""Checks how gdb prints layouts.

usage: check_gdb.py PROJECT SCRATCH COMPILER
"""

import pathlib

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
]
IN_LETTERS = [("weights", "OIhw4i16o4i 64x32x3x3"), ("blocked", "oIhw16i 2x17x5x4"), ("all[5]", "ba 6x4")]


def commands(asked):
    return [word for expression, _ in asked for word in ("-ex", f"print {expression}")]


def trial(project, scratch, compiler):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    program = scratch / "program"
    run(compiler, "-std=c++20", "-g", "-O0", "-I", project / "include", project / "test/packaging/gdb/main.cpp", "-o", program)
    names = [name.strip() for name in run(program).splitlines()]
    abstract = [(f"all[{number}]", name) for number, name in enumerate(names)]
    printed = run("gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex", f"source {project}/packaging/plait_gdb.py",
                  "-ex", "break look", "-ex", "run", "-ex", "up", *commands(SHOWN), "-ex", "set plait-letters oihw", *commands(IN_LETTERS),
                  "-ex", "set plait-letters abstract", *commands(abstract), program)
    values = [line.split(" = ", 1)[1] for line in printed.splitlines() if line.startswith("$")]
    asked = SHOWN + IN_LETTERS
    problems = [f"print {what}: {value}, not {shown}" for (what, shown), value in zip(asked, values) if value != shown]
    # With the letters a, b, c, the printed layout is the result of format_name followed by the extents.
    problems += [f"{what} is {value}, and plait calls it {name}" for (what, name), value in zip(abstract, values[len(asked):])
                 if not (value + " ").startswith(name + " ")]
    require(not problems and len(values) == len(asked) + len(names), "\n".join(problems) or printed)


main(trial)
