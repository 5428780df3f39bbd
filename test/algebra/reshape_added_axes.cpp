// Axes of one element that reshape adds: their strides, formats and places.

#include <plait/algebra/format_name.hpp>
#include <plait/algebra/reshape.hpp>

#include "laws/reshape_laws.hpp"

#include <string_view>

namespace test_algebra_reshape_added_axes { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::keeps_the_elements;

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

}}  // namespace test_algebra_reshape_added_axes
