"""Compiles wrong programs as users write them, with <plait/plait.hpp>, and checks the first five lines of the output.

usage: check.py --compiler C --compiler-id ID --include FOLDER [--precompiled FILE] [FILE...]

Without files: all programs beside this script. compiling.py says what a program is.

A program begins with lines `// GCC: text`, `// CLANG: text` or `// BOTH: text`: each text must be in those five lines,
counting every line but one kind: GCC quotes the program's own line before the error from version 14 on. `// ERRORS: 2`
gives the number of errors if it is not one; `any` if the compilers differ. `// STANDARD: c++17` is the language if it
is not C++20. With -DFIXED the programs must compile without a warning, all in one unit.

The programs are compiled in one unit first. What differs from what a program says is compiled alone, and its own output
decides: a message may name the program's namespace, and an error of the same instance is reported once.

With --precompiled FILE, the compiler reads <plait/plait.hpp> from this file. GCC's output then lacks one line: that the
program includes <plait/plait.hpp>.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from check_refusals import by_program  # noqa: E402
from compiling import arguments_parser, compile_program, compile_together, programs_of  # noqa: E402

LINES = 5
QUOTED = re.compile(r"\s+\d* \| ")  # "    8 |     return matches_tag(l, text);"
SETTINGS = "GCC|CLANG|BOTH|ERRORS|STANDARD"
LOCALE = "C.UTF-8"  # with GCC's quotation marks, as most users have them


def wrong_in(output, settings, kinds, lacks_a_line):
    lines = output.splitlines()
    if "GCC" in kinds:
        error = next((i for i, line in enumerate(lines) if "error: " in line), 0)
        lines = [line for i, line in enumerate(lines) if i >= error or not QUOTED.match(line)]
    missing = int(lacks_a_line and output.startswith("In file included from"))
    begin = "\n".join(lines[:LINES - missing])
    problems = [f"not in the first {LINES} lines: {text}" for kind, text in settings if kind in kinds and text not in begin]
    errors = sum(": error:" in line or ": fatal error:" in line for line in lines)
    expected = dict(settings).get("ERRORS", "1")
    if expected != "any" and errors != int(expected):
        problems.append(f"{errors} errors instead of {expected}")
    return problems


def settings_of(program):
    return re.findall(rf"^// ({SETTINGS}): (.+)$", program.text, re.MULTILINE)


def kinds_of(arguments):
    return ("CLANG" if "Clang" in arguments.compiler_id else "GCC", "BOTH")


def standard_of(program):
    return dict(settings_of(program)).get("STANDARD", "gnu++20")


def right_together(arguments, programs):
    """Returns the names of programs whose part of the output of one unit is as they say."""
    _, output = compile_together(arguments, programs, False, standard="gnu++20", locale=LOCALE)
    right = set()
    for name, part in by_program(output, programs).items():
        # The unit includes the programs.
        part = re.sub(rf"^In file included from \S+/program\.cpp:\d+:\n(?=\S+/{name}\.cpp:)", "", part, flags=re.MULTILINE)
        (program,) = (program for program in programs if program.name == name)
        if part and not wrong_in(part, settings_of(program), kinds_of(arguments), False):
            right.add(name)
    return right


def check_wrong(arguments, program):
    """Returns what is wrong with the output for a program, and the output."""
    settings, kinds, standard = settings_of(program), kinds_of(arguments), standard_of(program)
    includes, options, missing = [], [], False
    if arguments.precompiled and standard == "gnu++20":
        if "CLANG" in kinds:
            options = ["-include-pch", arguments.precompiled]
        else:
            includes, missing = [pathlib.Path(arguments.precompiled).parent.parent], True
    if not any(kind in kinds for kind, _ in settings):
        return ["nothing is said of this compiler's lines"], ""
    status, output = compile_program(arguments, program, False, standard=standard, locale=LOCALE, options=options, first=includes)
    return (wrong_in(output, settings, kinds, missing) if status != 0 else ["it compiles"]), output


def check_fixed(arguments, programs):
    """Returns the compiler's output for the corrected programs in one unit, each in a namespace, or nothing."""
    status, output = compile_together(arguments, programs, True, standard="gnu++20", locale=LOCALE)
    return "" if status == 0 else f"the corrected programs do not compile:\n{output}"


def main():
    parser = arguments_parser(__doc__)
    parser.add_argument("--precompiled")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    files = arguments.files or sorted(pathlib.Path(__file__).resolve().parent.glob("*.cpp"))
    programs = [program for file in files for program in programs_of(file, SETTINGS)]
    wrong = 0
    together = [program for program in programs if standard_of(program) == "gnu++20"]
    right = right_together(arguments, together) if len(together) > 1 else set()
    alone = [program for program in programs if program.name not in right]
    for program in alone:
        problems, output = check_wrong(arguments, program)
        if problems:
            wrong += 1
            print("".join(f"{program.place}: {problem}\n" for problem in problems) + "\nthe compiler's words:\n" + output)
    fixed = check_fixed(arguments, programs)
    print(fixed or f"{len(programs)} programs: {len(right)} as expected together, {len(alone)} compiled alone; {wrong} wrong")
    return 1 if wrong or fixed else 0


if __name__ == "__main__":
    sys.exit(main())
