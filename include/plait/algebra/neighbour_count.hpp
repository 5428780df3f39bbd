#pragma once
// The elements whose neighbour in memory is the same in two layouts: all that a copy does not end at.

#include <plait/algebra/copy_digits.hpp>
#include <plait/algebra/place_differences.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Counts the elements whose neighbour in the source is their neighbour in the destination, too.
///
/// A copy goes on from one element to another if their places differ by one on both sides. The values of their digits
/// then have differences that add up to 1 in the destination: there are few such lists of differences, nearly always at
/// most one for each digit. For each list the elements are counted that have it and that move by 1 in the source, which
/// is a product over the axes.
class neighbour_count {
public:
    constexpr explicit neighbour_count(const copy_digits& both) : both_(both) {
        for (int k = 0; k < both.digits.size(); ++k) {
            const copy_digit& d = both.digits[k];
            const dim_t most = d.extent - 1;
            reach_.add_product(most, step_size(d.dst));
            const int at = search_.insert({step_size(d.dst), -most, most});
            searched_.push_back({});
            for (int j = searched_.size() - 1; j > at; --j) searched_[j] = searched_[j - 1];
            searched_[at] = {k, d.dst < 0 ? wrapping_multiply(-1, d.src) : d.src, d.dst < 0, d.has_jumps};
        }
    }
    /// Counts them. False if that was given up, because the strides of the destination do not nest, or are too large.
    constexpr bool find() { return search(true); }
    /// Returns what find() returns, without the steps that counting takes.
    constexpr bool can_find() { return search(false); }
    dim_t elements = 0;  ///< what find() has counted

private:
    static constexpr int most_tries = 1 << 13;

    /// A digit of the search: its number in the list of both sides, and how far a step moves the source.
    struct searched_digit {
        int number = 0;
        dim_t src = 0;
        bool is_backward = false, has_jumps = false;
    };
    /// Finds the lists of differences, and counts the elements of each if `counts`; false if the search was given up.
    constexpr bool search(bool counts) {
        // Far from the ends of 63 bits, so that no sum of the search overflows.
        if (!reach_.ok() || reach_.value > dim_t{1} << 60) return false;
        search_.find(0, search_.digits.size(), 1, 1, false, most_tries, [this, counts] {
            if (counts) elements += count_of_differences();
            return false;
        });
        return !search_.gave_up();
    }

    /// The change of an index by the differences of its digits.
    struct difference {
        dim_t inside = 0;     ///< what is added to the index inside of its unit
        dim_t units = 0;      ///< what is added to the number of the unit
        dim_t in_a_unit = 1;  ///< how many indices of a unit have the differences
        bool is_none = true;  ///< all indices have them
    };
    constexpr difference difference_of(const copy_axis& axis) const {
        difference out;
        for (int k = axis.first_digit; k < axis.last_digit; ++k) {
            const dim_t by = by_[k], index = by * both_.digits[k].step;
            out.is_none = out.is_none && by == 0;
            if (by == 0 || k >= axis.outer_digit) out.units += index;
            else out.inside += index;
            if (k < axis.outer_digit) out.in_a_unit *= both_.digits[k].extent - step_size(by);
        }
        if (axis.unit > 1) out.units /= axis.unit;
        return out;
    }

    /// Counts the elements with the differences that were found, if they move by 1 in the source.
    constexpr dim_t count_of_differences() {
        dim_t wanted = 1;  // how far uneven axes have to move in the source
        bool is_even = true;
        for (int i = 0; i < searched_.size(); ++i) {
            const dim_t found = search_.digits[i].found;
            wanted = wrapping_add(wanted, wrapping_multiply(-found, searched_[i].src));
            is_even = is_even && (found == 0 || !searched_[i].has_jumps);
        }
        if (is_even && wanted != 0) return 0;
        for (int i = 0; i < searched_.size(); ++i)
            by_[searched_[i].number] = searched_[i].is_backward ? -search_.digits[i].found : search_.digits[i].found;
        dim_t product = 1;
        for (const copy_axis& axis : both_.axes) {
            const difference d = difference_of(axis);
            if (d.is_none) product *= axis.extent;
            else if (axis.is_even() || d.units == 0) {
                const part whole_units = whole_units_of(axis, d), last = last_unit_of(axis, d);
                product *= whole_units.count * d.in_a_unit + last.count;
            }
            if (product == 0) return 0;
        }
        return is_even ? product : product * count_uneven(0, wanted);
    }

