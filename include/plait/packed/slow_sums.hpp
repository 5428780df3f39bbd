#pragma once
// Sums value by value: of fields in pieces or with turned digits, or whose digits and those of the sums do not divide
// each other.

#include <plait/packed/bit_access.hpp>
#include <plait/packed/float_bits_access.hpp>
#include <plait/packed/index_units.hpp>
#include <plait/packed/run_sums.hpp>
#include <plait/packed/value_parts.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The sums of one piece.
struct slow_sum_step {
    chunk_place to;
    record_piece sum;
    record_field field;
    std::vector<value_part> parts, times;  // the summed field, its factor
    std::vector<record_piece> fibres;      // whose fibres are summed, if these are others than those of `sum`
    plait::dims dims, units;               // units: how many neighbours along each axis nothing distinguishes
    number_rule rule;
    double factor = 1;
    bool of_is_stored = false;  // the summed field is read from the destination

    void run(const chunk_memory& memory) const {
        if (field.type == data_type::f32) return add_floats(memory);
        std::map<dim_t, std::uint64_t> totals;  // by the place of the fibre
        std::map<dim_t, dim_t> fibre_of;        // the place of the fibre that a sum is over
        for_each_unit(dims, units, [&](const position& index, std::uint64_t count) {
            if (fibres.empty() && !sum.holds(index)) return;
            const dim_t fibre = place_of_fibre(index);
            totals[fibre] += static_cast<std::uint64_t>(rule(bits_of(parts, index, memory))) * count;
            if (sum.holds(index)) fibre_of[sum.place(index)] = fibre;
        });
        const auto scale = static_cast<std::uint64_t>(static_cast<std::int64_t>(factor));
        std::byte* sums = memory.destination(to);
        for (const auto& [place, fibre] : fibre_of) {
            const std::uint64_t given = adds() ? read_bits(sums, place, 32) : 0;
            write_bits(sums, place, 32, (given + totals[fibre] * scale) & 0xffffffff);
        }
    }

private:
    /// The product of the integers that are summed first and of their factor.
    struct addend {
        dim_t fibre, place;  // of the fibre; of the first of the integers in memory
        float product;
    };

    bool adds() const { return field.content.kind == field_content::added_sum; }

    void add_floats(const chunk_memory& memory) const {
        std::vector<addend> all;
        std::map<dim_t, dim_t> fibre_of;
        for_each_unit(dims, units, [&](const position& index, std::uint64_t) {
            if (sum.holds(index)) fibre_of[sum.place(index)] = place_of_fibre(index);
            if ((fibres.empty() && !sum.holds(index)) || !is_first_of_group(index)) return;
            addend made{place_of_fibre(index), place_of(index), 0};
            std::int64_t integers = 0;
            position at = index;
            add_group(0, at, memory, integers, made.place);
            made.product = rounded_product(static_cast<float>(integers), scale_at(index, memory));
            all.push_back(made);
        });
        std::stable_sort(all.begin(), all.end(), [](const addend& a, const addend& b) {
            return a.fibre != b.fibre ? a.fibre < b.fibre : a.place < b.place;
        });
        std::map<dim_t, float> totals;
        for (const addend& one : all) totals[one.fibre] += one.product;
        std::byte* sums = memory.destination(to);
        for (const auto& [place, fibre] : fibre_of) {
            const auto scaled = static_cast<float>(totals[fibre] * factor);
            const float given = adds() ? float_of_bits(data_type::f32, read_bits(sums, place, 32)) : 0;
            write_bits(sums, place, 32, bits_of_float(data_type::f32, adds() ? given + scaled : scaled));
        }
    }
    /// Returns true if all digits that are summed first are 0.
    bool is_first_of_group(const position& index) const {
        for (int i = 0; i < field.content.first_digits.size(); ++i) {
            const inner_block& digit = field.content.first_digits[i];
            if (index[digit.axis] / field.content.first_step(i) % digit.size != 0) return false;
        }
        return true;
    }
    /// Adds the integers of a group, from digit `i` of those that are summed first on.
    void add_group(int i, position& index, const chunk_memory& memory, std::int64_t& total, dim_t& first) const {
        if (i == field.content.first_digits.size()) {
            total += rule(bits_of(parts, index, memory));
            first = smaller_of(first, place_of(index));
            return;
        }
        const inner_block& digit = field.content.first_digits[i];
        const dim_t before = index[digit.axis], step = field.content.first_step(i);
        for (dim_t v = 0; v < digit.size && index[digit.axis] < dims[digit.axis]; ++v, index[digit.axis] += step)
            add_group(i + 1, index, memory, total, first);
        index[digit.axis] = before;
    }
    float scale_at(const position& index, const chunk_memory& memory) const {
        for (const value_part& p : times)
            if (p.piece.holds(index))
                return float_of_bits(p.field.type, bits_of({p}, index, memory)) *
                       static_cast<float>(1 / p.field.factor);
        return 1;
    }
    dim_t place_of_fibre(const position& index) const {
        for (const record_piece& piece : fibres)
            if (piece.holds(index)) return piece.place(index);
        return sum.place(index);
    }
    dim_t place_of(const position& index) const {
        for (const value_part& p : parts)
            if (p.piece.holds(index)) return p.piece.place(index);
        return 0;
    }
    std::uint64_t bits_of(const std::vector<value_part>& of, const position& index, const chunk_memory& memory) const {
        return value_of_parts(of, index, [&](const value_part& p) { return memory.summed(p.from, of_is_stored); });
    }
};

}  // namespace plait::detail
