#pragma once
// The plan of a reorder as text: the work of its kernel, in numbers that can be checked by hand.
//
// For example, f32 nchw -> nChw16c of 1x17x56x56 with AVX-512 has 11 lines, including "loops 2 times, from 50176, to
// 50176, along x", "tile 256 elements in 16 registers of 16 lanes of 4 bytes", the four steps of its network, its cost.

#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/plan/byte_refinement.hpp>
#include <plait/engine/plan/byte_table.hpp>
#include <plait/engine/plan/make_plan.hpp>
#include <plait/io/print.hpp>
#include <plait/io/text_table.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {

/// Returns the element sizes of a conversion, as in element_types_of: registers hold the narrower type.
constexpr engine::element_sizes sizes_between(data_type from, data_type to) {
    const int src = size_in_bytes(from), dst = size_in_bytes(to);
    return {src, dst, dst < src ? dst : src};
}

/// The number of instructions of one whole tile, except for conversions, which depend on the types.
struct tile_instructions {
    dim_t elements = 0;
    int registers = 0, loads = 0, joins = 0, shuffles = 0, splits = 0, stores = 0;
    engine::shuffle_network network;

    /// Pre: make_plan made the plan for this instruction set
    tile_instructions(const engine::reorder_plan& made, isa instructions)
        : network{{}, engine::bit_positions(made.pattern)} {
        const engine::tile_pattern& p = made.pattern;
        int from = p.segments(engine::side::source), to = p.segments(engine::side::destination);
        if (p.interleave == 0) {
            registers = p.registers();
            if (const auto found =
                    engine::find_network(p, engine::rules_of(instructions, made.sizes.work, p.lane_bits)))
                network = *found;
            shuffles = network.steps.size() * registers;
        } else {
            registers = p.interleave;
            (p.interleaves_source ? from : to) = made.sizes.work * p.lanes() / 16;  // parts of 128 bits
            for (int r = 0; r < registers; ++r) {
                int taken = 0;  // each register taken is shuffled, then joined to the others
                for (int s = 0; s < registers; ++s) taken += table(made, r, s).any;
                shuffles += 2 * taken - 1;
            }
        }
        elements = (dim_t{1} << made.bits.size()) * (p.interleave == 0 ? 1 : p.interleave);
        loads = registers * from;
        joins = loads - registers;
        stores = registers * to;
        splits = stores - registers;
    }
    int all() const { return loads + joins + shuffles + splits + stores; }
    /// Returns the instructions per element, with two decimals.
    std::string for_an_element() const {
        const dim_t hundredths = (100 * all() + elements / 2) / elements, rest = hundredths % 100;
        return std::to_string(hundredths / 100) + (rest < 10 ? ".0" : ".") + std::to_string(rest);
    }
    /// Returns which bytes of register `from` an interleave puts into register `to`.
    static constexpr engine::byte_table table(const engine::reorder_plan& plan, int to, int from) {
        return engine::make_byte_table(plan.pattern.interleave, plan.sizes.work, to, from,
                                       plan.pattern.interleaves_source);
    }
};

/// Returns what a rule does with two registers.
inline std::string describe(const engine::shuffle_rule& rule, const engine::reorder_plan& plan) {
    const int bytes = plan.sizes.work << rule.first;
    if (bytes < 16) return "unpack " + count_of(bytes, "byte");
    if (plan.sizes.work * plan.pattern.lanes() == 32) return "permute halves";
    return rule.first == rule.last ? "shuffle halves" : "shuffle quarters, even and odd";
}

