// Reorders through tables: that the C interface writes what C++ does, and what it refuses before it writes a byte.

#include "c_api/c_descriptors.hpp"
#include "reorder/random_tables.hpp"

#include <plait/interop/table_reorder_json.hpp>
#include <plait/reorder/table_reorder.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace test_c_api_tables { namespace {

using namespace plait;
using namespace plait_test;

const layout pool({96, 5, 3}, "ABc4b8a"), plain({29, 5, 3}, "bac"), blocks({96, 5, 3}, "abc");

struct handle {
    plait_table_reorder_t* plan = nullptr;
    handle() = default;
    handle(const handle&) = delete;
    handle& operator=(const handle&) = delete;
    ~handle() { plait_table_reorder_destroy(plan); }
};
plait_table_axis_t axis_of(int axis, std::int64_t block, bool grouped = false) {
    plait_table_axis_t out;
    std::memset(&out, 0, sizeof out);
    out.axis = axis;
    out.block = block;
    out.grouped = grouped ? 1 : 0;
    return out;
}
template <class T>
plait_table_t table_of(const std::vector<T>& entries, std::int64_t extent = 0, std::int64_t first = 0) {
    plait_table_t out;
    std::memset(&out, 0, sizeof out);
    out.entries = entries.data();
    out.count = entries.size();
    out.bits = 8 * sizeof(T);
    out.extent = extent;
    out.first = first;
    return out;
}
std::vector<float> numbered(const layout& l, float first) {
    std::vector<float> out(l.element_span());
    std::iota(out.begin(), out.end(), first);
    return out;
}
std::size_t bytes(const std::vector<float>& of) { return of.size() * sizeof(float); }

TEST_CASE("C tables: pages, sequences and groups as in C++") {
    const std::vector<int> one{5, 2, 7, 0}, first{3, 1};
    const std::vector<std::int64_t> second{4, 9, 11}, offsets{0, 5, 5, 29};
    const plait_memory_desc_t from = to_c(plain), to = to_c(pool), padded = to_c(blocks);
    const std::vector<float> in = numbered(plain, 1);
    const auto written = [&](const plait_memory_desc_t& target, const plait_table_axis_t& axis,
                             const std::vector<plait_table_t>& tables) {
        std::vector<float> out = numbered(pool, -5000);
        handle h;
        REQUIRE(plait_table_reorder_create(&h.plan, &from, &target, nullptr, &axis, nullptr) == PLAIT_SUCCESS);
        CHECK(plait_table_reorder_execute(h.plan, in.data(), bytes(in), out.data(), bytes(out), nullptr, 0,
                                          tables.data(), static_cast<int>(tables.size())) == PLAIT_SUCCESS);
        // And back.
        handle g;
        REQUIRE(plait_table_reorder_create(&g.plan, &target, &from, &axis, nullptr, nullptr) == PLAIT_SUCCESS);
        std::vector<float> back(in.size());
        CHECK(plait_table_reorder_execute(g.plan, out.data(), bytes(out), back.data(), bytes(back), tables.data(),
                                          static_cast<int>(tables.size()), nullptr, 0) == PLAIT_SUCCESS);
        CHECK(back == in);
        return out;
    };
    const auto expected = [&](const layout& target, const table_axis& axis, const detail::table_argument& table) {
        std::vector<float> out = numbered(pool, -5000);
        const auto plan = make_reorder({data_type::f32, plain}, {data_type::f32, target}, {.destination_table = axis});
        REQUIRE(plan.has_value());
        (*plan)(in.data(), out.data(), {.destination = table});
        return out;
    };
    CHECK(written(to, axis_of(0, 8), {table_of(one, 29)}) == expected(pool, {.axis = 0, .block = 8}, one));
    const std::vector<page_sequence> sequences{{first, 9, 3}, {second, 20, 4}};
    CHECK(written(to, axis_of(0, 8), {table_of(first, 9, 3), table_of(second, 20, 4)}) ==
          expected(pool, {.axis = 0, .block = 8}, sequences));
    CHECK(written(padded, axis_of(0, 16, true), {table_of(offsets)}) ==
          expected(blocks, {.axis = 0, .block = 16, .grouped = true}, offsets));
}

