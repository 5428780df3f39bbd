"""Tests of how random rows of the reorder suite are drawn, and of the distributions of their results.

usage: test_drawn.py PROJECT
"""

import csv
import pathlib
import sys

PROJECT = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(PROJECT / "bench"), str(PROJECT / "bench/reorder")]
sys.dont_write_bytecode = True
import chart  # noqa: E402
import distribution  # noqa: E402
import draw  # noqa: E402
import large  # noqa: E402
import peer_ratios  # noqa: E402
import results  # noqa: E402
import slower  # noqa: E402


def test_seed():
    assert list(draw.draw(5, 50, False)) == list(draw.draw(5, 50, False))
    assert list(draw.draw(5, 50, False)) != list(draw.draw(6, 50, False))
    assert list(draw.draw(5, 50, False)) == list(draw.draw(5, 80, False))[:50], "more rows are the same rows and others"


def test_large():
    rows = list(large.rows())
    assert len(rows) == 57 + len(large.OTHERS) and len({draw.name_of(*row) for row in rows}) == len(rows)
    # Sizes 2 3 5, of which the first counts fastest, permuted by 2 0 1: the destination's fastest index is the source's last.
    assert large.formats_of([2, 0, 1]) == ("abc", "bca")
    for types, sides, _ in rows:
        assert 100 << 20 < sides[0].bytes(types[0]) < 250 << 20, "no cache holds it"


