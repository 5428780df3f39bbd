#!/usr/bin/env python3
"""Writes the tables of speed in the documents from the results of the suites.

usage: tables.py [--check] [--project PROJECT]

A table stands in a document between two comments, and nothing between them is written by hand:

    <!-- how_fast, of docs/bench/reorder-gcc.json by bench/tables.py -->
    <!-- end of how_fast -->

--check changes nothing, and ends with 1 where a table is missing, or is not what the results say.
"""

import argparse
import json
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "reorder"))
sys.dont_write_bytecode = True
import distribution  # noqa: E402
import large as large_rows  # noqa: E402
import peer_ratios  # noqa: E402
import slower as slower_rows  # noqa: E402

# Which table stands where; each function below makes the one of its name.
PLACES = {"README.md": ["how_fast"], "docs/design/speed.md": ["measured_on", "featured", "drawn", "peers", "large", "small", "packed", "demanded", "slower", "run_time", "views"]}
SMALL = 32 << 10  # bytes of the larger side: below it a call counts, above it the move (run_time_report.cpp)

# A few rows that many networks have, and what they are called in the table of them.
FEATURED = [
    ("f32 nchw -> nChw16c, 103 MB each", "f32 nchw -> nChw16c 32x256x56x56"),
    ("f32 nhwc -> nchw, 103 MB each", "f32 nhwc -> nchw 32x256x56x56"),
    ("f32 nchw -> nChw16c 1x64x56x56", "f32 nchw -> nChw16c 1x64x56x56"),
    ("bf16 nchw -> nhwc 1x64x56x56", "bf16 nchw -> nhwc 1x64x56x56"),
    ("u8 RGB nhwc -> nchw 224x224", "u8 nhwc -> nchw 1x3x224x224"),
    ("s8 oihw -> OIhw4i16o4i 256x256x3x3", "s8 oihw -> OIhw4i16o4i 256x256x3x3"),
    ("f32 -> s8 nchw -> nChw16c 1x64x56x56", "f32->s8 nchw -> nChw16c 1x64x56x56"),
    ("f32 ab -> ba 4096x4096", "f32 ab -> ba 4096x4096"),
]


class Results:
    def __init__(self, path):
        self.data = json.loads(path.read_text(encoding="utf-8"))
        self.rows = {row["name"]: row for row in self.data["rows"]}

    def __getitem__(self, key):
        return self.data[key]

    def all_with(self, *who):
        return [row for row in self.rows.values() if all(w in row["seconds"] for w in who)]


def ratio(row, who, other):
    """How many times faster one is than another, in the same row."""
    return row["seconds"][other] / row["seconds"][who]


def gigabytes(row, who):
    return row["bytes"] / row["seconds"][who] * 1e-9


def two_digits(x):
    return f"{x:.0f}" if x >= 10 else f"{x:.1f}"


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else 0


def setting(results):
    compiler = re.sub(r"^GNU ", "GCC ", results["compiler"])
    beside = f"libdnnl {results['libdnnl']}" + (f" and oneDNN {results['onednn_3']}" if "onednn_3" in results.data else "")
    return f"{results['machine']} ({results['isa']}), {compiler} at `{results['flags']}`, {beside} beside it, {results['date']}"


def means(results):
    """Geometric means: of memcpy, of libdnnl, and of libdnnl where that beats a plain loop."""
    both = results.all_with("plait", "libdnnl")
    return (geometric_mean([ratio(row, "plait", "memcpy") for row in results.all_with("plait", "memcpy")]),
            geometric_mean([ratio(row, "plait", "libdnnl") for row in both]),
            geometric_mean([ratio(row, "plait", "libdnnl") for row in both if ratio(row, "libdnnl", "loop") >= 1]))


