// Tests of interop/onednn.hpp with the installed oneDNN 2.

#include "interop/onednn_laws.hpp"

#include <plait/contract/check_descriptor_reorder.hpp>

using namespace plait;
using namespace plait::detail;
using plait_test::random_source;

namespace {

/// Checks that a descriptor made by oneDNN is unchanged after a conversion to plait and back.
void check_returns(const dnnl_memory_desc_t& md) {
    const expected<descriptor> d = try_from_onednn(md);
    REQUIRE_MESSAGE(d.has_value(), describe(d.error()).c_str());
    const onednn_descriptor back = to_onednn(*d);
    CHECK(dnnl_memory_desc_equal(&md, &back) != 0);
}

struct array_of {
    dnnl_dims_t numbers{};
    template <class Meaning>
    explicit array_of(const axis_numbers<Meaning>& from) {
        std::copy(from.begin(), from.end(), numbers);
    }
};

dnnl_memory_desc_t by_tag(const dims& extents, dnnl_data_type_t type, dnnl_format_tag_t tag) {
    dnnl_memory_desc_t out{};
    REQUIRE(dnnl_memory_desc_init_by_tag(&out, extents.size(), array_of(extents).numbers, type, tag) == dnnl_success);
    return out;
}

/// Limits the instruction sets of oneDNN before its first primitive. With AMX, which multiplies s8 by s8, the weights
/// of int8 need no compensation.
const dnnl_status_t limited_to_vnni = dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_vnni);

/// Returns the weights that a forward convolution of int8 prefers; they have compensation if the source is s8.
dnnl_memory_desc_t liked_weights(dnnl_data_type_t source, bool zero_point, bool grouped) {
    dnnl_engine_t engine = nullptr;
    dnnl_engine_create(&engine, dnnl_cpu, 0);
    const auto src = by_tag({1, 64, 14, 14}, source, dnnl_format_tag_any);
    const auto weights = grouped ? by_tag({2, 32, 32, 3, 3}, dnnl_s8, dnnl_format_tag_any)
                                 : by_tag({64, 64, 3, 3}, dnnl_s8, dnnl_format_tag_any);
    const auto dst = by_tag({1, 64, 14, 14}, dnnl_s32, dnnl_format_tag_any);
    const dnnl_dims_t ones{1, 1};
    dnnl_convolution_desc_t what;
    dnnl_convolution_forward_desc_init(&what, dnnl_forward_inference, dnnl_convolution_direct, &src, &weights, nullptr,
                                       &dst, ones, ones, ones);
    dnnl_primitive_attr_t attributes = nullptr;
    dnnl_primitive_attr_create(&attributes);
    const std::int32_t point = 3;
    if (zero_point) dnnl_primitive_attr_set_zero_points(attributes, DNNL_ARG_SRC, 1, 0, &point);
    dnnl_primitive_desc_t made = nullptr;
    REQUIRE(dnnl_primitive_desc_create(&made, &what, attributes, engine, nullptr) == dnnl_success);
    const dnnl_memory_desc_t out = *dnnl_primitive_desc_query_md(made, dnnl_query_weights_md, 0);
    dnnl_primitive_desc_destroy(made);
    dnnl_primitive_attr_destroy(attributes);
    dnnl_engine_destroy(engine);
    return out;
}

}  // namespace

TEST_CASE("onednn: every small random layout is unchanged after a conversion to oneDNN and back") {
    random_source random(26);
    constexpr data_type types[] = {data_type::f32, data_type::bf16, data_type::f16,
                                   data_type::s32, data_type::s8,   data_type::u8};
    int backwards = 0;
    for (int i = 0; i < 5000; ++i) {
        const layout l = random.small_layout();
        const verdict why = onednn_laws::ask_there_and_back({types[i % 6], l});
        // oneDNN has no negative strides.
        if (runs_backwards(l)) backwards += why.reason == reason::library_has_no_stride;
        else CHECK(why.ok());
    }
    CHECK(backwards > 100);
}

TEST_CASE("onednn: layouts of all its tags, parts and permutations of them are unchanged after a round trip") {
    const std::vector<format_tag> tags = onednn_laws::named_tags();
    CHECK(tags.size() > 400);
    random_source random(27);
    for (int i = 0; i < 10000; ++i)
        CHECK(onednn_laws::ask_there_and_back({data_type::f32, onednn_laws::random_tagged_layout(random, tags)}).ok());
}

TEST_CASE("onednn: descriptors made by oneDNN are equal after a round trip") {
    random_source random(28);
    for (int i = dnnl_format_tag_any; i < dnnl_format_tag_last; ++i) {
        const auto tag = static_cast<dnnl_format_tag_t>(i);
        const auto read = parse_format_tag(std::string_view(dnnl_fmt_tag2str(tag)));
        const int n = read ? read->ndims() : 3;
        dims extents = onednn_laws::random_extents(random, n);
        check_returns(by_tag(extents, dnnl_s8, tag));
        if (tag == dnnl_format_tag_any) continue;
        extents[static_cast<int>(random.between(0, n - 1))] = DNNL_RUNTIME_DIM_VAL;
        check_returns(by_tag(extents, dnnl_bf16, tag));
        extents = dims();
        for (int a = 0; a < n; ++a) extents.push_back(64);
        if (n > 4) continue;
        dnnl_memory_desc_t part{};
        const auto whole = by_tag(extents, dnnl_u8, tag);
        position first;
        for (int a = 0; a < n; ++a) first.push_back(0), extents[a] = 32;
        REQUIRE(dnnl_memory_desc_init_submemory(&part, &whole, array_of(extents).numbers, array_of(first).numbers) !=
                dnnl_invalid_arguments);
        check_returns(part);
    }
    check_returns(dnnl_memory_desc_t{});
}

