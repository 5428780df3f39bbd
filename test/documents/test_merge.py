"""Tests of how measured rows are merged into the results that are kept (bench/merge.py), and of the names of CPUs.

usage: test_merge.py PROJECT
"""

import pathlib
import sys
import tempfile

PROJECT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(PROJECT / "bench"))
sys.dont_write_bytecode = True
import cpu  # noqa: E402
import merge  # noqa: E402
import results  # noqa: E402

ZEN_4 = {"cpu": "Zen 4", "machine": "AMD EPYC", "caches": {"L1d": 32 << 10, "L2": 1 << 20}}
ZEN_5 = {"cpu": "Zen 5", "machine": "AMD EPYC", "caches": {}}
FIRST, SECOND, THIRD = "a" * 40, "b" * 40, "c" * 40


def measured(rows, is_part=False, **run):
    """What a program writes; rows are name=seconds."""
    return {"run": {"compiler": "GNU 12.2.0", "flags": "-O2", **run}, "is_part": is_part, "demands": ["some"],
            "rows": [{"name": name, "seconds": {"plait": seconds}} for name, seconds in rows.items()]}


def keep(project, new, machine, commit, date):
    return results.Results(results.read(merge.merge(project, "reorder", new, machine, commit, date)))


def rows_of(kept):
    """(name, seconds, commit, date) in the order of the file."""
    runs = [kept.runs[row["run"]] for row in kept["rows"]]
    return [(row["name"], row["seconds"]["plait"], run["commit"], run["date"]) for row, run in zip(kept["rows"], runs)]


def test_first(project):
    kept = keep(project, measured({"a": 1, "b": 2, "c": 3}), ZEN_4, FIRST, "2026-01-01")
    assert kept.cpu == "Zen 4" and kept["demands"] == ["some"] and "is_part" not in kept.data
    assert kept.runs == [{"commit": FIRST, "date": "2026-01-01", "machine": "AMD EPYC", "caches": {"L1d": 32768, "L2": 1048576},
                          "compiler": "GNU 12.2.0", "flags": "-O2"}]
    assert rows_of(kept) == [("a", 1, FIRST, "2026-01-01"), ("b", 2, FIRST, "2026-01-01"), ("c", 3, FIRST, "2026-01-01")]
    assert (project / "docs/bench/zen-4/reorder.json").exists()


def test_part(project):
    """Measured rows are replaced where they are, other rows and their run are kept, new rows follow."""
    keep(project, measured({"a": 1, "b": 2, "c": 3}), ZEN_4, FIRST, "2026-01-01")
    kept = keep(project, measured({"b": 20, "d": 40}, is_part=True, flags="-O3"), ZEN_4, SECOND, "2026-01-02")
    assert rows_of(kept) == [("a", 1, FIRST, "2026-01-01"), ("b", 20, SECOND, "2026-01-02"), ("c", 3, FIRST, "2026-01-01"),
                             ("d", 40, SECOND, "2026-01-02")]
    assert [run["flags"] for run in kept.runs] == ["-O2", "-O3"]
    assert kept.measured() == f"2 rows `{FIRST[:8]}`, 2026-01-01; 2 rows `{SECOND[:8]}`, 2026-01-02"


def test_run_without_rows(project):
    """A run that no row is left of is dropped, and the others are numbered again."""
    keep(project, measured({"a": 1, "b": 2}), ZEN_4, FIRST, "2026-01-01")
    keep(project, measured({"a": 10}, is_part=True), ZEN_4, SECOND, "2026-01-02")
    kept = keep(project, measured({"a": 100}, is_part=True), ZEN_4, THIRD, "2026-01-03")
    assert rows_of(kept) == [("a", 100, THIRD, "2026-01-03"), ("b", 2, FIRST, "2026-01-01")]
    assert [run["commit"] for run in kept.runs] == [FIRST, THIRD]


def test_whole(project):
    """A suite that is measured whole replaces all rows, as some may have been removed from the suite."""
    keep(project, measured({"a": 1, "b": 2}), ZEN_4, FIRST, "2026-01-01")
    kept = keep(project, measured({"b": 20}), ZEN_4, SECOND, "2026-01-02")
    assert rows_of(kept) == [("b", 20, SECOND, "2026-01-02")] and len(kept.runs) == 1


