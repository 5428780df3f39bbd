#include <plait/reorder/table_reorder.hpp>

#include "reorder/random_tables.hpp"
#include "support/executors.hpp"
#include "support/fenced_memory.hpp"

#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace test_reorder_table_reorder { namespace {

using namespace plait;
using kernels::fence, kernels::fenced_memory;

using table_cases::random_case, table_cases::random_side, table_cases::kind, table_cases::make_side;

std::vector<std::byte> copy_of(fenced_memory<std::byte>& memory, std::size_t bytes) {
    return {memory.data(), memory.data() + bytes};
}

struct types {
    data_type from, to;
};
constexpr types pairs[] = {{data_type::f32, data_type::f32}, {data_type::bf16, data_type::bf16},
                           {data_type::s8, data_type::s8},   {data_type::f64, data_type::f64},
                           {data_type::f32, data_type::s8},  {data_type::s8, data_type::f32}};

void check_case(unsigned seed) {
    random_case random{std::mt19937(seed)};
    const int ndims = static_cast<int>(random.between(1, 3)), axis = static_cast<int>(random.below(ndims));
    std::vector<dim_t> extents;
    for (int a = 0; a < ndims; ++a) extents.push_back(random.one_in(10) ? 33 : random.between(1, 6));
    const dim_t n = random.one_in(12) ? 0 : random.between(1, 40);
    auto from_kind = static_cast<kind>(random.below(4)), to_kind = static_cast<kind>(random.below(4));
    if (from_kind == kind::none && to_kind == kind::none) to_kind = kind::pages;
    random_side from = make_side(random, from_kind, extents, axis, n, false),
                to = make_side(random, to_kind, extents, axis, n, true);
    const types type = pairs[random.below(std::size(pairs))];
    from.plain.tensor.type = type.from;
    to.plain.tensor.type = type.to;
    const descriptor &src = from.plain.tensor, &dst = to.plain.tensor;
    INFO("seed ", seed, ": axis ", axis, ", ", n, " indices of blocks of ", from.table.block, ", ", to.table.block,
         "; ", to_string(src.layout), " -> ", to_string(dst.layout));
    // Scales along another axis.
    std::vector<float> scales;
    reorder_attributes attributes;
    const int other = ndims > 1 && random.one_in(3) ? (axis + 1) % ndims : -1;
    if (other >= 0) {
        for (dim_t i = 0; i < extents[static_cast<std::size_t>(other)]; ++i)
            scales.push_back(static_cast<float>(random.between(1, 8)) / 4);
        attributes.src_scale = {scales, 1 << other};
    }
    const auto plan =
        make_reorder(src, dst, {.source_table = from.table, .destination_table = to.table, .attributes = attributes});
    if (!plan) {
        CHECK(plan.error().reason == reason::blocks_do_not_align);
        return;
    }
    const auto where = random.one_in(2) ? fence::in_front : fence::behind;
    fenced_memory<std::byte> in(src.buffer_size_in_bytes(), where), out(dst.buffer_size_in_bytes(), where);
    if (type.from == data_type::f32 && type.to == data_type::s8)
        for (std::size_t i = 0; i < src.buffer_size_in_bytes() / 4; ++i)
            reinterpret_cast<float*>(in.data())[i] = static_cast<float>(random.between(-1000, 1000)) / 8;
    std::vector<std::byte> wanted = copy_of(out, dst.buffer_size_in_bytes());
    std::function<detail::element_attributes(const std::vector<dim_t>&)> value;
    if (other >= 0)
        value = [&](const std::vector<dim_t>& at) {
            detail::element_attributes a;
            a.src_scale = scales[static_cast<std::size_t>(at[static_cast<std::size_t>(other)])];
            return a;
        };
    table_cases::expect(from.plain, in.data(), to.plain, wanted.data(), axis, value);
    const planned_table_reorder::tables tables{from.argument(), to.argument(), n};
    const expected<void> done = random.one_in(2)
                                    ? plan->attempt(in.data(), out.data(), tables)
                                    : plan->attempt(plait_test::last_chunk_first{3}, in.data(), out.data(), tables);
    CHECK(done.error() == verdict{});
    CHECK(copy_of(out, dst.buffer_size_in_bytes()) == wanted);
}

TEST_CASE("tables: random tables, offsets and layouts are moved as plain lists of indices say") {
    for (unsigned seed = 1; seed <= 4000; ++seed) check_case(seed);
}

