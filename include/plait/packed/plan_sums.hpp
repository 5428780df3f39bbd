#pragma once
// Plans the sums that a record stores.

#include <plait/packed/chunk_problem.hpp>
#include <plait/packed/record_sums.hpp>

#include <algorithm>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Plans the sums of the fields of a chunk.
class sum_planner : chunk_problem {
public:
    explicit sum_planner(const chunk_problem& problem) : chunk_problem(problem) {}

    /// True if the sums that were added to a field of the source are those that the destination adds, so that both are
    /// copied together.
    bool copies_sum(const record_piece& piece, const record_field& field) const {
        const record_field* given = find_field(from_.tag, field.name);
        return given != nullptr && field.content.kind == field_content::added_sum && given->content == field.content &&
               same_summed(field.content) && has_same_fibres(piece, field.name);
    }
    /// Plans the sums of a field: those that `r` stores, added to the piece of the destination, or subtracted from it.
    verdict plan_sum(const record_piece& piece, const record_field& field, const record_chunk& r, bool subtracts) {
        const field_content& content = field.content;
        const bool has_times = content.times.size() > 0;
        // Integers from the source, whose rows may be contiguous. Floating sums are rounded in the order of the record
        // that has them.
        const bool is_float = field.type == data_type::f32;
        const record_chunk* side = is_float ? &r : &from_;
        const record_piece* of = only_piece(*side, content.of);
        const record_piece* times = has_times ? only_piece(*side, content.times) : nullptr;
        if (!is_float && of == nullptr) {
            side = &to_;
            of = only_piece(to_, content.of);
        }
        const record_field* summed = find_field(r.tag, content.of);
        double factor = content.factor;
        if (content.parameter.size() > 0) {
            const double* given = options_.find(content.parameter);
            if (given == nullptr) return {reason::parameter_is_missing, -1, short_name(content.parameter)};
            factor *= *given;
            const bool is_whole = factor >= -0x1p62 && factor <= 0x1p62 &&
                                  factor == static_cast<double>(static_cast<std::int64_t>(factor));
            if (field.type == data_type::s32 && !is_whole)
                return {reason::parameter_is_missing, -1, short_name(content.parameter)};
        }
        if (has_padding(piece, to_.dims) && !to_.is_plain()) add_padding(out_->padding, piece, 0);
        for (const dim_t extent : to_.dims)
            if (extent == 0) return {};  // there is nothing to sum, and no index that has a sum
        if (subtracts && !has_same_fibres(piece, field.name))
            return plan_slow_sum(piece, field, *summed, -factor, true, true);
        const record_piece* const stored = is_float || has_times ? nullptr : only_piece(to_, content.of);
        if (stored != nullptr && stored != of &&
            plan_rows(piece, field, *summed, to_, stored, nullptr, {factor, subtracts}, true))
            return {};
        if (of != nullptr && (!has_times || times != nullptr) &&
            plan_rows(piece, field, *summed, *side, of, times, {factor, subtracts}, false))
            return {};
        return plan_slow_sum(piece, field, *summed, subtracts ? -factor : factor, &r == &from_, false);
    }

private:
    /// Integers that are rounded to f32 must not overflow before.
    static bool counts_up_to(const sum_step& sum, dim_t extent) {
        constexpr std::uint64_t most = 1 << 20;
        return sum.times_counted <= most / static_cast<std::uint64_t>(extent);
    }

    struct scaling {
        double factor = 1;
        bool subtracts = false;
    };
    /// Plans sums of rows of one piece; with `only_lanes`, only if their bytes are lanes of vectors.
    bool plan_rows(const record_piece& piece, const record_field& field, const record_field& summed,
                   const record_chunk& side, const record_piece* of, const record_piece* times, const scaling& scales,
                   bool only_lanes) {
        if (!movers_.sum_loops) return false;
        chunk_steps::summing_step step;
        step.to = place_of(to_, piece);
        step.sum.factor = scales.factor;
        step.sum.subtracts = scales.subtracts;
        step.of_is_stored = &side == &to_;
        step.of = place_of(side, *of);
        step.times = times != nullptr ? place_of(side, *times) : step.of;
        if (!fill_sum(step.sum, piece, field, *of, side.field_of(*of), summed, times, side)) return false;
        if (step.sum.is_empty) return true;  // no index has a sum in this piece
        if (!check_count(step.sum.steps(), field.name).ok()) return false;
        if (movers_.row_sums) step.rows = row_sums_maker::make(step.sum);
        if (only_lanes && (!step.rows || !step.rows->are_lanes)) return false;
        return out_->sums.push_back(std::move(step)), true;
    }

