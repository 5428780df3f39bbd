"""Random values of attributes with a type, by mask, by group, and by a layout of their own."""

import numpy as np

import capi
import descriptors
import values
from attributes import Typed, groups_of, values_of_mask
from element_types import INTEGERS, decoded_scale_is_valid, from_numbers
from offsets import layout_of

SCALE_TYPES = (capi.F32, capi.BF16, capi.F16, capi.F16, capi.F8_E5M2, capi.F8_E4M3, capi.F4_E2M1, capi.F4_E3M0,
               capi.F6_E2M3, capi.F6_E3M2, capi.E8M0, capi.UE4M3)
POINT_TYPES = tuple(INTEGERS)
MOST_VALUES = 3000


def divisor(draw, extent):
    return draw.choice([d for d in range(1, extent + 1) if extent % d == 0] or [1])


def drawn(draw, data_type, count, is_scale):
    """Returns elements: usable scales, or any zero points; sometimes all of them neutral."""
    if draw.chance(0.12):
        return from_numbers(np.full(count, 1.0 if is_scale else 0.0), data_type)
    if not is_scale:
        return from_numbers(values.zero_points(draw, count).astype(np.float64), data_type)
    elements = from_numbers(values.scales(draw, count), data_type)
    one = from_numbers(np.ones(1, np.float32), data_type)
    return np.where(decoded_scale_is_valid(elements, data_type), elements, one)


def typed(data_type, elements, **how):
    return Typed(data_type, elements, values.as_bytes(elements, data_type), **how)


def random_values(draw, library, dims, is_scale):
    """Returns values for a scale or a zero point, or None if the drawn description has too many."""
    data_type = draw.choice(SCALE_TYPES if is_scale else POINT_TYPES)
    way = draw.choice(["mask", "group", "group", "layout"])
    if way == "layout":
        return by_layout(draw, library, dims, data_type, is_scale)
    how = {"mask": draw.randrange(1 << len(dims))} if way == "mask" else \
        {"group": [divisor(draw, extent) if draw.chance(0.6) else draw.randint(1, extent + 1) for extent in dims]}
    count = values_of_mask(dims, how["mask"]) if way == "mask" else int(np.prod(groups_of(dims, how["group"])))
    return typed(data_type, drawn(draw, data_type, count, is_scale), **how) if count <= MOST_VALUES else None


def by_layout(draw, library, dims, data_type, is_scale):
    """Returns values with strides of any kind, of which 0 shares a value; or in the order of a tag."""
    try:
        if draw.chance(0.4):
            desc = descriptors.by_tag(draw, library, dims, data_type)
        else:
            strides, step = [0] * len(dims), draw.randint(1, 2)
            for axis in draw.sample(range(len(dims)), len(dims)):
                if draw.chance(0.6):
                    strides[axis] = step
                    step *= max(dims[axis], 1)
            desc = library.by_strides(dims, strides, data_type)
            desc.offset0 = draw.choice([0, 0, 3])
            for axis in range(len(dims)):
                if dims[axis] > 1 and draw.chance(0.25):  # the axis runs backwards
                    desc.offset0 += (dims[axis] - 1) * strides[axis]
                    desc.blocking.strides[axis] = -strides[axis]
        if desc is None:
            return None
        library.check(desc)
    except capi.Refused:
        return None
    end = layout_of(desc).end
    if end > MOST_VALUES:
        return None
    return typed(data_type, drawn(draw, data_type, end, is_scale), desc=desc)
