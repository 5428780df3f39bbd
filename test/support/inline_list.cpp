#include <plait/support/inline_list.hpp>

#include "support/static_check.hpp"

#include <type_traits>

namespace test_support_inline_list { namespace {

using plait::inline_list;

template <inline_list<int, 4> List>
struct holds {};

constexpr inline_list<int, 4> list_of(int n) {
    inline_list<int, 4> out;
    for (int i = 0; i < n; ++i) out.push_back(10 * (i + 1));
    return out;
}

TEST_CASE("inline_list: grows to its capacity") {
    STATIC_CHECK(list_of(0).empty());
    STATIC_CHECK(list_of(0).size() == 0);
    STATIC_CHECK(!list_of(3).full());
    STATIC_CHECK(list_of(4).full());
    STATIC_CHECK(list_of(3)[2] == 30);
    STATIC_CHECK(list_of(3).back() == 30);
    STATIC_CHECK(inline_list<int, 4>::capacity() == 4);
    STATIC_CHECK(sizeof(inline_list<int, 4>) == 5 * sizeof(int));
}

TEST_CASE("inline_list: iterates over its values only") {
    STATIC_CHECK([] {
        int sum = 0;
        for (int x : list_of(3)) sum += x;
        return sum == 60;
    }());
    STATIC_CHECK([] {
        inline_list<int, 4> list = list_of(3);
        for (int& x : list) ++x;
        list[0] = 7;
        return list[0] == 7 && list[1] == 21 && list[2] == 31;
    }());
}

TEST_CASE("inline_list: erase closes the gap and clears the unused element, so equal lists are one template argument") {
    constexpr auto without = [](int at) {
        inline_list<int, 4> list = list_of(3);
        list.erase(at);
        return list;
    };
    STATIC_CHECK(without(0).size() == 2);
    STATIC_CHECK(without(0)[0] == 20);
    STATIC_CHECK(without(1)[1] == 30);
    STATIC_CHECK(without(2) == list_of(2));
    STATIC_CHECK(std::is_same_v<holds<without(2)>, holds<list_of(2)>>);
    STATIC_CHECK(!std::is_same_v<holds<without(0)>, holds<list_of(2)>>);
}

TEST_CASE("inline_list: compares size and values") {
    STATIC_CHECK(list_of(2) == list_of(2));
    STATIC_CHECK(list_of(2) != list_of(3));
    STATIC_CHECK([] {
        inline_list<int, 4> zeros, shorter;
        zeros.push_back(0);
        return zeros != shorter;
    }());
}

TEST_CASE("inline_list: size() and end() clamp a count below 0 or above the capacity") {
    inline_list<int, 4> list;
    list.count = -3;
    CHECK(list.size() == 0);
    CHECK(list.empty());
    CHECK(list.begin() == list.end());
    list.count = 1000;
    CHECK(list.size() == 4);
    CHECK(list.end() - list.begin() == 4);
}

}}  // namespace test_support_inline_list
