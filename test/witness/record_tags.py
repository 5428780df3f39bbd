"""Reads the tags of packed-weight records: several fields in one buffer, each with its type and its loops.

`nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)` has the fields d and q in loops over blocks of n and k. This reader
shares no code with plait's. The grammar:

    tag     := axes ":" item                       the letters of the axes in logical order, lower case
    item    := loop* "(" item ("," item)* ")" | field | gap
    field   := name ["." low] ":" type ["^" mask] ["-" number] ["*" factor] mark*
    mark    := loop | shared | fixed | range | padding | content
    loop    := LETTER | letter | number letter ["@" step] ["!"] ["-" letter] | "<" number letter
    shared  := "/" number letter ["@" step] | "/" letter
    fixed   := number letter "@" step "=" value
    range   := letter "[" [bound] ":" [bound] "]"   bound: number, or "%" number
    padding := "~" letter ["=" ["-"] number]
    content := "=" ["+"] "sum(" summed ")" ["*" ["-"] [number] [parameter]]
    summed  := name ["-" number] | (name | "(" name "-" number ")") "*" name ";" digit*
    digit   := number letter ["@" step]
    gap     := "_:" number | "_:%" number           bytes, or up to a multiple from the beginning of the group
"""

import dataclasses
import re

BITS = {"f64": 64, "f32": 32, "bf16": 16, "f16": 16, "f8_e5m2": 8, "f8_e4m3": 8, "s32": 32, "s8": 8, "u8": 8, "u1": 1,
        "u2": 2, "u4": 4, "s4": 4, "f4_e2m1": 4, "f4_e3m0": 4, "f6_e2m3": 6, "f6_e3m2": 6, "e8m0": 8, "ue4m3": 8,
        "boolean": 8}
LONGEST_NAME = 15


class Refused(Exception):
    """A tag that is not valid, or whose record breaks a law. The column counts from 1; 0 means that there is none."""

    def __init__(self, reason, column=0, *numbers):
        super().__init__(f"{reason} at column {column}" + (f": {numbers}" if numbers else ""))
        self.reason, self.column, self.numbers = reason, column, numbers


@dataclasses.dataclass(eq=False)
class Loop:
    """A digit of an axis. Without an extent it is a letter: the loop over all indices, or over all blocks."""

    axis: str
    column: int
    extent: int | None = None
    step: int | None = None  # None if the tag does not give it
    upper: bool = False
    shared: bool = False
    value: int | None = None  # of a fixed digit
    backwards: bool = False
    turned_by: str | None = None
    ragged: bool = False

    @property
    def is_letter(self):
        return self.extent is None

    @property
    def has_place(self):
        return not self.shared and self.value is None


@dataclasses.dataclass
class Content:
    """The value is factor * parameter * the sum of a field; `added` to the value that is given. See record_model.py."""

    name: str
    added: bool = False
    scale: str | None = None
    inner: list = dataclasses.field(default_factory=list)  # the digits that are added as integers
    subtracted: int = 0  # from each number
    factor: int = 1
    parameter: str | None = None


@dataclasses.dataclass
class Field:
    name: str
    column: int
    low: int
    type: str
    mask: int = 0
    subtracted: int = 0
    factor: float = 1.0
    loops: list = dataclasses.field(default_factory=list)
    ranges: dict = dataclasses.field(default_factory=dict)  # axis: (bound, bound, column); bound: (is a multiple, n)
    repeats: set = dataclasses.field(default_factory=set)  # the axes whose padding repeats the last index
    paddings: dict = dataclasses.field(default_factory=dict)  # the axes whose padding has a value
    content: Content | None = None

    @property
    def width(self):
        return width_of(self.type)


@dataclasses.dataclass
class Gap:
    size: int  # bytes
    is_multiple: bool


@dataclasses.dataclass
class Group:
    loops: list
    items: list


def width_of(type_name):
    """Returns the bits of a type of the library, or of u1 to u16; None for other names."""
    if type_name in BITS:
        return BITS[type_name]
    found = re.fullmatch(r"u([1-9]\d*)", type_name)
    return int(found[1]) if found and int(found[1]) <= 16 else None


def is_integer(type_name):
    return type_name in ("s32", "s8", "u8", "u1", "u2", "u4", "s4") or type_name not in BITS


