#pragma once
// Plans how the values of one record become those of another: which steps move each field.

#include <plait/packed/chunk_axis.hpp>
#include <plait/packed/piece_layouts.hpp>
#include <plait/packed/repack_plan.hpp>
#include <plait/packed/repack_steps.hpp>
#include <plait/reorder/make_reorder.hpp>

namespace plait::detail {

/// Plans the steps of one chunk: of all indices of two records.
class step_planner {
public:
    step_planner(const record& from, const record& to, const repack_options& options, const chunk_cut& cut)
        : from_(from), to_(to), options_(options), cut_(cut) {}

    verdict plan(chunk_steps& out) {
        out_ = &out;
        for (const record_piece& piece : to_.pieces) used_ += bits_of(piece);
        is_cleared_ = !is_plain(to_) && used_ != static_cast<dim_t>(to_.size_in_bytes()) * 8;
        for (int p = 0; p < to_.pieces.size(); ++p)
            if (const verdict why = plan_piece(p); !why.ok()) return why;
        if (is_cleared_) out.cleared = divide_up(to_.size_in_bits, 8);
        return {};
    }

private:
    static bool is_plain(const record& r) { return r.tag.nodes.empty(); }
    dim_t bits_of(const record_piece& piece) const {
        dim_t out = to_.field_of(piece).width;
        for (const piece_digit& d : piece.digits) out *= d.extent;
        return out;
    }
    chunk_place place_of(const record& r, const record_piece& piece) const {
        return {is_plain(r) ? piece.field : 0, chunk_bits(piece, cut_) / 8};
    }
    static bool has_padding(const record_piece& piece, const plait::dims& dims) {
        for (int a = 0; a < dims.size(); ++a)
            if (piece.origin[a] + piece.extents[a] > last_of(piece, dims, a)) return true;
        return false;
    }
    static dim_t last_of(const record_piece& piece, const plait::dims& dims, int axis) {
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent == 0) return c.last;
        return dims[axis];
    }

    verdict plan_piece(int p) {
        const record_piece& piece = to_.pieces[p];
        const record_field& field = to_.field_of(piece);
        verdict why;
        if (field.content.kind != field_content::sum) why = plan_given(piece, field);
        if (why.ok() && field.content.kind != field_content::given && !copies_sum(field))
            why = plan_sum(piece, field, to_, false);
        if (why.ok() && field.repeated_axes != 0 && has_padding(piece, to_.dims))
            out_->repeats.push_back({place_of(to_, piece), piece, limits(piece), field.width, field.repeated_axes});
        return why;
    }
    plait::dims limits(const record_piece& piece) const {
        plait::dims out = to_.dims;
        for (int a = 0; a < out.size(); ++a) out[a] = last_of(piece, to_.dims, a);
        return out;
    }

    /// True if the sums that were added to a field of the source are those that the destination adds, so that both are
    /// copied together.
    bool copies_sum(const record_field& field) const {
        for (const record_field& given : from_.tag.fields)
            if (given.name == field.name)
                return field.content.kind == field_content::added_sum && given.content == field.content &&
                       same_summed(field.content);
        return false;
    }
    bool same_summed(const field_content& content) const {
        const record_field* of[2] = {nullptr, nullptr};
        for (const record_field& f : from_.tag.fields)
            if (f.name == content.of) of[0] = &f;
        for (const record_field& f : to_.tag.fields)
            if (f.name == content.of) of[1] = &f;
        return of[0] != nullptr && of[1] != nullptr &&
               number_rule_of(*of[0], *of[0]).subtracted == number_rule_of(*of[1], *of[1]).subtracted;
    }

    verdict plan_given(const record_piece& piece, const record_field& field) {
        bool found = false, all_regular = true;
        for (const record_piece& given : from_.pieces) {
            const record_field& source = from_.field_of(given);
            if (!(source.name == field.name)) continue;
            found = true;
            piece_pair pair = pair_of(field, piece, source, given, to_.dims);
            if (pair.is_empty()) continue;
            bool regular = false;
            if (const verdict why = plan_pair(pair, field, source, regular); !why.ok()) return why;
            all_regular = all_regular && regular && covers_destination(pair);
            if (source.content.kind == field_content::added_sum && !copies_sum(field))
                if (const verdict why = plan_sum(piece, source, from_, true); !why.ok()) return why;
        }
        if (!found) return {reason::field_is_missing, -1, short_name(field.name)};
        if (!all_regular && has_padding(piece, to_.dims) && !is_plain(to_))
            out_->padding.push_back({place_of(to_, piece), piece, limits(piece), field.width, 0});
        return {};
    }

