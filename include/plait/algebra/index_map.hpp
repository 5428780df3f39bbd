#pragma once
// An operation as a map of indices: what it makes of the identity, the dense row-major layout of the dims. Whatever has
// places over an index space has the operation then, by three steps: axes are cut into factors, the factors are put in
// another order, and neighbours are joined.
//
// Example: exchange axes 0 and 1 of {2, 3}: the identity has strides 3 and 1, the result has 1 and 3. There are two
// factors, in the other order.

#include <plait/algebra/operation_rules.hpp>
#include <plait/core/places.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Each index of a result, among the indices of the operand: as steps that lead to it.
struct index_map {
    dims part;              ///< the extents of the part of the operand that the result has
    position begin;         ///< where the part begins
    dims factors;           ///< the part with its axes cut into factors
    permutation order;      ///< factor i is at place order[i] of the result
    dims in_order;          ///< the factors in the order of the result
    dims to;                ///< the extents of the result, of which each is a product of neighbouring factors
    bool is_plain = false;  ///< the numbers of the elements stay: only the dims change

    constexpr bool is_part_of(const dims& whole) const { return part != whole; }
};

/// Returns a stride that tells an axis of one element from all others. It may be any, because nothing steps by it.
constexpr dim_t unit_mark(const dims& extents, int axis) { return wrapping_multiply(volume(extents), dim_t{axis} + 2); }
/// Gives to each axis of one element the stride that marks it.
constexpr layout mark_units(const layout& identity) {
    layout out = identity;
    for (int a = 0; a < out.ndims(); ++a)
        if (out.dims[a] == 1) out.digits[a].stride = unit_mark(out.dims, a);
    return out;
}

/// Finds the map that an operation made of the identity of `from`.
class index_map_finder {
public:
    constexpr index_map_finder(const dims& from, const layout& made) : index_map_finder(from, made, made) {}
    /// `marked` is what the operation makes of the identity with the strides of mark_units: it says which axis of one
    /// element is which.
    constexpr index_map_finder(const dims& from, const layout& made, const layout& marked)
        : from_(from), made_(made), marked_(marked) {}

    /// Refused: zero_extent_is_not_matched (no elements), axis_is_padded, layout_is_not_injective (an axis of the
    ///          result of which several indices are one); extents_do_not_divide (an axis of the operand, of which the
    ///          result does not have a run of indices); too_many_axes
    constexpr expected<index_map> find() {
        out_.to = made_.dims;
        for (int a = 0; a < from_.size(); ++a)
            if (from_[a] == 0) return verdict{reason::zero_extent_is_not_matched, a, 0, 0};
        for (int a = 0; a < made_.ndims(); ++a) {
            if (made_.dims[a] == 0) return verdict{reason::zero_extent_is_not_matched, a, 0, 0};
            if (made_.padded_dims[a] != made_.dims[a] || made_.padded_offsets[a] != 0)
                return verdict{reason::axis_is_padded, a, made_.padded_dims[a], made_.dims[a]};
            if (const verdict why = add_factors(a); !why.ok()) return why;
        }
        if (const verdict why = check_axes(); !why.ok()) return why;
        add_units();
        if (factors_.size() > max_ndims) return verdict{reason::too_many_axes, -1, factors_.size(), max_ndims};
        put_in_order();
        out_.is_plain = made_.offset0 == 0 && !out_.is_part_of(from_) && is_sorted();
        return out_;
    }

private:
    struct factor {
        int axis = 0;  // of the operand
        dim_t step = 1, extent = 1;
        int to_axis = 0;
    };

    /// Returns what an index of an axis adds to the number of an element.
    constexpr dim_t weight_of(int axis) const {
        dim_t weight = 1;
        for (int a = axis + 1; a < from_.size(); ++a) weight *= from_[a];
        return weight;
    }
    constexpr bool add(const factor& f) {
        if (factors_.full()) return false;
        factors_.push_back(f);
        return true;
    }
    /// Adds the factors of an axis of the result, from the outermost to the innermost.
    constexpr verdict add_factors(int to_axis) {
        const axis_places places = places_of(made_, to_axis, made_.dims[to_axis]);
        dim_t end = made_.dims[to_axis];
        for (int k = places.jumps.size() - 1; k >= 0 || end > 1; --k) {
            const dim_t border = k >= 0 ? places.jumps[k].border : 1;
            if (end % border != 0) return {reason::extents_do_not_divide, -1, end, border};
            const dim_t weight = k >= 0 ? places.step_of(border) : 0;
            if (weight == 0) return {reason::layout_is_not_injective, to_axis, end / border, 0};
            if (const verdict why = add_digit(to_axis, end / border, weight); !why.ok()) return why;
            end = border;
        }
        return {};
    }
    /// Adds the factors of a digit of the result, which may be of several neighbouring axes of the operand.
    constexpr verdict add_digit(int to_axis, dim_t extent, dim_t weight) {
        int axis = from_.size() - 1;
        while (axis > 0 && weight_of(axis) * from_[axis] <= weight) --axis;
        const int first = factors_.size();
        for (; extent > 1; --axis) {
            if (axis < 0) return {reason::extents_do_not_divide, 0, extent, from_[0]};
            const dim_t unit = weight_of(axis);
            if (from_[axis] == 1) continue;
            if (weight < 0 || weight % unit != 0) return {reason::extents_do_not_divide, axis, weight, unit};
            const dim_t step = weight / unit;
            if (from_[axis] % step != 0 && step * extent > from_[axis])
                return {reason::extents_do_not_divide, axis, from_[axis], step};
            const dim_t here = step * extent <= from_[axis] ? extent : from_[axis] / step;
            if (extent % here != 0) return {reason::extents_do_not_divide, axis, extent, here};
            if (!add({axis, step, here, to_axis})) return {reason::too_many_axes, -1, max_ndims + 1, max_ndims};
            extent /= here;
            weight = unit * from_[axis];
        }
        // From the outermost to the innermost.
        for (int i = first, j = factors_.size() - 1; i < j; ++i, --j) {
            const factor before = factors_[i];
            factors_[i] = factors_[j];
            factors_[j] = before;
        }
        return {};
    }

