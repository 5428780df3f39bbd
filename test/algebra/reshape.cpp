// Axes of one element that reshape adds: their strides, formats and places.

#include <plait/algebra/reshape.hpp>

#include "laws/reshape_laws.hpp"
#include "support/small_layouts.hpp"

#include <plait/algebra/format_name.hpp>

#include <string_view>

namespace test_algebra_reshape { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand, plait_test::opaque_layout, plait_test::keeps_the_elements;

constexpr bool refused(const layout& l, const dims& to, const verdict& why) {
    return check_reshape(l, to) == why && !try_reshape(l, to).has_value();
}

TEST_CASE("reshape: 3.1 'The purpose is to collapse or split axes'") {
    STATIC_CHECK(reshape(layout({2, 16, 12}, "aBc8b"), {2, 16, 3, 4}) == layout({2, 16, 3, 4}, "aBcd8b"));
    STATIC_CHECK(reshape(layout({2, 3, 4}, "bca"), {2, 12}) == layout({2, 12}, "ba"));
}

TEST_CASE("reshape: 3.1 'A particular case is to add or remove axes of size 1'") {
    STATIC_CHECK(reshape(layout({2, 3, 4}, "abc"), {2, 1, 3, 1, 1, 4, 1}) == layout({2, 1, 3, 1, 1, 4, 1}, "abcdefg"));
    STATIC_CHECK(reshape(layout({2, 1, 3, 4, 1}, "abcde"), {2, 3, 4}) == layout({2, 3, 4}, "abc"));
}

TEST_CASE("reshape: 3.1.1 '{batch, channels, cumulative-spatial-dim}'") {
    STATIC_CHECK(reshape(layout({2, 17, 5, 4}, "nChw8c"), {2, 17, 20}) == layout({2, 17, 20}, "nCw8c"));
    STATIC_CHECK(reshape(layout({2, 16, 3, 5, 4}, "ndhwc"), {2, 16, 60}) == layout({2, 16, 60}, "nwc"));
}

TEST_CASE("reshape: 3.1.2 'in-place supported'") {
    layout l({2, 3, 4, 5}, "abcd");
    l = reshape(l, {6, 20});
    l = reshape(l, l.dims);
    CHECK(l == layout({6, 20}, "ab"));
}

TEST_CASE("reshape: 3.1.3 'Supported memory formats: blocked and any'; any stays any") {
    STATIC_CHECK(reshape(layout({2, 3, 4}, "any"), {6, 4}) == layout({6, 4}, "any"));
    STATIC_CHECK(refused(layout({2, 3, 4}, "any"), {6, 5}, {reason::volumes_differ, -1, 24, 30}));
    STATIC_CHECK(refused(layout({2, 3}, "any"), {dynamic}, {reason::layout_is_any, 0}));
    STATIC_CHECK(refused(layout({2, 3}, "any"), {-6}, {reason::dim_is_negative, 0, -6, 0}));
}

TEST_CASE("reshape: 3.1.3 'any other memory format leads to unimplemented', 'undef: invalid_arguments'") {
    STATIC_CHECK(refused(opaque_layout({2, 3}), {6}, {reason::layout_is_opaque}));
    STATIC_CHECK(check_reshape(opaque_layout({2, 3}), {6}).status() == status::unimplemented);
    STATIC_CHECK(refused(layout(), {6}, {reason::layout_is_undefined}));
    STATIC_CHECK(check_reshape(layout(), {}).status() == status::invalid_arguments);
    STATIC_CHECK(refused(layout({1}, "a"), {}, {reason::layout_is_undefined}));
}

TEST_CASE("reshape: 3.1.3 'Remove axes of size 1 only when the corresponding padded dimensions equal to 1 as well'") {
    STATIC_CHECK(refused(layout({2, 1, 3}, "aBc4b"), {2, 3}, {reason::unit_axis_is_padded, 1, 4, 4}));
    STATIC_CHECK(check_reshape(layout({2, 1, 3}, "aBc4b"), {2, 3}).status() == status::invalid_arguments);
    STATIC_CHECK(refused(by_hand({2, 1}, {2, 3}, {3, 1}), {2}, {reason::unit_axis_is_padded, 1, 3, 1}));
    // It may stay at its position.
    STATIC_CHECK(reshape(layout({6, 1, 3}, "aBc4b"), {2, 3, 1, 3}) == layout({2, 3, 1, 3}, "abCd4c"));
    // An axis whose only element is in a block cannot be removed either.
    STATIC_CHECK(refused(by_hand({2, 1}, {2, 1}, {8, 8}, {{1, 8}}), {2}, {reason::unit_axis_is_padded, 1, 1, 8}));
}

TEST_CASE("reshape: 3.1.3 'If multiple dimensions of size 1 happen to be in a row': any of them may be removed") {
    constexpr layout l = by_hand({2, 1, 1, 3}, {2, 1, 1, 3}, {3, 700, -5, 1});
    STATIC_CHECK(reshape(l, {2, 1, 3}).strides() == strides{3, 3, 1});
    STATIC_CHECK(reshape(l, {2, 3}).strides() == strides{3, 1});
}

TEST_CASE("reshape: 3.1.3 the examples of format abcd") {
    constexpr layout l({2, 3, 4, 5}, "abcd");
    STATIC_CHECK(reshape(l, {6, 2, 2, 5}) == layout({6, 2, 2, 5}, "abcd"));
    STATIC_CHECK(reshape(l, {6, 2, 10}) == layout({6, 2, 10}, "abc"));
}

TEST_CASE("reshape: 3.1.3 the examples of format dabc") {
    constexpr layout l({2, 3, 4, 5}, "dabc");
    STATIC_CHECK(reshape(l, {6, 2, 2, 5}) == layout({6, 2, 2, 5}, "dabc"));
    STATIC_CHECK(refused(l, {6, 2, 10}, {reason::joined_axes_do_not_chain, 2, 1, 120}));
}

TEST_CASE("reshape: 3.1.3 the examples of format abdc") {
    constexpr layout l({2, 3, 4, 5}, "abdc");
    STATIC_CHECK(reshape(l, {6, 4, 5}) == layout({6, 4, 5}, "acb"));
    STATIC_CHECK(reshape(l, {6, 2, 2, 5}) == layout({6, 2, 2, 5}, "adbc"));
    STATIC_CHECK(refused(l, {2, 3, 20}, {reason::joined_axes_do_not_chain, 2, 1, 20}));
}

TEST_CASE("reshape: 3.1.3 'Either both consist of one dimension': then padding, blocks and offsets stay") {
    constexpr layout l = by_hand({6, 3}, {6, 8}, {8, 48}, {{1, 8}}, {0, 2}, 5);
    constexpr layout out = reshape(l, {2, 3, 3});
    STATIC_CHECK(out == by_hand({2, 3, 3}, {2, 3, 8}, {24, 8, 48}, {{2, 8}}, {0, 0, 2}, 5));
}

TEST_CASE("reshape: 3.1.3 'The padded dimensions equal the logical dimensions' in a group") {
    STATIC_CHECK(refused(by_hand({4, 3}, {5, 3}, {3, 1}), {12}, {reason::axis_is_padded, 0, 5, 4}));
    STATIC_CHECK(refused(by_hand({4, 3}, {4, 5}, {5, 1}), {12}, {reason::axis_is_padded, 1, 5, 3}));
    STATIC_CHECK(refused(by_hand({4}, {6}, {1}), {2, 2}, {reason::axis_is_padded, 0, 6, 4}));
}

TEST_CASE("reshape: 3.1.3 'The dimensions are not blocked' in a group") {
    STATIC_CHECK(refused(layout({2, 16}, "aB8b"), {32}, {reason::axis_is_blocked, 1, 8, 16}));
    STATIC_CHECK(refused(layout({2, 16}, "aB8b"), {2, 2, 8}, {reason::axis_is_blocked, 1, 8, 16}));
}

TEST_CASE("reshape: 3.1.3 'the stride times the logical dimension equals to the stride of the next dimension'") {
    STATIC_CHECK(reshape(layout({2, 3, 4}, strides{48, 16, 2}), {6, 4}) == layout({6, 4}, strides{16, 2}));
    STATIC_CHECK(refused(layout({2, 3, 4}, strides{49, 16, 2}), {6, 4}, {reason::joined_axes_do_not_chain, 0, 49, 48}));
    STATIC_CHECK(refused(layout({2, 3}, strides{0, 1}), {6}, {reason::joined_axes_do_not_chain, 0, 0, 3}));
    STATIC_CHECK(reshape(layout({2, 3}, strides{0, 0}), {6}) == layout({6}, strides{0}));
    // An axis of one element in between may have any stride.
    STATIC_CHECK(reshape(by_hand({2, 1, 3}, {2, 1, 3}, {3, 77, 1}), {6}) == layout({6}, "a"));
}

TEST_CASE("reshape: 3.1.3.1 'The product of dimensions must be the same'") {
    STATIC_CHECK(refused(layout({2, 3}, "ab"), {5}, {reason::volumes_differ, -1, 6, 5}));
    STATIC_CHECK(refused(layout({2, 3}, "ab"), {2, 0}, {reason::volumes_differ, -1, 6, 0}));
    STATIC_CHECK(refused(layout({2, 0}, "ab"), {2, 1}, {reason::volumes_differ, -1, 0, 2}));
}

TEST_CASE("reshape: 3.1.4 the inner product: the incompatibility is not hidden but refused") {
    constexpr layout src({8, 16, 3, 5}, "nhwc"), weights({32, 16, 3, 5}, "oihw");
    STATIC_CHECK(refused(src, {8, 16 * 3 * 5}, {reason::joined_axes_do_not_chain, 1, 1, 240}));
    STATIC_CHECK(reshape(weights, {32, 16 * 3 * 5}) == layout({32, 240}, "oi"));
}

TEST_CASE("reshape: a tensor without elements can have any dims without elements") {
    STATIC_CHECK(reshape(layout({2, 0, 6}, "abc"), {2, 0, 3, 2}) == layout({2, 0, 3, 2}, "abcd"));
    STATIC_CHECK(reshape(layout({0, 4}, "ab"), {4, 0}) == layout({4, 0}, "ab"));
    STATIC_CHECK(reshape(layout({2, 0}, "ab"), {0, 2}) == layout({0, 2}, "ab"));
    STATIC_CHECK(reshape(layout({2, 0}, "ab"), {5, 0, 7}) == layout({5, 0, 7}, "abc"));
    STATIC_CHECK(reshape(layout({0, 4}, "ab"), {0}) == layout({0}, "a"));
    STATIC_CHECK(reshape(layout({3, 0, 3, 0}, "abcd"), {0, 9}).dims == dims{0, 9});
    STATIC_CHECK(reshape(layout({3, 0, 17}, "abC16c"), {0}).dims == dims{0});
    STATIC_CHECK(reshape(layout({3, 0, 3}, strides{0, 7, 2}), {0, 3}).dims == dims{0, 3});
    // No elements, but places: the padding keeps its own.
    STATIC_CHECK(refused(by_hand({0, 4}, {2, 4}, {4, 1}), {0}, {reason::axis_is_padded, 0, 2, 0}));
    STATIC_CHECK(refused(layout({0, 4}, "ab"), {4}, {reason::volumes_differ, -1, 0, 4}));
}

TEST_CASE("reshape: dynamic axes may stay unchanged, but not be split or joined") {
    STATIC_CHECK(reshape(layout({dynamic, 6}, "ab"), {dynamic, 2, 3}) == layout({dynamic, 2, 3}, "abc"));
    STATIC_CHECK(reshape(layout({6, dynamic}, "ab"), {2, 3, dynamic}) == layout({2, 3, dynamic}, "abc"));
    // c is outside a, a outside b; b is axis 2 now.
    STATIC_CHECK(reshape(layout({2, dynamic, 6}, "cab"), {2, 1, dynamic, 6}).digits[0].stride == outside(2));
    STATIC_CHECK(refused(layout({dynamic, 6}, "ab"), {6, dynamic}, {reason::dim_is_dynamic, 1, 6, dynamic}));
    STATIC_CHECK(refused(layout({dynamic}, "a"), {6}, {reason::dim_is_dynamic, 0, dynamic, 6}));
    STATIC_CHECK(refused(layout({6}, "a"), {dynamic}, {reason::dim_is_dynamic, 0, 6, dynamic}));
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), {6}, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(reshape(layout({6, 2}, strides{dynamic, 1}), {6, 1, 2}).strides() == strides{dynamic, 2, 1});
}

