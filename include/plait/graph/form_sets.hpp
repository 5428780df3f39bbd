#pragma once
// What each set of forms of a tensor costs, found once for each set that is met.

#include <plait/graph/format_costs.hpp>

namespace plait::detail {

/// The forms that a tensor may take, numbered from 0, and what it costs to have a set of them.
///
/// A reorder costs the same both ways, so that a set costs the same whichever of its forms is there first: the table of
/// a tensor that three operations of 8 alternatives share has 512 entries, but few sets.
///
/// Cost:    a least spanning tree for each set that is asked about
class form_sets {
public:
    constexpr form_sets(const format_costs& costs, int tensor)
        : costs_(costs), tensor_(tensor), all_(costs.forms_of(tensor)), count_(costs.form_count(tensor)) {
        if (fits()) known_.append(1 << count_);
    }
    /// Whether sets are bits of a number that is small enough for a table of all of them.
    constexpr bool fits() const { return count_ <= 8; }
    constexpr int size() const { return count_; }

    /// The set of one form.
    ///
    /// Pre:     the tensor may take it
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

    /// Whether no set costs less for having a form more: forms that nobody needs do not help.
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
    heap_list<dim_t> known_;  // by set: the cost and 1; 0: not asked yet

    /// Most sets are small: two forms are one reorder, and three are two, without the dearest of their pairs.
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
