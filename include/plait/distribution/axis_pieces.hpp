#pragma once
// Which indices of an axis go from one rank to another, as pieces in which every step moves equally far in the memory
// of both ranks.
//
// Example: 1000 rows in blocks of 64 over two ranks, to four parts of 250. From the first rank to the first part go the
// rows 0 to 63 and 128 to 191: one piece of two digits. To the second part go 256 to 319 and 384 to 447.

#include <plait/distribution/axis_piece.hpp>
#include <plait/distribution/rank_values.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A rank's number along one axis, or any.
struct wanted_rank {
    bool any = true;
    dim_t rank = 0;
};

/// Finds the pieces of an axis. One side is walked run by run: the one whose runs are longer. The other side's digits
/// are cut to each run in closed form, so that there are few pieces if only one side has short runs.
class axis_piece_finder {
public:
    /// Pre:     the axes have equal extents; both outlive this object
    constexpr axis_piece_finder(const rank_axis_digits& from, const rank_axis_digits& to, wanted_rank of_from,
                                wanted_rank of_to, heap_list<axis_piece_digit>& digits)
        : swapped_(to.run() > from.run()),
          walked_(swapped_ ? to : from),
          cut_(swapped_ ? from : to),
          of_walked_(swapped_ ? of_to : of_from),
          of_cut_(swapped_ ? of_from : of_to),
          digits_(digits) {}

    /// Appends the pieces, sorted by the ranks of the two sides; pieces of equal ranks in a fixed order that does not
    /// depend on which ranks are wanted.
    constexpr void find(heap_list<axis_piece>& out) {
        const dim_t extent = walked_.extent;
        if (extent == 0) return;
        const dim_t period = common_period();
        if (period > 0) {
            const dim_t turns = extent / period;
            walk_range(0, period);
            const dim_t walked = walked_.digits.back().place * (period / walked_.digits.back().step);
            const dim_t cut = cut_.digits.back().place * (period / cut_.digits.back().step);
            repeat_pieces(turns, walked, cut);
            walk_range(turns * period, extent);
        } else {
            walk_range(0, extent);
        }
        sort_stable(found_, [](const axis_piece& a, const axis_piece& b) {
            return a.from_rank != b.from_rank ? a.from_rank < b.from_rank : a.to_rank < b.to_rank;
        });
        while (join_pieces()) {}
        if (out.empty()) {
            out = static_cast<heap_list<axis_piece>&&>(found_);
            return;
        }
        for (const axis_piece& piece : found_) out.push_back(piece);
    }

private:
    /// Runs are counted one by one up to this number; if there are more, a common period is looked for.
    static constexpr dim_t many_runs = 64;

    /// Returns the number of indices after which both sides repeat; 0 if there is none, or few runs.
    constexpr dim_t common_period() const {
        const dim_t extent = walked_.extent;
        if (extent / walked_.run() <= many_runs) return 0;
        if (walked_.digits.empty() || cut_.digits.empty()) return 0;
        if (walked_.digits.back().rank != 0 || cut_.digits.back().rank != 0) return 0;
        const dim_t a = walked_.digits.back().step, b = cut_.digits.back().step;
        const dim_t factor = a / greatest_common_divisor(a, b);
        return factor > extent / 2 / b ? 0 : factor * b;
    }

    /// Puts the pieces so far, which are those of one period, into a loop.
    constexpr void repeat_pieces(dim_t turns, dim_t walked, dim_t cut) {
        for (axis_piece& piece : found_)
            add_outer(piece, swapped_ ? axis_piece_digit{turns, cut, walked} : axis_piece_digit{turns, walked, cut});
    }
    /// Adds a digit outside those of a piece.
    constexpr void add_outer(axis_piece& piece, const axis_piece_digit& outer) {
        list_ = {};
        for (int k = 0; k < piece.digits; ++k) list_.push_back(digits_[piece.first_digit + k]);
        list_.push_back(outer);
        set_digits(piece);
    }
    /// Sets the digits of a piece to those of list_. Neighbouring pieces with equal digits share them.
    constexpr void set_digits(axis_piece& piece) {
        bool same = list_.size() == last_count_;
        for (int k = 0; k < list_.size() && same; ++k) same = digits_[last_first_ + k] == list_[k];
        if (!same) {
            last_first_ = digits_.size();
            last_count_ = list_.size();
            for (const axis_piece_digit& d : list_) digits_.push_back(d);
        }
        piece.first_digit = last_first_;
        piece.digits = last_count_;
        piece.elements = 1;
        for (const axis_piece_digit& d : list_) piece.elements *= d.extent;
    }
    constexpr bool equal_digits(const axis_piece& a, const axis_piece& b) const {
        if (a.digits != b.digits) return false;
        if (a.first_digit == b.first_digit) return true;
        for (int k = 0; k < a.digits; ++k)
            if (digits_[a.first_digit + k] != digits_[b.first_digit + k]) return false;
        return true;
    }

    constexpr void walk_range(dim_t begin, dim_t end) {
        begin_ = begin;
        end_ = end;
        walk(walked_.digits.size(), 0, 0, 0);
    }
    /// Visits the runs of the walked side that begin with the given values of the digits from `level` on.
    constexpr void walk(int level, dim_t index, dim_t rank, dim_t place) {
        if (!of_walked_.any && !walked_.can_add(level, of_walked_.rank - rank)) return;
        const bool in_run = level == 1 && walked_.digits[0].rank == 0;
        if (level == 0 || in_run) {
            const dim_t last = level == 0 ? index + 1 : index + walked_.digits[0].extent;
            run_stride_ = level == 0 ? 0 : walked_.digits[0].place;
            run_index_ = index;
            run_rank_ = rank;
            run_place_ = place;
            const dim_t first = larger_of(index, begin_), stop = smaller_of(last, end_);
            if (first < stop) cut(cut_.digits.size(), 0, first, stop, 0, 0);
            return;
        }
        const rank_digit& d = walked_.digits[level - 1];
        const dim_t from = begin_ > index ? (begin_ - index) / d.step : 0;
        const dim_t to = smaller_of(d.extent, end_ > index ? divide_up(end_ - index, d.step) : 0);
        for (dim_t value = from; value < to; ++value)
            walk(level - 1, index + value * d.step, rank + value * d.rank, place + value * d.place);
    }

