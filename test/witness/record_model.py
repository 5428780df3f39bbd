"""A model of packed-weight records: the place of every bit, by brute force. It shares no code with plait.

    Record(tag, dims)          parses the tag and computes places; raises Refused if the tag is not valid
    pack(tag, dims, values)    returns the bytes of a record
    unpack(tag, dims, bytes)   returns the values

Values are arrays of raw bits (uint64), one for each field name. The shape of an array counts the different values of
the field: the digits that a field shares are cut out of the index. With `/32k` of k = 100 there are 4 values along k.
"""

import dataclasses
import math

import numpy as np

from record_tags import BITS, Field, Gap, Group, Loop, Refused, parse
from record_values import divided, multiplied, steps_of, sums


def ceil_divide(a, b):
    return -(-a // b)


class Piece:
    """Some bits of a field, for the indices that its ranges and fixed digits select."""

    def __init__(self, field, loops, bounds):
        self.field, self.loops, self.bounds = field, loops, bounds
        self.letters, self.steps, self.extents = {}, {}, {}
        for axis in bounds:
            self.find_steps(axis)
        self.at, self.strides = 0, {}  # set by Record

    def find_steps(self, axis):
        own = [loop for loop in self.loops if loop.axis == axis]
        letters = [loop for loop in own if loop.is_letter]
        digits = [loop for loop in own if not loop.is_letter]
        if not letters:
            raise Refused("tag_axis_is_missing", self.field.column)
        if len(letters) > 1:
            raise Refused("tag_axis_is_doubled", letters[1].column, letters[0].column)
        letter = letters[0]
        if not letter.shared and letter.upper != bool(digits):
            raise Refused("tag_blocked_axis_is_not_upper_case" if digits else "tag_upper_case_axis_has_no_block",
                          letter.column)
        marked = {}
        for loop in digits:
            if loop.step is not None:
                marked.setdefault(loop.step, loop)
        reached, chain, step = [], [1], 1

        def pass_marked(step):
            while step in marked and marked[step] not in reached:
                reached.append(marked[step])
                self.steps[marked[step]] = step
                step *= marked[step].extent
                chain.append(step)
            return step

        for loop in reversed([loop for loop in digits if loop.step is None]):
            step = pass_marked(step)
            self.steps[loop] = step
            step *= loop.extent
            chain.append(step)
        step = pass_marked(step)
        for loop in digits:
            if loop not in self.steps:
                below = max((s for s in chain if s < loop.step), default=0)
                above = min((s for s in chain if s > loop.step), default=0)
                raise Refused("step_is_not_reached", loop.column, loop.step, below, above)
        first, end = self.bounds[axis]
        self.steps[letter] = step
        for loop in digits:
            self.extents[loop] = loop.extent
        self.extents[letter] = ceil_divide(end - first, step)
        self.letters[axis] = letter

    def padded(self, axis):
        """Returns the number of indices of the piece along an axis, with padding."""
        letter = self.letters[axis]
        return self.steps[letter] * self.extents[letter]

    def digit(self, loop, index):
        return index // self.steps[loop] % self.extents[loop]

    def check_turns(self):
        for position, loop in enumerate(self.loops):
            if loop.turned_by is None:
                continue
            if self.shared_digits(loop.turned_by):
                raise Refused("turned_by_a_shared_axis", loop.column)
            letter = self.loops.index(self.letters[loop.turned_by])
            inside = [other.extent for other in self.loops[letter + 1:]
                      if other.axis == loop.turned_by and not other.is_letter and other.has_place]
            if math.prod(inside) % loop.extent:
                raise Refused("turn_does_not_divide", loop.column, loop.extent, math.prod(inside))

    def holds(self, axis, index):
        """Returns which indices, counted from the first one of the piece, the fixed digits select."""
        out = np.ones(index.shape, dtype=bool)
        for loop in self.loops:
            if loop.axis == axis and loop.value is not None:
                out &= self.digit(loop, index) == loop.value
        return out

    def is_first_of_fibre(self, axis, index):
        out = np.ones(index.shape, dtype=bool)
        for loop in self.loops:
            if loop.axis == axis and loop.shared:
                out &= self.digit(loop, index) == 0
        return out

    def places(self, indices):
        """Returns the place of the piece's lowest bit for each combination of one index for each axis."""
        axes = list(indices)
        shaped = {a: indices[a].reshape([-1 if b == a else 1 for b in axes]) for a in axes}
        out = np.full([indices[a].size for a in axes], self.at, dtype=np.int64)
        for loop in self.loops:
            if loop.has_place:
                slot = self.digit(loop, shaped[loop.axis])
                if loop.turned_by:
                    slot = (slot - shaped[loop.turned_by]) % self.extents[loop]
                if loop.backwards:
                    slot = self.extents[loop] - 1 - slot
                out += slot * self.strides[loop]
        return out

    def shared_digits(self, axis):
        """Returns the shared digits as (step, extent), the highest step first."""
        found = {(self.steps[loop], 0 if loop.is_letter else loop.extent)
                 for loop in self.loops if loop.axis == axis and loop.shared}
        return sorted(found, reverse=True)


def without(digits, index):
    """Returns an index without some digits, given as (step, extent), the highest step first; extent 0 is the rest."""
    for step, extent in digits:
        index = index % step + (index // (step * extent) * step if extent else 0)
    return index


class NamedField:
    """A field: all pieces of one name."""

    def __init__(self, pieces, dims):
        self.pieces = sorted(pieces, key=lambda piece: piece.field.low)
        self.bits = max(piece.field.low + piece.field.width for piece in pieces)
        types = {piece.field.type for piece in pieces}
        self.is_whole = len(types) == 1 and all(piece.field.low == 0 for piece in pieces)
        self.type = types.pop() if self.is_whole else f"u{self.bits}"
        self.content = pieces[0].field.content
        # A piece without an index, of an empty range or a digit that no index reaches, tells nothing about the field.
        held = [piece for piece in pieces
                if all(piece.holds(axis, np.arange(end - first)).any() for axis, (first, end) in piece.bounds.items())]
        # The longest piece tells most: steps that are larger than a piece are not in it.
        longest = {axis: max(held or pieces, key=lambda p, a=axis: p.bounds[a][1] - p.bounds[a][0]) for axis in dims}
        self.shared = {axis: piece.shared_digits(axis) for axis, piece in longest.items()}
        self.dims = tuple(int(self.reduced(axis, np.arange(dims[axis])).max(initial=-1)) + 1 for axis in dims)

    def reduced(self, axis, index):
        """Returns the index without the shared digits."""
        return without(self.shared[axis], index)

    def check_stored_values(self):
        """Checks that a number is subtracted from whole values only, and that padding has values of the field."""
        is_signed = self.type in ("s4", "s8", "s32")
        for piece in self.pieces:
            field = piece.field
            if field.subtracted and (not self.is_whole or field.content and not field.content.added):
                raise Refused("constant_needs_whole_values", field.column)
            for value in field.paddings.values():
                if not -(is_signed << (self.bits - 1)) <= value < 1 << (self.bits - is_signed):
                    raise Refused("padding_does_not_fit", field.column, value)

    def check_fibres(self, dims):
        """Checks that each piece shares what the field shares, and that all pieces hold each bit of each value once."""
        held = np.zeros(self.dims, dtype=np.uint64)
        for piece in self.pieces:
            where = []
            for axis in dims:
                first, end = piece.bounds[axis]
                local = np.arange(end - first)
                local = local[piece.holds(axis, local)]
                reduced = self.reduced(axis, first + local)
                own = without(piece.shared_digits(axis), local)
                pairs = len(set(zip(reduced.tolist(), own.tolist())))
                if not pairs == len(set(reduced.tolist())) == len(set(own.tolist())):
                    raise Refused("fibres_of_pieces_differ", piece.field.column)
                where.append(np.unique(reduced))
            bits = np.uint64((1 << piece.field.width) - 1) << np.uint64(piece.field.low)
            if np.any(held[np.ix_(*where)] & bits):
                raise Refused("pieces_overlap", piece.field.column)
            held[np.ix_(*where)] |= bits
        if np.any(held != np.uint64((1 << self.bits) - 1)):
            raise Refused("pieces_do_not_cover", self.pieces[0].field.column)


def without_groups_of_one_field(item):
    """A field alone in groups needs no parentheses: the loops of the groups are its own."""
    if isinstance(item, Group) and len(item.items) == 1 and not any(loop.ragged for loop in item.loops):
        inner = without_groups_of_one_field(item.items[0])
        if isinstance(inner, Field):
            return dataclasses.replace(inner, loops=item.loops + inner.loops)
    return item


class Record:
    """A parsed tag with dims: its pieces, their places, and the size in bytes."""

    def __init__(self, tag, dims):
        axes, item = parse(tag)
        if len(axes) != len(dims):
            raise Refused("count_of_dims_differs", 0, len(axes), len(dims))
        self.dims = dict(zip(axes, dims))
        item = self.with_ragged_fields_in_two(item, [])
        self.pieces = []
        self.of_item = {}
        self.find_pieces(item, [])
        self.bits = self.size_of(item)
        self.size = ceil_divide(self.bits, 8)
        self.set_places(item, 0, {})
        names = list(dict.fromkeys(piece.field.name for piece in self.pieces))
        self.fields = {name: NamedField([p for p in self.pieces if p.field.name == name], self.dims) for name in names}
        for piece in self.pieces:
            piece.check_turns()
        for field in self.fields.values():
            field.check_stored_values()
            field.check_fibres(self.dims)
            self.check_content(field)

    def check_content(self, field):
        contents = [piece.field.content for piece in field.pieces]
        if any(content != contents[0] for content in contents):
            raise Refused("contents_of_pieces_differ", field.pieces[0].field.column)
        content = field.content
        if content is None:
            return
        for name in (content.name, content.scale):
            if name is not None and (name not in self.fields or self.fields[name].content is not None):
                raise Refused("content_names_no_field", field.pieces[0].field.column)
            if name is not None and any(piece.field.subtracted for piece in self.fields[name].pieces):
                raise Refused("sum_of_a_difference", field.pieces[0].field.column)
        for axis, extent in self.dims.items() if content.scale else ():
            index = np.arange(extent)
            groups = without(sorted(steps_of(content.inner, axis), reverse=True), index)
            shared = [f.reduced(axis, index) for f in (field, self.fields[content.scale])]
            if len(set(zip(groups, *shared))) != len(set(groups)):
                raise Refused("sum_group_is_not_shared", field.pieces[0].field.column)

    def with_ragged_fields_in_two(self, item, outer):
        """Returns an item whose ragged fields are replaced by two fields with ranges, one after the other."""
        item = without_groups_of_one_field(item)
        if isinstance(item, Group):
            outer = outer + item.loops
            return Group(item.loops, [self.with_ragged_fields_in_two(inner, outer) for inner in item.items])
        ragged = [loop for loop in item.loops if loop.ragged] if isinstance(item, Field) else []
        if not ragged:
            return item
        path = outer + item.loops
        short = ragged[0]
        if len(ragged) > 1 or not (path[0].is_letter and path[0].axis == short.axis) or short.axis in item.ranges:
            raise Refused("ragged_axis_is_not_outermost", short.column)
        extent = self.dims[short.axis]
        middle = extent // short.extent * short.extent
        out = []
        for first, end, block in ((0, middle, short.extent), (middle, extent, extent - middle)):
            if first < end:
                loops = [Loop(short.axis, short.column, block) if loop is short else loop for loop in item.loops]
                ranges = item.ranges | {short.axis: ((False, first), (False, end), short.column)}
                out.append(dataclasses.replace(item, loops=loops, ranges=ranges))
        return Group([], out)

    def bounds_of(self, field):
        out = {axis: (0, extent) for axis, extent in self.dims.items()}
        for axis, (begin, end, column) in field.ranges.items():
            extent = self.dims[axis]
            first, last = (default if bound is None else extent // bound[1] * bound[1] if bound[0] else bound[1]
                           for bound, default in ((begin, 0), (end, extent)))
            if first > last or last > extent:
                raise Refused("range_is_outside", column, first, last, extent)
            out[axis] = first, last
        return out

    def find_pieces(self, item, outer):
        """Makes the pieces, and checks that the loops of each group mean the same to all pieces inside."""
        if isinstance(item, Field):
            bounds = self.bounds_of(item)
            piece = Piece(item, outer + item.loops, bounds)
            self.of_item[id(item)] = piece
            self.pieces.append(piece)
            return [piece]
        if isinstance(item, Gap):
            return []
        inside = [piece for inner in item.items for piece in self.find_pieces(inner, outer + item.loops)]
        for loop in item.loops:
            if not inside:
                raise Refused("loop_has_no_field", loop.column)
            if loop.ragged:
                raise Refused("ragged_axis_is_not_outermost", loop.column)
            for piece in inside:
                here, first = ((p.steps[loop], p.extents[loop]) for p in (piece, inside[0]))
                if here != first:
                    raise Refused("loops_of_group_differ", loop.column, *here, *first)
        item.first = inside[0] if inside else None
        return inside

    def size_of(self, item):
        """Returns the bits of an item, with all its loops."""
        if isinstance(item, Field):
            piece = self.of_item[id(item)]
            return item.width * math.prod(piece.extents[loop] for loop in item.loops if loop.has_place)
        return self.size_of_body(item)[0] * math.prod(item.first.extents[loop] for loop in item.loops)

    def size_of_body(self, group):
        """Returns the bits of a group without its loops, and where its items begin."""
        at, begins = 0, []
        for item in group.items:
            begins.append(at)
            if isinstance(item, Gap):
                at = ceil_divide(at, 8 * item.size) * 8 * item.size if item.is_multiple else at + 8 * item.size
            else:
                at += self.size_of(item)
        return at, begins

    def set_places(self, item, at, strides):
        if isinstance(item, Gap):
            return
        piece = self.of_item[id(item)] if isinstance(item, Field) else item.first
        stride, begins = (item.width, []) if isinstance(item, Field) else self.size_of_body(item)
        strides = dict(strides)
        for loop in reversed(item.loops):
            if loop.has_place:
                strides[loop] = stride
                stride *= piece.extents[loop]
        if isinstance(item, Field):
            piece.at, piece.strides = at, strides
            return
        for inner, begin in zip(item.items, begins):
            self.set_places(inner, at + begin, strides)

    @property
    def ends_inside_a_byte(self):
        """True if an iteration of the outermost loop of a field ends inside a byte."""
        return any(piece.strides[loop] % 8 for piece in self.pieces
                   for loop in [loop for loop in piece.loops if loop.has_place and piece.extents[loop] > 1][:1])

    def numbers_of_places(self, name):
        """Returns low and place of each piece at each index, as records.py compares them."""
        field = self.fields[name]
        count = math.prod(self.dims.values())
        table = np.zeros((count, len(field.pieces), 2), dtype=np.int64)
        holds = np.zeros((count, len(field.pieces)), dtype=bool)
        for number, piece in enumerate(field.pieces):
            local = {axis: np.arange(extent) - piece.bounds[axis][0] for axis, extent in self.dims.items()}
            inside = np.ones(1, dtype=bool)
            for axis, index in local.items():
                first, end = piece.bounds[axis]
                here = (index >= 0) & (index < end - first) & piece.holds(axis, np.maximum(index, 0))
                inside = (inside[:, None] & here).reshape(-1)
            table[:, number, 0] = piece.field.low
            if np.any(inside):
                table[:, number, 1] = piece.places(local).reshape(-1)
            holds[:, number] = inside
        return table[holds].reshape(-1)

    def stored(self, piece):
        """Returns the places of a piece with padding, the index of the value at each place, if there is a value, and if
        there is padding of the value that the field gives to it."""
        field = self.fields[piece.field.name]
        indices, values, is_value = {}, [], np.ones([1] * len(self.dims), dtype=bool)
        is_told, is_given = is_value, ~is_value
        for number, (axis, (first, end)) in enumerate(piece.bounds.items()):
            local = np.arange(piece.padded(axis))
            local = local[piece.holds(axis, local) & piece.is_first_of_fibre(axis, local)]
            here = np.ones(local.size, dtype=bool) if axis in piece.field.repeats else local < end - first
            indices[axis] = local
            values.append(field.reduced(axis, first + np.minimum(local, end - first - 1)))
            shape = [-1 if number == k else 1 for k in range(len(self.dims))]
            is_value = is_value & here.reshape(shape)
            is_given_here = (local >= end - first) & (axis in piece.field.paddings)
            is_told = is_told & (here | is_given_here).reshape(shape)
            is_given = is_given | is_given_here.reshape(shape)
        places = piece.places(indices)
        return (places, np.ix_(*values), np.broadcast_to(is_value, places.shape),
                np.broadcast_to(is_told & is_given, places.shape))


def with_contents(record, values, parameters):
    """Returns the values of all fields: those that are given, and the sums."""
    out = dict(values)
    for name, field in record.fields.items():
        content = field.content
        if content is None:
            continue
        added = sums(record, field, values, parameters)
        out[name] = added if not content.added else (values[name] + added) & mask_of(field.bits)
    return out


def mask_of(bits):
    return np.uint64((1 << bits) - 1)


def pack(tag, dims, values, parameters=None):
    """Returns the bytes of a record; bits that nothing writes are 0."""
    record = tag if isinstance(tag, Record) else Record(tag, dims)
    values = {name: np.asarray(field).astype(np.uint64) for name, field in values.items()}
    values = with_contents(record, values, parameters or {})
    bits = np.zeros(record.size * 8, dtype=np.uint8)
    is_written = np.zeros(record.size * 8, dtype=bool)
    for piece in record.pieces:
        field = piece.field
        places, index, is_value, is_given = record.stored(piece)
        stored = values[field.name][index] >> np.uint64(field.low) & mask_of(field.width)
        if field.factor != 1:
            stored = multiplied(stored, field.type, field.factor)
        for value in field.paddings.values():
            stored = np.where(is_given, np.uint64(value >> field.low & (1 << field.width) - 1), stored)
        stored = stored - np.uint64(field.subtracted) & mask_of(field.width)
        stored = np.where(is_value | is_given, stored ^ np.uint64(field.mask), np.uint64(0))
        for bit in range(field.width):
            at = (places + bit).reshape(-1)
            assert not np.any(is_written[at]) and np.unique(at).size == at.size, "two values share a bit"
            is_written[at] = True
            bits[at] = (stored >> np.uint64(bit) & np.uint64(1)).reshape(-1)
    return np.packbits(bits, bitorder="little").tobytes()


def unpack(tag, dims, data, parameters=None):
    """Returns the values that pack was given, and the sums as they are stored."""
    record = tag if isinstance(tag, Record) else Record(tag, dims)
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), bitorder="little").astype(np.uint64)
    out = {name: np.zeros(field.dims, dtype=np.uint64) for name, field in record.fields.items()}
    for piece in record.pieces:
        field = piece.field
        local = {}
        for axis, (first, end) in piece.bounds.items():
            index = np.arange(end - first)
            local[axis] = index[piece.holds(axis, index) & piece.is_first_of_fibre(axis, index)]
        places = piece.places(local)
        stored = np.zeros(places.shape, dtype=np.uint64)
        for bit in range(field.width):
            stored |= bits[places + bit] << np.uint64(bit)
        stored = (stored ^ np.uint64(field.mask)) + np.uint64(field.subtracted) & mask_of(field.width)
        if field.factor != 1:
            stored = divided(stored, field.type, field.factor)
        named = record.fields[field.name]
        index = np.ix_(*(named.reduced(axis, piece.bounds[axis][0] + local[axis]) for axis in local))
        out[field.name][index] |= stored << np.uint64(field.low)
    for name, field in record.fields.items():
        if field.content and field.content.added:
            out[name] = (out[name] - sums(record, field, out, parameters or {})) & mask_of(field.bits)
    return out
