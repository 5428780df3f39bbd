"""Random views of descriptors, each with its law: each element keeps its offset (semantics 5, 6, 8)."""

import numpy as np

from draw import MOST_PADDED, product_of
from offsets import layout_of


class LawBroken(Exception):
    """A view that has elements at other offsets than its law requires."""


def require_law(holds, name, source, made):
    if not holds():
        import capi
        raise LawBroken(f"{name} has its elements elsewhere:\n  of  {capi.fields_of(source)}\n  made "
                        f"{capi.fields_of(made)}")


def submemory(draw, library, dims, data_type, make):
    """Returns a part of a larger tensor; the parent's blocks limit where it may begin."""
    step = draw.choice([1, 1, 2, 4, 8, 16])
    front = [step * draw.choice([0, 0, 1, 2]) if draw.chance(0.7) else draw.randint(0, 6) for _ in dims]
    behind = [draw.choice([0, 0, 0, 1, 2, 5, 8, 16]) for _ in dims]
    whole = [f + d + b for f, d, b in zip(front, dims, behind)]
    if product_of(whole) > max(MOST_PADDED, 2 * product_of(dims)):
        return None
    parent = make(draw, library, whole, data_type)
    made = library.submemory(parent, dims, front)

    def holds():
        of = layout_of(parent)
        part = of.offsets([table[p + f:p + f + d] for table, p, f, d in zip(of.tables, of.padded_offsets, front, dims)])
        return np.array_equal(part, layout_of(made).element_offsets)
    require_law(holds, f"submemory at {front}", parent, made)
    return made


def permuted(draw, library, dims, data_type, make):
    """Returns a tensor with permuted axes: axis i becomes axis perm[i]."""
    perm = draw.sample(range(len(dims)), len(dims))
    parent = make(draw, library, [dims[axis] for axis in perm], data_type)
    made = library.permute_axes(parent, perm)

    def holds():
        of = layout_of(parent).element_offsets.reshape([dims[axis] for axis in perm])
        return np.array_equal(np.moveaxis(of, range(len(perm)), perm).reshape(-1), layout_of(made).element_offsets)
    require_law(holds, f"permute_axes by {perm}", parent, made)
    return made


def parts_of(draw, extent):
    """Returns an extent as a product of two."""
    divisors = [d for d in range(1, extent + 1) if extent % d == 0] if extent > 0 else [1]
    divisor = draw.choice(divisors)
    return [divisor, extent // divisor] if extent > 0 else [extent]


def reshaped(draw, library, dims, data_type, make):
    """Returns a tensor made with axes joined, split or added, and reshaped to the extents `dims`."""
    others = []
    for extent in dims:
        kind = draw.weighted({"as it is": 4, "split": 2, "joined": 3, "beside one": 1})
        if kind == "joined" and others:
            others[-1] *= extent
        elif kind == "split":
            others += parts_of(draw, extent)
        else:
            others += [1, extent] if kind == "beside one" else [extent]
    if len(others) > 12:
        return None
    parent = make(draw, library, others, data_type)
    name = "reshape" if draw.chance(0.25) else "view"
    made = getattr(library, name)(parent, dims)
    require_law(lambda: np.array_equal(layout_of(parent).element_offsets, layout_of(made).element_offsets),
                f"{name} of {others} as {dims}", parent, made)
    return made
