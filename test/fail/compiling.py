"""Compiles a wrong program, or its corrected twin behind -DFIXED: code that the checks here share."""

import argparse
import os
import subprocess

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