    bool same_summed(const field_content& content) const {
        const record_field *before = find_field(from_.tag, content.of), *after = find_field(to_.tag, content.of);
        return before != nullptr && after != nullptr &&
               number_rule_of(*before, *before).subtracted == number_rule_of(*after, *after).subtracted;
    }

    /// Returns the only piece of a field, or null if it has others, or a turned digit.
    static const record_piece* only_piece(const record_chunk& r, const field_name& name) {
        const record_piece* out = nullptr;
        for (const record_piece& piece : r.pieces)
            if (r.field_of(piece).name == name) {
                if (out != nullptr) return nullptr;
                out = &piece;
            }
        if (out != nullptr)
            for (const piece_digit& d : out->digits)
                if (d.turned_by >= 0) return nullptr;
        return out;
    }

    /// True if the indices that share a value of the source's field share one of a piece of the destination, too.
    bool has_same_fibres(const record_piece& piece, const field_name& name) const {
        for (const record_piece& given : from_.pieces)
            for (int a = 0; from_.field_of(given).name == name && a < to_.dims.size(); ++a) {
                const dim_t length = smaller_of(indices_of(piece, a, to_.dims[a]), indices_of(given, a, to_.dims[a]));
                if (!(axis_digits(piece, a).shared(length) == axis_digits(given, a).shared(length))) return false;
            }
        return true;
    }

    /// Plans a sum value by value. With `of_source`, it is over the fibres that the field has in the source.
    ///
    /// Refused: indices_are_too_many
    verdict plan_slow_sum(const record_piece& piece, const record_field& field, const record_field& summed,
                          double factor, bool is_from, bool of_source) {
        slow_sum_step step;
        step.to = place_of(to_, piece);
        step.sum = piece;
        step.field = field;
        step.dims = to_.dims;
        step.factor = factor;
        const bool in_source =
            field.type == data_type::f32 ? is_from : find_field(from_.tag, field.content.of) != nullptr;
        step.of_is_stored = !in_source;
        const record_chunk& side = in_source ? from_ : to_;
        for (const record_piece& part : side.pieces)
            if (const record_field& f = side.field_of(part); f.name == field.content.of)
                step.parts.push_back({place_of(side, part), part, f});
        for (const record_piece& part : side.pieces)
            if (const record_field& f = side.field_of(part); f.name == field.content.times)
                step.times.push_back({place_of(side, part), part, f});
        if (of_source)
            for (const record_piece& part : from_.pieces)
                if (from_.field_of(part).name == field.name) step.fibres.push_back(part);
        index_units units(to_.dims);
        units.add(piece);
        for (const record_piece& part : step.fibres) units.add(part);
        for (const auto* list : {&step.parts, &step.times})
            for (const value_part& part : *list) units.add(part.piece);
        // Floating sums are rounded for each index.
        for (int a = 0; field.type == data_type::f32 && a < to_.dims.size(); ++a) units.add_border(a, 1);
        if (const verdict why = check_count(units.count(), field.name); !why.ok()) return why;
        step.units = units.units();
        record_field whole = summed;
        whole.width = bits_of_values(is_from ? from_ : to_, summed.name);
        step.rule = number_rule_of(whole, whole);
        step.rule.subtracted += field.content.subtracted;
        step.rule.flips ^= whole.flipped;  // values are read without what is inverted in memory
        out_->slow_sums.push_back(std::move(step));
        return {};
    }

