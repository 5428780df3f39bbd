"""Checks the Python sessions in the documents: each line behind >>> is run, and what it prints is compared. The sessions of one
document follow each other, as a reader types them.

usage: check_python.py PROJECT, with PYTHONPATH=PROJECT/python and PLAIT_LIBRARY naming the library
"""

import doctest
import pathlib
import sys

import blocks


def main():
    project = pathlib.Path(sys.argv[1])
    found, _ = blocks.all_blocks(project)
    runner, names, problems, count = doctest.DocTestRunner(), {}, [], 0
    for block in found:
        if block.language != "python":
            continue
        # One dictionary a document, which doctest copies: what a session defines is there in the next one.
        known = names.setdefault(block.document, {})
        test = doctest.DocTestParser().get_doctest(block.text, known, block.name(), str(project / block.document), block.line)
        if not test.examples:
            problems.append(f"{block.where()}: no line of it begins with >>>")
        runner.run(test, clear_globs=False)
        known.update(test.globs)
        count += len(test.examples)
    print("\n".join(problems) or f"{count} lines")
    return bool(problems or runner.failures or count == 0)


if __name__ == "__main__":
    sys.exit(main())
