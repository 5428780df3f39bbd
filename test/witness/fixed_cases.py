"""Cases that come first in each run: those in which a defect was found, named after it, and small ones of each kind."""

import numpy as np

import capi


def by_hand(data_type, dims, padded, strides, blocks):
    desc = capi.MemoryDesc(version=1, ndims=len(dims), data_type=data_type, format_kind=capi.BLOCKED)
    for axis in range(len(dims)):
        desc.dims[axis], desc.padded_dims[axis] = dims[axis], padded[axis]
        desc.blocking.strides[axis] = strides[axis]
    for k, (axis, extent, stride) in enumerate(blocks):
        desc.blocking.inner_idxs[k], desc.blocking.inner_blks[k] = axis, extent
        desc.blocking.inner_strides[k] = stride
    desc.blocking.inner_nblks = len(blocks)
    return desc


def case(src, dst, attributes=None):
    from cases import Case
    return Case(0, src, dst, attributes)


def gaps_overwritten(library):
    """The outer digit of a padded axis is innermost, of extent 5: gaps and bytes after the buffer became 0."""
    dst = by_hand(capi.S32, [9, 343], [10, 343], [1, 12], [(0, 2, 6)])
    return case(library.by_strides([9, 343], [343, 1], capi.S8), dst)


def gaps_overwritten_with_scale(library):
    """Gaps became 0 with an outer digit of extent 3, two blocked axes and a scale."""
    from attributes import Attributes, ByAxes
    dst = by_hand(capi.S32, [5, 7, 49], [6, 24, 49], [1, 47040, 960], [(1, 24, 20), (0, 2, 10)])
    scale = ByAxes(0, np.array([2], dtype=np.float32), False)
    return case(library.by_strides([5, 7, 49], [343, 49, 1], capi.F32), dst, Attributes({"src_scale": scale}))


def stride_of_one_value(stride):
    def make(library):
        """The stride of a single value was multiplied by indices of the destination's longer padding."""
        src = library.by_tag([3], capi.F8_E4M3, "A4a")
        src.blocking.strides[0] = stride
        return case(src, library.by_tag([3], capi.F64, "A4a3a"))
    return make


def part_inside_bytes(library):
    """A part of 4-bit elements that begins and ends inside bytes: the neighbours' halves must stay as they are."""
    whole = library.by_strides([5, 7], [7, 1], capi.U4)
    return case(library.by_tag([3, 3], capi.U4, "ba"), library.submemory(whole, [3, 3], [1, 4]))


def padding_beside_an_element(library):
    """One 6-bit element, then padding that shares its byte and the next ones."""
    return case(library.by_tag([3, 5], capi.F6_E2M3, "ab"), library.by_tag([3, 5], capi.F6_E2M3, "AB4a4b"))


def dequantized_by_group(library):
    """4-bit weights with a scale of f16 and a zero point of u4 for each 32, as inference engines store them."""
    from attributes import Attributes
    from typed_values import typed
    scales = np.array([0x3800, 0x3c00, 0x4000, 0xb400, 0x3555, 0x2e66], np.uint16)
    points = np.array([8, 7, 0, 15, 3, 9], np.uint8)
    given = {"src_scale": typed(capi.F16, scales, group=[1, 32]),
             "src_zero_point": typed(capi.U4, points, group=[1, 32])}
    return case(library.by_tag([2, 96], capi.U4, "ab"), library.by_tag([2, 96], capi.F32, "ba"), Attributes(given))


def scales_in_tiles(library):
    """Scales of e8m0 in tiles of 4 x 2, with padding in which no scale is usable."""
    from attributes import Attributes
    from typed_values import typed
    where = library.by_tag([5, 3], capi.E8M0, "AB4a2b")
    scales = np.full(32, 255, np.uint8)
    from offsets import layout_of
    scales[layout_of(where).element_offsets] = np.arange(120, 135)
    return case(library.by_tag([5, 3], capi.F4_E2M1, "ab"), library.by_tag([5, 3], capi.BF16, "ba"),
                Attributes({"src_scale": typed(capi.E8M0, scales, desc=where)}))


def sums_beside_groups(library):
    """Scales for 7 along an axis in blocks of 3 that are one in memory: sums were added to the places of others."""
    from attributes import Attributes
    from typed_values import typed
    dst = library.by_tag([4, 35], capi.S8, "aB3b")
    dst.extra.flags, dst.extra.asymmetric_source_mask = capi.ASYMMETRIC_SOURCE, 2
    scales = np.array([1, 2, 0.5, -1, 0.25], np.float32).view(np.uint32)
    return case(library.by_tag([4, 35], capi.S8, "ab"), dst,
                Attributes({"src_scale": typed(capi.F32, scales, group=[4, 7])}))


ALL = [gaps_overwritten, gaps_overwritten_with_scale, stride_of_one_value(-5112135516375031109),
       stride_of_one_value(2**62), part_inside_bytes, padding_beside_an_element, dequantized_by_group, scales_in_tiles,
       sums_beside_groups]
