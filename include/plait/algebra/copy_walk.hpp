#pragma once
// The loops over the elements of two layouts in the order of the destination's memory.

#include <plait/algebra/copy_digits.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A loop over the values of a digit of both sides, or over several digits that are one.
struct copy_loop {
    int axis =
        -1;  ///< the axis of which the index is counted, because its end is checked or its source has jumps; or -1
    dim_t count = 1;
    dim_t src = 0, dst = 0;  ///< elements per value
    dim_t step = 1;          ///< indices per value
    dim_t inside = 0;        ///< the most that the loops inside add to the index
    bool has_jumps = false;  ///< true if the source moves as `src` of the axis says
};

/// Places at equal distances on both sides.
struct copy_steps {
    dim_t count = 1, dst = 0, src = 0;
};

/// Rows of runs of elements that lie side by side on both sides.
struct copy_rows {
    dim_t dst = 0, src = 0;  ///< where the first run is
    dim_t length = 0;        ///< the elements of a run
    copy_steps runs, rows;   ///< the runs of a row, and the rows
};

/// Visits all elements of two layouts as rows of runs, by ascending place in the destination.
///
/// Pre:     that of copy_digits; the strides of the destination nest
/// Cost:    O(digits squared) steps; rows take as many steps as loops end before them
class copy_walk {
public:
    constexpr copy_walk(const layout& src, const layout& dst) : both_(src, dst), src_(both_.src), dst_(both_.dst) {
        for (int a = 0; a < both_.axes.size(); ++a) add_axis(a);
        sort_by_destination();
        merge_neighbours();
        dim_t inside[max_ndims]{};
        for (int k = loops_.size() - 1; k >= 0; --k) {
            copy_loop& loop = loops_[k];
            if (loop.axis < 0) continue;
            loop.inside = inside[loop.axis];
            inside[loop.axis] += (loop.count - 1) * loop.step;
        }
        int rest = loops_.size();
        if (rest > 0 && is_run(loops_[rest - 1])) run_ = loops_[--rest];
        // Each run has one length, and each row as many runs, unless the loop outside decides where they end.
        if (rest > 0 && !are_of_one_axis(loops_[rest - 1], run_)) runs_ = loops_[--rest];
        if (rest > 0 && !are_of_one_axis(loops_[rest - 1], run_) && !are_of_one_axis(loops_[rest - 1], runs_) &&
            !runs_.has_jumps && !loops_[rest - 1].has_jumps)
            rows_ = loops_[--rest];
        levels_ = rest;
    }

    copy_rows found;  ///< what next() has found
    constexpr bool next() {
        while (level_ >= 0) {
            if (level_ == levels_) {
                if (next_rows()) return true;
                leave();
                continue;
            }
            const value_range range = values_of(loops_[level_]);
            left_[level_] = range.last - range.first;
            if (left_[level_] <= 0) {
                leave();
                continue;
            }
            value_[level_] = first_of(loops_[level_], range);
            step(value_[level_]);
            ++level_;
        }
        return false;
    }

private:
    struct value_range {
        dim_t first, last;
    };
    static constexpr bool are_of_one_axis(const copy_loop& a, const copy_loop& b) {
        return a.axis >= 0 && a.axis == b.axis;
    }
    static constexpr bool is_run(const copy_loop& loop) {
        return !loop.has_jumps && loop.src == loop.dst && step_size(loop.dst) == 1;
    }

    constexpr void add_axis(int a) {
        const copy_axis& axis = both_.axes[a];
        dim_t covered = axis.unit;
        for (int k = axis.outer_digit; k < axis.last_digit; ++k)
            covered = wrapping_multiply(covered, both_.digits[k].extent);
        const bool is_whole = axis.is_even() && (covered == axis.extent || axis.last_digit == axis.first_digit + 1);
        begin_[a] = axis.first_in_dst;
        end_[a] = axis.first_in_dst + axis.extent;
        if (!axis.is_even()) {
            // The loops count from the destination's index 0.
            dst_ = wrapping_add(dst_, wrapping_multiply(-1, both_.dst_of(axis, 0)));
            src_ = wrapping_add(src_, wrapping_multiply(-1, both_.src_of(axis, 0)));
            units_in_source_[a] = source_of(a);
            src_ = wrapping_add(src_, units_in_source_[a]);
        }
        for (int k = axis.first_digit; k < axis.last_digit; ++k) {
            const copy_digit& d = both_.digits[k];
            copy_loop loop{is_whole ? -1 : a, d.extent, d.src, d.dst, d.step, 0, d.has_jumps};
            if (is_whole && loop.dst < 0) {
                src_ += (loop.count - 1) * loop.src;
                dst_ += (loop.count - 1) * loop.dst;
                loop.src = -loop.src;
                loop.dst = -loop.dst;
            }
            loops_.push_back(loop);
        }
    }
    /// Sorts the loops, those with the longest steps in the destination first.
    constexpr void sort_by_destination() {
        for (int i = 1; i < loops_.size(); ++i)
            for (int k = i; k > 0 && step_size(loops_[k].dst) > step_size(loops_[k - 1].dst); --k) {
                const copy_loop inner = loops_[k - 1];
                loops_[k - 1] = loops_[k];
                loops_[k] = inner;
            }
    }
    /// Merges loops of which the outer one goes on from the inner one on both sides.
    constexpr void merge_neighbours() {
        for (int k = loops_.size() - 1; k > 0; --k) {
            copy_loop &outer = loops_[k - 1], &inner = loops_[k];
            if (outer.axis >= 0 || inner.axis >= 0 || outer.dst != wrapping_multiply(inner.dst, inner.count) ||
                outer.src != wrapping_multiply(inner.src, inner.count))
                continue;
            outer.count *= inner.count;
            outer.src = inner.src;
            outer.dst = inner.dst;
            loops_.erase(k);
        }
    }

