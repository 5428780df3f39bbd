"""Checks the architecture of include/plait: includes between layers, cycles, uses of the engine, and the rules for
headers.

usage: check_layers.py PROJECT. Prints the layers and what each includes, or every broken rule with its file and line.
"""

import pathlib
import re
import sys

GROUND = {"algebra", "core", "support"}
GIVEN = {"contract", "descriptor"} | GROUND
ENGINE = {"engine/plan", "engine/simd", "engine/kernel", "engine/quantize"}
MOVING = {"reorder"} | ENGINE | GIVEN
ALLOWED = {
    "support": {"support"},
    "core": {"core", "support"},
    "algebra": GROUND,
    "typed": {"typed"} | GROUND,
    "view": {"view", "typed"} | GROUND,
    "distribution": {"distribution"} | GROUND,
    "descriptor": {"descriptor"} | GROUND,
    "contract": GIVEN,
    "engine/plan": {"engine/plan"} | GIVEN,
    "engine/simd": {"engine/simd", "engine/plan"} | GIVEN,
    "engine/kernel": {"engine/kernel", "engine/simd", "engine/plan"} | GIVEN,
    "engine/quantize": ENGINE | GIVEN,
    "reorder": MOVING,
    "packed": {"packed", "view", "typed"} | MOVING,
    "implementation": {"implementation", "packed"} | MOVING,
    "graph": {"graph", "typed"} | MOVING,
    "bridge": {"bridge", "view", "typed"} | MOVING,
    "contents": {"contents", "view", "typed"} | MOVING,
    "interop": {"interop", "distribution", "view", "typed"} | MOVING,
    "io": {"io", "contents", "distribution", "graph", "packed", "typed"} | MOVING,
}
UMBRELLA = "plait.hpp"
# The umbrella of layouts, for units that move no data. Neither it nor its includes lead to intrinsics.
LAYOUTS = "layouts.hpp"
# The umbrella of packed weights.
PACKED = "packed.hpp"
LAYOUT_FOLDERS = {"core", "algebra", "typed", "view"}
INTRINSICS_INCLUDED = "engine/simd/intrinsics.hpp"  # defines the guard of <immintrin.h> for some lines
INTRINSICS = {"immintrin.h", "arm_neon.h", "x86intrin.h"}
# One unit of a program includes this header, unless the program links the library. DEFINITIONS are the headers that only
# it and the headers of its folder include; COMPILED_ONCE are all headers that it leads to and the umbrella does not.
IMPLEMENTATION = "implementation.hpp"
DEFINITIONS = {IMPLEMENTATION, "implementation", "reorder/bind_reorder.hpp", "reorder/plan_reorder.hpp", "reorder/reorder_choice.hpp", "packed/run_repack.hpp"}
COMPILED_ONCE = DEFINITIONS | {"engine/simd/avx512_vbmi.hpp"}
# Programs that convert rows between constant layouts include the first of these headers themselves: conversions of rows
# would add a tenth to what the umbrella costs to compile.
ROWS = ({"reorder/converted_rows.hpp"}
        | {"engine/quantize/" + name for name in
           ("cache_block_rows.hpp", "cache_block_shape.hpp", "cache_blocks.hpp", "constant_cache_blocks.hpp", "converting_plan.hpp", "converting_reorder.hpp",
            "converting_run.hpp", "kept_conversion.hpp", "row_converter.hpp", "value_conversion.hpp", "value_steps.hpp", "values_of_rows.hpp")}
        | {"engine/simd/" + name for name in
           ("avx2_rows.hpp", "avx512_rows.hpp", "byte_kernels.inl", "byte_lookup.hpp", "byte_windows.inl", "computed_rows.inl", "neon_rows.hpp",
            "nibble_lookup.inl", "portable_rows.hpp", "row_conversions.inl", "row_functions.inl", "small_rows.inl", "sse41_rows.hpp")})
