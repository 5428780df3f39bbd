"""Reads .safetensors files: eight bytes with the header's length, the header in JSON, and the arrays without gaps."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._rejection import Rejection, refuse
from ._types import ROWS

_ROWS = [row for row in ROWS if row.safetensors]
_TYPES = {row.safetensors: row.numpy for row in _ROWS}
_TYPES.update({"I64": "i8", "I16": "i2", "U64": "u8", "U32": "u4", "U16": "u2", "C64": "c8"})  # they are only moved
_BITS = {row.safetensors: row.bits for row in _ROWS if row.bits < 8}  # packed in bytes
_WORDS = {row.safetensors: row.word for row in _ROWS if row.ml_dtypes or row.bits < 8}  # types that NumPy stores as bits


class _Entry(NamedTuple):
    name: str
    dtype: str
    shape: Tuple[int, ...]
    begin: int
    end: int


def read_safetensors(path: Any) -> "Dict[str, Tuple[NDArray[Any], Optional[str]]]":
    """Returns each array by name, mapped and read-only, with the name of its type if NumPy has no dtype for it."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > size - 8:
            raise _broken(path, f"has {size} bytes, and its header would take {length}")
        entries = _entries_of(path, file.read(length), size - 8 - length)
    if size == 8 + length:
        data = np.zeros(0, np.uint8)
    else:
        data = np.memmap(path, np.uint8, "r", 8 + length).view(np.ndarray)
    return {each.name: (_array(data[each.begin:each.end], each), _WORDS.get(each.dtype)) for each in entries}


def _broken(path: Any, why: str) -> Rejection:
    return refuse("file_is_not_safetensors", f"{os.fspath(path)} {why}")


def _unique(pairs: "List[Tuple[str, Any]]") -> "Dict[str, Any]":
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _entries_of(path: Any, header: bytes, size: int) -> "List[_Entry]":
    """Returns the arrays in the order of the file. They must fill it: gaps, overlaps and trailing bytes are refused."""
    try:
        said = json.loads(header.decode(), object_pairs_hook=_unique)
        if not header.startswith(b"{") or not isinstance(said, dict):
            raise ValueError("it is no object")
        entries = [_entry(path, name, value) for name, value in said.items() if name != "__metadata__"]
    except (ValueError, RecursionError) as why:
        if isinstance(why, Rejection):
            raise
        raise _broken(path, f"has a header that is not JSON as safetensors has it: {why}") from None
    place = 0
    for each in sorted(entries, key=lambda entry: (entry.begin, entry.end)):
        if each.begin != place:
            raise _broken(path, f"has '{each.name}' at byte {each.begin} of its data, where byte {place} is next")
        place = each.end
    if place != size:
        raise _broken(path, f"has {size} bytes of data, but its arrays take {place}")
    return entries


def _entry(path: Any, name: str, said: Any) -> _Entry:
    if not isinstance(said, dict) or set(said) != {"dtype", "shape", "data_offsets"}:
        raise _broken(path, f"does not say dtype, shape and data_offsets of '{name}'")
    dtype, shape, offsets = said["dtype"], said["shape"], said["data_offsets"]
    if not isinstance(dtype, str) or dtype not in _TYPES:
        raise refuse("data_type_is_unknown", f"'{name}' of {os.fspath(path)} has the type {dtype!r}, which is none of {', '.join(_TYPES)}")
    numbers = (*shape, *offsets) if isinstance(shape, list) and isinstance(offsets, list) and len(offsets) == 2 else (-1,)
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise _broken(path, f"has a shape or data_offsets of '{name}' that are no lists of natural numbers")
    wanted, rest = divmod(math.prod(shape) * _BITS.get(dtype, 8 * np.dtype(_TYPES[dtype]).itemsize), 8)
    if rest:
        raise _broken(path, f"has {math.prod(shape)} elements of {_BITS[dtype]} bits in '{name}', which are not whole bytes")
    if offsets[1] - offsets[0] != wanted:
        raise _broken(path, f"has {offsets[1] - offsets[0]} bytes for '{name}', whose shape takes {wanted}")
    return _Entry(name, dtype, tuple(shape), *offsets)


def _array(data: NDArray[Any], entry: _Entry) -> NDArray[Any]:
    dtype = np.dtype(_TYPES[entry.dtype])
    if data.ctypes.data % dtype.itemsize:
        data = data.copy()  # the length of the header is not a multiple of eight
    if entry.dtype in _BITS:
        return data.reshape(_shape_in_bytes(entry.shape, _BITS[entry.dtype]))
    return data.view(dtype).reshape(entry.shape)


def _shape_in_bytes(shape: Tuple[int, ...], bits: int) -> Tuple[int, ...]:
    """Returns the shape with the last axis in bytes; one axis of all bytes, if a row is not whole bytes."""
    if shape and shape[-1] * bits % 8 == 0:
        return (*shape[:-1], shape[-1] * bits // 8)
    return (math.prod(shape) * bits // 8,)
