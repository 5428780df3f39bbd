"""Element types: plait's names, and NumPy's dtypes.

f64, f32, f16, s32, s8, u8 and boolean are dtypes of NumPy, which reorders convert. bf16, f8_e5m2, f8_e4m3, e8m0 and
ue4m3 are stored as bits in uint16 and uint8, unless the package ml_dtypes is installed, whose dtypes are then read and
written as well. Elements smaller than a byte (u1, u2, u4, s4, f4 and f6) are packed in bytes, of dtype uint8: the first
is in the lowest bits. NumPy's other numbers (int16, int64, uint16, uint32, uint64, complex64, complex128, longdouble)
are moved as they are, and never converted.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from ._rejection import refuse

class _Row(NamedTuple):
    word: str          # plait's name
    bits: int
    numpy: str         # the dtype of arrays: of the numbers or, if NumPy has none, of their bits
    safetensors: str
    ml_dtypes: str     # the dtype of the numbers in ml_dtypes, if NumPy has none


# The table of include/plait/core/element_types.hpp; the library counts from 1 in this order.
ROWS = (
    _Row("f64", 64, "float64", "F64", ""),
    _Row("f32", 32, "float32", "F32", ""),
    _Row("bf16", 16, "uint16", "BF16", "bfloat16"),
    _Row("f16", 16, "float16", "F16", ""),
    _Row("f8_e5m2", 8, "uint8", "F8_E5M2", "float8_e5m2"),
    _Row("f8_e4m3", 8, "uint8", "F8_E4M3", "float8_e4m3fn"),
    _Row("s32", 32, "int32", "I32", ""),
    _Row("s8", 8, "int8", "I8", ""),
    _Row("u8", 8, "uint8", "U8", ""),
    _Row("u1", 1, "uint8", "", ""),
    _Row("u2", 2, "uint8", "", ""),
    _Row("u4", 4, "uint8", "", ""),
    _Row("s4", 4, "uint8", "", ""),
    _Row("f4_e2m1", 4, "uint8", "F4", ""),
    _Row("f4_e3m0", 4, "uint8", "", ""),
    _Row("f6_e2m3", 6, "uint8", "F6_E2M3", ""),
    _Row("f6_e3m2", 6, "uint8", "F6_E3M2", ""),
    _Row("e8m0", 8, "uint8", "F8_E8M0", "float8_e8m0fnu"),
    _Row("ue4m3", 8, "uint8", "", ""),
    _Row("boolean", 8, "bool", "BOOL", ""),
)
NUMBERS = {row.word: number for number, row in enumerate(ROWS, 1)}
_SIZES = {row.word: row.bits for row in ROWS}
_DTYPES = {row.word: np.dtype(row.numpy) for row in ROWS}
_BITS = {row.word: (row.numpy, row.numpy[1:]) for row in ROWS if row.ml_dtypes}  # unsigned and signed integers
_NAMES = {row.ml_dtypes or row.numpy: row.word for row in reversed(ROWS)}  # uint8 is u8, the first of its rows
_NAMES.update((row.ml_dtypes, row.word) for row in ROWS if row.ml_dtypes)
_MOVED_SIZES = (1, 2, 4, 8, 16)  # in bytes, of elements that plait has no type for: plait_memory_desc_of_size

DType = Union[str, type, np.dtype]
T = TypeVar("T", bound=np.generic)  # the type of the elements of an array


class ElementType(NamedTuple):
    word: str        # "bf16"; for types that are only moved, NumPy's name: "uint32"
    dtype: np.dtype  # of arrays made for it: uint16

    @property
    def number(self) -> int:
        return NUMBERS[self.word]

    @property
    def converts(self) -> bool:
        """True if plait knows the numbers, and not only the bits."""
        return self.word in NUMBERS

    @property
    def bits(self) -> int:
        return _SIZES[self.word] if self.converts else 8 * self.dtype.itemsize

    @property
    def is_packed(self) -> bool:
        """True if several elements share a byte."""
        return self.bits < 8

    def holds(self, dtype: np.dtype) -> bool:
        """True if an array of this dtype may have such elements, as numbers or as bits."""
        return dtype.isnative and (dtype == self.dtype or _NAMES.get(dtype.name) == self.word or dtype.name in _BITS.get(self.word, ()))


def element_type(said: Any, what: str = "dtype") -> ElementType:
    """Returns the element type for a name of plait or a dtype.

    Names of plait come first: "u8" has 8 bits here; "f8" is no name of plait, and is NumPy's float64. A name of
    ml_dtypes that NumPy does not know yet is the plait type of that name.

    >>> element_type("bf16").dtype, element_type(np.int8).word, element_type(np.uint32).converts
    (dtype('uint16'), 's8', False)
    """
    if isinstance(said, str) and said in NUMBERS:
        return ElementType(said, _DTYPES[said])
    dtype = _dtype_of(said, what)
    if dtype is None:
        return element_type(_NAMES[said])
    if not dtype.isnative:
        raise refuse("array_is_big_endian", f"{what} is {dtype.str}, whose bytes are not in this CPU's order; "
                     "array.astype(array.dtype.newbyteorder('=')) has them so")
    if dtype.name in _NAMES:
        return ElementType(_NAMES[dtype.name], dtype)
    if dtype.kind in "biufc" and dtype.itemsize in _MOVED_SIZES:
        return ElementType(dtype.name, dtype)
    as_bits = dtype.kind in "mMSV" and dtype.itemsize in (1, 2, 4, 8)
    hint = f"; array.view(np.uint{8 * dtype.itemsize}) has its bits, which are moved" if as_bits else ""
    as_words = ", ".join(f"'{word}'" for word in _BITS)
    raise refuse("data_type_is_unknown", f"{what} is {dtype}, but elements are NumPy's numbers of up to 16 bytes, or {as_words} as bits{hint}")


def _dtype_of(said: Any, what: str) -> "np.dtype | None":
    """Returns NumPy's dtype; None if NumPy has none of that name, but ml_dtypes has."""
    try:
        if said is not None:  # NumPy reads None as float64
            return np.dtype(said)
    except Exception as why:
        if isinstance(said, str) and said in _NAMES:
            return None
        raise TypeError(f"{what} has to be a dtype of NumPy or a word of plait ({', '.join(NUMBERS)}): {why}") from None
    raise TypeError(f"{what} is None")


def check_conversion(src: ElementType, dst: ElementType, attributes: "list[str]") -> None:
    """Refuses computations with elements that are only moved."""
    for one, side in ((src, "source"), (dst, "destination")):
        if one.converts:
            continue
        if src.word != dst.word:
            said = "src_dtype" if one is src else "dtype"
            bits = " or ".join(f"{said}='{name}'" for name, held in _BITS.items() if one.dtype.name in held)
            hint = f"array.astype() converts numbers{', and for bits say ' if bits else ''}{bits}"
            raise refuse("elements_are_only_moved", f"{src.word} would become {dst.word}, but {one.dtype}, of the {side}, is moved bit by bit "
                         f"and never converted; {hint}")
        if attributes:
            raise refuse("elements_are_only_moved", f"{attributes[0]} is given, but {one.dtype} is moved bit by bit, and nothing is computed "
                         "with it")


def check_type(array: NDArray[Any], wanted: ElementType, what: str) -> None:
    if not array.dtype.isnative:
        element_type(array.dtype, f"the type of {what}")
    if not wanted.holds(array.dtype):
        raise refuse("data_types_differ", f"{what} has elements of {array.dtype}, where {wanted.word} ({wanted.dtype}) is needed")
