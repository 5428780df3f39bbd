#pragma once
// Sums of rows whose numbers lie in runs of whole bytes.

#include <plait/packed/field_sums.hpp>

#include <bit>
#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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
    bool are_lanes = false;  // the rows of the innermost loop fill vectors, four bytes each

    void operator()(const std::byte* of, const std::byte* times, std::byte* sums) const {
        run_each(static_cast<int>(each.size()), of + of_begin, times + times_begin, sums + sum_begin);
    }

private:
    void run_each(int depth, const std::byte* of, const std::byte* times, std::byte* sums) const {
        if (depth == 0) return store_one(of, times, sums);
        const loop& l = each[static_cast<std::size_t>(depth - 1)];
        if (depth == 1 && type == data_type::f32 && rows_of_eight_bytes(l) && store_wide_rows(l, of, times, sums))
            return;
        if (depth == 1 && are_lanes) return store_lanes(l, of, sums);
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
        void store_all(const std::int32_t* totals, dim_t count, std::byte* sums) const {
            for (dim_t i = 0; i < count; i += 4) {
                std::uint32_t four[4];
                for (int k = 0; k < 4; ++k) four[k] = static_cast<std::uint32_t>(totals[i + k]) * scale;
                std::memcpy(sums + i * 4, four, 16);
            }
        }
    };
    integer_sum integers() const {
        const auto scale = static_cast<std::uint32_t>(static_cast<std::int64_t>(factor));
        return {subtracts ? 0 - scale : scale, adds};
    }
    /// Stores integer sums of rows whose bytes are lanes of vectors.
    void store_lanes(const loop& l, const std::byte* of, std::byte* sums) const {
        const bool halves = rule.width == 4;
        const auto numbers = static_cast<std::int64_t>(first.size()) * (halves ? 8 : 4);
        const lane_sums how{first.data(),
                            first.size(),
                            rule.flips_of_byte(),
                            halves,
                            static_cast<std::uint32_t>(rule.subtracted * numbers),
                            integers().scale};
        for (dim_t i = 0; i < l.extent * 4; i += code->vector_bytes) code->sum_lanes(how, of + i, sums + i);
    }
    /// Stores a row of integer sums of one run each.
    void store_integers(const loop& l, const std::byte* of, std::byte* sums) const {
        constexpr dim_t most = 64;
        const integer_sum each_sum = integers();
        const dim_t rows = l.extent, of_step = l.of, sum_step = l.sum, bytes = run;
        const bool halves = rule.width == 4, are_short = bytes % 16 == 0 && bytes < 256;
        const std::uint8_t flips = rule.flips_of_byte();
        const auto middle = static_cast<std::int32_t>(rule.subtracted * bytes * (halves ? 2 : 1));
        dim_t i = 0;
        for (std::int32_t some[most]; are_short && i + 4 <= rows;) {
            const dim_t count = smaller_of(rows - i, most) / 4 * 4;
            if (!sum_runs(of + i * of_step, count, of_step, bytes, flips, halves, some)) break;
            for (dim_t k = 0; k < count; ++k) some[k] -= middle;
            if (sum_step == 4 && !each_sum.adds) each_sum.store_all(some, count, sums + i * 4);
            else
                for (dim_t k = 0; k < count; ++k) each_sum.store(some[k], sums + (i + k) * sum_step);
            i += count;
        }
        for (; i < rows; ++i) each_sum.store(sum_of_run(*code, rule, of + i * of_step, bytes), sums + i * sum_step);
    }
    /// Sums some runs, four at once. Returns false where there are no registers for it.
    bool sum_runs([[maybe_unused]] const std::byte* of, [[maybe_unused]] dim_t count, [[maybe_unused]] dim_t step,
                  [[maybe_unused]] dim_t bytes, [[maybe_unused]] std::uint8_t flips, [[maybe_unused]] bool halves,
                  [[maybe_unused]] std::int32_t* to) const {
        if (code->sum_runs != nullptr && bytes % 32 == 0)
            return code->sum_runs(of, count, step, bytes, flips, halves, to), true;
#if defined(__SSE2__)
        for (dim_t i = 0; i < count; i += 4)
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                             sums_of_four_runs(of + i * step, step, bytes, flips, halves));
        return true;
#else
        return false;
#endif
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
    void list_factors(const loop& l, const std::byte* times, int rows, std::vector<float>& out) const {
        float* to = out.data();
        const float factor_of_all = times_factor;
        if (times_type == data_type::bf16 && l.times == 2) {
            for (const group& g : groups)
                for (int i = 0; i < rows; i += 4, to += 4) list_four(times + g.times + 2 * i, factor_of_all, to);
            return;
        }
        for (const group& g : groups)
            for (int i = 0; i < rows; ++i) *to++ = factor_at(times + i * l.times + g.times);
    }
    /// Lists four factors that lie side by side.
    static void list_four(const std::byte* times, float factor_of_all, float* to) {
        std::uint16_t bits[4];
        float four[4];
        std::memcpy(bits, times, sizeof bits);
        for (int i = 0; i < 4; ++i)
            four[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]) << 16) * factor_of_all;
        std::memcpy(to, four, sizeof four);
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
            list_factors(l, times + row * l.times, lanes, factors);
            float totals[8]{};
            code->sum_rows(runs, of + row * 8 + first[0], totals);
            for (int i = 0; i < lanes; ++i) store_float(totals[i], sums + (row + i) * l.sum);
        }
        return true;
    }
};

}  // namespace plait::detail
