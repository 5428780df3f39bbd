// Each C operation on descriptors equals the C++ operation on random layouts, out of place and in place.
// Queries of C descriptors, and the C functions that make descriptors from dims, equal those of C++.
// C functions that split an axis, join axes and compute offsets. Each gives the result of the C++ function on random
// layouts. Each refusal is also returned in fields.

#include "c_api/c_descriptors.hpp"

#include "laws/random_layouts.hpp"
#include "support/pattern_cases.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace test_c_api_descriptors { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Returns dims near those of l: some axes are joined, split, added or left out. Some results do not fit.
dims near(const dims& old, random_source& random) {
    dims out;
    for (dim_t extent : old) {
        const dim_t how = random.between(0, 7);
        if (how == 0 && extent == 1) continue;
        if (how < 3 && !out.empty()) out[out.size() - 1] *= extent;
        else if (how < 5 && extent % 2 == 0) out.push_back(extent / 2), out.push_back(2);
        else out.push_back(extent);
        if (how == 7) out.push_back(random.once_in(4) ? 2 : 1);
    }
    return out;
}

permutation some_order(int n, random_source& random) {
    permutation p = random.order(n);
    if (random.once_in(8)) p[0] = random.between(-1, n);
    return p;
}

TEST_CASE("C descriptors: every operation equals that of the C++ descriptor") {
    random_source random(71);
    int allowed = 0, refused = 0;
    for (int i = 0; i < 4000; ++i) {
        const descriptor d(data_type::f32, random.small_layout());
        const plait_memory_desc_t in = to_c(d);
        REQUIRE(plait_memory_desc_check(&in) == PLAIT_SUCCESS);
        std::string wrong;
        plait::expected<plait::descriptor> expected;
        const auto compare = [&](const plait::expected<plait::descriptor>& attempt, const auto& call) {
            expected = attempt;
            wrong = compare_calls(in, attempt, call);
        };
        const dims to = near(d.dims(), random);
        switch (i % 6) {
            case 0:
                compare(try_reshape(d, to), [&](auto* out, const auto* from) {
                    return plait_memory_desc_reshape(out, from, to.size(), to.values);
                });
                break;
            case 1:
                compare(try_view(d, to), [&](auto* out, const auto* from) {
                    return plait_memory_desc_view(out, from, to.size(), to.values);
                });
                break;
            case 2: {
                const auto flags = static_cast<unsigned>(random.between(0, 3));
                compare(try_extended_reshape(d, to, static_cast<reshape_flags>(flags)),
                        [&](auto* out, const auto* from) {
                            return plait_memory_desc_extended_reshape(out, from, to.size(), to.values, flags);
                        });
                break;
            }
            case 3: {
                dims part;
                position begin;
                for (dim_t extent : d.dims()) {
                    begin.push_back(random.between(0, extent));
                    part.push_back(random.between(0, extent - begin[begin.size() - 1] + (random.once_in(20) ? 1 : 0)));
                }
                compare(try_submemory(d, part, begin), [&](auto* out, const auto* from) {
                    return plait_memory_desc_submemory(out, from, part.values, begin.values);
                });
                break;
            }
            default: {
                const permutation p = some_order(d.ndims(), random);
                int numbers[max_ndims] = {};
                for (int a = 0; a < p.size(); ++a) numbers[a] = static_cast<int>(p[a]);
                if (i % 6 == 4)
                    compare(try_permute_axes(d, p), [&](auto* out, const auto* from) {
                        return plait_memory_desc_permute_axes(out, from, numbers);
                    });
                else
                    compare(try_rename_axes(d, p), [&](auto* out, const auto* from) {
                        return plait_memory_desc_rename_axes(out, from, numbers);
                    });
            }
        }
        INFO("operation " << i % 6 << ", layout " << to_string(d.layout) << ", to " << to_string(to) << ", "
                          << plait_last_refusal());
        CHECK(wrong == "");
        ++(expected.has_value() ? allowed : refused);
    }
    CHECK(allowed > 1000);
    CHECK(refused > 400);
}

