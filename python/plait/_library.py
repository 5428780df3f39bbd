"""The shared library: its location, functions and structs. Structs have the fields of those in include/plait/plait.h.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import List, Tuple

from ._rejection import Rejection

VERSION = "0.1"  # of the interface that this package was written for
SUCCESS, BLOCKED = 0, 2


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


class ValuesStruct(Structure):
    _fields_ = [("data", c_void_p), ("size", c_uint64), ("data_type", c_int32), ("mask", c_int32), ("group", c_void_p),
                ("layout", c_void_p), ("reserved", c_int64 * 2)]


class AttributeValues(Structure):
    _fields_ = [("src_scale", ValuesStruct), ("dst_scale", ValuesStruct), ("src_zero_point", ValuesStruct),
                ("dst_zero_point", ValuesStruct), ("reserved", c_int64 * 4)]


class Attributes(Structure):
    _fields_ = [("version", c_int32), ("beta", c_float), ("src_scale", Scale), ("dst_scale", Scale),
                ("src_zero_point", ZeroPoint), ("dst_zero_point", ZeroPoint), ("values", POINTER(AttributeValues)),
                ("reserved", c_int64 * 3)]


class RecordField(Structure):
    _fields_ = [("name", c_char * 16), ("data_type", c_int32), ("bits", c_int32), ("pieces", c_int32), ("flags", c_int32),
                ("dims", c_int64 * 12), ("reserved", c_int64 * 4)]


class RepackOptions(Structure):
    _fields_ = [("version", c_int32), ("dropped_count", c_int32), ("dropped", POINTER(c_char_p)), ("parameter_count", c_int32),
                ("ignore_padding", c_int32), ("parameter_names", POINTER(c_char_p)), ("parameter_values", POINTER(c_double)),
                ("chunk_bytes", c_int64), ("reserved", c_int64 * 3)]


class RepackChunk(Structure):
    _fields_ = [("src_begin", c_size_t), ("src_size", c_size_t), ("dst_begin", c_size_t), ("dst_size", c_size_t)]


class ContiguousCopy(Structure):
    _fields_ = [("dst", c_int64), ("src", c_int64), ("count", c_int64)]


class FieldTensor(Structure):
    """Both plait_field_values_t and plait_field_target_t."""
    _fields_ = [("name", c_char_p), ("desc", POINTER(MemoryDesc)), ("data", c_void_p), ("size", c_size_t)]


class TableAxis(Structure):
    _fields_ = [("axis", c_int32), ("grouped", c_int32), ("block", c_int64), ("reserved", c_int64 * 2)]


class Table(Structure):
    _fields_ = [("entries", c_void_p), ("count", c_uint64), ("bits", c_int32), ("reserved", c_int32 * 1), ("extent", c_int64), ("first", c_int64)]


_desc, _dims, _ints = POINTER(MemoryDesc), POINTER(c_int64), POINTER(c_int)
_FUNCTIONS = {
    "plait_version": (c_char_p, []),
    "plait_last_refusal": (c_char_p, []),
    "plait_get_last_refusal": (c_int32, [POINTER(Refusal)]),
    "plait_memory_desc_init_by_tag": (c_int32, [_desc, c_int, _dims, c_int32, c_char_p]),
    "plait_memory_desc_init_by_strides": (c_int32, [_desc, c_int, _dims, _dims, c_int32]),
    "plait_memory_desc_init_by_tag_and_strides": (c_int32, [_desc, c_int, _dims, c_int32, c_char_p, _dims]),
    "plait_memory_desc_submemory": (c_int32, [_desc, _desc, _dims, _dims]),
    "plait_memory_desc_strided_slice": (c_int32, [_desc, _desc, c_int, c_int64, c_int64, c_int64]),
    "plait_memory_desc_of_size": (c_int32, [_desc, _desc, c_size_t]),
    "plait_memory_desc_check": (c_int32, [_desc]),
    "plait_memory_desc_reshape": (c_int32, [_desc, _desc, c_int, _dims]),
    "plait_memory_desc_view": (c_int32, [_desc, _desc, c_int, _dims]),
    "plait_memory_desc_split_axis": (c_int32, [_desc, _desc, c_int, c_int, _dims]),
    "plait_memory_desc_join_axes": (c_int32, [_desc, _desc, c_int, c_int]),
    "plait_memory_desc_forget_padding": (c_int32, [_desc, _desc]),
    "plait_memory_desc_recast": (c_int32, [_desc, _desc, c_int32]),
    "plait_memory_desc_rearrange": (c_int32, [_desc, _desc, c_char_p, c_int, POINTER(c_char_p), _dims]),
    "plait_memory_desc_rearrange_copy": (c_int32, [_desc, _desc, _desc, c_char_p, c_int, POINTER(c_char_p), _dims]),
    "plait_memory_desc_permute_axes": (c_int32, [_desc, _desc, _ints]),
    "plait_memory_desc_rename_axes": (c_int32, [_desc, _desc, _ints]),
    "plait_memory_desc_get_offset": (c_int32, [_dims, _desc, _dims]),
    "plait_memory_desc_get_common_run": (c_int32, [_dims, _desc, _desc]),
    "plait_count_copies": (c_int32, [_dims, _desc, _desc]),
    "plait_list_copies": (c_int32, [POINTER(ContiguousCopy), c_int64, _desc, _desc]),
    "plait_memory_desc_is_contiguous_along": (c_int, [_desc, c_int]),
    "plait_memory_desc_equal": (c_int, [_desc, _desc]),
    "plait_memory_desc_matches_tag": (c_int, [_desc, c_char_p, _dims]),
    "plait_memory_desc_get_buffer_size": (c_size_t, [_desc]),
    "plait_memory_desc_format_name": (c_int32, [_desc, c_char_p, c_size_t]),
    "plait_reorder_attributes_init": (c_int32, [POINTER(Attributes)]),
    "plait_reorder_create": (c_int32, [POINTER(c_void_p), _desc, _desc, POINTER(Attributes)]),
    "plait_reorder_execute": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "plait_reorder_stop_trials": (c_int32, [c_void_p]),
    "plait_reorder_get_choice": (c_int32, [c_void_p, c_char_p, c_size_t]),
    "plait_reorder_set_choice": (c_int32, [c_void_p, c_char_p]),
    "plait_reorder_destroy": (None, [c_void_p]),
    "plait_table_reorder_create": (c_int32, [POINTER(c_void_p), _desc, _desc, POINTER(TableAxis), POINTER(TableAxis), POINTER(Attributes)]),
    "plait_table_reorder_execute": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(Table), c_int, POINTER(Table), c_int]),
    "plait_table_reorder_format_json": (c_int32, [c_void_p, POINTER(Table), c_int, POINTER(Table), c_int, c_char_p, c_size_t, POINTER(c_size_t)]),
    "plait_table_reorder_destroy": (None, [c_void_p]),
    "plait_record_create": (c_int32, [POINTER(c_void_p), c_char_p, c_int, _dims]),
    "plait_record_destroy": (None, [c_void_p]),
    "plait_record_get_size": (c_size_t, [c_void_p]),
    "plait_record_get_ndims": (c_int, [c_void_p]),
    "plait_record_get_field_count": (c_int, [c_void_p]),
    "plait_record_get_dims": (c_int32, [_dims, c_void_p]),
    "plait_record_equal": (c_int, [c_void_p, c_void_p]),
    "plait_record_format_text": (c_int32, [c_void_p, c_char_p, c_size_t]),
    "plait_record_get_field": (c_int32, [POINTER(RecordField), c_void_p, c_int]),
    "plait_record_get_bit_offset": (c_int32, [_dims, c_void_p, c_char_p, _dims]),
    "plait_record_get_field_desc": (c_int32, [_desc, c_void_p, c_char_p]),
    "plait_repack_create": (c_int32, [POINTER(c_void_p), c_void_p, c_void_p, POINTER(RepackOptions)]),
    "plait_repack_execute": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "plait_repack_execute_part": (c_int32, [c_void_p, c_int, c_int, c_void_p, c_size_t, c_void_p, c_size_t]),
    "plait_repack_get_chunk_count": (c_int64, [c_void_p]),
    "plait_repack_get_chunk": (c_int32, [POINTER(RepackChunk), c_void_p, c_int64]),
    "plait_repack_execute_chunk": (c_int32, [c_void_p, c_int64, c_void_p, c_size_t, c_void_p, c_size_t]),
    "plait_repack_destroy": (None, [c_void_p]),
    "plait_pack": (c_int32, [c_void_p, c_int, POINTER(FieldTensor), c_void_p, c_size_t, POINTER(RepackOptions)]),
    "plait_unpack": (c_int32, [c_void_p, c_void_p, c_size_t, c_int, POINTER(FieldTensor)]),
    "plait_unpack_with_options": (c_int32, [c_void_p, c_void_p, c_size_t, c_int, POINTER(FieldTensor), POINTER(RepackOptions)]),
    "plait_record_verify": (c_int32, [c_void_p, c_void_p, c_size_t, POINTER(RepackOptions)]),
    "plait_blob_get_size": (c_size_t, [c_void_p]),
    "plait_blob_make": (c_int32, [c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, c_char_p]),
    "plait_blob_open": (c_int32, [POINTER(c_void_p), POINTER(c_void_p), c_char_p, c_void_p, c_size_t]),
}


def _names_on(platform: str) -> Tuple[str, ...]:
    """Returns the names of the library's file on a system, by its sys.platform; the last one is that of a build."""
    if platform == "win32":
        return "plait.dll", "libplait.dll"  # of MSVC, of MinGW
    if platform == "darwin":
        return f"libplait.{VERSION}.dylib", "libplait.dylib"
    return f"libplait.so.{VERSION}", "libplait.so"


