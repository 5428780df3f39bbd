"""The operations on layouts. Each makes a layout of the same elements in the same memory, or is refused."""

from __future__ import annotations

import ctypes
import math
import operator
from typing import TYPE_CHECKING, Any, Sequence, Tuple

from ._library import MemoryDesc, call, int64s, ints, text
from ._rejection import refuse

if TYPE_CHECKING:
    from ._layout import Layout

Shape = Tuple[int, ...]


def numbers_of(values: Any) -> Sequence[int]:
    """Numbers as NumPy takes them: (2, 3), or 2 alone; and ((2, 3),), which is what f((2, 3)) gives to f(*values)."""
    if isinstance(values, tuple) and len(values) == 1:
        values = values[0]
    try:
        return (operator.index(values),)
    except TypeError:
        return tuple(values)


class Algebra:
    """What a layout can be made into."""

    __slots__ = ()

    def _made(self: Any, function: str, *arguments: Any) -> "Layout":
        out = MemoryDesc()
        call(f"plait_memory_desc_{function}", out, self._desc, *arguments)
        return type(self)._of(out)

    def _one_an_axis(self: Any, numbers: Sequence[int], what: str) -> Sequence[int]:
        """Numbers of which C reads as many as there are axes."""
        if len(numbers) != self.ndim:
            raise refuse("rank_differs", f"{what} has {len(numbers)} numbers, but the layout {self.ndim} axes", None, len(numbers),
                         self.ndim)
        return numbers

    def transpose(self: Any, *axes: Any) -> "Layout":
        """The axes in a new order, as NumPy's transpose takes it: axis i of the result is axis axes[i]; without axes, reversed.

        >>> import plait
        >>> plait.Layout("nchw", (1, 17, 5, 4)).transpose(0, 2, 3, 1).shape
        (1, 5, 4, 17)
        """
        order = self._one_an_axis(numbers_of(axes) if axes else range(self.ndim)[::-1], "axes")
        return self._made("rename_axes", ints([axis + self.ndim if axis < 0 else axis for axis in order], "axes"))

    def permute_axes(self: Any, *perm: Any) -> "Layout":
        """The axes in a new order, as plait's C++ and C take it: axis i becomes axis perm[i]. The inverse of transpose.

        >>> import plait
        >>> plait.Layout("nchw", (1, 17, 5, 4)).permute_axes(0, 2, 3, 1).shape      # 17 goes to axis 2
        (1, 4, 17, 5)
        """
        return self._made("permute_axes", ints(self._one_an_axis(numbers_of(perm), "perm"), "perm"))

    def reshape(self: Any, *shape: Any) -> "Layout":
        """Axes split, joined, added and removed, where the memory order allows it without a copy; one extent may be -1, as in NumPy.

        Axes in blocks are not touched: view goes through blocks.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).reshape(2, 4, 4, -1).shape
        (2, 4, 4, 20)
        """
        to = self._inferred(numbers_of(shape))
        return self._made("reshape", len(to), int64s(to, "shape"))

    def view(self: Any, *shape: Any) -> "Layout":
        """The complete reshape: through blocks, and whatever the order of memory; what it makes may have no tag.

        >>> import plait
        >>> plait.Layout("nChw16c", (1, 32, 5, 4)).view(1, 2, 16, 5, 4).strides     # the blocks are an axis of their own
        (640, 320, 1, 64, 16)
        """
        to = self._inferred(numbers_of(shape))
        return self._made("view", len(to), int64s(to, "shape"))

    def _inferred(self: Any, shape: Sequence[int]) -> Sequence[int]:
        """A shape with what -1 stands for: what the other extents leave."""
        if list(shape).count(-1) != 1:
            return shape  # none; or several, of which the library refuses the first
        rest, all_of_it = math.prod(extent for extent in shape if extent != -1), math.prod(self.shape)
        if rest <= 0 or all_of_it % rest != 0:
            raise refuse("volumes_differ", f"-1 stands for no extent: {all_of_it} elements are no multiple of {rest}", None, all_of_it,
                         rest)
        return [all_of_it // rest if extent == -1 else extent for extent in shape]

    def split_axis(self: Any, axis: int, parts: Sequence[int]) -> "Layout":
        """One axis as several, the last one the fastest.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).split_axis(1, (4, 4)).shape
        (2, 4, 4, 5, 4)
        """
        to = numbers_of(parts)
        return self._made("split_axis", ints([axis], "axis")[0], len(to), int64s(to, "parts"))

    def join_axes(self: Any, first: int, last: int) -> "Layout":
        """The axes first to last, both included, as one.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).join_axes(2, 3).shape
        (2, 16, 20)
        """
        return self._made("join_axes", *ints([first, last], "axes"))

    def forget_padding(self: Any) -> "Layout":
        """The same elements in the same places without padding, so that an axis that was padded can be split or joined. A reorder
        into the result writes no zeros where the padding was.

        >>> import plait
        >>> plait.Layout("Ab4a", (3, 4)).forget_padding().rearrange("a b -> (a b)").shape
        (12,)
        """
        return self._made("forget_padding")

    def submemory(self: Any, shape: Sequence[int], offsets: Sequence[int]) -> "Layout":
        """The part of this shape that begins at offsets, in the memory of the whole; `on` makes an array of it.

        >>> import plait
        >>> plait.Layout("nChw16c", (1, 32, 5, 4)).submemory((1, 16, 5, 4), (0, 16, 0, 0)).start    # the second block of channels
        320
        """
        extents = self._one_an_axis(numbers_of(shape), "shape")
        begin = self._one_an_axis(numbers_of(offsets), "offsets")
        return self._made("submemory", int64s(extents, "shape"), int64s(begin, "offsets"))

    def rearrange(self: Any, pattern: str, **extents: int) -> "Layout":
        """Axes split, permuted and joined by a pattern, as einops writes it.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).rearrange("n (g c) h w -> n g h w c", g=4).shape
        (2, 4, 5, 4, 4)
        """
        names = (ctypes.c_char_p * len(extents))(*(text(name, "a name") for name in extents))
        return self._made("rearrange", text(pattern, "the pattern"), len(extents), names, int64s(extents.values(), "extents"))
