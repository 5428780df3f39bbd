"""The rows of large tensors, which no cache holds; draw.py --large takes them instead of drawn ones.

They are the 57 permutations of HPTT's benchmark (hptt_57.csv), and others of the same size: transposes in types of 1, 2 and 8
bytes, and images whose channels become the innermost axis, and back.
"""

import csv
import pathlib

from side import Side

HERE = pathlib.Path(__file__).resolve().parent
OTHERS = [("u8", [14528, 14528], "ab", "ba"), ("bf16", [10272, 10272], "ab", "ba"), ("f64", [5136, 5136], "ab", "ba"),
          ("f32", [32, 64, 160, 160], "abcd", "acdb"), ("f32", [32, 64, 160, 160], "acdb", "abcd"),
          ("bf16", [32, 128, 160, 160], "abcd", "acdb"), ("bf16", [32, 128, 160, 160], "acdb", "abcd"),
          ("u8", [32, 256, 160, 160], "abcd", "acdb"), ("u8", [32, 256, 160, 160], "acdb", "abcd")]


def formats_of(permutation):
    """The formats of both sides, of a permutation whose first index counts fastest: [1, 0] is ab -> ba.

    Index k of the file is the k-th letter from the end, because the last axis of a row counts fastest.
    """
    rank = len(permutation)
    letters = [chr(ord("a") + rank - 1 - k) for k in range(rank)]
    return "".join(reversed(letters)), "".join(letters[k] for k in reversed(permutation))


def permutations():
    """(type, extents, format of the source, format of the destination)"""
    with (HERE / "hptt_57.csv").open(encoding="utf-8") as file:
        for line in csv.DictReader(line for line in file if not line.startswith("#")):
            extents = [int(extent) for extent in reversed(line["sizes"].split())]
            yield ("f32", extents, *formats_of([int(k) for k in line["perm"].split()]))


def rows():
    """(types, sides, attributes) as draw.py draws them. The first is HPTT's first, f32 ab -> ba 7264x7264."""
    first, *others = permutations()
    for kind, extents, *formats in [first, *OTHERS, *others]:
        yield (kind, kind), [Side(extents, name) for name in formats], []