def test_other_cpu(project):
    """Measuring on another CPU leaves the first one's file as it is."""
    keep(project, measured({"a": 1, "b": 2}), ZEN_4, FIRST, "2026-01-01")
    path = project / "docs/bench/zen-4/reorder.json"
    before = path.read_bytes()
    kept = keep(project, measured({"a": 10}, is_part=True), ZEN_5, SECOND, "2026-01-02")
    assert path.read_bytes() == before
    assert kept.cpu == "Zen 5" and rows_of(kept) == [("a", 10, SECOND, "2026-01-02")]
    assert [each.cpu for each in results.kept(project, "reorder")] == ["Zen 4", "Zen 5"]
    assert results.charted(project, "reorder").cpu == results.CHARTED


def test_sizes(project):
    """Rows of one name in two sizes are two rows."""
    whole = measured({"a": 1})
    whole["rows"] = [{**whole["rows"][0], "is_large": is_large} for is_large in (False, True)]
    keep(project, whole, ZEN_4, FIRST, "2026-01-01")
    part = measured({"a": 5}, is_part=True)
    part["rows"][0]["is_large"] = True
    assert [row[1] for row in rows_of(keep(project, part, ZEN_4, SECOND, "2026-01-02"))] == [1, 5]


def test_seeds(project):
    """Rows that were drawn with two seeds are not mixed."""
    keep(project, measured({"a": 1}, seed=7), ZEN_4, FIRST, "2026-01-01")
    path = project / "docs/bench/zen-4/reorder.json"
    before = path.read_bytes()
    try:
        keep(project, measured({"b": 1}, is_part=True, seed=8), ZEN_4, SECOND, "2026-01-02")
        raise SystemExit("rows of another seed were merged")
    except ValueError as problem:
        assert "seed 7" in str(problem)
    assert path.read_bytes() == before
    keep(project, measured({"b": 1}, is_part=True, seed=7), ZEN_4, SECOND, "2026-01-02")


def test_kept_files(_):
    """What is in docs/bench is where its CPU's results are kept, and says commit, date and CPU."""
    paths = sorted((PROJECT / "docs/bench").rglob("*.json"))
    assert paths
    for path in paths:
        kept = results.Results(results.read(path))
        assert path.parent == PROJECT / "docs/bench" / cpu.folder_of(kept.cpu), path
        assert {row["run"] for row in kept["rows"]} == set(range(len(kept.runs))), path
        assert all(len(run["commit"].removesuffix(" with changes")) == 40 and run["date"] and run["machine"] for run in kept.runs), path


def test_names(_):
    assert cpu.kind_of("AuthenticAMD", 25, 0x11) == "Zen 4" and cpu.kind_of("AuthenticAMD", 25, 1) == "Zen 3"
    assert cpu.kind_of("AuthenticAMD", 26, 2) == "Zen 5" and cpu.kind_of("GenuineIntel", 6, 0xcf) == "Xeon (Emerald Rapids)"
    assert cpu.kind_of("GenuineIntel", 6, 0x55, 4) == "Xeon (Skylake)" and cpu.kind_of("GenuineIntel", 6, 0x55, 7) == "Xeon (Cascade Lake)"
    assert cpu.kind_of("GenuineIntel", 6, 158) == "GenuineIntel 6 158"
    assert cpu.folder_of("Xeon (Emerald Rapids)") == "xeon-emerald-rapids" and cpu.folder_of("GenuineIntel 6 158") == "genuineintel-6-158"
    x86 = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\nstepping\t: 1\n\nprocessor\t: 1\n"
    assert cpu.read_cpuinfo(x86) == ("Zen 4", "AMD EPYC")
    arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd40\n"
    assert cpu.read_cpuinfo(arm) == ("Arm 0x41 8 3392", "Arm 0x41 8 3392")
    settings = "LEVEL1_ICACHE_SIZE 32768\nLEVEL1_DCACHE_SIZE   49152\nLEVEL1_DCACHE_ASSOC\nLEVEL2_CACHE_SIZE 1048576\nLEVEL3_CACHE_SIZE 0\n"
    assert cpu.read_caches(settings) == {"L1d": 49152, "L2": 1 << 20}
    machine = cpu.this_machine()
    assert machine["cpu"] and machine["machine"], machine


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as project:
                test(pathlib.Path(project))
            print(f"{name}: ok")


if __name__ == "__main__":
    main()
