#!/usr/bin/env python3
"""Checks the certificates of all rows of the suites, and of random pairs of formats, with each instruction set.

usage: certificates.py TOOL [--share N/M] [--random COUNT]

The rows are the reorders of networks, those of the tables, and HPTT's permutations (bench/reorder). Types smaller than a
byte have no certificate; how many rows those are is printed. A certificate that is refused, or a
plan that is not of tiles without a reason that is listed here, is a failure. So are jumps that are not those of the
layouts, which are computed from their texts. --share 2/5 checks the second fifth."""

import argparse
import collections
import concurrent.futures
import csv
import importlib.util
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETS = "portable", "sse41", "neon", "avx2", "avx512"
# Of the tool, for a reorder without a certificate.
REASONS = "elements are not moved by tiles or by loops", "nothing is moved", "in too many ways", "elements of whole bytes", "leave the range of 63 bits"


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(loaded)
    return loaded


checker = module(ROOT / "tools/check_certificate.py")
TAGS = [line.split(",") for line in (ROOT / "test/data/format_tags.csv").read_text(encoding="utf-8").splitlines()[1:]]
ALIASES = {tag: of for tag, of in TAGS if of}


def jumps_of(text, side):
    """Returns the jumps of each axis of a layout, "nChw16c 1x17x5x4" or "ab 2x3:3x1", from its text alone."""
    tag, dims = text.split()
    extents, strides = ([int(n) for n in part.split("x") if n] for part in f"{dims}:".split(":")[:2])
    tag = ALIASES.get(tag, tag)
    letters = re.match("[A-Za-z]+", tag).group().lower()
    digits, stride = [[] for _ in extents], 1  # of each axis, the innermost first: (extent, stride)
    for count, letter in reversed(re.findall("([0-9]+)([a-z])", tag[len(letters):])):
        digits[ord(letter) - ord("a")].append((int(count), stride))
        stride *= int(count)
    for axis in (ord(letter) - ord("a") for letter in reversed(letters)):
        outer = -(-extents[axis] // math.prod(count for count, _ in digits[axis]))
        digits[axis].append((outer, strides[axis] if strides else stride))
        stride *= outer
    out = []
    for extent, own in zip(extents, digits):
        steps = [math.prod(count for count, _ in own[:k]) for k in range(len(own) + 1)]
        jumps = checker.of_digits([(step, *digit) for step, digit in zip(steps, own)], extent if side == "source" else steps[-1])
        out.append([list(jump) for jump in sorted(jumps.items())])
    return out


def layout(tag, dims, strides=""):
    return f"{tag} {dims}" + (f":{strides}" if strides else "")


def of_networks():
    for r in csv.DictReader((ROOT / "bench/reorder/network_reorders.csv").open(encoding="utf-8")):
        src, dst = r["strides"].partition(":")[::2]
        yield r["src_dt"], r["dst_dt"], layout(r["src_tag"], r["dims"], src), layout(r["dst_tag"], r["dims"], dst)


def of_tables():
    rows = module(ROOT / "bench/reorder/rows.py")
    found = []
    rows.move = lambda types, tags, dims, *_: found.append((types, tags, dims))
    rows.table(), rows.latency()
    for types, tags, dims in found:
        src_type, _, dst_type = types.partition("->")
        one, both, other = tags.replace("<->", "->").partition(" -> ")
        for src, dst in ((one, other), (other, one)) if "<->" in tags else ((one, other),):
            yield src_type, dst_type or src_type, f"{src} {dims}", f"{dst} {dims}"


def of_hptt():
    """Both sides count their first index fastest: sizes and permutations are turned."""
    for line in (ROOT / "bench/reorder/hptt_57.csv").read_text(encoding="utf-8").splitlines():
        if not line[0].isdigit():
            continue
        fields = line.split(",")
        order, sizes = [int(a) for a in fields[2].split()], fields[3].split()
        letters, n = "abcdefghijkl"[:len(sizes)], len(sizes)
        yield "f32", "f32", f"{letters} {'x'.join(sizes[::-1])}", f"{''.join(letters[n - 1 - a] for a in order[::-1])} {'x'.join(sizes[::-1])}"


def drawn(count):
    chance = random.Random(50)
    ranks = collections.defaultdict(list)
    for tag, _ in TAGS:
        if tag.isalnum():
            ranks[len({letter.lower() for letter in tag if letter.isalpha()})].append(tag)
    for _ in range(count):
        rank = chance.choice(sorted(ranks))
        dims = "x".join(str(chance.choice((1, 2, 3, 4, 7, 8, 16, 17, 31, 32, 48, 56, 100))) for _ in range(rank))
        kind = chance.choice(("u8", "bf16", "f32", "f64"))
        yield kind, kind, f"{chance.choice(ranks[rank])} {dims}", f"{chance.choice(ranks[rank])} {dims}"


def decide(tool, row, isa):
    """Returns what became of a row: "right", or why there is no certificate, or what is wrong; and the elements."""
    src_type, dst_type, src, dst = row
    answer = subprocess.run([tool, "prove", src, dst, "--type", src_type, "--to", dst_type, "--isa", isa], capture_output=True, text=True, check=False, timeout=300)
    if answer.returncode != 0:
        known = [reason for reason in REASONS if reason in answer.stderr]
        return (known[0] if known else f"WRONG: {row} {isa}: {answer.stderr}"), 0
    try:
        elements = checker.check(answer.stdout)
    except checker.Wrong as error:
        return f"WRONG: {row} {isa}: {error}", 0
    certificate = json.loads(answer.stdout)
    for at, (side, text) in enumerate(zip(checker.BOTH, (src, dst))):
        if certificate["offsets"][at] != 0 or [axis[side] for axis in certificate["axes"]] != jumps_of(text, side):
            return f"WRONG: {row} {isa}: these are not the jumps of the {side}", 0
    return "right", elements


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--random", type=int, default=4000)
    options = parser.parse_args()
    sets = [isa for isa in SETS if subprocess.run([options.tool, "prove", "ab", "ba", "2x3", "--isa", isa], capture_output=True, check=False).returncode == 0]
    number, shares = (int(part) for part in options.share.split("/"))
    found, elements, wrong = collections.Counter(), 0, []
    for name, rows in (("networks", of_networks()), ("tables", of_tables()), ("HPTT", of_hptt()), ("random pairs", drawn(options.random))):
        asked = [(row, isa) for row in rows for isa in sets][number - 1::shares]
        with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for said, count in pool.map(decide, [options.tool] * len(asked), *zip(*asked), chunksize=8):
                found[name, said if not said.startswith("WRONG") else "refused"] += 1
                elements += count
                wrong += [said] if said.startswith("WRONG") else []
    for (name, said), count in sorted(found.items()):
        print(f"{name}: {count} {said}")
    print(f"{sum(found.values())} plans with {', '.join(sets)}: {sum(count for (_, said), count in found.items() if said == 'right')} right, of {elements} elements; {len(wrong)} wrong")
    print(*wrong[:20], sep="\n")
    return bool(wrong) or not elements


if __name__ == "__main__":
    sys.exit(main())
