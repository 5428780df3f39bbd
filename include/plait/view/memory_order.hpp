#pragma once
// The loops that visit a layout in the order of memory, as data.

#include <plait/algebra/index_terms.hpp>

namespace plait {

/// Whether a traversal visits padding too.
enum class padding { left_out, included };

namespace detail {
/// One loop over the values of a digit, or over several digits that are one in memory.
struct memory_loop {
    int axis = -1;      ///< whose end has to be looked at; -1: every value is visited
    dim_t count = 0;    ///< how many values
    dim_t stride = 0;   ///< elements between neighbours
    dim_t divisor = 1;  ///< how many indices of the axis a step is
    dim_t largest = 0;  ///< what the loops inside of this one can add to the index
    constexpr bool operator==(const memory_loop&) const = default;
};

/// All of them, the outermost first. The indices visited of an axis whose end is looked at go from begin to end.
struct memory_loops {
    dim_t offset0 = 0;
    inline_list<memory_loop, max_digits> loops;
    dim_t begin[max_ndims]{}, end[max_ndims]{};
};

/// Adds the digits of one axis.
///
/// Pre:     check_static(l).ok(), l has elements, and so many digits fit
constexpr void add_axis(memory_loops& out, const layout& l, int axis, padding pads) {
    const bool all = pads == padding::included;
    const dim_t begin = all ? 0 : l.padded_offsets[axis], end = all ? l.padded_dims[axis] : begin + l.dims[axis];
    const digit_list digits = fewest_digits(l, axis);
    out.begin[axis] = begin;
    out.end[axis] = end;
    if (digits.size() == 1) {
        // The end of one loop is known beforehand.
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

/// Turns the loops round that run backwards, where no end has to be looked at: from the last value on.
constexpr void turn_loops(memory_loops& out) {
    for (memory_loop& loop : out.loops) {
        if (loop.stride >= 0 || loop.axis >= 0) continue;
        out.offset0 = wrapping_add(out.offset0, wrapping_multiply(loop.count - 1, loop.stride));
        loop.stride = step_size(loop.stride);
    }
}

/// The longest stride first; of equal ones, the digit further out.
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

/// Makes one loop of two where the outer one continues the inner one.
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

/// The loops over the elements of l in the order of memory, with those of padding or without; few and long.
///
/// Pre:     check_static(l).ok()
/// Post:    each element once; where the strides nest and none is 0, by ascending offset; but along an axis of several
///          digits that has an end inside of one, and runs backwards, by ascending index
/// Cost:    O(digits squared) steps
/// Source:  spec semantics 4: the digits of an offset, here by their strides
/// Example: of layout({2, 32, 5, 6}, "nChw16c") one loop of 1920; with 17 channels 2 times 2 times 30 times 16, of
///          which the last leaves out the channels from 17 on
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

/// The values of a loop that lead to an index to visit: from first to last, last not among them.
struct loop_range {
    dim_t first, last;
};

/// Which values of a loop lead to indices that are to be visited, whatever the loops inside of it add.
///
/// Pre:     loop.axis >= 0; index: what the loops outside say of the index along that axis; begin < end: those of
///          memory_loops, from the first index to visit to the one behind the last
/// Post:    value k is in the range exactly if index + k * loop.divisor + i is in [begin, end) for some
///          0 <= i <= loop.largest, and k < loop.count
/// Cost:    two divisions at most, by loop.divisor
/// Source:  plait's own
/// Example: of 16 indices a step and 15 inside, values_to_visit({1, 2, 480, 16, 15}, 0, 0, 17): first is 0, last is 2
[[gnu::always_inline]] constexpr loop_range values_to_visit(const memory_loop& loop, dim_t index, dim_t begin,
                                                            dim_t end) {
    const dim_t before = begin - loop.largest - index, after = end - index;
    const dim_t first = before > 0 ? divide_up(before, loop.divisor) : 0;
    const dim_t last = after > 0 ? divide_up(after, loop.divisor) : 0;
    return {first, last < loop.count ? last : loop.count};
}

/// The loops as a sequence of runs: each next() says where the innermost loop begins, and how often it runs.
class memory_runs {
public:
    constexpr explicit memory_runs(const memory_loops& loops) : loops_(loops), offset_(loops.offset0) {}

    dim_t begin = 0, count = 0;  ///< of the run that next() found
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
    /// Moves the loop of this level by so many values.
    constexpr void step(dim_t values) {
        const memory_loop& loop = loops_.loops.values[level_];
        offset_ += values * loop.stride;
        if (loop.axis >= 0) index_[loop.axis] += values * loop.divisor;
    }
    /// Goes on with the next value of the nearest loop outside that has one.
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
