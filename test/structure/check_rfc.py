"""Checks that docs/design/rfc.md names tests that exist: each `test case` in its tables, and no section without one.

usage: check_rfc.py PROJECT
"""

import pathlib
import re
import sys


def main():
    project = pathlib.Path(sys.argv[1])
    names = set()
    for source in (project / "test").rglob("*.cpp"):
        names |= set(re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', source.read_text(encoding="utf-8")))
    text = (project / "docs" / "design" / "rfc.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "|---" not in line and "| sentence" not in line]
    problems = []
    for row in rows:
        cited = re.findall(r"`([a-z_=():]+: [^`]*)`", row.rsplit("|", 2)[1])
        northstar = "northstar" in row
        if not cited and not northstar:
            problems.append(f"no test: {row}")
        problems += [f"no such test: {name}" for name in cited if name not in names]
    print("\n".join(problems) or f"{len(rows)} sentences")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
