"""Scales and zero points: a number, an array that NumPy would broadcast to the tensor, or plait.Values."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from ctypes import POINTER, c_float, c_int32
from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._arguments import brief
from ._library import AttributeValues, Attributes, call
from ._rejection import Rejection, WrongType, refuse
from ._values import Values


def _mask_of(values: NDArray[Any], shape: Sequence[int], what: str) -> int:
    """Returns a bit for each axis that the values vary along: 2 for the shape (17, 1, 1) and a tensor (1, 17, 5, 4)."""
    first, mask = len(shape) - values.ndim, 0
    for k, count in enumerate(values.shape):
        axis = first + k
        if count != 1 and (axis < 0 or count != shape[axis]):
            raise refuse("attribute_shape_differs", f"{what} has the shape {values.shape}, which NumPy would not broadcast to "
                         f"{tuple(shape)}; a value for each channel of nchw has the shape (C, 1, 1)", axis if axis >= 0 else None, count,
                         shape[axis] if axis >= 0 else 0)
        if count != 1:
            mask |= 1 << axis
    return mask


def other_type(what: str, wanted: str) -> Rejection:
    return WrongType(f"attribute_has_other_type: {what} has to be of {wanted}", "attribute_has_other_type")


def values_of(given: Any, shape: Sequence[int], what: str) -> NDArray[Any]:
    """Returns an attribute as an array. If NumPy cannot make one, the rejection names the attribute."""
    if isinstance(given, np.ma.MaskedArray):
        raise refuse("array_is_masked", f"{what} is a masked array, whose mask would be dropped; array.filled() is an array")
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) and len(given) > max((1, *shape)):
        raise refuse("attribute_shape_differs", f"{what} has {len(given)} entries, more than any axis of {tuple(shape)} has", None, len(given),
                     max((1, *shape)))
    try:
        return np.asarray(given)
    except (TypeError, ValueError, OverflowError) as why:
        raise other_type(what, f"numbers or an array of them, and is {type(given).__name__}: {why}") from None


def check_large_integers(values: NDArray[Any], what: str) -> None:
    """Refuses integers beyond 64 bits, which NumPy stores as objects."""
    for value in values.reshape(-1):
        try:
            number = operator.index(value)
        except TypeError:
            return
        if not -2**63 <= number < 2**64:
            raise refuse("number_is_too_large", f"{what} has {brief(number)}, which no type of the arithmetic holds")


def _fill(target: Any, given: Any, ctype: Any, shape: Sequence[int], what: str) -> "NDArray[Any] | None":
    """Writes an attribute. Returns the array that must live as long as its pointer."""
    if given is None:
        return None
    values = values_of(given, shape, what)
    if values.dtype == object:
        check_large_integers(values, what)
    if values.dtype.kind not in ("fiu" if ctype is c_float else "iu"):
        raise other_type(what, f"{'numbers' if ctype is c_float else 'integers'}, and is of {values.dtype}")
    if ctype is c_int32:
        for number in values[(values < -2**31) | (values >= 2**31)].reshape(-1)[:1]:
            raise refuse("number_is_too_large", f"{what} has {number}, which 32 bits do not hold")
    mask = _mask_of(values, shape, what)
    with np.errstate(over="ignore"):  # refused below
        held = np.ascontiguousarray(values, np.float32 if ctype is c_float else np.int32).reshape(-1)
    if not (np.isfinite(held) | ~np.isfinite(values.reshape(-1))).all():
        raise refuse("number_is_too_large", f"{what} has a number that f32 does not hold")
    if mask == 0:
        target.value = held[0].item()
        return None
    target.mask, target.count = mask, held.size
    target.values = held.ctypes.data_as(POINTER(ctype))
    return held


def attributes_of(dst_shape: Sequence[int], src_scale: Any, dst_scale: Any, src_zero_point: Any, dst_zero_point: Any,
                  src_shape: Optional[Sequence[int]] = None) -> Tuple[Attributes, List[Any]]:
    """Returns the struct, and the arrays that it points to. The shape of the source is that of the destination if it is not given."""
    made, values = Attributes(), AttributeValues()
    call("plait_reorder_attributes_init", ctypes.byref(made))
    given = dict(src_scale=src_scale, dst_scale=dst_scale, src_zero_point=src_zero_point, dst_zero_point=dst_zero_point)
    held: List[Any] = [values]
    for name, value in given.items():
        shape = src_shape if src_shape is not None and name.startswith("src") else dst_shape
        if isinstance(value, Values):
            held += value._fill(getattr(values, name), _mask_of, shape, name)
            made.values = ctypes.pointer(values)
        else:
            held.append(_fill(getattr(made, name), value, c_float if name.endswith("scale") else c_int32, shape, name))
    return made, held
