"""The sources whose compilation is measured, generated: as many layouts and kernels as asked for."""

LAYOUTS = 40
DISTINCT = 64

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
    source = include("algebra/rename_axes.hpp") + include("typed/operations.hpp") + include("algebra/position_of.hpp")
    for i in range(count):
        source += f"""
constexpr auto layout_{i} = plait::layout_c<plait::layout({{{i + 2}, 17, 5, 4}}, "nChw16c")>;
constexpr auto permuted_{i} = plait::permute_axes(layout_{i}, plait::permutation_c<0, 2, 3, 1>);
constexpr auto renamed_{i} = plait::rename_axes(permuted_{i}, plait::permutation_c<0, 3, 1, 2>);
static_assert(position_of(renamed_{i}.value, layout_{i}.value.offset({i + 1}, 16, 2, 3)).has_value());
"""
    return source


# Operations on constants: the layout, with {i} for a number that makes it distinct, and what is done with it.
OPERATIONS = {
    "permute_axes": ('{{{i}, 17, 5, 4}}, "nChw16c"', "plait::permute_axes({l}, plait::permutation_c<0, 2, 3, 1>)"),
    "adapt": ('{{{i}, 17, 5, 4}}, "nChw16c"',
              "plait::adapt({l}, plait::axis_map_c<0, 1, 2, 3>, plait::axis_map_c<0, 2, 3, 1>)"),
    "reshape": ('{{{i}, 18, 5, 4}}, "nchw"', "plait::reshape({l}, plait::dims_c<{i}, 3, 6, 20>)"),
    "view": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::view({l}, plait::dims_c<{i}, 2, 32, 20>)"),
    "extended_reshape": ('{{{i}, 64, 5, 4}}, "nChw16c"',
                         "plait::extended_reshape({l}, plait::dims_c<{i}, 1280>, "
                         "plait::reshape_flags_c<plait::reshape_flags::allow_order_mismatch>)"),
    "split_axis": ('{{{i}, 18, 5, 4}}, "nchw"', "plait::split_axis({l}, number<1>, plait::dims_c<3, 6>)"),
    "join_axes": ('{{{i}, 18, 5, 4}}, "nchw"', "plait::join_axes({l}, number<2>, number<3>)"),
    "flatten": ('{{{i}, 18, 5, 4}}, "nchw"', "plait::flatten({l})"),
    "submemory": ('{{{i}, 64, 5, 4}}, "nChw16c"',
                  "plait::submemory({l}, plait::dims_c<1, 16, 3, 4>, plait::position_c<0, 16, 2, 0>)"),
    "slice": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::slice({l}, number<1>, number<17>)"),
    "broadcast_axis": ('{{{i}, 64, 1, 4}}, "nChw16c"', "plait::broadcast_axis({l}, number<2>, number<7>)"),
    "repeat": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::repeat({l}, number<1>, number<3>)"),
    "with_strides": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::with_strides({l}, plait::strides_c<1500, 350, 70, 16>)"),
    "canonical_form": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::canonical_form({l})"),
    "compose": ('{{{i}, 64, 5, 4}}, "nChw16c"', 'plait::compose({l}, plait::layout_c<plait::layout({{4, 5}}, "ba")>)'),
    "inverse": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::inverse({l})"),
    "complement": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::complement({l}, number<12800 * {i}>)"),
    "divide": ('{{{i}, 64, 5, 4}}, "nChw16c"', 'plait::divide({l}, plait::layout_c<plait::layout({{20}}, "a")>)'),
    "product": ('{{{i}, 8}}, "ab"', 'plait::product({l}, plait::layout_c<plait::layout({{4, 16}}, "ba")>)'),
    "concatenate": ('{{{i}, 64}}, "ab"',
                    "plait::concatenate({l}, plait::layout_c<plait::layout({{4}}, plait::strides{{4096 * {i}}})>)"),
    "tile": ('{{{i}, 64, 5, 4}}, "nChw16c"', "plait::tile({l}, plait::dims_c<1, 32, 5, 4>)"),
    "rearrange": ('{{{i}, 64, 5, 4}}, "nChw16c"', 'plait::rearrange<"n (g c) h w -> n g h w c", 4>({l})'),
}


def operations(name, applied):
    """Distinct layouts, and an operation on each."""
    made, done = OPERATIONS[name]
    source = include("algebra/operations.hpp") + include("typed/operations.hpp")
    source += include("algebra/rearrange.hpp") if name == "rearrange" else ""
    source += "template <int N> inline constexpr std::integral_constant<int, N> number{};\n"
    for i in range(2, DISTINCT + 2):
        source += f"constexpr auto layout_{i} = plait::layout_c<plait::layout({made.format(i=i)})>;\n"
        if applied:
            source += f"constexpr auto result_{i} = {done.format(i=i, l=f'layout_{i}')};\n"
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


