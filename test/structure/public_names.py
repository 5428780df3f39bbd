"""The names that users may name: what the headers have in `plait`, beside what docs/public_names.txt lists.

usage: public_names.py PROJECT [--update]

A public name is a function, type, concept, alias or value that a header declares in namespace plait, or in one inside it, other than
plait::detail (what is not for users), plait::engine and plait::rejected. Members and operators are no names of their own, nor are check_NAME and
try_NAME where there is a NAME: they follow from it. A line of the list has a name and its header: the one of that name, else the lowest that
declares it. --update writes the list.

It ends with 1 where a name is not listed, or a listed one is gone; where there are more names than MOST; and where a program or a document for
users names plait::detail or plait::engine.
"""

import pathlib
import re
import sys

# Who adds a name for users and meets this finds one that they do not need.
MOST = 350
LIST = "docs/public_names.txt"
# From the ground up.
FOLDERS = ("support", "core", "algebra", "typed", "view", "descriptor", "contract", "reorder", "graph", "contents", "bridge", "io", "interop", "")
FORM = re.compile(r"(check|try)_(\w+)$")
USERS = ("README.md", "docs/*.md", "docs/tutorial/*.md", "docs/coming-from/*.md", "examples/*.cpp", "examples/[0-9d]*/*.[ch]pp", "examples/integrations/**/*.[ch]pp",
         "test/northstar/*.cpp")
HIDDEN = re.compile(r"(?<![\w:])(?:plait::(?:detail|engine)|detail)::\w+")  # oneDNN has an engine too


def is_format(declared):
    """A named format: its name is a tag, and a row of the list of formats says no more than it. They are listed, and not counted."""
    return declared.kind == "type" and "listed_format<" in declared.signature


def public_names(project, declarations):
    """Of each name its header, and whether it is a format's."""
    root, names, named_so = project / "include/plait", {}, {}
    for folder in FOLDERS:
        for header in sorted((root / folder).glob("*.hpp")):
            for d in declarations.declarations(header.read_text(encoding="utf-8")):
                if d.namespace.split("::")[0] == "plait" and not declarations.is_hidden(d) and not d.name.startswith(("operator", "~")):
                    inner = "::".join(d.namespace.split("::")[1:] + [d.name])
                    home = (str(header.relative_to(root)), is_format(d))
                    names.setdefault(inner, home)
                    if header.stem == d.name:
                        named_so.setdefault(inner, home)
    names.update(named_so)
    return {name: home for name, home in names.items() if not ((form := FORM.match(name)) and form[2] in names)}


def text_of(names):
    head = "# The names that users may name, each with its header; `test/structure/public_names.py . --update` writes the list.\n"
    return head + "".join(f"{name} {header}\n" for name, (header, _) in sorted(names.items()))


def listed(project):
    path = project / LIST
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.split() for line in lines if not line.startswith("#"))


def compare(names, there):
    problems = []
    for name in sorted(names.keys() | there.keys()):
        header = names.get(name, ("", False))[0]
        if name not in there:
            problems.append(f"{header}: {name} is not in {LIST}: in namespace plait::detail, if users have no need of it; else --update lists it")
        elif name not in names:
            problems.append(f"{LIST}: no header has {name} any more: --update takes it off the list; CHANGELOG.md says so, if a release had it")
        elif there[name] != header:
            problems.append(f"{LIST}: {name} is in {header}, not in {there[name]}: --update")
    return problems


def hidden_names(project):
    """Where users are shown what is not for them."""
    problems = []
    for pattern in USERS:
        for path in sorted(project.glob(pattern)):
            text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
            problems += [f"{path.relative_to(project)}: names {found}, which is not for users" for found in sorted(set(HIDDEN.findall(text)))]
    return problems


def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(project / "docs/site"))
    import declarations
    names = public_names(project, declarations)
    if sys.argv[2:] == ["--update"]:
        (project / LIST).write_text(text_of(names), encoding="utf-8")
    count = sum(not is_of_format for _, is_of_format in names.values())
    problems = compare(names, listed(project)) + hidden_names(project)
    if count > MOST:
        problems.append(f"{count} names, and at most {MOST} may be: what users have no need of belongs in namespace plait::detail, in the same header")
    print("\n".join(problems) or f"{count} names, of at most {MOST}, and {len(names) - count} formats")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
