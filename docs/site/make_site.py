"""Makes a site of the documents that opens from a file, without a server: `./dev docs` runs it.

usage: make_site.py PROJECT OUT [EXPLORER]

Sphinx makes the pages, the navigation and the search, with MyST for Markdown and the theme Furo. It reads a copy of the
documents, beside OUT, in which they have the places of the project, and which also has the pages of the reference (made of the
headers by make_reference.py). Links to other files of the project lead to copies of them; those of README.md and of the reference
to headers lead to the section about the header. EXPLORER is what explorer/make_module.py made; without it the site has
no explorer. Needs python3-sphinx, python3-myst-parser and furo.
"""

import io
import os
import pathlib
import re
import shutil
import sys

from docutils import nodes
from sphinx.application import Sphinx

import make_reference

HERE = pathlib.Path(__file__).resolve().parent
# The documents of each part of the navigation. A document is in the first part that names it.
PARTS = {
    "Start": ["README.md", "docs/README.md", "docs/cheat-sheet.md", "explorer.md"],
    "Tutorial": ["docs/tutorial.md", "docs/tutorial/*.md"],
    "Guides": ["docs/how-to.md", "docs/write-a-kernel.md", "docs/traps.md"],
    "Coming from": ["docs/coming-from/*.md"],
    "Reference": ["docs/reference.md", "docs/glossary.md", "docs/reference/*.md"],
    "Design": ["docs/design/README.md", "docs/design/*.md"],
    "Project": ["CONTRIBUTING.md", "CHANGELOG.md", "docs/stability.md", "SECURITY.md", "test/README.md", "bench/README.md", "src/README.md",
                "include/plait/**/README.md", "docs/**/*.md"],
}
LOOKING_UP = {"README.md", "docs/README.md", "docs/reference.md"}
LEXERS = {"": "text", "output": "text", "sh": "console"}
PICTURES = {".svg", ".png"}
TEXTS = "source"  # the folder of files that are shown as text, and the scheme of links to them
SETTINGS = {
    "project": "plait", "html_title": "plait", "root_doc": "index", "extensions": ["myst_parser"], "myst_heading_anchors": 3, "html_theme": "furo",
    "pygments_style": "default", "pygments_dark_style": "github-dark", "html_copy_source": False, "exclude_patterns": [TEXTS], "myst_url_schemes": ["http", "https", "mailto", TEXTS], "html_show_sphinx": False, "html_static_path": [str(HERE / "style.css")],
    "html_css_files": ["style.css"], "suppress_warnings": ["misc.highlighting_failure", "myst.header"]}


def parts_of(folder):
    """The documents of each part."""
    seen, out = set(), {}
    for title, patterns in PARTS.items():
        paths = [str(path.relative_to(folder)) for pattern in patterns for path in sorted(folder.glob(pattern))]
        out[title] = [path for path in dict.fromkeys(paths) if path not in seen]
        seen.update(paths)
    return out


