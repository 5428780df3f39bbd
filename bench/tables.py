#!/usr/bin/env python3
"""Writes the tables of speed in the documents, and the charts, from the results in docs/bench.

usage: tables.py [--check] [--project PROJECT]

A table stands in a document between two comments, and nothing between them is written by hand:

    <!-- how_fast, of docs/bench/*/reorder.json by bench/tables.py -->
    <!-- end of how_fast -->

Each table has the kinds of CPU that the suite was measured on side by side, and the commit and the date of each. Charts show
the kind that bench/results.py names.

--check changes nothing, and ends with 1 if a table is missing, or is not what the results say. Charts are not compared.
"""

import argparse
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent / "reorder")]
import chart  # noqa: E402
import distribution  # noqa: E402
import large as large_rows  # noqa: E402
import peer_ratios  # noqa: E402
import results as kept_results  # noqa: E402
import slower as slower_rows  # noqa: E402
from distribution import geometric_mean, short  # noqa: E402

# Which table stands where; each function below makes the one of its name, of the results of a suite on each CPU.
PLACES = {"README.md": ["how_fast"], "docs/coming-from/numpy.md": ["numpy"],
          "docs/design/speed.md": ["measured_on", "by_cpu", "featured", "demanded", "slower", "drawn", "peers", "large", "small", "packed", "run_time", "views"]}
SUITES = "reorder", "drawn", "peers", "large", "small", "packed", "index", "formats", "numpy"
SMALL = distribution.SMALL
WORST = 3  # rows where another library is faster, of each CPU and library; the suites print all of them

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


def ratio(row, who, other):
    """Returns how many times faster one is than another, in the same row."""
    return row["seconds"][other] / row["seconds"][who]


def gigabytes(row, who):
    return row["bytes"] / row["seconds"][who] * 1e-9


def two_digits(x):
    return f"{x:.0f}" if x >= 10 else f"{x:.1f}"


def compiler_of(run):
    name = re.sub(r"^GNU ", "GCC ", run.get("compiler", ""))
    return f"{name} `{run['flags']}`" if name and "flags" in run else name


def side_by_side(all_results, head, lines):
    """Returns a table with a column for each CPU, and a last line with the commits and dates.

    Each line has a label for each of the columns of `head`, and a function that returns the cell of some results. A cell is
    empty if the function returns nothing.
    """
    labels = [head] if isinstance(head, str) else list(head)
    columns = [*labels, *(results.cpu for results in all_results)]
    table = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    last = ["commit, date", *[""] * (len(labels) - 1)], kept_results.Results.measured
    for label, cell in [*lines, last]:
        cells = [label] if isinstance(label, str) else list(label)
        cells += [cell(results) or "" for results in all_results]
        table.append(f"| {' | '.join(cells)} |")
    return table


def shares(rows, who, other):
    """Returns the ratios of the rows that both took part in, the worst first."""
    return sorted(ratio(row, who, other) for row in rows if who in row["seconds"] and other in row["seconds"])


def mean_of(rows, who, other):
    found = shares(rows, who, other)
    return short(geometric_mean(found)) if found else None


def times_libdnnl(results):
    """Returns the geometric means of all rows, and of those where libdnnl beats a plain loop."""
    rows = results.all_with("plait", "libdnnl")
    pays = [row for row in rows if ratio(row, "libdnnl", "loop") >= 1]
    return f"{geometric_mean(shares(rows, 'plait', 'libdnnl')):.1f} ({geometric_mean(shares(pays, 'plait', 'libdnnl')):.1f})"


def how_fast(of):
    return side_by_side(of("reorder"), "", [
        ("rows", lambda results: str(len(results.rows))),
        ("share of memcpy's speed", lambda results: mean_of(results.rows.values(), "plait", "memcpy")),
        ("times libdnnl's speed (where libdnnl beats a plain loop)", times_libdnnl)])


def caches_of(run):
    def size(n):
        return f"{n >> 20} MB" if n % (1 << 20) == 0 else f"{n >> 10} KB"
    return ", ".join(f"{name} {size(n)}" for name, n in run.get("caches", {}).items())


