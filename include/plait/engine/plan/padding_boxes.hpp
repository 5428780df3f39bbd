#pragma once
// The padding of a layout as boxes of places. Each box is a few loops, the innermost of which is a run if possible.
//
// Example: nChw16c, 17 channels of 56 x 56. Channels 17 to 31 are padding: channels 1 to 15 of the second block, which
// begins at element 50176. They are one box from element 50177: 3136 runs of 15 elements, 16 apart.

#include <plait/core/layout.hpp>
#include <plait/engine/plan/internal_names.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Evenly spaced places: `count` of them, `stride` elements apart.
struct place_loop {
    dim_t count = 1;
    dim_t stride = 0;
    constexpr bool operator==(const place_loop&) const = default;
};

/// A part of a tensor's memory: `begin`, in elements from offset 0, plus every sum of one step of each loop.
struct place_box {
    dim_t begin = 0;
    inline_list<place_loop, max_digits> loops;
};

/// Returns the box with its loops sorted by stride, smallest first, and none backwards. Loops that continue each other
/// are joined; loops of one step, and loops that stay at one place, are removed.
///
/// Post:    the same places; if the first loop has stride 1, it is a run of the greatest possible length
constexpr place_box with_fewest_loops(const place_box& box) {
    place_box sorted;
    sorted.begin = box.begin;
    for (place_loop loop : box.loops) {
        if (loop.count == 1 || loop.stride == 0) continue;
        if (loop.stride < 0) {
            sorted.begin += (loop.count - 1) * loop.stride;
            loop.stride = -loop.stride;
        }
        sorted.loops.push_back(loop);
        for (int k = sorted.loops.size() - 1; k > 0 && sorted.loops[k].stride < sorted.loops[k - 1].stride; --k) {
            const place_loop inner = sorted.loops[k];
            sorted.loops[k] = sorted.loops[k - 1];
            sorted.loops[k - 1] = inner;
        }
    }
    place_box out;
    out.begin = sorted.begin;
    for (const place_loop& loop : sorted.loops) {
        place_loop* last = out.loops.empty() ? nullptr : out.loops.end() - 1;
        if (last != nullptr && loop.stride == wrapping_multiply(last->stride, last->count)) last->count *= loop.count;
        else out.loops.push_back(loop);
    }
    return out;
}

/// The memory of a box of indices, with one range for each axis, as boxes of places. If a range of a blocked axis is
/// not a whole number of blocks, it is cut digit by digit.
template <class Visit>
class index_box_walk {
public:
    /// Pre:     check_static_layout(l).ok(); 0 <= first[a] <= last[a] <= padded_dims[a]
    constexpr index_box_walk(const layout& l, const position& first, const position& last, Visit& visit)
        : layout_(l), first_(first), last_(last), visit_(visit) {}

    /// Visits each place once, until a visit returns false. Returns true if every visit returned true.
    constexpr bool run() {
        for (int a = 0; a < layout_.ndims(); ++a)
            if (first_[a] == last_[a]) return true;
        return walk_axis(0, {layout_.offset0, {}});
    }

private:
    constexpr bool walk_axis(int axis, const place_box& box) {
        if (axis == layout_.ndims()) return visit_(with_fewest_loops(box));
        return walk_digit(axis, axis, layout_.block_size(axis), first_[axis], last_[axis], box);
    }

    constexpr int digit_inside(int k) const {
        const int axis = layout_.digits[k].axis;
        for (k = k < layout_.ndims() ? layout_.ndims() : k + 1; k < layout_.digits.size(); ++k)
            if (layout_.digits[k].axis == axis) break;
        return k;
    }

