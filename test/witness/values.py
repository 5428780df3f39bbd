"""The content of buffers: any bits, moderate numbers, and numbers that are hard to convert."""

import functools

import numpy as np

from element_types import (BITS, DECODED, SMALL_FLOATS, STORAGE, bytes_of, from_numbers, put_elements,
                           to_numbers)

POOL = 1 << 16  # number of elements; each case cuts its buffers from a random place


def neighbours(numbers):
    """Returns each number and the next one on both sides, as f64 and as f32."""
    as_f32 = numbers.astype(np.float32)
    return np.concatenate([numbers, np.nextafter(numbers, np.inf), np.nextafter(numbers, -np.inf), as_f32,
                           np.nextafter(as_f32, np.float32(np.inf)), np.nextafter(as_f32, np.float32(-np.inf))])


@functools.lru_cache(None)
def hard_numbers():
    """Returns numbers halfway between two of a type, at its bounds, denormal, infinite, and NaN."""
    found = [np.arange(-260, 260) + 0.5, np.arange(-260, 260),
             np.array([2.0**e for e in range(-150, 130)]), np.array([5e-324, 1e-310, 1e-300, 1e39, 1e300]),
             np.array([2.0**31 + d for d in (-200, -128, -127, -65, -64, -63, -1, -0.5, 0, 1, 128)]),
             2.0**24 + np.arange(-4, 5), 2.0**25 + np.arange(-6, 7), 2.0**31 - 2.0**15 + np.arange(-3, 4)]
    for data_type in SMALL_FLOATS:
        finite = np.unique(DECODED[data_type][np.isfinite(DECODED[data_type])].astype(np.float64))
        # All numbers of the 8-bit types, and the smallest and largest of the others.
        ends = np.concatenate([finite[:40], finite[-40:], finite[len(finite) // 2 - 40:len(finite) // 2 + 40]])
        finite = finite if len(finite) < 1000 else np.unique(ends)
        found += [finite, (finite[1:] + finite[:-1]) / 2, finite[-1:] * 1.5]
    with np.errstate(all="ignore"):
        all_found = neighbours(np.concatenate(found))
        return np.concatenate([all_found, -all_found, [np.nan, np.inf, -np.inf, 0.0, -0.0]])


@functools.lru_cache(None)
def pool(data_type, kind):
    """Returns elements of a type as bits: any bits, moderate, hard, or mixed."""
    random = np.random.default_rng([data_type, len(kind)])
    if kind == "any bits":
        drawn = np.frombuffer(random.bytes(POOL * STORAGE[data_type].itemsize), dtype=STORAGE[data_type])
        return drawn if BITS[data_type] >= 8 else drawn & (2**BITS[data_type] - 1)
    with np.errstate(all="ignore"):
        if kind == "moderate":
            return from_numbers(random.normal(size=POOL) * np.where(random.random(POOL) < 0.5, 2, 90), data_type)
        if kind == "hard":
            numbers = hard_numbers()
            return from_numbers(numbers[random.integers(0, len(numbers), POOL)], data_type)
    parts = np.stack([pool(data_type, other) for other in ("any bits", "moderate", "hard")])
    return parts[random.integers(0, 3, POOL), np.arange(POOL)]


KINDS = ("any bits", "moderate", "moderate", "hard", "hard", "mixed")


def bytes_for(draw, data_type, size):
    """Returns bytes for a buffer: elements of a type, starting at a random place of its pool."""
    elements = pool(data_type, draw.choice(KINDS))
    first = draw.randrange(len(elements))
    count = size * 8 // BITS[data_type] + 1
    drawn = np.resize(np.roll(elements, -first) if count > len(elements) else
                      np.concatenate([elements[first:first + count], elements[:max(0, first + count - POOL)]]), count)
    return as_bytes(drawn, data_type)[:size]


def as_bytes(elements, data_type):
    """Returns elements as they lie in memory; what is left of the last byte is 1."""
    data = np.full(bytes_of(data_type, elements.size), 255, dtype=np.uint8)
    put_elements(data, data_type, elements)
    return data


SCALES = [0.5, 2, 0.25, 3, 0.1, 1 / 3, 100, 1e-3, -1, -0.5, 1, 7.5, 0.0078125]
HARD_SCALES = [1e-40, -1e-40, 1e38, 1e-38, 3e38]
INVALID_SCALES = [0, -0.0, float("inf"), -float("inf"), float("nan")]
HARD_POINTS = [-2**31, 2**31 - 1, 2**24 + 1, 2**31 - 64, -1000000]


def scales(draw, count):
    hard = draw.chance(0.1)
    return np.array([draw.choice(HARD_SCALES) if hard and draw.chance(0.3) else
                     draw.choice(SCALES) if draw.chance(0.7) else draw.gauss(0, 1) for _ in range(count)],
                    dtype=np.float32)


def with_invalid_scale(draw, drawn):
    """Returns the scales; in one of 25 draws, one of them is invalid."""
    if drawn.size and draw.chance(0.04):
        drawn[draw.randrange(drawn.size)] = draw.choice(INVALID_SCALES)
    return drawn


def zero_points(draw, count):
    hard = draw.chance(0.1)
    return np.array([draw.choice(HARD_POINTS) if hard and draw.chance(0.5) else draw.randrange(-12, 13)
                     for _ in range(count)], dtype=np.int32)