    /// Returns the values of a loop for which there are elements.
    constexpr value_range values_of(const copy_loop& loop) const {
        if (loop.axis < 0) return {0, loop.count};
        const dim_t before = begin_[loop.axis] - loop.inside - index_[loop.axis],
                    after = end_[loop.axis] - index_[loop.axis];
        return {before > 0 ? divide_up(before, loop.step) : 0,
                smaller_of(loop.count, after > 0 ? divide_up(after, loop.step) : 0)};
    }
    /// Returns the unit that an uneven axis is at.
    constexpr dim_t unit_of(int a) const { return index_[a] / both_.axes[a].unit - both_.axes[a].first_in_dst; }
    constexpr dim_t source_of(int a) const { return both_.src_of(both_.axes[a], unit_of(a)); }
    /// Moves on by `values` values of a loop.
    constexpr void move(const copy_loop& loop, dim_t values) {
        dst_ += values * loop.dst;
        if (loop.axis >= 0) index_[loop.axis] += values * loop.step;
        if (!loop.has_jumps) {
            src_ += values * loop.src;
            return;
        }
        const dim_t before = units_in_source_[loop.axis], now = source_of(loop.axis);
        units_in_source_[loop.axis] = now;
        src_ = wrapping_add(src_, wrapping_add(now, wrapping_multiply(-1, before)));
    }
    constexpr void step(dim_t values) { move(loops_[level_], values); }
    /// Goes on with the next value of the nearest loop outside that has one.
    constexpr void leave() {
        while (--level_ >= 0) {
            const dim_t by = loops_[level_].dst < 0 ? -1 : 1;
            if (--left_[level_] > 0) {
                step(by);
                value_[level_] += by;
                ++level_;
                return;
            }
            step(-value_[level_]);
        }
    }

    /// Returns the first value of a loop by ascending places of the destination.
    static constexpr dim_t first_of(const copy_loop& loop, const value_range& range) {
        return loop.dst < 0 ? range.last - 1 : range.first;
    }
    static constexpr copy_steps steps_of(const copy_loop& loop, dim_t count) {
        return loop.dst < 0 ? copy_steps{count, -loop.dst, -loop.src} : copy_steps{count, loop.dst, loop.src};
    }

    /// Finds the next rows of the innermost loops; false if they have no more.
    constexpr bool next_rows() {
        if (!in_row_) {
            const value_range run = values_of(run_), runs = values_of(runs_), rows = values_of(rows_);
            found.length = run.last - run.first;
            left_in_row_ = runs.last - runs.first;
            found.rows = steps_of(rows_, rows.last - rows.first);
            if (found.length <= 0 || left_in_row_ <= 0 || found.rows.count <= 0) return false;
            const dim_t in_run = first_of(run_, run) * run_.dst, row = first_of(rows_, rows);
            in_rows_ = {1, in_run + row * rows_.dst, in_run + row * rows_.src};
            value_in_row_ = first_of(runs_, runs);
            move(runs_, value_in_row_);
            in_row_ = true;
        } else if (left_in_row_ == 0) {
            move(runs_, -value_in_row_);
            in_row_ = false;
            return false;
        }
        found.dst = dst_ + in_rows_.dst;
        found.src = src_ + in_rows_.src;
        found.runs = steps_of(runs_, left_in_row_);
        if (runs_.has_jumps) end_at_jump();
        left_in_row_ -= found.runs.count;
        if (left_in_row_ > 0) {
            const dim_t by = runs_.dst < 0 ? -found.runs.count : found.runs.count;
            move(runs_, by);
            value_in_row_ += by;
        }
        return true;
    }
    /// Ends the row where the source jumps.
    constexpr void end_at_jump() {
        const copy_axis& axis = both_.axes[runs_.axis];
        const dim_t unit = unit_of(runs_.axis) + axis.first_in_src;
        if (runs_.step != axis.unit) found.runs.count = 1;
        for (int k = axis.src_jumps; k < axis.dst_jumps; ++k) {
            const jump& j = both_.jumps[k];
            if (j.border == 1) found.runs.src = runs_.dst < 0 ? -j.by : j.by;
            else
                found.runs.count =
                    smaller_of(found.runs.count, runs_.dst > 0 ? j.border - unit % j.border : unit % j.border + 1);
        }
    }

    copy_digits both_;
    scratch_list<copy_loop, max_copy_digits> loops_;
    copy_loop run_, runs_, rows_;
    int levels_ = 0, level_ = 0;
    bool in_row_ = false;
    copy_steps in_rows_;  // where the first row begins
    dim_t src_, dst_, left_in_row_ = 0, value_in_row_ = 0;
    dim_t begin_[max_ndims]{}, end_[max_ndims]{}, index_[max_ndims]{}, units_in_source_[max_ndims]{};
    dim_t value_[max_copy_digits]{}, left_[max_copy_digits]{};
};

}  // namespace plait::detail
