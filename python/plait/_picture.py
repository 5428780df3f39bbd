"""Draws a layout: its memory as cells in the order of addresses."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Dict, List, NamedTuple, Tuple

from ._digits import begin_of, digits_of, letters_of

if TYPE_CHECKING:
    from ._layout import Digit, Layout

MOST_CELLS = 512
HEIGHT, MARGIN, TOP, LINE, WIDEST = 22, 56, 44, 16, 960
# Pale, so that dark text is legible on all of them. Neighbours also differ in lightness, for any colour vision.
COLOURS = ("#cfe3f7", "#ffe2a8", "#bfe8d4", "#f6cfe0", "#a9c9ee", "#f3c58b", "#d9d2f0", "#e8ecc0")


class Cell(NamedTuple):
    """The content of one address."""
    at: Tuple[int, ...]     # the logical index; beyond the extents for padding
    is_padding: bool
    block: int              # the number of the outer block, in the order of addresses


def cells_of(layout: "Layout", most: int) -> "Dict[int, Cell]":
    """Returns the first cells, by offset from the lowest one. If elements share a place, the first one counts."""
    digits = digits_of(layout)
    found: Dict[int, Tuple[int, ...]] = {0: ()} if layout.span else {}
    for digit in digits:
        wider: Dict[int, Tuple[int, ...]] = {}
        values = min(digit.extent, 1) if digit.stride == 0 else digit.extent
        for place, before in found.items():
            for step in range(values):  # from the lowest: the last value first if the stride is negative
                if place + step * abs(digit.stride) >= most:
                    break
                value = step if digit.stride >= 0 else values - 1 - step
                wider.setdefault(place + step * abs(digit.stride), before + (value,))
        found = wider
    within = [is_block_digit(layout, digits, k) for k in range(len(digits))]
    numbers: Dict[Tuple[int, ...], int] = {}
    out = {}
    for place in sorted(found):
        values_here = found[place]
        outer = tuple(value for value, is_within in zip(values_here, within) if not is_within)
        here = cell(layout, digits, values_here, numbers.setdefault(outer, len(numbers)))
        if all(i + offset < padded for i, offset, padded in zip(here.at, layout._desc.padded_offsets, layout.padded_shape)):
            out[place] = here  # a part of a block does not own the other cells
    return out


def is_block_digit(layout: "Layout", digits: "List[Digit]", k: int) -> bool:
    """True if a digit counts within a block of one colour: an inner block, or the innermost axis of a plain layout."""
    if layout.inner_blocks:
        return not digits[k].is_outer
    several = [j for j, digit in enumerate(digits) if digit.extent > 1]
    return bool(several) and k == several[-1]


def cell(layout: "Layout", digits: "List[Digit]", values: Tuple[int, ...], block: int) -> Cell:
    index = [-offset for offset in layout._desc.padded_offsets[:layout.ndim]]
    for digit, value in zip(digits, values):
        index[digit.axis] += value * digit.size
    return Cell(tuple(index), any(not 0 <= i < extent for i, extent in zip(index, layout.shape)), block)


def picture(layout: "Layout") -> str:
    """Returns an SVG: cells in the order of addresses, one colour per outer block, padding hatched, gaps empty.

    It has its own background, so that it is legible on any page. The same layout always gives the same picture.
    """
    begin = begin_of(layout)
    places = max(0, layout.span - begin)
    shown = min(places, MOST_CELLS)
    cells = cells_of(layout, shown)
    labels = {place: ",".join(map(str, each.at)) for place, each in cells.items() if not each.is_padding}
    width = max([24] + [7 * len(label) + 8 for label in labels.values()])
    a_row = next((count for count in (32, 16, 8, 4) if count * width + 2 * MARGIN <= WIDEST), 4)
    title, legend = f"{layout.name}  {'x'.join(map(str, layout.shape))}", legend_of(layout, places - shown)
    bottom = TOP + -(-shown // a_row) * HEIGHT + 12
    total_width = max(a_row * width + MARGIN + 16, 32 + 9 * len(title), 32 + 7 * max(map(len, legend)))
    total_height = bottom + LINE * len(legend) + 8
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" '
           f'viewBox="0 0 {total_width} {total_height}" font-family="monospace" font-size="11">',
           '<defs><pattern id="plait-padding" width="6" height="6" patternUnits="userSpaceOnUse">'
           '<path d="M0 6L6 0" stroke="#5a5f66" stroke-width="1"/></pattern></defs>',
           f'<rect width="{total_width}" height="{total_height}" rx="6" fill="#ffffff" stroke="#b8bdc4"/>',
           words(16, 26, title, size=14)]
    for place in range(shown):
        x, y = MARGIN + place % a_row * width, TOP + place // a_row * HEIGHT
        if place % a_row == 0:
            out.append(words(MARGIN - 6, y + 15, str(begin + place), anchor="end", fill="#5a5f66"))
        out += drawn(cells.get(place), labels.get(place, ""), begin + place, x, y, width)
    out += [words(16, bottom + LINE * k + 10, line) for k, line in enumerate(legend)]
    return "\n".join(out + ["</svg>"])


def legend_of(layout: "Layout", more: int) -> List[str]:
    out = [f"in a cell: {','.join(letters_of(layout))}; on the left: the offset",
           f"a colour: {'an outer block' if layout.inner_blocks else 'a run of the innermost axis'}",
           "hatched: padding, zero; dashed: not of this tensor"]
    return out + ([f"{more} more cells follow"] if more else [])


def words(x: int, y: int, text: str, anchor: str = "start", fill: str = "#1b1f24", size: int = 11) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">{html.escape(text)}</text>'


def drawn(each: "Cell | None", label: str, offset: int, x: int, y: int, width: int) -> List[str]:
    """Draws a cell: its colour, the hatching of padding, its index, and a tooltip."""
    box = f'<rect x="{x}" y="{y}" width="{width}" height="{HEIGHT}"'
    if each is None:
        return [f'{box} fill="none" stroke="#d5d9de" stroke-dasharray="2 2"/>']
    about = f"<title>offset {offset}: {'padding' if each.is_padding else html.escape(label)}</title>"
    out = [f'{box} fill="{COLOURS[each.block % len(COLOURS)]}" stroke="#7d848c">{about}</rect>']
    if each.is_padding:
        return out + [f'{box} fill="url(#plait-padding)">{about}</rect>']
    return out + [words(x + width // 2, y + 15, label, anchor="middle")]
