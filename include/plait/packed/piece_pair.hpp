#pragma once
// A piece of the destination and one of the source that have bits of the same values: which bits, for which indices,
// and the loops that both are made of.

#include <plait/packed/chunk_axis.hpp>
#include <plait/support/heap_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A loop over indices of one axis: each step moves the place of a value by one stride on each side.
struct pair_loop {
    int axis = 0;
    dim_t step = 0, extent = 0;
    dim_t dst = 0, src = 0, third = 0;  // strides in bits
    bool fixed = false;                 // only `value` belongs to both pieces
    dim_t value = 0;
    bool dst_shares = false;
};

/// Two pieces that have some bits of some values in common.
struct piece_pair {
    record_piece dst, src;
    int dst_low = 0, src_low = 0, width = 0;  // the common bits begin dst_low bits after the place of dst, ...
    position first;                           // the common indices: first[a] <= index[a] < last[a]
    plait::dims last;
    plait::dims dims;  // of the index space

    /// True if the common indices of an axis are all that the destination has.
    constexpr bool covers(int axis) const {
        return first[axis] == dst.origin[axis] && last[axis] == dst.end(axis, dims);
    }
    /// True if the common indices are all that the destination has.
    constexpr bool covers_destination() const {
        for (int a = 0; a < last.size(); ++a)
            if (!covers(a)) return false;
        return true;
    }
    constexpr bool is_empty() const {
        for (int a = 0; a < last.size(); ++a)
            if (first[a] >= last[a]) return true;
        return width <= 0;
    }
};

/// Returns what two pieces have in common, within the extents of the index space.
constexpr piece_pair pair_of(const record_field& dst_field, const record_piece& dst, const record_field& src_field,
                             const record_piece& src, const plait::dims& dims) {
    piece_pair out{dst, src, 0, 0, 0, {}, {}, dims};
    const int low = dst_field.low > src_field.low ? dst_field.low : src_field.low;
    const int dst_high = dst_field.low + dst_field.width, src_high = src_field.low + src_field.width;
    out.width = (dst_high < src_high ? dst_high : src_high) - low;
    out.dst_low = low - dst_field.low;
    out.src_low = low - src_field.low;
    for (int a = 0; a < dims.size(); ++a) {
        out.first.push_back(0);
        out.last.push_back(dims[a]);
    }
    for (const auto* where : {&dst.where, &src.where})
        for (const piece_condition& c : *where)
            if (c.extent == 0) {
                out.first[c.axis] = larger_of(out.first[c.axis], c.first);
                out.last[c.axis] = smaller_of(out.last[c.axis], c.last);
            }
    return out;
}

/// The loops of a pair, along each axis from the innermost index digit outwards.
struct pair_loops {
    static constexpr int most = 40;
    heap_list<pair_loop> loops;  // at most `most`
    bool refined = true;         // false if digits of the two pieces do not divide each other: then there are no loops
};

/// Finds the loops that the digits of both pieces are made of.
class pair_refinement {
public:
    constexpr explicit pair_refinement(const piece_pair& pair) : pair_(pair) {}
    /// Also cuts the loops where the digits of a third piece begin and end.
    constexpr pair_refinement(const piece_pair& pair, const record_piece* third) : pair_(pair), third_(third) {}

    /// Also cuts the loops over an axis at a step.
    constexpr void cut_at(int axis, dim_t step) { cuts_.push_back({axis, step}); }

