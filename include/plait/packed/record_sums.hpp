#pragma once
// Sums that are stored in a record: of runs of whole bytes in rows, along loops over indices, or value by value if a
// field lies in pieces or has turned digits, or if its digits and those of the sums do not divide each other.

#include <plait/engine/simd/byte_kernels.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/packed/piece_pair.hpp>
#include <plait/packed/record_chunks.hpp>
#include <plait/packed/record_places.hpp>
#include <plait/packed/record_tag.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// How stored bits become the number that a sum takes.
struct number_rule {
    int width = 0;                ///< of what is stored
    std::uint64_t flips = 0;      ///< bits that are inverted first
    std::int64_t subtracted = 0;  ///< then

    constexpr std::int64_t operator()(std::uint64_t stored) const {
        return static_cast<std::int64_t>((stored ^ flips) & low_bits(width)) - subtracted;
    }

    /// Returns how the bytes of a run of numbers are summed.
    ///
    /// Pre:     width is 4 or 8
    constexpr engine::summed_bytes of_bytes() const {
        return {static_cast<std::uint8_t>(width == 4 ? flips * 17 : flips), width == 4};
    }
    /// Returns how much is subtracted from the sum of a number of bytes.
    constexpr std::int64_t subtracted_from(dim_t bytes) const { return subtracted * bytes * (width == 4 ? 2 : 1); }
};

/// Returns the rule for values that are stored as `stored` says and summed as `summed` says: a signed type, or bits of
/// which the highest is stored inverted, count from the middle of the range.
constexpr number_rule number_rule_of(const record_field& summed, const record_field& stored) {
    const std::uint64_t half = std::uint64_t{1} << (summed.low + summed.width - 1);
    const bool is_signed =
        summed.type == data_type::s4 || summed.type == data_type::s8 || summed.type == data_type::s32;
    const bool from_middle = is_signed || summed.flipped == half;
    return {stored.width, stored.flipped ^ (is_signed ? half : 0), from_middle ? static_cast<std::int64_t>(half) : 0};
}