def how_fast(results):
    of_memcpy, of_libdnnl, where_it_pays = means(results)
    return [f"Of the {len(results.rows)} rows of the suite that the kernels were tuned to, `./dev bench reorder`, the geometric mean is {of_memcpy:.2f} of memcpy's "
            f"speed and {of_libdnnl:.1f}", f"times libdnnl's, {where_it_pays:.1f} where libdnnl beats a plain loop; one thread, {setting(results)}."]


def featured(results):
    """Rows that many networks have."""
    of_memcpy, of_libdnnl, where_it_pays = means(results)
    lines = ["| | GB/s | share of memcpy | times libdnnl |", "|---|---|---|---|",
             f"| all rows, geometric mean | | {of_memcpy:.2f} | {of_libdnnl:.1f} ({where_it_pays:.1f} where libdnnl beats a plain loop) |"]
    for label, name in FEATURED:
        row = results.rows[name]
        lines.append(f"| {label} | {two_digits(gigabytes(row, 'plait'))} | {ratio(row, 'plait', 'memcpy'):.2f} | "
                     f"{ratio(row, 'plait', 'libdnnl'):.1f} |")
    return lines


def measured_on(results):
    return [f"Measured on {setting(results)}; one thread, best of many in one process, GB/s of bytes read and written, {len(results.rows)} rows."]


def reached(results, demand, row, who):
    """As in report.cpp; None where it cannot be said."""
    seconds = row["seconds"]
    if row["demand"] != demand["id"] or who not in seconds:
        return None
    if demand["of"] == "memcpy":
        return ratio(row, who, "memcpy")
    if demand["of"] == "30 ns":
        return 30e-9 / seconds[who]
    if demand["of"] == "libdnnl":
        return ratio(row, who, "libdnnl") if "libdnnl" in seconds else None
    other = results.rows.get(row["like"])
    return gigabytes(row, who) / gigabytes(other, who) if other and who in other["seconds"] else None


def demanded(results):
    lines = [f"| | demanded | {results['isa']} | its worst row | avx2 (demanded 0.75 of it) |", "|---|---|---|---|---|"]
    for demand in results["demands"]:
        cells = []
        for who in "plait", "avx2":
            found = [(x, name) for name, row in results.rows.items() if (x := reached(results, demand, row, who)) is not None]
            cells.append(min(found, default=(None, "")))
        (plait, name), (avx2, _) = cells
        if plait is not None:
            lines.append(f"| {demand['what']} | {demand['least']:.2f} | {plait:.2f} | {name} | "
                         f"{'' if avx2 is None else f'{avx2:.2f}'} |")
    return lines


def slower(results):
    rows = sorted((ratio(row, "plait", "libdnnl"), row["name"]) for row in results.all_with("plait", "libdnnl"))
    below = [f"{name} ({x:.2f})" for x, name in rows if x < 1]
    if not below:
        return [f"libdnnl is faster in none of its {len(rows)} rows."]
    return [f"libdnnl is faster in {len(below)} of its {len(rows)} rows: {', '.join(below)}."]


def run_time(results):
    if not results.all_with("planning"):
        return ["(These results are older than reorders that are planned at run time; `./dev bench` makes new ones.)"]
    rows = results.all_with("plait", "run time")
    large = sorted((ratio(row, "run time", "plait"), row["name"]) for row in rows if row["tensor_bytes"] > SMALL)
    small = sorted(((row["seconds"]["run time"] - row["seconds"]["plait"]) * 1e9, row["name"])
                   for row in rows if row["tensor_bytes"] <= SMALL)
    lines = []
    if large:
        mean, met = geometric_mean([x for x, _ in large]), sum(x >= 0.9 for x, _ in large)
        lines.append(f"- of {len(large)} rows above 32 KB the geometric mean is {mean:.2f} of the static kernel; {met} are at 0.9 or more, "
                     f"the worst at {large[0][0]:.2f} ({large[0][1]})")
    if small:
        lines.append(f"- of {len(small)} rows up to 32 KB a call takes {sum(x for x, _ in small) / len(small):.0f} ns more on average, "
                     f"at most {small[-1][0]:.0f} ns ({small[-1][1]})")
    plans = sorted(row["seconds"]["planning"] * 1e9 for row in results.all_with("planning"))
    lines.append(f"- planning takes {plans[0]:.0f} to {plans[-1]:.0f} ns, half of the plans up to {plans[len(plans) // 2]:.0f}")
    return lines


