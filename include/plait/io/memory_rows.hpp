#pragma once
// Memory as rows of places in the order of addresses: the length of a row, and which rows are drawn.

#include <plait/io/drawing_options.hpp>
#include <plait/io/place_finder.hpp>

#include <set>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// One row, or several that are not drawn.
struct memory_row {
    dim_t first = 0, end = 0;  ///< offsets in [first, end)
    bool is_drawn = true;
    bool is_empty = false;  ///< no element and no padding is there
};

/// The rows of a layout's memory; consecutive rows that are empty or left out are one entry.
///
/// A row is as long as the stride of some digit, so that cells in a column differ in that digit only. If no stride
/// fits, a row is as long as a part of one.
///
/// Pre:     check_draw(l).ok(); most_places > 0
/// Post:    the entries cover each offset of the span once, in order
/// Cost:    O(entries)
class memory_rows {
public:
    /// Chooses the rows; `marked` are places to draw first if there are more than most_places.
    memory_rows(const layout& l, int longest, dim_t most_places, const std::set<dim_t>& marked = {})
        : begin_(l.span_begin()),
          end_(l.span_begin() + static_cast<dim_t>(l.element_span())),
          length_(length_for(l, longest)) {
        const place_finder places(l);
        std::set<dim_t> chosen;  // rows, by number
        const dim_t rows = divide_up(end_ - begin_, length_);
        const dim_t most = most_places / length_ < 1 ? 1 : most_places / length_;
        for (const dim_t offset : marked)
            if (rows > most && static_cast<dim_t>(chosen.size()) < most) chosen.insert((offset - begin_) / length_);
        for (std::optional<dim_t> at = places.next(begin_); at && static_cast<dim_t>(chosen.size()) < most;) {
            const dim_t row = (*at - begin_) / length_;
            chosen.insert(row);
            at = places.next(begin_ + (row + 1) * length_);
        }
        dim_t from = begin_;
        for (const dim_t row : chosen) {
            leave_out(places, from, begin_ + row * length_);
            from = begin_ + (row + 1) * length_;
            if (from > end_) from = end_;
            rows_.push_back({begin_ + row * length_, from, true, false});
            drawn_ += from - rows_.back().first;
        }
        leave_out(places, from, end_);
    }

    const std::vector<memory_row>& rows() const { return rows_; }
    dim_t length() const { return length_; }
    /// Returns how many rows the next longer stride of a digit has; 1 if they are not whole.
    dim_t rows_of_step() const { return rows_of_step_; }
    dim_t drawn() const { return drawn_; }
    dim_t places() const { return end_ - begin_; }

private:
    dim_t begin_, end_, rows_of_step_ = 1, length_, drawn_ = 0;
    std::vector<memory_row> rows_;

    void leave_out(const place_finder& places, dim_t first, dim_t end) {
        if (first >= end) return;
        const std::optional<dim_t> next = places.next(first);
        rows_.push_back({first, end, false, !next || *next >= end});
    }
    dim_t length_for(const layout& l, int longest) {
        dim_t longer = static_cast<dim_t>(l.element_span());
        const dim_t length = length_below(l, longest, longer);
        if (longer % length == 0) rows_of_step_ = longer / length;
        return length;
    }
    /// Returns the length of a row; sets `longer` to the shortest stride that does not fit.
    static dim_t length_below(const layout& l, int longest, dim_t& longer) {
        const dim_t span = static_cast<dim_t>(l.element_span());
        if (span <= longest) return span < 1 ? 1 : span;
        const inline_list<dim_t, max_digits> values = reached_extents(l);
        dim_t step = 1;  // the longest stride that fits
        for (int k = 0; k < l.digits.size(); ++k) {
            if (values[k] < 2) continue;
            const dim_t stride = step_size(l.digits[k].stride);
            if (stride <= longest && stride > step) step = stride;
            if (stride > longest && stride < longer) longer = stride;
        }
        // Several steps, or a part of one: a divisor of the next stride.
        for (dim_t length = longest; length >= 2 * step || (length > step && step == 1 && 2 * length >= longest);
             --length)
            if (longer % length == 0 && length % step == 0) return length;
        return step > 1 ? step : longest;
    }
};

}  // namespace plait::detail
