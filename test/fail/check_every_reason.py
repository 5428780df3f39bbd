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
    expected = {path.stem: path.read_text(encoding="utf-8").split("\n", 1)[0] for path in here.glob("*.cpp")}
    lines = (here / "run_time_only.txt").read_text(encoding="utf-8").splitlines()
    excused = {line.split()[0]: number for number, line in enumerate(lines, 1) if line and not line.startswith("#")}

    problems = []
    for reason in reasons:
        if reason not in expected and reason not in excused:
            line = re.split(rf"^\s*{reason},", header, flags=re.MULTILINE)[0].count("\n") + 1
            problems.append(f"include/plait/core/reason.hpp:{line}: {reason} has no file test/fail/{reason}.cpp, and no line in test/fail/run_time_only.txt")
        if reason in expected and reason in excused:
            problems.append(f"test/fail/run_time_only.txt:{excused[reason]}: {reason} has a program too, test/fail/{reason}.cpp")
        if reason in expected and expected[reason] != f"// EXPECT: {reason}":
            problems.append(f"test/fail/{reason}.cpp:1: does not begin with // EXPECT: {reason}")
    for name in sorted(set(excused) - set(reasons)):
        problems.append(f"test/fail/run_time_only.txt:{excused[name]}: {name} is not a reason")
    print("\n".join(problems) or f"{len(reasons)} reasons, {len(expected)} programs, {len(excused)} only at run time")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
