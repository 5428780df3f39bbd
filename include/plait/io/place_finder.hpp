#pragma once
// Finds what is at an offset: elements, padding, or nothing; and the next offset in use.

#include <plait/core/layout.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the number of indices of the axis per step of a digit.
///
/// Pre:     0 <= number < l.digits.size(); no extent is dynamic
/// Post:    result == the product of the extents of the inner digits of the same axis
/// Cost:    O(digits)
/// Source:  seeds/understanding-memory-formats.md: in nChw8c a step of the outer digit of c is 8 channels
/// Example: index_step_of(layout({1, 17, 2, 3}, "nChw8c"), 1) == 8
constexpr dim_t index_step_of(const layout& l, int number) {
    dim_t step = 1;
    for (int k = number < l.ndims() ? l.ndims() : number + 1; k < l.digits.size(); ++k)
        if (l.digits[k].axis == l.digits[number].axis) step *= l.digits[k].extent;
    return step;
}

/// The contents of one place of memory.
struct memory_place {
    dim_t elements = 0;  ///< number of elements of the tensor that share the place
    dim_t padded = 0;    ///< number of elements of the padded tensor that share it
    position first;      ///< the first of the elements, or else of the padding, as an index into the padded tensor

    bool is_element() const { return elements > 0; }
    bool is_padding() const { return elements == 0 && padded > 0; }
    bool is_gap() const { return padded == 0; }
};

/// Finds what is at offsets of a layout, which may have broadcasts and gaps.
///
/// Pre:     check_static(l).ok() and check_layout(l).ok(); the layout outlives this object
/// Post:    at(o).elements is the number of positions p with l.offset(p) == o; padded counts padded positions
/// Cost:    O(digits squared) steps for each place
/// Example: test/io/place_finder.cpp
class place_finder {
public:
    explicit place_finder(const layout& l) : l_(l), begin_(l.offset0), values_(reached_extents(l)) {
        for (int k = 0; k < l.digits.size(); ++k) {
            if (values_[k] < 2 || l.digits[k].stride == 0) continue;
            int at = order_.size();
            order_.push_back(k);
            for (; at > 0 && step_of_digit(order_[at - 1]) < step_of_digit(k); --at) order_[at] = order_[at - 1];
            order_[at] = k;
            if (l.digits[k].stride < 0) begin_ += (values_[k] - 1) * l.digits[k].stride;
        }
        for (int k = 0; k <= order_.size(); ++k) {
            dim_t reach = 0;
            for (int j = k; j < order_.size(); ++j) reach += (values_[order_[j]] - 1) * step_of_digit(order_[j]);
            reach_.push_back(reach);
        }
        for (int k = 0; k < l.digits.size(); ++k) index_steps_[k] = index_step_of(l, k);
    }

    memory_place at(dim_t offset) const {
        memory_place out;
        if (!has_elements(l_.padded_dims) || offset < begin_) return out;
        position index;
        for (int a = 0; a < l_.ndims(); ++a) index.push_back(0);
        search(0, offset - begin_, index, out);
        return out;
    }
    /// Returns the first offset at or after `from` that may be in use; empty if there is none.
    std::optional<dim_t> next(dim_t from) const {
        if (!has_elements(l_.padded_dims)) return std::nullopt;
        const std::optional<dim_t> found = least(0, from > begin_ ? from - begin_ : 0);
        return found ? std::optional(*found + begin_) : std::nullopt;
    }

private:
    const layout& l_;
    dim_t begin_;  // the lowest offset, where digits with negative stride have their last value
    inline_list<dim_t, max_digits> values_;  // the number of values of each digit
    inline_list<int, max_digits> order_;     // digits with several values and a stride, largest stride first
    inline_list<dim_t, max_digits + 1> reach_;
    dim_t index_steps_[max_digits]{};  // of each digit

    dim_t step_of_digit(int k) const { return step_size(l_.digits[k].stride); }

