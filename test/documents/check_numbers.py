"""Checks that numbers in the documents agree with the code.

usage: check_numbers.py PROJECT NUMBERS, where NUMBERS is the program of numbers.cpp, which prints names and values

Each entry of CLAIMS has a document, a pattern with one group for the number, and the source of the number: a name that
the program prints, or a file and a pattern. The document must match the pattern, and each match must equal the
number of the source.
"""

import pathlib
import re
import subprocess
import sys

WORDS = {"two": 2, "three": 3, "four": 4, "nine": 9, "ten": 10, "twelve": 12, "twenty": 20, "million": 1_000_000}

BOOST = ("CMakeLists.txt", r"find_package\(Boost ([\d.]+)")
LAW_OF_FUSE = "test/reorder/fusion_law.cpp"
CLAIMS = [
    ("README.md", r"reorders a (\d+) MB tensor", "demo_mb"),
    ("docs/packaging.md", r"Boost's headers, ([\d.]+) or later", BOOST),
    ("cmake/packages.cmake", r"libboost-dev \(>= ([\d.]+)\)", BOOST),
    ("docs/packaging.md", r"CMake is ([\d.]+) or later", ("CMakeLists.txt", r"cmake_minimum_required\(VERSION ([\d.]+)\)")),
    ("docs/packaging.md", r"find_package\(plait ([\d.]+)", ("include/plait/version.hpp", r'"(\d+\.\d+)\.')),
    ("docs/packaging.md", r"`libplait([\d.]+)`", ("include/plait/version.hpp", r'"(\d+\.\d+)\.')),
    ("docs/how-to.md", r"Tensors below (\d+) MB stay on the calling thread", "least_threaded_tensor_mb"),
    ("docs/design/speed.md", r"reorder\(\) uses threads from (\d+) MB on", "least_threaded_tensor_mb"),
    ("docs/design/kernels.md", r"A thread gets at least (\d+) MB, read and written", "least_thread_mb"),
    ("docs/design/kernels.md", r"gives up after (\d+) tries", ("include/plait/engine/plan/network.hpp", r"most_tries = (\d+);")),
    ("docs/design/run-time.md", r"by value, some (\d+) KB", "planned_reorder_kb"),
    ("docs/design/quantised.md", r"lies a buffer of (\d+) KB", "buffer_kb"),
    ("docs/design/quantised.md", r"(\w+) types to", "data_types"),
    ("docs/design/digits.md", r"one of (\w+) values beside `dynamic`", "axes"),
    ("docs/design/fusion.md", r"(\d+) fuse:", (LAW_OF_FUSE, r"CHECK\(fused == (\d+)\)")),
    ("docs/design/fusion.md", r"only moves, (\d+) because the middle", (LAW_OF_FUSE, r"CHECK\(converted == (\d+)\)")),
    ("docs/design/fusion.md", r"(\d+) are `one_pass_differs`", (LAW_OF_FUSE, r"CHECK\(differs == (\d+)\)")),
    ("docs/design/fusion.md", r"In (\d+) of these no", (LAW_OF_FUSE, r"CHECK\(alike == (\d+)\)")),
    ("include/plait/core/reasons.hpp", r"names axis number %2, but a layout has at most (\d+)", "axes"),
    ("include/plait/core/reasons.hpp", r"block number %2, but a layout has at most (\d+)", "inner_blocks"),
    ("docs/stability.md", r"\| byte 8 \| (\d+) \|", ("include/plait/packed/blob.hpp", r"blob_version = (\d+);")),
    ("docs/stability.md", r"\| `certificate` \| (\d+) \|", ("src/tool/prove_command.cpp", r"certificate_version = (\d+);")),
    ("docs/stability.md", r"\| `plait_redistribution` \| (\d+) \|", ("include/plait/interop/redistribution_json.hpp", r"plait_redistribution\\\": (\d+),")),
    ("docs/stability.md", r"\| `plait_table_reorder` \| (\d+) \|", ("include/plait/interop/table_reorder_json.hpp", r"plait_table_reorder\\\": (\d+),")),
    ("test/README.md", r"(\w+ million) random questions", ("dev", r"set -- --count (10000000)")),
    ("test/README.md", r"`\./dev chains`\*\* applies ([\d,]+) operations", ("dev", r"set -- --count (500000)\b")),
]
# The columns of the table of networks: operations, then bytes of reorders and total costs, each for chosen and greedy
# formats.
CLAIMS += [
    ("docs/design/formats.md", rf"\| {network} " + r"\| [\d,]+ " * column + r"\| ([\d,]+) \|",
     ("test/graph/networks.cpp", rf"compare\({graph}\(\), \{{" + r"[\d']+, " * column + r"([\d']+)"))
    for network, graph in (("ResNet-50", "resnet50"), ("MobileNet-V2", "mobilenet_v2")) for column in range(5)
]


def value_of(text):
    """Returns the number of a text such as 12, 5,000, Nine or ten million. Other texts, e.g. versions, are returned
    unchanged."""
    words = text.lower().replace(",", "").replace("'", "").split()
    if all(word in WORDS or word == "one" or word.isdigit() for word in words):
        product = 1
        for word in words:
            product *= 1 if word == "one" else int(word) if word.isdigit() else WORDS[word]
        return product
    return text


def main():
    project = pathlib.Path(sys.argv[1])
    printed = subprocess.run([sys.argv[2]], text=True, capture_output=True, check=True).stdout
    known, problems, used = dict(line.split() for line in printed.splitlines()), [], set()
    for document, pattern, source in CLAIMS:
        if isinstance(source, str):
            number, origin = known[source], f"numbers.cpp's {source}"
            used.add(source)
        else:
            found = re.findall(source[1], (project / source[0]).read_text(encoding="utf-8"))
            number, origin = found[0] if found else None, f"{source[0]}, '{source[1]}'"
            if not found:
                problems.append(f"{origin} is not there")
                continue
        said = re.findall(pattern, (project / document).read_text(encoding="utf-8"))
        if not said:
            problems.append(f"{document}: '{pattern}' is not there any more: say it here as it is said there, or not at all")
        problems += [f"{document}: '{pattern}' says {text}, but it is {number} ({origin})" for text in said if value_of(text) != value_of(number)]
    problems += [f"numbers.cpp: {name} is printed for nothing" for name in sorted(set(known) - used)]
    print("\n".join(problems) or f"{len(CLAIMS)} numbers")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
