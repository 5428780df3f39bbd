#pragma once
// The peak memory of a graph's tensors, in the chosen forms.

#include <plait/graph/format_costs.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The peak memory of a graph. Time 0 is the start, 2 k + 1 when the operation at place k runs, 2 k + 2 when its
/// results are reordered. A form lives from when it is made to when it is read for the last time. Constants in forms
/// that are read, and tensors that are wanted or never read, live until the end.
///
/// A view takes no memory: its source lives until the view is read for the last time. Parts of a concatenation lie in
/// the memory of the whole, which lives from when its first part is made.
template <class Storage>
class memory_peak {
public:
    dim_t bytes = 0;

    constexpr memory_peak(const basic_graph<Storage>& g, const format_costs& costs, const heap_list<int>& choice)
        : g_(g), costs_(costs), choice_(choice), runs_at_(g.operations.size(), 0) {
        last_ = 2 * g.operations.size();
        for (int k = 0; k < g.operations.size(); ++k) runs_at_[costs.order.operations[k]] = 2 * k + 1;
        heap_list<int> distinct;
        for (int t = 0; t < g.tensors.size(); ++t) {
            first_.push_back(memory_.size());
            costs.collect_from_first(g, t, choice, distinct);
            for (int k = 0; k < distinct.size(); ++k) memory_.push_back(make(t, distinct[k], k == 0, distinct.size()));
        }
        for (int i = 0; i < g.operations.size() && !g.views.empty(); ++i)
            if (g.operations[i].view >= 0) join(i);
        sum_up();
    }

private:
    /// The memory of one form of a tensor, which lives from `begin` to `end`, or is part of another form's memory.
    struct interval {
        int form = -1;
        int begin = 0, end = 0;
        dim_t bytes = 0;
        int whole = -1;
    };
    const basic_graph<Storage>& g_;
    const format_costs& costs_;
    const heap_list<int>& choice_;
    heap_list<int> runs_at_;  // by operation
    int last_ = 0;
    heap_list<int> first_;  // by tensor
    heap_list<interval> memory_;

    constexpr interval make(int t, int form, bool is_first, int forms) const {
        const int producer = costs_.order.producer[t];
        const int made = producer < 0 ? 0 : runs_at_[producer];
        interval out{form, is_first || producer < 0 ? made : made + 1};
        int end = forms > 1 && producer >= 0 ? made + 1 : out.begin;
        bool is_read = false, is_taken_over = false;
        for (int at = costs_.needs_begin(t); at < costs_.needs_end(t); ++at) {
            const format_costs::need& n = costs_.need_at(at);
            if (costs_.form_of(t, n, choice_) != form) continue;
            if (n.operation < 0) {
                if (producer >= 0) end = last_;  // wanted
            } else if (n.port < g_.operations[n.operation].sources) {
                is_read = true;
                if (runs_at_[n.operation] > end) end = runs_at_[n.operation];
                is_taken_over = is_taken_over || g_.operations[n.operation].in_place == n.port;
            }
        }
        const bool is_constant = costs_.order.constant[t] != 0;
        if (is_constant && !is_read) return out;  // not needed after it was reordered ahead of time
        if (is_constant || costs_.order.readers[t] == 0) end = last_;
        out.bytes = bytes_of_elements(size_in_bits(g_.tensors[t].type), {costs_.forms[form].span}).value;
        out.end = is_taken_over ? end : end + 1;  // afterwards its memory belongs to the result
        return out;
    }
    constexpr int find(int port, int operation) const {
        const int t = g_.tensor_at(operation, port);
        const int form = costs_.form(operation, port, choice_[costs_.variable_of[operation]]);
        int k = first_[t];
        while (memory_[k].form != form) ++k;
        return k;
    }
    constexpr void join(int i) {
        const int whole = g_.whole_port(i);
        for (int p = 0; p < g_.operations[i].ports(); ++p)
            if (p != whole) memory_[find(p, i)].whole = find(whole, i);
    }
    constexpr void sum_up() {
        for (const interval& part : memory_) {
            if (part.whole < 0 || part.bytes == 0) continue;
            int k = part.whole;
            while (memory_[k].whole >= 0) k = memory_[k].whole;
            if (part.begin < memory_[k].begin) memory_[k].begin = part.begin;
            if (part.end > memory_[k].end) memory_[k].end = part.end;
        }
        heap_list<dim_t> change(last_ + 2, 0);
        for (const interval& one : memory_) {
            if (one.whole >= 0 || one.bytes == 0) continue;
            change[one.begin] += one.bytes;
            change[one.end] -= one.bytes;
        }
        dim_t there = 0;
        for (const dim_t step : change) {
            there += step;
            if (there > bytes) bytes = there;
        }
    }
};

}  // namespace plait::detail
