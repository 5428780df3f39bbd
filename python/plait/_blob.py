"""Opens blobs: records with a description of themselves."""

from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._library import call
from ._record import Record
from ._record_arguments import bytes_of, path_of


class Blob(NamedTuple):
    """An opened blob."""
    record: Record
    data: NDArray[Any]   # the bytes of the record, inside of what was opened
    key: str


def open_blob(source: Any) -> Blob:
    """Opens a blob and checks it. source is a path, whose file is memory-mapped, or the bytes of a blob.

    Refused: what is no blob, is truncated, has bytes after the record, or is damaged.
    """
    if isinstance(source, (str, os.PathLike)):
        path = path_of(source, "source")
        size = os.path.getsize(path)
        memory = np.memmap(path, np.uint8, "r").view(np.ndarray) if size else np.zeros(0, np.uint8)
    else:
        memory = bytes_of(source, "source")
    handle, data, key = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(17)
    call("plait_blob_open", ctypes.byref(handle), ctypes.byref(data), key, memory.ctypes.data, memory.nbytes)
    record = Record.__new__(Record)
    record._keep(handle)
    begin = (data.value or memory.ctypes.data) - memory.ctypes.data
    return Blob(record, memory[begin:begin + record.size], key.value.decode(errors="replace"))
