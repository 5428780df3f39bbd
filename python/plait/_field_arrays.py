"""Arrays of the values of a record's field: one element for each value, or packed in bytes as they are in C."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable as IterableType
from typing import TYPE_CHECKING, Any, Iterable, List, NamedTuple, Optional, Set, Tuple

import numpy as np
from numpy.typing import NDArray

from ._arguments import text, wrong_type
from ._arrays import array_of
from ._library import MemoryDesc, call
from ._rejection import refuse
from ._types import NUMBERS, ROWS, element_type

if TYPE_CHECKING:
    from ._record import Field

_FLOATS = {row.word for row in ROWS if row.word[0] == "f" or row.word in ("bf16", "e8m0", "ue4m3")}
_BITS = {row.word: row.bits for row in ROWS}
_DTYPES = {row.word: np.dtype(row.numpy) for row in ROWS}


class Tensor(NamedTuple):
    """A plain tensor for C: its descriptor, and the array whose first byte is offset 0."""
    desc: MemoryDesc
    data: NDArray[Any]


def dtype_of(field: "Field") -> np.dtype:
    """Returns the dtype of an array that has one element for each value: of s4 int8, of f4 the bits in uint8."""
    return np.dtype(np.int8) if field.type == "s4" else _DTYPES[field.type]


def _described(field: "Field", word: str) -> MemoryDesc:
    desc = MemoryDesc()
    extents = np.array(field.shape, np.int64)
    call("plait_memory_desc_init_by_strides", desc, len(extents), np.ctypeslib.as_ctypes(extents), None, NUMBERS[word])
    return desc


def _pack_bits(values: NDArray[Any], bits: int) -> NDArray[Any]:
    """Returns values of fewer than 8 bits one after the other, the first in the lowest bits."""
    flat = values.reshape(-1).astype(np.uint8) & ((1 << bits) - 1)
    if bits == 6:
        each = (flat[:, None] >> np.arange(6, dtype=np.uint8)) & 1
        return np.packbits(each.reshape(-1), bitorder="little")
    per_byte = 8 // bits
    flat = np.concatenate([flat, np.zeros(-len(flat) % per_byte, np.uint8)]).reshape(-1, per_byte)
    return np.bitwise_or.reduce(flat << np.arange(0, 8, bits, dtype=np.uint8), axis=1, dtype=np.uint8)


def _unpack_bits(packed: NDArray[Any], bits: int, count: int) -> NDArray[Any]:
    if bits == 6:
        each = np.unpackbits(packed, bitorder="little")[:6 * count].reshape(-1, 6)
        return np.bitwise_or.reduce(each << np.arange(6, dtype=np.uint8), axis=1, dtype=np.uint8)
    return ((packed[:, None] >> np.arange(0, 8, bits, dtype=np.uint8)) & ((1 << bits) - 1)).reshape(-1)[:count].astype(np.uint8)


def _check_range(array: NDArray[Any], field: "Field") -> None:
    """Refuses integers that the field cannot hold, instead of cutting their bits."""
    if field.type == "boolean" or not array.size:
        return
    signed = field.type in ("s8", "s4") or (field.type == "s32" and field.bits == 32)  # u12 goes as s32
    low, high = (-1 << (field.bits - 1), (1 << (field.bits - 1)) - 1) if signed else (0, (1 << field.bits) - 1)
    for number in (int(array.min()), int(array.max())):
        if not low <= number <= high:
            raise refuse("value_is_out_of_range", f"field '{field.name}' has values from {low} to {high}, but {number} is given", None, number,
                         low, high)


def shape_in_bytes(field: "Field") -> "Optional[Tuple[int, ...]]":
    """Returns the shape of values that are packed in bytes along the last axis; None if they are not smaller than a byte,
    or a row is not whole bytes."""
    bits = _BITS[field.type]
    if bits >= 8 or not field.shape or field.shape[-1] * bits % 8:
        return None
    return (*field.shape[:-1], field.shape[-1] * bits // 8)


def packed_names(packed: Any, fields: "Iterable[Field]") -> "Set[str]":
    """Returns the names of the fields whose values are packed in bytes: for True all that have values smaller than a
    byte."""
    small = {field.name for field in fields if _BITS[field.type] < 8}
    if isinstance(packed, (bool, np.bool_)):
        return small if packed else set()
    if isinstance(packed, str) or not isinstance(packed, IterableType):
        raise wrong_type("packed", "True, False, or names of fields", packed)
    names = {text(name, "each name of packed") for name in itertools.islice(packed, 1000)}
    said = {name.decode() for name in names}
    for name in sorted(said - small):
        raise refuse("field_is_not_packed", f"packed names '{name}', which is no field with values smaller than a byte; there are "
                     f"{', '.join(sorted(small)) or 'none'}")
    return said


def _packed_tensor(array: NDArray[Any], field: "Field", what: str) -> Tensor:
    wanted = shape_in_bytes(field)
    if wanted is None:
        raise refuse("array_shape_differs", f"{what} cannot be packed in bytes: a row of {field.shape} values of {_BITS[field.type]} bits is "
                     "not whole bytes")
    if array.shape != wanted:
        raise refuse("array_shape_differs", f"{what} has the shape {array.shape}, but its packed values take {wanted} bytes", None, array.ndim,
                     len(wanted))
    if array.dtype != np.uint8:
        raise refuse("data_types_differ", f"{what} has elements of {array.dtype}, but packed values are bytes (uint8)")
    return Tensor(_described(field, field.type), np.ascontiguousarray(array))


def given_tensor(given: Any, field: "Field", packed: bool = False) -> Tensor:
    """Returns the plain tensor of an array that was given for a field: one element for each value, unless its values are
    packed in bytes."""
    what = f"the array of field '{field.name}'"
    array, bits = array_of(given, what), _BITS[field.type]
    if packed:
        return _packed_tensor(array, field, what)
    if array.shape == tuple(extent for extent in field.shape if extent != 1):
        array = array.reshape(field.shape)
    if array.shape != field.shape:
        if_packed = "; if its bytes hold several values each, say packed=True" if array.shape == shape_in_bytes(field) else ""
        raise refuse("array_shape_differs", f"{what} has the shape {array.shape}, but its values have {field.shape}{if_packed}", None,
                     array.ndim, len(field.shape))
    array = np.ascontiguousarray(array)
    element = element_type(array.dtype, f"the type of {what}")
    if field.type in _FLOATS and element.word in _FLOATS and array.dtype.kind not in "iu":
        return Tensor(_described(field, element.word), array)  # the library converts
    if array.dtype.kind not in "iub" or (field.type in _FLOATS and array.dtype.itemsize != _DTYPES[field.type].itemsize):
        bits_as = f", or their bits in {_DTYPES[field.type]}" if field.type in _FLOATS and field.type not in ("f64", "f32", "f16") else ""
        raise refuse("data_types_differ", f"{what} has elements of {array.dtype}, but its values are {field.type}{bits_as}")
    if field.type in _FLOATS and field.type in ("f64", "f32", "f16"):
        raise refuse("data_types_differ", f"{what} has elements of {array.dtype}, but its values are {field.type}")
    if field.type not in _FLOATS or bits < 8:
        _check_range(array, field)
    if bits < 8:
        return Tensor(_described(field, field.type), _pack_bits(array, bits))
    if field.type in _FLOATS:
        return Tensor(_described(field, field.type), array)
    return Tensor(_described(field, field.type), array.astype(_DTYPES[field.type], copy=False))


def bits_in_order(data: NDArray[Any], field: "Field", count: int) -> NDArray[Any]:
    """Returns the values that lie one after the other in bytes, as given_tensor() takes them."""
    if field.bits != _BITS[field.type]:
        raise refuse("data_types_differ", f"field '{field.name}' has values of {field.bits} bits, which fill no words")
    if field.bits >= 8:
        return data.view(_DTYPES[field.type])[:count]
    values = _unpack_bits(data, field.bits, count)
    return ((values ^ 8).astype(np.int8) - np.int8(8)) if field.type == "s4" else values


class Digit(NamedTuple):
    """A digit of an axis of a field that has a place."""
    axis: int
    extent: int
    stride: int


def digits_of(field: "Field", desc: MemoryDesc) -> "List[Digit]":
    """Returns the digits of all axes, those of one axis from the outermost, without those whose indices share a value."""
    blocking, out = desc.blocking, []
    for axis in range(desc.ndims):
        inner = [(blocking.inner_blks[k], blocking.inner_strides[k]) for k in range(blocking.inner_nblks) if blocking.inner_idxs[k] == axis]
        outer = -(-desc.padded_dims[axis] // math.prod(count for count, _ in inner))
        out += [Digit(axis, count, stride) for count, stride in [(outer, blocking.strides[axis]), *inner] if stride != 0]
    return out


def empty_tensor(field: "Field") -> Tensor:
    """Returns a plain tensor for the values of a field."""
    count, bits = math.prod(field.shape), _BITS[field.type]
    size = -(-count * bits // 8)
    return Tensor(_described(field, field.type), np.zeros(size, np.uint8))


def values_of(tensor: Tensor, field: "Field", packed: bool = False) -> NDArray[Any]:
    """Returns the array with one element for each value of a tensor of empty_tensor, or with its bytes."""
    bits = _BITS[field.type]
    if packed:
        shape = shape_in_bytes(field)
        if shape is None:
            raise refuse("array_shape_differs", f"field '{field.name}' cannot be packed in bytes: a row of {field.shape} values of {bits} bits "
                         "is not whole bytes")
        return tensor.data.reshape(shape)
    if bits >= 8:
        return tensor.data.view(_DTYPES[field.type]).reshape(field.shape)
    values = _unpack_bits(tensor.data, bits, math.prod(field.shape)).reshape(field.shape)
    return ((values ^ 8).astype(np.int8) - np.int8(8)) if field.type == "s4" else values


def _axis_in_place(digits: "List[Tuple[int, int]]", extent: int) -> "List[Tuple[int, int]]":
    """Returns the extents and strides of the array axes for one axis of a record, given those of its digits.

    Digits of stride 0 are those whose indices share a value. Digits that follow each other in memory are one array
    axis. If there is only one, it has no padding.
    """
    axes: "List[Tuple[int, int]]" = []
    for count, stride in digits:
        if count == 1 or stride == 0:
            continue
        if axes and axes[-1][1] == count * stride:
            axes[-1] = (axes[-1][0] * count, stride)
        else:
            axes.append((count, stride))
    return axes if len(axes) > 1 else [(extent, axes[0][1] if axes else 0)]


def view_of(data: NDArray[Any], field: "Field", desc: MemoryDesc) -> NDArray[Any]:
    """Returns the values of a field where they lie in the bytes of a record."""
    dtype, shape, strides = _DTYPES[field.type], [], []
    blocking = desc.blocking
    for axis in range(desc.ndims):
        inner = [(blocking.inner_blks[k], blocking.inner_strides[k]) for k in range(blocking.inner_nblks) if blocking.inner_idxs[k] == axis]
        outer = -(-desc.padded_dims[axis] // math.prod(count for count, _ in inner))
        for count, stride in _axis_in_place([(outer, blocking.strides[axis]), *inner], field.shape[axis]):
            shape.append(count)
            strides.append(stride * dtype.itemsize)
    return np.ndarray(shape, dtype, data, desc.offset0 * dtype.itemsize, strides)
