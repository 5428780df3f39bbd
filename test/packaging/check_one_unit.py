"""Checks that a single unit with plait/implementation.hpp does what the units of the library do, and that its flags leave
out the kernels of lesser instruction sets.

usage: check_one_unit.py PROJECT SCRATCH COMPILER NM LIBRARY, where LIBRARY is the static library
"""

import pathlib
import platform
import re

from trial import main, new_folder, require, run


def flags_of_cpu():
    """Returns flags that guarantee the widest instruction set of this CPU, so that no other kernels are compiled."""
    if platform.machine() != "x86_64":
        return []
    has = set(re.search(r"^flags\s*:(.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    for needed in (("avx512f", "avx512bw", "avx512vl"), ("avx2", "f16c")):
        if has >= set(needed):
            return [f"-m{name}" for name in needed]
    return []


def trial(project, scratch, compiler, nm, library):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    flags = flags_of_cpu()
    (scratch / "one_unit.cpp").write_text("#include <plait/implementation.hpp>\n")
    units = {scratch / "one_unit.cpp": ["-O2", *flags], project / "test/packaging/results.cpp": ["-O0"]}
    objects = [scratch / f"{source.stem}.o" for source in units]
    for (source, options), file in zip(units.items(), objects):
        run(compiler, "-std=c++20", *options, "-I", project / "include", "-c", source, "-o", file)
    for file, wanted in ((library, True), (objects[0], False)) if flags else ():
        require(("simd::sse41::" in run(nm, "-C", file)) == wanted, f"{file} {'has no' if wanted else 'has'} kernels of SSE4.1")
    printed = []
    for name, parts in (("by_library", [objects[1], library]), ("by_one_unit", objects)):
        run(compiler, *parts, "-o", scratch / name)
        printed.append(run(scratch / name))
    require(printed[0] == printed[1] and len(set(printed[0].split())) == 8, f"the library and a single unit differ:\n{printed[0]}\n{printed[1]}")


main(trial)
