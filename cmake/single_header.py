"""Makes one header of plait's headers: replaces each include of <plait/...> with the file.

usage: single_header.py HEADER... [-o FILE]: headers of include/, as plait/plait.hpp. plait/implementation.hpp becomes
a self-contained unit that a program compiles once, as plait_implementation.cpp.

A header that begins with #pragma once is inserted at its first include only. Any other file is inserted at every
include: parts of kernels are included once per instruction set, in separate namespaces. A header that is first included
under an #if is inserted with a guard, and again at later includes, because the condition may be false. Rejected: an
include with quotes, because its meaning depends on the folder.
"""

import argparse
import pathlib
import re
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
INCLUDE_LINE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
IF_LINE, ENDIF_LINE = re.compile(r"\s*#\s*if"), re.compile(r"\s*#\s*endif\b")
ONCE = "#pragma once"


class Expander:
    def __init__(self):
        self.out, self.there, self.guarded = [], set(), set()

    def put(self, name, from_where, conditions):
        path = INCLUDE / name
        if not path.is_file():
            raise ValueError(f"{from_where}: includes <{name}>, which is not in {INCLUDE}")
        lines = path.read_text(encoding="utf-8").splitlines()
        if lines[:1] == [ONCE]:
            if name in self.there:
                return
            lines = lines[1:]
            if conditions:
                self.guarded.add(name)
            else:
                self.there.add(name)
            if name in self.guarded:
                guard = "PLAIT_INSERTED_" + re.sub(r"\W", "_", name.removeprefix("plait/")).upper()
                lines = [f"#ifndef {guard}", f"#define {guard}", *lines, "#endif"]
        self.out.append(f"// ---- {name}")
        inner = conditions
        for number, line in enumerate(lines, 1):
            included = INCLUDE_LINE.match(line)
            inner += bool(IF_LINE.match(line)) - bool(ENDIF_LINE.match(line))
            if included and included[1] == '"':
                raise ValueError(f'{name}:{number}: includes "{included[2]}" instead of <plait/...>')
            if included and included[2].startswith("plait/"):
                self.put(included[2], f"{name}:{number}", inner)
            else:
                self.out.append(line)
        if inner != conditions:
            raise ValueError(f"{name}: #if and #endif differ in number")


def single_header(names, is_unit=False):
    version = re.search(r'PLAIT_VERSION "([^"]*)"', (INCLUDE / "plait/version.hpp").read_text(encoding="utf-8"))[1]
    expander = Expander()
    for name in names:
        expander.put(name, "the command", 0)
    head = [] if is_unit else [ONCE]
    head += [f"// plait {version}, in one file: {' '.join(names)}. Made by cmake/single_header.py, from headers that are easier to read.",
             "// Boost Software License 1.0: https://www.boost.org/LICENSE_1_0.txt"]
    return "\n".join(head + expander.out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("headers", nargs="+", metavar="HEADER", help="as plait/plait.hpp")
    parser.add_argument("-o", dest="output", metavar="FILE", help="where to write it; else it is printed")
    arguments = parser.parse_args()
    try:
        text = single_header(arguments.headers, is_unit=(arguments.output or "").endswith(".cpp"))
    except ValueError as refused:
        sys.exit(f"single_header.py: {refused}")
    if arguments.output:
        pathlib.Path(arguments.output).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
