"""The tool under test, whose path is the first argument: how it is run, what is checked of it, and how a test ends."""

import os
import pty
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
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, errors="backslashreplace",
                          timeout=120)


def pipe(data, *arguments):
    """The same with bytes on standard input, through a pipe, and bytes of what it prints."""
    return subprocess.run([TOOL, *arguments], capture_output=True, input=data, timeout=120)


def on_a_terminal(*arguments, stream="stdout", columns=None, environment=None, **others):
    """The exit code, and the bytes that the tool writes to a stream that is a terminal; `others` are Popen's."""
    ours, theirs = pty.openpty()
    if columns is not None:
        subprocess.run(["stty", "cols", str(columns)], stdin=theirs, check=True)
    with subprocess.Popen([TOOL, *arguments], env=environment, **{stream: theirs}, **others) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # the terminal's other end is closed
            pass
        os.close(ours)
        return process.wait(timeout=120), text


def refused(what, *arguments, says=(), code=1, lines=1):
    """Refused with so many lines, or any number where that is None, the first of which says all of these texts."""
    answer = run(*arguments)
    check(answer.returncode == code, f"{what}: exit code {answer.returncode}, not {code}: {answer.stderr}")
    check(answer.stderr.startswith("plait: "), f"{what}: begins otherwise: {answer.stderr}")
    if lines is not None:
        check(answer.stderr.count("\n") == lines, f"{what}: not {lines} lines: {answer.stderr}")
    for text in says:
        check(text in answer.stderr, f"{what}: says '{answer.stderr.strip()}', not '{text}'")
    return answer


def end():
    """Ends the test: it fails where a check has, and where there was none."""
    print(f"{PASSED} passed, {len(FAILED)} failed")
    sys.exit(bool(FAILED) or PASSED == 0)