TEST_CASE("reshape: numbers out of range") {
    constexpr layout l({6}, "a");
    STATIC_CHECK(refused(l, {-2, -3}, {reason::dim_is_negative, 0, -2, 0}));
    STATIC_CHECK(refused(l, {1 << 30, dim_t{1} << 40}, {reason::size_overflows, 1, 1 << 30, dim_t{1} << 40}));
    dims too_many{6};
    too_many.count = 13;
    CHECK(refused(l, too_many, {reason::too_many_axes, -1, 13, 12}));
    dims negative{6};
    negative.count = -1;
    CHECK(refused(l, negative, {reason::layout_is_undefined}));
    dims untidy{2, 3};
    untidy.values[7] = 9;
    CHECK((check_layout(reshape(l, untidy)).ok() && reshape(l, untidy) == layout({2, 3}, "ab")));
    CHECK(check_layout(reshape(layout({6}, "any"), untidy)).ok());
}

TEST_CASE("reshape: at run time refuses what check_reshape refuses, and does not change its arguments") {
    const layout l({2, 3, 4, 5}, "abdc"), before = l;
    CHECK((plait_test::refusal_of([&] {
               return reshape(l, {2, 3, 20});
           }) == verdict{reason::joined_axes_do_not_chain, 2, 1, 20}));
    CHECK(l == before);
}