    verdict plan_pair(const piece_pair& pair, const record_field& field, const record_field& source, bool& regular) {
        const pair_loops loops = pair_refinement(pair).find();
        if (const verdict why = check_fibre(pair, loops, field); !why.ok()) return why;
        const bool converts = field.type != source.type && is_floating(field.type) && is_floating(source.type);
        if (converts || field.factor != source.factor) return plan_conversion(pair, loops, field, source, regular);
        if (!same_bits(field, source))
            return {reason::field_types_differ, -1, short_name(field.name), field.width, source.width};
        const std::uint64_t flips =
            (field.flipped >> pair.dst_low ^ source.flipped >> pair.src_low) & low_bits(pair.width);
        regular = lies_densely(pair, field, source) && plan_reorder(pair, field, flips);
        if (regular) return {};
        bit_program program;
        const chunk_place from = place_of(from_, pair.src), to = place_of(to_, pair.dst);
        if (bit_program_maker(pair, loops, flips).make(program))
            out_->programs.push_back({from, to, std::move(program)});
        else out_->values.push_back({from, to, pair, loops, flips, {}, {}, 1});
        return {};
    }
    /// True if the bits of a value mean the same in both: the types are equal, or one has no type, or pieces of
    /// unsigned numbers are put together.
    bool same_bits(const record_field& field, const record_field& source) const {
        if (field.type == source.type || field.type == data_type::undef || source.type == data_type::undef) return true;
        return in_pieces(to_, field.name) || in_pieces(from_, field.name);
    }
    static bool in_pieces(const record& r, const field_name& name) {
        int pieces = 0;
        for (const record_field& f : r.tag.fields) pieces += f.name == name;
        return pieces > 1;
    }
    static bool is_floating(data_type type) {
        return type != data_type::undef && type != data_type::s32 && type != data_type::s8 && type != data_type::u8 &&
               !(type >= data_type::u1 && type <= data_type::s4) && type != data_type::boolean;
    }

    /// A destination's value must not be shared by indices that have different values in the source.
    verdict check_fibre(const piece_pair& pair, const pair_loops& loops, const record_field& field) const {
        for (const pair_loop& l : loops.loops)
            if (l.dst_shares && (l.fixed || l.src != 0) && l.extent > 1)
                return {reason::fibre_grows, l.axis, short_name(field.name), l.step * l.extent, l.step};
        if (loops.refined) return {};
        for (const piece_digit& d : pair.src.digits)
            if (const dim_t shared = d.step < to_.dims[d.axis] ? shared_inside(pair.dst, d) : 1; shared > 1)
                return {reason::fibre_grows, d.axis, short_name(field.name), shared, d.step};
        return {};
    }
    /// Returns where a digit of the source ends, or indices that share a value of the destination do, if some of the
    /// digit's indices share one; else 1.
    static dim_t shared_inside(const record_piece& piece, const piece_digit& d) {
        dim_t step = d.step;
        const dim_t end = smaller_of(d.step * d.extent, piece.extents[d.axis]);
        for (bool found = true; found && step < end;) {
            found = false;
            const auto pass = [&](dim_t first, dim_t extent) {
                if (first > step || first * extent <= step) return;
                step = first * extent;
                found = true;
            };
            for (const piece_digit& other : piece.digits)
                if (other.axis == d.axis) pass(other.step, other.extent);
            for (const piece_condition& c : piece.where)
                if (c.axis == d.axis && c.extent != 0) pass(c.step, c.extent);
        }
        return step < end ? end : 1;
    }

    /// True if neighbours of the destination fill whole bytes, so that rows of them can be moved.
    static bool lies_densely(const piece_pair& pair, const record_field& field, const record_field& source) {
        if (pair.width != field.width || pair.width != source.width) return false;
        if (field.width % 8 == 0) return true;
        dim_t run = field.width;
        for (bool grows = true; grows && run % 8 != 0;) {
            grows = false;
            for (const piece_digit& d : pair.dst.digits)
                if (d.extent > 1 && d.stride == run) {
                    run *= d.extent;
                    grows = true;
                    break;
                }
        }
        return run % 8 == 0;
    }

