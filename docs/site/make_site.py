"""Makes a site of docs/*.md that opens from a file, without a server: `./dev docs` runs it.

usage: make_site.py PROJECT OUT [EXPLORER]

EXPLORER is what explorer/make_module.py made; without it the site has no explorer. Pages are in the order of PARTS, and every document is in
one of them; those of the reference are made of the headers, by make_reference.py. Links to files of the project lead to a page that shows
the file, or, where a reader looks something up, to the section of the reference about it. The search runs in the browser over
search-index.js, one entry for each heading. Needs python3-markdown and python3-pygments.
"""

import html
import json
import os
import pathlib
import re
import shutil
import sys

import markdown
import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

import make_reference
from anchors import slug

HERE = pathlib.Path(__file__).resolve().parent
PARTS = [
    ("Start", ["README.md", "docs/README.md", "docs/cheat-sheet.md"]),
    ("Tutorial", ["docs/tutorial.md", "docs/tutorial/*.md"]),
    ("Guides", ["docs/how-to.md", "docs/write-a-kernel.md", "docs/traps.md"]),
    ("Coming from", ["docs/coming-from/*.md"]),
    ("Reference", ["docs/reference.md", "docs/glossary.md"]),
    ("Design", ["docs/design/README.md", "docs/design/*.md"]),
    ("Project", ["CONTRIBUTING.md", "CHANGELOG.md", "docs/stability.md", "SECURITY.md", "test/README.md", "bench/README.md", "src/README.md", "include/plait/**/README.md", "docs/**/*.md"]),
]
NAMES = {"README.md": "What it is", "docs/README.md": "What do you want to do?"}
# A visitor begins with what plait is: its opening and its picture.
FRONT = {"README.md": "index.html", "docs/README.md": "tasks.html"}
# Their links to headers lead to the reference; others mean the code.
LOOKING_UP = {"README.md", "docs/README.md", "docs/reference.md"}
PAGE = (HERE / "page.html").read_text(encoding="utf-8")


def parts_of(project, made):
    """The documents of each part, with those that are made: each document once, in the first part that names it."""
    seen, out = set(), []
    for title, patterns in PARTS:
        paths = [str(path.relative_to(project)) for pattern in patterns for path in sorted(project.glob(pattern))]
        paths += [path for path in made if title == "Reference"]
        fresh = [path for i, path in enumerate(paths) if path not in seen and path not in paths[:i]]
        seen.update(fresh)
        out.append((title, fresh))
    return out


def place_of(source):
    """Where the page of a file is, from the site's root: docs/how-to.md is how-to.html, README.md index.html."""
    if source in FRONT:
        return FRONT[source]
    if source.endswith(".md"):
        return source.removeprefix("docs/").removesuffix(".md") + ".html"
    return f"source/{source}.html"


def relative(target, page):
    return os.path.relpath(target, os.path.dirname(page) or ".")


def highlighted(text, language):
    try:
        lexer = get_lexer_by_name(language) if language else get_lexer_by_name("text")
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    return pygments.highlight(text, lexer, HtmlFormatter(nowrap=True))


def with_tasks_as_headings(body):
    """Of a page of recipes, paragraphs that begin with what to do in bold, the words in bold become headings: to link to, and to find."""
    lead = re.compile(r"<p><strong>([^<]*?(?:<code>[^<]*</code>[^<]*?)*)\.</strong>")
    if len(lead.findall(body)) < 5:
        return body
    return lead.sub(lambda m: f'<h3 class="task" id="{slug(m[1])}">{m[1]}<a class="headerlink" href="#{slug(m[1])}">#</a></h3>\n<p>', body)


