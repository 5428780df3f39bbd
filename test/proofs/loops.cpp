// Decides the loops around tiles for all extents, with Z3: the text of the headers is computed with numbers of which
// only conditions are known (symbolic_engine.py). Prints what was proved, and fails with a counterexample.
// docs/design/proofs.md says what follows from it.
//
// usage: plait_moved_loops [GROUP] [--share N/M] [--threads COUNT]. A group is one that it prints, as 'two axes'.
#include "pieces_of_work.hpp"
#include "symbolic.hpp"

#include <plait/support/inline_list.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace symbolic { namespace {
using plait::inline_list;
#include "symbolic_engine.inl"

/// An axis of a tensor, and how it is looped over.
struct axis_shape {
    int tile_bits = 0;                       ///< of the innermost node
    std::int64_t inner = 0;                  ///< the extent of the inner node of two; 0: there is one node
    bool has_ends = false;                   ///< true if the tensor may have padding, so that tiles are masked
    std::int64_t strip = 0;                  ///< steps that are cut off the loop; 0: none
    std::vector<std::int64_t> periods = {};  ///< of uneven steps of the outer node of two
};

std::string text_of(const axis_shape& a) {
    return (a.inner != 0 ? "blocks of " + std::to_string(a.inner) + ", " : "") + "tiles of " +
           std::to_string(std::int64_t{1} << a.tile_bits) + (a.has_ends ? ", masked" : "") +
           (a.strip != 0 ? ", strips of " + std::to_string(a.strip) : "") +
           (a.periods.empty() ? "" : ", " + std::to_string(a.periods.size()) + " uneven steps");
}

/// A plan of one or two axes, all of whose extents are any numbers.
struct any_plan {
    refinement r;
    tile_choice tile;
    reorder_plan plan;

