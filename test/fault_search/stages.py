"""Where faults are looked for, in this order: the presets and tiers of ./dev test all. Labels: test/tiers.cmake."""

from typing import NamedTuple

LATER_TIERS = {"thorough", "deep"}


class Stage(NamedTuple):
    preset: str
    tier: str  # "everyday": tests without the label of a later tier; "thorough"; "all": both

    def takes(self, labels):
        if self.tier == "all":
            return "deep" not in labels
        return not labels & LATER_TIERS if self.tier == "everyday" else self.tier in labels

    def matters_for(self, file):
        """False if this stage compiles nothing that depends on the file, or repeats what an earlier stage ran."""
        if "neon" in file.rsplit("/", 1)[-1]:
            return self.preset == "neon"
        if self.preset == "gcc":
            return True
        if self.preset == "neon":
            return file.startswith("include/plait/")
        return file.endswith((".hpp", ".inl", ".cpp", ".h", ".c")) and not file.startswith(("examples/", "src/tool/"))


STAGES = (Stage("gcc", "everyday"), Stage("gcc", "thorough"), Stage("sanitize", "all"), Stage("clang", "all"), Stage("neon", "all"))

# They fail for any change of a kernel, which says nothing of what it does. Nor does a fault change what they test.
NEVER_ASKED = r"explorer\..*"
