#pragma once
// Plans how the values of one record become those of another: which steps move each field.

#include <plait/packed/byte_steps.hpp>
#include <plait/packed/permute_program.hpp>
#include <plait/packed/piece_layouts.hpp>
#include <plait/packed/plan_sums.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns where indices that share a value of the destination end, if that is inside of a digit of the source; else 1.
constexpr dim_t shared_inside(const record_piece& piece, int axis, dim_t step, dim_t extent) {
    const dim_t end = smaller_of(step * extent, piece.extents[axis]);
    for (const step_range& steps : axis_digits(piece, axis).shared(end))
        if (steps.last > step) return end;
    return 1;
}

/// Checks that no value of the destination is shared by indices that have different values in the source.
///
/// Refused: fibre_grows
constexpr verdict check_fibre(const piece_pair& pair, const pair_loops& loops, const record_field& field) {
    for (const pair_loop& l : loops.loops)
        if (l.dst_shares && (l.fixed || l.src != 0) && l.extent > 1)
            return {reason::fibre_grows, l.axis, short_name(field.name), l.step * l.extent, l.step};
    for (int a = 0; a < pair.dims.size(); ++a) {
        const dim_t length = indices_of(pair.dst, a, pair.dims[a]);
        if (const auto cut = border_in_share(pair.src, pair.dst, a, pair.dst.origin[a], length); cut.last != 0)
            return {reason::fibre_grows, a, short_name(field.name), cut.first, cut.last};
    }
    if (loops.refined) return {};
    for (const piece_condition& c : pair.src.where) {
        if (c.extent == 0 || c.step >= pair.dims[c.axis]) continue;
        if (const dim_t shared = shared_inside(pair.dst, c.axis, c.step, c.extent); shared > 1)
            return {reason::fibre_grows, c.axis, short_name(field.name), shared, c.step};
    }
    for (const piece_digit& d : pair.src.digits) {
        if (d.step >= pair.dims[d.axis]) continue;
        if (const dim_t shared = shared_inside(pair.dst, d.axis, d.step, d.extent); shared > 1)
            return {reason::fibre_grows, d.axis, short_name(field.name), shared, d.step};
    }
    return {};
}

/// Plans the steps of one chunk: of all indices of two records.
class step_planner : chunk_problem {
public:
    explicit step_planner(const chunk_problem& problem) : chunk_problem(problem), sums_(problem) {}

    verdict plan() {
        if (const verdict why = plan_pieces(); !why.ok()) return why;
        plan_permutes();
        plan_programs();
        return {};
    }
    /// Plans a single reorder, if that moves the whole chunk. If it does not, some steps are missing: those that take
    /// long to plan.
    verdict plan_single_reorder() {
        plans_single_ = true;
        if (const verdict why = plan_pieces(); !why.ok()) return why;
        if (permuted_.size() == 1 && out_->reorders.empty()) plan_permutes();
        is_single_ = is_single_ && permuted_.empty() && tabled_.empty() && out_->is_one_reorder();
        return {};
    }
    /// True if plan_single_reorder has planned all of the chunk.
    bool is_single() const { return is_single_; }

private:
    verdict plan_pieces() {
        for (const record_piece& piece : to_.pieces) used_ += bits_of(piece);
        is_cleared_ = !to_.is_plain() && used_ != to_.size_in_bytes() * 8;
        if (is_cleared_) out_->cleared = to_.size_in_bytes();
        for (const record_piece& piece : to_.pieces)
            if (const verdict why = plan_piece(piece); !why.ok()) return why;
        return {};
    }

    /// A pair whose values are moved as they are stored.
    struct moved_pair {
        bit_pair moves;
        const record_field& field;
        const record_field& source;
    };

