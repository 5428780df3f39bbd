#pragma once
// The loops that visit a layout in memory order, as data.

#include <plait/algebra/index_terms.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Selects whether a traversal visits padding too.
enum class padding { left_out, included };

namespace detail {
/// One loop over the values of a digit, or over several digits that are contiguous in memory.
struct memory_loop {
    int axis = -1;      ///< the axis whose end must be checked; -1: every value is visited
    dim_t count = 0;    ///< the number of values
    dim_t stride = 0;   ///< distance in elements between neighbours
    dim_t divisor = 1;  ///< the number of indices of the axis per step
    dim_t largest = 0;  ///< the largest value that the loops inside this one add to the index
    constexpr bool operator==(const memory_loop&) const = default;
};

/// All loops, outermost first. If the end of an axis is checked, its indices in [begin, end) are visited.
struct memory_loops {
    dim_t offset0 = 0;
    inline_list<memory_loop, max_digits> loops;
    dim_t begin[max_ndims]{}, end[max_ndims]{};
};

/// Appends the loops over the digits of one axis.
///
/// Pre:     check_static(l).ok(), l has elements, and the list has space for the digits
constexpr void add_axis(memory_loops& out, const layout& l, int axis, padding pads) {
    const bool all = pads == padding::included;
    const dim_t begin = all ? 0 : l.padded_offsets[axis], end = all ? l.padded_dims[axis] : begin + l.dims[axis];
    const digit_list digits = fewest_digits(l, axis);
    out.begin[axis] = begin;
    out.end[axis] = end;
    if (digits.size() == 1) {
        // A single loop does not need to check the end at each step.
        out.offset0 = wrapping_add(out.offset0, wrapping_multiply(begin, digits[0].stride));
        out.loops.push_back({-1, end - begin, digits[0].stride});
        return;
    }
    dim_t divisor = 1;
    const bool whole = begin == 0 && end == volume_of(digits);
    for (int k = digits.size() - 1; k >= 0; --k) {
        out.loops.push_back({whole ? -1 : axis, digits[k].extent, digits[k].stride, divisor});
        divisor *= digits[k].extent;
    }
}

/// Reverses the loops with a negative stride, if no end is checked, so that they start from the last value.
constexpr void turn_loops(memory_loops& out) {
    for (memory_loop& loop : out.loops) {
        if (loop.stride >= 0 || loop.axis >= 0) continue;
        out.offset0 = wrapping_add(out.offset0, wrapping_multiply(loop.count - 1, loop.stride));
        loop.stride = step_size(loop.stride);
    }
}

/// Sorts the loops by descending stride; of equal strides, the outer digit comes first.
constexpr void sort_by_stride(memory_loops& out) {
    const auto comes_before = [](const memory_loop& a, const memory_loop& b) {
        const dim_t x = step_size(a.stride), y = step_size(b.stride);
        return x != y ? x > y : a.divisor > b.divisor;
    };
    for (int i = 1; i < out.loops.size(); ++i)
        for (int k = i; k > 0 && comes_before(out.loops[k], out.loops[k - 1]); --k) {
            const memory_loop inner = out.loops[k - 1];
            out.loops[k - 1] = out.loops[k];
            out.loops[k] = inner;
        }
}

/// Merges two neighbouring loops if the outer one continues the inner one.
constexpr void merge_neighbours(memory_loops& out) {
    for (int k = out.loops.size() - 1; k > 0; --k) {
        memory_loop &outer = out.loops[k - 1], &inner = out.loops[k];
        if (outer.axis >= 0 || inner.axis >= 0 || outer.stride != wrapping_multiply(inner.stride, inner.count))
            continue;
        outer.count *= inner.count;
        outer.stride = inner.stride;
        out.loops.erase(k);
    }
}

/// Returns the loops over the elements of l in memory order, with or without padding; as few and long as possible.
///
/// Pre:     check_static(l).ok()
/// Post:    visits each element once, by ascending offset if the strides nest and none is 0. Exception: an axis that
///          has several digits, an end inside one of them, and a negative stride is visited by ascending index
/// Cost:    O(digits squared) steps
/// Source:  spec semantics 4: the digits of an offset, here ordered by stride
/// Example: for layout({2, 32, 5, 6}, "nChw16c") one loop of 1920; with 17 channels loops of 2, 2, 30 and 16; the
///          last one skips channels 17 and above
constexpr memory_loops memory_loops_of(const layout& l, padding pads) {
    memory_loops out;
    out.offset0 = l.offset0;
    const dims& extents = pads == padding::included ? l.padded_dims : l.dims;
    for (const dim_t extent : extents)
        if (extent == 0) {
            out.loops.push_back({-1, 0, 1});
            return out;
        }
    for (int a = 0; a < l.ndims(); ++a) add_axis(out, l, a, pads);
    if (out.loops.empty()) out.loops.push_back({-1, 1, 1});  // a single element
    turn_loops(out);
    sort_by_stride(out);
    merge_neighbours(out);
    dim_t inside[max_ndims]{};
    for (int k = out.loops.size() - 1; k >= 0; --k) {
        memory_loop& loop = out.loops[k];
        if (loop.axis < 0) continue;
        loop.largest = inside[loop.axis];
        inside[loop.axis] += (loop.count - 1) * loop.divisor;
    }
    return out;
}

/// The values of a loop in [first, last).
struct loop_range {
    dim_t first, last;
};

/// Returns the values of a loop for which some index that the inner loops reach is to be visited.
///
/// Pre:     loop.axis >= 0; index is the index along that axis contributed by the loops outside; begin < end, the range
///          of indices to visit in memory_loops
/// Post:    value k is in the range if and only if k < loop.count and index + k * loop.divisor + i is in [begin, end)
///          for some i with 0 <= i <= loop.largest
/// Cost:    at most two divisions by loop.divisor
/// Source:  plait's own
/// Example: with 16 indices per step, 15 inside: values_to_visit({1, 2, 480, 16, 15}, 0, 0, 17): first is 0, last is 2
[[gnu::always_inline]] constexpr loop_range values_to_visit(const memory_loop& loop, dim_t index, dim_t begin,
                                                            dim_t end) {
    const dim_t before = begin - loop.largest - index, after = end - index;
    const dim_t first = before > 0 ? divide_up(before, loop.divisor) : 0;
    const dim_t last = after > 0 ? divide_up(after, loop.divisor) : 0;
    return {first, last < loop.count ? last : loop.count};
}

/// The loops as a sequence of runs of the innermost loop: each next() sets where the run begins and its length.
class memory_runs {
public:
    constexpr explicit memory_runs(const memory_loops& loops) : loops_(loops), offset_(loops.offset0) {}

