#pragma once
// Sums of rows: of runs of whole bytes that lie at regular distances. plan_sums.hpp plans them.

#include <plait/packed/summed_values.hpp>

#include <cstring>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The sums of a field, if all strides are whole bytes and no index is behind an end.
struct row_sums {
    struct loop {
        dim_t extent = 0, sum = 0, of = 0, times = 0;  // strides in bytes
    };
    using group = engine::row_group;
    const engine::byte_kernels* code = nullptr;
    number_rule rule;
    data_type type = data_type::s32, times_type = data_type::undef;
    float times_factor = 1;
    std::vector<loop> each;  // from the innermost
    std::vector<group> groups;
    std::vector<dim_t> rounded, first;  // where runs begin in a group; where the runs begin that are one integer sum
    dim_t run = 0;                      // bytes
    double factor = 1;
    std::uint64_t times_counted = 1;  // how many indices share each summed value, and its sum; of integers
    bool adds = false, subtracts = false;
    dim_t sum_begin = 0, of_begin = 0, times_begin = 0;
    bool are_lanes = false;  // the rows of the innermost loop fill vectors, four bytes each

    void operator()(const std::byte* of, const std::byte* times, std::byte* sums) const {
        run_each(static_cast<int>(each.size()), of + of_begin, times + times_begin, sums + sum_begin);
    }

private:
    void run_each(int depth, const std::byte* of, const std::byte* times, std::byte* sums) const {
        if (depth == 0) return store_rows({1, 0, 0, 0}, of, times, sums);
        const loop& l = each[static_cast<std::size_t>(depth - 1)];
        if (depth > 1) {
            for (dim_t i = 0; i < l.extent; ++i)
                run_each(depth - 1, of + i * l.of, times + i * l.times, sums + i * l.sum);
            return;
        }
        if (are_lanes) return store_lanes(l, of, sums);
        if (type == data_type::f32 && rows_of_eight_bytes(l)) return store_short_rows(l, of, times, sums);
        store_rows(l, of, times, sums);
    }
    /// Stores the sums of a row, some at once.
    void store_rows(const loop& l, const std::byte* of, const std::byte* times, std::byte* sums) const {
        if (type != data_type::f32 && is_one_part() && !adds && l.sum == 4)
            return code->sum_runs(whole_sums(l.of, run), of + first[0], l.extent, sums);
        for (dim_t i = 0; i < l.extent; i += most_at_once) {
            const loop some{smaller_of(l.extent - i, most_at_once), l.sum, l.of, l.times};
            if (type == data_type::f32) store_floats(some, of + i * l.of, times + i * l.times, sums + i * l.sum);
            else store_integers(some, of + i * l.of, sums + i * l.sum);
        }
    }
    static constexpr dim_t most_at_once = 32;

