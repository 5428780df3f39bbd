"""Numbers of packed-weight records: sums over the values that share a place, and factors of floating types."""

import numpy as np


def decode(bits, type_name):
    """Returns the numbers of f32, f16, bf16 and f64 bits, as float64."""
    if type_name == "f32":
        return bits.astype(np.uint32).view(np.float32).astype(np.float64)
    if type_name == "f16":
        return bits.astype(np.uint16).view(np.float16).astype(np.float64)
    if type_name == "bf16":
        return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    assert type_name == "f64", type_name
    return bits.astype(np.uint64).view(np.float64)


def encode(numbers, type_name):
    """Returns the bits of the nearest numbers, ties to even. Each number must be exact in float64 and be finite."""
    if type_name == "f32":
        return numbers.astype(np.float32).view(np.uint32).astype(np.uint64)
    if type_name == "f16":
        return numbers.astype(np.float16).view(np.uint16).astype(np.uint64)
    if type_name == "bf16":
        bits = numbers.astype(np.float32).view(np.uint32).astype(np.uint64)
        return (bits + np.uint64(0x7fff) + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)
    assert type_name == "f64", type_name
    return numbers.astype(np.float64).view(np.uint64)


def multiplied(bits, type_name, factor):
    with np.errstate(over="ignore"):
        return encode(decode(bits, type_name) * factor, type_name)


def divided(bits, type_name, factor):
    with np.errstate(over="ignore"):
        return encode(decode(bits, type_name) / factor, type_name)


def integers(field, bits):
    """Returns the numbers of a field's values. A mask of exactly the highest bit makes 2^(bits - 1) the zero."""
    numbers = bits.astype(np.int64)
    half = 1 << (field.bits - 1)
    if field.type in ("s4", "s8", "s32"):
        return np.where(numbers >= half, numbers - 2 * half, numbers)
    has_zero_point = field.type[0] == "u" and len(field.pieces) == 1 and field.pieces[0].field.mask == half
    return numbers - half if has_zero_point else numbers


def positions(record, field):
    """Returns for each index of the record, in row-major order, the position of its value in the field's tensor."""
    indices = [field.reduced(axis, np.arange(extent)) for axis, extent in record.dims.items()]
    return np.ravel_multi_index(np.broadcast_arrays(*np.ix_(*indices)), field.dims).reshape(-1)


def sums(record, field, values, parameters):
    """Returns the bits of factor * parameter * the sum over all indices that share a value of the field."""
    content = field.content
    summed = record.fields[content.name]
    numbers = integers(summed, values[content.name]).reshape(-1)[positions(record, summed)] - content.subtracted
    of_fibre = positions(record, field)
    factor = content.factor * (parameters[content.parameter] if content.parameter else 1)
    if content.scale is not None:
        out = ordered_sums(record, field, values, numbers, of_fibre) * np.float32(factor)
        return out.astype(np.float32).view(np.uint32).astype(np.uint64).reshape(field.dims)
    out = np.zeros(field.dims, dtype=np.int64)
    np.add.at(out.reshape(-1), of_fibre, numbers)
    if field.type == "f32":
        return (out.astype(np.float32) * np.float32(factor)).view(np.uint32).astype(np.uint64)
    return (out * factor).astype(np.uint64) & np.uint64((1 << field.bits) - 1)


def ordered_sums(record, field, values, numbers, of_fibre):
    """Returns f32 sums: integer sums over the digits that the content names, times the scale, in memory's order."""
    content = field.content
    scale_field = record.fields[content.scale]
    scales = decode(values[content.scale], scale_field.type).astype(np.float32)
    scales = scales.reshape(-1)[positions(record, scale_field)]
    piece, = record.fields[content.name].pieces
    places = piece.places({axis: np.arange(extent) for axis, extent in record.dims.items()}).reshape(-1)
    segment = of_fibre.astype(np.int64)
    for axis, index in zip(record.dims, np.indices(tuple(record.dims.values()))):
        index = index.reshape(-1)
        for step, extent in sorted(steps_of(content.inner, axis), reverse=True):
            index = index // (step * extent) * step + index % step
        segment = segment * record.dims[axis] + index
    # The first index of each segment in memory.
    order = np.argsort(places, kind="stable")
    _, first, which = np.unique(segment[order], return_index=True, return_inverse=True)
    integer = np.zeros(first.size, dtype=np.int64)
    np.add.at(integer, which, numbers[order])
    out = np.zeros(int(np.prod(field.dims)), dtype=np.float32)
    for number in np.argsort(first):
        element = order[first[number]]
        with np.errstate(all="ignore"):  # damaged scales may be infinite
            product = np.float32(integer[number]) * scales[element]
            out[of_fibre[element]] = out[of_fibre[element]] + product
    return out


def steps_of(digits, axis):
    """Returns (step, extent) of the digits of an axis. Those without a step fill the places between, the last first."""
    own = [digit for digit in digits if digit.axis == axis]
    marked = {digit.step: digit.extent for digit in own if digit.step is not None}
    out, step = list(marked.items()), 1
    for digit in reversed(own):
        if digit.step is None:
            while step in marked:
                step *= marked[step]
            out.append((step, digit.extent))
            step *= digit.extent
    return out