    /// Plans a move with the first mover, from one on, that is allowed and can do it. The list here is the only one.
    /// Permutes and tables are planned when all pairs are known: permutes may leave a pair to the movers after them.
    mover plan_move(const moved_pair& m, mover from) {
        const piece_pair& pair = m.moves.pair;
        mover out = mover::values;
        if (from <= mover::permutes && movers_.permutes && !has_padding(pair.dst, to_.dims) &&
            permute_maker::fits(pair, m.moves.loops)) {
            permuted_.push_back(std::unique_ptr<moved_pair>(new moved_pair(m)));
            return mover::permutes;
        }
        if (movers_.reorders && lies_densely(pair, m.field, m.source) && !goes_beyond_end(pair) &&
            plan_reorder(pair, m.field, m.moves.flips)) {
            out = mover::reorder;
        } else if (movers_.tables && bit_program_maker::fits(pair, m.moves.loops)) {
            tabled_.push_back(std::unique_ptr<bit_pair>(new bit_pair(m.moves)));
            out = mover::table;
        } else {
            out_->values.push_back({m.moves.from, m.moves.to, pair, m.moves.loops, m.moves.flips, {}, {}, 1});
        }
        return note(m.field, out), out;
    }

    /// Makes permutes of pairs, of small ones together if that takes less time, and plans the others in other ways.
    void plan_permutes() {
        while (!permuted_.empty()) {
            const bit_pair& first = permuted_.front()->moves;
            const auto others = std::stable_partition(permuted_.begin(), permuted_.end(), [&](const auto& p) {
                return p->moves.from == first.from && p->moves.to == first.to &&
                       bit_program_maker::are_near(p->moves, first);
            });
            plan_near_permutes({permuted_.begin(), others});
            permuted_.erase(permuted_.begin(), others);
        }
        for (permute_program& program : out_->permutes) program.settle();
    }
    void plan_near_permutes(std::span<const std::unique_ptr<moved_pair>> together) {
        permute_maker::pair_list all;
        for (const auto& p : together) all.push_back(&p->moves);
        for (const permute_maker::choice& choice : permute_maker::choose(all)) {
            if (choice.unit.cost > 0) {
                if (plans_single_) is_single_ = false;
                else permute_maker::add(choice, out_->permutes);
            }
            for (const auto& p : together) {
                if (std::find(choice.pairs.begin(), choice.pairs.end(), &p->moves) == choice.pairs.end()) continue;
                if (choice.unit.cost > 0) note(p->field, mover::permutes);
                else plan_move(*p, mover::reorder);
            }
        }
    }
    /// Makes tables of the pairs whose bits lie irregularly, one for those with the same loops around them.
    void plan_programs() {
        auto first = tabled_.begin();
        while (first != tabled_.end()) {
            const bit_pair& one = **first;
            const auto loops = bit_program_maker::outer_loops(one);
            const auto others = std::stable_partition(first, tabled_.end(), [&](const auto& p) {
                return p->from == one.from && p->to == one.to && bit_program_maker::are_near(*p, one) &&
                       bit_program_maker::outer_loops(*p) == loops;
            });
            out_->programs.push_back(bit_program_maker().make({first, others}, movers_.windows()));
            first = others;
        }
    }
    verdict plan_piece(const record_piece& piece) {
        const record_field& field = to_.field_of(piece);
        verdict why;
        if (field.content.kind != field_content::sum) why = plan_given(piece, field);
        if (why.ok() && field.content.kind != field_content::given && !sums_.copies_sum(piece, field))
            why = plan_sum(piece, field, to_, false);
        if (why.ok() && field.valued_axes != 0 && has_padding(piece, to_.dims)) add_valued_padding(piece);
        if (why.ok() && field.repeated_axes != 0 && has_padding(piece, to_.dims))
            add_padding(out_->repeats, piece, field.repeated_axes);
        return why;
    }
    verdict plan_given(const record_piece& piece, const record_field& field) {
        bool found = false, all_regular = true, converts = false;
        const record_field* added = nullptr;
        for (const record_piece& given : from_.pieces) {
            const record_field& source = from_.field_of(given);
            if (!(source.name == field.name)) continue;
            found = true;
            converts = converts || are_converted(field, source);
            piece_pair pair = pair_of(field, piece, source, given, to_.dims);
            if (pair.is_empty()) continue;
            bool regular = false;
            if (const verdict why = plan_pair(pair, field, source, regular); !why.ok()) return why;
            all_regular = all_regular && regular && pair.covers_destination();
            if (source.content.kind == field_content::added_sum && !sums_.copies_sum(piece, field)) added = &source;
        }
        if (!found) return {reason::field_is_missing, -1, short_name(field.name)};
        // Once for all pieces of the source: their sums are of the same kind.
        if (added != nullptr)
            if (const verdict why = plan_sum(piece, *added, from_, true); !why.ok()) return why;
        const bool is_wider = !converts && bits_of_values(from_, field.name) < field.low + field.width;
        if (field.subtracted != 0 && !keeps_differences(field)) {
            add_difference(piece, field);
            all_regular = false;  // padding is not zero any more
        }
        if (is_wider && (!is_cleared_ || field.flipped != 0)) add_zeros(piece, field);
        if (!all_regular && has_padding(piece, to_.dims) && !to_.is_plain()) add_padding(out_->padding, piece, 0);
        return {};
    }

