#pragma once
// Plans sums of rows whose numbers lie in runs of whole bytes.

#include <plait/packed/row_sums.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Turns the loops of sums into those of rows, if all strides are whole bytes and all indices have numbers.
class row_sums_maker {
public:
    static std::optional<row_sums> make(const sum_step& s) {
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

}  // namespace plait::detail
