"""Writes the C++ blocks of the documents, for CMake to build.

usage: extract.py PROJECT OUT

Writes programs as OUT/NAME.cpp and fragments as OUT/NAME.inc. Prints `name|source` for each program; the source of a
fragment is the file that includes NAME.inc. Returns 1 if a document has a block without a test.
"""

import pathlib
import sys

import blocks


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    project, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    found, problems = blocks.all_blocks(project)
    sources = {}
    for block in found:
        if block.language != "cpp" or block.taken_from:
            continue
        numbered = f'#line {block.line + 1} "{block.document}"\n{block.text}'
        if not block.completed_by:
            sources[block.name()] = out / f"{block.name()}.cpp"
            write_if_changed(sources[block.name()], numbered)
            if "int main(" not in block.text:
                problems.append(f"{block.where()}: a program has a main; a fragment names the file that completes it")
            continue
        write_if_changed(out / f"{block.name()}.inc", numbered)
        completed = project / block.completed_by
        if not completed.exists() or f'#include "{block.name()}.inc"' not in completed.read_text():
            problems.append(f"{block.where()}: {block.completed_by} does not include {block.name()}.inc")
        sources[completed.stem] = completed
    print("\n".join(f"{name}|{source}" for name, source in sources.items()))
    print("\n".join(problems), file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
