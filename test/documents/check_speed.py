"""Checks the figures of speed in the documents.

usage: check_speed.py tables PROJECT checks that the tables and charts show the results in docs/bench, and that every
       other figure of speed in README.md and docs/design is in a section with the date of the measurement
       check_speed.py current PROJECT checks that the results were measured with the current kernels
"""

import json
import pathlib
import re
import subprocess
import sys

SPEED = re.compile(r"\bGB/s\b|\d (ns|us|ms)\b")
DATED = re.compile(r"\bMeasured 20\d\d-\d\d-\d\d\b")
GENERATED = re.compile(r"<!-- (\w+), of \S+ by \S+ -->.*?<!-- end of \1 -->", re.DOTALL)


def check_charts(project):
    import chart  # of bench/reorder
    results = json.loads((project / "docs/bench/reorder-gcc.json").read_text(encoding="utf-8"))
    images = sorted((project / "docs/images").glob("reorder-*.svg"))
    problems = [] if images else ["docs/images: no charts"]
    for image in images:
        if image.read_text(encoding="utf-8") != chart.draw(results, image.stem.removeprefix("reorder-")):
            problems.append(f"{image.relative_to(project)}: not the chart of docs/bench/reorder-gcc.json")
    drawn, peers = (chart.read(project / f"docs/bench/{suite}-gcc.json") for suite in ("drawn", "peers"))
    if (project / "docs/images/drawn.svg").read_text(encoding="utf-8") != chart.draw_compared(drawn, peers):
        problems.append("docs/images/drawn.svg: not the chart of docs/bench/drawn-gcc.json and peers-gcc.json")
    return problems


def check_dates(project):
    problems = []
    for path in [project / "README.md"] + sorted((project / "docs/design").glob("*.md")):
        for section in re.split(r"^(?=#+ )", GENERATED.sub("", path.read_text(encoding="utf-8")), flags=re.MULTILINE):
            found = SPEED.search(section)
            if found and not DATED.search(section):
                problems.append(f"{path.relative_to(project)}: {section.splitlines()[0]}: '{found[0]}' is neither generated from results, "
                                "nor said to be Measured on a day")
    return problems


def check_tables(project):
    done = subprocess.run([sys.executable, project / "bench/tables.py", "--check", "--project", project],
                          text=True, capture_output=True)
    return done.stderr.strip().splitlines() if done.returncode != 0 else []


def check_current(project):
    import kernels_hash  # of bench
    problems, files = [], sorted((project / "docs/bench").glob("*.json"))
    for path in files:
        suite = path.stem.split("-")[0]
        now, then = kernels_hash.hash_of(suite, project), json.loads(path.read_text(encoding="utf-8")).get("kernels", "unknown")
        if now != then:
            problems.append(f"{path.relative_to(project)}: measured with kernels {then}, but include/plait/"
                            f"{{{','.join(kernels_hash.FOLDERS[suite])}}} are {now} now: ./dev bench measures anew, and writes the tables")
    return problems if files else ["docs/bench: no results"]


def main():
    what, project = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    sys.path[:0] = [str(project / "bench"), str(project / "bench/reorder")]
    sys.dont_write_bytecode = True
    if what == "current":
        problems = check_current(project)
    else:
        problems = check_tables(project) + check_charts(project) + check_dates(project)
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
