"""Reads test/faults.txt: the faults that the tests must find, one per line.

    # core
    What the fault does, in words.
    include/plait/core/float_format.hpp: `if (dropped > 53)` -> `if (dropped >= 53)`

A text stands between backticks and has none itself. The text on the left must occur exactly once in the file; the text
on the right may be empty. The line above a fault describes it. A line with # begins a section; empty lines are ignored.
"""

import re
from typing import NamedTuple

_FAULT = re.compile(r"([\w./-]+): `([^`]+)` -> `([^`]*)`")


class Fault(NamedTuple):
    number: int  # from 1, in the order of the list
    section: str
    what: str
    file: str  # relative to the project
    old: str
    new: str

    @property
    def key(self):
        """Identifies the fault in files of results, where its number may have changed."""
        return f"{self.file}: `{self.old}` -> `{self.new}`"


class ListError(Exception):
    pass


def parse(text):
    """Returns the faults of a list. Raises ListError with the line that is wrong."""
    faults, section, what = [], "", ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line:
            continue
        if line.startswith("#"):
            section = line.lstrip("# ")
            continue
        if "->" not in line:
            if what:
                raise ListError(f"line {number}: two lines of words, but no fault between them")
            what = line
            continue
        match = _FAULT.fullmatch(line)
        if not match:
            raise ListError(f"line {number}: is not `FILE: `text` -> `text``")
        if not what:
            raise ListError(f"line {number}: no line above says what the fault does")
        if match[2] == match[3]:
            raise ListError(f"line {number}: the fault changes nothing")
        faults.append(Fault(len(faults) + 1, section, what, *match.groups()))
        what = ""
    if what:
        raise ListError(f"the last line is not a fault: {what}")
    seen = set()
    for fault in faults:
        if fault.key in seen:
            raise ListError(f"twice in the list: {fault.key}")
        seen.add(fault.key)
    return faults


def with_fault(fault, content):
    """Returns the content of the fault's file with the fault. Raises ListError unless its text occurs exactly once."""
    count = content.count(fault.old)
    if count != 1:
        raise ListError(f"fault {fault.number}: `{fault.old}` occurs {count} times in {fault.file}")
    return content.replace(fault.old, fault.new)


def select(faults, wanted):
    """Returns the faults with these numbers, or with these patterns in their file, section or words; all if none is given."""
    if not wanted:
        return list(faults)
    chosen = []
    for word in wanted:
        span = re.fullmatch(r"(\d+)(?:-(\d+))?", word)
        if span:
            first, last = int(span[1]), int(span[2] or span[1])
            found = [f for f in faults if first <= f.number <= last]
        else:
            found = [f for f in faults if re.search(word, f"{f.file} {f.section} {f.what}")]
        if not found:
            raise ListError(f"no fault is {word}; there are {len(faults)}")
        chosen += found
    return sorted(set(chosen), key=lambda f: f.number)
