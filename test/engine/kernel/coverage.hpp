#pragma once
// What a reorder exercises, computed from its plans. Each plan has values on some axes: the instruction set, the size
// of an element, what moves a tile, which ends tiles pass, and so on. A table of kernels is complete if each pair of
// values of two axes occurs in it, except those that no plan has.

#include <plait/engine/kernel/packed_move.hpp>
#include <plait/engine/quantize/constant_cache_blocks.hpp>

#include <algorithm>
#include <bitset>
#include <string>
#include <vector>

namespace coverage {

using namespace plait;
using namespace plait::engine;

/// The size of an element in registers.
enum class element_size { bits, one_byte, two_bytes, four_bytes, eight_bytes };

/// The code that moves a tile.
enum class tile_kind {
    one_element,  ///< no vectors
    rows,         ///< no network: each register is one run of memory on both sides
    segments,     ///< no network: a register has several segments
    within,       ///< a network whose steps stay within 128 bits; each register is one run of memory on both sides
    across,       ///< a network with a step that exchanges parts of 128 bits
    joined,       ///< a network of registers that are loaded in segments
    split,        ///< a network of registers that are stored in segments
    dealt,        ///< elements that alternate in the source
    collected,    ///< elements that alternate in the destination
    staged,       ///< strips of tiles that pass through a staging buffer
    halves,       ///< bytes whose halves are exchanged
};

/// The treatment of the end of an axis.
enum class end_kind {
    none,               ///< no tile passes an end
    overlapped,         ///< the last tile of a loop overlaps the one before it instead
    source_lanes,       ///< lanes of the segments of the source
    destination_lanes,  ///< lanes of the segments of the destination
    both_lanes,         ///< lanes of the segments of both sides
    registers,          ///< no lanes, but registers or numbers of segments
    loops,              ///< only loops: whole tiles are left out, or are padding
};

/// The form of an end: the elements end, or padding begins, in some tiles or in every tile.
enum class end_form { none, cut, padded, cut_always, padded_always };

/// The change of the values.
enum class conversion { none, same_size, narrower, wider, scaled_at_load, scaled_at_store, by_index };

/// The factor between the sizes of an element in the source and in the destination.
enum class ratio { one, two, four, eight };

/// How a loop advances.
enum class step_kind { even, uneven, backwards };

/// How a plan is run: all of it, in chunks as threads do, or with stores past the cache.
enum class run_kind { whole, in_chunks, past_cache };

enum axis { instructions, size, tile, end, form, values, factor, steps, run, axes };
inline constexpr int most_values = 11;  // of an axis
inline const std::vector<const char*> names[axes] = {
    {"portable", "neon", "sse41", "avx2", "avx512"},
    {"bits", "1 byte", "2 bytes", "4 bytes", "8 bytes"},
    {"one element", "rows", "segments", "within", "across", "joined", "split", "dealt", "collected", "staged",
     "halves"},
    {"no end", "overlapped", "source lanes", "destination lanes", "both lanes", "registers", "loops"},
    {"", "cut", "padded", "cut always", "padded always"},
    {"moved", "same size", "narrower", "wider", "scaled at load", "scaled at store", "by index"},
    {"factor 1", "factor 2", "factor 4", "factor 8"},
    {"even", "uneven", "backwards"},
    {"whole", "in chunks", "past the cache"},
};

/// A value of an axis.
struct value {
    axis of;
    int number;
    template <class Kind>
    constexpr value(axis a, Kind kind) : of(a), number(static_cast<int>(kind)) {}
    constexpr bool operator==(const value&) const = default;
    constexpr int place() const { return of * most_values + number; }
    std::string name() const { return names[of][static_cast<std::size_t>(number)]; }
};

/// True if the pairs of two axes are compared. The factor, the steps and the way of running a plan change the code of
/// few parts of a kernel.
constexpr bool are_crossed(axis a, axis b) {
    if (a > b) return are_crossed(b, a);
    if (b == factor) return a == instructions || a == size || a == values;
    if (b == steps || b == run) return a == instructions || a == tile;
    return a != b;
}

/// Pairs of values.
class value_pairs {
public:
    void add(const value& a, const value& b) {
        pairs_.set(place(a, b));
        pairs_.set(place(b, a));
    }
    void add(const value_pairs& other) { pairs_ |= other.pairs_; }
    bool has(const value& a, const value& b) const { return pairs_.test(place(a, b)); }

private:
    static constexpr std::size_t places = axes * most_values;
    std::bitset<places * places> pairs_;
    static std::size_t place(const value& a, const value& b) {
        return static_cast<std::size_t>(a.place()) * places + static_cast<std::size_t>(b.place());
    }
};

/// Calls check(a, b) for each pair of values whose axes are crossed.
template <class Check>
void for_each_pair(const Check& check) {
    for (int a = 0; a < axes; ++a)
        for (int b = a + 1; b < axes; ++b) {
            if (!are_crossed(static_cast<axis>(a), static_cast<axis>(b))) continue;
            for (int i = a == form ? 1 : 0; i < static_cast<int>(names[a].size()); ++i)
                for (int k = b == form ? 1 : 0; k < static_cast<int>(names[b].size()); ++k)
                    check(value(static_cast<axis>(a), i), value(static_cast<axis>(b), k));
        }
}

/// Returns why no plan has two values, or why they are not compared; null if some plan has them.
inline const char* why_never(const value& a, const value& b) {
    const auto is = [&](axis of, auto... kind) { return ((a == value(of, kind) || b == value(of, kind)) || ...); };
    const auto is_other = [&](axis of, auto... kind) { return (a.of == of || b.of == of) && !is(of, kind...); };
    using enum conversion;
    if (is(instructions, isa::portable, isa::neon, isa::sse41) && is(tile, tile_kind::across))
        return "a register has 128 bits";
    if (!has_table_kernels(isa::portable) && is(instructions, isa::portable) && is(tile, tile_kind::halves))
        return "portable code moves such elements one by one";
    if (is(instructions, isa::sse41) && is(values, scaled_at_load, scaled_at_store, by_index))
        return "SSE4.1 has no kernels with attributes";
    if (is(size, element_size::eight_bytes) &&
        (is(values, same_size, narrower, wider, scaled_at_store) || is_other(factor, ratio::one)))
        return "f64 is the only type of 8 bytes, and elements are in registers in the narrower type";
    if ((is(size, element_size::four_bytes) && is(factor, ratio::four, ratio::eight)) ||
        (is(size, element_size::two_bytes) && is(factor, ratio::eight)))
        return "no type is that wide";
    if (is(values, conversion::none, same_size, by_index) && is_other(factor, ratio::one)) return "the sizes are equal";
    if (is(values, narrower, wider, scaled_at_store) && is(factor, ratio::one)) return "the sizes differ";
    if (is(size, element_size::bits) && (is_other(values, conversion::none) || is_other(factor, ratio::one)))
        return "static kernels only move elements smaller than a byte";
    if (is(size, element_size::bits) && (is_other(tile, tile_kind::one_element, tile_kind::halves) ||
                                         is_other(end, end_kind::none) || a.of == form || b.of == form))
        return "elements are moved one by one, or as bytes";
    if (is(values, by_index) && is(form, end_form::padded, end_form::padded_always))
        return "the copy of a cache block writes no padding";
    if (is(end, end_kind::none, end_kind::overlapped) && (a.of == form || b.of == form)) return "no tile passes an end";
    if (is(end, end_kind::loops) && is(form, end_form::cut_always, end_form::padded_always))
        return "loops advance along the axis";
    if (is(tile, tile_kind::one_element) &&
        (is_other(end, end_kind::none, end_kind::loops) || is(form, end_form::cut_always, end_form::padded_always)))
        return "one element passes no end";
    if (is(tile, tile_kind::rows) && is(end, end_kind::source_lanes, end_kind::destination_lanes))
        return "lanes count along the same axes on both sides";
    if (is(tile, tile_kind::dealt, tile_kind::collected) &&
        (is(end, end_kind::source_lanes, end_kind::destination_lanes, end_kind::registers) ||
         is(form, end_form::cut_always, end_form::padded_always)))
        return "lanes count along one axis on both sides, and there are no more than it has elements";
    if (is(tile, tile_kind::staged) &&
        (is_other(end, end_kind::none, end_kind::overlapped) || a.of == form || b.of == form))
        return "plans with ends have no staging buffer";
    if (is(tile, tile_kind::staged) && is(size, element_size::eight_bytes))
        return "such tiles write eight rows, which stay in the cache";
    if (is(tile, tile_kind::staged) && is(values, scaled_at_load, scaled_at_store, by_index))
        return "kernels with attributes have no staging buffer";
    if (is(tile, tile_kind::one_element, tile_kind::collected, tile_kind::staged) && is(run, run_kind::past_cache))
        return "such tiles are not stored past the cache";
    if (is(tile, tile_kind::halves) && (is_other(size, element_size::bits) || is_other(values, conversion::none)))
        return "elements share bytes";
    if (is(tile, tile_kind::halves) && (is_other(end, end_kind::none) || a.of == form || b.of == form ||
                                        is_other(steps, step_kind::even) || is_other(run, run_kind::whole)))
        return "the kernels are those of run-time plans, whose ends and loops packed_move.cpp tests";
    return nullptr;
}

/// Returns what moves a tile. The tiles of kernels with attributes do not pass through staging buffers.
inline tile_kind tile_of(const reorder_plan& plan, isa with, bool scales) {
    const tile_pattern& p = plan.pattern;
    if (!p.has_vectors()) return tile_kind::one_element;
    if (p.half_bytes >= 0) return tile_kind::halves;
    if (plan.staged_from >= 0 && !scales) return tile_kind::staged;
    if (p.interleave != 0) return p.interleaves_source ? tile_kind::dealt : tile_kind::collected;
    const bool joins = p.segments(side::source) > 1, splits = p.segments(side::destination) > 1;
    const auto network = find_network(p, rules_of(with, plan.sizes.work, p.lane_bits));
    if (!network || network->steps.empty()) return joins || splits ? tile_kind::segments : tile_kind::rows;
    if (joins) return tile_kind::joined;
    if (splits) return tile_kind::split;
    for (const shuffle_step& step : network->steps)
        if (step.rule.last >= log2_of(16 / plan.sizes.work)) return tile_kind::across;
    return tile_kind::within;
}

/// Returns what counts along a bounded axis.
inline end_kind end_of(const reorder_plan& plan, int bound) {
    const bool from = lanes_along(plan.pattern, bound, side::source).bits > 0,
               to = lanes_along(plan.pattern, bound, side::destination).bits > 0;
    if (from || to)
        return from && to ? end_kind::both_lanes : from ? end_kind::source_lanes : end_kind::destination_lanes;
    return plan.bounds[bound].reach > 1 ? end_kind::registers : end_kind::loops;
}
inline end_form form_of(const reorder_plan& plan, int bound) {
    const bool padded = plan.bounds[bound].valid < plan.bounds[bound].stored;
    for (const plan_loop& loop : plan.loops)
        if (loop.bound == bound) return padded ? end_form::padded : end_form::cut;
    if (plan.bounds[bound].reach == 1) return padded ? end_form::padded : end_form::cut;
    return padded ? end_form::padded_always : end_form::cut_always;
}

/// Adds the pairs of a plan.
inline void add_plan(value_pairs& pairs, const reorder_plan& plan, isa with, element_size of_size, conversion converts,
                     const element_sizes& sizes, const std::vector<run_kind>& runs) {
    struct found_end {
        end_kind kind;
        end_form form;
    };
    std::vector<found_end> ends;
    for (const plan_loop& loop : plan.loops)
        if (loop.overlap != 0) ends.push_back({end_kind::overlapped, end_form::none});
    for (int x = 0; x < plan.bounds.size(); ++x) ends.push_back({end_of(plan, x), form_of(plan, x)});
    if (plan.pattern.half_bytes >= 0) ends.clear();
    if (ends.empty()) ends.push_back({end_kind::none, end_form::none});
    step_kind stepping = plan.uneven_steps.empty() ? step_kind::even : step_kind::uneven;
    for (const plan_loop& loop : plan.loops)
        if (loop.src < 0 || loop.dst < 0) stepping = step_kind::backwards;
    if (plan.pattern.half_bytes >= 0) stepping = step_kind::even;
    const int larger = std::max(sizes.src, sizes.dst), smaller = std::min(sizes.src, sizes.dst);
    for (const run_kind how : runs)
        for (const found_end& e : ends) {
            const value all[axes] = {{instructions, with},
                                     {size, of_size},
                                     {tile, tile_of(plan, with, converts >= conversion::scaled_at_load)},
                                     {end, e.kind},
                                     {form, e.form},
                                     {values, converts},
                                     {factor, log2_of(larger / smaller)},
                                     {steps, stepping},
                                     {run, how}};
            for (const value& one : all)
                for (const value& other : all) pairs.add(one, other);
        }
}

constexpr element_size size_of(int bytes) { return static_cast<element_size>(1 + log2_of(bytes)); }

/// Returns the block copy of a static kernel with values by index; empty if its rows are converted on the way.
inline std::optional<reorder_plan> block_copy_of(const layout& src, const layout& dst, data_type from, data_type to,
                                                 isa with) {
    std::optional<reorder_plan> out;
    const auto plan_with = [&]<isa Isa>() {
        if (with != Isa) return;
        const cache_block_plan blocks = plan_expected_values<Isa>(src, dst, from, to, usual_values(dst.ndims()));
        if (!blocks.shape.nodes.empty() && blocks.shape.side != cache_block_side::both) out = blocks.block_copy.plan;
    };
    plan_with.template operator()<isa::portable>();
    plan_with.template operator()<isa::neon>();
    plan_with.template operator()<isa::avx2>();
    plan_with.template operator()<isa::avx512>();
    return out;
}

/// How the elements of a row are moved: only moved or converted; the same also in chunks, and past the cache if tiles
/// write whole lines; or with attributes, of one value each and of values by index.
enum class row_kind { moved, in_parts, attributed };

/// A static reorder.
struct static_row {
    data_type from, to;
    layout src, dst;
    row_kind kind = row_kind::moved;
};

/// Adds the pairs of the plans of a row with one instruction set.
///
/// Pre:     check_reorder(row.src, row.dst).ok()
inline void add_row(value_pairs& pairs, const static_row& row, isa with) {
    if (plait::detail::is_packed(row.from)) {
        // Kernels of whole bytes are those of one-byte types.
        const static_packed_tiles made = plan_static_packed(row.src, row.dst, size_in_bits(row.from), with);
        const bool in_bytes = made.exist && made.plan.pattern.half_bytes < 0;
        return add_plan(pairs, made.exist ? made.plan : reorder_plan(), with,
                        in_bytes ? element_size::one_byte : element_size::bits, conversion::none, element_sizes(1),
                        {run_kind::whole});
    }
    const int from = size_in_bytes(row.from), to = size_in_bytes(row.to), work = std::min(from, to);
    const element_sizes sizes(from, to, work);
    if (row.kind == row_kind::attributed) {
        if (!has_attributed_kernels(with)) return;
        add_plan(pairs, *make_scaled_plan(row.src, row.dst, sizes, with), with, size_of(work),
                 to <= from ? conversion::scaled_at_load : conversion::scaled_at_store, sizes, {run_kind::whole});
        if (const auto copy = block_copy_of(row.src, row.dst, row.from, row.to, with))
            add_plan(pairs, *copy, with, size_of(copy->sizes.work), conversion::by_index, copy->sizes,
                     {run_kind::whole});
        return;
    }
    const reorder_plan plan = *make_plan(row.src, row.dst, sizes, with);
    std::vector<run_kind> runs{run_kind::whole};
    const bool in_parts = row.kind == row_kind::in_parts;
    if (in_parts) runs.push_back(run_kind::in_chunks);
    if (in_parts && plan.writes_whole_lines() && plan.staged_from < 0) runs.push_back(run_kind::past_cache);
    add_plan(pairs, plan, with, size_of(work),
             row.from == row.to ? conversion::none
             : from == to       ? conversion::same_size
             : from < to        ? conversion::wider
                                : conversion::narrower,
             sizes, runs);
}

}  // namespace coverage
