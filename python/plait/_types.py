"""Element types: plait's words, and NumPy's dtypes.

f64, f32, f16, s32, s8 and u8 are dtypes of NumPy. bf16, f8_e5m2 and f8_e4m3 are bits there, in uint16 and uint8, unless the
package ml_dtypes is installed, whose dtypes are read and written too.
"""

from __future__ import annotations

from typing import NamedTuple, Union

import numpy as np

from ._rejection import refuse

NUMBERS = {"f64": 1, "f32": 2, "bf16": 3, "f16": 4, "f8_e5m2": 5, "f8_e4m3": 6, "s32": 7, "s8": 8, "u8": 9}
_DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "s32": np.int32, "s8": np.int8, "u8": np.uint8,
           "bf16": np.uint16, "f8_e5m2": np.uint8, "f8_e4m3": np.uint8}
_BITS = {"bf16": ("uint16", "int16"), "f8_e5m2": ("uint8", "int8"), "f8_e4m3": ("uint8", "int8")}
_NAMES = {"float64": "f64", "float32": "f32", "float16": "f16", "int32": "s32", "int8": "s8", "uint8": "u8",
          "bfloat16": "bf16", "float8_e5m2": "f8_e5m2", "float8_e4m3fn": "f8_e4m3"}  # the last three are those of ml_dtypes

DType = Union[str, type, np.dtype]


class ElementType(NamedTuple):
    word: str        # "bf16"
    dtype: np.dtype  # of an array that is made for it: uint16

    @property
    def number(self) -> int:
        return NUMBERS[self.word]

    def holds(self, dtype: np.dtype) -> bool:
        """Whether an array of this dtype may have such elements: as themselves, or as bits."""
        return dtype.isnative and (dtype == self.dtype or _NAMES.get(dtype.name) == self.word or dtype.name in _BITS.get(self.word, ()))


def element_type(said: DType, what: str = "dtype") -> ElementType:
    """What a word of plait or a dtype says. Words come first: "u8" has 8 bits here, and "f8" alone is no word, but NumPy's float64.

    >>> element_type("bf16").dtype, element_type(np.int8).word
    (dtype('uint16'), 's8')
    """
    if isinstance(said, str) and said in NUMBERS:
        return ElementType(said, np.dtype(_DTYPES[said]))
    if said is None:
        raise TypeError(f"{what} is None")
    dtype = np.dtype(said)
    if not dtype.isnative:
        raise refuse("array_is_big_endian", f"{what} is {dtype.str}, whose bytes are not in this CPU's order; "
                     "array.astype(array.dtype.newbyteorder('=')) has them so")
    word = _NAMES.get(dtype.name)
    if word is None:
        bits = " or ".join(f"'{name}'" for name, held in _BITS.items() if dtype.name in held)
        hint = f"; if it holds the bits of another type, say which: {bits}" if bits else "; array.astype() makes one of these"
        raise refuse("data_type_is_unknown", f"{what} is {dtype}, but elements are float64, float32, float16, int32, int8, uint8, or "
                     f"'bf16', 'f8_e5m2', 'f8_e4m3' as bits{hint}")
    return ElementType(word, dtype)


def check_type(array: np.ndarray, wanted: ElementType, what: str) -> None:
    if not array.dtype.isnative:
        element_type(array.dtype, f"the type of {what}")
    if not wanted.holds(array.dtype):
        raise refuse("data_types_differ", f"{what} has elements of {array.dtype}, where {wanted.word} ({wanted.dtype}) is needed")