def measured_on(of):
    """Which machine each CPU was in, and which commit each suite measured there."""
    cpus, by_cpu = [], {}
    for suite in SUITES:
        for results in of(suite):
            by_cpu.setdefault(results.cpu, {})[suite] = results
    cpus = [results.cpu for results in sorted((next(iter(found.values())) for found in by_cpu.values()), key=kept_results.place)]

    def line(label, cell):
        return f"| {label} | {' | '.join(cell(by_cpu[cpu]) for cpu in cpus)} |"

    def one(about):
        def cell(found):
            values = {about(run) for results in found.values() for run in results.runs} - {""}
            return "; ".join(sorted(values))
        return cell
    lines = [f"| | {' | '.join(cpus)} |", "|" + "---|" * (len(cpus) + 1),
             line("machine", one(lambda run: run["machine"])),
             line("widest instruction set", one(lambda run: run.get("isa", ""))),
             line("caches", one(caches_of)),
             line("compiler", one(lambda run: compiler_of(run) if "flags" in run else "")),
             line("libdnnl", one(lambda run: run.get("libdnnl", ""))),
             line("oneDNN 3", one(lambda run: run.get("onednn_3", ""))),
             line("NumPy", one(lambda run: run.get("numpy", "")))]
    lines = [each for each in lines if not re.fullmatch(r"\| [^|]+(\|\s*)+", each)]
    return lines + [line(f"`{suite}`", lambda found, suite=suite: found[suite].measured() if suite in found else "") for suite in SUITES]


def featured(of):
    """Rows that many networks have."""
    def cell(name):
        def text(results):
            row = results.rows.get(name)
            return row and f"{two_digits(gigabytes(row, 'plait'))}; {ratio(row, 'plait', 'memcpy'):.2f}; {ratio(row, 'plait', 'libdnnl'):.1f}"
        return text
    return side_by_side(of("reorder"), "GB/s; share of memcpy; times libdnnl", [(label, cell(name)) for label, name in FEATURED])


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


def demanded(of):
    """The worst row of each line."""
    def cell(demand):
        def text(results):
            worst = [min((x for row in results.rows.values() if (x := reached(results, demand, row, who)) is not None), default=None)
                     for who in ("plait", "avx2")]
            return "; ".join(f"{x:.2f}" for x in worst if x is not None)
        return text
    demands = of("reorder")[0]["demands"]
    return side_by_side(of("reorder"), ("the worst row; with AVX2 forced", "demanded"),
                        [((demand["what"], f"{demand['least']:.2f}"), cell(demand)) for demand in demands])


def slower(of):
    lines = []
    for results in of("reorder"):
        rows = sorted((ratio(row, "plait", "libdnnl"), row["name"]) for row in results.all_with("plait", "libdnnl"))
        below = [f"{name} ({short(x)})" for x, name in rows if x < 1]
        more = f", and {len(below) - WORST} more" if len(below) > WORST else ""
        lines.append(f"- {results.cpu}: libdnnl is faster in {len(below) or 'none'} of its {len(rows)} rows" +
                     (f": {', '.join(below[:WORST])}{more}" if below else ""))
    return lines


def run_time_above(results):
    return shares([row for row in results.rows.values() if row["tensor_bytes"] > SMALL], "run time", "plait")


def run_time(of):
    def above(results):
        found = run_time_above(results)
        return found and f"{short(geometric_mean(found))}; {short(found[0])}; {sum(x >= 0.9 for x in found)} of {len(found)}"

    def below(results):
        found = [(row["seconds"]["run time"] - row["seconds"]["plait"]) * 1e9
                 for row in results.all_with("plait", "run time") if row["tensor_bytes"] <= SMALL]
        return found and f"{sum(found) / len(found):.0f}; {max(found):.0f}"

    def plans(results):
        found = sorted(row["seconds"]["planning"] * 1e9 for row in results.all_with("planning"))
        return found and f"{found[0]:.0f}; {found[len(found) // 2]:.0f}; {found[-1]:.0f}"
    return side_by_side(of("reorder"), "", [
        ("above 32 KB, of the static kernel: geometric mean; worst; rows at 0.9 or more", above),
        ("up to 32 KB, ns more than the static kernel: mean; most", below),
        ("planning, ns: least; median; most", plans)])


