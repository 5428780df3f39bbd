#include <plait/algebra/hash.hpp>

#include "laws/many_layouts.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace test_algebra_hash { namespace {

using namespace plait;
using plait_test::by_hand;

/// Checks the law for all pairs: equal layouts have equal hashes, and here no others do.
bool hashes_as_it_compares(const std::vector<layout>& all) {
    for (const layout& a : all)
        for (const layout& b : all)
            if ((a == b) != (hash_of(a) == hash_of(b))) return false;
    return true;
}

TEST_CASE("hash_of: equal for equal layouts, however they were made") {
    STATIC_CHECK(hash_of(layout({2, 17, 5, 4}, "nChw8c")) == hash_of(layout({2, 17, 5, 4}, "aBcd8b")));
    STATIC_CHECK(hash_of(layout({1, 3}, strides{-5, 1})) == hash_of(layout({1, 3}, strides{99, 1})));
    STATIC_CHECK(hash_of(layout({1, 3}, "ab")) == hash_of(layout({1, 3}, "ba")));
    STATIC_CHECK(hash_of(layout()) == hash_of(layout()));
    // A list that was longer before: entries after its end are ignored.
    layout cut({2, 3}, "ab");
    cut.digits.push_back({0, 2, 1});
    cut.digits.erase(2);
    CHECK(hash_of(cut) == hash_of(layout({2, 3}, "ab")));
}

TEST_CASE("hash_of: every field counts") {
    constexpr layout l = by_hand({1, 3}, {2, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5);
    constexpr auto hash = hash_of(l);
    STATIC_CHECK(hash != hash_of(by_hand({1, 2}, {2, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5)));
    STATIC_CHECK(hash != hash_of(by_hand({1, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5)));
    STATIC_CHECK(hash != hash_of(by_hand({1, 3}, {2, 8}, {16, 8}, {{1, 8}}, {1, 2}, 5)));
    STATIC_CHECK(hash != hash_of(by_hand({1, 3}, {2, 8}, {8, 8}, {{1, 4}, {1, 2}}, {1, 2}, 5)));
    STATIC_CHECK(hash != hash_of(by_hand({1, 3}, {2, 8}, {8, 8}, {{1, 8}}, {1, 3}, 5)));
    STATIC_CHECK(hash != hash_of(by_hand({1, 3}, {2, 8}, {8, 8}, {{1, 8}}, {1, 2}, 6)));
    STATIC_CHECK(hash_of(layout({2, 3}, "any")) != hash_of(layout({2, 3}, "ab")));
    STATIC_CHECK(hash_of(plait_test::opaque_layout({2})) != hash_of(layout({2}, "any")));
    STATIC_CHECK(hash_of(layout()) != hash_of(layout({}, "any")));
    STATIC_CHECK(hash_of(layout({2, dynamic, 3}, "abc")) != hash_of(layout({2, dynamic, 3}, "bac")));
}

TEST_CASE("hash_of: agrees with == for all pairs of many layouts") {
    CHECK(hashes_as_it_compares({std::begin(plait_test::varied_layouts), std::end(plait_test::varied_layouts)}));
    for (const dims& extents : {dims{8}, dims{1, 1}, dims{4, 3}})
        CHECK(hashes_as_it_compares(plait_test::many_layouts(extents)));
}

TEST_CASE("hash_of: few collisions among many layouts, in any of its bits") {
    plait_test::random_source random(6);
    std::unordered_map<layout, std::size_t> known;
    std::unordered_set<std::size_t> hashes, low, high;
    while (known.size() < 10000) {
        const layout l = random.small_layout();
        const bool is_new = known.emplace(l, hash_of(l)).second;
        CHECK(known.at(l) == hash_of(l));
        if (!is_new) continue;
        hashes.insert(hash_of(l));
        low.insert(hash_of(l) & 0xffff);
        high.insert(hash_of(l) >> 48);
    }
    CHECK(hashes.size() == known.size());
    // 10,000 at random in 65,536 places take 9,273.
    CHECK(low.size() > 9100);
    CHECK(high.size() > 9100);
}

TEST_CASE("std::hash: layouts are keys") {
    std::unordered_map<layout, std::string> names;
    names[layout({2, 17, 5, 4}, "nChw8c")] = "blocked";
    names[layout({2, 17, 5, 4}, "nhwc")] = "channels last";
    CHECK(names.at(layout({2, 17, 5, 4}, "aBcd8b")) == "blocked");
    CHECK(names.count(layout({2, 17, 5, 4}, "nchw")) == 0);
    STATIC_CHECK(std::hash<layout>()(layout({5}, "x")) == hash_of(layout({5}, "a")));
}

}}  // namespace test_algebra_hash
