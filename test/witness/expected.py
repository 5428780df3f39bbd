"""The expected content of the destination's buffer after a reorder, byte by byte (semantics 11 and 12)."""

from dataclasses import dataclass

import numpy as np

import attributes as attribute_model
from element_types import STORAGE, convert, elements_in, is_any_nan, put_elements
from offsets import masked


@dataclass
class Expected:
    """The expected bytes, and the elements for which each NaN is allowed."""
    data: np.ndarray
    storage: np.dtype
    data_type: int
    any_nan_at: np.ndarray  # offsets of elements; empty if all bits are specified

    def matches(self, actual):
        """Returns True if a buffer has the expected bytes."""
        if actual.tobytes() == self.data.tobytes():
            return True
        return self.any_nan_at.size > 0 and np.array_equal(self.settled(actual), actual)

    def settled(self, actual):
        """Returns the expected bytes. If each NaN is allowed and the buffer has one, its bits are used."""
        if self.any_nan_at.size == 0:
            return self.data
        want = self.data.copy()
        elements = want[:want.size // self.storage.itemsize * self.storage.itemsize].view(self.storage)
        there = actual[:elements.nbytes].view(self.storage)[self.any_nan_at]
        is_nan = is_any_nan(there, self.data_type)
        elements[self.any_nan_at[is_nan]] = there[is_nan]
        return want


def zero_padded(layout, data_type, before):
    """Returns a buffer in which the padding is zero, and all other bits are unchanged."""
    data = before.copy()
    if layout.is_padded and layout.has_elements:
        elements = elements_in(data, data_type).copy()
        at = layout.element_offsets
        kept = elements[at]
        elements[layout.padded_element_offsets] = 0
        elements[at] = kept
        put_elements(data, data_type, elements)
    return data


def sums_of(written, layout, mask, factor):
    """Returns factor * the sum of the elements for each index of the masked axes, modulo 2^32.

    Padding is included. The sums are in the order in which they are stored.
    """
    dims = layout.dims
    kept = [axis for axis in range(len(dims)) if mask >> axis & 1]
    others = tuple(axis for axis in range(len(dims)) if axis not in kept)
    sums = written.astype(np.int64).reshape(dims).sum(axis=others) * factor
    out = np.zeros(masked(layout.padded_dims, mask), dtype=np.int64)
    out[tuple(slice(0, extent) for extent in masked(dims, mask))] = sums
    in_memory = np.empty_like(out.reshape(-1))
    in_memory[layout.places_of_sums(mask)] = out.reshape(-1)
    return in_memory.astype(np.uint32)


def reordered(src, src_type, source, dst, dst_type, before, attributes, extra, compensation):
    """Returns the destination's buffer after a reorder; the layouts are of class offsets.Layout."""
    data = zero_padded(dst, dst_type, before)
    nowhere = np.zeros(0, dtype=np.int64)
    if not dst.has_elements:
        return Expected(data, STORAGE[dst_type], dst_type, nowhere)
    elements = elements_in(source, src_type)[src.element_offsets]
    at = dst.element_offsets
    out = elements_in(data, dst_type).copy()
    scale_adjust = extra.scale_adjust if extra.flags & 2 else 1
    moves = attributes.is_trivial() and scale_adjust == 1
    with np.errstate(all="ignore"):
        if moves:
            out[at] = convert(elements, src_type, dst_type)
        else:
            out[at] = attribute_model.apply(elements, src_type, elements_in(before, dst_type)[at], dst_type, dst.dims,
                                            attributes, scale_adjust)
    written = out[at]
    put_elements(data, dst_type, out)
    for begin, mask, factor in compensation.sums:
        sums = sums_of(written, dst, mask, factor)
        data[begin:begin + sums.nbytes].view(np.uint32)[:] = sums
    if moves and src_type == dst_type:
        return Expected(data, STORAGE[dst_type], dst_type, nowhere)
    return Expected(data, STORAGE[dst_type], dst_type, at[is_any_nan(written, dst_type)])