def views(of):
    """Of the index suite: each limit that is promised, with the rows that it is promised for."""
    def cell(limit):
        def text(results):
            found = sorted(1 / ratio(row, "view", "hand") for row in results.rows.values() if row["limit"] == limit)
            return found and f"{len(found)}; {geometric_mean(found):.2f}; {found[-1]:.2f}"
        return text
    kinds = {1.05: "static layouts", 1.10: "bound layouts", 1.30: "layouts known at run time, two blocks"}
    return side_by_side(of("index"), ("rows; times the same loop by hand: geometric mean; worst", "promised"),
                        [((kind, f"{limit:.2f}"), cell(limit)) for limit, kind in kinds.items()])


def slower_lines(all_results, most):
    """The rows where another library is faster, of each CPU."""
    lines = ["Rows where another library is faster, as shares of its speed:", ""]
    return lines + [line for results in all_results for line in slower_rows.summary(results["rows"], most, results.cpu)]


def drawn(of):
    """Distributions beside the least that is wanted, and the rows where another library is faster."""
    def cell(demand):
        def text(results):
            if demand.title.endswith("of AVX-512") and results.run_of_most()["isa"] != "avx512":
                return ""
            found = demand.of(results["rows"])
            return found and demand.reached(found) + ("" if not demand.wanted() or demand.is_met(found) else " (short)")
        return text

    def drawn_rows(results):
        return f"{len(results['rows'])}, seed {results.runs[0]['seed']}"
    shown = [demand for demand in distribution.DEMANDS if any(demand.of(results["rows"]) for results in of("drawn"))]
    table = side_by_side(of("drawn"), ("", "at least"),
                         [(("rows", ""), drawn_rows), *(((demand.title, demand.wanted()), cell(demand)) for demand in shown)])
    about = [f"- {results.cpu}: {distribution.about_libdnnl(results['rows'])}" for results in of("drawn")]
    return slower_lines(of("drawn"), WORST) + [""] + table + ["", "What libdnnl cannot do, or does element by element:", ""] + about


def peers(of):
    """Ratios beside other libraries on the rows that they have functions for."""
    def cell(peer, kind, who="run time"):
        def text(results):
            numbers = [x for x, _ in peer_ratios.ratios([row for row in results["rows"] if peer_ratios.kind_of(row) == kind], who, peer)]
            return numbers and (f"{short(geometric_mean(numbers))}; {short(distribution.at_share(numbers, 0.1))}; {short(numbers[0])}; "
                                f"{sum(x < 1 for x in numbers)} of {len(numbers)}")
        return text

    def drawn_rows(results):
        return f"{len(results['rows'])}, seed {results.runs[0]['seed']}"
    lines = [(f"{peer}, {function}: {kind}", cell(peer, kind)) for peer, function in peer_ratios.PEERS.items() for kind in peer_ratios.KINDS]
    table = side_by_side(of("peers"), "geometric mean; 10th percentile; worst; rows below 1",
                         [("rows", drawn_rows), *((label, made) for label, made in lines if any(made(results) for results in of("peers")))])
    return slower_lines(of("peers"), WORST) + [""] + table


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


def mean_and_worst(rows, who, other="memcpy"):
    found = shares(rows, who, other)
    return f"{short(geometric_mean(found))}; {short(found[0])}" if found else None


def large(of):
    """Shares of memcpy of planned reorders, and the rows where another library is faster."""
    lines = []
    for kind, counts in LARGE_KINDS.items():
        for who, words in (("run time", ""), ("run avx2", ", planned for AVX2")):
            lines.append((kind + words, lambda results, counts=counts, who=who: mean_and_worst(filter(counts, results["rows"]), who)))
    lines.append(("static kernels", lambda results: mean_and_worst(results["rows"], "plait")))
    return slower_lines(of("large"), WORST) + [""] + side_by_side(of("large"), "shares of memcpy: geometric mean; worst", lines)


def in_two_sizes(all_results, head, who, more=lambda row: ""):
    """Of suites that measure each name in the second cache and beyond all: shares of memcpy."""
    names = dict.fromkeys(row["name"] for results in all_results for row in results["rows"])

    def cell(name):
        def text(results):
            rows = sorted((row for row in results["rows"] if row["name"] == name), key=lambda row: row["is_large"])
            return rows and "; ".join(f"{ratio(row, who, 'memcpy'):.2f}" for row in rows) + more(rows[0])
        return text
    return side_by_side(all_results, head, [(name, cell(name)) for name in names])


