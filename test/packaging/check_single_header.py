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
    for text, says in (('#include "version.hpp"\n', 'broken.hpp:1: includes "version.hpp"'),
                       ("#include <plait/none.hpp>\n", "broken.hpp:1: includes <plait/none.hpp>, which is not in")):
        (copy / "include/plait/broken.hpp").write_text(text)
        make(copy, ["plait/broken.hpp"], scratch / "none.hpp", fails=True, says=says)
    return copy


def check_conditions(copy, scratch, compiler):
    """Checks a header that is first included under a condition, and then without one: it is there once."""
    (copy / "include/plait/part.hpp").write_text("#pragma once\nint part;\n")
    (copy / "include/plait/whole.hpp").write_text("#if defined(A)\n#include <plait/part.hpp>\n#endif\n#if defined(B)\n#include <plait/part.hpp>\n"
                                                  "#endif\n")
    (copy / "include/plait/both.hpp").write_text("#include <plait/whole.hpp>\n#include <plait/part.hpp>\n")
    for header, flags, count in (("whole", [], 0), ("whole", ["-DA"], 1), ("whole", ["-DB"], 1), ("whole", ["-DA", "-DB"], 1),
                                 ("both", [], 1), ("both", ["-DA"], 1)):
        make(copy, [f"plait/{header}.hpp"], scratch / "conditions.hpp")
        there = run(compiler, "-E", "-P", "-x", "c++", *flags, scratch / "conditions.hpp").count("int part;")
        require(there == count, f"{header}.hpp with {flags} has its part {there} times instead of {count}")


def trial(project, scratch, compiler):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    check_tokens(project, scratch, compiler)
    check_conditions(check_refusals(project, scratch), scratch, compiler)
    program = scratch / "program"
    run(compiler, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-I", scratch, project / "test/packaging/single_header/main.cpp", "-o", program)
    run(program, says="moved")


main(trial)
