"""What the output of a compiler or of a test says: found, and by which case; or a fault that does not compile."""

import re

_ERROR = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<what>.*)$", re.MULTILINE)
_CONSTANT = re.compile(r"static assertion failed|static_assert|constant expression|non-constant|not constant|consteval|overflow in constant"
                       r"|call to non-.constexpr|constexpr.*(exceeds|limit)|cc1plus: out of memory|rejected|refused")
_CASES = (
    re.compile(r"^TEST CASE:\s+(.+)$", re.MULTILINE),                # doctest
    re.compile(r"^FAILED \S+::(\S+)", re.MULTILINE),                 # pytest
    re.compile(r"^(?:FAIL|ERROR): (\S+)", re.MULTILINE),             # unittest
)


def compiler_verdict(output, faulty_file, root):
    """Returns ("found", where) if a test's own assertion or a constant expression failed; else ("defect", the error)."""
    errors = list(_ERROR.finditer(output))
    if not errors:
        return "defect", (output.strip().splitlines() or ["no output"])[-1]
    first = errors[0]
    where = first["file"].replace(f"{root}/", "")
    said = f"{where}:{first['line']}: {first['what']}"
    if _CONSTANT.search(first["what"]):
        unit = re.search(rf"{re.escape(str(root))}/((?:test|examples|docs)/[^\s:]+\.cpp):(\d+)", output)
        return "found", f"static assertion in {unit[1]}" if unit else f"static assertion in {where}"
    if "-Werror" in first["what"] or where.endswith(faulty_file) or where.startswith(("include/", "src/")):
        return "defect", said
    return "found", f"does not compile: {said}"


def failing_case(output):
    """Returns the name of the first case that failed, or an empty text."""
    for pattern in _CASES:
        if match := pattern.search(output):
            return match[1].strip()
    return ""


def ctest_results(output):
    """Returns (names that passed, names that failed) of an output of ctest."""
    passed = set(re.findall(r"Test +#\d+: (\S+) \.+ +Passed", output))
    failed = []
    for name, how in re.findall(r"Test +#\d+: (\S+) \.+\s*\*\*\*(\w+)", output):
        if name not in failed and how != "Skipped":
            failed.append(name)
    return passed, failed
