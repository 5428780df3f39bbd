"""The page of the C interface, made from include/plait/plait.h: each function with its declaration and the comment in front of it, or behind it."""

import re

import declarations

TITLE = re.compile(r"/\* ---- (.*?) ---- \*/")
FUNCTION = re.compile(r"(?:/\*(?P<before>(?:(?!\*/).)*)\*/\n)?(?P<declared>^(?:const )?\w+\*? \*?(?P<name>plait_\w+)\((?:[^;{}])*\);)"
                      r"(?:[ ]*/\*(?P<behind>(?:(?!\*/).)*)\*/)?", re.MULTILINE | re.DOTALL)


def words(comment):
    return " ".join(re.sub(r"^\s*\*", "", comment or "", flags=re.MULTILINE).split())


def functions(text):
    """Name, declaration, comment, in their order; None and a title between the parts."""
    out = []
    for match in re.finditer(f"{TITLE.pattern}|{FUNCTION.pattern}", text, re.MULTILINE | re.DOTALL):
        if match["name"]:
            out.append((match["name"], match["declared"], words(match["before"]) or words(match["behind"])))
        else:
            out.append((None, "", match[1].rstrip(".")))
    return out


def page(project, prose):
    """The page, and the functions without a comment."""
    text = (project / "include/plait/plait.h").read_text(encoding="utf-8")
    head = re.search(r"/\*((?:(?!\*/).)*)\*/", text, re.DOTALL)[1]
    lines = ["# c: the C interface", "", "The header is [plait.h](../../include/plait/plait.h). [All headers](../reference.md).", "", prose(words(head)), ""]
    found = functions(text)
    declared = set(re.findall(r"\b(plait_\w+)\(", declarations.blanked(text)))
    assert {name for name, _, _ in found if name} == declared, declared ^ {name for name, _, _ in found if name}
    for name, declaration, comment in found:
        lines += [f"### {name}", "", "```text", declaration, "```", "", prose(comment), ""] if name else [f"## {comment.split('. ')[0]}", ""]
        if not name and ". " in comment:
            lines += [prose(comment.split(". ", 1)[1]) + ".", ""]
    return lines, [f"include/plait/plait.h:{text.split(f'{name}(')[0].count(chr(10)) + 1}: {name}" for name, _, comment in found if name and not comment]
