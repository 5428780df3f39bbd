#!/usr/bin/env python3
"""Draws rows for the suite by a seed, so that no kernel can have been tuned to them.

usage: draw.py DIRECTORY FILES [--seed N] [--rows N] [--static N] [--peers | --large]

Writes DIRECTORY/drawn.csv, all rows, and DIRECTORY/drawn_0.cpp to drawn_{FILES-1}.cpp, the static kernels of the first
--static of them. As each row is drawn by itself, the first ones are as good a sample as any.

A row begins with a reorder that a network does (network_reorders.csv). Then chance keeps or changes its extents, its formats
(any of format_tags.csv), its element types, adds attributes, a part of a larger tensor, a broadcast. No row is drawn again
because of what it is, only because it is there already. --peers draws what other libraries have functions for: plain
transposes, permutations and images. --large draws nothing: the rows are all those of large.py, in their order.
"""

import argparse
import csv
import pathlib
import random
import re
import time

import large
from rows import CPP
from side import Side, blocks_of, bytes_of, padded, product, text

HERE = pathlib.Path(__file__).resolve().parent
TAGS = HERE.parent.parent / "test" / "data" / "format_tags.csv"
# How often a type is drawn where a row does not keep its own.
WEIGHTS = {"f32": 8, "bf16": 5, "f16": 5, "s8": 4, "u8": 3, "s32": 1.5, "f64": 1, "f8_e5m2": 0.5, "f8_e4m3": 0.5}
USUAL_BYTES, LARGE_BYTES = 32 << 20, 128 << 20  # of the larger side; one row in fifty may be large


