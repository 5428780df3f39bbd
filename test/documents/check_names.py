"""Checks that the files, folders, functions and types that the documents name exist.

usage: check_names.py PROJECT

The documents are docs/design, docs/cheat-sheet.md, CONTRIBUTING.md, and the README of each folder of include/plait, of
test, bench and src. Their rules:
- `a/file.hpp` and `a/folder/` exist in the project, in include/plait, or in the folder of the document; `file.hpp`
  exists anywhere in include/plait; links lead to files.
- `./dev task` is a task that ./dev lists.
- `a_name`, `a::name` and `name()` occur in the code, outside comments and strings.

In docs/design/architecture.md, each row of a table also names files and the names in them: each of these names is in
one of these files, so the paths through the code that the document describes exist.
docs/cheat-sheet.md also has each operation that headers declare with its check_ and try_ forms: each try_NAME in
algebra, and each concept of typed/concepts.hpp and contents/contents_concepts.hpp.

The placeholders NAME, REASON, ISA and SUITE match any name.
"""

import pathlib
import re
import sys

CODE = (".hpp", ".inl", ".h", ".cpp", ".c", ".v")
FILE = re.compile(r"[\w./*-]*\.(?:hpp|inl|h|cpp|c|py|md|json|csv|txt|svg|map)|[\w./-]+/|(?:\w+/)*CMakeLists\.txt|dev")
NAME = re.compile(r"[A-Za-z_]\w*(?:::~?\w+)*(?:<[\w, :]*>)?(?:\(.*\))?")
ANY = re.compile(r"(?<![A-Za-z])(NAME|REASON|ISA|SUITE)(?![A-Za-z])")
OTHERS = {"src/common/verbose.cpp", "01_layout.md"}  # files of oneDNN and of CUTLASS
WAYS = "docs/design/architecture.md"
SHEET = "docs/cheat-sheet.md"


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', " ", text, flags=re.DOTALL)


def words_of(text):
    return set(re.findall(r"[A-Za-z_]\w*", text))


class Tree:
    def __init__(self, project):
        self.project, self.words = project, {}
        self.dev = (project / "dev").read_text(encoding="utf-8")
        for folder in ("include", "src", "test", "bench", "examples", "proofs"):
            for path in (project / folder).rglob("*"):
                if path.suffix in CODE:
                    self.words[path] = words_of(without_comments(path.read_text(encoding="utf-8", errors="replace")))
        self.all = set().union(*self.words.values())
        # The documents also contain names from scripts and CMake files.
        for path in [project / "dev", *project.rglob("CMakeLists.txt"), *(project / "test").rglob("*.py"), *(project / "bench").rglob("*.py")]:
            self.all |= words_of(path.read_text(encoding="utf-8"))

    def files(self, document, name):
        """Returns the files that match a name, which may contain `*`."""
        folders = (self.project, self.project / "include" / "plait", document.parent)
        found = [path for folder in folders for path in folder.glob(name.rstrip("/"))]
        return found if found or "/" in name else list(folders[1].rglob(name))


def spans_of(line):
    return re.findall(r"`([^`]+)`", line)


def is_name(span):
    return re.fullmatch(NAME, span) and re.search(r"_|::|\(", span) and not span.startswith("PLAIT_")


def check_line(tree, document, line):
    problems = []
    for span in spans_of(line):
        if ANY.search(span) or span in OTHERS or span == ".inl":
            continue
        if command := re.match(r"\./dev (\w+)", span):
            if not re.search(rf"\./dev {command[1]}\b", tree.dev):
                problems.append(f"./dev has no {command[1]}")
        elif FILE.fullmatch(span):
            if not tree.files(document, span):
                problems.append(f"there is no file or folder {span}")
        elif is_name(span):
            missing = words_of(re.sub(r"\(.*|<.*", "", span)) - tree.all
            problems += [f"the code has no {word}" for word in sorted(missing)]
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", line):
        if "://" not in target and not (document.parent / target).exists():
            problems.append(f"a link to {target}, which is not there")
    return problems


def check_row(tree, document, line):
    """Checks that the names in a row of a table occur in the files that the row names."""
    spans = [span for span in spans_of(line) if not ANY.search(span)]
    files = [path for span in spans if FILE.fullmatch(span) for path in tree.files(document, span)]
    files += [inner for path in files if path.is_dir() for inner in path.rglob("*")]
    here = set().union(*(tree.words.get(path, set()) for path in files))
    names = [span for span in spans if not FILE.fullmatch(span) and re.fullmatch(NAME, span)]
    missing = sorted(set().union(*(words_of(re.sub(r"\(.*|<.*", "", name)) for name in names)) - here)
    if names and not files:
        return [f"no file beside {', '.join(names)}"]
    return [f"{word} is in none of {', '.join(sorted({path.name for path in files if path.is_file()}))}" for word in missing]


def missing_in_sheet(project):
    """Returns a problem for each operation and concept that the cheat sheet leaves out."""
    include, said = project / "include/plait", words_of((project / SHEET).read_text(encoding="utf-8"))
    wanted = set()
    for header in sorted((include / "algebra").glob("*.hpp")):
        wanted |= set(re.findall(r"\btry_(\w+)\(", without_comments(header.read_text(encoding="utf-8"))))
    for header in ("typed/concepts.hpp", "contents/contents_concepts.hpp"):
        wanted |= set(re.findall(r"^concept (\w+)", (include / header).read_text(encoding="utf-8"), re.MULTILINE))
    return [f"{SHEET}:1: {name} is missing" for name in sorted(wanted - said)]


def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(project / "docs/site"))
    import anchors
    tree = Tree(project)
    documents = sorted((project / "docs" / "design").glob("*.md")) + [project / "CONTRIBUTING.md", project / SHEET]
    documents += sorted((project / "include").rglob("README.md")) + [project / folder / "README.md" for folder in ("test", "bench", "src")]
    problems, checked, rows = missing_in_sheet(project), 0, 0
    for document in documents:
        for number, line in anchors.prose_of(document.read_text(encoding="utf-8")):
            found = check_line(tree, document, line)
            checked += len(spans_of(line))
            if document == project / WAYS and line.startswith("|") and "`" in line:
                found += check_row(tree, document, line)
                rows += 1
            problems += [f"{document.relative_to(project)}:{number}: {problem}" for problem in found]
    print("\n".join(problems) or f"{len(documents)} documents, {checked} names, {rows} rows of {WAYS}")
    return bool(problems) or rows == 0


if __name__ == "__main__":
    sys.exit(main())