def small(of):
    return in_two_sizes(of("small"), "128 x 1024; 4096 x 8192", "run time")


def packed(of):
    return in_two_sizes(of("packed"), "64 x 2048; 4096 x 32768; planned in", "repack", lambda row: f"; {row['seconds']['planning'] * 1e6:.0f} us")


def numpy(of):
    """Times NumPy's speed, of each row: of later calls, and of the first one, which plans."""
    names = dict.fromkeys(name for results in of("numpy") for name in results.rows)

    def cell(name):
        def text(results):
            row = results.rows.get(name)
            return row and f"{ratio(row, 'plait', 'NumPy'):.1f} ({ratio(row, 'first', 'NumPy'):.1f})"
        return text
    if not of("numpy"):
        return ["Not measured yet."]
    return side_by_side(of("numpy"), "times faster (the first call)", [(name, cell(name)) for name in names])


def by_cpu(of):
    """The most important lines of all suites."""
    columns = sorted({results.cpu: results for suite in SUITES for results in of(suite)}.values(), key=kept_results.place)
    found = {suite: {results.cpu: results for results in of(suite)} for suite in SUITES}

    def line(label, suite, cell):
        cells = [(cell(found[suite][column.cpu]) or "") if column.cpu in found[suite] else "" for column in columns]
        return f"| {label} | {' | '.join(cells)} |"

    def memcpy(results):
        rows = [results.rows.get(name) for name in ("f32 nchw -> nChw16c 1x64x56x56", "f32 nchw -> nChw16c 32x256x56x56")]
        return all(rows) and "; ".join(two_digits(gigabytes(row, "memcpy")) for row in rows)

    def above(results):
        numbers = run_time_above(results)
        return numbers and f"{short(geometric_mean(numbers))}; {short(distribution.at_share(numbers, 0.1))}"

    def below_libdnnl(results):
        numbers = shares(results["rows"], "run time", "libdnnl")
        return f"{mean_of(results['rows'], 'run time', 'memcpy')}; {sum(x < 0.9 for x in numbers)} of {len(numbers)}"

    def beside_opencv(results):
        numbers = shares(results["rows"], "run time", "OpenCV")
        return numbers and f"{short(geometric_mean(numbers))}; {sum(x < 0.95 for x in numbers)} of {len(numbers)}"

    def static(results):
        return "; ".join(filter(None, (mean_of(results["rows"], who, "memcpy") for who in ("plait", "avx2"))))

    def permutations(who):
        return lambda results: mean_and_worst(filter(is_permutation, results["rows"]), who)
    return [f"| | {' | '.join(column.cpu for column in columns)} |", "|" + "---|" * (len(columns) + 1),
            line("memcpy, GB/s: 0.8 MB; 103 MB", "reorder", memcpy),
            line("the reorder suite, static kernels, of memcpy: the widest set; AVX2 forced", "reorder", static),
            line("run-time reorders, of the static kernel, above 32 KB: geometric mean; 10th percentile", "reorder", above),
            line("HPTT's 57 permutations, of memcpy: geometric mean; worst", "large", permutations("run time")),
            line("the same planned for AVX2", "large", permutations("run avx2")),
            line("drawn rows, of memcpy; rows below 0.9 of libdnnl", "drawn", below_libdnnl),
            line("beside OpenCV: geometric mean; rows below 0.95", "peers", beside_opencv)]


def rewrite(project, document, problems):
    """Returns the text of the document as the results have it."""
    text = (project / document).read_text(encoding="utf-8")
    for name in PLACES[document]:
        pattern = rf"(<!-- {name}, of \S+ by bench/tables\.py -->\n).*?(<!-- end of {name} -->)"
        if len(re.findall(pattern, text, re.DOTALL)) != 1:
            problems.append(f"{document}: not one table {name}")
            continue
        made = "\n".join(globals()[name](lambda suite: kept_results.kept(project, suite)))
        text = re.sub(pattern, lambda match: f"{match[1]}{made}\n{match[2]}", text, flags=re.DOTALL)
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
    if not arguments.check:
        chart.write_all(arguments.project)
    print("\n".join(problems), file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
