"""The pages of the reference: every name of the headers that users include, with its signature and what its docstring says.

usage: make_reference.py PROJECT

make_site.py puts the pages into the site; no page is kept in the project. Called by itself, it ends with 1 where a name has no docstring, or where
a function that docs/reference.md names lacks one of the five headings. A name needs a sentence of its own, or is the form on other arguments of one that has
it in algebra, view, core or reorder; `check_NAME` and `try_NAME` go with NAME. What begins with `make_` or `attempt_` is how an operation is
done, and is only named.
"""

import pathlib
import re
import sys

import anchors
import c_interface
import declarations

FOLDERS = {
    "core": "what a layout is", "algebra": "layouts from layouts; no data moves", "typed": "the same on types",
    "view": "computing on a layout", "descriptor": "tensors known only at run time",
    "contract": "what a reorder is given, and must write", "reorder": "moving the data", "packed": "records of packed weights",
    "distribution": "a tensor over ranks", "graph": "formats chosen by the compiler",
    "contents": "what a tensor holds, as a type", "bridge": "the tensors of a framework", "io": "saying what a layout is",
    "interop": "other libraries"}
# What users call first is first on the page of its folder.
FIRST = {
    "core": ["layout_value", "layout_rules", "offset_by_index", "dims", "format_tag", "element_types", "data_type", "expected", "verdict",
             "rejection"],
    "algebra": ["permute_axes", "rename_axes", "reshape", "view", "split_axis", "join_axes", "flatten", "rearrange", "rearrange_copy", "slice",
                "submemory"],
    "typed": ["constants", "concepts", "named_layout", "bound_layout", "with_format", "operations", "rearrange"],
    "view": ["tensor_view", "for_each_element", "for_each_block", "for_each_position"],
    "descriptor": ["descriptor", "extra"],
    "contract": ["attributes", "check_reorder"],
    "reorder": ["reorder", "layout_reorder", "make_reorder", "parallel_reorder"],
    "distribution": ["distribution", "mesh", "sharded", "distribution_operations", "plan_redistribution", "redistribution_plan"],
    "packed": ["record", "record_constant", "record_view", "repack", "pack", "blob", "formats"],
    "io": ["print", "parse_dims", "print_descriptor"],
}
# What one unit of a program compiles, and who calls it does not name.
COMPILED_ONCE = {"reorder/plan_reorder.hpp", "reorder/bind_reorder.hpp"}
# What only refuses is last: compilers name it, users do not.
LAST = {"core": ["allowed", "reason_objects", "reasons"], "contract": ["wrong_arguments"]}
PLACE = "docs/reference"  # where the pages would be among the documents; their links are from there
ORIGINALS = ("algebra", "view", "core", "reorder")  # where a name has its docstring that is declared on other arguments too
BEHIND = re.compile(r"(make|attempt)_(?!reorder\b|choice\b)\w+$")
FORM = re.compile(r"^(check|try)_")


class Name:
    """All declarations of one name in one header, with its check_ and try_ forms."""

    def __init__(self, name):
        self.name, self.declared, self.forms = name, [], []

    @property
    def doc(self):
        return next((d.doc for d in self.declared if d.doc.text or d.doc.headings), declarations.Docstring())

    def all(self):
        return self.declared + self.forms

    def is_documented(self):
        return any(d.doc.text for d in self.all())


def names_of(header):
    """The names of a header in their order; a check_ or try_ form is with the name that it is about, where that is there."""
    found = [d for d in declarations.declarations(header.read_text(encoding="utf-8")) if not declarations.is_hidden(d)]
    there = {d.name for d in found}
    names = {}
    for d in found:
        base = FORM.sub("", d.name)
        key = base if base in there else d.name
        name = names.setdefault(key, Name(key))
        (name.declared if d.name == key else name.forms).append(d)
    return list(names.values())


def prose(text):
    """The words of a docstring as Markdown: `vector<float>`, `a * b` and `p[i]` are no elements, no emphasis, no links."""
    spans = re.split(r"(`[^`]*`)", text)
    return "".join(span if span.startswith("`") else re.sub(r"([*\[\]])", r"\\\1", span.replace("&", "&amp;").replace("<", "&lt;")) for span in spans)


