"""Compiles refused programs, many in one unit, and checks that each has one error, which reports its reason.

usage: check_refusals.py --compiler C --compiler-id ID --include FOLDER [--fixed] [--batch K/N] [FILE[:LINE]...]

Without files: all programs beside this script, or the K-th of N parts of them. compiling.py says what a program is.

A program begins with a line `// EXPECT: text (1, 17, 17)`; its first diagnostic must contain the text. The numbers are
those of the verdict. The axis at the front may be left out, and so may a last number of 0, or all. Both compilers must
report the numbers next to the reason:

    - For refused constants (core/allowed.hpp), in the first three lines, not counting those that name included files.
    - For refused values (core/rejection.hpp), Clang has them in its first note, and GCC in its error, the sentence.

With --fixed: the corrected twins. They must compile without a warning.

Each program is in a namespace of its own, after the headers of all. A program that fails with the others is compiled
alone: its own output is what a user sees, and it decides.
"""

import pathlib
import re
import sys

from compiling import arguments_parser, compile_program, compile_together, programs_of

HERE = pathlib.Path(__file__).resolve().parent
# A line that belongs to the next diagnostic of GCC or Clang: how the compiler came to its place.
CONTEXT = re.compile(r"In file included from |\s+from |\S+: (In|At) |\S+:\d+:\d+:\s+(required|recursively required|in .?constexpr)|\S+:\d+:\s+confused")


def without_place(line):
    """Removes the file's name from a line, because the name contains the reason."""
    return re.sub(r"^\S+: ", "", line)


def errors_of(lines, clang):
    """Returns the numbers of the lines with errors, without one that only says that a call is refused.

    What a consteval function refuses gives two errors from Clang 22 on, for the constant and for its call; and from
    GCC 14 on if the call is in code for the run time: first that it is no constant, then the reason.
    """
    errors = [i for i, line in enumerate(lines) if "error:" in line]
    calls = [i for i in errors if "error: call to consteval function" in lines[i]]
    if clang:
        return [i for i in errors if i == errors[0] or i not in calls]
    return errors[1:] if calls[:1] == errors[:1] and len(errors) > 1 and errors[1] not in calls else errors


def first_diagnostic(lines, clang):
    """Returns the text about a refused value: GCC's error, with Clang also the note that follows it."""
    start = errors_of(lines, clang)[0]
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
        found = re.search(r"rejected::(?:no_axis|axis<(\d+)>|axes_of<[^>]*>), plait::rejected::(?:numbers|letters)<([^>]*)>", said)
        found = ", ".join([found[1] or "-1", re.sub(r"'(.)'", lambda letter: str(ord(letter[1])), found[2])]) if found else ""
    else:
        found = re.search(rf"reason::{expected}, ([^}}]*), \d+}}", said)  # the last member is verdict::counted
        found = found[1] if found else ""
    return not re.fullmatch(rf"(-?\d+, )?{re.escape(numbers)}(, 0)?", found) if numbers else False, said


def problems_of(program, clang, output):
    """Returns what is wrong with the output for a refused program."""
    expected = re.match(r"// EXPECT: (.+?)(?: \((.+)\))?\n", program.text)
    if not program.has_twin():
        return ["it has no corrected twin: no line // FIXED:"]
    if "\n// NUMBERS: " in program.text:
        return ["its numbers are not in parentheses after its reason"]
    lines = output.splitlines()
    errors = [lines[i] for i in errors_of(lines, clang)]
    if not errors:
        return ["it compiles"]
    problems = []
    if len(errors) != 1:
        problems.append(f"{len(errors)} errors instead of one:\n    " + "\n    ".join(errors))
    wrong, said = numbers_wrong(lines, clang, expected[1], expected[2] or "")
    if said is None:
        said = first_diagnostic(lines, clang)
    if expected[1] not in said:
        problems.append(f"the first diagnostic does not say '{expected[1]}'")
    if wrong:
        problems.append(f"the numbers {expected[2]} are not said")
    return problems


def diagnostics(output):
    """Splits the output into diagnostics: an error with the lines that lead to it, and its notes."""
    found, context = [], []
    for line in output.splitlines():
        if " error: " in line:
            found.append(context + [line])
            context = []
        elif CONTEXT.match(line):
            context.append(line)
        elif found:
            found[-1] += context + [line]
            context = []
    return found


def by_program(output, programs):
    """Returns the output of each program. A diagnostic belongs to the program whose file it names first."""
    outputs = {program.name: [] for program in programs}
    name = re.compile(r"/(" + "|".join(outputs) + r")\.cpp:")
    for lines in diagnostics(output):
        named = name.search("\n".join(lines))
        if named:
            outputs[named[1]] += lines
    return {name: "\n".join(lines) for name, lines in outputs.items()}


def check_alone(arguments, program):
    """Prints what is wrong with a program, and what the compiler says. Returns whether something is."""
    status, output = compile_program(arguments, program, arguments.fixed, includes=[HERE])
    if arguments.fixed:
        problems = [] if status == 0 else ["the corrected twin does not compile"]
    else:
        problems = problems_of(program, "Clang" in arguments.compiler_id, output)
    for problem in problems:
        print(f"{program.place}: {problem}")
    if problems:
        print("\nthe compiler's words:\n" + output)
    return bool(problems)


def programs_asked(arguments):
    part, parts = map(int, arguments.batch.split("/"))
    files = {str(pathlib.Path(name.split(":")[0]).resolve()) for name in arguments.files} or sorted(map(str, HERE.glob("*.cpp")))
    programs = [program for file in files for program in programs_of(file, "EXPECT")][part - 1::parts]
    wanted = tuple(name for name in arguments.files if ":" in name)
    return [program for program in programs if not wanted or program.place.endswith(wanted)]


def main():
    parser = arguments_parser(__doc__)
    parser.add_argument("--fixed", action="store_true", help="the corrected twins: they compile without a warning")
    parser.add_argument("--batch", default="1/1", help="K/N: the K-th of N parts of all programs")
    parser.add_argument("files", nargs="*", metavar="FILE[:LINE]")
    arguments = parser.parse_args()
    clang = "Clang" in arguments.compiler_id
    programs = programs_asked(arguments)
    status, output = compile_together(arguments, programs, arguments.fixed, includes=[HERE])
    if arguments.fixed:
        suspects = [] if status == 0 else programs
    else:
        outputs = by_program(output, programs)
        suspects = [program for program in programs if problems_of(program, clang, outputs[program.name])]
    wrong = [program for program in suspects if check_alone(arguments, program)]
    if arguments.fixed and status != 0 and not wrong:
        print("the corrected twins compile alone, but not together:\n" + output)
        return 1
    print(f"{len(programs)} programs: {len(programs) - len(suspects)} as expected together, {len(suspects)} compiled alone"
          + "".join(f", {program.place}" for program in suspects) + f"; {len(wrong)} wrong")
    return 1 if wrong or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
