#pragma once
// The values of an attribute: one for the tensor, or a tensor over its index space, with a type and a layout of its
// own.

#include <plait/algebra/index_terms.hpp>
#include <plait/contract/convert.hpp>
#include <plait/core/packed_elements.hpp>

#include <span>  // and the concepts of ranges, at a fraction of the cost of <ranges>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A pointer, which has no length, so that no scale or zero point by index can be made from it.
///
/// Example: bare_pointer<const float*>; false for std::span<const float>
template <class T>
concept bare_pointer = std::is_pointer_v<T>;

/// Values of an attribute as values_by_mask, values_by_group and values_by_layout describe them.
template <element T>
struct value_tensor {
    const memory_of<T>* values = nullptr;
    std::size_t count = 0;  ///< elements of type T
    int mask = 0;
    dims extents, group;            ///< empty, except by group
    const layout* where = nullptr;  ///< null, except by layout
};

/// Returns element `place` of values of any type, as a number.
///
/// Pre:     Number is float, and the type is a floating-point type that f32 contains; or std::int32_t, and the type is
///          an integer type
template <class Number>
inline Number load_value(data_type type, const std::byte* values, dim_t place) {
    return with_element_type(type, [&]<element T>(T) { return convert<Number>(load_element<T>(values, place)); });
}

/// One value for the tensor, or values by mask, group or layout. Value is float for scales, std::int32_t for zero
/// points.
template <class Value>
struct values_of_attribute {
    Value value{};
    const Value* values = nullptr;  ///< the values, if they are of this type; null if `value` applies to all
    std::size_t count = 1;          ///< the number of values
    int mask = 0;                   ///< the axes along which values differ
    data_type type = data_type_of<Value>;
    const std::byte* bytes = nullptr;  ///< the values, if they are of another type
    dims extents, group;               ///< by group: the tensor's extents, and how many indices share a value
    const layout* where = nullptr;     ///< by layout: the place of each position's value

    constexpr values_of_attribute(Value for_all) : value(for_all) {}
    constexpr values_of_attribute(std::span<const Value> by_index, int axes)
        : values(by_index.data()), count(by_index.size()), mask(axes) {}
    template <bare_pointer Pointer>
    values_of_attribute(const Pointer&, int) = delete;  ///< use a span, which has a length: {{values, count}, mask}
    template <element T>
    constexpr values_of_attribute(const value_tensor<T>& from)
        : count(from.count),
          mask(from.mask),
          type(data_type_of<T>),
          extents(from.extents),
          group(from.group),
          where(from.where) {
        if constexpr (std::is_same_v<T, Value>) values = from.values;
        else bytes = reinterpret_cast<const std::byte*>(from.values);
    }
    constexpr bool operator==(const values_of_attribute&) const = default;

    /// Returns true if there is one value for the tensor.
    constexpr bool is_one_value() const { return mask == 0 && count == 1 && where == nullptr && group.empty(); }
    constexpr bool is_of_other_type() const { return type != data_type_of<Value>; }
    constexpr bool has_values() const { return values != nullptr || bytes != nullptr; }
    /// Returns value number `place` of the array.
    ///
    /// Pre:     has_values(), place < count
    constexpr Value at(dim_t place) const {
        return is_of_other_type() ? load_value<Value>(type, bytes, place) : values[place];
    }
};

/// Returns the one value of an attribute that applies to the whole tensor.
///
/// Pre:     a.is_one_value()
template <class Value>
constexpr Value value_for_tensor(const values_of_attribute<Value>& a) {
    return a.has_values() ? a.at(0) : a.value;
}

/// Returns the distance in an array of values with this mask between neighbours along each axis; 0 for axes outside it.
///
/// Pre:     mask has no bits beyond the axes; no extent is dynamic
/// Post:    the value of position p is values[sum of p[a] * result[a]]; the last masked axis has step 1
constexpr strides mask_strides(const dims& extents, int mask) {
    strides out = strides(extents.values, static_cast<std::size_t>(extents.size()));
    dim_t step = 1;
    for (int a = extents.size() - 1; a >= 0; --a) {
        const bool masked = (mask >> a & 1) != 0;
        out[a] = masked ? step : 0;
        // If one extent is zero, the product of the others may overflow, but it is never used to read.
        if (masked) step = wrapping_multiply(step, extents[a]);
    }
    return out;
}

/// Returns how many groups each axis has: its extent, if there are no groups; `dynamic` if it is not known.
///
/// Pre:     group is empty, or has a positive divisor of each known extent
constexpr dims count_groups(const dims& extents, const dims& group) {
    dims out = extents;
    for (int a = 0; a < group.size(); ++a)
        if (extents[a] != dynamic) out[a] = extents[a] / group[a];
    return out;
}

