#pragma once
// The cost of each set of forms of a tensor, computed once per set.

#include <plait/graph/format_costs.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The forms that a tensor may take, numbered from 0, and the cost of having a set of them.
///
/// A reorder costs the same in both directions, so that the cost of a set does not depend on which form exists first.
/// The table of a tensor that three operations of 8 alternatives share has 512 entries, but few sets.
///
/// Cost:    a minimum spanning tree for each set that is used
class form_sets {
public:
    constexpr form_sets(const format_costs& costs, int tensor)
        : costs_(costs), tensor_(tensor), all_(costs.forms_of(tensor)), count_(costs.form_count(tensor)) {
        if (fits()) known_.append(1 << count_);
    }
    /// True if sets are bits of a number small enough for a table of all sets.
    constexpr bool fits() const { return count_ <= 8; }
    constexpr int size() const { return count_; }

    /// Returns the set of one form.
    ///
    /// Pre:     the tensor may take the form
    constexpr int bit_of(int form) const {
        int bit = 1;
        for (const int* known = all_; *known != form; ++known) bit *= 2;
        return bit;
    }
    /// Pre:     fits(), 0 < set < 1 << size()
    constexpr dim_t cost(int set) {
        dim_t* const known = known_.begin() + set;
        if (*known == 0) *known = find_cost(set) + 1;
        return *known - 1;
    }

    /// True if adding a form never makes a set cheaper, so that forms that nobody needs do not help.
    ///
    /// Pre:     fits()
    constexpr bool larger_cost_more() {
        for (int set = 1; set < 1 << count_; ++set)
            for (int more = 1; more < 1 << count_; more *= 2)
                if (cost(set | more) < cost(set)) return false;
        return true;
    }

private:
    const format_costs& costs_;
    int tensor_;
    const int* all_;
    int count_;
    heap_list<int> chosen_;
    heap_list<dim_t> known_;  // by set: the cost plus 1; 0: not computed yet

    /// Most sets are small. Two forms cost one reorder; three cost two: all pairs but the most expensive.
    constexpr dim_t find_cost(int set) {
        int place[8]{}, size = 0;
        for (int rest = set; rest != 0; rest &= rest - 1) place[size++] = __builtin_ctz(static_cast<unsigned>(rest));
        if (size == 1) return 0;
        if (size == 2) return costs_.step_between(tensor_, place[1], place[0]);
        if (size == 3) {
            const dim_t a = costs_.step_between(tensor_, place[1], place[0]),
                        b = costs_.step_between(tensor_, place[2], place[0]),
                        c = costs_.step_between(tensor_, place[2], place[1]);
            return a + b + c - (a > b ? (a > c ? a : c) : (b > c ? b : c));
        }
        chosen_.clear();
        for (int i = 0; i < size; ++i) chosen_.push_back(all_[place[i]]);
        return costs_.cost_of_forms(tensor_, chosen_);
    }
};

}  // namespace plait::detail