TEST_CASE("onednn: weights that int8 convolutions prefer keep their compensation") {
    REQUIRE(limited_to_vnni == dnnl_success);
    for (const bool grouped : {false, true}) {
        const dnnl_memory_desc_t md = liked_weights(dnnl_s8, true, grouped);
        REQUIRE((md.extra.flags & dnnl_memory_extra_flag_compensation_conv_s8s8) != 0);
        const descriptor d = from_onednn(md);
        CHECK(d.extra.s8s8_compensation);
        CHECK(d.extra.s8s8_mask == (grouped ? 3 : 1));
        CHECK(d.extra.asymmetric_source_compensation ==
              ((md.extra.flags & dnnl_memory_extra_flag_compensation_conv_asymmetric_src) != 0));
        const bool factor = (md.extra.flags & dnnl_memory_extra_flag_scale_adjust) != 0;
        CHECK(d.extra.scale_adjust == (factor ? md.extra.scale_adjust : 1));
        dnnl_memory_desc_t said = md;
        // If the CPU has VNNI, the factor is 1, and the flag has no effect.
        if (d.extra.scale_adjust == 1) said.extra.flags &= ~std::uint64_t{dnnl_memory_extra_flag_scale_adjust};
        const onednn_descriptor back = to_onednn(d);
        CHECK(dnnl_memory_desc_equal(&said, &back) != 0);
    }
    check_returns(liked_weights(dnnl_u8, false, false));
}

TEST_CASE("onednn: from_onednn refuses descriptors without a layout, with the reason") {
    dnnl_memory_desc_t md = by_tag({32, 32, 3, 3}, dnnl_f32, dnnl_abcd);
    md.format_kind = dnnl_format_kind_wino;
    CHECK(try_from_onednn(md).error().reason == reason::format_is_winograd);
    md.format_kind = dnnl_format_kind_rnn_packed;
    CHECK(try_from_onednn(md).error().reason == reason::format_is_packed_for_rnn);
    md.format_kind = static_cast<dnnl_format_kind_t>(5);
    CHECK(try_from_onednn(md).error().reason == reason::format_kind_is_unknown);
    md = by_tag({32, 32, 3, 3}, dnnl_s8, dnnl_abcd);
    md.extra.flags = dnnl_memory_extra_flag_rnn_u8s8_compensation;
    CHECK(try_from_onednn(md).error().reason == reason::extra_flag_is_unknown);
    CHECK_THROWS_AS((void)from_onednn(md), rejection);
    CHECK(try_to_onednn({data_type::f64, layout({2}, "a")}).error().reason == reason::library_has_no_type);
    CHECK_THROWS_AS((void)to_onednn({data_type::f64, layout({2}, "a")}), rejection);
}

TEST_CASE("onednn: the example in docs/how-to.md") {
    const dnnl_memory_desc_t weights = liked_weights(dnnl_s8, false, false);

    const plait::descriptor liked = plait::from_onednn(weights);  // throws a rejection if it is wino, rnn_packed, ...
    const plait::layout mine({64, 64, 3, 3}, "oihw");
    const plait::onednn_descriptor theirs = plait::to_onednn({plait::data_type::f32, mine});

    CHECK(liked.dims() == mine.dims);
    CHECK(liked.extra.s8s8_compensation);
    CHECK(check_reorder(descriptor(data_type::f32, mine), liked).ok());  // plait writes the compensation too
    CHECK(theirs.ndims == 4);
}

TEST_CASE("onednn: from_onednn refuses the weights of Winograd's convolution") {
    dnnl_engine_t engine = nullptr;
    dnnl_engine_create(&engine, dnnl_cpu, 0);
    const auto src = by_tag({1, 64, 56, 56}, dnnl_f32, dnnl_format_tag_any);
    const auto weights = by_tag({64, 64, 3, 3}, dnnl_f32, dnnl_format_tag_any);
    const dnnl_dims_t ones{1, 1};
    dnnl_convolution_desc_t what;
    dnnl_convolution_forward_desc_init(&what, dnnl_forward_inference, dnnl_convolution_winograd, &src, &weights,
                                       nullptr, &src, ones, ones, ones);
    dnnl_primitive_desc_t made = nullptr;
    // oneDNN has this convolution only if the CPU has AVX-512.
    if (dnnl_primitive_desc_create(&made, &what, nullptr, engine, nullptr) == dnnl_success) {
        const dnnl_memory_desc_t& liked = *dnnl_primitive_desc_query_md(made, dnnl_query_weights_md, 0);
        CHECK(liked.format_kind == dnnl_format_kind_wino);
        CHECK(try_from_onednn(liked).error().reason == reason::format_is_winograd);
        dnnl_primitive_desc_destroy(made);
    }
    dnnl_engine_destroy(engine);
}
