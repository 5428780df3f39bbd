#pragma once
// The plan of a kernel as text, line by line: its memory, loops, tile, network and cost. Users include explain.hpp.

#include <plait/engine/plan/byte_table.hpp>
#include <plait/engine/plan/make_plan.hpp>
#include <plait/io/print.hpp>
#include <plait/io/text_table.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Returns the element sizes of a conversion, as in element_types_of: registers hold the narrower type.
constexpr element_sizes sizes_between(data_type from, data_type to) {
    const int src = size_in_bytes(from), dst = size_in_bytes(to);
    return {src, dst, dst < src ? dst : src};
}

/// The number of instructions of one whole tile, except for conversions, which depend on the types.
struct tile_instructions {
    dim_t elements = 0;
    int registers = 0, loads = 0, joins = 0, shuffles = 0, splits = 0, stores = 0;
    shuffle_network network;

    /// Pre: make_plan made the plan for this instruction set
    tile_instructions(const reorder_plan& made, isa instructions) : network{{}, bit_positions(made.pattern)} {
        const tile_pattern& p = made.pattern;
        int from = p.segments(side::source), to = p.segments(side::destination);
        if (p.interleave == 0) {
            registers = p.registers();
            if (const auto found = find_network(p, rules_of(instructions, made.sizes.work, p.lane_bits)))
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
    static constexpr byte_table table(const reorder_plan& plan, int to, int from) {
        return make_byte_table(plan.pattern.interleave, plan.sizes.work, to, from, plan.pattern.interleaves_source);
    }
};

/// Returns what a rule does with two registers.
inline std::string describe(const shuffle_rule& rule, const reorder_plan& plan) {
    const int bytes = plan.sizes.work << rule.first;
    if (bytes < 16) return "unpack " + count_of(bytes, "byte");
    if (plan.sizes.work * plan.pattern.lanes() == 32) return "permute halves";
    return rule.first == rule.last ? "shuffle halves" : "shuffle quarters, even and odd";
}

/// Describes the stores of a kernel: non-temporal, or why not.
inline std::string describe_stores(const reorder_plan& plan) {
    const dim_t alignment = plan.line_alignment() * plan.sizes.dst;
    if (may_stream(plan))
        return "past the cache, where the destination begins at a cache line" +
               (plan.prefetch == 0 ? std::string()
                                   : "; prefetches its source " + count_of(plan.prefetch, "element") + " ahead");
    if (plan.bytes_moved() < streaming_bytes)
        return "into the cache: fewer than " + std::to_string(streaming_bytes) + " bytes in all";
    if (plan.contiguous_bytes() < cache_line_bytes)
        return "into the cache: runs of " + count_of(plan.contiguous_bytes(), "byte") + " are no cache line";
    return "into the cache: runs begin at multiples of " + count_of(alignment, "byte") + ", not at cache lines";
}

/// Returns the name of a bounded axis: x, y, z, u, v, w.
inline std::string name_of_bound(int limit) { return limit < 0 ? "" : std::string(1, "xyzuvw"[limit]); }

/// Describes the loops, outermost first: their counts, and their steps on both sides.
inline std::string describe_loops(const reorder_plan& plan) {
    text_table table;
    table.add_row({"times", "from", "to", ""});
    for (const plan_loop& loop : plan.loops) {
        std::string notes = loop.bound < 0 ? "" : "along " + name_of_bound(loop.bound);
        const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : "; ") + text; };
        if (loop.overlap != 0) note("the last begins " + std::to_string(loop.overlap) + " earlier");
        for (const uneven_step& carry : plan.uneven_steps)
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
                                      count_of(staging_buffer(plan).bytes(), "byte") +
                                      ", which go to the destination row by row");
    return out + limits.text("bounds");
}

/// Describes how far a step along each bit of the tile is on both sides.
inline std::string describe_bits(const reorder_plan& plan) {
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
inline std::string describe_network(const reorder_plan& plan, const shuffle_network& network) {
    text_table table;
    bit_positions places(plan.pattern);
    const auto add = [&](const std::string& what) {
        std::string lanes, registers;
        for (const int bit : places.lanes) lanes += (lanes.empty() ? "" : " ") + std::to_string(bit);
        for (const int bit : places.registers) registers += (registers.empty() ? "" : " ") + std::to_string(bit);
        table.add_row({lanes, registers, what});
    };
    table.add_row({"lanes", "registers", ""});
    add("as loaded");
    for (const shuffle_step& step : network.steps) {
        places.apply(step);
        add(describe(step.rule, plan) + ", register bit " + std::to_string(step.register_bit));
    }
    return table.text("network");
}

/// Describes from which register and lane each lane of a register comes, within 128 bits.
inline std::string describe_interleave(const reorder_plan& plan) {
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
inline std::string describe_side(const reorder_plan& plan, isa instructions, side of, int accesses, bool converts) {
    const tile_pattern& p = plan.pattern;
    const int bytes = of == side::source ? plan.sizes.src : plan.sizes.dst, work = plan.sizes.work;
    const bool here = converts && (bytes != work || (plan.sizes.src == plan.sizes.dst && of == side::source));
    const int segment = (p.interleave != 0 ? p.interleave : p.registers()) * p.lanes() / accesses;
    std::string out = count_of(accesses, "segment") + " of " + count_of(segment, "lane");
    if (here) {
        const int wide = bytes > 4 ? bytes : 4, at_once = vector_bytes(instructions) / wide;
        out += ", converted " + std::to_string(segment < at_once ? segment : at_once) + " at once";
    }
    if (of == side::source) return line_of("load", out);
    // Elements that alternate in the destination form one run.
    const bool collects = p.interleave != 0 && !p.interleaves_source;
    const dim_t run = collects ? dim_t{p.interleave} * p.lanes() * bytes : plan.contiguous_bytes();
    return line_of("store", out + "; " + count_of(run, "byte") + " without a gap");
}

/// Returns the plan of a kernel for an instruction set, in 15 to 40 lines. Steps are in elements of each side.
///
/// Pre:     make_plan made the plan for this instruction set; `converts` is true if the types differ
/// Post:    the text contains each loop, bit and limit of the plan and each step of its network
/// Cost:    one search for the network; allocates
/// Source:  plait's own
inline std::string explain(const reorder_plan& plan, isa instructions, bool converts) {
    const tile_instructions tile(plan, instructions);
    const tile_pattern& p = plan.pattern;
    std::string out =
        line_of("memory", count_of(plan.elements, "element") + ": " + std::to_string(plan.elements * plan.sizes.src) +
                              " bytes read, " + std::to_string(plan.elements * plan.sizes.dst) + " written");
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
    out += describe_side(plan, instructions, side::source, tile.loads, converts);
    if (p.interleave != 0) out += describe_interleave(plan);
    else if (tile.network.steps.empty()) out += line_of("network", "none: lanes stay where they are");
    else out += describe_network(plan, tile.network);
    out += describe_side(plan, instructions, side::destination, tile.stores, converts);
    std::string cost;
    const auto add = [&](int count, const char* what) {
        if (count != 0) cost += (cost.empty() ? "" : ", ") + count_of(count, what);
    };
    add(tile.loads, "load"), add(tile.joins, "join"), add(tile.shuffles, "shuffle"), add(tile.splits, "split");
    add(tile.stores, "store");
    return out + line_of("cost", cost + ": " + tile.for_an_element() + " instructions an element" +
                                     (converts ? ", and the conversions" : ""));
}
inline std::string explain(const reorder_plan& plan, isa instructions) {
    return explain(plan, instructions, plan.sizes.src != plan.sizes.dst);
}

}  // namespace plait::engine
