"""Compiles one refused program, and checks that the compiler says why in one error; or its corrected twin.

The program's first line is `// EXPECT: text`: what the first diagnostic has to contain. A line `// NUMBERS: 1, 17, 17`
gives the numbers of the verdict (the nearest one may be left out where it is 0), which Clang shows as the last
arguments of refuse().
"""

import argparse
import os
import re
import subprocess
import sys


def compile_program(arguments):
    command = [arguments.compiler, "-std=c++20", "-fsyntax-only"]
    command += [part for folder in arguments.include for part in ("-I", folder)]
    if arguments.fixed:
        command += ["-DFIXED", "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable"]
    run = subprocess.run(command + [arguments.file], capture_output=True, text=True, env=dict(os.environ, LC_ALL="C"))
    return run.returncode, run.stderr


def first_diagnostic(lines, clang):
    """GCC says the reason in the error itself; Clang in the first note after it that is not about templates.

    Without the place in front, as the name of the file is the reason too.
    """
    start = next(i for i, line in enumerate(lines) if "error:" in line)
    said = [lines[start].split("error:", 1)[1]]
    if clang:
        notes = [line.split("note:", 1)[1] for line in lines[start:] if "note:" in line]
        said += [note for note in notes if "in instantiation of" not in note][:1]
    return "\n".join(said)


def problems_of(arguments, text, status, output):
    if arguments.fixed:
        return [] if status == 0 else ["the corrected twin does not compile"]
    clang = "Clang" in arguments.compiler_id
    expected = re.match(r"// EXPECT: (.+)\n", text)
    numbers = re.search(r"^// NUMBERS: (.+)$", text, re.MULTILINE)
    if not expected:
        return ["the first line is not `// EXPECT: text`"]
    if "#ifdef FIXED" not in text:
        return ["there is no corrected twin behind #ifdef FIXED"]
    if status == 0:
        return ["it compiles"]
    problems = []
    lines = output.splitlines()
    errors = [line for line in lines if "error:" in line]
    if len(errors) != 1:
        problems.append(f"{len(errors)} errors instead of one:\n    " + "\n    ".join(errors))
    if errors and expected[1] not in first_diagnostic(lines, clang):
        problems.append(f"the first diagnostic does not say '{expected[1]}'")
    if clang and numbers and not re.search(rf"refuse\(.*, {re.escape(numbers[1])}(, 0)?\)", output):
        problems.append(f"no note says the numbers {numbers[1]}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--compiler-id", required=True, help="GNU, Clang or AppleClang")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--fixed", action="store_true", help="the corrected twin: it compiles without a warning")
    parser.add_argument("file")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:
        text = file.read()
    status, output = compile_program(arguments)
    problems = problems_of(arguments, text, status, output)
    for problem in problems:
        print(f"{os.path.basename(arguments.file)}: {problem}")
    if problems:
        print("\nthe compiler's words:\n" + output)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
