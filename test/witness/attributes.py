"""Scales, zero points and beta: the attributes of a case, and their effect on each value (semantics 12).

    ((x - src_zero_point) * src_scale + beta * old) * (1 / dst_scale) + dst_zero_point

Each operation rounds separately. Integers are first converted to the formula's type. If the destination has
scale_adjust, the scale is the product, rounded to float32. A zero point of 0 is not added, because that would turn -0
into +0. Scales of the source are any numbers; values are divided by those of the destination. If all scales are 1, all
zero points 0 and beta is 0, elements are only converted.
"""

import ctypes
from dataclasses import dataclass, field

import numpy as np

import capi
from element_types import INTEGERS, from_numbers, integers_in, number_type, to_numbers
from offsets import layout_of, masked

NAMES = ("src_scale", "dst_scale", "src_zero_point", "dst_zero_point")
NEUTRAL = {"src_scale": 1, "dst_scale": 1, "src_zero_point": 0, "dst_zero_point": 0}


@dataclass
class ByAxes:
    """One number for the tensor (mask 0), or one per index of the masked axes, the last axis fastest."""
    mask: int
    values: np.ndarray
    as_array: bool  # true if a single number for the tensor is passed by pointer

    def is_neutral(self, neutral):
        return bool((self.values == neutral).all())

    def of_elements(self, dims):
        """Returns the number of each element, in a shape that broadcasts to dims."""
        shape = [extent if self.mask >> axis & 1 else 1 for axis, extent in enumerate(dims)]
        return self.values.reshape(shape)


def as_numbers(elements, data_type):
    """Returns the values of an attribute as numbers: float32 for scales, int32 for zero points."""
    return integers_in(elements, data_type).astype(np.int32) if data_type in INTEGERS else \
        to_numbers(elements, data_type, np.float32)


@dataclass
class Typed:
    """Values of any type, by mask, by group, or by a layout of their own."""
    data_type: int
    elements: np.ndarray  # all that the array has
    memory: np.ndarray    # the same elements as bytes
    mask: int = 0
    group: object = None  # a list with one number per axis
    desc: object = None   # the descriptor of the values, capi.MemoryDesc
    as_array: bool = True

    def __post_init__(self):
        self.numbers = as_numbers(self.elements, self.data_type)
        self.places = None if self.desc is None else layout_of(self.desc).element_offsets

    @property
    def values(self):
        """Returns the numbers that some position has."""
        return self.numbers if self.places is None else self.numbers[self.places]

    def is_neutral(self, neutral):
        return bool((self.values == neutral).all())

    def of_elements(self, dims):
        if self.desc is not None:
            return self.values.reshape(dims)
        if self.group is None:
            return self.numbers.reshape([extent if self.mask >> axis & 1 else 1 for axis, extent in enumerate(dims)])
        out = self.numbers.reshape(groups_of(dims, self.group))
        for axis, group in enumerate(self.group):
            if out.shape[axis] != dims[axis]:
                out = np.repeat(out, group if group < dims[axis] else dims[axis], axis=axis)
                out = out.take(range(dims[axis]), axis=axis)
        return out

    def fill(self, out):
        """Writes the struct of C. The memory it points to is this object's."""
        out.data, out.size = self.memory.ctypes.data, self.memory.size
        out.data_type, out.mask = self.data_type, self.mask
        if self.group is not None:
            self.group_in_c = capi.numbers(self.group)
            out.group = ctypes.addressof(self.group_in_c)
        if self.desc is not None:
            out.layout = ctypes.addressof(self.desc)

    def __str__(self):
        if self.desc is not None:
            return f"layout {capi.fields_of(self.desc)}"
        way = f"mask {self.mask}" if self.group is None else f"group {self.group}"
        return f"{capi.TYPE_NAMES[self.data_type]} {way}"


def groups_of(dims, group):
    """Returns how many groups each axis has: one, if a group is the whole axis; the last one may be shorter."""
    return [-(-extent // each) if each < extent else 1 for extent, each in zip(dims, group)]


@dataclass
class Attributes:
    """The attributes of a reorder, as numbers; `by_name` has those that are given."""
    by_name: dict = field(default_factory=dict)
    beta: np.float32 = np.float32(0)

    def is_trivial(self):
        return self.beta == 0 and all(given.is_neutral(NEUTRAL[name]) for name, given in self.by_name.items())

    def refusals(self):
        """Returns the reasons to refuse these attributes for any tensors."""
        def is_scale(values):
            return np.isfinite(values) & (values != 0)
        scales = [given.values for name, given in self.by_name.items() if name == "dst_scale"]
        return (["scale_is_invalid"] if not all(is_scale(values).all() for values in scales) else []) + \
            (["beta_is_not_finite"] if not np.isfinite(self.beta) else [])

    def as_struct(self):
        out = capi.Attributes()
        out.version = 1
        out.beta = self.beta
        out.src_scale.value = out.dst_scale.value = 1
        out.held = values = capi.AttributeValues()  # kept alive by the struct that points to it
        for name, given in self.by_name.items():
            if isinstance(given, Typed):
                given.fill(getattr(values, name))
                out.values = ctypes.addressof(values)
                continue
            one = getattr(out, name)
            one.mask = given.mask
            if given.as_array or given.mask != 0:
                one.values, one.count = given.values.ctypes.data, given.values.size
            else:
                one.value = given.values[0]
        return out

    def __str__(self):
        def short(values):
            return str(values.tolist() if values.size <= 8 else values[:8].tolist() + ["..."])
        given = [f"{name} {a if isinstance(a, Typed) else f'mask {a.mask}'} {short(a.values)}"
                 for name, a in self.by_name.items()]
        return ", ".join(given + [f"beta {self.beta}"])


def values_of_mask(dims, mask):
    return int(np.prod(masked(dims, mask), dtype=np.int64))


def apply(elements, src_type, old, dst_type, dims, attributes, scale_adjust):
    """Converts elements from one type to another with attributes; `old` is the content of the destination."""
    number = number_type(src_type, dst_type)
    given = attributes.by_name
    x = to_numbers(elements, src_type, number).reshape(dims)

    def of(name):
        return given[name].of_elements(dims).astype(number)

    if "src_zero_point" in given:
        x = x - of("src_zero_point")
    scale = given["src_scale"].of_elements(dims) if "src_scale" in given else np.ones((), np.float32)
    x = x * (scale * np.float32(scale_adjust)).astype(number)
    if attributes.beta != 0:
        x = x + number(attributes.beta) * to_numbers(old, dst_type, number).reshape(dims)
    if "dst_scale" in given:
        x = x * (number(1) / of("dst_scale"))
    if "dst_zero_point" in given:
        point = of("dst_zero_point")
        x = np.where(point == 0, x, x + point)
    assert x.dtype == number
    return from_numbers(x.reshape(-1), dst_type)