    /// Checks that the factors of each axis of the operand are a run of its indices, and finds where it begins.
    constexpr verdict check_axes() {
        for (int a = 0; a < from_.size(); ++a) {
            dim_t covered = 1;
            for (bool found = true; found;) {
                found = false;
                for (const factor& f : factors_)
                    if (f.axis == a && f.step == covered && !found) {
                        covered *= f.extent;
                        found = true;
                    }
            }
            dim_t all = 1;
            for (const factor& f : factors_)
                if (f.axis == a) all *= f.extent;
            if (all != covered) return {reason::extents_do_not_divide, a, all, covered};
            out_.part.push_back(covered);
            out_.begin.push_back(made_.offset0 / weight_of(a) % from_[a]);
        }
        return {};
    }

    /// Matches axes of one element with those of the result, if both have as many: by their marks, or in their order.
    constexpr void add_units() {
        inline_list<int, max_ndims> units, to_units, by_mark;
        for (int a = 0; a < from_.size(); ++a)
            if (out_.part[a] == 1) units.push_back(a);
        for (int a = 0; a < made_.ndims(); ++a)
            if (made_.dims[a] == 1) to_units.push_back(a);
        if (units.size() != to_units.size() || factors_.size() + units.size() > max_ndims) return;
        for (const int to : to_units)
            for (const int unit : units)
                if (marked_.digits[to].stride == unit_mark(from_, unit) && !contains(by_mark, unit))
                    by_mark.push_back(unit);
        if (by_mark.size() == units.size()) units = by_mark;
        for (int k = 0; k < units.size(); ++k) {
            // In front of the factors of later axes of the result.
            int at = factors_.size();
            factors_.push_back({units[k], 1, 1, to_units[k]});
            for (; at > 0 && factors_[at - 1].to_axis > to_units[k]; --at) {
                const factor before = factors_[at];
                factors_[at] = factors_[at - 1];
                factors_[at - 1] = before;
            }
        }
    }

    static constexpr bool contains(const inline_list<int, max_ndims>& list, int number) {
        for (const int one : list)
            if (one == number) return true;
        return false;
    }
    constexpr bool comes_before(const factor& a, const factor& b) const {
        return a.axis != b.axis ? a.axis < b.axis : a.step > b.step;
    }
    constexpr bool is_sorted() const {
        for (int i = 1; i < factors_.size(); ++i)
            if (!comes_before(factors_[i - 1], factors_[i])) return false;
        return true;
    }
    constexpr void put_in_order() {
        // The number of a factor among those of the operand.
        const auto number_of = [&](int k) {
            int number = 0;
            for (int i = 0; i < factors_.size(); ++i) number += i != k && comes_before(factors_[i], factors_[k]);
            return number;
        };
        for (int k = 0; k < factors_.size(); ++k) {
            out_.in_order.push_back(factors_[k].extent);
            out_.factors.push_back(0);
            out_.order.push_back(0);
        }
        for (int k = 0; k < factors_.size(); ++k) {
            out_.factors[number_of(k)] = factors_[k].extent;
            out_.order[number_of(k)] = k;
        }
    }

    const dims& from_;
    const layout &made_, &marked_;
    index_map out_;
    inline_list<factor, 2 * max_ndims> factors_;  // in the order of the result, from outer to inner
};

/// Returns the map of indices that an operation is on tensors of these dims, or why it is none.
///
/// Refused: as the operation on the identity; as index_map_finder
/// Post:    the result has at each index what the operand has at the index that the steps of the map lead to
template <class Rule, class... Arguments>
constexpr expected<index_map> index_map_of(const dims& from, const Arguments&... arguments) {
    const expected<layout> identity = identity_of(from);
    if (!identity) return identity.error();
    const expected<layout> made = Rule::attempt(*identity, arguments...);
    if (!made) return made.error();
    int units = 0;
    for (const dim_t extent : from) units += extent == 1;
    if (units < 2) return index_map_finder(from, *made).find();
    const expected<layout> marked = Rule::attempt(mark_units(*identity), arguments...);
    return index_map_finder(from, *made, marked && marked->dims == made->dims ? *marked : *made).find();
}

}  // namespace plait::detail