# The umbrella leaves out headers that need other libraries, headers that are compiled once per program, and headers
# that programs which compute do not need. Of the latter, plans and choices as text would add a tenth to its compile
# time, and pictures an eighth; notations of other systems are left out too.
EXPLANATIONS = {"io/" + name for name in ("explain.hpp", "explain_choice.hpp", "graph_names.hpp", "print_distribution.hpp", "print_record.hpp", "text_table.hpp")}
NOTATIONS = {"io/" + name for name in
             ("cute_layout.hpp", "dtensor.hpp", "gspmd.hpp", "kv_layout.hpp", "linalg_pack.hpp", "onednn_format.hpp", "tvm_layout.hpp", "xla_layout.hpp")}
PICTURES = {"io/" + name for name in
            ("draw.hpp", "draw_choice.hpp", "draw_distribution.hpp", "draw_reorder.hpp", "drawing_options.hpp", "layered_drawing.hpp",
             "place_finder.hpp", "picture.hpp", "plane_grid.hpp", "print_layout.hpp",
             "xml_text.hpp")}
BESIDE = {"interop", "packed", PACKED, LAYOUTS} | COMPILED_ONCE | ROWS | EXPLANATIONS | NOTATIONS | PICTURES
# The interface for users does not contain the engine. The headers of WITHOUT_ENGINE do not name it. The functions of
# the others have no type of the engine in their parameters or result.
WITHOUT_ENGINE = {"core", "algebra", "typed", "view", "distribution", "descriptor", "contract", "graph", "bridge", "interop"}
SIGNATURES_WITHOUT_ENGINE = {"reorder", "contents", "io"}
# Headers of data must not lead to the search, so that a unit can use a plan without the code that makes plans.
DATA = {"engine/plan/" + name for name in
        ("plan.hpp", "byte_table.hpp", "split_plan.hpp", "staging.hpp", "tile_ends.hpp", "run_time_kernel.hpp")}
SEARCH = {"engine/plan/" + name for name in
          ("refinement.hpp", "choose_tile.hpp", "network.hpp", "make_plan.hpp")}
# The models of Boost.Hana are behind __has_include. No other header may include Boost.
WITH_BOOST = {"typed/hana_models.hpp"}
VERSION = "version.hpp"  # defines a macro; every header may include it
# Defines the other macro, with which every namespace is opened; every header may include it.
FLAGS = "unit_flags.hpp"
OPENED = "namespace plait::inline PLAIT_UNIT_FLAGS"
# The boundary to what a program compiles once has the same names in all units. These headers declare or define it.
BOUNDARY = "namespace plait::for_all_units"
WITH_BOUNDARY = {"engine/kernel/for_all_units.hpp", "engine/kernel/compiled_kernels.hpp", "reorder/planned_reorder.hpp", "reorder/plan_reorder.hpp",
                 "reorder/bind_reorder.hpp", "reorder/reorder_choice.hpp", "packed/repack_plan.hpp", "packed/run_repack.hpp", "implementation/rows.hpp", "implementation/tiles.hpp"}


def layer_of(name):
    return name.rpartition("/")[0]


def is_among(name, places):
    """Returns True if the header or its layer is one of the places."""
    return name in places or layer_of(name) in places


class Problems(list):
    """The broken rules: each has a header of include/plait and a line in it."""

    def __init__(self, texts):
        super().__init__()
        self.texts = texts

    def add(self, name, problem, found=None):
        """Adds a problem at the beginning of what a regular expression found, else in the first line."""
        self.append(f"include/plait/{name}:{line_at(self.texts[name], found.start()) if found else 1}: {problem}")

    def add_include(self, name, target, problem):
        """Adds a problem at the line of a header that includes the target."""
        self.add(name, problem, re.search(rf'#\s*include\s*[<"](plait/)?{re.escape(target)}[>"]', self.texts[name]))


def line_at(text, place):
    return text.count("\n", 0, place) + 1


