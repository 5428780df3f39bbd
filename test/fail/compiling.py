"""Compiles a wrong program, or its corrected twin behind -DFIXED: code that the checks here share."""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable"]


def arguments_parser(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--compiler-id", required=True, help="GNU, Clang or AppleClang")
    parser.add_argument("--include", action="append", default=[])
    return parser


def compile_program(arguments, file, fixed, standard="c++20", locale="C", includes=(), options=(), first=()):
    """Returns the compiler's status and its output."""
    command = [arguments.compiler, f"-std={standard}", "-fsyntax-only", *options]
    command += [part for folder in [*first, *arguments.include, *includes] for part in ("-I", folder)]
    if "Clang" in arguments.compiler_id:
        command.append("-ferror-limit=0")
    if fixed:
        command += ["-DFIXED", *WARNINGS]
    environment = dict(os.environ, LC_ALL=locale)
    run = subprocess.run(command + [file], capture_output=True, encoding="utf-8", env=environment)
    return run.returncode, run.stderr


def compile_together(arguments, programs, fixed, **options):
    """Compiles a unit that includes the programs, each in a namespace, after the headers of all."""
    headers = {line for program in programs for line in re.findall(r"^#include .*$", program.read_text(encoding="utf-8"), re.MULTILINE)}
    spaces = [f'namespace program_{program.stem} {{\n#include "{program}"\n}}' for program in programs]
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "programs.cpp"
        unit.write_text("\n".join(sorted(headers) + spaces) + "\n", encoding="utf-8")
        return compile_program(arguments, unit, fixed, **options)
