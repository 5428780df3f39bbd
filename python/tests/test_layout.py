"""Layouts are values, and their algebra is NumPy's if NumPy has the operation."""

import copy
import itertools
import math
import pickle
import random

import numpy as np
import plait
import pytest

TAGS = ["nchw", "nhwc", "chwn", "nChw16c", "nChw8c", "OIhw4i16o4i", "Acdb16a", "ABcd4b2a", "abcd", "dcba", "aBcd4b"]


def some_layouts(count, seed):
    """Returns tags with small shapes; every third layout is a part, a permutation or a reshape of one."""
    draw = random.Random(seed)
    while count:
        layout = plait.Layout(draw.choice(TAGS), [draw.choice([1, 2, 3, 4, 5, 16, 17]) for _ in range(4)])
        try:
            if count % 3 == 0:
                layout = draw.choice([lambda: layout.transpose(draw.sample(range(4), 4)), lambda: layout.view(-1),
                                      lambda: layout.join_axes(2, 3),
                                      lambda: layout.submemory((1, *layout.shape[1:]), (layout.shape[0] - 1, 0, 0, 0))])()
        except plait.Rejection:
            continue
        count -= 1
        yield layout


def positions(shape):
    return itertools.product(*map(range, shape))


def test_offsets_are_those_of_the_format():
    """The offsets of nChw16c match its definition, computed by hand."""
    layout = plait.Layout("nChw16c", (2, 17, 3, 4))
    for n, c, h, w in positions(layout.shape):
        assert layout.offset(n, c, h, w) == (((n * 2 + c // 16) * 3 + h) * 4 + w) * 16 + c % 16
    assert layout.padded_shape == (2, 32, 3, 4) and layout.memory_shape == (2, 2, 3, 4, 16) and layout.span == 768
    assert layout.strides == (384, 192, 64, 16) and layout.inner_blocks == ((1, 16),) and layout.start == 0 and layout.ndim == 4
    assert layout.offset((1, 2, 1, 1)) == layout.offset([1, 2, 1, 1]) == layout.offset(np.array([1, 2, 1, 1])) == 466


def test_memory_has_an_element_at_each_offset():
    """The array that `on` makes, indexed by the digits of an index, is memory[offset(index)]."""
    checked = 0
    for layout in some_layouts(60, 1):
        digits = layout.digits()
        if any(d.is_outer and layout.padded_shape[d.axis] % d.size for d in digits):
            continue  # a part of a block, see test_parts
        array = layout.on(np.arange(layout.span))
        assert array.shape == layout.memory_shape
        for index in itertools.islice(positions(layout.shape), 0, None, 7):
            values = [index[d.axis] // d.size % (d.extent if not d.is_outer else 2**60) for d in digits]
            assert array[tuple(values)] == layout.offset(index)
            checked += 1
    assert checked > 500


def test_axes_of_the_memory_are_in_the_order_of_the_tag():
    """Digits of one element are ordered as well, although strides may be equal: in nhwc with one channel, c and w."""
    for shape in itertools.product([0, 1, 2], repeat=4):
        n, c, h, w = shape
        assert plait.Layout("nhwc", shape).memory_shape == (n, h, w, c)
        assert plait.Layout("chwn", shape).memory_shape == (c, h, w, n)
        assert plait.Layout("nChw8c", shape).memory_shape == (n, min(c, 1), h, w, 8)


def test_equality_hash_copies_and_repr():
    blocked = plait.Layout("nChw16c", (1, 17, 5, 4))
    assert blocked == plait.Layout("aBcd16b", [1, 17, 5, 4]) and blocked != plait.Layout("nchw", (1, 17, 5, 4)) and blocked != 7
    # The stride of an axis of one element is ignored.
    one, other = plait.Layout((1, 3), strides=(100, 1)), plait.Layout((1, 3))
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    for layout in some_layouts(60, 2):
        assert pickle.loads(pickle.dumps(layout)) == copy.copy(layout) == copy.deepcopy(layout) == layout
        assert pickle.loads(pickle.dumps(layout)).name == layout.name
        if repr(layout).startswith("plait."):
            assert eval(repr(layout)) == layout
    assert repr(blocked) == "plait.Layout('nChw16c', (1, 17, 5, 4))"
    with pytest.raises(AttributeError):
        blocked.shape = (1, 2)
    with pytest.raises(AttributeError):
        blocked._tag = "nchw"


def test_names():
    assert plait.Layout((4, 3)).name == "ab"
    assert plait.Layout("nchw", (2, 17, 5, 4), strides=(400, 20, 4, 1)).name == "nchw:400x20x4x1"
    assert plait.Layout("nchw", (2, 17, 5, 4), strides=(340, 20, 4, 1)).name == "nchw"
    assert plait.Layout("nchw", (1, 17, 5, 4)).matches("abcd") and not plait.Layout("nchw", (1, 17, 5, 4)).matches("nhwc")
    assert not plait.Layout("nchw", (1, 17, 5, 4)).matches("no tag")


def test_transpose_is_that_of_numpy_and_permute_axes_its_inverse():
    x = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
    layout = plait.Layout("nchw", x.shape)
    for order in itertools.permutations(range(4)):
        turned = layout.transpose(order)
        assert turned.shape == x.transpose(order).shape
        assert turned == plait.Layout.of(x.transpose(order))
        assert turned.permute_axes(order) == layout
    assert layout.transpose() == plait.Layout.of(x.T) and layout.transpose(0, -1, 1, 2).shape == (2, 5, 3, 4)


def test_an_array_without_elements_has_the_strides_of_a_dense_one():
    x = np.zeros((4, 6), np.float32)
    for empty in (x[:0, ::2], x[::2, :0], x[:0].T, np.zeros((3, 0, 2), np.float32)[:, :, ::2]):
        assert plait.Layout.of(empty).strides == plait.Layout(empty.shape).strides
    records = np.zeros(4, [("a", np.int8), ("b", np.float32)])["b"]  # a stride that is no multiple of the elements
    assert plait.Layout.of(records[:0]) == plait.Layout((0,))


def test_reshapes_keep_the_number_of_each_element():
    for layout in some_layouts(80, 3):
        for attempt in (lambda: layout.reshape(-1), lambda: layout.view(-1), lambda: layout.view(2, -1), lambda: layout.reshape((-1, 1, 4)),
                        lambda: layout.split_axis(0, (1, layout.shape[0])), lambda: layout.join_axes(0, 1)):
            try:
                made = attempt()
            except plait.Rejection as why:
                assert why.reason and str(why).startswith(why.reason)
                continue
            assert math.prod(made.shape) == math.prod(layout.shape)
            for before, after in itertools.islice(zip(positions(layout.shape), positions(made.shape)), 0, None, 5):
                assert layout.offset(before) == made.offset(after)


def test_one_element_without_axes():
    """The shape () has the meaning of NumPy, DLPack and einops."""
    one = plait.Layout(())
    assert (one.ndim, one.shape, one.strides, one.padded_shape, one.memory_shape, one.span, one.start) == (0, (), (), (), (), 1, 0)
    assert one.offset() == one.offset(()) == 0 and repr(one) == "plait.Layout(())" and eval(repr(one)) == one and one.digits() == []
    assert one != plait.Layout((1,)) and not one.matches("a") and one == plait.Layout((), strides=()) == plait.Layout.of(np.array(7))
    assert len({one, plait.Layout(()), plait.Layout((1,))}) == 2
    for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), one.transpose(), one.permute_axes(), one.submemory((), ()), one.reshape(())):
        assert again == one and again.shape == ()
    for shape in ((), (1,), (1, 1, 1)):
        there = plait.Layout(shape)
        assert one.reshape(shape) == one.view(shape) == there and there.reshape(()) == there.view(()) == one
        ones = " ".join("1" * len(shape))
        assert one.rearrange(f" -> {ones}") == one.rearrange(f"...->... {ones}") == there and there.rearrange(f"{ones} -> ") == one
    assert plait.Layout((1,)).rearrange("1 ... -> ...") == one
    assert one.rearrange_copy(" -> 1 1") == (one, plait.Layout((1, 1))) and one.rearrange_copy(" -> ") == (one, one)
    padded = plait.Layout("Ab4a", (1, 1))
    assert padded.rearrange_copy("1 1 -> ") == (plait.Layout((1, 1)), one)
    with pytest.raises(plait.Rejection, match="column 4"):
        one.rearrange_copy("-> a")
    assert one.explain().startswith("(): 1 element") and one.explain().endswith("offset() = 0") and "<svg" in one._repr_svg_()
    memory = np.arange(3.0)
    assert one.on(memory).shape == () and one.on(memory) == 0
    # The column refers to the pattern that was typed.
    with pytest.raises(plait.Rejection, match="column 4") as caught:
        one.rearrange("-> a")
    assert caught.value.numbers[0] == 4


def test_dims_from_text():
    draw = random.Random(12)
    for count in range(1, 13):
        dims = tuple(draw.choice([0, 1, 17, 2**63 - 1]) for _ in range(count))
        assert plait.parse_dims("x".join(map(str, dims))) == plait.parse_dims(",".join(map(str, dims))) == dims
    for text, reason, numbers in (("", "notation_is_malformed", 1), ("2x", "notation_is_malformed", 3), ("2x-3", "notation_is_malformed", 3),
                                  ("2X3", "notation_is_malformed", 2), ("2 x 3", "notation_is_malformed", 2), ("x2", "notation_is_malformed", 1),
                                  ("2x\u0663", "notation_is_malformed", 3), ("x".join("1" * 13), "ndims_is_out_of_range", 13),
                                  (str(2**63), "number_is_too_large", 0), ("9" * 100000, "number_is_too_large", 0)):
        with pytest.raises(plait.Rejection) as caught:
            plait.parse_dims(text)
        assert caught.value.reason == reason and caught.value.numbers[0] == numbers and len(str(caught.value)) < 300


def test_parts():
    blocked = plait.Layout("nChw16c", (1, 40, 5, 4))
    part = blocked.submemory((1, 24, 3, 4), (0, 16, 2, 0))
    assert part.shape == (1, 24, 3, 4) and part.offset(0, 3, 1, 2) == blocked.offset(0, 19, 3, 2)
    inside = blocked.submemory((1, 3, 5, 4), (0, 19, 0, 0))  # channels 19 to 21, in one block
    with pytest.raises(plait.Rejection) as caught:
        inside.memory_shape
    assert caught.value.reason == "layout_is_part_of_a_block" and caught.value.axis == 1 and caught.value.numbers == (3, 16, 0)


def test_slices_with_a_step():
    x = np.arange(2 * 9 * 4).reshape(2, 9, 4)
    layout = plait.Layout(x.shape)
    for begin, end, step in ((0, 9, 2), (1, 8, 3), (8, -1, -1), (8, -1, -2), (7, 2, -2), (3, 3, 1), (0, 9, 100)):
        part = layout.strided_slice(1, begin, end, step)
        expected = x[:, begin:None if end < 0 else end:step]
        assert part.shape == expected.shape
        assert (part.on(x) == expected).all()
    blocked = plait.Layout("aBc4b", x.shape)
    memory = plait.reorder(x, None, blocked)
    assert (plait.reorder(blocked.strided_slice(1, 0, 9, 2).on(memory), blocked.strided_slice(1, 0, 9, 2), None) == x[:, ::2]).all()
    with pytest.raises(plait.Rejection) as caught:
        blocked.strided_slice(1, 0, 9, 3)
    assert caught.value.reason == "step_cuts_a_block" and caught.value.axis == 1 and caught.value.numbers == (3, 0, 4)


@pytest.mark.parametrize("make, reason", [
    (lambda: plait.Layout((4, 3)).strided_slice(2, 0, 1, 1), "axis_is_out_of_range"),
    (lambda: plait.Layout(()).strided_slice(0, 0, 1, 1), "axis_is_out_of_range"),
    (lambda: plait.Layout((4, 3)).strided_slice(0, 0, 5, 1), "part_is_outside_parent"),
    (lambda: plait.Layout((4, 3)).strided_slice(0, -1, 4, 1), "part_is_outside_parent"),
    (lambda: plait.Layout((4, 3)).strided_slice(0, 3, 1, 1), "step_leads_away"),
    (lambda: plait.Layout((4, 3)).strided_slice(0, 0, 4, 0), "step_leads_away"),
    (lambda: plait.Layout("nchw", (1, 17, 5)), "rank_differs"),
    (lambda: plait.Layout("nChw16", (1, 17, 5, 4)), "tag_block_is_malformed"),
    (lambda: plait.Layout("", (1,)), "tag_is_empty"),
    (lambda: plait.Layout("any", (1, 2)), "layout_is_any"),
    (lambda: plait.Layout("nchw\0x", (1, 2, 3, 4)), "text_has_a_zero"),
    (lambda: plait.Layout("nchw", (1, -2, 3, 4)), "dim_is_negative"),
    (lambda: plait.Layout("nchw", (1, 2**64 + 2, 3, 4)), "number_is_too_large"),
    (lambda: plait.Layout((3, -2**63), strides=(1, 1)), "number_is_too_large"),
    (lambda: plait.Layout((2**40, 2**40)), "size_overflows"),
    (lambda: plait.Layout((2,)).reshape(()), "volumes_differ"),
    (lambda: plait.Layout(()).split_axis(0, (1, 1)), "axis_is_out_of_range"),
    (lambda: plait.Layout(()).join_axes(0, 0), "axis_is_out_of_range"),
    (lambda: plait.Layout(()).offset(0), "rank_differs"),
    (lambda: plait.Layout(()).transpose(0), "rank_differs"),
    (lambda: plait.Layout("a", ()), "rank_differs"),
    (lambda: plait.Layout(()).rearrange("a -> a"), "rank_differs"),
    (lambda: plait.Layout(()).rearrange("1 -> "), "rank_differs"),
    (lambda: plait.Layout((2,)).rearrange("a -> "), "pattern_axis_is_on_one_side"),
    (lambda: plait.Layout((1,) * 13), "ndims_is_out_of_range"),
    (lambda: plait.Layout((4, 3), strides=(3,)), "rank_differs"),
    (lambda: plait.Layout((4, 3)).offset(4, 0), "position_is_out_of_range"),
    (lambda: plait.Layout((4, 3)).offset(-1, 0), "position_is_out_of_range"),
    (lambda: plait.Layout((4, 3)).offset(1), "rank_differs"),
    (lambda: plait.Layout((4, 3)).transpose(0), "rank_differs"),
    (lambda: plait.Layout((4, 3)).transpose(0, 0), "not_a_permutation"),
    (lambda: plait.Layout((4, 3)).permute_axes(0, 2**33), "number_is_too_large"),
    (lambda: plait.Layout((4, 3)).reshape(5, -1), "volumes_differ"),
    (lambda: plait.Layout((4, 3)).reshape(0, -1), "volumes_differ"),
    (lambda: plait.Layout((4, 3)).reshape(-1, -1), "dim_is_negative"),
    (lambda: plait.Layout((4, 3)).submemory((4,), (0, 0)), "rank_differs"),
    (lambda: plait.Layout((4, 3)).submemory((4, 3), (1, 0)), "part_is_outside_parent"),
    (lambda: plait.Layout((4, 3)).split_axis(2, (1, 1)), "axis_is_out_of_range"),
    (lambda: plait.Layout((4, 3)).join_axes(0, 2), "axis_is_out_of_range"),
    (lambda: plait.Layout((4, 3)).rearrange("a b"), "pattern_arrow_is_missing"),
    (lambda: plait.Layout((4, 3)).on(np.zeros(11)), "buffer_is_too_small"),
    (lambda: plait.Layout((4, 3)).on(np.zeros((4, 6))[:, ::2]), "array_is_not_dense"),
])
def test_refusals(make, reason):
    with pytest.raises(plait.Rejection) as caught:
        make()
    assert caught.value.reason == reason and f"{reason}: " in str(caught.value), caught.value
    why, again = caught.value, pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reason, again.axis, again.numbers) == (str(why), reason, why.axis, why.numbers)


def test_a_copy_that_rearranges_is_named_and_is_einops_array():
    blocked, pattern = plait.Layout("nChw16c", (2, 17, 4, 3)), "n c (h p) w -> n (c p) (w h)"
    with pytest.raises(plait.Rejection, match="axis_is_padded: .*; a reorder to .* does it: rearrange_copy"):
        blocked.rearrange(pattern, p=2)
    to, result = blocked.rearrange_copy(pattern, p=2)
    values = np.arange(2 * 17 * 4 * 3, dtype=np.float32).reshape(2, 17, 4, 3)
    moved = plait.reorder(plait.reorder(values, None, blocked), blocked, to)
    want = values.reshape(2, 17, 2, 2, 3).transpose(0, 1, 3, 4, 2).reshape(2, 34, 6)
    assert result.shape == want.shape and np.array_equal(result.on(moved), want)
    with pytest.raises(plait.Rejection, match="pattern_extent_is_missing"):
        blocked.rearrange_copy(pattern)


def test_what_minus_one_does_not_stand_for_is_said():
    with pytest.raises(plait.Rejection, match="-1 stands for no extent: 12 elements are no multiple of 5"):
        plait.Layout((4, 3)).reshape(5, -1)


@pytest.mark.parametrize("make", [lambda: plait.Layout("nchw"), lambda: plait.Layout((1, 2), (3, 4)), lambda: plait.Layout((1.5, 2)),
                                  lambda: plait.Layout("ab", "cd"), lambda: plait.Layout(None),
                                  lambda: plait.Layout((4, 3)).offset("a", 0)])
def test_what_is_no_number_is_a_type_error(make):
    with pytest.raises(TypeError):
        make()


def test_recast_counts_bytes_of_the_new_elements():
    """2**62 bytes fit in 63 bits; as many elements of the type before would not."""
    assert plait.Layout("a", (2**60,)).recast("f32", "u8").shape == (2**62,)
    with pytest.raises(plait.Rejection, match="size_overflows"):
        plait.Layout("a", (2**60,)).recast("f64", "u8")


def test_explained_offsets_are_the_offsets():
    """The formula at the end of explain() gives the offset when Python evaluates it."""
    checked = 0
    for layout in some_layouts(60, 4):
        text = layout.explain()
        assert layout.name in text
        names, formula = text.splitlines()[-1].strip().removeprefix("offset(").split(") = ", 1)
        letters = names.split(", ")
        for index in itertools.islice(positions(layout.shape), 0, None, 11):
            assert eval(formula, dict(zip(letters, index))) == layout.offset(index), (text, index)
            checked += 1
    assert checked > 500
