"""Any argument gives a refusal with its sentence, no write, and no crash. Numbers around destinations do not change."""

import random

import numpy as np
import plait
import pytest

SHAPE = (1, 17, 5, 4)
X = np.arange(340, dtype=np.float32).reshape(SHAPE)
BLOCKED = (1, 2, 5, 4, 16)


def guarded(shape, dtype=np.float32, order="C"):
    """Returns an array filled with and surrounded by sevens, and the whole of it."""
    size = int(np.prod(shape))
    whole = np.full(size + 512, 7, dtype)
    return whole[256:256 + size].reshape(shape, order=order), whole


def read_only(array):
    array.flags.writeable = False
    return array


def unaligned(shape):
    return np.full(int(np.prod(shape)) * 4 + 1, 7, np.uint8)[1:].view(np.float32).reshape(shape)


@pytest.mark.parametrize("out, reason", [
    (lambda: guarded((1, 2, 5, 4, 15))[0], "array_shape_differs"),
    (lambda: guarded((1, 2, 5, 4))[0], "array_shape_differs"),
    (lambda: guarded((640,))[0], "array_shape_differs"),
    (lambda: guarded((1, 3, 5, 4, 16))[0], "array_shape_differs"),
    (lambda: guarded(SHAPE)[0], "array_shape_differs"),
    (lambda: guarded(())[0], "array_shape_differs"),
    (lambda: guarded((0,))[0], "array_shape_differs"),
    (lambda: guarded((1, 2, 5, 4, 32))[0][..., ::2], "array_strides_differ"),
    (lambda: guarded(BLOCKED, order="F")[0], "array_strides_differ"),
    (lambda: guarded(BLOCKED)[0][:, ::-1], "array_strides_differ"),
    (lambda: np.broadcast_to(guarded((1, 2, 5, 4, 1))[0], BLOCKED), "array_is_read_only"),
    (lambda: np.lib.stride_tricks.as_strided(guarded((16,))[0], BLOCKED, (0, 0, 0, 0, 4)), "array_strides_differ"),
    (lambda: read_only(guarded(BLOCKED)[0]), "array_is_read_only"),
    (lambda: guarded(BLOCKED, np.float64)[0], "data_types_differ"),
    (lambda: guarded(BLOCKED, np.int32)[0], "data_types_differ"),
    (lambda: guarded(BLOCKED, ">f4")[0], "array_is_big_endian"),
    (lambda: unaligned(BLOCKED), "pointer_is_misaligned"),
    (lambda: np.ma.zeros(BLOCKED, np.float32), "array_is_masked"),
])
def test_destinations(out, reason):
    to = out()
    whole = to.base if isinstance(to.base, np.ndarray) else to
    bytes_before = whole.tobytes()
    for run in (lambda: plait.reorder(X, "nchw", "nChw16c", out=to),
                lambda: plait.Reorder(plait.Layout("nchw", SHAPE), plait.Layout("nChw16c", SHAPE), dtype=np.float32)(X, to)):
        with pytest.raises(plait.Rejection) as caught:
            run()
        assert caught.value.reason == reason and reason in str(caught.value), caught.value
        assert whole.tobytes() == bytes_before


@pytest.mark.parametrize("array, reason", [
    (lambda: X[:, :16], "array_shape_differs"), (lambda: X[0], "array_shape_differs"), (lambda: X.reshape(-1), "array_shape_differs"),
    (lambda: np.array(3, np.float32), "array_shape_differs"), (lambda: X[:0], "array_shape_differs"),
    (lambda: np.zeros((1, 34, 5, 4), np.float32)[:, ::2], "array_strides_differ"), (lambda: X[:, :, ::-1], "array_strides_differ"),
    (lambda: X.astype(">f4"), "array_is_big_endian"), (lambda: X.astype(np.float64), "data_types_differ"),
    (lambda: X.astype(complex), "data_types_differ"), (lambda: X.astype(object), "data_types_differ"),
    (lambda: X.astype(np.float16), "data_types_differ"), (lambda: unaligned(SHAPE), "pointer_is_misaligned"),
    (lambda: np.zeros(SHAPE, [("a", "f4"), ("b", "i1")])["a"], "array_stride_is_no_multiple"),
])
def test_sources(array, reason):
    plan = plait.Reorder(plait.Layout("nchw", SHAPE), plait.Layout("nChw16c", SHAPE), dtype=np.float32)
    to, whole = guarded(BLOCKED)
    with pytest.raises(plait.Rejection) as caught:
        plan(array(), to)
    assert caught.value.reason == reason, caught.value
    assert (whole == 7).all()