    dim_t begin = 0, count = 0;  ///< the run that next() found
    constexpr dim_t stride() const { return loops_.loops.values[loops_.loops.count - 1].stride; }

    [[gnu::noinline]] constexpr bool next() {
        const int inner = loops_.loops.count - 1;
        while (level_ >= 0) {
            if (level_ == inner) {
                const loop_range range = range_of(inner);
                begin = offset_ + range.first * stride();
                count = range.last - range.first;
                leave();
                if (count > 0) return true;
            } else {
                const loop_range range = range_of(level_);
                last_[level_] = range.last;
                value_[level_] = range.first;
                step(range.first);
                if (range.first < range.last) ++level_;
                else leave_finished();
            }
        }
        return false;
    }

private:
    constexpr loop_range range_of(int level) const {
        const memory_loop& loop = loops_.loops.values[level];
        if (loop.axis < 0) return {0, loop.count};
        return values_to_visit(loop, index_[loop.axis], loops_.begin[loop.axis], loops_.end[loop.axis]);
    }
    /// Advances the loop of this level by `values` values.
    constexpr void step(dim_t values) {
        const memory_loop& loop = loops_.loops.values[level_];
        offset_ += values * loop.stride;
        if (loop.axis >= 0) index_[loop.axis] += values * loop.divisor;
    }
    /// Continues with the next value of the nearest outer loop that has one.
    constexpr void leave() {
        while (--level_ >= 0) {
            ++value_[level_];
            step(1);
            if (value_[level_] < last_[level_]) break;
            step(-value_[level_]);
        }
        if (level_ >= 0) ++level_;
    }
    constexpr void leave_finished() {
        step(-value_[level_]);
        leave();
    }

    memory_loops loops_;
    dim_t offset_;
    int level_ = 0;
    dim_t value_[max_digits]{}, last_[max_digits]{}, index_[max_ndims]{};
};
}  // namespace detail
}  // namespace plait
