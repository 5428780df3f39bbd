#include <plait/support/heap_list.hpp>

#include "support/static_check.hpp"

namespace test_support_heap_list { namespace {

using plait::detail::heap_list;

/// Returns the list 10, 20, ..., 10 * n.
constexpr heap_list<int> list_of(int n) {
    heap_list<int> out;
    for (int i = 0; i < n; ++i) out.push_back(10 * (i + 1));
    return out;
}

/// Checks that a list is 10, 20, ..., 10 * n, by index and by iterator.
constexpr bool counts_to(const heap_list<int>& list, int n) {
    if (list.size() != n || list.empty() != (n == 0) || list.end() - list.begin() != n) return false;
    int expected = 0;
    for (const int x : list)
        if (x != (expected += 10)) return false;
    for (int i = 0; i < n; ++i)
        if (list[i] != 10 * (i + 1)) return false;
    return n == 0 || list.back() == 10 * n;
}

TEST_CASE("heap_list: push_back keeps all elements when the memory grows, and no list is full") {
    STATIC_CHECK(counts_to(list_of(1), 1));
    STATIC_CHECK(counts_to(list_of(8), 8));  // the first memory is for 8 elements, the second for 32
    STATIC_CHECK(counts_to(list_of(9), 9));
    STATIC_CHECK(counts_to(list_of(32), 32));
    STATIC_CHECK(counts_to(list_of(33), 33));
    STATIC_CHECK(!list_of(8).full());
    CHECK(counts_to(list_of(10000), 10000));
}

TEST_CASE("heap_list: push_back accepts an element of the same list, even if the memory grows") {
    STATIC_CHECK([] {
        heap_list<int> list = list_of(8);
        list.push_back(list[6]);
        return list.size() == 9 && list[6] == 70 && list[8] == 70;
    }());
}

TEST_CASE("heap_list: a copy has elements of its own, and a list that was moved from is empty") {
    STATIC_CHECK([] {
        heap_list<int> list = list_of(3), copy = list;
        copy[0] = 1;
        copy.push_back(2);
        return counts_to(list, 3) && copy.size() == 4 && copy[0] == 1;
    }());
    STATIC_CHECK([] {
        heap_list<int> list = list_of(3);
        const int* const memory = list.begin();
        heap_list<int> moved = static_cast<heap_list<int>&&>(list);
        const bool same_memory = moved.begin() == memory;
        list.push_back(10);
        return same_memory && counts_to(moved, 3) && counts_to(list, 1);
    }());
    STATIC_CHECK([] {
        heap_list<int> list = list_of(9);
        const heap_list<int> shorter = list_of(2), empty;
        const heap_list<int>& self = list;
        list = self;
        const bool unchanged = counts_to(list, 9);
        list = shorter;
        return unchanged && counts_to(list, 2) && counts_to(list = empty, 0) && counts_to(shorter, 2);
    }());
}

TEST_CASE("heap_list: resize adds the given value or drops the last elements; pop_back and clear drop them too") {
    STATIC_CHECK([] {
        heap_list<int> list = list_of(2);
        list.resize(40, 7);
        bool sevens = list.size() == 40;
        for (int i = 2; i < 40; ++i) sevens = sevens && list[i] == 7;
        list.resize(2);
        const bool shorter = counts_to(list, 2);
        list.resize(3);  // sets the elements that were 7
        return sevens && shorter && list.size() == 3 && list[2] == 0;
    }());
    STATIC_CHECK([] {
        heap_list<int> list = list_of(3);
        list.pop_back();
        const bool two = counts_to(list, 2);
        list.clear();
        const bool none = counts_to(list, 0);
        list.push_back(10);
        return two && none && counts_to(list, 1);
    }());
}

TEST_CASE("heap_list: elements may be lists") {
    STATIC_CHECK([] {
        heap_list<heap_list<int>> lists;
        for (int n = 0; n < 9; ++n) lists.push_back(list_of(n));
        heap_list<heap_list<int>> copy = lists;
        copy[8][0] = 1;
        for (int n = 0; n < 9; ++n)
            if (!counts_to(lists[n], n)) return false;
        return copy.size() == 9 && copy[8][0] == 1;
    }());
}

}}  // namespace test_support_heap_list