class Copy:
    """The documents as Sphinx reads them."""

    def __init__(self, project, folder):
        self.project, self.folder = project, folder
        made, _ = make_reference.all_pages(project)
        self.sections = make_reference.sections(project, made)
        self.texts = {path: (project / path).read_text(encoding="utf-8") for paths in parts_of(project).values() for path in paths}
        self.texts.update((path, re.sub("^```text$", "```cpp", text, flags=re.MULTILINE)) for path, text in made.items())

    def write(self, path, text):
        to = self.folder / ("index.md" if path == "README.md" else path)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")

    def link(self, source, target):
        """The target of a link in a document, as one of the copy."""
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(source), path))
        if not path or ":" in path or not (self.project / file).exists() and file not in self.texts:
            return target
        if source in LOOKING_UP and file in self.sections:
            file, _, anchor = self.sections[file].partition("#")
        elif file not in self.texts:
            file = self.add_file(file)
        if file.startswith(f"{TEXTS}:"):
            return file
        file = "index.md" if file == "README.md" else file
        return os.path.relpath(file, os.path.dirname(source) or ".") + (f"#{anchor}" if anchor else "")

    def add_file(self, file):
        """Copies a picture or a file, or makes the page of a folder; returns what a link to it has."""
        path = self.project / file
        if path.is_dir():
            names = [child.name for child in sorted(path.iterdir()) if child.is_file()]
            self.write(f"{file}/index.md", f"---\norphan: true\n---\n\n# {file}\n\n" + "".join(f"- [{name}]({self.add_file(f'{file}/{name}')})\n" for name in names))
            return f"{file}/index.md"
        to = self.folder / (file if path.suffix in PICTURES else f"{TEXTS}/{file}.txt")
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
        return file if path.suffix in PICTURES else f"{TEXTS}:{file}.txt"

    def add_document(self, source):
        def block(match):
            """A block of code. Of the words behind the language those of a file are shown; others are for tests."""
            language, *words = match[1].split() or [""]
            caption = f":caption: {'output ' if language == 'output' else ''}{' '.join(words)}\n" if words[:1] in (["from"], ["of"]) else ""
            return f"```{{code-block}} {LEXERS.get(language, language)}\n{caption}\n{match[2]}```"
        parts = re.split(r"^(```[^\n]*\n.*?^```)$", self.texts[source], flags=re.MULTILINE | re.DOTALL)
        parts[::2] = [re.sub(r"\]\(([^()\s]+)\)", lambda m: f"]({self.link(source, m[1])})", text) for text in parts[::2]]
        parts[1::2] = [re.sub(r"^```([^\n]*)\n(.*)```$", block, text, flags=re.DOTALL) for text in parts[1::2]]
        self.write(source, "".join(parts))

    def add_explorer(self):
        table = (self.project / "include/plait/core/element_types.hpp").read_text(encoding="utf-8")
        types = re.findall(r"\w+", re.search(r"enum class data_type \{\s*undef,(.*?)\}", table, re.DOTALL)[1])
        page = (HERE / "explorer/explorer.html").read_text(encoding="utf-8").replace("<!-- types -->", "".join(f"<option>{name}" for name in types))
        self.texts["explorer.md"] = f"# Explorer\n\n`````{{raw}} html\n{page}`````\n"

    def make(self):
        for source in self.texts:
            self.add_document(source)
        entries = {title: [path.removesuffix(".md") for path in paths if path != "index.md"] for title, paths in parts_of(self.folder).items()}
        trees = "".join(f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(paths) + "\n```\n" for title, paths in entries.items())
        with open(self.folder / "index.md", "a", encoding="utf-8") as index:
            index.write(trees)


def link_texts(app, page, name):
    """Makes links to files of the project relative to a page."""
    for node in page.findall(nodes.reference):
        if node.get("refuri", "").startswith(f"{TEXTS}:"):
            node["refuri"] = os.path.relpath(node["refuri"].replace(":", "/", 1), os.path.dirname(name) or ".")


def write_theme_for_files(out):
    """Replaces what the theme loads from elsewhere by what is there: Debian's package has its script as a module, and the
    address of a style on a server, neither of which a page can load that is opened from a file."""
    folder = out / "_static"
    script, style = folder / "scripts/furo.js", folder / "styles/furo.css"
    text = script.read_text(encoding="utf-8")
    if re.match(r"import (\* as )?Gumshoe ", text):
        script.write_text((folder / "scripts/gumshoe-patched.js").read_text(encoding="utf-8") + text.partition("\n")[2], encoding="utf-8")
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if (plain := re.sub(r'<script type="module" (src="[^"]*scripts/furo\.js)', r"<script defer \1", text)) != text:
            page.write_text(plain, encoding="utf-8")
    style.write_text(re.sub(r"@import url\((/javascript/[^)]*)\);", lambda m: pathlib.Path("/usr/share" + m[1]).read_text(encoding="utf-8"),
                            style.read_text(encoding="utf-8")), encoding="utf-8")


def make(project, out, explorer=None, only=None):
    """Makes the site; returns the documents, and what Sphinx warns of. With `only` it has these documents."""
    folder = out.with_name(out.name + "-source")
    shutil.rmtree(folder, ignore_errors=True)
    copy = Copy(project, folder)
    if only is not None:
        copy.texts = {path: copy.texts[path] for path in only}
    if explorer:
        copy.add_explorer()
    copy.make()
    warnings = io.StringIO()
    # In a file: what the theme adds to the settings is not known when arguments are read.
    (folder / "conf.py").write_text("".join(f"{name} = {value!r}\n" for name, value in SETTINGS.items()), encoding="utf-8")
    app = Sphinx(folder, folder, out, folder / ".doctrees", "html", status=None, warning=warnings, parallel=os.cpu_count())
    app.connect("doctree-resolved", link_texts)
    app.build()
    write_theme_for_files(out)
    if (folder / TEXTS).exists():
        shutil.copytree(folder / TEXTS, out / TEXTS, dirs_exist_ok=True)
    if explorer:
        (out / "explorer").mkdir(exist_ok=True)
        for file in [explorer, *(HERE / "explorer" / name for name in ("explorer.css", "picture.js", "explorer.js"))]:
            shutil.copyfile(file, out / "explorer" / file.name)
    return list(copy.texts), warnings.getvalue().splitlines()


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    documents, warnings = make(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:]))
    print("\n".join(warnings) or f"{len(documents)} documents")
    return bool(warnings)


if __name__ == "__main__":
    sys.exit(main())
