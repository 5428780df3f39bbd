#include <plait/contents/reorder_tables.hpp>

#include "reorder/table_cases.hpp"
#include "support/executors.hpp"

#include <plait/algebra/rearrange.hpp>
#include <plait/reorder/converted_rows.hpp>
#include <plait/typed/constants.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace test_contents_reorder_tables { namespace {

using namespace plait;
using table_cases::side;

// 12 pages of 8 tokens; 5 heads, padded to 8 in blocks of 4.
constexpr layout pool({96, 5, 3}, "ABc4b8a");
constexpr layout same_inside({96, 5, 3}, "abc");
constexpr layout plain({29, 5, 3}, "bac");
constexpr layout padded({29, 5, 3}, "Abc2a");
constexpr layout other_pages({30, 5, 3}, "aBc8b");

template <class T>
std::vector<T> numbered(std::size_t count, int from) {
    std::vector<T> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<T>(static_cast<int>(i) % 99 + from);
    return out;
}
template <class T>
std::byte* bytes(std::vector<T>& of) {
    return reinterpret_cast<std::byte*>(of.data());
}
std::vector<dim_t> up_to(dim_t first, dim_t last) {
    std::vector<dim_t> out;
    for (dim_t i = first; i < last; ++i) out.push_back(i);
    return out;
}

/// Reorders one view into another, and checks every byte of the destination's memory.
template <class T, class U, class From, class To, class... Attributes>
void check(const From& from, const side& reads, std::vector<T>& in, const To& to, const side& writes,
           std::vector<U>& out, const Attributes&... attributes) {
    std::vector<U> wanted = out;
    table_cases::values_at values;
    if (sizeof...(Attributes) != 0)
        values = [](const auto&, const auto&) { return detail::element_attributes{0.5f, 1, 0, 3, 0}; };
    table_cases::expect(reads, bytes(in), writes, bytes(wanted), 0, values);
    CHECK(try_reorder(from, to, attributes...).error() == verdict{});
    CHECK(out == wanted);
}

template <layout Pool, layout Plain, class T, class U, class... Attributes>
void check_pages(const Attributes&... attributes) {
    std::mt19937 random(7);
    for (int t = 0; t < 8; ++t) {
        std::vector<int> numbers(12);
        std::iota(numbers.begin(), numbers.end(), 0);
        std::shuffle(numbers.begin(), numbers.end(), random);
        const std::vector<int> first(numbers.begin(), numbers.begin() + 4), second(numbers.begin() + 4, numbers.end());
        const dim_t cut = static_cast<dim_t>(random() % 29), begin = static_cast<dim_t>(random() % 4),
                    later = static_cast<dim_t>(random() % 20);
        const std::vector<page_sequence> sequences{{first, cut, begin}, {second, 0, 3}, {second, 29 - cut, later}};
        side pages{{data_type_of<T>, Pool}, {}, {}}, rows{{data_type_of<U>, Plain}, up_to(0, 29), {}};
        if constexpr (Plain.padded_dims[0] > 29) rows.zeroed = up_to(29, Plain.padded_dims[0]);
        const auto put = [&](const std::vector<int>& table, dim_t from, dim_t count) {
            for (dim_t i = from; i < from + count; ++i)
                pages.indices.push_back(table[static_cast<std::size_t>(i / 8)] * 8 + i % 8);
        };
        const bool is_one = t % 2 == 0;
        if (is_one) {
            put(second, 0, 29);
        } else {
            put(first, begin, cut);
            put(second, later, 29 - cut);
        }
        std::vector<T> memory = numbered<T>(Pool.element_span(), 1);
        std::vector<U> out = numbered<U>(Plain.element_span(), 2);
        const tensor_view all(memory.data(), layout_c<Pool>);
        const auto view = is_one ? paged<0, 8>(all, second, 29) : paged<0, 8>(all, sequences);
        check(view, pages, memory, tensor_view(out.data(), layout_c<Plain>), rows, out, attributes...);
        if constexpr (std::is_same_v<T, U>) {
            std::vector<T> in = numbered<T>(Plain.element_span(), 3);
            rows.zeroed.clear();
            check(tensor_view(in.data(), layout_c<Plain>), rows, in, view, pages, memory, attributes...);
        }
    }
}

TEST_CASE("reorder of paged views: writes the tokens that the tables name, and nothing else") {
    check_pages<pool, plain, float, float>();
    check_pages<same_inside, padded, std::int8_t, std::int8_t>();
    check_pages<pool, plain, float, std::int8_t>(reorder_attributes{.src_scale = 0.5f, .dst_zero_point = 3});
}

