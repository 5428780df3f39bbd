"""Reads the declarations of a header: name, kind, signature, and the docstring in front of it.

It reads the C++ of this project, as clang-format leaves it: `///` lines in front of a declaration are its docstring, and a
declaration ends with `;` or with the brace of its body. Only namespace scope is read, and the public members of structs.

    for each in declarations(path.read_text()):
        each.name, each.kind, each.signature, each.doc.sentence, each.doc.headings["Post"], each.members
"""

import re
from dataclasses import dataclass, field

HEADINGS = ("Pre", "Post", "Cost", "Source", "Example")
KEPT = re.compile(r"(Pre|Post|Cost|Source|Example|Refused[\w ,]*):(?:\s+|$)(.*)")
NAMESPACE = re.compile(r"(?:inline )?namespace(?: ([\w:]+))? ?\{$")
FLAGS = "::inline PLAIT_UNIT_FLAGS"  # in the name of every namespace; users name what is inside without it
TYPE = re.compile(r"\b(struct|class|enum class|enum|concept|using|namespace) +([\w:]+)")


@dataclass
class Docstring:
    text: list = field(default_factory=list)  # paragraphs in front of the first heading
    headings: dict = field(default_factory=dict)

    @property
    def sentence(self):
        return self.text[0] if self.text else ""

    @staticmethod
    def of(lines):
        """Headings may go on over several lines; an empty line ends a paragraph."""
        doc, heading, paragraph = Docstring(), None, []

        def end():
            if paragraph and heading:
                doc.headings[heading] = " ".join(doc.headings.get(heading, "").split() + paragraph)
            elif paragraph:
                doc.text.append(" ".join(paragraph))
            paragraph.clear()

        for line in lines:
            if match := KEPT.match(line):
                end()
                heading, line = match[1], match[2]
            if line.strip():
                paragraph.append(line.strip())
            else:
                end()
                heading = None
        end()
        return doc


@dataclass
class Declaration:
    name: str
    kind: str  # function, type, concept, alias, value
    signature: str
    doc: Docstring
    line: int
    namespace: str = ""
    members: list = field(default_factory=list)


