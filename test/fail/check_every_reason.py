"""Checks that each enumerator of plait::reason has a refused program here, or a line in run_time_only.txt."""

import pathlib
import re
import sys


def reasons_of(header):
    body = re.search(r"enum class reason \{(.*?)\};", header, re.DOTALL)[1]
    return re.findall(r"^\s*(\w+),", re.sub(r"//.*", "", body), re.MULTILINE)


def main():
    here = pathlib.Path(__file__).parent
    header = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    reasons = reasons_of(header)
    reasons.remove("none")
    texts = "".join(path.read_text(encoding="utf-8") for path in sorted(here.glob("*.cpp")))
    expected = re.findall(r"^// EXPECT: (.+?)(?: \(.*\))?$", texts, re.MULTILINE)
    lines = (here / "run_time_only.txt").read_text(encoding="utf-8").splitlines()
    excused = {line.split()[0]: number for number, line in enumerate(lines, 1) if line and not line.startswith("#")}

    problems = []
    for reason in reasons:
        if reason not in expected and reason not in excused:
            line = re.split(rf"^\s*{reason},", header, flags=re.MULTILINE)[0].count("\n") + 1
            problems.append(f"include/plait/core/reason.hpp:{line}: {reason} has no program in test/fail/*.cpp, and no line in test/fail/run_time_only.txt")
        if reason in expected and reason in excused:
            problems.append(f"test/fail/run_time_only.txt:{excused[reason]}: {reason} has a program too")
    for name in sorted(set(excused) - set(reasons)):
        problems.append(f"test/fail/run_time_only.txt:{excused[name]}: {name} is not a reason")
    print("\n".join(problems) or f"{len(reasons)} reasons, {len(expected)} programs, {len(excused)} only at run time")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