def recorded():
    with (PROJECT / "bench/reorder/network_reorders.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def declared_tags():
    with draw.TAGS.open(encoding="utf-8") as file:
        return {line["name"] for line in csv.DictReader(file)} | {row[side] for row in recorded() for side in ("src_tag", "dst_tag")}


def test_sizes():
    """Rows are cut to the limit. A part of a larger tensor is whole blocks more along one axis, at most five."""
    large = small = 0
    for types, sides, _ in draw.draw(11, 2000, False).values():
        for side, kind in zip(sides, types):
            assert draw.product(draw.padded(side.dims, side.tag)) * draw.bytes_of(kind) <= draw.LARGE_BYTES, str(side)
            assert all(extent > 0 for extent in side.dims), str(side)
            if side.whole:
                axes = [axis for axis, (whole, extent) in enumerate(zip(side.whole, side.dims)) if whole != extent]
                assert len(axes) == 1, str(side)
                block = draw.blocks_of(side.tag).get("abcdefghijkl"[axes[0]], 1)
                more = side.whole[axes[0]] - side.dims[axes[0]]
                assert more % block == 0 and block <= more <= 5 * block and 0 <= side.first[axes[0]] <= 2 * block, str(side)
        size = max(draw.product(draw.padded(side.dims, side.tag)) * draw.bytes_of(kind) for side, kind in zip(sides, types))
        large += size > draw.USUAL_BYTES
        small += size <= distribution.SMALL
    assert large and small, "of this seed there are rows above the usual limit, and rows that count as small"


def test_variety():
    """Everything that is declared is drawn with this seed, and nothing else is."""
    rows = draw.draw(12, 3000, False)
    assert {kind for types, _, _ in rows.values() for kind in types} == set(draw.WEIGHTS)
    assert any(types[0] != types[1] for types, _, _ in rows.values()) and any(types[0] == types[1] for types, _, _ in rows.values())
    values = {"src_scale": None, "dst_scale": None, "src_zero": None, "dst_zero": None, "beta": {"1", "0.5"}}
    seen = set()
    for types, sides, attributes in rows.values():
        for word in attributes:
            what, _, value = word.partition(" ")
            assert what in values and (values[what] is None or value in values[what]), word
            if value.startswith("mask "):
                assert what == "src_scale" and 0 < int(value[5:]) < min(4, 1 << len(sides[0].dims)), word
                seen.add(value)
            seen.add(what)
        seen |= {name for side in sides for name, has in (("part", side.whole), ("strides", side.steps), ("broadcast", side.axis is not None)) if has}
    assert seen == {*values, "mask 1", "mask 2", "mask 3", "part", "strides", "broadcast"}, seen
    tags = {side.tag for _, sides, _ in rows.values() for side in sides}
    assert tags <= declared_tags(), tags - declared_tags()
    assert tags - {row[side] for row in recorded() for side in ("src_tag", "dst_tag")}, "formats of no network, too"


def test_padding():
    assert draw.padded([3, 17, 5], "ABc4b16a2b") == [16, 24, 5]
    assert draw.Side([2, 17], "aB16b").bytes("bf16") == 2 * 32 * 2
    part = draw.Side([2, 16], "aB16b")
    part.first, part.whole = [0, 16], [2, 48]
    assert str(part) == "2x48 aB16b part 2x16 0x16"
    assert part.expression() == 'submemory(layout({2, 48}, "aB16b"), {2, 16}, {0, 16})'


def row(tensor_bytes, **seconds):
    return {"name": "f32 ab -> ba 8x8", "tensor_bytes": tensor_bytes, "seconds": {name.replace("_", " "): s for name, s in seconds.items()}}


def demand(title):
    return next(d for d in distribution.DEMANDS if d.title.startswith(title))


def test_distribution():
    large = [row(1 << 20, plait=1, run_time=t, libdnnl=2) for t in (1, 2, 4)]  # speeds of 1, 0.5 and 0.25
    line = demand("run-time, of the static kernel, above 32 KB")
    found = line.of(large + [row(1 << 10, plait=1, run_time=100)])
    assert [x for x, _ in found] == [0.25, 0.5, 1]
    assert abs(line.numbers(found)[0] - 0.5) < 1e-12 and line.numbers(found)[1:] == (0.25, 0.25)
    assert not line.is_met(found) and line.is_met(line.of(large[:1]))
    line = demand("run-time, above the static kernel, up to 32 KB")
    found = line.of([row(1 << 10, plait=1e-9, run_time=t * 1e-9) for t in (21, 31, 201)] + large)
    assert len(found) == 3 and [round(x) for x in line.numbers(found)] == [30, 200, 200] and not line.is_met(found)
    line = demand("run-time, of libdnnl")
    assert line.shares(line.of(large)) == (1, 0, 0)
    near = [row(1 << 20, run_time=1, libdnnl=0.95)] + [row(1 << 20, run_time=1, libdnnl=3)] * 98
    assert line.is_met(line.of(near)) and not line.is_met(line.of(near[:20])), "one in fifty may be between 0.9 and 1"
    assert not line.is_met(line.of(near + large)), "none below 0.9"
    assert line.of([row(1 << 20, run_time=1)]) == []


def test_kinds_of_peers():
    rows = draw.draw(3, 300, True)
    assert {peer_ratios.kind_of({"name": name}) for name in rows} == set(peer_ratios.KINDS)
    for types, sides, attributes in rows.values():
        assert types[0] == types[1] and not attributes and all(side.tag.islower() and not side.whole for side in sides)
    assert peer_ratios.kind_of({"name": "u8 acdb -> abcd 1x3x64x80"}) == "images"
    assert peer_ratios.kind_of({"name": "f32 ab -> ba 64x80"}) == "transposes"


def test_slower():
    rows = [row(1 << 20, run_time=4, libdnnl=t, memcpy=1) for t in (8, 2, 3)]  # ratios of 2, 0.5 and 0.75
    rows[0]["seconds"]["oneDNN 3"] = 8
    assert [x for x, _ in slower.below(rows, "libdnnl")] == [0.5, 0.75] and slower.below(rows, "oneDNN 3") == []
    assert slower.summary(rows, 1, "Zen 4") == ["- Zen 4, libdnnl, 3 rows, geometric mean 0.91: f32 ab -> ba 8x8 (0.50); and 1 more"]
    assert slower.summary(rows[:1], 1, "Zen 4") == ["- Zen 4: none"]
    rows[1]["oneDNN 3_is_wrong"] = True
    assert distribution.about_onednn_3(rows) == ["oneDNN 3 cannot do 1 of the rows, and in 1 its bytes are not those of the reference."]
    assert distribution.about_onednn_3([row(1 << 20, run_time=4)]) == []


def test_chart():
    rows = [row(1 << 20, run_time=1, plait=0.5, memcpy=2, libdnnl=8), row(1 << 20, run_time=1, memcpy=8, libdnnl=2)]
    rows[0]["libdnnl"] = "jit:uni"
    run = {"libdnnl": "2.6", "seed": 3, "isa": "avx2", "compiler": "GNU", "flags": "-O2", "commit": "a" * 40, "date": "2026-11-23"}
    drawn, peers = (results.Results({"cpu": "CPU", "runs": [run], "rows": [{"run": 0, **each} for each in some]})
                    for some in (rows, [row(1 << 20, run_time=2, NumPy=6)]))
    lines = chart.compared(drawn, peers)
    assert [(count, [mean and round(mean, 9) for mean in means]) for _, count, *means in lines] == [
        (2, [4, 4]), (1, [8, 16]), (2, [4, 16]), (1, [3, None])], lines
    text = chart.draw_compared(drawn, peers)
    assert text.count('height="10"') == 7 and "2026-11-23" in text and "CPU" in text and "NumPy (1)" in text
    assert "NumPy" not in chart.draw_compared(drawn, None) and "No results here yet" in chart.draw_compared(None, None)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"{name}: ok")


if __name__ == "__main__":
    main()
