"""One side of a drawn row: a layout as text for read_rows.cpp, as a C++ expression, and its size."""

import re

def bytes_of(element):
    """The size of an element type: its name begins with a letter or two and the bits."""
    return int(re.match(r"[a-z]+(\d+)", element)[1]) // 8


def blocks_of(tag):
    """The product of an axis's blocks, by its letter."""
    out = {}
    for size, axis in re.findall(r"(\d+)([a-z])", tag):
        out[axis] = out.get(axis, 1) * int(size)
    return out


def padded(dims, tag):
    blocks = blocks_of(tag)
    return [-(-extent // block) * block for extent, block in ((e, blocks.get("abcdefghijkl"[a], 1)) for a, e in enumerate(dims))]


def product(numbers):
    out = 1
    for x in numbers:
        out *= x
    return out


def text(numbers):
    return "x".join(map(str, numbers))


def cpp(numbers):
    return "{" + ", ".join(map(str, numbers)) + "}"


class Side:
    """One layout: a tag, and perhaps strides, a larger tensor that it is a part of, or an axis along which it is broadcast."""

    def __init__(self, dims, tag, steps=""):
        self.dims, self.tag, self.steps = list(dims), tag, [int(s) for s in steps.split("x")] if steps else []
        self.whole = self.first = self.axis = None

    def whole_dims(self):
        dims = list(self.whole or self.dims)
        if self.axis is not None:
            dims[self.axis] = 1
        return dims

    def bytes(self, kind):
        if self.steps:
            return (1 + sum((e - 1) * s for e, s in zip(self.dims, self.steps))) * bytes_of(kind)
        return product(padded(self.whole_dims(), self.tag)) * bytes_of(kind)

    def __str__(self):
        """What read_rows.cpp reads."""
        out = f"{text(self.whole_dims())} {self.tag}"
        if self.steps:
            out += f" strides {text(self.steps)}"
        if self.first:
            out += f" part {text(self.dims)} {text(self.first)}"
        if self.axis is not None:
            out += f" broadcast {self.axis} {self.dims[self.axis]}"
        return out

    def expression(self):
        steps = f", strides{cpp(self.steps)}" if self.steps else ""
        out = f'layout({cpp(self.whole_dims())}, "{self.tag}"{steps})'
        if self.first:
            out = f"submemory({out}, {cpp(self.dims)}, {cpp(self.first)})"
        if self.axis is not None:
            out = f"broadcast_axis({out}, {self.axis}, {self.dims[self.axis]})"
        return out