def check_header(name, text, problems):
    if name.endswith(".hpp") and text.split("\n", 1)[0] != "#pragma once":
        problems.add(name, "does not begin with #pragma once")
    if name not in (VERSION, FLAGS, INTRINSICS_INCLUDED) and (macro := re.search(r"^[ \t]*#\s*define\b", text, re.MULTILINE)):
        problems.add(name, "defines a macro", macro)
    for opened in re.finditer(r"^[ \t]*(?:inline )?namespace plait\b[^{;]*", text, re.MULTILINE):
        if not re.match(re.escape(OPENED) + r"\b", opened[0]) and not (opened[0].startswith(BOUNDARY) and name in WITH_BOUNDARY):
            problems.add(name, f"opens a namespace without the flags of the unit: it begins `{OPENED}`", opened)
    if "detail" in name.split("/"):
        problems.add(name, "what is not for users is in namespace plait::detail, in the same folders: there is no folder `detail`")
    if layer_of(name) and layer_of(name) not in ALLOWED:
        problems.add(name, f"`{layer_of(name)}` is not a layer of check_layers.py")
    if not is_among(name, WITH_BOOST) and (boost := re.search(r'#\s*include\s*[<"]boost/', text)):
        problems.add(name, f"only these include Boost: {', '.join(sorted(WITH_BOOST))}", boost)


def includes_of(name, text, names, problems):
    """Returns the headers of plait that a header includes. Each must be included as <plait/...>."""
    found = []
    for include in re.finditer(r'^[ \t]*#\s*include\s*([<"])([^>"]+)[>"]', text, re.MULTILINE):
        bracket, target = include.groups()
        if bracket == '"':
            problems.add(name, f'includes "{target}" instead of <plait/...>', include)
        elif target.startswith("plait/"):
            inner = target.removeprefix("plait/")
            found.append(inner)
            if inner not in names:
                problems.add(name, f"includes <{target}>, which does not exist", include)
    return found


def check_edge(name, target, problems):
    if target in (UMBRELLA, LAYOUTS):
        problems.add_include(name, target, "includes the umbrella")
    elif is_among(target, DEFINITIONS) and not is_among(name, {IMPLEMENTATION, "implementation"} | DEFINITIONS):
        problems.add_include(name, target, f"includes {target}, of which a program has one copy, by {IMPLEMENTATION}")
    elif name not in (UMBRELLA, LAYOUTS, PACKED, IMPLEMENTATION) and target not in (VERSION, FLAGS) and layer_of(target) not in ALLOWED.get(layer_of(name), ()):
        problems.add_include(name, target, f"{layer_of(name) or 'the top'} may not include {target}")


def find_cycle(graph):
    """Returns a path of headers that leads back to its start; empty if there is none."""
    state = {}

    def visit(name, path):
        if state.get(name) == "done":
            return []
        if name in path:
            return path[path.index(name):] + [name]
        for target in graph.get(name, ()):
            cycle = visit(target, path + [name])
            if cycle:
                return cycle
        state[name] = "done"
        return []

    for name in graph:
        cycle = visit(name, [])
        if cycle:
            return cycle
    return []


def reached_from(start, graph):
    """Returns the header and all headers that it includes, directly or indirectly."""
    reached, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += graph.get(name, ())
    return reached


def check_flags(graph, texts, problems):
    """Checks that each header which opens a namespace leads to the macro in its name. Otherwise the inline namespace would
    have the name of the macro."""
    for name in sorted(graph):
        if name != FLAGS and "PLAIT_UNIT_FLAGS" in texts[name] and FLAGS not in reached_from(name, graph):
            problems.add(name, f"opens a namespace with PLAIT_UNIT_FLAGS, and does not lead to {FLAGS}", re.search("PLAIT_UNIT_FLAGS", texts[name]))


def check_umbrella(graph, problems):
    reached = reached_from(UMBRELLA, graph)
    for name in sorted(graph):
        if (name in reached) == is_among(name, BESIDE):
            problems.add(name, f"{UMBRELLA} {'leads' if name in reached else 'does not lead'} to it")


