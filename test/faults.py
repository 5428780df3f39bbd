#!/usr/bin/env python3
"""Seeded faults: applies each fault of test/faults.txt to a copy of the tree, and says which test finds it.

usage: faults.py [--jobs N] [--presets gcc,neon] [--near] [--ask TEST,...] [--list] [NUMBER | FIRST-LAST | PATTERN ...]
       faults.py --table          writes the table of docs/design/testing.md from the results
       faults.py --check          checks that each fault applies to the tree, and that the table has it

Without names, all faults. With --near, only the test files about the changed file run, or the tests of its
folder if it is no header: a minute or two for a fault, where all tests that depend on its file take half an hour. With --ask
only the named ones run, such as test/reorder/zero_pad.cpp or python[.]record. A fault that they do not find keeps the result
that it had. The copy, with its build directories, is build/faults/tree; the results are
build/faults/results.json and build/faults/table.txt. The exit status is 1 if a fault was not found, or does not compile.
"""

import argparse
import os
import pathlib
import signal
import sys

sys.dont_write_bytecode = True
PROJECT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "test"))
from fault_search import fault_list, report, search, stages, tree_copy  # noqa: E402

LIST, DOCUMENT, SCRATCH = PROJECT / "test/faults.txt", PROJECT / "docs/design/testing.md", PROJECT / "build/faults"


def check(faults):
    """Returns what is wrong with the list and the table."""
    problems = []
    for fault in faults:
        path = PROJECT / fault.file
        if not path.is_file():
            problems.append(f"fault {fault.number}: there is no {fault.file}")
            continue
        try:
            fault_list.with_fault(fault, path.read_text(encoding="utf-8"))
        except fault_list.ListError as why:
            problems.append(str(why))
    missing, of_none = report.missing_rows(DOCUMENT.read_text(encoding="utf-8"), faults)
    problems += [f"fault {f.number}: docs/design/testing.md lacks it; run ./dev faults --table" for f in missing]
    problems += [f"docs/design/testing.md has a row of no fault: {file}, {what}; run ./dev faults --table" for file, what in of_none]
    return problems


def run(faults, jobs, chosen_stages, near, asked):
    os.nice(5)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # restores the copy, and ends what was started
    results = report.Results(SCRATCH / "results.json")
    copy = tree_copy.TreeCopy(PROJECT, SCRATCH)
    copy.update()
    looking = search.Search(copy, jobs, chosen_stages, near=near, asked=asked)
    for place, fault in enumerate(faults, 1):
        print(f"[{place}/{len(faults)}] {fault.number}: {fault.file}: {fault.what}", flush=True)
        finding = looking.look_for(fault)
        if finding.status != "not near":
            results.keep(fault, finding)
        print(f"  {report.found_by(finding._asdict())}, {finding.seconds} s", flush=True)
    text = report.table_text(faults, results)
    (SCRATCH / "table.txt").write_text(text, encoding="utf-8")
    print("\n" + text)
    lost = [f for f in faults if results.by_key.get(f.key, {}).get("status") != "found"]
    print(f"{len(faults) - len(lost)} of {len(faults)} faults were found" + (f"; not: {', '.join(str(f.number) for f in lost)}" if lost else ""))
    return 1 if lost else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="NUMBER|PATTERN")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--presets", help="only these, with commas between them")
    parser.add_argument("--near", action="store_true", help="only the tests that are about the changed file")
    parser.add_argument("--ask", metavar="TEST,...", help="only these test sources, and tests of ctest whose names match these patterns")
    parser.add_argument("--list", action="store_true", help="print the faults that are meant")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    said = parser.parse_args()
    try:
        faults = fault_list.parse(LIST.read_text(encoding="utf-8"))
        chosen = fault_list.select(faults, said.wanted)
    except fault_list.ListError as why:
        sys.exit(f"{LIST.relative_to(PROJECT)}: {why}")
    if said.check:
        problems = check(faults)
        print("\n".join(problems) or f"{len(faults)} faults apply to the tree")
        return 1 if problems else 0
    if said.table:
        results = report.Results(SCRATCH / "results.json")
        DOCUMENT.write_text(report.with_table(DOCUMENT.read_text(encoding="utf-8"), faults, results), encoding="utf-8")
        return 0
    if said.list:
        print("\n".join(f"{f.number:3}  {f.file}: {f.what}" for f in chosen))
        return 0
    presets = said.presets.split(",") if said.presets else [stage.preset for stage in stages.STAGES]
    return run(chosen, said.jobs, [stage for stage in stages.STAGES if stage.preset in presets], said.near, said.ask.split(",") if said.ask else ())


if __name__ == "__main__":
    sys.exit(main())