    /// True if a pair has all indices of its destination.
    bool covers_destination(const piece_pair& pair) const {
        for (int a = 0; a < to_.dims.size(); ++a)
            if (pair.first[a] != pair.dst.origin[a] || pair.last[a] != last_of(pair.dst, to_.dims, a)) return false;
        return true;
    }

    /// Plans the moves of a pair as a reorder, with steps that turn and invert what it has moved.
    bool plan_reorder(const piece_pair& pair, const record_field& field, std::uint64_t flips) {
        piece_pair straight = pair;
        bool turned = false;
        for (const piece_digit& d : pair.dst.digits) turned = turned || d.turned_by >= 0;
        if ((flips != 0 || turned) && !covers_destination(pair)) return false;
        flip_step flip;
        turn_step turn;
        bool turns = false;
        for (piece_digit& d : straight.dst.digits) {
            if (d.turned_by < 0) continue;
            if (turns || !make_turn(pair.dst, d, field.width, turn)) return false;
            turns = true;
            d.turned_by = -1;
        }
        for (const piece_digit& d : pair.src.digits)
            if (d.turned_by >= 0) return false;
        if (flips != 0 && !make_flip(pair, field.width, flips, flip)) return false;
        if (!add_reorder(straight)) return false;
        if (turns) out_->turns.push_back(std::move(turn));
        if (flips != 0) {
            out_->flips.push_back(std::move(flip));
            if (has_padding(pair.dst, to_.dims))
                out_->padding.push_back({place_of(to_, pair.dst), pair.dst, limits(pair.dst), field.width, 0});
        }
        return true;
    }

    bool add_reorder(const piece_pair& pair) {
        const pair_layouts layouts = pair_layout_maker(pair).make_moved();
        const data_type moved = type_of_bits(layouts.unit);
        return layouts.found && moved != data_type::undef && add_reorder(pair, moved, moved, layouts, {});
    }
    bool add_reorder(const piece_pair& pair, data_type dst_type, data_type src_type, const pair_layouts& layouts,
                     const reorder_attributes& attributes) {
        const expected<planned_reorder> planned =
            make_reorder(descriptor(src_type, layouts.src), descriptor(dst_type, layouts.dst), attributes);
        if (planned.has_value())
            out_->reorders.push_back({place_of(from_, pair.src), place_of(to_, pair.dst), *planned});
        return planned.has_value();
    }

    verdict plan_conversion(const piece_pair& pair, const pair_loops& loops, const record_field& field, const record_field& source, bool& regular) {
        const bool whole = field.low == 0 && source.low == 0 && field.flipped == 0 && source.flipped == 0;
        if (!whole || !is_floating(field.type) || !is_floating(source.type))
            return {reason::field_types_differ, -1, short_name(field.name), field.width, source.width};
        reorder_attributes attributes;
        const auto factor = static_cast<float>(field.factor / source.factor);
        if (factor != 1) attributes.src_scale = factor;
        regular = add_conversion(pair, field, source, attributes);
        if (!regular)
            out_->values.push_back({place_of(from_, pair.src), place_of(to_, pair.dst), pair, loops, 0, field.type, source.type, factor});
        return {};
    }
    bool add_conversion(const piece_pair& pair, const record_field& field, const record_field& source,
                        const reorder_attributes& attributes) {
        const pair_layouts layouts = pair_layout_maker(pair).make_converted(field.width, source.width);
        return layouts.found && add_reorder(pair, field.type, source.type, layouts, attributes);
    }

    /// Finds the runs of whole bytes that a piece fills, or, with `until`, those up to a digit.
    static bool runs_of(const record_piece& piece, int width, const piece_digit* until, byte_runs& out) {
        inline_list<piece_digit, max_piece_digits> left = piece.digits;
        dim_t run = width;
        for (bool grows = true; grows;) {
            grows = false;
            for (int i = 0; i < left.size() && !grows; ++i)
                if (left[i].extent == 1 || left[i].stride == run) {
                    run *= left[i].extent;
                    const bool ends = until != nullptr && left[i] == *until;
                    left.erase(i);
                    if (ends) until = nullptr, left_is_outside(left, run, piece, out);
                    if (ends) return out.length > 0;
                    grows = true;
                }
        }
        return until == nullptr && (left_is_outside(left, run, piece, out), out.length > 0);
    }
    static void left_is_outside(const inline_list<piece_digit, max_piece_digits>& left, dim_t run,
                                const record_piece& piece, byte_runs& out) {
        if (run % 8 != 0 || piece.at % 8 != 0) return;
        for (const piece_digit& d : left) {
            if (d.stride % 8 != 0) return;
            out.loops.push_back({d.extent, d.stride / 8});
        }
        out.begin = piece.at / 8;
        out.length = run / 8;
    }