def views(results):
    """Of the index suite: each limit that is promised, with the rows that it is promised for."""
    compiler = re.sub(r"^GNU ", "GCC ", results["compiler"])
    lines = [f"Measured on {results['machine']}, {compiler} at `{results['flags']}`, {results['date']}:", "",
             "| | rows | times the same loop by hand, geometric mean | worst | promised |", "|---|---|---|---|---|"]
    kinds = {1.05: "static layouts", 1.10: "bound layouts", 1.30: "layouts known at run time, two blocks"}
    for limit, kind in kinds.items():
        rows = sorted((1 / ratio(row, "view", "hand"), name) for name, row in results.rows.items() if row["limit"] == limit)
        if rows:
            lines.append(f"| {kind} | {len(rows)} | {geometric_mean([x for x, _ in rows]):.2f} | {rows[-1][0]:.2f}, {rows[-1][1]} | {limit:.2f} |")
    return lines


def drawn(results):
    """Of the drawn suite: the rows where another library is faster, then distributions beside the least that is wanted."""
    rows = results["rows"]
    lines = [f"{len(rows)} rows drawn with seed {results['seed']}, {sum('plait' in row['seconds'] for row in rows)} of them with static kernels, on "
             f"{setting(results)}:", ""]
    lines += slower_rows.summary(rows, 10) + [""] + distribution.table(rows)
    lines += ["", distribution.about_libdnnl(rows), "", "The worst ten of each other line that falls short:", ""]
    for demand in distribution.DEMANDS:
        found = demand.of(rows)
        if found and demand.wanted() and not demand.is_met(found) and not demand.title.startswith(("run-time, of libdnnl", "run-time, of oneDNN")):
            lines.append(f"- {demand.title}: " + "; ".join(f"{row['name']} ({demand.format(x)})" for x, row in found[:10]))
    return lines


def peers(results):
    """Of the drawn suite, with rows that other libraries have functions for: the rows where they are faster, then ratios."""
    return [f"{len(results['rows'])} rows drawn with seed {results['seed']}, on {setting(results)}, NumPy {results['numpy']}; speeds of plait's "
            "planned reorder as multiples of the other's.", ""] + slower_rows.summary(results["rows"], 10) + [""] + peer_ratios.table(results.data)


OTHERS = {f"{kind} {source} -> {destination} {'x'.join(map(str, extents))}" for kind, extents, source, destination in large_rows.OTHERS}
LARGE_KINDS = {"HPTT's permutations that move the innermost axis": lambda row: is_permutation(row) and moves_innermost(row),
               "HPTT's permutations that keep it": lambda row: is_permutation(row) and not moves_innermost(row),
               "transposes and images in other types and formats": lambda row: not is_permutation(row)}


def formats_of(row):
    return row["name"].split(" ")[1], row["name"].split(" ")[3]


def moves_innermost(row):
    source, destination = formats_of(row)
    return source[-1] != destination[-1]


def is_permutation(row):
    """Of HPTT's benchmark: the others are those of large.OTHERS."""
    return row["name"] not in OTHERS


