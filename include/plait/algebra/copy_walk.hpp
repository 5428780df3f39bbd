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

/// Runs of elements that lie side by side on both sides, all of one length.
struct copy_piece {
    dim_t dst = 0, src = 0;  ///< where the first run is, from the beginning of its row
    dim_t length = 0;        ///< the elements of a run
    copy_steps runs;
};

/// Rows that consist of the same pieces.
struct copy_rows {
    dim_t dst = 0, src = 0;  ///< where the first row begins
    copy_steps rows;
    scratch_list<copy_piece, 32> pieces;  ///< of a row, by ascending place in the destination
};

/// Visits all elements of two layouts as rows of pieces, by ascending place in the destination.
///
/// The ends of axes and the jumps of uneven axes cut the innermost loops into pieces. Most loops around these do not
/// change them: the pieces are found once, and repeated.
///
/// Pre:     that of copy_digits; the strides of the destination nest
/// Cost:    O(digits squared) steps; rows take as many steps as loops end before them, and a division for each end or
///          jump, if a loop outside has changed the pieces
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
        if (rest > 0) runs_ = loops_[--rest];
        // A piece for each run that a jump or the end of the axis may cut: of blocks in order, the first and the last.
        const bool cuts_all = runs_.has_jumps || (are_of_one_axis(run_, runs_) && runs_.step < run_.step);
        dim_t pieces = cuts_all ? runs_.count : are_of_one_axis(run_, runs_) ? 3 : 1;
        is_long_ = pieces > most_pieces;
        last_listed_ = rest;
        add_to_pieces(run_.axis);
        add_to_pieces(runs_.axis);
        // Loops are listed if no loop outside changes the pieces afterwards.
        unsigned axes = axes_of_pieces_;
        for (int k = rest;
             !is_long_ && k > 0 && loops_[k - 1].axis >= 0 && loops_[k - 1].count <= most_pieces / pieces;) {
            pieces *= loops_[--k].count;
            axes |= 1U << loops_[k].axis;
            bool changes = false;
            for (int j = 0; j < k; ++j) changes = changes || (loops_[j].axis >= 0 && (axes >> loops_[j].axis & 1) != 0);
            if (changes) continue;
            rest = k;
            axes_of_pieces_ = axes;
        }
        first_listed_ = rest;
        if (!is_long_ && rest > 0 && !is_in_pieces(loops_[rest - 1].axis) && !loops_[rest - 1].has_jumps)
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
    static constexpr int most_pieces = 32;
    static constexpr bool are_of_one_axis(const copy_loop& a, const copy_loop& b) {
        return a.axis >= 0 && a.axis == b.axis;
    }

    constexpr bool is_in_pieces(int axis) const { return axis >= 0 && (axes_of_pieces_ >> axis & 1) != 0; }
    constexpr void add_to_pieces(int axis) {
        if (axis >= 0) axes_of_pieces_ |= 1U << axis;
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
    constexpr void step(dim_t values) {
        move(loops_[level_], values);
        has_pieces_ = has_pieces_ && !is_in_pieces(loops_[level_].axis);
    }
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
        if (left_in_row_ > 0) {
            found.pieces = {};
            add_pieces();
            return true;
        }
        if (is_visited_) {
            is_visited_ = false;
            return false;
        }
        const value_range rows = values_of(rows_);
        if (rows.last <= rows.first) return false;
        if (!has_pieces_) {
            found.pieces = {};
            row_dst_ = dst_;
            row_src_ = src_;
            list_pieces(first_listed_);
            has_pieces_ = !is_long_;
        }
        if (found.pieces.empty()) return false;
        const dim_t first = first_of(rows_, rows);
        found.dst = (is_long_ ? row_dst_ : dst_) + first * rows_.dst;
        found.src = (is_long_ ? row_src_ : src_) + first * rows_.src;
        found.rows = steps_of(rows_, rows.last - rows.first);
        is_visited_ = true;
        return true;
    }
    /// Lists the pieces of the loops from `k` on.
    constexpr void list_pieces(int k) {
        const copy_loop& loop = k < last_listed_ ? loops_[k] : runs_;
        const value_range range = values_of(loop);
        const dim_t count = range.last - range.first, by = loop.dst < 0 ? -1 : 1;
        if (count <= 0) return;
        dim_t value = first_of(loop, range);
        move(loop, value);
        if (k == last_listed_) {
            left_in_row_ = count;
            value_in_row_ = value;
            return add_pieces();
        }
        for (dim_t left = count;;) {
            list_pieces(k + 1);
            if (--left == 0) break;
            move(loop, by);
            value += by;
        }
        move(loop, -value);
    }
    /// Adds pieces until the row ends, or the list is full.
    constexpr void add_pieces() {
        const dim_t by = runs_.dst < 0 ? -1 : 1;
        const bool cuts = are_of_one_axis(run_, runs_);  // the ends of the axis cut runs
        while (!found.pieces.full()) {
            const value_range run = values_of(run_);
            const bool is_cut = cuts && run.last - run.first < run_.count;
            const dim_t count = is_cut ? 1 : cuts ? smaller_of(left_in_row_, whole_runs()) : left_in_row_;
            const dim_t in_run = first_of(run_, run) * run_.dst;
            copy_piece piece{wrapping_add(dst_ + in_run, wrapping_multiply(-1, row_dst_)),
                             wrapping_add(src_ + in_run, wrapping_multiply(-1, row_src_)), run.last - run.first,
                             steps_of(runs_, count)};
            if (runs_.has_jumps) end_at_jump(piece.runs);
            if (piece.length > 0) found.pieces.push_back(piece);
            left_in_row_ -= piece.runs.count;
            if (left_in_row_ == 0) break;
            move(runs_, by * piece.runs.count);
            value_in_row_ += by * piece.runs.count;
        }
        if (left_in_row_ == 0) move(runs_, -value_in_row_);
    }
    /// Returns the number of runs until the axis ends in one, if the next one is whole.
    constexpr dim_t whole_runs() const {
        const dim_t index = index_[runs_.axis];
        return runs_.dst < 0 ? (index - begin_[runs_.axis]) / runs_.step + 1
                             : divide_up(end_[runs_.axis] - runs_.inside - index, runs_.step);
    }
    /// Ends the runs where the source jumps.
    constexpr void end_at_jump(copy_steps& runs) const {
        const copy_axis& axis = both_.axes[runs_.axis];
        const dim_t unit = unit_of(runs_.axis) + axis.first_in_src;
        if (runs_.step != axis.unit) runs.count = 1;
        for (int k = axis.src_jumps; k < axis.dst_jumps; ++k) {
            const jump& j = both_.jumps[k];
            if (j.border == 1) runs.src = runs_.dst < 0 ? -j.by : j.by;
            else runs.count = smaller_of(runs.count, runs_.dst > 0 ? j.border - unit % j.border : unit % j.border + 1);
        }
    }

    copy_digits both_;
    scratch_list<copy_loop, max_copy_digits> loops_;
    copy_loop run_, runs_, rows_;
    int levels_ = 0, level_ = 0;
    int first_listed_ = 0, last_listed_ = 0;  // the loops whose values have pieces of their own
    unsigned axes_of_pieces_ = 0;             // a bit for each axis whose index changes the pieces
    bool is_long_ = false;                    // a row may have more pieces than the list has room for
    bool has_pieces_ = false, is_visited_ = false;
    dim_t src_, dst_, row_src_ = 0, row_dst_ = 0, left_in_row_ = 0, value_in_row_ = 0;
    dim_t begin_[max_ndims]{}, end_[max_ndims]{}, index_[max_ndims]{}, units_in_source_[max_ndims]{};
    dim_t value_[max_copy_digits]{}, left_[max_copy_digits]{};
};

}  // namespace plait::detail
