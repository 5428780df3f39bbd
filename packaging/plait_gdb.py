"""Shows plait's values in gdb: `print l` shows nChw16c 2x17x5x4 instead of a page of digits.

In gdb, or in ~/.gdbinit: source /usr/share/plait/plait_gdb.py

A layout is shown as its format tag and its extents, followed by a colon and its strides if the tag does not determine
them, and +N if it begins at N. If no tag describes it, it is shown as digits, axis:extent*stride.

`set plait-letters oihw` names the axes. By default, three to five axes have the letters of activations, ncdhw, unless
the first axis is blocked, as it usually is in weights; otherwise, and for `set plait-letters abstract`, a, b, c.

A view is shown as `const float nchw 2x3x4x5 at 0x7fff...`, a distribution as `1000x700 on a mesh of 2x2 ranks`.

`print /r l` shows the members. No function of the program is called, so this works on core files too.
"""

import json
import math
import re

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


class Layout:
    """A layout as Python values: extents, padded extents, and (axis, extent, stride) of each digit."""

    def __init__(self, kind, dims, padded, begin, digits, letters=""):
        self.kind, self.dims, self.padded, self.begin, self.digits, self.letters = kind, dims, padded, begin, digits, letters


def layout_of(value):
    digits = [(int(d["axis"]), int(d["extent"]), int(d["stride"])) for d in entries(value["digits"])]
    return Layout(int(value["kind"]), axis_numbers(value["dims"]), axis_numbers(value["padded_dims"]), int(value["offset0"]), digits)


def layout_in(name):
    """Returns the layout that the name of a type has as a template argument, because the type has no member that gdb can
    read; None if it has none. GCC writes layout{... dims{axis_numbers<dims>{inline_list<long, 12>{long [12]{2, 17}, 2}}} ...},
    Clang {... {{{{2, 17}, 2}}} ...}, and instead of the last values of a long list, which are unused, '...'."""
    begin = re.search(r"\b(layout|layout_constant<|bound_layout<)\s*\{", name)
    if not begin:
        return None
    text, depth = "", 0
    for letter in name[begin.end() - 1:]:
        text, depth = text + letter, depth + (letter == "{") - (letter == "}")
        if depth == 0:
            break
    text = re.sub(r"[A-Za-z_][\w:]*(<[^<>{}]*>)?(\s+int)?\s*(\[\d+\])?\s*(?=\{)", "", text)
    text = re.sub(r"\([\w:]+\)|, \.\.\.", "", text)
    for number, kind in enumerate(KINDS):
        text = re.sub(rf"[\w:]*\bformat_kind::{kind}\b", str(number), text)
    try:
        kind, dims, padded, _, begin_at, digits = json.loads(re.sub(r"(\d)[uUlL]+\b", r"\1", text).replace("{", "[").replace("}", "]"))
        dims, padded = one_list(dims), one_list(padded)
        digits = [tuple(d) for d in digits[0][:digits[1]]] if len(digits[0]) >= digits[1] else None
        return Layout(kind, dims, padded, begin_at, digits) if digits is not None else None
    except (ValueError, TypeError, IndexError):
        return None


def one_list(numbers):
    """Returns the numbers of [[[values, count]]], in which bases are lists of one."""
    while len(numbers) == 1:
        numbers = numbers[0]
    values, count = numbers
    if len(values) < count:
        raise ValueError("the name leaves numbers out")
    return values[:count]


def layout_of_type(of):
    """Returns the layout that a type is, or that one of its bases is; None if its name does not say it."""
    of = of.strip_typedefs()
    found = layout_in(of.tag or str(of))
    for base in [] if found else [field.type for field in of.fields() if field.is_base_class]:
        found = found or layout_of_type(base)
    if found and not found.letters:
        found.letters = letters_in(of.tag or "")
    return found


def letters_in(name):
    """Returns the letters of named_layout<L, 'n', 'c', 'h', 'w'>; "" for another type."""
    named = re.search(r"\bnamed_layout<.*>, ((?:'\w', )*'\w')>$", name)
    return "".join(re.findall(r"'(\w)'", named[1])) if named else ""


