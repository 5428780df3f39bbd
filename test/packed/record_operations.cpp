#include <plait/packed/record_operations.hpp>

#include "laws/operation_samples.hpp"
#include "packed/same_places.hpp"
#include "support/static_check.hpp"

#include <string>
#include <string_view>

namespace test_packed_record_operations { namespace {

using namespace packed_test;

/// Returns the index that is moved to `at` by permute_axes(index, p).
position rename(const position& at, const permutation& p) {
    position out = at;
    for (int i = 0; i < at.size(); ++i) out[i] = at[static_cast<int>(p[i])];
    return out;
}

TEST_CASE("record_operations: relabelled axes have the same places") {
    STATIC_CHECK(permute_axes(record("nk: w:u4 nk", {2, 3}), {1, 0}) == record("kn: w:u4 nk", {3, 2}));
    STATIC_CHECK(rename_axes(record("enk: w:u4 nek", {2, 3, 4}), {1, 2, 0}) == record("nke: w:u4 nek", {3, 4, 2}));
    STATIC_CHECK(check_permute_axes(record("nk: w:u4 nk", {2, 3}), {1, 1}) ==
                 verdict{reason::not_a_permutation, 1, 1, 2});
    STATIC_CHECK(check_rename_axes(record("nk: w:u4 nk", {2, 3}), {0}) == verdict{reason::rank_differs, -1, 1, 2});
    for_each_record([](const record& r) {
        if (!is_small(r)) return;
        permutation p = identity_permutation(r.ndims());
        for (int a = 0; a < p.size(); ++a) p[a] = (a + 1) % p.size();
        const record moved = permute_axes(r, p);
        check_same_places(r, moved, [&](const position& at) { return rename(at, p); });
        CHECK(moved.size_in_bits == r.size_in_bits);
        CHECK(rename_axes(moved, p) == r);
        CHECK(parse_record_tag(std::string_view(moved.tag.text().c_str())) == moved.tag);
    });
}

// Each value of a result has the place that it had. A dense layout says which value it is.
template <class Operation, class... Arguments>
bool keeps_values(const record& r, Operation apply, const Arguments&... arguments) {
    const auto made = apply.attempt(r, arguments...);
    if (!made) return false;
    const record* moved = nullptr;
    dim_t first_bit = 0;
    if constexpr (requires { made->part; }) {
        moved = &made->part;
        first_bit = 8 * static_cast<dim_t>(made->first_byte);
    } else {
        moved = &*made;
    }
    const layout numbers = *apply.attempt(layout(r.dims, detail::plain_tag(r.ndims())), arguments...);
    REQUIRE(numbers.dims == moved->dims);
    bool same = true;
    for_each_index(moved->dims, [&](const position& at) {
        dim_t number = numbers.offset(at);
        position before;
        for (int a = 0; a < r.ndims(); ++a) before.push_back(0);
        for (int a = r.ndims() - 1; a >= 0; number /= r.dims[a--]) before[a] = number % r.dims[a];
        for (const char* name : {"d", "q"})
            same = same && moved->bit_offset(name, at) + first_bit == r.bit_offset(name, before);
    });
    CHECK(same);
    return true;
}

TEST_CASE("every operation: works on records if it says which index becomes which") {
    int works_on = 0, moved = 0;
    plait_test::for_each_sample([&]<class Rule>(operation<Rule> apply, const auto&... constants) {
        constexpr bool works = detail::tried_operand<record, Rule, std::remove_cvref_t<decltype(constants.value)>...>;
        CHECK(works == (detail::moves_indices<Rule> || std::is_same_v<Rule, detail::product_rule>));
        if constexpr (works && detail::moves_indices<Rule>) {
            ++works_on;
            bool any = false;
            const layout operand = plait_test::sample_operand<Rule>;
            for (const char* text : {"a: a(d:f16, q:u4)", "a: A(d:f16 /2a, q:u4 2a)", "a: (d:f16 a, q:u4 a)",
                                     "ab: ab(d:f16, q:u4)", "ab: B(d:f16 a 2b, q:u4 2b a)", "abc: abc(d:f16, q:u4)",
                                     "abc: aC(d:f16 b /2c, q:u4 2c b)", "abc: (d:f16 cab, q:u4 bca)"}) {
                const auto tag = parse_record_tag(text);
                REQUIRE(tag.has_value());
                if (tag->ndims() != operand.ndims()) continue;
                const dims extents(operand.dims.begin(), static_cast<std::size_t>(operand.ndims()));
                any = keeps_values(record(*tag, extents), apply, constants.value...) || any;
            }
            moved += any;
        }
    });
    MESSAGE(works_on << " operations, " << moved << " of them move their sample");
    CHECK(works_on == 16);
    CHECK(moved == 11);  // the others repeat indices, leave some out, or cut a panel
}

TEST_CASE("record_operations: maps of indices that no record has are refused by number") {
    constexpr record r("nk: nK(d:f16 /4k, q:u4 4k)", {6, 8});
    STATIC_CHECK(check_broadcast_axis(record("nk: w:u4 nk", {1, 4}), 0, 3) ==
                 verdict{reason::layout_is_not_injective, 0, 3, 0});
    STATIC_CHECK(check_compose(r, layout({24}, strides{2})) == verdict{reason::extents_do_not_divide, 1, 4, 1});
    STATIC_CHECK(check_compose(r, layout({2, 8}, strides{8, 1})) == verdict{reason::extents_do_not_divide, 0, 2, 6});
    STATIC_CHECK(check_flatten(r, 0, 2) == verdict{reason::axis_is_out_of_range, -1, 2, 2});
    STATIC_CHECK(flatten(record("nk: w:u4 nk", {2, 6})) == record("k: w:u4 k", {12}));
    STATIC_CHECK(tile(r, {2, 4}).dims == dims{3, 2, 2, 4});
    // Axes of one element keep their names, whichever way they go.
    constexpr record units("nhwk: w:u4 nhwk", {1, 2, 1, 3});
    STATIC_CHECK(rename_axes(units, {2, 1, 0, 3}) == record("whnk: w:u4 nhwk", {1, 2, 1, 3}));
    STATIC_CHECK(rename_axes(units, {0, 2, 1, 3}) == record("nwhk: w:u4 nhwk", {1, 1, 2, 3}));
    STATIC_CHECK(flatten(units, 0, 1) == record("hwk: w:u4 hwk", {2, 1, 3}));
}

TEST_CASE("record_operations: an axis in parts, and parts joined") {
    STATIC_CHECK(split_axis(record("nk: w:u4 nk", {2, 12}), 1, {3, 4}) == record("nak: w:u4 nak", {2, 3, 4}));
    STATIC_CHECK(join_axes(record("nhk: w:u4 nhk", {2, 3, 4}), 1, 2) == record("nk: w:u4 nk", {2, 12}));
    STATIC_CHECK(join_axes(record("nhwk: w:u4 nwhk", {2, 3, 5, 4}), 1, 3) == record("nk: w:u4 n 5k@4 K 4k", {2, 60}));
    int splits = 0, equal = 0;
    for_each_record([&](const record& r) {
        if (!is_small(r)) return;
        for (int a = 0; a < r.ndims(); ++a)
            for (dim_t inside = 1; inside <= r.dims[a]; ++inside) {
                if (r.dims[a] % inside != 0) continue;
                const auto parts = try_split_axis(r, a, {r.dims[a] / inside, inside});
                if (!parts) {
                    const reason why = parts.error().reason;
                    CHECK((why == reason::field_is_not_regrouped || why == reason::axis_is_padded));
                    continue;
                }
                ++splits;
                check_same_places(r, *parts, [&](position at) {
                    at[a] = at[a] * inside + at[a + 1];
                    at.erase(a + 1);
                    return at;
                });
                CHECK(parts->size_in_bits == r.size_in_bits);
                const auto whole = try_join_axes(*parts, a, a + 1);
                CAPTURE(parts->tag.text().c_str());
                CAPTURE(inside);
                REQUIRE(whole.has_value());
                // Digits that chain, as 2k 32k, or digits of a sum may be one digit, or two, afterwards.
                check_same_places(r, *whole, [](const position& at) { return at; });
                equal += *whole == r;
            }
    });
    CHECK(splits > 100);
    CHECK(equal >= splits - 4);
    // Three parts are two splits.
    constexpr record rows("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {6, 128});
    STATIC_CHECK(split_axis(rows, 1, {2, 2, 32}) == record("nabk: nabK(d:f16 /32k, q:u4 16k 2k@16)", {6, 2, 2, 32}));
    STATIC_CHECK(join_axes(split_axis(rows, 1, {2, 2, 32}), 1, 3) == rows);
    // The digits that an f32 sum adds first are split with the axis.
    constexpr record sums("nk: N(K(q:u4 8n 32k, s:bf16 8n /32k), sum:f32 8n /k =sum(q*s;16k))", {8, 64});
    STATIC_CHECK(join_axes(split_axis(sums, 1, {2, 32}), 1, 2) == sums);
    STATIC_CHECK(split_axis(sums, 1, {8, 8}).tag.fields[2].content.first_digits.size() == 2);
}

TEST_CASE("record_operations: records of changed texts") {
    int done = 0;
    for_each_changed_record(9, 4000, 1500, [&](const record& r) {
        CAPTURE(r.tag.text().c_str());
        permutation p = identity_permutation(r.ndims());
        for (int a = 0; a < p.size(); ++a) p[a] = (a + 1) % p.size();
        check_same_places(r, permute_axes(r, p), [&](const position& at) { return rename(at, p); });
        REQUIRE(rename_axes(permute_axes(r, p), p) == r);
        for (int a = 0; a < r.ndims(); ++a) {
            for (const dim_t inside : {dim_t{1}, dim_t{2}, dim_t{8}, r.dims[a]}) {
                if (r.dims[a] % inside != 0) continue;
                const auto parts = try_split_axis(r, a, {r.dims[a] / inside, inside});
                if (!parts) continue;
                ++done;
                check_same_places(r, *parts, [&](position at) {
                    at[a] = at[a] * inside + at[a + 1];
                    at.erase(a + 1);
                    return at;
                });
            }
            const auto whole =
                a + 1 < r.ndims() ? try_join_axes(r, a, a + 1) : expected<record>(verdict{reason::axis_is_padded});
            if (whole) {
                ++done;
                check_same_places(r, *whole, [&](const position& at) {
                    position out;
                    for (int k = 0; k < at.size(); ++k) {
                        if (k == a) out.push_back(at[k] / r.dims[a + 1]);
                        out.push_back(k == a ? at[k] % r.dims[a + 1] : at[k]);
                    }
                    return out;
                });
            }
            const dim_t begin = r.dims[a] / 2 / 4 * 4;
            dims extents = r.dims;
            position offsets;
            for (int k = 0; k < r.ndims(); ++k) offsets.push_back(k == a ? begin : 0);
            extents[a] -= begin;
            const auto part = try_submemory(r, extents, offsets);
            if (!part) continue;
            ++done;
            check_same_places(
                r, part->part,
                [&](position at) {
                    at[a] += begin;
                    return at;
                },
                static_cast<dim_t>(part->first_byte) * 8);
        }
    });
    CHECK(done > 500);
}

TEST_CASE("record_operations: axes that are not split or joined") {
    using enum reason;
    constexpr dim_t w = detail::short_name(detail::field_name_of("w"));
    STATIC_CHECK(check_split_axis(record("nk: w:u4 nk", {2, 12}), 2, {3, 4}) ==
                 verdict{axis_is_out_of_range, -1, 2, 2});
    STATIC_CHECK(check_split_axis(record("nk: w:u4 nk", {2, 12}), 1, {3, 5}) == verdict{volumes_differ, 1, 12, 15});
    STATIC_CHECK(check_split_axis(record("nk: w:u4 NK 8k 2n", {2, 48}), 1, {4, 12}) ==
                 verdict{field_is_not_regrouped, 1, w, 8, 12});
    STATIC_CHECK(check_split_axis(record("nk: (w:u4 n[:6] nk, w:u4 n[6:] nk)", {12, 2}), 0, {3, 4}) ==
                 verdict{field_is_not_regrouped, 0, w, 6, 4});
    STATIC_CHECK(check_split_axis(record("nk: (w:u4 n[:8] nk, w:u4 n[8:] nk)", {12, 2}), 0, {3, 4}).ok());
    STATIC_CHECK(check_split_axis(record("kn: w:f16 KN <8k 4n", {12, 4}), 0, {3, 4}) ==
                 verdict{field_is_not_regrouped, 0, w, 8, 4});
    STATIC_CHECK(check_split_axis(record("nk: w:u4 N K 4k-n 8n", {8, 12}), 0, {4, 2}) ==
                 verdict{field_is_not_regrouped, 0, w, 4, 2});
    STATIC_CHECK(check_split_axis(record("nk: w:u4 N K 4k-n 8n", {8, 12}), 0, {2, 4}).ok());
    STATIC_CHECK(check_split_axis(record("nk: w:u4 NK 8n 2k ~n", {12, 2}), 0, {3, 4}).ok() == false);
    STATIC_CHECK(check_join_axes(record("nk: w:u4 NK 8k 2n", {2, 12}), 0, 1) == verdict{axis_is_padded, 1, 16, 12});
    STATIC_CHECK(check_join_axes(record("nk: (w:u4 k[:6] nk, w:u4 k[6:] nk)", {2, 12}), 0, 1) ==
                 verdict{field_is_not_regrouped, 1, w, 0, 0});
    STATIC_CHECK(check_join_axes(record("nk: w:u4 N K 4k-n 8n", {8, 12}), 0, 1).reason == field_is_not_regrouped);
    STATIC_CHECK(check_join_axes(record("nk: w:u4 nk", {2, 0}), 0, 1) == verdict{zero_extent_is_not_matched, 1, 0, 2});
    STATIC_CHECK(check_join_axes(record("nk: w:u4 nk", {2, 3}), 1, 0) == verdict{axis_is_out_of_range, -1, 1, 1});
}

TEST_CASE("record_operations: panels of the outermost loop are bytes of the record") {
    constexpr record packed("nk: NK(d:f16 4n /32k, q:u4 2k 4n 8k 2k@16)", {10, 64});
    STATIC_CHECK(submemory(packed, {6, 64}, {4, 0}) == record_slice{record(packed.tag, {6, 64}), 144});
    STATIC_CHECK(submemory(packed, {4, 32}, {4, 32}) == record_slice{record(packed.tag, {4, 32}), 144 + 72});
    int parts = 0;
    for_each_record([&](const record& r) {
        if (!is_small(r)) return;
        for (int a = 0; a < r.ndims(); ++a)
            for (dim_t begin = 0; begin < r.dims[a]; ++begin)
                for (dim_t end = begin; end <= r.dims[a]; end += r.dims[a] > 40 && end + 8 <= r.dims[a] ? 8 : 1) {
                    dims extents = r.dims;
                    position offsets;
                    for (int k = 0; k < r.ndims(); ++k) offsets.push_back(k == a ? begin : 0);
                    extents[a] = end - begin;
                    const auto part = try_submemory(r, extents, offsets);
                    if (!part) continue;
                    ++parts;
                    check_same_places(
                        r, part->part,
                        [&](position at) {
                            at[a] += begin;
                            return at;
                        },
                        static_cast<dim_t>(part->first_byte) * 8);
                    REQUIRE(part->first_byte + part->part.size_in_bytes() <= r.size_in_bytes());
                    // Two parts that meet are the whole.
                    if (begin != 0 || end == 0 || end == r.dims[a]) continue;
                    const auto rest = try_submemory(
                        r,
                        [&] {
                            dims e = r.dims;
                            e[a] -= end;
                            return e;
                        }(),
                        [&] {
                            position o = offsets;
                            o[a] = end;
                            return o;
                        }());
                    REQUIRE(rest.has_value());
                    REQUIRE(rest->first_byte == part->part.size_in_bytes());
                    REQUIRE(concatenate_along(part->part, rest->part, a) == r);
                }
    });
    CHECK(parts > 200);
}

TEST_CASE("record_operations: an expert of a model") {
    constexpr record experts("enk: eN(bias:f32 8n /k, w:s8 K 8n 4k, _:%64)", {3, 13, 10});
    STATIC_CHECK(slice(experts, 0, 2) == record_slice{record("nk: N(bias:f32 8n /k, w:s8 K 8n 4k, _:%64)", {13, 10}),
                                                      2 * experts.size_in_bytes() / 3});
    check_same_places(
        experts, slice(experts, 0, 1).part,
        [](const position& at) {
            return position{1, at[0], at[1]};
        },
        static_cast<dim_t>(slice(experts, 0, 1).first_byte) * 8);
    STATIC_CHECK(slice(record("nk: w:u8 nk", {4, 6}), 0, 3) == record_slice{record("k: w:u8 k", {6}), 18});
}

TEST_CASE("record_operations: parts and concatenations that are refused") {
    using enum reason;
    constexpr record packed("nk: NK(d:f16 4n /32k, q:u4 2k 4n 8k 2k@16)", {12, 64});
    STATIC_CHECK(check_submemory(packed, {4}, {4, 0}) == verdict{rank_differs, -1, 1, 2});
    STATIC_CHECK(check_submemory(packed, {9, 64}, {4, 0}) == verdict{part_is_outside_parent, 0, 13, 12});
    STATIC_CHECK(check_submemory(packed, {4, 64}, {2, 0}) == verdict{part_cuts_a_panel, 0, 2, 4, 4});
    STATIC_CHECK(check_submemory(packed, {7, 64}, {4, 0}) == verdict{part_cuts_a_panel, 0, 11, 4, 12});
    // Half of k of several panels is no run of bytes.
    STATIC_CHECK(check_submemory(packed, {8, 32}, {0, 0}) == verdict{part_cuts_a_panel, 1, 32, 64, 64});
    STATIC_CHECK(check_submemory(packed, {4, 32}, {0, 0}).ok());
    // Two fields one after the other are apart.
    constexpr record apart("ab: (w:s8 BA16a64b4a, comp:s32 B64b /a =sum(w)*-128)", {64, 128});
    STATIC_CHECK(check_submemory(apart, {64, 64}, {0, 0}) == verdict{part_cuts_a_panel, 1, 64, 128, 128});
    STATIC_CHECK(check_submemory(record("nk: w:u4 nk", {4, 3}), {2, 3}, {1, 0}) ==
                 verdict{chunk_ends_inside_a_byte, -1, detail::short_name(detail::field_name_of("w")), 12});
    STATIC_CHECK(check_slice(packed, 0, 4).reason == part_cuts_a_panel);
    // Slices with a step are parts, or are refused, because the bytes of a part are one run.
    STATIC_CHECK(strided_slice(packed, 0, 4, 8, 1) == submemory(packed, {4, packed.dims[1]}, {4, 0}));
    STATIC_CHECK(check_strided_slice(packed, 0, 0, 12, 4) == verdict{part_cuts_a_panel, 0, 1, 12, 12});
    STATIC_CHECK(check_strided_slice(packed, 0, 11, -1, -1) == verdict{part_cuts_a_panel, 0, 11, 12, 12});
    STATIC_CHECK(check_strided_slice(packed, 0, 0, 12, 0) == verdict{step_leads_away, 0, 0, 0, 12});
    STATIC_CHECK(check_strided_slice(packed, 0, 0, 13, 1) == verdict{part_is_outside_parent, 0, 13, 12});
    STATIC_CHECK(check_strided_slice(packed, 2, 0, 1, 1) == verdict{axis_is_out_of_range, -1, 2, 2});
    STATIC_CHECK(check_slice(packed, 0, 12) == verdict{position_is_out_of_range, 0, 12, 12});
    STATIC_CHECK(check_slice(packed, 2, 0) == verdict{axis_is_out_of_range, -1, 2, 2});
    STATIC_CHECK(check_slice(record("k: w:u8 k", {4}), 0, 0).reason == record_is_malformed);
    constexpr record rows("nk: w:u8 nk", {2, 3});
    STATIC_CHECK(check_concatenate_along(rows, record("nk: w:u8 kn", {2, 3}), 0) ==
                 verdict{record_tags_differ, -1, 10});
    STATIC_CHECK(check_concatenate_along(rows, record("nk: w:u8 nk", {2, 4}), 0) == verdict{dims_differ, 1, 3, 4});
    STATIC_CHECK(check_concatenate_along(rows, rows, 2) == verdict{axis_is_out_of_range, -1, 2, 2});
    STATIC_CHECK(check_concatenate_along(rows, rows, 1) == verdict{part_cuts_a_panel, 1, 3, 6, 6});
    STATIC_CHECK(check_concatenate_along(record(packed.tag, {10, 64}), packed, 0) ==
                 verdict{part_cuts_a_panel, 0, 10, 4, 12});
    STATIC_CHECK(check_concatenate_along(record("nk: w:u4 nk", {1, 3}), record("nk: w:u4 nk", {1, 3}), 0).reason ==
                 chunk_ends_inside_a_byte);
}

}}  // namespace test_packed_record_operations
