"""Compiles a wrong program as users write them, with <plait/plait.hpp>, and checks the first five lines of the output.

The program begins with lines `// GCC: text`, `// CLANG: text` or `// BOTH: text`: each text must be in those five
lines, counting every line. `// ERRORS: 2` gives the number of errors if it is not one; `any` if the compilers differ.
`// STANDARD: c++17` is the language if it is not C++20. With -DFIXED the program must compile without a warning.

With --precompiled FOLDER, GCC finds <plait/plait.hpp> compiled in that folder. Its output then lacks one line: that the
program includes <plait/plait.hpp>.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from compiling import arguments_parser, compile_program  # noqa: E402

LINES = 5
LOCALE = "C.UTF-8"  # with GCC's quotation marks, as most users have them


def wrong_in(output, settings, kinds, precompiled):
    lines = output.splitlines()
    missing = int(bool(precompiled) and output.startswith("In file included from"))
    begin = "\n".join(lines[:LINES - missing])
    problems = [f"not in the first {LINES} lines: {text}" for kind, text in settings if kind in kinds and text not in begin]
    errors = sum(": error:" in line or ": fatal error:" in line for line in lines)
    expected = dict(settings).get("ERRORS", "1")
    if expected != "any" and errors != int(expected):
        problems.append(f"{errors} errors instead of {expected}")
    return problems


def main():
    parser = arguments_parser(__doc__)
    parser.add_argument("--precompiled")
    arguments = parser.parse_args()
    if arguments.precompiled:
        arguments.include.insert(0, arguments.precompiled)
    with open(arguments.file, encoding="utf-8") as file:
        settings = re.findall(r"^// (GCC|CLANG|BOTH|ERRORS|STANDARD): (.+)$", file.read(), re.MULTILINE)
    kinds = ("CLANG" if "Clang" in arguments.compiler_id else "GCC", "BOTH")
    status, output = compile_program(arguments, False, dict(settings).get("STANDARD", "c++20"), LOCALE)
    problems = wrong_in(output, settings, kinds, arguments.precompiled) if status != 0 else ["it compiles"]
    if not any(kind in kinds for kind, _ in settings):
        problems.append("nothing is said of this compiler's lines")
    if problems:
        print("\n".join(problems) + "\n\nthe compiler's words:\n" + output)
    fixed_status, fixed_output = compile_program(arguments, True, locale=LOCALE)
    if fixed_status != 0:
        problems.append("the corrected twin does not compile")
        print("the corrected twin does not compile:\n" + fixed_output)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
