"""The picture of a layout is well-formed and reproducible, and each cell is at the offset of its element."""

import itertools
import re
import xml.etree.ElementTree as xml

import plait
import pytest

SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = [plait.Layout("nChw16c", (1, 17, 5, 4)), plait.Layout("nhwc", (2, 3, 4, 5)), plait.Layout("OIhw4i16o4i", (20, 20, 1, 1)),
           plait.Layout((4, 3), strides=(6, 1)), plait.Layout("nChw8c", (1, 24, 2, 2)).submemory((1, 3, 2, 2), (0, 9, 0, 0)),
           plait.Layout("a", (5,)), plait.Layout("nchw", (0, 3, 2, 2)), plait.Layout((3, 4), strides=(0, 1)), plait.Layout("ab", (600, 1))]


def cells(layout):
    """Returns the tooltip of each cell: its offset, and an index or padding."""
    out = {}
    for title in xml.fromstring(layout._repr_svg_()).iter(f"{SVG}title"):
        offset, what = re.fullmatch(r"offset (\d+): (.*)", title.text).groups()
        out[int(offset)] = what
    return out


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name.replace(" ", "_"))
def test_each_element_is_in_the_cell_at_its_offset(layout):
    expected = {}
    for index in itertools.product(*map(range, layout.shape)):
        expected.setdefault(layout.offset(index), ",".join(map(str, index)))
    expected = {offset: index for offset, index in expected.items() if offset < layout.start + 512}
    shown = cells(layout)
    assert {offset: what for offset, what in shown.items() if what != "padding"} == expected
    outside = {offset for offset, what in shown.items() if what == "padding"}
    assert bool(outside) == (layout.padded_shape != layout.shape) or layout.span > 512
    assert layout._repr_svg_() == plait.Layout._of(layout._desc)._repr_svg_() or layout._tag  # but for letters


def test_what_is_left_out_is_said():
    assert "128 more cells follow" in LAYOUTS[0]._repr_svg_() and len(cells(LAYOUTS[0])) == 512
    assert "more cells" not in LAYOUTS[1]._repr_svg_()


def test_a_broadcast_is_drawn_once_however_often_it_is_read():
    assert cells(plait.Layout((10**12, 4), strides=(0, 1))) == {k: f"0,{k}" for k in range(4)}


def test_nothing_goes_beyond_the_card_and_texts_fit_their_cells():
    for layout in LAYOUTS:
        root = xml.fromstring(layout._repr_svg_())
        width, height = int(root.get("width")), int(root.get("height"))
        for each in root.iter(f"{SVG}rect"):
            assert int(each.get("x", 0)) + int(each.get("width")) <= width and int(each.get("y", 0)) + int(each.get("height")) <= height
        cell = min((int(each.get("width")) for each in root.iter(f"{SVG}rect") if each.get("x")), default=0)
        for each in root.iter(f"{SVG}text"):
            letters = len(each.text) * 7
            begin = int(each.get("x")) - {"start": 0, "middle": letters // 2, "end": letters}[each.get("text-anchor")]
            assert 0 <= begin and begin + letters <= width, (layout.name, each.text)
            assert each.get("text-anchor") != "middle" or letters <= cell


def test_colours_are_outer_blocks():
    """In nChw16c each run of 16 cells has one colour, and the next run has another."""
    layout = plait.Layout("nChw16c", (1, 32, 2, 2))
    fills = [each.get("fill") for each in xml.fromstring(layout._repr_svg_()).iter(f"{SVG}rect") if each.get("fill").startswith("#")][1:]
    assert len(fills) == 128
    for run in range(8):
        assert len(set(fills[16 * run:16 * run + 16])) == 1
        assert run == 0 or fills[16 * run] != fills[16 * run - 1]
