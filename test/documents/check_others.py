"""Checks the blocks of the documents that are not compiled: shell sessions, and lines of files.

usage: check_others.py PROJECT TOOL, where TOOL is the program that the documents call plait

The commands of each document run in order in a new folder. It contains:
- activations.npy: f32, shape (2, 5, 4, 17), which is NHWC;
- plait, a link to the project;
- the programs of the blocks `cpp as FILE`.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import blocks


def check_lines(project, block):
    def words(line):
        return " ".join(re.split(r"#|//", line)[0].split())
    there = [words(line) for line in (project / block.taken_from).read_text().splitlines()]
    return [f"{block.where()}: {block.taken_from} has no line '{line}'"
            for line in map(words, block.lines) if line and line not in there]


def run(command, folder):
    """Returns the output of a command, including its errors."""
    done = subprocess.run(command, shell=True, cwd=folder, text=True, capture_output=True,
                          env={"PATH": f"{folder}/bin:/usr/bin:/bin"})
    return done.stdout + done.stderr


def check_shell(project, block, folder):
    usage = subprocess.run(["sh", str(project / "dev"), "help"], text=True, capture_output=True, check=True).stdout
    problems, command, shown = [], None, []

    def compare():
        if command is None:
            return
        printed = run(command, folder).rstrip("\n").split("\n")
        if [line.rstrip() for line in printed] != [line.rstrip() for line in shown or [""]]:
            problems.append(f"{block.where()}: `{command}` prints\n" + "\n".join(printed))

    for line in block.lines:
        if line.startswith("$ "):
            compare()
            command, shown = line[2:], []
        elif command is not None:
            shown.append(line)
        elif match := re.match(r"(\./dev( \w+)?)", line):
            if not re.search(rf"^{re.escape(match[1])}\b", usage, re.MULTILINE):
                problems.append(f"{block.where()}: ./dev help has no {match[1]}")
        elif line:
            problems.append(f"{block.where()}: neither a command behind `$ ` nor one of ./dev: {line}")
    compare()
    return problems


def fill(folder, project, tool):
    (pathlib.Path(folder) / "bin").mkdir()
    (pathlib.Path(folder) / "bin/plait").symlink_to(tool)
    (pathlib.Path(folder) / "plait").symlink_to(project.resolve())
    np.save(f"{folder}/activations.npy", np.arange(2 * 5 * 4 * 17, dtype=np.float32).reshape(2, 5, 4, 17))


def main():
    project, tool = pathlib.Path(sys.argv[1]), sys.argv[2]
    found, problems = blocks.all_blocks(project)
    checked = 0
    for document in blocks.documents(project):
        with tempfile.TemporaryDirectory() as folder:
            fill(folder, project, tool)
            for block in (block for block in found if block.document == document):
                if block.saved_as:
                    (pathlib.Path(folder) / block.saved_as).write_text(block.text)
                elif block.taken_from:
                    problems += check_lines(project, block)
                elif block.language == "sh":
                    problems += check_shell(project, block, folder)
                checked += bool(block.taken_from or block.language == "sh")
    print("\n".join(problems))
    print(f"{checked} blocks")
    return bool(problems) or checked == 0


if __name__ == "__main__":
    sys.exit(main())
