#!/usr/bin/env python3
"""How plait compares with other libraries on rows that they have functions for: peer_ratios.py RESULTS prints a table of ratios.

A ratio is one of speeds, of the same row in the same run: 2 is twice as fast as the peer. Kinds of rows are apart, for no library
is made for all.
"""

import json
import pathlib
import re
import sys

import distribution

PEERS = {"libdnnl": "reorder", "oneDNN 3": "reorder", "OpenBLAS": "`?omatcopy`", "HPTT": "`create_plan`", "FFTW": "rank 0",
         "OpenCV": "split, merge, transpose", "libyuv": "split, merge, transpose", "NumPy": "`ascontiguousarray`", "memcpy": "as many bytes"}
KINDS = ("images", "transposes", "permutations")


def kind_of(row):
    """As draw.py draws them: the channels of an image are two to four, and the batch is one."""
    tags = re.search(r" (\w+) -> (\w+) ([\dx]+)", row["name"])
    dims = [int(e) for e in tags[3].split("x")]
    if {tags[1], tags[2]} == {"abcd", "acdb"} and dims[0] == 1 and 2 <= dims[1] <= 4:
        return "images"
    return "transposes" if len(dims) == 2 and tags[1] != tags[2] else "permutations"


def ratios(rows, who, peer):
    """(ratio, row), the worst first."""
    found = [(distribution.ratio(row, who, peer), row) for row in rows]
    return sorted(((x, row) for x, row in found if x is not None), key=lambda pair: pair[0])


def table(results):
    """As Markdown."""
    short = distribution.short
    lines = ["| beside | rows | geometric mean | 10th percentile | worst | its row | below 1.0 | static kernels, geometric mean |",
             "|---|---|---|---|---|---|---|---|"]
    for peer, function in PEERS.items():
        for kind in KINDS:
            rows = [row for row in results["rows"] if kind_of(row) == kind]
            found = ratios(rows, "run time", peer)
            if not found:
                continue
            numbers = [x for x, _ in found]
            static = [x for x, _ in ratios(rows, "plait", peer)]
            lines.append(f"| {peer}, {function}: {kind} | {len(found)} | {short(distribution.geometric_mean(numbers))} | "
                         f"{short(distribution.at_share(numbers, 0.1))} | {short(numbers[0])} | {found[0][1]['name']} | "
                         f"{sum(x < 1 for x in numbers)} | {short(distribution.geometric_mean(static)) if static else ''} |")
    return lines


def main():
    results = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    print(f"{len(results['rows'])} rows: how many times as fast plait's planned reorder is")
    print("\n".join(table(results)))


if __name__ == "__main__":
    main()
