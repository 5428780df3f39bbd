// Conversions between descriptors and the fields that both versions of oneDNN have. The test needs no oneDNN.

#include <plait/interop/onednn_fields.hpp>

#include "laws/random_layouts.hpp"
#include "support/static_check.hpp"

#include <doctest/doctest.h>

using namespace plait;
using namespace plait::detail;

namespace {

constexpr int newest_type = 15;

onednn_fields fields(const descriptor& d) { return fields_of(d, newest_type).value(); }

/// Returns the offset of an element by oneDNN's formula: first the inner blocks, innermost first, then the strides.
dim_t offset_in(const onednn_fields& f, const position& at) {
    dim_t index[max_ndims]{}, offset = f.offset0, inside = 1;
    for (int a = 0; a < f.ndims; ++a) index[a] = at[a] + f.padded_offsets[a];
    for (int k = f.inner_nblks - 1; k >= 0; --k) {
        dim_t& i = index[f.inner_idxs[k]];
        offset += i % f.inner_blks[k] * inside;
        i /= f.inner_blks[k];
        inside *= f.inner_blks[k];
    }
    for (int a = 0; a < f.ndims; ++a) offset += index[a] * f.strides[a];
    return offset;
}

/// Returns quantised weights of a convolution, with both kinds of sums.
descriptor weights() { return {data_type::s8, layout({64, 32, 3, 3}, "ABcd4b16a4b"), {true, true, 1, 1, 0.5f}}; }

}  // namespace

TEST_CASE("onednn_fields: each field has the right value, in a constant expression") {
    constexpr onednn_fields f = fields_of(descriptor(data_type::f32, layout({2, 17, 5, 4}, "nChw8c")), 6).value();
    STATIC_CHECK(f.ndims == 4 && f.data_type == 3 && f.format_kind == onednn_kind::blocked && f.offset0 == 0);
    STATIC_CHECK(f.dims[1] == 17 && f.padded_dims[1] == 24 && f.padded_offsets[1] == 0);
    STATIC_CHECK(f.strides[0] == 480 && f.strides[1] == 160 && f.strides[2] == 32 && f.strides[3] == 8);
    STATIC_CHECK(f.inner_nblks == 1 && f.inner_blks[0] == 8 && f.inner_idxs[0] == 1 && f.flags == 0);
    STATIC_CHECK(descriptor_of_fields(f)->layout == layout({2, 17, 5, 4}, "nChw8c"));
}

TEST_CASE("onednn_fields: a round trip changes nothing, and each offset equals oneDNN's formula") {
    plait_test::random_source random(16);
    constexpr data_type types[] = {data_type::f64,     data_type::f32,     data_type::bf16, data_type::f16,
                                   data_type::f8_e5m2, data_type::f8_e4m3, data_type::s32,  data_type::u8};
    for (int i = 0; i < 3000; ++i) {
        const descriptor d(types[i % 8], random.small_layout());
        if (!check_onednn_strides(d.layout).ok()) {
            CHECK(fields_of(d, newest_type).error() == check_onednn_strides(d.layout));
            continue;
        }
        const onednn_fields f = fields(d);
        REQUIRE(descriptor_of_fields(f) == d);
        REQUIRE(fields(*descriptor_of_fields(f)) == f);
        for (dim_t n = 0; n < d.layout.volume(); ++n) {
            const position at = unravel(d.dims(), n);
            REQUIRE(d.layout.offset(at) == offset_in(f, at));
        }
    }
}

TEST_CASE("onednn_fields: round trips of undefined, any, and dynamic extents and strides") {
    CHECK(fields(descriptor()) == onednn_fields());
    CHECK(descriptor_of_fields({}) == descriptor());
    // Types below a byte, of which oneDNN 3 has some.
    for (const data_type type :
         {data_type::s4, data_type::u4, data_type::f4_e2m1, data_type::f4_e3m0, data_type::e8m0, data_type::boolean}) {
        const descriptor d(type, layout({3, 5}, "AB16b2a4b"));
        CHECK(descriptor_of_fields(fields(d)) == d);
    }
    for (const data_type none :
         {data_type::u1, data_type::u2, data_type::f6_e2m3, data_type::f6_e3m2, data_type::ue4m3})
        CHECK(fields_of(descriptor(none, layout({3, 5}, "ab")), newest_type).error() ==
              verdict{reason::library_has_no_type, -1, static_cast<dim_t>(none), newest_type});
    const descriptor any(data_type::s8, layout({3, 4}, "any"));
    CHECK(fields(any).format_kind == onednn_kind::any);
    CHECK(descriptor_of_fields(fields(any)) == any);
    const descriptor outermost(data_type::f32, layout({dynamic, 16, 4, 4}, "nChw8c"));
    CHECK(fields(outermost).dims[0] == dynamic);
    CHECK(descriptor_of_fields(fields(outermost)) == outermost);
    // An axis outside of a dynamic extent has a stride that depends on it. oneDNN only stores that the stride is
    // dynamic.
    const descriptor inside(data_type::f32, layout({2, dynamic, 4, 4}, "nchw"));
    CHECK(fields(inside).strides[0] == dynamic);
    CHECK(descriptor_of_fields(fields(inside))->layout == layout({2, dynamic, 4, 4}, strides{dynamic, 16, 4, 1}));
}

