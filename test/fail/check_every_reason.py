"""Checks that each enumerator of plait::reason has a refused program here, or a line in run_time_only.txt."""

import pathlib
import re
import sys


def reasons_of(header):
    body = re.search(r"enum class reason \{(.*?)\};", header, re.DOTALL)[1]
    return re.findall(r"^\s*(\w+),", re.sub(r"//.*", "", body), re.MULTILINE)


def main():
    here = pathlib.Path(__file__).parent
    reasons = reasons_of(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    reasons.remove("none")
    expected = {path.stem: path.read_text(encoding="utf-8").split("\n", 1)[0] for path in here.glob("*.cpp")}
    lines = (here / "run_time_only.txt").read_text(encoding="utf-8").splitlines()
    excused = {line.split()[0] for line in lines if line and not line.startswith("#")}

    problems = []
    for reason in reasons:
        if reason not in expected and reason not in excused:
            problems.append(f"{reason}: no file test/fail/{reason}.cpp, and no line in run_time_only.txt")
        if reason in expected and reason in excused:
            problems.append(f"{reason}: a program and a line in run_time_only.txt")
        if reason in expected and expected[reason] != f"// EXPECT: {reason}":
            problems.append(f"{reason}: test/fail/{reason}.cpp expects something else")
    for name in sorted(excused - set(reasons)):
        problems.append(f"{name}: in run_time_only.txt, but not a reason")
    print("\n".join(problems) or f"{len(reasons)} reasons, {len(expected)} programs, {len(excused)} only at run time")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