class Site:
    def __init__(self, project, out, explorer=None):
        self.project, self.out, self.explorer = project, out, explorer
        self.made, _ = make_reference.all_pages(project)
        self.sections = make_reference.sections(project, self.made)
        self.parts = parts_of(project, self.made)
        self.pages = [source for _, sources in self.parts for source in sources]
        self.titles = {source: self.title_of(source) for source in self.pages}
        self.index, self.sources, self.copied = [], set(), set()

    def text_of(self, source):
        return self.made[source] if source in self.made else (self.project / source).read_text(encoding="utf-8")

    def title_of(self, source):
        text = self.text_of(source)
        match = re.search(r"^# (.*)$", text, re.MULTILINE)
        return NAMES.get(source) or (match[1].replace("`", "") if match else source)

    def link(self, source, target):
        """A link in a document as one of its page."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(source), path))
        full = self.project / file
        if source in LOOKING_UP and file in self.sections:
            file, _, anchor = self.sections[file].partition("#")
        if file in self.titles:
            place = place_of(file)
        elif full.is_dir():
            self.sources.add(file)
            place = f"source/{file}/index.html"
        elif full.suffix in (".svg", ".png"):
            self.copied.add(file)
            place = file.removeprefix("docs/")
        else:
            self.sources.add(file)
            place = place_of(file)
        return relative(place, place_of(source)) + (f"#{anchor}" if anchor else "")

    def fenced(self, source, text):
        """Fences as blocks of HTML: what stands behind the language is for tests, but a file's name is shown."""
        def block(match):
            words = match[1].split()
            language = words[0] if words else "text"
            said = f'<p class="from">{html.escape(" ".join(words[1:]))}</p>' if words[1:2] in (["from"], ["of"]) else ""
            kind = {"output": "text", "sh": "console"}.get(language, language)
            if source in self.made:
                kind = "cpp"  # signatures
            code = highlighted(match[2], kind)
            name = "output" if language == "output" else "code"
            self.blocks.append(f'<div class="{name}">{said}<pre><code>{code}</code></pre></div>')
            return f"\n@@block {len(self.blocks) - 1}@@\n"
        self.blocks = []
        return re.sub(r"^```([^\n]*)\n(.*?)^```$", block, text, flags=re.MULTILINE | re.DOTALL)

    def body_of(self, source):
        text = self.fenced(source, self.text_of(source))
        reader = markdown.Markdown(extensions=["tables", "sane_lists", "toc"],
                                   extension_configs={"toc": {"slugify": slug, "permalink": "#", "toc_depth": "2-3"}})
        body = reader.convert(text)
        body = re.sub(r"(?:<p>)?@@block (\d+)@@(?:</p>)?", lambda m: self.blocks[int(m[1])], body)
        body = re.sub(r'(href|src)="([^"]*)"', lambda m: f'{m[1]}="{html.escape(self.link(source, html.unescape(m[2])))}"', body)
        body = with_tasks_as_headings(body)
        body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
        return body

    def navigation(self, page):
        out = []
        for title, sources in self.parts:
            links = []
            for source in sources:
                here = ' class="here"' if place_of(source) == page else ""
                links.append(f'<li{here}><a href="{relative(place_of(source), page)}">{html.escape(self.titles[source])}</a></li>')
            is_open = " open" if any(place_of(source) == page for source in sources) else ""
            if sources:
                out.append(f"<details{is_open}><summary>{title}</summary><ul>{''.join(links)}</ul></details>")
        return "\n".join(out)

    def explorer_link(self, page):
        return f'<a href="{relative("explorer.html", page)}">Explorer</a>' if self.explorer else ""

    def write(self, place, title, body, contents=""):
        path = self.out / place
        path.parent.mkdir(parents=True, exist_ok=True)
        root = relative(".", place)
        values = {"title": html.escape(title), "root": "" if root == "." else root + "/", "navigation": self.navigation(place),
                  "explorer": self.explorer_link(place), "contents": contents, "body": body}
        path.write_text(re.sub(r"\{\{(\w+)\}\}", lambda m: values[m[1]], PAGE), encoding="utf-8")

    def add_to_index(self, source, body):
        """An entry for each heading: its title, where it is, and the words behind it."""
        pieces = re.split(r'<h([1-3])(?: class="task")? id="([^"]*)">(.*?)</h\1>', body, flags=re.DOTALL)
        for level, anchor, heading, text in zip(*(pieces[i::4] for i in range(1, 5))):
            heading = html.unescape(re.sub(r'<a class="headerlink".*?</a>|<[^>]*>', "", heading))
            words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())
            self.index.append([heading, "" if level == "1" else self.titles[source], f"{place_of(source)}#{anchor}", words[:400]])

    def write_document(self, source):
        body = self.body_of(source)
        self.add_to_index(source, body)
        headings = re.findall(r'<(?:h2|h3 class="task") id="([^"]*)">(.*?)<a class="headerlink"', body)
        contents = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in headings)
        self.write(place_of(source), self.titles[source], body, f"<ul>{contents}</ul>" if len(headings) > 1 else "")

    def write_source(self, file):
        """A file of the project with numbers, or a folder with links."""
        path = self.project / file
        if path.is_dir():
            place = f"source/{file}/index.html"
            items = []
            for child in sorted(path.iterdir()):
                name = str(child.relative_to(self.project))
                if child.is_file() and child.suffix in (".hpp", ".h", ".cpp", ".c", ".py", ".inl", ".txt"):
                    self.write_source(name)
                    items.append(f'<li><a href="{relative(place_of(name), place)}">{html.escape(child.name)}</a></li>')
            return self.write(place, file, f"<h1>{html.escape(file)}</h1><ul>{''.join(items)}</ul>")
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            lexer = get_lexer_for_filename("x.cpp" if path.suffix in (".hpp", ".inl", ".h") else path.name)
        except ClassNotFound:
            lexer = get_lexer_by_name("text")
        code = pygments.highlight(text, lexer, HtmlFormatter(nowrap=True))
        self.write(place_of(file), file, f'<h1>{html.escape(file)}</h1><div class="code"><pre><code>{code}</code></pre></div>')

    def write_explorer(self):
        """The page, and beside it what it runs."""
        folder = self.out / "explorer"
        folder.mkdir(parents=True, exist_ok=True)
        for file in [self.explorer, *(HERE / "explorer" / name for name in ("explorer.css", "picture.js", "explorer.js"))]:
            shutil.copyfile(file, folder / file.name)
        table = (self.project / "include/plait/core/element_types.hpp").read_text(encoding="utf-8")
        types = re.findall(r"\w+", re.search(r"enum class data_type \{\s*undef,(.*?)\}", table, re.DOTALL)[1])
        body = (HERE / "explorer/explorer.html").read_text(encoding="utf-8")
        body = body.replace("<!-- types -->", "".join(f"<option>{name}" for name in types))
        scripts = "".join(f'<script src="explorer/{name}"></script>\n' for name in (self.explorer.name, "picture.js", "explorer.js"))
        self.write("explorer.html", "Explorer", f'<link rel="stylesheet" href="explorer/explorer.css">\n{body}{scripts}')
        self.index.append(["Explorer", "", "explorer.html#explorer", "type a format and dims, see the picture, digits, offsets; a reorder's plan and network"])

    def style(self):
        light = HtmlFormatter(style="default").get_style_defs(".code, .output")
        dark = HtmlFormatter(style="monokai").get_style_defs(".code, .output")
        def colours(text, theme):
            """Only the colours of words, for a theme."""
            rules = re.findall(r"^\.code, \.output (\.\w+) \{([^}]*)\}", text, re.MULTILINE)
            return "\n".join(f"{theme} {name} {{{re.sub(r'background-color: *[^;]*;?|border: *[^;]*;?', '', rule)}}}" for name, rule in rules)
        return (HERE / "style.css").read_text(encoding="utf-8") + colours(light, "html:not(.dark) pre") + "\n" + colours(dark, "html.dark pre") + "\n"

    def make(self):
        for source in self.pages:
            self.write_document(source)
        for file in sorted(self.sources):
            self.write_source(file)
        for file in self.copied:
            to = self.out / file.removeprefix("docs/")
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.project / file, to)
        self.make_frame()

    def make_frame(self):
        """The explorer, and what all pages share."""
        self.out.mkdir(parents=True, exist_ok=True)
        if self.explorer:
            self.write_explorer()
        entries = json.dumps(self.index, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        (self.out / "search-index.js").write_text(f"window.plaitIndex = {entries};\n", encoding="utf-8")
        shutil.copyfile(HERE / "search.js", self.out / "search.js")
        (self.out / "style.css").write_text(self.style(), encoding="utf-8")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    site = Site(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:]))
    site.make()
    print(f"{len(site.pages)} pages, {len(site.index)} headings to search, {len(site.sources)} files of the project")
    return 0


if __name__ == "__main__":
    sys.exit(main())
