"""Checks that functions of an object file call nothing and divide nothing: what they index by is constants' arithmetic.

usage: check_assembly.py OBJDUMP OBJECT FUNCTION...
"""

import re
import subprocess
import sys


def functions_of(objdump, path):
    """The instructions of each function, as objdump writes them: [('call', '1234 <name>'), ...] by name."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    functions, lines = {}, None
    for line in text.splitlines():
        if start := re.match(r"[0-9a-f]+ <(.+)>:$", line):
            lines = functions.setdefault(start[1], [])
        elif lines is not None and (instruction := re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*(.*)", line)):
            lines.append((instruction[1], instruction[2]))
    return functions


def is_call(name, function, operands):
    """A call, or a jump out of the function, which is one at its end."""
    if name.startswith("call"):
        return True
    target = re.search(r"<([^+>]+)", operands)
    return name.startswith("j") and target is not None and target[1] != function


def problems_of(function, instructions):
    calls = [f"{name} {operands}" for name, operands in instructions if is_call(name, function, operands)]
    divisions = [f"{name} {operands}" for name, operands in instructions if re.match(r"i?div[bwlq]?$", name)]
    return [f"{function} calls: {call}" for call in calls] + [f"{function} divides: {division}" for division in divisions]


def main():
    objdump, path, *wanted = sys.argv[1:]
    functions, problems = functions_of(objdump, path), []
    for function in wanted:
        if not functions.get(function):
            problems.append(f"{function}: no such function in {path}")
        problems += problems_of(function, functions.get(function, []))
    print("\n".join(problems) or ", ".join(f"{function}: {len(functions[function])} instructions" for function in wanted))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
