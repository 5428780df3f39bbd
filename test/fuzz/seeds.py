"""Manages the seeds of fuzzing: each line of test/fuzz/seeds/TARGET.txt is one seed, its bytes as text.

Bytes that are not printable are written as \\xNN.

usage: seeds.py unpack LIST FOLDER: recreates the folder, with one file per seed, for libFuzzer
       seeds.py add LIST FILE...: adds the files that libFuzzer found; the list is sorted and has each seed once
       seeds.py check LIST...: checks that `add` would not change the lists
"""

import hashlib
import pathlib
import re
import shutil
import sys


def line_of(seed):
    return "".join(chr(b) if 33 <= b < 127 and b != ord("\\") else f"\\x{b:02x}" for b in seed)


def seed_of(line):
    return re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), line.encode("ascii"))


def seeds_of(path):
    return [seed_of(line) for line in path.read_text(encoding="ascii").splitlines()]


def text_of(seeds):
    return "".join(line_of(seed) + "\n" for seed in sorted(set(seeds), key=lambda seed: (len(seed), seed)))


def unpack(path, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for seed in seeds_of(path):
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


def add(path, *files):
    path.write_text(text_of(seeds_of(path) + [file.read_bytes() for file in files]), encoding="ascii")


def check(*paths):
    wrong = [path for path in paths if not seeds_of(path) or text_of(seeds_of(path)) != path.read_text(encoding="ascii")]
    for path in wrong:
        print(f"{path}:1: no seeds, or not as `seeds.py add` writes them: by length, each once")
    print(", ".join(f"{path.stem}: {len(seeds_of(path))} seeds" for path in paths))
    return bool(wrong)


def main():
    does = {"unpack": unpack, "add": add, "check": check}.get(sys.argv[1] if len(sys.argv) > 2 else "")
    return does(*map(pathlib.Path, sys.argv[2:])) if does else __doc__


if __name__ == "__main__":
    sys.exit(main())
