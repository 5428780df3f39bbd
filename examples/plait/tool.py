"""The tool under test, whose path is the first argument: how it is run, what is checked of it, and how a test ends."""

import subprocess
import sys

TOOL = sys.argv[1]
FAILED = []
PASSED = 0


def check(good, what):
    global PASSED
    PASSED += bool(good)
    if not good:
        FAILED.append(what)
        print("FAILED:", what)


def run(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=120)


def end():
    """Ends the test: it fails where a check has, and where there was none."""
    print(f"{PASSED} passed, {len(FAILED)} failed")
    sys.exit(bool(FAILED) or PASSED == 0)