@pytest.mark.parametrize("array, reason", [
    (X.astype(object), "data_type_is_unknown"), (X.astype(np.clongdouble), "data_type_is_unknown"), (X.astype(">i4"), "array_is_big_endian"), (X.astype("S4"), "data_type_is_unknown"),
    (np.array(["2020"], "M8[Y]"), "data_type_is_unknown"),
    (np.zeros(3, [("a", "f4"), ("b", "i1")])["a"], "array_stride_is_no_multiple"),
    (np.zeros((1,) * 13, np.float32), "ndims_is_out_of_range"),
])
def test_sources_that_are_read_by_their_strides(array, reason):
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(array, None, None)
    assert caught.value.reason == reason and reason in str(caught.value), caught.value


@pytest.mark.parametrize("part", [np.s_[..., ::-1], np.s_[:, ::-1], np.s_[::-1, 3:20:2, ::-2, ::-1], np.s_[:, 5::-1, 0:0], np.s_[0, 0, 0, ::-1]])
@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.float64, np.complex128])
def test_arrays_that_run_backwards_are_read_and_written(part, dtype):
    whole = np.arange(X.size).reshape(SHAPE).astype(dtype)
    array = whole[part]
    layout = plait.Layout.of(array)
    assert layout.shape == array.shape and all(layout.offset(*at) >= 0 for at in np.ndindex(array.shape))
    assert np.array_equal(plait.reorder(array, None, None), array)
    to = np.zeros_like(whole)
    plait.reorder(np.ascontiguousarray(array), None, plait.Layout.of(to[part]), out=to[part])
    assert np.array_equal(to[part], array) and to.sum() == array.sum()
    if array.ndim == 4:
        blocked = plait.reorder(array, None, "nChw8c")
        assert np.array_equal(plait.reorder(blocked, plait.Layout("nChw8c", array.shape), None), array)


def test_windows_that_overlap_are_read_and_not_written():
    windows = np.lib.stride_tricks.sliding_window_view(X.reshape(-1), 3)
    assert np.array_equal(plait.reorder(windows, None, "ba"), windows.T)
    to = np.lib.stride_tricks.as_strided(np.zeros(9, np.float32), (4, 3), (8, 4))
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(np.zeros((4, 3), np.float32), None, plait.Layout.of(to))
    assert caught.value.reason == "destination_is_not_injective", caught.value


def test_the_bits_are_named_in_the_sentence():
    with pytest.raises(plait.Rejection, match="'bf16'"):
        plait.reorder(X.astype(np.uint16), None, None, dtype=np.float32)
    for made in (np.zeros(3, "M8[s]"), np.zeros(3, "S4")):
        with pytest.raises(plait.Rejection, match=f"np.uint{8 * made.itemsize}"):
            plait.reorder(made, "a", "a")
        assert not plait.reorder(made.view(f"u{made.itemsize}"), "a", "a").any()
    with pytest.raises(plait.Rejection, match="newbyteorder"):
        plait.reorder(X.astype(">f4"), None, None)
    assert np.array_equal(plait.reorder(X.astype(">f4").astype(">f4".replace(">", "=")), None, None), X)


def test_without_elements_there_is_nothing_to_do():
    for shape in [(0, 17, 5, 4), (1, 0, 5, 4), (1, 17, 0, 4), (0, 0, 0, 0)]:
        x = np.zeros(shape, np.float32)
        for tag in ("nchw", "nhwc", "nChw16c"):
            y = plait.reorder(x, "nchw", tag)
            assert y.size == 0 and y.shape == plait.Layout(tag, shape).memory_shape
            assert plait.reorder(y, tag, "nchw", shape=shape).shape == shape


def test_source_and_destination_may_not_overlap():
    memory = np.arange(24, dtype=np.float32)
    before = memory.copy()
    for out in (memory[4:20].reshape(4, 4), memory[:16].reshape(4, 4)):
        with pytest.raises(plait.Rejection) as caught:
            plait.reorder(memory[:16].reshape(4, 4), "ab", "ba", out=out)
        assert caught.value.reason == "spans_overlap" and np.array_equal(memory, before)
    x = memory[:16].reshape(4, 4)
    assert plait.reorder(x, "ab", "ab", out=x) is x and np.array_equal(memory, before)  # each is already in place


def test_a_slice_as_destination_leaves_what_is_beside_it():
    whole = np.full((2, 9, 7, 6), 7, np.float32)
    part = whole[:, 2:7, 1:6, ::2]
    x = np.arange(part.size, dtype=np.float32).reshape(part.shape)
    plait.reorder(x, None, plait.Layout.of(part), out=part)
    expected = np.full_like(whole, 7)
    expected[:, 2:7, 1:6, ::2] = x
    assert np.array_equal(whole, expected)
    broadcast = np.lib.stride_tricks.as_strided(np.zeros(4, np.float32), (3, 4), (0, 4))
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(x.reshape(-1)[:12].reshape(3, 4), None, plait.Layout.of(broadcast), out=broadcast)
    assert caught.value.reason == "destination_is_not_injective"


