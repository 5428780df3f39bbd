#!/usr/bin/env python3
"""Checks certificates of reorders, as `plait prove` writes them: check_certificate.py FILE..., or - for standard input.

A plan is right if it moves each element to its place (once, or twice alike), zeroes all padding, and writes nothing
else; otherwise the first thing that is wrong is named. The checker knows one theorem: along an axis, a place with
place(0) = 0 is uniquely a sum of jumps, of by * (i // border) with rising borders. The tensor and the plan are brought
to one normal form, without enumerating elements: the time depends on the size of the certificate alone."""

import json
import sys
from functools import reduce
from math import gcd, lcm, prod

MOST_BYTES, MOST_TERMS, MOST_EDGES, MOST_STEPS, MOST_SEGMENTS = 1 << 26, 64, 1 << 13, 1 << 16, 1 << 10
VERSION, BOTH = 2, ("source", "destination")


class Wrong(Exception):
    """What is wrong with a certificate."""


def need(good, what):
    if not good:
        raise Wrong(what)


def integer(value, least=-2**62, most=2**62):
    need(type(value) is int and least <= value <= most, f"{str(value)[:40]!r} is no integer from {least} to {most}")
    return value


def items(value, what, most=MOST_TERMS):
    need(type(value) is list and len(value) <= most, f"{what} is no list of at most {most}")
    return value


def row(value, length=None, most=MOST_TERMS, least=-2**62):
    need(length in (None, len(items(value, "a row", most))), f"{str(value)[:60]} are not {length} numbers")
    return [integer(v, least) for v in value]


def of_digits(digits, n):
    """The jumps, {border: by}, of n indices whose digits are (step, extent, stride); one without extent has no end."""
    ends = [end for step, extent, stride in digits for end in ((step, stride), (step * extent, -stride * extent))]
    return {border: by for border, _ in ends if border < n and (by := sum(more for at, more in ends if at == border))}