    /// Builds the plan as make_plan does. Ends the run if that is not possible.
    void build(const std::vector<axis_shape>& axes, question& ask) {
        ask = {};
        ask.axes_used = static_cast<int>(axes.size());
        for (int a = 0; a < ask.axes_used; ++a) add_axis(a, axes[static_cast<std::size_t>(a)], ask);
        plan_around_tile building(plan, r, tile);
        building.add_tile({});
        if (!building.add_loops(true) || !building.add_bounds()) throw run_ends{};
        for (int a = 0; a < ask.axes_used; ++a) {
            for (const tile_bit& bit : plan.bits)
                if (bit.axis == a) ask.tile[a] += bit.index_step;
            for (const plan_loop& loop : plan.loops)
                if (loop.axis == a && loop.bound >= 0) ask.bound[a] = loop.bound;
            // An axis without a loop has its bound in the tile alone.
            for (int b = 0; b < plan.bits.size(); ++b)
                if (plan.bits[b].axis == a && plan.pattern.bounds[b] >= 0) ask.bound[a] = plan.pattern.bounds[b];
            ask.index[a] = any_number_from(0);
            the_search().assume(ask.index[a].term() < ask.stored[a].term());
        }
        ask.plan = &plan;
        cut_strips(axes);
        if (plan.loops.empty()) plan.loops.push_back({.extent = 1});
    }
    /// Puts the loops in one of their orders, each in a run of its own.
    void order() {
        for (int k = 0; k + 1 < plan.loops.size(); ++k) {
            const int from = k + the_search().any_number(plan.loops.size() - k);
            std::swap(plan.loops[k], plan.loops[from]);
        }
    }

private:
    void add_axis(int a, const axis_shape& shape, question& ask) {
        const number valid = any_number_from(0), stored = any_number_from(0);
        ask.valid[a] = valid;
        ask.stored[a] = ask.extent[a] = stored;
        if (shape.has_ends) the_search().assume(valid.term() <= stored.term());
        else the_search().assume(valid.term() == stored.term());
        r.bounds.push_back({valid, stored});
        const auto steps = [&](number step) {
            if (ask.axes_used == 1) return std::pair{3 * step, step};
            return a == 0 ? std::pair{step, number(0)} : std::pair{number(0), step};
        };
        const auto add = [&](const number& extent, const number& step, int bits) {
            const auto [src, dst] = steps(step);
            const int node = r.nodes.size();
            for (int bit = 0; bit < bits; ++bit) tile.bits.push_back({node, bit});
            tile.taken[node] = bits;
            r.nodes.push_back({.axis = a, .extent = extent, .index_step = step, .src = src, .dst = dst});
        };
        if (shape.inner == 0) return add(stored, 1, shape.tile_bits);
        add(shape.inner, 1, shape.tile_bits);
        add(divide_up(stored, shape.inner), shape.inner, 0);
        r.nodes[r.nodes.size() - 1].is_uneven = !shape.periods.empty();
        ask.uneven_index_step = shape.inner;
        std::int64_t more = 7;
        for (const std::int64_t period : shape.periods) {
            r.uneven_steps.push_back({a, period, more, 0});
            more = -2 * more;
        }
    }
    void cut_strips(const std::vector<axis_shape>& axes) {
        for (int k = plan.loops.size() - 1; k >= 0; --k) {
            const std::int64_t strip = axes[static_cast<std::size_t>(plan.loops[k].axis)].strip;
            if (strip == 0 || !(plan.loops[k].extent > strip)) continue;
            // Loops with bounds are cut only where the steps divide them (steps_to_cut).
            if (plan.loops[k].bound >= 0 && plan.loops[k].extent % strip != 0) continue;
            const plan_loop before = plan.loops[k];
            const plan_loop inner = cut_off(plan.loops[k], strip);
            plan.loops.push_back(inner);
            if (before.overlap != 0) continue;  // such loops stay cut
            reorder_plan joined;
            joined.loops.push_back(plan.loops[k]);
            joined.loops.push_back(inner);
            join_loops(joined);
            the_search().prove(the_search().context.bool_val(joined.loops.size() == 1), "cut loops are joined again");
            const plan_loop& again = joined.loops[0];
            prove_equal(again.extent, before.extent, "a loop that is cut and joined: extent");
            prove_equal(again.overlap, before.overlap, "a loop that is cut and joined: overlap");
            prove_equal(again.src, before.src, "a loop that is cut and joined: source");
        }
    }
};

/// The loops of a static plan, or of one that is read at run time.
void run(any_plan& of, bool is_static) {
    if (is_static) {
        const remaining_extents<> remaining(of.plan, {0});
        const static_tile::offset_table offsets;
        switch (of.plan.loops.size()) {
            case 1: return run_loops<static_tile, 0, false, false, 1>(of.plan, offsets, 0, {0}, {0}, remaining);
            case 2: return run_loops<static_tile, 0, false, false, 2>(of.plan, offsets, 0, {0}, {0}, remaining);
            case 3: return run_loops<static_tile, 0, false, false, 3>(of.plan, offsets, 0, {0}, {0}, remaining);
            default: return run_loops<static_tile, 0, false, false, 4>(of.plan, offsets, 0, {0}, {0}, remaining);
        }
    }
    const run_time_kernel kernel;
    const run_time_offsets offsets;
    found_edges found;
    run_time_loops(of.plan, kernel, offsets, false, found).run({0}, {0});
}
/// Proves that each tile is right, or that each index has a tile.
void decide(const std::vector<axis_shape>& axes, bool is_static, bool looks) {
    std::string of = text_of(axes[0]);
    for (std::size_t k = 1; k < axes.size(); ++k) of += "; " + text_of(axes[k]);
    the_search().all_runs(of + (is_static ? ", static" : "") + (looks ? ": each index" : ": each tile"), [&] {
        any_plan any;
        question& ask = asked();
        any.build(axes, ask);
        any.order();
        ask.looks_for_index = looks;
        try {
            run(any, is_static);
        } catch (const run_ends&) {  // the tile was found, or a loop has no steps
        }
        if (looks) the_search().prove(the_search().context.bool_val(ask.found), "an index has a tile");
    });
}

