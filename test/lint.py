"""Checks the tree itself: its layers, names, links, prose and format.

usage: lint.py [NAME...], where each NAME is the beginning of the name of a check, for example document. or format

A check belongs here if it only reads the tree: it needs no build, no compiler and no program of plait, and it writes
nothing. Everything else is a test of ctest. The checks run in parallel, one on each core. Each finding is printed as
`FILE:LINE: what is wrong [check]`, then the time of each check. The result is 1 if a check fails.

A check is a script that prints its findings and returns a nonzero status, or the formatter. To add one, add its line to
CHECKS.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROSE = "README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs include src python examples bench cmake packaging test tools setup.py".split()
# Other versions format the same text differently.
FORMATTER = "clang-format-14"
FORMATTED = {".h", ".c", ".hpp", ".cpp", ".inl"}
AS_GIVEN = "test/northstar/"  # these programs are kept as they were given
FILES_AT_ONCE = 100


def script(path, *arguments):
    return [sys.executable, "-B", path, *(str(argument) for argument in arguments)]


# The longest first.
CHECKS = {
    "structure.prose": script("test/structure/check_prose.py", ".", *PROSE),
    "document.reference": script("docs/site/make_reference.py", "."),
    "document.names": script("test/documents/check_names.py", "."),
    "structure.public_names": script("test/structure/public_names.py", "."),
    "document.pictures": script("test/documents/check_pictures.py", "."),
    "document.links": script("test/documents/check_links.py", "."),
    "structure.layers": script("test/structure/check_layers.py", "."),
    "structure.rfc": script("test/structure/check_rfc.py", "."),
    "structure.reference": script("test/structure/check_reference.py", "."),
    "structure.element_types": script("test/structure/check_element_types.py", "."),
    "structure.operations": script("test/structure/check_operations.py", "."),
    "structure.faults": script("test/faults.py", "--check"),
    "structure.seeds": script("test/fuzz/seeds.py", "check", *sorted(path.relative_to(ROOT) for path in (ROOT / "test/fuzz/seeds").glob("*.txt"))),
    "document.tutorial": script("test/documents/check_tutorial.py", "."),
    "document.speed_tables": script("test/documents/check_speed.py", "."),
    "document.dates": script("test/documents/check_dates.py", "."),
    "document.declarations": script("test/documents/test_declarations.py", "."),
    "fail.every_reason": script("test/fail/check_every_reason.py", "include/plait/core/reason.hpp"),
}


def sources():
    """Returns the files that are formatted: those that git tracks, and new ones that it does not ignore."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True, capture_output=True, check=True)
    names = [name for name in listed.stdout.splitlines() if pathlib.Path(name).suffix in FORMATTED and not name.startswith(AS_GIVEN)]
    return [name for name in names if (ROOT / name).exists()]


def wanted_checks(names):
    """Returns the name and the command of each check to run. The formatter has several commands."""
    checks = list(CHECKS.items())
    files = sources()
    checks += [("format", [FORMATTER, "--dry-run", *files[k:k + FILES_AT_ONCE]]) for k in range(0, len(files), FILES_AT_ONCE)]
    return [(name, command) for name, command in checks if not names or name.startswith(tuple(names))]


def run(name, command):
    """Returns the seconds that the check took, its findings, and a line that says what it checked."""
    begin = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seconds, lines = time.monotonic() - begin, done.stdout.rstrip("\n").splitlines()
    if name == "format":
        places = (re.match(r"(\S+:\d+):\d+: (?:warning|error): ", line) for line in lines)
        findings = [f"{found[1]}: is not formatted: ./dev format [format]" for found in places if found]
        # One place of a file is enough.
        findings = list({line.split(":")[0]: line for line in reversed(findings)}.values())[::-1]
        if done.returncode and not findings:
            findings = lines or [f"{FORMATTER} ends with {done.returncode} [format]"]
        return seconds, findings, f"{len(command) - 2} files"
    if done.returncode == 0:
        return seconds, [], lines[-1] if lines else ""
    return seconds, [f"{line} [{name}]" if re.match(r"\S+:\d+: ", line) else line for line in lines] or [f"{name} ends with {done.returncode}"], ""


def main(names):
    if not shutil.which(FORMATTER):
        print(f"lint.py: {FORMATTER} is not installed; ./dev lint installs it")
        return 1
    checks, begin = wanted_checks(names), time.monotonic()
    if not checks:
        print(f"lint.py: no check begins with {' or '.join(names)}; there are {', '.join([*CHECKS, 'format'])}")
        return 2
    cores = len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        results = list(pool.map(lambda check: (check[0], *run(*check)), checks))
    failed = set()
    for name, _, findings, _ in results:
        print("\n".join(findings), end="\n" if findings else "")
        failed |= {name} if findings else set()
    for name in dict.fromkeys(name for name, _ in checks):
        parts = [result for result in results if result[0] == name]
        what = f"{len(sources())} files" if name == "format" else parts[0][3]
        print(f"{sum(part[1] for part in parts):6.1f} s  {name}: {'FAILED' if name in failed else what or 'ok'}")
    left = len({*CHECKS, "format"} - {name for name, _ in checks})
    print(f"{time.monotonic() - begin:6.1f} s  in all, on {cores} cores" + (f"; {left} checks left out, as you named others" if left else "; no check left out"))
    print(f"lint: {len(failed)} of {len({name for name, _ in checks})} checks failed" if failed else "lint: no findings")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