TEST_CASE("C tables: a scale for each page is found by the number of the page") {
    const std::vector<int> table{5, 2, 7, 0}, other{5, 2, 7, 1};
    const plait_memory_desc_t from = to_c(plain), to = to_c(pool);
    const plait_table_axis_t axis = axis_of(0, 8);
    std::vector<float> scales(12, 0.0f), of_rows(29);  // scales of pages that no table names are not checked
    for (const int page : table) scales[static_cast<std::size_t>(page)] = static_cast<float>(page + 1);
    std::iota(of_rows.begin(), of_rows.end(), 1.0f);
    const plait_dim_t group[] = {8, 5, 3};
    plait_reorder_attributes_t attributes;
    plait_reorder_attributes_init(&attributes);
    plait_attribute_values_t values;
    std::memset(&values, 0, sizeof values);
    values.dst_scale.data = scales.data();
    values.dst_scale.size = sizeof(float) * scales.size();
    values.dst_scale.data_type = PLAIT_F32;
    values.dst_scale.group = group;
    attributes.values = &values;
    attributes.src_scale.values = of_rows.data();
    attributes.src_scale.count = of_rows.size();
    attributes.src_scale.mask = 1;
    handle h;
    REQUIRE(plait_table_reorder_create(&h.plan, &from, &to, nullptr, &axis, &attributes) == PLAIT_SUCCESS);
    const std::vector<float> in = numbered(plain, 1);
    std::vector<float> out = numbered(pool, -5000);
    const plait_table_t one = table_of(table, 29), wrong = table_of(other, 29);
    REQUIRE(plait_table_reorder_execute(h.plan, in.data(), bytes(in), out.data(), bytes(out), nullptr, 0, &one, 1) ==
            PLAIT_SUCCESS);
    for (dim_t i = 0; i < 29; ++i) {
        const auto page = table[static_cast<std::size_t>(i / 8)];
        CHECK(out[static_cast<std::size_t>(pool.offset(page * 8 + i % 8, 4, 2))] ==
              in[static_cast<std::size_t>(plain.offset(i, 4, 2))] * of_rows[static_cast<std::size_t>(i)] *
                  (1 / scales[static_cast<std::size_t>(page)]));
    }
    const std::vector<float> before = out;
    CHECK(plait_table_reorder_execute(h.plan, in.data(), bytes(in), out.data(), bytes(out), nullptr, 0, &wrong, 1) ==
          PLAIT_INVALID_ARGUMENTS);
    CHECK(says("scale_is_invalid: value 1 of the destination's scales"));
    CHECK(out == before);
}

