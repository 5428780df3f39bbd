"""Checks that each tile is stored with non-temporal stores only, or with none. If only a part of a cache line is stored
past the cache, the line is written to memory in several transactions.

usage: check_streaming.py OBJDUMP OBJECT, where OBJECT is the object file of streaming_kernels.cpp. Prints the numbers
       of stores, and every wrong store.

The check counts the instructions that write a vector register to memory. It leaves out stores to the stack, which are
spilled registers. The kernels have only whole tiles, so their code contains no other vector stores. On x86, none of
these stores may be a plain store. The number of non-temporal stores depends on the kernel:
- A kernel with constants has the stores of one tile, or a multiple of them if the compiler unrolled a loop.
- A kernel whose plan is data has at least the stores of one tile. It decides at run time how to prefetch, and into how
  many pieces it splits a register, so a store may be in several branches, or once before them. If the pieces have 8
  bytes, the tile is stored with plain stores, which are counted separately.
- A kernel of a whole reorder, with constants, has an sfence: stores past the cache are not ordered without one.

On aarch64 a non-temporal store is only a hint, and plait emits none.
"""

import re
import sys

import object_code

MOVES = ("copy", "block", "transpose")
# For each instruction set: the kernels with constants, the kernels whose plan is data, and the copies of lines.
DATA = {"avx512": (0, 2, 4), "avx2": (0, 2, 3), "neon": (0, 2, 4)}  # 2^n registers
KNOWN = {"avx512": (0, 8), "avx2": (0, 2, 11), "neon": ()}  # numbers of networks that have kernels of their own
KERNELS = {
    isa: [("static", move) for move in MOVES]
    + [("run_time", f"registers_{bits}") for bits in DATA[isa]]
    + [("run_time", f"network_{number}") for number in KNOWN[isa]]
    for isa in DATA
} | {"sse41": [("static", move) for move in MOVES]}
for isa, kernels in KERNELS.items():
    kernels += [("static", move) for move in ("records", "rows") if move == "records" or isa in ("avx512", "avx2")]
PAST_CACHE = re.compile(r"v?movnt(ps|pd|dq)|stnp")
EIGHT_BYTES = re.compile(r"v?(movq|pextrq|mov[lh]p[sd])")


def is_vector(operand):
    return re.match(r"%[xyz]mm\d|\{?[qdv]\d", operand) is not None


def stack_registers(instructions):
    """Returns the registers that hold an address on the stack throughout the function."""
    framed = any(i.name == "mov" and i.operands == ["%rsp", "%rbp"] for i in instructions)
    return {"%rsp", "sp", "x29"} | ({"%rbp"} if framed else set())


def address_of_store(i):
    """Returns the address operand of an instruction that stores a vector register; empty for other instructions."""
    if i.name.startswith("st") and is_vector(i.operands[0]):
        return next((operand for operand in i.operands if operand.startswith("[")), "")
    # On x86 the operand that is written is the last one.
    if len(i.operands) > 1 and "(" in i.operands[-1] and any(map(is_vector, i.operands[:-1])):
        return i.operands[-1]
    return ""


def whole_register(operand):
    """Returns the 64-bit register of x86 that an operand is a part of; empty if it is not a general register."""
    found = re.fullmatch(r"%(?:[re]?([abcd]x|[sd]i|[sb]p)|([abcd])l|([sd]i|[sb]p)l|(r\d+)[dwb]?)", operand)
    if not found:
        return ""
    return "%" + (found[4] or "r" + (found[1] or found[3] or found[2] + "x"))


class StackPlaces:
    """The registers and stack slots that hold an address on the stack, at one point of a function. `follow` updates
    them for the next instruction, in the order of the text; it knows the instructions that compilers use for such
    addresses. A vector stored at such an address is a spilled register, not a part of the tensor."""

    def __init__(self, instructions):
        self.fixed = stack_registers(instructions)
        self.held = set()

    def has(self, register):
        return register in self.fixed or register in self.held

    def base_is_here(self, address):
        return self.has(re.search(r"[(\[]([%\w]*)", address)[1])

    def follow(self, i):
        if i.name.startswith(("cmp", "test")) or not i.operands:
            return
        to, source = i.operands[-1], i.operands[0]
        target = whole_register(to) or (to if "(" in to else "")
        if target in self.fixed or not target or i.name in ("add", "sub") and source.startswith("$"):
            return
        is_address = (i.name == "lea" and "(" in source and self.base_is_here(source)
                      or i.name == "mov" and (source in self.held or source in self.fixed))
        (self.held.add if is_address else self.held.discard)(target)


def vector_stores(functions, name):
    for function in object_code.reached_from(functions, name):
        stack = StackPlaces(functions[function])
        for i in functions[function]:
            address = address_of_store(i)
            if address and not stack.base_is_here(address):
                yield i
            stack.follow(i)


def has_fence(functions, name):
    return any(i.name == "sfence" for function in object_code.reached_from(functions, name) for i in functions[function])


def check_kernel(functions, name, in_tile, has_constants):
    """Returns a line with the numbers of stores, and the problems."""
    stores = list(vector_stores(functions, name))
    past = len([i for i in stores if PAST_CACHE.fullmatch(i.name)])
    small = [i for i in stores if not has_constants and EIGHT_BYTES.fullmatch(i.name)]
    plain = [i for i in stores if not PAST_CACHE.fullmatch(i.name) and i not in small]
    line = f"{name:26} {in_tile:2} stores in a tile; in the code {past:3} past the cache, {len(plain):2} plain, {len(small):2} of 8 bytes"
    if name.endswith("neon"):
        return line, [] if past == 0 and plain else [f"{name}: not all of its stores are plain"]
    problems = [f"{name}: a plain store, {i}" for i in plain]
    if name.rsplit("_", 2)[-2] in MOVES and not has_fence(functions, name):
        problems.append(f"{name}: no sfence orders its stores before those that follow")
    if past < in_tile or has_constants and past % in_tile != 0:
        problems.append(f"{name}: {past} stores past the cache, and a tile has {in_tile}")
    return line, problems


def main():
    functions, sizes = (read(*sys.argv[1:]) for read in (object_code.read_functions, object_code.read_sizes))
    problems = []
    for instructions in ("neon",) if "static_copy_neon" in functions else ("avx512", "avx2", "sse41"):
        for form, name in KERNELS[instructions]:
            kernel = f"{name}_{instructions}"
            line, found = check_kernel(functions, f"{form}_{kernel}", sizes["stores_of_" + kernel], form == "static")
            print(line)
            problems += found
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
