"""Opens the page of the explorer from its file in a headless Chromium, moves the mouse, clicks and types as a reader
does, and checks what the page shows.

usage: check_page.py PROJECT EXPLORER OUT, where EXPLORER is the file that docs/site/explorer/make_module.py wrote

OUT contains the site and screenshots of the page afterwards.
"""

import pathlib
import shutil
import sys
import urllib.parse

from browser import Browser

MOST_BYTES = 2_000_000
TEXT = "document.getElementById({!r}).textContent"
# The cell of a picture with a given text, as an expression for middle_of.
CELL = """(function () {{
  var group = document.getElementById({!r}).shadowRoot.querySelectorAll('g.{}')[{}];
  return Array.from(group.querySelectorAll('text.{}')).find(function (text) {{ return text.textContent === {!r}; }});
}})()"""
SEEN = "!document.getElementById({!r}).hidden && getComputedStyle(document.getElementById({!r})).display !== 'none' && document.getElementById({!r}).textContent"
# A format and dims as a reader might mistype them. All but one must be refused.
NONSENSE = [("nChw8c", "1x17x2"), ("nchq", "1x2x3x4"), ("", ""), ("ab", "3x99999999999999999999"), ("ab", "-3x4"), ("ab:1x1x1", "3x4"), ("любой", "3×4"),
            ("\U0001f9f6", "1"), ("ab", "4611686018427387904x2"), ("a", "268435457"), ("AB" + "16a16b" * 40, "3x4"), ("a" * 5000, "1"), ("<b>", "</b>"),
            ("ab", "3x4+"), ("any", "1x1"), ("abcdefghijkl", "x".join(["7"] * 12)), ("ab", "0x4"), ("ab\\\"'", "3x4\n"), ("aB4611686018427387904b", "1x1")]


class Check:
    def __init__(self, page):
        self.page, self.problems, self.count = page, [], 0

    def that(self, what, found, wanted):
        self.count += 1
        is_right = wanted(found) if callable(wanted) else found == wanted
        if not is_right:
            self.problems.append(f"{what}: {found!r}" + ("" if callable(wanted) else f", not {wanted!r}"))

    def text(self, name):
        return self.page.ask(TEXT.format(name))

    def seen(self, name):
        """Returns the text of an element, or False if it is hidden."""
        return self.page.ask(SEEN.format(name, name, name))

    def cells(self, picture, selector):
        return self.page.ask(f"document.getElementById({picture!r}).shadowRoot.querySelectorAll({selector!r}).length")

    def cell(self, picture, part, number, line, text):
        return self.page.middle_of(CELL.format(picture, part, number, line, text))

    def address(self):
        return dict(urllib.parse.parse_qsl(self.page.ask("location.hash").lstrip("#"), keep_blank_values=True))

    def type_into(self, name, text, until):
        self.page.type_into(f"[name={name}]", text)
        self.page.wait_for(until)


def check_first_look(check):
    check.that("the name", check.text("name"), "aBcd8b 1x17x2x3")
    check.that("elements in memory", check.cells("layout-picture", "g.memory rect.element"), 102)
    check.that("padding in memory", check.cells("layout-picture", "g.memory rect.padding"), 42)
    check.that("the digits", check.page.ask("Array.from(document.querySelectorAll('#digits tr.name td'), c => c.textContent).join(' ')"), "n c/8 h w c%8")
    check.that("its plan", check.text("plan"), lambda text: text.startswith("reorder   f32 aBcd8b 1x17x2x3 -> f32 abcd 1x17x2x3, avx2\n") and "\ntable " in text)
    check.that("the registers", check.cells("reorder-picture", "g.network rect"), 2 * 6 * 8)


