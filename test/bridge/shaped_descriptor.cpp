#include <plait/bridge/shaped_descriptor.hpp>
#include <plait/bridge/shaped_reshape.hpp>
#include <plait/reorder/make_reorder.hpp>

#include "bridge/shaped_cases.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace test_bridge_shaped_descriptor { namespace {

using namespace plait;
using namespace plait_test;

constexpr axis_map activations{0, 3, 1, 2}, weights{3, 2, 0, 1};
constexpr descriptor blocked(data_type::f32, layout({2, 5, 3, 4}, "nChw8c"));
constexpr shaped_descriptor made_by_conv1(blocked, activations);

/// True if the operations on a descriptor with this layout and map equal those on the shaped layout.
bool is_lifted(const shaped_layout& s) {
    const shaped_descriptor d({data_type::u8, s.layout}, s.map);
    return d.shaped() == s && d.shape() == s.shape() && for_each_map(s.ndims(), [&](const axis_map& m) {
               const descriptor operand = as_operand(d, m);
               const shaped_descriptor turned = transpose(d, permutation_of(m));
               return operand.layout == as_operand(s, m) && operand.type == data_type::u8 &&
                      turned.shaped() == transpose(s, permutation_of(m)) && turned.descriptor == d.descriptor;
           });
}

TEST_CASE("shaped_descriptor: operations are those on the layout") {
    CHECK(for_each_shaped(is_lifted));
    STATIC_CHECK(made_by_conv1.shape() == dims{2, 3, 4, 5});
    STATIC_CHECK(as_operand(made_by_conv1, weights) == permute_axes(blocked, {2, 0, 3, 1}));
    STATIC_CHECK(reshape(made_by_conv1, {2, 12, 5}).shaped() == reshape(made_by_conv1.shaped(), {2, 12, 5}));
    STATIC_CHECK(reshape(made_by_conv1, {2, 12, 5}).descriptor.type == data_type::f32);
    STATIC_CHECK(try_shaped_descriptor(blocked, activations) == made_by_conv1);
}

TEST_CASE("shaped_descriptor: keeps compensation if the operation can") {
    // Each output channel has a sum: the mask has axis 0 of oihw, which is axis 3 of hwio.
    constexpr descriptor quantised(data_type::s8, layout({8, 4, 2, 3}, "OIhw4o4i"),
                                   {.s8s8_compensation = true, .s8s8_mask = 1});
    constexpr shaped_descriptor s(quantised, weights);
    STATIC_CHECK(as_operand(s, weights) == quantised);
    STATIC_CHECK(as_operand(s, {0, 1, 2, 3}).extra.s8s8_mask == 1 << 3);
    STATIC_CHECK(transpose(s, {3, 2, 0, 1}).descriptor == quantised);
    // Sums by input and output channels also stay in place.
    constexpr shaped_descriptor by_both(
        {data_type::s8, layout({8, 4, 2, 3}, "OIhw4o4i"), {.s8s8_compensation = true, .s8s8_mask = 3}}, weights);
    STATIC_CHECK(as_operand(by_both, {0, 1, 2, 3}).extra.s8s8_mask == (1 << 2 | 1 << 3));
    STATIC_CHECK(check_reshape(s, {6, 32}) == verdict{reason::descriptor_has_extra});
}

TEST_CASE("shaped_descriptor: a result is reordered to weights of another format and type, and positions are kept") {
    std::vector<float> in(blocked.layout.element_span(), 1e30f);
    const shaped_layout from = made_by_conv1.shaped();
    position p = origin(4);
    float number = 0;
    do in[static_cast<std::size_t>(from.offset(p))] = number++;
    while (advance(p, from.shape()));

    const shaped_descriptor packed({data_type::s32, layout({5, 4, 2, 3}, "OIhw4i4o")}, weights);
    std::vector<std::int32_t> out(packed.descriptor.layout.element_span(), -1);
    const verdict done = plait::reorder(made_by_conv1, in.data(), packed, out.data());
    REQUIRE(done.ok());
    p = origin(4);
    std::int32_t expected = 0;
    bool same = true;
    do same = same && out[static_cast<std::size_t>(packed.shaped().offset(p))] == expected++;
    while (advance(p, packed.shape()));
    CHECK((same && expected == 120));
    CHECK(std::count(out.begin(), out.end(), 0) == 1 + static_cast<std::ptrdiff_t>(out.size()) - 120);
}

TEST_CASE("shaped_descriptor: returns each verdict, and a refused reorder writes nothing") {
    const auto refused = [](const descriptor& d, const axis_map& m, const verdict& why) {
        return check_shaped_descriptor(d, m) == why && try_shaped_descriptor(d, m).error() == why &&
               refusal_of([&] { return shaped_descriptor(d, m); }) == why;
    };
    CHECK(refused(blocked, {0, 1}, {reason::rank_differs, -1, 2, 4}));
    CHECK(refused(blocked, {0, 1, 2, 2}, {reason::not_a_permutation, 3, 2, 4}));
    CHECK(refused(descriptor(), {}, check_shaped_descriptor(descriptor(), {})));
    CHECK(!check_shaped_descriptor(descriptor(), {}).ok());
    descriptor of_no_type = blocked;
    of_no_type.type = data_type::undef;
    CHECK(refused(of_no_type, activations, check_descriptor(of_no_type)));
    CHECK(check_descriptor(of_no_type).reason == reason::data_type_is_unknown);
    STATIC_CHECK(check_as_operand(made_by_conv1, {0, 1}) == verdict{reason::rank_differs, -1, 2, 4});
    STATIC_CHECK(check_transpose(made_by_conv1, {0, 0, 1, 2}) == verdict{reason::not_a_permutation, 1, 0, 4});
    STATIC_CHECK(check_reshape(made_by_conv1, {2, 60}) == verdict{reason::axis_is_padded, 3, 8, 5});
    CHECK((refusal_of([] { return as_operand(made_by_conv1, {0, 1}); }).reason == reason::rank_differs));
    CHECK((refusal_of([] { return transpose(made_by_conv1, {0}); }).reason == reason::rank_differs));
    CHECK((refusal_of([] { return reshape(made_by_conv1, {2, 60}); }).reason == reason::axis_is_padded));
    shaped_descriptor broken = made_by_conv1;
    broken.map[0] = 3;
    CHECK(check_as_operand(broken, weights).reason == reason::not_a_permutation);
    CHECK(check_reshape(broken, {120}).reason == reason::not_a_permutation);

    std::vector<float> in(blocked.layout.element_span()), out(200, 9.0f);
    const shaped_descriptor other({data_type::f32, layout({5, 4, 2, 4}, "oihw")}, weights);
    CHECK(try_reorder(made_by_conv1, in.data(), other, out.data()).error() == verdict{reason::dims_differ, 3, 3, 4});
    CHECK(try_reorder(made_by_conv1, in.data(), {{data_type::f32, layout({5}, "a")}, {0}}, out.data()).error() ==
          verdict{reason::rank_differs, -1, 1, 4});
    CHECK(try_reorder(made_by_conv1, nullptr, made_by_conv1, out.data()).error().reason == reason::buffer_is_null);
    CHECK(try_reorder(broken, in.data(), made_by_conv1, out.data()).error().reason == reason::not_a_permutation);
    CHECK((refusal_of([&] { return reorder(made_by_conv1, in.data(), other, out.data()); }) ==
           verdict{reason::dims_differ, 3, 3, 4}));
    CHECK(out == std::vector<float>(200, 9.0f));
}

}}  // namespace test_bridge_shaped_descriptor
