#pragma once
// Sums value by value: of fields in pieces or with turned digits, or whose digits and those of the sums do not divide
// each other.

#include <plait/packed/bit_access.hpp>
#include <plait/packed/float_bits_access.hpp>
#include <plait/packed/record_piece.hpp>
#include <plait/packed/run_sums.hpp>
#include <plait/packed/side_buffers.hpp>

#include <algorithm>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Calls what(index) for each index below some extents.
template <class What>
void for_each_index(const plait::dims& dims, const What& what) {
    position index;
    for (const dim_t extent : dims) {
        if (extent == 0) return;
        index.push_back(0);
    }
    for (int a = 0; a >= 0;) {
        what(index);
        for (a = index.size() - 1; a >= 0 && ++index[a] == dims[a]; --a) index[a] = 0;
    }
}

/// The sums of one piece.
struct slow_sum_step {
    struct part {
        chunk_place from;
        record_piece piece;
        record_field field;
    };
    chunk_place to;
    record_piece sum;
    record_field field;
    std::vector<part> parts, times;  // the summed field, its factor
    plait::dims dims;
    number_rule rule;
    double factor = 1;
    bool of_is_stored = false;  // the summed field is read from the destination

    void run(const chunk_memory& memory) const {
        std::vector<addend> all;
        for_each_index(dims, [&](const position& index) {
            if (!sum.holds(index)) return;
            const position group = group_of(index);
            all.push_back({sum.place(index), place_of(index), rule(bits_of(parts, index, memory)), group});
        });
        sort_by_memory(all);
        std::byte* sums = memory.destination(to);
        for (std::size_t i = 0; i < all.size();) {
            std::size_t end = i;
            while (end < all.size() && all[end].sum == all[i].sum) ++end;
            const bool adds = field.content.kind == field_content::added_sum;
            const std::uint64_t given = adds ? read_bits(sums, all[i].sum, 32) : 0;
            const std::uint64_t result = field.type == data_type::f32 ? float_sum(all, i, end, adds, given, memory)
                                                                      : integer_sum(all, i, end) + given;
            write_bits(sums, all[i].sum, 32, result & 0xffffffff);
            i = end;
        }
    }

private:
    struct addend {
        dim_t sum, place;  // of the sum; of the value, or of the first of those that are summed as integers with it
        std::int64_t number;
        position group;
    };

    /// Puts values that are summed as integers beside each other, and those that lie first in memory first.
    static void sort_by_memory(std::vector<addend>& all) {
        const auto before = [](const position& a, const position& b) {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
        };
        std::stable_sort(all.begin(), all.end(), [&](const addend& a, const addend& b) {
            return a.sum != b.sum ? a.sum < b.sum : before(a.group, b.group);
        });
        for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
            dim_t first = all[i].place;
            for (; end < all.size() && all[end].sum == all[i].sum && all[end].group == all[i].group; ++end)
                first = smaller_of(first, all[end].place);
            for (std::size_t k = i; k < end; ++k) all[k].place = first;
        }
        std::stable_sort(all.begin(), all.end(), [](const addend& a, const addend& b) {
            return a.sum != b.sum ? a.sum < b.sum : a.place < b.place;
        });
    }
    /// Returns the first index of those that are summed as integers together with an index.
    position group_of(position index) const {
        for (int i = 0; i < field.content.first_digits.size(); ++i) {
            const inner_block& digit = field.content.first_digits[i];
            const dim_t begin = field.content.first_step(i);
            index[digit.axis] -= index[digit.axis] / begin % digit.size * begin;
        }
        return index;
    }
    dim_t place_of(const position& index) const {
        for (const part& p : parts)
            if (p.piece.holds(index)) return p.piece.place(index);
        return 0;
    }
    std::uint64_t bits_of(const std::vector<part>& of, const position& index, const chunk_memory& memory) const {
        std::uint64_t value = 0;
        for (const auto& p : of)
            if (p.piece.holds(index)) {
                const std::byte* at = memory.summed(p.from, of_is_stored);
                value |= (read_bits(at, p.piece.place(index), p.field.width) ^ p.field.flipped) << p.field.low;
            }
        return value;
    }
    std::uint64_t integer_sum(const std::vector<addend>& all, std::size_t first, std::size_t last) const {
        std::uint64_t total = 0;
        for (std::size_t i = first; i < last; ++i) total += static_cast<std::uint64_t>(all[i].number);
        return total * static_cast<std::uint64_t>(static_cast<std::int64_t>(factor));
    }
    std::uint64_t float_sum(const std::vector<addend>& all, std::size_t first, std::size_t last, bool adds,
                            std::uint64_t given, const chunk_memory& memory) const {
        float total = 0;
        for (std::size_t i = first; i < last;) {
            std::int64_t integers = 0;
            const std::size_t begin = i;
            for (; i < last && all[i].group == all[begin].group; ++i) integers += all[i].number;
            float scale = 1;
            for (const auto& p : times)
                if (p.piece.holds(all[begin].group))
                    scale = float_of_bits(p.field.type, bits_of({p}, all[begin].group, memory)) *
                            static_cast<float>(1 / p.field.factor);
            total += rounded_product(static_cast<float>(integers), scale);
        }
        const float scaled = static_cast<float>(total * factor);
        return bits_of_float(data_type::f32, adds ? float_of_bits(data_type::f32, given) + scaled : scaled);
    }
};

}  // namespace plait::detail
