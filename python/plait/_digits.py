"""The digits of a layout, which are the factors of its axes with their strides, and the letters of its axes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Iterable, List, Tuple

from ._rejection import refuse

if TYPE_CHECKING:
    from ._layout import Digit, Layout


def digits_of(layout: "Layout") -> "List[Digit]":
    """Returns the digits from the outermost in memory to the innermost.

    Of digits with equal strides, those of one value are further in, as in a dense layout: in nhwc with one channel, w
    and c have stride 1.
    """
    from ._layout import Digit
    blocking, sizes = layout._desc.blocking, [1] * layout.ndim
    inner: List[Digit] = []
    for k in reversed(range(blocking.inner_nblks)):
        axis, extent = blocking.inner_idxs[k], blocking.inner_blks[k]
        inner.insert(0, Digit(axis, extent, blocking.inner_strides[k], sizes[axis], False))
        sizes[axis] *= extent
    outer = []
    for axis, (padded, block) in enumerate(zip(layout.padded_shape, sizes)):
        outer.append(Digit(axis, -(-padded // block), layout.strides[axis], block, True))
    if 0 in layout.shape and layout._tag is not None:
        outer = [outer[axis] for axis in axes_in_memory(layout._tag, layout.ndim)]  # strides are meaningless
        return outer + inner
    return sorted(outer + inner, key=lambda digit: (-abs(digit.stride), -digit.extent))


def front_of(digits: "Iterable[Tuple[int, int]]") -> int:
    """Returns the number of elements before index 0, given extents and strides: those of axes with negative strides."""
    return sum((extent - 1) * -stride for extent, stride in digits if stride < 0 and extent > 1)


def begin_of(layout: "Layout") -> int:
    """Returns the offset of the lowest element."""
    return layout.start - front_of((digit.extent, digit.stride) for digit in digits_of(layout))


def array_digits(layout: "Layout") -> "List[Digit]":
    """Returns the digits if an array can have them as axes. Channels 19 to 21, a part of a block, are refused."""
    digits = digits_of(layout)
    for digit in digits:
        padded = layout.padded_shape[digit.axis]
        if digit.is_outer and padded % digit.size:
            raise refuse("layout_is_part_of_a_block", f"axis {digit.axis} has {padded} places within a block of {digit.size}: no array has "
                         "that as axes", digit.axis, padded, digit.size)
    return digits


def axes_in_memory(tag: str, ndim: int) -> List[int]:
    """Returns the axes of a tag from the outermost in memory to the innermost: [0, 2, 3, 1] for nhwc."""
    from ._layout import Layout
    # Two outer blocks of each axis, so that all strides differ.
    wide = Layout(tag, [2 * block for block in Layout(tag, (1,) * ndim).padded_shape])
    return sorted(range(ndim), key=lambda axis: -wide.strides[axis])


def letters_of(layout: "Layout") -> List[str]:
    """Returns a letter for each axis: those of the tag that was typed, else a, b, c, ..."""
    if layout._tag is None:
        return [chr(ord("a") + axis) for axis in range(layout.ndim)]
    typed = re.match("[A-Za-z]+", layout._tag)
    axes = axes_in_memory(layout._tag, layout.ndim)
    by_axis = dict(zip(axes, typed.group().lower() if typed else ""))
    return [by_axis[axis] for axis in range(layout.ndim)]
