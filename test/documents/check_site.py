"""Generates the site and checks its pages, links, anchors, elements, navigation and search, and that no page fetches a
file from another site.

usage: check_site.py PROJECT OUT
"""

import html.parser
import json
import pathlib
import re
import shutil
import sys

import sphinx.search.en

# Titles that the search has to know, and their sections.
TITLES = {"permute_axes": "docs/reference/algebra#permute-axes", "has_dense_blocks": "docs/reference/view#has-dense-blocks",
          "Take a tag from a user": "docs/how-to#take-a-tag-from-a-user"}
# Words of texts that the search has to find, as a reader types them, and a document of each.
WORDS = {"stride_is_negative": "docs/tutorial/02-refusals", "coming numpy": "docs/coming-from/numpy"}


class Nesting(html.parser.HTMLParser):
    """A parser that finds elements that do not nest: `wrong` is the first wrong end tag, `open` the open elements."""
    EMPTY = {"meta", "link", "input", "br", "hr", "img"}

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], ""

    def handle_starttag(self, tag, attrs):
        if tag not in self.EMPTY:
            self.open.append((tag, self.getpos()[0]))

    def handle_endtag(self, tag):
        if tag not in self.EMPTY and not self.wrong and (not self.open or self.open.pop()[0] != tag):
            self.wrong = f"line {self.getpos()[0]}: </{tag}>"


def check_page(path, text, ids, out):
    """Checks that every link of a page leads to a file and an anchor of the site, and that its elements nest."""
    problems = []
    name = path.relative_to(out)
    for kind, target in re.findall(r'\b(href|src)="([^"]*)"', text):
        if re.match(r"https?:", target):
            if kind == "src" or "<link" in text.split(target)[0].rsplit("<", 1)[-1]:
                problems.append(f"{name}: fetches {target}")
            continue
        file, _, anchor = target.partition("#")
        to = (path.parent / file.partition("?")[0]).resolve() if file else path
        if not to.is_file():
            problems.append(f"{name}: a link to {target}, which is not there")
        elif anchor and to.suffix == ".html" and anchor not in ids[to]:
            problems.append(f"{name}: {target} has no such anchor")
    nesting = Nesting()
    nesting.feed(text)
    if nesting.wrong or nesting.open:
        problems.append(f"{name}: elements that do not nest: {nesting.wrong or nesting.open[-1]}")
    if left := re.search(r"\{\{\w+\}\}|\]\([\w./#-]+\)|^```", re.sub(r"<pre>.*?</pre>|<code[^>]*>.*?</code>", "", text, flags=re.DOTALL), re.MULTILINE):
        problems.append(f"{name}: Markdown is left: {left[0]}")
    return problems


def place_of(source):
    return "index.html" if source == "README.md" else source.removesuffix(".md") + ".html"


def check_documents(project, documents, out):
    problems = []
    every = {str(path.relative_to(project)) for path in (project / "docs").rglob("*.md")} | {"README.md", "CONTRIBUTING.md", "SECURITY.md"}
    problems += [f"{source}: in no part of the site" for source in sorted(every - set(documents))]
    index = (out / "index.html").read_text(encoding="utf-8")
    problems += [f"{source}: not in the navigation" for source in documents if source != "README.md" and f'href="{place_of(source)}"' not in index]
    text = (out / "searchindex.js").read_text(encoding="utf-8")
    known = json.loads(text[text.index("(") + 1:text.rindex(")")])
    problems += [f"{source}: the search does not know it" for source in documents if place_of(source).removesuffix(".html") not in known["docnames"]]
    for title, wanted in TITLES.items():
        found = [f"{known['docnames'][number]}#{section}" for number, section in known["alltitles"].get(title, ())]
        problems += [] if wanted in found else [f"search: {title} is at {found}, not at {wanted}"]
    for words, wanted in WORDS.items():
        found = documents_with(words, known)
        problems += [] if wanted in found else [f"search: {words} is in {sorted(found)}, not in {wanted}"]
    return problems


def documents_with(words, known):
    """Returns the documents that have each of some words in their texts or titles, as the search of Sphinx finds them."""
    stem = sphinx.search.en.SearchEnglish({}).stem
    numbers = [{number for kind in ("terms", "titleterms") for found in [known[kind].get(stem(word.lower()), [])]
                for number in (found if isinstance(found, list) else [found])} for word in words.split()]
    return {known["docnames"][number] for number in set.intersection(*numbers)}


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[k:k + 2], 16) / 255 for k in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055)**2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def check_static(out):
    """Checks that no script or style loads another one by an address or as a module, which fails if the page is a file."""
    loads = re.compile(r"^import .* from |@import url\((?!data:)", re.MULTILINE)
    module = re.compile(r'<script[^>]* type="module"[^>]*>')
    return [f"{path.relative_to(out)}: loads {found[0]}" for files, what in [((out / "_static").rglob("*.[cj]s*"), loads), (out.rglob("*.html"), module)]
            for path in files if (found := what.search(path.read_text(encoding="utf-8")))]


def check_style(out):
    """Checks that code has a contrast of at least 4.5 (WCAG) in both schemes, and that long lines end with a shadow of its
    own background."""
    css, style = ((out / "_static" / name).read_text(encoding="utf-8") for name in ("pygments.css", "style.css"))
    problems = []
    for scheme in ("", 'body[data-theme="dark"] '):
        back = re.search(rf"^{re.escape(scheme)}\.highlight {{ background: (#\w+)", css, re.MULTILINE)[1]
        colours = dict(re.findall(rf"^{re.escape(scheme)}\.highlight \.(\w+) {{ (?:[^}}]*; )?color: (#\w+)", css, re.MULTILINE))
        colours.pop("w", None)  # blanks
        assert len(colours) > 40
        for name, colour in colours.items():
            low, high = sorted((luminance(colour), luminance(back)))
            if (high + 0.05) / (low + 0.05) < 4.5:
                problems.append(f"pygments.css: {scheme}.{name}, {colour} on {back}, has a contrast of {(high + 0.05) / (low + 0.05):.2f}")
        if f"--cover: {back}" not in style:
            problems.append(f"style.css: no shadow covers {scheme}code, whose background is {back}")
    if not re.search(r"\.highlight pre { background: linear-gradient", style):
        problems.append("style.css: long lines of code end without a shadow")
    return problems


def main():
    project, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    sys.path.insert(0, str(project / "docs/site"))
    import make_site
    shutil.rmtree(out, ignore_errors=True)
    documents, warnings = make_site.make(project, out)
    texts = {path: path.read_text(encoding="utf-8") for path in out.rglob("*.html") if "_static" not in path.parts}
    ids = {path: set(re.findall(r'\bid="([^"]*)"', text)) for path, text in texts.items()}
    problems = warnings + check_documents(project, documents, out) + check_static(out) + check_style(out)
    for path, text in sorted(texts.items()):
        problems += check_page(path, text, ids, out)
    print("\n".join(problems) or f"{len(documents)} documents, {len(texts)} pages")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
