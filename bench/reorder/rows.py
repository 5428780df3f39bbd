#!/usr/bin/env python3
"""Writes the rows of the suite as C++: rows.py DIRECTORY FILES makes DIRECTORY/rows_0.cpp to rows_{FILES-1}.cpp.

A kernel takes a compiler a fifth of a second, so the rows are spread over files. The rows: the lines of the table that
the kernels are held to (`demand`, see report.cpp), the most used reorders of networks (shapes.csv), and small ones.
"""

import csv
import pathlib
import sys

CPP = {"f64": "double", "f32": "float", "bf16": "bfloat16", "f16": "float16", "f8_e5m2": "float8_e5m2",
       "f8_e4m3": "float8_e4m3", "s32": "std::int32_t", "s8": "std::int8_t", "u8": "std::uint8_t"}

rows = {}  # name -> (section, demand, like, attributes, source, destination, type, type)


def numbers(dims):
    return "{" + ", ".join(dims.split("x")) + "}"


def tagged(dims, tag, strides=""):
    if strides:
        return f'layout({numbers(dims)}, "{tag}", strides{numbers(strides)})'
    return f'layout({numbers(dims)}, "{tag}")'


def add(name, source, destination, types, demand="", section="table", like="", attributes=""):
    assert name not in rows, name
    rows[name] = (section, demand, like, attributes, source, destination, *types)


def move(types, tags, dims, demand="", section="table"):
    """types: "f32" or "f32->s8"; tags: "nchw -> nhwc", or "nchw <-> nhwc" for both directions."""
    src_type, dst_type = types.split("->") if "->" in types else (types, types)
    if " <-> " in tags:
        one, other = tags.split(" <-> ")
        move(types, f"{one} -> {other}", dims, demand, section)
        return move(types, f"{other} -> {one}", dims, demand, section)
    src, dst = tags.split(" -> ")
    like = f"f32 {tags} {dims}" if demand == "convert" else ""
    assert not like or like in rows, like
    return add(f"{types} {tags} {dims}", tagged(dims, src), tagged(dims, dst), (src_type, dst_type), demand, section, like)