/// The RFC's stride of an axis of one element that is added at position d.
constexpr dim_t stride_by_the_rfc(const layout& l, int d) {
    if (d >= l.ndims()) {
        dim_t product = 1;
        for (const inner_block& block : l.inner_blocks()) product *= block.size;
        return product;
    }
    return l.padded_dims[d] / l.block_size(d) * l.strides()[d];
}

/// Returns l with an axis of one element added at position d.
constexpr layout with_unit(const layout& l, int d) {
    dims to;
    for (int a = 0; a <= l.ndims(); ++a) {
        if (a == d) to.push_back(1);
        if (a < l.ndims()) to.push_back(l.dims[a]);
    }
    return reshape(l, to);
}

/// Checks at each position that an added axis has the RFC's stride and that all others keep theirs.
constexpr bool adds_units_by_the_rfc(const layout& l) {
    for (int d = 0; d <= l.ndims(); ++d) {
        const layout out = with_unit(l, d);
        if (out.strides()[d] != stride_by_the_rfc(l, d) || out.padded_dims[d] != 1) return false;
        for (int a = 0; a < l.ndims(); ++a)
            if (out.strides()[a + (a >= d)] != l.strides()[a]) return false;
        if (!keeps_the_elements(l, out) || reshape(out, l.dims) != l) return false;
    }
    return true;
}

