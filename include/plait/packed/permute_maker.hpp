#pragma once
// Chooses which pairs permutes move, and makes their programs.

#include <plait/packed/byte_permutes.hpp>
#include <plait/packed/make_permute_table.hpp>
#include <plait/packed/permute_program.hpp>

#include <algorithm>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Makes programs of pairs.
class permute_maker {
public:
    using pair_list = std::vector<const bit_pair*>;

    /// Pairs that are moved together; alone, and with no cost, if permutes cannot move them.
    struct choice {
        pair_list pairs;
        permute_unit unit;
    };
    /// Adds a choice to the program that has its outermost loop.
    static void add(const choice& made, std::vector<permute_program>& out) {
        const bit_pair& first = *made.pairs[0];
        const auto& around = made.unit.loops;
        permute_program* to = nullptr;
        for (permute_program& p : out)
            if (p.from == first.from && p.to == first.to && !around.empty() && !p.loops.empty() &&
                p.loops.back() == around.back())
                to = &p;
        if (to == nullptr) {
            out.push_back({first.from, first.to, around, {}});
            to = &out.back();
        }
        permute_program::unit unit{
            {}, made.unit.dst_begin, made.unit.src_begin, permute_table_maker(made.unit).make(), nullptr};
        unit.code = permute_code_of(unit.table);
        to->add(std::move(unit), around);
    }
    /// True if permutes may move a pair faster than reorders: it has whole units, whose values lie in short runs.
    static bool fits(const piece_pair& pair, const pair_loops& of) {
        if (!bit_program_maker::fits(pair, of)) return false;
        dim_t values = 1, run = pair.width;
        for (const pair_loop& l : of.loops) {
            if (!l.fixed && !l.dst_shares) values *= l.extent;
            if (l.extent == 0) return false;
        }
        for (bool grows = true; grows;) {
            grows = false;
            for (const pair_loop& l : of.loops)
                if (!l.fixed && l.dst == run && l.src == run) run *= l.extent, grows = true;
        }
        return run < longest_run_bits && values * pair.width >= (pair.width % 8 == 0 ? least_bits : pair.width * 16);
    }

    /// Finds units for pairs: of each alone, or, of small ones that have no whole bytes, of all together.
    static std::vector<choice> choose(const pair_list& all) {
        std::vector<choice> out;
        choice together;
        const auto common = common_loops(all);
        for (const bit_pair* p : all) {
            permute_unit unit = best_unit({p});
            if (unit.cost == 0 && bytes_inside(*p, common) <= few_bytes) together.pairs.push_back(p);
            else out.push_back({{p}, std::move(unit)});
        }
        if (together.pairs.size() > 1) together.unit = best_unit(together.pairs);
        if (together.unit.cost > 0) return out.push_back(std::move(together)), out;
        for (const bit_pair* p : together.pairs) out.push_back({{p}, {}});
        return out;
    }

private:
    /// Returns the unit of some pairs that costs least for each byte, with no cost if there is none.
    static permute_unit best_unit(const pair_list& pairs) {
        permute_unit best, unit;
        if (!unit.fill(pairs, common_loops(pairs)) || !unit.has_whole_bytes()) return best;
        const bool is_of_elements = unit.is_of_elements();
        const dim_t longest_run = is_of_elements ? 16 : 64;
        while (unit.first_run() < longest_run && unit.steps_by(unit.first_run()) && unit.grow(longest_run)) {}
        while (!is_of_elements && unit.bytes_of_parts() < longest_run && unit.grow(longest_run)) {}
        while (unit.evaluate()) {
            const bool is_better = best.cost == 0 || unit.cost * best.bytes < best.cost * unit.bytes;
            // More steps of a loop cost less if they read the same windows, or fill registers.
            const bool fills = unit.first_run() < 64 && unit.steps_by(unit.first_run());
            const bool grows = !unit.loops.empty() && (unit.loops[0].src <= window_bytes || fills);
            if (!grows || unit.bytes >= enough_bytes) {
                if (is_better) best = std::move(unit);
                break;
            }
            if (is_better) best = unit;
            if (!unit.grow(0)) break;
        }
        if (best.cost > 0 && is_moved_by_registers(best)) best.cost = 0;
        return best;
    }
    static constexpr dim_t longest_run_bits = 128, least_bits = 8 * 192, few_bytes = 256, enough_bytes = 256,
                           window_bytes = 16;

    /// True if reorders, which exchange whole lanes of more registers, move a unit faster.
    static bool is_moved_by_registers(const permute_unit& unit) {
        if (unit.windows.registers < 4) return false;
        for (const permute_unit::part& p : unit.parts)
            if (p.mask != 0xff || p.flips != 0) return false;
        return true;
    }

    /// Returns how many bytes a pair has inside of some of its loops.
    static dim_t bytes_inside(const bit_pair& p, const std::vector<bit_program::loop>& loops) {
        dim_t bits = p.pair.width;
        for (const pair_loop& l : p.loops.loops)
            if (!l.fixed && !l.dst_shares && !permute_unit::is_common(loops, l)) bits *= l.extent;
        return divide_up(bits, 8);
    }

    /// Returns the loops by whole bytes that all pairs have.
    static std::vector<bit_program::loop> common_loops(const pair_list& pairs) {
        std::vector<bit_program::loop> out = bit_program_maker::outer_loops(*pairs[0]);
        for (std::size_t i = 1; i < pairs.size(); ++i) {
            const std::vector<bit_program::loop> others = bit_program_maker::outer_loops(*pairs[i]);
            std::erase_if(out, [&](const bit_program::loop& l) {
                return std::find(others.begin(), others.end(), l) == others.end();
            });
        }
        return out;
    }
};

}  // namespace plait::detail