def place(jumps, i):
    return sum(by * (i // border) for border, by in jumps.items())


class Form:
    """The normal form. A digit is [extent, step in the source, in the destination, index]; an axis is (elements, places
    that are written, jumps of the source, of the destination, index). The index, (axis, number), is the tensor's."""
    def __init__(self, origin, digits=()):
        self.origin, self.digits, self.axes = list(origin), list(digits), []

    def add(self, elements, written, src, dst, axis):
        """Splits off the lower part of an axis while there is a cut that divides both its ends and each border above
        it, and that each border below divides: both parts are then independent."""
        step = 1
        while written > 1:
            borders = sorted({*src, *dst})
            cuts = [cut for k in range(len(borders) + 1) if (cut := gcd(elements, written, *borders[k:])) > max([1] + borders[:k]) and cut % lcm(*borders[:k]) == 0]
            cut = cuts[0] if cuts else written
            low = [{b: by for b, by in side.items() if b < cut} for side in (src, dst)]
            chain = sorted({1, *low[0], *low[1]}) + [cut]
            if not cuts or any(outer % inner for inner, outer in zip(chain, chain[1:])):
                self.axes.append((cut if cuts else elements, cut, *(tuple(sorted(side.items())) for side in low), (axis, step)))
            else:
                self.digits += [[outer // inner, *(place(part, inner) for part in low), (axis, step * inner)] for inner, outer in zip(chain, chain[1:])]
            elements, written, step = elements // cut, written // cut, step * cut
            src, dst = (of_digits([(1, 0, place(part, cut))] + [(b // cut, 0, by) for b, by in side.items() if b >= cut], n)
                        for part, side, n in zip(low, (src, dst), (elements, written)))

    def finish(self):
        """Turns digits that run backwards in the destination, and joins those that continue each other."""
        digits, self.digits = [d for d in self.digits if d[0] > 1], []
        for digit in digits:
            if (digit[2], digit[1]) < (0, 0):
                self.origin = [at + (digit[0] - 1) * step for at, step in zip(self.origin, digit[1:3])]
                digit[1:3] = -digit[1], -digit[2]
        for digit in sorted(digits, key=lambda d: (d[2], d[1], d[0])):
            if self.digits and [self.digits[-1][0] * step for step in self.digits[-1][1:3]] == digit[1:3]:
                self.digits[-1][0] *= digit[0]
            else:
                self.digits.append(digit)
        self.axes.sort(key=lambda axis: axis[:4])
        return self


def form_of_tensor(c):
    form = Form(row(c["offsets"], 2))
    for number, axis in enumerate(items(c["axes"], "axes")):
        elements, written, stored = (integer(axis[key], 1) for key in ("elements", "written", "stored"))
        need(elements <= written <= stored and (c["zeroed"] or written == stored), f"axis {number}: of {stored} places {written} are written")
        jumps = [dict(row(jump, 2) for jump in items(axis[side], "jumps")) for side in BOTH]
        for side, n in zip(jumps, (elements, stored)):
            need(list(side) == sorted(side) and all(0 < b < n and by for b, by in side.items()), f"axis {number}: {side} are no jumps of {n} indices")
        form.add(elements, written, jumps[0], {b: by for b, by in jumps[1].items() if b < written}, number)
    return form.finish(), [(axis["stored"], dict(map(tuple, axis["destination"]))) for axis in c["axes"]]


def form_of_plan(c, loops, bits, bounds):
    form, axes = Form(row(c["plan_offsets"], 2)), {}
    for loop in ({"overlap": [0, 0, 0], "uneven": [], **loop} for loop in loops + bits):
        for key, least in (("count", 1), ("index", 0), ("source", -2**62), ("destination", -2**62), ("axis", 0)):
            integer(loop[key], least)
        if loop["count"] > 1 or row(loop["overlap"], 3)[0]:
            axes.setdefault(loop["axis"], []).append(loop)
    for axis, steps in ((axis, sorted(steps, key=lambda loop: loop["index"])) for axis, steps in axes.items()):
        end, name, outer, back = 1, f"plan axis {axis}", steps[-1], row(steps[-1]["overlap"], 3)
        for loop in steps:
            need(loop["index"] == end, f"{name}: index {min(loop['index'], end)} is wrong: a loop steps by {loop['index']}, those inside it end at {end}")
            need(loop is outer or (loop["overlap"], loop["uneven"]) == ([0, 0, 0], []), f"{name}: only its outermost loop may be uneven or overlap")
            end *= loop["count"]
        elements, written = bounds.get(axis, (end - back[0],) * 2)
        need(end >= written, f"{name}: index {end} is wrong: the loops end there, of {written}")
        jumps = [of_digits([(loop["index"], 0 if loop is outer else loop["count"], loop[side]) for loop in steps] +
                           [(outer["index"] * integer(period, 1), 0, integer((src, dst)[at])) for period, src, dst in outer["uneven"]], n)
                 for at, (side, n) in enumerate(zip(BOTH, (elements, written)))]
        if back != [0, 0, 0]:  # the last step begins earlier; its places are right if the axis is one digit on both sides
            last, by = outer["index"] * (outer["count"] - 1), [back[0] * side.get(1, 0) for side in jumps]
            need(axis not in bounds and all(set(side) <= {1} for side in jumps), f"{name}: index {last} is wrong: a last step that overlaps needs an axis of one digit")
            need(0 <= back[0] <= last and back[1:] == by, f"{name}: index {last - back[0]} is wrong: the last step moves back by {back[1:]} instead of {by}")
        form.add(elements, written, *jumps, None)
    return form.finish()


def compare(tensor, plan, rank):
    need(tensor.origin == plan.origin, f"index {[0] * rank} is wrong: it is at {tensor.origin}, and the plan moves it at {plan.origin}")
    for what, ours, theirs, n in (("steps", tensor.digits, plan.digits, 3), ("elements", tensor.axes, plan.axes, 4)):
        for k, wanted in enumerate(ours):
            index = [wanted[-1][1] if axis == wanted[-1][0] else 0 for axis in range(rank)]
            need(k < len(theirs), f"index {index} is wrong: the plan does not reach it")
            need(wanted[:n] == theirs[k][:n], f"index {index} is wrong: there are {wanted[0]} {what} by {wanted[1:n]}, and the plan has {theirs[k][0]} by {theirs[k][1:n]}")
        need(len(ours) == len(theirs), f"the plan has {what} that are not the tensor's: {str(theirs[-1:])[:99]}")


def check_destination(c, axes, size):
    """Refuses two indices in one place, and zeroed runs that are not all places of the destination."""
    digits, reach = [], 1
    for stored, jumps in axes:
        chain = sorted({1, *jumps}) + [stored]
        for inner, outer in zip(chain, chain[1:]):
            need(outer % inner == 0 or (outer == stored and not c["zeroed"]), f"borders {inner} and {outer} of the destination are no digits")
            digits.append([-(-outer // inner), 0, place(jumps, inner), None])
    for extent, _, stride, _ in sorted((d for d in digits if d[0] > 1), key=lambda d: abs(d[2])):
        need(abs(stride) >= reach, f"two indices may have one place in the destination: a step of {stride}, after {reach} places")
        reach += (extent - 1) * abs(stride)
    if c["zeroed"]:
        places = Form((0, c["offsets"][1] * size), [[e, 0, s * size, None] for e, _, s, _ in digits] + [[size, 0, 1, None]])
        runs = Form((0, integer(c["zeroed"]["from"])), [[integer(count, 1), 0, integer(step), None] for count, step in [[c["zeroed"]["bytes"], 1]] + items(c["zeroed"]["loops"], "loops")])
        need(vars(runs.finish()) == vars(places.finish()), "what is zeroed is not the destination")


def shuffle(tile, width, step):
    """Returns the bytes of a tile's registers, one register after the other, where a step of the network brings them."""
    (kind, what), = step.items()
    if kind == "order":  # bit t of a place is bit order[t] of the place that its byte comes from: bits of lanes, then of registers
        need(sorted(row(what)) == list(range(len(what))) and 1 << len(what) == len(tile), f"{what} is no order of bits")
        return [tile[sum((place >> t & 1) << bit for t, bit in enumerate(what))] for place in range(len(tile))]
    need(kind == "pick", f"{kind!r} is no shuffle")  # 16 bytes of a register are taken from these 16 bytes of all registers
    picked = [row(one, 16, least=0) for one in items(what, "pick")]
    need(width % 16 == 0 and len(picked) * width == len(tile) and max(map(max, picked)) < 16 * len(picked), "bytes are picked that are not there")
    return [tile[byte // 16 * width + part + byte % 16] for one in picked for part in range(0, width, 16) for byte in one]


def index_in_tile(bits, on):
    at = {axis: sum(bit["index"] * value for bit, value in zip(bits, on) if bit["axis"] == axis) for axis in sorted({bit["axis"] for bit in bits})}
    return ", ".join(f"{index} along plan axis {axis}" for axis, index in at.items() if index) or "0"


def moves_of(digits, most, ends=()):
    """Returns the elements that digits count before the ends of axes: (place in the source, in the destination): the values of the digits."""
    need(prod(integer(digit["count"], 1) for digit in digits) <= most, f"there are more than {most} elements")
    found = {(0, 0): ((), (0,) * len(ends))}
    for digit in digits:
        by = [*zip([digit["index"], *(integer(digit[side]) for side in BOTH)], digit.get("overlap", [0, 0, 0]))]
        steps = [[i, *(i * step - (i + 1 == digit["count"]) * less for step, less in by)] for i in range(digit["count"])]
        found = {(at + src, to + dst): (on + (i,), tuple(n + index * (axis == digit["axis"]) for n, axis in zip(left, ends)))
                 for (at, to), (on, left) in found.items() for i, index, src, dst in steps}
    return {place: on for place, (on, left) in found.items() if all(n < ends[axis] for n, axis in zip(left, ends))}


def check_tile(tile, bits, size):
    """Returns for each byte of the tile: segment and lane that load it, those that store it, its digits, its place."""
    number, width = integer(tile["registers"], 1, 16), integer(tile["register_bytes"], 1, 64)
    src, dst = (row(tile[side], most=MOST_SEGMENTS) for side in BOTH)
    need(all(n and number * width % n == 0 and n % number == 0 for n in (len(src), len(dst))), f"{len(src)} and {len(dst)} segments of {number} registers")
    in_bytes, out_bytes, moved = number * width // len(src), number * width // len(dst), []
    want = moves_of(bits, number * width // size)
    for n, origin in enumerate(reduce(lambda tile, step: shuffle(tile, width, step), items(tile["network"], "network"), range(number * width))):
        at, to = src[origin // in_bytes] + origin % in_bytes, dst[n // out_bytes] + n % out_bytes
        on = want.get((at // size, to // size)) if at % size == to % size else None
        for (other, place_to), others in want.items() if on is None else ():
            need(place_to != to // size, f"index {index_in_tile(bits, others)} of a tile is wrong: byte {to} is loaded from {at} instead of {other * size + to % size}")
        need(on is not None, f"a tile writes byte {to}, where none of its elements is")
        moved.append((divmod(origin, in_bytes), divmod(n, out_bytes), on, to))
    need(len({m[2:] for m in moved}) == len(moved) == size * len(want), "a tile does not write each byte of its elements once")
    return moved


def check_staged(c, order, bits, size):
    """Refuses a strip whose buffers bring tiles elsewhere. Axes end only in one row, filled as the destination, moved whole or not at all."""
    staged, inner, ends = order["staged"], order["loops"][integer(order["staged"]["from"], 0):], {bound["axis"]: bound["stored"] for bound in c["bounds"]}
    is_run = (staged["destination"]["rows"], staged["source"], staged["loops"], staged["bits"]) == ([0], None, inner, bits) and not any(
        loop["axis"] in ends and loop["axis"] in (digit["axis"] for digit in inner + bits) for loop in order["loops"][:staged["from"]])
    wanted, filled = (moves_of(items(digits, "loops and bits"), MOST_STEPS, ends) for digits in (inner + bits, staged["loops"] + staged["bits"]))
    need(all(loop["uneven"] == [] and (is_run or loop["overlap"] == [0, 0, 0] and not ends) for loop in inner + staged["loops"]), "a strip has an end")
    moved = list(zip(*filled))
    for n, rows in ((n, staged[side]) for n, side in enumerate(BOTH) if staged[side]):
        length, pitch, first = integer(rows["length"], 1), integer(rows["pitch"], 1), row(rows["rows"], most=MOST_SEGMENTS)
        need(len(first) * length == len(wanted) and all(at // pitch in range(len(first)) and at % pitch < length for at in moved[n]), "the rows of a buffer are not its elements")
        moved[n] = [first[at // pitch] + at % pitch for at in moved[n]]
    need({*zip(*moved)} == {*wanted} and len(filled) == len(wanted), f"a strip is wrong: {sorted({*zip(*moved)} ^ {*wanted})[:1]} are moved only with buffers, or only without")
    check_tile(staged["tile"], staged["bits"], size)


def remaining_of(loops, valid, stored, reach):
    """What tiles find left of a bound: (elements, places), each at most the reach of a tile."""
    found, budget = set(), iter(range(MOST_STEPS))
    def run(k, first):
        need(next(budget, None) is not None, "the tiles end in too many ways")
        if k == len(loops):
            return found.add((min(max(valid - first, 0), reach), min(stored - first, reach)))
        (step, count), i, far = loops[k], 0, reach + sum((c - 1) * s for s, c in loops[k + 1:])
        while i < count and first + i * step < stored:
            at, i = first + i * step, i + 1
            if at + far <= min(valid, stored) or valid <= at <= stored - far:  # all steps to a limit are alike
                found.add((reach if at < valid else 0, reach))
                i = min(count - 1, ((min(valid, stored) if at < valid else stored) - far - first) // step) + 1
            else:
                run(k + 1, at)
    run(0, 0)
    return found


def ways_of(c, loops, bits):
    ways = {()}
    for bound in c["bounds"]:
        reach = 1 + sum(bit["index"] * (bit["count"] - 1) for bit in bits if bit["axis"] == bound["axis"])
        need(bound["reach"] == reach, f"plan axis {bound['axis']}: a tile reaches {reach} indices, not {bound['reach']}")
        own = sorted(((loop["index"], loop["count"]) for loop in loops if loop["axis"] == bound["axis"] and loop["count"] > 1), reverse=True)
        ways = {(*way, pair) for way in ways for pair in remaining_of(own, bound["elements"], bound["stored"], reach)}
        need(len(ways) <= MOST_EDGES, "the tiles end in too many ways")
    return ways - {tuple((bound["reach"],) * 2 for bound in c["bounds"])}


def check_edges(c, bits, moved):
    """Returns the ways in which tiles end for which there are masks, all of which are right."""
    steps = [[bit["index"] if bit["axis"] == bound["axis"] else 0 for bit in bits] for bound in c["bounds"]]
    for edge in items(c["edges"], "edges", MOST_EDGES):
        left, loads = tuple(tuple(row(pair, 2)) for pair in items(edge["remaining"], "remaining")), edge["loads"]
        need(len(left) == len(steps) and loads in ("nothing", "lanes", "whole segments"), "an edge is not of this plan")
        src, dst = (row(edge[side], len(c["tile"][side]), MOST_SEGMENTS) for side in BOTH)
        for (segment, byte), (to_segment, lane), on, to in moved:
            is_stored, is_valid = (all(sum(step * value for step, value in zip(axis, on)) < pair[n] for axis, pair in zip(steps, left)) for n in (1, 0))
            is_loaded = loads == "whole segments" or (loads == "lanes" and bool(edge["loaded"][segment] >> byte & 1))
            for good, what in (((edge["stored"][to_segment] >> lane & 1) == is_stored, f"{'not ' if is_stored else ''}stored"),
                               (not is_stored or dst[to_segment] + lane == to, "stored elsewhere"),
                               (not is_stored or is_loaded == is_valid, "not loaded" if is_valid else "padding, and loaded"),
                               (not is_stored or not is_valid or src[segment] == c["tile"]["source"][segment], "loaded from elsewhere")):
                need(good, good or f"index {index_in_tile(bits, on)} of a tile with {list(left)} left is wrong: it is {what}")
    return {tuple(tuple(pair) for pair in edge["remaining"]) for edge in c["edges"]}


def check(text):
    """Returns how many elements the plan moves; raises Wrong if it is not right."""
    try:
        c = json.loads(text)
        need(type(c) is dict and type(c["certificate"]) is int and c["certificate"] == VERSION, f"this is no certificate of version {VERSION}")
        size, bits = integer(c["element_bytes"], 1, 8), items(c["bits"], "bits", 12)
        tensor, axes = form_of_tensor(c)
        check_destination(c, axes, size)
        bounds = {bound["axis"]: (integer(bound["elements"], 1), integer(bound["stored"], 1)) for bound in items(c["bounds"], "bounds")}
        need(len({**bounds, -1: 0}) == len([b for b in c["bounds"] if b["axis"] != -1]) + 1, "two bounds of one axis")  # -1: of no loop
        need(items(c["orders"], "orders"), "there is no order of loops")
        for order in c["orders"]:
            compare(tensor, form_of_plan(c, items(order["loops"], "loops"), bits, bounds), len(axes))
            order["staged"] and check_staged(c, order, bits, size)
        left = set().union(*(ways_of(c, order["loops"], bits) for order in c["orders"])) - check_edges(c, bits, check_tile(c["tile"], bits, size))
        need(not left, f"there are no masks for a tile with {list(min(left, default=()))} left")
        return prod(axis["elements"] for axis in c["axes"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, MemoryError) as error:
        raise Wrong(f"this is no certificate: {type(error).__name__} {str(error)[:80]}") from None


def main():
    bad = len(sys.argv) < 2
    for name in sys.argv[1:]:
        try:
            with sys.stdin if name == "-" else open(name, encoding="utf-8") as file:
                print(f"{name}: right, {min(map(check, file.read(MOST_BYTES).splitlines() or ['']))} elements")
        except (Wrong, OSError, UnicodeError) as error:
            bad = print(f"{name}: {error}") is None
    sys.exit(bad)


if __name__ == "__main__":
    main()
