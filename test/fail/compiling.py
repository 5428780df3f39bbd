"""Compiles wrong programs, or their corrected twins: code that the checks here share.

A file has many programs. What precedes the first one, such as includes, belongs to each. A line `// FIXED: text` after a
line of a program takes its place in the twin; where several lines differ, the twin is behind #ifdef FIXED.
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable"]


class Program:
    """A program: its place in the tree, `file:line`; its name, which is unique; what precedes all of its file; its text."""

    def __init__(self, file, line, prelude, text):
        self.place, self.name = f"{file}:{line}", f"{file.stem}_{line}"
        self.prelude, self.text = prelude, text

    def source(self, fixed):
        """Returns the program as the compiler reads it."""
        text = self.text
        if fixed:
            text = re.sub(r"^.*\n((?: *// FIXED: .*\n)+)", lambda found: found[1].replace("// FIXED: ", ""), text, flags=re.MULTILINE)
        return self.prelude + text

    def has_twin(self):
        return "// FIXED: " in self.text or "#ifdef FIXED" in self.text


def programs_of(file, begins):
    """Returns the programs of a file. Each begins with lines that match `begins`."""
    text = pathlib.Path(file).read_text(encoding="utf-8")
    starts = [found.start() for found in re.finditer(rf"(?:^// (?:{begins}): .*\n)+", text, re.MULTILINE)]
    ends = starts[1:] + [len(text)]
    return [Program(pathlib.Path(file), text[:start].count("\n") + 1, text[:starts[0]], text[start:end]) for start, end in zip(starts, ends)]


def arguments_parser(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--compiler-id", required=True, help="GNU, Clang or AppleClang")
    parser.add_argument("--include", action="append", default=[])
    return parser


def compile_text(arguments, text, fixed, standard="c++20", locale="C", includes=(), options=(), first=(), name="program"):
    """Returns the compiler's status and its output."""
    command = [arguments.compiler, f"-std={standard}", "-fsyntax-only", *options]
    command += [part for folder in [*first, *arguments.include, *includes] for part in ("-I", folder)]
    if "Clang" in arguments.compiler_id:
        command.append("-ferror-limit=0")
    if fixed:
        command += ["-DFIXED", *WARNINGS]
    environment = dict(os.environ, LC_ALL=locale)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{name}.cpp"
        file.write_text(text, encoding="utf-8")
        run = subprocess.run(command + [file], capture_output=True, encoding="utf-8", env=environment)
    return run.returncode, run.stderr


def compile_program(arguments, program, fixed, **options):
    return compile_text(arguments, program.source(fixed), fixed, name=program.name, **options)


def compile_together(arguments, programs, fixed, **options):
    """Compiles a unit that has each program in a namespace, as a file of its name, after the headers of all."""
    headers = {line for program in programs for line in re.findall(r"^#include .*$", program.source(fixed), re.MULTILINE)}
    with tempfile.TemporaryDirectory() as folder:
        spaces = []
        for program in programs:
            file = pathlib.Path(folder) / f"{program.name}.cpp"
            file.write_text(program.source(fixed), encoding="utf-8")
            spaces.append(f'namespace program_{program.name} {{\n#include "{file}"\n}}')
        return compile_text(arguments, "\n".join(sorted(headers) + spaces) + "\n", fixed, **options)
