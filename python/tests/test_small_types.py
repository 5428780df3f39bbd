"""Elements smaller than a byte, packed in bytes; bits of e8m0 and ue4m3; values of scales by type, group and layout."""

import numpy as np
import plait
import pytest

PACKED = {"u1": 1, "u2": 2, "u4": 4, "s4": 4, "f4_e2m1": 4, "f4_e3m0": 4, "f6_e2m3": 6, "f6_e3m2": 6}


def packed(elements, bits):
    """Returns elements as they lie in memory: the first in the lowest bits of the first byte."""
    each = elements.reshape(-1, 1).astype(np.uint8) >> np.arange(bits, dtype=np.uint8) & 1
    return np.packbits(each.reshape(-1).astype(np.uint8), bitorder="little")


@pytest.mark.parametrize("word, bits", PACKED.items())
def test_packed_elements_move(word, bits):
    x = np.random.default_rng(bits).integers(0, 2**bits, (5, 8)).astype(np.uint8)
    moved = plait.reorder(packed(x, bits), plait.Layout("ab", x.shape), "ba", dtype=word, src_dtype=word)
    assert moved.dtype == np.uint8 and np.array_equal(moved.reshape(-1), packed(x.T, bits))
    # Padding is zero, and so is what is left of the last byte.
    blocked = plait.reorder(packed(x, bits), plait.Layout("ab", x.shape), "AB4a16b", dtype=word, src_dtype=word)
    full = np.zeros((8, 16), np.uint8)
    full[:5, :8] = x
    assert np.array_equal(blocked.reshape(-1), packed(full.reshape(2, 4, 16), bits))
    back = plait.reorder(blocked, plait.Layout("AB4a16b", x.shape), "ab", dtype=word, src_dtype=word)
    assert np.array_equal(back.reshape(-1), packed(x, bits))


def test_shapes_are_in_bytes_where_rows_are():
    x = np.arange(32, dtype=np.uint8).reshape(4, 8)  # 4 x 16 elements
    assert plait.reorder(x, None, None, src_dtype="u4", dtype="u4").shape == (4, 8)
    assert plait.reorder(x, "ab", "ba", src_dtype="u4", dtype="u4").shape == (16, 2)
    assert plait.reorder(x, None, None, src_dtype="u4", dtype=np.uint8)[0].tolist() == [0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0]
    odd = plait.reorder(x[:1], None, None, shape=(3, 5), src_dtype="u4", dtype="u4")  # 15 elements
    assert odd.shape == (8,) and odd.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    # What is behind the last element is zero in a new array, also if its memory held other numbers.
    for _ in range(4):
        old = np.full(8, 255, np.uint8)
        del old
        assert plait.reorder(x[:1], None, None, shape=(3, 5), src_dtype="u4", dtype="u4")[7] == 7
        assert plait.reorder(np.full(8, 255, np.uint8), plait.Layout("ab", (3, 5)), "ba", src_dtype="u4", dtype="u4")[-1] == 15
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(x[:, :4].copy(), None, None, src_dtype="f6_e2m3", dtype=np.float32)
    assert caught.value.reason == "shape_is_missing"


def test_wrong_packed_arrays():
    x = np.zeros((4, 8), np.uint8)
    for array, layout, reason in ((x[:, ::2], plait.Layout("ab", (4, 8)), "array_is_not_dense"),
                                  (x, plait.Layout("ab", (4, 17)), "array_shape_differs"),
                                  (x.astype(np.uint16), plait.Layout("ab", (4, 16)), "data_types_differ")):
        with pytest.raises(plait.Rejection) as caught:
            plait.reorder(array, layout, None, src_dtype="u4", dtype=np.float32)
        assert caught.value.reason == reason
    out = np.full(9, 7, np.uint8)
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(np.zeros((4, 4), np.float32), None, None, dtype="u4", out=out)
    assert caught.value.reason == "array_shape_differs" and (out == 7).all()


def test_numbers_of_small_types():
    x = np.array([0, 0.5, 1.25, 2.5, -3, 5, 100, -0.2], np.float32)
    as_f4 = plait.reorder(x, None, None, dtype="f4_e2m1")
    assert as_f4.tolist() == [0x10, 0x42, 0x6d, 0x87]
    assert plait.reorder(as_f4, None, None, src_dtype="f4_e2m1", dtype=np.float32).tolist() == [0, 0.5, 1, 2, -3, 4, 6, 0]
    assert plait.reorder(x, None, None, dtype="s4").tolist() == [0x00, 0x21, 0x5d, 0x07]
    assert plait.reorder(np.float32([1, 3, 0.5]), None, None, dtype="e8m0").tolist() == [127, 128, 126]
    assert plait.reorder(np.uint8([0x38, 0xb8]), None, None, src_dtype="ue4m3", dtype=np.float32).tolist() == [1, 1]
    assert plait.reorder(x, None, None, dtype=bool).tolist() == [False] + [True] * 7


