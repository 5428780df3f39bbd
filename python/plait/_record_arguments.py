"""Arguments of records for C: bytes, plain tensors, options."""

from __future__ import annotations

import ctypes
import itertools
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Dict, Optional

import numpy as np
from numpy.typing import NDArray

from ._arguments import text, wrong_type
from ._arrays import ALIGNMENT
from ._library import FieldTensor, RepackOptions
from ._rejection import refuse

if TYPE_CHECKING:
    from ._field_arrays import Tensor

_BYTES = (bytes, bytearray, memoryview)
_MOST_NAMES = 1000  # more than a record has; a sequence may be endless


def path_of(path: Any, what: str) -> str:
    """Returns the path of a file as a text."""
    if not isinstance(path, (str, os.PathLike)):
        raise wrong_type(what, "a path", path)
    said = os.fsdecode(path)
    text(said, what)
    return said


def bytes_of(data: Any, what: str) -> NDArray[Any]:
    if isinstance(data, _BYTES):
        data = memoryview(data)
        if not data.c_contiguous:
            raise refuse("array_is_not_dense", f"{what} has to be C-contiguous")
        return np.frombuffer(data, np.uint8) if data.nbytes else np.zeros(0, np.uint8)
    if not isinstance(data, np.ndarray):
        raise wrong_type(what, "bytes or an array of uint8", data)
    if data.dtype != np.uint8:
        raise refuse("data_types_differ", f"{what} has elements of {data.dtype}, where bytes (uint8) are needed")
    if not data.flags.c_contiguous:
        raise refuse("array_is_not_dense", f"{what} has to be C-contiguous")
    return data.reshape(-1)


def new_bytes(size: int) -> NDArray[Any]:
    """Returns zeroed bytes, aligned to 64."""
    try:
        raw = np.zeros(size + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError, OverflowError):
        raise refuse("out_of_memory", f"the bytes of the record need {size} bytes", None, size) from None
    begin = -raw.ctypes.data % ALIGNMENT
    return raw[begin:begin + size]


def in_c(tensors: "Dict[str, Tensor]"):
    return (FieldTensor * len(tensors))(*(FieldTensor(name.encode(), ctypes.pointer(tensor.desc), tensor.data.ctypes.data, tensor.data.nbytes)
                                          for name, tensor in tensors.items()))


class Options:
    """Options of a repack in C. Holds the arrays that they point to."""

    def __init__(self, drop: "Iterable[str]", parameters: "Optional[Mapping[str, float]]", chunk_bytes: int = 0,
                 ignore_padding: bool = False):
        if isinstance(drop, (str, *_BYTES)) or not isinstance(drop, Iterable):
            raise wrong_type("drop", "names of fields", drop)
        if parameters is not None and not isinstance(parameters, Mapping):
            raise wrong_type("parameters", "a dict from names to numbers", parameters)
        dropped = [text(name, "each name of drop") for name in itertools.islice(drop, _MOST_NAMES)]
        names = [text(name, "each name of parameters") for name in parameters or {}]
        numbers = [_number(name, value) for name, value in (parameters or {}).items()]
        self._options = RepackOptions(1, len(dropped), (ctypes.c_char_p * len(dropped))(*dropped), len(names), ignore_padding,
                                      (ctypes.c_char_p * len(names))(*names), (ctypes.c_double * len(numbers))(*numbers), chunk_bytes)
        self.pointer = ctypes.byref(self._options)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise wrong_type(f"parameters['{name}']", "a number", value) from None
