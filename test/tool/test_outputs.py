"""Output files: links, names of the maximum length, files that are already open; and what a killed run leaves."""

import io
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import numpy

from tool import TOOL, check, end, run

X = numpy.arange(6, dtype="<f4").reshape(2, 3)
ORDER = ["--from", "ab", "--to", "ba"]


def array_bytes(x):
    memory = io.BytesIO()
    numpy.save(memory, x)
    return memory.getvalue()


def is_transposed(data):
    try:
        return (numpy.load(io.BytesIO(data)) == X.T).all() and len(data) == len(array_bytes(X.T))
    except ValueError:
        return False


def content(path):
    with open(path, "rb") as file:
        return file.read()


def names(folder):
    source = os.path.join(folder, "x.npy")
    numpy.save(source, X)
    for length in (5, 200, 248, 249, 250, 254, 255):
        target = os.path.join(folder, "n" * (length - 4) + ".npy")
        for what in ("new", "old"):
            answer = run("reorder", source, target, *ORDER)
            check(answer.returncode == 0 and is_transposed(content(target)), f"a name of {length} bytes, {what}: {answer.stderr}")
        os.remove(target)
    answer = run("reorder", source, os.path.join(folder, "n" * 256), *ORDER)
    check(answer.returncode == 1 and "File name too long" in answer.stderr, f"a name of 256 bytes: {answer.stderr}")
    check(os.listdir(folder) == ["x.npy"], f"names: {os.listdir(folder)}")


def links(folder):
    """A link stays a link, and its target is written."""
    source, below = os.path.join(folder, "x.npy"), os.path.join(folder, "below")
    numpy.save(source, X)
    os.mkdir(below)
    for what, leads_to in (("beside", "later.npy"), ("below", "below/later.npy"), ("absolute", os.path.join(below, "absolute.npy")),
                           ("to a link", "beside.npy"), ("above", "below/../above-it.npy")):
        link = os.path.join(folder, what + ".npy")
        os.symlink(leads_to, link)
        for again in ("new", "old"):
            answer = run("reorder", source, link, *ORDER)
            check(answer.returncode == 0 and os.path.islink(link) and os.readlink(link) == leads_to and is_transposed(content(link)),
                  f"a link {what}, {again}: {answer.stderr}")
    os.symlink("no/such/place.npy", os.path.join(folder, "nowhere.npy"))
    os.symlink("round.npy", os.path.join(folder, "round.npy"))
    for name, says in (("nowhere.npy", "No such file"), ("round.npy", "links")):
        answer = run("reorder", source, os.path.join(folder, name), *ORDER)
        check(answer.returncode == 1 and says in answer.stderr and name.split(".")[0] in answer.stderr.replace("no/such/place", "nowhere"),
              f"{name}: {answer.stderr}")
    os.mkdir(os.path.join(folder, "many"))
    shutil.copy(source, os.path.join(folder, "many"))
    os.symlink("later", os.path.join(folder, "link"))
    answer = run("reorder", os.path.join(folder, "many"), os.path.join(folder, "link"), *ORDER)
    check(answer.returncode == 0 and is_transposed(content(os.path.join(folder, "later/x.npy"))), f"a link to a directory: {answer.stderr}")