def bound(layout, extents):
    """Returns a layout whose dynamic extents have the given values, in order; strides follow if extents decide them."""
    left = iter(extents)
    dims = [next(left, DYNAMIC) if extent == DYNAMIC else extent for extent in layout.dims]
    rank, digits = len(dims), list(layout.digits)
    if DYNAMIC in dims:
        return Layout(layout.kind, dims, layout.padded, layout.begin, digits, layout.letters)
    block = [math.prod(extent for of, extent, _ in digits[rank:] if of == axis) for axis in range(rank)]
    outer = [-(-dims[axis] // block[axis]) if digits[axis][1] == DYNAMIC else digits[axis][1] for axis in range(rank)]
    strides = [stride for _, _, stride in digits[:rank]]
    for _ in range(rank):  # a stride that is not known follows from that of the axis inside it
        for axis, stride in enumerate(strides):
            inside = stride - DYNAMIC - 1
            if 0 <= inside < rank and is_known(strides[inside]):
                strides[axis] = strides[inside] * max(outer[inside], 1)
    padded = [outer[axis] * block[axis] if layout.padded[axis] == DYNAMIC else layout.padded[axis] for axis in range(rank)]
    return Layout(layout.kind, dims, padded, layout.begin, list(zip(range(rank), outer, strides)) + digits[rank:], layout.letters)


class Digits:
    """The digits of a blocked layout: an outer digit for each axis, then the inner blocks."""

    def __init__(self, layout):
        self.dims, self.padded, self.all, self.own_letters = layout.dims, layout.padded, layout.digits, layout.letters
        self.outer, self.inner = self.all[:len(self.dims)], self.all[len(self.dims):]

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
        if len(self.own_letters) == rank:
            return self.own_letters
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
    if not 0 <= layout.kind < len(KINDS):
        return f"a layout of kind {layout.kind}, which there is not"
    if KINDS[layout.kind] != "blocked":
        return f"{KINDS[layout.kind]} {by(layout.dims)}" if layout.dims else KINDS[layout.kind]
    return f"{Digits(layout).name()} {by(layout.dims)}" + (f" +{layout.begin}" if layout.begin else "")


class LayoutPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return text_of(layout_of(self.value))


class DescriptorPrinter(LayoutPrinter):
    def to_string(self):
        types = [field.name.split("::")[-1] for field in self.value["type"].type.fields()]
        number = int(self.value["type"])
        element = types[number] if 0 <= number < len(types) else f"unknown data type {number}"
        sums = [name for name in ("s8s8_compensation", "asymmetric_source_compensation") if self.value["extra"][name]]
        return " ".join([element, text_of(layout_of(self.value["layout"])), *sums])


def own_name(of):
    """Returns the name of a type without plait's namespaces."""
    return re.sub(r"\bplait::(u_\w+::)?(detail::)?", "", str(of))


def bound_text(value):
    """Returns a bound layout as text: its type has the layout, and its members have the dynamic extents."""
    found = layout_of_type(value.type.unqualified())
    if found is None:
        return own_name(value.type.unqualified())
    count = found.dims.count(DYNAMIC)
    return text_of(bound(found, [int(value["extents_"][i]) for i in range(count)]))


class BoundLayoutPrinter(LayoutPrinter):
    def to_string(self):
        return bound_text(self.value)


class ViewPrinter(LayoutPrinter):
    """Shows a view as its element type, its layout, and the address of its first element."""

    def layout_text(self, of):
        index = self.value["index_"]
        names = [field.name for field in index.type.strip_typedefs().fields()]
        if "layout_" in names:
            return text_of(layout_of(index["layout_"]))
        if "bound_" in names:
            return bound_text(index["bound_"])
        found = layout_of_type(of)
        return text_of(found) if found else own_name(of)

    def to_string(self):
        view = self.value.type.unqualified().strip_typedefs()
        data = self.value["data_"]
        at = f"0x{int(data):x}" if data.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else f"0x{int(data['memory']):x}" + (
            f", element {int(data['place'])}" if int(data["place"]) else "")
        return f"{own_name(view.template_argument(0))} {self.layout_text(view.template_argument(1))} at {at}"


def is_row_major(layout):
    """Returns true if offsets are 0, 1, 2, ... in the order of the indices, the last axis fastest."""
    step = 1
    for axis in reversed(range(len(layout.dims))):
        for of, extent, stride in reversed(layout.digits):
            if of == axis and extent != 1:
                if stride != step:
                    return False
                step *= extent
    return True


def mesh_text(mesh):
    ranks = layout_of(mesh["ranks"])
    if KINDS[ranks.kind] != "blocked":
        return " on a mesh of  ranks"
    ranks.letters = ABSTRACT[:len(ranks.dims)]
    order = "" if is_row_major(ranks) else f" in the order {text_of(ranks)}"
    return f" on a mesh of {by(ranks.dims)} ranks{order}"


class MeshPrinter(LayoutPrinter):
    def to_string(self):
        return mesh_text(self.value).replace(" on a ", "", 1)


class DistributionPrinter(LayoutPrinter):
    """Shows a distribution as plait::to_string does."""

    def to_string(self):
        ranks, along = layout_of(self.value["mesh"]["ranks"]), axis_numbers(self.value["replicated"])
        copies = math.prod(ranks.dims[axis] for axis in along if 0 <= axis < len(ranks.dims))
        dims = axis_numbers(self.value["ranks"]["dims"])
        return "x".join(map(str, dims)) + mesh_text(self.value["mesh"]) + (f", {copies} copies" if copies > 1 else "")


class NumbersPrinter(LayoutPrinter):
    def to_string(self):
        return by(axis_numbers(self.value))


def register():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("plait")
    # The flags of the unit are part of the name (plait/unit_flags.hpp): plait::u_0::layout.
    for name, types, printer in (("layout", "layout", LayoutPrinter), ("descriptor", "descriptor", DescriptorPrinter),
                                 ("numbers", "dims|strides|position|permutation", NumbersPrinter),
                                 ("bound_layout", "bound_layout<.*>", BoundLayoutPrinter), ("tensor_view", "tensor_view<.*>", ViewPrinter),
                                 ("mesh", "mesh", MeshPrinter), ("distribution", "distribution", DistributionPrinter)):
        printers.add_printer(name, rf"^plait::(u_\w+::)?({types})$", printer)
    gdb.printing.register_pretty_printer(None, printers, replace=True)


register()
