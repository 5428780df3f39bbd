"""The blocks of code in the documents, by what their fences say.

```cpp                       a program: compiled and run
```cpp as FILE               the same; the shell's commands behind it find it as FILE, to compile it as a reader does
```cpp in FILE               a fragment: FILE includes it, as the block's number in its document, and is compiled and run
```cpp from FILE, cmake ...  lines that FILE has as they are, but for comments
```output of FILE            what the example of this source prints: `examples/01_layouts.cpp`
```sh                        `$ command` is run, and what it prints is compared; other lines are of ./dev
```python                    a session: what stands behind >>> is run with the package of python/, and what it prints is compared
```text                      no code

Indented blocks are refused, as nothing says what they are.
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
        """README.md's second block is readme_2."""
        return f"{pathlib.Path(self.document).stem.lower().replace('-', '_')}_{self.number}"

    def where(self):
        return f"{self.document}:{self.line}"


def documents(project):
    return ["README.md"] + sorted(str(path.relative_to(project)) for path in (project / "docs").rglob("*.md"))


def blocks_of(project, document):
    """All fenced blocks; what is neither fenced nor prose is an error."""
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
