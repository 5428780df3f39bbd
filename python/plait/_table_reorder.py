"""Reorders of tensors of which one axis is read through a table: pages of a cache, or groups of different sizes."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._arguments import brief, integer, wrong_type
from ._arrays import Fit, array_of
from ._attributes import attributes_of, values_of
from ._layout import Layout
from ._library import Table, TableAxis, call, library
from ._rejection import refuse
from ._reorder import Attribute, check_layouts, described, element_types
from ._types import DType, check_conversion, check_type
from ._values import Values

Given = Union[None, NDArray[Any], Sequence[int], Sequence[Tuple[Any, ...]]]


class _Axis(NamedTuple):
    """The axis of one side that is read through a table."""
    axis: int
    block: int
    grouped: bool


def _axis_of(table: Any, groups: Any, side: str, ndim: int) -> Optional[_Axis]:
    if table is not None and groups is not None:
        raise refuse("table_is_doubled", f"{side}_table and {side}_groups are both given, but an axis has one table")
    given, name = (table, f"{side}_table") if groups is None else (groups, f"{side}_groups")
    if given is None:
        return None
    if not isinstance(given, tuple) or len(given) != 2:
        raise wrong_type(name, "a tuple (axis, block)", given)
    axis, block = (integer(number, f"the {word} of {name}") for number, word in zip(given, ("axis", "block")))
    if not 0 <= axis < ndim:
        raise refuse("axis_is_out_of_range", f"there is no axis {brief(axis)} in a layout of {ndim} axes, as {name} says", None, axis, ndim)
    if not 0 < block < 2**63:
        raise refuse("blocks_do_not_align", f"{name} has blocks of {brief(block)} indices", axis, block)
    return _Axis(axis, block, groups is not None)


def _integers(given: Any, what: str) -> NDArray[Any]:
    """Returns a table as a contiguous array of integers of 32 or 64 bits."""
    if isinstance(given, np.ma.MaskedArray):
        raise refuse("array_is_masked", f"{what} is a masked array, whose mask would be dropped; array.filled() is an array")
    if not isinstance(given, (np.ndarray, list, tuple)):
        raise wrong_type(what, "an array or a list of integers", given)
    try:
        numbers = np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise wrong_type(what, "an array or a list of integers", given) from None
    if numbers.size == 0:
        numbers = numbers.astype(np.int64)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise TypeError(f"{what} has to be an array or a list of integers, and has the shape {numbers.shape} and the type {numbers.dtype}")
    if numbers.dtype == np.uint64 and (numbers >= 2**63).any():
        raise refuse("number_is_too_large", f"{what} has {int(numbers.max())}, which 63 bits do not hold")
    # Native and signed: a type of 32 bits stays, all others become 64 bits.
    return np.ascontiguousarray(numbers, np.int32 if numbers.dtype == np.int32 else np.int64)


class TableReorder:
    """A reorder of tensors of which one axis is read through a table, planned once; each call takes tables of its own.

    src_table and dst_table are (axis, block): index i of the axis lies where index table[i // block] * block + i % block
    of the layout lies. src_groups and dst_groups are (axis, block) too: the table then has the n + 1 offsets of n groups,
    each of which begins at the next multiple of block. At least one of the four is given, and the axis is the same on
    both sides. Types, scales and zero points are those of plait.Reorder. Values that differ along the axis belong to the tensor of
    their side: plait.Values(scales, group=(block, ...)) is one for each page, found by the number of the page; only
    scales of pages that a call uses are checked. They are copied when the reorder is made.

    A table of a call is an array or a list of integers, or, for several sequences, a list of tuples (table, extent) or
    (table, extent, first): `extent` indices of the sequence from `first` on, one sequence after the other.

    Refused, with nothing written: entries out of range, entries that repeat where they are written, tables that are too
    short, offsets that fall or end elsewhere.

    >>> import numpy as np, plait
    >>> pages = plait.Layout("abcd", (8, 2, 4, 3)).rearrange("p h t d -> (p t) h d")     # 8 pages of 4 tokens
    >>> tokens = plait.Layout("abc", (10, 2, 3))
    >>> write = plait.TableReorder(tokens, pages, dtype=np.float32, dst_table=(0, 4))
    >>> cache = np.zeros((8, 2, 4, 3), np.float32)
    >>> x = np.arange(60, dtype=np.float32).reshape(10, 2, 3)
    >>> _ = write(x, cache, dst_table=[5, 2, 7])         # token 9 is the second of page 7
    >>> bool((cache[7, :, 1] == x[9]).all())
    True
    """

    def __init__(self, src: Layout, dst: Layout, *, dtype: DType, src_dtype: Optional[DType] = None,
                 src_table: Optional[Tuple[int, int]] = None, dst_table: Optional[Tuple[int, int]] = None,
                 src_groups: Optional[Tuple[int, int]] = None, dst_groups: Optional[Tuple[int, int]] = None,
                 src_scale: Attribute = None, dst_scale: Attribute = None, src_zero_point: Attribute = None,
                 dst_zero_point: Attribute = None):
        check_layouts(src, dst)
        self.src, self.dst = src, dst
        self._from, self._to = element_types(src_dtype, dtype)
        for name, element in (("src_dtype", self._from), ("dtype", self._to)):
            if element.is_packed:
                raise refuse("type_has_no_array", f"{name} is {element.word}, whose elements are smaller than a byte; the C interface moves them")
        given = dict(src_scale=src_scale, dst_scale=dst_scale, src_zero_point=src_zero_point, dst_zero_point=dst_zero_point)
        check_conversion(self._from, self._to, [name for name, value in given.items() if value is not None])
        values = {name: value if value is None or isinstance(value, Values) else values_of(value, (src if name.startswith("src") else dst).shape, name)
                  for name, value in given.items()}
        self._tables = _axis_of(src_table, src_groups, "src", src.ndim), _axis_of(dst_table, dst_groups, "dst", dst.ndim)
        attributes, held = attributes_of(dst.shape, src_shape=src.shape, **values)
        self._fits = Fit(src), Fit(dst)
        plan = ctypes.c_void_p()
        pair = described(src, self._from, "src"), described(dst, self._to, "dst")
        axes = [None if side is None else ctypes.byref(TableAxis(axis=side.axis, grouped=side.grouped, block=side.block)) for side in self._tables]
        call("plait_table_reorder_create", ctypes.byref(plan), *pair, *axes, ctypes.byref(attributes))
        del held  # the plan has copies
        self._plan = plan
        weakref.finalize(self, library.plait_table_reorder_destroy, ctypes.c_void_p(plan.value))

    def __call__(self, array: Any, out: NDArray[Any], *, src_table: Given = None, dst_table: Given = None) -> NDArray[Any]:
        """Moves the indices of the tables from array into out, and returns out. What no index names stays as it is."""
        source = array_of(array, "array")
        check_type(source, self._from, "array")
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out has to be a NumPy array, and is {type(out).__name__}; a torch tensor on the CPU has tensor.numpy()")
        array_of(out, "out")
        if not out.flags.writeable:
            raise refuse("array_is_read_only", "out cannot be written")
        check_type(out, self._to, "out")
        begin, end = self._fits[0].memory_of(source, "array"), self._fits[1].memory_of(out, "out")
        read, written = self._tables_of(0, src_table, "src_table"), self._tables_of(1, dst_table, "dst_table")
        call("plait_table_reorder_execute", self._plan, begin.address, begin.size, end.address, end.size, *read[:2], *written[:2])
        return out

    def json(self, *, src_table: Given = None, dst_table: Given = None) -> str:
        """Returns what a call with these tables moves, as a plan in JSON that a program without plait can execute.

        "moves" says of each page, or part of one, where it begins on both sides, in elements; "units" what it consists
        of; "zeros" which places of out become zero. "from" and "to" have the digest of each side's layout, and how many
        places its memory has. examples/19_ranks/run_plan.py executes such a plan with NumPy alone. Elements of
        different types are converted by the program that executes the plan.

        Refused: wrong tables, as in a call; a reorder with scales or zero points (plan_has_attributes); a plan of over
        4194304 moves and loop nests.

        >>> import json, numpy as np, plait
        >>> tokens, pages = plait.Layout("ab", (3, 2)), plait.Layout("ab", (8, 2))     # 4 pages of 2 tokens
        >>> write = plait.TableReorder(tokens, pages, dtype=np.float32, dst_table=(0, 2))
        >>> json.loads(write.json(dst_table=[3, 1]))["moves"]     # unit, where it begins in tokens, and in pages
        [[0, 0, 12], [1, 4, 4]]
        """
        read, written = self._tables_of(0, src_table, "src_table"), self._tables_of(1, dst_table, "dst_table")
        needed = ctypes.c_size_t()

        def write(text: Optional[ctypes.Array], size: int) -> None:
            call("plait_table_reorder_format_json", self._plan, *read[:2], *written[:2], text, size, ctypes.byref(needed))

        write(None, 0)
        text = ctypes.create_string_buffer(needed.value)
        write(text, needed.value)
        return text.value.decode()

    def _extent_of_other(self, side: int) -> Optional[int]:
        other = self._tables[1 - side]
        axis = self._tables[side]
        if other is not None or axis is None:
            return None
        return (self.dst, self.src)[side].shape[axis.axis]

    def _tables_of(self, side: int, given: Any, what: str) -> Tuple[Any, int, List[NDArray[Any]]]:
        """Returns the tables of a side for C, their number, and the arrays that they point to."""
        if self._tables[side] is None:
            if given is not None:
                raise refuse("table_is_not_expected", f"{what} is given, but the plan has no table there")
            return None, 0, []
        if given is None:
            raise refuse("table_is_missing", f"{what} is not given, but the plan has a table there")
        axis = self._tables[side]
        assert axis is not None
        parts: List[Tuple[NDArray[Any], int, int]] = []
        if isinstance(given, (list, tuple)) and given and all(isinstance(part, tuple) for part in given) and not axis.grouped:
            for k, part in enumerate(given):
                if len(part) not in (2, 3):
                    raise wrong_type(f"sequence {k} of {what}", "a tuple (table, extent) or (table, extent, first)", part)
                numbers = [integer(number, f"number {n} of sequence {k} of {what}") for n, number in enumerate(part[1:], 1)]
                if not all(-2**63 <= number < 2**63 for number in numbers):
                    raise refuse("number_is_too_large", f"sequence {k} of {what} has a number that 64 bits do not hold")
                parts.append((_integers(part[0], f"table {k} of {what}"), numbers[0], numbers[1] if len(numbers) == 2 else 0))
        else:
            entries = _integers(given, what)
            extent = self._extent_of_other(side)
            parts.append((entries, len(entries) * axis.block if extent is None else extent, 0))
        tables = (Table * len(parts))()
        for table, (entries, extent, first) in zip(tables, parts):
            table.entries, table.count, table.bits = entries.ctypes.data, len(entries), 8 * entries.itemsize
            table.extent, table.first = extent, first
        return tables, len(parts), [part[0] for part in parts]

    def __repr__(self) -> str:
        return f"<plait.TableReorder {self._from.word} {self.src.name} -> {self._to.word} {self.dst.name}>"