def check_layouts(graph, problems):
    """Checks that the umbrella of layouts has the includes of version.hpp and of LAYOUT_FOLDERS, as in plait.hpp.

    plait.hpp does not include the umbrella of layouts. Compilers print each file on the include path of an error, and
    one more file would push the sentence out of the first five lines (fail.first_lines).
    """
    wanted = [name for name in graph[UMBRELLA] if name == VERSION or layer_of(name) in LAYOUT_FOLDERS]
    if graph[LAYOUTS] != wanted:
        for name in sorted(set(graph[LAYOUTS]) ^ set(wanted)):
            problems.add_include(LAYOUTS, name, f"other lines than {UMBRELLA}: {name}")
        problems.add(LAYOUTS, f"its lines are not those of {UMBRELLA} in their order")


def check_order_of_texts(graph, texts, problems):
    """Checks that a text which is included once for each instruction set comes after those that it requires. The comment at
    its beginning names them: `Requires A.inl and B.inl before it`."""
    def read(name, begun):
        found = re.search(r"Requires (?!what)([^.]*?(?:\.inl[^.]*?)+) before\s", re.sub(r"\n//", "", texts[name]))
        for required in re.findall(r"\w+\.inl", found[1]) if found else ():
            if f"engine/simd/{required}" not in begun:
                problems.add(name, f"requires {required} before it, which is not included before it")
        begun.append(name)
        for target in graph[name]:
            if target.endswith(".inl"):
                read(target, begun)

    for name in sorted(graph):
        if layer_of(name) == "engine/simd" and name.endswith(".hpp"):
            begun, tiles = [], name.replace("_rows.hpp", ".hpp")  # NAME_rows.hpp continues the namespace of NAME.hpp
            if tiles != name and tiles in graph:
                read(tiles, begun)
            read(name, begun)


def check_intrinsics(graph, texts, problems):
    """Checks that layouts.hpp and make_reorder.hpp do not lead to the headers of intrinsics, which are a third of all
    includes."""
    for start in (LAYOUTS, "reorder/make_reorder.hpp"):
        for name in sorted(reached_from(start, graph)):
            for header in re.findall(r"#\s*include\s*<([^>]+)>", texts.get(name, "")):
                if header in INTRINSICS:
                    problems.add_include(name, header, f"{start} leads to {header}")


def function_heads(text):
    """Returns the text before the body of each function or the `;` of its declaration, except in namespaces `detail`.
    The code has no comments and strings."""
    heads, scopes, head = [], [], ""
    for character in text:
        if character in "{;}":
            inside = "body" in scopes or "hidden" in scopes
            if not inside and character != "}" and "(" in head and not re.search(r"\bconcept\b", head):
                heads.append(" ".join(head.split()))
            if character == "{" and re.search(r"\bnamespace\b[^()]*\bdetail\s*$", head):
                scopes.append("hidden")
            elif character == "{":
                scopes.append("outside" if re.search(r"\b(namespace|struct|class|union)\b[^()]*$", head) else "body")
            elif character == "}" and scopes:
                scopes.pop()
            head = ""
        else:
            head += character
    return heads


def check_engine_names(name, text, problems):
    """Checks that a header for users does not name the engine, or not in the signature of a function."""
    if layer_of(name) not in WITHOUT_ENGINE | SIGNATURES_WITHOUT_ENGINE:
        return
    # Blanks in their place keep the lines.
    code = re.sub(r'//[^\n]*|^[ \t]*#[^\n]*|"(?:[^"\\\n]|\\.)*"', lambda m: " " * len(m[0]), text, flags=re.MULTILINE)
    if layer_of(name) in WITHOUT_ENGINE:
        if found := re.search(r"\bengine::|\bnamespace engine\b", code):
            problems.add(name, "names the engine", found)
        return
    for head in function_heads(code):
        if "engine::" in head:
            words = r"\s+".join(map(re.escape, head.split()))
            problems.add(name, f"the engine is in a signature: {head}", re.search(words, code))


def check_data(graph, problems):
    for name in sorted(DATA):
        if name not in graph:
            problems.append(f"test/structure/check_layers.py:1: DATA has {name}, which does not exist")
            continue
        for found in sorted(SEARCH & reached_from(name, graph)):
            problems.add(name, f"is data, and leads to the search in {found}")


