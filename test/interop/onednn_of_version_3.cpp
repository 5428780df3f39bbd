// Tests of interop/onednn.hpp with the C interface of oneDNN 3. A stub replaces the library: stub_of_onednn_3.

#include "interop/onednn_laws.hpp"

#include <plait/io/print.hpp>

#include <stub.hpp>

using namespace plait;
using namespace plait::detail;
using plait_test::random_source;

namespace {

onednn_descriptor by_tag(const dims& extents, dnnl_data_type_t type, dnnl_format_tag_t tag) {
    dnnl_memory_desc_t out = nullptr;
    REQUIRE(dnnl_memory_desc_create_with_tag(&out, extents.size(), extents.begin(), type, tag) == dnnl_success);
    return onednn_descriptor(out);
}

}  // namespace

TEST_CASE("onednn 3: every small random layout is unchanged after a round trip, or refused because no tag makes it") {
    random_source random(36);
    int made = 0, plain = 0;
    for (int i = 0; i < 6000; ++i) {
        const layout l = random.small_layout();
        const verdict why = onednn_laws::ask_there_and_back({data_type::f32, l});
        made += why.ok();
        bool is_padded = l.is_padded();
        for (int a = 0; a < l.ndims(); ++a) is_padded = is_padded || l.padded_offsets[a] != 0;
        if (l.inner_blocks().empty() && !is_padded && l.offset0 == 0 && !runs_backwards(l)) {
            ++plain;
            // oneDNN refuses strides if elements share places.
            CHECK((why.ok() || (why.reason == reason::library_refuses && !check_nesting(l).ok())));
        }
        // oneDNN has no negative strides.
        const bool said = why.ok() || why.reason == reason::library_has_no_tag ||
                          why.reason == reason::library_refuses ||
                          (runs_backwards(l) && why.reason == reason::library_has_no_stride);
        CHECK(said);
    }
    CHECK(plain > 500);
    CHECK(made > plain);
}

TEST_CASE("onednn 3: layouts of all its tags, parts and permutations of them can be made") {
    const std::vector<format_tag> tags = onednn_laws::named_tags();
    CHECK(tags.size() == 14);
    random_source random(37);
    int refused = 0;
    for (int i = 0; i < 5000; ++i) {
        const layout l = onednn_laws::random_tagged_layout(random, tags);
        const verdict why = onednn_laws::ask_there_and_back({data_type::f32, l});
        // If an axis has at most one element, its stride does not show its position in memory.
        bool has_small_axis = false;
        for (const dim_t extent : l.dims) has_small_axis = has_small_axis || extent <= 1;
        if (!has_small_axis)
            CHECK_MESSAGE(why.ok(), std::string(describe(why).c_str()), " ", to_string(l),
                          std::string(format_name(l).c_str()));
        refused += !why.ok();
    }
    CHECK(refused < 50);
}

TEST_CASE("onednn 3: round trips of undefined, any, dynamic extents, and the types that are new in version 3") {
    for (const descriptor& d : {descriptor(), descriptor(data_type::s8, layout({3, 4}, "any")),
                                descriptor(data_type::f32, layout({dynamic, 16, 4, 4}, "nChw8c")),
                                descriptor(data_type::f64, layout({dynamic, 16, 4, 4}, "nhwc")),
                                descriptor(data_type::f8_e4m3, layout({2, dynamic}, strides{dynamic, 1}))})
        CHECK_MESSAGE(onednn_laws::ask_there_and_back(d).ok(), format_name(d.layout).c_str());
    CHECK(from_onednn(by_tag({2, 3}, dnnl_f8_e5m2, dnnl_ab).get()).type == data_type::f8_e5m2);
    CHECK(from_onednn(by_tag({2, 4}, dnnl_u4, dnnl_ab).get()).type == data_type::u4);
}

TEST_CASE("onednn 3: from_onednn refuses descriptors without a layout, with the reason") {
    const onednn_descriptor made = by_tag({32, 32, 3, 3}, dnnl_s8, dnnl_ABcd4b16a4b);
    dnnl_memory_desc md = *made.get();
    CHECK(try_from_onednn(&md).has_value());
    md.format_kind = dnnl_format_kind_opaque;
    CHECK(try_from_onednn(&md).error().reason == reason::layout_is_opaque);
    md.format_kind = dnnl_format_kind_sparse;
    CHECK(try_from_onednn(&md).error().reason == reason::format_is_sparse);
    md.format_kind = static_cast<dnnl_format_kind_t>(5);
    CHECK(try_from_onednn(&md).error().reason == reason::format_kind_is_unknown);
    CHECK(try_from_onednn(nullptr).error() == verdict{reason::library_refuses, -1, dnnl_invalid_arguments, 0});
}

TEST_CASE("onednn 3: extra cannot be queried, so any extra is refused") {
    const onednn_descriptor made = by_tag({32, 32, 3, 3}, dnnl_s8, dnnl_ABcd4b16a4b);
    dnnl_memory_desc md = *made.get();
    for (const std::uint64_t flags : {1u, 2u, 4u, 8u, 32u}) {
        md.extra_flags = flags;
        CHECK(try_from_onednn(&md).error().reason == reason::descriptor_has_extra);
    }
    // If extents are dynamic, the library cannot detect extra by a query, so plait compares with a descriptor without
    // extra.
    dnnl_memory_desc open = *by_tag({DNNL_RUNTIME_DIM_VAL, 32, 3, 3}, dnnl_s8, dnnl_ABcd4b16a4b).get();
    CHECK(try_from_onednn(&open).has_value());
    open.extra_flags = 1;
    CHECK(try_from_onednn(&open).error().reason == reason::descriptor_has_extra);
    CHECK(try_to_onednn({data_type::s8, layout({32, 32, 3, 3}, "ABcd4b16a4b"), {true, false, 1, 0, 1}}).error() ==
          verdict{reason::descriptor_has_extra});
}

TEST_CASE("onednn 3: layouts without a tag are refused, and so are those that oneDNN refuses") {
    CHECK(try_to_onednn({data_type::f32, layout({2, 25, 4, 4}, "aBcd5b")}).error() ==
          verdict{reason::library_has_no_tag, -1, 4, 1});
    // The blocks must be those of a tag; the axes may be permuted and cut.
    CHECK(try_to_onednn({data_type::f32, layout({4, 4, 32, 2}, "dCab16c")}).has_value());
    layout padded({4, 6}, "ab");
    padded.dims[1] = 5;
    CHECK(try_to_onednn({data_type::f32, padded}).error().reason == reason::library_refuses);
    CHECK_THROWS_AS((void)to_onednn({data_type::f32, padded}), rejection);
}

TEST_CASE("onednn 3: a moved descriptor keeps its handle") {
    onednn_descriptor a = to_onednn({data_type::f32, layout({2, 3}, "ab")});
    const const_dnnl_memory_desc_t handle = a.get();
    onednn_descriptor b = std::move(a);
    CHECK(b.get() == handle);
    onednn_descriptor c;
    c = std::move(b);
    CHECK(c.get() == handle);
    onednn_descriptor(c.release());
    CHECK(c.get() == nullptr);
}
