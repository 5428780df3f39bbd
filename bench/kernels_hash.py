#!/usr/bin/env python3
"""Says which kernels a suite has measured: kernels_hash.py SUITE prints a hash of the headers that its rows run.

The one place that computes it: `./dev bench` puts it into the results, and test/documents refuses tables of speed whose results
have another one.
"""

import hashlib
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ("contract", "engine", "reorder")
FOLDERS = {"reorder": KERNELS, "drawn": KERNELS, "peers": KERNELS, "large": KERNELS, "small": KERNELS, "packed": (*KERNELS, "packed"), "index": ("typed", "view"), "formats": KERNELS}

# Code that no row runs: conversions of the portable kernels, and NEON. All figures are of CPUs with wider registers.
NOT_MEASURED = re.compile(r"neon\.(hpp|inl)$|(convert|nibble_lookup)_arrays\.inl$")


def hash_of(suite, project=PROJECT):
    """Of the names and the code of all headers of the suite's folders of include/plait, in the order of their paths.

    Comments and white space are left out: they change no figure. So is code that no row runs.
    """
    include = project / "include" / "plait"
    files = sorted(path for folder in FOLDERS[suite] for path in (include / folder).rglob("*")
                   if path.suffix in (".hpp", ".inl") and not NOT_MEASURED.search(path.name))
    assert files, suite
    total = hashlib.sha256()
    for path in files:
        code = re.sub(r"//[^\n]*|\s+", "", path.read_text())
        total.update(f"{path.relative_to(include).as_posix()} {len(code)}\n{code}".encode())
    return total.hexdigest()[:16]


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in FOLDERS:
        sys.exit(__doc__)
    print(hash_of(sys.argv[1]))
