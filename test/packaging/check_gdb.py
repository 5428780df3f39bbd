"""Prints layouts in gdb.

usage: check_gdb.py PROJECT SCRATCH COMPILER
"""

import pathlib

from trial import main, new_folder, require, run

# What gdb is asked to print, and what it has to show.
SHOWN = [
    ("blocked", "nChw16c 2x17x5x4"),
    ("plain", "nchw 2x17x5x4"),
    ("last", "nhwc 2x17x5x4"),
    ("strided", "nchw:400x20x4x1 2x17x5x4"),
    ("weights", "ABcd4b16a4b 64x32x3x3"),
    ("matrix", "ba 6x4"),
    ("single", "nChw16c 1x16x1x1"),
    ("empty", "undef"),
    ("any_batch", "nchw ?x16x2x3"),
    ("broadcast", "ab:0x1 3x4"),
    ("part", "nChw16c 1x1x5x4 +320"),
    ("quantised", "s8 ABcd4b16a4b 64x32x3x3 s8s8_compensation"),
    ("image", "2x17x5x4"),
    ("/r matrix.dims.count", "2"),
]
IN_LETTERS = [("weights", "OIhw4i16o4i 64x32x3x3"), ("blocked", "oIhw16i 2x17x5x4"), ("matrix", "ba 6x4")]


def commands(asked):
    return [word for expression, _ in asked for word in ("-ex", f"print {expression}" if expression[0] != "/" else f"print{expression}")]


def trial(project, scratch, compiler):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    program = scratch / "program"
    run(compiler, "-std=c++20", "-g", "-O0", "-I", project / "include", project / "test/packaging/gdb/main.cpp", "-o", program)
    printed = run("gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex", f"source {project}/packaging/plait_gdb.py",
                  "-ex", "break look", "-ex", "run", "-ex", "up", *commands(SHOWN), "-ex", "set plait-letters oihw", *commands(IN_LETTERS), program)
    values = [line.split(" = ", 1)[1] for line in printed.splitlines() if line.startswith("$")]
    wanted = [shown for _, shown in SHOWN + IN_LETTERS]
    require(values == wanted, "\n".join(f"print {asked}: {value}, not {shown}" for (asked, shown), value in zip(SHOWN + IN_LETTERS, values)
                                        if value != shown) or printed)
    # The element types are those of the header, in its order.
    source = (project / "packaging/plait_gdb.py").read_text()
    names = (project / "include/plait/core/data_type_name.hpp").read_text().split("enum class data_type { ")[1].split(" }")[0]
    require("TYPES = (" + ", ".join(f'"{name}"' for name in names.split(", ")) + ")" in source, f"the printer has other types than {names}")


main(trial)