def check_mouse(check):
    page = check.page
    page.move(*check.cell("layout-picture", "planes", 0, "index", "0,13,1,0"))
    check.that("under the mouse", check.seen("tip"), "offset 77: n=0 c=13 h=1 w=0")
    check.that("the text of the place", check.text("here"), "offset 77: n=0 c=13 h=1 w=0; 1*48 + 1*24 + 5 = 77; in nchw 1x17x2x3 offset 81: n=0 c=13 h=1 w=0")
    check.that("the digits' values", page.ask("Array.from(document.querySelectorAll('#digits tr.value td'), c => c.textContent).join(' ')"), "0 1 1 0 5")
    check.that("marks in the layout", check.cells("layout-picture", ".here"), 2)
    page.move(*check.cell("layout-picture", "memory", 0, "offset", "97"))
    check.that("padding under the mouse", check.seen("tip"), "offset 97: padding, n=0 c=17 h=0 w=0")
    page.move(*check.cell("reorder-picture", "memory", 1, "offset", "81"))
    check.that("under the mouse in the destination", check.seen("tip"), "offset 81: n=0 c=13 h=1 w=0")
    check.that("its place in the layout", check.text("here"), lambda text: text.startswith("offset 77: n=0 c=13 h=1 w=0; "))
    page.move(5, 5)
    check.that("outside of the pictures", check.seen("tip"), False)
    check.that("no text of a place", check.text("here"), "")
    page.click(*check.cell("layout-picture", "memory", 0, "offset", "56"))
    page.move(5, 5)
    check.that("the clicked place in the fields", page.ask("document.querySelector('[name=index]').value + ' ' + document.querySelector('[name=offset]').value"), "0,8,0,1 56")
    check.that("the clicked place in the address", check.address().get("index"), "0,8,0,1")
    check.that("marks in the reorder", check.cells("reorder-picture", ".here"), lambda count: count in (2, 3))


def check_typing(check):
    page = check.page
    check.type_into("offset", "101", TEXT.format("here") + ".startsWith('offset 101: padding')")
    check.that("the index of an offset", page.ask("document.querySelector('[name=index]').value"), "0,21,0,0")
    check.type_into("index", "0,16,1,2", TEXT.format("here") + ".startsWith('offset 136: n=0 c=16 h=1 w=2')")
    check.type_into("index", "0,24,0,0", "document.getElementById('here').className === 'wrong'")
    check.that("an index outside of the layout", check.text("here"), "index '0,24,0,0': 24 along c is not below the padded extent 24")
    check.type_into("index", "0,1,0,0", "document.getElementById('here').className === ''")
    check.type_into("format", "nhwc", TEXT.format("name") + " === 'acdb 1x17x2x3'")
    check.type_into("into", "nChw16c", TEXT.format("plan") + ".includes('-> f32 aBcd16b')")
    check.that("the address", check.address(), lambda said: (said.get("format"), said.get("into"), said.get("index")) == ("nhwc", "nChw16c", "0,1,0,0"))
    check.type_into("intodims", "1x17x2x4", "!document.getElementById('reorder-refusal').hidden")
    check.that("the sentence of a refusal", check.seen("reorder-refusal"), lambda text: "dims_differ: " in text and "axis 3" in text)
    check.that("no picture of a refused reorder", check.seen("reorder-answer"), False)
    check.type_into("intodims", "", "document.getElementById('reorder-refusal').hidden")
    for name in ("type", "to", "isa"):
        values = page.ask(f"Array.from(document.querySelector('[name={name}]').options, o => o.value)")
        for value in values:
            page.ask(f"(function (e) {{ e.value = {value!r}; e.dispatchEvent(new Event('input', {{ bubbles: true }})); }})(document.querySelector('[name={name}]'))")
            page.wait_for(f"({TEXT.format('plan')} + {TEXT.format('reorder-refusal')}).includes({value or 'reorder'!r})")
            check.that(f"{name} {value}", check.seen("reorder-refusal"), False)
    check.type_into("into", "", "document.getElementById('reorder').hidden")


def check_nonsense(check):
    page = check.page
    for format_text, dims in NONSENSE:
        page.ask(f"location.hash = '#' + new URLSearchParams({{ format: {format_text!r}, dims: {dims!r}, into: 'ab' }})")
        page.wait_for(f"document.querySelector('[name=dims]').value === {dims.strip()!r}")
        # A layout with 7 to the power of 12 elements is refused, because it is too large. 0x4 is a layout.
        refused = check.seen("layout-refusal")
        check.that(f"{format_text[:30]} {dims}", bool(refused), dims != "0x4")
        check.that(f"{format_text[:30]} {dims}: no error of the page", refused or "", lambda text: "fault of the explorer" not in text)
    page.ask("location.hash = '#format=ab&dims=3x4'")
    page.wait_for(TEXT.format("name") + " === 'ab 3x4'")
    # If plait fails with an error of its own, the page shows the error, and shows the next layout as usual.
    page.ask("(function () { var parse = JSON.parse; JSON.parse = function () { JSON.parse = parse; throw new Error('ended'); }; })()")
    check.type_into("dims", "3x5", "!document.getElementById('layout-refusal').hidden")
    check.that("an error of the page", check.text("layout-refusal"), lambda text: "This is a fault of the explorer, not of the question: Error: ended" in text)
    check.type_into("dims", "3x6", TEXT.format("name") + " === 'ab 3x6'")