def cell(text):
    return text.replace("|", "\\|")


def plain(signature):
    """Without [[attributes]]."""
    return re.sub(r"\[\[[^\]]*\]\] ?", "", signature)


def signatures(name):
    return ["```text"] + [plain(d.signature) + ";" for d in name.all()] + ["```", ""]


def headings(doc, forms):
    rows = [(key, doc.headings[key]) for key in ("Pre", "Post", "Cost", "Source", "Example") if key in doc.headings]
    refused = [(key, text) for each in (doc, *(d.doc for d in forms)) for key, text in each.headings.items() if key.startswith("Refused")]
    rows += [row for i, row in enumerate(refused) if row not in refused[:i]]
    return ["| | |", "|---|---|"] + [f"| {key} | {cell(prose(text))} |" for key, text in rows] + [""] if rows else []


def members(name):
    rows = [(m.signature, m.doc.sentence) for d in name.declared for m in d.members if not re.match(r"~|operator=$", m.name)]
    if not rows:
        return []
    return ["| member | |", "|---|---|"] + [f"| `{cell(plain(signature))}` | {cell(prose(text))} |" for signature, text in rows] + [""]


def section(name, original):
    lines = [f"### {name.name}", ""] + signatures(name)
    doc = name.doc
    if not doc.text and name.forms:
        doc = next((d.doc for d in name.forms if d.doc.text), doc)
    for paragraph in doc.text:
        lines += [prose(paragraph), ""]
    if not name.is_documented() and original:
        lines += [f"As [{name.name}]({original}), for these arguments.", ""]
    return lines + headings(doc, name.forms) + members(name)


