"""Compiles one refused program and checks that one error reports the reason; or compiles its corrected twin.

The program's first line is `// EXPECT: text`; the first diagnostic must contain this text.
A line `// NUMBERS: 1, 17, 17` gives the numbers of the verdict. The axis at the front may be left out, and so may a
last number of 0. Both compilers must report the numbers next to the reason:

    - For refused constants (core/allowed.hpp), in the first three lines, not counting those that name included files.
    - For refused values (core/rejection.hpp), Clang has them in its first note, and GCC in its error, the sentence.
"""

import os
import re
import sys

from compiling import arguments_parser, compile_program


def without_place(line):
    """Removes the file's name from a line, because the name contains the reason."""
    return re.sub(r"^\S+: ", "", line)


def first_diagnostic(lines, clang):
    """Returns the text about a refused value: GCC's error, with Clang also the note that follows it."""
    start = next(i for i, line in enumerate(lines) if "error:" in line)
    said = [lines[start].split("error:", 1)[1]]
    if clang:
        notes = [line.split("note:", 1)[1] for line in lines[start:] if "note:" in line]
        said += [note for note in notes if "in instantiation of" not in note][:1]
    return "\n".join(said)


def value_numbers_said(output, clang, expected, numbers):
    """Checks that the error of a refused value has the numbers of the verdict: Clang as indices, GCC in the sentence.

    A sentence may leave numbers out, and has a letter or a type for some. Indices are not negative. Only the first
    number has a name for a negative value; if another one is negative, no numbers are reported.
    """
    wanted = re.sub(r"^-1, ", "", numbers).split(", ")
    if not clang:
        sentence = re.search(rf'"{expected}: ([^"]*)"', output)
        said = re.findall(r"(?<!\w)-?\d+\b", sentence[1]) if sentence else []
        return sentence is not None and (bool(set(wanted) & set(said)) or not said)
    pointer = re.search(rf"delete of pointer '&{expected}([^']*)'", output)
    if not pointer or sum(number.startswith("-") for number in wanted) > ("negative" in pointer[1]):
        return pointer is not None
    said = re.findall(r"\[(\d+)\]", pointer[1])
    wanted = [number.replace("-", "") for number in wanted]
    return said[-len(wanted):] == wanted or said == [n for n in wanted if n != "0"] or said[: len(wanted)] == wanted or set(wanted) == {"0"}


def numbers_wrong(lines, clang, expected, numbers):
    """Returns True if the numbers are missing; and the first lines about a refused constant, or None."""
    constant = any("refuse_because" in line or "rule_holds" in line for line in lines)
    if not constant:
        return bool(numbers) and not value_numbers_said("\n".join(lines), clang, expected, numbers), None
    begin = [without_place(line) for line in lines if not re.match(r"In file included|\s+from ", line)][:3]
    said = "\n".join(begin)
    if clang:
        found = re.search(r"rejected::(?:no_axis|axis<(\d+)>), plait::rejected::(?:numbers|letters)<([^>]*)>", said)
        found = ", ".join([found[1] or "-1", re.sub(r"'(.)'", lambda letter: str(ord(letter[1])), found[2])]) if found else ""
    else:
        found = re.search(rf"reason::{expected}, ([^}}]*)}}", said)
        found = found[1] if found else ""
    return not re.fullmatch(rf"(-?\d+, )?{re.escape(numbers)}(, 0)?", found) if numbers else False, said


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
    # From Clang 22, text that a consteval constructor refuses gives two errors: for the constant and for its call.
    repeated = [line for line in errors[1:] if "error: call to consteval function" in line] if clang else []
    errors = [line for line in errors if line not in repeated]
    if len(errors) != 1:
        problems.append(f"{len(errors)} errors instead of one:\n    " + "\n    ".join(errors))
    wrong, said = numbers_wrong(lines, clang, expected[1], numbers[1] if numbers else "")
    if said is None and errors:
        said = first_diagnostic(lines, clang)
    if errors and expected[1] not in said:
        problems.append(f"the first diagnostic does not say '{expected[1]}'")
    if wrong:
        problems.append(f"the numbers {numbers[1]} are not said")
    return problems


def main():
    parser = arguments_parser(__doc__)
    parser.add_argument("--fixed", action="store_true", help="the corrected twin: it compiles without a warning")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:
        text = file.read()
    status, output = compile_program(arguments, arguments.fixed)
    problems = problems_of(arguments, text, status, output)
    for problem in problems:
        print(f"{os.path.basename(arguments.file)}: {problem}")
    if problems:
        print("\nthe compiler's words:\n" + output)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
