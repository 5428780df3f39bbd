"""The element types: conversions between bits and numbers, and elements that share bytes.

Specified in semantics 12; onednn-behaviour 6, "Numerics to match"; OCP 8-bit floating point: e4m3 has no infinity and
one NaN, which replaces values that are too large; and OCP microscaling formats: numbers of 4 and 6 bits have neither,
and become the largest.

Numbers are float32, or float64 if the source or the destination is f64. Each operation rounds once. Arrays of elements
have one entry for each; in memory, an element of b bits is at bit b * its place, and bit 0 is the lowest of byte 0.
"""

import numpy as np

from capi import (BF16, BOOLEAN, E8M0, F16, F32, F4_E2M1, F4_E3M0, F64, F6_E2M3, F6_E3M2, F8_E4M3, F8_E5M2, S32, S4, S8,
                  TYPE_NAMES, U1, U2, U4, U8, UE4M3)

BITS = {F64: 64, F32: 32, BF16: 16, F16: 16, S32: 32, U1: 1, U2: 2, U4: 4, S4: 4, F4_E2M1: 4, F4_E3M0: 4, F6_E2M3: 6,
        F6_E3M2: 6}
BITS = {data_type: BITS.get(data_type, 8) for data_type in TYPE_NAMES}
# The NumPy type for the bits of an element, of which those of a packed one are the lowest.
STORAGE = {data_type: np.dtype(f"u{max(bits, 8) // 8}") for data_type, bits in BITS.items()}
STORAGE |= {S32: np.dtype(np.int32), S8: np.dtype(np.int8)}
INTEGERS = {S32: (-2**31, 2**31 - 1), S8: (-128, 127), U8: (0, 255), U1: (0, 1), U2: (0, 3), U4: (0, 15), S4: (-8, 7)}
NAN_AS_INTEGER = {S32: -2**31, S8: -128, U8: 255, U1: 1, U2: 3, U4: 15, S4: -8}
# Exponent bits, mantissa bits, true if the largest exponent is for infinity and NaN, the NaN that is written. Without
# NaN, that is the largest number.
SMALL_FLOATS = {BF16: (8, 7, True, 0x7fc0), F16: (5, 10, True, 0x7e00), F8_E5M2: (5, 2, True, 0x7e),
                F8_E4M3: (4, 3, False, 0x7f), UE4M3: (4, 3, False, 0x7f), F4_E2M1: (2, 1, False, 7),
                F4_E3M0: (3, 0, False, 7), F6_E2M3: (2, 3, False, 31), F6_E3M2: (3, 2, False, 31)}
WITHOUT_NAN = (F4_E2M1, F4_E3M0, F6_E2M3, F6_E3M2)
LARGEST_F32_BELOW_2_31 = 2147483520.0


def size_of(data_type):
    """Returns the bytes of one element outside of a tensor; a packed one has a byte of its own."""
    return STORAGE[data_type].itemsize


def is_packed(data_type):
    return BITS[data_type] < 8


def bytes_of(data_type, count):
    """Returns the bytes of the first `count` elements of a tensor."""
    return (count * BITS[data_type] + 7) // 8


