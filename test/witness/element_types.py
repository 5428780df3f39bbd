"""The nine element types: conversions between bits and numbers.

Specified in semantics 12; onednn-behaviour 6, "Numerics to match"; and OCP 8-bit floating point: e4m3 has no infinity
and one NaN, which replaces values that are too large.

Numbers are float32, or float64 if the source or the destination is f64. Each operation rounds once.
"""

import numpy as np

from capi import BF16, F16, F32, F64, F8_E4M3, F8_E5M2, S32, S8, U8

# The NumPy type for the bits of an element.
STORAGE = {F64: np.dtype(np.uint64), F32: np.dtype(np.uint32), BF16: np.dtype(np.uint16), F16: np.dtype(np.uint16),
           F8_E5M2: np.dtype(np.uint8), F8_E4M3: np.dtype(np.uint8), S32: np.dtype(np.int32), S8: np.dtype(np.int8),
           U8: np.dtype(np.uint8)}
INTEGERS = {S32: (-2**31, 2**31 - 1), S8: (-128, 127), U8: (0, 255)}
NAN_AS_INTEGER = {S32: -2**31, S8: -128, U8: 255}
# Exponent bits, mantissa bits, true if the largest exponent is for infinity and NaN, the NaN that is written.
SMALL_FLOATS = {BF16: (8, 7, True, 0x7fc0), F16: (5, 10, True, 0x7e00), F8_E5M2: (5, 2, True, 0x7e),
                F8_E4M3: (4, 3, False, 0x7f)}
LARGEST_F32_BELOW_2_31 = 2147483520.0


def size_of(data_type):
    return STORAGE[data_type].itemsize


def decode_small(bits, data_type):
    """Returns the exact value of each element of a small float, as float32."""
    exponent_bits, mantissa_bits, has_infinity, nan = SMALL_FLOATS[data_type]
    bias = 2**(exponent_bits - 1) - 1
    bits = bits.astype(np.int64)
    sign, magnitude = bits >> (exponent_bits + mantissa_bits), bits & (2**(exponent_bits + mantissa_bits) - 1)
    exponent, mantissa = magnitude >> mantissa_bits, magnitude & (2**mantissa_bits - 1)
    # A normal number has a leading one; a denormal number has the exponent of the smallest normal number.
    significand = np.where(exponent > 0, mantissa + 2**mantissa_bits, mantissa).astype(np.float64)
    value = np.ldexp(significand, (np.maximum(exponent, 1) - bias - mantissa_bits).astype(np.int32))
    infinity = (2**exponent_bits - 1) << mantissa_bits if has_infinity else nan
    if has_infinity:
        value[magnitude == infinity] = np.inf
    value[magnitude > infinity if has_infinity else magnitude == nan] = np.nan
    return np.where(sign == 1, -value, value).astype(np.float32)


# A table of all bit patterns, because a lookup is faster than arithmetic.
DECODED = {data_type: decode_small(np.arange(2**(8 * size_of(data_type))), data_type) for data_type in SMALL_FLOATS}


def to_numbers(elements, data_type, number):
    """Returns elements as numbers to compute with. They are exact, except that an s32 rounds to float32."""
    if data_type in SMALL_FLOATS:
        return DECODED[data_type][elements].astype(number)
    if data_type == F32:
        return elements.view(np.float32).astype(number)
    if data_type == F64:
        return elements.view(np.float64).astype(number)
    return elements.astype(number)


def encode_small(numbers, data_type):
    """Returns the bits of the nearest small float, ties to even. Beyond the largest it is infinity or NaN."""
    exponent_bits, mantissa_bits, has_infinity, nan = SMALL_FLOATS[data_type]
    smallest_exponent = 2 - 2**(exponent_bits - 1)  # of the smallest normal number
    numbers = numbers.astype(np.float64)
    magnitude = np.abs(numbers)
    finite = np.isfinite(magnitude)
    # magnitude = significand * 2^exponent with significand in [1, 2). Steps are constant below the smallest exponent.
    magnitude = np.where(finite, magnitude, 0)
    exponent = np.maximum(np.frexp(magnitude)[1] - 1, smallest_exponent)
    exponent[magnitude == 0] = smallest_exponent
    steps = np.rint(np.ldexp(magnitude, mantissa_bits - exponent)).astype(np.int64)
    # For a normal number, `steps` includes the leading one. It carries into the exponent's bits, as rounding up may do.
    bits = ((exponent - smallest_exponent).astype(np.int64) << mantissa_bits) + steps
    too_large = (2**exponent_bits - 1) << mantissa_bits if has_infinity else nan
    bits = np.where(finite, np.minimum(bits, too_large), too_large)
    sign = np.signbit(numbers).astype(np.int64) << (exponent_bits + mantissa_bits)
    return np.where(np.isnan(numbers), nan, bits | sign).astype(STORAGE[data_type])


def from_numbers(numbers, data_type):
    """Returns numbers as elements: the nearest, ties to even; integers saturate."""
    if data_type in SMALL_FLOATS:
        return encode_small(numbers, data_type)
    if data_type == F32:
        return numbers.astype(np.float32).view(np.uint32)
    if data_type == F64:
        return numbers.astype(np.float64).view(np.uint64)
    low, high = INTEGERS[data_type]
    if data_type == S32 and numbers.dtype == np.float32:
        high = LARGEST_F32_BELOW_2_31
    is_nan = np.isnan(numbers)
    nearest = np.rint(np.where(is_nan, 0, numbers).astype(np.float64))
    whole = np.clip(nearest, low, high).astype(np.int64)
    return np.where(is_nan, NAN_AS_INTEGER[data_type], whole).astype(STORAGE[data_type])


def number_type(src_type, dst_type):
    return np.float64 if F64 in (src_type, dst_type) else np.float32


def convert(elements, src_type, dst_type):
    """Converts elements from one type to another, without attributes."""
    if src_type == dst_type:
        return elements
    if src_type in INTEGERS and dst_type in INTEGERS:
        return np.clip(elements.astype(np.int64), *INTEGERS[dst_type]).astype(STORAGE[dst_type])
    return from_numbers(to_numbers(elements, src_type, number_type(src_type, dst_type)), dst_type)


def is_any_nan(elements, data_type):
    """Returns which elements are NaN in f32 or f64, where each NaN is allowed. A small type has one NaN to write."""
    if data_type == F32:
        return np.isnan(elements.view(np.float32))
    if data_type == F64:
        return np.isnan(elements.view(np.float64))
    return np.zeros(elements.shape, dtype=bool)
