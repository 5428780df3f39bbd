"""Checks that every header of include/plait has exactly one row in docs/reference.md, and that no other file has one.

usage: check_reference.py PROJECT
"""

import pathlib
import re
import sys


def main():
    project = pathlib.Path(sys.argv[1])
    root = project / "include" / "plait"
    headers = {str(path.relative_to(root)) for path in root.rglob("*.h*")}
    reference = project / "docs" / "reference.md"
    text = reference.read_text(encoding="utf-8") if reference.exists() else ""
    named = re.findall(r"^\| *\[?`?(?:plait/)?([\w/]+\.hp{0,2})\b", text, re.MULTILINE)
    problems = [f"{name}: {named.count(name)} rows" for name in sorted(headers) if named.count(name) != 1]
    problems += [f"{name}: there is no such header" for name in sorted(set(named) - headers)]
    print("\n".join(problems) or f"{len(headers)} headers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
