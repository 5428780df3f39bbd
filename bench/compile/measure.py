#!/usr/bin/env python3
"""What plait costs to compile.

Without options: counts with Clang what no other load on the machine changes, and compares it with budget.json: more
than 2 % above it is an error. Counted are template instantiations, and the lines that are read where a header is
included: the standard library's, of intrinsics, plait's own. --times: the milliseconds as well, with g++ and clang++,
beside what the design allows, and what <regex> and Eigen/Dense cost (the Debian package libeigen3-dev). --update:
writes budget.json; growth is a change to be reviewed.
"""

import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

from scenarios import PEERS, SCENARIOS

HERE = pathlib.Path(__file__).resolve().parent
BUDGET = HERE / "budget.json"
SKIPPED = 77  # for CTest
TOLERANCE = 1.02
WORTH_LOWERING = 0.90
REPEATS = 5
PEER_FOLDERS = ("-isystem", "/usr/include/eigen3")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Compiler:
    def __init__(self, command, folder):
        self.command, self.folder = command, pathlib.Path(folder)

    def run(self, source, *options):
        """What the compiler prints."""
        file = self.folder / "scenario.cpp"
        file.write_text(source, encoding="utf-8")
        command = [self.command, "-std=c++20", "-I", HERE.parent.parent / "include", *PEER_FOLDERS, *options, file]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def count(self, source):
        """How many class and function templates are instantiated."""
        self.run(source, "-c", "-O0", "-ftime-trace", "-ftime-trace-granularity=0", "-o", self.folder / "scenario.o")
        trace = json.loads((self.folder / "scenario.json").read_text(encoding="utf-8"))
        return sum(event["name"] in ("InstantiateClass", "InstantiateFunction") for event in trace["traceEvents"])

    def lines(self, source):
        """How many lines are left when all is included, without comments and blank ones."""
        return sum(not line.isspace() for line in self.run(source, "-E", "-P").splitlines(keepends=True))

    def seconds(self, source, optimized):
        """Processor time, the best of some: unlike the time on the clock it hardly sees what else is running."""
        options = ("-O2", "-c", "-o", self.folder / "scenario.o") if optimized else ("-fsyntax-only",)

        def once():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.run(source, *options)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        return min(once() for _ in range(REPEATS))

    def code_bytes(self, source):
        """The size of all code, every instruction set's."""
        self.run(source, "-O2", "-c", "-o", self.folder / "scenario.o")
        sections = output_of("size", "-A", "-d", self.folder / "scenario.o")
        return sum(int(line.split()[1]) for line in sections.splitlines() if line.startswith(".text"))


def version_of(clang):
    words = output_of(clang, "--version").split()
    return "clang " + words[words.index("version") + 1].split(".")[0]


def count_all(clang):
    known = {}

    def count(source):
        if source not in known:
            known[source] = clang.count(source)
        return known[source]

    def added(s):
        difference = count(s.source) - count(s.base)
        return difference if s.parts == 1 else round(difference / s.parts, 2)

    return {
        "instantiations": {s.name: added(s) for s in SCENARIOS},
        "lines": {s.name: clang.lines(s.source) for s in SCENARIOS if s.is_include},
    }


def compare(title, counts, budget):
    """Prints the counts beside the budget; the names of those that exceed it."""
    exceeded = []
    print(f"{title:34} {'counted':>9} {'budget':>9}")
    for name, counted in counts.items():
        allowed = budget.get(name)
        remark = ""
        if allowed is None or counted > allowed * TOLERANCE:
            exceeded.append(name)
            remark = "  above the budget"
        elif counted < allowed * WORTH_LOWERING:
            remark = "  far below: lower the budget with --update"
        print(f"{name:34} {counted:>9} {allowed if allowed is not None else 'none':>9}{remark}")
    return exceeded


def print_times(compilers):
    titles = "".join(f" {c.command:>9}" for c in compilers)
    print(f"\n{'milliseconds, best of ' + str(REPEATS):34} {'budget':>9}{titles}   bytes of code")
    known = {}

    def seconds(compiler, source, optimized):
        key = (compiler.command, source, optimized)
        if key not in known:
            known[key] = compiler.seconds(source, optimized)
        return known[key]

    for s in SCENARIOS:
        row = f"{s.name:34} {1000 * s.seconds:>9.1f}"
        for compiler in compilers:
            added = (seconds(compiler, s.source, s.optimized) - seconds(compiler, s.base, s.optimized)) / s.parts
            row += f" {1000 * added:>8.1f}{'!' if added > s.seconds else ' '}"
        if s.optimized:
            row += "   " + " ".join(f"{c.command} {c.code_bytes(s.source) - c.code_bytes(s.base)}" for c in compilers)
        print(row, flush=True)
    print("! above what the design allows")
    for name, source in PEERS.items():
        try:
            row = "".join(f" {1000 * (seconds(c, source, False) - seconds(c, '', False)):>8.1f} " for c in compilers)
            print(f"{'include ' + name:34} {'':>9}{row}")
        except subprocess.CalledProcessError:
            print(f"include {name}: not installed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--gcc", default="g++")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        status = 0
        if shutil.which(arguments.clang):
            clang = Compiler(arguments.clang, folder)
            counts = count_all(clang)
            version = version_of(arguments.clang)
            if arguments.update:
                text = json.dumps({"compiler": version, **counts}, indent=4)
                BUDGET.write_text(text + "\n", encoding="utf-8")
            budget = json.loads(BUDGET.read_text(encoding="utf-8"))
            exceeded = compare("template instantiations", counts["instantiations"], budget["instantiations"])
            exceeded += compare("lines read", counts["lines"], budget["lines"])
            if version != budget["compiler"]:
                print(f"counted by {version}, but the budget is for {budget['compiler']}: not compared")
                status = SKIPPED
            elif exceeded:
                print("more than the budget; if that is wanted, run measure.py --update and have budget.json reviewed")
                status = 1
        else:
            print(f"no {arguments.clang}, so nothing is counted")
        if arguments.times:
            print_times([Compiler(c, folder) for c in (arguments.gcc, arguments.clang) if shutil.which(c)])
    return status


if __name__ == "__main__":
    sys.exit(main())
