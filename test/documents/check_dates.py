"""Checks that every figure of speed in README.md and docs/design that is not generated is in a section with the date of the
measurement.

usage: check_dates.py PROJECT
"""

import pathlib
import re
import sys

SPEED = re.compile(r"\bGB/s\b|\d (ns|us|ms)\b")
DATED = re.compile(r"\bMeasured 20\d\d-\d\d-\d\d\b")
GENERATED = re.compile(r"<!-- (\w+), of \S+ by \S+ -->.*?<!-- end of \1 -->", re.DOTALL)


def main():
    project, problems = pathlib.Path(sys.argv[1]).resolve(), []
    for path in [project / "README.md"] + sorted((project / "docs/design").glob("*.md")):
        for section in re.split(r"^(?=#+ )", GENERATED.sub("", path.read_text(encoding="utf-8")), flags=re.MULTILINE):
            found = SPEED.search(section)
            if found and not DATED.search(section):
                problems.append(f"{path.relative_to(project)}: {section.splitlines()[0]}: '{found[0]}' is neither generated from results, "
                                "nor said to be Measured on a day")
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