# With attributes: pairs of f32 -> s8, so that what their types need is paid for once.
ATTRIBUTED = [("{1, 64, 56, 56}", "nchw", "nChw16c"), ("{128, 64, 3, 3}", "oihw", "OIhw16i16o"), ("{2, 96, 14, 14}", "nchw", "nhwc"),
              ("{64, 32, 5, 5}", "hwio", "OIhw4i16o4i"), ("{4, 60, 7, 7}", "nhwc", "nChw8c")]


def attributed_kernels(count):
    """A function for each of the first `count` pairs, with attributes that are known when it is called."""
    source = include("reorder/converted_rows.hpp")
    for i, (dims, src, dst) in enumerate(ATTRIBUTED[:count]):
        source += f"""
void move_{i}(const float* in, std::int8_t* out, const plait::reorder_attributes& attributes) {{
    plait::reorder<plait::layout({dims}, "{src}"), plait::layout({dims}, "{dst}")>(in, out, attributes);
}}
"""
    return source


def scaled_kernel(scaled):
    """A conversion without attributes; then with one scale, too."""
    source = include("reorder/reorder.hpp")
    for name, parameter, attributes in [("base", "", "")] + [("scaled", ", float scale", ", {.src_scale = scale}")] * scaled:
        source += f"""
void move_{name}(const float* in, std::int8_t* out{parameter}) {{
    plait::reorder<plait::layout({{1, 64, 56, 56}}, "nchw"), plait::layout({{1, 64, 56, 56}}, "nChw16c")>(in, out{attributes});
}}
"""
    return source


VIEWS = ["nchw", "nhwc", "chwn", "nChw8c", "nChw16c", "oihw", "hwio", "OIhw16i16o", "OIhw8i8o", "gOIhw16i16o"]


def views(applied):
    """One view of each of ten layouts, read and written in a loop."""
    source = include("view/tensor_view.hpp") + include("typed/constants.hpp")
    for i, tag in enumerate(VIEWS if applied else []):
        groups = tag.startswith("g")
        indices = ("0, " if groups else "") + "i, i, 0, 1"
        extents = ("2, " if groups else "") + "32, 32, 3, 4"
        source += f"""
float sum_{i}(plait::tensor_view<float, plait::layout_constant<plait::layout({{{extents}}}, "{tag}")>> v) {{
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += v({indices}) += v.block({"0, " if groups else ""}0, 0, 0, 1)[0];
    return sum;
}}
"""
    return source


def linked_reorder():
    """A reorder known at run time, planned and moved; the library has what does it."""
    return include("plait.hpp") + """
bool move(const plait::descriptor& src, const void* in, const plait::descriptor& dst, void* out) {
    const auto planned = plait::make_reorder(src, dst);
    return planned && (*planned)(in, out).ok();
}
"""


class Scenario:
    """The cost of `source` beyond that of `base`, divided by `parts`; `seconds` is the budget of design section 8."""

    def __init__(self, name, source, base, seconds, parts=1, optimized=False):
        self.name, self.source, self.base = name, source, base
        self.seconds, self.parts, self.optimized = seconds, parts, optimized

    @property
    def is_include(self):
        """Whether a header is included, and nothing else."""
        return self.name.startswith("include ")


# Headers of others, whose cost is the measure of plait's own.
PEERS = {"<regex>": "#include <regex>\n", "Eigen/Dense": "#include <Eigen/Dense>\n"}

SCENARIOS = [
    Scenario("include core/layout.hpp", include("core/layout.hpp"), "", 0.20),
    Scenario("include view/tensor_view.hpp", include("view/tensor_view.hpp"), "", 0.25),
    Scenario("include layouts.hpp", include("layouts.hpp"), "", 0.35),
    Scenario("include reorder/make_reorder.hpp", include("reorder/make_reorder.hpp"), "", 0.30),
    Scenario("include reorder/reorder.hpp", include("reorder/reorder.hpp"), "", 0.60),
    Scenario("include plait.hpp", include("plait.hpp"), "", 0.80),
    Scenario("include packed.hpp", include("packed.hpp"), "", 0.80),
    Scenario("one layout, three operations", layouts(LAYOUTS), layouts(0), 0.003, parts=LAYOUTS),
] + [
    Scenario(f"operation: {name}", operations(name, True), operations(name, False), 0.001, parts=DISTINCT)
    for name in OPERATIONS
] + [
    Scenario("a linked run-time reorder", linked_reorder(), include("plait.hpp"), 0.150, optimized=True),
    Scenario("ten views", views(True), views(False), 0.300, optimized=True),
] + [
    Scenario(f"one kernel: {name}", kernels(name), kernels(), 0.150, optimized=True) for name in KERNELS
] + [
    Scenario("one kernel with one scale", scaled_kernel(True), scaled_kernel(False), 1.000, optimized=True),
    Scenario("one kernel with attributes", attributed_kernels(len(ATTRIBUTED)), attributed_kernels(1), 0.500, parts=len(ATTRIBUTED) - 1,
             optimized=True),
]
