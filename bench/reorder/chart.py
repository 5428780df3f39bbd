#!/usr/bin/env python3
"""Draws the charts in docs/images from the results in docs/bench: chart.py [PROJECT]

Of the reorder suite bars as shares of memcpy in the same run: plait's static kernel, below it plait for layouts known only at run time
(planned before), and libdnnl. Of drawn rows how many times as fast plait is as memcpy, libdnnl and the other peers, in geometric mean.
"""

import math
import pathlib
import sys
from xml.sax.saxutils import escape

import distribution

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import results as kept_results  # noqa: E402

LABELS, SCALE, ROW, TOP, LIMIT = 390, 320, 25, 64, 1.6
TITLES = {"table": "the table that the kernels are held to", "networks": "the most used reorders of networks",
          "latency": "small tensors"}
COLOURS = {"plait": "#2a6f97", "run time": "#8ab6d6", "libdnnl": "#e09f3e"}


def bar(y, share, colour):
    width = min(share, LIMIT) * SCALE
    return f'<rect x="{LABELS}" y="{y}" width="{width:.1f}" height="6" fill="{colour}"/>'


def text(x, y, words, anchor="start", size=11):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def setting(results):
    """Returns what a chart says of its results."""
    run = results.run_of_most()
    return f"{results.cpu}, {run['isa']}, {run['compiler']} {run['flags']}, one thread, commit {run['commit'][:8]}, {run['date']}"


def draw(results, section):
    rows = [r for r in results["rows"] if r["section"] == section]
    height, width = TOP + ROW * len(rows) + 12, LABELS + int(LIMIT * SCALE) + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           text(8, 18, f"Share of memcpy, {TITLES[section]}: {setting(results)}", size=13)]
    for k, (name, colour) in enumerate(COLOURS.items()):
        label = {"plait": name, "run time": "plait, run time"}.get(name, f"libdnnl {results.run_of_most()['libdnnl']}")
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


def compared(drawn, peers):
    """(label, rows, geometric mean of run-time reorders, of static kernels or None): speeds as multiples of each other library's."""
    def line(label, rows, peer):
        means = []
        for who in "run time", "plait":
            found = [x for row in rows if (x := distribution.ratio(row, who, peer)) is not None]
            means.append(distribution.geometric_mean(found) if found else None)
        return (label, sum(distribution.ratio(row, "run time", peer) is not None for row in rows), *means)
    rows, run = drawn["rows"], drawn.run_of_most()
    made_for = [row for row in rows if row.get("libdnnl", "").startswith("jit")]
    lines = [line("memcpy of as many bytes", rows, "memcpy"),
             line(f"libdnnl {run['libdnnl']}, where it has code for the pair", made_for, "libdnnl"),
             line(f"libdnnl {run['libdnnl']}, all that it can do", rows, "libdnnl"),
             line(f"oneDNN {run.get('onednn_3')}, all that it can do", rows, "oneDNN 3")]
    if peers:
        lines += [line(peer, peers["rows"], peer) for peer in ("OpenBLAS", "FFTW", "OpenCV", "libyuv", "NumPy")]
    return [each for each in lines if each[2] is not None]


def draw_compared(drawn, peers):
    """One small chart, whose axis is logarithmic; a note where nothing was measured yet."""
    least, most, scale, top, row_height, left = -2, 5, 62, 66, 30, 300
    lines = compared(drawn, peers) if drawn else []
    width, height = left + (most - least) * scale + 60, top + row_height * max(len(lines), 1) + 8
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    if not lines:
        return "\n".join(out + [text(8, 40, "No results here yet: ./dev bench drawn and ./dev bench peers make them.", size=13), "</svg>", ""])
    who = f"{len(drawn['rows'])} drawn reorders" + (f", {len(peers['rows'])} for the peers" if peers else "")
    seeds = f"seed {drawn.runs[0]['seed']}" + (f" and {peers.runs[0]['seed']}" if peers else "")
    out += [text(8, 18, f"How many times as fast plait is, in geometric mean: {who}", size=13),
            text(8, 34, f"{setting(drawn)}; {seeds}")]
    for k, (name, words) in enumerate((("run time", "layouts known at run time"), ("plait", "at compile time"))):
        out += [f'<rect x="{8 + 170 * k}" y="44" width="12" height="8" fill="{COLOURS[name]}"/>', text(24 + 170 * k, 52, words)]
    def place(x):
        return left + (min(max(math.log2(x), least), most) - least) * scale
    for power in range(least, most + 1):
        x = place(2.0 ** power)
        out += [f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{height - 6}" stroke="{"#333" if power == 0 else "#ddd"}"/>',
                text(x, top - 9, f"{2.0 ** power:g}", "middle")]
    for k, (label, rows, *means) in enumerate(lines):
        y = top + row_height * k
        out.append(text(left - 8, y + 18, f"{label} ({rows})", "end"))
        for number, (name, mean) in enumerate(zip(("run time", "plait"), means)):
            if mean is None:
                continue
            begin, end = sorted((place(1), place(mean)))
            out += [f'<rect x="{begin:.1f}" y="{y + 3 + 12 * number}" width="{max(end - begin, 1):.1f}" height="10" fill="{COLOURS[name]}"/>',
                    text(end + 4, y + 12 + 12 * number, distribution.short(mean), size=10)]
    return "\n".join(out + ["</svg>", ""])


SECTIONS = "table", "networks"  # of the reorder suite


def write_all(project):
    reorder, drawn, peers = (kept_results.charted(project, suite) for suite in ("reorder", "drawn", "peers"))
    images = pathlib.Path(project) / "docs" / "images"
    for section in SECTIONS if reorder else ():
        (images / f"reorder-{section}.svg").write_text(draw(reorder, section), encoding="utf-8")
    (images / "drawn.svg").write_text(draw_compared(drawn, peers), encoding="utf-8")


if __name__ == "__main__":
    write_all(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent.parent)