TEST_CASE("reorder of paged views: both tensors may lie in pages of different sizes") {
    const std::vector<int> first{3, 9, 1, 0}, second{4, 0, 5, 2, 3, 1};
    side reads{{data_type_of<float>, pool}, {}, {}}, writes{{data_type_of<float>, other_pages}, {}, {}};
    for (dim_t i = 0; i < 27; ++i) {
        reads.indices.push_back(first[static_cast<std::size_t>(i / 8)] * 8 + i % 8);
        writes.indices.push_back(second[static_cast<std::size_t>(i / 5)] * 5 + i % 5);
    }
    std::vector<float> in = numbered<float>(pool.element_span(), 1),
                       out = numbered<float>(other_pages.element_span(), 5);
    check(paged<0, 8>(tensor_view(in.data(), layout_c<pool>), first, 27), reads, in,
          paged<0, 5>(tensor_view(out.data(), layout_c<other_pages>), second, 27), writes, out);
}

TEST_CASE("reorder of paged views: pages of a pool are copied to other pages of it") {
    std::vector<float> memory = numbered<float>(pool.element_span(), 1), wanted = memory;
    const tensor_view whole(memory.data(), layout_c<pool>);
    const std::vector<int> from{3, 9, 3}, to{4, 0, 11}, both{4, 9, 11};
    side reads{{data_type_of<float>, pool}, {}, {}}, writes = reads;
    for (dim_t i = 0; i < 20; ++i) {
        reads.indices.push_back(from[static_cast<std::size_t>(i / 8)] * 8 + i % 8);
        writes.indices.push_back(to[static_cast<std::size_t>(i / 8)] * 8 + i % 8);
    }
    table_cases::expect(reads, bytes(memory), writes, bytes(wanted), 0);
    reorder(paged<0, 8>(whole, from, 20), paged<0, 8>(whole, to, 20));
    CHECK(memory == wanted);
    CHECK(try_reorder(paged<0, 8>(whole, from, 20), paged<0, 8>(whole, both, 20)).error().reason ==
          reason::spans_overlap);
    const std::vector<int> quarters{16, 17, 18, 19, 20};
    CHECK(try_reorder(paged<0, 8>(whole, from, 5), paged<0, 1>(whole, quarters, 5)).error().reason ==
          reason::spans_overlap);
    CHECK(memory == wanted);
}

/// Values of a tensor in groups of these extents, dense and row-major, and their numbers.
struct grouped_values {
    dims extents, group;
    std::vector<float> numbers;

    grouped_values(const layout& of, const dims& by, int first) : extents(of.dims), group(by) {
        dim_t count = 1;
        for (int a = 0; a < of.ndims(); ++a) count *= (extents[a] + group[a] - 1) / group[a];
        for (dim_t k = 0; k < count; ++k) numbers.push_back(static_cast<float>((k * 5 + first) % 7 + 1) / 4);
    }
    float at(const std::vector<dim_t>& position) const {
        dim_t place = 0;
        for (int a = 0; a < extents.size(); ++a)
            place = place * ((extents[a] + group[a] - 1) / group[a]) + position[static_cast<std::size_t>(a)] / group[a];
        return numbers[static_cast<std::size_t>(place)];
    }
    auto values() const { return values_by_group(numbers, extents, group); }
};

/// Moves 27 tokens between pages of 8 and of 5, with scales of both pools by these groups, on both kinds of executor.
template <class T, class U>
void check_values(const dims& from_group, const dims& to_group) {
    const std::vector<int> first{3, 9, 1, 0}, second{4, 0, 5, 2, 3, 1};
    side reads{{data_type_of<T>, pool}, {}, {}}, writes{{data_type_of<U>, other_pages}, {}, {}};
    for (dim_t i = 0; i < 27; ++i) {
        reads.indices.push_back(first[static_cast<std::size_t>(i / 8)] * 8 + i % 8);
        writes.indices.push_back(second[static_cast<std::size_t>(i / 5)] * 5 + i % 5);
    }
    const grouped_values by_source(pool, from_group, 2);
    grouped_values by_destination(other_pages, to_group, 3);
    const reorder_attributes attributes{.src_scale = by_source.values(), .dst_scale = by_destination.values()};
    std::vector<T> in = numbered<T>(pool.element_span(), 1);
    const std::vector<U> before = numbered<U>(other_pages.element_span(), 5);
    std::vector<U> wanted = before, one = before, many = before;
    table_cases::expect(reads, bytes(in), writes, bytes(wanted), 0,
                        [&](const std::vector<dim_t>& read, const std::vector<dim_t>& at) {
                            return detail::element_attributes{by_source.at(read), by_destination.at(at), 0, 0, 0};
                        });
    const auto from = paged<0, 8>(tensor_view(in.data(), layout_c<pool>), first, 27);
    const auto to = [&](std::vector<U>& out) {
        return paged<0, 5>(tensor_view(out.data(), layout_c<other_pages>), second, 27);
    };
    INFO("groups of ", from_group[0], " x ", from_group[1], ", ", to_group[0], " x ", to_group[1]);
    reorder(from, to(one), attributes);
    CHECK(one == wanted);
    reorder(plait_test::last_chunk_first{3}, from, to(many), attributes);
    CHECK(many == wanted);
}

