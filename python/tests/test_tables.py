"""Reorders through tables: the elements that NumPy would select, and refusals with nothing written."""

import numpy as np
import plait
import pytest

POOL = plait.Layout("abcd", (12, 5, 8, 3)).rearrange("p h t d -> (p t) h d")  # 12 pages of 8 tokens
ROWS = plait.Layout("abc", (29, 5, 3))
X = np.arange(29 * 5 * 3, dtype=np.float32).reshape(29, 5, 3)


def indices(table, block, count, first=0):
    i = np.arange(first, first + count)
    return np.asarray(table, np.int64)[i // block] * block + i % block


def tokens_of(memory):
    """The pool as (token, head, value)."""
    return memory.transpose(0, 2, 1, 3).reshape(96, 5, 3)


@pytest.mark.parametrize("table", [[5, 2, 7, 0], np.array([5, 2, 7, 0], np.int32), np.array([5, 2, 7, 0], np.uint32),
                                   np.array([9, 5, 9, 2, 9, 7, 9, 0])[1::2]])
def test_pages(table):
    memory = np.full((12, 5, 8, 3), -1, np.float32)
    write = plait.TableReorder(ROWS, POOL, dtype=np.float32, dst_table=(0, 8))
    assert write(X, memory, dst_table=table) is memory
    wanted = np.full((96, 5, 3), -1, np.float32)
    wanted[indices(table, 8, 29)] = X
    assert np.array_equal(tokens_of(memory), wanted)
    read = plait.TableReorder(POOL, ROWS, dtype=np.float32, src_table=(0, 8))
    assert np.array_equal(read(memory, np.zeros_like(X), src_table=table), X)


def test_sequences_and_types():
    first, second = [3, 1], np.array([4, 9, 11])
    memory = np.zeros((12, 5, 8, 3), np.int8)
    scale = np.array([1, 2, 4, 8, 16], np.float32).reshape(5, 1)
    write = plait.TableReorder(ROWS, POOL, dtype=np.int8, src_dtype=np.float32, dst_table=(0, 8), dst_scale=scale)
    write(X, memory, dst_table=[(first, 9, 3), (second, 20)])
    wanted = np.zeros((96, 5, 3), np.int8)
    wanted[np.concatenate([indices(first, 8, 9, 3), indices(second, 8, 20)])] = np.clip(np.rint(X / scale), -128, 127)
    assert np.array_equal(tokens_of(memory), wanted)


def test_scales_by_page():
    table = [5, 2, 7, 0]
    scales = np.zeros((12, 1, 1), np.float32)  # scales of other pages are not checked
    scales[table, 0, 0] = [1, 2, 4, 8]
    by_token = np.linspace(1, 2, 29, dtype=np.float32).reshape(29, 1, 1)
    memory = np.zeros((12, 5, 8, 3), np.int8)
    write = plait.TableReorder(ROWS, POOL, dtype=np.int8, src_dtype=np.float32, dst_table=(0, 8), src_scale=by_token,
                               dst_scale=plait.Values(scales, group=(8, 5, 3)))
    write(X, memory, dst_table=table)
    wanted = np.zeros((96, 5, 3), np.int8)
    slots = indices(table, 8, 29)
    wanted[slots] = np.clip(np.rint(X * by_token / scales[slots // 8]), -128, 127)
    assert np.array_equal(tokens_of(memory), wanted)
    with pytest.raises(plait.Rejection) as why:
        write(X, memory, dst_table=[5, 2, 7, 1])
    assert why.value.reason == "scale_is_invalid"
    assert np.array_equal(tokens_of(memory), wanted)


def test_groups():
    blocks = np.full((48, 5, 3), -1, np.float32)
    write = plait.TableReorder(ROWS, plait.Layout("abc", (48, 5, 3)), dtype=np.float32, dst_groups=(0, 16))
    write(X, blocks, dst_table=[0, 5, 5, 29])
    wanted = np.zeros((48, 5, 3), np.float32)
    wanted[:5], wanted[16:40] = X[:5], X[5:]
    assert np.array_equal(blocks, wanted)


def test_refusals():
    memory = np.full((12, 5, 8, 3), -1, np.float32)
    write = plait.TableReorder(ROWS, POOL, dtype=np.float32, dst_table=(0, 8))

    def refused(reason, table):
        with pytest.raises(plait.Rejection) as why:
            write(X, memory, dst_table=table)
        assert why.value.reason == reason, why.value
        assert (memory == -1).all()
        return why.value

    assert refused("table_entries_repeat", [5, 2, 5, 0]).numbers == (0, 2, 5)
    assert refused("table_entry_is_out_of_range", [5, 2, 7, 12]).numbers == (3, 12, 12)
    refused("table_entry_is_out_of_range", [5, 2, 7, -1])
    refused("table_is_too_short", [5, 2, 7])
    refused("table_is_too_short", [])
    refused("table_is_missing", None)
    refused("part_is_outside_parent", [([5, 2, 7, 0], 30)])
    refused("dim_is_negative", [([5, 2, 7, 0], -1)])
    for table in ([1.5], "ab", {1: 2}, np.zeros((2, 2), int), [([5], "x")], [(1, 2)]):
        with pytest.raises(TypeError):
            write(X, memory, dst_table=table)
    for arguments in (dict(), dict(dst_table=(0, 12)), dict(dst_table=(3, 8)), dict(dst_table=(0, 0)), dict(dst_table=(0, 8), dst_groups=(0, 8))):
        with pytest.raises(plait.Rejection):
            plait.TableReorder(ROWS, POOL, dtype=np.float32, **arguments)
    with pytest.raises(plait.Rejection):  # scales of the rows, of which there are 29
        plait.TableReorder(ROWS, POOL, dtype=np.float32, dst_table=(0, 8), src_scale=np.ones((96, 1, 1), np.float32))