TEST_CASE("tables: elements smaller than a byte, if steps along the axis are whole bytes") {
    const descriptor from(data_type::u4, layout({21, 6}, "ab")), to(data_type::u4, layout({40, 6}, "BA2b8a"));
    CHECK(make_reorder(from, to, {.destination_table = {.axis = 0, .block = 8}}).error().reason ==
          reason::element_begins_inside_a_byte);
    const descriptor pool(data_type::u4, layout({40, 3}, "aB4b"));
    const std::vector<int> table{4, 0, 1};
    const descriptor rows(data_type::u4, layout({21, 3}, strides{4, 1}));
    table_cases::side reads{rows, {}, {}}, writes{pool, {}, {}};
    for (dim_t i = 0; i < 21; ++i) {
        reads.indices.push_back(i);
        writes.indices.push_back(table[static_cast<std::size_t>(i / 8)] * 8 + i % 8);
    }
    const auto plan = make_reorder(rows, pool, {.destination_table = {.axis = 0, .block = 8}});
    REQUIRE(plan.has_value());
    fenced_memory<std::byte> in(rows.buffer_size_in_bytes(), fence::behind),
        out(pool.buffer_size_in_bytes(), fence::behind);
    std::vector<std::byte> wanted = copy_of(out, pool.buffer_size_in_bytes());
    table_cases::expect(reads, in.data(), writes, wanted.data(), 0);
    CHECK(plan->attempt(in.data(), out.data(), {.destination = table}).has_value());
    CHECK(copy_of(out, pool.buffer_size_in_bytes()) == wanted);
}

TEST_CASE("tables: on threads, the same bytes") {
    const descriptor from(data_type::f32, layout({4001, 2, 64}, "abc")),
        to(data_type::f32, layout({4800, 2, 64}, "Abc16a"));
    std::vector<int> table(300);
    std::iota(table.begin(), table.end(), 0);
    std::shuffle(table.begin(), table.end(), std::mt19937(3));
    std::vector<float> in(from.layout.element_span()), one(to.layout.element_span(), 7), many = one, reversed = one;
    std::iota(in.begin(), in.end(), 1.0f);
    const auto plan = make_reorder(from, to, {.destination_table = {.axis = 0, .block = 16}});
    REQUIRE(plan.has_value());
    int chunks = 0;
    (*plan)(in.data(), one.data(), {.destination = table});
    (*plan)(plait_test::new_threads{3}, in.data(), many.data(), {.destination = table});
    (*plan)(plait_test::last_chunk_first{4, &chunks}, in.data(), reversed.data(), {.destination = table});
    CHECK(chunks == 3);
    CHECK(many == one);
    CHECK(reversed == one);
    for (dim_t i = 0; i < 4001; i += 97)
        CHECK(one[static_cast<std::size_t>(
                  to.layout.offset(table[static_cast<std::size_t>(i / 16)] * 16 + i % 16, 1, 63))] ==
              in[static_cast<std::size_t>(from.layout.offset(i, 1, 63))]);
}

TEST_CASE("tables: pages of a pool are copied to other pages of it") {
    const descriptor pool(data_type::f32, layout({96, 5}, "Ab8a"));
    const auto plan = make_reorder(
        pool, pool, {.source_table = {.axis = 0, .block = 8}, .destination_table = {.axis = 0, .block = 8}});
    REQUIRE(plan.has_value());
    std::vector<float> memory(pool.layout.element_span());
    std::iota(memory.begin(), memory.end(), 0.0f);
    const std::vector<float> before = memory;
    const std::vector<int> from{3, 9}, to{4, 0}, both{4, 9};
    CHECK(plan->attempt(memory.data(), memory.data(), {.source = from, .destination = both}).error().reason ==
          reason::spans_overlap);
    CHECK(memory == before);
    CHECK(plan->attempt(memory.data(), memory.data(), {.source = from, .destination = to}).has_value());
    for (std::size_t k = 0; k < memory.size(); ++k) {
        const std::size_t page = k / 40;
        CHECK(memory[k] == before[page == 4 ? 120 + k % 40 : page == 0 ? 360 + k : k]);
    }
}

