"""How the tool ends after external events: a full disk, a closed descriptor, a signal, a truncated file; and its
progress output."""

import os
import signal
import subprocess
import tempfile
import time

import numpy

from tool import TOOL, check, end, on_a_terminal, run


def full_disks(folder):
    if not os.path.exists("/dev/full"):
        return
    source, weights, blob = (os.path.join(folder, name) for name in ("x.npy", "w.npz", "w.plait"))
    graph = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/graphs/network.json")
    numpy.save(source, numpy.zeros((2, 3), "<f4"))
    numpy.savez(weights, q=numpy.zeros((2, 4), "u1"))
    record = ["--record", "nk: nk(q:u4)"]
    check(run("pack", weights, blob, *record).returncode == 0, "a blob")
    target = os.path.join(folder, "y")
    # Every command that prints, and every way to ask for a text.
    commands = [["--help"], ["-h"], ["--version"], ["show", "--help"], ["pack", "--help"], ["man"], ["completion"], ["show", "ab", "2x3"],
                ["show", "ab", "2x3", "--json"], ["reshape", "ab", "2x3", "6"], ["view", "ab", "2x3", "3x2"], ["permute", "ab", "2x3", "ba"],
                ["submemory", "ab", "2x3", "1x3", "1,0"], ["match", "ab", "2x3", "ab"], ["diff", "ab", "ab", "2x3"], ["copies", "ab", "ba", "2x3"],
                ["copies", "ab", "ba", "2x3", "--json"], ["shard", "8x8", "4x4@2x2", "[Shard(0)]@4", "--json", "-"],
                ["draw", "ab", "2x3", "-o", "-"], ["explain", "ab", "ba", "2x3"], ["explain", "--legend", "ab", "ba", "2x3"], ["explain", blob], ["prove", "ab", "ba", "2x3"],
                ["reorder", source, target + ".npy", "--from", "ab", "--to", "ba"], ["reorder", source, "-", "--from", "ab", "--to", "ba"],
                ["choose", graph], ["bench", "ab", "ba", "2x3", "--seconds", "0.001"], ["shard", "8x8", "4x4@2x2"], ["record", "nk: nk(q:u4)", "2x4"],
                ["record", "nk: nk(q:u4)", "2x4", "--json"], ["pack", weights, target + ".plait", *record], ["pack", weights, "-", *record],
                ["unpack", blob, "/dev/stdout"], ["repack", blob, "nk: kn(q:u4)", target + ".plait"], ["repack", blob, "nk: kn(q:u4)", "-"],
                ["verify", blob]]
    known = run("completion").stdout.split("COMP_CWORD")[1].split('words="')[1].split('"')[0].split()
    check({word for word in known if word[0] != "-"} <= {command[0] for command in commands}, f"every command is here: {known}")
    for command in commands:
        with open(os.devnull, "w", encoding="utf-8") as nothing:
            answer = subprocess.run([TOOL, *command], stdout=nothing, stderr=subprocess.PIPE, text=True, timeout=60)
        check(answer.returncode == 0, f"{command}: {answer.stderr}")
        with open("/dev/full", "w", encoding="utf-8") as full:
            answer = subprocess.run([TOOL, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        check(answer.returncode == 1 and "cannot be written" in answer.stderr, f"{command}: a full disk: {answer.returncode} {answer.stderr}")
    answer = run("reorder", source, "/dev/full", "--from", "ab", "--to", "ba")
    check(answer.returncode == 1 and "/dev/full" in answer.stderr, f"a full disk, an array: {answer.stderr}")


def closed_descriptors(folder):
    """The first opened file gets the number of the closed descriptor, but must not be read or written in its place."""
    source, target = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
    numpy.save(source, numpy.zeros((2, 3), "<f4"))
    with open(source, "rb") as file:
        before = file.read()

    def sh(line):
        return subprocess.run(["sh", "-c", line, "sh", TOOL, source, target], stderr=subprocess.PIPE, text=True, timeout=60)

    answer = sh('"$1" show ab 2x3 >&-')
    check(answer.returncode == 1 and "standard output" in answer.stderr, f"closed output: {answer.returncode} {answer.stderr}")
    answer = sh('"$1" reorder "$2" "$3" --from ab --to ba >&- 2>&-')
    with open(source, "rb") as file:
        check(answer.returncode == 1 and file.read() == before, "closed output and error: the input stays as it is")
    numpy.save(source, numpy.ones(3, "<f4"))  # scales are read first
    answer = sh('"$1" reorder - "$3" --from a --to a --dst-scale "$2" --mask a <&-')
    check(answer.returncode == 1 and "standard input" in answer.stderr, f"closed input: {answer.returncode} {answer.stderr}")


def large_file(path, rows=40000, columns=2500):
    """Creates a file whose reorder takes a while: 400 MB, sparse on the disk."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}".ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        file.truncate(10 + len(header) + rows * columns * 4)


def has_begun(process, folder):
    """Checks if the process has a file in the folder open for writing, with or without a name."""
    try:
        names = [os.readlink(f"/proc/{process.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{process.pid}/fd")]
    except OSError:
        return False
    return any(name.startswith(folder) and not name.endswith("x.npy") for name in names)


def interrupted(what, act, code, says, **options):
    """Starts a long reorder, calls `act` when its output file has been created, and checks how it ends."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
        with open(target, "wb") as file:
            file.write(b"as it was")
        for _ in range(5):  # tries again if the reorder was finished before `act` was called
            large_file(source)
            process = subprocess.Popen([TOOL, "reorder", source, target, "--from", "ab", "--to", "ba"], text=True,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
            while process.poll() is None and not has_begun(process, folder):
                time.sleep(0.001)
            act(process, source)
            error = process.communicate(timeout=120)[1]
            if process.returncode != 0:
                break
        check(process.returncode == code and error.splitlines() == says, f"{what}: {process.returncode} {error}")
        check(sorted(os.listdir(folder)) == ["x.npy", "y.npy"], f"{what}: leaves {os.listdir(folder)}")
        with open(target, "rb") as file:
            check(file.read() == b"as it was", f"{what}: the old file")


def progress(folder):
    """Progress is shown only on a terminal, and only for more than 100 MB."""
    source = os.path.join(folder, "x.npy")
    for rows, shown in ((10001, True), (9999, False)):
        large_file(source, rows)
        code, text = on_a_terminal("reorder", source, "/dev/null", "--from", "ab", "--to", "ba", stream="stderr", stdout=subprocess.DEVNULL)
        check(code == 0 and text.endswith(b"#### 100 %\r\n") == shown, f"progress of {rows} rows: {text[-80:]}")
        check((text == b"") != shown, f"progress of {rows} rows: {text[:80]}")


with tempfile.TemporaryDirectory() as directory:
    full_disks(directory)
    closed_descriptors(directory)
    progress(directory)
interrupted("terminated", lambda process, source: process.terminate(), -signal.SIGTERM, [])
interrupted("killed", lambda process, source: process.kill(), -signal.SIGKILL, [])
interrupted("cut short", lambda process, source: os.truncate(source, 4096), 1, ["plait: a file became shorter while it was read"])
end()