TEST_CASE("C strided_slice: equals that of the C++ descriptor") {
    const descriptor d(data_type::s8, layout({2, 40, 3}, "aBc16b"));
    const plait_memory_desc_t from = to_c(d);
    int allowed = 0;
    for (dim_t begin = -1; begin < 41; begin += 3)
        for (dim_t end = -1; end < 42; end += 3)
            for (dim_t step = -17; step < 18; ++step) {
                const auto expected = try_strided_slice(d, 1, begin, end, step);
                plait_memory_desc_t out{};
                CHECK((plait_memory_desc_strided_slice(&out, &from, 1, begin, end, step) == PLAIT_SUCCESS) ==
                      expected.has_value());
                if (expected) CHECK(same_bytes(out, to_c(*expected)));
                allowed += expected.has_value();
            }
    CHECK(allowed > 100);
}

TEST_CASE("C of_size: elements of any of five sizes in the places of the layout") {
    const layout l({2, 17, 5, 4}, "nChw16c");
    const plait_memory_desc_t from = to_c(descriptor(data_type::u8, l));
    plait_memory_desc_t out{};
    for (const auto& [bytes, type] : {std::pair{1, data_type::u8}, std::pair{2, data_type::bf16},
                                      std::pair{4, data_type::s32}, std::pair{8, data_type::f64}}) {
        REQUIRE(plait_memory_desc_of_size(&out, &from, static_cast<std::size_t>(bytes)) == PLAIT_SUCCESS);
        CHECK(same_bytes(out, to_c(descriptor(type, l))));
    }
    REQUIRE(plait_memory_desc_of_size(&out, &from, 16) == PLAIT_SUCCESS);
    CHECK(out.data_type == PLAIT_F64);
    CHECK(plait_memory_desc_get_size(&out) == 16 * l.element_span());
    for (dim_t c = 0; c < 17; ++c)
        for (dim_t half = 0; half < 2; ++half) {
            const plait_dim_t at[] = {1, c, 4, 3, half};
            plait_dim_t offset = 0;
            REQUIRE(plait_memory_desc_get_offset(&offset, &out, at) == PLAIT_SUCCESS);
            CHECK(offset == 2 * l.offset(1, c, 4, 3) + half);
        }

    const plait_memory_desc_t twelve =
        to_c(descriptor(data_type::u8, layout({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, "abcdefghijkl")));
    CHECK(plait_memory_desc_of_size(&out, &twelve, 8) == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_of_size(&out, &twelve, 16) == PLAIT_INVALID_ARGUMENTS);
    CHECK(std::string_view(plait_last_refusal()).starts_with("ndims_is_out_of_range: in has 12 axes"));
}

TEST_CASE("C rearrange: equals that of the C++ descriptor") {
    random_source random(75);
    int allowed = 0, refused = 0, copied = 0;
    for (int i = 0; i < 2000; ++i) {
        const descriptor d(data_type::f16, random.small_layout());
        const pattern_case asked = random_pattern(random, d.dims());
        std::vector<named_extent> given;
        for (const auto& [name, extent] : asked.given) given.push_back({name, extent});
        if (random.once_in(10)) given.push_back({random.once_in(2) ? "n" : "unknown", random.between(-1, 3)});
        std::vector<const char*> names;
        std::vector<plait_dim_t> extents;
        for (const named_extent& e : given) {
            names.push_back(e.name.data());  // the name of a std::string or a literal ends with a 0
            extents.push_back(e.extent);
        }
        const std::string text = random.once_in(30) ? asked.text + " (" : asked.text;
        const plait::expected<axis_pattern> pattern = parse_axis_pattern(text);
        plait::expected<descriptor> expected{{}, pattern.error()};
        if (pattern) expected = try_rearrange(d, *pattern, {given.data(), given.size()});
        INFO(to_string(d.layout), "  ", text, "  ", plait_last_refusal());
        CHECK(compare_calls(to_c(d), expected, [&](auto* out, const auto* from) {
                  return plait_memory_desc_rearrange(out, from, text.c_str(), static_cast<int>(given.size()),
                                                     names.data(), extents.data());
              }) == "");
        ++(expected ? allowed : refused);
        // If only a copy can make the result, the refusal names the function that makes it.
        const bool copies = pattern && rearrange_needs_copy(d.layout, *pattern, {given.data(), given.size()});
        plait_memory_desc_t in = to_c(d), to = in, result = in;
        if (!expected) {
            static_cast<void>(plait_memory_desc_rearrange(&to, &in, text.c_str(), static_cast<int>(given.size()),
                                                          names.data(), extents.data()));
            CHECK(says("does it: rearrange_copy") == copies);
        }
        const plait_status_t status = plait_memory_desc_rearrange_copy(
            &to, &result, &in, text.c_str(), static_cast<int>(given.size()), names.data(), extents.data());
        if (!copies) continue;
        ++copied;
        REQUIRE(status == PLAIT_SUCCESS);
        const rearranged_copy copy = rearrange_copy(d.layout, *pattern, {given.data(), given.size()});
        CHECK(same_bytes(to, to_c(descriptor(data_type::f16, copy.to))));
        CHECK(same_bytes(result, to_c(descriptor(data_type::f16, copy.result))));
    }
    CHECK(allowed > 500);
    CHECK(refused > 200);
    CHECK(copied > 20);
}

TEST_CASE("C descriptors: every layout is kept, and each query gives the answer of C++") {
    random_source random(72);
    for (int i = 0; i < 2000; ++i) {
        const descriptor d(i % 2 == 0 ? data_type::bf16 : data_type::f64, random.small_layout());
        const plait_memory_desc_t in = to_c(d);
        INFO(to_string(d.layout));
        // Array entries after those that count are not read.
        plait_memory_desc_t dirty = in;
        for (int a = dirty.ndims; a < PLAIT_MAX_NDIMS; ++a)
            dirty.dims[a] = dirty.padded_dims[a] = dirty.padded_offsets[a] = dirty.blocking.strides[a] = 7;
        for (int k = dirty.blocking.inner_nblks; k < PLAIT_MAX_INNER_BLOCKS; ++k)
            dirty.blocking.inner_blks[k] = dirty.blocking.inner_idxs[k] = 3;
        int order[max_ndims];
        for (int a = 0; a < max_ndims; ++a) order[a] = a;
        plait_memory_desc_t out = pattern();
        REQUIRE(plait_memory_desc_permute_axes(&out, &dirty, order) == PLAIT_SUCCESS);
        CHECK(same_bytes(out, in));
        CHECK(plait_memory_desc_equal(&dirty, &in) == 1);

        CHECK(plait_memory_desc_get_size(&in) == d.memory_size_in_bytes());
        CHECK(plait_memory_desc_get_buffer_size(&in) == d.buffer_size_in_bytes());
        char name[1024];
        REQUIRE(plait_memory_desc_format_name(&in, name, sizeof name) == PLAIT_SUCCESS);
        CHECK(format_name(d.layout) == name);
        std::memset(name, 'x', sizeof name);
        const auto length = static_cast<std::size_t>(format_name(d.layout).size());
        CHECK(plait_memory_desc_format_name(&in, name, length) == PLAIT_INVALID_ARGUMENTS);
        CHECK(std::all_of(name, name + sizeof name, [](char c) { return c == 'x'; }));

        const descriptor other(d.type, random.small_layout());
        const plait_memory_desc_t second = to_c(other);
        CHECK(plait_memory_desc_equal(&in, &second) == (d == other ? 1 : 0));
        const format_tag tag = random.tag(d.ndims(), 2, 3);
        layout_name text;
        append_tag(text, tag, "abcdefghijkl");
        CHECK(plait_memory_desc_matches_tag(&in, text.c_str(), nullptr) == (matches_tag(d, tag) ? 1 : 0));
        const auto own = tag_of(d.layout);
        if (!own) continue;
        layout_name own_text;
        append_tag(own_text, *own, "abcdefghijkl");
        strides steps = d.layout.strides();
        CHECK(plait_memory_desc_matches_tag(&in, own_text.c_str(), steps.values) == 1);
        CHECK(plait_memory_desc_matches_tag(&in, own_text.c_str(), nullptr) == (matches_tag(d, *own) ? 1 : 0));
        ++steps[0];
        CHECK(plait_memory_desc_matches_tag(&in, own_text.c_str(), steps.values) ==
              (matches_tag(d, *own, steps) ? 1 : 0));
    }
}

TEST_CASE("C descriptors: the constructors from dims give the layouts of C++") {
    random_source random(73);
    for (int i = 0; i < 1000; ++i) {
        const int n = static_cast<int>(random.between(1, 6));
        dims extents;
        strides steps;
        for (int a = 0; a < n; ++a) extents.push_back(random.once_in(20) ? -1 : random.between(0, 40));
        for (int a = 0; a < n; ++a) steps.push_back(random.between(0, 6) << 4 * (n - 1 - a));
        const format_tag tag = random.tag(random.once_in(10) ? 3 : n, 3, 8);
        layout_name text;
        append_tag(text, tag, "abcdefghijkl");
        const auto compare = [&](const plait::expected<plait::layout>& made, const auto& call) {
            plait::expected<plait::descriptor> expected;
            expected.error() = made.error();
            expected->type = data_type::s8;
            expected->layout = *made;
            CHECK(compare_calls(pattern(), expected, call) == "");
        };
        compare(make_layout(extents, tag), [&](auto* out, const auto*) {
            return plait_memory_desc_init_by_tag(out, n, extents.values, PLAIT_S8, text.c_str());
        });
        compare(make_layout(extents, steps), [&](auto* out, const auto*) {
            return plait_memory_desc_init_by_strides(out, n, extents.values, steps.values, PLAIT_S8);
        });
        compare(make_layout(extents, plain_tag(n)), [&](auto* out, const auto*) {
            return plait_memory_desc_init_by_strides(out, n, extents.values, nullptr, PLAIT_S8);
        });
        compare(make_layout(extents, tag, steps), [&](auto* out, const auto*) {
            return plait_memory_desc_init_by_tag_and_strides(out, n, extents.values, PLAIT_S8, text.c_str(),
                                                             steps.values);
        });
    }
}

TEST_CASE("C descriptors: dynamic extents stay dynamic until they are bound") {
    const plait_dim_t extents[] = {INT64_MIN, 17, INT64_MIN, 4};
    plait_memory_desc_t d;
    REQUIRE(plait_memory_desc_init_by_tag(&d, 4, extents, PLAIT_F32, "nChw16c") == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_get_size(&d) == 0);
    CHECK(says("dim_is_dynamic"));
    const plait_dim_t values[] = {2, 5};
    REQUIRE(plait_memory_desc_bind(&d, &d, 2, values) == PLAIT_SUCCESS);
    CHECK(same_bytes(d, to_c(layout({2, 17, 5, 4}, "nChw16c"))));
    CHECK(plait_memory_desc_bind(&d, &d, 1, values) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("bound_values_do_not_match"));
}

TEST_CASE("C descriptors: the compensation that extra requires is kept, counted and permuted") {
    descriptor d(data_type::s8, layout({32, 16, 3, 3}, "OIhw4i16o4i"));
    d.extra.s8s8_compensation = d.extra.asymmetric_source_compensation = true;
    d.extra.s8s8_mask = 1;
    d.extra.asymmetric_source_mask = 3;
    d.extra.scale_adjust = 0.5f;
    const plait_memory_desc_t in = to_c(d);
    CHECK(in.extra.flags ==
          (PLAIT_EXTRA_COMPENSATION_S8S8 | PLAIT_EXTRA_SCALE_ADJUST | PLAIT_EXTRA_COMPENSATION_ASYMMETRIC_SOURCE));
    CHECK(plait_memory_desc_get_size(&in) == d.memory_size_in_bytes());
    CHECK(plait_memory_desc_get_size(&in) == 32 * 16 * 9 + 4 * 32 + 4 * 32 * 16);
    const int order[] = {1, 0, 2, 3};
    CHECK(compare_calls(in, try_permute_axes(d, {1, 0, 2, 3}), [&](auto* out, const auto* from) {
              return plait_memory_desc_permute_axes(out, from, order);
          }) == "");
    plait_memory_desc_t permuted;
    REQUIRE(plait_memory_desc_permute_axes(&permuted, &in, order) == PLAIT_SUCCESS);
    CHECK((permuted.extra.compensation_mask == 2 && permuted.extra.asymmetric_source_mask == 3));
    CHECK(plait_memory_desc_get_size(&permuted) == plait_memory_desc_get_size(&in));
    const plait_dim_t to[] = {32, 16, 9};
    CHECK(compare_calls(in, try_reshape(d, {32, 16, 9}), [&](auto* out, const auto* from) {
              return plait_memory_desc_reshape(out, from, 3, to);
          }) == "");
    CHECK(says("descriptor_has_extra"));
}

/// Checks that the fields of the last refusal equal those of the verdict.
void same_fields(const verdict& why) {
    plait_refusal_t fields;
    REQUIRE(plait_get_last_refusal(&fields) == PLAIT_SUCCESS);
    CHECK(std::string(fields.reason) == to_string(why.reason));
    CHECK(fields.axis == why.axis);
    CHECK(fields.numbers[0] == why.first);
    CHECK(fields.numbers[1] == why.second);
    CHECK(fields.numbers[2] == why.third);
    CHECK(fields.reserved == 0);
}

TEST_CASE("C axes: split_axis and join_axes equal those of the C++ descriptor; a refusal has its numbers in fields") {
    random_source random(76);
    int allowed = 0, refused = 0;
    for (int i = 0; i < 2000; ++i) {
        const descriptor d(data_type::f32, random.small_layout());
        const plait_memory_desc_t in = to_c(d);
        const int axis = static_cast<int>(random.between(random.once_in(10) ? -1 : 0, d.ndims() - 1));
        const int last = axis + static_cast<int>(random.between(random.once_in(10) ? -1 : 0, 2));
        const dim_t factor = random.between(1, 3);
        dims parts{factor};
        if (axis >= 0 && d.dims()[axis] % factor == 0) parts.push_back(d.dims()[axis] / factor);
        const bool splits = i % 2 == 0;
        const expected<descriptor> made = splits ? try_split_axis(d, axis, parts) : try_join_axes(d, axis, last);
        INFO(to_string(d.layout) << ", axis " << axis << " to " << last << ", parts " << to_string(parts));
        CHECK(compare_calls(in, made, [&](auto* out, const auto* from) {
                  return splits ? plait_memory_desc_split_axis(out, from, axis, parts.size(), parts.values)
                                : plait_memory_desc_join_axes(out, from, axis, last);
              }) == "");
        if (!made) same_fields(made.error());
        ++(made.has_value() ? allowed : refused);
    }
    CHECK(allowed > 500);
    CHECK(refused > 200);
}

TEST_CASE("C offsets: equal the offset of the layout; a position out of range is refused and nothing is written") {
    random_source random(77);
    for (int i = 0; i < 2000; ++i) {
        const descriptor d(data_type::u8, random.small_layout());
        const plait_memory_desc_t in = to_c(d);
        position at;
        for (dim_t extent : d.dims()) at.push_back(random.between(random.once_in(20) ? -1 : 0, extent));
        const verdict why = check_position(d.layout, d.dims(), at);
        plait_dim_t offset = -7;
        const plait_status_t status = plait_memory_desc_get_offset(&offset, &in, at.values);
        CHECK(status == to_c(why.status()));
        CHECK(offset == (why.ok() ? d.layout.offset(at) : -7));
        if (!why.ok()) same_fields(why);
    }
}

TEST_CASE("C refusals: a null descriptor has fields too; null arguments and too many parts are refused") {
    plait_refusal_t fields;
    CHECK(plait_memory_desc_check(nullptr) == PLAIT_INVALID_ARGUMENTS);
    REQUIRE(plait_get_last_refusal(&fields) == PLAIT_SUCCESS);
    CHECK(std::string(fields.reason) == "pointer_is_null");
    CHECK(fields.axis == -1);
    CHECK(fields.numbers[0] == 0);
    // A refused call of plait_get_last_refusal keeps the fields of the refusal before it, except the numbers.
    const plait_memory_desc_t d = to_c(layout({2, 17}, "nc"));
    const plait_dim_t outside[] = {0, 17};
    plait_dim_t offset = 0;
    CHECK(plait_memory_desc_get_offset(&offset, &d, outside) == PLAIT_INVALID_ARGUMENTS);
    same_fields({reason::position_is_out_of_range, 1, 17, 17});
    CHECK(plait_get_last_refusal(nullptr) == PLAIT_INVALID_ARGUMENTS);
    REQUIRE(plait_get_last_refusal(&fields) == PLAIT_SUCCESS);
    CHECK(std::string(fields.reason) == "pointer_is_null");
    CHECK(fields.numbers[0] == 0);

    CHECK(plait_memory_desc_get_offset(nullptr, &d, outside) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("out is null"));
    CHECK(plait_memory_desc_get_offset(&offset, &d, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("position is null"));
    plait_memory_desc_t out = pattern();
    CHECK(plait_memory_desc_split_axis(&out, &d, 1, 2, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("new_dims is null"));
    CHECK(plait_memory_desc_split_axis(&out, &d, 1, 13, outside) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_memory_desc_join_axes(nullptr, &d, 0, 1) == PLAIT_INVALID_ARGUMENTS);
    CHECK(same_bytes(out, pattern()));
}

TEST_CASE("C forget_padding: equals that of the C++ descriptor, and the axes can be joined afterwards") {
    plait_memory_desc_t padded, out = pattern();
    const plait_dim_t extents[] = {3, 4}, all[] = {12};
    CHECK(plait_memory_desc_init_by_tag(&padded, 2, extents, PLAIT_F32, "Ab4a") == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_view(&out, &padded, 1, all) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("axis_is_padded"));
    CHECK(plait_memory_desc_forget_padding(&out, &padded) == PLAIT_SUCCESS);
    CHECK(out.padded_dims[0] == 3);
    CHECK(plait_memory_desc_view(&out, &out, 1, all) == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_forget_padding(nullptr, &padded) == PLAIT_INVALID_ARGUMENTS);
}

TEST_CASE("C recast: equals that of the C++ descriptor; the type is that of the new elements") {
    plait_memory_desc_t in, out = pattern();
    const plait_dim_t extents[] = {2, 8};
    REQUIRE(plait_memory_desc_init_by_tag(&in, 2, extents, PLAIT_F32, "ab") == PLAIT_SUCCESS);
    REQUIRE(plait_memory_desc_recast(&out, &in, PLAIT_U8) == PLAIT_SUCCESS);
    const descriptor made = recast(descriptor(data_type::f32, layout({2, 8}, "ab")), data_type::u8);
    CHECK(made.dims() == dims{2, 32});
    const plait_memory_desc_t wanted = to_c(made);
    CHECK(same_bytes(out, wanted));
    CHECK(plait_memory_desc_recast(&out, &out, PLAIT_F32) == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_equal(&out, &in) == 1);
    // 2^62 bytes fit in 63 bits; as many elements of the type before would not.
    const plait_dim_t many = plait_dim_t{1} << 60;
    REQUIRE(plait_memory_desc_init_by_tag(&out, 1, &many, PLAIT_F32, "a") == PLAIT_SUCCESS);
    CHECK(plait_memory_desc_recast(&out, &out, PLAIT_U8) == PLAIT_SUCCESS);
    CHECK(out.dims[0] == many * 4);
    CHECK(plait_memory_desc_recast(&out, &in, PLAIT_UNDEF) == PLAIT_INVALID_ARGUMENTS);
    CHECK(says("data_type_is_unknown"));
    CHECK(plait_memory_desc_recast(&out, &in, static_cast<plait_data_type_t>(99)) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_memory_desc_recast(nullptr, &in, PLAIT_U8) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_memory_desc_recast(&out, nullptr, PLAIT_U8) == PLAIT_INVALID_ARGUMENTS);
}

TEST_CASE("C runs: those of the C++ layouts") {
    const plait_memory_desc_t nhwc = to_c(layout({1, 32, 5, 4}, "acdb")),
                              blocked = to_c(layout({1, 32, 5, 4}, "aBcd16b"));
    plait_dim_t run = -1;
    CHECK(plait_memory_desc_get_common_run(&run, &nhwc, &blocked) == PLAIT_SUCCESS);
    CHECK(run == 16);
    CHECK(plait_memory_desc_get_common_run(nullptr, &nhwc, &blocked) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_memory_desc_get_common_run(&run, &nhwc, nullptr) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_memory_desc_is_contiguous_along(&nhwc, 1) == 1);
    CHECK(plait_memory_desc_is_contiguous_along(&blocked, 1) == 0);
    CHECK(plait_memory_desc_is_contiguous_along(&nhwc, 7) == 0);
    CHECK(plait_memory_desc_is_contiguous_along(nullptr, 1) == 0);
}

TEST_CASE("C: the fewest contiguous copies") {
    const plait_memory_desc_t src = to_c(layout({1, 17, 5, 4}, "acdb")), dst = to_c(layout({1, 17, 5, 4}, "aBcd16b"));
    plait_dim_t count = -1;
    CHECK(plait_count_copies(&count, &src, &dst) == PLAIT_SUCCESS);
    CHECK(count == 40);
    std::vector<plait_contiguous_copy_t> copies(41, {-1, -1, -1});
    CHECK(plait_list_copies(copies.data(), 39, &src, &dst) == PLAIT_INVALID_ARGUMENTS);
    CHECK(std::string(plait_last_refusal()) == "buffer_is_too_small: out has room for 39 copies, but there are 40");
    CHECK(copies[0].count == -1);
    CHECK(plait_list_copies(copies.data(), 40, &src, &dst) == PLAIT_SUCCESS);
    CHECK((copies[1].dst == 16 && copies[1].src == 17 && copies[1].count == 16));
    CHECK((copies[20].dst == 320 && copies[20].src == 16 && copies[20].count == 1 && copies[40].count == -1));
    const plait_memory_desc_t other = to_c(layout({1, 17, 4, 5}, "abcd"));
    CHECK(plait_count_copies(&count, &src, &other) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_count_copies(nullptr, &src, &dst) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_count_copies(&count, nullptr, &dst) == PLAIT_INVALID_ARGUMENTS);
    CHECK(plait_list_copies(nullptr, 40, &src, &dst) == PLAIT_INVALID_ARGUMENTS);
    const plait_memory_desc_t empty = to_c(layout({0, 3}, "ab"));
    CHECK(plait_list_copies(nullptr, 0, &empty, &empty) == PLAIT_SUCCESS);
    CHECK(count == 40);
}

TEST_CASE("C refusals: the name of every reason fits into the field") {
    constexpr int count = sizeof(reasons) / sizeof(reasons[0]);
    for (const reason_entry& entry : reasons) CHECK(std::string(entry.name).size() < sizeof(plait_refusal_t::reason));
    CHECK(count > 100);
}

}}  // namespace test_c_api_descriptors
