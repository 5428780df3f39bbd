"""Each element is moved to the place that the layout gives, as the requested type; the padding is zero."""

import copy
import itertools
import pickle
import random
import threading
import types

import numpy as np
import plait
import pytest
from plait._types import element_type

TAGS = ["nchw", "nhwc", "chwn", "nChw16c", "nChw8c", "OIhw4i16o4i", "Acdb16a", "ABcd4b2a"]


def memory_by_offsets(x, layout):
    """Returns a tensor's memory, element by element, as a reorder must write it. In a dense layout, padding is zero."""
    memory = np.zeros(layout.span, x.dtype)
    for index in itertools.product(*map(range, x.shape)):
        memory[layout.offset(index)] = x[index]
    return memory.reshape(layout.memory_shape)


def test_random_pairs_there_and_back():
    draw = random.Random(5)
    for _ in range(25):
        shape = tuple(draw.choice([1, 2, 3, 5, 16, 17]) for _ in range(4))
        x = np.random.default_rng(draw.randrange(2**32)).standard_normal(shape).astype(draw.choice([np.float32, np.float64, np.float16]))
        first, second = draw.choice(TAGS), draw.choice(TAGS)
        a = plait.reorder(x, None, first)
        assert np.array_equal(a, memory_by_offsets(x, plait.Layout(first, shape))), (first, shape)
        b = plait.reorder(a, first, second, shape=shape)
        assert np.array_equal(b, memory_by_offsets(x, plait.Layout(second, shape))), (first, second, shape)
        assert np.array_equal(plait.reorder(b, second, None, shape=shape), x)
        assert b.ctypes.data % 64 == 0 and b.flags.c_contiguous and b.dtype == x.dtype


@pytest.mark.parametrize("view", [lambda x: x[:, ::2], lambda x: x.transpose(3, 0, 2, 1), lambda x: x[1:, 3:9, 1:, 1::2],
                                  lambda x: x.T, lambda x: np.broadcast_to(x[:1, :1], x.shape),
                                  lambda x: x[:, 5:6], lambda x: x[1:1], lambda x: x[0, 0, 0]])
def test_strides_of_views_are_read(view):
    x = np.arange(2 * 17 * 5 * 4, dtype=np.float32).reshape(2, 17, 5, 4)
    part = view(x)
    assert np.array_equal(plait.reorder(part, None, None), part)
    if part.ndim == 4:
        assert np.array_equal(plait.reorder(part, None, "nhwc"), part.transpose(0, 2, 3, 1))
        blocked = plait.reorder(part, None, "nChw8c")
        assert np.array_equal(plait.reorder(blocked, "nChw8c", "nchw", shape=part.shape), part)
    assert plait.Layout.of(part).shape == part.shape


def test_a_view_in_logical_order_lies_as_its_tag_says():
    """nhwc memory viewed in the order n, c, h, w, as in frameworks, has the strides of the tag."""
    x = np.arange(2 * 3 * 4 * 5, dtype=np.int8).reshape(2, 4, 5, 3)
    seen = x.transpose(0, 3, 1, 2)
    assert np.array_equal(plait.reorder(seen, plait.Layout("nhwc", seen.shape), "nchw"), seen)
    out = np.zeros_like(x).transpose(0, 3, 1, 2)
    plait.reorder(np.ascontiguousarray(seen), "nchw", plait.Layout("nhwc", seen.shape), out=out)
    assert np.array_equal(out, seen)


def test_plain_tags_tell_the_shape_and_blocks_do_not():
    x = np.zeros((2, 4, 5, 3), np.float32)
    assert plait.reorder(x, "nhwc", "nchw").shape == (2, 3, 4, 5)
    assert plait.reorder(x[:0], "nhwc", "nchw").shape == (0, 3, 4, 5)
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(np.zeros((1, 2, 5, 4, 16), np.float32), "nChw16c", "nchw")
    assert caught.value.reason == "shape_is_missing" and "shape=" in str(caught.value)


