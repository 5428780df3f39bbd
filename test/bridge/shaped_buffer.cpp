#include <plait/bridge/shaped_buffer.hpp>
#include <plait/typed/formats.hpp>

#include "bridge/shaped_cases.hpp"

#include <numeric>
#include <vector>

namespace test_bridge_shaped_buffer { namespace {

using namespace plait;
using namespace plait_test;

using blocked = nChw8c<2, 5, 3, 4>;
constexpr auto activations = axis_map_c<0, 3, 1, 2>;
constexpr auto partly_static = layout_c<layout({dynamic, 5, 3, dynamic}, "nChw8c")>;

/// A buffer whose elements are numbered in the order of memory.
struct memory {
    std::vector<float> data = std::vector<float>(blocked::value.element_span());
    memory() { std::iota(data.begin(), data.end(), 0.0f); }
};

/// True if b(p...) and b.at(p...) are at the offset that shaped() returns, for each position of the shape.
template <class Buffer>
bool is_where_it_says(const Buffer& b) {
    position p = origin(4);
    do {
        const float* const there = b.data() + b.shaped().offset(p);
        if (&b(p[0], p[1], p[2], p[3]) != there || &b.at(p[0], p[1], p[2], p[3]) != there || &b.at(p) != there)
            return false;
    } while (advance(p, b.shape()));
    return true;
}

/// Reads elements in a constant expression.
constexpr int element_of_constant() {
    int data[6] = {0, 1, 2, 3, 4, 5};
    const shaped_buffer known(data, formats::ab<2, 3>(), axis_map_c<1, 0>);
    const shaped_buffer late(data, shaped_layout(layout({2, 3}, "ab"), {1, 0}));
    return known(2, 1) * 100 + late(2, 0) * 10 + known.at(0, 1);
}

TEST_CASE("shaped_buffer: positions of the shape address the elements, for static and run-time layouts") {
    memory m;
    const shaped_buffer known(m.data.data(), blocked(), activations);
    CHECK(is_where_it_says(known));
    CHECK(is_where_it_says(shaped_buffer(m.data.data(), bind(partly_static, 2, 4), activations)));
    CHECK(is_where_it_says(shaped_buffer(m.data.data(), bind(partly_static, 2, 4), activations.value)));
    CHECK(is_where_it_says(shaped_buffer(m.data.data(), blocked(), activations.value)));
    CHECK(is_where_it_says(shaped_buffer(m.data.data(), blocked::value, activations)));
    CHECK(is_where_it_says(shaped_buffer(m.data.data(), known.shaped())));
    STATIC_CHECK(element_of_constant() == 523);
}

TEST_CASE("shaped_buffer: static parts take no memory, and memory() and shaped() return its parts") {
    memory m;
    const tensor_view view(m.data.data(), blocked());
    const shaped_buffer known(view, activations);
    STATIC_CHECK(sizeof(known) == sizeof(float*));
    STATIC_CHECK(
        std::is_same_v<decltype(known), const shaped_buffer<float, blocked, axis_map_constant<activations.value>>>);
    STATIC_CHECK(
        std::is_same_v<decltype(shaped_buffer(m.data.data(), known.shaped())), shaped_buffer<float, layout, axis_map>>);
    CHECK((known.memory().data() == view.data() && known.data() == view.data() && known.ndims() == 4));
    CHECK((known.shape() == dims{2, 3, 4, 5} && known.map().value == activations.value));
    CHECK(known.shaped() == shaped_layout(blocked::value, activations));
    const shaped_buffer<const float, blocked, axis_map_constant<activations.value>> read_only = known;
    CHECK((&read_only(1, 2, 3, 4) == &known(1, 2, 3, 4) && &known.as_const()(1, 2, 3, 4) == &known(1, 2, 3, 4)));
    STATIC_CHECK(!std::is_constructible_v<std::remove_const_t<decltype(known)>, decltype(read_only)>);
    // The number of indices must be the number of axes.
    STATIC_CHECK(std::is_invocable_v<decltype(known), int, int, int, int>);
    STATIC_CHECK(!std::is_invocable_v<decltype(known), int, int, int>);
}

TEST_CASE("shaped_buffer: each verdict counts axes as the shape does") {
    memory m;
    float* const data = m.data.data();
    const shaped_buffer known(data, blocked(), activations);
    const shaped_buffer late(data, shaped_layout(blocked::value, activations));
    const auto refused = [](const auto& b) {
        return refusal_of([&] { return b.at(0, 3, 0, 0); }) == verdict{reason::position_is_out_of_range, 1, 3, 3} &&
               refusal_of([&] { return b.at(0, 0, -1, 0); }) == verdict{reason::position_is_out_of_range, 2, -1, 4} &&
               refusal_of([&] { return b.at(0, 0, 0, 5); }) == verdict{reason::position_is_out_of_range, 3, 5, 5} &&
               refusal_of([&] {
                   return b.at(position{0, 0});
               }) == verdict{reason::rank_differs, -1, 2, 4};
    };
    CHECK(refused(known));
    CHECK(refused(late));
    CHECK((refusal_of([&] { return late.at(0, 0); }) == verdict{reason::rank_differs, -1, 2, 4}));
    CHECK((refusal_of([&] {
               return shaped_buffer(data, blocked(), axis_map{0, 1, 2});
           }) == verdict{reason::rank_differs, -1, 3, 4}));
    CHECK((refusal_of([&] {
               return shaped_buffer(data, blocked::value, axis_map{0, 1, 2, 2});
           }) == verdict{reason::not_a_permutation, 3, 2, 4}));
    CHECK((refusal_of([&] { return shaped_buffer(data, blocked::value, axis_map_c<0, 1>); }) ==
           verdict{reason::rank_differs, -1, 2, 4}));
    CHECK((refusal_of([&] { return shaped_buffer(static_cast<float*>(nullptr), known.shaped()); }).reason ==
           reason::data_is_null));
    CHECK((refusal_of([&] { return shaped_buffer(data, shaped_layout()); }).reason == reason::layout_is_undefined));
}

}}  // namespace test_bridge_shaped_buffer
