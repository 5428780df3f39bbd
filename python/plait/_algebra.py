"""The operations on layouts. Each returns a layout of the same elements in the same memory, or is refused."""

from __future__ import annotations

import ctypes
import math
import re
from typing import TYPE_CHECKING, Any, Sequence, Tuple

from ._arguments import int64s, int_of, ints, named_int64s, numbers_of, text
from ._library import MemoryDesc, call
from ._rejection import Rejection, refuse
from ._types import element_type

if TYPE_CHECKING:
    from ._layout import Layout

Shape = Tuple[int, ...]


def moved_columns(why: Rejection, after: int, by: int) -> Rejection:
    """Returns a rejection with the columns of the caller's pattern, without `by` characters inserted at `after`."""
    def column(number: int) -> int:
        return number - by if number > after else number
    first, second, third = why.numbers
    numbers = (column(first) if why.reason.startswith("pattern_") else first, second, third)
    return Rejection(re.sub(r"column (\d+)", lambda found: f"column {column(int(found[1]))}", str(why)), why.reason, why.axis, numbers)


class Algebra:
    """The operations of Layout that return layouts."""

    __slots__ = ()

    def _made(self: Any, function: str, *arguments: Any) -> "Layout":
        out = MemoryDesc()
        call(f"plait_memory_desc_{function}", out, self._desc, *arguments)
        return type(self)._of(out)

    def _one_an_axis(self: Any, numbers: Sequence[int], what: str) -> Sequence[int]:
        """Checks that there is one number per axis, because C reads that many."""
        if len(numbers) != self.ndim:
            raise refuse("rank_differs", f"{what} has {len(numbers)} numbers, but the layout {self.ndim} axes", None, len(numbers),
                         self.ndim)
        return numbers

    def transpose(self: Any, *axes: Any) -> "Layout":
        """Returns the layout with its axes in a new order, as NumPy's transpose: axis i of the result is axis axes[i].

        Without axes, the order is reversed.

        >>> import plait
        >>> plait.Layout("nchw", (1, 17, 5, 4)).transpose(0, 2, 3, 1).shape
        (1, 5, 4, 17)
        """
        order = self._one_an_axis(numbers_of(axes, "axes") if axes else range(self.ndim)[::-1], "axes")
        if not order:
            return self
        return self._made("rename_axes", ints([axis + self.ndim if axis < 0 else axis for axis in order], "axes"))

    def permute_axes(self: Any, *perm: Any) -> "Layout":
        """Returns the layout with its axes in a new order, as in plait's C++ and C: axis i becomes axis perm[i].

        This is the inverse of transpose.

        >>> import plait
        >>> plait.Layout("nchw", (1, 17, 5, 4)).permute_axes(0, 2, 3, 1).shape      # 17 goes to axis 2
        (1, 4, 17, 5)
        """
        order = self._one_an_axis(numbers_of(perm, "perm"), "perm")
        return self._made("permute_axes", ints(order, "perm")) if order else self

    def reshape(self: Any, *shape: Any) -> "Layout":
        """Splits, joins, adds and removes axes if the order in memory allows it without a copy.

        One extent may be -1, as in NumPy. Axes with blocks cannot be changed; use view for them.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).reshape(2, 4, 4, -1).shape
        (2, 4, 4, 20)
        """
        return self._regrouped("reshape", shape)

    def view(self: Any, *shape: Any) -> "Layout":
        """Reshapes through blocks and any order in memory; the result may have no tag.

        >>> import plait
        >>> plait.Layout("nChw16c", (1, 32, 5, 4)).view(1, 2, 16, 5, 4).strides     # the blocks are an axis of their own
        (640, 320, 1, 64, 16)
        """
        return self._regrouped("view", shape)

    def _regrouped(self: Any, function: str, shape: Any) -> "Layout":
        to = self._inferred(numbers_of(shape, "shape"))
        made = self._made(function, len(to) or 1, int64s(to or (1,), "shape"))
        return made if to else self._without_axes(made)

    def _without_axes(self: Any, one: "Layout") -> "Layout":
        """Returns the layout without its axis, which only exists because C requires one."""
        return type(self)._of(one._desc, False)

    def _need_axes(self: Any, *axes: int) -> None:
        if self.ndim == 0:
            raise refuse("axis_is_out_of_range", f"axis {axes[0]} is given, but the layout has no axes", axes[0], axes[0])

    def _inferred(self: Any, shape: Sequence[int]) -> Sequence[int]:
        """Returns a shape whose -1 is replaced by the extent that the others leave."""
        if list(shape).count(-1) != 1:
            return shape  # either no -1; or several, and the library refuses the first
        rest, all_of_it = math.prod(extent for extent in shape if extent != -1), math.prod(self.shape)
        if rest <= 0 or all_of_it % rest != 0:
            raise refuse("volumes_differ", f"-1 stands for no extent: {all_of_it} elements are no multiple of {rest}", None, all_of_it,
                         rest)
        return [all_of_it // rest if extent == -1 else extent for extent in shape]

    def split_axis(self: Any, axis: int, parts: Sequence[int]) -> "Layout":
        """Splits one axis into several, the last one the fastest.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).split_axis(1, (4, 4)).shape
        (2, 4, 4, 5, 4)
        """
        to, number = int64s(parts, "parts"), int_of(axis, "axis")
        self._need_axes(number)
        return self._made("split_axis", number, len(to), to)

    def join_axes(self: Any, first: int, last: int) -> "Layout":
        """Joins the axes first to last, both included, into one.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).join_axes(2, 3).shape
        (2, 16, 20)
        """
        numbers = int_of(first, "first"), int_of(last, "last")
        self._need_axes(*numbers)
        return self._made("join_axes", *numbers)

    def forget_padding(self: Any) -> "Layout":
        """Returns the same elements in the same places without padding, so that a padded axis can be split or joined.

        A reorder into the result writes no zeros at the former padding.

        >>> import plait
        >>> plait.Layout("Ab4a", (3, 4)).forget_padding().rearrange("a b -> (a b)").shape
        (12,)
        """
        return self._made("forget_padding")

    def recast(self: Any, dtype: Any, to_dtype: Any) -> "Layout":
        """Returns the layout of the same memory, with elements of `dtype`, as elements of `to_dtype`.

        The axis whose neighbours lie side by side has more elements, or fewer. Nothing is converted.

        >>> import plait
        >>> plait.Layout("nchw", (1, 17, 5, 4)).recast("f32", "u8").shape
        (1, 17, 5, 16)
        """
        before, after = (element_type(said, name) for said, name in ((dtype, "dtype"), (to_dtype, "to_dtype")))
        for said in (before, after):
            if said.bits > 64:
                raise refuse("data_type_is_unknown", f"recast has element types of up to 64 bits, but {said.word} has {said.bits}")
        own = self._desc.data_type
        desc, out = MemoryDesc.from_buffer_copy(self._desc), MemoryDesc()
        desc.data_type = before.number
        call("plait_memory_desc_recast", out, desc, after.number)
        out.data_type = own
        return type(self)._of(out)

    def submemory(self: Any, shape: Sequence[int], offsets: Sequence[int]) -> "Layout":
        """Returns the part of this shape that begins at offsets, in the whole's memory; `on` returns it as an array.

        >>> import plait
        >>> plait.Layout("nChw16c", (1, 32, 5, 4)).submemory((1, 16, 5, 4), (0, 16, 0, 0)).start    # the second block of channels
        320
        """
        extents = self._one_an_axis(numbers_of(shape, "shape"), "shape")
        begin = self._one_an_axis(numbers_of(offsets, "offsets"), "offsets")
        return self._made("submemory", int64s(extents, "shape"), int64s(begin, "offsets")) if extents else self

    def strided_slice(self: Any, axis: int, begin: int, end: int, step: int) -> "Layout":
        """Returns the indices begin, begin + step, ... of an axis in front of end; `on` returns them as an array.

        A negative step goes backwards, down to the index after end: -1 includes index 0. No number counts from the end
        of the axis. A step that does not fit the blocks of the axis is refused.

        >>> import plait
        >>> plait.Layout("nChw16c", (1, 32, 5, 4)).strided_slice(1, 0, 32, 2).inner_blocks    # every other channel
        ((1, 8),)
        """
        which = int_of(axis, "axis")
        numbers = [int_of(number, what) for number, what in ((begin, "begin"), (end, "end"), (step, "step"))]
        if not 0 <= which < self.ndim:
            raise refuse("axis_is_out_of_range", f"axis number {which} was given, but the layout has {self.ndim} axes", None, which, self.ndim)
        return self._made("strided_slice", which, *numbers)

    def rearrange(self: Any, pattern: str, **extents: int) -> "Layout":
        """Splits, permutes and joins axes by a pattern, as in einops. If that needs a copy, use rearrange_copy.

        >>> import plait
        >>> plait.Layout("nchw", (2, 16, 5, 4)).rearrange("n (g c) h w -> n g h w c", g=4).shape
        (2, 4, 5, 4, 4)
        """
        words, *more = _pattern(pattern, extents)
        left = words.partition(b"->")[0]
        if self.ndim == 0:  # in C it has one axis
            if left.strip() not in (b"", b"..."):
                raise refuse("rank_differs", f"the left side of the pattern is '{left.decode().strip()}', but the layout has no axes")
            words = left + b"1 " + words[len(left):]
        try:
            return self._made("rearrange", words, *more)
        except Rejection as why:
            if why.reason != "layout_is_undefined":  # no axis on the right side
                raise why if self.ndim else moved_columns(why, len(left), 2) from None
        return self._without_axes(self._made("rearrange", words + b" 1", *more))

    def rearrange_copy(self: Any, pattern: str, **extents: int) -> Tuple["Layout", "Layout"]:
        """Returns two layouts for a pattern that rearrange refuses: reorder to the first, then read it as the second.

        The second has the axes of the pattern's right side, dense and row-major.

        >>> import plait
        >>> blocked = plait.Layout("nChw16c", (2, 17, 4, 4))        # 17 channels are padded to 32
        >>> to, result = blocked.rearrange_copy("n c h w -> n (c h w)")
        >>> to == plait.Layout("nchw", (2, 17, 4, 4)), result.shape
        (True, (2, 272))
        """
        to, result = MemoryDesc(), MemoryDesc()
        try:
            if self.ndim:
                call("plait_memory_desc_rearrange_copy", to, result, self._desc, *_pattern(pattern, extents))
                return type(self)._of(to), type(self)._of(result)
        except Rejection as why:
            if why.reason != "layout_is_undefined":  # no axis on the right side
                raise
        dense = type(self)(self.shape)  # one element, with or without axes
        return dense, dense.rearrange(pattern, **extents)


def _pattern(pattern: str, extents: Any) -> Tuple[Any, ...]:
    """Returns a pattern and the extents of its names, as C takes them."""
    names = (ctypes.c_char_p * len(extents))(*(text(name, "a name") for name in extents))
    values = (ctypes.c_int64 * len(extents))(*named_int64s(extents))
    return text(pattern, "pattern"), len(extents), names, values
