"""Compares the public names of the headers with the list docs/public_names.txt, and with the module plait.

usage: public_names.py PROJECT [--update], where --update writes the list, and the module include/plait/plait.cppm

A public name is a function, type, concept, alias or value that a header declares in namespace plait or in a namespace
inside it. These names are not public:
- names in plait::detail, plait::engine, plait::for_all_units and plait::rejected;
- members and operators;
- check_NAME and try_NAME, if there is a NAME.

A line of the list has a name and its header. If a header has the name of the function or type, it is that header;
otherwise it is the first in the order of FOLDERS that declares the name.

The script returns 1 in these cases:
- A name is not listed, or a listed name no longer exists.
- The module does not export the names that plait.hpp and packed.hpp have, with their check_ and try_ forms and operators.
- There are more names than MOST, or more of records than MOST_OF_RECORDS.
- A program or a document for users names plait::detail or plait::engine.
"""

import pathlib
import re
import sys

# The limits on public names: of records (plait/packed.hpp), and of everything else. If a new name exceeds one, make a
# name private that users do not need.
MOST_OF_RECORDS = 40
MOST = 400
LIST = "docs/public_names.txt"
MODULE = "include/plait/plait.cppm"
MODULE_HEADERS = ("plait.hpp", "packed.hpp", "reorder/converted_rows.hpp")  # and what constant layouts need for rows
# The folders from the lowest layer up.
FOLDERS = ("support", "core", "algebra", "typed", "view", "distribution", "descriptor", "contract", "reorder", "packed", "graph", "contents", "bridge", "io", "interop", "")
FORM = re.compile(r"(check|try)_(\w+)$")
USERS = ("README.md", "docs/*.md", "docs/tutorial/*.md", "docs/coming-from/*.md", "examples/*.cpp", "examples/[0-9d]*/*.[ch]pp", "examples/integrations/**/*.[ch]pp",
         "test/northstar/*.cpp")
HIDDEN = re.compile(r"(?<![\w:])(?:plait::(?:detail|engine)|detail)::\w+")  # not dnnl::engine


def is_format(declared):
    """Returns True for a named format: a layout whose name is its tag, or a record in plait::packed_formats. Named
    formats are listed, but no limit counts them."""
    return declared.kind == "type" and "listed_format<" in declared.signature or declared.namespace == "plait::packed_formats"


def public_names(project, declarations):
    """Returns for each name its header, True if it is a named format, and its line in the header."""
    root, names, named_so = project / "include/plait", {}, {}
    for folder in FOLDERS:
        for header in sorted((root / folder).glob("*.hpp")):
            for d in declarations.declarations(header.read_text(encoding="utf-8")):
                if d.namespace.split("::")[0] == "plait" and not declarations.is_hidden(d) and not d.name.startswith(("operator", "~")):
                    inner = "::".join(d.namespace.split("::")[1:] + [d.name])
                    home = (str(header.relative_to(root)), is_format(d), d.line)
                    names.setdefault(inner, home)
                    if header.stem == d.name:
                        named_so.setdefault(inner, home)
    names.update(named_so)
    return {name: home for name, home in names.items() if not ((form := FORM.match(name)) and form[2] in names)}


def text_of(names):
    head = "# The names that users may name, each with its header; `test/structure/public_names.py . --update` writes the list.\n"
    return head + "".join(f"{name} {header}\n" for name, (header, *_) in sorted(names.items()))


def included(root, headers):
    """Returns the headers that some headers include, with these."""
    seen, rest = set(), list(headers)
    while rest:
        header = rest.pop()
        if header not in seen and (root / header).suffix == ".hpp":
            seen.add(header)
            rest += re.findall(r"^#include <plait/([\w/.]+)>", (root / header).read_text(encoding="utf-8"), re.MULTILINE)
    return seen


