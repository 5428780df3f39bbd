"""Random packed-weight records: valid tags, pairs over the same fields, broken tags, and values. No format is known
here.

    random_record(seed)           returns (tag, dims, parameters)
    random_pair(seed)             returns two tags that arrange the same fields, dims, and parameters of the second
    broken_record(seed)           returns (tag, dims) with one production broken; a few are still valid
    random_values(record, draw)   returns the bits of the fields that a pack is given
"""

import dataclasses
import random
import re

import numpy as np

from record_draw import INTEGERS, Arrangement, Spec
from record_model import Record
from record_tags import BITS, Field, Gap, parse

MOST_ELEMENTS = 20_000
MOST_PIECES, MOST_LOOPS, MOST_PARTS = 16, 12, 160
OTHERS = ["f16", "f16", "bf16", "f32", "f32", "s32", "f4_e2m1", "f6_e3m2", "e8m0", "ue4m3",
          "f8_e5m2", "u12", "u16", "u9"]
NAMES = ["q", "d", "s", "m", "w", "bias", "x1", "Scale_of_w", "zero"]


def draw_specs(draw):
    """Returns axes, dims and specs of a random record."""
    axes = draw.choice(["nk", "nk", "kn", "ab", "k", "n", "enk", "abc", "xyz"])
    most = draw.choice([50, 500, 3000, MOST_ELEMENTS])
    dims, product = {}, 1
    for axis in draw.sample(axes, len(axes)):
        room = max(1, most // product)
        dims[axis] = min(room, draw.choice([draw.randint(1, 9), draw.randint(1, 40), 8 * draw.randint(1, 12), room]))
        dims[axis] = min(dims[axis], 400)
        product *= dims[axis]
    specs = []
    names = draw.sample(NAMES, len(NAMES))
    for name in names[:draw.choice([1, 2, 2, 3, 3, 4, 5])]:
        shares = {axis: draw_share(draw, dims[axis]) if specs else None for axis in axes}
        specs.append(Spec(name, draw.choice(INTEGERS if draw.random() < 0.6 else OTHERS), shares))
    summed = [spec for spec in specs if spec.type in INTEGERS and not any(spec.shares.values())]
    if summed and draw.random() < 0.4:
        of = draw.choice(summed)
        of.is_summed = True
        shares = {axis: draw_share(draw, dims[axis]) for axis in axes}
        specs.append(Spec("sum", "s32", shares, content=draw.choice(["sum", "sum", "added"]), of=of.name))
    if summed and draw.random() < 0.15:
        of, axis = draw.choice(summed), draw.choice(axes)
        of.is_summed = True
        scale = Spec("scale", draw.choice(["f32", "f16", "bf16"]), {a: None for a in axes})
        scale.shares[axis] = (1, draw.choice([2, 4, 8, 16, 32]))
        shares = {a: "all" if a == axis else None for a in axes}
        specs += [scale, Spec("acc", "f32", shares, content="ordered", of=of.name, scale="scale")]
    return axes, {axis: dims[axis] for axis in axes}, specs


def draw_share(draw, extent):
    kind = draw.choices(["none", "all", "low", "middle"], [4, 3, 4, 1])[0]
    size = draw.choice([2, 4, 8, 16, 32, 3])
    return {"none": None, "all": "all", "low": (1, size), "middle": (draw.choice([2, 4]), draw.choice([2, 3]))}[kind]


def parts_of(item):
    """Returns how many parts plait counts in an item of a tag: marks, parentheses, both ends of a field, gaps."""
    if isinstance(item, Gap):
        return 1
    inside = len(item.ranges) if isinstance(item, Field) else sum(map(parts_of, item.items))
    return 2 + len(item.loops) + inside


def is_small(draw, tag, dims):
    """True for a record within the limits of plait. Most records whose outer loops end inside a byte are left out."""
    record = Record(tag, dims.values())
    return (parts_of(parse(tag)[1]) <= MOST_PARTS and len(record.pieces) <= MOST_PIECES and
            all(len(piece.loops) <= MOST_LOOPS for piece in record.pieces) and
            (not record.ends_inside_a_byte or draw.random() < 0.2))


def random_record(seed):
    """Returns a tag, its dims, and the parameters that it names."""
    draw = random.Random(f"record {seed}")
    while True:
        axes, dims, specs = draw_specs(draw)
        made = Arrangement(draw, axes, dims, specs)
        tag = made.text()
        if is_small(draw, tag, dims):
            return tag, list(dims.values()), made.parameters


def random_pair(seed):
    """Returns two tags over the same fields, dims, and the parameters of the second."""
    draw = random.Random(f"pair {seed}")
    while True:
        first, second, dims, parameters = draw_pair(draw)
        if is_small(draw, first, dims) and is_small(draw, second, dims):
            return first, second, list(dims.values()), parameters


def draw_pair(draw):
    axes, dims, specs = draw_specs(draw)
    has_sums = [draw.random() < 0.6 for _ in range(2)]
    kept = [[spec for spec in specs if is_there or spec.content not in ("sum", "ordered")] for is_there in has_sums]
    if draw.random() < 0.2:
        # One value for twice as many indices is refused; one for half as many is copied.
        halved = [spec for spec in kept[1] if any(isinstance(share, tuple) for share in spec.shares.values())]
        if halved:
            kept[1] = [with_other_share(draw, spec) if spec is halved[0] else spec for spec in kept[1]]
    first = Arrangement(draw, axes, dims, kept[0], allow_added=False)
    second = Arrangement(draw, axes, dims, kept[1])
    return first.text(), second.text(), dims, second.parameters


def with_other_share(draw, spec):
    axis = draw.choice([axis for axis, share in spec.shares.items() if isinstance(share, tuple)])
    step, extent = spec.shares[axis]
    other = (step, extent // 2) if extent > 2 and draw.random() < 0.7 and extent % 2 == 0 else \
        draw.choice([None, (step, 2 * extent)])
    return dataclasses.replace(spec, shares=spec.shares | {axis: other})


BREAKS = [(r"@(\d+)", lambda m, draw: f"@{int(m[1]) + draw.choice([1, 2, 3])}"),
          (r"(?<![\w.^*%:=])(\d+)(?=[a-z])", lambda m, draw: str(int(m[1]) * 2)),
          (r"(?<![\w.^*%:=])(\d+)(?=[a-z])", lambda m, draw: draw.choice(["1", "0", ""])),
          (r"[A-Z](?=[ (A-Z0-9])", lambda m, draw: m[0].lower()),
          (r"(?<=[ (])[a-z](?=[ ,)])", lambda m, draw: m[0].upper()),
          (r"(?<=[ (])[A-Za-z](?=[ (,)])", lambda m, draw: ""),
          (r"(?<=[ (])[A-Za-z](?=[ (,)])", lambda m, draw: m[0] + " " + m[0]),
          (r"(?<=\d)[a-z](?=[ ,)@!])", lambda m, draw: "j"),
          (r"\)", lambda m, draw: ""), (r"\(", lambda m, draw: ""),
          (r",", lambda m, draw: draw.choice(["", ";", ",,"])),
          (r":[a-z]+\d+", lambda m, draw: draw.choice([":f17", ":u17", ":u0", ":", ":U4"])),
          (r"(:u\d+)-(\d+)", lambda m, draw: m[1] + draw.choice(["-0", "-70000", f"^1-{m[2]}", f"-{m[2]}x", "-"])),
          (r"(~[a-z]=)(-?\d+)", lambda m, draw: m[1] + draw.choice(["", "-", "70000", f"{m[2]} {m[1]}1", f"{m[2]}{m[1]}1"])),
          (r"\^(\d+)", lambda m, draw: f"^{int(m[1]) * 64}"), (r"^[a-z]+", lambda m, draw: m[0] + m[0][0]),
          (r"^[a-z]+", lambda m, draw: m[0] + "i"), (r"=(\d+)", lambda m, draw: f"={int(m[1]) + 4}"),
          (r"\[[^\]]*\]", lambda m, draw: draw.choice(["[0:9999]", "[5:2]", "[0:1", "[1]"])),
          (r"sum\((\w+)", lambda m, draw: draw.choice(["sum(nothing", "sum(", f"sum({m[1]}-", f"sum({m[1]}-0", f"sum({m[1]},"])), (r"-[a-z]", lambda m, draw: "-j"),
          (r"(?<=[ (,])(\w+)(?=(\.\d+)?:)", lambda m, draw: draw.choice(["a_name_of_16_let", "1q", "q*"])),
          (r", ?[^,()]*(?=[,)])", lambda m, draw: ""), (r"~[a-z]", lambda m, draw: "~"), (r"$", lambda m, draw: " ,"),
          (r"(?<= )(\d+)([a-z])(?=[ ,)])", lambda m, draw: f"<{m[0]}"), (r"!", lambda m, draw: "!!"),
          (r"(?<= )(\d+)([a-z])(?=[ ,)])", lambda m, draw: f"/{m[0]}")]


def broken_record(seed):
    """Returns a tag with one production broken, and dims."""
    draw = random.Random(f"broken {seed}")
    tag, dims, _ = random_record(draw.getrandbits(32))
    for pattern, replacement in draw.sample(BREAKS, len(BREAKS)):
        places = list(re.finditer(pattern, tag))
        if places:
            found = draw.choice(places)
            return tag[:found.start()] + replacement(found, draw) + tag[found.end():], dims
    return tag[1:], dims


def random_values(record, draw, others=()):
    """Returns values of the fields that are given: any bits, but moderate numbers for fields that are multiplied.

    Fields that another record multiplies have moderate numbers, too.
    """
    generator = np.random.default_rng(draw.getrandbits(64))
    multiplied = set()
    for each in (record, *others):
        multiplied |= {field.content.scale for field in each.fields.values() if field.content}
        multiplied |= {piece.field.name for piece in each.pieces if piece.field.factor != 1}
    out = {}
    for name, field in record.fields.items():
        if field.content and not field.content.added:
            continue
        values = generator.integers(0, (1 << field.bits) - 1, field.dims, dtype=np.uint64, endpoint=True)
        if name in multiplied:
            values = moderate(values, field.type)
        out[name] = values
    return out


def moderate(bits, type_name):
    """Returns bits of numbers between 1/16 and 16, so that a factor is exact and sums are finite."""
    mantissa, bias = {"f64": (52, 1023), "f32": (23, 127), "f16": (10, 15), "bf16": (7, 127)}[type_name]
    exponent = bits >> np.uint64(mantissa + 1) & np.uint64(7)
    sign = bits >> np.uint64(mantissa) & np.uint64(1)
    return (bits & np.uint64((1 << mantissa) - 1) | (exponent + np.uint64(bias - 4)) << np.uint64(mantissa) |
            sign << np.uint64(BITS[type_name] - 1))
