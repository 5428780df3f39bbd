"""Checks comments, docstrings and documents for words and beginnings of sentences that make a fluent reader stumble.

usage: check_prose.py ROOT [FOLDER...]. Reads the files of ROOT, or of the given folders or files in it, and prints for
       each finding the file, the line, the words and what to write instead. Returns 1 if there are findings.

It reads comments of C++, comments and docstrings of Python, comments of CMake and shell, and documents without code.
Text in `code` or in "quotes" is left out, and so is generated text of documents. Each run first checks samples: each
bad sample must have a finding, and no good sample may have one.
"""

import ast
import io
import pathlib
import re
import sys
import tokenize

OPENING = re.compile(r"(The same|Those|It|So|What|Whether|Whose)\b(?=[ ,:.])")
INSTEAD_OF_OPENING = {
    "The same": "say what is the same as in the other declaration", "Whether": "Checks that ..., or True if ...",
    "So": "say what follows from what, with because", "What": "begin with a noun, as in: The bytes that ...",
}
# Words that are always wrong, and what to write instead.
WORDS = {
    r"besides(?!\))": "in addition, as well as, except",
    r"(?:and|their|its) kin": "and related ones",
    r"there and back": "and back again",
    r"whose number": "a number of ..., or name the number",
    r"so many(?! \w+ that| that)": "that many, a given number of",
    r"(?:is|are|was|were|be|been) asked(?! for| to)": "is called, is queried, is passed",
    r"(?:has|have|had|is|are) (?:a|no) words? for": "has a name for, supports",
    r"(?:lie|lies|lay) behind": "follows, is stored after",
    r"goes along with": "is passed with, belongs to",
    r"may be anything": "is unspecified",
    r"in silence": "silently, without an error",
    r"is as right": "gives the same result",
    r"(?:come|comes|came) and (?:go|goes|went) for": "can be added or removed",
}
WRONG = re.compile(r"\b(?:" + "|".join(f"({word})" for word in WORDS) + r")\b", re.IGNORECASE)
CPP = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|(?P<prose>//[^\n]*|/\*.*?\*/)', re.DOTALL)
FOLDERS_LEFT_OUT = {"build", ".git", "images", "northstar"}  # programs of northstar are kept as they were given


def lines_of_cpp(text):
    for found in CPP.finditer(text):
        first = text.count("\n", 0, found.start()) + 1
        for k, line in enumerate((found["prose"] or "").split("\n")):
            yield first + k, line


def lines_of_python(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            first = node.body[0].lineno
            for k, line in enumerate(node.body[0].value.value.split("\n")):
                yield first + k, line


def lines_with_hashes(text):
    for k, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*#(?!!)", line):
            yield k, line


def lines_of_document(text):
    fence = generated = False
    for k, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*(```|~~~)", line):
            fence = not fence
        generated = not line.startswith("<!-- end of") and (generated or re.match(r"<!-- \w+, of ", line) is not None)
        if not fence and not generated:
            yield k, line


READERS = {".hpp": lines_of_cpp, ".cpp": lines_of_cpp, ".h": lines_of_cpp, ".c": lines_of_cpp, ".inl": lines_of_cpp, ".cu": lines_of_cpp,
           ".py": lines_of_python, ".cmake": lines_with_hashes, ".txt": lines_with_hashes, "": lines_with_hashes, ".md": lines_of_document}


def findings(text, suffix):
    """Returns the line, the words and the advice of each finding, in the order of the lines."""
    found, last = [], -1
    for number, line in READERS[suffix](text):
        opening = re.match(r"\s*///<?\s*", line) if line.lstrip().startswith("///") else None
        if opening and number != last + 1 and not line.lstrip().startswith("///<"):
            word = OPENING.match(line, opening.end())
            if word:
                found.append((number, word[1], INSTEAD_OF_OPENING.get(word[1], "begin with the thing itself, a noun, or a verb: Returns ...")))
        if opening:
            last = number
        prose = re.sub(r'`[^`]*`|"[^"]*"', "_", line)
        for word in WRONG.finditer(prose):
            found.append((number, word[0], list(WORDS.values())[word.lastindex - 1]))
    return sorted(found)


def check_itself():
    bad = [("/// It is a stride.\nint a;", ".hpp"), ("int a;  // so many bytes of it", ".cpp"), ("/* first\n   besides */", ".h"),
           ('def f():\n    """Is asked: it lies behind."""\n', ".py"), ("# kept besides\n", ".cmake"), ("there and back", ".md")]
    bad += [(f"/// {word} ...", ".hpp") for word in ("The same", "Those", "It", "So", "What", "Whether")]
    good = [("/// Returns x.\n/// It is cheap.\nint besides = f(\"so many\");", ".hpp"), ("x = 'besides'\n", ".py"),
            ("`there and back`\n\n```\nbesides\n```\n" + "a " * 70, ".md"), ("// so many kinds that all matter", ".cpp"),
            ("<!-- a, of b -->\nbesides\n<!-- end of a -->", ".md")]
    wrong = [sample for sample in bad if not findings(*sample)] + [sample for sample in good if findings(*sample)]
    for text, suffix in wrong:
        print(f"check_prose.py: the sample {text!r} ({suffix}) is judged wrongly")
    return not wrong


def main():
    root = pathlib.Path(sys.argv[1])
    places = [root / name for name in sys.argv[2:]] or [root]
    files = {file for place in places for file in ([place] if place.is_file() else place.rglob("*"))}
    files = sorted(f for f in files if f.is_file() and not FOLDERS_LEFT_OUT & set(f.relative_to(root).parts))
    count, read, right = 0, 0, check_itself()
    for file in files:
        if file.suffix not in READERS or (file.suffix == ".txt" and file.name != "CMakeLists.txt") or (not file.suffix and file.name != "dev"):
            continue
        read += 1
        for number, words, instead in findings(file.read_text(encoding="utf-8"), file.suffix):
            print(f"{file.relative_to(root)}:{number}: '{words}': write {instead}")
            count += 1
    print(f"{read} files, {count} findings")
    return 0 if right and read and not count else 1


if __name__ == "__main__":
    sys.exit(main())