/// The parts of threads: they are the steps of the loop, each once.
void decide_parts(int chunks, std::int64_t unit) {
    the_search().all_runs("parts of " + std::to_string(chunks) + ", units of " + std::to_string(unit), [&] {
        reorder_plan plan;
        const number extent = any_number_from(0);
        const number stored = any_number_from(0);
        // The last step stays with the one before if it moves back: see units_of.
        const bool overlaps = the_search().any_number(2) == 1;
        plan.loops.push_back({.extent = extent, .src = 3, .dst = 5, .bound = 0, .index_step = 2});
        plan.loops[0].overlap = overlaps ? 1 : 0;
        plan.bounds.push_back({stored, stored, 1});
        const number steps = extent - (overlaps ? 1 : 0);
        if (steps < 0) return;
        const plan_split split{0, unit, divide_up(steps, unit)};
        number next = 0;
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const plan_part part = part_of(plan, split, chunk, chunks);
            if (part.is_empty()) continue;
            prove_equal(part.begin, next, "a part begins where the one before ends");
            const reorder_plan of_part = plan_of_part(plan, part);
            prove_equal(of_part.src_offset, 3 * part.begin, "a part as a plan of its own: where it begins");
            prove_equal(of_part.loops[0].extent, part.end - part.begin, "a part as a plan: its steps");
            prove_equal(of_part.loops[0].overlap, part.end == extent && overlaps ? 1 : 0, "a part moves back");
            prove_equal(of_part.bounds[0].stored, stored - 2 * part.begin, "a part as a plan: what remains");
            next = part.end;
        }
        if (split.units > 0) prove_equal(next, extent, "the last part ends with the loop");
    });
}

/// The walk that a kernel runs goes from tile to tile: its steps are those of the loops. The numbers are any ones, so
/// that the proof is for all of them; run_walk goes through the states that are compared here.
void decide_walks() {
    the_search().all_runs("walks", [] {
        tile_walk walk;
        walk.planes = any_number_from(1), walk.rows = any_number_from(1), walk.tiles = any_number_from(1);
        number* const steps[] = {&walk.src_plane, &walk.dst_plane, &walk.src_row,     &walk.dst_row,
                                 &walk.src_tile,  &walk.dst_tile,  &walk.overlap_src, &walk.overlap_dst};
        for (number* const step : steps) *step = number(the_search().any());
        walk.has_overlap = the_search().any_number(2) == 1;
        const kernel_walk kernel(walk);
        const number plane(the_search().any()), row(the_search().any()), tile(the_search().any());
        const auto at = [&](const number& p, const number& r, const number& t, bool source) {
            return source ? p * walk.src_plane + r * walk.src_row + t * walk.src_tile
                          : p * walk.dst_plane + r * walk.dst_row + t * walk.dst_tile;
        };
        for (const bool source : {true, false}) {
            const auto of = [source](const tile_step& step) { return source ? step.src : step.dst; };
            const number back = source ? walk.overlap_src : walk.overlap_dst;
            prove_equal(at(plane, row, tile, source) + of(kernel.step), at(plane, row, tile + 1, source),
                        "the next tile");
            // After the tiles of a row: one step past the last one, which was moved back if there is an overlap.
            number end = at(plane, row, walk.tiles, source);
            if (walk.has_overlap) {
                prove_equal(of(kernel.overlap), back, "the tile that is moved back");
                end = end - back + of(kernel.step);
            }
            prove_equal(end + of(kernel.to_row), at(plane, row + 1, 0, source), "the next row");
            number last = at(plane, walk.rows - 1, walk.tiles, source);
            if (walk.has_overlap) last = last - back + of(kernel.step);
            prove_equal(last + of(kernel.to_plane), at(plane + 1, 0, 0, source), "the next plane");
        }
    });
}