    // Handles the indices first to last - 1 counted by digit k and the digits inside it; each value of digit k has
    // `inside` of them.
    constexpr bool walk_digit(int axis, int k, dim_t inside, dim_t first, dim_t last, place_box box) {
        const dim_t stride = layout_.digits[k].stride;
        dim_t value = first / inside;
        const dim_t end = last / inside, first_inside = first % inside, last_inside = last % inside;
        if (value == end) return walk_inside(axis, k, inside, value, first_inside, last_inside, box);
        if (first_inside != 0 && !walk_inside(axis, k, inside, value++, first_inside, inside, box)) return false;
        if (last_inside != 0 && !walk_inside(axis, k, inside, end, 0, last_inside, box)) return false;
        if (value == end) return true;
        box.begin = wrapping_add(box.begin, wrapping_multiply(value, stride));
        box.loops.push_back({end - value, stride});
        for (k = digit_inside(k); k < layout_.digits.size(); k = digit_inside(k))
            box.loops.push_back({layout_.digits[k].extent, layout_.digits[k].stride});
        return walk_axis(axis + 1, box);
    }

    constexpr bool walk_inside(int axis, int k, dim_t inside, dim_t value, dim_t first, dim_t last, place_box box) {
        box.begin = wrapping_add(box.begin, wrapping_multiply(value, layout_.digits[k].stride));
        k = digit_inside(k);
        return walk_digit(axis, k, inside / layout_.digits[k].extent, first, last, box);
    }

    const layout& layout_;
    const position& first_;
    const position& last_;
    Visit& visit_;
};

/// Visits the padding of a layout as boxes of places, until a visit returns false.
///
/// Pre:     check_static_layout(l).ok(); no digit of an axis that is padded has stride 0
/// Post:    each place of a padded element that is not in the tensor is in exactly one box, and no other place is;
///          result == every visit was true
/// Cost:    O(boxes * digits), plus the visits; two boxes for each padded axis, times the levels of blocks that
///          the border of each axis cuts
template <class Visit>
constexpr bool visit_padding(const layout& l, Visit visit) {
    // One axis after the other: its padding, except what the axes before it pad.
    position first, last;
    for (int a = 0; a < l.ndims(); ++a) {
        first.push_back(0);
        last.push_back(l.padded_dims[a]);
    }
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t begin = l.padded_offsets[a], end = begin + l.dims[a];
        last[a] = begin;
        if (!index_box_walk<Visit>(l, first, last, visit).run()) return false;
        first[a] = end;
        last[a] = l.padded_dims[a];
        if (!index_box_walk<Visit>(l, first, last, visit).run()) return false;
        first[a] = begin;
        last[a] = end;
    }
    return true;
}

/// Visits the runs of a box, all of the same length, in rows, until a visit returns false: visit(place of the first
/// run, number of runs, distance between them, length), all in bytes.
template <class Byte, class Visit>
bool visit_runs(const place_box& box, Byte* data, dim_t element_size, Visit visit) {
    const auto& loops = box.loops;
    const bool dense = !loops.empty() && loops[0].stride == 1;
    const int inner = dense ? 1 : 0;  // the loop that makes a row
    const auto length = static_cast<std::size_t>((dense ? loops[0].count : 1) * element_size);
    const place_loop row = inner < loops.size() ? loops[inner] : place_loop{};
    dim_t index[max_digits]{};
    Byte* run = data + box.begin * element_size;
    for (;;) {
        if (!visit(run, row.count, row.stride * element_size, length)) return false;
        int k = inner + 1;
        for (; k < loops.size(); ++k) {
            const dim_t step = loops[k].stride * element_size;
            if (++index[k] < loops[k].count) {
                run += step;
                break;
            }
            run -= (loops[k].count - 1) * step;
            index[k] = 0;
        }
        if (k >= loops.size()) return true;
    }
}

/// Calls action(place) for each place of a box.
template <class Action>
constexpr void visit_places(const place_box& box, Action action) {
    dim_t index[max_digits]{};
    dim_t place = box.begin;
    for (int k = 0; k < box.loops.size();) {
        if (k == 0) action(place);
        place += box.loops[k].stride;
        if (++index[k] < box.loops[k].count) {
            k = 0;
            continue;
        }
        place -= box.loops[k].count * box.loops[k].stride;
        index[k++] = 0;
    }
    if (box.loops.empty()) action(place);
}

}  // namespace plait::engine
