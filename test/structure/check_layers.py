"""Checks the architecture of include/plait: which layer may include which, no cycles, and the rules for a header.

usage: check_layers.py PROJECT. Prints the layers and what each includes, or every broken rule.
"""

import pathlib
import re
import sys

ALLOWED = {
    "support": {"support"},
    "core": {"core", "support"},
    "algebra": {"algebra", "core", "support"},
    "typed": {"typed", "algebra", "core", "support"},
    "view": {"view", "typed", "algebra", "core", "support"},
    "reorder": {"reorder", "algebra", "core", "support"},
    "graph": {"graph", "reorder", "typed", "algebra", "core", "support"},
    "runtime": {"runtime", "reorder", "algebra", "core", "support"},
    "bridge": {"bridge", "runtime", "reorder", "view", "typed", "algebra", "core", "support"},
    "contents": {"contents", "runtime", "reorder", "view", "typed", "algebra", "core", "support"},
    "interop": {"interop", "runtime", "reorder", "view", "typed", "algebra", "core", "support"},
    "io": {"io", "contents", "runtime", "graph", "typed", "reorder", "algebra", "core", "support"},
}
UMBRELLA = "plait.hpp"
# Not part of the umbrella: what needs other libraries; what only says that code is linked and not compiled, which holds
# for who links with plait::c; and pictures, which programs that compute do not draw, and which cost an eighth of it.
BESIDE = {"interop", "reorder/compiled.hpp", "io/draw_choice.hpp", "io/layered_drawing.hpp"}
# Boost.Hana is for lists of types: the layouts of typed/.
WITH_BOOST = {"typed"}
VERSION = "version.hpp"  # includes nothing, has the one macro, and may be included by all: it refuses other languages
MOST_LINES = 250
LONGER = {"typed/formats.hpp", "core/reasons.hpp"}  # lists: one line a format, two a reason


def layer_of(name):
    return name.split("/")[0] if "/" in name else ""


def is_among(name, places):
    """Whether a header, or its layer, is one of them."""
    return name in places or layer_of(name) in places


def check_header(name, text, problems):
    lines = text.splitlines()
    if name.endswith(".hpp") and lines[:1] != ["#pragma once"]:
        problems.append(f"{name}: does not begin with #pragma once")
    if len(lines) > MOST_LINES and name not in LONGER:
        problems.append(f"{name}: {len(lines)} lines, more than {MOST_LINES}")
    if name != VERSION and re.search(r"^\s*#\s*define\b", text, re.MULTILINE):
        problems.append(f"{name}: defines a macro")
    if "detail" in name.split("/"):
        problems.append(f"{name}: nothing is hidden in a folder `detail`")
    if layer_of(name) and layer_of(name) not in ALLOWED:
        problems.append(f"{name}: `{layer_of(name)}` is not a layer that this test knows")
    if not is_among(name, WITH_BOOST) and re.search(r'#\s*include\s*[<"]boost/', text):
        problems.append(f"{name}: only these include Boost: {', '.join(sorted(WITH_BOOST))}")


def includes_of(name, text, names, problems):
    """The headers of plait that one includes, each with <plait/...>."""
    found = []
    for bracket, target in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text, re.MULTILINE):
        if bracket == '"':
            problems.append(f'{name}: includes "{target}" instead of <plait/...>')
        elif target.startswith("plait/"):
            inner = target.removeprefix("plait/")
            found.append(inner)
            if inner not in names:
                problems.append(f"{name}: includes <{target}>, which does not exist")
    return found


def check_edge(name, target, problems):
    if target == UMBRELLA:
        problems.append(f"{name}: includes the umbrella")
    elif name != UMBRELLA and target != VERSION and layer_of(target) not in ALLOWED.get(layer_of(name), ()):
        problems.append(f"{name}: {layer_of(name) or 'the top'} may not include {target}")


def find_cycle(graph):
    """A path of headers that leads back to its start; empty if there is none."""
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


def check_umbrella(graph, problems):
    reached, todo = set(), [UMBRELLA]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += graph.get(name, ())
    for name in sorted(graph):
        if (name in reached) == is_among(name, BESIDE):
            problems.append(f"{name}: {UMBRELLA} {'leads' if name in reached else 'does not lead'} to it")


def draw(graph):
    print(f"{len(graph)} headers; each layer with the number of its headers, and what it includes:\n")
    for layer, allowed in ALLOWED.items():
        members = [name for name in graph if layer_of(name) == layer]
        edges = [layer_of(target) for name in members for target in graph[name]]
        below = [f"{other} ({edges.count(other)})" for other in ALLOWED if other in edges and other != layer]
        print(f"  {layer:8} {len(members):3}   -> {', '.join(below) or 'nothing'}")


def main():
    project = pathlib.Path(sys.argv[1])
    root = project / "include" / "plait"
    texts = {str(path.relative_to(root)): path.read_text(encoding="utf-8")
             for path in sorted(root.rglob("*")) if path.suffix in (".hpp", ".inl")}
    problems, graph = [], {}
    for name, text in texts.items():
        check_header(name, text, problems)
        graph[name] = includes_of(name, text, texts, problems)
        for target in graph[name]:
            check_edge(name, target, problems)
        if layer_of(name) in ("algebra", "view", "bridge") and not (project / "test" / name).with_suffix(".cpp").exists():
            problems.append(f"{name}: no test/{name.removesuffix('.hpp')}.cpp")
    cycle = find_cycle(graph)
    if cycle:
        problems.append("a cycle: " + " -> ".join(cycle))
    check_umbrella(graph, problems)
    if problems:
        print("\n".join(problems))
        return 1
    draw(graph)
    return 0


if __name__ == "__main__":
    sys.exit(main())
