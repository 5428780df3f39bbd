#pragma once
// Sums of rows whose numbers lie in runs of whole bytes.

#include <plait/packed/field_sums.hpp>

#include <bit>
#include <optional>

namespace plait::detail {

/// The sums of a field, if all strides are whole bytes and no index is behind an end.
struct row_sums {
    struct loop {
        dim_t extent = 0, sum = 0, of = 0, times = 0;  // strides in bytes
    };
    using group = row_group;
    const step_code* code = nullptr;
    number_rule rule;
    data_type type = data_type::s32, times_type = data_type::undef;
    float times_factor = 1;
    std::vector<loop> each;  // from the innermost
    std::vector<group> groups;
    std::vector<dim_t> rounded, first;  // where runs begin in a group; where the runs begin that are one integer sum
    dim_t run = 0;                      // bytes
    double factor = 1;
    bool adds = false, subtracts = false;
    dim_t sum_begin = 0, of_begin = 0, times_begin = 0;

    void operator()(const std::byte* of, const std::byte* times, std::byte* sums) const {
        run_each(static_cast<int>(each.size()), of + of_begin, times + times_begin, sums + sum_begin);
    }

private:
    void run_each(int depth, const std::byte* of, const std::byte* times, std::byte* sums) const {
        if (depth == 0) return store_one(of, times, sums);
        const loop& l = each[static_cast<std::size_t>(depth - 1)];
        if (depth == 1 && type == data_type::f32 && rows_of_eight_bytes(l) && store_wide_rows(l, of, times, sums))
            return;
        if (depth == 1 && type == data_type::s32 && first.size() == 1) return store_integers(l, of + first[0], sums);
        for (dim_t i = 0; i < l.extent; ++i) run_each(depth - 1, of + i * l.of, times + i * l.times, sums + i * l.sum);
    }
    std::int64_t integer_at(const std::byte* of) const {
        std::int64_t total = 0;
        for (const dim_t begin : first) total += sum_of_run(*code, rule, of + begin, run);
        return total;
    }
    float factor_at(const std::byte* times) const {
        if (times_type == data_type::undef) return 1;
        switch (times_type) {
            case data_type::f32: return number_of<float>(times) * times_factor;
            case data_type::bf16: return std::bit_cast<float>(number_of<std::uint16_t>(times) << 16) * times_factor;
            default: break;
        }
        return float_of_bits(times_type, read_bits(times, 0, size_in_bits(times_type))) * times_factor;
    }
    /// Reads bytes of a constant size: a copy of any other size is slow, and so is what reads it.
    template <class Number>
    static Number number_of(const std::byte* at) {
        Number out;
        std::memcpy(&out, at, sizeof out);
        return out;
    }
    void store_one(const std::byte* of, const std::byte* times, std::byte* sums) const {
        if (type == data_type::f32) {
            float total = 0;
            for (const group& g : groups) {
                const float scale = factor_at(times + g.times);
                for (const dim_t begin : rounded)
                    total += rounded_product(static_cast<float>(integer_at(of + g.of + begin)), scale);
            }
            return store_float(total, sums);
        }
        integers().store(integer_at(of), sums);
    }
    /// How an integer sum is stored. A copy stays in registers, where stores of bytes could change a member.
    struct integer_sum {
        std::uint32_t scale = 1;
        bool adds = false;
        void store(std::int64_t total, std::byte* sum) const {
            std::uint32_t bits = 0;
            if (adds) std::memcpy(&bits, sum, 4);
            bits += static_cast<std::uint32_t>(total) * scale;
            std::memcpy(sum, &bits, 4);
        }
    };
    integer_sum integers() const {
        const auto scale = static_cast<std::uint32_t>(static_cast<std::int64_t>(factor));
        return {subtracts ? 0 - scale : scale, adds};
    }
    /// Stores a row of integer sums of one run each.
    void store_integers(const loop& l, const std::byte* of, std::byte* sums) const {
        const integer_sum each_sum = integers();
        const dim_t rows = l.extent, of_step = l.of, sum_step = l.sum;
        dim_t i = 0;
#if defined(__SSE2__)
        if (const dim_t bytes = run; bytes % 16 == 0 && bytes < 256) {
            const bool halves = rule.width == 4;
            const auto flips = static_cast<std::uint8_t>(halves ? rule.flips * 17 : rule.flips);
            const __m128i middle =
                _mm_set1_epi32(static_cast<std::int32_t>(rule.subtracted * bytes * (halves ? 2 : 1)));
            for (; i + 4 <= rows; i += 4) {
                const __m128i all = sums_of_four_runs(of + i * of_step, of_step, bytes, flips, halves);
                std::int32_t four[4];
                _mm_storeu_si128(reinterpret_cast<__m128i*>(four), _mm_sub_epi32(all, middle));
                std::byte* const at = sums + i * sum_step;
                each_sum.store(four[0], at), each_sum.store(four[1], at + sum_step);
                each_sum.store(four[2], at + 2 * sum_step), each_sum.store(four[3], at + 3 * sum_step);
            }
        }
#endif
        for (; i < rows; ++i) each_sum.store(sum_of_run(*code, rule, of + i * of_step, run), sums + i * sum_step);
    }
    void store_float(float total, std::byte* sums) const {
        auto scaled = static_cast<float>(total * factor);
        if (adds) {
            float given = 0;
            std::memcpy(&given, sums, 4);
            scaled = subtracts ? given - scaled : given + scaled;
        }
        std::memcpy(sums, &scaled, 4);
    }

    /// True if the rows of a loop lie side by side, eight bytes of halves each.
    bool rows_of_eight_bytes(const loop& l) const {
        return run == 8 && rule.width == 4 && first.size() == 1 && l.of == 8 && l.extent % 4 == 0;
    }
    /// Lists the factors of some rows, for the first group, then for the second ...
    void list_factors(const loop& l, const std::byte* times, dim_t first_row, int rows, std::vector<float>& out) const {
        float* to = out.data();
        for (const group& g : groups)
            for (int i = 0; i < rows; ++i) *to++ = factor_at(times + (first_row + i) * l.times + g.times);
    }
    /// Stores the sums of as many rows as the widest registers have. Returns false where registers are too small for
    /// it.
    bool store_wide_rows(const loop& l, const std::byte* of, const std::byte* times, std::byte* sums) const {
        const int lanes = code->vector_bytes / 8;
        if (code->sum_rows == nullptr || l.extent % lanes != 0) return false;
        std::vector<float> factors(groups.size() * static_cast<std::size_t>(lanes));
        const rows_of_runs runs{groups.data(),
                                groups.size(),
                                rounded.data(),
                                rounded.size(),
                                factors.data(),
                                rule.flips * 0x1111111111111111,
                                static_cast<std::int32_t>(rule.subtracted * 16)};
        for (dim_t row = 0; row < l.extent; row += lanes) {
            list_factors(l, times, row, lanes, factors);
            float totals[8]{};
            code->sum_rows(runs, of + row * 8 + first[0], totals);
            for (int i = 0; i < lanes; ++i) store_float(totals[i], sums + (row + i) * l.sum);
        }
        return true;
    }
};

}  // namespace plait::detail
