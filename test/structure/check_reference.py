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
    rows = {}
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.match(r"\| *\[?`?(?:plait/)?([\w/]+\.hp{0,2})\b", line):
            rows.setdefault(found[1], []).append(number)
    problems = [f"include/plait/{name}:1: docs/reference.md has no row for it" for name in sorted(headers - set(rows))]
    problems += [f"docs/reference.md:{lines[1]}: a second row for {name}" for name, lines in rows.items() if len(lines) > 1]
    problems += [f"docs/reference.md:{lines[0]}: there is no header {name}" for name, lines in rows.items() if name not in headers]
    print("\n".join(problems) or f"{len(headers)} headers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
