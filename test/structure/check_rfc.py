"""Checks the tables of documents that quote a source sentence by sentence, in the column `sentence`. Each sentence
cites a test, and each `test case` that is cited exists.

usage: check_rfc.py PROJECT
"""

import pathlib
import re
import sys


def rows_of(text):
    """Returns the rows of the tables whose first column is `sentence`, each with the number of its line."""
    rows, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("| sentence"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and "|---" not in line:
            rows.append((number, line))
    return rows


def main():
    project = pathlib.Path(sys.argv[1])
    names = set()
    for source in (project / "test").rglob("*.cpp"):
        names |= set(re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', source.read_text(encoding="utf-8")))
    rows, problems = [], []
    for name in ("rfc.md", "formats.md", "bridge.md"):
        found = rows_of((project / "docs" / "design" / name).read_text(encoding="utf-8"))
        problems += [] if found else [f"docs/design/{name}:1: no sentences"]
        rows += [(f"docs/design/{name}:{number}", row) for number, row in found]
    for where, row in rows:
        cited = re.findall(r"`([^`]+: [^`]*)`", row.rsplit("|", 2)[1])
        northstar = "northstar" in row
        if not cited and not northstar:
            problems.append(f"{where}: cites no test: {row}")
        problems += [f"{where}: there is no test case `{name}`" for name in cited if name not in names]
    print("\n".join(problems) or f"{len(rows)} sentences")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