/// Returns the summands of the place of a value: at position p the place is `where->offset0`, or 0, plus the sum of
/// p[axis] / divisor % extent times stride.
///
/// Pre:     check_attributes is ok, and no extent is dynamic; the layout has no padding in front
template <class Value>
constexpr index_terms terms_of(const values_of_attribute<Value>& a, const dims& extents) {
    if (a.where != nullptr) return terms_of(*a.where);
    index_terms out;
    const strides steps = mask_strides(count_groups(extents, a.group), a.mask);
    for (int axis = 0; axis < extents.size(); ++axis)
        if (steps[axis] != 0) out.push_back({axis, a.group.empty() ? 1 : a.group[axis], 0, steps[axis]});
    return out;
}
/// Returns the axes along which values differ, as a mask. By layout: the axes with a stride.
template <class Value>
constexpr int axes_of(const values_of_attribute<Value>& a) {
    int out = a.mask;
    for (int k = 0; a.where != nullptr && k < a.where->digits.size(); ++k)
        if (a.where->digits[k].stride != 0 && a.where->digits[k].extent > 1) out |= 1 << a.where->digits[k].axis;
    return out;
}

/// The number of elements of type T in a range: of packed ones, in bytes.
template <element T>
constexpr std::size_t elements_in(std::size_t size) {
    return packed_element<T> ? size * 8 / static_cast<std::size_t>(size_in_bits(data_type_of<T>)) : size;
}
/// The element type of values in a range: that of the range, or T, whose packed elements lie in bytes.
template <class T, class Range>
using type_of_values = std::conditional_t<std::is_void_v<T>, std::remove_cvref_t<std::ranges::range_value_t<Range>>, T>;
/// A range that values can be read from: contiguous, and not a temporary that owns them.
template <class Range, class T>
concept range_of_values = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    std::ranges::borrowed_range<Range> && element<type_of_values<T, Range>> &&
    std::is_same_v<memory_of<type_of_values<T, Range>>, std::remove_cvref_t<std::ranges::range_value_t<Range>>>;

template <class T, class Range>
constexpr value_tensor<type_of_values<T, Range>> values_in(Range&& values) {
    using held = type_of_values<T, Range>;
    value_tensor<held> out;
    out.values = std::ranges::data(values);
    out.count = elements_in<held>(std::ranges::size(values));
    return out;
}
}  // namespace detail

/// Returns scales or zero points with one value for each index along the axes whose bits are set in the mask.
///
/// The values are any contiguous range of elements, which stays the caller's. Values of a type smaller than a byte are
/// named, and lie in bytes: values_by_mask<u4>(bytes, 1).
///
/// Pre:     check_attributes(attributes that hold the result, extents).ok()
/// Post:    the value of position p is number sum of p[a] * mask_strides(extents, mask)[a]
/// Cost:    O(1); the values are read when the reorder runs
/// Source:  oneDNN 3, dnnl_primitive_attr_set_scales
/// Example: {.src_scale = values_by_mask(scales, 1 << 0)}, where scales is a std::vector<float16> with one per row
template <class T = void, detail::range_of_values<T> Range>
[[nodiscard]] constexpr auto values_by_mask(Range&& values, int mask) {
    auto out = detail::values_in<T>(values);
    out.mask = mask;
    return out;
}

/// Returns scales or zero points that groups of `group[a]` adjacent indices along each axis `a` share. They are dense
/// and row-major over the groups.
///
/// Refused, when a reorder is made: as check_attributes: group_does_not_divide, mask_has_other_values
/// Pre:     check_attributes(attributes that hold the result, extents).ok()
/// Post:    the value of position p is that of values_by_mask over the extents[a] / group[a], at p[a] / group[a]
/// Cost:    O(1); the values are read when the reorder runs
/// Source:  oneDNN 3, dnnl_primitive_attr_set_scales with groups
/// Example: values_by_group(scales, {64, 96}, {1, 32}): 64 * 3 scales, one for each 32 elements of a row
template <class T = void, detail::range_of_values<T> Range>
[[nodiscard]] constexpr auto values_by_group(Range&& values, const dims& extents, const dims& group) {
    auto out = detail::values_in<T>(values);
    out.extents = extents;
    out.group = group;
    for (int a = 0; a < extents.size() && a < group.size(); ++a)
        if (extents[a] == dynamic || group[a] < extents[a]) out.mask |= 1 << a;
    return out;
}

/// Returns scales or zero points that lie in memory as a layout over the tensor's extents describes. Positions share a
/// value where the layout has stride 0. The layout stays the caller's, as the values do.
///
/// Pre:     check_attributes(attributes that hold the result, extents).ok()
/// Post:    the value of position p is number where.offset(p)
/// Cost:    O(1); the values are read when the reorder runs
/// Source:  spec semantics 4
/// Example: scales by channel, in tiles of 16 rows and 8 columns: a layout of the tensor's extents with those strides
template <class T = void, detail::range_of_values<T> Range>
[[nodiscard]] constexpr auto values_by_layout(Range&& values, const layout& where) {
    auto out = detail::values_in<T>(values);
    out.where = &where;
    return out;
}
template <class T = void, detail::range_of_values<T> Range>
auto values_by_layout(Range&& values, const layout&& where) = delete;  ///< the layout must outlive the attributes

}  // namespace plait
