"""Checks what is in a picture of plait: each cell, label and mark of an SVG is compared with a model of the layout.

The model computes offsets from the tag, without plait. How the picture is arranged is free, except that no cells overlap
and that the texts of a cell are inside it.

    problems_of(svg, ["nChw8c", "1x17x2x3"]) returns a line number and a sentence for each problem of a picture of one layout
    problems_of(svg, ["--reorder", "nchw", "nChw8c", "1x17x2x3"]) does so for a picture of a reorder
"""

import itertools
import re
import xml.parsers.expat


class Model:
    """A layout as tag and dims, for example nChw8c 1x17x2x3, or ab:10x1 6x8 with strides."""

    def __init__(self, tag, dims):
        self.title = f"{tag} {dims}"
        self.dims = [int(extent) for extent in dims.split("x")]
        tag, _, strides = tag.partition(":")
        outer = re.match(r"[A-Za-z]+?(?=\d|$)", tag)[0]
        blocks = [(letter.lower(), int(extent)) for extent, letter in re.findall(r"(\d+)([a-z])", tag)]
        # The axes of activations and weights have names; other letters are a, b, c, ...
        self.letters = next((names for names in ("nchw", "oihw") if set(names) == set(outer.lower())), "".join(sorted(outer.lower())))
        padded = dict(zip(self.letters, self.dims))
        block = {letter: 1 for letter in self.letters}
        for letter, extent in blocks:
            block[letter] *= extent
        for letter, extent in block.items():
            padded[letter] = -(-padded[letter] // extent) * extent
        # Each digit: the letter, the extent, the stride, and the number that its index is divided by.
        self.digits, stride, inside = [], 1, dict.fromkeys(self.letters, 1)
        for letter, extent in [(letter.lower(), 0) for letter in outer] + blocks:
            self.digits.append([letter, extent or padded[letter] // block[letter], 0, 1])
        for digit in reversed(self.digits):
            digit[2], digit[3] = stride, inside[digit[0]]
            stride *= digit[1]
            inside[digit[0]] *= digit[1]
        if strides:
            for digit, given in zip(sorted(self.digits), strides.split("x")):
                digit[2] = int(given)
            self.digits.sort(key=lambda digit: -digit[2])
        self.padded = [padded[letter] for letter in self.letters]
        self.places = {}  # by offset, all indices of the padded tensor
        for index in itertools.product(*map(range, self.padded)):
            self.places.setdefault(self.offset(index), []).append(index)
        self.span = 1 + max(self.places)

    def offset(self, index):
        at = dict(zip(self.letters, index))
        return sum(at[letter] // divisor % extent * stride for letter, extent, stride, divisor in self.digits)

    def is_element(self, index):
        return all(i < extent for i, extent in zip(index, self.dims))

    def elements(self):
        return [index for index in itertools.product(*map(range, self.dims))]


class Item:
    """An element of the SVG: its line, group, kind, classes, attributes and text; a rect has the texts of its cell."""

    def __init__(self, line, part, tag, attributes):
        self.line, self.part, self.tag, self.text, self.lines = line, part, tag, "", []
        self.classes = attributes.get("class", "").split()
        self.x, self.y, self.width, self.height = (int(attributes.get(name, "0").rstrip("%")) for name in ("x", "y", "width", "height"))
        self.path = attributes.get("d", "")


class Reader:
    """Reads an SVG: `items` has its rectangles, free texts and paths; `parts` the names of its groups."""

    def __init__(self, svg):
        self.items, self.parts, self.title, self._open = [], [], "", []
        parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler = lambda tag, attributes: self.begin(parser.CurrentLineNumber, tag, attributes)
        parser.EndElementHandler = lambda tag: self.end(tag)
        parser.CharacterDataHandler = self.add_text
        parser.Parse(svg, True)

    def begin(self, line, tag, attributes):
        self._open.append(tag)
        if tag == "g":
            self.parts.append(attributes["class"])
        elif tag in ("rect", "text", "path") and self.parts:
            item = Item(line, len(self.parts) - 1, tag, attributes)
            if tag == "text" and "middle" in item.classes and self.items and (cell := self.items[-1]).tag == "rect" and self.is_in_cell(item, cell):
                cell.lines.append(item)
            else:
                self.items.append(item)
            self._last = item

    @staticmethod
    def is_in_cell(text, cell):
        """Returns True for the texts that follow a cell: offset and index, or caption and notes of a frame."""
        return cell.part == text.part and (text.classes[0] in ("offset", "index") or "frame" in cell.classes)

    def end(self, tag):
        self._open.pop()

    def add_text(self, text):
        if self._open[-1] == "title":
            self.title += text
        elif self._open[-1] == "text":
            self._last.text += text

    def parts_named(self, name):
        return [number for number, part in enumerate(self.parts) if part == name]

    def of(self, part, tag):
        return [item for item in self.items if item.part == part and item.tag == tag]


def number_text(text):
    return int(text.replace(",", ""))


def index_text(index):
    return ",".join(map(str, index))


def overlaps(boxes):
    """Returns a problem for each box that overlaps an earlier one, and for each text outside its box."""
    problems, active = [], []
    for box in sorted(boxes, key=lambda box: box.y):
        active = [other for other in active if other.y + other.height > box.y]
        problems += [(box.line, f"the box overlaps that of line {other.line}") for other in active
                     if box.x < other.x + other.width and other.x < box.x + box.width]
        active.append(box)
        problems += [(text.line, f"'{text.text}' is not inside its box") for text in box.lines
                     if not (box.x <= text.x <= box.x + box.width and box.y < text.y < box.y + box.height)]
    return problems


def kind_of(cell):
    return cell.classes[0] if cell.classes else ""


def check_cell(model, cell, offset, index):
    """Checks a cell that shows an index of the padded tensor."""
    wanted = "element" if model.is_element(index) else "padding"
    problems = [] if kind_of(cell) == wanted else [(cell.line, f"{index_text(index)} is drawn as {kind_of(cell)}, and is {wanted}")]
    if model.offset(index) != offset:
        problems.append((cell.line, f"{index_text(index)} has the offset {model.offset(index)}, not {offset}"))
    return problems


def check_planes(model, cells):
    left, problems = set(itertools.product(*map(range, model.padded))), []
    for cell in cells:
        if [text.classes[0] for text in cell.lines] != ["offset", "index"]:
            problems.append((cell.line, "a cell of a plane has an offset and an index"))
            continue
        index = tuple(map(int, cell.lines[1].text.split(",")))
        if index not in left:
            problems.append((cell.line, f"{index_text(index)} is drawn twice, or is not in the tensor"))
            continue
        left.discard(index)
        problems += check_cell(model, cell, int(cell.lines[0].text), index)
    return problems + [(1, f"the planes have no cell for {index_text(index)}") for index in sorted(left)]


def check_memory(model, cells):
    left, problems = set(range(model.span)), []
    for cell in cells:
        offset = int(cell.lines[0].text) if cell.lines else -1
        if offset not in left:
            problems.append((cell.line, f"offset {offset} is drawn twice, or is not in memory"))
            continue
        left.discard(offset)
        indices = model.places.get(offset, [])
        if not indices:
            if kind_of(cell) != "gap" or len(cell.lines) != 1:
                problems.append((cell.line, f"offset {offset} is a gap"))
        elif len(cell.lines) != 2 or cell.lines[1].text not in map(index_text, indices):
            problems.append((cell.line, f"offset {offset} holds {index_text(indices[0])}"))
        else:
            problems += check_cell(model, cell, offset, tuple(map(int, cell.lines[1].text.split(","))))
    return problems + [(1, f"memory has no cell for offset {offset}") for offset in sorted(left)]


def check_digits(model, picture, part):
    """Checks the extents and strides of the digits, and the formula, which must give the offset of each element."""
    problems = []
    frames, texts = picture.of(part, "rect"), picture.of(part, "text")
    shown = [tuple(int(text.text.split()[1]) for text in frame.lines[1:]) for frame in frames]
    wanted = [(extent, stride) for _, extent, stride, _ in model.digits]
    if shown != wanted:
        problems.append((frames[0].line if frames else 1, f"extents and strides of the digits are {wanted}, not {shown}"))
    formula = [text for text in texts if text.text.startswith("offset = ")]
    if not formula:
        return problems + [(1, "no text begins with 'offset = '")]
    if not re.fullmatch(r"offset = [a-z0-9()/%*+ ]+", formula[0].text):
        return problems + [(formula[0].line, "this is not a formula")]
    code = compile(formula[0].text.removeprefix("offset = ").replace("/", "//"), "formula", "eval")
    wrong = [index for index in model.elements() if eval(code, {"__builtins__": {}}, dict(zip(model.letters, index))) != model.offset(index)]
    return problems + [(formula[0].line, f"the formula is wrong for {index_text(index)}") for index in wrong[:1]]


def check_colours(cells):
    """Checks that an element has the same colour wherever it is drawn."""
    colours, problems = {}, []
    for cell in cells:
        if kind_of(cell) == "element" and len(cell.lines) == 2:
            first = colours.setdefault(cell.lines[1].text, cell)
            if first.classes[1] != cell.classes[1]:
                problems.append((cell.line, f"{cell.lines[1].text} has another colour than in line {first.line}"))
    return problems


def check_title(picture, title, numbers):
    """Checks the title, and that a note of the title has each of the numbers."""
    heading = next((item for item in picture.items if "heading" in item.classes), None)
    problems = [] if picture.title == title and heading and heading.text == title else [(2, f"the title and the heading are not '{title}'")]
    notes = [item.text for item in picture.items if item.part == 0 and "note" in item.classes]
    said = {number_text(number) for note in notes for number in re.findall(r"[\d,]*\d", note)}
    return problems + [(2, f"no note of the title says {number} {what}") for what, number in numbers.items() if number not in said]


def check_network(picture, part, sources, moved):
    """Checks the registers: each stage has each element of the tile once. `moved` has the destination of each source."""
    cells, stages = picture.of(part, "rect"), [text for text in picture.of(part, "text") if "caption" in text.classes]
    problems = [] if stages else [(1, "the network has no caption")]
    size = len(cells) // max(1, len(stages))
    for number, stage in enumerate(stages):
        here = cells[number * size:(number + 1) * size]
        shown = [int(cell.lines[0].text) for cell in here if cell.lines]
        if sorted(shown) != sorted(sources):
            problems.append((stage.line, f"'{stage.text}' has not each marked element once"))
        elif "order of the source" in stage.text and shown != sorted(shown):
            problems.append((stage.line, "the elements are not in the order of the source"))
        elif "order of the destination" in stage.text and [moved[offset] for offset in shown] != sorted(moved.values()):
            problems.append((stage.line, "the elements are not in the order of the destination"))
    return problems


def check_arrows(picture):
    """Checks that each arrow is on the paper and ends outside all boxes."""
    boxes, problems = [item for item in picture.items if item.tag == "rect"], []
    for arrow in (item for item in picture.items if "arrow" in item.classes):
        ends = [tuple(map(int, end)) for end in re.findall(r"[ML](\d+) (\d+)", arrow.path)]
        if len(ends) != 2 or any(box.x < x < box.x + box.width and box.y < y < box.y + box.height for x, y in ends for box in boxes):
            problems.append((arrow.line, "the arrow begins or ends inside a box"))
    return problems


def check_layout(picture, arguments):
    model = Model(*arguments)
    problems = check_title(picture, model.title, {"elements": len(model.elements()), "places": model.span})
    if picture.parts != ["title", "planes", "memory", "digits"]:
        return problems + [(1, f"the parts are {picture.parts}")]
    planes, memory = picture.of(1, "rect"), picture.of(2, "rect")
    return problems + check_planes(model, planes) + check_memory(model, memory) + check_digits(model, picture, 3) + check_colours(planes + memory)


def check_reorder(picture, arguments):
    src, dst = Model(arguments[1], arguments[3]), Model(arguments[2], arguments[3])
    problems = check_title(picture, f"{src.title} to {dst.title}", {"elements": len(src.elements())})
    if picture.parts != ["title", "memory", "digits", "network", "arrow", "memory", "digits"]:
        return problems + [(1, f"the parts are {picture.parts}")]
    cells, marked = [], []
    for model, part in ((src, 1), (dst, 5)):
        here = picture.of(part, "rect")
        problems += check_memory(model, here) + check_digits(model, picture, part + 1)
        marked.append({cell.lines[1].text: int(cell.lines[0].text) for cell in here if "marked" in cell.classes and len(cell.lines) == 2})
        cells += here
    problems += check_colours(cells)
    if not marked[0] or marked[0].keys() != marked[1].keys():
        return problems + [(1, "the marked elements of the source are not those of the destination, or there are none")]
    moved = {offset: marked[1][index] for index, offset in marked[0].items()}
    problems += check_network(picture, 3, list(moved), moved)
    arrows = [len([item for item in picture.of(part, "path") if "arrow" in item.classes]) for part in (3, 4)]
    stages = [text for text in picture.of(3, "text") if "caption" in text.classes]
    return problems + ([] if arrows == [len(stages), 1] else [(1, "an arrow leads to each stage of the registers, and one to the destination")])


def problems_of(svg, arguments):
    """Returns the line and the sentence of each problem. The arguments are those of `plait draw`, without options."""
    try:
        picture = Reader(svg)
    except xml.parsers.expat.ExpatError as error:
        return [(error.lineno, f"not XML: {error}")]
    problems = check_reorder(picture, arguments) if arguments[0] == "--reorder" else check_layout(picture, arguments)
    for name in dict.fromkeys(picture.parts):
        boxes = [box for part in picture.parts_named(name) for box in picture.of(part, "rect")]
        problems += overlaps(boxes)
    return sorted(problems + check_arrows(picture))
