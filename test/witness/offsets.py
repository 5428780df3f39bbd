"""The offsets of a tensor's elements, from the specification alone (semantics 1 and 4; onednn-behaviour 1.9).

A layout is made from a descriptor's fields. The index q of an axis counts its padded extent from 0; the tensor begins
at padded_offsets. The innermost block takes q modulo its extent, the next block takes the quotient modulo its own
extent, and so on. The outer block takes the rest. The offset is offset0 plus the sum of all digits times their strides.
"""

import functools

import numpy as np

from capi import ASYMMETRIC_SOURCE, S8S8, S8, MemoryDesc


def layout_of(desc):
    """Returns the layout of a descriptor. The last few results are cached."""
    return kept_layout(bytes(desc))


@functools.lru_cache(16)
def kept_layout(fields):
    return Layout(MemoryDesc.from_buffer_copy(fields))


def table(axis, padded, stride, blocks):
    """Returns the part of an offset that each index of an axis contributes."""
    index = np.arange(padded, dtype=np.int64)
    out = np.zeros(len(index), dtype=np.int64)
    for block_axis, extent, step in reversed(blocks):
        if block_axis == axis:
            out += index % extent * step
            index //= extent
    return out + index * stride


def sums_of_tables(tables):
    """Returns all sums of one number from each table, the last table fastest."""
    total = np.zeros((), dtype=np.int64)
    for one in tables:
        total = total[..., np.newaxis] + one
    return total.reshape(-1)


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
        """Returns the part of an offset that each index of an axis contributes, padding included."""
        return table(axis, self.padded_dims[axis], self.strides[axis], self.blocks)

    def block_of(self, axis):
        """Returns the product of the blocks of an axis."""
        return int(np.prod([extent for block_axis, extent, _ in self.blocks if block_axis == axis], dtype=np.int64))

    def places_of_sums(self, mask):
        """Returns the place among all sums for each index along the masked axes, row-major, padding included.

        The sums have the order of the tensor, restricted to those axes: their digits, outer ones and blocks, keep their
        order in memory. They are dense, so the stride of each digit is the product of those inside it.
        """
        axes = [axis for axis in range(len(self.dims)) if mask >> axis & 1]
        digits = [(self.strides[axis], -(-self.padded_dims[axis] // self.block_of(axis)), ("outer", axis))
                  for axis in axes]
        digits += [(stride, extent, ("block", number)) for number, (axis, extent, stride) in enumerate(self.blocks)
                   if axis in axes]
        steps, inside = {}, 1
        for _, extent, name in sorted(digits, key=lambda digit: digit[:2]):  # equal keys in any order
            steps[name] = inside
            inside *= extent
        blocks = [(axis, extent, steps.get(("block", number), 0))
                  for number, (axis, extent, _) in enumerate(self.blocks)]
        return sums_of_tables([table(axis, self.padded_dims[axis], steps["outer", axis], blocks) for axis in axes])

    def offsets(self, tables):
        """Returns offset0 plus all sums of one number from each table, the last axis fastest."""
        return self.offset0 + sums_of_tables(tables)

    @functools.cached_property
    def element_offsets(self):
        """Returns the offsets of the tensor's elements, row-major."""
        return self.offsets([one[first:first + extent] for one, first, extent in
                             zip(self.tables, self.padded_offsets, self.dims)])

    @functools.cached_property
    def padded_element_offsets(self):
        """Returns the offsets of the tensor's elements and its padding."""
        return self.offsets(self.tables)

    @property
    def is_padded(self):
        return self.dims != self.padded_dims

    @property
    def has_elements(self):
        return all(extent > 0 for extent in self.padded_dims)

    @functools.cached_property
    def end(self):
        """Returns the number of elements that a buffer needs: one more than the largest offset, padding included."""
        return self.offset0 + sum(int(table.max()) for table in self.tables) + 1 if self.has_elements else 0

    @functools.cached_property
    def begin(self):
        """Returns the lowest offset, which is offset0 unless digits run backwards."""
        return self.offset0 + sum(int(table.min()) for table in self.tables) if self.has_elements else self.offset0

    @functools.cached_property
    def is_injective(self):
        """Returns True if no two indices of the padded tensor share a place."""
        seen = np.zeros(self.end, dtype=bool)
        offsets = self.padded_element_offsets
        seen[offsets] = True
        return int(np.count_nonzero(seen)) == offsets.size

    @property
    def is_dense(self):
        return self.is_injective and self.end - self.begin == int(np.prod(self.padded_dims, dtype=np.int64))


class Compensation:
    """The sums after the data: their places, and the axes of each (semantics 12, onednn-behaviour 1.8)."""

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
                self.size = begin + 4 * (int(layout.places_of_sums(mask).max()) + 1)


def masked(extents, mask):
    """Returns the extents of the axes in the mask."""
    return [extent for axis, extent in enumerate(extents) if mask >> axis & 1]
