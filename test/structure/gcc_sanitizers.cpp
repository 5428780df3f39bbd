// Code of a user's build with sanitizers: static reorders of each kind, views, and the algebra in constants. With
// -fsanitize=undefined GCC 12 evaluates fewer constant expressions: it does not compare the address of an object with
// null. The program has only a few kinds, because kernels with sanitizers take minutes to compile. -DEVERY_KIND adds
// all kinds and reorders of descriptors, for -fsyntax-only.

#include <plait/plait.hpp>
#include <plait/reorder/converted_rows.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

using plait::bfloat16, plait::layout, plait::reorder_attributes;

namespace {

constexpr layout nchw({2, 17, 5, 4}, "nchw"), nhwc({2, 17, 5, 4}, "nhwc"), blocked({2, 17, 5, 4}, "nChw16c"),
    eights({2, 17, 5, 4}, "nChw8c");
constexpr layout oihw({20, 9, 3, 2}, "oihw"), quads({20, 9, 3, 2}, "OIhw4i16o4i");
constexpr layout apart({33, 18}, plait::strides{40, 2}), turned({33, 18}, "ba");
// Both axes have two levels of blocks, with a remainder at each level.
constexpr layout matrix({45, 41}, "ab"), nested({45, 41}, "BA8a4b2a2b");

int wrong = 0;

template <layout Src, layout Dst, class T, class U>
void check(const char* name, const reorder_attributes& attributes = {}) {
    std::vector<T> in(Src.element_span());
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<T>(static_cast<float>(static_cast<int>(i * 7 % 100)) - 50);
    std::vector<U> expected(Dst.element_span(), static_cast<U>(3.0f)), found = expected;
    plait::reference_reorder(Src, in.data(), Dst, expected.data(), attributes);
    if (plait::detail::is_trivial(attributes)) plait::reorder<Src, Dst>(in.data(), found.data());
    else plait::reorder<Src, Dst>(in.data(), found.data(), attributes);
    if (std::memcmp(expected.data(), found.data(), found.size() * sizeof(U)) != 0) {
        std::printf("%s: other bytes than the reference\n", name);
        ++wrong;
    }
}

void check_reorders() {
    check<nchw, blocked, float, float>("moved");
    check<blocked, nchw, std::int8_t, float>("by tensor", {.src_scale = 0.5f});
#if defined(EVERY_KIND)
    check<blocked, nhwc, float, float>("moved out of blocks");
    check<oihw, quads, std::int8_t, std::int8_t>("bytes in blocks of two axes");
    check<apart, turned, std::uint8_t, std::uint8_t>("strides");
    check<nchw, nhwc, float, bfloat16>("converted");
    const std::vector<float> by_channel(17, 0.5f), by_image(2, 2.0f);
    const std::vector<std::int32_t> zeros(17, 2);
    check<nchw, blocked, float, std::int8_t>("by channel",
                                             {.dst_scale = {by_channel, 1 << 1}, .dst_zero_point = {zeros, 1 << 1}});
    check<nhwc, eights, float, std::uint8_t>("by image", {.src_scale = {by_image, 1 << 0}, .src_zero_point = 3});
    check<nchw, nhwc, float, float>("with beta", {.src_scale = 2.0f, .beta = 0.5f});
    check<nchw, blocked, float, std::int32_t>(
        "with all of it", {.src_scale = {by_channel, 1 << 1}, .dst_scale = 0.25f, .dst_zero_point = 1, .beta = 1});
    check<matrix, nested, float, std::int8_t>("twice blocked", {.dst_scale = 0.5f});
    check<nested, matrix, std::int8_t, std::int8_t>("out of it", {.src_zero_point = 1});
#endif
}

// Constants of each kind: made from text and strides, reshaped, permuted, cut, composed, inverted, searched.
static_assert(plait::reshape(nchw, {34, 20}).ndims() == 2 && plait::reshape(blocked, {2, 17, 20}).ndims() == 3);
static_assert(plait::permute_axes(blocked, {0, 2, 3, 1}).dims[1] == 4);
static_assert(plait::split_axis(nchw, 2, {5, 1}).ndims() == 5 && plait::join_axes(nchw, 2, 3).dims[2] == 20);
static_assert(plait::position_of(blocked, blocked.offset(1, 16, 2, 3)) == plait::position{1, 16, 2, 3});
static_assert(plait::matches_tag(quads, "OIhw4i16o4i") && plait::hash_of(quads) != plait::hash_of(oihw));
static_assert(plait::is_injective(plait::compose(nchw, plait::layout({8}, plait::strides{3}))));

void check_views() {
    using to_blocks = plait::nChw16c<2, 17, 5, 4>;
    std::vector<float> memory(to_blocks::value.element_span(), 1.0f);
    const plait::tensor_view v(memory.data(), to_blocks());
    v(1, 16, 2, 3) = 5;
    const auto turned_view = plait::permute_axes(v, plait::permutation_c<0, 3, 1, 2>);
    float sum = 0;
    plait::for_each_element(v, [&](float& x) { sum += x; });
    const plait::tensor_view at_run_time(memory.data(), blocked);
    const bool holds =
        turned_view(1, 2, 3, 16) == 5 && at_run_time.at(1, 16, 2, 3) == 5 && sum == 684 && v.block(1, 1, 2, 3)[0] == 5;
    if (!holds) std::printf("a view reads other elements\n");
    wrong += !holds;
}

}  // namespace

#if defined(EVERY_KIND)
plait::expected<plait::planned_reorder> plan_weights() {
    const plait::descriptor from(plait::data_type::f32, oihw);
    const plait::descriptor to(plait::data_type::s8, quads, {.s8s8_compensation = true, .s8s8_mask = 1});
    return plait::make_reorder(from, to, {.src_scale = 2.0f});
}
#endif

int main() {
    check_reorders();
    check_views();
    return wrong;
}