def reasons_of(project):
    """What verdicts say: each reason with its sentence, as core/reasons.hpp lists them."""
    text = (project / "include/plait/core/reasons.hpp").read_text(encoding="utf-8")
    rows = re.findall(r'\{"(\w+)",\s*&rejected::\w+,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', text)
    assert len(rows) > 50, "the reasons are written in another way"
    rows = [(name, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', sentence)).replace('\\"', '"')) for name, sentence in rows]
    return ["## Reasons", "", "What a refusal says: %a is the axis, %1, %2 and %3 are the numbers.", "", "| reason | sentence |", "|---|---|"] + [
        f"| `{name}` | {cell(prose(sentence))} |" for name, sentence in rows] + [""]


def is_internal(name):
    """Whether a function has none of the headings that what users call has; such names come last in their header."""
    if any(d.kind == "type" for d in name.declared):
        return False
    headings = {key.split(" ")[0].rstrip(":") for d in name.all() for key in d.doc.headings}
    return not headings & {"Pre", "Post", "Cost", "Example", "Refused"}


def headers_of(root, folder):
    return [path for path in sorted((root / folder).glob("*.hpp")) if str(path.relative_to(root)) not in COMPILED_ONCE]


def headers_in_order(root, folder):
    """The headers of a folder: those of FIRST, the others that plait.hpp includes, what these include; by name in each part."""
    umbrella = (root / "plait.hpp").read_text(encoding="utf-8")
    first, last = FIRST.get(folder, []), LAST.get(folder, [])

    def place(header):
        path = f"{folder}/{header.stem}"
        if header.stem in first:
            return 0, first.index(header.stem), path
        return 3 if header.stem in last else 1 if f"<plait/{path}.hpp>" in umbrella else 2, 0, path

    return sorted(headers_of(root, folder), key=place)


def is_format(declared):
    """Returns True for a named format, which needs no docstring: a layout whose name is its tag, or a record."""
    return "listed_format<" in declared.signature and declared.kind == "type" or declared.namespace == "plait::packed_formats"


def page(project, folder, originals):
    """The page of a folder, and the names without a docstring."""
    root = project / "include/plait"
    lines = [f"# {folder}: {FOLDERS[folder]}", "", "[All headers](../reference.md).", ""]
    missing = []
    for header in headers_in_order(root, folder):
        path = header.relative_to(root)
        names = names_of(header)
        if not names:
            continue
        lines += [f"## {path}", "", f"[`#include <plait/{path}>`](../../include/plait/{path})", ""]
        formats = [n.name for n in names if not n.is_documented() and is_format(n.declared[0])]
        behind = [n.name for n in names if BEHIND.match(n.name) or n.name == "operator=="]
        for name in sorted(names, key=is_internal):
            if name.name in formats or name.name in behind:
                continue
            original = originals.get(name.name) if originals.get(name.name, "") != "" else None
            if not name.is_documented() and not original:
                missing.append(f"include/plait/{path}:{name.all()[0].line}: {name.name}")
            lines += section(name, original)
        if formats:
            lines += [f"Formats, each `NAME<extents...>`: {', '.join(f'`{n}`' for n in formats)}.", ""]
        if behind:
            lines += [f"Behind it: {', '.join(f'`{n}`' for n in behind)}.", ""]
    return lines + (reasons_of(project) if folder == "core" else []), missing


def originals_of(project):
    out = {}
    for folder in ORIGINALS:
        for header in headers_of(project / "include/plait", folder):
            for name in names_of(header):
                if name.is_documented():
                    out.setdefault(name.name, f"{folder}.md#{name.name}")
    return out


def all_pages(project):
    """The Markdown of each page, and the names without a docstring."""
    pages, missing, originals = {}, [], originals_of(project)
    for folder in FOLDERS:
        lines, some = page(project, folder, originals)
        pages[f"{PLACE}/{folder}.md"] = "\n".join(lines).rstrip("\n") + "\n"
        missing += some
    lines, some = c_interface.page(project, prose)
    pages[f"{PLACE}/c.md"] = "\n".join(lines).rstrip("\n") + "\n"
    return pages, missing + some


def named_in_reference(project):
    """The names in backticks of each header's row of docs/reference.md."""
    rows = re.findall(r"^\| \[([\w/]+\.h\w*)\][^|]*\|(.*)\|$", (project / "docs/reference.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {path: set(re.findall(r"`(?:plait::)?(\w+)", text)) for path, text in rows}


def without_headings(project):
    out, named = [], named_in_reference(project)
    for folder in FOLDERS:
        for header in headers_of(project / "include/plait", folder):
            path = str(header.relative_to(project / "include/plait"))
            found = [d for d in declarations.declarations(header.read_text(encoding="utf-8")) if d.kind == "function" and not declarations.is_hidden(d)]
            for name in dict.fromkeys(d.name for d in found if d.name in named.get(path, ())):
                has = set().union(*(d.doc.headings for d in found if d.name == name))
                lacks = [heading for heading in declarations.HEADINGS if heading not in has]
                line = next(d.line for d in found if d.name == name)
                out += [f"include/plait/{path}:{line}: {name}: {' '.join(lacks)}"] if lacks else []
    return out


def folders_without_page(project):
    """The folders that plait.hpp or packed.hpp includes and that FOLDERS lacks: no page would have their names."""
    root = project / "include/plait"
    text = "".join((root / umbrella).read_text(encoding="utf-8") for umbrella in ("plait.hpp", "packed.hpp"))
    return sorted(set(re.findall(r"<plait/(\w+)/", text)) - set(FOLDERS))


def sections(project, pages):
    """Where the pages speak of a file of the project: page and heading. Of the sentences of refusals, that is the table of reasons."""
    out = {"include/plait/plait.h": f"{PLACE}/c.md"}
    for page, text in pages.items():
        out.update((f"include/plait/{path}", f"{page}#{anchors.slug(path)}") for path in re.findall(r"^## ([\w/]+\.hpp)$", text, re.MULTILINE))
    out["include/plait/core/reasons.hpp"] = f"{PLACE}/core.md#reasons"
    return out


def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    pages, missing = all_pages(project)
    problems = [f"{name}: no docstring" for name in missing]
    problems += [f"{line}, headings that are missing" for line in without_headings(project)]
    problems += [f"include/plait/{folder}: plait.hpp includes it, but it has no page: add it to FOLDERS" for folder in folders_without_page(project)]
    print("\n".join(problems) or f"{len(pages)} pages, {sum(text.count(chr(10) + '### ') for text in pages.values())} names")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