/// Describes the stores of a kernel: non-temporal, or why not.
inline std::string describe_stores(const engine::reorder_plan& plan) {
    const dim_t alignment = plan.line_alignment() * plan.sizes.dst;
    if (engine::may_stream(plan))
        return "past the cache if faster, for a destination at a cache line" +
               (plan.prefetch == 0 ? std::string()
                                   : "; prefetches its source " + count_of(plan.prefetch, "element") + " ahead");
    if (plan.bytes_moved() < engine::streaming_bytes)
        return "into the cache: fewer than " + std::to_string(engine::streaming_bytes) + " bytes in all";
    if (plan.contiguous_bytes() < engine::cache_line_bytes)
        return "into the cache: runs of " + count_of(plan.contiguous_bytes(), "byte") + " are no cache line";
    return "into the cache: runs begin at multiples of " + count_of(alignment, "byte") + ", not at cache lines";
}

/// Returns the name of a bounded axis: x, y, z, u, v, w.
inline std::string name_of_bound(int limit) { return limit < 0 ? "" : std::string(1, "xyzuvw"[limit]); }

/// Describes the loops, outermost first: their counts, and their steps on both sides.
inline std::string describe_loops(const engine::reorder_plan& plan) {
    text_table table;
    table.add_row({"times", "from", "to", ""});
    for (const engine::plan_loop& loop : plan.loops) {
        std::string notes = loop.bound < 0 ? "" : "along " + name_of_bound(loop.bound);
        const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : "; ") + text; };
        if (loop.overlap != 0) note("the last begins " + std::to_string(loop.overlap) + " earlier");
        for (const engine::uneven_step& carry : plan.uneven_steps)
            if (loop.is_uneven && carry.axis == loop.axis)
                note("after every " + std::to_string(carry.period) + ": " +
                     (carry.src != 0 ? "from " + signed_number(carry.src) : "to " + signed_number(carry.dst)));
        table.add_row({std::to_string(loop.extent), std::to_string(loop.src), std::to_string(loop.dst), notes});
    }
    std::string out = table.text("loops");
    text_table limits;
    for (int x = 0; x < plan.bounds.size(); ++x)
        limits.add_row({name_of_bound(x), std::to_string(plan.bounds[x].valid) + " elements, " +
                                              std::to_string(plan.bounds[x].stored) + " stored"});
    if (plan.staged_from >= 0)
        out += line_of("staging", "loops from the " + std::to_string(plan.staged_from + 1) + ". on fill " +
                                      count_of(engine::staging_buffer(plan).bytes(), "byte") +
                                      ", which go to the destination row by row");
    return out + limits.text("bounds");
}

/// Describes how far a step along each bit of the tile is on both sides.
inline std::string describe_bits(const engine::reorder_plan& plan) {
    text_table table;
    heap_list<std::string> number, from, to, bounds;
    number.push_back("bit"), from.push_back("from"), to.push_back("to"), bounds.push_back("bound");
    for (int b = 0; b < plan.bits.size(); ++b) {
        number.push_back(std::to_string(b));
        from.push_back(std::to_string(plan.bits[b].src));
        to.push_back(std::to_string(plan.bits[b].dst));
        bounds.push_back(name_of_bound(plan.pattern.bounds[b]));
    }
    for (const auto* row : {&number, &from, &to}) table.add_row(*row);
    if (!plan.bounds.empty()) table.add_row(bounds);
    return table.text("");
}

/// Describes where the bits are after each step: first the bits of lanes, then those of registers.
inline std::string describe_network(const engine::reorder_plan& plan, const engine::shuffle_network& network) {
    text_table table;
    engine::bit_positions places(plan.pattern);
    const auto add = [&](const std::string& what) {
        std::string lanes, registers;
        for (const int bit : places.lanes) lanes += (lanes.empty() ? "" : " ") + std::to_string(bit);
        for (const int bit : places.registers) registers += (registers.empty() ? "" : " ") + std::to_string(bit);
        table.add_row({lanes, registers, what});
    };
    table.add_row({"lanes", "registers", ""});
    add("as loaded");
    for (const engine::shuffle_step& step : network.steps) {
        places.apply(step);
        add(describe(step.rule, plan) + ", register bit " + std::to_string(step.register_bit));
    }
    return table.text("network");
}

