"""Names this machine's CPU: the kind, which results are kept by, the model and the caches. No other file reads them."""

import pathlib
import re
import subprocess

# (vendor, family, models, steppings) -> kind. None: any.
KINDS = [
    ("AuthenticAMD", 23, [*range(0x30, 0x50), *range(0x60, 0x80), *range(0x90, 0x92), *range(0xa0, 0xb0)], None, "Zen 2"),
    ("AuthenticAMD", 23, [*range(0x00, 0x30), *range(0x50, 0x60)], None, "Zen"),
    ("AuthenticAMD", 25, [*range(0x00, 0x10), *range(0x20, 0x60)], None, "Zen 3"),
    ("AuthenticAMD", 25, [*range(0x10, 0x20), *range(0x60, 0xb0)], None, "Zen 4"),
    ("AuthenticAMD", 26, [*range(0x00, 0x30), *range(0x40, 0x50), *range(0x60, 0x80)], None, "Zen 5"),
    ("GenuineIntel", 6, [0x55], range(0, 5), "Xeon (Skylake)"),
    ("GenuineIntel", 6, [0x55], range(5, 8), "Xeon (Cascade Lake)"),
    ("GenuineIntel", 6, [0x55], range(10, 12), "Xeon (Cooper Lake)"),
    ("GenuineIntel", 6, [0x6a, 0x6c], None, "Xeon (Ice Lake)"),
    ("GenuineIntel", 6, [0x8f], None, "Xeon (Sapphire Rapids)"),
    ("GenuineIntel", 6, [0xcf], None, "Xeon (Emerald Rapids)"),
    ("GenuineIntel", 6, [0xad, 0xae], None, "Xeon (Granite Rapids)"),
]


def kind_of(vendor, family, model, stepping=0):
    """Returns the kind, or a name made of the numbers if no row of the table has them."""
    for row_vendor, row_family, models, steppings, kind in KINDS:
        if (vendor, family) == (row_vendor, row_family) and model in models and (steppings is None or stepping in steppings):
            return kind
    return f"{vendor} {family} {model}"


def folder_of(kind):
    """Returns the name of the folder in docs/bench: zen-4, xeon-emerald-rapids."""
    return re.sub(r"[^a-z0-9]+", "-", kind.lower()).strip("-")


def number(text):
    return int(text, 0) if text else 0


def read_cpuinfo(text):
    """Returns (kind, model name) of the first processor of /proc/cpuinfo. AArch64 has other fields than x86."""
    fields = {}
    for line in text.splitlines():
        name, separator, value = line.partition(":")
        if separator:
            fields.setdefault(name.strip(), value.strip())
    if "CPU implementer" in fields:
        kind = kind_of(f"Arm {fields['CPU implementer']}", number(fields.get("CPU architecture")), number(fields.get("CPU part")))
    else:
        kind = kind_of(fields.get("vendor_id", "unknown"), *(number(fields.get(name)) for name in ("cpu family", "model", "stepping")))
    return kind, fields.get("model name", kind)


def read_caches(text):
    """Returns the bytes of the caches that `getconf -a` prints, such as {"L1d": 49152, "L2": 1048576}; it prints 0 for unknown ones."""
    names = {"LEVEL1_DCACHE_SIZE": "L1d", "LEVEL2_CACHE_SIZE": "L2", "LEVEL3_CACHE_SIZE": "L3"}
    words = [line.split() for line in text.splitlines()]
    return {names[line[0]]: int(line[1]) for line in words if len(line) == 2 and line[0] in names and int(line[1]) > 0}


def this_machine():
    kind, model = read_cpuinfo(pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    settings = subprocess.run(["getconf", "-a"], text=True, capture_output=True).stdout
    return {"cpu": kind, "machine": model, "caches": read_caches(settings)}
