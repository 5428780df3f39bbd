#pragma once
// Plans the sums that a record stores: of rows of bytes if their digits and those of the summed field divide each
// other, otherwise of values that are listed one by one.

#include <plait/packed/chunk_problem.hpp>
#include <plait/packed/listed_sums.hpp>
#include <plait/packed/row_sums.hpp>

#include <algorithm>
#include <optional>
#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Finds the rows of the sums of one piece, over values of one piece.
class row_sums_maker {
public:
    /// The pieces that a sum is made of. `times` is null if there is no factor.
    struct pieces {
        const record_piece& sum;
        const record_field& field;
        const record_piece& of;
        const record_field& stored;
        const record_field& summed;
        const record_piece* times;
        const record_field* times_field;
    };
    row_sums_maker(const pieces& p, const plait::dims& dims, const engine::byte_kernels& code)
        : pieces_(p), dims_(dims), is_float_(p.field.type == data_type::f32) {
        out_.code = &code;
        out_.rule = number_rule_of(p.summed, p.stored);
        out_.rule.subtracted += p.field.content.subtracted;
        out_.type = p.field.type;
        out_.adds = p.field.content.kind == field_content::added_sum;
        if (p.times == nullptr) return;
        out_.times_type = p.times_field->type;
        out_.times_factor = static_cast<float>(1 / p.times_field->factor);
    }

    /// True if no index has a sum and a value: make() has found it.
    bool is_empty() const { return is_empty_; }
    /// Returns how many steps the loops have together, or 2^62 if there are more: make() has found them.
    dim_t steps() const {
        dim_t out = larger_of(run_bits_ / 1024, 1);  // vectors take many values of a run at once
        for (const auto* list : {&each_, &outer_, &first_})
            for (const loop& l : *list)
                if (multiply_overflows(out, l.extent, out)) return dim_t{1} << 62;
        return out;
    }
    /// Returns the rows, or nothing if there are none: if some index is after an end, if digits do not divide each
    /// other, or if a stride is not whole bytes.
    std::optional<row_sums> make() {
        if (!find_loops() || is_empty_ || !is_regular()) return std::nullopt;
        dim_t groups = 1, rounded = 1, first = 1;
        for (const loop& l : outer_) (l.times != 0 || groups > 1 ? groups : rounded) *= l.extent;
        for (const loop& l : first_) first *= l.extent;
        if (groups * rounded * first > most_listed) return std::nullopt;
        out_.run = run_bits_ / 8;
        out_.sum_begin = begin_.sum / 8, out_.of_begin = begin_.of / 8, out_.times_begin = begin_.times / 8;
        for (const loop& l : each_) out_.each.push_back({l.extent, l.sum / 8, l.of / 8, l.times / 8});
        list(first_, 0, out_.first);
        // The outermost loops with another factor become groups, the ones inside are rounded one after the other.
        std::size_t inner = 0;
        while (inner < outer_.size() && outer_[inner].times == 0) ++inner;
        list(std::span(outer_).first(inner), 0, out_.rounded);
        list_groups(std::span(outer_).subspan(inner), {}, out_.groups);
        out_.are_lanes = are_lanes();
        return std::move(out_);
    }

private:
    static constexpr dim_t most_listed = 1 << 16;

    /// A loop over indices: bits between neighbours in the sums, in the summed field, in the factor.
    struct loop {
        int axis = 0;
        dim_t step = 0, extent = 0, sum = 0, of = 0, times = 0;
    };
    using loop_list = std::vector<loop>;

