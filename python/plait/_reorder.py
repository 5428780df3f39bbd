"""Reorders: the same elements in another layout, as another type, and quantised on the way."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Dict, Optional, Sequence, Tuple, Type, Union, overload

import numpy as np
from numpy.typing import NDArray

from ._arrays import PLACES, Fit, Memory, array_of, elements_shape, layout_of, new_array, packed_bytes, packed_shape, shape_of_plain
from ._attributes import attributes_of, values_of
from ._layout import Layout
from ._arguments import MAX_AXES, numbers_of, text, wrong_type
from ._digits import begin_of
from ._library import MemoryDesc, call, library
from ._rejection import refuse
from ._types import DType, ElementType, T, check_conversion, check_type, element_type
from ._values import Values

Attribute = Union[None, float, "Sequence[float]", NDArray[Any], Values]


def described(layout: Layout, element: ElementType, name: str) -> MemoryDesc:
    """Returns the descriptor of a tensor whose pointer is to its lowest element."""
    desc = MemoryDesc.from_buffer_copy(layout._desc)
    begin = begin_of(layout)
    # Memory begins with a whole byte.
    desc.offset0 = layout.start - (begin - begin % PLACES if element.is_packed else begin)
    if element.converts:
        desc.data_type = element.number
    else:
        if element.dtype.itemsize == 16 and layout.ndim == MAX_AXES:
            raise refuse("ndims_is_out_of_range", f"{name} has {MAX_AXES} axes, but of {element.dtype}, which is moved in two halves, at most "
                         f"{MAX_AXES - 1} are possible", None, MAX_AXES, MAX_AXES - 1)
        call("plait_memory_desc_of_size", desc, desc, element.dtype.itemsize)
    return desc


def check_layouts(src: Any, dst: Any) -> None:
    """Raises an exception unless both are layouts with the same number of axes."""
    for name, layout in (("src", src), ("dst", dst)):
        if not isinstance(layout, Layout):
            raise wrong_type(name, "a plait.Layout", layout)
    if src.ndim != dst.ndim:
        raise refuse("rank_differs", f"src has {src.ndim} axes, but dst {dst.ndim}", None, src.ndim, dst.ndim)


def element_types(src_dtype: Optional[DType], dtype: DType) -> Tuple[ElementType, ElementType]:
    """Returns the types of the source and of the result, which are equal if src_dtype is None."""
    to = element_type(dtype)
    return to if src_dtype is None else element_type(src_dtype, "src_dtype"), to


class Reorder:
    """A reorder that is planned once, and moves data at each call. Threads may share it, each with arrays of its own.

    dtype is the type of the result; src_dtype that of the source, if it differs. Each element x becomes
    (x - src_zero_point) * src_scale * (1 / dst_scale) + dst_zero_point, computed in f32 (in f64 if either side is f64),
    then rounded to nearest even and saturated. A scale or zero point is a number, an array that NumPy would broadcast
    to the logical shape, or plait.Values: of other types, by group, or with a layout of their own.

    The first calls for a large tensor try several orders of loops, which all write the same bytes, and later calls use
    the fastest. choice is the choice of an equal plan in another process: the first call is then at full speed. With
    tries=False all calls are the same: as choice says, otherwise as the plan begins.

    >>> import numpy as np, plait
    >>> shape = (1, 17, 5, 4)
    >>> plan = plait.Reorder(plait.Layout("nchw", shape), plait.Layout("nChw16c", shape), dtype=np.float32)
    >>> plan(np.ones(shape, np.float32)).sum()          # the padding is zero
    340.0
    >>> plan.choice.endswith("0/1")                     # a small tensor: nothing is tried
    True
    """

    def __init__(self, src: Layout, dst: Layout, *, dtype: DType, src_dtype: Optional[DType] = None, src_scale: Attribute = None,
                 dst_scale: Attribute = None, src_zero_point: Attribute = None, dst_zero_point: Attribute = None,
                 choice: Optional[str] = None, tries: bool = True):
        if not isinstance(tries, (bool, np.bool_)):
            raise wrong_type("tries", "True or False", tries)
        check_layouts(src, dst)
        self.src, self.dst = src, dst
        self._from, self._to = element_types(src_dtype, dtype)
        given = dict(src_scale=src_scale, dst_scale=dst_scale, src_zero_point=src_zero_point, dst_zero_point=dst_zero_point)
        check_conversion(self._from, self._to, [name for name, value in given.items() if value is not None])
        # Copies, because the caller's arrays may change before this object is copied or pickled.
        values: Dict[str, Any] = {name: value if value is None or isinstance(value, Values) else values_of(value, dst.shape, name).copy()
                                  for name, value in given.items()}
        self._made_of = dict(dtype=dtype, src_dtype=src_dtype, tries=tries, **values)
        attributes, held = attributes_of(dst.shape, **values)
        self._fits = None if self._from.is_packed else Fit(src), None if self._to.is_packed else Fit(dst)
        plan = ctypes.c_void_p()
        pair = described(src, self._from, "src"), described(dst, self._to, "dst")
        call("plait_reorder_create", ctypes.byref(plan), *pair, ctypes.byref(attributes))
        del held  # the plan has copies
        self._plan = plan
        weakref.finalize(self, library.plait_reorder_destroy, ctypes.c_void_p(plan.value))
        if choice is not None:
            call("plait_reorder_set_choice", plan, text(choice, "choice"))
        if not tries:
            call("plait_reorder_stop_trials", plan)

    @property
    def choice(self) -> str:
        """What the trials have decided, as a line of text for the argument choice of an equal plan.

        It ends with the number of the order (0 is the plan's own, ? while orders are tried) and with how many there
        are. A plan for other layouts, types, another instruction set or version of plait refuses it.
        """
        words = ctypes.create_string_buffer(97)
        call("plait_reorder_get_choice", self._plan, words, len(words))
        return words.value.decode()

    def __call__(self, array: Any, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
        """Moves an array with the layout src into out, or into a new array, which has the layout dst. Returns that."""
        source = array_of(array, "array")
        check_type(source, self._from, "array")
        begin = self._memory_of(0, source, "array")
        if out is None:
            out = np.zeros(packed_shape(self.dst, self._to), np.uint8) if self._to.is_packed else new_array(self.dst, self._to.dtype)
        end = self._destination(out)
        call("plait_reorder_execute", self._plan, begin.address, begin.size, end.address, end.size)
        return out

    def _destination(self, out: Any) -> Memory:
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out has to be a NumPy array, and is {type(out).__name__}; a torch tensor on the CPU has tensor.numpy()")
        array_of(out, "out")
        if not out.flags.writeable:
            raise refuse("array_is_read_only", "out cannot be written")
        check_type(out, self._to, "out")
        return self._memory_of(1, out, "out")

    def _memory_of(self, side: int, array: NDArray[Any], what: str) -> Memory:
        fit = self._fits[side]
        if fit is not None:
            return fit.memory_of(array, what)
        return packed_bytes(array, (self.src, self.dst)[side], (self._from, self._to)[side], what)

    def __reduce__(self):
        return _plan_again, (self.src, self.dst, self._made_of)

    def __repr__(self) -> str:
        return f"<plait.Reorder {self._from.word} {self.src.name} -> {self._to.word} {self.dst.name}, {'x'.join(map(str, self.src.shape))}>"


def _plan_again(src: Layout, dst: Layout, made_of: dict) -> Reorder:
    return Reorder(src, dst, **made_of)


def _source_layout(array: NDArray[Any], said: Union[None, str, Layout], shape: Optional[Sequence[int]], element: ElementType) -> Layout:
    if isinstance(said, str):
        return Layout(said, shape_of_plain(elements_shape(array, element, "array"), said) if shape is None else shape)
    if said is None and element.is_packed:
        return Layout(elements_shape(array, element, "array") if shape is None else shape)
    if said is not None and not isinstance(said, Layout):
        raise wrong_type("src", "a tag, a plait.Layout or None", said)
    layout = layout_of(array) if said is None else said
    if shape is not None and numbers_of(shape, "shape") != layout.shape:
        raise refuse("dims_differ", f"shape is {numbers_of(shape, 'shape')}, but src has {layout.shape}")
    return layout


# Types that plait names by a word are arrays of integers, or of a dtype that only ml_dtypes has.
@overload
def reorder(array: NDArray[T], src: Union[None, str, Layout], dst: Union[None, str, Layout], *, dtype: None = None, src_dtype: None = None,
            shape: Optional[Sequence[int]] = None, src_scale: Attribute = None, dst_scale: Attribute = None, src_zero_point: Attribute = None,
            dst_zero_point: Attribute = None, out: Optional[NDArray[Any]] = None) -> NDArray[T]: ...
@overload
def reorder(array: Any, src: Union[None, str, Layout], dst: Union[None, str, Layout], *, dtype: Type[T], src_dtype: Optional[DType] = None,
            shape: Optional[Sequence[int]] = None, src_scale: Attribute = None, dst_scale: Attribute = None, src_zero_point: Attribute = None,
            dst_zero_point: Attribute = None, out: Optional[NDArray[Any]] = None) -> NDArray[T]: ...
@overload
def reorder(array: Any, src: Union[None, str, Layout], dst: Union[None, str, Layout], *, dtype: Optional[DType] = None,
            src_dtype: Optional[DType] = None, shape: Optional[Sequence[int]] = None, src_scale: Attribute = None, dst_scale: Attribute = None,
            src_zero_point: Attribute = None, dst_zero_point: Attribute = None, out: Optional[NDArray[Any]] = None) -> NDArray[Any]: ...


def reorder(array: Any, src: Union[None, str, Layout], dst: Union[None, str, Layout], *, dtype: Optional[DType] = None,
            src_dtype: Optional[DType] = None, shape: Optional[Sequence[int]] = None, src_scale: Attribute = None,
            dst_scale: Attribute = None, src_zero_point: Attribute = None, dst_zero_point: Attribute = None,
            out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """Returns the elements of an array in another layout, in a new array or in out.

    The result has an axis for each digit of dst, in their order in memory.
    - src: a tag, a plait.Layout, or None: the array's own shape and strides.
    - dst: a tag, a plait.Layout, or None: dense in logical order.
    - shape: the logical shape; required if src has blocks.
    - dtype: the type of the result; by default that of the source. dtype and src_dtype are dtypes, or plait's names for
      bits that NumPy has no dtype for: "bf16" in uint16, "f8_e5m2", "f8_e4m3", "e8m0" and "ue4m3" in uint8. Elements
      smaller than a byte ("u4", "s4", "f4_e2m1", ...) are packed in contiguous bytes, the first in the lowest bits.
      NumPy's other numbers (int64, uint32, complex64, ...) are moved as they are, and not converted.
    - Scales and zero points are those of plait.Reorder.

    Refused, with nothing written: arrays whose shape or strides are not those of the layout, elements of other types or
    byte orders, an out that is read-only or overlaps the source, and all that plait refuses.

    >>> import numpy as np, plait
    >>> x = np.arange(340, dtype=np.float32).reshape(1, 17, 5, 4)
    >>> plait.reorder(x, "nchw", "nhwc").shape
    (1, 5, 4, 17)
    >>> y = plait.reorder(x, "nchw", "nChw16c", dtype="bf16")
    >>> y.shape, y.dtype
    ((1, 2, 5, 4, 16), dtype('uint16'))
    >>> back = plait.reorder(y, "nChw16c", "nchw", shape=x.shape, src_dtype="bf16", dtype=np.float32)
    >>> abs(back - x).max()                              # bf16 has eight bits
    1.0
    """
    source = array_of(array, "array")
    kept = source.dtype if src_dtype is None else src_dtype
    element = element_type(kept, "the type of array" if src_dtype is None else "src_dtype")
    check_type(source, element, "array")
    layout = _source_layout(source, src, shape, element)
    if dst is None:
        dst = Layout(layout.shape)
    elif not isinstance(dst, (str, Layout)):
        raise wrong_type("dst", "a tag, a plait.Layout or None", dst)
    to = Layout(dst, layout.shape) if isinstance(dst, str) else dst
    made_of: Dict[str, Any] = dict(src_scale=src_scale, dst_scale=dst_scale, src_zero_point=src_zero_point, dst_zero_point=dst_zero_point)
    plan = Reorder(layout, to, dtype=kept if dtype is None else dtype, src_dtype=kept, **made_of)
    return plan(source, out)
