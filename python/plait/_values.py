"""Scales and zero points of any type, shared by groups of indices, or with a layout of their own."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence

import numpy as np

from ._arguments import int64s, numbers_of, wrong_type
from ._arrays import Fit, array_of, packed_bytes
from ._digits import begin_of
from ._layout import Layout
from ._library import MemoryDesc, ValuesStruct
from ._rejection import refuse
from ._types import DType, check_type, element_type


class Values:
    """Values of a scale or a zero point, with a type, and which positions share one.

    - group: one number per axis: how many adjacent indices share a value. `values` has one entry for each group, in
      row-major order; the last group of an axis may be shorter. Packed values may be in rows of whole bytes: an array
      with one row of bytes for each row of groups, in the shape of the groups.
    - layout: a plait.Layout of the tensor's shape. `values` is its memory, and a stride of 0 shares a value.
    - neither: an array that NumPy would broadcast to the tensor's shape.

    `dtype` names the type if NumPy has no dtype for it, as in plait.reorder: "bf16", "e8m0", or "u4" in packed bytes.
    Scales have any floating-point type but f64, zero points any integer type.

    >>> import numpy as np, plait
    >>> weights = np.array([[0x10, 0x32], [0x54, 0x76]], np.uint8)     # 0 1 2 3, 4 5 6 7 of u4
    >>> scales = plait.Values(np.array([[1, 2], [3, 4]], np.float16), group=(1, 2))
    >>> plait.reorder(weights, None, None, src_dtype="u4", dtype=np.float32, src_scale=scales)
    array([[ 0.,  1.,  4.,  6.],
           [12., 15., 24., 28.]], dtype=float32)
    """

    def __init__(self, values: Any, dtype: Optional[DType] = None, *, group: Optional[Sequence[int]] = None,
                 layout: Optional[Layout] = None):
        if group is not None and layout is not None:
            raise refuse("values_are_given_twice", "the values have a group and a layout, of which one says who shares a value")
        if layout is not None and not isinstance(layout, Layout):
            raise wrong_type("layout", "a plait.Layout", layout)
        array = array_of(values, "values")
        self.element = element_type(array.dtype if dtype is None else dtype, "the type of values")
        check_type(array, self.element, "values")
        if not self.element.converts:
            raise refuse("value_type_does_not_fit", f"the values are of {array.dtype}, but scales and zero points are of a type of plait")
        if self.element.is_packed and group is None and layout is None:
            raise refuse("group_is_missing", f"values of {self.element.word} are packed, so that their shape does not say which axes they "
                         "vary along: say group=, with 1 for these axes and the extent for the others")
        # A copy, because the caller's array may change before this object is used.
        self.array = array.copy() if layout is None else array
        self.group = None if group is None else numbers_of(group, "group")
        self.layout = layout

    def __repr__(self) -> str:
        way = f"group={self.group}" if self.layout is None else f"layout={self.layout!r}"
        return f"plait.Values({self.element.word}, {way})"

    def _fill(self, out: ValuesStruct, mask_of: Any, shape: Sequence[int], what: str) -> "list[Any]":
        """Writes the struct of C. Returns what must live as long as its pointers."""
        out.data_type = self.element.number
        if self.layout is not None:
            return self._fill_layout(out, self.layout, what)
        held = np.ascontiguousarray(self.array)
        groups = None
        if self.group is None:
            out.mask = mask_of(held, shape, what)
        else:
            if len(self.group) != len(shape):
                raise refuse("rank_differs", f"{what} has {len(self.group)} groups, but the tensor {len(shape)} axes", None, len(self.group),
                             len(shape))
            if desc := self._padded_rows(self.group, shape):
                out.data, out.size, out.layout = held.ctypes.data, held.nbytes, ctypes.addressof(desc)
                return [held, desc]
            groups = int64s(self.group, "group")
            out.group = ctypes.cast(groups, ctypes.c_void_p).value
        data = held.view(np.uint8) if held.ndim else held.reshape(1).view(np.uint8)
        out.data, out.size = data.ctypes.data, data.nbytes
        return [data, groups]

    def _padded_rows(self, group: Sequence[int], shape: Sequence[int]) -> "MemoryDesc | None":
        """Returns the layout of packed values by group if each row of groups has bytes of its own, of which some bits are unused."""
        bits = self.element.bits
        if not self.element.is_packed or self.array.ndim != len(shape) or min(group, default=0) < 1:
            return None
        groups = [-(-extent // each) for extent, each in zip(shape, group)]
        row = -(-groups[-1] * bits // 8)
        if groups[-1] * bits % 8 == 0 or row * 8 % bits or self.array.shape != (*groups[:-1], row):
            return None
        desc, stride = MemoryDesc(), 1
        desc.version, desc.ndims, desc.data_type, desc.format_kind = 1, len(shape), self.element.number, 2
        for axis in reversed(range(len(shape))):
            desc.dims[axis] = desc.padded_dims[axis] = shape[axis]
            if groups[axis] > 1:
                desc.padded_dims[axis], desc.blocking.strides[axis] = groups[axis] * group[axis], stride
                if group[axis] > 1:  # a block whose indices share a value
                    block = desc.blocking.inner_nblks
                    desc.blocking.inner_blks[block], desc.blocking.inner_idxs[block] = group[axis], axis
                    desc.blocking.inner_nblks += 1
            stride *= row * 8 // bits if axis == len(shape) - 1 else groups[axis]
        return desc

    def _fill_layout(self, out: ValuesStruct, layout: Layout, what: str) -> "list[Any]":
        desc = MemoryDesc.from_buffer_copy(layout._desc)
        desc.data_type, desc.offset0 = self.element.number, layout.start - begin_of(layout)
        if self.element.is_packed:
            memory = packed_bytes(self.array, layout, self.element, what)
        else:
            memory = Fit(layout).memory_of(self.array, what)
        out.data, out.size, out.layout = memory.address, memory.size, ctypes.addressof(desc)
        return [self.array, desc]
