#!/usr/bin/env python3
"""Converts the recorded cases to lines of words: to_lines.py DATA_DIR OUT_FILE.

Each line is one case: the operation, followed by key=value words. A value is a number, a word, or numbers separated by
commas. An empty list has an empty value, and a missing one is null. The fields of a descriptor are written as md.dims,
out.strides and so on; true and false as 1 and 0; dynamic extents and strides as the smallest 64-bit number. An absent
key is left out.

The cases of oneDNN's own tests follow after the random ones, as operations named test:reshape and so on. The spaces in
their remarks become underscores.
"""

import gzip
import json
import os
import sys

RUNTIME = -(2**63)


def value(x):
    if isinstance(x, bool):
        return str(int(x))
    if isinstance(x, list):
        return ",".join(value(i) for i in x)
    if x == "RUNTIME":
        return str(RUNTIME)
    if x is None:
        return "null"
    text = str(x)
    if any(c.isspace() for c in text):
        raise ValueError(f"a value with a space in it: {text!r}")
    return text


def without_spaces(x):
    if isinstance(x, dict):
        return {key: without_spaces(part) for key, part in x.items()}
    if isinstance(x, list):
        return [without_spaces(part) for part in x]
    return x.replace(" ", "_") if isinstance(x, str) else x


def words(fields, prefix=""):
    for key, x in fields.items():
        if isinstance(x, dict):
            yield from words(x, prefix + key + ".")
        elif key != "op" or prefix:
            yield f"{prefix}{key}={value(x)}"


def main(data_directory, out_file):
    source = os.path.join(data_directory, "onednn_descriptor_cases.jsonl.gz")
    with gzip.open(source, "rt", encoding="utf-8") as cases, open(out_file, "w", encoding="utf-8") as out:
        for line in cases:
            case = json.loads(line)
            out.write(" ".join([case["op"], *words(case)]) + "\n")
        with open(os.path.join(data_directory, "onednn_test_cases.json"), encoding="utf-8") as tests:
            for case in json.load(tests)["cases"]:
                out.write(" ".join(["test:" + case["op"], *words(without_spaces(case))]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
