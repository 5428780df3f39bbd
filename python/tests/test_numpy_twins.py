"""ascontiguousarray and copyto are NumPy's functions: the same elements, types, strides and errors, for random arrays."""

import random
import warnings

import numpy as np
import plait
import plait._numpy as twins
import pytest

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g", "c8", "c16", ">i4", ">f8", "M8[s]", "m8[us]", "S1", "S3", "S8",
         "U1", "U2", "V4", "i4,i2", "O"]
# Casts of others are NumPy's alone, and some write outside of their result (NumPy 1.24: timedelta64 to S8).
NUMBERS = ["?", "i1", "u1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16", ">i4", ">f4"]


@pytest.fixture(autouse=True)
def no_array_is_small(monkeypatch):
    monkeypatch.setattr(twins, "LEAST_BYTES", 0)


@pytest.fixture
def without_numpy(monkeypatch):
    """The functions of NumPy that plait calls for what it leaves to it raise an exception."""
    def called(*arguments, **others):
        raise AssertionError("left to NumPy")
    real = np.ascontiguousarray, np.copyto
    monkeypatch.setattr(np, "ascontiguousarray", called)
    monkeypatch.setattr(np, "copyto", called)
    return real


def filled(draw, shape, dtype):
    """Returns a C-contiguous array of random elements."""
    count, dtype = int(np.prod(shape, dtype=int)), np.dtype(dtype)
    if dtype.kind == "O":
        return np.array([draw.choice([None, "text", 10**30, (1,)]) for _ in range(count)] + [None], object)[:count].reshape(shape)
    if dtype.kind == "U":
        return np.array([chr(draw.randrange(32, 1000)) * draw.randrange(3) for _ in range(count)], dtype).reshape(shape)
    if dtype.kind == "?" or dtype.kind == "b":
        return np.array([draw.random() < 0.5 for _ in range(count)], bool).reshape(shape)
    return np.frombuffer(draw.randbytes(count * dtype.itemsize), dtype).reshape(shape).copy()


def strided(draw, array):
    """Returns the elements of an array with other strides: axes in any order in memory, gaps, backwards, one or none."""
    order = draw.sample(range(array.ndim), array.ndim)
    gaps = [draw.choice([1, 1, 1, 2, 3]) for _ in order]
    room = np.zeros([array.shape[axis] * gap + draw.randrange(2) for axis, gap in zip(order, gaps)], array.dtype)
    room = room[tuple(slice(0, array.shape[axis] * gap, gap) for axis, gap in zip(order, gaps)) + (...,)]
    view = room[tuple(slice(None, None, draw.choice([1, 1, 1, -1])) for _ in order) + (...,)].transpose(np.argsort(order))
    view[...] = array
    return view


def any_shape(draw):
    return tuple(draw.choice([0, 1, 1, 2, 3, 4, 5, 7, 16, 17, 33][0 if draw.random() < 0.02 else 1:]) for _ in range(draw.randrange(6)))


def same(ours, theirs):
    assert type(ours) is type(theirs) and ours.dtype == theirs.dtype and ours.shape == theirs.shape and ours.strides == theirs.strides
    assert ours.flags.writeable == theirs.flags.writeable and ours.flags.c_contiguous == theirs.flags.c_contiguous
    assert ours.tolist() == theirs.tolist() if ours.dtype.hasobject else ours.tobytes() == theirs.tobytes()


