"""The anchors of headings, as GitHub makes them: for the site, and for the test of links."""

import html
import re


def slug(text, separator="-"):
    """`permute_axes is not NumPy's` is permute_axes-is-not-numpys."""
    return re.sub(r"<[^>]*>|[^\w\- ]", "", html.unescape(text).lower()).strip().replace(" ", separator)


def prose_of(text):
    """The lines that are in no fenced block, with their numbers."""
    fenced, lines = False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            lines.append((number, line))
    return lines


def anchors_of(text):
    """Those of a document; of headings that are alike only the first has a name to rely on."""
    return {slug(line.lstrip("#").strip()) for _, line in prose_of(text) if re.match(r"#{1,6} ", line)}
