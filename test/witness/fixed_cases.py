"""Cases in which a defect was found, named after it. They come first in each run."""

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


ALL = [gaps_overwritten, gaps_overwritten_with_scale, stride_of_one_value(-5112135516375031109),
       stride_of_one_value(2**62)]
