#pragma once
// Which numbers an axis adds to the rank, and which of them together are a rank.

#include <plait/distribution/rank_digits.hpp>
#include <plait/support/heap_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Sorts a list in O(n log n) steps and keeps the order of equal elements; std::stable_sort is not constexpr.
template <class T, class Less>
constexpr void sort_stable(heap_list<T>& list, Less less) {
    bool sorted = true;
    for (int k = 1; k < list.size() && sorted; ++k) sorted = !less(list[k], list[k - 1]);
    if (sorted) return;
    heap_list<T> other(list.size());
    for (int width = 1; width < list.size(); width *= 2) {
        for (int begin = 0; begin < list.size(); begin += 2 * width) {
            const int middle = begin + width < list.size() ? begin + width : list.size();
            const int end = middle + width < list.size() ? middle + width : list.size();
            int a = begin, b = middle;
            for (int k = begin; k < end; ++k)
                other[k] = b == end || (a < middle && !less(list[b], list[a])) ? list[a++] : list[b++];
        }
        for (int k = 0; k < list.size(); ++k) list[k] = other[k];
    }
}

/// Makes room for more elements of a list, so that it does not grow in steps.
template <class T>
constexpr void make_room(heap_list<T>& list, int more) {
    const int size = list.size();
    if (more <= 0) return;
    list.append(more);
    list.resize(size);
}

/// Returns the place of a number in a sorted list, or -1.
constexpr int find_sorted(const heap_list<dim_t>& list, dim_t number) {
    int low = 0, high = list.size();
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list[middle] < number) low = middle + 1;
        else high = middle;
    }
    return low < list.size() && list[low] == number ? low : -1;
}

/// Sorts a list of numbers and removes repetitions.
constexpr void make_sorted_set(heap_list<dim_t>& list) {
    sort_stable(list, [](dim_t a, dim_t b) { return a < b; });
    int kept = 0;
    for (int k = 0; k < list.size(); ++k)
        if (kept == 0 || list[k] != list[kept - 1]) list[kept++] = list[k];
    list.resize(kept);
}

/// Returns how many of the first `end` values of the digits below `count` add `rank` to the rank.
///
/// Pre:     end is at most the number of values of these digits
constexpr dim_t count_indices(const rank_axis_digits& axis, int count, dim_t end, dim_t rank) {
    if (end == 0 || !axis.can_add(count, rank)) return 0;
    if (count == 0) return 1;
    const rank_digit& d = axis.digits[count - 1];
    const dim_t whole = end / d.step, rest = end % d.step;
    dim_t sum = count_indices(axis, count - 1, rest, rank - whole * d.rank);
    if (d.rank == 0) {
        if (whole > 0) sum += whole * count_indices(axis, count - 1, d.step, rank);
    } else {
        const value_range values = values_for_rank(axis, count - 1, whole, rank);
        for (dim_t value = values.begin; value < values.end; ++value)
            sum += count_indices(axis, count - 1, d.step, rank - value * d.rank);
    }
    return sum;
}
/// Returns how many indices of an axis add `rank` to the rank.
constexpr dim_t count_indices(const rank_axis_digits& axis, dim_t rank) {
    return count_indices(axis, axis.digits.size(), axis.extent, rank);
}

/// Returns the numbers that the indices of an axis add to the rank, in rising order.
constexpr heap_list<dim_t> rank_values(const rank_axis_digits& axis) {
    heap_list<dim_t> out;
    if (axis.extent == 0) return out;
    out.push_back(0);
    for (int k = 0; k < axis.digits.size(); ++k) {
        const rank_digit& d = axis.digits[k];
        if (d.rank == 0) continue;
        const int before = out.size();
        for (dim_t value = 1; value < d.extent; ++value)
            for (int j = 0; j < before; ++j) out.push_back(out[j] + value * d.rank);
        make_sorted_set(out);
    }
    // Values of outer digits may need indices beyond the end of the axis.
    int kept = 0;
    for (int k = 0; k < out.size(); ++k)
        if (count_indices(axis, out[k]) > 0) out[kept++] = out[k];
    out.resize(kept);
    return out;
}

/// One number for each axis.
using axis_values = inline_list<dim_t, max_ndims>;

/// Calls visit(values) for each choice of one number per axis whose sum is `total`.
template <class Visit>
constexpr void for_each_rank_sum(const heap_list<dim_t>* values, int ndims, dim_t total, axis_values& chosen,
                                 const Visit& visit) {
    const int axis = chosen.size();
    if (axis == ndims) {
        if (total == 0) visit(chosen);
        return;
    }
    const heap_list<dim_t>& mine = values[axis];
    if (axis == ndims - 1) {
        if (find_sorted(mine, total) < 0) return;
        chosen.push_back(total);
        visit(chosen);
        chosen.erase(axis);
        return;
    }
    dim_t least = 0, most = 0;
    for (int a = axis + 1; a < ndims; ++a) {
        if (values[a].empty()) return;
        least += values[a][0];
        most += values[a].back();
    }
    for (const dim_t value : mine) {
        if (total - value < least || total - value > most) continue;
        chosen.push_back(value);
        for_each_rank_sum(values, ndims, total - value, chosen, visit);
        chosen.erase(axis);
    }
}

}  // namespace plait::detail
