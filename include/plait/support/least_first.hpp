#pragma once
// A priority queue that pops the least element first, and also works in constant expressions.

#include <plait/support/heap_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A binary heap: elements are pushed in any order, and popped in ascending order.
///
/// Pre:     pop(): !empty(); T has a default constructor and operator<
/// Cost:    push and pop O(log size); allocates
/// Example: next.push(3); next.push(1); next.pop() == 1
template <class T>
class least_first {
public:
    constexpr bool empty() const { return heap_.empty(); }
    constexpr void push(T value) {
        int at = heap_.size();
        heap_.push_back(value);
        for (; at > 0 && value < heap_[(at - 1) / 2]; at = (at - 1) / 2) heap_[at] = heap_[(at - 1) / 2];
        heap_[at] = value;
    }
    constexpr T pop() {
        const T least = heap_[0], last = heap_.back();
        heap_.pop_back();
        const int n = heap_.size();
        for (int at = 0; n > 0;) {
            int below = 2 * at + 1;
            if (below + 1 < n && heap_[below + 1] < heap_[below]) ++below;
            if (below >= n || !(heap_[below] < last)) {
                heap_[at] = last;
                break;
            }
            heap_[at] = heap_[below];
            at = below;
        }
        return least;
    }

private:
    heap_list<T> heap_;  // element i is not less than element (i - 1) / 2
};

}  // namespace plait::detail
