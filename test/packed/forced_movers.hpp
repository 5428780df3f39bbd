#pragma once
// Plans of repacks that use only some of the ways of moving values, and what they must write.

#include <plait/packed/plan_repack.hpp>
#include <plait/packed/record.hpp>

#include "record_tags.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace packed_test {

using plait::detail::allowed_movers;

struct drawn_numbers {
    std::uint32_t state = 1;
    std::uint32_t below(std::uint32_t limit) { return (state = state * 1664525 + 1013904223) / 65536 % limit; }
};

/// A tag of one field with some digits of both axes, in any order.
inline std::string drawn_tag(drawn_numbers& draw, int width) {
    std::string digits;
    int left[] = {4, 6};  // factors of 2 of the extents
    for (std::uint32_t count = 1 + draw.below(5); count > 0; --count) {
        const std::uint32_t axis = draw.below(2);
        const auto bits = 1 + static_cast<int>(draw.below(3));
        if (bits > left[axis]) continue;
        left[axis] -= bits;
        digits += " " + std::to_string(1 << bits) + (axis == 0 ? "n" : "k");
    }
    const std::string n = left[0] < 4 ? "N" : "n", k = left[1] < 6 ? "K" : "k";
    const std::string inverted = draw.below(2) == 0 ? "" : "^1";
    return "nk: q:u" + std::to_string(width) + inverted + " " + (draw.below(2) == 0 ? n + k : k + n) + digits;
}

/// Runs a table of permutes byte by byte, so that the tables are tested on every CPU.
inline void run_permutes_by_bytes(const engine::permute_table& table, dim_t count, dim_t src_step, dim_t dst_step,
                                  const std::byte* src, std::byte* dst) {
    const auto byte_of = [](unsigned value) { return static_cast<std::byte>(value); };
    for (; count > 0; --count, src += src_step, dst += dst_step) {
        const engine::permute_output* to = table.outputs.data();
        if (table.registers == 0) {  // elements, in the order of the runs
            const std::uint32_t* at = table.windows.data();
            for (const engine::permute_output& run : table.outputs)
                for (int i = 0; i < run.length; i += table.window, ++at)
                    std::memcpy(dst + run.dst + i, src + *at, static_cast<std::size_t>(table.window));
            continue;
        }
        std::vector<std::byte> registers;
        for (const std::uint32_t window : table.windows)
            registers.insert(registers.end(), src + window, src + window + table.window);
        const std::size_t vectors = table.registers == 8 ? 2 : 1;
        const engine::permute_vector* next = table.vectors.data();
        for (const engine::permute_group& group : table.groups) {
            const engine::permute_vector* const picks = next;
            next += static_cast<std::size_t>(group.planes) * vectors;
            for (const engine::permute_output* const end = to + group.outputs; to < end; ++to) {
                const engine::permute_vector flips = *next++;
                std::byte picked[64], out[64];
                for (int i = 0; i < 64; ++i) out[i] = byte_of(flips.at[i]);
                for (int plane = 0; plane < group.planes; ++plane) {
                    const engine::permute_vector* const pick = picks + static_cast<std::size_t>(plane) * vectors;
                    for (int i = 0; i < 64; ++i) {
                        // An index has as many bits as the registers have bytes; the second vector has bit 8.
                        const std::size_t at = pick[0].at[i] + (vectors == 2 && pick[1].at[i] != 0 ? 256u : 0u);
                        picked[i] = registers[at % registers.size()];
                    }
                    if (!table.shifts) {
                        for (int i = 0; i < 64; ++i) out[i] ^= picked[i];
                        continue;
                    }
                    for (int i = 0; i < 64; ++i) {
                        // Eight bits from some bit on, in the eight bytes that byte i is one of.
                        unsigned bits = 0;
                        for (int b = 0; b < 8; ++b) {
                            const int bit = (next[0].at[i] + b) % 64, byte = i / 8 * 8 + bit / 8;
                            bits |= (std::to_integer<unsigned>(picked[byte]) >> bit % 8 & 1) << b;
                        }
                        out[i] ^= byte_of(bits & next[1].at[i]);
                    }
                    next += 2;
                }
                std::memcpy(dst + to->dst, out, static_cast<std::size_t>(to->length));
            }
        }
    }
}

/// The steps of all indices of two records as one chunk, as planned with some movers.
class forced_repack {
public:
    forced_repack(const record& from, const record& to, const repack_options& options, const allowed_movers& movers)
        : from_(from, -1, 0), to_(to, -1, 0) {
        const detail::chunk_cut cut;
        why = detail::step_planner({from_, to_, options, cut, &steps, movers}).plan();
        steps.chunk_bytes = to_.size_in_bytes();
    }
    /// Makes the permutes run byte by byte.
    void run_by_bytes() {
        for (detail::permute_program& program : steps.permutes)
            for (detail::permute_program::unit& unit : program.units) unit.code = run_permutes_by_bytes;
    }
    void run(const std::byte* const* from, std::byte* const* to) const { steps.run({from, to, 0, 0}); }

    verdict why;
    detail::chunk_steps steps;

private:
    detail::record_chunk from_, to_;
};

/// How many steps of each kind some plans have.
struct step_counts {
    std::size_t reorders = 0, permutes = 0, elements = 0, shuffles = 0, tables = 0, values = 0, conversions = 0,
                turns = 0, flips = 0, padding = 0, row_sums = 0, lane_sums = 0, listed_sums = 0;

    void add(const detail::chunk_steps& steps) {
        reorders += steps.reorders.size();
        for (const detail::permute_program& program : steps.permutes)
            for (const detail::permute_program::unit& unit : program.units)
                ++(unit.table.registers == 0 ? elements : permutes);
        for (const detail::bit_program& program : steps.programs)
            shuffles += !program.shuffles.targets.empty(), tables += !program.tables.empty();
        for (const auto& step : steps.values) ++(step.dst_type == data_type::undef ? values : conversions);
        turns += steps.turns.size();
        flips += steps.flips.size();
        padding += steps.padding.size() + steps.repeats.size() + steps.wider.size();
        for (const auto& step : steps.row_sums) ++(step.rows.are_lanes ? lane_sums : row_sums);
        listed_sums += steps.listed_sums.size();
    }
};

}  // namespace packed_test
