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

/// Random values of an attribute of a tensor: by mask, by group or by layout, or one value.
template <class Value, class Small>
struct random_values {
    std::vector<Value> numbers;
    std::vector<Small> small;  // the same numbers in another type, if it is not empty
    std::vector<dim_t> groups, counts;
    std::optional<layout> where;

    /// Fills an attribute. `used` calls its argument with the position of each element that is used.
    template <class Attribute, class Used>
    void fill(random_case& random, Attribute& out, const layout& tensor, bool divides, const Used& used) {
        const auto extents = std::vector<dim_t>(tensor.dims.begin(), tensor.dims.end());
        std::size_t count = 1;
        int mask = 0;
        dims group;
        for (const dim_t e : extents)
            if (e == 0) return;
        if (random.one_in(4)) {
            where =
                random.any_layout(extents, static_cast<int>(random.below(std::ssize(extents))), random.between(1, 5));
            count = where->element_span();
        } else {
            const bool by_group = random.one_in(2);
            for (std::size_t a = 0; a < extents.size(); ++a) {
                groups.push_back(by_group ? random.between(1, 9) : 1);
                counts.push_back(random.one_in(2) ? (extents[a] + groups[a] - 1) / groups[a] : 1);
                // One group has all indices.
                if (counts[a] == 1 && by_group) groups[a] = extents[a] > 0 ? extents[a] : 1;
                if (counts[a] != 1 || extents[a] == 1) mask |= 1 << a;
                count *= static_cast<std::size_t>(counts[a]);
                group.push_back(groups[a]);
            }
            if (!by_group) {
                group = {};
                for (std::size_t a = 0; a < extents.size(); ++a)
                    if ((mask >> a & 1) == 0) groups[a] = INT64_MAX;
            }
        }
        std::vector<char> is_used(count, 0);
        used([&](const std::vector<dim_t>& at) { is_used[static_cast<std::size_t>(place(at))] = 1; });
        // If no index is moved, scales that are the same for all indices of the axis are checked nevertheless.
        divides = divides && std::find(is_used.begin(), is_used.end(), 1) != is_used.end();
        for (std::size_t k = 0; k < count; ++k) {
            const auto number = static_cast<Value>(random.between(1, 8));
            numbers.push_back(divides && is_used[k] == 0 ? Value{0} : number);  // what is not used is not checked
            small.push_back(convert<Small>(numbers.back()));
        }
        const bool is_small = random.one_in(2);
        if (where) {
            if (is_small) out = values_by_layout(small, *where);
            else out = values_by_layout(numbers, *where);
        } else if (!group.empty()) {
            if (is_small) out = values_by_group(small, tensor.dims, group);
            else out = values_by_group(numbers, tensor.dims, group);
        } else if (is_small) {
            out = values_by_mask(small, mask);
        } else {
            out = Attribute{numbers, mask};
        }
    }
    /// Returns the number of the value of a position.
    dim_t place(const std::vector<dim_t>& at) const {
        if (where) return table_cases::place_of(*where, at);
        dim_t out = 0;
        for (std::size_t a = 0; a < groups.size(); ++a) out = out * counts[a] + at[a] / groups[a];
        return out;
    }
    Value at(const std::vector<dim_t>& position, Value neutral) const {
        return numbers.empty() ? neutral : numbers[static_cast<std::size_t>(place(position))];
    }
};

