"""Checks that a tile is stored past the cache as a whole, or not at all: a line of which only a part goes past the cache
goes to memory in parts.

usage: check_streaming.py OBJDUMP OBJECT, of streaming_kernels.cpp. Prints what it counted, or every store that is
not of its kind.

What is counted: instructions that write a vector register to memory, but not to the stack, where registers are kept that
are too many. The kernels have only whole tiles, so their code stores nothing else. On x86 no such store may be a plain one,
and those past the cache are
- in a kernel whose numbers are constants those of one tile, or of several where the compiler unrolled a loop;
- in a kernel whose numbers are data at least those of one tile: it asks at run time how to prefetch, so a store may stand
  in both branches, or once in front of them.
On aarch64 stores past the cache are no more than a hint, and plait makes none.
"""

import re
import sys

import object_code

MOVES = ("copy", "block", "transpose")
WITH_CONSTANTS = ("avx512", "avx2", "neon")
PAST_CACHE = re.compile(r"v?movnt(ps|pd|dq)|stnp")


def is_vector(operand):
    return re.match(r"%[xyz]mm\d|\{?[qdv]\d", operand) is not None


def stack_registers(instructions):
    """Registers that hold a place on the stack all the time."""
    framed = any(i.name == "mov" and i.operands == ["%rsp", "%rbp"] for i in instructions)
    return {"%rsp", "sp", "x29"} | ({"%rbp"} if framed else set())


def address_of_store(i):
    """Where an instruction writes a vector register to, as written; empty if it is none that does."""
    if i.name.startswith("st") and is_vector(i.operands[0]):
        return next((operand for operand in i.operands if operand.startswith("[")), "")
    # On x86 the operand that is written is the last one.
    if len(i.operands) > 1 and "(" in i.operands[-1] and any(map(is_vector, i.operands[:-1])):
        return i.operands[-1]
    return ""


def vector_stores(functions, name):
    for function in object_code.reached_from(functions, name):
        stack = stack_registers(functions[function])
        for i in functions[function]:
            address = address_of_store(i)
            if address and re.search(r"[(\[]([%\w]*)", address)[1] not in stack:
                yield i


def check_kernel(functions, name, in_tile, has_constants):
    """A line that says what was counted, and the problems."""
    stores = list(vector_stores(functions, name))
    plain = [i for i in stores if not PAST_CACHE.fullmatch(i.name)]
    past = len(stores) - len(plain)
    line = f"{name:26} {in_tile:2} stores in a tile; in the code {past:2} past the cache, {len(plain):2} plain"
    if name.endswith("neon"):
        return line, [] if past == 0 and plain else [f"{name}: not all of its stores are plain"]
    problems = [f"{name}: a plain store, {i}" for i in plain]
    if past < in_tile or has_constants and past % in_tile != 0:
        problems.append(f"{name}: {past} stores past the cache, and a tile has {in_tile}")
    return line, problems


def main():
    functions, sizes = (read(*sys.argv[1:]) for read in (object_code.read_functions, object_code.read_sizes))
    problems = []
    for instructions in ("neon",) if "static_copy_neon" in functions else ("avx512", "avx2", "sse41"):
        for move in MOVES:
            kernel = f"{move}_{instructions}"
            for form in ("static", "run_time") if instructions in WITH_CONSTANTS else ("run_time",):
                line, found = check_kernel(functions, f"{form}_{kernel}", sizes["stores_of_" + kernel],
                                           form == "static")
                print(line)
                problems += found
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