TEST_CASE("tables: what is refused when a reorder is planned, and when it is called") {
    const descriptor from(data_type::f32, layout({29, 5}, "ab")), to(data_type::f32, layout({96, 5}, "aB4b"));
    const auto refused = [](const descriptor& src, const descriptor& dst, const reorder_tables& tables) {
        const verdict why = make_reorder(src, dst, tables).error();
        CHECK(check_reorder(src, dst, tables) == why);
        return why;
    };
    const table_axis pages{.axis = 0, .block = 8};
    CHECK(refused(from, to, {.destination_table = pages}) == verdict{});
    CHECK(refused(from, to, {.source_table = {}, .destination_table = {}}).reason == reason::axis_is_out_of_range);
    CHECK(refused(from, to, {.source_table = {.axis = 1}, .destination_table = pages}).reason ==
          reason::axis_is_out_of_range);
    CHECK(refused(from, to, {.destination_table = {.axis = 2}}).reason == reason::axis_is_out_of_range);
    CHECK(refused(from, {data_type::f32, layout({96, 6}, "ab")}, {.destination_table = pages}) ==
          verdict{reason::dims_differ, 1, 5, 6});
    CHECK(refused(from, {data_type::f32, layout({96}, "a")}, {.destination_table = pages}).reason ==
          reason::rank_differs);
    CHECK(refused(from, {data_type::f32, layout({96, 5}, "Ab16a")}, {.destination_table = pages}) ==
          verdict{reason::blocks_do_not_align, 0, 8, 1});
    CHECK(refused(from, {data_type::f32, layout({96, 5}, strides{0, 1})}, {.destination_table = pages}) ==
          verdict{reason::layout_is_not_injective, 0, 96, 0});
    CHECK(refused(from, {data_type::f32, layout({96, 5}, strides{5, 0})}, {.destination_table = pages}).reason ==
          reason::destination_is_not_injective);
    CHECK(refused({data_type::f32, layout({dynamic, 5}, "ab")}, to, {.destination_table = pages}).reason ==
          reason::dim_is_dynamic);
    const descriptor summed(data_type::s8, layout({96, 5}, "ab"), {.s8s8_compensation = true, .s8s8_mask = 1});
    CHECK(refused(from, summed, {.destination_table = pages}).reason == reason::descriptor_has_extra);
    const std::vector<float> scales(29, 1.0f), five(5, 2.0f);
    CHECK(refused(from, to, {.destination_table = pages, .attributes = {.src_scale = {scales, 1}}}) ==
          verdict{reason::values_differ_along_table, 0});
    CHECK(refused(from, to, {.destination_table = pages, .attributes = {.src_scale = {scales, 2}}}).reason ==
          reason::mask_has_other_values);
    CHECK(refused(from, to, {.destination_table = pages, .attributes = {.src_scale = {five, 2}}}) == verdict{});

    const auto plan = make_reorder(from, to, {.destination_table = pages});
    REQUIRE(plan.has_value());
    std::vector<float> in(29 * 5, 1.0f), out(96 * 8, 2.0f);
    const std::vector<float> before = out;
    const std::vector<int> good{5, 2, 7, 0}, twice{5, 2, 5, 0}, few{5};
    const auto run = [&](const void* read, void* written, const planned_table_reorder::tables& tables) {
        const verdict why = plan->attempt(read, written, tables).error();
        CHECK(out == before);
        return why;
    };
    CHECK(run(in.data(), out.data(), {.destination = twice}) == verdict{reason::table_entries_repeat, 0, 0, 2, 5});
    CHECK(run(in.data(), out.data(), {.destination = few}) == verdict{reason::table_is_too_short, 0, 1, 4});
    CHECK(run(in.data(), out.data(), {}) == verdict{reason::table_is_too_short, 0, 0, 4});
    CHECK(run(in.data(), out.data(), {.destination = good, .extent = 30}) ==
          verdict{reason::part_is_outside_parent, 0, 30, 29});
    CHECK(run(nullptr, out.data(), {.destination = good}).reason == reason::buffer_is_null);
    CHECK(run(in.data(), nullptr, {.destination = good}).reason == reason::buffer_is_null);
    CHECK(run(out.data(), out.data(), {.destination = good}).reason == reason::spans_overlap);
    CHECK(run(in.data(), out.data(), {.destination = good, .extent = 0}) == verdict{});
    CHECK(planned_table_reorder().attempt(in.data(), out.data(), {.destination = good}).error().reason ==
          reason::reorder_is_not_planned);
    CHECK_THROWS_AS((*plan)(in.data(), out.data(), {.destination = twice}), rejection);
    // A part of the tensor without a table.
    CHECK(plan->attempt(in.data(), out.data(), {.destination = good, .extent = 3}).has_value());
    for (std::size_t k = 0; k < out.size(); ++k) {
        const std::size_t row = k / 8;
        CHECK(out[k] == (row < 40 || row > 42 ? 2.0f : k % 8 < 5 ? 1.0f : 0.0f));
    }
}

}}  // namespace test_reorder_table_reorder