/// Calls visit(position) for each position whose index along the axis is one of a list.
template <class Visit>
void for_each_position(const layout& l, int axis, const std::vector<dim_t>& indices, const Visit& visit) {
    std::vector<dim_t> extents(l.dims.begin(), l.dims.end());
    extents[static_cast<std::size_t>(axis)] = 1;
    for (const dim_t index : indices)
        table_cases::for_each_index(extents, [&](std::vector<dim_t> at) {
            at[static_cast<std::size_t>(axis)] = index;
            visit(at);
        });
}

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
    random_values<float, float16> src_scales, dst_scales;
    random_values<std::int32_t, std::int8_t> src_zero_points, dst_zero_points;
    reorder_attributes attributes;
    const auto fill = [&](auto& values, auto& attribute, const random_side& side, bool divides) {
        if (random.one_in(3))
            values.fill(random, attribute, side.plain.tensor.layout, divides, [&](const auto& visit) {
                for_each_position(side.plain.tensor.layout, axis, side.plain.indices, visit);
            });
    };
    fill(src_scales, attributes.src_scale, from, false);
    fill(dst_scales, attributes.dst_scale, to, true);
    fill(src_zero_points, attributes.src_zero_point, from, false);
    fill(dst_zero_points, attributes.dst_zero_point, to, false);
    if (random.one_in(6)) attributes.beta = 0.5f;
    const bool has_attributes = !detail::is_trivial(attributes);
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
    table_cases::values_at value;
    if (has_attributes)
        value = [&](const std::vector<dim_t>& read, const std::vector<dim_t>& at) {
            return detail::element_attributes{src_scales.at(read, 1), dst_scales.at(at, 1), src_zero_points.at(read, 0),
                                              dst_zero_points.at(at, 0), attributes.beta};
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
          reason::steps_are_not_whole_bytes);
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

TEST_CASE("tables: on threads, the same bytes with scales by page and by token") {
    const descriptor from(data_type::f32, layout({4001, 2, 64}, "abc")),
        to(data_type::f32, layout({4800, 2, 64}, "Abc16a"));
    std::vector<int> table(300);
    std::iota(table.begin(), table.end(), 0);
    std::shuffle(table.begin(), table.end(), std::mt19937(5));
    std::vector<float> in(from.layout.element_span()), one(to.layout.element_span(), 7), many = one, by_token(4001),
                                                                                         by_page(300);
    std::iota(in.begin(), in.end(), 1.0f);
    for (std::size_t k = 0; k < by_token.size(); ++k) by_token[k] = static_cast<float>(k % 5 + 1) / 4;
    for (std::size_t k = 0; k < by_page.size(); ++k) by_page[k] = static_cast<float>(k % 3 + 1) / 2;
    const auto plan = make_reorder(from, to,
                                   {.destination_table = {.axis = 0, .block = 16},
                                    .attributes = {.src_scale = {by_token, 1},
                                                   .dst_scale = values_by_group(by_page, {4800, 2, 64}, {16, 2, 64})}});
    REQUIRE(plan.has_value());
    const planned_table_reorder copy = *plan;  // values are found from a copy, too
    int chunks = 0;
    (*plan)(in.data(), one.data(), {.destination = table});
    copy(plait_test::last_chunk_first{4, &chunks}, in.data(), many.data(), {.destination = table});
    CHECK(chunks == 3);
    CHECK(many == one);
    for (dim_t i = 0; i < 4001; i += 7) {
        const auto page = static_cast<std::size_t>(table[static_cast<std::size_t>(i / 16)]);
        CHECK(one[static_cast<std::size_t>(to.layout.offset(static_cast<dim_t>(page) * 16 + i % 16, 1, 63))] ==
              in[static_cast<std::size_t>(from.layout.offset(i, 1, 63))] * by_token[static_cast<std::size_t>(i)] *
                  (1 / by_page[page]));
    }
    // Values are read at each call.
    for (float& scale : by_page) scale = 0.25f;
    (*plan)(in.data(), one.data(), {.destination = table});
    CHECK(one[static_cast<std::size_t>(to.layout.offset(table[0] * 16, 0, 0))] == in[0] * by_token[0] * 4);
    by_page[static_cast<std::size_t>(table[0])] = 0;
    many = one;
    CHECK(plan->attempt(in.data(), one.data(), {.destination = table}).error() ==
          verdict{reason::scale_is_invalid, -1, 0, table[0], static_cast<dim_t>(detail::buffer_role::destination)});
    CHECK(one == many);
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
    CHECK(refused(from, to, {.destination_table = pages, .attributes = {.src_scale = {scales, 1}}}) == verdict{});
    CHECK(refused(from, to, {.destination_table = pages, .attributes = {.dst_scale = {scales, 1}}}) ==
          verdict{reason::mask_has_other_values, -1, 1, 96, 29});
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