_NAMES = _names_on(sys.platform)


def _folders() -> List[pathlib.Path]:
    """Returns the folders that may have the library; the system's loader searches others.

    They are the package's own, the builds of a source tree (the last one built first), and the library folders of the
    prefix that the package is installed in.
    """
    here = pathlib.Path(__file__).resolve().parent
    root = here.parent.parent
    found = [here]
    if (root / "CMakeLists.txt").is_file():
        builds = [library.parent for library in (root / "build").glob(f"*/src/{_NAMES[-1]}")]
        found += sorted(builds, key=lambda folder: -(folder / _NAMES[-1]).stat().st_mtime) or [root / "build/*/src"]
    if here.parent.name in ("dist-packages", "site-packages"):  # PREFIX/lib/python3/dist-packages/plait
        lib = here.parents[2]
        found += [lib, *sorted(lib.glob("*-linux-gnu*")), lib.parent / "lib64"]
    return found


def _places() -> List[str]:
    """Returns the files that may be the library. The first that loads is used. PLAIT_LIBRARY overrides all others."""
    said = os.environ.get("PLAIT_LIBRARY")
    if said:
        return [said]
    there = [str(folder / name) for folder in _folders() for name in _NAMES if (folder / name).is_file()]
    return there + list(_NAMES)


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
    looked = "" if os.environ.get("PLAIT_LIBRARY") else "\nLooked for " + " and ".join(_NAMES) + " in:\n" + "\n".join(
        f"  {folder}" for folder in _folders())
    raise ImportError("plait: the shared library was not found. It is the CMake target plait_c_shared: build or install it where it is looked "
                      "for, or let the environment variable PLAIT_LIBRARY name the file. Tried:\n" + "\n".join(tried) + looked)


library = _load()
version: str = library.plait_version().decode()


def call(name: str, *arguments) -> None:
    """Calls a function that returns a status. Raises a refusal, with its sentence and fields."""
    if getattr(library, name)(*arguments) == SUCCESS:
        return
    sentence = library.plait_last_refusal().decode()
    fields = Refusal()
    library.plait_get_last_refusal(ctypes.byref(fields))
    first, second, third = fields.numbers
    raise Rejection(sentence, fields.reason.decode(), fields.axis if fields.axis >= 0 else None, (first, second, third))