CONVERSIONS = [np.float64, np.float32, np.float16, np.int32, np.int8, np.uint8]


@pytest.mark.parametrize("src, dst", itertools.product(CONVERSIONS, CONVERSIONS))
def test_types_are_rounded_to_even_and_saturated(src, dst):
    x = np.array([0, 1, 2.5, 3.5, -2.5, 100, -100, 127, 300, -300, 1e4], np.float64)
    with np.errstate(over="ignore"):
        x = (np.clip(np.rint(x), np.iinfo(src).min, np.iinfo(src).max) if np.dtype(src).kind in "iu" else x).astype(src)
        expected = x.astype(np.float64)
        if np.dtype(dst).kind in "iu":
            expected = np.clip(np.rint(expected), np.iinfo(dst).min, np.iinfo(dst).max)
        expected = expected.astype(dst)
    got = plait.reorder(x, "a", "a", dtype=dst)
    assert got.dtype == dst and np.array_equal(got, expected)


def test_bfloat16_and_f8_are_bits():
    x = np.arange(-64, 64, dtype=np.float32)
    bits = plait.reorder(x, "a", "a", dtype="bf16")
    assert bits.dtype == np.uint16 and np.array_equal((bits.astype(np.uint32) << 16).view(np.float32), x)
    for word, one in (("bf16", 0x3F80), ("f8_e5m2", 0x3C), ("f8_e4m3", 0x38)):
        assert plait.reorder(np.ones(3, np.float32), "a", "a", dtype=word)[0] == one
        small = np.array([0, 1, -2, 3, 0.5], np.float32)
        there = plait.reorder(small, "a", "a", dtype=word)
        assert np.array_equal(plait.reorder(there, "a", "a", src_dtype=word, dtype=np.float32), small)
        # By default the source keeps its type; signed integers are accepted as bits as well.
        again = plait.reorder(there.view(f"i{there.itemsize}"), "a", "a", src_dtype=word)
        assert again.dtype == there.dtype and np.array_equal(again, there)


MOVED = [bool, np.int16, np.int64, np.uint16, np.uint32, np.uint64, np.complex64, np.complex128, np.longdouble]


@pytest.mark.parametrize("dtype", MOVED)
def test_other_numbers_are_moved_bit_by_bit(dtype):
    size = np.dtype(dtype).itemsize
    x = np.random.default_rng(9).integers(0, 256, (2, 17, 5, 4 * size), np.uint8)
    x = (x % 2 == 1) if dtype is bool else x.view(dtype)
    blocked = plait.reorder(x, "nchw", "nChw16c")
    assert blocked.dtype == x.dtype and blocked.shape == plait.Layout("nChw16c", x.shape).memory_shape
    assert blocked[:, 1, :, :, 1:].tobytes() == bytes(blocked[:, 1, :, :, 1:].nbytes)  # padding
    assert plait.reorder(blocked, "nChw16c", "nchw", shape=x.shape).tobytes() == x.tobytes()
    assert plait.reorder(x[:, ::2], None, "nhwc").tobytes() == x[:, ::2].transpose(0, 2, 3, 1).tobytes()
    part = plait.Layout("nchw", x.shape).submemory((1, 16, 3, 2), (1, 1, 2, 0))
    assert plait.reorder(part.on(x), part, None).tobytes() == x[1:, 1:, 2:, :2].tobytes()
    out = np.zeros(x.shape, dtype)
    assert plait.reorder(blocked, "nChw16c", None, shape=x.shape, dtype=dtype, src_dtype=dtype, out=out) is out
    one = x[0, 0, 0, :1].reshape(())
    assert out.tobytes() == x.tobytes() and plait.reorder(one, None, None).tobytes() == one.tobytes()


