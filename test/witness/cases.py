"""One case: two descriptors of one tensor, element types, attributes, and the places of the buffers."""

from dataclasses import dataclass, field

import numpy as np

import capi
import descriptors
import fixed_cases
import typed_values
import values
import views
from attributes import NAMES, Attributes, ByAxes, values_of_mask
from draw import MOST_PADDED, Draw, extents, product_of
from element_types import BITS
from offsets import layout_of

MAKERS = {"tag": descriptors.by_tag, "strides": descriptors.by_strides,
          "tag and strides": descriptors.by_tag_and_strides, "by hand": descriptors.by_hand}
VIEWS = {"submemory": views.submemory, "permuted": views.permuted, "reshaped": views.reshaped}
WEIGHTS = {"tag": 3, "strides": 2, "tag and strides": 2, "by hand": 11, "submemory": 3, "permuted": 2, "reshaped": 3}
MOST_TRIES = 40
ANY_TYPE = tuple(capi.TYPE_NAMES)


@dataclass
class Case:
    number: int
    src: capi.MemoryDesc
    dst: capi.MemoryDesc
    attributes: object = None  # attributes.Attributes; None is passed as null
    in_place: bool = False
    planned: bool = False      # create and execute, rather than one call
    places: tuple = ("end", "end")  # of the source and of the destination; see memory.Arena.place
    kinds: tuple = ("fixed", "fixed")
    draw: Draw = field(default=None, repr=False)


def descriptor(draw, library, dims, data_type, tally, wanted):
    """Returns a valid descriptor of the tensor, of any kind and not too large; None after many tries."""
    for _ in range(MOST_TRIES):
        kind = draw.weighted(WEIGHTS)
        tally("tried " + kind)
        try:
            if kind in MAKERS:
                desc = MAKERS[kind](draw, library, dims, data_type)
            else:
                make = MAKERS[draw.weighted({"tag": 3, "strides": 2, "tag and strides": 2, "by hand": 2})]
                desc = VIEWS[kind](draw, library, dims, data_type, make)
            if desc is None:
                continue
            if draw.chance(0.25):
                desc = altered(draw, desc)
            library.check(desc)
        except capi.Refused:
            tally("refused " + kind)
            continue
        most = max(MOST_PADDED, product_of(dims))
        if product_of(desc.padded_dims[:desc.ndims]) > 2 * most:
            continue
        layout = layout_of(desc)
        if layout.end > 3 * most or not wanted(layout):
            continue
        tally("accepted " + kind)
        return desc, kind
    return None, "none"


