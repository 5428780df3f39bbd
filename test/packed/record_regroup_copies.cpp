#include <plait/packed/record_memory.hpp>
#include <plait/packed/record_regroup.hpp>

#include "packed/same_places.hpp"

#include <string_view>

namespace test_packed_record_regroup_copies { namespace {

using namespace packed_test;

/// Checks that each index of the copies has the places that it has in the record, moved by whole records.
void check_copies(const record& r, const layout& copies) {
    const expected<record> all = try_product(r, copies);
    CAPTURE(r.tag.text().c_str());
    REQUIRE(all.has_value());
    CAPTURE(all->tag.text().c_str());
    CHECK(all->size_in_bits == copies.padded_volume() * r.size_in_bits);
    CHECK(parse_record_tag(std::string_view(all->tag.text().c_str())) == all->tag);
    for_each_index(copies.dims, [&](const position& at) {
        const dim_t first_bit = copies.offset(at) * r.size_in_bits;
        for (const record_field& f : r.tag.fields)
            for_each_index(r.dims, [&](const position& index) {
                position both = at;
                for (const dim_t i : index) both.push_back(i);
                std::vector<dim_t> wanted = places_of(r, f.name, index);
                for (std::size_t i = 2; i < wanted.size(); i += 3) wanted[i] += first_bit;
                REQUIRE(places_of(*all, f.name, both) == wanted);
            });
    });
}

/// True if a field has blocks of which the last one is shorter.
bool is_ragged(const record& r) {
    bool found = false;
    for (const detail::record_node& n : r.tag.nodes) found = found || n.part == detail::record_part::ragged;
    return found;
}

TEST_CASE("record_regroup: one record for each expert") {
    constexpr record expert("nk: N(bias:f32 8n /k, w:s8 K 8n 4k, _:%64)", {13, 10});
    STATIC_CHECK(product(expert, layout({3}, "a")) ==
                 record("ank: aN(bias:f32 8n /k, w:s8 K 8n 4k, _:%64)", {3, 13, 10}));
    STATIC_CHECK(product(record("nk: w:u8 nk", {4, 6}), layout({2}, "a")) == record("ank: w:u8 ank", {2, 4, 6}));
    // The letters are those that no axis has; the loops are in the order of the layout.
    STATIC_CHECK(product(record("ac: w:u8 ac", {4, 6}), layout({2, 3}, "ba")) ==
                 record("bdac: w:u8 d b a c", {2, 3, 4, 6}));
    STATIC_CHECK(product(record("k: w:u8 k", {6}), layout({5}, "A2a")) == record("ak: w:u8 A 2a k", {5, 6}));
    for_each_record([](const record& r) {
        if (!is_small(r)) return;
        if (is_ragged(r)) {
            CHECK(check_product(r, layout({3}, "a")).reason == reason::ragged_loop_is_not_outermost);
            return;
        }
        check_copies(r, layout({3}, "a"));
        if (volume(r.dims) > 1000) return;
        check_copies(r, layout({1}, "a"));
        check_copies(r, layout({2, 3}, "ba"));
        check_copies(r, layout({3, 5}, "aB2b"));
    });
    for_each_changed_record(17, 2000, 500, [](const record& r) {
        if (!is_ragged(r)) check_copies(r, layout({3}, "a"));
    });
}

TEST_CASE("record_regroup: a digit that steps further than the one outside of it") {
    // The inner digit of memory counts by 4: the marks of the result say so.
    const layout swapped = view(layout({2, 4}, "ba"), {8});
    CHECK(product(record("k: w:u8 k", {6}), swapped) == record("ak: w:u8 4a@1 A k", {8, 6}));
    check_copies(record("nk: NK(d:f16 4n /8k, q:u4 4k 4n 2k@4)", {7, 20}), swapped);
}

TEST_CASE("record_regroup: an expert out of all is the record") {
    int done = 0;
    for_each_record([&](const record& r) {
        if (r.size_in_bits % 8 != 0 || is_ragged(r)) return;
        ++done;
        const record all = product(r, layout({4}, "a"));
        for (dim_t e = 0; e < 4; ++e)
            CHECK(slice(all, 0, e) == record_slice{r, static_cast<std::size_t>(e) * r.size_in_bytes()});
        CHECK(concatenate_along(product(r, layout({1}, "a")), product(r, layout({3}, "a")), 0) == all);
        // The second of two such models has another letter.
        const record_slice second = slice(product(r, layout({2, 4}, "ab")), 0, 1);
        CHECK(same_memory(second.part, all));
        CHECK(second.first_byte == 4 * r.size_in_bytes());
    });
    CHECK(done > 20);
}

TEST_CASE("record_regroup: the same product as that of layouts") {
    for (const char* text : {"nk: w:f32 nk", "nk: w:f32 NK 4k 2n", "nk: w:f32 kN 2n"})
        for (const char* order : {"ab", "ba"}) {
            const record r = parse_record(text, {4, 8}).value();
            const layout copies({2, 3}, order);
            CHECK(same_memory(layout_of(product(r, copies), "w"), product(layout_of(r, "w"), copies)));
        }
}

TEST_CASE("record_regroup: copies that are refused") {
    using enum reason;
    constexpr record r("nk: w:u8 nk", {2, 3});
    STATIC_CHECK(check_product(r, layout()).reason == layout_is_undefined);
    STATIC_CHECK(check_product(r, layout({dynamic}, "a")) == verdict{dim_is_dynamic, 0});
    STATIC_CHECK(check_product(r, layout({3}, strides{2})) == verdict{layout_is_not_dense, -1, 0, 2});
    STATIC_CHECK(check_product(r, layout({3}, strides{0})) == verdict{layout_is_not_dense, -1, 0, 2});
    STATIC_CHECK(check_product(r, layout({3}, strides{-1})) == verdict{layout_is_not_dense, -1, 0, 2});
    STATIC_CHECK(check_product(r, layout({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "abcdefghijk")) ==
                 verdict{too_many_axes, -1, 13, 12});
    STATIC_CHECK(check_product(r, layout({dim_t{1} << 57}, "a")).reason == size_overflows);
    STATIC_CHECK(check_product(record("kn: (w:f16 KN <512k 16n)", {600, 20}), layout({2}, "a")).reason ==
                 ragged_loop_is_not_outermost);
}

}}  // namespace test_packed_record_regroup_copies