@pytest.mark.parametrize("call", [
    lambda: plait.reorder([1.0, 2.0], "a", "a"), lambda: plait.reorder(X, 4, "nchw"), lambda: plait.reorder(X, "nchw", 4),
    lambda: plait.reorder(X, "nchw", "nhwc", out=[1]), lambda: plait.reorder(b"1234", "a", "a"), lambda: plait.reorder(None, "a", "a"),
    lambda: plait.Reorder("nchw", "nhwc", dtype=np.float32), lambda: plait.reorder(X, "nchw", "nhwc", dtype="nonsense"),
    lambda: plait.Reorder(plait.Layout((1,)), plait.Layout((1,)), dtype=None)])
def test_what_is_no_array_or_layout_is_a_type_error(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize("call, reason", [
    (lambda: plait.reorder(X, "nchw", plait.Layout("nhwc", (1, 17, 4, 5))), "dims_differ"),
    (lambda: plait.reorder(X, None, "nhwc", shape=(17, 5, 4)), "dims_differ"),
    (lambda: plait.reorder(X, "nchw", "nhwc", shape=(1, 17, 4, 5)), "array_shape_differs"),
    (lambda: plait.reorder(X, "nchw", "abc"), "rank_differs"), (lambda: plait.reorder(X, "nchw", "nChw16"), "tag_block_is_malformed"),
    (lambda: plait.reorder(X, "nchw", "nhwc", src_dtype="bf16"), "data_types_differ"),
    (lambda: plait.reorder(X, "nchw", "nhwc", dtype=np.int64), "elements_are_only_moved"),
    (lambda: plait.reorder(X.astype(np.uint32), "nchw", "nhwc", dtype=np.int32), "elements_are_only_moved"),
    (lambda: plait.reorder(X.astype(np.int16), "nchw", "nhwc", dtype=np.uint8), "elements_are_only_moved"),
    (lambda: plait.reorder(X.astype(np.uint16), "nchw", "nhwc", dtype="bf16"), "elements_are_only_moved"),
    (lambda: plait.reorder(X.astype(complex), "nchw", "nhwc", src_scale=2), "elements_are_only_moved"),
    (lambda: plait.reorder(X.astype(np.uint64), "nchw", "nhwc", dst_zero_point=0), "elements_are_only_moved"),
    (lambda: plait.reorder(np.zeros((1,) * 12, complex), None, None), "ndims_is_out_of_range"),
    (lambda: plait.reorder(np.array(3.0), None, "a"), "rank_differs"),
    (lambda: plait.reorder(np.array(3.0), None, plait.Layout((1,))), "rank_differs"),
    (lambda: plait.reorder(X, "nchw", "nhwc", dtype=">f4"), "array_is_big_endian")])
def test_what_does_not_fit_together(call, reason):
    with pytest.raises(plait.Rejection) as caught:
        call()
    assert caught.value.reason == reason, caught.value


def test_anything_at_all():
    """Random arrays, tags and destinations: a result of the right size, or a refusal; no byte outside changes."""
    draw, done, refused = random.Random(8), 0, 0
    tags = ["nchw", "nhwc", "nChw16c", "abc", "ab", "ba", "Ab4a", None, None, None, None, None, None, "any", "zz", "aBc4b"]
    types = [np.float32, np.int8, "bf16", "f8_e5m2", np.float64, np.float16, np.int32, ">f4", np.int64]
    for _ in range(1500):
        shape = tuple(draw.choice([0, 1, 2, 3, 5, 17]) for _ in range(draw.randrange(6)))
        x = np.ones(shape, draw.choice([np.float32, np.int8, np.float16, np.uint16, np.float64]))
        if draw.random() < 0.5:
            steps = [slice(None, None, draw.choice([1, 1, 1, 2, 2, -1])) for _ in shape]
            x = x.transpose(draw.sample(range(x.ndim), x.ndim))[(..., *steps)]
        src, dst, dtype = draw.choice(tags), draw.choice(tags), draw.choice([None, None, *types])
        out, whole = None, np.full(1, 7, np.uint8)
        if draw.random() < 0.3:
            try:
                to = plait.Layout(dst, x.shape).memory_shape
                out, whole = guarded(to if draw.random() < 0.7 else x.shape, x.dtype)
            except (plait.Rejection, TypeError):
                pass
        before = whole.copy()
        try:
            y = plait.reorder(x, src, dst, dtype=dtype, shape=draw.choice([None, x.shape]), out=out)
            done += 1
            assert y.size >= x.size
        except plait.Rejection as why:
            refused += 1
            assert why.reason and f"{why.reason}: " in str(why)
            assert np.array_equal(whole, before)
        if out is not None:
            assert (whole[:256] == 7).all() and (whole[len(whole) - 256:] == 7).all()
    assert done > 100 and refused > 100