def table():
    cache, memory = "1x64x56x56", "32x256x56x56"
    for tag in "nChw16c", "nChw8c":
        move("f32", f"nchw <-> {tag}", cache, "block")
    move("f32", "nhwc <-> nChw16c", cache, "block")
    for tag in "nChw16c", "nChw8c":
        for dims in "1x512x7x7", "1x17x56x56", "1x72x56x56":
            move("f32", f"nchw <-> {tag}", dims, "block tail")
    move("f32", "nhwc <-> nChw16c", "1x17x56x56", "block tail")
    move("f32", "nchw <-> nhwc", cache, "nhwc")
    move("f32", "nchw <-> nhwc", memory, "nhwc memory")
    for tag in "nChw16c", "nChw8c":
        move("f32", f"nchw <-> {tag}", memory, "block memory")
    move("f32", "ab -> ba", "1024x1024", "transpose 1024")
    move("f32", "ab -> ba", "4096x4096", "transpose 4096")
    for kind in "bf16", "f16":
        move(kind, "nchw <-> nhwc", cache, "16 bits")
        move(kind, "nchw <-> nChw16c", cache, "16 bits")
    move("bf16", "nhwc <-> nChw16c", cache, "16 bits")
    move("bf16", "ab -> ba", "1023x1021", "16 bits")
    move("f16", "ab -> ba", "767x513", "16 bits")
    for kind in "s8", "u8":
        move(kind, "nchw <-> nhwc", cache, "8 bits")
        move(kind, "nchw <-> nChw16c", cache, "8 bits")
    move("u8", "nchw <-> nhwc", "1x3x224x224", "8 bits")
    move("u8", "nchw <-> nhwc", "1x4x224x224", "8 bits")
    move("s8", "nhwc -> nChw16c", "1x17x56x56", "8 bits")
    move("f32", "nchw <-> nhwc", "1x3x224x224")
    move("f32", "nchw <-> nhwc", "1x4x224x224")
    move("u8", "nchw <-> nhwc", memory)
    move("bf16", "nchw <-> nhwc", memory)
    move("bf16", "nchw <-> nChw16c", memory)
    weights, matrix = "256x256x3x3", "1024x1024"
    for order in "oihw", "hwio":
        move("s8", f"{order} -> OIhw4i16o4i", weights, "packed")
        move("bf16", f"{order} -> OIhw8i16o2i", weights, "packed")
        move("f32", f"{order} -> OIhw16i16o", weights)
    for order in "ab", "ba":
        move("bf16", f"{order} -> BA16a64b2a", matrix, "packed")
        move("s8", f"{order} -> BA16a64b4a", matrix, "packed")
        move("bf16", f"{order} -> BA16a16b2a", matrix, "packed")
    move("s8", "abcd -> ABcd16b64a4b", weights, "packed")
    move("s8", "cdba -> ABcd16b64a4b", weights, "packed")
    move("s8", "OIhw4i16o4i -> oihw", weights, "packed")
    move("bf16", "OIhw8i16o2i -> oihw", weights, "packed")
    for tags, dims in ("oihw -> OIhw4i16o4i", weights), ("oihw -> OIhw8i16o2i", weights), ("nchw -> nchw", cache):
        move("f32", tags, dims)
    for tags, dims in ("nchw -> nhwc", cache), ("nchw -> nChw16c", cache), ("ab -> ba", matrix), ("nchw -> nchw", cache):
        for kind in "bf16", "f16", "s8":
            move(f"f32->{kind}", tags, dims, "convert")
    move("f32->s8", "oihw -> OIhw4i16o4i", weights, "convert")
    move("f32->bf16", "oihw -> OIhw8i16o2i", weights, "convert")
    for types in "bf16->f32", "f16->f32", "s8->f32", "u8->f32", "s32->f32", "f32->u8", "f32->f8_e4m3", "f8_e5m2->bf16":
        move(types, "nchw -> nchw", cache)
    for types in "s8->f32", "bf16->f32", "f64", "f64->f32":
        move(types, "nChw16c -> nchw", cache)
    move("f64", "nchw <-> nhwc", cache)
    move("f8_e4m3", "nchw -> nhwc", cache)


def odd():
    """Blocks that do not divide, sources from view(), permute_axes, broadcast_axis and submemory, and gaps."""
    for kind in "f32", "bf16":
        move(kind, "aBcd32b <-> aBcd48b", "1x192x56x56", "odd")
    move("s8", "aBcd32b -> aBcd48b", "1x192x56x56", "odd")
    blocked = tagged("1x64x56x56", "nChw16c")
    for kind in "f32", "bf16":
        def special(what, source, destination):
            add(f"{kind} {what}", source, destination, (kind, kind), "odd")

        special("view(nChw16c 1x64x56x56, 4x16x3136) -> abc", f"view({blocked}, {{4, 16, 3136}})", tagged("4x16x3136", "abc"))
        special("view(nhwc 1x64x56x56, 8x8x3136) -> abc", f'view({tagged("1x64x56x56", "nhwc")}, {{8, 8, 3136}})',
                tagged("8x8x3136", "abc"))
        special("permute(abc 64x48x192, cab) -> abc", f'permute_axes({tagged("64x48x192", "abc")}, {{2, 0, 1}})',
                tagged("48x192x64", "abc"))
        special("broadcast(ab 1x512 -> 512x512) -> ab", f'broadcast_axis({tagged("1x512", "ab")}, 0, 512)',
                tagged("512x512", "ab"))
        special("broadcast(ab 512x1 -> 512x512) -> ab", f'broadcast_axis({tagged("512x1", "ab")}, 1, 512)',
                tagged("512x512", "ab"))
        special("submemory(nChw16c 1x64x56x56, c 16..48) -> nchw",
                f"submemory({blocked}, {{1, 32, 56, 56}}, {{0, 16, 0, 0}})", tagged("1x32x56x56", "nchw"))
        special("submemory(nChw16c, c 4..12) -> nchw", f"submemory({blocked}, {{1, 8, 56, 56}}, {{0, 4, 0, 0}})",
                tagged("1x8x56x56", "nchw"))
        special("ab 512x500 ld 520 -> ab", tagged("512x500", "ab", "520x1"), tagged("512x500", "ab"))
        special("ab 512x500 -> ab ld 520", tagged("512x500", "ab"), tagged("512x500", "ab", "520x1"))
        special("ab 512x500 ld 520 -> ba", tagged("512x500", "ab", "520x1"), tagged("512x500", "ba"))
        special("ab 512x500 ld 520 -> ab ld 528", tagged("512x500", "ab", "520x1"), tagged("512x500", "ab", "528x1"))