/// Describes from which register and lane each lane of a register comes, within 128 bits.
inline std::string describe_interleave(const engine::reorder_plan& plan) {
    text_table table;
    const int bytes = plan.sizes.work;
    for (int to = 0; to < plan.pattern.interleave; ++to) {
        heap_list<std::string> row;
        row.push_back(std::to_string(to) + " =");
        for (int lane = 0; lane < 16 / bytes; ++lane)
            for (int from = 0; from < plan.pattern.interleave; ++from)
                if (const int byte = tile_instructions::table(plan, to, from).from[lane * bytes]; byte != 0x80)
                    row.push_back(std::to_string(from) + '.' + std::to_string(byte / bytes));
        table.add_row(row);
    }
    return table.text("table");
}

/// Describes the loads or the stores: their segments and conversions.
inline std::string describe_side(const engine::reorder_plan& plan, isa instructions, engine::side of, int accesses,
                                 bool converts) {
    const engine::tile_pattern& p = plan.pattern;
    const int bytes = of == engine::side::source ? plan.sizes.src : plan.sizes.dst, work = plan.sizes.work;
    const bool here = converts && (bytes != work || (plan.sizes.src == plan.sizes.dst && of == engine::side::source));
    const int segment = (p.interleave != 0 ? p.interleave : p.registers()) * p.lanes() / accesses;
    std::string out = count_of(accesses, "segment") + " of " + count_of(segment, "lane");
    if (here) {
        const int wide = bytes > 4 ? bytes : 4, at_once = vector_bytes(instructions) / wide;
        out += ", converted " + std::to_string(segment < at_once ? segment : at_once) + " at once";
    }
    if (of == engine::side::source) return line_of("load", out);
    // Elements that alternate in the destination form one run.
    const bool collects = p.interleave != 0 && !p.interleaves_source;
    const dim_t run = collects ? dim_t{p.interleave} * p.lanes() * bytes : plan.contiguous_bytes();
    return line_of("store", out + "; " + count_of(run, "byte") + " without a gap");
}

/// Returns the number of elements that a plan reads: those that it writes, without padding.
inline dim_t elements_read(const engine::reorder_plan& plan) {
    dim_t out = plan.elements;
    for (const engine::plan_bound& bound : plan.bounds)
        if (bound.valid < bound.stored) out = out / bound.stored * bound.valid;
    return out;
}

/// Returns the plan of a kernel for an instruction set, in 15 to 40 lines. Steps are in elements of each side.
///
/// Pre:     make_plan made the plan for this instruction set; `converts` is true if the types differ
/// Post:    the text contains each loop, bit and limit of the plan and each step of its network
/// Cost:    one search for the network; allocates
/// Source:  plait's own
inline std::string explain_plan(const engine::reorder_plan& plan, isa instructions, bool converts) {
    const tile_instructions tile(plan, instructions);
    const engine::tile_pattern& p = plan.pattern;
    const dim_t read = elements_read(plan);
    std::string out =
        line_of("memory", count_of(read, "element") + ": " + std::to_string(read * plan.sizes.src) + " bytes read, " +
                              std::to_string(plan.elements * plan.sizes.dst) + " written");
    out += line_of("stores", describe_stores(plan));
    if (plan.src_offset != 0 || plan.dst_offset != 0)
        out +=
            line_of("offsets", "from " + std::to_string(plan.src_offset) + ", to " + std::to_string(plan.dst_offset));
    out += describe_loops(plan);
    if (p.lane_bits == 0 && p.register_bits == 0) return out + line_of("tile", "1 element");
    out += line_of("tile", count_of(tile.elements, "element") + " in " + count_of(tile.registers, "register") + " of " +
                               count_of(p.lanes(), "lane") + " of " + count_of(plan.sizes.work, "byte"));
    if (p.interleave != 0)
        out += line_of("", std::to_string(p.interleave) + " alternate in the " +
                               (p.interleaves_source ? "source; " : "destination; ") + "from " +
                               std::to_string(plan.interleaved.src) + ", to " + std::to_string(plan.interleaved.dst));
    out += describe_bits(plan);
    out += describe_side(plan, instructions, engine::side::source, tile.loads, converts);
    if (p.interleave != 0) out += describe_interleave(plan);
    else if (tile.network.steps.empty()) out += line_of("network", "none: lanes stay where they are");
    else out += describe_network(plan, tile.network);
    out += describe_side(plan, instructions, engine::side::destination, tile.stores, converts);
    std::string cost;
    const auto add = [&](int count, const char* what) {
        if (count != 0) cost += (cost.empty() ? "" : ", ") + count_of(count, what);
    };
    add(tile.loads, "load"), add(tile.joins, "join"), add(tile.shuffles, "shuffle"), add(tile.splits, "split");
    add(tile.stores, "store");
    return out + line_of("cost", cost + ": " + tile.for_an_element() + " instructions an element" +
                                     (converts ? ", and the conversions" : ""));
}
inline std::string explain_plan(const engine::reorder_plan& plan, isa instructions) {
    return explain_plan(plan, instructions, plan.sizes.src != plan.sizes.dst);
}

