"""Writes the C++ blocks of the documents, for CMake to build.

usage: extract.py PROJECT OUT

Writes programs as OUT/NAME.cpp and fragments as OUT/NAME.inc. Prints `name|source` for each program; the source of a
fragment is the file that includes NAME.inc, or OUT/all_of_FILE.inc, which has all others of FILE.cpp, each in a scope of
its own. Returns 1 if a document has a block without a test.
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
    sources, together = {}, {}
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
        said = completed.read_text() if completed.exists() else ""
        if f'#include "{block.name()}.inc"' not in said:
            if f'#include "all_of_{completed.stem}.inc"' not in said:
                problems.append(f"{block.where()}: {block.completed_by} does not include {block.name()}.inc")
            together.setdefault(completed.stem, []).append(f'{{\n#include "{block.name()}.inc"\n}}\n')
        sources[completed.stem] = completed
    for stem, scopes in together.items():
        write_if_changed(out / f"all_of_{stem}.inc", "".join(scopes))
    print("\n".join(f"{name}|{source}" for name, source in sources.items()))
    print("\n".join(problems), file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
