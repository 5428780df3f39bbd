// Values of attributes by mask, by group and by layout, of any type: which value a position has, and what is refused.

#include "laws/random_layouts.hpp"
#include "support/static_check.hpp"

#include <plait/algebra/split_axis.hpp>
#include <plait/contract/check_attributes.hpp>
#include <plait/contract/reference.hpp>

#include <array>
#include <limits>
#include <list>
#include <numeric>
#include <vector>

namespace test_contract_attribute_values { namespace {

using namespace plait;
using namespace plait::detail;

using scale = reorder_attributes::scale;
using zero_point = reorder_attributes::zero_point;

/// Returns 1, 2, 3, ...
std::vector<float> counted(std::size_t count) {
    std::vector<float> out(count);
    std::iota(out.begin(), out.end(), 1.0f);
    return out;
}
/// Returns the value of each position, in row-major order.
template <class Attribute>
std::vector<float> values_at_positions(const Attribute& a, const dims& extents) {
    std::vector<float> out;
    const values_by_position by_position(static_cast<const values_of_attribute<decltype(a.value)>&>(a), extents);
    for (dim_t i = 0; i < volume(extents); ++i) out.push_back(static_cast<float>(by_position.at(unravel(extents, i))));
    return out;
}
verdict refused(const scale& s, const dims& extents) { return check_attributes({.src_scale = s}, extents); }
verdict refused_divisor(const scale& s, const dims& extents) { return check_attributes({.dst_scale = s}, extents); }
verdict refused(const zero_point& z, const dims& extents) { return check_attributes({.dst_zero_point = z}, extents); }

/// A layout of these extents and strides, of which some may be 0.
layout with_strides_of(const dims& extents, const strides& steps) {
    layout out(extents, "ab");
    for (int k = 0; k < extents.size(); ++k) out.digits[k].stride = steps[k];
    return out;
}

TEST_CASE("values_by_mask: values of any type, from any contiguous range") {
    const std::vector<float16> halves = {float16(0.5f), float16(2.0f), float16(-4.0f)};
    CHECK(values_at_positions(scale(values_by_mask(halves, 2)), {2, 3}) ==
          std::vector<float>{0.5f, 2, -4, 0.5f, 2, -4});
    const std::array<std::uint8_t, 2> points = {3, 255};
    CHECK(values_at_positions(zero_point(values_by_mask(points, 1)), {2, 3}) ==
          std::vector<float>{3, 3, 3, 255, 255, 255});
    const std::byte packed[] = {std::byte{0xf7}, std::byte{0x08}};
    CHECK(values_at_positions(zero_point(values_by_mask<s4>(packed, 2)), {1, 3}) == std::vector<float>{7, -1, -8});
    CHECK(values_at_positions(zero_point(values_by_mask<u4>(packed, 2)), {1, 3}) == std::vector<float>{7, 15, 8});
    // The attribute's own type is read through its own pointer; one value has mask 0.
    const std::vector<float> floats = counted(1);
    CHECK(scale(values_by_mask(floats, 0)) == scale(std::span(floats), 0));
    CHECK(!scale(values_by_mask(floats, 0)).is_of_other_type());
    CHECK(scale(values_by_mask(halves, 2)).is_of_other_type());
    // A temporary vector would be destroyed too early, and a list is not contiguous.
    STATIC_CHECK(range_of_values<std::vector<float>&, void> && !range_of_values<std::vector<float>, void>);
    STATIC_CHECK(!range_of_values<std::list<float>&, void> && !range_of_values<std::vector<u4>&, void>);
    STATIC_CHECK(range_of_values<std::vector<std::byte>&, u4> && !range_of_values<std::vector<std::byte>&, void>);
}

TEST_CASE("values_by_group: the value of a position is that of its group") {
    const std::vector<float> values = counted(6);
    const dims extents = {4, 6};
    const std::vector<float> found = values_at_positions(scale(values_by_group(values, extents, {2, 2})), extents);
    for (dim_t a = 0; a < 4; ++a)
        for (dim_t b = 0; b < 6; ++b)
            CHECK(found[static_cast<std::size_t>(6 * a + b)] == static_cast<float>(a / 2 * 3 + b / 2 + 1));
    // Groups of one index are values by mask, and groups of whole axes are outside the mask.
    CHECK(values_at_positions(scale(values_by_group(values, {4, 6}, {4, 1})), extents) ==
          values_at_positions(scale(values_by_mask(values, 2)), extents));
    CHECK(scale(values_by_group(values, {4, 6}, {4, 1})).mask == 2);
}

TEST_CASE("values_by_group: a law: values by mask over the axes that the groups split") {
    plait_test::random_source random(33);
    for (int times = 0; times < 200; ++times) {
        const dim_t group = random.between(1, 4), groups = random.between(1, 4), rows = random.between(1, 3);
        const layout whole({rows, group * groups}, "ab"), target({rows, group * groups}, "ba");
        const layout split = split_axis(whole, 1, {groups, group}),
                     split_target = split_axis(target, 1, {groups, group});
        const std::vector<float> scales = counted(static_cast<std::size_t>(rows * groups)),
                                 in = counted(static_cast<std::size_t>(whole.volume()));
        std::vector<float> by_group(in.size()), by_mask(in.size());
        reference_reorder(whole, in.data(), target, by_group.data(),
                          {.src_scale = values_by_group(scales, whole.dims, {1, group})});
        reference_reorder(split, in.data(), split_target, by_mask.data(), {.src_scale = {scales, 3}});
        CHECK(by_group == by_mask);
    }
}

TEST_CASE("values_by_layout: the value of a position lies where the layout says") {
    const std::vector<float> values = counted(16);
    const dims extents = {2, 3};
    layout where = with_strides_of(extents, {0, 5});
    where.offset0 = 2;
    CHECK(values_at_positions(scale(values_by_layout(values, where)), extents) ==
          std::vector<float>{3, 8, 13, 3, 8, 13});
    // A dense layout: one value per element. By mask and by group are such layouts too.
    const layout dense(extents, "ba");
    CHECK(values_at_positions(scale(values_by_layout(values, dense)), extents) == std::vector<float>{1, 3, 5, 2, 4, 6});
    const std::vector<float> three = counted(3);
    const layout columns = with_strides_of(extents, {0, 1});
    CHECK(values_at_positions(scale(values_by_layout(three, columns)), extents) ==
          values_at_positions(scale(values_by_mask(three, 2)), extents));
    CHECK(axes_of(scale(values_by_layout(values, where))) == 2);
    CHECK(axes_of(scale(values_by_mask(three, 2))) == 2);
    CHECK(axes_of(scale(values_by_layout(values, dense))) == 3);
}

TEST_CASE("values_by_layout: groups whose rows are padded to whole bytes") {
    // 135 values of u4 in each row, of which the last is for 16 columns; 68 bytes have room for 136.
    std::vector<std::byte> bytes(5 * 68);
    for (dim_t row = 0; row < 5; ++row)
        for (dim_t k = 0; k < 136; ++k)
            set_element<u4>(bytes.data(), row * 136 + k, convert<u4>(static_cast<float>((row * 7 + k) % 15)));
    layout where({5, 4304}, "aB32b");
    where.digits[0].stride = 136;
    where.digits[1].stride = 1;
    where.digits[2].stride = 0;
    const zero_point points = values_by_layout<u4>(bytes, where);
    CHECK(refused(points, {5, 4304}).ok());
    const std::vector<float> found = values_at_positions(points, {5, 4304});
    for (dim_t row = 0; row < 5; ++row)
        for (dim_t column = 0; column < 4304; ++column)
            CHECK(found[static_cast<std::size_t>(row * 4304 + column)] ==
                  static_cast<float>((row * 7 + column / 32) % 15));
}

TEST_CASE("check_attributes: the types that values may have") {
    for (int t = 1; t < element_type_count; ++t) {
        const auto type = static_cast<data_type>(t);
        with_element_type(type, [&]<element T>(T) {
            const bool is_integer = integer_type<T>;
            const verdict as_scale = check_value_type<float>(type), as_point = check_value_type<std::int32_t>(type);
            CHECK(as_scale.ok() == (!is_integer && type != data_type::f64));
            CHECK(as_point.ok() == (is_integer && type != data_type::boolean));
            CHECK((as_scale.ok() || as_scale == verdict{reason::value_type_does_not_fit, -1, t}));
        });
    }
    const std::vector<double> doubles = {1, 2, 3};
    const std::vector<std::int32_t> integers = {1, 2, 3};
    const std::vector<boolean> truths(3, boolean(true));
    CHECK(refused(scale(values_by_mask(doubles, 2)), {2, 3}) ==
          verdict{reason::value_type_does_not_fit, -1, static_cast<dim_t>(data_type::f64)});
    CHECK(refused(scale(values_by_mask(integers, 2)), {2, 3}).reason == reason::value_type_does_not_fit);
    CHECK(refused(zero_point(values_by_mask(truths, 2)), {2, 3}).reason == reason::value_type_does_not_fit);
    // One value is checked as well.
    CHECK(refused(scale(values_by_mask(std::span(doubles).first(1), 0)), {2, 3}).reason ==
          reason::value_type_does_not_fit);
}

TEST_CASE("check_attributes: groups that do not divide, and numbers of values") {
    const std::vector<float> values = counted(24);
    const auto by_group = [&](std::size_t count, const dims& extents, const dims& group) {
        return refused(scale(values_by_group(std::span(values).first(count), extents, group)), {4, 6});
    };
    CHECK(by_group(4, {4, 6}, {2, 3}).ok());
    CHECK(by_group(1, {4, 6}, {4, 6}).ok());
    CHECK(by_group(24, {4, 6}, {1, 1}).ok());
    CHECK(by_group(4, {4, 6}, {2, 4}).ok());  // columns 0 to 3, and 4 and 5
    CHECK(by_group(6, {4, 6}, {3, 2}).ok());
    CHECK(by_group(1, {4, 6}, {8, 7}).ok());
    CHECK(by_group(4, {4, 6}, {0, 3}) == verdict{reason::group_does_not_divide, 0, 0, 4});
    CHECK(by_group(4, {4, 6}, {-2, 3}) == verdict{reason::group_does_not_divide, 0, -2, 4});
    CHECK(by_group(4, {4, 6}, {2}) == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(by_group(4, {4}, {2, 3}) == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(by_group(4, {4, 9}, {2, 3}) == verdict{reason::dims_differ, 1, 9, 6});
    CHECK(by_group(5, {4, 6}, {2, 3}) == verdict{reason::mask_has_other_values, 1, 3, 4, 5});
    CHECK(by_group(3, {4, 6}, {2, 3}) == verdict{reason::mask_has_other_values, 1, 3, 4, 3});
    // Packed values fill whole bytes: five need three bytes, which hold six.
    const std::vector<std::byte> bytes(4, std::byte{0x11});
    const auto packed = [&](std::size_t count, const dims& extents) {
        return refused(zero_point(values_by_mask<u4>(std::span(bytes).first(count), 1)), extents).ok();
    };
    CHECK(packed(3, {5}));
    CHECK(packed(3, {6}));
    CHECK_FALSE(packed(2, {5}));
    CHECK_FALSE(packed(4, {5}));
    // Each number of values of each width: no byte may be missing, and none may be left over.
    for (const data_type type : {data_type::u1, data_type::u2, data_type::u4, data_type::f6_e2m3, data_type::u8})
        for (dim_t needed = 1; needed < 40; ++needed)
            for (dim_t size = 1; size < 40; ++size) {
                const dim_t bits = size_in_bits(type);
                const auto given = static_cast<std::size_t>(size * 8 / bits);
                CHECK(fills_memory_of(type, given, needed) == (size == (needed * bits + 7) / 8));
            }
    // The sentence counts groups if there are groups. Rows of 135 values of u4 do not end with a byte.
    const std::vector<std::byte> padded(5 * 68);
    const verdict rows = refused(zero_point(values_by_group<u4>(padded, {5, 4304}, {1, 32})), {5, 4304});
    CHECK(rows == verdict{reason::mask_has_other_values, 1, 3, 675, 680});
    CHECK(std::string(describe(rows).c_str()) ==
          "mask_has_other_values: an attribute needs 675 values, one for each group of the axes up to axis 1, but 680 "
          "were given; a layout of the values can describe rows that are padded");
    // Known only at run time: the number is checked when it is bound.
    CHECK(refused(scale(values_by_group(values, {dynamic, 6}, {2, 3})), {dynamic, 6}).ok());
    CHECK(refused(scale(values_by_group(values, {dynamic, 6}, {2, 3})), {4, 6}).reason ==
          reason::mask_has_other_values);
}

TEST_CASE("check_attributes: layouts of values that do not fit") {
    const std::vector<float> values = counted(6);
    const auto by_layout = [&](const layout& where) { return refused(scale(values_by_layout(values, where)), {2, 3}); };
    CHECK(by_layout(layout({2, 3}, "ba")).ok());
    CHECK(by_layout(layout({2, 4}, "ab")) == verdict{reason::dims_differ, 1, 4, 3});
    CHECK(by_layout(layout({6}, "a")) == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(by_layout(layout({2, 3}, format_tag("any"))).reason == reason::layout_is_any);
    CHECK(by_layout(layout({2, dynamic}, "ab")).reason == reason::dim_is_dynamic);
    CHECK(by_layout(with_strides_of({2, 3}, {4, 1})) == verdict{reason::values_are_too_few, -1, 7, 6});
    layout late = with_strides_of({2, 3}, {0, 1});
    late.offset0 = 4;
    CHECK(by_layout(late) == verdict{reason::values_are_too_few, -1, 7, 6});
    late.offset0 = 3;
    CHECK(by_layout(late).ok());
    const std::vector<float> all_zero(6);
    const layout dense({2, 3}, "ab");
    CHECK(refused(scale(values_by_layout(all_zero, dense)), {2, 3}).ok());  // multiplied
    layout backwards = with_strides_of({2, 3}, {0, -1});
    CHECK(!by_layout(backwards).ok());
    // Places that no position has are not read.
    std::vector<float> spread = {1, 0, 2, 0, 3};
    const layout every_other = with_strides_of({2, 3}, {0, 2});
    CHECK(refused_divisor(scale(values_by_layout(spread, every_other)), {2, 3}).ok());
    spread[2] = std::numeric_limits<float>::infinity();
    const verdict why = refused_divisor(scale(values_by_layout(spread, every_other)), {2, 3});
    CHECK(why.reason == reason::scale_is_invalid);
    CHECK(why.second == 2);
}

TEST_CASE("check_attributes: values of small types that are no scales") {
    const std::vector<float8_e8m0> powers = {float8_e8m0(1.0f), float8_e8m0::from_bits(255), float8_e8m0(1.0f)};
    const verdict why = refused_divisor(scale(values_by_mask(powers, 2)), {2, 3});
    CHECK(refused(scale(values_by_mask(powers, 2)), {2, 3}).ok());
    CHECK(why.reason == reason::scale_is_invalid);
    CHECK(why.second == 1);
    const std::byte packed[] = {std::byte{0x02}};  // f4_e2m1: 1 and 0
    CHECK(refused_divisor(scale(values_by_mask<float4_e2m1>(packed, 1)), {2}).second == 1);
    CHECK(refused_divisor(scale(values_by_mask<float4_e2m1>(packed, 1)), {1}).ok());
    const std::vector<float16> infinite = {float16(1e9f)};
    CHECK(refused_divisor(scale(values_by_mask(infinite, 0)), {2}).reason == reason::scale_is_invalid);
}

}}  // namespace test_contract_attribute_values