    bool make_flip(const piece_pair& pair, int width, std::uint64_t flips, flip_step& out) const {
        if (width > 8 || 8 % width != 0) return false;
        if (has_negative_stride(pair.dst)) return false;
        for (int i = 0; i < 8; i += width) out.flips = static_cast<std::uint8_t>(out.flips | flips << i);
        out.to = place_of(to_, pair.dst);
        return runs_of(pair.dst, width, nullptr, out.runs);
    }
    static bool has_negative_stride(const record_piece& piece) {
        for (const piece_digit& d : piece.digits)
            if (d.stride < 0) return true;
        return false;
    }

    bool make_turn(const record_piece& piece, const piece_digit& turned, int width, turn_step& out) const {
        const dim_t slot = turned.stride;
        if (slot % 8 != 0 || width % 8 != 0 || turned.extent > 64 || has_negative_stride(piece)) return false;
        record_piece inside = piece;
        inside.digits = {};
        dim_t rows = 1, run = width;
        for (const piece_digit& d : piece.digits)
            if (d.stride < slot) {
                inside.digits.push_back(d);
                run *= d.extent;
                if (d.axis == turned.turned_by) rows *= d.extent;
            }
        if (run != slot || rows % turned.extent != 0) return false;
        for (const piece_digit& d : piece.digits)
            if (d.stride > slot && d.axis == turned.turned_by && d.step % turned.extent != 0) return false;
        out.extent = static_cast<int>(turned.extent);
        out.slot = slot / 8;
        out.to = place_of(to_, piece);
        out.masks.assign(static_cast<std::size_t>(turned.extent * out.slot), std::byte{0});
        for (dim_t byte = 0; byte < out.slot; byte += width / 8) {
            dim_t row = 0;
            for (const piece_digit& d : inside.digits)
                if (d.axis == turned.turned_by) row += byte * 8 / d.stride % d.extent * d.step;
            const dim_t j = row % turned.extent;
            for (int i = 0; i < width / 8; ++i)
                out.masks[static_cast<std::size_t>(j * out.slot + byte + i)] = std::byte{0xff};
        }
        return runs_of(piece, width, &turned, out.runs);
    }

