#include <plait/bridge/shaped_operations.hpp>
#include <plait/typed/concepts.hpp>
#include <plait/typed/formats.hpp>

#include "bridge/shaped_cases.hpp"

#include <vector>

namespace test_bridge_shaped_operations { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

using blocked = nChw8c<2, 16, 3, 4>;
constexpr auto activations = axis_map_c<0, 3, 1, 2>;
constexpr auto weights = axis_map_c<3, 2, 0, 1>;
constexpr auto partly_static = layout_c<layout({dynamic, 16, 3, dynamic}, "nChw8c")>;

/// Three buffers on one memory, with a static, a partly static and a run-time layout.
struct buffers {
    std::vector<float> data = std::vector<float>(blocked::value.element_span());
    shaped_buffer<float, blocked, axis_map_constant<activations.value>> known{data.data(), blocked(), activations};
    shaped_buffer<float, bound_layout<partly_static.value>, axis_map_constant<activations.value>> bound{
        data.data(), bind(partly_static, 2, 4), activations};
    shaped_buffer<float, layout, axis_map> late{data.data(), known.shaped()};

    /// Checks that `make` returns the expected result for each buffer, in the same memory.
    template <class Make>
    bool all(const shaped_layout& expected, const Make& make) const {
        const auto is_expected = [&](const auto& b) { return b.shaped() == expected && b.data() == data.data(); };
        return is_expected(make(known)) && is_expected(make(bound)) && is_expected(make(late));
    }
    template <class Make>
    bool all(const layout& expected, const Make& make) const {
        const auto is_expected = [&](const auto& v) { return v.plain_layout() == expected && v.data() == data.data(); };
        return is_expected(make(known)) && is_expected(make(bound)) && is_expected(make(late));
    }
};

TEST_CASE("shaped_operations: as_operand is the operation on values, in the same memory") {
    const buffers b;
    const layout expected = as_operand(b.known.shaped(), weights);
    CHECK(b.all(expected, [](const auto& x) { return as_operand(x, weights); }));
    CHECK(b.all(expected, [](const auto& x) { return as_operand(x, weights.value); }));
    CHECK(b.all(expected, [](const auto& x) { return as_operand<"oihw", "hwio">(x); }));
    CHECK(b.all(b.known.shaped().layout, [](const auto& x) { return as_operand(x, activations); }));
    const auto filter = as_operand<"oihw", "hwio">(b.known);
    STATIC_CHECK(sizeof(filter) == sizeof(float*));
    using in_type = decltype(filter)::layout_in_type;
    STATIC_CHECK(in_type::value == layout({16, 4, 2, 3}, "cAdb8a") && with_axes<in_type, "oihw">);
    CHECK(&filter(9, 3, 1, 2) == &b.known(1, 2, 3, 9));
    // The next operation has other names for the axes than conv1.
    STATIC_CHECK(!with_axes<decltype(as_operand(b.known, weights))::layout_in_type, "oihw">);
    using bound_type = decltype(as_operand<"oihw", "hwio">(b.bound))::layout_in_type;
    STATIC_CHECK(bound_layout_type<bound_type> && with_axes<bound_type, "oihw">);
    CHECK(&as_operand<"oihw", "hwio">(b.bound)(9, 3, 1, 2) == &b.known(1, 2, 3, 9));
}

TEST_CASE("shaped_operations: as_result and as_operand are each other's inverse") {
    const buffers b;
    const tensor_view made = b.known.memory();
    const auto result = as_result<"nchw", "nhwc">(made);
    STATIC_CHECK(std::is_same_v<decltype(result), const decltype(b.known)>);
    STATIC_CHECK(std::is_same_v<decltype(as_operand<"nchw", "nhwc">(result))::layout_in_type,
                                named_layout<layout_constant<blocked::value>, 'n', 'c', 'h', 'w'>>);
    CHECK(as_result<"nchw", "nhwc">(b.late.memory()).shaped() == b.late.shaped());
    CHECK(as_result<"abcd", "adbc">(tensor_view(made.data(), layout_c<blocked::value>)).shape() == dims{2, 4, 16, 3});
}

TEST_CASE("shaped_operations: transpose is the operation on values, and only the map changes") {
    const buffers b;
    const shaped_layout turned = transpose(b.known.shaped(), {3, 0, 1, 2});
    CHECK(b.all(turned, [](const auto& x) { return transpose(x, permutation_c<3, 0, 1, 2>); }));
    CHECK(b.all(turned, [](const auto& x) { return transpose(x, permutation{3, 0, 1, 2}); }));
    CHECK(b.all(transpose(b.known.shaped()), [](const auto& x) { return transpose(x); }));
    const auto known = transpose(b.known, permutation_c<3, 0, 1, 2>);
    STATIC_CHECK(sizeof(known) == sizeof(float*));
    STATIC_CHECK(std::is_same_v<decltype(known)::layout_in_type, blocked>);
    CHECK((&known(9, 1, 2, 3) == &b.known(1, 2, 3, 9) && &transpose(b.late)(9, 3, 2, 1) == &b.known(1, 2, 3, 9)));
}

}}  // namespace test_bridge_shaped_operations
