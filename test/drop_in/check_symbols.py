"""Checks what the drop-ins export: the functions that they stand for, and no name of their own.

usage: check_symbols.py NM LIBPLAIT_OMATCOPY LIBPLAIT_HPTT. Prints each name that is missing or should not be there.
"""

import re
import subprocess
import sys


def exported(nm, library):
    out = subprocess.run([nm, "-DC", "--defined-only", library], text=True, capture_output=True, check=True).stdout
    return {line.split(maxsplit=2)[2] for line in out.splitlines()}


def main():
    nm, omatcopy, hptt = sys.argv[1:]
    matrices = {f"{before}{letter}{which}matcopy{after}" for letter in "sdcz" for which in "oi"
                for before, after in (("cblas_", ""), ("", "_"), ("mkl_", ""), ("mkl_", "_"))}
    matrices |= {f"mkl_{letter}omatcopy2" for letter in "sdcz"}
    tensors = {f"{letter}TensorTranspose" for letter in "sdcz"}
    problems = []
    found = exported(nm, omatcopy)
    problems += [f"{omatcopy}: lacks {name}" for name in sorted(matrices - found)]
    problems += [f"{omatcopy}: exports {name}" for name in sorted(found - matrices)]
    found = exported(nm, hptt)
    problems += [f"{hptt}: lacks {name}" for name in sorted(tensors - found)]
    classes = [name for name in found if name.startswith("hptt::create_plan(")]
    if len(classes) != 12:
        problems.append(f"{hptt}: has {len(classes)} functions create_plan, not 12")
    allowed = re.compile(r"hptt::(create_plan\(|Transpose<)|(typeinfo|vtable)")
    problems += [f"{hptt}: exports {name}" for name in sorted(found - tensors) if not allowed.match(name)]
    print("\n".join(problems) or "the drop-ins export what they stand for")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
