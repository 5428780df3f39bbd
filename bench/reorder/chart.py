#!/usr/bin/env python3
"""Draws the results of the reorder suite: chart.py RESULTS.json SECTION OUT.svg

Bars as shares of memcpy in the same run: plait's static kernel, below it plait for layouts known only at run time (planned
before), and libdnnl.
"""

import json
import sys
from xml.sax.saxutils import escape

LABELS, SCALE, ROW, TOP, LIMIT = 390, 320, 25, 64, 1.6
TITLES = {"table": "the table that the kernels are held to", "networks": "the most used reorders of networks",
          "latency": "small tensors"}
COLOURS = {"plait": "#2a6f97", "run time": "#8ab6d6", "libdnnl": "#e09f3e"}


def bar(y, share, colour):
    width = min(share, LIMIT) * SCALE
    return f'<rect x="{LABELS}" y="{y}" width="{width:.1f}" height="6" fill="{colour}"/>'


def text(x, y, words, anchor="start", size=11):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def draw(results, section):
    rows = [r for r in results["rows"] if r["section"] == section]
    height, width = TOP + ROW * len(rows) + 12, LABELS + int(LIMIT * SCALE) + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           text(8, 18, f"Share of memcpy, {TITLES[section]}: {results['machine']}, {results['isa']}, {results['compiler']}, one thread",
                size=13)]
    for k, (name, colour) in enumerate(COLOURS.items()):
        label = {"plait": name, "run time": "plait, run time"}.get(name, f"libdnnl {results['libdnnl']}")
        out += [f'<rect x="{8 + 110 * k}" y="30" width="12" height="8" fill="{colour}"/>', text(24 + 110 * k, 38, label)]
    for tenth in range(0, int(LIMIT * 10) + 1, 2):
        x = LABELS + tenth / 10 * SCALE
        stroke = "#333" if tenth == 10 else "#ddd"
        out += [f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - 8}" stroke="{stroke}"/>',
                text(x, TOP - 10, f"{tenth / 10:.1f}", "middle")]
    for k, row in enumerate(rows):
        y, seconds = TOP + ROW * k, row["seconds"]
        out.append(text(LABELS - 6, y + 15, row["name"], "end"))
        for place, (name, colour) in enumerate(COLOURS.items()):
            if name in seconds:
                out.append(bar(y + 2 + 7 * place, seconds["memcpy"] / seconds[name], colour))
        if "libdnnl" in seconds:
            out.append(text(width - 6, y + 15, f"{seconds['libdnnl'] / seconds['plait']:.1f} times", "end", 10))
    return "\n".join(out + ["</svg>", ""])


def main():
    source, section, target = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        results = json.load(file)
    with open(target, "w", encoding="utf-8") as file:
        file.write(draw(results, section))


if __name__ == "__main__":
    main()
