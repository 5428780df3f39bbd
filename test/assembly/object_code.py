"""Reads the functions of an object file as lists of instructions, for tests that count them.

The input is the output of GNU `objdump`, which does not depend on the compiler that made the file.
"""

import dataclasses
import re
import subprocess

FUNCTION = re.compile(r"[0-9a-f]+ <(.+)>:")
RELOCATION = re.compile(r"\s+[0-9a-f]+: R_\w+\s+(\S+)")
INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+(\S.*)")
PLACE = re.compile(r"<([^>+]+)(\+0x[0-9a-f]+)?>")  # the target of a jump within a section
COMMENT = re.compile(r"\s+(# |// |<).*")
PREFIXES = {"bnd", "cs", "data16", "ds", "lock", "notrack", "rep", "repnz", "repz"}
SYMBOL = re.compile(r"[0-9a-f]+ .{7} \S+\s+([0-9a-f]+) (?:\.hidden )?(\S+)")


@dataclasses.dataclass
class Instruction:
    address: int
    name: str  # without prefixes, e.g. movsq for rep movsq
    operands: list  # as text, one per operand, e.g. 0x20(%rsi,%rax,1) or [x1, #16]
    symbol: str = ""  # the target of a call, a jump or an address, if it has a name and is outside the function

    def __str__(self):
        return f"{self.address:#x}: {self.name} {','.join(self.operands)} {self.symbol}".rstrip()

    def is_call(self):
        """Returns True if the instruction calls another function, or jumps to one as a tail call."""
        if self.name in ("call", "bl", "blr"):
            return True
        return re.match(r"j|b$|b\.|br$", self.name) is not None and self.symbol != ""


def operands_of(text):
    """Splits the text at the commas that are not within brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def parse_instruction(address, text):
    words = COMMENT.sub("", text).split(None, 1)
    while words[0] in PREFIXES and len(words) > 1:
        words = words[1].split(None, 1)
    name = re.sub("^(call|jmp|ret)q$", r"\1", words[0])  # older versions print a suffix q
    place = PLACE.search(text)
    return Instruction(int(address, 16), name, operands_of("".join(words[1:])), place[1] if place else "")


def whole(symbol):
    """Returns the function that a symbol is a part of. GCC moves rarely executed code of f into a symbol f.cold."""
    return symbol.removesuffix(".cold")


def parse(text):
    """Returns the instructions of each function, by its name, from the output of `objdump -dr`."""
    functions, code = {}, None
    for line in text.splitlines():
        if found := FUNCTION.fullmatch(line):
            code = functions.setdefault(whole(found[1]), [])
        elif found := RELOCATION.fullmatch(line):
            # The linker writes this target into the previous instruction. Until then objdump shows the next address.
            code[-1].symbol = re.sub(r"[-+]0x[0-9a-f]+$", "", found[1])
        elif code is not None and (found := INSTRUCTION.fullmatch(line)):
            code.append(parse_instruction(*found.groups()))
    for name, instructions in functions.items():
        for i in instructions:
            if whole(i.symbol) == name and i.name not in ("call", "bl"):
                i.symbol = ""  # a loop
    return functions


def read_functions(objdump, path):
    command = [objdump, "-dr", "--no-show-raw-insn", path]
    return parse(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def read_sizes(objdump, path):
    """Returns the size in bytes of each symbol that has one."""
    table = subprocess.run([objdump, "-t", path], check=True, capture_output=True, text=True).stdout
    return {found[2]: int(found[1], 16) for line in table.splitlines() if (found := SYMBOL.fullmatch(line))}


def reached_from(functions, name):
    """Returns the function and all functions of the file that it calls by name, directly or indirectly."""
    reached, todo = [], [name]
    while todo:
        name = todo.pop()
        if name in functions and name not in reached:
            reached.append(name)
            todo += [i.symbol for i in functions[name] if i.is_call()]
    return reached
