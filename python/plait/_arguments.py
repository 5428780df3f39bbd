"""Converts arguments for C: text, integers, sequences of integers. A wrong type is a TypeError that names the argument.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Mapping, Set
from ctypes import c_int, c_int64
from typing import Any, List, Tuple

from ._rejection import refuse

MAX_AXES = 12
_NO_SEQUENCES = (str, bytes, bytearray, memoryview, Mapping, Set)  # iterable, but never meant as a shape


def wrong_type(what: str, wanted: str, given: Any) -> TypeError:
    return TypeError(f"{what} has to be {wanted}, and is {type(given).__name__}")


def text(words: Any, what: str) -> bytes:
    """Returns a text for C. A character 0 is refused, because C would stop reading there."""
    if not isinstance(words, str):
        raise wrong_type(what, "a text", words)
    if "\0" in words:
        raise refuse("text_has_a_zero", f"{what} has the character 0 at column {words.index(chr(0)) + 1}")
    try:
        return words.encode()
    except UnicodeEncodeError as why:
        raise refuse("text_is_not_unicode", f"{what} has half of a surrogate pair at column {why.start + 1}") from None


def integer(value: Any, what: str, wanted: str = "an integer") -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise wrong_type(what, wanted, value) from None


def numbers_of(values: Any, what: str) -> Tuple[int, ...]:
    """Returns integers in the forms that NumPy accepts: (2, 3), or 2 alone; and ((2, 3),).

    The last is what f((2, 3)) passes to f(*values). Reads at most one number more than a layout can have axes, so that
    an endless sequence is refused.
    """
    if isinstance(values, tuple) and len(values) == 1:
        values = values[0]
    try:
        return (operator.index(values),)
    except TypeError:
        pass
    if isinstance(values, _NO_SEQUENCES):
        raise wrong_type(what, "integers", values)
    try:
        read = list(itertools.islice(iter(values), MAX_AXES + 1))
    except TypeError:
        raise wrong_type(what, "integers", values) from None
    if len(read) > MAX_AXES:
        raise refuse("ndims_is_out_of_range", f"{what} has more than {MAX_AXES} numbers, but a layout has at most {MAX_AXES} axes", None,
                     len(read), MAX_AXES)
    return tuple(integer(value, f"number {k} of {what}") for k, value in enumerate(read))


def check_bits(numbers: Tuple[int, ...], what: str, bits: int) -> Tuple[int, ...]:
    """Checks that C can hold the numbers, which ctypes would truncate silently. The lowest ones mean "dynamic" in C."""
    for axis, number in enumerate(numbers):
        if not -2**(bits - 1) + 64 <= number < 2**(bits - 1):
            raise refuse("number_is_too_large", f"number {axis} of {what} is {brief(number)}, which {bits} bits do not hold", axis)
    return numbers


def brief(number: int) -> str:
    """Returns a number for a sentence. Python refuses to print more than a few thousand digits."""
    return str(number) if number.bit_length() <= 256 else f"a number of {number.bit_length()} bits"


def int64s(values: Any, what: str):
    numbers = check_bits(numbers_of(values, what), what, 64)
    return (c_int64 * len(numbers))(*numbers)


def ints(values: Any, what: str):
    numbers = check_bits(numbers_of(values, what), what, 32)
    return (c_int * len(numbers))(*numbers)


def int_of(value: Any, what: str) -> int:
    """Returns one integer that fits in a C int."""
    number = integer(value, what)
    if not -2**31 <= number < 2**31:
        raise refuse("number_is_too_large", f"{what} is {brief(number)}, which 32 bits do not hold")
    return number


def named_int64s(named: Any) -> "List[int]":
    """Returns the values of keyword arguments. Errors name the argument."""
    return [check_bits((integer(value, name),), name, 64)[0] for name, value in named.items()]
