"""Random descriptors: of a tag, of strides, of both, and filled in by hand."""

import capi
from draw import ODD_COUNTS, blocks, product_of, room_for_padding, rounded_up

WEIRD_STRIDES = [0, 1, -1, 7, 2**31, 2**31 + 1, -2**31, 2**62, -2**62, 2**62 + 12345, 2**63 - 1, -2**63 + 100,
                 -5112135516375031109, 2**61, 1000003]


def random_tag(draw, ndims, inner):
    """Returns a tag: the outer letters in any order, upper case if an axis is blocked, followed by the blocks."""
    order = list(range(ndims))
    if draw.chance(0.7):
        draw.shuffle(order)
    blocked = {axis for axis, _ in inner}
    letters = "".join(chr((ord("A") if axis in blocked else ord("a")) + axis) for axis in order)
    return letters + "".join(f"{extent}{chr(ord('a') + axis)}" for axis, extent in inner), order


def depth_of(draw):
    return draw.weighted({0: 3, 1: 5, 2: 4, 3: 2, 4: 1})


def by_tag(draw, library, dims, data_type):
    tag, _ = random_tag(draw, len(dims), blocks(draw, dims, depth_of(draw)))
    if draw.chance(0.1) and 0 not in dims:
        # Some extents are bound later.
        late = [draw.chance(0.5) for _ in dims]
        desc = library.by_tag([capi.DYNAMIC if l else d for l, d in zip(late, dims)], data_type, tag)
        return library.bind(desc, [d for l, d in zip(late, dims) if l])
    return library.by_tag(dims, data_type, tag)


def strides_with_gaps(draw, extents, order, first, gaps):
    """Returns strides for axes that are given from outer to inner, with unused places between the elements.

    The innermost gap is the most likely one, because it lies between elements that a kernel would move together.
    """
    strides = [0] * len(extents)
    run = first
    for k, axis in enumerate(reversed(order)):
        strides[axis] = run
        run *= max(1, extents[axis])
        if draw.chance(max(gaps, 0.6) if k == 0 and gaps > 0 else gaps):
            run = gap_behind(draw, run)
    return strides


def gap_behind(draw, run):
    kind = draw.weighted({"few": 4, "aligned": 3, "times": 1})
    if kind == "few":
        return run + draw.randint(1, 9)
    if kind == "aligned":
        return rounded_up(run, draw.choice([4, 8, 12, 16, 64, 20, 24]))
    return run * draw.choice([2, 3, 5])


def by_strides(draw, library, dims, data_type):
    order = list(range(len(dims)))
    if draw.chance(0.7):
        draw.shuffle(order)
    strides = strides_with_gaps(draw, dims, order, 1 if draw.chance(0.8) else draw.randint(2, 9), 0.3)
    for axis, extent in enumerate(dims):
        if extent == 1 and draw.chance(0.5):
            strides[axis] = draw.choice(WEIRD_STRIDES)
        elif draw.chance(0.03):
            strides[axis] = 0  # all indices share one element, which a source may do
    return library.by_strides(dims, strides, data_type)


def by_tag_and_strides(draw, library, dims, data_type):
    inner = blocks(draw, dims, 1 + depth_of(draw))
    tag, order = random_tag(draw, len(dims), inner)
    whole = [product_of(e for a, e in inner if a == axis) for axis in range(len(dims))]
    outer = [rounded_up(d, b) // b for d, b in zip(dims, whole)]
    strides = strides_with_gaps(draw, outer, order, product_of(whole) + draw.choice([0, 0, 0, 1, 3, 16]), 0.3)
    return library.by_tag_and_strides(dims, data_type, tag, strides)


def padding_by_hand(draw, dims, inner):
    """Returns padded extents (whole blocks, more, or a part of one block) and the offset of the tensor in them."""
    padded, begin = [], []
    room = room_for_padding(dims)
    for axis, extent in enumerate(dims):
        block = product_of(e for a, e in inner if a == axis)
        least = rounded_up(extent, block)
        if block > 1 and extent <= block and draw.chance(0.3):
            least = extent
        elif draw.chance(0.2):
            blocks_there = least // max(1, block)
            odd = [n for n in ODD_COUNTS if n > blocks_there]
            more = block * (odd[0] if odd and draw.chance(0.5) else blocks_there + draw.choice([1, 1, 1, 2, 3, 5]))
            if more / max(1, extent) <= room:
                least = more
        room /= max(1, least / max(1, extent))
        padded.append(least)
        begin.append(draw.randint(0, least - extent) if least > extent and draw.chance(0.1) else 0)
    return padded, begin


def order_by_hand(draw, ndims, digits, blocked):
    """Returns the order of digits in memory, outer to inner; the first ndims are the outer blocks."""
    order = list(range(len(digits)))
    if draw.chance(0.7):
        outer = order[:ndims]
        draw.shuffle(outer)
        order[:ndims] = outer
    kind = draw.weighted({"as tags have it": 2, "an outer one innermost": 6, "one is moved": 2, "any": 3})
    few = [k for k in order if k in blocked and 1 < digits[k] < 35]
    if kind == "an outer one innermost" and few:
        chosen = draw.choice(few)
        order.remove(chosen)
        order.append(chosen)
    elif kind == "one is moved":
        order.insert(draw.randrange(len(order)), order.pop(draw.randrange(ndims)))
    elif kind == "any":
        draw.shuffle(order)
    return order


def by_hand(draw, _library, dims, data_type):
    """Fills in all fields one by one; the caller checks the result with plait_memory_desc_check."""
    ndims = len(dims)
    inner = blocks(draw, dims, depth_of(draw))
    padded, begin = padding_by_hand(draw, dims, inner)
    desc = capi.MemoryDesc(version=1, ndims=ndims, data_type=data_type, format_kind=capi.BLOCKED)
    outer = []
    for axis, extent in enumerate(dims):
        block = product_of(e for a, e in inner if a == axis)
        desc.dims[axis], desc.padded_dims[axis], desc.padded_offsets[axis] = extent, padded[axis], begin[axis]
        outer.append(rounded_up(padded[axis], block) // block)
    digits = outer + [extent for _, extent in inner]
    order = order_by_hand(draw, ndims, digits, {axis for axis, _ in inner})
    strides = strides_with_gaps(draw, digits, order, 1 if draw.chance(0.85) else draw.randint(2, 6),
                                draw.choice([0, 0.2, 0.2, 0.5]))
    for k, extent in enumerate(digits):
        if extent == 1 and draw.chance(0.7):
            strides[k] = draw.choice(WEIRD_STRIDES) if draw.chance(0.6) else draw.randint(-2**63 + 100, 2**63 - 1)
        elif draw.chance(0.01):
            strides[k] = draw.choice([0, 1, strides[k] + 1, strides[k] // 2])
    desc.blocking.inner_nblks = len(inner)
    for axis in range(ndims):
        desc.blocking.strides[axis] = strides[axis]
    for k, (axis, extent) in enumerate(inner):
        desc.blocking.inner_idxs[k], desc.blocking.inner_blks[k] = axis, extent
        desc.blocking.inner_strides[k] = strides[ndims + k]
    desc.offset0 = draw.randint(1, 99) if draw.chance(0.15) else 0
    return desc
