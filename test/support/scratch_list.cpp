#include <plait/support/scratch_list.hpp>

#include "support/static_check.hpp"

namespace test_support_scratch_list { namespace {

using plait::detail::scratch_list;

using list_of_four = scratch_list<int, 4>;

/// Returns the list 10, 20, ..., 10 * n.
constexpr list_of_four list_of(int n) {
    list_of_four out;
    for (int i = 0; i < n; ++i) out.push_back(10 * (i + 1));
    return out;
}

/// Checks the elements of a list by index and by iterator.
template <class... X>
constexpr bool holds(const list_of_four& list, X... expected) {
    constexpr int n = sizeof...(X);
    const int values[] = {expected..., 0};
    if (list.size() != n || list.empty() != (n == 0) || list.full() != (n == 4)) return false;
    int i = 0;
    for (const int x : list) {
        if (i == n || x != values[i] || list[i] != values[i]) return false;
        ++i;
    }
    return i == n && (n == 0 || list.back() == values[n > 0 ? n - 1 : 0]);
}

/// A type without a default constructor.
struct without_default {
    int value;
    constexpr explicit without_default(int x) : value(x) {}
};

TEST_CASE("scratch_list: a full list leaves the bytes beside it as they are") {
    struct {
        int before = 77;
        list_of_four list;
        int after = 88;
    } fenced;
    for (int i = 0; i < 4; ++i) fenced.list.push_back(10 * (i + 1));
    fenced.list.erase(3);
    fenced.list = list_of(4);
    CHECK(holds(fenced.list, 10, 20, 30, 40));
    CHECK(fenced.before == 77);
    CHECK(fenced.after == 88);
}

// A constant expression must not read an element that was never written, so these checks fail if a copy reads too much.
TEST_CASE("scratch_list: a copy and an assignment read the elements in use only") {
    STATIC_CHECK([] {
        const list_of_four list = list_of(2);
        list_of_four copy = list;
        copy[0] = 5;
        return holds(copy, 5, 20) && holds(list, 10, 20);
    }());
    STATIC_CHECK([] {
        list_of_four list = list_of(4);
        return holds(list = list_of(1), 10);
    }());
    STATIC_CHECK([] {
        list_of_four list = list_of(1);
        list = list_of(3);
        const bool longer = holds(list, 10, 20, 30);
        return longer && holds(list = list_of(0));
    }());
}

TEST_CASE("scratch_list: the element type needs no default constructor") {
    STATIC_CHECK([] {
        scratch_list<without_default, 2> list;
        list.push_back(without_default(3));
        const scratch_list<without_default, 2> copy = list;
        return copy.size() == 1 && copy[0].value == 3;
    }());
}

TEST_CASE("scratch_list: erase closes the gap and keeps the order") {
    constexpr auto without = [](int n, int at) {
        list_of_four list = list_of(n);
        list.erase(at);
        return list;
    };
    STATIC_CHECK(holds(without(4, 0), 20, 30, 40));
    STATIC_CHECK(holds(without(4, 2), 10, 20, 40));
    STATIC_CHECK(holds(without(4, 3), 10, 20, 30));
    STATIC_CHECK(holds(without(1, 0)));
}

}}  // namespace test_support_scratch_list
