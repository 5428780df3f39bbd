#!/usr/bin/env python3
"""Times plait.ascontiguousarray and plait.copyto beside NumPy's: beside_numpy.py RESULTS [--filter REGEX] writes the seconds of each row.

usage: PYTHONPATH=python PLAIT_LIBRARY=libplait.so /usr/bin/python3 bench/numpy/beside_numpy.py RESULTS [--filter REGEX]

Both functions are called as programs call them: by turns, the new arrays are made by the calls. The bytes are compared first.
The first calls of a shape, which plan and try orders of loops, are not timed; `first` is the seconds of the first call.
"""

import argparse
import json
import pathlib
import re
import time

import numpy as np

import plait

SECONDS, LEAST_ROUNDS, WARM = 0.4, 15, 25


def filled(shape, dtype):
    return (np.arange(int(np.prod(shape))) % 251).astype(dtype).reshape(shape)


def contiguous(name, shape, dtype, axes, to=None):
    """A row of ascontiguousarray, of an array whose axes are in another order."""
    array = filled(shape, dtype).transpose(axes)
    return name, array.size * (array.itemsize + np.dtype(to or dtype).itemsize), lambda of: of.ascontiguousarray(array, to)


def copied(name, dst, src):
    """A row of copyto."""
    return name, dst.size * (src.itemsize + dst.itemsize), lambda of: of.copyto(dst, src) or dst


def rows():
    size = {"float32": "f32", "float64": "f64", "uint8": "u8", "int16": "s16", "float16": "f16", "complex64": "c64"}
    for dtype in size:
        for n in (256, 1024, 4096):
            yield contiguous(f"transpose {size[dtype]} {n}x{n}", (n, n), dtype, (1, 0))
    yield contiguous("image HWC to CHW u8 1080x1920x3", (1080, 1920, 3), "uint8", (2, 0, 1))
    yield contiguous("image CHW to HWC u8 1080x1920x3", (3, 1080, 1920), "uint8", (1, 2, 0))
    yield contiguous("image HWC to CHW, u8 to f32 1080x1920x3", (1080, 1920, 3), "uint8", (2, 0, 1), "float32")
    yield contiguous("batch NHWC to NCHW f32 32x56x56x64", (32, 56, 56, 64), "float32", (0, 3, 1, 2))
    yield contiguous("batch NCHW to NHWC f32 32x64x56x56", (32, 64, 56, 56), "float32", (0, 2, 3, 1))
    yield contiguous("heads BSHD to BHSD f16 8x1024x16x64", (8, 1024, 16, 64), "float16", (0, 2, 1, 3))
    yield contiguous("reversed axes f64 64x96x80x12", (64, 96, 80, 12), "float64", (3, 2, 1, 0))
    yield contiguous("weights f16 to f32, transposed 4096x1024", (4096, 1024), "float16", (1, 0), "float32")
    room = filled((512, 1024, 8), "float32")
    yield copied("copyto: one of eight f32 512x1024", room[:, :, 3], filled((512, 1024), "float32"))
    yield copied("copyto: every second row f32 2048x2048", filled((4096, 2048), "float32")[::2], filled((2048, 2048), "float32"))
    yield copied("copyto: transposed into a part f64 1000x1200", filled((1100, 1300), "float64")[50:1050, 70:1270], filled((1200, 1000), "float64").T)
    yield copied("copyto: a row to all rows f32 4096x1024", filled((4096, 1024), "float32"), filled((1, 1024), "float32"))
    yield copied("copyto: backwards u8 4096x4096", filled((4096, 4096), "uint8"), filled((4096, 4096), "uint8")[::-1, ::-1])


def seconds_of(call, of):
    begin = time.perf_counter()
    call(of)
    return time.perf_counter() - begin


def measured(name, size, call):
    first = seconds_of(call, plait)
    if np.array(call(plait)).tobytes() != np.array(call(np)).tobytes():
        raise SystemExit(f"{name}: plait writes other bytes than NumPy")
    for _ in range(WARM):
        call(plait)
    least, spent, rounds = {"plait": float("inf"), "NumPy": float("inf")}, 0.0, 0
    while spent < SECONDS or rounds < LEAST_ROUNDS:
        for who, of in (("plait", plait), ("NumPy", np)):
            seconds = seconds_of(call, of)
            least[who] = min(least[who], seconds)
            spent += seconds
        rounds += 1
    return {"name": name, "bytes": size, "seconds": {**least, "first": first}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--filter", default=".")
    arguments = parser.parse_args()
    found = []
    for name, size, call in rows():
        if re.search(arguments.filter, name):
            row = measured(name, size, call)
            found.append(row)
            seconds = row["seconds"]
            print(f"{name:52} {size / seconds['plait'] * 1e-9:6.1f} GB/s  NumPy {size / seconds['NumPy'] * 1e-9:6.1f}  "
                  f"{seconds['NumPy'] / seconds['plait']:6.2f} times, first call {seconds['NumPy'] / seconds['first']:5.2f}", flush=True)
    arguments.results.write_text(json.dumps({"run": {"numpy": np.__version__}, "is_part": arguments.filter != ".", "rows": found}), encoding="utf-8")


if __name__ == "__main__":
    main()
