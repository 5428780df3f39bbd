"""Results: a file under build/faults, and the table of docs/design/testing.md, which is made of it."""

import json
import re

BEGIN, END = "<!-- faults, by ./dev faults --table -->", "<!-- end of faults -->"


class Results:
    def __init__(self, path):
        self._path = path
        self.by_key = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def keep(self, fault, finding):
        self.by_key[fault.key] = dict(finding._asdict())
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(self.by_key, indent=1), encoding="utf-8")


def found_by(result):
    """Returns the words of a result: plait_tests, test/algebra/slice.cpp: a law (gcc)."""
    if result["status"] == "defect":
        return f"does not compile: {result['case']}"
    if result["status"] == "not near":
        return "no test that is about the file"
    if result["status"] != "found":
        return "**nothing**"
    preset = "" if result["preset"] in ("", "gcc") else f" ({result['preset']})"
    return result["by"] + (f", {result['case']}" if result["case"] else "") + preset


def table_text(faults, results):
    """Returns the table of a run for a terminal."""
    rows = []
    for fault in faults:
        result = results.by_key.get(fault.key)
        rows.append(f"{fault.number:3}  {fault.file}\n     {fault.what}\n     "
                    + ("not run" if result is None else f"{found_by(result).replace('**', '')}, {result['seconds']} s"))
    return "\n".join(rows) + "\n"


def _cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def _row(number, fault, said):
    return f"| {number} | `{fault.file}` | {_cell(fault.what)} | {said} |"


def document_rows(document):
    """Returns {(file, what): found by} of the table in the document."""
    rows = {}
    if BEGIN not in document or END not in document:
        return rows
    for line in document.split(BEGIN)[1].split(END)[0].splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) == 6 and cells[1].strip().isdigit():
            rows[cells[2].strip(" `"), cells[3].strip()] = cells[4].strip()
    return rows


def with_table(document, faults, results):
    """Returns the document with the table of these faults. A fault without a result keeps what the table said of it."""
    before = document_rows(document)
    lines = [BEGIN, "", "| | file | what the fault does | found by |", "|---|---|---|---|"]
    for fault in faults:
        result = results.by_key.get(fault.key)
        said = _cell(found_by(result)) if result else before.get((fault.file, _cell(fault.what)), "not run yet")
        lines.append(_row(fault.number, fault, said))
    head, rest = document.split(BEGIN)
    return head + "\n".join(lines + ["", END]) + rest.split(END, 1)[1]


def missing_rows(document, faults):
    """Returns the faults that the document's table does not have, and the rows that are of no fault."""
    rows = document_rows(document)
    wanted = {(fault.file, _cell(fault.what)) for fault in faults}
    return [f for f in faults if (f.file, _cell(f.what)) not in rows], [row for row in rows if row not in wanted]
