"""Checks the single header that cmake/single_header.py makes: it has the tokens of the headers, and a program runs with
it.

usage: check_single_header.py PROJECT SCRATCH COMPILER
"""

import pathlib
import re
import sys

from trial import main, new_folder, require, run

# Macros of the compiler select the instruction sets of a file.
CPUS = {"x86_64": ["-D__x86_64__", "-U__aarch64__"], "aarch64": ["-U__x86_64__", "-D__aarch64__"], "another": ["-U__x86_64__", "-U__aarch64__"]}
SINGLE, COMPILED = ["plait/plait.hpp"], ["plait/implementation.hpp"]


def make(project, headers, output, **expected):
    return run(sys.executable, project / "cmake/single_header.py", *headers, "-o", output, **expected)


def write_stubs(project, folder):
    """Writes empty files for all headers of others, so that the preprocessor prints only the text of plait."""
    for path in (project / "include").rglob("*"):
        for name in re.findall(r"^\s*#\s*include\s*<([\w./]+)>", path.read_text() if path.is_file() else "", re.MULTILINE):
            if not name.startswith("plait/"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).touch()


def tokens(compiler, stubs, cpu, headers, folder):
    includes = [word for header in headers for word in ("-include", header)]
    text = run(compiler, "-std=c++20", "-E", "-P", "-nostdinc", "-nostdinc++", "-I", stubs, "-I", folder, *CPUS[cpu], *includes,
               "-x", "c++", "/dev/null")
    return [word for line in text.splitlines() if line.strip() != "#pragma once" for word in line.split()]


def check_tokens(project, scratch, compiler):
    stubs = new_folder(scratch / "stubs")
    write_stubs(project, stubs)
    for name, headers in (("plait_single.hpp", SINGLE), ("plait_implementation.cpp", COMPILED), ("layouts.hpp", ["plait/layouts.hpp"])):
        make(project, headers, scratch / name)
        for cpu in CPUS:
            wanted = tokens(compiler, stubs, cpu, headers, project / "include")
            there = tokens(compiler, stubs, cpu, [name], scratch)
            differs = next((i for i, (a, b) in enumerate(zip(wanted, there)) if a != b), min(len(wanted), len(there)))
            require(wanted == there, f"{name} for {cpu} differs from its headers: {' '.join(there[differs:][:20])} instead of "
                                     f"{' '.join(wanted[differs:][:20])}")
            require(len(wanted) > 10000, f"{name}: only {len(wanted)} words")


def check_refusals(project, scratch):
    """Checks refusals, in a copy of the project with a header that cannot be part of a single header."""
    copy = new_folder(scratch / "refused")
    for folder in ("cmake", "include/plait"):
        (copy / folder).mkdir(parents=True)
    (copy / "cmake/single_header.py").write_text((project / "cmake/single_header.py").read_text())
    (copy / "include/plait/version.hpp").write_text('#pragma once\n#define PLAIT_VERSION "0"\n')
    for text, says in (("#if defined(A)\n#include <plait/version.hpp>\n#endif\n", "broken.hpp:2: includes <plait/version.hpp> under a condition"),
                       ('#include "version.hpp"\n', 'broken.hpp:1: includes "version.hpp"'),
                       ("#include <plait/none.hpp>\n", "broken.hpp:1: includes <plait/none.hpp>, which is not in")):
        (copy / "include/plait/broken.hpp").write_text(text)
        make(copy, ["plait/broken.hpp"], scratch / "none.hpp", fails=True, says=says)


def trial(project, scratch, compiler):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    check_tokens(project, scratch, compiler)
    check_refusals(project, scratch)
    program = scratch / "program"
    run(compiler, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-I", scratch, project / "test/packaging/single_header/main.cpp", "-o", program)
    run(program, says="moved")


main(trial)