class Reader:
    """Reads one tag from left to right."""

    def __init__(self, text):
        self.text, self.at, self.axes = text, 0, ""

    def refuse(self, reason, at=None, *numbers):
        raise Refused(reason, (self.at if at is None else at) + 1, *numbers)

    def skip_blanks(self):
        while self.text.startswith(" ", self.at):
            self.at += 1

    def take(self, pattern):
        """Returns the text that matches a regular expression here, and reads it; None if it does not match."""
        found = re.compile(pattern).match(self.text, self.at)
        if not found:
            return None
        self.at = found.end()
        return found[0]

    def need(self, pattern, reason="tag_character_is_unknown"):
        out = self.take(pattern)
        if out is None:
            self.refuse(reason)
        return out

    def read(self):
        if not self.text:
            self.refuse("tag_is_empty")
        while (letter := self.take("[a-z]")) is not None:
            if letter in self.axes:
                self.refuse("tag_axis_is_doubled", self.at - 1)
            self.axes += letter
        if not self.axes:
            self.refuse("tag_character_is_unknown")
        self.need(":")
        item = self.item()
        if self.at != len(self.text):
            self.refuse("tag_character_is_unknown")
        return self.axes, item

    def item(self):
        self.skip_blanks()
        if self.take("_:"):
            is_multiple = self.take("%") is not None
            at = self.at
            size = int(self.need(r"\d+"))
            if is_multiple and size == 0:
                self.refuse("tag_block_is_too_small", at)
            self.skip_blanks()
            return Gap(size, is_multiple)
        if re.compile(r"[A-Za-z]\w*(\.\d+)?:", re.ASCII).match(self.text, self.at):
            return self.field()
        loops = []
        while not self.take(r"\("):
            loop = self.loop()
            if loop is None or loop.shared or loop.value is not None:
                self.refuse("tag_character_is_unknown", loop.column - 1 if loop else None)
            loops.append(loop)
            self.skip_blanks()
        items = [self.item()]
        while self.take(","):
            items.append(self.item())
        self.need(r"\)")
        self.skip_blanks()
        return Group(loops, items)

    def axis(self, letter, at):
        if letter.lower() not in self.axes:
            self.refuse("tag_character_is_unknown", at)
        return letter.lower()

    def number(self, least=2):
        at = self.at
        number = int(self.need(r"\d+"))
        if number < least:
            self.refuse("tag_block_is_too_small", at, number)
        return number

    def digit(self, **others):
        """Reads `4n`, `4n@2`."""
        at = self.at
        extent = self.number()
        axis = self.axis(self.need("[a-z]"), self.at - 1)
        step = self.number(1) if self.take("@") else None
        return Loop(axis, at + 1, extent, step, **others)

    def loop(self):
        """Reads a loop, a shared or a fixed digit; returns None if none begins here."""
        at = self.at
        if self.take("<"):
            loop = self.digit(ragged=True)
            loop.column = at + 1
            return loop
        if self.take("/"):
            letter = self.take("[a-z]")
            loop = Loop(self.axis(letter, at + 1), at + 1, shared=True) if letter else self.digit(shared=True)
            loop.column = at + 1
            return loop
        letter = self.take("[A-Za-z]")
        if letter:
            return Loop(self.axis(letter, at), at + 1, upper=letter.isupper())
        if not re.compile(r"\d").match(self.text, self.at):
            return None
        loop = self.digit()
        if loop.step is not None and self.take("="):
            value_at = self.at
            loop.value = int(self.need(r"\d+"))
            if loop.value >= loop.extent:
                self.refuse("fixed_value_is_too_large", value_at, loop.value, loop.extent)
            return loop
        loop.backwards = self.take("!") is not None
        if self.take("-"):
            loop.turned_by = self.axis(self.need("[a-z]"), self.at - 1)
            if loop.turned_by == loop.axis:
                self.refuse("axis_turns_itself", self.at - 1)
        return loop

    def field(self):
        at = self.at
        name = self.need(r"[A-Za-z][A-Za-z0-9_]*")
        if len(name) > LONGEST_NAME:
            self.refuse("name_is_too_long", at, len(name))
        low = int(self.need(r"\d+")) if self.take(r"\.") else 0
        self.need(":")
        self.skip_blanks()
        type_at = self.at
        field = Field(name, at + 1, low, self.need("[a-z][a-z0-9_]*"))
        if field.width is None:
            self.refuse("type_is_unknown", type_at)
        if self.take(r"\^"):
            mask_at = self.at
            field.mask = int(self.need(r"\d+"))
            if field.mask >> field.width:
                self.refuse("mask_is_too_wide", mask_at, field.mask)
        if self.take("-"):
            constant_at = self.at
            field.subtracted = int(self.need(r"\d+"))
            if not 0 < field.subtracted < min(1 << field.width, 65536):
                self.refuse("constant_is_too_large", constant_at, field.subtracted)
            if not is_integer(field.type) or field.low or field.mask:
                self.refuse("constant_needs_whole_values", at)
        if self.take(r"\*"):
            factor_at = self.at
            field.factor = float(self.need(r"\d+(\.\d+)?"))
            if field.type not in ("f64", "f32", "bf16", "f16"):
                self.refuse("factor_of_a_type_without_fractions", factor_at)
        self.skip_blanks()
        while self.at < len(self.text) and self.text[self.at] not in ",)":
            self.mark(field)
            self.skip_blanks()
        return field

    def bound(self):
        if self.take("%"):
            return True, self.number(1)
        digits = self.take(r"\d+")
        return (False, int(digits)) if digits else None

    def mark(self, field):
        at = self.at
        ranged = self.take(r"[a-z]\[")
        if ranged:
            axis = self.axis(ranged[0], at)
            if axis in field.ranges:
                self.refuse("tag_axis_is_doubled", at)
            begin = self.bound()
            self.need(":")
            field.ranges[axis] = begin, self.bound(), at + 1
            self.need(r"\]")
        elif self.take("~"):
            axis = self.axis(self.need("[a-z]"), at + 1)
            if axis in field.repeats or axis in field.paddings:
                self.refuse("tag_axis_is_doubled", at + 1)
            number = self.take("=-?\\d+")
            if number is None:
                field.repeats.add(axis)
                return
            field.paddings[axis] = int(number[1:])
            if len(set(field.paddings.values())) > 1:
                self.refuse("paddings_differ", at)
            if not is_integer(field.type):
                self.refuse("padding_needs_integers", at)
        elif self.take("="):
            if field.content:
                self.refuse("content_is_doubled", at)
            field.content = self.content()
        else:
            loop = self.loop()
            if loop is None:
                self.refuse("tag_character_is_unknown")
            field.loops.append(loop)

    def content(self):
        """Reads a sum. Blanks may stand between its parts."""
        out = Content("")
        out.added = self.take(r"\+") is not None
        self.need(r" *sum\( *")
        is_inner = self.take(r"\( *") is not None
        out.name = self.need(r"[A-Za-z][A-Za-z0-9_]*")
        if self.take(r" *- *"):
            out.subtracted = int(self.need(r"0*[1-9]\d{0,4}(?!\d)"))
            if out.subtracted > 65535:
                self.refuse("constant_is_too_large")
        if is_inner:
            self.need(r" *\)")
        if self.take(r" *\* *"):
            if out.subtracted and not is_inner:
                self.refuse("difference_has_no_parentheses")
            out.scale = self.need(r"[A-Za-z][A-Za-z0-9_]*")
            self.need(" *; *")
            while not self.take(r"\)"):
                out.inner.append(self.digit())
                self.skip_blanks()
        else:
            self.need(r" *\)")
        if self.take(r" *\* *"):
            sign = -1 if self.take("-") else 1
            number = self.take(r"\d+")
            out.parameter = self.take(r"[A-Za-z][A-Za-z0-9_]*")
            if number is None and out.parameter is None:
                self.refuse("tag_character_is_unknown")
            out.factor = sign * int(number or 1)
        return out


def parse(text):
    """Returns the axes and the outermost item of a tag.

    >>> axes, item = parse("nk: N(q:u4 K 4n 8k, s:f32 4n /k)")
    >>> axes, [field.name for field in item.items]
    ('nk', ['q', 's'])
    """
    return Reader(text).read()
