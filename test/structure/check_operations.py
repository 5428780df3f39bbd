#!/usr/bin/env python3
"""Checks that each operation of the algebra is complete, and prints what is missing.

usage: check_operations.py PROJECT

An operation NAME has:
- its object, check_NAME and try_NAME;
- a line in for_each_operation, in alphabetical order;
- a sample in test/laws/operation_samples.hpp, for the tests that call it on every kind of operand;
- a function in the C interface and in Python, or an entry below with the reason why it has none.
"""

import pathlib
import re
import sys

# Operations without a function of their name in C or Python, with the replacement or the reason.
NOT_IN_C = {
    "adapt": "the axes' permutation, to permute_axes",
    "broadcast_axis": "with_strides, by the descriptor's own strides",
    "canonical_form": "plait_memory_desc_same_memory asks what it is for",
    "complement": "a function of layouts, for the compiler",
    "compose": "a function of layouts, for the compiler",
    "concatenate": "a function of layouts, for the compiler",
    "concatenate_along": "a function of layouts, for the compiler",
    "divide": "a function of layouts, for the compiler",
    "flatten": "join_axes",
    "inverse": "a function of layouts, for the compiler",
    "left_inverse": "a function of layouts, for the compiler",
    "product": "a function of layouts, for the compiler",
    "repeat": "a view of NumPy has it",
    "right_inverse": "a function of layouts, for the compiler",
    "slice": "submemory, then reshape",
    "tile": "reshape, then permute_axes",
    "with_strides": "the descriptor's own strides",
}
NOT_IN_PYTHON = NOT_IN_C | {
    "bind": "shapes are known in Python",
    "extended_reshape": "reshape of NumPy copies where it has to",
    "rename_axes": "permute_axes by the inverse",
}


def text_of(folder, pattern):
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern)))


def places_of(project):
    """Returns the file and line of each operation's object."""
    places = {}
    for path in sorted((project / "include/plait/algebra").glob("*.hpp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if found := re.match(r"inline constexpr operation<[\w:]+> (\w+);", line):
                places[found[1]] = f"{path.relative_to(project)}:{number}"
    return places


def line_of(name):
    """Returns the line of an entry of the tables above."""
    return pathlib.Path(__file__).read_text(encoding="utf-8").split(f'    "{name}": ')[0].count("\n") + 1


def check(project):
    """Returns one line for each problem."""
    problems = []
    algebra = text_of(project / "include/plait/algebra", "*.hpp")
    places = places_of(project)
    names = list(places)
    all_of_them = "include/plait/algebra/operations.hpp:1"
    listed = re.findall(r'action\("(\w+)", (\w+)\);', algebra)
    samples = (project / "test/laws/operation_samples.hpp").read_text(encoding="utf-8")
    c_interface = (project / "include/plait/plait.h").read_text(encoding="utf-8")
    python = text_of(project / "python/plait", "*.py")
    if [name for name, _ in listed] != sorted(names):
        problems.append(f"{all_of_them}: for_each_operation differs in {sorted(set(names) ^ {name for name, _ in listed})}, "
                        "or is not in alphabetical order")
    problems += [f"{all_of_them}: calls {name} by the name of {text}" for text, name in listed if text != name]
    for name in names:
        for kind, declared in (("check", "operation_check"), ("try", "operation_attempt")):
            if f"inline constexpr {declared}<detail::{name}_rule> {kind}_{name};" not in algebra:
                problems.append(f"{places[name]}: {name} has no {kind}_{name}")
        if f"PLAIT_SAMPLE({name}," not in samples:
            problems.append(f"{places[name]}: {name}: test/laws/operation_samples.hpp has no operand and arguments for it")
        for where, reasons, found in (
            ("plait.h", NOT_IN_C, f"plait_memory_desc_{name}(" in c_interface),
            ("python/plait", NOT_IN_PYTHON, re.search(rf"def {name}\(", python)),
        ):
            if not found and name not in reasons:
                problems.append(f"{places[name]}: {name} is not in {where}, and test/structure/check_operations.py does not say why")
            if found and name in reasons:
                problems.append(f"{places[name]}: {name} is in {where}, though test/structure/check_operations.py says why not")
    problems += [f"test/structure/check_operations.py:{line_of(name)}: there is no operation {name}"
                 for name in sorted(set(NOT_IN_PYTHON) - set(names))]
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(bool(found))