def test_one_element_without_axes():
    assert plait.reorder(np.array(3.5), None, None) == 3.5 and plait.reorder(np.array(3.5), None, None).shape == ()
    scaled = plait.reorder(np.array(3.5), None, None, dtype=np.int8, dst_scale=0.5, dst_zero_point=np.array(1))
    assert scaled == 8 and scaled.shape == ()
    out = np.zeros(())
    assert plait.reorder(np.array(2.0), None, plait.Layout(()), out=out) is out and out == 2


def test_names_of_ml_dtypes_are_words():
    x = np.array([0, 1, -2, 3, 0.5], np.float32)
    for word, name in {"bf16": "bfloat16", "f8_e5m2": "float8_e5m2", "f8_e4m3": "float8_e4m3fn"}.items():
        bits = plait.reorder(x, "a", "a", dtype=word)
        there = plait.reorder(x, "a", "a", dtype=name)
        assert there.dtype.itemsize == bits.dtype.itemsize and there.tobytes() == bits.tobytes()
        assert np.array_equal(plait.reorder(bits, "a", "a", src_dtype=name, dtype="float32"), x)
    with pytest.raises(TypeError, match="dtype"):
        plait.reorder(x, "a", "a", dtype="float8_e4m3fnuz_")


def test_dtypes_of_ml_dtypes_are_known_by_name():
    names = {"bf16": "bfloat16", "f8_e5m2": "float8_e5m2", "f8_e4m3": "float8_e4m3fn"}
    for word, other in itertools.product(names, names):
        assert element_type(word).holds(types.SimpleNamespace(name=names[other], isnative=True)) == (word == other)
    assert not element_type("f8_e4m3").holds(types.SimpleNamespace(name="float8_e4m3fnuz", isnative=True))  # other numbers


def test_dtypes_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.array([0, 1, -2, 3, 0.5], np.float32)
    for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn):
        there = plait.reorder(x, "a", "a", dtype=dtype)
        assert there.dtype == dtype and np.array_equal(there.astype(np.float32), x)
        assert np.array_equal(plait.reorder(there, "a", "a", dtype=np.float32), x)


def test_scales_and_zero_points_broadcast_as_in_numpy():
    x = np.random.default_rng(6).integers(-100, 100, (2, 17, 3, 4)).astype(np.float32)
    scale = (2.0 ** np.arange(-8, 9)).reshape(17, 1, 1).astype(np.float32)
    q = plait.reorder(x, "nchw", "nhwc", dtype=np.int8, dst_scale=scale, dst_zero_point=3)
    expected = np.clip(np.rint(x / scale + 3), -128, 127).astype(np.int8)
    assert np.array_equal(q, expected.transpose(0, 2, 3, 1))
    back = plait.reorder(q, "nhwc", "nchw", dtype=np.float32, src_scale=scale, src_zero_point=np.full((1, 17, 1, 1), 3))
    assert np.array_equal(back, (expected.astype(np.float32) - 3) * scale)
    by_batch = np.array([1, 2], np.int64).reshape(2, 1, 1, 1)
    assert np.array_equal(plait.reorder(q, "nhwc", "nchw", dtype=np.int32, src_zero_point=by_batch), expected.astype(np.int32) - by_batch)
    assert np.array_equal(plait.reorder(x, None, None, src_scale=np.ones((1, 1, 1, 1)) * 2), x * 2)


@pytest.mark.parametrize("attribute, reason", [
    (dict(dst_scale=np.ones(17)), "attribute_shape_differs"), (dict(src_scale=np.ones((2, 1, 1, 1, 1))), "attribute_shape_differs"),
    (dict(src_scale=np.ones((0, 1, 1))), "attribute_shape_differs"), (dict(dst_scale="2"), "attribute_has_other_type"),
    (dict(dst_zero_point=0.5), "attribute_has_other_type"), (dict(dst_zero_point=2**31), "number_is_too_large"),
    (dict(src_scale=1e300), "number_is_too_large"), (dict(dst_scale=[[[1.0]]] * 16 + [[[-1e39]]]), "number_is_too_large"),
    (dict(src_scale=1j), "attribute_has_other_type")])
