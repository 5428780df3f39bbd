"""Tests of how random rows of the reorder suite are drawn, and of the distributions of their results.

usage: test_drawn.py PROJECT
"""

import pathlib
import sys

PROJECT = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(PROJECT / "bench/reorder")]
sys.dont_write_bytecode = True
import chart  # noqa: E402
import distribution  # noqa: E402
import draw  # noqa: E402
import large  # noqa: E402
import peer_ratios  # noqa: E402
import slower  # noqa: E402


def test_seed():
    assert list(draw.draw(5, 50, False)) == list(draw.draw(5, 50, False))
    assert len(set(draw.draw(5, 50, False)) & set(draw.draw(6, 50, False))) < 5, "some rows of networks come again"
    assert list(draw.draw(5, 50, False)) == list(draw.draw(5, 80, False))[:50], "more rows are the same rows and others"


def test_large():
    rows = list(large.rows())
    assert len(rows) == 57 + len(large.OTHERS) and len({draw.name_of(*row) for row in rows}) == len(rows)
    # Sizes 2 3 5, of which the first counts fastest, permuted by 2 0 1: the destination's fastest index is the source's last.
    assert large.formats_of([2, 0, 1]) == ("abc", "bca")
    for types, sides, _ in rows:
        assert 100 << 20 < sides[0].bytes(types[0]) < 250 << 20, "no cache holds it"


def test_sizes():
    rows = list(draw.draw(11, 2000, False).values())
    sizes = [max(side.bytes(kind) for side, kind in zip(sides, types)) for types, sides, _ in rows]
    # A part of a larger tensor may be a little larger than the limit.
    assert max(sizes) < 4 * draw.LARGE_BYTES, max(sizes)
    assert sum(size > 2 * draw.USUAL_BYTES for size in sizes) < 60, "few are large"
    assert sum(size <= distribution.SMALL for size in sizes) > 200, "enough for what is said of small ones"


def test_variety():
    rows = draw.draw(12, 3000, False)
    text = "\n".join(rows)
    for word in (" part ", " broadcast ", " strides ", "src scale mask 1", "src scale mask 2", "src scale mask 3", "src zero", "dst zero", "beta",
                 "dst scale"):
        assert text.count(word) > 2, word
    assert {kind for types, _, _ in rows.values() for kind in types} == set(draw.WEIGHTS)
    tags = {side.tag for _, sides, _ in rows.values() for side in sides}
    assert len(tags) > 400, len(tags)
    assert sum(types[0] != types[1] for types, _, _ in rows.values()) > 300


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
    kinds = [peer_ratios.kind_of({"name": name}) for name in rows]
    for kind in peer_ratios.KINDS:
        assert kinds.count(kind) > 40, kind
    assert peer_ratios.kind_of({"name": "u8 acdb -> abcd 1x3x64x80"}) == "images"
    assert peer_ratios.kind_of({"name": "f32 ab -> ba 64x80"}) == "transposes"


def test_slower():
    rows = [row(1 << 20, run_time=4, libdnnl=t, memcpy=1) for t in (8, 2, 3)]  # ratios of 2, 0.5 and 0.75
    rows[0]["seconds"]["oneDNN 3"] = 8
    assert [x for x, _ in slower.below(rows, "libdnnl")] == [0.5, 0.75] and slower.below(rows, "oneDNN 3") == []
    assert slower.summary(rows, 1)[2:] == ["- libdnnl, 3 rows, geometric mean 0.91: f32 ab -> ba 8x8 (0.50); and 1 more",
                                           "- oneDNN 3, 1 rows, geometric mean 2.00: none"]
    rows[1]["oneDNN 3_is_wrong"] = True
    assert distribution.about_onednn_3(rows) == ["oneDNN 3 cannot do 1 of the rows, and in 1 its bytes are not those of the reference."]
    assert distribution.about_onednn_3([row(1 << 20, run_time=4)]) == []


def test_chart():
    rows = [row(1 << 20, run_time=1, plait=0.5, memcpy=2, libdnnl=8), row(1 << 20, run_time=1, memcpy=8, libdnnl=2)]
    rows[0]["libdnnl"] = "jit:uni"
    about = {"libdnnl": "2.6", "seed": 3, "machine": "CPU", "isa": "avx2", "compiler": "GNU", "flags": "-O2", "date": "2026-11-23"}
    drawn, peers = about | {"rows": rows}, about | {"rows": [row(1 << 20, run_time=2, NumPy=6)]}
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