TEST_CASE("reorder of paged views: scales by page, by token and by other groups follow the pages") {
    // By page; by page and head; by token; by token and head; by groups that no page ends with.
    for (const dims& from : {dims{8, 5, 3}, dims{8, 1, 3}, dims{1, 5, 3}, dims{1, 1, 3}, dims{3, 2, 3}, dims{96, 1, 1}})
        for (const dims& to : {dims{5, 5, 3}, dims{5, 1, 3}, dims{1, 1, 3}, dims{7, 5, 1}}) {
            check_values<float, std::int8_t>(from, to);
            check_values<std::int8_t, float>(from, to);
            check_values<float, float>(from, to);
        }
}

TEST_CASE("reorder of paged views: of scales by page only those that the table names are checked") {
    std::vector<float> in = numbered<float>(plain.element_span(), 1), memory = numbered<float>(pool.element_span(), 2);
    const std::vector<float> before = memory;
    const std::vector<int> table{5, 2, 7, 0};
    std::vector<float> scales(12, 0.0f);
    for (const int page : table) scales[static_cast<std::size_t>(page)] = 0.5f;
    const tensor_view tokens(in.data(), layout_c<plain>);
    const tensor_view whole(memory.data(), layout_c<pool>);
    const auto by_page = [&] {
        return reorder_attributes{.dst_scale = values_by_group(scales, {96, 5, 3}, {8, 5, 3})};
    };
    CHECK(try_reorder(tokens, paged<0, 8>(whole, table, 29), by_page()).has_value());
    memory = before;
    scales[7] = 0;
    CHECK(try_reorder(tokens, paged<0, 8>(whole, table, 29), by_page()).error() ==
          verdict{reason::scale_is_invalid, -1, 0, 7, static_cast<dim_t>(detail::buffer_role::destination)});
    CHECK(memory == before);
    // The array has a scale for each page of the pool; 4 would be one for each page of the sequence.
    const std::vector<float> four(4, 0.5f);
    CHECK(try_reorder(tokens, paged<0, 8>(whole, table, 29),
                      reorder_attributes{.dst_scale = values_by_group(four, {96, 5, 3}, {8, 5, 3})})
              .error() == verdict{reason::mask_has_other_values, 0, 1, 12, 4});
    CHECK(memory == before);
    // Zero points of four bits: a step along the tokens is no whole byte.
    const std::vector<std::byte> small(48);
    CHECK(try_reorder(tokens, paged<0, 8>(whole, table, 29),
                      reorder_attributes{.dst_zero_point = values_by_mask<u4>(small, 1)})
              .error() == verdict{reason::steps_are_not_whole_bytes, 0, 4});
}

TEST_CASE("reorder of grouped views: groups are padded to blocks, and the padding is zeroed") {
    const std::vector<std::int64_t> offsets{0, 9, 9, 10, 29};
    side dense{{data_type_of<float>, plain}, up_to(0, 29), {}}, blocks{{data_type_of<float>, same_inside}, {}, {}};
    dim_t begin = 0;
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
        const dim_t size = offsets[g + 1] - offsets[g], whole = (size + 7) / 8 * 8;
        for (dim_t i = 0; i < whole; ++i) (i < size ? blocks.indices : blocks.zeroed).push_back(begin + i);
        begin += whole;
    }
    std::vector<float> in = numbered<float>(plain.element_span(), 1),
                       out = numbered<float>(same_inside.element_span(), 2);
    const auto view = grouped<0, 8>(tensor_view(out.data(), layout_c<same_inside>), offsets);
    check(tensor_view(in.data(), layout_c<plain>), dense, in, view, blocks, out);
    std::vector<float> back = numbered<float>(plain.element_span(), 4);
    blocks.zeroed.clear();
    check(view, blocks, out, tensor_view(back.data(), layout_c<plain>), dense, back);
    CHECK(back == in);
    // Dense groups are the tensor itself.
    std::vector<float> same(in.size());
    reorder(grouped<0, 1>(tensor_view(in.data(), layout_c<plain>), offsets), tensor_view(same.data(), layout_c<plain>));
    CHECK(same == in);
}