def test_attributes_that_do_not_fit(attribute, reason):
    x = np.zeros((2, 17, 3, 4), np.float32)
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(x, None, None, **attribute)
    assert caught.value.reason == reason


def test_a_plan_is_copied_pickled_and_shared_by_threads():
    shape = (3, 17, 9, 8)
    scale = np.full((17, 1, 1), 0.5, np.float32)
    plan = plait.Reorder(plait.Layout("nchw", shape), plait.Layout("nChw16c", shape), dtype="bf16", src_dtype=np.float32, src_scale=scale)
    scale[:] = 7  # the plan has a copy
    xs = [np.random.default_rng(k).integers(-50, 50, shape).astype(np.float32) for k in range(8)]
    outs = [None] * len(xs)

    def run(k):
        outs[k] = [each(xs[k]) for each in (plan, copy.copy(plan)) for _ in range(20)]
    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(xs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x, results in zip(xs, outs):
        expected = memory_by_offsets(x * 0.5, plait.Layout("nChw16c", shape))
        for got in results:
            assert np.array_equal((got.astype(np.uint32) << 16).view(np.float32), expected)
    again = pickle.loads(pickle.dumps(plait.Reorder(plait.Layout((4, 3)), plait.Layout("ba", (4, 3)), dtype=np.int8)))
    assert np.array_equal(again(np.arange(12, dtype=np.int8).reshape(4, 3)), np.arange(12).reshape(4, 3).T)
    assert "nchw -> bf16 nChw16c" in repr(plan)


def test_the_choice_of_a_plan_is_given_to_another():
    def plan(shape=(520, 520), dtype=np.float32, **given):
        return plait.Reorder(plait.Layout("ab", shape), plait.Layout("ba", shape), dtype=dtype, **given)
    x = np.random.default_rng(5).random((520, 520), np.float32)
    first = plan()
    assert first.choice.endswith(" ?/4")
    for _ in range(16):  # two rounds of two calls for each of the four orders
        assert np.array_equal(first(x), x.T)
    decided = first.choice
    assert "?" not in decided
    again = plan(choice=decided)
    assert again.choice == decided and np.array_equal(again(x), x.T)
    fixed = plan(tries=False)
    assert fixed.choice.endswith(" 0/4") and pickle.loads(pickle.dumps(fixed)).choice == fixed.choice
    assert plan(choice=decided, tries=False).choice == decided
    for text, reason in ((decided[:-1] + "5", "choice_does_not_fit"), (plan((8, 8)).choice, "choice_does_not_fit"),
                         (plan(dtype=np.int32).choice, "choice_does_not_fit"), ("", "choice_is_malformed"), ("x" * 1000, "choice_is_malformed")):
        with pytest.raises(plait.Rejection) as refused:
            plan(choice=text)
        assert refused.value.reason == reason
    with pytest.raises(TypeError):
        plan(choice=3)


def test_a_part_is_reordered_in_the_memory_of_the_whole():
    x = np.arange(2 * 40 * 5 * 4, dtype=np.float32).reshape(2, 40, 5, 4)
    whole = plait.Layout("nChw16c", x.shape)
    memory = plait.reorder(x, "nchw", whole)
    part = whole.submemory((1, 24, 3, 4), (1, 16, 2, 0))
    assert part.start == whole.offset(1, 16, 2, 0)
    assert np.array_equal(plait.reorder(part.on(memory), part, "nchw"), x[1:, 16:, 2:])
    # A reorder into a part writes nothing outside of it.
    plait.reorder(np.zeros((1, 24, 3, 4), np.float32), "nchw", part, out=part.on(memory))
    x[1:, 16:, 2:] = 0
    assert np.array_equal(memory, plait.reorder(x, "nchw", whole))
    # Allocated separately, the part gets memory that includes the elements before it, from offset 0.
    assert np.array_equal(plait.reorder(x[1:, 16:, 2:] + 1, "nchw", part)[0, :, :, :, 0], np.ones((2, 3, 4)))