def standard_output(folder):
    """Every name of standard output receives only the array's bytes: a pipe, a file, a file opened for appending."""
    source, link = os.path.join(folder, "x.npy"), os.path.join(folder, "link.npy")
    numpy.save(source, X)
    os.symlink("/dev/stdout", link)
    for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "/dev/../dev/stdout", link):
        command = [TOOL, "reorder", source, name, *ORDER]
        answer = subprocess.run(command, capture_output=True, timeout=60)
        check(answer.returncode == 0 and is_transposed(answer.stdout) and answer.stderr == b"", f"{name}, a pipe: {answer.stderr}")
        printed = os.path.join(folder, "printed")
        with open(printed, "wb") as file:
            file.write(b"first")
            file.flush()
            answer = subprocess.run(command, stdout=file, timeout=60)
        check(answer.returncode == 0 and content(printed)[:5] == b"first" and is_transposed(content(printed)[5:]), f"{name}, a file")
    check(sorted(os.listdir(folder)) == ["link.npy", "printed", "x.npy"], f"standard output: {os.listdir(folder)}")
    line = '"$1" reorder "$2" /dev/fd/3 --from ab --to ba '
    for what, shell, sentence in (("another descriptor", line + '3>"$3"', True), ("the same one by another number", line + '3>&1 >"$3" 3>&1', False),
                                  ("standard error", line.replace("fd/3", "stderr") + '2>"$3"', True)):
        answer = subprocess.run(["sh", "-c", shell, "sh", TOOL, source, printed], capture_output=True, text=True, timeout=60)
        check(answer.returncode == 0 and is_transposed(content(printed)) and (answer.stdout != "") == sentence,
              f"{what}: {answer.stdout} {answer.stderr}")
    answer = subprocess.run(["sh", "-c", line + '3<"$2"', "sh", TOOL, source], capture_output=True, text=True, timeout=60)
    check(answer.returncode == 1 and "/dev/fd/3: cannot be written" in answer.stderr, f"a descriptor that is read: {answer.stderr}")
    answer = subprocess.run([TOOL, "draw", "ab", "2x3", "-o", "/dev/stdout"], capture_output=True, text=True, timeout=60)
    check(answer.stdout.startswith("<svg") and answer.stdout.endswith("</svg>\n"), f"a picture: {answer.stderr}")


def pipes_with_names(folder):
    source, fifo, got = os.path.join(folder, "x.npy"), os.path.join(folder, "fifo.npy"), []
    numpy.save(source, X)
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: got.append(content(fifo)))
    reader.start()
    answer = run("reorder", source, fifo, *ORDER)
    reader.join(timeout=60)
    check(answer.returncode == 0 and is_transposed(got[0]) and answer.stdout != "", f"a pipe with a name: {answer.stderr}")


def limits(folder):
    """A file that exceeds the size limit is rejected, and nothing is left; for standard output, too."""
    source, target = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
    numpy.save(source, numpy.zeros((1024, 1024), "<f4"))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    answer = subprocess.run([TOOL, "reorder", source, target, *ORDER], preexec_fn=limit, capture_output=True, text=True, timeout=60)
    check(answer.returncode == 1 and "y.npy: cannot be written: File too large" in answer.stderr, f"{answer.returncode} {answer.stderr}")
    check(os.listdir(folder) == ["x.npy"], f"a limit: leaves {os.listdir(folder)}")
    with open(target, "wb") as file:
        answer = subprocess.run([TOOL, "reorder", source, "-", *ORDER], preexec_fn=limit, stdout=file, stderr=subprocess.PIPE, timeout=60)
    check(answer.returncode == 1 and b"standard output: cannot be written" in answer.stderr, f"{answer.returncode} {answer.stderr}")