    /// Finds all ways to write `rest` in the digits from the k-th. If strides nest, there is at most one.
    void search(int k, dim_t rest, const position& index, memory_place& out) const {
        if (k == order_.size()) {
            if (rest == 0) count(index, out);
            return;
        }
        const int number = order_[k];
        const digit& d = l_.digits[number];
        const dim_t step = step_of_digit(number);
        const dim_t least_value = rest > reach_[k + 1] ? divide_up(rest - reach_[k + 1], step) : 0;
        for (dim_t value = least_value; value < values_[number] && value * step <= rest; ++value) {
            position moved = index;
            moved[d.axis] += (d.stride < 0 ? values_[number] - 1 - value : value) * index_steps_[number];
            search(k + 1, rest - value * step, moved, out);
        }
    }
    /// Returns the smallest sum of the digits from the k-th that is at least `wanted`.
    std::optional<dim_t> least(int k, dim_t wanted) const {
        if (wanted <= 0) return 0;
        if (k == order_.size() || wanted > reach_[k]) return std::nullopt;
        const dim_t stride = step_of_digit(order_[k]);
        std::optional<dim_t> best;
        dim_t value = wanted > reach_[k + 1] ? divide_up(wanted - reach_[k + 1], stride) : 0;
        for (; value < values_[order_[k]]; ++value) {
            const std::optional<dim_t> inside = least(k + 1, wanted - value * stride);
            if (inside && (!best || *inside + value * stride < *best)) best = *inside + value * stride;
            if (value * stride >= wanted) break;
        }
        return best;
    }
    struct index_count {
        dim_t count = 0, first = 0;
    };
    /// Counts the indices in [begin, end) of an axis whose digits with a stride make `index`; its other digits, with
    /// stride 0, may have any value.
    index_count count_axis(int axis, int from, dim_t index, dim_t begin, dim_t end) const {
        int k = from;
        while (k < l_.digits.size() && !(l_.digits[k].axis == axis && values_[k] > 1 && l_.digits[k].stride == 0)) ++k;
        if (k == l_.digits.size()) return {index >= begin && index < end ? 1 : 0, index};
        const int inside = k + 1 < l_.ndims() ? l_.ndims() : k + 1;
        bool is_last = true;
        for (int j = inside; j < l_.digits.size(); ++j)
            is_last = is_last && !(l_.digits[j].axis == axis && values_[j] > 1 && l_.digits[j].stride == 0);
        if (is_last) {  // without a loop, because a broadcast axis may be long
            const dim_t step = index_steps_[k];
            const dim_t low = index >= begin ? 0 : divide_up(begin - index, step);
            const dim_t most = end > index ? divide_up(end - index, step) : 0;
            const dim_t high = most < values_[k] ? most : values_[k];
            return {high > low ? high - low : 0, index + low * step};
        }
        index_count sum;
        for (dim_t value = 0; value < values_[k]; ++value) {
            const index_count one = count_axis(axis, inside, index + value * index_steps_[k], begin, end);
            if (one.count > 0 && sum.count == 0) sum.first = one.first;
            sum.count += one.count;
        }
        return sum;
    }
    void count(const position& index, memory_place& out) const {
        dim_t elements = 1, padded = 1;
        position first_element = index, first_padded = index;
        for (int a = 0; a < l_.ndims(); ++a) {
            const dim_t begin = l_.padded_offsets[a];
            const index_count inside = count_axis(a, a, index[a], begin, begin + l_.dims[a]);
            const index_count all = count_axis(a, a, index[a], 0, l_.padded_dims[a]);
            elements *= inside.count;
            padded *= all.count;
            first_element[a] = inside.first;
            first_padded[a] = all.first;
        }
        if (padded == 0) return;
        const position& found = elements > 0 ? first_element : first_padded;
        const bool is_better = elements > 0 ? out.elements == 0 || comes_first(found, out.first)
                                            : out.elements == 0 && (out.padded == 0 || comes_first(found, out.first));
        if (is_better) out.first = found;
        out.elements += elements;
        out.padded += padded;
    }
    static bool comes_first(const position& one, const position& other) {
        for (int a = 0; a < one.size(); ++a)
            if (one[a] != other[a]) return one[a] < other[a];
        return false;
    }
};

}  // namespace plait::detail
