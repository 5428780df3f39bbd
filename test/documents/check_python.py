"""Checks the Python sessions in the documents: runs each line after >>>, and compares its output. The sessions of a
document share their variables, as if a reader typed all of them.

usage: check_python.py PROJECT, with PYTHONPATH=PROJECT/python and PLAIT_LIBRARY set to the path of the library
"""

import doctest
import pathlib
import sys

import blocks
import numpy


def main():
    project = pathlib.Path(sys.argv[1])
    # Sessions show a number as NumPy 1 does, as 83; NumPy 2 would print np.int8(83).
    if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0":
        numpy.set_printoptions(legacy="1.25")
    found, _ = blocks.all_blocks(project)
    runner, names, problems, count = doctest.DocTestRunner(), {}, [], 0
    for block in found:
        if block.language != "python":
            continue
        # Each document has one dictionary. doctest copies it, so the names that a session defines are copied back for
        # the next one.
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