def check_examples(check):
    page = check.page
    for number in range(page.ask("document.querySelectorAll('.examples a').length")):
        page.click(*page.middle_of(f"document.querySelectorAll('.examples a')[{number}]"))
        text = page.ask(f"document.querySelectorAll('.examples a')[{number}].textContent")
        page.wait_for(f"location.hash === document.querySelectorAll('.examples a')[{number}].hash")
        check.that(f"example '{text}'", (bool(check.seen("layout-refusal")), bool(check.seen("reorder-refusal"))), (False, text == "refused"))


def check_link(check, url):
    """Checks that a link restores the layout, the reorder and the place."""
    page = check.page
    page.open("about:blank")
    page.open(url + "#format=abc&dims=2x2x4&into=acb&isa=avx2")
    page.wait_for("document.documentElement.dataset.explorer === 'ready'")
    check.that("a network", check.text("plan"), lambda text: "\nnetwork   lanes " in text and "permute halves, register bit " in text)
    check.that("its registers, as loaded and after three steps", check.cells("reorder-picture", "g.network rect"), 4 * 2 * 8)
    page.open("about:blank")
    page.open(url + "#format=nhwc&dims=2x3x4x5&into=nchw&type=u8&to=f32&isa=sse41&index=1,2,3,4")
    page.wait_for("document.documentElement.dataset.explorer === 'ready'")
    check.that("the name from a link", check.text("name"), "acdb 2x3x4x5")
    check.that("the plan from a link", check.text("plan"), lambda text: text.startswith("reorder   u8 acdb 2x3x4x5 -> f32 abcd 2x3x4x5, sse41\n"))
    check.that("the place from a link", check.text("here"), lambda text: text.startswith("offset 119: n=1 c=2 h=3 w=4"))
    check.that("the fields", page.ask("Array.from(document.querySelectorAll('#asked [name]'), e => e.value).join(' ')"), "nhwc 2x3x4x5 nchw  u8 f32 sse41")


def check_looks(check, out):
    """Checks that the button of the site switches between light and dark, and that a small screen needs no horizontal
    scrolling."""
    page = check.page
    paper = "getComputedStyle(document.getElementById('layout-picture').shadowRoot.querySelector('.paper')).fill"
    check.that("light paper", page.ask(paper), "rgb(255, 255, 255)")
    page.screenshot(out / "light.png", whole=True)
    page.ask("document.querySelector('.theme-toggle').click()")
    page.wait_for(paper + " !== 'rgb(255, 255, 255)'")
    check.that("dark paper", page.ask(paper), "rgb(13, 17, 23)")
    page.screenshot(out / "dark.png", whole=True)
    check.that("two different screenshots", (out / "light.png").read_bytes() != (out / "dark.png").read_bytes(), True)
    page.resize(400, 800)
    page.wait_for("document.getElementById('layout-picture').shadowRoot.querySelector('svg').clientWidth < 500")
    check.that("on a small screen", page.ask("document.documentElement.scrollWidth"), lambda width: width <= 400)
    page.screenshot(out / "small.png", whole=True)


def main():
    project, explorer, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    sys.path.insert(0, str(project / "docs/site"))
    import make_site
    shutil.rmtree(out, ignore_errors=True)
    make_site.make(project, out, explorer, only=["README.md"])
    url = (out / "explorer.html").as_uri()
    size = sum(path.stat().st_size for path in [out / "explorer.html", *(out / "explorer").iterdir()])
    with Browser() as page:
        check = Check(page)
        check.that("bytes in all", size, lambda count: count < MOST_BYTES)
        page.open(url)
        page.wait_for("document.documentElement.dataset.explorer === 'ready'")
        check_first_look(check)
        check_mouse(check)
        check_typing(check)
        check_nonsense(check)
        check_examples(check)
        check_link(check, url)
        check_looks(check, out)
        check.that("errors of the page", page.errors, [])
    print("\n".join(check.problems) or f"{check.count} looks at the page of {size // 1024} KB")
    return bool(check.problems)


if __name__ == "__main__":
    sys.exit(main())
