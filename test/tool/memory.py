"""The memory of a format, computed with NumPy alone."""

import re

import numpy


def letters_and_blocks(tag):
    outer, blocks = re.match(r"([A-Za-z]+)(.*)", tag).groups()
    return outer.lower(), [(int(size), axis) for size, axis in re.findall(r"(\d+)([a-z])", blocks)]


def to_memory(array, logical, tag):
    """Returns the array of a tag's memory, from an array whose axes are the letters of `logical`: pads, splits,
    transposes."""
    outer, blocks = letters_and_blocks(tag)
    total = {axis: 1 for axis in logical}
    for size, axis in blocks:
        total[axis] *= size
    array = numpy.pad(array, [(0, -extent % total[axis]) for axis, extent in zip(logical, array.shape)])
    shape, place = [], {axis: [] for axis in logical}
    for axis, extent in zip(logical, array.shape):
        place[axis].append(len(shape))
        shape.append(extent // total[axis])
        for size, blocked in blocks:
            if blocked == axis:
                place[axis].append(len(shape))
                shape.append(size)
    array = array.reshape(shape)
    order = [place[axis][0] for axis in outer]
    taken = {axis: 1 for axis in logical}
    for _, axis in blocks:
        order.append(place[axis][taken[axis]])
        taken[axis] += 1
    return numpy.ascontiguousarray(array.transpose(order))
