"""Compiles kernels for a GPU, and the headers with the front end of nvcc. That front end is from EDG; many editors use
it.

usage: check_device.py NVCC PROJECT SCRATCH

The flags are those of docs/how-to.md. The PTX of views must not contain divisions or calls, and nvcc must not warn.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

FLAGS = ("-std=c++20", "--expt-relaxed-constexpr")
KERNELS = ("test/northstar/14_device.cu", "test/structure/device_views.cu")
HOST = ("test/northstar/05_run_time.cpp", "test/northstar/06_tensor_view.cpp", "examples/13_rearrange.cpp")
SLOW = re.compile(r"^\s*(?:@!?%\w+\s+)?(?:div|rem|call)\b.*$", re.MULTILINE)


def compile_unit(nvcc, project, flags, unit):
    """Returns the command and the output of nvcc, or an empty text if it succeeds without output."""
    path = os.environ["PATH"] + os.pathsep + str(pathlib.Path(nvcc).parent)
    command = [nvcc, *flags, "-I", str(project / "include"), str(project / unit)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env=dict(os.environ, PATH=path))
    return f"{' '.join(command)} ends with {done.returncode}\n{done.stdout}" if done.returncode or done.stdout.strip() else ""


def main():
    nvcc, project, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    text = (project / "docs/how-to.md").read_text(encoding="utf-8")
    problems = [] if f"nvcc {' '.join(FLAGS)} " in text else [f"docs/how-to.md does not name the flags {' '.join(FLAGS)}"]
    for unit in KERNELS:
        ptx = scratch / f"{pathlib.Path(unit).stem}.ptx"
        said = compile_unit(nvcc, project, (*FLAGS, "-ptx", "-o", str(ptx)), unit)
        problems += [said] if said else []
        slow = SLOW.findall(ptx.read_text()) if ptx.exists() else []
        if slow:
            problems.append(f"{unit}: {len(slow)} divisions or calls, the first is {slow[0].strip()}")
        elif ptx.exists() and "ld.global" not in ptx.read_text() and "st.global" not in ptx.read_text():
            problems.append(f"{unit}: the PTX moves nothing")
    for unit in HOST:
        said = compile_unit(nvcc, project, ("-std=c++20", "-x", "cu", "--cuda", "-o", str(scratch / "host.ii")), unit)
        problems += [said] if said else []
    print("\n".join(problems) or f"{len(KERNELS)} units of kernels, {len(HOST)} of the host")
    sys.exit(bool(problems))


main()
