"""The tests of a build directory, as CMake wrote them for ctest: names, labels, and the files that their commands name.

`ctest --show-only` leaves out the command of a program that has not been built.
"""

import re
from typing import NamedTuple, Tuple

_TEST = re.compile(r"^add_test\(\[=\[(.+?)\]=\] (.*)\)$", re.MULTILINE)
_PROPERTIES = re.compile(r"^set_tests_properties\(\[=\[(.+?)\]=\] PROPERTIES (.*)\)$", re.MULTILINE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"|\[=\[(.*?)\]=\]')
_PROPERTY = re.compile(r' (ENVIRONMENT|ENVIRONMENT_MODIFICATION|LABELS|FIXTURES_REQUIRED) "((?:[^"\\]|\\.)*)"')


class BuildTest(NamedTuple):
    name: str
    command: Tuple[str, ...]
    paths: frozenset  # absolute paths in the command and the environment
    labels: frozenset


def parse(text):
    """Returns the tests of one CTestTestfile.cmake."""
    found = {}
    for name, words in _TEST.findall(text):
        command = tuple(a or b for a, b in _STRING.findall(words))
        found[name] = (command, _paths_in(command), set())
    for name, words in _PROPERTIES.findall(text):
        if name not in found:
            continue
        for which, value in _PROPERTY.findall(" " + words):
            if which == "LABELS":
                found[name][2].update(value.split(";"))
            else:
                found[name][1].update(_paths_in([value]))
    return [BuildTest(name, command, frozenset(paths), frozenset(labels)) for name, (command, paths, labels) in found.items()]


def _paths_in(words):
    paths = set()
    for word in words:
        for part in re.split(r"[;=:,]", word):
            if part.startswith("/"):
                paths.add(re.sub(r"/\./", "/", part.rstrip("/")))
    return paths


def tests_of(folder):
    tests = []
    for file in sorted(folder.rglob("CTestTestfile.cmake")):
        tests += parse(file.read_text(encoding="utf-8"))
    return tests