    void store_floats(const loop& some, const std::byte* of, const std::byte* times, std::byte* sums) const {
        float totals[most_at_once]{};
        for (const group& g : groups) {
            float factors[most_at_once];
            for (dim_t i = 0; i < some.extent; ++i) factors[i] = factor_at(times + g.times + i * some.times);
            const std::int64_t less = rule.subtracted_from(run * static_cast<dim_t>(first.size()));
            const auto add = [&](dim_t i, std::int64_t sum) {
                totals[i] += rounded_product(static_cast<float>(sum - less), factors[i]);
            };
            for (const dim_t begin : rounded) {
                if (is_one_part()) {
                    for_each_sum(some, of + g.of + begin, false, [&](const std::uint32_t* sums_of_rows) {
                        for (dim_t i = 0; i < some.extent; ++i) add(i, sums_of_rows[i]);
                    });
                    continue;
                }
                std::int64_t integers[most_at_once]{};
                for_each_sum(some, of + g.of + begin, false, [&](const std::uint32_t* part) {
                    for (dim_t i = 0; i < some.extent; ++i) integers[i] += part[i];
                });
                for (dim_t i = 0; i < some.extent; ++i) add(i, integers[i]);
            }
        }
        for (dim_t i = 0; i < some.extent; ++i) store_float(totals[i], sums + i * some.sum);
    }
    /// True if for_each_sum has one part for each sum.
    bool is_one_part() const { return first.size() == 1 && run <= engine::byte_kernels::most_summed; }
    void store_integers(const loop& some, const std::byte* of, std::byte* sums) const {
        bool adds_more = adds;
        for_each_sum(some, of, true, [&](const std::uint32_t* part) {
            for (dim_t i = 0; i < some.extent; ++i) {
                std::uint32_t total = 0;
                if (adds_more) std::memcpy(&total, sums + i * some.sum, 4);
                total += part[i];
                std::memcpy(sums + i * some.sum, &total, 4);
            }
            adds_more = true;
        });
    }
    /// Calls what(sums) for the parts of some integer sums, which are added; if `is_whole`, each part is complete:
    /// less what is subtracted, and times the factor.
    template <class What>
    void for_each_sum(const loop& some, const std::byte* of, bool is_whole, const What& what) const {
        std::uint32_t sums[most_at_once];
        for (const dim_t begin : first)
            for (dim_t at = 0; at < run; at += engine::byte_kernels::most_summed) {
                const dim_t bytes = smaller_of(run - at, engine::byte_kernels::most_summed);
                const engine::run_sums how =
                    is_whole ? whole_sums(some.of, bytes) : engine::run_sums{some.of, bytes, rule.of_bytes()};
                code->sum_runs(how, of + begin + at, some.extent, reinterpret_cast<std::byte*>(sums));
                what(sums);
            }
    }
    /// Returns how runs are summed: less what is subtracted, and times the factor.
    engine::run_sums whole_sums(dim_t step, dim_t bytes) const {
        return {step, bytes, rule.of_bytes(), static_cast<std::uint32_t>(rule.subtracted_from(bytes)),
                scale_of_integers()};
    }
    float factor_at(const std::byte* times) const {
        if (times_type == data_type::undef) return 1;
        switch (times_type) {
            case data_type::f32: return number_of<float>(times) * times_factor;
            case data_type::bf16: return float_of_bf16(times) * times_factor;
            default: break;
        }
        return float_of_bits(times_type, read_bits(times, 0, size_in_bits(times_type))) * times_factor;
    }
    static float float_of_bf16(const std::byte* at) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(number_of<std::uint16_t>(at)) << 16);
    }
    /// Reads bytes of a constant size: a copy of any other size is slow, and so is what reads it.
    template <class Number>
    static Number number_of(const std::byte* at) {
        Number out;
        std::memcpy(&out, at, sizeof out);
        return out;
    }
    /// Returns the number that an integer sum is multiplied by, modulo 2^32.
    std::uint32_t scale_of_integers() const {
        const auto scale =
            static_cast<std::uint32_t>(static_cast<std::int64_t>(factor)) * static_cast<std::uint32_t>(times_counted);
        return subtracts ? 0 - scale : scale;
    }
    /// Stores integer sums of rows whose bytes are lanes of vectors.
    void store_lanes(const loop& l, const std::byte* of, std::byte* sums) const {
        const engine::lane_sums how{
            first.data(), first.size(), rule.of_bytes(),
            static_cast<std::uint32_t>(rule.subtracted_from(4 * static_cast<dim_t>(first.size()))),
            scale_of_integers()};
        for (dim_t i = 0; i < l.extent * 4; i += code->vector_bytes) code->sum_lanes(how, of + i, sums + i);
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

    /// True if the rows of a loop lie side by side, eight bytes each, and fill vectors.
    bool rows_of_eight_bytes(const loop& l) const {
        return run == 8 && l.of == 8 && l.extent * 8 % code->vector_bytes == 0 &&
               (first.size() == 1 || integers_are_exact());
    }
    /// True if an f32 has each integer that is summed first, and each sum of some of its runs.
    bool integers_are_exact() const {
        constexpr std::int64_t most = 1 << 24, most_bytes = 1 << 10, largest = 255;
        const std::int64_t less = larger_of(rule.subtracted, -rule.subtracted);
        return static_cast<std::int64_t>(first.size()) * run <= most_bytes && less <= most / most_bytes / 2 - largest;
    }
    /// Lists the factors of some rows, for the first group, then for the second ...
    void list_factors(const loop& l, const std::byte* times, dim_t rows, float* to) const {
        const float factor_of_all = times_factor;
        const bool in_fours = times_type == data_type::bf16 && l.times == 2 && rows % 4 == 0;
        for (const group& g : groups) {
            const std::byte* const at = times + g.times;
            if (in_fours)
                for (dim_t i = 0; i < rows; i += 4, to += 4) list_four(at + 2 * i, factor_of_all, to);
            else
                for (dim_t i = 0; i < rows; ++i) *to++ = factor_at(at + i * l.times);
        }
    }
    /// Lists four factors that lie side by side: so many that compilers use vectors.
    static void list_four(const std::byte* times, float factor_of_all, float* to) {
        std::uint16_t bits[4];
        float four[4];
        std::memcpy(bits, times, sizeof bits);
        for (int i = 0; i < 4; ++i)
            four[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]) << 16) * factor_of_all;
        std::memcpy(to, four, sizeof four);
    }
    /// Stores the sums of rows of eight bytes, as many at once as a vector has.
    void store_short_rows(const loop& l, const std::byte* of, const std::byte* times, std::byte* sums) const {
        const dim_t rows = code->vector_bytes / 8;
        std::vector<float> factors(groups.size() * static_cast<std::size_t>(rows));
        const auto less = static_cast<std::uint32_t>(rule.subtracted_from(8));
        const engine::rows_of_runs runs{groups.data(),   groups.size(), rounded.data(), rounded.size(), factors.data(),
                                        rule.of_bytes(), less};
        for (dim_t row = 0; row < l.extent; row += rows) {
            list_factors(l, times + row * l.times, rows, factors.data());
            float totals[8]{};
            if (first.size() == 1) code->sum_rows(runs, of + row * 8 + first[0], totals);
            else add_integers_of_runs(of + row * 8, rows, factors.data(), less, totals);
            for (dim_t i = 0; i < rows; ++i) store_float(totals[i], sums + (row + i) * l.sum);
        }
    }
    /// Adds to the totals of rows whose integers are sums of some runs each: with a factor of 1, sum_rows adds these
    /// without rounding.
    ///
    /// Pre:     integers_are_exact()
    void add_integers_of_runs(const std::byte* of, dim_t rows, const float* factors, std::uint32_t less,
                              float* totals) const {
        constexpr float ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
        const group here;
        const engine::rows_of_runs runs{&here, 1, first.data(), first.size(), ones, rule.of_bytes(), less};
        for (const group& g : groups) {
            for (const dim_t begin : rounded) {
                float integers[8]{};
                code->sum_rows(runs, of + g.of + begin, integers);
                for (dim_t i = 0; i < rows; ++i) totals[i] += rounded_product(integers[i], factors[i]);
            }
            factors += rows;
        }
    }
};

}  // namespace plait::detail