/// Lanes below an end: of steps of `index_step`, the first ceil(remaining / index_step) begin below it. See
/// lanes_below, whose masks of that many steps are enumerated by plait_moved_tiles.
void decide_lanes_below() {
    the_search().all_runs("lanes below an end", [] {
        const number remaining = any_number_from(1), index_step = any_number_from(1), steps = any_number_from(0);
        // The steps are what divide_down(remaining + index_step - 1, index_step) is, by the definition of division.
        for (int lane = 0; lane < 64; ++lane)
            for (int count = 1; count <= 64; ++count) {
                const z3::expr is_count = steps.term() == number(count).term() &&
                                          ((count - 1) * index_step).term() < remaining.term() &&
                                          remaining.term() <= (count * index_step).term();
                const z3::expr is_below = (lane * index_step).term() < remaining.term();
                the_search().prove(z3::implies(is_count, lane < count ? is_below : !is_below), "a lane below an end");
            }
    });
}

/// If all steps are multiples of a cache line, each tile begins at one (line_alignment, which is their lowest set bit).
void decide_alignment() {
    z3::context context;
    z3::solver solver(context);
    const auto any = [&](const char* name) { return context.bv_const(name, 64); };
    const z3::expr a = any("a"), b = any("b"), i = any("i"), j = any("j"), line = context.bv_val(64, 64);
    const z3::expr zero = context.bv_val(0, 64), steps = a | b, lowest = steps & -steps;
    solver.add(z3::urem(lowest, line) == zero && steps != zero);
    // Of products of 64 bits only the lowest six bits matter, so they are computed with six.
    const auto low = [](const z3::expr& e) { return e.extract(5, 0); };
    solver.add(low(i) * low(a) + low(j) * low(b) != context.bv_val(0, 6));
    ++the_search().claims;
    if (solver.check() != z3::unsat) the_search().fail(the_search().wrong, "alignment to cache lines");
}

/// Shapes that are printed together, and what was found of them. Threads share it.
struct shape_group {
    explicit shape_group(const char* of) : name(of) {}
    const char* name;
    std::atomic<std::uint64_t> shapes{}, runs{}, claims{}, wrong{}, undecided{};

    /// Adds the work of a shape. `size` is its time, roughly.
    void add(proofs::pieces_of_work& work, std::uint64_t size, const std::function<void()>& decide_shape,
             bool is_first = true) {
        work.add(size, [this, decide_shape, is_first] {
            const search& all = the_search();
            const std::uint64_t before[] = {all.runs, all.claims, all.wrong, all.undecided};
            const auto begin = std::chrono::steady_clock::now();
            decide_shape();
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
            if (time.count() > 10) std::fprintf(stderr, "%s: a piece of %.0f s is done\n", name, time.count());
            shapes += is_first;
            runs += all.runs - before[0], claims += all.claims - before[1];
            wrong += all.wrong - before[2], undecided += all.undecided - before[3];
        });
    }
    /// Adds the loops of run-time and static plans, and both questions about them.
    void add(proofs::pieces_of_work& work, const std::vector<axis_shape>& axes) {
        const std::uint64_t size = axes.size() == 1 ? 10 : 1000;
        for (const bool is_static : {false, true})
            for (const bool looks : {false, true})
                add(
                    work, size, [=] { decide(axes, is_static, looks); }, !is_static && !looks);
    }
};

}  // namespace
}  // namespace symbolic

