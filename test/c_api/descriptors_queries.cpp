// Queries of C descriptors, and the C functions that make descriptors from dims, equal those of C++.

#include "c_api/c_descriptors.hpp"
#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace test_c_api_descriptors_queries {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

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

}  // namespace test_c_api_descriptors_queries