TEST_CASE("onednn_fields: compensation and scale_adjust are converted, with their masks") {
    const onednn_fields f = fields(weights());
    CHECK(f.flags == (1 | 2 | 8));
    CHECK(f.compensation_mask == 1);
    CHECK(f.asymm_compensation_mask == 1);
    CHECK(f.scale_adjust == 0.5f);
    CHECK(descriptor_of_fields(f) == weights());
    // oneDNN sets the flag with the factor 1 if the CPU has VNNI.
    onednn_fields one = f;
    one.scale_adjust = 1;
    CHECK(descriptor_of_fields(one)->extra == extra{true, true, 1, 1, 1});
    // A mask or a factor without its flag is ignored.
    onednn_fields none = f;
    none.flags = 0;
    CHECK(descriptor_of_fields(none) == descriptor(data_type::s8, weights().layout));
    none.flags = 4;
    CHECK(descriptor_of_fields(none).error() == verdict{reason::extra_flag_is_unknown, -1, 4, 11});
}

TEST_CASE("onednn_fields: fields without a layout are refused, with the reason") {
    const auto with = [](auto change) {
        onednn_fields f = fields(descriptor(data_type::f32, layout({2, 17, 5, 4}, "nChw8c")));
        change(f);
        return descriptor_of_fields(f).error();
    };
    const auto of_kind = [&](onednn_kind kind) { return with([kind](onednn_fields& f) { f.format_kind = kind; }); };
    CHECK(of_kind(onednn_kind::wino).reason == reason::format_is_winograd);
    CHECK(of_kind(onednn_kind::rnn_packed).reason == reason::format_is_packed_for_rnn);
    CHECK(of_kind(onednn_kind::opaque).reason == reason::layout_is_opaque);
    CHECK(of_kind(onednn_kind::sparse).reason == reason::format_is_sparse);
    CHECK(of_kind(onednn_kind::unknown).reason == reason::format_kind_is_unknown);
    CHECK(of_kind(onednn_kind::undef).reason == reason::layout_is_undefined);
    CHECK(of_kind(onednn_kind::sparse).status() == status::unimplemented);
    CHECK(with([](auto& f) { f.data_type = 16; }) == verdict{reason::data_type_is_unknown, -1, 16, 0});
    CHECK(with([](auto& f) { f.data_type = -1; }) == verdict{reason::data_type_is_unknown, -1, -1, 0});
    CHECK(with([](auto& f) { f.ndims = 13; }) == verdict{reason::too_many_axes, -1, 13, 12});
    CHECK(with([](auto& f) { f.ndims = -1; }).reason == reason::too_many_axes);
    CHECK(with([](auto& f) { f.inner_nblks = 13; }).reason == reason::layout_is_malformed);
    CHECK(with([](auto& f) { f.inner_idxs[0] = 4; }).reason == reason::layout_is_malformed);
    CHECK(with([](auto& f) { f.inner_idxs[0] = INT64_MAX; }).reason == reason::layout_is_malformed);
    CHECK_FALSE(with([](auto& f) { f.inner_blks[0] = 0; }).ok());
    CHECK_FALSE(with([](auto& f) { f.inner_blks[0] = -8; }).ok());
    CHECK_FALSE(with([](auto& f) { f.inner_blks[0] = INT64_MAX; }).ok());
    CHECK(with([](auto& f) { f.strides[0] = -1; }) == verdict{reason::library_has_no_stride, 0, -1, 0});
    CHECK(with([](auto& f) { f.strides[1] = 8; }).ok());
    CHECK(with([](auto& f) { f.padded_dims[1] = 20; }).reason == reason::padded_dim_does_not_fit);
    CHECK(with([](auto& f) { f.dims[2] = -3; }).reason == reason::dim_is_negative);
}

TEST_CASE("onednn_fields: layouts that no descriptor of oneDNN can hold are refused") {
    // Nested blocks with a gap between them: a view of a split axis.
    layout gap({4, 8}, "aB4b");
    gap.digits[2].stride = 2;
    gap.digits[1].stride = 8;
    gap.digits[0].stride = 16;
    const verdict why = fields_of(descriptor(data_type::f32, gap), newest_type).error();
    CHECK(why == verdict{reason::inner_block_does_not_fit, 1, 1, 2, 1});
    layout many({1}, "a");
    for (int k = 0; k < 13; ++k) many.digits.push_back({0, 2, dim_t{1} << (12 - k)});
    many.dims[0] = many.padded_dims[0] = 1 << 13;
    many.digits[0].stride = 1 << 13;
    CHECK(fields_of(descriptor(data_type::f32, many), newest_type).error().reason == reason::inner_block_does_not_fit);
    CHECK(fields_of(descriptor(data_type::f64, layout({2}, "a")), 6).error() ==
          verdict{reason::library_has_no_type, -1, static_cast<dim_t>(data_type::f64), 6});
    descriptor no_layout;
    no_layout.layout.kind = format_kind::opaque;
    no_layout.type = data_type::f32;
    CHECK_FALSE(fields_of(no_layout, newest_type).has_value());
}