def altered(draw, given):
    """Returns a descriptor with changed fields: strides of single values, more padding, offset0."""
    desc = capi.copy_of(given)
    blocking = desc.blocking
    block = [product_of(blocking.inner_blks[k] for k in range(blocking.inner_nblks) if blocking.inner_idxs[k] == axis)
             for axis in range(desc.ndims)]
    if draw.chance(0.3):
        # More padding on the outermost axis needs no other stride.
        axis = max(range(desc.ndims), key=lambda a: blocking.strides[a] if desc.padded_dims[a] > block[a] else 0)
        desc.padded_dims[axis] = (desc.padded_dims[axis] // block[axis] + draw.randint(1, 3)) * block[axis]
    if draw.chance(0.5):
        for axis in range(desc.ndims):
            if desc.padded_dims[axis] <= block[axis] and draw.chance(0.7):
                blocking.strides[axis] = draw.choice(descriptors.WEIRD_STRIDES)
    if draw.chance(0.4):
        turn(draw, desc)
    if draw.chance(0.4):
        desc.offset0 += draw.randint(1, 70)
    return desc


def turn(draw, desc):
    """Makes some digits run backwards, and moves offset0 to the other end of them."""
    blocking = desc.blocking
    for axis in range(desc.ndims):
        if draw.chance(0.5) and abs(blocking.strides[axis]) < 2**32:
            blocking.strides[axis] = -blocking.strides[axis]
    for k in range(blocking.inner_nblks):
        if draw.chance(0.2) and abs(blocking.inner_strides[k]) < 2**32:
            blocking.inner_strides[k] = -blocking.inner_strides[k]
    desc.offset0 += desc.offset0 - layout_of(desc).begin


def random_attributes(draw, library, dims):
    given = {}
    for name in NAMES:
        if not draw.chance(0.45):
            continue
        is_scale = name.endswith("scale")
        if draw.chance(0.35) and (found := typed_values.random_values(draw, library, dims, is_scale)) is not None:
            given[name] = found
            continue
        mask = draw.randrange(1 << len(dims)) if draw.chance(0.6) else 0
        count = values_of_mask(dims, mask)
        if count > 3000:
            mask, count = 0, 1
        drawn = values.scales(draw, count) if is_scale else values.zero_points(draw, count)
        drawn = values.with_invalid_scale(draw, drawn) if is_scale else drawn
        given[name] = ByAxes(mask, drawn, draw.chance(0.3))
    beta = values.with_invalid_scale(draw, values.scales(draw, 1))[0] if draw.chance(0.3) else np.float32(0)
    return Attributes(given, beta)


def with_extra(draw, library, dst, tally):
    """Returns an s8 destination with compensation or a factor; some of them must be refused."""
    layout = layout_of(dst)
    desc = capi.copy_of(dst)
    if layout.begin != layout.offset0:
        return desc  # a tensor with extra begins at offset 0
    dense = layout.is_dense and not any(layout.padded_offsets)
    flags = draw.choice([capi.S8S8, capi.ASYMMETRIC_SOURCE, capi.S8S8 | capi.ASYMMETRIC_SOURCE, 0])
    if not dense and draw.chance(0.9):
        flags = 0
    desc.offset0 = 0
    if flags & capi.S8S8:
        desc.extra.compensation_mask = draw.randrange(1 << desc.ndims)
    if flags & capi.ASYMMETRIC_SOURCE:
        desc.extra.asymmetric_source_mask = draw.randrange(1 << desc.ndims)
    if draw.chance(0.4):
        flags |= capi.SCALE_ADJUST
        desc.extra.scale_adjust = draw.choice([0.5, 0.5, 0.25, 1, 2, 0.3, 1e-40, 3e38])
    desc.extra.flags = flags
    try:
        library.check(desc)
    except capi.Refused:
        return dst
    tally("compensation", flags & ~capi.SCALE_ADJUST != 0)
    return desc


def place(draw, data_type, alignment):
    step = max(BITS[data_type] // 8, alignment, 1)
    return draw.choice(["begin", "end", "end", step * draw.randrange(64)])


def random_case(seed, number, library, tally):
    """Returns the case with a number, or None if no pair was found."""
    draw = Draw(seed, number)
    dims = extents(draw)
    src_type, dst_type = draw.choice(ANY_TYPE), draw.choice(ANY_TYPE)
    if draw.chance(0.3):
        dst_type = draw.choice([src_type, capi.F32, capi.S32, capi.S8, capi.S8])
    src, src_kind = descriptor(draw, library, dims, src_type, tally, lambda layout: True)
    if src is None:
        return None
    writable = draw.chance(0.98)
    if draw.chance(0.12) and layout_of(src).is_injective:
        dst, dst_kind = capi.copy_of(src), src_kind
        dst.data_type = dst_type
    else:
        dst, dst_kind = descriptor(draw, library, dims, dst_type, tally,
                                   lambda layout: not writable or layout.is_injective)
    if dst is None:
        return None
    attributes = random_attributes(draw, library, dims) if draw.chance(0.45) else None
    if dst_type == capi.S8 and draw.chance(0.5):
        dst = with_extra(draw, library, dst, tally)
    in_place = attributes is None and not dst.extra.flags and bytes(src) == bytes(dst) and draw.chance(0.5)
    alignment = 4 if dst.extra.flags else 1
    return Case(number, src, dst, attributes, in_place, draw.chance(0.5),
                (place(draw, src_type, 1), place(draw, dst_type, alignment)), (src_kind, dst_kind), draw)


def make_case(seed, number, library, tally):
    """Returns a case. The first numbers are the fixed cases; the others are random."""
    if number < len(fixed_cases.ALL):
        case = fixed_cases.ALL[number](library)
        case.number, case.draw = number, Draw(0, number)
        return case
    return random_case(seed, number, library, tally)