    /// Indices of an axis that have the differences: how many, and the first of their units.
    struct part {
        dim_t count = 0, unit = 0;
    };
    /// Returns the units that are whole, as those are that the difference leads to.
    static constexpr part whole_units_of(const copy_axis& axis, const difference& d) {
        return {larger_of(axis.extent / axis.unit - step_size(d.units), 0), d.units < 0 ? -d.units : 0};
    }
    /// Returns the indices of which one side of the difference is in the last unit, and this one is not whole.
    constexpr part last_unit_of(const copy_axis& axis, const difference& d) const {
        const dim_t whole = axis.extent / axis.unit, rest = axis.extent % axis.unit;
        if (rest == 0 || step_size(d.units) > whole) return {};
        const dim_t before_end = d.units < 0 ? rest : rest - d.inside;
        return {in_part_of_unit(axis, d, d.units == 0 ? smaller_of(rest, before_end) : before_end),
                whole - larger_of(d.units, 0)};
    }
    /// Returns how many of the first `indices` of a unit have the differences of the digits inside of it.
    constexpr dim_t in_part_of_unit(const copy_axis& axis, const difference& d, dim_t indices) const {
        if (indices <= 0) return 0;
        if (indices >= axis.unit) return d.in_a_unit;
        dim_t count = 0, inside = d.in_a_unit;
        for (int k = axis.outer_digit - 1; k >= axis.first_digit; --k) {
            const copy_digit& digit = both_.digits[k];
            const dim_t values = digit.extent - step_size(by_[k]), first = by_[k] < 0 ? -by_[k] : 0;
            const dim_t value = indices / digit.step - first;
            indices %= digit.step;
            inside /= values;
            count += smaller_of(larger_of(value, 0), values) * inside;
            if (value < 0 || value >= values) break;
        }
        return count;
    }

    /// Returns how many indices of the uneven axes from `a` on have the differences, and move the source by `wanted`
    /// together; without those axes whose unit stays the same.
    constexpr dim_t count_uneven(int a, dim_t wanted) const {
        difference d;
        for (; a < both_.axes.size(); ++a) {
            if (both_.axes[a].is_even()) continue;
            d = difference_of(both_.axes[a]);
            if (d.units != 0) break;
        }
        if (a == both_.axes.size()) return wanted == 0 ? 1 : 0;
        const copy_axis& axis = both_.axes[a];
        const part units = whole_units_of(axis, d), last = last_unit_of(axis, d);
        // The units repeat after a common period.
        const dim_t period = period_of(axis), turns = period > 0 ? units.count / period : 0;
        const dim_t rest = turns > 0 ? units.count % period : units.count;
        dim_t count = 0;
        if (turns > 0) count += turns * d.in_a_unit * count_units(a, d, {period, units.unit}, wanted);
        if (rest > 0) count += d.in_a_unit * count_units(a, d, {rest, units.unit}, wanted);
        if (last.count > 0) count += last.count * count_unit(a, d, last.unit, wanted);
        return count;
    }
    /// Returns how many of the units of an uneven axis, with the axes behind it, move the source by `wanted`.
    constexpr dim_t count_units(int a, const difference& d, part units, dim_t wanted) const {
        const copy_axis& axis = both_.axes[a];
        dim_t count = 0;
        for (dim_t unit = units.unit, end = unit + units.count; unit < end;) {
            // How far the sides move changes only where the unit, or the one that it leads to, crosses a border.
            dim_t next = end;
            for (int k = axis.src_jumps; k < axis.last_jump; ++k) {
                const dim_t border = both_.jumps[k].border;
                if (border == 1) continue;
                const dim_t from = unit + (k < axis.dst_jumps ? axis.first_in_src : axis.first_in_dst);
                next = smaller_of(next, unit + border - larger_of(from % border, (from + d.units) % border));
            }
            count += (next - unit) * count_unit(a, d, unit, wanted);
            unit = next;
        }
        return count;
    }
    /// Returns what count_units returns for one unit: 0 if its digits have other differences.
    constexpr dim_t count_unit(int a, const difference& d, dim_t unit, dim_t wanted) const {
        const copy_axis& axis = both_.axes[a];
        const dim_t in_dst = unit + axis.first_in_dst;
        dim_t above = 0;  // the difference of the number that the digits from k on are
        for (int k = axis.last_digit - 1; k > axis.outer_digit; --k) {
            const dim_t step = both_.digits[k].step / axis.unit;
            above = above * both_.digits[k].extent + by_[k];
            if ((in_dst + d.units) / step - in_dst / step != above) return 0;
        }
        const dim_t src =
            wrapping_add(both_.src_of(axis, unit), wrapping_multiply(-1, both_.src_of(axis, unit + d.units)));
        return count_uneven(a + 1, wrapping_add(wanted, src));
    }
    /// Returns the number of units after which both sides repeat; 0 if it does not fit.
    constexpr dim_t period_of(const copy_axis& axis) const {
        dim_t period = 1;
        for (int k = axis.src_jumps; k < axis.last_jump; ++k) {
            const dim_t border = both_.jumps[k].border;
            if (multiply_overflows(period / greatest_common_divisor(period, border), border, period)) return 0;
        }
        return period;
    }

    const copy_digits& both_;
    difference_search<max_copy_digits> search_;
    scratch_list<searched_digit, max_copy_digits> searched_;
    dim_t by_[max_copy_digits];  // the differences that were found, of the digits of both; others are not written
    checked_integer reach_;
};

}  // namespace plait::detail