    bool fill_sum(sum_step& out, const record_piece& piece, const record_field& field, const record_piece& of,
                  const record_field& stored, const record_field& summed, const record_piece* times,
                  const record_chunk& side) const {
        const field_content& content = field.content;
        const bool is_float = field.type == data_type::f32;
        out.field = field;
        out.code = &movers_.bytes();
        out.rule = number_rule_of(summed, stored);
        out.rule.subtracted += content.subtracted;
        const piece_pair pair = pair_of(field, piece, stored, of, to_.dims);
        if (pair.is_empty()) return out.is_empty = true;
        pair_refinement refinement(pair, times);
        for (int i = 0; i < content.first_digits.size(); ++i) {
            const inner_block& digit = content.first_digits[i];
            refinement.cut_at(digit.axis, content.first_step(i));
            refinement.cut_at(digit.axis, content.first_step(i) * digit.size);
        }
        const pair_loops loops = refinement.find();
        if (!loops.refined) return false;
        for (int a = 0; a < pair.last.size(); ++a) {
            out.dims.push_back(larger_of(pair.last[a] - pair.first[a], 0));
            out.start.push_back(0);
        }
        out.sum_begin = piece.place(pair.first);
        out.of_begin = of.place(pair.first);
        out.has_times = times != nullptr;
        if (times != nullptr) {
            out.times_begin = times->place(pair.first);
            out.times_type = side.field_of(*times).type;
            out.times_width = side.field_of(*times).width;
            out.times_factor = static_cast<float>(1 / side.field_of(*times).factor);
        }
        for (const pair_loop& l : loops.loops) {
            if (l.fixed) {
                // Only one value of the digit belongs to the sums: that of their piece, or that of the summed one.
                if (l.extent == 0) out.is_empty = true;
                out.start[l.axis] += l.value * l.step;
                out.sum_begin += l.value * l.dst;
                out.of_begin += l.value * l.src;
                out.times_begin += l.value * l.third;
                continue;
            }
            const sum_step::loop loop{l.axis, l.step, l.extent, l.dst, l.src, l.third};
            if (l.dst_shares && l.src == 0 && l.third == 0 &&
                (!is_float || (is_first(content, l) && counts_up_to(out, l.extent))) &&
                out.dims[l.axis] % (l.step * l.extent) == 0) {
                // All of them share the summed value: it counts as often.
                out.times_counted *= static_cast<std::uint64_t>(l.extent);
                continue;
            }
            if (!l.dst_shares) out.each.push_back(loop);
            else if (is_float && !is_first(content, l)) out.outer.push_back(loop);
            else out.first.push_back(loop);
            if (l.dst_shares && out.dims[l.axis] % (l.step * l.extent) != 0) out.has_tail = true;
        }
        for (int a = 0; a < out.dims.size(); ++a) out.is_empty = out.is_empty || out.start[a] >= out.dims[a];
        if (out.is_empty) return true;
        if (is_float && !ascends(out)) return false;
        order_loops(out);
        return true;
    }
    /// True if the order of the loops is that of memory: of what is rounded first is what lies first.
    static bool ascends(const sum_step& sum) {
        bool out = true;
        for (const sum_step::loop& l : sum.outer) out = out && l.of >= 0;
        for (const sum_step::loop& l : sum.first) out = out && (l.of >= 0 || !sum.has_tail);
        return out;
    }
    static bool is_first(const field_content& content, const pair_loop& l) {
        for (int i = 0; i < content.first_digits.size(); ++i) {
            const dim_t begin = content.first_step(i), end = begin * content.first_digits[i].size;
            if (content.first_digits[i].axis == l.axis && begin <= l.step && l.step * l.extent <= end) return true;
        }
        return false;
    }
    /// Sorts loops by how far they lie apart in memory, and takes the innermost ones together as a run of bytes.
    static void order_loops(sum_step& out) {
        const auto by_memory = [](const sum_step::loop& a, const sum_step::loop& b) { return a.of < b.of; };
        std::stable_sort(out.first.begin(), out.first.end(), by_memory);
        std::stable_sort(out.outer.begin(), out.outer.end(), by_memory);
        std::stable_sort(out.each.begin(), out.each.end(),
                         [](const sum_step::loop& a, const sum_step::loop& b) { return a.sum < b.sum; });
        out.run_bits = out.rule.width;
        if (out.has_tail || out.of_begin % 8 != 0 || (out.rule.width != 4 && out.rule.width != 8)) return;
        std::size_t taken = 0;
        dim_t run = out.rule.width;
        for (; taken < out.first.size() && out.first[taken].of == run; ++taken) run *= out.first[taken].extent;
        bool whole = run % 8 == 0 && run > out.rule.width;
        for (std::size_t i = taken; i < out.first.size(); ++i) whole = whole && out.first[i].of % 8 == 0;
        for (const auto* list : {&out.outer, &out.each})
            for (const sum_step::loop& l : *list) whole = whole && l.of % 8 == 0;
        if (!whole) return;
        out.first.erase(out.first.begin(), out.first.begin() + static_cast<std::ptrdiff_t>(taken));
        out.run_bits = run;
    }
};

}  // namespace plait::detail
