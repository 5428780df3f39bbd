"""NumPy's functions that copy arrays, by reorders.

They return, write and raise what NumPy's functions do. NumPy's own function is called for all that a reorder does not
do in the same way: small arrays, subclasses and lists, casts that may lose something, objects and structured elements,
masks, arrays that overlap, and whatever is an error.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, Optional, Tuple, Type, overload

import numpy as np
from numpy.typing import NDArray

from ._arrays import ALIGNMENT, layout_of_steps
from ._digits import front_of
from ._library import SUCCESS, library
from ._rejection import Rejection
from ._reorder import Reorder
from ._types import T

LEAST_BYTES = 1 << 16  # of the result: for smaller arrays, a call from Python costs more than it saves
_KEPT_PLANS = 128
# Elements that are no more than their bytes, by their size: what they are moved as. Objects have counts of references,
# and structured elements may have padding.
_MOVED_KINDS = "biufcmMSU"
_MOVED_AS = {size: np.dtype(name) for size, name in ((1, "uint8"), (2, "uint16"), (4, "uint32"), (8, "uint64"), (16, "complex128"))}
_CONVERTED = [np.dtype(name) for name in ("float64", "float32", "float16", "int32", "int8", "uint8")]


class _Copy(NamedTuple):
    """A plan, and of each side the bytes before the first element of the array, and the bytes in all."""
    plan: Reorder
    src_front: int
    src_size: int
    dst_front: int
    dst_size: int


@functools.lru_cache(maxsize=_KEPT_PLANS)
def _elements(src: np.dtype, dst: np.dtype) -> Optional[Tuple[np.dtype, np.dtype]]:
    """Returns the types that a reorder has for a copy; None if it does not write what NumPy would.

    Casts that NumPy calls safe have one possible result.
    """
    if src == dst and src.kind in _MOVED_KINDS and src.itemsize in _MOVED_AS:
        return _MOVED_AS[src.itemsize], _MOVED_AS[dst.itemsize]
    return (src, dst) if src in _CONVERTED and dst in _CONVERTED and np.can_cast(src, dst, "safe") else None


@functools.lru_cache(maxsize=_KEPT_PLANS)
def _planned(shape: Tuple[int, ...], src_strides: Tuple[int, ...], dst_strides: Tuple[int, ...], src: np.dtype, dst: np.dtype) -> Optional[_Copy]:
    """Returns the copy between arrays of a shape; None if plait refuses it, for example a destination that overlaps itself."""
    types = _elements(src, dst)
    if types is None:
        return None
    axes = [axis for axis, extent in enumerate(shape) if extent != 1]
    extents, layouts, places = [shape[axis] for axis in axes], [], []
    for strides, dtype in ((src_strides, src), (dst_strides, dst)):
        if any(strides[axis] % dtype.itemsize for axis in axes):
            return None
        steps = [strides[axis] // dtype.itemsize for axis in axes]
        span = 1 + sum((extent - 1) * abs(step) for extent, step in zip(extents, steps))
        places += [front_of(zip(extents, steps)) * dtype.itemsize, span * dtype.itemsize]
        layouts.append((extents, steps))
    try:
        plan = Reorder(layout_of_steps(*layouts[0]), layout_of_steps(*layouts[1]), dtype=types[1], src_dtype=types[0])
    except Rejection:
        return None
    return _Copy(plan, *places)


def _copied(src: NDArray[Any], dst: NDArray[Any]) -> bool:
    """Copies an array to another one of its shape. Returns False, with nothing written, if NumPy has to do it."""
    if not (src.flags.aligned and dst.flags.aligned):
        return False
    copy = _planned(src.shape, src.strides, dst.strides, src.dtype, dst.dtype)
    if copy is None:
        return False
    begin, end = src.__array_interface__["data"][0] - copy.src_front, dst.__array_interface__["data"][0] - copy.dst_front
    # Refused if the arrays overlap. No buffer is copied before it is checked.
    return library.plait_reorder_execute(copy.plan._plan, begin, copy.src_size, end, copy.dst_size) == SUCCESS


def _new(shape: Tuple[int, ...], dtype: np.dtype, size: int) -> NDArray[Any]:
    """Returns an uninitialised array that begins at a cache line, so that stores may go past the cache."""
    raw = np.empty(size + ALIGNMENT, np.uint8)
    begin = -raw.__array_interface__["data"][0] % ALIGNMENT
    return raw[begin:begin + size].view(dtype).reshape(shape)


@overload
def ascontiguousarray(a: NDArray[T], dtype: None = None, *, like: Any = None) -> NDArray[T]: ...
@overload
def ascontiguousarray(a: Any, dtype: Type[T], *, like: Any = None) -> NDArray[T]: ...
@overload
def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> NDArray[Any]: ...


def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> NDArray[Any]:
    """Returns np.ascontiguousarray(a, dtype): the array itself if it is contiguous, or a copy in C order.

    The copy of a large array is a reorder, which is several times as fast if axes change their order. It begins at a
    cache line. Everything else is NumPy's: smaller arrays, casts that are not safe, and errors.

    >>> import numpy as np, plait
    >>> image = np.zeros((480, 640, 3), np.uint8)
    >>> plait.ascontiguousarray(image.transpose(2, 0, 1)).shape
    (3, 480, 640)
    >>> plait.ascontiguousarray(image) is image
    True
    """
    if like is None and type(a) is np.ndarray and a.ndim > 0:  # an array without axes gets one
        wanted = a.dtype if dtype is None else np.dtype(dtype)
        size = a.size * wanted.itemsize
        if size >= LEAST_BYTES and not (a.flags.c_contiguous and wanted == a.dtype) and _elements(a.dtype, wanted) is not None:
            made = _new(a.shape, wanted, size)
            if _copied(a, made):
                return made
    return np.ascontiguousarray(a, dtype) if like is None else np.ascontiguousarray(a, dtype, like=like)


def copyto(dst: NDArray[Any], src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Does np.copyto(dst, src, casting, where): writes the elements of src into dst, whatever the strides of both.

    src is broadcast to the shape of dst. Large arrays are moved by a reorder. Everything else is NumPy's: smaller
    arrays, casts that are not safe, masks, arrays that overlap, and errors.

    >>> import numpy as np, plait
    >>> batch = np.zeros((8, 3, 480, 640), np.float32)
    >>> plait.copyto(batch[2], np.ones((480, 640, 3), np.uint8).transpose(2, 0, 1))
    >>> batch.sum(axis=(1, 2, 3))[:4]
    array([     0.,      0., 921600.,      0.], dtype=float32)
    """
    if where is True and type(dst) is np.ndarray and type(src) is np.ndarray and dst.nbytes >= LEAST_BYTES and dst.flags.writeable:
        if casting in ("same_kind", "safe", "unsafe") or casting in ("no", "equiv") and src.dtype == dst.dtype:
            wide = src
            if src.shape != dst.shape and src.ndim <= dst.ndim:
                try:
                    wide = np.broadcast_to(src, dst.shape)
                except ValueError:
                    pass
            if wide.shape == dst.shape and _copied(wide, dst):
                return
    np.copyto(dst, src, casting=casting, where=where)