def perturbed(chance, extent):
    """Half of the extents stay as they are; kernels of 1 and 3 and batches of 1 mostly do."""
    if chance.random() < (0.85 if extent <= 3 else 0.5):
        return extent
    change = chance.random()
    if change < 0.35:
        return max(1, extent + chance.choice((-3, -2, -1, 1, 2, 3)))
    if change < 0.5:
        return max(1, extent // 2)
    if change < 0.65:
        return extent * 2
    if change < 0.85:
        return extent + chance.randint(1, 15)
    return chance.randint(max(1, extent // 2), extent * 2)


def draw_types(chance, recorded):
    if chance.random() < 0.6:
        return recorded
    names, weights = list(WEIGHTS), list(WEIGHTS.values())
    src = chance.choices(names, weights)[0]
    return (src, src) if chance.random() < 0.6 else (src, chance.choices(names, weights)[0])


def draw_attributes(chance, types, dims, recorded):
    """As read_rows.cpp reads them, separated by semicolons."""
    words = []
    if recorded["attr_scales"]:
        side, _, value = recorded["attr_scales"].split(":")
        words.append(f'{"src" if side == "src0" else "dst"}_scale {value}')
        if recorded["attr_zero_points"]:
            side, _, value = recorded["attr_zero_points"].split(":")
            words.append(f'{"src" if side == "src0" else "dst"}_zero {value}')
        return words
    if chance.random() > (0.45 if "s8" in types or "u8" in types or "s32" in types else 0.12):
        return []
    masks = [mask for mask in (1, 2, 3) if mask < 1 << len(dims)]
    kind = chance.random()
    if kind < 0.45:
        words.append(f"src_scale {chance.choice((0.5, 0.1, 0.0625, 3.5))}")
    elif kind < 0.9:
        words.append(f"src_scale mask {chance.choice(masks)}")
    if kind > 0.8 or chance.random() < 0.3:
        words.append(f"dst_scale {chance.choice((0.25, 2, 0.5))}")
    for side, which in zip(("src", "dst"), types):
        if which in ("s8", "u8", "s32") and chance.random() < 0.35:
            words.append(f"{side}_zero {chance.randint(-20, 20) or 1}")
    if chance.random() < 0.08:
        words.append(f"beta {chance.choice((1, 0.5))}")
    return words


def draw_place(chance, side, blocks):
    """Now and then a tensor is a part of a larger one: whole blocks of one axis further, so that others can say it too."""
    if chance.random() > 0.06 or side.steps:
        return
    axis = chance.randrange(len(side.dims))
    block = blocks.get("abcdefghijkl"[axis], 1)
    if side.dims[axis] % block:
        return
    side.first = [0] * len(side.dims)
    side.first[axis] = chance.randint(0, 2) * block
    side.whole = list(side.dims)
    side.whole[axis] += side.first[axis] + chance.randint(0 if side.first[axis] else 1, 3) * block


def draw_row(chance, recorded, tags):
    dims = [int(e) for e in recorded["dims"].split("x")]
    steps = recorded["strides"].partition(":")[::2]
    names = [recorded["src_tag"], recorded["dst_tag"]]
    types = draw_types(chance, (recorded["src_dt"], recorded["dst_dt"]))
    if not any(steps):
        if chance.random() < 0.8:
            dims = [perturbed(chance, extent) for extent in dims]
        for side in (0, 1):
            if chance.random() < 0.25:
                names[side] = chance.choice(tags[len(dims)])
        if chance.random() < 0.1:
            names.reverse()
    most = LARGE_BYTES if chance.random() < 0.02 else USUAL_BYTES
    while max(product(padded(dims, tag)) * bytes_of(kind) for tag, kind in zip(names, types)) > most:
        longest = max(range(len(dims)), key=lambda a: dims[a])
        if dims[longest] == 1:
            break
        dims[longest] = -(-dims[longest] // 2)
        steps = ("", "")
    sides = [Side(dims, tag, step) for tag, step in zip(names, steps)]
    for side in sides:
        draw_place(chance, side, blocks_of(side.tag))
    if chance.random() < 0.025 and not sides[0].steps and not sides[0].first:
        axis = chance.randrange(len(dims))
        if blocks_of(sides[0].tag).get("abcdefghijkl"[axis], 1) == 1:
            sides[0].axis = axis
    return types, sides, draw_attributes(chance, types, dims, recorded)


def draw_for_peers(chance, recorded, tags):
    """Transposes of matrices and permutations without blocks, and images of two to four channels."""
    kind = chance.random()
    if kind < 0.35:
        dims = [chance.choice((1, 1, 1, 2, 3)) * chance.randint(16, 1400) for _ in "ab"]
        types, names = chance.choice(("f32", "f32", "f64", "u8", "bf16")), ["ab", chance.choice(("ba", "ba", "ba", "ab"))]
    elif kind < 0.65:
        dims = [1, chance.choice((2, 3, 3, 4)), chance.randint(64, 1100), chance.randint(64, 2000)]
        types, names = chance.choice(("u8", "u8", "u8", "f32")), chance.choice((["acdb", "abcd"], ["abcd", "acdb"]))
    else:
        dims = [perturbed(chance, int(e)) for e in recorded["dims"].split("x")]
        letters = "abcdefghijkl"[:len(dims)]
        types = chance.choice(("f32", "f32", "f64", "bf16", "s8"))
        names = ["".join(chance.sample(letters, len(letters))) if chance.random() < 0.5 else letters for _ in "sd"]
    while product(dims) * bytes_of(types) > USUAL_BYTES:
        longest = max(range(len(dims)), key=lambda a: dims[a])
        dims[longest] = -(-dims[longest] // 2)
    return (types, types), [Side(dims, name) for name in names], []


def name_of(types, sides, attributes):
    kind = types[0] if types[0] == types[1] else "->".join(types)
    plain = not any(side.steps or side.first or side.axis is not None for side in sides)
    pair = f"{sides[0].tag} -> {sides[1].tag} {text(sides[1].dims)}" if plain else f"{sides[0]} -> {sides[1]}"
    return " ".join([kind, pair] + [word.replace("_", " ") for word in attributes])


def draw(seed, count, for_peers):
    """name -> (types, sides, attributes), in the order in which they are drawn."""
    chance = random.Random(seed)
    with (HERE / "network_reorders.csv").open() as file:
        recorded = list(csv.DictReader(file))
    tags = {}
    with TAGS.open() as file:
        for line in csv.DictReader(file):
            if not line["alias_of"]:
                tags.setdefault(len(set(re.findall("[a-z]", line["name"].lower()))), []).append(line["name"])
    rows = {}
    while len(rows) < count:
        row = (draw_for_peers if for_peers else draw_row)(chance, chance.choice(recorded), tags)
        rows.setdefault(name_of(*row), row)
    return rows


def static_rows(rows, k):
    """A unit with the kernels of some rows."""
    lines = [f'#include "{"suite" if rows else "row"}.hpp"', "", "namespace bench {", f"void add_drawn_{k}(std::vector<row>& rows);",
             f"void add_drawn_{k}([[maybe_unused]] std::vector<row>& rows) {{"]
    for name, (types, sides, attributes) in rows:
        arguments = [side.expression() for side in sides] + [CPP[kind] for kind in types]
        arguments += ["true" if attributes else "false", "drawn_least"]
        lines.append(f'    rows.push_back(make_row<{", ".join(arguments)}>("{name}", "drawn"));')
    return lines + ["}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("files", type=int)
    parser.add_argument("--seed", type=int, default=None, help="else the clock's")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--static", type=int, default=100, help="of how many rows kernels are compiled")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--large", action="store_true")
    arguments = parser.parse_args()
    seed = int(time.time()) if arguments.seed is None else arguments.seed
    if arguments.large:
        rows = {name_of(*row): row for row in large.rows()}
    else:
        rows = draw(seed, arguments.rows, arguments.peers)
    with (arguments.directory / "drawn.csv").open("w") as file:
        file.write(f"seed,{seed}\n")
        for name, (types, sides, attributes) in rows.items():
            file.write(",".join([name, *types, *map(str, sides), ";".join(attributes)]) + "\n")
    static = list(rows.items())[:arguments.static]
    for k in range(arguments.files):
        lines = static_rows(static[k::arguments.files], k)
        if k == 0:
            lines += [f"void add_drawn_{other}(std::vector<row>& rows);" for other in range(1, arguments.files)]
            calls = " ".join(f"add_drawn_{other}(rows);" for other in range(arguments.files))
            lines += ["std::vector<row> static_rows() {", "    std::vector<row> rows;", f"    {calls}", "    return rows;", "}"]
        (arguments.directory / f"drawn_{k}.cpp").write_text("\n".join(lines + ["}  // namespace bench", ""]))


if __name__ == "__main__":
    main()
