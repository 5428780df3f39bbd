#!/usr/bin/env python3
"""Keeps what a suite measured on this machine, in docs/bench/CPU/SUITE.json.

usage: merge.py SUITE MEASURED   merges the file that a program of the suite wrote, and prints which file has it now
       merge.py --seed SUITE     prints the seed that the kept rows of this CPU were drawn with

A program writes {"run": {"compiler": ..., "flags": ..., ...}, "is_part": ..., "rows": [...]}. This script adds the CPU, the
caches, the commit and the date. If a part of the rows was measured, the other rows of the file stay as they are;
otherwise all rows are replaced. Files of other kinds of CPU are never written.
"""

import datetime
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cpu  # noqa: E402
import results  # noqa: E402

PROJECT = pathlib.Path(__file__).resolve().parent.parent


def key_of(row):
    """Two rows with the same key are the same measurement. Some suites measure each name in two sizes."""
    return row["name"], row.get("is_large")


def merged(old, new, run, kind):
    """Returns the data of a file.

    `old` is what the file has, or None; `new` is what a program wrote; `run` completes its run; `kind` is the CPU's.
    """
    run = {**run, **new["run"]}
    rest = {key: value for key, value in new.items() if key not in ("run", "is_part", "rows")}
    fresh = {key_of(row): {"run": 0, **row} for row in new["rows"]}
    if not new.get("is_part") or old is None:
        return {"cpu": kind, "runs": [run], **rest, "rows": list(fresh.values())}
    seeds = {each["seed"] for each in [*old["runs"], run] if "seed" in each}
    if len(seeds) > 1:
        raise ValueError(f"the kept rows were drawn with seed {old['runs'][0]['seed']}, these with {run['seed']}: measure all rows, or draw with the same seed")
    runs, rows = [*old["runs"], run], []
    for row in old["rows"]:
        replaced = fresh.pop(key_of(row), None)
        rows.append(row if replaced is None else {**replaced, "run": len(runs) - 1})
    rows += [{**row, "run": len(runs) - 1} for row in fresh.values()]
    used = sorted({row["run"] for row in rows})  # a run that no row is left of is dropped
    return {**old, **rest, "cpu": kind, "runs": [runs[k] for k in used], "rows": [{**row, "run": used.index(row["run"])} for row in rows]}


def merge(project, suite, new, machine, commit, date):
    """Writes the file of the machine's kind of CPU, and returns its path."""
    run = {"commit": commit, "date": date, "machine": machine["machine"], "caches": machine["caches"]}
    path = results.path_of(project, cpu.folder_of(machine["cpu"]), suite)
    results.write(path, merged(results.read(path) if path.exists() else None, new, run, machine["cpu"]))
    return path


def commit_of(project):
    """Returns the commit that is checked out, followed by " with changes" if what is measured differs from it."""
    def git(*arguments):
        return subprocess.run(["git", "-C", project, *arguments], check=True, text=True, capture_output=True).stdout.strip()
    changed = git("status", "--porcelain", "--", "include", "src", "bench")
    return git("rev-parse", "HEAD") + (" with changes" if changed else "")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    machine = cpu.this_machine()
    if sys.argv[1] == "--seed":
        path = results.path_of(PROJECT, cpu.folder_of(machine["cpu"]), sys.argv[2])
        print(results.read(path)["runs"][0]["seed"])
        return
    suite, new = sys.argv[1], results.read(sys.argv[2])
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    try:
        print(f"kept in {merge(PROJECT, suite, new, machine, commit_of(PROJECT), date).relative_to(PROJECT)}: {len(new['rows'])} rows")
    except ValueError as problem:
        sys.exit(f"{suite}: {problem}")


if __name__ == "__main__":
    main()
