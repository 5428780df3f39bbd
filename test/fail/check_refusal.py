"""Compiles one refused program, and checks that the compiler says why in one error; or its corrected twin.

The program's first line is `// EXPECT: text`: what the first diagnostic has to contain. A line `// NUMBERS: 1, 17, 17`
gives the numbers of the verdict (the axis in front may be left out, and the nearest one if it is 0). Both compilers say them where
they say the reason. If constants are refused (core/allowed.hpp), that is in the first three lines, without those that name included
files. If values are refused (core/rejection.hpp), Clang has them in its first note and GCC in its error, which is the sentence.
"""

import os
import re
import sys

from compiling import arguments_parser, compile_program


def without_place(line):
    """Without the file's name, which is the reason too."""
    return re.sub(r"^\S+: ", "", line)


def first_diagnostic(lines, clang):
    """What is said of a refused value: by GCC in the error, by Clang in the note that follows it."""
    start = next(i for i, line in enumerate(lines) if "error:" in line)
    said = [lines[start].split("error:", 1)[1]]
    if clang:
        notes = [line.split("note:", 1)[1] for line in lines[start:] if "note:" in line]
        said += [note for note in notes if "in instantiation of" not in note][:1]
    return "\n".join(said)


def value_numbers_said(output, clang, expected, numbers):
    """Whether the error of a refused value has the numbers of the verdict: Clang as indices, GCC in the sentence.

    A sentence may leave numbers out, and has a letter or a type for some. Indices are not negative: only the first number has a name
    for that, and if another one is, none is said.
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
    """Whether the numbers are not where they have to be said; and what is said first of a refused constant, or None."""
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
    # Of text that a consteval constructor refuses, Clang from 22 on says so twice: of the constant, and of the call in it.
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
