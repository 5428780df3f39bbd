"""Runs the cases of oneDNN's own reorder tests through the C interface, and compares every byte with the witness's model.

usage: onednn_cases.py LIBRARY CASES [--every N] [--jobs J]

CASES is test/data/onednn_reorder_cases.json: groups, whose lists of types, tags, dims and attributes multiply. With
--every N only each N-th case runs. Prints how many cases are right, refused and not expressible, with the reasons.
Returns 1 if a byte differs, if an outcome is not in the list below, or if all cases run and a count is another.
"""

import argparse
import collections
import ctypes
import itertools
import json
import multiprocessing
import re
import sys

import numpy as np

import capi
import values
from attributes import Attributes, ByAxes, groups_of, values_of_mask
from cases import Case
from draw import Draw, product_of
from run_case import Bench, Mismatch, Prepared, describe_difference
from typed_values import drawn, typed

TYPES = {name: number for number, name in capi.TYPE_NAMES.items()}
MOST_ELEMENTS = 4_000_000
# The counts of all cases. A case that plait learns to express moves from one line to another.
EXPECTED = {
    "right": 29054,
    "not expressible: stochastic rounding": 2,
    "not expressible: too large for this test": 2,
}


def expanded(groups):
    """Returns all cases of the groups, as dictionaries of texts."""
    for group in groups:
        lists = {key: value for key, value in group.items() if key != "from"}
        for chosen in itertools.product(*lists.values()):
            yield dict(zip(lists, chosen), group=group["from"])


def whole_tag(tag, ndims):
    """Replaces x, which stands for the axes that the tag does not name. Other tags are plait's as they are."""
    if not re.fullmatch(r"[a-fA-Fx0-9]+", tag):
        return tag
    rest = [letter for letter in "abcdef"[:ndims] if letter not in tag.lower()]
    return tag.replace("x", "".join(rest))


def why_not_expressible(case):
    """Returns what of a case plait cannot express, or an empty text."""
    for name in case["src_types"], case["dst_types"]:
        if name not in TYPES:
            return f"type {name}"
    if "rounding" in case:
        return "stochastic rounding"
    if product_of(dims_of(case)) > MOST_ELEMENTS:
        return "too large for this test"
    return ""


def dims_of(case):
    return [int(extent) for extent in case["dims"].split("x")]


def by_side(text):
    """Splits src:common:2+dst:per_dim_1 into {"src": "common:2", "dst": "per_dim_1"}."""
    return dict(part.split(":", 1) for part in text.split("+")) if text else {}


def scale_of(text, dims, draw):
    if text.startswith("common:"):
        return ByAxes(0, np.array([float(text[7:])], dtype=np.float32), False)
    policy, *rest = text.split(":")
    axes = range(len(dims)) if policy == "per_tensor" else [int(axis) for axis in policy.removeprefix("per_dim_")]
    mask = sum(1 << axis for axis in axes)
    if rest:
        return typed_scale_of(dims, mask, TYPES[rest[0]], rest[1] if len(rest) > 1 else "", draw)
    return ByAxes(mask, values.scales(draw, values_of_mask(dims, mask)), True)


def typed_scale_of(dims, mask, data_type, groups, draw):
    """Returns scales of a type; groups, if any, are those of the last axes: 8x1."""
    if not groups:
        return typed(data_type, drawn(draw, data_type, values_of_mask(dims, mask), True), mask=mask)
    last = [int(number) for number in groups.split("x")]
    group = [1] * (len(dims) - len(last)) + last
    count = product_of(groups_of(dims, group))
    return typed(data_type, drawn(draw, data_type, count, True), group=group)


def attributes_of(case, dims, draw):
    given = {f"{side}_scale": scale_of(text, dims, draw) for side, text in by_side(case.get("scales", "")).items()}
    for side, text in by_side(case.get("zero_points", "")).items():
        given[f"{side}_zero_point"] = ByAxes(0, np.array([int(text)], dtype=np.int32), False)
    beta = np.float32(case.get("sum") or 0)
    return Attributes(given, beta) if given or beta else None


def add_compensation(desc, text):
    for kind, mask in by_side(text).items():
        if kind == "s8s8":
            desc.extra.flags |= capi.S8S8
            desc.extra.compensation_mask = int(mask)
        else:
            desc.extra.flags |= capi.ASYMMETRIC_SOURCE
            desc.extra.asymmetric_source_mask = int(mask)


def descriptor_of(case, side, extents, library):
    data_type = TYPES[case[side + "_types"]]
    if strides := case.get(side + "_strides"):
        return library.by_strides(extents, [int(stride) for stride in strides.split("x")], data_type)
    return library.by_tag(extents, data_type, whole_tag(case[side + "_tags"], len(extents)))


def make(case, number, library):
    """Returns the case of the witness, and the descriptors to create the reorder with."""
    draw, dims = Draw(1, number), dims_of(case)
    open_dims = [capi.DYNAMIC] * len(dims) if case.get("runtime") == "63" else dims
    made = []
    for extents in (dims, open_dims):
        pair = [descriptor_of(case, side, extents, library) for side in ("src", "dst")]
        add_compensation(pair[1], case.get("compensation", ""))
        made.append(pair)
    (src, dst), created = made
    return Case(number, src, dst, attributes_of(case, dims, draw), places=("end", "end"), draw=draw), created


def run(library, bench, case, created):
    prepared = Prepared(case, bench)
    if reasons := prepared.refusal():
        raise Mismatch(f"the model expects a refusal: {reasons}")
    expected = prepared.expected()
    prepared.fill()
    structs = None if case.attributes is None else case.attributes.as_struct()
    pointer = None if structs is None else ctypes.byref(structs)
    source, destination = ((room.address, room.size) for room in (prepared.source_room, prepared.room))
    library.created_then_run(created, (case.src, case.dst), source, destination, pointer)
    prepared.compare(expected.matches, lambda got: describe_difference(prepared, expected.settled(got), got))


def outcome_of(library, bench, text, number):
    """Returns what became of a case: "right", "refused: ...", "not expressible: ..." or "WRONG: ..."."""
    if missing := why_not_expressible(text):
        return f"not expressible: {missing}"
    try:
        run(library, bench, *make(text, number, library))
    except capi.Refused as refused:
        return f"refused: {str(refused).split(':')[0]}"
    except Mismatch as failed:
        return f"WRONG: case {number}, {text}: {failed}"
    return "right"


def count(arguments, job):
    library = capi.Library(arguments.library)
    bench = Bench(library, 3 * MOST_ELEMENTS)
    with open(arguments.cases, encoding="utf-8") as file:
        chosen = itertools.islice(enumerate(expanded(json.load(file))), 0, None, arguments.every)
        return collections.Counter(outcome_of(library, bench, text, number)
                                   for number, text in itertools.islice(chosen, job, None, arguments.jobs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("cases")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    with multiprocessing.Pool(arguments.jobs) as pool:
        parts = pool.starmap(count, [(arguments, job) for job in range(arguments.jobs)])
    counts = sum(parts, collections.Counter())
    for outcome, cases in sorted(counts.items()):
        print(f"{cases:6d}  {outcome}")
    unexpected = [outcome for outcome in counts if outcome not in EXPECTED]
    differs = arguments.every == 1 and counts != EXPECTED
    if unexpected or differs:
        print(f"unexpected: {unexpected or {key: (counts[key], EXPECTED.get(key)) for key in counts | EXPECTED}}")
    return 1 if unexpected or differs else 0


if __name__ == "__main__":
    sys.exit(main())
