#!/usr/bin/env python3
"""NumPy's part of the peers' rows: numpy_peer.py DRAWN RESULTS times ascontiguousarray, and adds its seconds to the results.

It runs by itself, after the others: Python is no contestant that can be called between them. Each call makes the array that
it writes, as users of NumPy have it.
"""

import csv
import json
import pathlib
import sys
import time

import numpy

# Elements that NumPy has no name for are only moved.
TYPES = {"f64": "f8", "f32": "f4", "s32": "i4", "s8": "i1", "u8": "u1", "bf16": "u2", "f16": "f2", "f8_e5m2": "u1", "f8_e4m3": "u1"}
SECONDS, LEAST_CALLS = 0.04, 5


def plain(text):
    """Extents and tag of a layout that is nothing else and has no blocks, or None."""
    words = text.split()
    return ([int(e) for e in words[0].split("x")], words[1]) if len(words) == 2 and words[1].isalpha() and words[1].islower() else None


def best(call):
    spent, calls, least = 0.0, 0, float("inf")
    while spent < SECONDS or calls < LEAST_CALLS:
        start = time.perf_counter()
        call()
        seconds = time.perf_counter() - start
        spent, calls, least = spent + seconds, calls + 1, min(least, seconds)
    return least


def seconds_of(line):
    src, dst = plain(line[3]), plain(line[4])
    if not src or not dst or line[1] != line[2] or (len(line) > 5 and line[5]):
        return None
    dims, tag = src
    tensor = numpy.zeros([dims["abcdefghijkl".index(letter)] for letter in tag], dtype=TYPES[line[1]])
    view = tensor.transpose([tag.index(letter) for letter in dst[1]])
    if view.flags.c_contiguous:
        return None  # it copies nothing
    return best(lambda: numpy.ascontiguousarray(view))


def main():
    drawn, path = sys.argv[1], pathlib.Path(sys.argv[2])
    with open(drawn, encoding="utf-8") as file:
        lines = {line[0]: line for line in list(csv.reader(file))[1:]}
    results = json.loads(path.read_text(encoding="utf-8"))
    for row in results["rows"]:
        seconds = seconds_of(lines[row["name"]])
        if seconds is not None:
            row["seconds"]["NumPy"] = seconds
    results["run"]["numpy"] = numpy.__version__
    path.write_text(json.dumps(results), encoding="utf-8")


if __name__ == "__main__":
    main()
