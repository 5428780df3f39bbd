"""Contiguous copies between layouts, compared with NumPy's arrays of offsets."""

import numpy as np
import plait
import pytest


def offsets(layout):
    """The offset of each element, in row-major order."""
    return np.array([layout.offset(*at) for at in np.ndindex(*layout.shape)], np.int64)


def fewest(src, dst):
    """The copies, found by sorting the elements by their offset in the destination."""
    to, source = offsets(dst), offsets(src)
    order = np.argsort(to)
    to, source = to[order], source[order]
    begins = np.flatnonzero(np.concatenate([[True], (np.diff(to) != 1) | (np.diff(source) != 1)]))
    counts = np.diff(np.concatenate([begins, [len(to)]]))
    return list(zip(to[begins].tolist(), source[begins].tolist(), counts.tolist()))


@pytest.mark.parametrize("src, dst, shape", [("nhwc", "nChw16c", (2, 17, 3, 2)), ("nChw8c", "nChw16c", (1, 33, 2, 2)),
                                             ("ab", "ba", (5, 7)), ("Ab4a", "bA6a", (13, 2)),
                                             ("abc", "abc", (3, 4, 5)), ("abcd", "acbd", (2, 3, 4, 5))])
def test_copies(src, dst, shape):
    a, b = plait.Layout(src, shape), plait.Layout(dst, shape)
    wanted = fewest(a, b)
    assert plait.copies(a, b).tolist() == wanted
    assert plait.count_copies(a, b) == len(wanted)


def test_copies_move_an_array():
    a, b = plait.Layout("nhwc", (1, 17, 5, 4)), plait.Layout("nChw16c", (1, 17, 5, 4))
    x = np.arange(340, dtype=np.float32).reshape(1, 5, 4, 17)
    y = np.zeros(b.memory_shape, np.float32)
    for dst, src, count in plait.copies(a, b).tolist():
        y.reshape(-1)[dst:dst + count] = x.reshape(-1)[src:src + count]
    assert (y == plait.reorder(x, "nhwc", "nChw16c", shape=(1, 17, 5, 4))).all()


def test_no_axes_and_no_elements():
    assert plait.copies(plait.Layout(()), plait.Layout(())).tolist() == [(0, 0, 1)]
    assert plait.copies(plait.Layout("ab", (0, 3)), plait.Layout("ba", (0, 3))).tolist() == []


def test_what_is_refused():
    with pytest.raises(plait.Rejection) as why:
        plait.count_copies(plait.Layout("ab", (2, 3)), plait.Layout("ab", (2, 4)))
    assert (why.value.reason, why.value.axis, why.value.numbers[:2]) == ("dims_differ", 1, (3, 4))
    with pytest.raises(plait.Rejection, match="destination_is_not_injective"):
        plait.copies(plait.Layout("ab", (2, 3)), plait.Layout((2, 3), strides=(0, 1)))
    with pytest.raises(plait.Rejection, match="rank_differs"):
        plait.count_copies(plait.Layout(()), plait.Layout("a", (1,)))
