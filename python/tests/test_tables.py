"""Reorders through tables: the elements that NumPy would select, and refusals with nothing written."""

import importlib.util
import json
import pathlib

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


def run_plan():
    """The example that executes plans with NumPy alone."""
    path = pathlib.Path(__file__).resolve().parents[2] / "examples" / "19_ranks" / "run_plan.py"
    spec = importlib.util.spec_from_file_location("run_plan", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def random_side(random, extents, axis, count, kind, is_written):
    """A layout, the arguments of a plan, the table of a call."""
    block, extents = int(random.integers(1, 7)), list(extents)
    if kind == "groups":
        offsets = np.concatenate([[0], np.sort(random.integers(0, count + 1, 2)), [count]])
        extents[axis] = int(sum(-(-size // block) for size in np.diff(offsets)) + random.integers(3)) * block
        arguments, table = {"groups": (axis, block)}, offsets
    elif kind == "table":
        needed = -(-count // block)
        pages = needed + int(random.integers(3))
        extents[axis] = pages * block
        arguments, table = {"table": (axis, block)}, random.permutation(pages)[:needed]
        if not is_written:
            table = random.integers(0, pages, needed)
        table = [(table, count)] if random.integers(2) else [(table, count - 1), (np.zeros(0, np.int32), 0), (table[-1:], 1, (count - 1) % block)]
        if is_written and len(table) > 1 and (count - 1) % block:  # the last page has both parts
            table = [(table[0][0], count)]
    else:
        extents[axis] = count
        arguments, table = {}, None
    letters = [chr(ord("a") + a) for a in random.permutation(len(extents))]
    other = int(random.integers(len(extents)))
    if other != axis and random.integers(2):
        letters = [letter.upper() if letter == chr(ord("a") + other) else letter for letter in letters]
        letters += ["4" + chr(ord("a") + other)]
    layout = plait.Layout("".join(letters), extents)
    if layout.ndim == 2 and random.integers(3) == 0:  # a part of a greater tensor
        layout = plait.Layout("ab", [n + 2 for n in extents]).submemory(extents, (1, 2))
    return layout, arguments, table


def test_json_is_executed_as_the_reorder():
    executor, random, parts = run_plan(), np.random.default_rng(1), 0
    types = [np.float32, np.uint8, np.float64, np.int16, np.complex128]
    for case in range(200):
        ndim = int(random.integers(1, 4))
        axis, count = int(random.integers(ndim)), int(random.integers(1, 30))
        extents = [int(n) for n in random.integers(1, 6, ndim)]
        kinds = [("none", "table", "groups")[k] for k in random.integers(3, size=2)]
        if kinds == ["none", "none"]:
            kinds[1] = "table"
        sides = [random_side(random, extents, axis, count, kind, side == 1) for side, kind in enumerate(kinds)]
        arguments = {f"{name}_{key}": value for name, side in zip(("src", "dst"), sides) for key, value in side[1].items()}
        tables = {f"{name}_table": side[2] for name, side in zip(("src", "dst"), sides)}
        tables = {name: table for name, table in tables.items() if table is not None}
        dtype = np.dtype(types[case % len(types)])
        plan = plait.TableReorder(sides[0][0], sides[1][0], dtype=dtype, **arguments)
        whole = [random.integers(1, 255, side[0].span * dtype.itemsize, np.uint8).view(dtype) for side in sides]
        arrays = [side[0].on(memory) for side, memory in zip(sides, whole)]
        made = json.loads(plan.json(**tables))
        # Places count from the lowest element of the array, as its address does.
        words = f"V{dtype.itemsize if dtype.itemsize < 16 else 8}"
        read, written = (memory[side[0].start:].copy().view(words) for side, memory in zip(sides, whole))
        assert (made["from"]["places"], made["to"]["places"]) == (read.size, written.size)
        executor.reorder(made, read, written, "out")
        plan(arrays[0], arrays[1], **tables)
        assert written.tobytes() == whole[1][sides[1][0].start:].tobytes(), case
        parts += sum(len(unit["parts"]) for unit in made["units"])
    assert parts > 200


def test_json_is_refused():
    write = plait.TableReorder(ROWS, POOL, dtype=np.float32, dst_table=(0, 8))
    made = json.loads(write.json(dst_table=[5, 2, 7, 0]))
    assert made["plait_table_reorder"] == 1 and made["from"]["type"] == "f32" and made["to"]["dims"] == [96, 5, 3]
    assert made["from"]["digest"] != made["to"]["digest"]
    for reason, table in (("table_entries_repeat", [5, 2, 5, 0]), ("table_entry_is_out_of_range", [5, 2, 7, 12]),
                          ("table_is_too_short", [5]), ("table_is_missing", None)):
        with pytest.raises(plait.Rejection) as why:
            write.json(dst_table=table)
        assert why.value.reason == reason
    scaled = plait.TableReorder(ROWS, POOL, dtype=np.int8, src_dtype=np.float32, dst_table=(0, 8), dst_scale=2)
    with pytest.raises(plait.Rejection) as why:
        scaled.json(dst_table=[5, 2, 7, 0])
    assert why.value.reason == "plan_has_attributes"
