"""Checks that the C interface and the Python package have the element types of the table in core/element_types.hpp.

usage: check_element_types.py PROJECT
"""

import pathlib
import re
import sys


def line_of(text, words):
    return text.split(words)[0].count("\n") + 1


def main():
    project = pathlib.Path(sys.argv[1])
    table = (project / "include/plait/core/element_types.hpp").read_text(encoding="utf-8")
    enumerators = re.findall(r"\w+", re.search(r"enum class data_type \{(.*?)\}", table, re.DOTALL)[1])
    rows = re.findall(r'^    \{"(\w+)", (\d+),', table, re.MULTILINE)
    problems = []
    if [name for name, _ in rows] != enumerators:
        problems.append(f"include/plait/core/element_types.hpp:{line_of(table, 'enum class data_type {')}: the enumerators are {enumerators}, and the rows {rows}")

    header = (project / "include/plait/plait.h").read_text(encoding="utf-8")
    in_c = re.findall(r"PLAIT_(\w+) = (\d+)", header.split("plait_data_type_t;")[1].split("};")[0])
    wanted = [(name.upper(), str(number)) for number, name in enumerate(enumerators)]
    if in_c != wanted:
        problems.append(f"include/plait/plait.h:{line_of(header, 'plait_data_type_t;')}: has the types {in_c} instead of {wanted}")

    package = (project / "python/plait/_types.py").read_text(encoding="utf-8")
    in_python = re.findall(r'^    _Row\("(\w+)", (\d+),', package, re.MULTILINE)
    if in_python != rows[1:]:
        problems.append(f"python/plait/_types.py:{line_of(package, '_Row(')}: has the types {in_python} instead of {rows[1:]}")
    print("\n".join(problems) or f"{len(rows) - 1} element types")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
