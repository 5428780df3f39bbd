"""Reads extents from text, in the form that plait prints."""

from __future__ import annotations

import re
from typing import Any, List, Tuple

from ._arguments import MAX_AXES, brief, wrong_type
from ._rejection import refuse


def parse_dims(text: Any) -> Tuple[int, ...]:
    """Returns the extents in a text, in the form that plait prints: numbers with x or a comma between them.

    >>> import plait
    >>> plait.parse_dims("2x17x5x4")
    (2, 17, 5, 4)
    >>> plait.Layout("nChw16c", plait.parse_dims("1x17x5x4")).padded_shape
    (1, 32, 5, 4)
    """
    if not isinstance(text, str):
        raise wrong_type("text", "a text such as '2x17x5x4'", text)
    shown = text if len(text) <= 64 else text[:61] + "..."
    dims: List[int] = []
    at = 0
    while True:
        digits = re.compile("[0-9]*").match(text, at)
        assert digits is not None
        if not digits[0]:
            what = "negative" if text[at:at + 1] == "-" else "no number"
            raise refuse("notation_is_malformed", f"column {at + 1} of {shown!r} is {what}; write extents as 2x17x5x4", None, at + 1)
        number = int(digits[0]) if len(digits[0]) <= 4000 else 1 << 14000
        if number >= 2**63:
            raise refuse("number_is_too_large", f"number {len(dims)} of {shown!r} is {brief(number)}, which 64 bits do not hold", len(dims))
        if len(dims) == MAX_AXES:
            raise refuse("ndims_is_out_of_range", f"{shown!r} has more than {MAX_AXES} numbers, but a layout has at most {MAX_AXES} axes",
                         None, len(dims) + 1, MAX_AXES)
        dims.append(number)
        at = digits.end()
        if at == len(text):
            return tuple(dims)
        if text[at] not in "x,":
            raise refuse("notation_is_malformed", f"column {at + 1} of {shown!r} is not 'x'; write extents as 2x17x5x4", None, at + 1)
        at += 1
