"""The sources whose compilation is measured, generated: as many layouts and kernels as asked for."""

LAYOUTS = 40

# One kernel is in the base of every kernel scenario: what all kernels share is paid for once.
KERNEL_BASE = ("float", "{1, 32, 28, 28}", "nchw", "nChw8c")
KERNELS = {
    "blocks": ("float", "{1, 64, 56, 56}", "nchw", "nChw16c"),
    "transpose": ("float", "{1, 64, 56, 56}", "nchw", "nhwc"),
    "tails": ("float", "{1, 67, 7, 7}", "nChw16c", "nchw"),
    "quads": ("std::int8_t", "{256, 256, 3, 3}", "oihw", "OIhw4i16o4i"),
}


def include(header):
    return f"#include <plait/{header}>\n"


def layouts(count):
    """Distinct static layouts, each permuted, renamed and asked for the position behind an offset."""
    source = include("typed/operations.hpp") + include("algebra/position_of.hpp")
    for i in range(count):
        source += f"""
constexpr auto layout_{i} = plait::layout_c<plait::layout({{{i + 2}, 17, 5, 4}}, "nChw16c")>;
constexpr auto permuted_{i} = permute_axes(layout_{i}, plait::permutation_c<0, 2, 3, 1>);
constexpr auto renamed_{i} = rename_axes(permuted_{i}, plait::permutation_c<0, 3, 1, 2>);
static_assert(position_of(renamed_{i}.value, layout_{i}.value.offset({i + 1}, 16, 2, 3)).has_value());
"""
    return source


def kernels(*added):
    """A function a kernel: the base, and those asked for by name."""
    source = include("reorder/reorder.hpp")
    for name, (element, dims, src, dst) in [("base", KERNEL_BASE)] + [(name, KERNELS[name]) for name in added]:
        source += f"""
void move_{name}(const {element}* in, {element}* out) {{
    plait::reorder<plait::layout({dims}, "{src}"), plait::layout({dims}, "{dst}")>(in, out);
}}
"""
    return source


class Scenario:
    """The cost of `source` beyond that of `base`, divided by `parts`; `seconds` is the budget of design section 8."""

    def __init__(self, name, source, base, seconds, parts=1, optimized=False):
        self.name, self.source, self.base = name, source, base
        self.seconds, self.parts, self.optimized = seconds, parts, optimized


SCENARIOS = [
    Scenario("include core/layout.hpp", include("core/layout.hpp"), "", 0.20),
    Scenario("include plait.hpp", include("plait.hpp"), "", 0.80),
    Scenario("one layout, three operations", layouts(LAYOUTS), layouts(0), 0.003, parts=LAYOUTS),
] + [
    Scenario(f"one kernel: {name}", kernels(name), kernels(), 0.150, optimized=True) for name in KERNELS
]