def check_formats(project, texts, problems):
    """Checks that the tag of each named format is its name, and that test/typed/formats.cpp tests the format."""
    tested = set(re.findall(r"(?:FORMAT|OF_\d)\((\w+)[,)]", (project / "test" / "typed" / "formats.cpp").read_text(encoding="utf-8")))
    named = [(header, found) for header, text in texts.items()
             for found in re.finditer(r'^struct (\w+) : listed_format<"([^"]*)"', text, re.MULTILINE)]
    for header, found in named:
        name, tag = found.groups()
        if name != tag:
            problems.add(header, f"{name} has the tag {tag}", found)
        if name not in tested:
            problems.add(header, f"{name} is not in the table of test/typed/formats.cpp", found)
    if not named:
        problems.append("test/structure/check_layers.py:1: found no named formats")


def check_readmes(root, problems):
    for folder in sorted({layer for layer in ALLOWED} | {"engine", "."}):
        readme = root / folder / "README.md"
        if not readme.exists() or not readme.read_text(encoding="utf-8").strip():
            problems.append(f"include/plait/{folder}/README.md:1: each folder has a README, and this one is missing or empty")


def check_users(project, names, problems):
    """Checks that the headers exist which tests, benchmarks, examples and the library include: most tiers do not compile all
    of them. A name with a placeholder of CMake is not checked."""
    for folder in ("bench", "examples", "src", "test"):
        for path in sorted((project / folder).rglob("*")):
            if path.suffix not in (".cpp", ".hpp", ".inl", ".c", ".cu"):
                continue
            text = path.read_text(encoding="utf-8")
            for include in re.finditer(r"^[ \t]*#\s*include\s*<plait/([^>@]+)>", text, re.MULTILINE):
                if include[1] not in names:
                    problems.append(f"{path.relative_to(project)}:{line_at(text, include.start())}: includes <plait/{include[1]}>, which does not exist")


def draw(graph):
    print("each layer with the number of its headers, and what it includes:\n")
    for layer, allowed in ALLOWED.items():
        members = [name for name in graph if layer_of(name) == layer]
        edges = [layer_of(target) for name in members for target in graph[name]]
        below = [f"{other} ({edges.count(other)})" for other in ALLOWED if other in edges and other != layer]
        print(f"  {layer:15} {len(members):3}   -> {', '.join(below) or 'nothing'}")
    print(f"\n{len(graph)} headers")


def main():
    project = pathlib.Path(sys.argv[1])
    root = project / "include" / "plait"
    texts = {str(path.relative_to(root)): path.read_text(encoding="utf-8")
             for path in sorted(root.rglob("*")) if path.suffix in (".hpp", ".inl")}
    problems, graph = Problems(texts), {}
    for name, text in texts.items():
        check_header(name, text, problems)
        graph[name] = includes_of(name, text, texts, problems)
        for target in graph[name]:
            check_edge(name, target, problems)
        check_engine_names(name, text, problems)
        if layer_of(name) in ("algebra", "view", "bridge") and not (project / "test" / name).with_suffix(".cpp").exists():
            problems.add(name, f"there is no test/{name.removesuffix('.hpp')}.cpp")
    cycle = find_cycle(graph)
    if cycle:
        problems.add_include(cycle[0], cycle[1], "a cycle: " + " -> ".join(cycle))
    check_flags(graph, texts, problems)
    check_umbrella(graph, problems)
    check_layouts(graph, problems)
    check_intrinsics(graph, texts, problems)
    check_data(graph, problems)
    check_order_of_texts(graph, texts, problems)
    check_readmes(root, problems)
    check_formats(project, texts, problems)
    check_users(project, {str(path.relative_to(root)) for path in root.rglob("*")}, problems)
    if problems:
        print("\n".join(problems))
        return 1
    draw(graph)
    return 0


if __name__ == "__main__":
    sys.exit(main())