def outcome(function, *arguments, **others):
    """Returns the result of a call and None, or None and the type and text of its exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **others), None
        except Exception as why:
            return None, (type(why), str(why))


@pytest.mark.parametrize("seed", range(400))
def test_ascontiguousarray(seed):
    draw = random.Random(seed)
    dtype = draw.choice(TYPES)
    array = strided(draw, filled(draw, any_shape(draw), dtype))
    wanted = draw.choice([None, None, dtype, draw.choice(NUMBERS) if dtype in NUMBERS else dtype])
    ours, wrong = outcome(plait.ascontiguousarray, array, wanted)
    theirs, right = outcome(np.ascontiguousarray, array, wanted)
    assert wrong == right
    if ours is not None:
        same(ours, theirs)
        assert (ours is array) == (theirs is array)


@pytest.mark.parametrize("seed", range(600))
def test_copyto(seed):
    draw = random.Random(1000 + seed)
    dtype = draw.choice(TYPES)
    shape = any_shape(draw)
    base = filled(draw, shape, draw.choice([dtype, dtype, draw.choice(NUMBERS) if dtype in NUMBERS else dtype]))
    dst = strided(draw, base)
    whole = dst.base if dst.base is not None else dst
    # Extents of 1 are broadcast, and axes in front may be missing or one too many; sometimes an extent is wrong.
    source_shape = [1 if draw.random() < 0.15 else extent + (draw.random() < 0.01) for extent in shape]
    source_shape = draw.choice([source_shape, source_shape, source_shape[draw.randrange(len(shape) + 1):], [1, *source_shape]])
    src = strided(draw, filled(draw, tuple(source_shape), dtype))
    others = {}
    if draw.random() < 0.3:
        others["casting"] = draw.choice(["no", "equiv", "safe", "same_kind", "unsafe", "any"])
    if draw.random() < 0.1:
        others["where"] = draw.choice([True, False, np.True_, np.array([draw.random() < 0.5 for _ in range(dst.size)], bool).reshape(dst.shape)])
    if draw.random() < 0.05:
        dst.flags.writeable = False
    before = whole.copy()
    ours, wrong = outcome(plait.copyto, dst, src, **others)
    after = whole.copy()
    if dst.flags.writeable or whole is dst:
        whole.flags.writeable = True
    whole[...] = before
    theirs, right = outcome(np.copyto, dst, src, **others)
    assert ours is None and wrong == right
    # All of the memory, so that gaps are compared, too.
    same(after, whole.copy())


def test_a_reorder_does_it(without_numpy):
    numpys_contiguous, numpys_copyto = without_numpy
    draw = random.Random(3)
    for dtype in ("?", "u1", "i2", "f2", "i4", "f4", "i8", "f8", "c16", ">i4", "M8[s]", "S8", "U1"):
        array = filled(draw, (5, 7, 6), dtype).transpose(2, 0, 1)
        same(plait.ascontiguousarray(array), numpys_contiguous(array))
        dst = filled(draw, (6, 10, 7), dtype)
        wanted = dst.copy()
        plait.copyto(dst[:, 1::2], array)
        numpys_copyto(wanted[:, 1::2], array)
        same(dst, wanted)
        plait.copyto(dst[:, 1::2], array[:1, :, ::-1])
        numpys_copyto(wanted[:, 1::2], array[:1, :, ::-1])
        same(dst, wanted)
    for source, wanted in (("f4", "f8"), ("f2", "f4"), ("f2", "f8"), ("i1", "f4"), ("u1", "f4"), ("u1", "f2"), ("i1", "i4"), ("u1", "i4"), ("i4", "f8")):
        every = np.arange(1 << 16, dtype=np.uint16).view("f2") if source == "f2" else filled(draw, (1 << 16,), source)
        array = np.where(np.isnan(every), every.dtype.type(0), every).reshape(256, 256).T
        same(plait.ascontiguousarray(array, wanted), numpys_contiguous(array, wanted))


def test_numpy_does_it(without_numpy):
    array = np.arange(12.0).reshape(3, 4)
    window = np.lib.stride_tricks.as_strided(array, (3, 3), (8, 8))
    left = [lambda: plait.ascontiguousarray([1, 2]), lambda: plait.ascontiguousarray(np.float64(1)), lambda: plait.ascontiguousarray(array.T, "f4"),
            lambda: plait.ascontiguousarray(array), lambda: plait.ascontiguousarray(np.ma.array(array).T), lambda: plait.ascontiguousarray(array.T, like=array),
            lambda: plait.copyto(array[1:], array[:-1]), lambda: plait.copyto(array, 1.0), lambda: plait.copyto(array, array.copy(), where=array > 1),
            lambda: plait.copyto(window, np.ones((3, 3))), lambda: plait.copyto(array, np.ones((2, 2)))]
    for call in left:
        with pytest.raises(AssertionError, match="left to NumPy"):
            call()


def test_strides_that_are_not_whole_elements():
    """A complex number is aligned at 8 bytes, so that a field of structures may have strides of half an element."""
    pairs = np.zeros((9, 20), np.dtype([("number", "c16"), ("weight", "f8")], align=True))
    pairs["number"] = np.arange(180).reshape(9, 20)
    field = pairs["number"].T
    assert field.flags.aligned and field.strides[0] % field.itemsize != 0
    same(plait.ascontiguousarray(field), np.ascontiguousarray(field))
    made = np.zeros(field.shape, field.dtype)
    plait.copyto(made, field)
    assert (made == field).all()


def test_nan_stays_nan():
    every = np.arange(1 << 16, dtype=np.uint16).view("f2").reshape(256, 256).T
    same(np.isnan(plait.ascontiguousarray(every, "f4")), np.isnan(np.ascontiguousarray(every, "f4")))


def test_small_arrays_are_left_to_numpy(monkeypatch, without_numpy):
    monkeypatch.undo()
    monkeypatch.setattr(twins, "_copied", lambda *arrays: pytest.fail("a reorder of a small array"))
    plait.ascontiguousarray(np.zeros((10, 20), np.float32).T)
    plait.copyto(np.zeros((10, 20), np.float32), np.zeros((20, 10), np.float32).T)


def test_large_arrays_begin_at_a_cache_line():
    made = plait.ascontiguousarray(np.zeros((300, 500), np.float32).T)
    assert made.ctypes.data % 64 == 0 and made.flags.writeable and made.flags.c_contiguous


def test_arrays_that_overlap():
    memory = np.arange(100)
    wanted = memory.copy()
    for dst, src in ((slice(0, 100, 2), slice(1, 100, 2)), (slice(10, 60), slice(0, 50)), (slice(99, None, -1), slice(0, 100))):
        plait.copyto(memory[dst], memory[src])
        np.copyto(wanted[dst], wanted[src])
        same(memory, wanted)
