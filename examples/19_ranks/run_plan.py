"""Moves a tensor between files by a plan in JSON, without plait: any program can.

    plait shard 1000x700 64x64@2x2 '[Shard(0)]@4' --json plan.json
    python3 run_plan.py plan.json --in a0 a1 a2 a3 --out b0 b1 b2 b3 --digests 5d0c... 91aa...

--digests are those of the layouts that the files have: a plan of other layouts is refused, and no file is written.
"""

import argparse
import json
import sys

import numpy as np
from numpy.lib.stride_tricks import as_strided

SIZES = {"f64": 8, "f32": 4, "s32": 4, "f16": 2, "bf16": 2, "s8": 1, "u8": 1, "f8_e5m2": 1, "f8_e4m3": 1}


def check(condition, message):
    if not condition:
        sys.exit(message)


def places(memory, part, dims, name):
    """The elements of one side of a part, as a view of the memory of a rank."""
    offset, strides = part["offset"], part["strides"]
    first = offset + sum(min(0, (d - 1) * s) for d, s in zip(dims, strides))
    last = offset + sum(max(0, (d - 1) * s) for d, s in zip(dims, strides))
    check(0 <= first and last < memory.size, f"{name}: a part reaches from {first} to {last}, of {memory.size} places")
    return as_strided(memory[offset:], dims, [s * memory.itemsize for s in strides])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("plan")
    arguments.add_argument("--in", nargs="+", required=True, dest="read", metavar="FILE")
    arguments.add_argument("--out", nargs="+", required=True, dest="written", metavar="FILE")
    arguments.add_argument("--digests", nargs=2, metavar=("FROM", "TO"))
    given = arguments.parse_args()

    with open(given.plan, encoding="utf-8") as file:
        plan = json.load(file)
    check(plan.get("plait_redistribution") == 1, f"{given.plan}: version {plan.get('plait_redistribution')} is not 1")
    source, target = plan["from"], plan["to"]
    check(source["type"] == target["type"], "this program does not convert elements")
    if given.digests:
        for side, digest in zip(("from", "to"), given.digests):
            check(plan[side]["digest"] == digest, f"{given.plan}: the plan is for another layout: {side} {plan[side]['digest']}")
    check(len(given.read) == source["ranks"], f"{source['ranks']} files are read, not {len(given.read)}")
    check(len(given.written) == target["ranks"], f"{target['ranks']} files are written, not {len(given.written)}")

    words = f"V{SIZES[source['type']]}"
    memory = [np.fromfile(name, words) for name in given.read]
    result = [np.zeros(target["places"], words) for _ in given.written]
    for move in plan["moves"]:
        for part in move["parts"]:
            dims = part["dims"]
            read = places(memory[move["from"]], part["from"], dims, given.read[move["from"]])
            places(result[move["to"]], part["to"], dims, given.written[move["to"]])[...] = read
    for name, values in zip(given.written, result):
        values.tofile(name)


main()
