"""Records: several fields over one index space in one buffer, such as packed weights with their scales."""

from __future__ import annotations

import ctypes
import operator
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterable, Iterator, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._arguments import int64s, text, wrong_type
from ._field_arrays import Tensor, empty_tensor, given_tensor, packed_names, values_of, view_of
from ._library import MemoryDesc, RecordField, RepackChunk, call, library
from ._record_arguments import Options, bytes_of, in_c, new_bytes, path_of
from ._rejection import refuse
from ._types import ROWS
from ._words import Words, values_of_words
from ._write_file import write_file


class Field(NamedTuple):
    """A field of a record."""
    name: str
    type: str                # plait's name: "u4", "f16"; of values without one "u8" or "s32"
    bits: int                # of a value in the record
    pieces: int              # parts of the tag with this name
    shape: Tuple[int, ...]   # of an array with its values: (N, K // 32) if 32 of k share one
    is_sum: bool             # computed when packing, and never given
    adds_sum: bool           # given, and a sum is added when packing
    is_mapped: bool          # stored with inverted bits, multiplied, or minus a number; unpack undoes that


class Plan:
    """A planned repack, destroyed with its last user."""

    def __init__(self, src: "Record", dst: Any, options: Options):
        if not isinstance(dst, Record):
            raise wrong_type("to", "a plait.Record", dst)
        self.handle = ctypes.c_void_p()
        call("plait_repack_create", ctypes.byref(self.handle), src._handle, dst._handle, options.pointer)
        weakref.finalize(self, library.plait_repack_destroy, ctypes.c_void_p(self.handle.value))


