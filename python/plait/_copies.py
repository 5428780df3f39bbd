"""The contiguous copies that move a tensor from one layout to another."""

from __future__ import annotations

import ctypes
from typing import Any, Tuple

import numpy as np
from numpy.typing import NDArray

from ._arguments import wrong_type
from ._layout import Layout
from ._library import ContiguousCopy, MemoryDesc, call
from ._rejection import refuse

_COPY = np.dtype([("dst", np.int64), ("src", np.int64), ("count", np.int64)])


def _both(src: Any, dst: Any) -> Tuple[MemoryDesc, MemoryDesc]:
    for what, layout in (("src", src), ("dst", dst)):
        if not isinstance(layout, Layout):
            raise wrong_type(what, "a plait.Layout", layout)
    if src._has_axes != dst._has_axes:
        raise refuse("rank_differs", f"the source has {src.ndim} axes, but the destination {dst.ndim}", None, src.ndim, dst.ndim)
    return src._desc, dst._desc


def count_copies(src: Layout, dst: Layout) -> int:
    """Returns the least number of contiguous copies that move a tensor from one layout to another.

    Elements that are neighbours in both layouts are in one copy.

    >>> import plait
    >>> plait.count_copies(plait.Layout("nhwc", (1, 17, 5, 4)), plait.Layout("nChw16c", (1, 17, 5, 4)))
    40
    """
    out = ctypes.c_int64()
    call("plait_count_copies", out, *_both(src, dst))
    return out.value


def copies(src: Layout, dst: Layout) -> NDArray[Any]:
    """Returns the fewest contiguous copies that move a tensor from one layout to another, by ascending dst.

    The array has the fields dst, src and count: `count` elements from offset `src` to offset `dst`, all in elements. Of
    elements smaller than a byte a copy may begin in the middle of one: recast both layouts to u8 for whole bytes.

    >>> import plait
    >>> moved = plait.copies(plait.Layout("nhwc", (1, 17, 5, 4)), plait.Layout("nChw16c", (1, 17, 5, 4)))
    >>> moved[:2].tolist(), moved["count"].sum()
    ([(0, 0, 16), (16, 17, 16)], 340)
    """
    descriptors, count = _both(src, dst), count_copies(src, dst)
    out = (ContiguousCopy * count)()
    call("plait_list_copies", out, count, *descriptors)
    return np.frombuffer(memoryview(out), _COPY) if count else np.empty(0, _COPY)
