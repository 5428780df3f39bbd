"""Reads the blocks of code in the documents. The text after the opening fence selects the test of a block:

```cpp                       a program, which is compiled and run
```cpp as FILE               a program that is also saved as FILE, so that later shell commands can compile it
```cpp in FILE               a fragment; FILE includes it as e.g. readme_2.inc, or in all_of_FILE.inc, and is compiled and run
```cpp from FILE, cmake ...  lines of FILE; comments may differ
```output of FILE            the output of the example with this source, e.g. `examples/01_layouts.cpp`
```sh                        each `$ command` is run, and its output is compared; other lines are commands of ./dev
```python                    a session; each line after >>> is run with the package in python/, its output compared
```text                      text, which has no test

Indented blocks are errors, because they have no fence that names their kind.
"""

import pathlib
import re


class Block:
    def __init__(self, document, line, number, info, lines):
        self.document, self.line, self.number, self.lines = document, line, number, lines
        words = info.split()
        self.language = words[0] if words else ""
        relation, file = words[1:] if len(words) == 3 else ("", "")
        self.completed_by = file if relation == "in" else ""
        self.taken_from = file if relation == "from" else ""
        self.saved_as = file if relation == "as" else ""
        self.printed_by = file if relation == "of" else ""
        self.text = "\n".join(lines) + "\n"

    def name(self):
        """Returns the name of the block, e.g. readme_2 for the second block of README.md."""
        return f"{pathlib.Path(self.document).stem.lower().replace('-', '_')}_{self.number}"

    def where(self):
        return f"{self.document}:{self.line}"


def documents(project):
    return ["README.md"] + sorted(str(path.relative_to(project)) for path in (project / "docs").rglob("*.md"))


def blocks_of(project, document):
    """Returns the fenced blocks of a document, and the problems, e.g. an indented block."""
    out, problems, info, lines, before = [], [], None, [], ""
    for number, line in enumerate((project / document).read_text().splitlines(), 1):
        if line.startswith("```"):
            if info is None:
                info, lines, begin = line[3:].strip(), [], number
                if not re.fullmatch(
                        r"cpp( in \S+| as [\w.]+)?|(cpp|cmake) from \S+|output of examples/\S+|sh|python|text", info):
                    problems.append(f"{document}:{number}: what is a block of '{info}'?")
            else:
                out.append(Block(document, begin, len(out) + 1, info, lines))
                info = None
        elif info is not None:
            lines.append(line)
        elif line.startswith("    ") and before == "":
            problems.append(f"{document}:{number}: an indented block: fence it, so that it is tested")
        before = line.strip()
    if info is not None:
        problems.append(f"{document}:{begin}: the block has no end")
    return out, problems


def all_blocks(project):
    blocks, problems = [], []
    for document in documents(project):
        some, wrong = blocks_of(project, document)
        blocks += some
        problems += wrong
    return blocks, problems
