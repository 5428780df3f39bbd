"""Checks that the units of the library are compiled with sanitizers, except those of kernels.

usage: check_sanitized_units.py NM OBJECT..., the object files of the library
"""

import pathlib
import re
import subprocess
import sys

KERNELS = re.compile(r"(tiles|rows)_\w+\.cpp\.o")


def main():
    nm, objects = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    names = {path.name for path in objects}
    problems = [f"no {name} among {sorted(names)}" for name in ("plans.cpp.o", "records.cpp.o", "plait.cpp.o") if name not in names]
    for path in objects:
        called = subprocess.run([nm, "-u", path], text=True, capture_output=True, check=True).stdout
        for sanitizer in ("__asan_report", "__ubsan_handle"):
            if (sanitizer not in called) != bool(KERNELS.fullmatch(path.name)):
                problems.append(f"{path.name}: {'calls' if sanitizer in called else 'does not call'} {sanitizer}*")
    print("\n".join(problems) or f"{len(objects)} units")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