    constexpr pair_loops find() {
        for (int a = 0; a < pair_.last.size(); ++a) {
            borders_ = {};
            gather(a);
            for (int i = 0; i < borders_.size() && out_.refined; ++i) add_loop(a, i);
        }
        return static_cast<pair_loops&&>(out_);
    }

private:
    constexpr void add_border(dim_t border, dim_t limit) {
        if (border >= limit && border != 1) return;
        if (!insert_sorted(borders_, border)) out_.refined = false;
    }
    constexpr void gather(int axis) {
        const dim_t limit = larger_of(pair_.last[axis] - pair_.first[axis], 1);
        add_border(1, limit);
        for (const inner_block& cut : cuts_)
            if (cut.axis == axis) add_border(cut.size, limit);
        for (const record_piece* piece : {&pair_.dst, &pair_.src, third_}) {
            if (piece == nullptr) continue;
            // Digits count from the origin of their piece.
            if ((pair_.first[axis] - piece->origin[axis]) != 0)
                out_.refined = out_.refined && starts_at_digit(*piece, axis);
            for (const piece_digit& d : piece->digits)
                if (d.axis == axis) {
                    add_border(d.step, limit);
                    add_border(d.step * d.extent, limit);
                    out_.refined = out_.refined && d.turned_by < 0;
                }
            for (const piece_condition& c : piece->where)
                if (c.axis == axis && c.extent != 0) {
                    // No index reaches a value above 0.
                    if (c.step >= limit && c.step > 1 && c.first > 0)
                        out_.loops.push_back({axis, 1, 0, 0, 0, 0, true, 0, false});
                    add_border(c.step, limit);
                    add_border(c.step * c.extent, limit);
                    out_.refined = out_.refined && pair_.first[axis] == 0;
                }
        }
    }
    /// True if the common indices begin where the outermost digit of a piece steps, so that digits inside are 0, and if
    /// that digit does not begin again, for indices that share values outside of it.
    constexpr bool starts_at_digit(const record_piece& piece, int axis) const {
        const piece_digit* const top = outermost_of_axis(piece, axis);
        if (top == nullptr) return true;
        const dim_t offset = pair_.first[axis] - piece.origin[axis], end = top->step * top->extent;
        const dim_t inside = offset % end, length = pair_.last[axis] - pair_.first[axis];
        return offset % top->step == 0 && (inside == 0 || inside + length <= end);
    }

    static constexpr dim_t stride_at(const record_piece& piece, int axis, dim_t step, bool& found) {
        for (const piece_digit& d : piece.digits)
            if (d.axis == axis && d.step <= step && step < d.step * d.extent) {
                found = true;
                if (step % d.step == 0) return d.stride * (step / d.step);
            }
        return 0;
    }
    constexpr void add_loop(int axis, int i) {
        const dim_t step = borders_[i], length = pair_.last[axis] - pair_.first[axis];
        const dim_t end = i + 1 < borders_.size() ? borders_[i + 1] : divide_up(length, step) * step;
        if (end % step != 0 || out_.loops.size() >= pair_loops::most) return void(out_.refined = false);
        pair_loop loop{axis, step, end / step};
        bool src_found = false, dst_found = false;
        loop.dst = stride_at(pair_.dst, axis, step, dst_found);
        loop.src = stride_at(pair_.src, axis, step, src_found);
        bool third_found = false;
        if (third_ != nullptr) loop.third = stride_at(*third_, axis, step, third_found);
        loop.dst_shares = !dst_found;
        for (const record_piece* piece : {&pair_.dst, &pair_.src})
            for (const piece_condition& c : piece->where)
                if (c.axis == axis && c.extent != 0 && c.step <= step && step < c.step * c.extent) {
                    // Inside the condition's digit, a loop has some of its digits; the last one has all that is left.
                    const bool is_cut = i + 1 < borders_.size();
                    const dim_t all = c.first / (step / c.step), value = is_cut ? all % loop.extent : all;
                    if (value >= loop.extent) loop.extent = 0;               // nothing in common
                    if (loop.fixed && loop.value != value) loop.extent = 0;  // nothing in common
                    loop.fixed = true;
                    loop.value = value;
                    loop.dst_shares = loop.dst_shares && piece == &pair_.src;
                }
        if (loop.extent != 1) out_.loops.push_back(loop);
    }

    const piece_pair& pair_;
    const record_piece* third_ = nullptr;
    inline_list<inner_block, 2 * max_sum_digits> cuts_;
    inline_list<dim_t, 32> borders_;
    pair_loops out_;
};

}  // namespace plait::detail
