#!/usr/bin/env python3
"""What drawn rows reached, as distributions: distribution.py RESULTS prints them, bench/tables.py puts the table into the documents.

A ratio is one of speeds, of the same row in the same run: 0.5 of memcpy is half of its speed.
"""

import collections
import json
import math
import pathlib
import sys

SMALL = 32 << 10  # bytes of the larger side: below it a call counts, above it the move (run_time_report.cpp)


def ratio(row, who, other):
    """How many times faster one is than another, in the same row; None where one took no part."""
    seconds = row["seconds"]
    return seconds[other] / seconds[who] if who in seconds and other in seconds else None



def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else 0


def at_share(numbers, share):
    """Of sorted numbers the one that this share of them lies below."""
    return numbers[min(len(numbers) - 1, int(share * len(numbers)))]


def short(x):
    """A ratio in two digits behind the point, or in two that count."""
    return f"{x:.2f}" if x >= 0.1 else f"{x:.2g}"


class Ratios:
    """Speeds: more is better. `limits` are the least geometric mean, 10th percentile and worst."""

    def __init__(self, title, measure, limits, counts=lambda row: True):
        self.title, self.measure, self.limits, self.counts = title, measure, limits, counts

    def of(self, rows):
        """(number, row), the worst first."""
        found = [(self.measure(row), row) for row in rows if self.counts(row)]
        return sorted(((x, row) for x, row in found if x is not None), key=lambda pair: pair[0])

    def numbers(self, found):
        return geometric_mean([x for x, _ in found]), at_share([x for x, _ in found], 0.1), found[0][0]

    def is_met(self, found):
        return all(limit is None or x >= limit for x, limit in zip(self.numbers(found), self.limits))

    def wanted(self):
        names = "geometric mean", "10th percentile", "worst"
        return ", ".join(f"{limit:g} {name}" for limit, name in zip(self.limits, names) if limit is not None)

    def reached(self, found):
        mean, tenth, worst = self.numbers(found)
        return f"{short(mean)} geometric mean, {short(tenth)} 10th percentile, {short(worst)} worst"

    def format(self, x):
        return short(x)


class Times(Ratios):
    """Nanoseconds: less is better. `limits` are the most for the median, the 90th percentile and the worst."""

    def of(self, rows):
        return super().of(rows)[::-1]

    def numbers(self, found):
        sorted_up = [x for x, _ in reversed(found)]
        return at_share(sorted_up, 0.5), at_share(sorted_up, 0.9), found[0][0]

    def is_met(self, found):
        return all(limit is None or x <= limit for x, limit in zip(self.numbers(found), self.limits))

    def wanted(self):
        names = "median", "90th percentile", "worst"
        return "at most " + ", ".join(f"{limit:g} ns {name}" for limit, name in zip(self.limits, names) if limit is not None)

    def reached(self, found):
        median, ninetieth, worst = self.numbers(found)
        return f"{median:.0f} ns median, {ninetieth:.0f} 90th percentile, {worst:.0f} worst"

    def format(self, x):
        return f"{x:.0f} ns"


class EveryRow(Ratios):
    """Speeds of which no row may be below 0.9, and one in fifty below 1."""

    def shares(self, found):
        below, near = sum(x < 0.9 for x, _ in found), sum(0.9 <= x < 1 for x, _ in found)
        return below, near, near / len(found)

    def is_met(self, found):
        below, _, share = self.shares(found)
        return below == 0 and share <= 0.02

    def wanted(self):
        return "1.0 every row, but 2 % between 0.9 and 1.0"

    def reached(self, found):
        below, near, share = self.shares(found)
        return f"{super().reached(found)}; {below} below 0.9, {near} ({100 * share:.1f} %) between 0.9 and 1.0"


def overhead(row):
    """How many nanoseconds a call takes more than the static kernel's."""
    seconds = row["seconds"]
    return (seconds["run time"] - seconds["plait"]) * 1e9 if "plait" in seconds else None


def large(row):
    return row["tensor_bytes"] > SMALL


def small(row):
    return not large(row)


