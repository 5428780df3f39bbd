#pragma once
// A piece of the destination and one of the source that have bits of the same values: which bits, for which indices,
// and the loops that both are made of. If digits of the two do not divide each other, neighbours that neither
// distinguishes are visited once.

#include <plait/algebra/refine.hpp>
#include <plait/packed/record_chunks.hpp>
#include <plait/packed/record_places.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/support/heap_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Calls what(index, count) for the first index of each unit, where `count` indices below the extents are in the unit,
/// modulo 2^64.
template <class What>
void for_each_unit(const plait::dims& dims, const plait::dims& units, const What& what) {
    position index;
    for (const dim_t extent : dims) {
        if (extent == 0) return;
        index.push_back(0);
    }
    for (int a = 0; a >= 0;) {
        std::uint64_t count = 1;
        for (int i = 0; i < index.size(); ++i)
            count *= static_cast<std::uint64_t>(smaller_of(units[i], dims[i] - index[i]));
        what(index, count);
        for (a = index.size() - 1; a >= 0 && (index[a] += units[a]) >= dims[a]; --a) index[a] = 0;
    }
}

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
        for (int a = 0; a < pair_.last.size() && out_.refined; ++a) out_.refined = add_loops(a);
        return static_cast<pair_loops&&>(out_);
    }

private:
    /// Writes where the common indices of an axis lie in a piece, whose digits count from its origin.
    constexpr bool find_places(axis_places& out, const record_piece& piece, int axis, dim_t length) const {
        for (const piece_digit& d : piece.digits)
            if (d.axis == axis && d.turned_by >= 0) return false;
        const dim_t offset = pair_.first[axis] - piece.origin[axis];
        return places_from(out, places_of(piece, axis, offset + length), offset, length);
    }
    constexpr bool add_loops(int axis) {
        const dim_t length = pair_.last[axis] - pair_.first[axis], limit = larger_of(length, 1);
        axis_places places[3];
        const record_piece* const pieces[] = {&pair_.dst, &pair_.src, third_};
        for (int p = 0; p < 3; ++p)
            if (pieces[p] != nullptr && !find_places(places[p], *pieces[p], axis, limit)) return false;
        cut_list cuts;
        const auto cut = [&](dim_t border) {
            if (border >= limit) return true;
            if (cuts.full()) return false;
            return cuts.push_back(border), true;
        };
        for (const inner_block& at : cuts_)
            if (at.axis == axis && !cut(at.size)) return false;
        for (const record_piece* piece : pieces) {
            if (piece == nullptr) continue;
            for (const piece_condition& c : piece->where) {
                if (c.axis != axis || c.extent == 0) continue;
                // No index reaches a value above 0.
                if (c.step >= limit && c.step > 1 && c.first > 0)
                    out_.loops.push_back({axis, 1, 0, 0, 0, 0, true, 0, false});
                if (pair_.first[axis] != 0 || !cut(c.step) || !cut(c.step * c.extent)) return false;
            }
        }
        axis_loops<3> found;
        refine_axis<3>(found, places, limit, cuts);
        for (int k = 0; k < found.loops.size(); ++k) {
            if (out_.loops.size() >= pair_loops::most) return false;
            const axis_loop<3>& of = found.loops[k];
            pair_loop loop{axis, of.step, of.extent, of.by[0], of.by[1], of.by[2]};
            loop.dst_shares = loop.dst == 0;
            if (k + 1 == found.loops.size()) loop.extent = divide_up(length, of.step);
            fix(loop, k + 1 < found.loops.size());
            if (loop.extent != 1) out_.loops.push_back(loop);
        }
        return found.is_even();
    }
    /// Fixes the value of a loop that has digits which a condition fixes: some of them if the loop is cut outside,
    /// otherwise all that are left.
    constexpr void fix(pair_loop& loop, bool is_cut) const {
        for (const record_piece* piece : {&pair_.dst, &pair_.src})
            for (const piece_condition& c : piece->where) {
                if (c.axis != loop.axis || c.extent == 0 || c.step > loop.step || loop.step >= c.step * c.extent)
                    continue;
                const dim_t all = c.first / (loop.step / c.step), value = is_cut ? all % loop.extent : all;
                if (value >= loop.extent) loop.extent = 0;               // nothing in common
                if (loop.fixed && loop.value != value) loop.extent = 0;  // nothing in common
                loop.fixed = true;
                loop.value = value;
                loop.dst_shares = loop.dst_shares && piece == &pair_.src;
            }
    }

    const piece_pair& pair_;
    const record_piece* third_ = nullptr;
    inline_list<inner_block, 2 * max_sum_digits> cuts_;
    pair_loops out_;
};

/// Returns how many neighbours lie at the same places of both pieces.
constexpr index_units units_of(const piece_pair& pair) {
    index_units out(pair.dims);
    out.add(pair.dst);
    out.add(pair.src);
    return out;
}

/// Calls what(index, dst bit, src bit) for each value that a pair has in common; of values that share a place in the
/// destination, for the first one.
template <class What>
void for_each_common(const piece_pair& pair, const pair_loops& refined, const What& what) {
    if (pair.is_empty()) return;
    position index = pair.first;
    if (!refined.refined) {
        const plait::dims units = units_of(pair).units();
        for (;;) {
            if (pair.dst.holds(index) && pair.src.holds(index))
                what(index, pair.dst.place(index), pair.src.place(index));
            int a = index.size() - 1;
            while (a >= 0 && (index[a] += units[a]) >= pair.last[a]) index[a] = pair.first[a], --a;
            if (a < 0) return;
        }
    }
    dim_t count[pair_loops::most]{};
    const int loops = refined.loops.size();
    dim_t dst = pair.dst.place(pair.first), src = pair.src.place(pair.first);
    for (int i = 0; i < loops; ++i) {
        const pair_loop& l = refined.loops[i];
        if (l.extent == 0) return;
        if (!l.fixed) continue;
        index[l.axis] += l.value * l.step;
        dst += l.value * l.dst;
        src += l.value * l.src;
    }
    for (;;) {
        bool inside = true;
        for (int a = 0; a < index.size(); ++a) inside = inside && index[a] < pair.last[a];
        if (inside) what(index, dst, src);
        int i = 0;
        for (; i < loops; ++i) {
            const pair_loop& l = refined.loops[i];
            if (l.fixed || l.dst_shares) continue;
            index[l.axis] += l.step;
            dst += l.dst;
            src += l.src;
            if (++count[i] < l.extent) break;
            count[i] = 0;
            index[l.axis] -= l.extent * l.step;
            dst -= l.extent * l.dst;
            src -= l.extent * l.src;
        }
        if (i == loops) return;
    }
}

}  // namespace plait::detail
