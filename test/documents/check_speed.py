"""Checks that the tables of speed in the documents and the charts in docs/images follow from the results in docs/bench.

usage: check_speed.py PROJECT

Tables are compared with what bench/tables.py makes. Of a chart the labels and the lengths of the bars are compared with the
results, measured by the axis that the chart itself has; colours, fonts and places may change.
"""

import math
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

PROJECT = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(PROJECT / "bench"), str(PROJECT / "bench/reorder")]
sys.dont_write_bytecode = True
import chart  # noqa: E402
import results as kept_results  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
CONTESTANTS = "plait", "run time", "libdnnl"


class Picture:
    """The texts of a chart, and the bars beside each label."""

    def __init__(self, svg):
        root = ElementTree.fromstring(svg)
        self.texts = [(float(e.get("x")), float(e.get("y")), e.get("text-anchor"), e.text) for e in root.iter(f"{SVG}text")]
        self.ticks = {float(words): x for x, _, anchor, words in self.texts if anchor == "middle"}
        self.left = min(self.ticks.values())
        # Labels stand to the left of the axis, and end there.
        self.labels = [(y, words) for x, y, anchor, words in self.texts if anchor == "end" and x < self.left]
        self.rectangles = sorted((float(e.get("y")), float(e.get("x")), float(e.get("width")))
                                 for e in root.iter(f"{SVG}rect") if e.get("x") is not None)

    def rows(self):
        """Returns (label, [(begin, end) of each bar]); the bars of a row are nearer to its label than to any other."""
        found = {label: [] for label in self.labels}
        first = self.labels[0][0] - (self.labels[1][0] - self.labels[0][0] if len(self.labels) > 1 else 30)
        for y, x, width in self.rectangles:
            if y > first and x + width >= self.left:
                found[min(self.labels, key=lambda label: abs(label[0] - 5 - y))].append((x, x + width))
        return [(words, bars) for (_, words), bars in found.items()]


def near(a, b):
    return abs(a - b) < 0.15  # numbers in a picture have one digit behind the point


def about(results):
    """What a chart says of its results."""
    run = results.run_of_most()
    return [results.cpu, run["isa"], run["compiler"], run["flags"], run["commit"][:8], run["date"]]


def check_said(name, svg, words):
    said = "\n".join(words for *_, words in Picture(svg).texts)
    return [f"{name}: does not say '{each}'" for each in words if each not in said]


def check_section(name, svg, results, section):
    """Shares of memcpy, on a linear axis."""
    picture, problems = Picture(svg), check_said(name, svg, about(results) + [results.run_of_most()["libdnnl"]])
    rows = [row for row in results["rows"] if row["section"] == section]
    drawn = picture.rows()
    if [label for label, _ in drawn] != [row["name"] for row in rows]:
        return problems + [f"{name}: its labels are not the rows of the section {section}"]
    zero, scale, most = picture.ticks[0], picture.ticks[1] - picture.ticks[0], max(picture.ticks)
    for row, (label, bars) in zip(rows, drawn):
        seconds = row["seconds"]
        wanted = [min(seconds["memcpy"] / seconds[who], most) for who in CONTESTANTS if who in seconds]
        if len(bars) != len(wanted) or not all(near(begin, zero) and near((end - begin), share * scale) for (begin, end), share in zip(bars, wanted)):
            problems.append(f"{name}: {label}: bars of {[round((end - begin) / scale, 2) for begin, end in bars]}, "
                            f"but the shares are {[round(share, 2) for share in wanted]}")
    return problems


def check_compared(name, svg, drawn, peers):
    """Multiples of other libraries' speeds, on a logarithmic axis."""
    picture, problems = Picture(svg), check_said(name, svg, [*about(drawn), f"seed {drawn.runs[0]['seed']} and {peers.runs[0]['seed']}",
                                                            f"{len(drawn['rows'])} drawn reorders", f"{len(peers['rows'])} for the peers"])
    lines = chart.compared(drawn, peers)
    found = picture.rows()
    if [label for label, _ in found] != [f"{label} ({rows})" for label, rows, *_ in lines]:
        return problems + [f"{name}: its labels are not the libraries that took part, with the numbers of their rows"]
    one, scale = picture.ticks[1], picture.ticks[2] - picture.ticks[1]
    for (label, bars), (_, _, *means) in zip(found, lines):
        wanted = [sorted((one, one + math.log2(mean) * scale)) for mean in means if mean is not None]
        if len(bars) != len(wanted) or not all(near(begin, least) and (near(end, most) or most - least < 1) for (begin, end), (least, most) in zip(bars, wanted)):
            problems.append(f"{name}: {label}: bars of {bars}, but the means are at {wanted}")
    return problems


def check_charts():
    reorder, drawn, peers = (kept_results.charted(PROJECT, suite) for suite in ("reorder", "drawn", "peers"))

    def svg(name):
        return (PROJECT / "docs/images" / name).read_text(encoding="utf-8")
    problems = []
    for section in chart.SECTIONS:
        name = f"reorder-{section}.svg"
        problems += check_section(name, svg(name), reorder, section)
    return problems + check_compared("drawn.svg", svg("drawn.svg"), drawn, peers)


def check_tables():
    done = subprocess.run([sys.executable, PROJECT / "bench/tables.py", "--check", "--project", PROJECT], text=True, capture_output=True)
    return done.stderr.strip().splitlines() if done.returncode != 0 else []


def main():
    problems = check_tables() + check_charts()
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