/// Returns the sum of the numbers that fill a run of bytes.
///
/// Pre:     rule.width is 4 or 8
inline std::int64_t sum_of_run(const engine::byte_kernels& code, const number_rule& rule, const std::byte* from,
                               dim_t bytes) {
    return static_cast<std::int64_t>(engine::sum_of_run(code.sum_runs, from, bytes, rule.of_bytes())) -
           rule.subtracted_from(bytes);
}

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
    plait::dims dims;  // how many indices there are, from the first one that both pieces have
    position start;    // the digits that are fixed, counted from that index
    double factor = 1;
    std::uint64_t times_counted = 1;  // how many indices share each summed value, and its sum
    bool has_tail = false, subtracts = false, is_empty = false;
    const engine::byte_kernels* code = nullptr;

    /// Returns how many steps the loops have together, or 2^62 if there are more.
    dim_t steps() const {
        dim_t out = larger_of(run_bits / 1024, 1);  // vectors take many values of a run at once
        for (const auto* list : {&each, &outer, &first})
            for (const loop& l : *list)
                if (multiply_overflows(out, l.extent, out)) return dim_t{1} << 62;
        return out;
    }

    /// Adds the sums, or stores them, with indices that count from the first of a chunk.
    ///
    /// Pre:     `of` has the summed field, `times` its factor, `sums` the places of the sums
    void run(const std::byte* of, const std::byte* times, std::byte* sums) const {
        position index = start;
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
        auto scaled = static_cast<std::uint64_t>(total) * times_counted *
                      static_cast<std::uint64_t>(static_cast<std::int64_t>(factor));
        if (subtracts) scaled = 0 - scaled;
        if (field.content.kind == field_content::added_sum) scaled += read_bits(sums, sum, 32);
        write_bits(sums, sum, 32, scaled & 0xffffffff);
    }
    void round_each(int depth, position& index, const std::byte* of, const std::byte* times, dim_t of_at,
                    dim_t times_at, float& total) const {
        if (depth == 0) {
            const auto part = static_cast<float>(add_first(static_cast<int>(first.size()), index, of, of_at) *
                                                 static_cast<std::int64_t>(times_counted));
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
                engine::run_sums how{some.of, bytes, rule.of_bytes()};
                if (is_whole) how.subtracted = static_cast<std::uint32_t>(rule.subtracted_from(bytes));
                if (is_whole) how.scale = scale_of_integers();
                code->sum_runs(how, of + begin + at, some.extent, reinterpret_cast<std::byte*>(sums));
                what(sums);
            }
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

/// Turns the loops of sums into those of rows, if all strides are whole bytes and all indices have numbers.
class row_sums_maker {
public:
    static std::optional<row_sums> make(const sum_step& s) {
        if (s.field.type == data_type::f32 && s.times_counted != 1) return std::nullopt;
        if (s.has_tail || s.run_bits % 8 != 0 || (s.rule.width != 4 && s.rule.width != 8)) return std::nullopt;
        bool whole = s.sum_begin % 8 == 0 && s.of_begin % 8 == 0 && s.times_begin % 8 == 0 && s.times_width % 8 == 0;
        for (const auto* list : {&s.each, &s.outer, &s.first})
            for (const sum_step::loop& l : *list)
                whole = whole && l.sum % 8 == 0 && l.of % 8 == 0 && l.times % 8 == 0 &&
                        s.dims[l.axis] % (l.step * l.extent) == 0;
        dim_t groups = 1, rounded = 1, first = 1;
        for (const sum_step::loop& l : s.outer) (l.times != 0 || groups > 1 ? groups : rounded) *= l.extent;
        for (const sum_step::loop& l : s.first) first *= l.extent;
        if (!whole || groups * rounded * first > most) return std::nullopt;
        row_sums out;
        out.code = s.code;
        out.rule = s.rule;
        out.type = s.field.type;
        if (s.has_times) out.times_type = s.times_type;
        out.times_factor = s.times_factor;
        out.run = s.run_bits / 8;
        out.factor = s.factor;
        out.times_counted = s.times_counted;
        out.adds = s.field.content.kind == field_content::added_sum;
        out.subtracts = s.subtracts;
        out.sum_begin = s.sum_begin / 8, out.of_begin = s.of_begin / 8, out.times_begin = s.times_begin / 8;
        for (const sum_step::loop& l : s.each) out.each.push_back({l.extent, l.sum / 8, l.of / 8, l.times / 8});
        list(s.first, static_cast<int>(s.first.size()), 0, out.first);
        split(s, out);
        out.are_lanes = are_lanes(out);
        return out;
    }

private:
    static constexpr dim_t most = 1 << 16;

    /// True if the rows of the innermost loop fill vectors, four bytes each, and so do their sums.
    static bool are_lanes(const row_sums& sums) {
        if (sums.type != data_type::s32 || sums.run != 4 || sums.adds || sums.each.empty()) return false;
        const row_sums::loop& rows = sums.each[0];
        return rows.of == 4 && rows.sum == 4 && rows.extent * 4 % sums.code->vector_bytes == 0;
    }
    /// The outermost loops with another factor become groups, the ones inside are rounded one after the other.
    static void split(const sum_step& s, row_sums& out) {
        std::size_t inner = 0;
        while (inner < s.outer.size() && s.outer[inner].times == 0) ++inner;
        const std::vector<sum_step::loop> rounded(s.outer.begin(),
                                                  s.outer.begin() + static_cast<std::ptrdiff_t>(inner));
        const std::vector<sum_step::loop> groups(s.outer.begin() + static_cast<std::ptrdiff_t>(inner), s.outer.end());
        list(rounded, static_cast<int>(rounded.size()), 0, out.rounded);
        list_groups(groups, static_cast<int>(groups.size()), {}, out.groups);
    }
    static void list(const std::vector<sum_step::loop>& loops, int depth, dim_t begin, std::vector<dim_t>& out) {
        if (depth == 0) return out.push_back(begin);
        const sum_step::loop& l = loops[static_cast<std::size_t>(depth - 1)];
        for (dim_t i = 0; i < l.extent; ++i) list(loops, depth - 1, begin + i * l.of / 8, out);
    }
    static void list_groups(const std::vector<sum_step::loop>& loops, int depth, row_sums::group begin,
                            std::vector<row_sums::group>& out) {
        if (depth == 0) return out.push_back(begin);
        const sum_step::loop& l = loops[static_cast<std::size_t>(depth - 1)];
        for (dim_t i = 0; i < l.extent; ++i)
            list_groups(loops, depth - 1, {begin.of + i * l.of / 8, begin.times + i * l.times / 8}, out);
    }
};

/// A piece of a field, and where the bytes are that its places are counted from.
struct value_part {
    chunk_place from;
    record_piece piece;
    record_field field;
};

/// Returns the bits of the value at an index, as they are before the tag inverts some or subtracts. `memory_of(part)`
/// returns the bytes of a piece.
template <class MemoryOf>
std::uint64_t value_of_parts(const std::vector<value_part>& parts, const position& index, const MemoryOf& memory_of) {
    std::uint64_t out = 0;
    for (const value_part& p : parts)
        if (p.piece.holds(index)) out |= p.field.value_of(read_bits(memory_of(p), p.piece.place(index), p.field.width));
    return out;
}

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