    /// Finds the loops of both pieces, sorted by what they are over. Returns false if there are no rows.
    bool find_loops() {
        const field_content& content = pieces_.field.content;
        const piece_pair pair = pair_of(pieces_.field, pieces_.sum, pieces_.stored, pieces_.of, dims_);
        if (pair.is_empty()) return is_empty_ = true;
        pair_refinement refinement(pair, pieces_.times);
        for (int i = 0; i < content.first_digits.size(); ++i) {
            const inner_block& digit = content.first_digits[i];
            refinement.cut_at(digit.axis, content.first_step(i));
            refinement.cut_at(digit.axis, content.first_step(i) * digit.size);
        }
        const pair_loops loops = refinement.find();
        if (!loops.refined) return false;
        position start;  // the digits that are fixed, counted from the first common index
        for (int a = 0; a < pair.last.size(); ++a) {
            lengths_.push_back(larger_of(pair.last[a] - pair.first[a], 0));
            start.push_back(0);
        }
        begin_.sum = pieces_.sum.place(pair.first);
        begin_.of = pieces_.of.place(pair.first);
        if (pieces_.times != nullptr) begin_.times = pieces_.times->place(pair.first);
        for (const pair_loop& l : loops.loops) {
            if (l.fixed) {
                // Only one value of the digit belongs to the sums: that of their piece, or that of the summed one.
                if (l.extent == 0) is_empty_ = true;
                start[l.axis] += l.value * l.step;
                begin_.sum += l.value * l.dst;
                begin_.of += l.value * l.src;
                begin_.times += l.value * l.third;
                continue;
            }
            const loop here{l.axis, l.step, l.extent, l.dst, l.src, l.third};
            if (!l.dst_shares) each_.push_back(here);
            else if (l.src == 0 && l.third == 0 && !is_float_ && ends_with_axis(here))
                // All of them share the summed value: it counts as often.
                out_.times_counted *= static_cast<std::uint64_t>(l.extent);
            else if (is_float_ && !is_first(l)) outer_.push_back(here);
            else first_.push_back(here);
        }
        for (int a = 0; a < dims_.size(); ++a) is_empty_ = is_empty_ || start[a] >= lengths_[a];
        if (is_empty_) return true;
        for (const auto* list : {&each_, &outer_, &first_})
            for (const loop& l : *list)
                if (!ends_with_axis(l)) return false;
        order_loops();
        return true;
    }
    bool ends_with_axis(const loop& l) const { return lengths_[l.axis] % (l.step * l.extent) == 0; }
    /// True if a loop is over digits that are added first.
    bool is_first(const pair_loop& l) const {
        const field_content& content = pieces_.field.content;
        for (int i = 0; i < content.first_digits.size(); ++i) {
            const dim_t begin = content.first_step(i), end = begin * content.first_digits[i].size;
            if (content.first_digits[i].axis == l.axis && begin <= l.step && l.step * l.extent <= end) return true;
        }
        return false;
    }
    /// Sorts loops by how far they lie apart in memory, and takes the innermost ones together as a run of bytes.
    void order_loops() {
        const auto by_memory = [](const loop& a, const loop& b) { return a.of < b.of; };
        std::stable_sort(first_.begin(), first_.end(), by_memory);
        std::stable_sort(outer_.begin(), outer_.end(), by_memory);
        std::stable_sort(each_.begin(), each_.end(), [](const loop& a, const loop& b) { return a.sum < b.sum; });
        run_bits_ = out_.rule.width;
        std::size_t taken = 0;
        for (; taken < first_.size() && first_[taken].of == run_bits_; ++taken) run_bits_ *= first_[taken].extent;
        first_.erase(first_.begin(), first_.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    /// True if all runs and strides are whole bytes, and what is rounded first lies first.
    bool is_regular() const {
        if (out_.rule.width != 4 && out_.rule.width != 8) return false;
        bool out = run_bits_ % 8 == 0 && begin_.sum % 8 == 0 && begin_.of % 8 == 0 && begin_.times % 8 == 0;
        if (pieces_.times != nullptr) out = out && pieces_.times_field->width % 8 == 0;
        for (const auto* list : {&each_, &outer_, &first_})
            for (const loop& l : *list) out = out && l.sum % 8 == 0 && l.of % 8 == 0 && l.times % 8 == 0;
        for (const loop& l : outer_) out = out && l.of >= 0;
        return out;
    }
    /// True if the rows of the innermost loop fill vectors, four bytes each, and so do their sums.
    bool are_lanes() const {
        if (out_.type != data_type::s32 || out_.run != 4 || out_.adds || out_.each.empty()) return false;
        const row_sums::loop& rows = out_.each[0];
        return rows.of == 4 && rows.sum == 4 && rows.extent * 4 % out_.code->vector_bytes == 0;
    }
    static void list(std::span<const loop> loops, dim_t begin, std::vector<dim_t>& out) {
        if (loops.empty()) return out.push_back(begin);
        for (dim_t i = 0; i < loops.back().extent; ++i)
            list(loops.first(loops.size() - 1), begin + i * loops.back().of / 8, out);
    }
    static void list_groups(std::span<const loop> loops, row_sums::group begin, std::vector<row_sums::group>& out) {
        if (loops.empty()) return out.push_back(begin);
        const loop& l = loops.back();
        for (dim_t i = 0; i < l.extent; ++i)
            list_groups(loops.first(loops.size() - 1), {begin.of + i * l.of / 8, begin.times + i * l.times / 8}, out);
    }

    const pieces pieces_;
    const plait::dims& dims_;
    const bool is_float_;
    row_sums out_;
    loop_list each_;       // over the sums
    loop_list outer_;      // over what is rounded, in the order of memory
    loop_list first_;      // over what is summed in integers, with no contiguous run
    dim_t run_bits_ = 0;   // the innermost run of integers, or the width of one
    loop begin_;           // where the first of all lie
    plait::dims lengths_;  // how many indices there are, from the first one that both pieces have
    bool is_empty_ = false;
};

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
    ///
    /// Refused: parameter_is_missing, indices_are_too_many
    verdict plan_sum(const record_piece& piece, const record_field& field, const record_chunk& r, bool subtracts) {
        const field_content& content = field.content;
        double factor = 1;
        if (const verdict why = find_factor(factor, field, options_); !why.ok()) return why;
        if (has_padding(piece, to_.dims) && !to_.is_plain()) add_padding(out_->padding, piece, 0);
        for (const dim_t extent : to_.dims)
            if (extent == 0) return {};  // there is nothing to sum, and no index that has a sum
        if (subtracts && !has_same_fibres(piece, field.name)) return plan_list(piece, field, r, -factor, true);
        // Integers from the source, whose rows may be contiguous, unless the destination has them as lanes of vectors.
        // Floating sums are rounded in the order of the record that has them.
        const bool is_float = field.type == data_type::f32;
        const record_chunk& side = is_float ? r : only_piece(from_, content.of) != nullptr ? from_ : to_;
        const bool may_be_lanes = !is_float && &side != &to_ && only_piece(to_, content.of) != nullptr;
        const scaling scales{factor, subtracts};
        if (may_be_lanes && plan_rows(piece, field, r, to_, scales, true)) return {};
        if (plan_rows(piece, field, r, side, scales, false)) return {};
        return plan_list(piece, field, r, subtracts ? -factor : factor, false);
    }

private:
    struct scaling {
        double factor = 1;
        bool subtracts = false;
    };
    /// Plans sums of rows of one piece; with `only_lanes`, only if their bytes are lanes of vectors. Returns false if
    /// there are none.
    bool plan_rows(const record_piece& piece, const record_field& field, const record_chunk& r,
                   const record_chunk& side, const scaling& scales, bool only_lanes) {
        const field_content& content = field.content;
        const record_piece* const of = only_piece(side, content.of);
        const record_piece* const times = content.times.size() > 0 ? only_piece(side, content.times) : nullptr;
        if (!movers_.row_sums || of == nullptr || (content.times.size() > 0 && times == nullptr)) return false;
        row_sums_maker maker({piece, field, *of, side.field_of(*of), *find_field(r.tag, content.of), times,
                              times != nullptr ? &side.field_of(*times) : nullptr},
                             to_.dims, movers_.bytes());
        std::optional<row_sums> rows = maker.make();
        if (maker.is_empty()) return true;  // no index has a sum in this piece
        if (!rows || (only_lanes && !rows->are_lanes) || !check_count(maker.steps(), field.name).ok()) return false;
        rows->factor = scales.factor;
        rows->subtracts = scales.subtracts;
        const chunk_place from = place_of(side, *of);
        out_->row_sums.push_back({from, times != nullptr ? place_of(side, *times) : from, place_of(to_, piece),
                                  &side == &to_, std::move(*rows)});
        return true;
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

    /// Plans a sum of listed values. With `of_source`, it is over the fibres that the field has in the source.
    ///
    /// Refused: indices_are_too_many
    verdict plan_list(const record_piece& piece, const record_field& field, const record_chunk& r, double factor,
                      bool of_source) {
        const bool is_float = field.type == data_type::f32;
        const bool in_source = is_float ? &r == &from_ : find_field(from_.tag, field.content.of) != nullptr;
        const record_chunk& side = in_source ? from_ : to_;
        summed_values what{piece, field, {}, {}, {}, to_.dims, rule_of_values(r.tag, field.content), factor};
        what.add_parts(side, [&](const record_piece& p) { return place_of(side, p); });
        if (of_source)
            for (const record_piece& part : from_.pieces)
                if (from_.field_of(part).name == field.name) what.fibres.push_back(part);
        chunk_steps::listed_sums_step step{place_of(to_, piece), !in_source, {}};
        if (movers_.row_sums) step.sums.code = &movers_.bytes();
        const verdict why = step.sums.lists.plan(what, most_indices());
        if (why.ok()) out_->listed_sums.push_back(std::move(step));
        return why;
    }
};

}  // namespace plait::detail