def blanked(text):
    """The text with comments, strings and lines of the preprocessor as blanks: same length, same lines."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:[^"\\\n]|\\.)*"|(?<!\w)\'(?:[^\'\\\n]|\\.)\'', blank, text, flags=re.DOTALL)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.MULTILINE)


def end_of_declaration(code, begin):
    """Where it ends: the index of `;` or of the `{` of its body, and whether it has a body."""
    depth, closes = 0, -1
    for i in range(end_of_templates(code, begin), len(code)):
        c = code[i]
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif depth == 0 and c == ";":
            return i, False
        elif depth == 0 and c == "{":
            if not re.search(r"(?:requires|=|&&|\|\|)\s*requires\s*(?:\([^{};]*\))?\s*$|<\s*[\w:]+$", code[begin:i]):
                return i, True
            depth -= 1  # the braces of a requires expression, or of a template argument (<dims{2, 3}>), are not those of a body
            closes = matching_brace(code, i)
        elif c == "}" and depth < 0 and i == closes:
            depth += 1
    return len(code), False


def matching_brace(code, begin):
    depth = 0
    for i in range(begin, len(code)):
        depth += (code[i] == "{") - (code[i] == "}")
        if depth == 0:
            return i
    return len(code)


def without_body(signature):
    """The declaration without initialisers of a constructor, without an initial value, on as few lines as it has."""
    signature = re.sub(r"\s+", " ", signature).strip()
    return re.sub(r"\s*\) : \w.*$", ")", signature)


def end_of_templates(code, begin):
    """Where each `template <...>` that begins there is closed: the index behind the last one. A default in it may have braces."""
    while match := re.compile(r"\s*template\s*<").match(code, begin):
        depth, begin = 1, match.end()
        while begin < len(code) and depth:
            depth += (code[begin] == "<") - (code[begin] == ">" and code[begin - 1] not in "-=")
            begin += 1
    return begin


def strip_template(code):
    """Without `template <...>` and the requires clause behind it, to find the name."""
    code = code[end_of_templates(code, 0):]
    return re.sub(r"\[\[[^\]]*\]\]|alignas\([^)]*\)", "", code).strip()


def closed(code, opens, closes):
    """Where the bracket at the front is closed: the index behind it."""
    depth = 0
    for i, c in enumerate(code):
        depth += (c == opens) - (c == closes)
        if depth == 0:
            return i + 1
    return len(code)


def strip_requires(code):
    """Without the requires clause between template <...> and the declaration: up to the first word that begins one."""
    if code.startswith("requires"):
        code = re.sub(r"^requires\s*", "", code)
        while match := re.match(r"(requires\s*|&&\s*|\|\|\s*|!\s*|[\w:]+\s*(?=<|&&|\|\|)|[({<])", code):
            opens = {"(": ")", "{": "}", "<": ">"}.get(match[1])
            code = (code[closed(code, match[1], opens):] if opens else code[match.end():]).lstrip()
    code = re.sub(r"\[\[[^\]]*\]\]|decltype\(auto\)", "", code)
    return re.sub(r"\bexplicit\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "", code).strip()


def name_of(code):
    """The name and the kind of a declaration, or None for what has none (a deduction guide, static_assert)."""
    code = strip_requires(strip_template(code))
    if code.startswith(("static_assert", "friend", "extern", "public", "private", "using namespace")) or not code:
        return None
    if match := TYPE.match(re.sub(r"^(inline|constexpr|typedef) ", "", code)):
        kind = {"concept": "concept", "using": "alias"}.get(match[1], "type")
        if kind == "alias" and "=" not in code:
            return None
        if match[1] in ("struct", "class") and re.match(r"\s*<", code[code.index(match[2]) + len(match[2]):]):
            return None  # a specialisation
        return match[2], kind
    if match := re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+|\w+)|~?[A-Za-z_]\w*)\s*\(", code):
        before = code[:match.start()]
        if before.endswith("::"):
            return None  # a member, defined outside of its struct
        if "=" not in before and not re.search(r"->\s*$", before):
            guide = "->" in code and not re.search(r"\b(auto|constexpr|void|bool)\b", before)
            return None if guide else (match[1].replace(" ", ""), "function")
    if match := re.match(r"(?:[\w:<>{},&*. ]+?[ &*>])(\w+)(?:\[[^\]]*\])?\s*(?:=.*|\{.*)?$", code, re.DOTALL):
        return match[1], "value"
    return None


def docstring_before(lines, line):
    """The `///` lines that end just in front of a line (counted from 0)."""
    first = line
    while first > 0 and lines[first - 1].strip().startswith("///"):
        first -= 1
    return Docstring.of([re.sub(r"^\s*/// ?", "", text) for text in lines[first:line]])


def is_hidden(declared):
    """Whether a name is in a namespace that is not for users: what only refuses, what is in plait::detail, and the engine."""
    return not {"rejected", "detail", "engine", "for_all_units"}.isdisjoint(declared.namespace.split("::"))


def read_scope(text, code, begin, end, lines, namespace=""):
    out, i = [], begin
    while i < end:
        if code[i] in " \n\t;}":
            i += 1
            continue
        if access := re.match(r"(public|private|protected):", code[i:]):
            if access[1] != "public":
                return out
            i += access.end()
            continue
        stop, has_body = end_of_declaration(code, i)
        if has_body and (inner := NAMESPACE.match(re.sub(r"\s+", " ", code[i:stop + 1]).replace(FLAGS, "").strip())):
            close = matching_brace(code, stop)
            if inner[1]:
                out += read_scope(text, code, stop + 1, close, lines, f"{namespace}::{inner[1]}" if namespace else inner[1])
            i = close + 1
            continue
        head = code[i:stop]
        close = matching_brace(code, stop) if has_body else stop
        named = name_of(head)
        if has_body and named and named[1] in ("alias", "concept", "value"):
            while (rest := end_of_declaration(code, close + 1))[1]:
                close = matching_brace(code, rest[0])
            close = rest[0]
        if named:
            line = code.count("\n", 0, i)
            is_whole = named[1] in ("alias", "concept") or not has_body
            signature = without_body(text[i:close if is_whole else stop])
            if named[1] == "value":
                signature = re.sub(r"\s*=.*$", "", without_body(text[i:stop]))
            if named[1] == "type" and has_body and re.match(r"enum\b", head):
                values = without_body(code[i:close + 1])
                signature = values if len(values) < 500 else signature
            made = Declaration(named[0], named[1], signature, docstring_before(lines, line), line + 1, namespace)
            if named[1] == "type" and has_body and "enum" not in head:
                made.members = [m for m in read_scope(text, code, stop + 1, close, lines) if m.kind in ("function", "value")]
            if behind := re.match(r"[^\n]*///< *([^\n]*(?:\n *///< *[^\n]*)*)", text[close:]):
                made.doc.text = made.doc.text or [" ".join(re.sub(r"///<", " ", behind[1]).split())]
            out.append(made)
        i = close + 1
    return out


def declarations(text):
    code = blanked(text)
    return read_scope(text, code, 0, len(code), text.splitlines())
