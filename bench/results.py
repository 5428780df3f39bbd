"""The results of suites that are kept: docs/bench/CPU/SUITE.json, a file for each kind of CPU (bench/cpu.py).

    {"cpu": "Zen 4",
     "runs": [{"commit": ..., "date": ..., "machine": ..., "caches": {...}, "compiler": ..., "flags": ..., ...}],
     "rows": [{"run": 0, "name": ..., "seconds": {...}}, ...]}

Each row says in which run it was measured. What is not known of a run is not in it. A suite may have other fields beside
these, of its last run.
"""

import json
import pathlib

# The order of columns; other kinds follow, by name.
ORDER = ["Zen 4", "Zen 5", "Xeon (Emerald Rapids)", "EPYC (AVX2)"]
# The kind whose results the charts show.
CHARTED = "Zen 4"


class Results:
    """The results of one suite on one kind of CPU."""

    def __init__(self, data):
        self.data, self.cpu, self.runs = data, data["cpu"], data["runs"]
        self.rows = {row["name"]: row for row in data["rows"]}

    def __getitem__(self, key):
        return self.data[key]

    def all_with(self, *who):
        return [row for row in self.rows.values() if all(w in row["seconds"] for w in who)]

    def run_of_most(self):
        """Returns the run that most rows were measured in."""
        return self.runs[max(range(len(self.runs)), key=lambda k: sum(row["run"] == k for row in self.data["rows"]))]

    def measured(self):
        """Returns the commit and the date, as Markdown; if there are several runs, with the number of rows of each."""
        def about(run):
            return f"`{run['commit'][:8]}`{run['commit'][40:]}, {run['date']}"
        if len(self.runs) == 1:
            return about(self.runs[0])
        counts = [sum(row["run"] == k for row in self.data["rows"]) for k in range(len(self.runs))]
        return "; ".join(f"{count} rows {about(run)}" for run, count in zip(self.runs, counts))


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def path_of(project, folder, suite):
    return pathlib.Path(project) / "docs" / "bench" / folder / f"{suite}.json"


def place(results):
    """Returns where the column of some results is, among others."""
    return ORDER.index(results.cpu) if results.cpu in ORDER else len(ORDER), results.cpu


def kept(project, suite):
    """Returns the results of a suite on all kinds of CPU, in the order of columns."""
    found = [Results(read(path)) for path in (pathlib.Path(project) / "docs" / "bench").glob(f"*/{suite}.json")]
    return sorted(found, key=place)


def charted(project, suite):
    """Returns the results that the charts show; None if there are none."""
    return next((results for results in kept(project, suite) if results.cpu == CHARTED), None)


def write(path, data):
    """One line for each run and row, so that a row that is measured again is one line of a diff."""
    def lines(entries):
        return "[\n" + ",\n".join("    " + json.dumps(entry) for entry in entries) + "\n  ]"
    fields = [f"  {json.dumps(key)}: {lines(value) if isinstance(value, list) else json.dumps(value)}" for key, value in data.items()]
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(fields) + "\n}\n", encoding="utf-8")