TEST_CASE("C tables: refuses wrong tables before a byte is written") {
    const std::vector<int> one{5, 2, 7, 0}, twice{5, 2, 5, 0}, outside{5, 2, 7, 12}, few{5, 2, 7};
    const plait_memory_desc_t from = to_c(plain), to = to_c(pool);
    const plait_table_axis_t axis = axis_of(0, 8);
    std::vector<float> in = numbered(plain, 1), out = numbered(pool, 2);
    const std::vector<float> before = out;
    handle h;
    REQUIRE(plait_table_reorder_create(&h.plan, &from, &to, nullptr, &axis, nullptr) == PLAIT_SUCCESS);
    const auto refused = [&](const plait_table_t& table, int count, const char* part) {
        CHECK(plait_table_reorder_execute(h.plan, in.data(), bytes(in), out.data(), bytes(out), nullptr, 0, &table,
                                          count) == PLAIT_INVALID_ARGUMENTS);
        INFO(std::string(plait_last_refusal()));
        CHECK(says(part));
        CHECK(out == before);
    };
    refused(table_of(twice, 29), 1, "table_entries_repeat: entries 0 and 2 of the table of axis 0 are equal (5)");
    refused(table_of(outside, 29), 1,
            "table_entry_is_out_of_range: entry 3 of the table of axis 0 is 12, but the axis has 12");
    refused(table_of(few, 29), 1, "table_is_too_short: the table of axis 0 has 3 entries, but needs 4");
    refused(table_of(one, 30), 1, "part_is_outside_parent: along axis 0 the part goes to 30");
    refused(table_of(one, -1), 1, "dim_is_negative");
    refused(table_of(one, 29), 0, "table_is_missing");
    plait_table_t wrong = table_of(one, 29);
    wrong.bits = 16;
    refused(wrong, 1, "table_type_is_unknown: table 0 of dst_tables has entries of 16 bits");
    wrong = table_of(one, 29);
    wrong.entries = nullptr;
    refused(wrong, 1, "pointer_is_null");
    wrong = table_of(one, 29);
    wrong.reserved[0] = 1;
    refused(wrong, 1, "reserved_is_not_zero");
    const plait_table_t table = table_of(one, 29);
    CHECK(plait_table_reorder_execute(h.plan, in.data(), bytes(in), out.data(), bytes(out) - 4, nullptr, 0, &table,
                                      1) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("buffer_is_too_small"));
    CHECK(plait_table_reorder_execute(h.plan, out.data(), bytes(in), out.data(), bytes(out), nullptr, 0, &table, 1) ==
          PLAIT_INVALID_ARGUMENTS);
    CHECK(says("spans_overlap"));
    CHECK(plait_table_reorder_execute(h.plan, in.data(), bytes(in), out.data(), bytes(out), &table, 1, &table, 1) ==
          PLAIT_INVALID_ARGUMENTS);
    CHECK(says("table_is_not_expected"));
    CHECK(plait_table_reorder_execute(nullptr, in.data(), bytes(in), out.data(), bytes(out), nullptr, 0, &table, 1) ==
          PLAIT_INVALID_ARGUMENTS);
    CHECK(out == before);
    plait_table_reorder_t* none = nullptr;
    const plait_table_axis_t uneven = axis_of(0, 12), far_axis = axis_of(3, 8);
    CHECK(plait_table_reorder_create(&none, &from, &to, nullptr, &uneven, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("blocks_do_not_align"));
    CHECK(plait_table_reorder_create(&none, &from, &to, nullptr, &far_axis, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("axis_is_out_of_range"));
    CHECK(plait_table_reorder_create(&none, &from, &to, nullptr, nullptr, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_table_reorder_create(nullptr, &from, &to, nullptr, &axis, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(none == nullptr);
    plait_table_reorder_destroy(nullptr);
}

TEST_CASE("C tables: pages of a pool are copied to other pages of it") {
    const plait_memory_desc_t whole = to_c(blocks);
    const plait_table_axis_t axis = axis_of(0, 8);
    handle h;
    REQUIRE(plait_table_reorder_create(&h.plan, &whole, &whole, &axis, &axis, nullptr) == PLAIT_SUCCESS);
    std::vector<float> memory = numbered(blocks, 0);
    const std::vector<float> before = memory;
    const std::vector<int> from{3, 9}, to{4, 0}, both{4, 9};
    const plait_table_t read = table_of(from, 16), written = table_of(to, 16), wrong = table_of(both, 16);
    CHECK(plait_table_reorder_execute(h.plan, memory.data(), bytes(memory), memory.data(), bytes(memory), &read, 1,
                                      &wrong, 1) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("spans_overlap"));
    CHECK(memory == before);
    CHECK(plait_table_reorder_execute(h.plan, memory.data(), bytes(memory), memory.data(), bytes(memory), &read, 1,
                                      &written, 1) == PLAIT_SUCCESS);
    for (std::size_t k = 0; k < memory.size(); ++k) {
        const std::size_t page = k / 120;
        CHECK(memory[k] == before[page == 4 ? 360 + k % 120 : page == 0 ? 1080 + k : k]);
    }
}

/// The JSON of a call: its size first, then a buffer of exactly that size. Empty if refused.
std::string json_of(const plait_table_reorder_t* plan, const std::vector<plait_table_t>& from,
                    const std::vector<plait_table_t>& to) {
    const auto format = [&](char* text, std::size_t size, std::size_t& needed) {
        return plait_table_reorder_format_json(plan, from.data(), static_cast<int>(from.size()), to.data(),
                                               static_cast<int>(to.size()), text, size, &needed);
    };
    std::size_t needed = 0, again = 0;
    if (format(nullptr, 0, needed) != PLAIT_SUCCESS) return {};
    std::string text(needed, '?');
    CHECK(format(text.data(), needed, again) == PLAIT_SUCCESS);
    CHECK(again == needed);
    CHECK(text.find('\0') == needed - 1);
    text.resize(needed - 1);
    return text;
}
/// The tables of a random side as C takes them.
std::vector<plait_table_t> tables_of(const table_cases::random_side& side, dim_t extent) {
    std::vector<plait_table_t> out;
    for (std::size_t k = 0; k < side.sequences.size(); ++k)
        out.push_back(table_of(side.pages[k], side.sequences[k].extent, side.sequences[k].first));
    if (side.sequences.empty() && side.table.axis >= 0) out.push_back(table_of(side.numbers, extent));
    return out;
}

TEST_CASE("C tables: JSON is that of C++") {
    using table_cases::kind;
    int written = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        table_cases::random_case random{std::mt19937(seed)};
        const int ndims = static_cast<int>(random.between(1, 3)), along = static_cast<int>(random.below(ndims));
        std::vector<dim_t> extents;
        for (int a = 0; a < ndims; ++a) extents.push_back(random.between(1, 6));
        const dim_t n = random.between(1, 40);
        const auto from_kind = static_cast<kind>(random.below(4));
        const auto to_kind = static_cast<kind>(from_kind == kind::none ? random.between(1, 3) : random.below(4));
        const table_cases::random_side from = make_side(random, from_kind, extents, along, n, false),
                                       to = make_side(random, to_kind, extents, along, n, true);
        descriptor src(data_type::bf16, from.plain.tensor.layout), dst(data_type::bf16, to.plain.tensor.layout);
        src.layout.offset0 += random.below(4);  // as parts of greater tensors
        dst.layout.offset0 += random.below(4);
        INFO("seed ", seed);
        const plait_memory_desc_t c_src = to_c(src), c_dst = to_c(dst);
        if (plait_memory_desc_check(&c_src) != PLAIT_SUCCESS || plait_memory_desc_check(&c_dst) != PLAIT_SUCCESS)
            continue;  // a pool that only layouts of C++ can have
        const plait_table_axis_t c_from = axis_of(along, from.table.block, from.table.grouped),
                                 c_to = axis_of(along, to.table.block, to.table.grouped);
        handle h;
        const plait_status_t made =
            plait_table_reorder_create(&h.plan, &c_src, &c_dst, from_kind == kind::none ? nullptr : &c_from,
                                       to_kind == kind::none ? nullptr : &c_to, nullptr);
        const expected<std::string> text =
            try_table_reorder_json(src, dst, from.table, to.table, {from.argument(), to.argument(), n});
        CHECK((made == PLAIT_SUCCESS) == text.has_value());
        if (!text) continue;
        CHECK(json_of(h.plan, tables_of(from, n), tables_of(to, n)) == *text);
        ++written;
    }
    CHECK(written > 150);
}

TEST_CASE("C tables: a refused plan as JSON writes nothing") {
    const std::vector<int> one{5, 2, 7, 0}, twice{5, 2, 5, 0};
    const plait_memory_desc_t from = to_c(plain), to = to_c(pool);
    const plait_table_axis_t axis = axis_of(0, 8);
    handle h;
    REQUIRE(plait_table_reorder_create(&h.plan, &from, &to, nullptr, &axis, nullptr) == PLAIT_SUCCESS);
    const plait_table_t right = table_of(one, 29), wrong = table_of(twice, 29);
    const std::string text = json_of(h.plan, {}, {right});
    CHECK(text.find("\"plait_table_reorder\": 1") != std::string::npos);
    std::string memory(text.size() + 1, '?');
    std::size_t needed = 77;
    const auto refused = [&](const plait_table_reorder_t* plan, const plait_table_t* table, int count, char* out,
                             std::size_t size, std::size_t* bytes, plait_status_t status, const char* part) {
        CHECK(plait_table_reorder_format_json(plan, nullptr, 0, table, count, out, size, bytes) == status);
        INFO(std::string(plait_last_refusal()));
        CHECK(says(part));
        CHECK(needed == 77);
        CHECK(memory.find_first_not_of('?') == std::string::npos);
    };
    constexpr plait_status_t invalid = PLAIT_INVALID_ARGUMENTS;
    char* const out = memory.data();
    refused(h.plan, &right, 1, out, text.size(), &needed, invalid, "buffer_is_too_small: text has");
    refused(h.plan, &wrong, 1, out, memory.size(), &needed, invalid, "table_entries_repeat: entries 0 and 2");
    refused(h.plan, &wrong, 1, nullptr, 0, &needed, invalid, "table_entries_repeat: entries 0 and 2");
    refused(h.plan, nullptr, 0, out, memory.size(), &needed, invalid, "table_is_missing");
    refused(h.plan, &right, 1, nullptr, 9, &needed, invalid, "pointer_is_null: text");
    refused(h.plan, &right, 1, out, memory.size(), nullptr, invalid, "pointer_is_null: needed");
    refused(nullptr, &right, 1, out, memory.size(), &needed, invalid, "pointer_is_null: reorder");
    // Scales are not in the text: a program that executes it would write other values.
    plait_reorder_attributes_t attributes;
    plait_reorder_attributes_init(&attributes);
    attributes.dst_scale.value = 2;
    handle scaled;
    REQUIRE(plait_table_reorder_create(&scaled.plan, &from, &to, nullptr, &axis, &attributes) == PLAIT_SUCCESS);
    refused(scaled.plan, &right, 1, out, memory.size(), &needed, PLAIT_UNIMPLEMENTED, "plan_has_attributes");
    // 2^40 moves.
    constexpr dim_t many = dim_t{1} << 40;
    const std::vector<std::int64_t> offsets{0, many};
    const plait_memory_desc_t rows = to_c(layout({many}, "a"), data_type::u8);
    const plait_table_axis_t groups = axis_of(0, 1, true);
    handle huge;
    REQUIRE(plait_table_reorder_create(&huge.plan, &rows, &rows, nullptr, &groups, nullptr) == PLAIT_SUCCESS);
    const plait_table_t all = table_of(offsets);
    refused(huge.plan, &all, 1, out, memory.size(), &needed, invalid, "size_overflows");
}

}}  // namespace test_c_api_tables
