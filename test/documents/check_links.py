"""Checks that the links of the documents lead to existing files and headings, and that how-to.md lists its headings.

usage: check_links.py PROJECT
"""

import pathlib
import re
import sys


def documents(project):
    return [project / "README.md", project / "CONTRIBUTING.md", project / "CHANGELOG.md", project / "SECURITY.md", *sorted((project / "docs").rglob("*.md")),
            *(project / folder / "README.md" for folder in ("test", "bench", "src")), *sorted((project / "include").rglob("*.md"))]


def links_of(line):
    """Returns the targets of the links of a line, leaving out code."""
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"(`+)(?:(?!\1).)*?\1(?!\])(?![^\[]*\]\()", "", line))


def check(project, path, anchors):
    problems, checked = [], 0
    for number, line in anchors.prose_of(path.read_text(encoding="utf-8")):
        for target in links_of(line):
            file, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            checked += 1
            to = path if not file else path.parent / file
            where = f"{path.relative_to(project)}:{number}"
            if not to.exists():
                problems.append(f"{where}: a link to {target}, which is not there")
            elif anchor and to.suffix == ".md" and anchor not in anchors.anchors_of(to.read_text(encoding="utf-8")):
                problems.append(f"{where}: {file or path.name} has no heading for #{anchor}")
    return problems, checked


def check_contents(path, anchors):
    """Checks that the list at the top of a page links to each heading of the page, in order."""
    lines = [line for _, line in anchors.prose_of(path.read_text(encoding="utf-8"))]
    first = next(i for i, line in enumerate(lines) if line.startswith("## "))
    linked = [target[1:] for line in lines[:first] for target in links_of(line) if target.startswith("#")]
    there = [anchors.slug(line.lstrip("#").strip()) for line in lines[first:] if re.match(r"##+ ", line)]
    missing = [a for a in there if a not in linked]
    return [] if linked == there else [f"{path.parent.name}/{path.name}:1: its list of headings is not in their order, or has none for {missing}"]


def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(project / "docs/site"))
    import anchors
    problems, checked = check_contents(project / "docs/how-to.md", anchors), 0
    for path in documents(project):
        some, count = check(project, path, anchors)
        problems += some
        checked += count
    print("\n".join(problems) or f"{checked} links")
    return bool(problems) or checked < 100


if __name__ == "__main__":
    sys.exit(main())