TEST_CASE("reorder of views with tables: what is refused has written nothing") {
    std::vector<float> in = numbered<float>(plain.element_span(), 1), memory = numbered<float>(pool.element_span(), 2);
    const std::vector<float> before = memory;
    const tensor_view tokens(in.data(), layout_c<plain>);
    const tensor_view whole(memory.data(), layout_c<pool>);
    const std::vector<int> good{5, 2, 7, 0}, outside{5, 2, 12, 0}, negative{5, 2, 7, -1}, twice{5, 2, 5, 0},
        few{5, 2, 7};
    const auto refused = [&](const auto& from, const auto& to, const auto&... attributes) {
        const verdict why = try_reorder(from, to, attributes...).error();
        CHECK(memory == before);
        return why;
    };
    CHECK(refused(tokens, paged<0, 8>(whole, outside, 29)) ==
          verdict{reason::table_entry_is_out_of_range, 0, 2, 12, 12});
    CHECK(refused(tokens, paged<0, 8>(whole, negative, 29)) ==
          verdict{reason::table_entry_is_out_of_range, 0, 3, -1, 12});
    CHECK(refused(tokens, paged<0, 8>(whole, twice, 29)) == verdict{reason::table_entries_repeat, 0, 0, 2, 5});
    CHECK(refused(tokens, paged<0, 8>(whole, few, 29)) == verdict{reason::table_is_too_short, 0, 3, 4});
    CHECK(refused(tokens, paged<0, 8>(whole, good, 28)) == verdict{reason::dims_differ, 0, 29, 28});
    CHECK(refused(tokens, paged<0, 8>(whole, good, -1)) == verdict{reason::dim_is_negative, 0, -1, 0});
    CHECK(refused(tokens, paged<0, 8>(tensor_view(unchecked, static_cast<float*>(nullptr), layout_c<pool>), good, 29))
              .reason == reason::buffer_is_null);
    CHECK(refused(paged<0, 8>(whole, good, 29), paged<0, 8>(whole, good, 29)).reason == reason::spans_overlap);
    const std::vector<float> scales(29, 2.0f);
    CHECK(refused(tokens, paged<0, 8>(whole, good, 29), reorder_attributes{.dst_scale = {scales, 1}}) ==
          verdict{reason::mask_has_other_values, -1, 1, 96, 29});
    CHECK(refused(tokens, paged<0, 8>(whole, good, 29), reorder_attributes{.dst_scale = 0.0f}).reason ==
          reason::scale_is_invalid);
    const std::vector<int> falls{0, 5, 4, 29}, ends{0, 5, 28}, late{1, 29}, none;
    const tensor_view blocks(memory.data(), layout_c<same_inside>);
    CHECK(refused(tokens, grouped<0, 8>(blocks, falls)) == verdict{reason::offsets_do_not_rise, 0, 2, 4, 5});
    CHECK(refused(tokens, grouped<0, 8>(blocks, ends)) == verdict{reason::offsets_end_elsewhere, 0, 28, 29});
    CHECK(refused(tokens, grouped<0, 8>(blocks, late)) == verdict{reason::offsets_do_not_rise, 0, 0, 1, 0});
    CHECK(refused(tokens, grouped<0, 8>(blocks, none)) == verdict{reason::table_is_too_short, 0, 0, 1});
    const std::vector<int> large{0, 29};
    CHECK(refused(tokens, grouped<0, 97>(blocks, large)) == verdict{reason::part_is_outside_parent, 0, 97, 96});
    // A source may have entries that repeat.
    std::vector<float> out(plain.element_span());
    CHECK(try_reorder(paged<0, 8>(whole, twice, 29), tensor_view(out.data(), layout_c<plain>)).has_value());
    CHECK_THROWS_AS(reorder(tokens, paged<0, 8>(whole, twice, 29)), rejection);
}

TEST_CASE("reorder of views with tables: on threads, the same bytes") {
    constexpr layout cache = rearrange<"p h t d -> (p t) h d">(layout({300, 2, 16, 64}, "abcd")),
                     rows({4001, 2, 64}, "abc");
    std::vector<int> table(300);
    std::iota(table.begin(), table.end(), 0);
    std::shuffle(table.begin(), table.end(), std::mt19937(3));
    std::vector<float> in(rows.element_span());
    std::iota(in.begin(), in.end(), 1.0f);
    std::vector<float> one(cache.element_span(), 7), many = one, reversed = one;
    const tensor_view tokens(in.data(), layout_c<rows>);
    const auto pages = [&](std::vector<float>& memory) {
        return paged<0, 16>(tensor_view(memory.data(), layout_c<cache>), table, 4001);
    };
    int chunks = 0;
    reorder(tokens, pages(one));
    reorder(plait_test::new_threads{3}, tokens, pages(many));
    reorder(plait_test::last_chunk_first{4, &chunks}, tokens, pages(reversed));
    CHECK(chunks == 3);
    CHECK(many == one);
    CHECK(reversed == one);
    for (const int i : {0, 15, 16, 1337, 4000}) CHECK(pages(one)(i, 1, 63) == tokens(i, 1, 63));
}

}}  // namespace test_contents_reorder_tables