DEMANDS = [
    Ratios("run-time, of the static kernel, above 32 KB", lambda row: ratio(row, "run time", "plait"), (0.9, 0.75, 0.5), large),
    Times("run-time, above the static kernel, up to 32 KB", overhead, (60, None, 150), small),
    Ratios("run-time, of memcpy", lambda row: ratio(row, "run time", "memcpy"), (0.7, None, None)),
    Ratios("static, of memcpy", lambda row: ratio(row, "plait", "memcpy"), (None, None, None)),
    EveryRow("run-time, of libdnnl", lambda row: ratio(row, "run time", "libdnnl"), (None, None, None)),
    EveryRow("static, of libdnnl", lambda row: ratio(row, "plait", "libdnnl"), (None, None, None)),
    EveryRow("run-time, of oneDNN 3", lambda row: ratio(row, "run time", "oneDNN 3"), (None, None, None)),
    EveryRow("static, of oneDNN 3", lambda row: ratio(row, "plait", "oneDNN 3"), (None, None, None)),
    Ratios("run-time, AVX2 of AVX-512", lambda row: ratio(row, "run avx2", "run time"), (0.7, None, None)),
    Ratios("static, AVX2 of AVX-512", lambda row: ratio(row, "avx2", "plait"), (0.7, None, None)),
    Times("planning", lambda row: row["seconds"]["planning"] * 1e9 if "planning" in row["seconds"] else None, (1000, None, 2000)),
    Ratios("planned and run once, of libdnnl created and run once", lambda row: ratio(row, "run once", "dnnl once"), (None, None, 20)),
]


def about_libdnnl(rows):
    """What it cannot do and why, and what it does element by element: a mean with such rows says little."""
    reasons = collections.Counter(row["libdnnl_cannot"] for row in rows if "libdnnl_cannot" in row)
    said = ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items()))
    lines = [f"libdnnl cannot do {sum(reasons.values())} of {len(rows)} rows" + (f": {said}." if said else ".")]
    fast = [x for row in rows if row.get("libdnnl", "").startswith("jit") and (x := ratio(row, "run time", "libdnnl"))]
    if fast:
        lines.append(f"In {len(fast)} rows it has code made for them; of those the run-time reorder is {short(geometric_mean(fast))} "
                     f"times as fast in geometric mean, and {sum(x < 0.9 for x in fast)} are below 0.9 of it.")
    wrong = sum("libdnnl_is_wrong" in row for row in rows)
    if wrong:
        lines.append(f"In {wrong} rows its bytes are not those of the reference.")
    return " ".join(lines + about_onednn_3(rows))


def about_onednn_3(rows):
    """Empty if it took no part."""
    timed, wrong = (sum(counts(row) for row in rows) for counts in (lambda row: "oneDNN 3" in row["seconds"], lambda row: "oneDNN 3_is_wrong" in row))
    if not timed + wrong:
        return []
    return [f"oneDNN 3 cannot do {len(rows) - timed - wrong} of the rows, and in {wrong} its bytes are not those of the reference."]


def table(rows):
    """As Markdown."""
    lines = ["| | at least | reached | rows | |", "|---|---|---|---|---|"]
    for demand in DEMANDS:
        found = demand.of(rows)
        if found:
            wanted = demand.wanted()
            met = "" if not wanted else "reached" if demand.is_met(found) else "short"
            lines.append(f"| {demand.title} | {wanted} | {demand.reached(found)} | {len(found)} | {met} |")
    return lines


def problems(rows):
    return [f"{row['name']}: {row['problem']}" for row in rows if "problem" in row]


def main():
    results = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    rows = results["rows"]
    for demand in DEMANDS:
        found = demand.of(rows)
        if not found:
            continue
        wanted = demand.wanted()
        print(f"\n{demand.title}: {demand.reached(found)} ({len(found)} rows)")
        if wanted:
            print(f"  {'reached' if demand.is_met(found) else 'SHORT'}: {wanted}")
        for x, row in found[:10]:
            print(f"  {demand.format(x):>10}  {row['name']}")
    print("\n" + about_libdnnl(rows))
    print("\n".join(problems(rows)))
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()