def test_values_by_group_type_and_layout():
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    by_group = np.array([[1, 2], [3, 4]], np.float16)
    expected = x * np.repeat(np.repeat(by_group, 2, 0), 3, 1).astype(np.float32)
    values = plait.Values(by_group, group=(2, 3))
    assert np.array_equal(plait.reorder(x, None, None, src_scale=values), expected)
    plan = plait.Reorder(plait.Layout("ab", x.shape), plait.Layout("ba", x.shape), dtype=np.float32,
                         src_scale=plait.Values(by_group, group=(2, 3)))
    by_group[:] = 9  # the values and the plan have copies
    assert np.array_equal(plan(x), expected.T) and np.array_equal(plait.reorder(x, None, None, src_scale=values), expected)
    # Packed zero points: one for each row and 3 columns.
    points = packed(np.arange(8), 4)
    result = plait.reorder(x, None, None, src_zero_point=plait.Values(points, "u4", group=(1, 3)))
    assert np.array_equal(result, x - np.repeat(np.arange(8).reshape(4, 2), 3, 1))
    # bf16 and e8m0 as bits, by broadcasting.
    bits = np.uint16([0x3f80, 0x4000, 0x3f00, 0x4040]).reshape(4, 1)
    assert np.array_equal(plait.reorder(x, None, None, src_scale=plait.Values(bits, "bf16")), x * np.float32([[1], [2], [0.5], [3]]))
    powers = np.uint8([127, 128, 126, 127, 127, 130])
    assert np.array_equal(plait.reorder(x, None, None, dst_scale=plait.Values(powers, "e8m0")), x / np.float32([1, 2, 0.5, 1, 1, 8]))
    # The last group of an axis may be shorter: columns 0 to 3, and 4 and 5.
    shorter = np.arange(8, dtype=np.float16).reshape(4, 2)
    found = plait.reorder(x, None, None, src_scale=plait.Values(shorter, group=(1, 4)))
    assert np.array_equal(found, x * np.repeat(shorter, 4, 1)[:, :6].astype(np.float32))
    # Rows of three zero points that are padded to whole bytes, as files have them.
    numbers = np.arange(1, 13).reshape(4, 3)
    rows = np.stack([packed(row, 4) for row in numbers])
    assert rows.shape == (4, 2)
    for group, columns in ((2, 6), (2, 5), (3, 7)):
        wide = np.arange(4 * columns, dtype=np.float32).reshape(4, columns)
        found = plait.reorder(wide, None, None, src_zero_point=plait.Values(rows, "u4", group=(1, group)))
        assert np.array_equal(found, wide - np.repeat(numbers, group, 1)[:, :columns])
    # By layout: column-major.
    scales = np.arange(1, 25, dtype=np.float32).reshape(6, 4)
    found = plait.reorder(x, None, None, src_scale=plait.Values(scales, layout=plait.Layout("ba", x.shape)))
    assert np.array_equal(found, x * scales.T)


@pytest.mark.parametrize("make, reason", [
    (lambda: plait.Values(np.ones((4, 2), np.float32), group=(1, 0)), "group_does_not_divide"),
    (lambda: plait.Values(np.ones((4, 3), np.float32), group=(1, 3)), "mask_has_other_values"),
    (lambda: plait.Values(np.ones(4, np.float64), group=(1, 6)), "value_type_does_not_fit"),
    (lambda: plait.Values(np.ones(4, np.int32), group=(1, 6)), "value_type_does_not_fit"),
    (lambda: plait.Values(np.ones(4, np.float32), group=(6,)), "rank_differs"),
    (lambda: plait.Values(np.ones((4, 5), np.float32), layout=plait.Layout("ab", (4, 5))), "dims_differ"),
    (lambda: plait.Values(np.uint8([0x22]), "f4_e2m1"), "group_is_missing"),
    (lambda: plait.Values(np.ones(4, np.int64)), "value_type_does_not_fit"),
    (lambda: plait.Values(np.ones(4, np.float32), group=(1, 6), layout=plait.Layout("ab", (4, 6))), "values_are_given_twice"),
])
def test_wrong_values(make, reason):
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(np.zeros((4, 6), np.float32), None, None, src_scale=make())
    assert caught.value.reason == reason