def networks():
    """The most used reorders of networks."""
    for r in csv.DictReader((pathlib.Path(__file__).parent / "shapes.csv").open()):
        types = r["src_dt"] if r["src_dt"] == r["dst_dt"] else f'{r["src_dt"]}->{r["dst_dt"]}'
        strides = r["strides"].partition(":")[::2]
        source, destination = (tagged(r["dims"], r[side], steps) for side, steps in zip(("src_tag", "dst_tag"), strides))
        name = f'{types} {r["src_tag"]} -> {r["dst_tag"]} {r["dims"]}'
        for side, steps in zip(("from", "to"), strides):
            longer = [step for extent, step in zip(r["dims"].split("x"), steps.split("x")) if extent != "1"]
            name += f' {side} strides {"x".join(longer)}' if steps else ""
        attributes = ""
        if r["attr_scales"]:
            side, _, value = r["attr_scales"].split(":")
            name += f" scale {value}"
            attributes = f'{{.{"src" if side == "src0" else "dst"}_scale = {value}f}}'
        if name not in rows:
            add(name, source, destination, (r["src_dt"], r["dst_dt"]), section="networks", attributes=attributes)


def latency():
    for dims in "1x16x1x1", "1x16x2x2", "1x16x4x4", "1x16x8x8":
        demand = "latency" if dims != "1x16x8x8" else ""
        for tags in "nchw -> nChw16c", "nchw -> nhwc":
            move("f32", tags, dims, demand, "latency")
    for dims in "4x4", "8x8", "16x16", "32x32":
        move("f32", "ab -> ba", dims, "latency" if dims != "32x32" else "", "latency")
    for dims in "8x8", "16x16", "32x32", "64x64":
        move("s8", "ab -> ba", dims, "latency" if dims != "64x64" else "", "latency")
    for dims in "16", "256", "1024":
        move("f32", "a -> a", dims, "latency" if dims != "1024" else "", "latency")


def main():
    directory, files = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    table(), odd(), networks(), latency()
    share = -(-len(rows) // files)
    entries = list(rows.items())
    for k in range(files):
        lines = ['#include "suite.hpp"', "", "namespace bench {", f"void add_rows_{k}(std::vector<row>& rows);",
                 f"void add_rows_{k}([[maybe_unused]] std::vector<row>& rows) {{"]
        for name, (section, demand, like, attributes, *pair, src_type, dst_type) in entries[k * share:(k + 1) * share]:
            scaled = ", true" if attributes else ""
            lines.append(f"    rows.push_back(make_row<{', '.join(pair)}, {CPP[src_type]}, {CPP[dst_type]}{scaled}>(")
            lines.append(f'        "{name}", "{section}", "{demand}", "{like}"{", " if scaled else ""}{attributes}));')
        lines.append("}")
        if k == 0:  # the order of the report is the order of the files
            lines += [f"void add_rows_{other}(std::vector<row>& rows);" for other in range(1, files)]
            calls = " ".join(f"add_rows_{other}(rows);" for other in range(files))
            lines += ["std::vector<row> all_rows() {", "    std::vector<row> rows;", f"    {calls}", "    return rows;", "}"]
        lines += ["}  // namespace bench", ""]
        (directory / f"rows_{k}.cpp").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
