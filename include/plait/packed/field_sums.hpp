#pragma once
// Sums that are stored in a record: the numbers of another field, over the indices that share the sum's place.

#include <plait/packed/bit_access.hpp>
#include <plait/packed/float_bits_access.hpp>
#include <plait/packed/piece_pair.hpp>
#include <plait/packed/run_sums.hpp>

#include <algorithm>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// One step of the sums of a record.
struct sum_step {
    /// A loop over indices: bits between neighbours in the sums, in the summed field, in the factor.
    struct loop {
        int axis = 0;
        dim_t step = 0, extent = 0, sum = 0, of = 0, times = 0;
    };
    record_field field;
    number_rule rule;
    bool has_times = false;
    data_type times_type = data_type::f32;
    int times_width = 32;
    float times_factor = 1;
    std::vector<loop> each;   // over the sums
    std::vector<loop> outer;  // over what is rounded, in the order of memory
    std::vector<loop> first;  // over what is summed in integers, with no contiguous run
    dim_t run_bits = 0;       // the innermost run of integers, or the width of one
    dim_t sum_begin = 0, of_begin = 0, times_begin = 0;
    plait::dims dims;
    double factor = 1;
    bool has_tail = false, subtracts = false;
    const step_code* code = nullptr;

    /// Adds the sums, or stores them, with indices that count from the first of a chunk.
    ///
    /// Pre:     `of` has the summed field, `times` its factor, `sums` the places of the sums
    void run(const std::byte* of, const std::byte* times, std::byte* sums) const {
        position index;
        for (int a = 0; a < dims.size(); ++a) index.push_back(0);
        run_each(static_cast<int>(each.size()), index, of, times, sums, sum_begin, of_begin, times_begin);
    }

private:
    bool inside(const position& index) const {
        for (int a = 0; a < dims.size(); ++a)
            if (index[a] >= dims[a]) return false;
        return true;
    }
    void run_each(int depth, position& index, const std::byte* of, const std::byte* times, std::byte* sums, dim_t sum,
                  dim_t of_at, dim_t times_at) const {
        if (depth == 0) return store(index, of, times, sums, sum, of_at, times_at);
        const loop& l = each[static_cast<std::size_t>(depth - 1)];
        const dim_t before = index[l.axis];
        for (dim_t i = 0; i < l.extent; ++i) {
            index[l.axis] = before + i * l.step;
            if (index[l.axis] >= dims[l.axis]) break;
            run_each(depth - 1, index, of, times, sums, sum + i * l.sum, of_at + i * l.of, times_at + i * l.times);
        }
        index[l.axis] = before;
    }
    void store(position& index, const std::byte* of, const std::byte* times, std::byte* sums, dim_t sum, dim_t of_at,
               dim_t times_at) const {
        if (field.type == data_type::f32) {
            float total = 0;
            round_each(static_cast<int>(outer.size()), index, of, times, of_at, times_at, total);
            float given = 0;
            if (field.content.kind == field_content::added_sum)
                given = float_of_bits(data_type::f32, read_bits(sums, sum, 32));
            const float scaled = static_cast<float>(total * factor);
            const float result =
                field.content.kind == field_content::added_sum ? (subtracts ? given - scaled : given + scaled) : scaled;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &result, 4);
            return write_bits(sums, sum, 32, bits);
        }
        const std::int64_t total = add_first(static_cast<int>(first.size()), index, of, of_at);
        auto scaled = static_cast<std::uint64_t>(total) * static_cast<std::uint64_t>(static_cast<std::int64_t>(factor));
        if (subtracts) scaled = 0 - scaled;
        if (field.content.kind == field_content::added_sum) scaled += read_bits(sums, sum, 32);
        write_bits(sums, sum, 32, scaled & 0xffffffff);
    }
    void round_each(int depth, position& index, const std::byte* of, const std::byte* times, dim_t of_at,
                    dim_t times_at, float& total) const {
        if (depth == 0) {
            const auto part = static_cast<float>(add_first(static_cast<int>(first.size()), index, of, of_at));
            const float scale =
                has_times ? float_of_bits(times_type, read_bits(times, times_at, times_width)) * times_factor : 1.0f;
            total += rounded_product(part, scale);
            return;
        }
        const loop& l = outer[static_cast<std::size_t>(depth - 1)];
        const dim_t before = index[l.axis];
        for (dim_t i = 0; i < l.extent; ++i) {
            index[l.axis] = before + i * l.step;
            if (index[l.axis] >= dims[l.axis]) break;
            round_each(depth - 1, index, of, times, of_at + i * l.of, times_at + i * l.times, total);
        }
        index[l.axis] = before;
    }
    std::int64_t add_first(int depth, position& index, const std::byte* of, dim_t of_at) const {
        if (depth == 0) {
            if (has_tail && !inside(index)) return 0;
            if (run_bits == rule.width) return rule(read_bits(of, of_at, rule.width));
            return sum_of_run(*code, rule, of + of_at / 8, run_bits / 8);
        }
        const loop& l = first[static_cast<std::size_t>(depth - 1)];
        const dim_t before = index[l.axis];
        std::int64_t total = 0;
        for (dim_t i = 0; i < l.extent; ++i) {
            index[l.axis] = before + i * l.step;
            total += add_first(depth - 1, index, of, of_at + i * l.of);
        }
        index[l.axis] = before;
        return total;
    }
};

}  // namespace plait::detail
