"""Checks what is in the pictures of layouts in docs/images: each cell, label and mark, by picture_model.py.

usage: check_pictures.py PROJECT

docs/images/draw.sh says what each picture shows. Pictures are not compared with what the tool draws today, so a change of
their arrangement does not change them. Each run first spoils two pictures in every way of SPOILT, and each must be found.
"""

import pathlib
import re
import sys

import picture_model

LAYOUT, REORDER = ("padded-nChw8c.svg", "nChw8c 1x17x2x3"), ("nchw-to-nChw8c.svg", "--reorder nchw nChw8c 1x17x2x3")
SPOILT = [
    (LAYOUT, "an offset", r'(offset middle"[^>]*>)96<', r"\g<1>95<"), (LAYOUT, "an index", ">0,16,0,0<", ">0,15,0,0<"),
    (LAYOUT, "a padded cell", 'class="padding"', 'class="element tint0"'), (LAYOUT, "an element", 'class="element tint1"', 'class="padding"'),
    (LAYOUT, "a colour", "element tint1", "element tint2"), (LAYOUT, "a cell too few", r'<rect class="padding".*?(?=<rect)', ""),
    (LAYOUT, "a place of a cell", r'(<rect class="element tint0" x=")\d+', r"\g<1>60"), (LAYOUT, "a text", r'(offset middle" x=")\d+', r"\g<1>3"),
    (LAYOUT, "an extent", "extent 3", "extent 2"), (LAYOUT, "a stride", "stride 48", "stride 47"), (LAYOUT, "the formula", r"h \* 24", "h * 25"),
    (LAYOUT, "the title", "<title>nChw8c", "<title>nChw16c"), (LAYOUT, "a number", "102 elements", "103 elements"),
    (LAYOUT, "XML", "</g>", ""), (REORDER, "a mark", " marked", ""), (REORDER, "an arrow", "<path class=.arrow.*", ""),
    (REORDER, "a register", r'(<g class="network">(?:.|\n)*?offset middle"[^>]*>)\d+', r"\g<1>47"),
    (REORDER, "registers", "in the order of the source", "in the order of the destination"),
]


def check_itself(images):
    """Returns a problem for each spoilt picture in which nothing is found."""
    problems = []
    for (name, arguments), what, pattern, replacement in SPOILT:
        spoilt, times = re.subn(pattern, replacement, (images / name).read_text(encoding="utf-8"), count=1, flags=re.DOTALL if "?=" in pattern else 0)
        if not times or not picture_model.problems_of(spoilt, arguments.split()):
            problems.append(f"test/documents/check_pictures.py:1: a picture with {what} spoilt is taken to be right")
    return problems


def main():
    images = pathlib.Path(sys.argv[1]) / "docs/images"
    script, problems, count = (images / "draw.sh").read_text(encoding="utf-8"), check_itself(images), 0
    for number, line in enumerate(script.splitlines(), 1):
        found = re.match(r'"\$plait" draw (.*?)(?: --cells \d+)? -o "\$to/([\w.-]+)"$', line)
        if not found:
            continue
        count += 1
        if not (images / found[2]).exists():
            problems.append(f"docs/images/draw.sh:{number}: there is no docs/images/{found[2]}; draw.sh makes it")
            continue
        wrong = picture_model.problems_of((images / found[2]).read_text(encoding="utf-8"), found[1].split())
        problems += [f"docs/images/{found[2]}:{at}: {problem}" for at, problem in wrong]
    if count != script.count('"$plait" draw'):
        problems.append(f"docs/images/draw.sh:1: check_pictures.py reads {count} of its commands, not each")
    print("\n".join(problems) or f"{count} pictures, {len(SPOILT)} spoilt")
    return bool(problems) or not count


if __name__ == "__main__":
    sys.exit(main())
