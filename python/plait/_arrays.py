"""Arrays and layouts: checks that an array lies in memory as a layout says, and finds that memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Sequence, Tuple

import math

import numpy as np
from numpy.typing import NDArray

from ._dlpack import advice_for, device_of
from ._digits import array_digits, begin_of, front_of
from ._arguments import int64s
from ._library import MemoryDesc, call
from ._rejection import Rejection, refuse

if TYPE_CHECKING:
    from ._layout import Layout
    from ._types import ElementType

PLACES = 8  # elements: of each type, that many fill whole bytes
ALIGNMENT = 64  # bytes, so that large reorders may use non-temporal stores


class Memory(NamedTuple):
    """The address of an array's lowest element, and the number of bytes up to the end of its highest one."""
    address: int
    size: int


def array_of(given: Any, what: str) -> NDArray[Any]:
    """Returns an argument as an array: itself, or another library's tensor. Refuses lists, since nothing is copied."""
    if isinstance(given, np.ma.MaskedArray):
        raise refuse("array_is_masked", f"{what} is a masked array, whose mask has no place in memory; array.filled() is an array")
    if isinstance(given, np.ndarray):
        return given
    if not hasattr(given, "__dlpack__"):
        raise TypeError(f"{what} has to be a NumPy array or to have __dlpack__, and is {type(given).__name__}")
    device = device_of(given)
    if device is not None and not device.is_read:
        raise refuse("device_is_not_read", f"{what}, a {type(given).__name__}, is on {device.name}, whose memory the processor does not read; "
                     "copy it to the processor first (torch: tensor.cpu())", None, device.type)
    try:
        return np.from_dlpack(given)
    except Exception as why:
        advice = advice_for(given)
        raise refuse("array_is_not_exchanged", f"{what}, a {type(given).__name__}, cannot be read through __dlpack__: {why}"
                     f"{'; ' if advice else ''}{advice}") from why


