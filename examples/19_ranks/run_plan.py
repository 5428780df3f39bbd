"""Moves a tensor between files by a plan in JSON, without plait: any program can.

    plait shard 1000x700 64x64@2x2 '[Shard(0)]@4' --json plan.json
    python3 run_plan.py plan.json --in a0 a1 a2 a3 --out b0 b1 b2 b3 --digests 5d0c... 91aa...

A plan of table_reorder_json reads one file and changes another one, which keeps what the plan does not name:

    python3 run_plan.py pages.json --in tokens --out cache

--digests are those of the layouts that the files have: a plan of other layouts is refused. If a plan is refused, no file
is written.
"""

import argparse
import json
import math
import sys

import numpy as np
from numpy.lib.stride_tricks import as_strided

SIZES = {"f64": 8, "f32": 4, "s32": 4, "f16": 2, "bf16": 2, "s8": 1, "u8": 1, "f8_e5m2": 1, "f8_e4m3": 1}


def check(condition, message):
    if not condition:
        sys.exit(message)


def places(memory, part, dims, name, begin=0):
    """The elements of one side of a part, as a view of the memory of a rank."""
    offset, strides = begin + part["offset"], part["strides"]
    check(len(strides) == len(dims), f"{name}: a part of {len(dims)} extents has {len(strides)} strides")
    first = offset + sum(min(0, (d - 1) * s) for d, s in zip(dims, strides))
    last = offset + sum(max(0, (d - 1) * s) for d, s in zip(dims, strides))
    check(0 <= first and last < memory.size, f"{name}: a part reaches from {first} to {last}, of {memory.size} places")
    return as_strided(memory[offset:], dims, [s * memory.itemsize for s in strides])


class Room:
    """The places of a file that are not written yet. Each place is written once, so a plan cannot write more."""

    def __init__(self, memory, name):
        self.left, self.name, self.size = memory.size, name, memory.size

    def take(self, dims):
        check(all(type(d) is int and d > 0 for d in dims), f"{self.name}: a part has the extents {dims}")
        self.left -= math.prod(dims)
        check(self.left >= 0, f"{self.name}: the plan writes more than its {self.size} places")


def redistribute(plan, memory, names):
    """Executes a plan of redistribution. Returns the memories of the ranks that are written."""
    target = plan["to"]
    for move in plan["moves"]:
        for rank, side in ((move["from"], "from"), (move["to"], "to")):
            check(0 <= rank < plan[side]["ranks"], f"there is no rank {rank} among the {plan[side]['ranks']} of {side}")
    result = [np.zeros(target["places"], memory[0].dtype) for _ in names]
    room = [Room(values, name) for values, name in zip(result, names)]
    for move in plan["moves"]:
        for part in move["parts"]:
            room[move["to"]].take(part["dims"])
            read = places(memory[move["from"]], part["from"], part["dims"], "from")
            places(result[move["to"]], part["to"], part["dims"], names[move["to"]])[...] = read
    return result


def reorder(plan, read, written, name):
    """Executes a plan of a reorder through tables."""
    room, units = Room(written, name), plan["units"]
    zero = np.zeros((), written.dtype)
    for unit, source, target in plan["moves"]:
        check(0 <= unit < len(units), f"there is no unit {unit} among {len(units)}")
        for part in units[unit]["parts"]:
            room.take(part["dims"])
            places(written, part["to"], part["dims"], name, target)[...] = places(read, part["from"], part["dims"], "from", source)
        for box in units[unit]["zeros"]:
            room.take(box["dims"])
            places(written, box["to"], box["dims"], name, target)[...] = zero
    for box in plan["zeros"]:
        room.take(box["dims"])
        places(written, box["to"], box["dims"], name)[...] = zero


def execute(plan, given):
    """Returns the contents of the files that are written."""
    kind = "plait_table_reorder" if "plait_table_reorder" in plan else "plait_redistribution"
    check(plan.get(kind) == 1, f"{given.plan}: version {plan.get(kind)} is not 1")
    source, target = plan["from"], plan["to"]
    check(source["type"] == target["type"], "this program does not convert elements")
    check(source["type"] in SIZES, f"this program does not move elements of {source['type']}")
    if given.digests:
        for side, digest in zip(("from", "to"), given.digests):
            check(plan[side]["digest"] == digest, f"{given.plan}: the plan is for another layout: {side} {plan[side]['digest']}")
    of_tables = kind == "plait_table_reorder"
    for side, names, verb in ((source, given.read, "read"), (target, given.written, "written")):
        files = 1 if of_tables else side["ranks"]
        check(len(names) == files, f"{files} files are {verb}, not {len(names)}")
    words = f"V{SIZES[source['type']]}"
    memory = [np.fromfile(name, words) for name in given.read]
    if not of_tables:
        return redistribute(plan, memory, given.written)
    result = np.fromfile(given.written[0], words)
    for side, values, name in ((source, memory[0], given.read[0]), (target, result, given.written[0])):
        check(values.size == side["places"], f"{name} has {values.size} places, not {side['places']}")
    reorder(plan, memory[0], result, given.written[0])
    return [result]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("plan")
    arguments.add_argument("--in", nargs="+", required=True, dest="read", metavar="FILE")
    arguments.add_argument("--out", nargs="+", required=True, dest="written", metavar="FILE")
    arguments.add_argument("--digests", nargs=2, metavar=("FROM", "TO"))
    given = arguments.parse_args()

    try:
        with open(given.plan, encoding="utf-8") as file:
            plan = json.load(file)
        check(isinstance(plan, dict), f"{given.plan} is no JSON object")
        result = execute(plan, given)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, MemoryError) as error:
        sys.exit(f"{given.plan} is no plan: {type(error).__name__} {error}")
    for name, values in zip(given.written, result):
        values.tofile(name)


if __name__ == "__main__":
    main()
