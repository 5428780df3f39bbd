"""Shows plait's values in gdb: `print l` shows nChw16c 2x17x5x4 instead of a page of digits.

In gdb, or in ~/.gdbinit: source /usr/share/plait/plait_gdb.py

A layout is shown as its format tag and its extents, followed by a colon and its strides if the tag does not determine
them, and +N if it begins at N. If no tag describes it, it is shown as digits, axis:extent*stride.

`set plait-letters oihw` names the axes. By default, three to five axes have the letters of activations, ncdhw, unless
the first axis is blocked, as it usually is in weights; otherwise, and for `set plait-letters abstract`, a, b, c.

`print /r l` shows the members. No function of the program is called, so this works on core files too.
"""

import math

import gdb
import gdb.printing

DYNAMIC = -(1 << 63)
MOST_AXES = 12
ACTIVATIONS = {3: "ncw", 4: "nchw", 5: "ncdhw"}
ABSTRACT = "abcdefghijkl"
KINDS = ("undef", "any", "blocked", "opaque")


class LettersParameter(gdb.Parameter):
    """The letters that layouts are shown in, as oihw; empty: those of activations, or a, b, c"""

    set_doc = "The letters that plait's layouts are shown in."
    show_doc = set_doc

    def __init__(self):
        super().__init__("plait-letters", gdb.COMMAND_DATA, gdb.PARAM_STRING_NOESCAPE)
        self.value = ""

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return f"Layouts are shown in the letters '{value}'."


LETTERS = LettersParameter()


def entries(numbers):
    """Returns the values of an inline_list, or of a type derived from one."""
    return [numbers["values"][i] for i in range(max(0, min(int(numbers["count"]), MOST_AXES * 2)))]


def axis_numbers(numbers):
    return [int(value) for value in entries(numbers)]


def by(numbers):
    return "x".join("?" if number == DYNAMIC else str(number) for number in numbers) or "(no axes)"


def is_known(stride):
    return stride > DYNAMIC + MOST_AXES


class Digits:
    """The digits of a blocked layout: an outer digit for each axis, then the inner blocks."""

    def __init__(self, layout):
        all_digits = [(int(d["axis"]), int(d["extent"]), int(d["stride"])) for d in entries(layout["digits"])]
        self.dims, self.padded = axis_numbers(layout["dims"]), axis_numbers(layout["padded_dims"])
        self.all, self.outer, self.inner = all_digits, all_digits[:len(self.dims)], all_digits[len(self.dims):]

    def has_tag(self):
        """Checks that inner blocks are dense, and that all strides are numbers."""
        dense, step = len(self.outer) == len(self.dims) == len(self.padded) > 0, 1
        for _, extent, stride in reversed(self.inner):
            dense, step = dense and stride == step, step * extent
        return dense and all(is_known(stride) for _, _, stride in self.all)

    def order(self):
        """Returns the axes, outermost first: stride 0, then by stride, then the larger extent, then the lower axis."""
        return sorted(range(len(self.outer)), key=lambda a: (self.outer[a][2] != 0, -self.outer[a][2], -self.outer[a][1], a))

    def block(self, axis):
        return math.prod(extent for of, extent, _ in self.inner if of == axis)

    def is_said_by_tag(self):
        """Checks that the outer strides are those of this order, padded only to whole blocks. Axes with one index are
        ignored. If an extent is unknown, a tag alone does not determine strides."""
        if DYNAMIC in self.dims:
            return False
        step = math.prod(extent for _, extent, _ in self.inner)
        for axis in reversed(self.order()):
            _, extent, stride = self.outer[axis]
            if extent != 1 and stride != step:
                return False
            step *= -(-self.dims[axis] // self.block(axis))
        return True

    def letters(self):
        chosen, rank = LETTERS.value or "", len(self.dims)
        if chosen == "abstract":
            return ABSTRACT[:rank]
        if len(chosen) == rank:
            return chosen.lower()
        blocks_first = any(axis == 0 for axis, _, _ in self.inner)
        return ACTIVATIONS[rank] if rank in ACTIVATIONS and not blocks_first else ABSTRACT[:rank]

    def name(self):
        if not self.has_tag():
            return " ".join(f"{ABSTRACT[axis]}:{by([extent])}*{stride if is_known(stride) else '?'}" for axis, extent, stride in self.all)
        letters, blocked = self.letters(), {axis for axis, _, _ in self.inner}
        tag = "".join(letters[a].upper() if a in blocked else letters[a] for a in self.order())
        tag += "".join(f"{extent}{letters[axis]}" for axis, extent, _ in self.inner)
        return tag if 0 in self.dims or self.is_said_by_tag() else tag + ":" + by(stride for _, _, stride in self.outer)


def text_of(layout):
    kind = int(layout["kind"])
    if not 0 <= kind < len(KINDS):
        return f"a layout of kind {kind}, which there is not"
    if KINDS[kind] != "blocked":
        return f"{KINDS[kind]} {by(axis_numbers(layout['dims']))}" if axis_numbers(layout["dims"]) else KINDS[kind]
    digits, begin = Digits(layout), int(layout["offset0"])
    return f"{digits.name()} {by(digits.dims)}" + (f" +{begin}" if begin else "")


class LayoutPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return text_of(self.value)


class DescriptorPrinter(LayoutPrinter):
    def to_string(self):
        types = [field.name.split("::")[-1] for field in self.value["type"].type.fields()]
        number = int(self.value["type"])
        element = types[number] if 0 <= number < len(types) else f"unknown data type {number}"
        sums = [name for name in ("s8s8_compensation", "asymmetric_source_compensation") if self.value["extra"][name]]
        return " ".join([element, text_of(self.value["layout"]), *sums])


class NumbersPrinter(LayoutPrinter):
    def to_string(self):
        return by(axis_numbers(self.value))


def register():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("plait")
    # The flags of the unit are part of the name (plait/unit_flags.hpp): plait::u_0::layout.
    for name, types, printer in (("layout", "layout", LayoutPrinter), ("descriptor", "descriptor", DescriptorPrinter),
                                 ("numbers", "dims|strides|position|permutation", NumbersPrinter)):
        printers.add_printer(name, rf"^plait::(u_\w+::)?({types})$", printer)
    gdb.printing.register_pretty_printer(None, printers, replace=True)


register()