def elements_in(data, data_type):
    """Returns the elements that lie in whole in bytes, as a view or, if they are packed, as a copy."""
    if not is_packed(data_type):
        size = size_of(data_type)
        return data[:data.size // size * size].view(STORAGE[data_type])
    bits = BITS[data_type]
    each = np.unpackbits(data, bitorder="little")
    each = each[:each.size // bits * bits].reshape(-1, bits)
    return (each << np.arange(bits, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)


def put_elements(data, data_type, elements):
    """Writes elements to the beginning of bytes; all bits behind them keep their values."""
    if not is_packed(data_type):
        data[:elements.nbytes].view(STORAGE[data_type])[:] = elements
        return
    bits = BITS[data_type]
    each = np.unpackbits(data, bitorder="little")
    each[:elements.size * bits] = (elements[:, None] >> np.arange(bits, dtype=np.uint8) & 1).reshape(-1)
    data[:] = np.packbits(each, bitorder="little")


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
    if data_type not in WITHOUT_NAN:
        value[magnitude > infinity if has_infinity else magnitude == nan] = np.nan
    if data_type == UE4M3:
        sign = np.zeros_like(sign)
    return np.where(sign == 1, -value, value).astype(np.float32)


# A table of all bit patterns, because a lookup is faster than arithmetic.
DECODED = {data_type: decode_small(np.arange(2**BITS[data_type]), data_type) for data_type in SMALL_FLOATS}
DECODED[E8M0] = np.concatenate([np.ldexp(1.0, np.arange(255) - 127), [np.nan]]).astype(np.float32)


def integers_in(elements, data_type):
    """Returns the numbers of integer elements, as int64. A truth value is 0 or 1."""
    if data_type == BOOLEAN:
        return (elements != 0).astype(np.int64)
    numbers = elements.astype(np.int64)
    return np.where(numbers > 7, numbers - 16, numbers) if data_type == S4 else numbers


def from_integers(numbers, data_type):
    """Returns the elements of integers; those out of range become the nearest bound."""
    if data_type == BOOLEAN:
        return (numbers != 0).astype(np.uint8)
    clipped = np.clip(numbers, *INTEGERS[data_type])
    return (clipped & 15 if data_type == S4 else clipped).astype(STORAGE[data_type])


def to_numbers(elements, data_type, number):
    """Returns elements as numbers to compute with. They are exact, except that an s32 rounds to float32."""
    if data_type in DECODED:
        return DECODED[data_type][elements].astype(number)
    if data_type == F32:
        return elements.view(np.float32).astype(number)
    if data_type == F64:
        return elements.view(np.float64).astype(number)
    return integers_in(elements, data_type).astype(number)


def encode_small(numbers, data_type):
    """Returns the bits of the nearest small float, ties to even. Beyond the largest: infinity, NaN, or the largest."""
    exponent_bits, mantissa_bits, has_infinity, nan = SMALL_FLOATS[data_type]
    smallest_exponent = 2 - 2**(exponent_bits - 1)  # of the smallest normal number
    numbers = numbers.astype(np.float64)
    magnitude = np.abs(numbers)
    finite = np.isfinite(magnitude)
    # magnitude = significand * 2^exponent with significand in [1, 2). Steps are constant below the smallest exponent.
    magnitude = np.where(finite, magnitude, 0)
    exponent = np.maximum(np.frexp(magnitude)[1] - 1, smallest_exponent)
    exponent[magnitude == 0] = smallest_exponent
    steps = np.ldexp(magnitude, mantissa_bits - exponent)
    # For a normal number, `steps` includes the leading one. It carries into the exponent's bits, as rounding up may do.
    # Even is what ends in a bit 0, also in e3m0, whose last bit is one of the exponent (oneDNN 3, float2e3m0).
    below = ((exponent - smallest_exponent).astype(np.int64) << mantissa_bits) + np.floor(steps).astype(np.int64)
    rest = steps - np.floor(steps)
    bits = below + ((rest > 0.5) | ((rest == 0.5) & (below % 2 == 1)))
    too_large = (2**exponent_bits - 1) << mantissa_bits if has_infinity else nan
    bits = np.where(finite, np.minimum(bits, too_large), too_large)
    if data_type == UE4M3:
        bits = np.where(np.signbit(numbers), 0, bits)
        numbers = np.abs(numbers)
    sign = np.signbit(numbers).astype(np.int64) << (exponent_bits + mantissa_bits)
    return np.where(np.isnan(numbers), nan, bits | sign).astype(STORAGE[data_type])


def encode_power(numbers):
    """Returns the e8m0 of numbers: the largest power of two that is not above, the least for 0, else NaN."""
    numbers = numbers.astype(np.float64)
    is_number = (numbers >= 0) & (numbers < 2.0**128)
    exponent = np.frexp(np.where(is_number & (numbers > 0), numbers, 2.0**-127))[1] - 1
    return np.where(is_number, np.maximum(exponent + 127, 0), 255).astype(np.uint8)


def from_numbers(numbers, data_type):
    """Returns numbers as elements: the nearest, ties to even; integers saturate."""
    if data_type in SMALL_FLOATS:
        return encode_small(numbers, data_type)
    if data_type == E8M0:
        return encode_power(numbers)
    if data_type == BOOLEAN:
        return (numbers != 0).astype(np.uint8)
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
    return from_integers(np.where(is_nan, NAN_AS_INTEGER[data_type], whole), data_type)


def decoded_scale_is_valid(elements, data_type):
    """Returns which elements are finite and not 0."""
    numbers = to_numbers(elements, data_type, np.float32)
    return np.isfinite(numbers) & (numbers != 0)


def number_type(src_type, dst_type):
    return np.float64 if F64 in (src_type, dst_type) else np.float32


def convert(elements, src_type, dst_type):
    """Converts elements from one type to another, without attributes."""
    if src_type == dst_type:
        return elements
    whole = (*INTEGERS, BOOLEAN)
    if src_type in whole and dst_type in whole:
        return from_integers(integers_in(elements, src_type), dst_type)
    return from_numbers(to_numbers(elements, src_type, number_type(src_type, dst_type)), dst_type)


def is_any_nan(elements, data_type):
    """Returns which elements are NaN in f32 or f64, where each NaN is allowed. A small type has one NaN to write."""
    if data_type == F32:
        return np.isnan(elements.view(np.float32))
    if data_type == F64:
        return np.isnan(elements.view(np.float64))
    return np.zeros(elements.shape, dtype=bool)