def whole_number(value: Any, what: str, least: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong_type(what, "a whole number", value) from None
    if not least <= number < 1 << 31:
        raise refuse("position_is_out_of_range", f"{what} is {number}, but has to be at least {least} and less than 2^31", None, number, least)
    return number


class Record:
    """The fields of a buffer: a tag such as "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", and its extents.

    Immutable. The bytes of a record are a NumPy array of uint8, or anything else that has a buffer.

    >>> import numpy as np, plait
    >>> packed = plait.Record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", (64, 256))
    >>> packed.size, [(field.name, field.type, field.shape) for field in packed.fields]
    (9216, [('d', 'f16', (64, 8)), ('q', 'u4', (64, 256))])
    >>> values = {"d": np.ones((64, 8), np.float16), "q": np.arange(64 * 256, dtype=np.uint8).reshape(64, 256) % 16}
    >>> data = packed.pack(values)
    >>> bool((packed.unpack(data)["q"] == values["q"]).all())
    True
    >>> plait.Record("nk: NK(q:u4 2k 8n 8k 2k@9)", (64, 256))
    Traceback (most recent call last):
    plait.Rejection: step_is_not_reached: column 22 of the record's tag marks a digit with a step that no digits inside reach; they reach 8 and 16
    """

    __slots__ = ("_handle", "_fields", "__weakref__")
    _handle: ctypes.c_void_p
    _fields: "Tuple[Field, ...]"

    def __init__(self, tag: str, dims: "Iterable[int] | int"):
        handle, extents = ctypes.c_void_p(), int64s(dims, "dims")
        call("plait_record_create", ctypes.byref(handle), text(tag, "tag"), len(extents), extents)
        self._keep(handle)

    def _keep(self, handle: ctypes.c_void_p) -> None:
        object.__setattr__(self, "_handle", handle)
        weakref.finalize(self, library.plait_record_destroy, ctypes.c_void_p(handle.value))
        count = library.plait_record_get_field_count(handle)
        object.__setattr__(self, "_fields", tuple(self._read_field(number) for number in range(count)))

    def _read_field(self, number: int) -> Field:
        said = RecordField()
        call("plait_record_get_field", ctypes.byref(said), self._handle, number)
        shape = tuple(said.dims[:library.plait_record_get_ndims(self._handle)])
        return Field(said.name.decode(), ROWS[said.data_type - 1].word, said.bits, said.pieces, shape, *(bool(said.flags & bit) for bit in (1, 2, 4)))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a plait.Record never changes")

    def __reduce__(self):
        return Record, (self.text, self.dims)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return bool(library.plait_record_equal(self._handle, other._handle))

    def __hash__(self) -> int:
        return hash((self.text, self.dims))

    def __repr__(self) -> str:
        return f"plait.Record({self.text!r}, {self.dims})"

    @property
    def text(self) -> str:
        """The canonical text of the tag, which equal records share."""
        out = ctypes.create_string_buffer(1024)
        call("plait_record_format_text", self._handle, out, len(out))
        return out.value.decode()

    @property
    def dims(self) -> Tuple[int, ...]:
        """The extents of the index space."""
        out = (ctypes.c_int64 * 12)()
        call("plait_record_get_dims", out, self._handle)
        return tuple(out[:library.plait_record_get_ndims(self._handle)])

    @property
    def size(self) -> int:
        """The number of bytes."""
        return library.plait_record_get_size(self._handle)

    @property
    def fields(self) -> "Tuple[Field, ...]":
        """The fields in the order of the tag."""
        return self._fields

    def _field(self, name: Any, what: str = "name") -> Field:
        text(name, what)
        for field in self._fields:
            if field.name == name:
                return field
        raise refuse("field_is_missing", f"the record has no field '{name}'; it has {', '.join(field.name for field in self._fields)}")

    def offset(self, name: str, *index: Any) -> int:
        """Returns the place of the value of a field at an index, in bits from the beginning of the record.

        >>> import plait
        >>> plait.Record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", (64, 256)).offset("q", 1, 16)
        196
        """
        numbers, out = int64s(index, "index"), ctypes.c_int64()
        if len(numbers) != len(self.dims):
            raise refuse("rank_differs", f"the index has {len(numbers)} numbers, but the record {len(self.dims)} axes", None, len(numbers),
                         len(self.dims))
        call("plait_record_get_bit_offset", out, self._handle, text(name, "name"), numbers)
        return out.value

    # ---- Packing ----

    def pack(self, arrays: "Mapping[str, Any]", parameters: "Optional[Mapping[str, float]]" = None,
             packed: "bool | Iterable[str]" = False) -> NDArray[Any]:
        """Returns the bytes of a record, packed from arrays with one element for each value.

        There is an array for each field that is not a sum, of the field's shape; axes of extent 1 may be left out.
        packed=True says that values smaller than a byte are packed in bytes of uint8 along the last axis, the first in
        the lowest bits; a list of names says it for these fields. Arrays that hold several values in each word, as files
        of GPTQ and AWQ do, are given as plait.Words(array). A shape alone never says it. Floating-point numbers are
        converted; bits of types that NumPy lacks go as uint8 or uint16. Integers outside of the range of the field are
        refused. parameters are the numbers that sums are multiplied by.

        >>> import numpy as np, plait
        >>> rows, values = plait.Record("nk: nk(q:u4)", (2, 4)), np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.uint8)
        >>> nibbles = values[:, ::2] | values[:, 1::2] << 4
        >>> bool((rows.pack({"q": nibbles}, packed=True) == rows.pack({"q": values})).all())
        True
        """
        if not isinstance(arrays, Mapping):
            raise wrong_type("arrays", "a dict from names of fields to arrays", arrays)
        in_bytes = packed_names(packed, self._fields)
        tensors = {name: self._given(given, self._field(name, "each name of arrays"), name in in_bytes) for name, given in arrays.items()}
        out, options = new_bytes(self.size), Options((), parameters)
        call("plait_pack", self._handle, len(tensors), in_c(tensors), out.ctypes.data, out.nbytes, options.pointer)
        return out

    def _given(self, given: Any, field: Field, packed: bool) -> Tensor:
        if not isinstance(given, Words):
            return given_tensor(given, field, packed)
        desc = MemoryDesc()
        call("plait_record_get_field_desc", desc, self._handle, text(field.name, "name"))
        return given_tensor(values_of_words(given, field, desc), field)

    def unpack(self, data: Any, *names: str, parameters: "Optional[Mapping[str, float]]" = None,
               packed: "bool | Iterable[str]" = False) -> "Dict[str, NDArray[Any]]":
        """Returns the values of all fields, or of those that are named, each in a new array of the field's shape.

        parameters are those of pack: the sum that was added to a field such as "b:s32 4n /k =+sum(q)*-izp" is
        subtracted again. packed=True packs values smaller than a byte in bytes along the last axis, as pack takes them; a
        list of names says it for these fields.

        >>> import numpy as np, plait
        >>> packed = plait.Record("nk: N(K(q:s8 4n 8k), b:s32 4n /k =+sum(q)*-izp)", (4, 8))
        >>> data = packed.pack({"q": np.ones((4, 8), np.int8), "b": np.full((4, 1), 7, np.int32)}, {"izp": 3})
        >>> packed.unpack(data, "b", parameters={"izp": 3})["b"].tolist()
        [[7], [7], [7], [7]]
        """
        source, options, in_bytes = self._data(data), Options((), parameters), packed_names(packed, self._fields)
        wanted = [self._field(name, "each of names") for name in names] if names else self._fields
        tensors = {field.name: empty_tensor(field) for field in wanted}
        call("plait_unpack_with_options", self._handle, source.ctypes.data, source.nbytes, len(tensors), in_c(tensors), options.pointer)
        return {field.name: values_of(tensors[field.name], field, field.name in in_bytes) for field in wanted}

    def repack(self, to: "Record", data: Any, drop: "Iterable[str]" = (), parameters: "Optional[Mapping[str, float]]" = None,
               threads: int = 1) -> NDArray[Any]:
        """Returns the bytes of another record with the values of this one. Fields that `to` does not have are in drop.

        Up to `threads` threads move the data, which pays from some MB on.

        >>> import numpy as np, plait
        >>> rows = plait.Record("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", (64, 256))
        >>> to = plait.Record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", (64, 256))
        >>> file = np.arange(rows.size, dtype=np.uint32).astype(np.uint8)
        >>> bool((to.repack(rows, rows.repack(to, file)) == file).all())
        True
        """
        count = whole_number(threads, "threads", 1)
        source, plan = self._data(data), Plan(self, to, Options(drop, parameters))
        out = new_bytes(to.size)

        def move(part: int) -> None:
            call("plait_repack_execute_part", plan.handle, part, count, source.ctypes.data, source.nbytes, out.ctypes.data, out.nbytes)
        if count == 1:
            move(0)
        else:
            with ThreadPoolExecutor(count) as pool:
                list(pool.map(move, range(count)))
        return out

    def repack_chunks(self, to: "Record", data: Any, drop: "Iterable[str]" = (), parameters: "Optional[Mapping[str, float]]" = None,
                      chunk_bytes: int = 1 << 20) -> "Iterator[NDArray[Any]]":
        """Yields the bytes that repack returns chunk by chunk, each of about chunk_bytes, so that they can be written to a
        file that is larger than memory. data may be a numpy.memmap.

        Refused: record_is_not_cut if a chunk reads bytes all over the data, e.g. if this record has its fields one after
        the other.

        >>> import numpy as np, plait
        >>> rows = plait.Record("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", (64, 256))
        >>> to = plait.Record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", (64, 256))
        >>> [chunk.size for chunk in rows.repack_chunks(to, np.zeros(rows.size, np.uint8), chunk_bytes=3000)]
        [2304, 2304, 2304, 2304]
        """
        size = whole_number(chunk_bytes, "chunk_bytes", 1)
        source, plan = self._data(data), Plan(self, to, Options(drop, parameters, size))

        def chunks() -> "Iterator[NDArray[Any]]":
            part = RepackChunk()
            for number in range(library.plait_repack_get_chunk_count(plan.handle)):
                call("plait_repack_get_chunk", ctypes.byref(part), plan.handle, number)
                read, out = source[part.src_begin:part.src_begin + part.src_size], new_bytes(part.dst_size)
                call("plait_repack_execute_chunk", plan.handle, number, read.ctypes.data, read.nbytes, out.ctypes.data, out.nbytes)
                yield out
        return chunks()

    def verify(self, data: Any, parameters: "Optional[Mapping[str, float]]" = None, ignore_padding: bool = False) -> None:
        """Checks that the bytes are what packing their values gives: sums agree, padding is zero or repeats the last value,
        gaps are zero.

        Raises a Rejection with the reason record_is_damaged if not. With ignore_padding, padding may hold anything, as in
        buffers of packers that leave it unwritten.

        >>> import numpy as np, plait
        >>> panels = plait.Record("nk: NK(q:u8 4n 2k)", (3, 2))
        >>> panels.verify(np.full(panels.size, 9, np.uint8))
        Traceback (most recent call last):
        plait.Rejection: record_is_damaged: the padding of field q is not zero at index 3 of axis 0, which is behind its values
        >>> panels.verify(np.full(panels.size, 9, np.uint8), ignore_padding=True)
        """
        if not isinstance(ignore_padding, (bool, np.bool_)):
            raise wrong_type("ignore_padding", "a bool", ignore_padding)
        source, options = self._data(data), Options((), parameters, ignore_padding=bool(ignore_padding))
        call("plait_record_verify", self._handle, source.ctypes.data, source.nbytes, options.pointer)

    def field(self, data: Any, name: str) -> NDArray[Any]:
        """Returns the values of a field where they lie in the bytes of a record: an array without a copy.

        Each axis of the record is one axis of the array if its values have one stride, and else several, from the
        outermost loop to the innermost, with their padding. Refused: values that are not whole bytes, or are stored
        otherwise than they are (is_mapped), and fields that are no layout; unpack copies these.

        >>> import numpy as np, plait
        >>> packed = plait.Record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", (64, 256))
        >>> scales = packed.field(np.zeros(packed.size, np.uint8), "d")
        >>> scales.shape, scales.strides                 # panels of 8 rows, the rows of each, and blocks of 32 along k
        ((8, 8, 8), (1152, 2, 144))
        """
        source, field = self._data(data), self._field(name)
        if field.bits % 8 != 0:
            raise refuse("field_is_not_bytes", f"field '{name}' has values of {field.bits} bits, which no array has in place; unpack() copies "
                         "them", None, field.bits)
        if field.is_mapped:
            raise refuse("field_is_mapped", f"field '{name}' is stored with inverted bits, multiplied, or minus a number; unpack() has its values")
        desc = MemoryDesc()
        call("plait_record_get_field_desc", desc, self._handle, text(name, "name"))
        return view_of(source, field, desc)

    # ---- Blobs ----

    def blob(self, data: Any, key: str = "") -> NDArray[Any]:
        """Returns a blob: a header that describes the record, followed by its bytes.

        key, of up to 16 letters, says what it was packed for, and only explains.

        >>> import numpy as np, plait
        >>> rows = plait.Record("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", (64, 256))
        >>> opened = plait.open_blob(rows.blob(np.zeros(rows.size, np.uint8), "rows"))
        >>> opened.record == rows, opened.key
        (True, 'rows')
        """
        source, out = self._data(data), new_bytes(library.plait_blob_get_size(self._handle))
        call("plait_blob_make", out.ctypes.data, out.nbytes, self._handle, source.ctypes.data, source.nbytes, text(key, "key"))
        return out

    def save(self, path: Any, data: Any, key: str = "") -> None:
        """Writes a blob to a file. If that fails, the file that was there is unchanged."""
        write_file(path_of(path, "path"), self.blob(data, key))

    def _data(self, data: Any) -> NDArray[Any]:
        source = bytes_of(data, "data")
        if source.nbytes != self.size:
            raise refuse("buffer_is_too_small" if source.nbytes < self.size else "buffer_is_too_large",
                         f"data has {source.nbytes} bytes, but the record has {self.size}", None, source.nbytes, self.size)
        return source