def module_text(project, declarations, names):
    """Returns the module: the names of the list that its headers declare, their forms, and the operators."""
    root = project / "include/plait"
    headers = included(root, MODULE_HEADERS)
    exported = {name for name, (header, *_) in names.items() if header in headers}
    for header in sorted(headers):
        text = (root / header).read_text(encoding="utf-8")
        # What is indented is a member.
        exported.update(re.findall(r"^\w.*\b(operator[^\w\s(]+)\(", text, re.MULTILINE) if not header.startswith("engine/") else ())
        for d in declarations.declarations(text):
            inner = "::".join(d.namespace.split("::")[1:] + [d.name])
            if d.namespace.split("::")[0] == "plait" and not declarations.is_hidden(d) and (form := FORM.match(inner)) and form[2] in exported:
                exported.add(inner)
    by_namespace = {}
    for name in sorted(exported):
        namespace, _, last = name.rpartition("::")
        by_namespace.setdefault(namespace, []).append(f"using plait::{namespace + '::' if namespace else ''}{last};\n")
    blocks = [f"export namespace plait{'::' + namespace if namespace else ''} {{\n{''.join(lines)}}}\n" for namespace, lines in sorted(by_namespace.items())]
    return ("// The module plait: import plait; instead of #include <plait/plait.hpp> and <plait/packed.hpp>.\n"
            "// `test/structure/public_names.py . --update` writes it.\nmodule;\n" + "".join(f"#include <plait/{header}>\n" for header in MODULE_HEADERS)
            + "\nexport module plait;\n\n" + "\n".join(blocks))


def listed(project):
    """Returns for each name of the list its header, and its line in the list."""
    path = project / LIST
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {line.split()[0]: (line.split()[1], number) for number, line in enumerate(lines, 1) if not line.startswith("#")}


def compare(names, there):
    problems = []
    for name in sorted(names.keys() | there.keys()):
        header, _, line = names.get(name, ("", False, 0))
        listed_header, number = there.get(name, ("", 0))
        if name not in there:
            problems.append(f"include/plait/{header}:{line}: {name} is not in {LIST}: in namespace plait::detail, if users have no need of it; else --update lists it")
        elif name not in names:
            problems.append(f"{LIST}:{number}: no header has {name} any more: --update takes it off the list; CHANGELOG.md says so, if a release had it")
        elif listed_header != header:
            problems.append(f"{LIST}:{number}: {name} is in {header}, not in {listed_header}: --update")
    return problems


def hidden_names(project):
    """Returns a problem for each program and document for users that names plait::detail or plait::engine."""
    problems = []
    for pattern in USERS:
        for path in sorted(project.glob(pattern)):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                problems += [f"{path.relative_to(project)}:{number}: names {found}, which is not for users"
                             for found in HIDDEN.findall(re.sub(r"//.*", "", line))]
    return problems


def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(project / "docs/site"))
    import declarations
    names = public_names(project, declarations)
    if sys.argv[2:] == ["--update"]:
        (project / LIST).write_text(text_of(names), encoding="utf-8")
        (project / MODULE).write_text(module_text(project, declarations, names), encoding="utf-8")
    homes = [home for home, is_of_format, _ in names.values() if not is_of_format]
    of_records = sum(home.startswith("packed/") for home in homes)
    problems = compare(names, listed(project)) + hidden_names(project)
    if not (project / MODULE).exists() or (project / MODULE).read_text(encoding="utf-8") != module_text(project, declarations, names):
        problems.append(f"{MODULE}:1: does not export the public names: --update writes it")
    for what, count, most in (("of records", of_records, MOST_OF_RECORDS), ("besides", len(homes) - of_records, MOST)):
        if count > most:
            problems.append(f"{LIST}:1: {count} names {what}, and at most {most} may be: what users have no need of belongs in namespace plait::detail, in the same header")
    print("\n".join(problems) or f"{len(homes)} names, {of_records} of them of records, and {len(names) - len(homes)} formats")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
