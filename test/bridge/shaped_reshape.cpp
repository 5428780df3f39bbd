#include <plait/bridge/shaped_reshape.hpp>

#include "bridge/shaped_cases.hpp"

namespace test_bridge_shaped_reshape { namespace {

using namespace plait;
using namespace plait_test;

// The result of a convolution: shape (2, 3, 4, 5), channels in blocks of 8, as nChw8c has them.
constexpr shaped_layout blocked(layout({2, 5, 3, 4}, "nChw8c"), {0, 3, 1, 2});
constexpr shaped_layout whole_blocks(layout({2, 16, 3, 4}, "nChw8c"), {0, 3, 1, 2});

/// True if each element has equal row-major numbers in both shapes.
bool keeps_numbers(const shaped_layout& s, const shaped_layout& made) {
    const layout before = framework_layout(s), after = framework_layout(made);
    for (dim_t number = 0; number < before.volume(); ++number)
        if (before.linear_offset(number) != after.linear_offset(number)) return false;
    return true;
}

/// Returns every shape of up to four axes with a given number of elements.
template <class Visit>
bool for_each_shape(dim_t elements, dims so_far, const Visit& visit) {
    if (so_far.size() > 0 && elements == 1 && !visit(so_far)) return false;
    for (dim_t extent = 1; so_far.size() < 4 && extent <= elements; ++extent) {
        if (elements % extent != 0) continue;
        dims next = so_far;
        next.push_back(extent);
        if (!for_each_shape(elements / extent, next, visit)) return false;
    }
    return true;
}

/// Checks that an in-place reshape keeps the numbers of elements, and that the copy succeeds if that fails.
bool reshapes(const shaped_layout& s, const dims& to) {
    const expected<shaped_layout> made = try_reshape(s, to);
    if (made.error() != check_reshape(s, to) || made.error() != check_view(framework_layout(s), to)) return false;
    if (made && (made->shape() != to || made->map != identity_axis_map(to.size()) || !keeps_numbers(s, *made)))
        return false;
    const reshaped_copy copy = reshape_copy(s, to);
    for (dim_t number = 0; number < copy.result.layout.volume(); ++number)
        if (framework_layout(copy.result).linear_offset(number) != number) return false;
    return reshape_needs_copy(s, to) == !made && copy.from == s && copy.to.shape() == s.shape() &&
           copy.result == reshape(copy.to, to) && copy.result.shape() == to;
}

TEST_CASE("shaped_reshape: elements keep their number in the row-major order of the shape") {
    CHECK(for_each_shaped([](const shaped_layout& s) {
        return for_each_shape(s.layout.volume(), {}, [&](const dims& to) { return reshapes(s, to); });
    }));
}

TEST_CASE("shaped_reshape: splits and joins axes in blocks and in any order, if the layout allows it") {
    // Height and width are adjacent in nChw8c; channels and width are not.
    constexpr shaped_layout rows = reshape(blocked, {2, 12, 5});
    STATIC_CHECK(rows.layout == layout({2, 12, 5}, "aCb8c") && rows.map == axis_map{0, 1, 2});
    // 16 channels in 2 blocks of 8 can be split into 2 x 8.
    STATIC_CHECK(check_reshape(whole_blocks, {2, 3, 4, 2, 8}).ok());
    STATIC_CHECK(check_reshape(whole_blocks, {2, 12, 16}).ok());
    // A buffer in the framework's order can be reshaped to any shape with its number of elements.
    STATIC_CHECK(reshape(shaped_layout(layout({2, 5, 3, 4}, "nhwc"), {0, 3, 1, 2}), {2, 60}) ==
                 shaped_layout(layout({2, 60}, "ab"), {0, 1}));
    // A reshape to the present shape returns the same tensor, with its axes in the framework's order.
    STATIC_CHECK(same_memory(reshape(blocked, {2, 3, 4, 5}), blocked));
    // After a transpose, elements are numbered in the transposed shape.
    CHECK(keeps_numbers(transpose(blocked, {0, 3, 1, 2}), reshape(transpose(blocked, {0, 3, 1, 2}), {2, 5, 12})));
}

TEST_CASE("shaped_reshape: copies if the layout cannot be reshaped") {
    // Flatten fails because axis 3 of the shape, the 5 channels, is padded to 8.
    STATIC_CHECK(check_reshape(blocked, {2, 60}) == verdict{reason::axis_is_padded, 3, 8, 5});
    STATIC_CHECK(reshape_needs_copy(blocked, {2, 60}));
    constexpr reshaped_copy copy = reshape_copy(blocked, {2, 60});
    STATIC_CHECK(copy.from == blocked);
    STATIC_CHECK(copy.to == shaped_layout(layout({2, 3, 4, 5}, "abcd"), {0, 1, 2, 3}));
    STATIC_CHECK(copy.result == shaped_layout(layout({2, 60}, "ab"), {0, 1}));
    STATIC_CHECK(!reshape_needs_copy(blocked, {2, 12, 5}) && !reshape_needs_copy(blocked, {2, 61}));
}

TEST_CASE("shaped_reshape: refuses shapes and layouts that do not fit, with the reason") {
    STATIC_CHECK(check_reshape(blocked, {2, 61}) == verdict{reason::volumes_differ, -1, 120, 122});
    STATIC_CHECK(check_reshape(blocked, {}) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_reshape(blocked, {2, -3}) == verdict{reason::dim_is_negative, 1, -3, 0});
    STATIC_CHECK(check_reshape(shaped_layout(), {1}) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_reshape_copy(blocked, {2, 61}) == verdict{reason::volumes_differ, -1, 120, 122});
    STATIC_CHECK(check_reshape_copy(shaped_layout(layout({dynamic, 5}, "ab"), {0, 1}), {5}) ==
                 verdict{reason::dim_is_dynamic, 0});
    STATIC_CHECK(check_reshape_copy(shaped_layout(layout({2, 5}, "any"), {0, 1}), {10}) ==
                 verdict{reason::layout_is_any});
    STATIC_CHECK(!try_reshape_copy(blocked, {2, 61}).has_value() && !try_reshape(blocked, {2, 60}).has_value());
    STATIC_CHECK(reshape(shaped_layout(layout({2, 5}, "any"), {1, 0}), {10}).layout == layout({10}, "any"));
    CHECK((refusal_of([] { return reshape(blocked, {2, 60}); }) == check_reshape(blocked, {2, 60})));
    CHECK((refusal_of([] { return reshape_copy(blocked, {7}); }) == check_reshape_copy(blocked, {7})));
}

}}  // namespace test_bridge_shaped_reshape
