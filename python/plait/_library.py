"""The shared library: where it is, its structs, its functions. Each struct is that of include/plait/plait.h, field by field."""

from __future__ import annotations

import ctypes
import operator
import os
import pathlib
from ctypes import POINTER, Structure, c_char, c_char_p, c_float, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Iterable, List

from ._rejection import Rejection, refuse

VERSION = "0.1"  # of the interface: what this package was written for
SUCCESS, BLOCKED = 0, 2
MAX_AXES = 12


class Extra(Structure):
    _fields_ = [("flags", c_uint64), ("compensation_mask", c_int32), ("asymmetric_source_mask", c_int32),
                ("scale_adjust", c_float), ("reserved", c_int32 * 13)]


class Blocking(Structure):
    _fields_ = [("strides", c_int64 * 12), ("inner_blks", c_int64 * 23), ("inner_strides", c_int64 * 23),
                ("inner_idxs", c_int32 * 23), ("inner_nblks", c_int32)]


class MemoryDesc(Structure):
    _fields_ = [("version", c_int32), ("ndims", c_int32), ("data_type", c_int32), ("format_kind", c_int32),
                ("dims", c_int64 * 12), ("padded_dims", c_int64 * 12), ("padded_offsets", c_int64 * 12), ("offset0", c_int64),
                ("blocking", Blocking), ("extra", Extra), ("reserved", c_int64 * 8)]


class Refusal(Structure):
    _fields_ = [("reason", c_char * 64), ("axis", c_int32), ("reserved", c_int32), ("numbers", c_int64 * 3)]


class Scale(Structure):
    _fields_ = [("values", POINTER(c_float)), ("count", c_uint64), ("value", c_float), ("mask", c_int32)]


class ZeroPoint(Structure):
    _fields_ = [("values", POINTER(c_int32)), ("count", c_uint64), ("value", c_int32), ("mask", c_int32)]


class Attributes(Structure):
    _fields_ = [("version", c_int32), ("beta", c_float), ("src_scale", Scale), ("dst_scale", Scale),
                ("src_zero_point", ZeroPoint), ("dst_zero_point", ZeroPoint), ("reserved", c_int64 * 4)]


_desc, _dims, _ints = POINTER(MemoryDesc), POINTER(c_int64), POINTER(c_int)
_FUNCTIONS = {
    "plait_version": (c_char_p, []),
    "plait_last_refusal": (c_char_p, []),
    "plait_get_last_refusal": (c_int32, [POINTER(Refusal)]),
    "plait_memory_desc_init_by_tag": (c_int32, [_desc, c_int, _dims, c_int32, c_char_p]),
    "plait_memory_desc_init_by_strides": (c_int32, [_desc, c_int, _dims, _dims, c_int32]),
    "plait_memory_desc_init_by_tag_and_strides": (c_int32, [_desc, c_int, _dims, c_int32, c_char_p, _dims]),
    "plait_memory_desc_submemory": (c_int32, [_desc, _desc, _dims, _dims]),
    "plait_memory_desc_check": (c_int32, [_desc]),
    "plait_memory_desc_reshape": (c_int32, [_desc, _desc, c_int, _dims]),
    "plait_memory_desc_view": (c_int32, [_desc, _desc, c_int, _dims]),
    "plait_memory_desc_split_axis": (c_int32, [_desc, _desc, c_int, c_int, _dims]),
    "plait_memory_desc_join_axes": (c_int32, [_desc, _desc, c_int, c_int]),
    "plait_memory_desc_forget_padding": (c_int32, [_desc, _desc]),
    "plait_memory_desc_rearrange": (c_int32, [_desc, _desc, c_char_p, c_int, POINTER(c_char_p), _dims]),
    "plait_memory_desc_permute_axes": (c_int32, [_desc, _desc, _ints]),
    "plait_memory_desc_rename_axes": (c_int32, [_desc, _desc, _ints]),
    "plait_memory_desc_get_offset": (c_int32, [_dims, _desc, _dims]),
    "plait_memory_desc_equal": (c_int, [_desc, _desc]),
    "plait_memory_desc_matches_tag": (c_int, [_desc, c_char_p, _dims]),
    "plait_memory_desc_get_buffer_size": (c_size_t, [_desc]),
    "plait_memory_desc_format_name": (c_int32, [_desc, c_char_p, c_size_t]),
    "plait_reorder_attributes_init": (c_int32, [POINTER(Attributes)]),
    "plait_reorder_create": (c_int32, [POINTER(c_void_p), _desc, _desc, POINTER(Attributes)]),
    "plait_reorder_execute": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "plait_reorder_destroy": (None, [c_void_p]),
}


