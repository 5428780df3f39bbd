"""The tool on Windows: files, pipes and names, compared with NumPy.

usage: test_tool.py [EMULATOR...] TOOL
"""

import os
import subprocess
import sys
import tempfile

import numpy

TOOL = sys.argv[1:]
FAILED = []
PASSED = 0


def check(good, what):
    global PASSED
    PASSED += bool(good)
    if not good:
        FAILED.append(what)
        print("FAILED:", what)


def run(*arguments, data=b"", folder=None):
    return subprocess.run([*TOOL, *arguments], input=data, capture_output=True, cwd=folder, timeout=300)


def windows(path):
    """Returns a path of this machine as Wine has it: all of it is drive Z."""
    return "Z:" + path.replace("/", "\\")


def files(folder):
    source, target = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
    values = numpy.arange(2 * 17 * 5 * 4, dtype="<f4").reshape(2, 17, 5, 4)
    blocked = numpy.zeros((2, 32, 5, 4), "<f4")
    blocked[:, :17] = values
    blocked = blocked.reshape(2, 2, 16, 5, 4).transpose(0, 1, 3, 4, 2)
    numpy.save(source, values)

    answer = run("reorder", "in.npy", "out.npy", "--from", "nchw", "--to", "nChw16c", folder=folder)
    check(answer.returncode == 0, f"relative names: {answer.stderr}")
    check(numpy.array_equal(numpy.load(target), blocked), "relative names: the same as NumPy")
    os.remove(target)
    answer = run("reorder", windows(source), windows(target), "--from", "nchw", "--to", "nhwc")
    check(answer.returncode == 0, f"names with a drive and backslashes: {answer.stderr}")
    check(numpy.array_equal(numpy.load(target), values.transpose(0, 2, 3, 1)), "names with a drive: the same as NumPy")
    answer = run("reorder", windows(source), windows(target), "--from", "nchw", "--to", "chwn")
    check(answer.returncode == 0, f"a file that is replaced: {answer.stderr}")
    check(numpy.array_equal(numpy.load(target), values.transpose(1, 2, 3, 0)), "a file that is replaced")
    other = os.path.join(folder, "größe 1.npy")
    answer = run("reorder", windows(source), windows(other), "--from", "nchw", "--to", "nhwc")
    check(answer.returncode == 0 and os.path.exists(other), f"a name with other letters: {answer.stderr}")

    named = os.path.join(folder, "größe")
    os.mkdir(named)
    other = os.path.join(named, "außen.npy")
    answer = run("reorder", windows(source), windows(other), "--from", "nchw", "--to", "nhwc")
    check(answer.returncode == 0 and os.listdir(named) == ["außen.npy"], f"a folder with other letters: {answer.stderr} {os.listdir(named)}")
    answer = run("reorder", windows(other), windows(other), "--from", "nhwc", "--to", "nchw")
    check(answer.returncode == 0 and numpy.array_equal(numpy.load(other), values), f"a file in place of itself: {answer.stderr}")

    empty = os.path.join(folder, "empty.npy")
    numpy.save(empty, numpy.zeros((0, 5), "<f4"))
    answer = run("reorder", windows(empty), windows(empty), "--from", "nc", "--to", "cn")
    check(answer.returncode == 0 and numpy.load(empty).shape == (5, 0), f"a tensor without elements: {answer.stderr}")

    # What fails writes nothing.
    with open(target, "wb") as file:
        file.write(b"as it was")
    for what, arguments, says in (
            ("an unknown tag", (windows(source), windows(target), "--from", "nchw", "--to", "nchq"), b"nchq"),
            ("a file that is missing", (windows(folder) + "\\none.npy", windows(target), "--from", "nchw", "--to", "nhwc"), b"none.npy"),
            ("a folder that is missing", (windows(source), windows(folder) + "\\none\\out.npy", "--from", "nchw", "--to", "nhwc"), b"none"),
            ("a folder in place of a file", (windows(folder), windows(target), "--from", "nchw", "--to", "nhwc"), b".npy"),
            ("a folder in place of an output", (windows(source), windows(folder), "--from", "nchw", "--to", "nhwc"), b"irectory")):
        answer = run("reorder", *arguments)
        check(answer.returncode == 1 and answer.stderr.startswith(b"plait: ") and says in answer.stderr, f"{what}: {answer.returncode} {answer.stderr}")
        with open(target, "rb") as file:
            check(file.read() == b"as it was", f"{what}: the output is as it was")
    check(not [name for name in os.listdir(folder) if "unfinished" in name], f"no unfinished file is left: {os.listdir(folder)}")

    # A file of more than one page of each kind, through a pipe: no byte is changed for a line feed.
    wide = numpy.frombuffer(bytes(range(256)) * 1024, "|u1").reshape(512, 512)
    path = os.path.join(folder, "wide.npy")
    numpy.save(path, wide)
    with open(path, "rb") as file:
        answer = run("reorder", "-", "-", "--from", "ab", "--to", "ba", data=file.read())
    turned = os.path.join(folder, "turned.npy")
    with open(turned, "wb") as file:
        file.write(answer.stdout)
    check(answer.returncode == 0 and numpy.array_equal(numpy.load(turned), wide.T), f"pipes: {answer.stderr}")


def texts():
    answer = run("--version")
    check(answer.returncode == 0 and answer.stdout.count(b".") == 2 and answer.stdout.endswith(b"\n") and b"\r" not in answer.stdout,
          f"the version: {answer.stdout}")
    answer = run("show", "nChw8c", "1x12x2x2")
    check(answer.returncode == 0 and b"nChw8c" in answer.stdout and b"\r" not in answer.stdout, f"a layout: {answer.stderr}")
    answer = run("explain", "nchw", "nChw16c", "1x64x56x56")
    check(answer.returncode == 0 and answer.stdout.startswith(b"reorder ") and b"\ntile " in answer.stdout, f"a plan: {answer.stdout}")
    check(run("no-such-command").returncode == 2, "a command line that is wrong")


with tempfile.TemporaryDirectory() as made:
    files(made)
texts()
print(f"{PASSED} passed, {len(FAILED)} failed")
sys.exit(bool(FAILED) or PASSED == 0)
