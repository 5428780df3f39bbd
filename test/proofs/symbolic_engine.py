#!/usr/bin/env python3
"""Makes the loops of the engine computable with symbolic numbers: symbolic_engine.py INCLUDE OUTPUT.

The output has the text of the headers, with `number` for dim_t and `place` for pointers to bytes. Loops over all steps
become one step, of which nothing is known but that it is one (any_step, any_below in symbolic.hpp): the state at its
begin is the one that the invariant states, and the state at its end is compared with it. A text that is not found is an
error, so that a change of the headers cannot leave the proof behind."""

import pathlib
import re
import sys

PLAN, KERNEL = "plait/engine/plan", "plait/engine/kernel"
# What symbolic.hpp defines between the pieces.
PLANS, BUILDING, TILES = ('#include "proofs/symbolic_plan.inl"', '#include "proofs/symbolic_building.inl"', '#include "proofs/symbolic_tiles.inl"')


def cut(text, begin, end, file):
    first = text.find(begin)
    last = text.find(end, first)
    if first < 0 or last < 0:
        sys.exit(f"symbolic_engine.py: {file} has no text from {begin!r} to {end!r}")
    return text[first:last + len(end)]


def replace(text, old, new, times=1):
    if text.count(old) != times:
        sys.exit(f"symbolic_engine.py: {old!r} is there {text.count(old)} times, not {times}")
    return text.replace(old, new)


def symbolic(text):
    text = re.sub(r"\binline constexpr dim_t\b", "inline const number", text)
    text = re.sub(r"(?<!if )(?<!static )(?<!inline )\bconstexpr ", "", text)
    text = re.sub(r"\bdim_t\b", "number", text)
    text = re.sub(r"(const )?std::byte\*", "place", text)
    text = text.replace("[[gnu::always_inline]] ", "").replace(" noexcept", "")
    return text


def main():
    root, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

    def pieces(file, *ranges):
        text = (root / file).read_text(encoding="utf-8")
        return "\n".join(cut(text, begin, end, file) for begin, end in ranges)

    plan = pieces(f"{PLAN}/plan.hpp",
                  ("struct uneven_step {", "\n};"), ("using uneven_step_list", ";"), ("struct uneven_offsets {", "\n};"),
                  ("[[gnu::always_inline]] constexpr uneven_offsets uneven_within(", "\n}"),
                  ("[[gnu::always_inline]] constexpr uneven_offsets uneven_behind(", "\n}"),
                  ("struct tile_bit {", "\n};"), ("struct plan_loop {", "\n};"), ("struct plan_bound {", "\n};"))
    plan = re.sub(r"\n    constexpr bool operator==\(.*\) const = default;", "", plan)
    ends = pieces(f"{PLAN}/tile_ends.hpp", ("template <int Bounds = max_bounds>\nstruct remaining_extents {", "\n};"))
    # Numbers have no limit here; that they fit is the refinement's (reach_fits).
    ends = replace(ends, "static_cast<dim_t>(static_cast<std::uint64_t>(remaining) - static_cast<std::uint64_t>(count))", "remaining - count")
    ends = replace(ends, "const std::byte* src_end = nullptr;", "place src_end;")
    walk = pieces(f"{PLAN}/run_time_kernel.hpp", ("struct tile_step {", "\n};"), ("struct tile_walk {", "\n};"), ("struct kernel_walk {", "\n};"))
    order = pieces(f"{PLAN}/order_loops.hpp", ("constexpr plan_loop cut_off(plan_loop& loop, dim_t steps) {", "\n}"),
                   ("constexpr void join_loops(reorder_plan& plan) {", "\n}"))
    nodes = pieces(f"{PLAN}/refinement.hpp", ("struct reorder_node {", "\n};"), ("struct axis_bound {", "\n};"))
    nodes = re.sub(r"\n    constexpr bool operator==\(.*\) const = default;", "", nodes)
    only = pieces(f"{PLAN}/refinement.hpp", ("    constexpr bool is_only_node(", "\n    }"))
    around = pieces(f"{PLAN}/make_plan.hpp", ("class plan_around_tile {", "\n};"))
    parts = pieces(f"{PLAN}/split_plan.hpp", ("struct plan_part {", "\n};"), ("struct plan_split {", "\n};"),
                   ("constexpr plan_part part_of(const reorder_plan& plan, const plan_split& split, int chunk, int chunks) {", "\n}"),
                   ("constexpr reorder_plan plan_of_part(const reorder_plan& plan, const plan_part& part) {", "\n}"))
    parts = re.sub(r"\n    constexpr bool operator==\(.*\) const = default;", "", parts)
    loops = pieces(f"{KERNEL}/run_time_loops.hpp", ("inline constexpr dim_t box_bytes", ";"), ("class run_time_loops {", "\n};"))
    loops = replace(loops, "for (dim_t i = 0; i < loop.extent; ++i) {", "const number i = any_step(loop, src, dst, remaining); {")
    loops = replace(loops, "        remaining.move_on(loop.bound, loop.overlap - loop.extent * loop.index_step);",
                    "        is_next_step(loop, i, src, dst, remaining);\n"
                    "        remaining.move_on(loop.bound, loop.overlap - loop.extent * loop.index_step);\n"
                    "        is_first_step(loop, i, remaining);")
    loops = replace(loops, "for (dim_t i = 0; i < range.count; ++i)", "if (const number i = any_of_range(range.count, range.src, range.dst, src, dst); true)")
    # Which loops are cut into boxes depends on sizes; any number of them may be.
    loops = replace(loops, "boxes_from_(first_loop_of_boxes(plan))", "boxes_from_(any_number(plan.loops.size() + 1))")
    loops = re.sub(r"    static int first_loop_of_boxes\(.*?\n    }\n", "", loops, flags=re.S)
    loops = replace(loops, "struct filled_staging_buffer;", "struct filled_staging_buffer {};")
    # Staging buffers are compared by enumeration.
    loops = re.sub(r"    void run_staged\(.*", "};", loops, flags=re.S)
    loops = replace(loops, "if (plan_.staged_from >= 0) run_staged(src, dst, remaining);\n        else run_loops", "run_loops")
    loops = replace(loops, "if (staged != nullptr) return next_strip(*staged, src, dst, remaining);", "static_cast<void>(staged);")
    static = pieces("plait/engine/simd/kernel.inl",
                    ("template <int Bounds, class Remaining>\n[[gnu::always_inline]] inline void step_back(", "\n}"),
                    ("template <int Bounds, class Remaining>\n[[gnu::always_inline]] inline void take_step(", "\n}"),
                    ("template <class Tile, int Bounds, bool Invariant, bool Stream, int Loops, class Remaining, class... Part>", "\n}"))
    static = replace(static, "for (dim_t i = begin_of(plan, first, part...); i < end_of(plan, first, part...); ++i) {",
                     "const number i = any_step(loop, src, dst, remaining); {")
    static = replace(static, "            take_step<Bounds>(plan, loop, i, src, dst, remaining);\n        }",
                     "            take_step<Bounds>(plan, loop, i, src, dst, remaining);\n        }\n"
                     "        is_next_step(loop, i, src, dst, remaining);\n        asked().begins.pop_back();")
    text = "// Made by symbolic_engine.py of the headers of the engine.\n" + "\n".join(
        symbolic(part) for part in (plan, nodes, PLANS, "struct refinement : nodes_of_axes {", only, "};", BUILDING, ends, walk, order, around, parts, TILES, loops, static))
    output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
