"""Runs the tool under test, whose path is the first argument, checks its output, and ends the test."""

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
    """Runs the tool with bytes on standard input, through a pipe; its output is returned as bytes."""
    return subprocess.run([TOOL, *arguments], capture_output=True, input=data, timeout=120)


def on_a_terminal(*arguments, stream="stdout", columns=None, environment=None, **others):
    """Runs the tool on a terminal; returns the exit code, and the bytes written to `stream`. `others` are Popen's
    arguments."""
    ours, theirs = pty.openpty()
    if columns is not None:
        subprocess.run(["stty", "cols", str(columns)], stdin=theirs, check=True)
    with subprocess.Popen([TOOL, *arguments], env=environment, **{stream: theirs}, **others) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # the other end of the terminal is closed
            pass
        os.close(ours)
        return process.wait(timeout=120), text


def refused(what, *arguments, says=(), code=1, lines=1):
    """Checks that the tool fails with `lines` lines, any number if None; the first line must contain all texts in
    `says`."""
    answer = run(*arguments)
    check(answer.returncode == code, f"{what}: exit code {answer.returncode}, not {code}: {answer.stderr}")
    check(answer.stderr.startswith("plait: "), f"{what}: begins otherwise: {answer.stderr}")
    if lines is not None:
        check(answer.stderr.count("\n") == lines, f"{what}: not {lines} lines: {answer.stderr}")
    for text in says:
        check(text in answer.stderr, f"{what}: says '{answer.stderr.strip()}', not '{text}'")
    return answer


def end():
    """Ends the test: it fails if a check has failed, or if there was none."""
    print(f"{PASSED} passed, {len(FAILED)} failed")
    sys.exit(bool(FAILED) or PASSED == 0)