def has_nameless_files(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
        return True
    except OSError:
        return False


def killed(folder):
    """A run that is killed at any time leaves nothing; files left by older versions are removed by the next run."""
    source, target, abandoned = (os.path.join(folder, name) for name in ("x.npy", "y.npy", ".plait-unfinished-0"))
    numpy.save(source, numpy.zeros((3000, 3000), "<f4"))
    with open(abandoned, "wb") as file:
        file.write(b"left by a run that was killed")
    check(run("reorder", source, target, *ORDER).returncode == 0, "after a run that was killed")
    check(sorted(os.listdir(folder)) == ["x.npy", "y.npy"], f"what was left: {os.listdir(folder)}")
    if not has_nameless_files(folder):
        return
    whole = len(content(target))
    ended = 0
    for number in range(60):
        process = subprocess.Popen([TOOL, "reorder", source, target, *ORDER], stdout=subprocess.DEVNULL)
        time.sleep(0.001 * number)
        process.kill()
        ended += process.wait(timeout=60) == -signal.SIGKILL
        left = sorted(name for name in os.listdir(folder) if name not in ("x.npy", "y.npy"))
        # While a file is replaced it has a temporary name; the next run would remove that file.
        check(left in ([], [".plait-unfinished-0"]) and len(content(target)) == whole, f"killed after {number} ms: {left}")
        if left:
            os.remove(abandoned)
    check(ended > 0, "some runs were killed")


# Makes open() behave as on a file system without O_TMPFILE.
WITHOUT_NAMELESS_FILES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int opened(const char* name, const char* path, int flags, va_list more) {
    if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;
    int (*next)(const char*, int, ...) = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, name);
    return next(path, flags, flags & O_CREAT ? va_arg(more, unsigned) : 0);
}
int open(const char* path, int flags, ...) { va_list more; va_start(more, flags); return opened("open", path, flags, more); }
int open64(const char* path, int flags, ...) { va_list more; va_start(more, flags); return opened("open64", path, flags, more); }
"""


def without_nameless_files(folder):
    """If every file has a name, a killed run leaves one. The next run removes it, but not files that are still being
    written."""
    with open(TOOL, "rb") as file:
        program = file.read()
    is_sanitized = b"__asan_init" in program or b"__tsan_init" in program
    if shutil.which("cc") is None or is_sanitized:
        return
    library, here = os.path.join(folder, "open.so"), os.path.join(folder, "here")
    os.mkdir(here)
    built = subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library, "-ldl"], input=WITHOUT_NAMELESS_FILES, text=True,
                           capture_output=True)
    check(built.returncode == 0, f"a library in front of open: {built.stderr}")
    source, target = os.path.join(here, "x.npy"), os.path.join(here, "y.npy")
    numpy.save(source, numpy.zeros((3000, 3000), "<f4"))
    start = lambda: subprocess.Popen([TOOL, "reorder", source, target, *ORDER], env=dict(os.environ, LD_PRELOAD=library),
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    left = 0
    for number in range(40):
        process = start()
        time.sleep(0.001 * number)
        process.kill()
        process.communicate(timeout=60)
        names = sorted(set(os.listdir(here)) - {"x.npy", "y.npy"})
        check(names in ([], [".plait-unfinished-0"]), f"killed after {number} ms: {names}")
        left += names != []
    check(left > 0, "a run that is killed leaves its file")
    runs = [start() for _ in range(4)]
    for process in runs:
        error = process.communicate(timeout=60)[1]
        check(process.returncode == 0, f"at once: {error}")
    check(sorted(os.listdir(here)) == ["x.npy", "y.npy"], f"the next runs: {os.listdir(here)}")
    os.remove(target)
    process = start()
    while process.poll() is None and ".plait-unfinished-0" not in os.listdir(here):
        time.sleep(0.0005)
    process.terminate()
    process.communicate(timeout=60)
    check(set(os.listdir(here)) <= {"x.npy", "y.npy"}, f"terminated: {os.listdir(here)}")


def at_once(folder):
    """Concurrent runs that write the same file in one directory do not remove each other's files as abandoned."""
    source, target = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
    numpy.save(source, X)
    for _ in range(5):
        runs = [subprocess.Popen([TOOL, "reorder", source, target, *ORDER], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                for _ in range(8)]
        for process in runs:
            error = process.communicate(timeout=60)[1]
            check(process.returncode == 0, f"at once: {error}")
        check(is_transposed(content(target)) and sorted(os.listdir(folder)) == ["x.npy", "y.npy"], f"at once: {os.listdir(folder)}")


for test in (names, links, standard_output, pipes_with_names, limits, killed, without_nameless_files, at_once):
    with tempfile.TemporaryDirectory() as directory:
        test(directory)
end()
