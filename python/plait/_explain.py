"""Describes a layout in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ._digits import begin_of, digits_of, letters_of

if TYPE_CHECKING:
    from ._layout import Digit, Layout


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def by(shape) -> str:
    return "x".join(map(str, shape))


def explain(layout: "Layout") -> str:
    """Returns a description of the layout in words.

    >>> import plait
    >>> print(plait.Layout("nChw16c", (1, 17, 5, 4)).explain())
    nChw16c 1x17x5x4: 340 elements
      padded to 1x32x5x4: 300 places of padding, which are zero
      memory: 640 elements from offset 0 on, without gaps
      digits, from the outermost in memory to the innermost:
        n: 1 value, 640 elements apart
        c: 2 blocks of 16, 320 elements apart
        h: 5 values, 64 elements apart
        w: 4 values, 16 elements apart
        c within its block: 16 values, 1 element apart
      offset(n, c, h, w) = (c // 16) * 320 + h * 64 + w * 16 + (c % 16)
    """
    letters = letters_of(layout)
    elements, places = math.prod(layout.shape), math.prod(layout.padded_shape)
    lines = [f"{layout.name}{' ' if layout.shape else ''}{by(layout.shape)}: {counted(elements, 'element')}"]
    if places != elements:
        lines.append(f"  padded to {by(layout.padded_shape)}: {counted(places - elements, 'place')} of padding, which are zero")
    begin = begin_of(layout)
    taken = layout.span - begin if layout.span else 0
    fit = "without gaps" if taken == places else "with gaps" if taken > places else "elements share places"
    lines.append(f"  memory: {counted(taken, 'element')} from offset {begin} on, {fit}")
    lines.append("  digits, from the outermost in memory to the innermost:")
    terms = [str(layout.start)] if layout.start else []
    for digit in digits_of(layout):
        lines.append(f"    {in_words(digit, letters[digit.axis])}, {counted(digit.stride, 'element')} apart")
        if digit.extent != 1:
            terms.append(term(digit, letters[digit.axis], layout._desc.padded_offsets[digit.axis]))
    lines.append(f"  offset({', '.join(letters)}) = {' + '.join(terms) or '0'}")
    return "\n".join(lines)


def in_words(digit: "Digit", letter: str) -> str:
    if not digit.is_outer:
        return f"{letter} within its block: {counted(digit.extent, 'value')}" + (f" of {digit.size}" if digit.size > 1 else "")
    return f"{letter}: " + (counted(digit.extent, "value") if digit.size == 1 else f"{counted(digit.extent, 'block')} of {digit.size}")


def term(digit: "Digit", letter: str, offset: int) -> str:
    """Returns what a digit adds to an offset: "(c // 16) * 320"."""
    index = f"({letter} + {offset})" if offset else letter
    if digit.size > 1:
        index = f"{index} // {digit.size}"
    if not digit.is_outer:
        index = f"{index} % {digit.extent}"
    if " " in index and not (offset and index.endswith(")")):
        index = f"({index})"
    return index if digit.stride == 1 else f"{index} * {digit.stride}"
