#pragma once
// The rule for slices with a step in terms of offsets, without an algorithm. Tests compare strided_slice with it.

#include "laws/layout_laws.hpp"

#include <plait/algebra/strided_slice.hpp>

#include <vector>

namespace plait_test {

/// True if some digits have these offsets: the first ones repeat, at equal distances, in each group of the second.
inline bool are_digits(const std::vector<dim_t>& offsets) {
    const std::size_t n = offsets.size();
    if (n <= 2) return true;
    // Tries each length of the innermost digit.
    for (std::size_t extent = 2; extent <= n; ++extent) {
        if (n % extent != 0) continue;
        bool repeats = true;
        for (std::size_t i = 0; i < n && repeats; ++i)
            repeats =
                offsets[i] - offsets[i - i % extent] == static_cast<dim_t>(i % extent) * (offsets[1] - offsets[0]);
        if (!repeats) continue;
        std::vector<dim_t> outer;
        for (std::size_t i = 0; i < n; i += extent) outer.push_back(offsets[i]);
        if (are_digits(outer)) return true;
    }
    return false;
}

/// Returns the offsets of an axis with its padding, all others at 0.
inline std::vector<dim_t> padded_axis(const layout& l, int axis) {
    std::vector<dim_t> out;
    position at = origin(l.ndims());
    for (dim_t i = 0; i < l.padded_dims[axis]; ++i) {
        at[axis] = i;
        out.push_back(l.padded_offset(at));
    }
    return out;
}

/// True if some layout has the selected indices, followed by any number of places of padding behind them.
inline bool may_be_stepped(const layout& l, int axis, dim_t begin, dim_t count, dim_t step) {
    const std::vector<dim_t> along = padded_axis(l, axis);
    const dim_t front = l.padded_offsets[axis];
    std::vector<dim_t> selected;
    for (dim_t j = 0;; ++j) {
        const dim_t i = front + begin + j * step;
        if (j >= count && (i < 0 || i >= l.padded_dims[axis] || (i >= front && i < front + l.dims[axis]))) return false;
        if (j < count || !selected.empty()) selected.push_back(along[static_cast<std::size_t>(i)]);
        if (j + 1 >= count && are_digits(selected)) return true;
    }
}

/// True if a slice has the elements of the layout, and its padding is padding of the layout.
inline bool is_stepped(const layout& made, const layout& l, int axis, dim_t begin, dim_t count, dim_t step) {
    if (!check_layout(made).ok() || made.ndims() != l.ndims() || made.dims[axis] != count) return false;
    if (made.padded_volume() == 0) return true;
    position at = origin(l.ndims());
    do {
        position there = at;
        there[axis] = l.padded_offsets[axis] + begin + at[axis] * step;
        if (there[axis] < 0 || there[axis] >= l.padded_dims[axis]) return false;
        const dim_t logical = there[axis] - l.padded_offsets[axis];
        if (at[axis] >= count && logical >= 0 && logical < l.dims[axis]) return false;
        if (made.padded_offset(at) != l.padded_offset(there)) return false;
    } while (advance(at, made.padded_dims));
    return true;
}

/// Tries each begin, end and step of each axis.
inline bool strided_slices_are_right(const layout& l) {
    for (int axis = 0; axis < l.ndims(); ++axis) {
        const dim_t n = l.dims[axis];
        for (dim_t step = -n - 1; step <= n + 1; ++step)
            for (dim_t begin = -1; begin <= n; ++begin)
                for (dim_t end = -2; end <= n + 1; ++end) {
                    const auto made = plait::try_strided_slice(l, axis, begin, end, step);
                    std::vector<dim_t> selected;
                    bool is_range = step != 0;
                    if (step > 0) {
                        is_range = begin >= 0 && end >= begin && end <= n;
                        for (dim_t i = begin; is_range && i < end; i += step) selected.push_back(i);
                    } else if (step < 0) {
                        is_range = (end == begin && begin >= -1) || (end >= -1 && begin >= end && begin < n);
                        for (dim_t i = begin; is_range && i > end; i += step) selected.push_back(i);
                    }
                    const auto count = static_cast<dim_t>(selected.size());
                    if (!is_range) {
                        if (made) return false;
                        continue;
                    }
                    if (l.volume() > 0 && count > 0 && made.has_value() != may_be_stepped(l, axis, begin, count, step))
                        return false;
                    if (l.volume() > 0 && count == 0 && !made) return false;
                    if (made && !is_stepped(*made, l, axis, begin, count, step)) return false;
                }
    }
    return true;
}

}  // namespace plait_test