constexpr bool is_named(const layout& l, const dims& to, std::string_view name) {
    const layout_name found = format_name(reshape(l, to));
    return std::string_view(found.c_str(), static_cast<std::size_t>(found.size())) == name;
}

TEST_CASE("reshape: 3.1.1 'the integration code might have to add axes of size 1': binary with broadcast") {
    // A bias of {C} for a source of {N, C, H, W}.
    constexpr layout bias = reshape(layout({64}, "a"), {1, 64, 1, 1});
    STATIC_CHECK(bias == layout({1, 64, 1, 1}, "abcd"));
    STATIC_CHECK(bias.offset(0, 63, 0, 0) == 63);
}

TEST_CASE("reshape: 3.1.1 'reshape could help to ping-pong the descriptors': layer normalization") {
    // The mean of {T, N, C} over C: with the last axis 1, and without.
    STATIC_CHECK(reshape(layout({5, 3}, "ab"), {5, 3, 1}) == layout({5, 3, 1}, "abc"));
    STATIC_CHECK(reshape(layout({5, 3}, "ba"), {5, 3, 1}) == layout({5, 3, 1}, "bac"));
    STATIC_CHECK(reshape(layout({5, 3, 1}, "bac"), {5, 3}) == layout({5, 3}, "ba"));
    STATIC_CHECK(reshape(reshape(layout({5, 3}, "ba"), {5, 3, 1}), {5, 3}).strides() == strides{1, 5});
}