    const record_piece* only_piece(const record& r, const field_name& name) const {
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

    /// Plans the sums of a field: those that `r` stores, added to the piece of the destination, or subtracted from it.
    verdict plan_sum(const record_piece& piece, const record_field& field, const record& r, bool subtracts) {
        const field_content& content = field.content;
        const bool has_times = content.times.size() > 0;
        // Integers from the source, whose rows may be contiguous. Floating sums are rounded in the order of the record
        // that has them.
        const bool is_float = field.type == data_type::f32;
        const record* side = is_float ? &r : &from_;
        const record_piece* of = only_piece(*side, content.of);
        const record_piece* times = has_times ? only_piece(*side, content.times) : nullptr;
        if (!is_float && of == nullptr) {
            side = &to_;
            of = only_piece(to_, content.of);
        }
        const record_field* summed = nullptr;
        for (const record_field& f : r.tag.fields)
            if (f.name == content.of) summed = &f;
        double factor = content.factor;
        if (content.parameter.size() > 0) {
            const double* given = options_.find(content.parameter);
            if (given == nullptr) return {reason::parameter_is_missing, -1, short_name(content.parameter)};
            factor *= *given;
        }
        if (has_padding(piece, to_.dims) && !is_plain(to_)) out_->padding.push_back({place_of(to_, piece), piece, limits(piece), field.width, 0});
        chunk_steps::summing_step step;
        step.to = place_of(to_, piece);
        step.sum.factor = factor;
        step.sum.subtracts = subtracts;
        if (of != nullptr && (!has_times || times != nullptr)) {
            step.of_is_stored = side == &to_;
            step.of = place_of(*side, *of);
            step.times = has_times ? place_of(*side, *times) : step.of;
            if (fill_sum(step.sum, piece, field, *of, side->field_of(*of), *summed, times, *side)) return out_->sums.push_back(std::move(step)), verdict();
        }
        return plan_slow_sum(piece, field, *summed, subtracts ? -factor : factor, &r == &from_);
    }

    /// Plans a sum value by value.
    verdict plan_slow_sum(const record_piece& piece, const record_field& field, const record_field& summed, double factor,
                          bool is_from) {
        slow_sum_step step;
        step.to = place_of(to_, piece);
        step.sum = piece;
        step.field = field;
        step.dims = to_.dims;
        step.factor = factor;
        const bool in_source = field.type == data_type::f32 ? is_from : has_field(from_, field.content.of);
        step.of_is_stored = !in_source;
        const record& side = in_source ? from_ : to_;
        for (const record_piece& part : side.pieces)
            if (const record_field& f = side.field_of(part); f.name == field.content.of)
                step.parts.push_back({place_of(side, part), part, f});
        for (const record_piece& part : side.pieces)
            if (const record_field& f = side.field_of(part); f.name == field.content.times)
                step.times.push_back({place_of(side, part), part, f});
        step.rule = number_rule_of(whole_of(to_has(summed) ? to_ : from_, summed), whole_of(to_has(summed) ? to_ : from_, summed));
        step.rule.flips ^= whole_of(to_has(summed) ? to_ : from_, summed).flipped;
        out_->slow_sums.push_back(std::move(step));
        return {};
    }
    static bool has_field(const record& r, const field_name& name) {
        for (const record_field& f : r.tag.fields)
            if (f.name == name) return true;
        return false;
    }
    bool to_has(const record_field& field) const { return has_field(to_, field.name); }
    /// Returns a field with all bits of its values.
    static record_field whole_of(const record& r, const record_field& part) {
        record_field out = part;
        out.width = 0;
        for (const record_field& f : r.tag.fields)
            if (f.name == part.name && f.low + f.width > out.width) out.width = f.low + f.width;
        return out;
    }

    bool fill_sum(sum_step& out, const record_piece& piece, const record_field& field, const record_piece& of,
                     const record_field& stored, const record_field& summed, const record_piece* times,
                     const record& side) const {
        const field_content& content = field.content;
        out.field = field;
        out.rule = number_rule_of(summed, stored);
        out.dims = to_.dims;
        const piece_pair pair = pair_of(field, piece, stored, of, to_.dims);
        pair_refinement refinement(pair, times);
        dim_t step = 1;
        for (int i = 0; i < content.first_digits.size(); ++i) {
            const inner_block& digit = content.first_digits[i];
            const dim_t begin = content.first_steps[i] == 0 ? step : content.first_steps[i];
            refinement.cut_at(digit.axis, begin);
            refinement.cut_at(digit.axis, begin * digit.size);
            step = begin * digit.size;
        }
        const pair_loops loops = refinement.find();
        if (!loops.refined) return false;
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
            const sum_step::loop loop{l.axis, l.step, l.extent, l.dst, l.src, l.third};
            if (!l.dst_shares) out.each.push_back(loop);
            else if (field.type == data_type::f32 && !is_first(content, l)) out.outer.push_back(loop);
            else out.first.push_back(loop);
            if (l.dst_shares && to_.dims[l.axis] % (l.step * l.extent) != 0) out.has_tail = true;
        }
        order_loops(out);
        return true;
    }
    static bool is_first(const field_content& content, const pair_loop& l) {
        dim_t step = 1;
        for (int i = 0; i < content.first_digits.size(); ++i) {
            const dim_t begin = content.first_steps[i] == 0 ? step : content.first_steps[i],
                        end = begin * content.first_digits[i].size;
            if (content.first_digits[i].axis == l.axis && begin <= l.step && l.step * l.extent <= end) return true;
            step = end;
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

    const record& from_;
    const record& to_;
    const repack_options& options_;
    const chunk_cut& cut_;
    chunk_steps* out_ = nullptr;
    dim_t used_ = 0;
    bool is_cleared_ = false;
};

}  // namespace plait::detail