def steps_of(array: NDArray[Any], what: str) -> Tuple[int, ...]:
    """Returns the strides in elements. Axes of at most one element get those of a dense array."""
    steps: List[int] = []
    inside = 1
    for axis in reversed(range(array.ndim)):
        stride, extent = array.strides[axis], array.shape[axis]
        if extent <= 1 or array.size == 0:
            stride = inside * array.itemsize
        if stride % array.itemsize:
            raise refuse("array_stride_is_no_multiple", f"axis {axis} of {what} has a stride of {stride} bytes, no multiple of the "
                         f"{array.itemsize} bytes of an element; np.ascontiguousarray() makes a copy", axis, stride, array.itemsize)
        steps.insert(0, stride // array.itemsize)
        inside *= max(extent, 1)
    return tuple(steps)


def layout_of(given: Any, what: str = "array") -> "Layout":
    """Returns the layout of an array: its shape, and its strides in elements.

    Elements may share places, as in overlapping windows.
    """
    array = array_of(given, what)
    return layout_of_steps(array.shape, steps_of(array, what), what)


def layout_of_steps(shape: Sequence[int], steps: Sequence[int], what: str = "array") -> "Layout":
    """Returns the layout of an array of that shape, with these strides in elements."""
    from ._layout import Layout
    desc = MemoryDesc.from_buffer_copy(Layout(shape)._desc)
    for axis, step in enumerate(int64s(steps, "strides")):
        desc.blocking.strides[axis] = step
    desc.offset0 = front_of(zip(shape, steps))
    try:
        call("plait_memory_desc_check", desc)
    except Rejection as why:
        sentence = str(why).replace("desc", what, 1) + "; np.ascontiguousarray() makes a copy"
        raise Rejection(sentence, why.reason, why.axis, why.numbers) from None
    return Layout._of(desc, len(shape) != 0)


def array_on(layout: "Layout", memory: NDArray[Any]) -> NDArray[Any]:
    memory = array_of(memory, "memory")
    if not memory.flags.c_contiguous:
        raise refuse("array_is_not_dense", "memory has to be C-contiguous, so that offsets count its elements")
    if memory.size < layout.span:
        raise refuse("buffer_is_too_small", f"memory has {memory.size} elements, but the layout needs {layout.span}", None, memory.size,
                     layout.span)
    digits = array_digits(layout)
    strides = [digit.stride * memory.itemsize for digit in digits]
    begin = memory.reshape(-1)[layout.start:]
    return np.lib.stride_tricks.as_strided(begin, [digit.extent for digit in digits], strides)


def packed_size(layout: "Layout", element: "ElementType") -> int:
    """Returns the bytes from the byte of the layout's lowest element to that of its highest one."""
    begin = begin_of(layout) if layout.span else 0
    return -(-(begin % PLACES + layout.span - begin) * element.bits // 8) if layout.span else 0


def packed_shape(layout: "Layout", element: "ElementType") -> Tuple[int, ...]:
    """Returns the shape of new packed bytes: that of the memory with the innermost axis in bytes, if these are whole."""
    shape = layout.memory_shape
    whole = shape and layout.span == math.prod(shape) and shape[-1] * element.bits % 8 == 0
    return (*shape[:-1], shape[-1] * element.bits // 8) if whole else (packed_size(layout, element),)


def packed_bytes(array: NDArray[Any], layout: "Layout", element: "ElementType", what: str) -> Memory:
    """Returns the memory of packed elements: contiguous bytes of any shape, as many as the layout takes."""
    wanted = packed_size(layout, element)
    if not array.flags.c_contiguous:
        raise refuse("array_is_not_dense", f"{what} has elements of {element.word} packed in bytes, which have to be C-contiguous")
    if array.nbytes != wanted:
        raise refuse("array_shape_differs", f"{what} has {array.nbytes} bytes, but {element.word} {layout.name} "
                     f"{'x'.join(map(str, layout.shape))} takes {wanted}", None, array.nbytes, wanted)
    return Memory(array.__array_interface__["data"][0], array.nbytes)


def new_array(layout: "Layout", dtype: np.dtype) -> NDArray[Any]:
    """Returns an uninitialised array for a layout, aligned to 64 bytes."""
    size = layout.span * dtype.itemsize
    try:
        raw = np.empty(size + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError, OverflowError):  # NumPy raises one of these for impossible sizes
        raise refuse("out_of_memory", f"an array for {layout.name} {'x'.join(map(str, layout.shape))} needs {size} bytes", None, size) from None
    begin = -raw.ctypes.data % ALIGNMENT
    return array_on(layout, raw[begin:begin + size].view(dtype))


class Fit:
    """The required shape and strides of an array: an axis per digit, or per axis of a plain layout. One per plan."""

    def __init__(self, layout: "Layout"):
        digits = array_digits(layout)
        self.layout = layout
        self.wanted = [(tuple(digit.extent for digit in digits), tuple(digit.stride for digit in digits))]
        if not layout.inner_blocks and layout.padded_shape == layout.shape:
            self.wanted.append((layout.shape, layout.strides))

    def memory_of(self, array: NDArray[Any], what: str) -> Memory:
        """Returns the memory of an array, if it has the required shape and strides."""
        steps = steps_of(array, what)
        if not any(array.shape == extents and same_steps(array, steps, strides) for extents, strides in self.wanted):
            raise self._refusal(array, steps, what)
        address = array.__array_interface__["data"][0]
        if not array.size:
            return Memory(address, 0)
        front = front_of(zip(array.shape, steps))
        last = sum((extent - 1) * max(step, 0) for extent, step in zip(array.shape, steps))
        return Memory(address - front * array.itemsize, (front + last + 1) * array.itemsize)

    def _refusal(self, array: NDArray[Any], steps: Sequence[int], what: str) -> Rejection:
        shapes = [extents for extents, _ in self.wanted]
        name = f"{self.layout.name} {'x'.join(map(str, self.layout.shape))}"
        if array.shape not in shapes:
            return refuse("array_shape_differs", f"{what} has the shape {array.shape}, but the memory of {name} is {shapes[0]}", None,
                          array.ndim, len(shapes[0]))
        extents, strides = self.wanted[shapes.index(array.shape)]
        axis = next(a for a in range(array.ndim) if extents[a] != 1 and steps[a] != strides[a])
        return refuse("array_strides_differ", f"axis {axis} of {what} has the stride {steps[axis]}, where {name} has {strides[axis]} "
                      "elements; None in place of the source's layout reads the strides of an array, plait.Layout.of(array) says them, "
                      "and np.ascontiguousarray() makes a copy", axis, steps[axis], strides[axis])


def same_steps(array: NDArray[Any], steps: Sequence[int], strides: Sequence[int]) -> bool:
    return array.size == 0 or all(a == b or extent == 1 for a, b, extent in zip(steps, strides, array.shape))


def elements_shape(array: NDArray[Any], element: "ElementType", what: str) -> Tuple[int, ...]:
    """Returns the shape of an array in elements: of packed ones, the last axis has more than bytes."""
    if not element.is_packed:
        return array.shape
    bits = array.shape[-1] * 8 if array.ndim else 0
    if not array.ndim or bits % element.bits:
        raise refuse("shape_is_missing", f"the shape of {what} is {array.shape} in bytes, which does not say how many elements of "
                     f"{element.bits} bits there are: say shape=")
    return (*array.shape[:-1], bits // element.bits)


def shape_of_plain(extents: Sequence[int], tag: str) -> Tuple[int, ...]:
    """Returns the logical shape of memory in the order of a plain tag: (1, 17, 5, 4) for nhwc and (1, 5, 4, 17)."""
    from ._digits import axes_in_memory
    from ._layout import Layout
    if any(character.isdigit() for character in tag):
        raise refuse("shape_is_missing", f"the memory of {tag} has whole blocks, which does not say how many elements of them are padding: "
                     "say shape=")
    shape = [0] * len(extents)
    for place, axis in enumerate(axes_in_memory(tag, len(extents))):
        shape[axis] = extents[place]
    return tuple(shape)
