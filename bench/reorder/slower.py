#!/usr/bin/env python3
"""Rows where another library is faster than plait's planned reorder: slower.py RESULTS prints all of them, the worst first.

`./dev bench` prints them before anything else about the results. bench/tables.py writes the worst of them before the tables.
"""

import json
import pathlib
import sys

import distribution
import peer_ratios

LIBRARIES = [peer for peer in peer_ratios.PEERS if peer != "memcpy"]


def below(rows, library):
    """(ratio, row) where plait has less than the library's speed, the worst first."""
    return [pair for pair in peer_ratios.ratios(rows, "run time", library) if pair[0] < 1]


def summary(rows, most, where):
    """As Markdown: a line for each library that has a faster row on the CPU, with at most that many of its rows."""
    lines = []
    for library in LIBRARIES:
        ratios = [x for x, _ in peer_ratios.ratios(rows, "run time", library)]
        slower = below(rows, library)
        if slower:
            names = "; ".join(f"{row['name']} ({distribution.short(x)})" for x, row in slower[:most])
            more = f"; and {len(slower) - most} more" if len(slower) > most else ""
            lines.append(f"- {where}, {library}, {len(ratios)} rows, geometric mean {distribution.short(distribution.geometric_mean(ratios))}: {names}{more}")
    return lines or [f"- {where}: none"]


def main():
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["rows"]
    found = sorted(((x, library, row["name"]) for library in LIBRARIES for x, row in below(rows, library)), key=lambda line: line[0])
    print(f"\nrows where plait is slower than another library, as shares of its speed: {len(found) or 'none'}")
    for x, library, name in found:
        print(f"  {distribution.short(x):>6}  {library:<9} {name}")
    for library in LIBRARIES:
        count = len(peer_ratios.ratios(rows, "run time", library))
        if count:
            near = [x for x, _ in below(rows, library)]
            print(f"{library}: {len(near)} of {count} rows below 1.0, {sum(x < 0.9 for x in near)} of them below 0.9")
        wrong = [row["name"] for row in rows if row.get(f"{library}_is_wrong")]
        if wrong:
            print(f"{library} writes other bytes than the reference in {len(wrong)} rows, the first: {wrong[0]}")


if __name__ == "__main__":
    main()