int main(int count, char** words) {
    using namespace symbolic;
    const auto begin = std::chrono::steady_clock::now();
    proofs::part_of_work part;
    std::string_view wanted;  // a group of shapes; all of them if it is empty
    for (int k = 1; k < count; ++k) {
        if (part.read(count, words, k)) continue;
        if (!wanted.empty() || words[k][0] == '-') {
            std::fputs("usage: plait_moved_loops [GROUP] [--share N/M] [--threads COUNT]\n", stderr);
            return 2;
        }
        wanted = words[k];
    }
    std::vector<axis_shape> single, few, blocks, strips, uneven;
    for (const int bits : {0, 1, 2, 3, 4, 6, 10})
        for (const bool has_ends : {false, true}) single.push_back({bits, 0, has_ends, 0});
    for (const int bits : {0, 2, 4})
        for (const bool has_ends : {false, true}) few.push_back({bits, 0, has_ends, 0});
    // The steps inside a block are as many as the block has tiles: up to four.
    for (const auto& [inner, bits] : {std::pair{2, 0}, {3, 0}, {8, 3}, {8, 2}, {12, 2}, {16, 4}, {48, 4}})
        blocks.push_back({bits, inner, true, 0});
    // Of masked tiles the steps inside a strip are gone through one by one, so strips are short.
    for (const int bits : {0, 2, 4}) {
        for (const int strip : {2, 3, 7, 16, 35}) strips.push_back({bits, 0, false, strip});
        for (const int strip : {2, 3}) strips.push_back({bits, 0, true, strip});
    }
    for (const auto& [inner, bits] : {std::pair{1, 0}, {4, 0}, {16, 3}})
        for (const std::vector<std::int64_t>& periods : {std::vector<std::int64_t>{2}, {3}, {2, 3}, {3, 4}})
            uneven.push_back({bits, inner, true, 0, periods});

    std::deque<shape_group> groups;
    proofs::pieces_of_work work;
    const auto start = [&](const char* name) -> shape_group* {
        return wanted.empty() || wanted == name ? &groups.emplace_back(name) : nullptr;
    };
    const auto each = [&](const char* name, const std::vector<axis_shape>& of) {
        if (shape_group* const group = start(name))
            for (const axis_shape& a : of) group->add(work, {a});
    };
    // Beside tiles of 1 and 4.
    const auto beside_others = [&](const char* name, const axis_shape& of) {
        if (shape_group* const group = start(name))
            for (const axis_shape& a : few)
                if (a.tile_bits < 4) group->add(work, {a, of});
    };
    // Pairs of axes, each once: the loops are put in every order, and no code knows which axis is which.
    if (shape_group* const group = start("two axes"))
        for (std::size_t a = 0; a < few.size(); ++a)
            for (std::size_t b = a; b < few.size(); ++b) group->add(work, {few[a], few[b]});
    each("one axis", single);
    each("blocks", blocks);
    each("strips", strips);
    each("uneven", uneven);
    beside_others("two axes, one of blocks", {2, 8, true, 0});
    beside_others("two axes, one in strips", {2, 0, false, 4});
    if (shape_group* const group = start("parts for threads"))
        for (int chunks = 1; chunks <= 8; ++chunks)
            for (const std::int64_t unit : {1, 2, 3, 4, 16}) group->add(work, 1, [=] { decide_parts(chunks, unit); });
    if (shape_group* const group = start("walks of kernels")) group->add(work, 1, decide_walks);
    if (shape_group* const group = start("lanes below an end")) group->add(work, 1, decide_lanes_below);
    if (shape_group* const group = start("alignment to cache lines")) group->add(work, 1, decide_alignment);
    work.run(part);

    std::uint64_t shapes = 0, claims = 0, wrong = 0, undecided = 0;
    for (const shape_group& group : groups) {
        std::printf("%s: %llu shapes, %llu runs, %llu claims\n", group.name,
                    static_cast<unsigned long long>(group.shapes), static_cast<unsigned long long>(group.runs),
                    static_cast<unsigned long long>(group.claims));
        shapes += group.shapes, claims += group.claims, wrong += group.wrong, undecided += group.undecided;
    }
    std::printf("%llu shapes, %llu claims, each for all extents; %llu wrong, %llu undecided; %.0f s with %u threads\n",
                static_cast<unsigned long long>(shapes), static_cast<unsigned long long>(claims),
                static_cast<unsigned long long>(wrong), static_cast<unsigned long long>(undecided),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), part.threads);
    return wrong == 0 && undecided == 0 && claims > 0 ? 0 : 1;
}
