"""Checks that kernels on static views, mappings and records contain neither calls nor divisions. Their indexing uses constants.

usage: check_view.py OBJDUMP OBJECT, where OBJECT is the object file of view_kernels.cpp
"""

import re
import sys

import object_code

KERNELS = ("kernel_convolution", "kernel_blocks", "kernel_transposed", "kernel_mapping", "kernel_record")


def main():
    functions, problems = object_code.read_functions(*sys.argv[1:]), []
    for kernel in KERNELS:
        code = functions.get(kernel, [])
        print(f"{kernel}: {len(code)} instructions")
        if len(code) < 10:
            problems.append(f"{kernel}: it has no code")
        problems += [f"{kernel}: a call, {i}" for i in code if i.is_call()]
        problems += [f"{kernel}: a division, {i}" for i in code if re.match(r"i?div[bwlq]?$|[su]div$", i.name)]
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