    /// Cuts the indices from `first` to `stop`, counted from `base`, where the digits below `level` of the cut side are
    /// 0, into pieces.
    constexpr void cut(int level, dim_t base, dim_t first, dim_t stop, dim_t rank, dim_t place) {
        if (!of_cut_.any && !cut_.can_add(level, of_cut_.rank - rank)) return;
        if (level == 0) return emit(base, rank, place, 0);
        const rank_digit& d = cut_.digits[level - 1];
        dim_t value = first / d.step;
        const dim_t last = stop / d.step;
        if (first % d.step != 0) {
            const dim_t end = value < last ? d.step : stop - value * d.step;
            cut(level - 1, base + value * d.step, first - value * d.step, end, rank + value * d.rank,
                place + value * d.place);
            if (value == last) return;
            ++value;
        }
        if (value < last) whole(level, base, value, last, rank, place, 0);
        if (stop % d.step != 0)
            cut(level - 1, base + last * d.step, 0, stop - last * d.step, rank + last * d.rank, place + last * d.place);
    }

    /// Adds the pieces of values of a digit whose inner digits take all their values.
    constexpr void whole(int level, dim_t base, dim_t value, dim_t end, dim_t rank, dim_t place, int loops) {
        const rank_digit& d = cut_.digits[level - 1];
        if (d.rank != 0 && !of_cut_.any) {
            const value_range wanted = values_for_rank(cut_, level - 1, end, of_cut_.rank - rank);
            value = larger_of(value, wanted.begin);
            end = wanted.end;
        }
        base += value * d.step;
        rank += value * d.rank;
        place += value * d.place;
        if (d.rank == 0) {
            loops_[loops] = {end - value, d.step * run_stride_, d.place};
            return whole_inside(level - 1, base, rank, place, loops + 1);
        }
        for (; value < end; ++value, base += d.step, rank += d.rank, place += d.place)
            whole_inside(level - 1, base, rank, place, loops);
    }
    constexpr void whole_inside(int level, dim_t base, dim_t rank, dim_t place, int loops) {
        if (!of_cut_.any && !cut_.can_add(level, of_cut_.rank - rank)) return;
        if (level == 0) emit(base, rank, place, loops);
        else whole(level, base, 0, cut_.digits[level - 1].extent, rank, place, loops);
    }

    /// Adds a piece that begins at `index`, with the first `loops` of loops_, outermost first; their `from` is of the
    /// walked side.
    constexpr void emit(dim_t index, dim_t rank, dim_t place, int loops) {
        axis_piece piece;
        const dim_t walked = run_place_ + (index - run_index_) * run_stride_;
        piece.from_rank = swapped_ ? rank : run_rank_;
        piece.to_rank = swapped_ ? run_rank_ : rank;
        piece.from_place = swapped_ ? place : walked;
        piece.to_place = swapped_ ? walked : place;
        list_ = {};
        for (int k = loops - 1; k >= 0; --k)
            if (loops_[k].extent > 1) list_.push_back(of_sides(loops_[k]));
        set_digits(piece);
        found_.push_back(piece);
    }
    constexpr axis_piece_digit of_sides(const axis_piece_digit& d) const {
        return swapped_ ? axis_piece_digit{d.extent, d.to, d.from} : d;
    }

    /// Joins neighbouring pieces of equal ranks and digits at equal distances to one piece with one more digit. Returns
    /// true if there were any.
    constexpr bool join_pieces() {
        bool joined = false;
        int kept = 0;
        for (int k = 0; k < found_.size();) {
            axis_piece piece = found_[k];
            int count = 1;
            dim_t from = 0, to = 0;
            const auto follows = [&] {
                if (k + count == found_.size()) return false;
                const axis_piece& next = found_[k + count];
                if (next.from_rank != piece.from_rank || next.to_rank != piece.to_rank) return false;
                if (count == 1) {
                    from = next.from_place - piece.from_place;
                    to = next.to_place - piece.to_place;
                }
                return next.from_place == piece.from_place + count * from &&
                       next.to_place == piece.to_place + count * to && equal_digits(piece, next);
            };
            while (piece.digits < most_digits && follows()) ++count;
            if (count > 1) add_outer(piece, {count, from, to});
            joined = joined || count > 1;
            k += count;
            found_[kept++] = piece;
        }
        found_.resize(kept);
        return joined;
    }

    static constexpr int most_digits = 16;  ///< pieces with more are not joined

    bool swapped_ = false;  ///< true if the walked side is the receiving one
    const rank_axis_digits& walked_;
    const rank_axis_digits& cut_;
    wanted_rank of_walked_, of_cut_;
    dim_t begin_ = 0, end_ = 0;  ///< the indices that are walked
    dim_t run_index_ = 0, run_rank_ = 0, run_place_ = 0, run_stride_ = 0;
    axis_piece_digit loops_[max_rank_digits]{};
    heap_list<axis_piece_digit>& digits_;
    scratch_list<axis_piece_digit, max_rank_digits + most_digits> list_;  ///< the digits of a piece that is made
    int last_first_ = 0, last_count_ = -1;
    heap_list<axis_piece> found_;
};

}  // namespace plait::detail