    verdict plan_sum(const record_piece& piece, const record_field& field, const record_chunk& side, bool subtracts) {
        const std::size_t rows = out_->row_sums.size(), lists = out_->listed_sums.size();
        const verdict why = sums_.plan_sum(piece, field, side, subtracts);
        if (out_->row_sums.size() > rows) note(field, mover::row_sums);
        if (out_->listed_sums.size() > lists) note(field, mover::listed_sums);
        return why;
    }

    /// True if values have the same number subtracted on both sides, so that what is stored is moved.
    bool keeps_differences(const record_field& field) const {
        for (const record_field& source : from_.tag.fields)
            if (source.name == field.name &&
                (source.subtracted != field.subtracted || (field.subtracted != 0 && source.width != field.width)))
                return false;
        return true;
    }
    void add_difference(const record_piece& piece, const record_field& field) const {
        chunk_steps::difference_step step{place_of(to_, piece), piece, field.width, field.subtracted, {}};
        if (field.width == 8 && !has_negative_stride(piece)) static_cast<void>(runs_of(piece, 8, nullptr, step.runs));
        out_->differences.push_back(std::move(step));
    }

    static verdict types_differ(const record_field& field, const record_field& source) {
        const auto number_of = [](const record_field& f) {
            const bool is_mapped = is_floating(f.type) && (f.low != 0 || f.flipped != 0);
            return (f.type != data_type::undef ? static_cast<dim_t>(f.type) : untyped_bits + f.width) +
                   (is_mapped ? mapped_bits : 0);
        };
        return {reason::field_types_differ, -1, short_name(field.name), number_of(field), number_of(source)};
    }
    static bool are_converted(const record_field& field, const record_field& source) {
        return field.type != source.type && is_floating(field.type) && is_floating(source.type);
    }

    verdict plan_pair(const piece_pair& pair, const record_field& field, const record_field& source, bool& regular) {
        const pair_loops loops = pair_refinement(pair).find();
        if (const verdict why = check_fibre(pair, loops, field); !why.ok()) return why;
        if (!loops.refined)
            if (const verdict why = check_count(units_of(pair).count(), field.name); !why.ok()) return why;
        if (are_converted(field, source) || field.factor != source.factor)
            return plan_conversion(pair, loops, field, source, regular);
        if (!same_bits(field, source)) return types_differ(field, source);
        const std::uint64_t flips =
            (field.flipped >> pair.dst_low ^ source.flipped >> pair.src_low) & low_bits(pair.width);
        if (source.subtracted != 0 && !keeps_differences(field)) {
            const piece_pair& p = pair;
            out_->values.push_back({place_of(from_, p.src),
                                    place_of(to_, p.dst),
                                    p,
                                    loops,
                                    flips,
                                    {},
                                    {},
                                    1,
                                    source.subtracted,
                                    source.width});
            return note(field, mover::values), verdict();
        }
        const bit_pair moves{place_of(from_, pair.src), place_of(to_, pair.dst), pair, loops, flips};
        regular = plan_move({moves, field, source}, mover::permutes) == mover::reorder;
        return {};
    }
    /// True if the bits of a value mean the same in both: the types are equal, or one has no type, or pieces of
    /// unsigned numbers are put together.
    bool same_bits(const record_field& field, const record_field& source) const {
        if (field.type == source.type || field.type == data_type::undef || source.type == data_type::undef) return true;
        return in_pieces(to_, field.name) || in_pieces(from_, field.name);
    }
    static bool in_pieces(const record_chunk& r, const field_name& name) {
        int pieces = 0;
        for (const record_field& f : r.tag.fields) pieces += f.name == name;
        return pieces > 1;
    }
    /// True if neighbours of the destination fill whole bytes, so that rows of them can be moved.
    static bool lies_densely(const piece_pair& pair, const record_field& field, const record_field& source) {
        if (pair.width != field.width || pair.width != source.width) return false;
        return run_of(pair.dst, field.width).bits % 8 == 0;
    }