TEST_CASE("reshape: 3.1.3 'the stride for this dimension is defined by the following formula'") {
    STATIC_CHECK(adds_units_by_the_rfc(layout({2, 17, 5}, "aBc8b")));
    STATIC_CHECK(adds_units_by_the_rfc(layout({9, 6, 3}, "BAc4b2a2b")));
    STATIC_CHECK(adds_units_by_the_rfc(layout({2, 3, 4}, "cab")));
    STATIC_CHECK(adds_units_by_the_rfc(layout({2, 3, 2}, "aBc2b", strides{20, 8, 3})));
    STATIC_CHECK(adds_units_by_the_rfc(layout({4, 3}, strides{0, 1})));
}

TEST_CASE("reshape: 3.1.3 'this approach attaches the newly added axis to the axis on the right'") {
    STATIC_CHECK(is_named(layout({2, 32, 5, 4}, "nChw16c"), {2, 32, 1, 5, 4}, "aBcde16b"));  // nCdhw16c
    STATIC_CHECK(reshape(layout({2, 32, 5, 4}, "nChw16c"), {2, 32, 1, 5, 4}) == layout({2, 32, 1, 5, 4}, "nCdhw16c"));
    STATIC_CHECK(is_named(layout({8, 16, 3, 3}, "hwio"), {1, 8, 16, 3, 3}, "decab"));  // hwigo
}

TEST_CASE("reshape: 3.1.3 'IOhw8i8o -> IgOhw8i8o, while one might expect gIOhw8i8o'") {
    constexpr layout l({16, 24, 3, 5}, "IOhw8i8o"), out = reshape(l, {1, 16, 24, 3, 5});
    STATIC_CHECK(out.strides()[0] == 2 * 3 * 5 * 8 * 8);  // O*h*w*8*8, with O the number of blocks
    STATIC_CHECK(is_named(l, {1, 16, 24, 3, 5}, "CaBde8c8b"));
    // 'No matter what the stride will be, the memory descriptors should be treated as equal.'
    STATIC_CHECK(out == layout({1, 16, 24, 3, 5}, "gIOhw8i8o"));
}

TEST_CASE("reshape: 3.1.3.1 'Adding one or more axes of size 1 is always possible'") {
    for (const layout& l : plait_test::varied_layouts)
        for (int d = 0; d <= l.ndims(); ++d) CHECK(keeps_the_elements(l, with_unit(l, d)));
    STATIC_CHECK(reshape(layout({0, 3}, "ab"), {1, 0, 1, 3}) == layout({1, 0, 1, 3}, "abcd"));
}

}}  // namespace test_algebra_reshape
