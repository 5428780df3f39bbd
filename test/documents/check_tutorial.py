"""Checks the text of the tutorial and of its programs. check_outputs.py checks their output.

usage: check_tutorial.py PROJECT

- docs/tutorial has ten pages, numbered from 01. docs/tutorial.md lists them in this order. Each links to the next.
- Each page has one program. Its blocks `cpp from examples/NAME.cpp` together are the whole program
  with its comments, except blank lines. The output of the program follows them.
- examples has programs 01 to 15. docs/tutorial.md links to each in the order of the numbers. The pages have this order.
- Programs with other numbers belong to another document (APART), which links to them.
- Each C and C++ program in examples and examples/integrations prints something.
- `Example:` in a header names an existing file.
"""

import pathlib
import re
import sys

import blocks

PAGES, PROGRAMS = 10, 15
APART = {"18_packed_matmul": "docs/packed.md", "19_ranks": "docs/distributed.md", "20_kv_cache": "docs/coming-from/vllm.md"}  # 19 needs MPI


def lines_of(text):
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def check_page(project, page):
    found, problems = blocks.blocks_of(project, str(page.relative_to(project)))
    name = page.relative_to(project)
    programs = {block.taken_from for block in found if block.taken_from}
    outputs = [block for block in found if block.printed_by]
    if len(programs) != 1 or [block.printed_by for block in outputs] != list(programs):
        return problems + [f"{name}:1: {sorted(programs)} and {len(outputs)} outputs, where one program and its output are wanted"]
    source = (project / programs.pop()).read_text(encoding="utf-8")
    shown = [line for block in found if block.taken_from for line in lines_of(block.text)]
    if shown != lines_of(source):
        wrong = next((a for a, b in zip(lines_of(source), shown + [""] * len(source)) if a != b), "more than all of it")
        first = next(block for block in found if block.taken_from)
        problems.append(f"{first.where()}: the blocks are not the whole program, from here on: {wrong}")
    if any(block.taken_from for block in found[found.index(outputs[0]):]):
        problems.append(f"{outputs[0].where()}: the output must follow the whole program")
    return problems


def check_order(project, pages):
    index = (project / "docs/tutorial.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(tutorial/([\w.-]+\.md)\)", index)
    problems = []
    if [page.name for page in pages] != linked:
        problems.append(f"docs/tutorial.md:1: links to {linked}, and docs/tutorial has {[page.name for page in pages]}")
    if [page.name[:2] for page in pages] != [f"{n:02}" for n in range(1, PAGES + 1)]:
        problems.append(f"docs/tutorial.md:1: there are {[page.name for page in pages]}, not the pages 01 to {PAGES}")
    for page, following in zip(pages, pages[1:]):
        if f"]({following.name})" not in page.read_text(encoding="utf-8"):
            problems.append(f"docs/tutorial/{page.name}:1: does not link to {following.name}")
    return problems


def numbered(name):
    """Returns the numbered program of a path, e.g. 10_embedding for examples/10_embedding/main.cpp, or an empty text."""
    found = re.search(r"examples/(\d\d_\w+)", name)
    return found[1] if found else ""


def check_numbers(project, pages):
    programs = sorted(numbered(f"examples/{path.name}") for path in (project / "examples").glob("[0-9][0-9]_*"))
    programs = [name for name in programs if name not in APART]
    index = (project / "docs/tutorial.md").read_text(encoding="utf-8")
    linked = [numbered(target) for target in re.findall(r"\]\((\.\./examples/\d\d_[^)]*)\)", index)]
    problems = [] if linked == programs else [f"docs/tutorial.md:1: links to {linked}, and examples has {programs}"]
    numbers = [name[:2] for name in programs]
    if numbers != [f"{n:02}" for n in range(1, PROGRAMS + 1)]:
        problems.append(f"docs/tutorial.md:1: examples has {numbers}, not 01 to {PROGRAMS}")
    shown = [numbered(re.search(r"^```cpp from (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)[1]) for page in pages]
    problems += [f"{document}:1: does not link to examples/{name}" for name, document in APART.items()
                 if f"../examples/{name}/" not in (project / document).read_text(encoding="utf-8")]
    return problems + ([] if shown == sorted(shown) else [f"docs/tutorial.md:1: its pages have the programs {shown}, which are not in the order of their numbers"])


def check_examples(project):
    problems = []
    for path in sorted([*(project / "examples").glob("*.c*"), *(project / "examples/integrations").glob("*.c*")]):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(project)
        if not re.search(r"std::cout <<|std::puts\(|printf\(", text):
            problems.append(f"{name}:1: prints nothing")
    for path in sorted((project / "include").rglob("*.h*")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            problems += [f"{path.relative_to(project)}:{number}: there is no {name}" for name in re.findall(r"Example: (examples/[\w./]+)", line)
                         if not (project / name.rstrip(".;")).exists()]
    return problems


def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted((project / "docs/tutorial").glob("*.md"))
    problems = check_order(project, pages) + check_numbers(project, pages) + check_examples(project)
    for page in pages:
        problems += check_page(project, page)
    print("\n".join(problems) or f"{len(pages)} pages")
    return bool(problems) or not pages


if __name__ == "__main__":
    sys.exit(main())
