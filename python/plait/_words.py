"""Arrays that hold the values of a field as a record stores them, several in each word."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, Tuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import array_of
from ._field_arrays import bits_in_order, digits_of
from ._rejection import refuse

if TYPE_CHECKING:
    from ._library import MemoryDesc
    from ._record import Field


class Words:
    """The values of a field as a record stores them: for Record.pack(), instead of an array with one element for each.

    The bytes of the array are those of the field in the record, without other fields between them. Its axes are the
    loops of the field in the tag, from the outermost; the innermost loops fill a word, the first value in the lowest
    bits. So files of GPTQ, which have eight k in each int32, are "kn: w:u4 Kn 8k", and files of AWQ, with eight n in
    another order, are "kn: w:u4 kN 2n 4n@2". No number is changed: zero points that a file stores minus one stay so.

    >>> import numpy as np, plait
    >>> qweight = np.array([[0x76543210, 0x00000008]], np.uint32)     # 8 values of k for each of two n
    >>> record = plait.Record("kn: w:u4 Kn 8k", (8, 2))
    >>> data = record.pack({"w": plait.Words(qweight)})
    >>> record.unpack(data)["w"].T.tolist()
    [[0, 1, 2, 3, 4, 5, 6, 7], [8, 0, 0, 0, 0, 0, 0, 0]]
    """

    __slots__ = ("array",)

    def __init__(self, array: Any):
        self.array = array_of(array, "array")
        if self.array.dtype.kind not in "iu":
            raise refuse("data_types_differ", f"array has elements of {self.array.dtype}, but words are integers")

    def __repr__(self) -> str:
        return f"plait.Words({self.array!r})"


def _shape_of_words(extents: "List[int]", bits: int, word_bits: int) -> "List[int] | None":
    """Returns the loops outside of a word; None if the innermost loops do not fill words."""
    shape: "List[int]" = []
    for extent in reversed(extents):
        if bits < word_bits:
            wanted = word_bits // bits
            taken = min(wanted, extent)
            if word_bits % bits or taken == 0 or wanted % taken or extent % taken:
                return None
            bits, extent = bits * taken, extent // taken
        if extent != 1:
            shape.append(extent)
    return shape[::-1] if bits == word_bits else None


def _joins_axes(words: "List[int]", shape: "Tuple[int, ...]") -> bool:
    """Checks that a shape is that of the words, or joins some of its neighbouring axes."""
    left = list(words)
    for extent in shape:
        joined = 1
        while joined != extent and (joined < extent or extent == 0) and left:
            joined *= left.pop(0)
        if joined != extent:
            return False
    return not left


def values_of_words(words: Words, field: "Field", desc: "MemoryDesc") -> NDArray[Any]:
    """Returns an array with one element for each value of a field. desc says where they lie in the record."""
    what = f"the words of field '{field.name}'"
    if field.is_mapped:
        raise refuse("field_is_mapped", f"field '{field.name}' is stored with inverted bits, multiplied, or minus a number, so its words have other values")
    array = np.ascontiguousarray(words.array)
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    digits = digits_of(field, desc)
    loops = sorted((d for d in digits if d.extent != 1), key=lambda d: -abs(d.stride))
    extents = [d.extent for d in loops]
    expected = _shape_of_words(extents, field.bits, 8 * array.dtype.itemsize)
    if expected is None:
        raise refuse("array_shape_differs", f"{what} are {array.dtype}, which the innermost loops of the tag do not fill", None, array.ndim)
    if not _joins_axes(expected, array.shape):
        raise refuse("array_shape_differs", f"{what} have the shape {array.shape}, but the record stores {tuple(expected)} of {array.dtype}", None,
                     array.ndim, len(expected))
    values = bits_in_order(array.reshape(-1).view(np.uint8), field, math.prod(extents)).reshape(extents)
    values = np.flip(values, [i for i, d in enumerate(loops) if d.stride < 0])
    # From the order of memory to that of the axes, each from its outermost digit.
    order = [loops.index(d) for d in digits if d.extent != 1]
    padded = [math.prod(d.extent for d in digits if d.axis == axis) for axis in range(len(field.shape))]
    values = values.transpose(order).reshape(padded)
    inside = values[tuple(slice(extent) for extent in field.shape)]
    if np.count_nonzero(values) != np.count_nonzero(inside):
        raise refuse("record_is_damaged", f"{what} have numbers that are not zero after the last value of an axis")
    return inside
