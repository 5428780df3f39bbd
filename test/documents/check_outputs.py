"""Checks that each block `output of examples/NAME.cpp` in the documents is the complete output of the example NAME.

usage: check_outputs.py PROJECT FOLDER, where FOLDER has the programs example_NAME that CMake builds
"""

import pathlib
import subprocess
import sys

import blocks


def printed_by(program):
    done = subprocess.run([str(program)], text=True, capture_output=True)
    return done.stdout + done.stderr, done.returncode


def check(block, folder):
    """Returns the problems of a block."""
    program = folder / f"example_{pathlib.Path(block.printed_by).stem}"
    if not program.exists():
        return [f"{block.where()}: there is no program {program}"]
    printed, code = printed_by(program)
    if code != 0:
        return [f"{block.where()}: {program.name} ended with {code}"]
    lines = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
    if lines != [line.rstrip() for line in block.lines]:
        return [f"{block.where()}: {program.name} prints\n" + "\n".join(lines)]
    return []


def main():
    project, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    found, problems = blocks.all_blocks(project)
    outputs = [block for block in found if block.printed_by]
    for block in outputs:
        problems += check(block, folder)
    print("\n".join(problems) or f"{len(outputs)} outputs")
    return bool(problems) or not outputs


if __name__ == "__main__":
    sys.exit(main())
