#!/usr/bin/env python3
"""Checks that the checkout can be released, and prints what to tag.

usage: release.py PROJECT [VERSION]

With VERSION it writes that version to every place that names it, and the date to the changelog's section of it. Otherwise it
reads the tree and its history, and changes nothing:
- every place that names the version has that of include/plait/version.hpp, and the shared library that is built has its
  soname;
- the first section of CHANGELOG.md is of that version and has a date;
- since the last tag, a patch has removed no public name and no C function; the version is new;
- nothing is changed that is not committed.

Then it prints the commands whose results it does not know, and the tag. It ends with 1 if a check fails.
"""

import datetime
import pathlib
import re
import subprocess
import sys

VERSION = "include/plait/version.hpp", r'define PLAIT_VERSION "([\d.]+)"'
# Where else the version stands: a file, and a pattern whose group is MAJOR.MINOR or all of it.
PLACES = [
    ("packaging/vcpkg/plait/vcpkg.json", r'"version": "([\d.]+)"'),
    ("CITATION.cff", r'^version: "([\d.]+)"'),
    ("include/plait/plait.h", r'plait_version\(void\); +/\* "([\d.]+)" \*/'),
    ("python/plait/_library.py", r'^VERSION = "([\d.]+)"'),
    ("docs/packaging.md", r"find_package\(plait ([\d.]+)"),
    ("docs/packaging.md", r"`libplait([\d.]+)`"),
    ("test/structure/consumer/CMakeLists.txt", r"find_package\(plait ([\d.]+)"),
    ("test/packaging/c_only/CMakeLists.txt", r"find_package\(plait ([\d.]+)"),
]
# What takes longer than a look.
COMMANDS = [
    ("./dev lint", "names, links, prose, format"),
    (".ci/run", "all tests of CI: both compilers, sanitizers, emulated CPUs"),
    ("./dev test deep", "fuzzing, oneDNN's comparison, proofs"),
    ("ctest --preset gcc -R '^packaging'", "packages: CMake, pkg-config, pip, Debian, recipes"),
    ("./dev docs", "the site of the documents"),
]


def git(project, *arguments):
    done = subprocess.run(["git", "-C", project, *arguments], text=True, capture_output=True)
    return done.stdout.strip() if done.returncode == 0 else None


def version_of(project):
    return re.search(VERSION[1], (project / VERSION[0]).read_text(encoding="utf-8"))[1]


def set_version(project, version):
    """Writes a version to every place, with as many numbers as are there, and today to the changelog's section of it."""
    for name, pattern in [VERSION, *PLACES]:
        text = (project / name).read_text(encoding="utf-8")
        for found in reversed(list(re.finditer(pattern, text, re.MULTILINE))):
            numbers = version if found[1].count(".") == 2 else version.rpartition(".")[0]
            text = text[:found.start(1)] + numbers + text[found.end(1):]
        (project / name).write_text(text, encoding="utf-8")
    changes = project / "CHANGELOG.md"
    head, today = f"## {version}, not released yet\n", datetime.date.today().isoformat()
    text = changes.read_text(encoding="utf-8")
    if head not in text:
        sys.exit(f"CHANGELOG.md: has no section '{head[3:-1]}'")
    changes.write_text(text.replace(head, f"## {version}, {today}\n"), encoding="utf-8")


def wrong_places(project, version):
    for name, pattern in PLACES:
        found = re.findall(pattern, (project / name).read_text(encoding="utf-8"), re.MULTILINE)
        if not found:
            yield f"{name}: the version was looked for as {pattern}, and is not there"
        # A place has two numbers or three.
        for text in dict.fromkeys(found):
            if text not in (version, version.rpartition(".")[0]):
                yield f"{name}: names version {text}, but include/plait/version.hpp says {version}"


def wrong_soname(project, version):
    for library in sorted((project / "build").glob("*/src/libplait.so")):
        said = re.search(r"SONAME\s.*?\[?(libplait\.so[\w.]*)", subprocess.run(["readelf", "-d", library], text=True, capture_output=True).stdout)
        wanted = "libplait.so." + (version.rpartition(".")[0] if version.startswith("0.") else version.partition(".")[0])
        if said is None or said[1] != wanted:
            yield f"{library.relative_to(project)}: its soname is {said and said[1]}, where {wanted} is needed; build it again"


def wrong_changes(project, version):
    head = re.search(r"^## (.*)\n((?:(?!## ).*\n)*)", (project / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not head:
        yield "CHANGELOG.md: has no section"
    elif not re.fullmatch(re.escape(version) + r", \d{4}-\d\d-\d\d", head[1]):
        yield f"CHANGELOG.md: the first section is '{head[1]}', where '{version}, YEAR-MONTH-DAY' is needed"
    elif not re.search(r"^- ", head[2], re.MULTILINE):
        yield f"CHANGELOG.md: the section of {version} has no entry"


def names_in(text, pattern):
    return set(re.findall(pattern, text or "", re.MULTILINE))


def wrong_since_last(project, version):
    last = git(project, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    if last is None:
        return
    numbers, before = (tuple(map(int, text.split("."))) for text in (version, last[1:]))
    if numbers <= before:
        yield f"include/plait/version.hpp: version {version} does not follow {last}"
    if numbers[:2] != before[:2]:
        return
    for name, pattern in (("docs/public_names.txt", r"^([\w:]+) "), ("include/plait/plait.h", r"\b(plait_\w+)\(")):
        gone = names_in(git(project, "show", f"{last}:{name}"), pattern) - names_in((project / name).read_text(encoding="utf-8"), pattern)
        if gone:
            yield f"{name}: {', '.join(sorted(gone))} of {last} is gone, which a patch must not do: raise the minor version"


def wrong_tree(project, version):
    if git(project, "status", "--porcelain"):
        yield "git: there are changes that are not committed"
    if git(project, "rev-parse", "-q", "--verify", f"refs/tags/v{version}"):
        yield f"git: the tag v{version} exists"


def main():
    if len(sys.argv) not in (2, 3) or not re.fullmatch(r"\d+\.\d+\.\d+", sys.argv[2] if len(sys.argv) == 3 else "0.0.0"):
        sys.exit(__doc__)
    project = pathlib.Path(sys.argv[1]).resolve()
    if len(sys.argv) == 3:
        set_version(project, sys.argv[2])
    version = version_of(project)
    problems = [problem for check in (wrong_places, wrong_soname, wrong_changes, wrong_since_last, wrong_tree) for problem in check(project, version)]
    print("\n".join(problems) if problems else f"version {version}: everything that can be read agrees")
    print("\nThen run, if you have not on this commit:")
    for command, what in COMMANDS:
        print(f"  {command:36} {what}")
    if problems:
        print(f"\nNot to be tagged yet: {len(problems)} findings")
        return 1
    commit = git(project, "rev-parse", "HEAD")
    print(f"\nTag:\n  git tag -a v{version} -m 'plait {version}' {commit}\n  git push origin v{version}\n"
          "Then name the tag instead of the commit in docs/packaging.md, and begin a section of CHANGELOG.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