/// Returns how elements move of which several share a byte on a side.
inline std::string explain_packed(const layout& src, const layout& dst, data_type from, data_type to) {
    const descriptor source(from, src), target(to, dst);
    const std::string out =
        line_of("memory", count_of(src.volume(), "element") + ": " + std::to_string(source.data_size_in_bytes()) +
                              " bytes read, " + std::to_string(target.data_size_in_bytes()) + " written");
    if (from != to) return out + line_of("plan", "rows are unpacked, converted and packed");
    engine::refinement r;
    engine::byte_rests rests;
    const dim_t src_end = engine::end_of_elements(src);
    if (!engine::refine(r, src, dst, src_end))
        return out + line_of("plan", "none: element by element, as the layouts have no common refinement");
    r = {};
    if (!engine::refine_in_bytes(r, rests, src, dst, src_end, size_in_bits(from)))
        return out + line_of("plan",
                             "bits: elements that share a byte of the source do not in the destination, or an "
                             "axis ends inside a byte");
    const std::string rest = rests.axes.empty() ? "" : "; bits where an axis ends inside a byte";
    return out + line_of("plan", (r.half_bytes >= 0 ? "pairs of bytes, which exchange halves"
                                                    : "bytes: the same elements share a byte on both sides") +
                                     rest);
}
}  // namespace detail

/// Returns the plan of the kernel of reorder<src, dst> as text, for two element types and an instruction set.
///
/// Refused: as check_reorder(src, dst)
/// Pre:     check_reorder(src, dst).ok()
/// Post:    the text contains each loop, bit and bound of the plan and each step of its network; it is the output of
///          `plait explain`. If elements share bytes, the text says how these move, without the steps
/// Cost:    as make_plan; allocates
/// Source:  plait's own
/// Example: std::cout << explain(src, dst, data_type::f32, data_type::bf16, isa::avx2)
inline std::string explain(const layout& src, const layout& dst, data_type from, data_type to, isa instructions) {
    require(check_reorder(src, dst));
    const std::string out =
        detail::line_of("reorder", to_string(from) + (' ' + to_string(src)) + " -> " + to_string(to) + ' ' +
                                       to_string(dst) + ", " + to_string(instructions));
    if (detail::is_packed(from) || detail::is_packed(to)) return out + detail::explain_packed(src, dst, from, to);
    const auto plan = engine::make_plan(src, dst, detail::sizes_between(from, to), instructions);
    if (!plan)
        return out + detail::line_of("plan", "none: element by element, as the layouts have no common refinement");
    return out + detail::explain_plan(*plan, instructions, from != to);
}

}  // namespace plait