def large(results):
    """Of the large suite: the rows where another library is faster, then shares of memcpy of the planned reorder."""
    lines = [f"{len(results.rows)} rows on {setting(results)}.", ""] + slower_rows.summary(results["rows"], len(results.rows))
    lines += ["", "Speeds of plait's planned reorder as shares of memcpy's:", "",
              "| rows | | geometric mean | 10th percentile | worst | its row | planned for AVX2: geometric mean, worst |", "|---|---|---|---|---|---|---|"]
    for kind, counts in LARGE_KINDS.items():
        rows = [row for row in results.rows.values() if counts(row) and "run time" in row["seconds"]]
        shares = sorted((ratio(row, "run time", "memcpy"), row["name"]) for row in rows)
        if not shares:
            continue
        numbers = [x for x, _ in shares]
        narrow = [ratio(row, "run avx2", "memcpy") for row in rows if "run avx2" in row["seconds"]]
        of_avx2 = f"{geometric_mean(narrow):.2f}, {min(narrow):.2f}" if narrow else ""
        lines.append(f"| {kind} | {len(rows)} | {geometric_mean(numbers):.2f} | {distribution.at_share(numbers, 0.1):.2f} | {numbers[0]:.2f} | "
                     f"{shares[0][1]} | {of_avx2} |")
    with_static = results.all_with("run time", "plait")
    if with_static:
        lines += ["", "Static kernels, as shares of memcpy: " + "; ".join(f"{row['name']} {ratio(row, 'plait', 'memcpy'):.2f}" for row in with_static) + "."]
    return lines


def small(results):
    """Of elements smaller than a byte: shares of memcpy, in the second cache and beyond all."""
    rows = results.data["rows"]
    lines = [f"On {results['machine']}, {re.sub('^GNU ', 'GCC ', results['compiler'])} at `-O2`, {results['date']}; planned reorders as shares of memcpy "
             "of as many bytes:", "", "| | 128 x 1024 | 4096 x 8192 |", "|---|---|---|"]
    for row in (row for row in rows if not row["is_large"]):
        beyond = next(other for other in rows if other["is_large"] and other["name"] == row["name"])
        lines.append(f"| {row['name']} | {ratio(row, 'run time', 'memcpy'):.2f} | {ratio(beyond, 'run time', 'memcpy'):.2f} |")
    return lines


def packed(results):
    """Of repacks: shares of memcpy, in the second cache and beyond all, and what planning takes."""
    rows = results.data["rows"]
    lines = [f"On {results['machine']}, {re.sub('^GNU ', 'GCC ', results['compiler'])} at `-O2`, {results['date']}, one thread; repacks as shares of "
             "memcpy of as many bytes:", "", "| | 64 x 2048 | 4096 x 32768 | planned in |", "|---|---|---|---|"]
    for row in (row for row in rows if not row["is_large"]):
        beyond = next(other for other in rows if other["is_large"] and other["name"] == row["name"])
        lines.append(f"| {row['name']} | {ratio(row, 'repack', 'memcpy'):.2f} | {ratio(beyond, 'repack', 'memcpy'):.2f} | "
                     f"{row['seconds']['planning'] * 1e6:.0f} us |")
    return lines


def rewrite(project, document, problems):
    """The document as the results have it."""
    text = (project / document).read_text(encoding="utf-8")
    for name in PLACES[document]:
        pattern = rf"(<!-- {name}, of (\S+) by bench/tables\.py -->\n).*?(<!-- end of {name} -->)"
        if len(re.findall(pattern, text, re.DOTALL)) != 1:
            problems.append(f"{document}: not one table {name}")
            continue

        def made(match):
            if not (project / match[2]).exists():
                return f"{match[1]}(No results here yet: `./dev bench` makes them.)\n{match[3]}"
            return match[1] + "\n".join(globals()[name](Results(project / match[2]))) + "\n" + match[3]
        text = re.sub(pattern, made, text, flags=re.DOTALL)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--project", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    problems = []
    for document in PLACES:
        text = rewrite(arguments.project, document, problems)
        path = arguments.project / document
        if text == path.read_text(encoding="utf-8"):
            continue
        if arguments.check:
            problems.append(f"{document}: its tables are not what the results say: bench/tables.py writes them")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{document}: tables written")
    print("\n".join(problems), file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
