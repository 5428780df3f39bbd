"""Where the elements of a tensor lie, from the specification alone (semantics 1 and 4; onednn-behaviour 1.9).

A layout is read from a descriptor's fields. The index q of an axis counts its padded extent from 0; the tensor begins
at padded_offsets. The innermost block takes q modulo its extent, the next one the same of q divided by that, and so on;
the outer block takes what is left. Each of them times its stride, over all axes, plus offset0, is the offset.
"""

import functools

import numpy as np

from capi import ASYMMETRIC_SOURCE, S8S8, S8, MemoryDesc


def layout_of(desc):
    """The layout of a descriptor; the last ones asked for are kept."""
    return kept_layout(bytes(desc))


@functools.lru_cache(16)
def kept_layout(fields):
    return Layout(MemoryDesc.from_buffer_copy(fields))


class Layout:
    """The fields of a blocked descriptor, and the offsets that follow from them, in elements."""

    def __init__(self, desc):
        n = desc.ndims
        b = desc.blocking
        self.dims = tuple(desc.dims[:n])
        self.padded_dims = tuple(desc.padded_dims[:n])
        self.padded_offsets = tuple(desc.padded_offsets[:n])
        self.offset0 = desc.offset0
        self.strides = tuple(b.strides[:n])
        self.blocks = tuple((b.inner_idxs[k], b.inner_blks[k], b.inner_strides[k]) for k in range(b.inner_nblks))
        self.tables = [self.table_of(axis) for axis in range(n)]

    def table_of(self, axis):
        """What each index of an axis adds to the offset, padding included."""
        index = np.arange(self.padded_dims[axis], dtype=np.int64)
        table = np.zeros(len(index), dtype=np.int64)
        for block_axis, extent, stride in reversed(self.blocks):
            if block_axis == axis:
                table += index % extent * stride
                index //= extent
        return table + index * self.strides[axis]

    def offsets(self, tables):
        """All sums of one number of each table, the last axis fastest."""
        total = np.full((), self.offset0, dtype=np.int64)
        for table in tables:
            total = total[..., np.newaxis] + table
        return total.reshape(-1)

    @functools.cached_property
    def element_offsets(self):
        """Of the tensor's elements, row-major."""
        return self.offsets([table[first:first + extent] for table, first, extent in
                             zip(self.tables, self.padded_offsets, self.dims)])

    @functools.cached_property
    def padded_element_offsets(self):
        """Of the tensor's elements and its padding."""
        return self.offsets(self.tables)

    @property
    def is_padded(self):
        return self.dims != self.padded_dims

    @property
    def has_elements(self):
        return all(extent > 0 for extent in self.padded_dims)

    @functools.cached_property
    def end(self):
        """Behind the last element or padding: what a buffer of elements needs."""
        return self.offset0 + sum(int(table.max()) for table in self.tables) + 1 if self.has_elements else 0

    @functools.cached_property
    def is_injective(self):
        """Whether no two places of the padded tensor are one."""
        seen = np.zeros(self.end, dtype=bool)
        offsets = self.padded_element_offsets
        seen[offsets] = True
        return int(np.count_nonzero(seen)) == offsets.size

    @property
    def is_dense(self):
        return self.is_injective and self.end - self.offset0 == int(np.prod(self.padded_dims, dtype=np.int64))


class Compensation:
    """The sums behind the data: where they lie, and which axes each keeps (semantics 12, onednn-behaviour 1.8)."""

    def __init__(self, desc, layout):
        self.sums = []  # (byte offset, mask, factor)
        end = layout.end
        assert desc.data_type == S8 or not desc.extra.flags
        self.size = end
        if not layout.has_elements:
            return
        for flag, mask, factor in ((S8S8, desc.extra.compensation_mask, -128),
                                   (ASYMMETRIC_SOURCE, desc.extra.asymmetric_source_mask, -1)):
            if desc.extra.flags & flag:
                begin = (self.size + 3) // 4 * 4
                self.sums.append((begin, mask, factor))
                self.size = begin + 4 * int(np.prod(masked(layout.padded_dims, mask), dtype=np.int64))


def masked(extents, mask):
    """The extents of the axes whose bits the mask has."""
    return [extent for axis, extent in enumerate(extents) if mask >> axis & 1]