    /// Plans the moves of a pair as a reorder, with steps that turn and invert what it has moved.
    bool plan_reorder(const piece_pair& pair, const record_field& field, std::uint64_t flips) {
        const piece_digit* turned = nullptr;
        for (const piece_digit& d : pair.src.digits)
            if (d.turned_by >= 0) return false;
        for (const piece_digit& d : pair.dst.digits) {
            if (d.turned_by < 0) continue;
            if (turned != nullptr) return false;
            turned = &d;
        }
        if ((flips != 0 || turned != nullptr) && (plans_single_ || !pair.covers_destination())) return false;
        flip_step flip;
        turn_step turn;
        if (turned != nullptr && !make_turn(pair.dst, *turned, field.width, turn)) return false;
        if (flips != 0 && !make_flip(pair, field.width, flips, flip)) return false;
        const bool is_planned = turned != nullptr ? add_reorder(straight(pair)) : add_reorder(pair);
        if (!is_planned) return false;
        turn.to = flip.to = place_of(to_, pair.dst);
        turn.code = flip.code = &movers_.bytes();
        if (turned != nullptr) out_->turns.push_back(std::move(turn));
        if (flips != 0) {
            out_->flips.push_back(std::move(flip));
            if (has_padding(pair.dst, to_.dims)) add_padding(out_->padding, pair.dst, 0);
        }
        return true;
    }

    static piece_pair straight(const piece_pair& pair) {
        piece_pair out = pair;
        for (piece_digit& d : out.dst.digits) d.turned_by = -1;
        return out;
    }

    bool add_reorder(const piece_pair& pair) { return add_reorder(pair, pair_layout_maker(pair).make_moved(), {}); }
    bool add_reorder(const piece_pair& pair, const pair_layouts& layouts, const reorder_attributes& attributes) {
        if (!layouts.found || !movers_.reorders) return false;  // conversions ask here
        out_->reorders.emplace_back(place_of(from_, pair.src), place_of(to_, pair.dst), layouts.src, layouts.dst,
                                    attributes, movers_.instructions);
        const bool is_planned = out_->reorders.back().plan.has_value();
        if (!is_planned) out_->reorders.pop_back();
        return is_planned;
    }

    verdict plan_conversion(const piece_pair& pair, const pair_loops& loops, const record_field& field,
                            const record_field& source, bool& regular) {
        const bool whole = field.low == 0 && source.low == 0 && field.flipped == 0 && source.flipped == 0;
        if (!whole || !is_floating(field.type) || !is_floating(source.type)) return types_differ(field, source);
        reorder_attributes attributes;
        const auto factor = static_cast<float>(field.factor / source.factor);
        if (factor != 1) attributes.src_scale = factor;
        regular = !goes_beyond_end(pair) && add_conversion(pair, field, source, attributes);
        if (!regular)
            out_->values.push_back(
                {place_of(from_, pair.src), place_of(to_, pair.dst), pair, loops, 0, field.type, source.type, factor});
        return note(field, regular ? mover::reorder : mover::values), verdict();
    }
    bool add_conversion(const piece_pair& pair, const record_field& field, const record_field& source,
                        const reorder_attributes& attributes) {
        return add_reorder(pair, pair_layout_maker(pair).make_converted(field, source), attributes);
    }

    sum_planner sums_;
    std::vector<std::unique_ptr<bit_pair>> tabled_;
    std::vector<std::unique_ptr<moved_pair>> permuted_;
    dim_t used_ = 0;
    bool is_cleared_ = false;
    bool plans_single_ = false, is_single_ = true;
};

}  // namespace plait::detail
