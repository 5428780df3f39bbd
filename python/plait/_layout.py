"""The layout: a value that maps each element of a tensor to its place in memory."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from ._algebra import Algebra, Shape
from ._arguments import int64s, int_of, text, wrong_type
from ._library import BLOCKED, MemoryDesc, call, library
from ._rejection import refuse

_U8 = 9  # the type of a layout's descriptor: elements of one byte, so that sizes in bytes are sizes in elements


class Digit(NamedTuple):
    """One loop over memory: over the outer blocks of an axis, or over an inner block."""
    axis: int
    extent: int
    stride: int     # in memory
    size: int       # elements of the axis per step: 16 for the outer blocks of nChw16c
    is_outer: bool


class Layout(Algebra):
    """The places of a tensor's elements. Immutable. Made of a tag and a shape, a shape and strides, or all three.

    Strides, offsets and extents count elements, not bytes. The shape () is one element without axes.

    >>> import plait
    >>> plait.Layout("nhwc", (2, 3, 4, 5)).strides         # of n, c, h and w: the shape is always in the tag's logical order
    (60, 1, 15, 3)
    >>> plait.Layout((4, 3), strides=(6, 1)).name
    'ab:6x1'
    >>> plait.Layout("OIhw4i16o4i", (16, 20, 3, 3)).padded_shape
    (16, 32, 3, 3)
    >>> plait.Layout("nchw", (1, 17, 5))
    Traceback (most recent call last):
    plait.Rejection: rank_differs: the format tag has 4 axes, but the extents have 3
    """

    __slots__ = ("_desc", "_tag", "_has_axes")
    _desc: MemoryDesc   # one element without axes is stored with one axis: in C, no axes means no tensor
    _tag: "str | None"  # as it was typed
    _has_axes: bool

    def __init__(self, tag: "str | Sequence[int]", shape: "Sequence[int] | int | None" = None, *, strides: "Sequence[int] | None" = None):
        typed = tag if isinstance(tag, str) else None
        if typed is None and shape is not None:
            raise TypeError(f"plait.Layout takes a tag and a shape, or a shape and strides=, and tag is {type(tag).__name__}")
        if typed is None and tag is None:
            raise wrong_type("tag", "a text or a shape", tag)
        if typed is not None and shape is None:
            raise TypeError(f"plait.Layout({tag!r}) needs a shape")
        extents, desc = int64s(tag if typed is None else shape, "tag, where it is a shape," if typed is None else "shape"), MemoryDesc()
        count = len(extents)
        steps = None if strides is None else int64s(strides, "strides")
        if steps is not None and len(steps) != count:
            raise refuse("rank_differs", f"there are {len(steps)} strides for {count} axes", None, len(steps), count)
        if typed is None and count == 0:
            call("plait_memory_desc_init_by_strides", desc, 1, int64s(1, "shape"), None, _U8)
        elif typed is None:
            call("plait_memory_desc_init_by_strides", desc, count, extents, steps, _U8)
        elif steps is None:
            call("plait_memory_desc_init_by_tag", desc, count, extents, _U8, text(typed, "tag"))
        else:
            call("plait_memory_desc_init_by_tag_and_strides", desc, count, extents, _U8, text(typed, "tag"), steps)
        self._keep(desc, typed, count != 0)

    def _keep(self, desc: MemoryDesc, tag: "str | None" = None, has_axes: bool = True) -> None:
        if desc.format_kind != BLOCKED:
            raise refuse("layout_is_any", "the tag 'any' leaves the places of elements open, and Python has nobody to choose them")
        object.__setattr__(self, "_desc", desc)
        object.__setattr__(self, "_tag", tag)
        object.__setattr__(self, "_has_axes", has_axes)

    @classmethod
    def _of(cls, desc: MemoryDesc, has_axes: bool = True) -> "Layout":
        self = cls.__new__(cls)
        self._keep(desc, None, has_axes)
        return self

    @classmethod
    def of(cls, array: Any) -> "Layout":
        """Returns the layout of an array as it is in memory: its shape, and its strides in elements.

        >>> import numpy as np, plait
        >>> plait.Layout.of(np.zeros((4, 6), np.float32)[:, ::2])
        plait.Layout('ab', (4, 3), strides=(6, 2))
        """
        from ._arrays import layout_of
        return layout_of(array)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a plait.Layout never changes")

    def __reduce__(self):
        return _restore, (bytes(self._desc), self._tag, self._has_axes)

    # ---- Properties ----

    @property
    def ndim(self) -> int:
        return self._desc.ndims if self._has_axes else 0

    @property
    def shape(self) -> Shape:
        """The extents of the tensor, in its logical order."""
        return tuple(self._desc.dims[:self.ndim])

    @property
    def padded_shape(self) -> Shape:
        """The extents with padding: whole blocks for an axis with blocks."""
        return tuple(self._desc.padded_dims[:self.ndim])

    @property
    def strides(self) -> Shape:
        """The distance in elements between neighbours along each axis, or between outer blocks if it has blocks."""
        return tuple(self._desc.blocking.strides[:self.ndim])

    @property
    def inner_blocks(self) -> Tuple[Tuple[int, int], ...]:
        """The axis and the size of each inner block, from the outermost to the innermost: ((1, 16),) for nChw16c."""
        blocking = self._desc.blocking
        return tuple((blocking.inner_idxs[k], blocking.inner_blks[k]) for k in range(blocking.inner_nblks))

    @property
    def start(self) -> int:
        """The offset of index 0 in the memory, in elements. Not 0 for a part, nor if an axis has a negative stride."""
        return self._desc.offset0

    @property
    def span(self) -> int:
        """The number of elements that a buffer needs from offset 0, padding included; 0 without elements."""
        return library.plait_memory_desc_get_buffer_size(self._desc)

    @property
    def name(self) -> str:
        """The tag as it was typed, or in the letters a, b, c, ...

        If the strides do not follow from the tag, a colon and the strides are added. The name of one element without
        axes is "()".

        >>> import plait
        >>> plait.Layout("nChw16c", (1, 17, 5, 4)).name, plait.Layout("nchw", (1, 17, 5, 4)).transpose(0, 2, 3, 1).name
        ('nChw16c', 'adbc')
        """
        if not self._has_axes:
            return "()"
        if self._tag is None:
            return self._canonical_name()
        return self._tag if self == Layout(self._tag, self.shape) else f"{self._tag}:{'x'.join(map(str, self.strides))}"

    def _canonical_name(self) -> str:
        name = ctypes.create_string_buffer(4096)
        call("plait_memory_desc_format_name", self._desc, name, len(name))
        return name.value.decode()

    @property
    def memory_shape(self) -> Shape:
        """The shape of an array of the layout's memory: an axis for each digit, the outermost in memory first.

        >>> import plait
        >>> plait.Layout("nChw16c", (1, 17, 5, 4)).memory_shape     # n, blocks of channels, h, w, channels of a block
        (1, 2, 5, 4, 16)
        """
        from ._digits import array_digits
        return tuple(digit.extent for digit in array_digits(self))

    def digits(self) -> List[Digit]:
        """Returns the loops over the layout's memory, from the outermost to the innermost."""
        from ._digits import digits_of
        return digits_of(self)

    def on(self, memory: NDArray[Any]) -> NDArray[Any]:
        """Returns the layout's array inside the memory of a whole: a view with an axis for each digit.

        memory is a C-contiguous array whose first element is that of offset 0, such as the array of the layout that
        submemory was called on.

        >>> import numpy as np, plait
        >>> blocked = plait.Layout("nChw16c", (1, 32, 5, 4))
        >>> second = blocked.submemory((1, 16, 5, 4), (0, 16, 0, 0))
        >>> second.on(np.zeros(blocked.memory_shape)).shape
        (1, 1, 5, 4, 16)
        """
        from ._arrays import array_on
        return array_on(self, memory)

    def offset(self, *position: Any) -> int:
        """Returns the offset of the element at a position in elements: offset(0, 16, 2, 3) or offset((0, 16, 2, 3))."""
        numbers = int64s(position, "position")
        if len(numbers) != self.ndim:
            raise refuse("rank_differs", f"the position has {len(numbers)} numbers, but the layout {self.ndim} axes", None, len(numbers),
                         self.ndim)
        if not self._has_axes:
            return self.start
        out = ctypes.c_int64()
        call("plait_memory_desc_get_offset", out, self._desc, numbers)
        return out.value

    def common_run(self, other: "Layout") -> int:
        """Returns how many elements lie side by side in both layouts, in the same order; 0 if the shapes differ.

        >>> import plait
        >>> plait.Layout("nhwc", (1, 32, 5, 4)).common_run(plait.Layout("nChw16c", (1, 32, 5, 4)))
        16
        """
        if not isinstance(other, Layout):
            raise wrong_type("other", "a plait.Layout", other)
        if not self._has_axes or not other._has_axes:
            return int(self._has_axes == other._has_axes)
        out = ctypes.c_int64()
        call("plait_memory_desc_get_common_run", out, self._desc, other._desc)
        return out.value

    def is_contiguous_along(self, axis: int) -> bool:
        """True if each element along an axis lies directly after the one before. A negative axis counts from the end.

        >>> import plait
        >>> plait.Layout("nhwc", (1, 32, 5, 4)).is_contiguous_along(1)
        True
        """
        number = int_of(axis, "axis")
        if not -self.ndim <= number < self.ndim:
            raise refuse("axis_is_out_of_range", f"there is no axis {number} in a layout of {self.ndim} axes", None, number, self.ndim)
        return bool(library.plait_memory_desc_is_contiguous_along(self._desc, number % self.ndim))

    def matches(self, tag: str) -> bool:
        """True if the elements lie as in a dense layout of this tag. False for a text that is not a tag."""
        return bool(library.plait_memory_desc_matches_tag(self._desc, text(tag, "tag"), None)) and self._has_axes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.ndim == other.ndim and bool(library.plait_memory_desc_equal(self._desc, other._desc))

    def __hash__(self) -> int:
        # Ignores the stride of an axis of one element, as == does.
        axes = zip(self.shape, self.padded_shape, self.strides)
        strides = tuple(stride if (extent, padded) != (1, 1) else None for extent, padded, stride in axes)
        inner = tuple(self._desc.blocking.inner_strides[:self._desc.blocking.inner_nblks])
        return hash((self.shape, self.padded_shape, tuple(self._desc.padded_offsets[:self.ndim]), self.start, strides,
                     self.inner_blocks, inner))

    def __repr__(self) -> str:
        if not self._has_axes and self.start == 0:
            return "plait.Layout(())"
        name, _, steps = self.name.partition(":")
        tail = f", strides={self.strides}" if steps else ""
        try:
            if Layout(name, self.shape, strides=self.strides if steps else None) == self:
                return f"plait.Layout({name!r}, {self.shape}{tail})"
        except ValueError:
            pass
        return f"<plait.Layout {self.name} {'x'.join(map(str, self.shape))} from offset {self.start} on>"

    def explain(self) -> str:
        """Returns a description in words: the sizes, each digit, and the offset as a formula."""
        from ._explain import explain
        return explain(self)

    def _repr_svg_(self) -> str:
        """Returns a picture for notebooks: the memory as cells in the order of addresses."""
        from ._picture import picture
        return picture(self)


def _restore(desc: bytes, tag: "str | None", has_axes: bool = True) -> Layout:
    made = Layout._of(MemoryDesc.from_buffer_copy(desc), has_axes)
    call("plait_memory_desc_check", made._desc)
    object.__setattr__(made, "_tag", tag)
    return made
