"""Runs a case with each instruction set, and reports differences from the model."""

import numpy as np

import capi
import values
from attributes import Attributes
from element_types import BITS, bytes_of, elements_in
from expected import reordered, zero_padded
from memory import ZONE, Arena
from offsets import Compensation, layout_of


class Mismatch(Exception):
    """A difference between plait's result and the expected one."""


class Bench:
    """The memory of both buffers, which all cases reuse."""

    def __init__(self, library, most_elements):
        self.library = library
        self.arenas = Arena(8 * most_elements + 4 * ZONE), Arena(8 * most_elements + 4 * ZONE)


class Prepared:
    """A case with its layouts and buffers, and their content before the call."""

    def __init__(self, case, bench):
        self.case = case
        self.src, self.dst = layout_of(case.src), layout_of(case.dst)
        self.compensation = Compensation(case.dst, self.dst)
        sizes = bytes_of(case.src.data_type, self.src.end), bytes_of(case.dst.data_type, self.dst.end)
        if self.compensation.sums:
            sizes = sizes[0], self.compensation.size
        for name, desc, size in zip(("src", "dst"), (case.src, case.dst), sizes):
            said = bench.library.buffer_size(desc)
            if said != size:
                raise Mismatch(f"buffer_size of {name} is said to be {said} bytes, but its elements need {size}")
        draw = case.draw
        self.zones = np.frombuffer(draw.randbytes(ZONE), dtype=np.uint8)
        self.source = values.bytes_for(draw, case.src.data_type, sizes[0])
        self.before = self.source if case.in_place else values.bytes_for(draw, case.dst.data_type, sizes[1])
        self.room = bench.arenas[1].place(sizes[1], case.places[1])
        self.source_room = self.room if case.in_place else bench.arenas[0].place(sizes[0], case.places[0])

    def refusal(self):
        """Returns the reasons to refuse this reorder, or none if it must be run."""
        reasons = self.case.attributes.refusals() if self.case.attributes else []
        if not self.dst.is_injective:
            reasons.append("destination_is_not_injective")
        if self.case.dst.extra.flags & ~capi.SCALE_ADJUST and (any(self.dst.padded_offsets) or not self.dst.is_dense):
            reasons += ["layout_is_not_dense", "padded_dim_does_not_fit"]
        return reasons

    def expected(self):
        case = self.case
        return reordered(self.src, case.src.data_type, self.source, self.dst, case.dst.data_type, self.before,
                         case.attributes or Attributes(), case.dst.extra, self.compensation)

    def fill(self):
        self.source_room.fill(self.source, self.zones)
        self.room.fill(self.before, self.zones)

    def compare(self, matches, explain):
        """Checks the destination's bytes after a call, and all bytes that the call must not change."""
        rooms = [("dst", self.room)]
        if self.source_room is not self.room:
            rooms.append(("src", self.source_room))
            if self.source_room.bytes.tobytes() != self.source.tobytes():
                raise Mismatch("the source's buffer is changed")
        for name, room in rooms:
            if beside := room.changed_zone():
                raise Mismatch(f"{name}: {beside}")
        if not matches(self.room.bytes):
            raise Mismatch(explain(self.room.bytes))


def describe_difference(prepared, want, got):
    """Describes the first byte that differs: its element, padding or gap."""
    places = np.nonzero(want != got)[0]
    data_type = prepared.case.dst.data_type
    dst = prepared.dst
    changed = int(want[places[0]] ^ got[places[0]])
    place = (int(places[0]) * 8 + (changed & -changed).bit_length() - 1) // BITS[data_type]
    text = f"{places.size} of {got.size} bytes differ; the first is byte {places[0]}, "
    if place >= dst.end:
        return text + f"behind the elements (compensation): wanted {want[places[0]]:#x}, got {got[places[0]]:#x}"
    of_element = np.nonzero(dst.element_offsets == place)[0]
    if of_element.size:
        position = [int(p) for p in np.unravel_index(of_element[0], dst.dims)]
        at = prepared.src.element_offsets[of_element[0]]
        source = elements_in(prepared.source, prepared.case.src.data_type)[at]
        old = elements_in(prepared.before, data_type)[place]
        kind = f"the element at {position}, source {source!r} of offset {at}, old {old!r}"
    else:
        kind = "padding" if np.any(dst.padded_element_offsets == place) else "a gap"
    return text + (f"offset {place}, {kind}: wanted {elements_in(want, data_type)[place]!r}, "
                   f"got {elements_in(got, data_type)[place]!r}")


def run_reorder(library, prepared, expected, isa):
    case = prepared.case
    prepared.fill()
    source, to = prepared.source_room, prepared.room
    structs = None if case.attributes is None else case.attributes.as_struct()
    # If the buffers have no bytes, the pointers are not used.
    library.reorder(isa, case.src, source.address, source.size, case.dst, to.address, to.size, structs)
    prepared.compare(expected.matches,
                     lambda got: describe_difference(prepared, expected.settled(got), got))


def run_padding(library, prepared):
    """Runs zero_pad and is_padding_zero on the previous content of the destination."""
    prepared.fill()
    dst, room = prepared.case.dst, prepared.room
    want = zero_padded(prepared.dst, dst.data_type, prepared.before)
    for expected in (np.array_equal(want, prepared.before), True):
        if (said := library.is_padding_zero(dst, room.address, room.size)) != expected:
            raise Mismatch(f"is_padding_zero answers {said}, but {int(expected)} is true")
        library.zero_pad(dst, room.address, room.size)
        prepared.compare(lambda got: np.array_equal(got, want),
                         lambda got: "zero_pad: " + describe_difference(prepared, want, got))


def run(library, bench, case, isas, tally, entered):
    """Runs a case. `entered` is called before each instruction set, so that a watcher knows the current one."""
    prepared = Prepared(case, bench)
    reasons = prepared.refusal()
    expected = None if reasons else prepared.expected()
    for isa in isas:
        entered(isa)
        if isa == "public":
            isa = "planned" if case.planned else "chosen"
        try:
            run_reorder(library, prepared, expected, isa)
        except capi.Refused as refused:
            if not any(reason in str(refused) for reason in reasons):
                raise Mismatch(f"refused: {refused}") from None
            tally("rightly refused")
            return
        if reasons:
            raise Mismatch(f"done, but had to be refused: {reasons[0]}")
    tally("reorders")
    tally("with attributes", case.attributes is not None)
    tally("in place", case.in_place)
    tally("padded", prepared.dst.is_padded)
    if case.draw.chance(0.2) and not case.dst.extra.flags:
        entered("zero_pad")
        run_padding(library, prepared)
        tally("zero_pad")