def _places() -> List[str]:
    """Where the library may be, the first one that loads is taken. What PLAIT_LIBRARY says is not second-guessed."""
    said = os.environ.get("PLAIT_LIBRARY")
    if said:
        return [said]
    here = pathlib.Path(__file__).resolve().parent
    names = (f"libplait.so.{VERSION}", "libplait.so")
    return [str(here / name) for name in names if (here / name).exists()] + list(names)


def _load() -> ctypes.CDLL:
    tried = []
    for place in _places():
        try:
            found = ctypes.CDLL(place)
        except OSError as why:
            tried.append(f"  {place}: {why}")
            continue
        try:
            for name, (result, arguments) in _FUNCTIONS.items():
                function = getattr(found, name)
                function.restype, function.argtypes = result, arguments
        except AttributeError as why:
            raise ImportError(f"plait: {place} is another library, or an older one: {why}") from None
        if not found.plait_version().decode().startswith(VERSION + "."):
            raise ImportError(f"plait: {place} is version {found.plait_version().decode()}, but this package needs {VERSION}")
        return found
    raise ImportError("plait: the shared library was not found. Build it (cmake --build build/gcc --target plait_c_shared) and let the "
                      "environment variable PLAIT_LIBRARY name it (build/gcc/src/libplait.so). Tried:\n" + "\n".join(tried))


library = _load()
version: str = library.plait_version().decode()


def call(name: str, *arguments) -> None:
    """Calls a function that answers a status; raises what was refused, with the sentence and its fields."""
    if getattr(library, name)(*arguments) == SUCCESS:
        return
    sentence = library.plait_last_refusal().decode()
    fields = Refusal()
    library.plait_get_last_refusal(ctypes.byref(fields))
    first, second, third = fields.numbers
    raise Rejection(sentence, fields.reason.decode(), fields.axis if fields.axis >= 0 else None, (first, second, third))


def integers(values: Iterable[int], what: str, bits: int = 64) -> List[int]:
    """Numbers that C can hold; ctypes would cut others short without a word. The lowest ones mean "known only at run time" in C."""
    numbers = [operator.index(value) for value in values]
    for axis, number in enumerate(numbers):
        if not -2**(bits - 1) + 64 <= number < 2**(bits - 1):
            raise refuse("number_is_too_large", f"number {axis} of {what} is {number}, which {bits} bits do not hold", axis)
    if len(numbers) > MAX_AXES:
        raise refuse("ndims_is_out_of_range", f"{what} has {len(numbers)} numbers, but a layout has at most {MAX_AXES} axes", None,
                     len(numbers), MAX_AXES)
    return numbers


def int64s(values: Iterable[int], what: str):
    numbers = integers(values, what)
    return (c_int64 * len(numbers))(*numbers)


def ints(values: Iterable[int], what: str):
    numbers = integers(values, what, 32)
    return (c_int * len(numbers))(*numbers)


def text(words: str, what: str) -> bytes:
    """A text for C, which would read it only up to a character 0."""
    if "\0" in words:
        raise refuse("text_has_a_zero", f"{what} has the character 0 at column {words.index(chr(0)) + 1}")
    return words.encode()
