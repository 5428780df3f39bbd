"""Random arrangements of fields in a packed-weight record: groups, loops, pieces and maps, from the grammar of tags
alone.

Specs say what the fields are: type, and which indices share a value. An arrangement puts them into groups and loops.
The steps of digits are chosen first. Then a digit is marked (`@`) if the grammar would give another step without a
mark. record_cases.py draws the specs.
"""

import dataclasses
import math
import re

from record_tags import is_integer, width_of

INTEGERS = ["u4", "u4", "u4", "s4", "u8", "s8", "s8", "u1", "u2", "u3", "u5", "u6", "u7"]


@dataclasses.dataclass
class Spec:
    name: str
    type: str
    shares: dict  # axis: None, "all", or (step, extent) of the shared digit
    is_summed: bool = False
    content: str = ""  # "sum", "added" or "ordered"
    of: str = ""  # the field that is summed
    scale: str = ""

    def end_of_share(self, axis):
        share = self.shares[axis]
        return share[0] * share[1] if isinstance(share, tuple) else 1


@dataclasses.dataclass
class Axis:
    """What the loops around an item say about an axis."""

    is_open: bool = True  # no letter yet
    block: int = 1
    taken: list = dataclasses.field(default_factory=list)  # (step, extent) of the numbered loops around
    limit: float = math.inf  # unmarked digits inside must have a smaller step

    def free(self):
        """Returns (step, size) of the parts of the block that no loop has."""
        out, at = [], 1
        for step, extent in sorted(self.taken) + [(self.block, 1)]:
            if step > at:
                out.append((at, step // at))
            at = step * extent
        return out


@dataclasses.dataclass
class Digit:
    axis: str
    step: int
    extent: int
    kind: str = "placed"  # or "shared"
    text: str = ""


def factors(draw, size):
    """Returns a random factorization of a number, in random order."""
    out = []
    while size > 1:
        divisors = [d for d in range(2, size + 1) if size % d == 0]
        out.append(draw.choice(divisors))
        size //= out[-1]
    return out


class Arrangement:
    """Draws the groups and loops of one tag."""

    def __init__(self, draw, axes, dims, specs, allow_added=True):
        self.draw, self.axes, self.dims, self.specs = draw, axes, dims, specs
        self.allow_added = allow_added
        self.parameters = {}
        self.digits_of = {}  # of summed fields
        self.contents = {}  # the text of what is computed, which the pieces of a field share
        self.paddings = {}
        self.most_padded = 60_000

    def chance(self, probability):
        return self.draw.random() < probability

    def text(self):
        specs = list(self.specs)
        self.draw.shuffle(specs)
        state = {axis: Axis() for axis in self.axes}
        items = self.items(specs, state, [], 0)
        text = items[0] if len(items) == 1 and self.chance(0.5) else f"({self.joined(items)})"
        text = self.axes + ":" + " " * self.draw.randint(0, 2) + text
        return re.sub(r"\{(\w+)\}", lambda found: self.ordered_content(found[1]), text)

    def joined(self, items):
        return self.draw.choice([", ", ", ", ","]).join(items)

    def block_for(self, axis, least):
        """Returns a block that is a multiple of `least` and not much larger than the axis."""
        extent = self.dims[axis]
        most = max(least, min(64, 2 * extent))
        multiples = (1, 1, 2, 2, 3, 4, 4, 6, 8, 12, 16, 32)
        return least * self.draw.choice([m for m in multiples if m * least <= most or m == 1])

    def items(self, specs, state, path, depth):
        """Returns the texts of items that hold all specs."""
        out = []
        while specs:
            count = self.draw.randint(1, len(specs))
            here, specs = specs[:count], specs[count:]
            if depth < 3 and self.chance(0.75 if depth == 0 else 0.35):
                out.append(self.group(here, state, path, depth))
            else:
                for spec in here:
                    out += self.field(spec, state, path)
        if self.chance(0.2):
            place = self.draw.randint(1, len(out))
            out.insert(place, "_:" + self.draw.choice(["1", "2", "5", "16", "%1", "%1", "%2", "%4", "%8", "%64", "%3"]))
        return out

    def group(self, specs, state, path, depth):
        state = {axis: dataclasses.replace(s, taken=list(s.taken)) for axis, s in state.items()}
        loops = []
        for axis in self.draw.sample(self.axes, len(self.axes)):
            least = math.lcm(*(spec.end_of_share(axis) for spec in specs))
            here = state[axis]
            if here.is_open and self.chance(0.65) and all(spec.shares[axis] != "all" for spec in specs):
                here.is_open, here.block = False, self.block_for(axis, least)
                loops.append(axis.upper() if here.block > 1 else axis)
            while not here.is_open and self.chance(0.3):
                parts = [(step, size) for step, size in here.free() if step * size > least]
                if not parts:
                    break
                step, size = self.draw.choice(parts)
                choices = [(a, e) for a in range(1, size) for e in range(2, size + 1)
                           if size % (a * e) == 0 and step * a % least == 0]
                if not choices:
                    break
                below, extent = self.draw.choice(choices)
                here.taken.append((step * below, extent))
                loops.append(Digit(axis, step * below, extent))
        if self.chance(0.25):
            self.draw.shuffle(loops)
        for loop in loops:
            if isinstance(loop, Digit):
                here = state[loop.axis]
                is_marked = loop.step >= here.limit or self.chance(0.3)
                if not is_marked:
                    here.limit = loop.step
                loop.text = f"{loop.extent}{loop.axis}" + (f"@{loop.step}" if is_marked else "") + \
                    ("!" if self.chance(0.1) else "")
        return self.written(loops) + f"({self.joined(self.items(specs, state, path + loops, depth + 1))})"

    def written(self, loops):
        out = ""
        for loop in loops:
            text = loop.text if isinstance(loop, Digit) else loop
            # A digit of one loop must not touch a number before it, as 4k@1 and 2n.
            out += (" " if out and (out[-1].isdigit() or self.chance(0.6)) else "") + text
        return out

    def field(self, spec, state, path):
        """Returns the texts of the pieces of a field."""
        bits = width_of(spec.type)
        can_split_bits = spec.type[0] == "u" and spec.type[1:].isdigit() and bits > 1
        ways = {"whole": 6}
        if not spec.is_summed and not spec.content:
            ways |= {"bits": 3 * can_split_bits, "fixed": 2, "range": 2,
                     "ragged": 4 * (not path)}
        if spec.content in ("sum", "added"):
            ways |= {"fixed": 4, "range": 3}
        way = self.draw.choices(list(ways), list(ways.values()))[0]
        digit = self.digit_to_fix(spec, state) if way == "fixed" else None
        if way == "ragged":
            axes = [a for a in self.axes if state[a].is_open and spec.shares[a] is None]
            if axes:
                return [self.piece(spec, state, path, spec.name, spec.type, ragged=self.draw.choice(axes))]
        if way == "range":
            axes = [a for a in self.axes if state[a].is_open and spec.shares[a] != "all" and
                    self.dims[a] > spec.end_of_share(a)]
            if axes:
                return self.ranged(spec, state, path, self.draw.choice(axes))
        if digit:
            out = []
            for value in range(digit.extent):
                out += self.in_bits(spec, state, path, can_split_bits and self.chance(0.5), (digit, value))
            self.draw.shuffle(out)
            return out
        return self.in_bits(spec, state, path, way == "bits", None)

    def digit_to_fix(self, spec, state):
        digits = []
        for axis in self.axes:
            if spec.shares[axis] == "all":
                continue
            if state[axis].is_open:
                digits.append(Digit(axis, spec.end_of_share(axis), self.draw.choice([2, 2, 3, 4])))
            else:
                digits += [Digit(axis, step * a, e) for step, size in state[axis].free() for a in range(1, size)
                           for e in (2, 3, 4) if size % (a * e) == 0 and step * a % spec.end_of_share(axis) == 0]
        return self.draw.choice(digits) if digits else None

    def in_bits(self, spec, state, path, is_split, fixed):
        bits = width_of(spec.type)
        if not is_split:
            return [self.piece(spec, state, path, spec.name, spec.type, fixed=fixed)]
        low = self.draw.randint(1, bits - 1)
        parts = [self.piece(spec, state, path, spec.name, f"u{low}", is_part=True, fixed=fixed),
                 self.piece(spec, state, path, f"{spec.name}.{low}", f"u{bits - low}", is_part=True, fixed=fixed)]
        self.draw.shuffle(parts)
        return parts

    def ranged(self, spec, state, path, axis):
        extent, unit = self.dims[axis], spec.end_of_share(axis)
        middle = unit * self.draw.randint(0, extent // unit)
        bound = str(middle)
        if middle and self.chance(0.6):
            bound = f"%{middle}"
            middle = extent // middle * middle
        parts = [self.piece(spec, state, path, spec.name, spec.type, ranged=(axis, text)) for text in
                 (f"{axis}[{self.draw.choice(['', '0'])}:{bound}]",
                  f"{axis}[{bound}:{self.draw.choice(['', str(extent)])}]")]
        self.draw.shuffle(parts)
        return parts

    def piece(self, spec, state, path, name, type_name, is_part=False, fixed=None, ranged=None, ragged=None):
        draw = self.draw
        loops, marks = [], []
        for axis in self.axes:
            here, share = state[axis], spec.shares[axis]
            if here.is_open and share == "all":
                loops.append(Digit(axis, 0, 0, "shared", f"/{axis}"))
                continue
            if here.is_open:
                least = spec.end_of_share(axis)
                if fixed and fixed[0].axis == axis:
                    least = fixed[0].step * fixed[0].extent
                block = draw.choice([2, 3, 8, 16, 5]) if ragged == axis else self.block_for(axis, least)
                loops.append(axis.upper() if block > 1 else axis)
                here = Axis(False, block)
                if ragged == axis:
                    loops.append(Digit(axis, 1, block, "ragged", f"<{block}{axis}"))
                    continue
            loops += self.digits(axis, here, share, fixed)
        loops = self.ordered(loops, ragged)
        self.write_marks(loops, state)
        if not ragged and not fixed and not ranged and draw.random() < 0.25:
            self.turn(spec, loops, path)
        if spec.is_summed:
            self.digits_of[spec.name] = [loop for loop in loops if isinstance(loop, Digit)]
            self.digits_of[spec.name] += [loop for loop in path if isinstance(loop, Digit)]
        marks = [ranged[1]] if ranged else []
        if fixed:
            digit, value = fixed
            marks.append(f"{digit.extent}{digit.axis}@{digit.step}={value}")
        for axis in self.axes:
            share = spec.shares[axis]
            if not spec.is_summed and not (fixed and fixed[0].axis == axis) and not (ranged and ranged[0] == axis) and \
                    axis != ragged and (share is None or share[0] == 1) and self.chance(0.25):
                marks.append(f"~{axis}")
            elif self.chance(0.15) and is_integer(type_name) and axis != ragged:
                marks.append(f"~{axis}={self.padding_of(spec)}")
        out = f"{name}:{' ' if self.chance(0.1) else ''}{type_name}{'' if is_part else self.map_of(spec, fixed is None)}"
        position = 0 if self.chance(0.5) else len(loops)
        before, after = loops[:position], loops[position:]
        return " ".join(part for part in (out, self.written(before), *marks, self.written(after), self.content_of(spec))
                        if part)

    def digits(self, axis, here, share, fixed):
        """Returns the digits of an axis that fill what the loops around leave."""
        cuts = {share[0], share[0] * share[1]} if isinstance(share, tuple) else set()
        taken = list(here.taken)
        if fixed and fixed[0].axis == axis:
            taken.append((fixed[0].step, fixed[0].extent))
        out = []
        for step, size in Axis(False, here.block, taken).free():
            end = step * size
            bounds = sorted({step, end} | {cut for cut in cuts if step < cut < end})
            for low, high in zip(bounds, bounds[1:]):
                is_shared = isinstance(share, tuple) and share[0] <= low < share[0] * share[1]
                for extent in factors(self.draw, high // low):
                    out.append(Digit(axis, low, extent, "shared" if is_shared else "placed"))
                    low *= extent
        return out

    def ordered(self, loops, ragged):
        """Returns the loops in the order of memory: mostly letters first, then digits in any order."""
        if not self.chance(0.15) or ragged:
            letters = [loop for loop in loops if isinstance(loop, str)]
            self.draw.shuffle(letters)
            if ragged:
                letters.sort(key=lambda letter: letter.lower() != ragged)
            digits = [loop for loop in loops if not isinstance(loop, str)]
            self.draw.shuffle(digits)
            return letters + digits
        self.draw.shuffle(loops)
        return loops

    def write_marks(self, loops, state):
        last = {axis: 0 for axis in self.axes}
        for loop in reversed(loops):
            if isinstance(loop, Digit) and not loop.text:
                is_marked = not last[loop.axis] < loop.step < state[loop.axis].limit or self.chance(0.1)
                if not is_marked:
                    last[loop.axis] = loop.step
                loop.text = ("/" if loop.kind == "shared" else "") + f"{loop.extent}{loop.axis}" + \
                    (f"@{loop.step}" if is_marked else "") + \
                    ("!" if loop.kind == "placed" and self.chance(0.07) else "")

    def turn(self, spec, loops, path):
        """Turns a digit by another axis whose digits inside its letter loop are a multiple of the digit."""
        whole = path + loops
        for loop in loops:
            if not isinstance(loop, Digit) or loop.kind != "placed" or loop.text.endswith("!"):
                continue
            for axis in self.axes:
                letters = [i for i, other in enumerate(whole) if isinstance(other, str) and other.lower() == axis]
                if axis == loop.axis or not letters or spec.shares[axis] is not None:
                    continue
                inside = math.prod(other.extent for other in whole[letters[0] + 1:]
                                   if isinstance(other, Digit) and other.axis == axis and other.kind == "placed")
                if inside % loop.extent == 0:
                    loop.text += f"-{axis}"
                    return

    def map_of(self, spec, is_whole):
        bits = width_of(spec.type)
        if spec.type in ("f32", "f16", "bf16") and not spec.content and self.chance(0.2):
            return "*" + self.draw.choice(["0.0625", "0.5", "4", "16"])
        if spec.type in INTEGERS and spec.type[0] == "u" and self.chance(0.5):
            return f"^{1 << (bits - 1)}"
        if spec.type in INTEGERS and not spec.is_summed and self.chance(0.1):
            return f"^{self.draw.randint(1, (1 << bits) - 1)}"
        if is_whole and spec.type in INTEGERS and not spec.is_summed and self.chance(0.15):
            return f"-{self.draw.randint(1, min((1 << bits) - 1, 65535))}"
        return ""

    def padding_of(self, spec):
        """Returns the value of the padding of a field, for all its axes and pieces."""
        bits = width_of(spec.type) - (spec.type[0] == "s")
        least = -(1 << bits) if spec.type[0] == "s" and self.chance(0.5) else 0
        return self.paddings.setdefault(spec.name, self.draw.randint(least, (1 << bits) - 1))

    def content_of(self, spec):
        if spec.name not in self.contents:
            self.contents[spec.name] = self.drawn_content(spec)
        return self.contents[spec.name]

    def drawn_content(self, spec):
        factor = self.draw.choice(["", "", "*16", "*-1", "*-128", "*3"])
        minus = self.draw.choice(["", "", "", "-8", "-2", "-1000"])
        if spec.content == "sum":
            return f"=sum({spec.of}{minus}){factor}"
        if spec.content == "added" and self.allow_added:
            name = self.draw.choice(["izp", "zp"])
            self.parameters[name] = self.draw.randint(-128, 127)
            return f"=+sum({spec.of}{minus})*{self.draw.choice(['', '-', '-16', '2'])}{name}"
        return "{%s}" % spec.name if spec.content == "ordered" else ""

    def ordered_content(self, name):
        """Returns the content of an ordered sum, over some digits of the summed field that lie in one scale."""
        spec = next(spec for spec in self.specs if spec.name == name)
        scale = next(other for other in self.specs if other.name == spec.scale)
        axis = next(axis for axis, share in spec.shares.items() if share == "all")
        digits = [digit for digit in self.digits_of[spec.of]
                  if digit.axis == axis and scale.end_of_share(axis) % (digit.step * digit.extent) == 0]
        if not digits:
            return ""
        chosen = self.draw.sample(digits, self.draw.randint(1, len(digits)))
        of = self.draw.choice([spec.of, spec.of, f"({spec.of}-8)"])
        return f"=sum({of}*{spec.scale};{' '.join(f'{d.extent}{d.axis}@{d.step}' for d in chosen)})"
