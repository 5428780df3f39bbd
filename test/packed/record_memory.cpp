// same_memory of records, beside a comparison of all places.

#include <plait/packed/record_memory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace plait;

namespace {

/// Returns true if all values of a field have the same places in both records.
bool equal_places(const record& a, const record& b) {
    if (a.size != b.size) return false;
    for (dim_t n = 0; n < a.dims[0]; ++n)
        for (dim_t k = 0; k < a.dims[1]; ++k)
            if (a.bit_offset("q", n, k) != b.bit_offset("q", n, k)) return false;
    return true;
}

/// Returns the records of all tags whose digits are an order of these.
void add_orders(std::vector<record>& out, std::vector<std::string> digits, const dims& extents) {
    std::sort(digits.begin(), digits.end());
    do {
        std::string text = "nk: q:u8";
        for (const std::string& digit : digits) text += ' ' + digit;
        if (const expected<record> r = parse_record(text, extents)) out.push_back(*r);
    } while (std::next_permutation(digits.begin(), digits.end()));
}

void compare_all(const dims& extents) {
    std::vector<record> all;
    add_orders(all, {"n", "k"}, extents);
    add_orders(all, {"n", "K", "2k"}, extents);
    add_orders(all, {"N", "K", "2k", "2n"}, extents);
    add_orders(all, {"N", "K", "4k", "2n"}, extents);
    add_orders(all, {"N", "K", "2k", "2k", "2n"}, extents);
    add_orders(all, {"N", "K", "2k", "2k@4", "2n"}, extents);
    add_orders(all, {"n", "K", "2k!", "2k"}, extents);
    add_orders(all, {"n", "K", "2k", "/2k"}, extents);
    add_orders(all, {"n", "K", "/2k", "/2k"}, extents);
    add_orders(all, {"n", "K", "/4k"}, extents);
    add_orders(all, {"n", "/k"}, extents);
    if (extents[1] > 1) add_orders(all, {"N", "2n", "2k-n", "K"}, extents);  // a longer digit than its axis
    REQUIRE(all.size() > 50);
    int same = 0, wrong = 0;
    for (const record& a : all)
        for (const record& b : all) {
            same += same_memory(a, b);
            wrong += same_memory(a, b) != equal_places(a, b);
        }
    CHECK(wrong == 0);
    CHECK(same > static_cast<int>(all.size()));
}

}  // namespace

TEST_CASE("same_memory is true exactly if all places are equal") {
    compare_all({4, 8});
    compare_all({3, 7});
    compare_all({5, 4});
    compare_all({2, 2});
    compare_all({4, 1});
}

TEST_CASE("records of several fields") {
    const dims extents{4, 8};
    const record a("nk: N(d:f16 2n /k, q:u8 k 2n)", extents);
    CHECK(same_memory(a, record("nk: N(d:f16 2n /k ~n, q:u8 K 2k 2n)", extents)));
    CHECK(same_memory(a, a));
    CHECK(!same_memory(a, record("nk: N(d:f16 2n /k, q:s8 k 2n)", extents)));
    CHECK(!same_memory(a, record("nk: N(e:f16 2n /k, q:u8 k 2n)", extents)));
    CHECK(!same_memory(a, record("nk: N(d:f16 2n /k, q:u8^1 k 2n)", extents)));
    CHECK(!same_memory(a, record("nk: N(q:u8 k 2n, d:f16 2n /k)", extents)));
    CHECK(!same_memory(a, record("nk: N(d:f16 2n /k, q:u8 k 2n)", {4, 9})));
}
