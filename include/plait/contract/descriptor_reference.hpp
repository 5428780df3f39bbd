#pragma once
// The reference for descriptors: moves one element at a time, by the same functions as the static reference.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/contract/reference.hpp>
#include <plait/core/packed_elements.hpp>

#include <cstddef>
#include <cstring>  // std::memcpy

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Converts element `from_place` of `from` and writes it as element `to_place` of `to`, at any alignment, with the
/// attributes; `how` is null if there are none.
using element_converter = void (*)(data_type from_type, const std::byte* from, dim_t from_place, data_type to_type,
                                   std::byte* to, dim_t to_place, const element_attributes* how);

/// Converts a number to an element.
template <class Number>
inline void store_number(data_type type, std::byte* to, dim_t place, Number x) {
    with_element_type(type, [&]<element T>(T) { store_element<T>(to, place, convert<T>(x)); });
}
inline bool is_integer(data_type type) {
    return with_element_type(type, []<element T>(T) { return integer_type<T>; });
}

/// Converts one element as an element_converter does, with arithmetic in Number. Instead of a function for each pair of
/// types there is one for each type: a number of f64 holds every element exactly.
template <class Number>
inline void convert_number(data_type from_type, const std::byte* from, dim_t from_place, data_type to_type,
                           std::byte* to, dim_t to_place, const element_attributes* how) {
    if (from_type == to_type && how == nullptr)
        return with_element_type(
            from_type, [&]<element T>(T) { store_element<T>(to, to_place, load_element<T>(from, from_place)); });
    const double x = load_number(from_type, from, from_place);
    if (how != nullptr) {
        const auto old = static_cast<Number>(load_number(to_type, to, to_place));
        store_number(to_type, to, to_place, convert_with<Number>(static_cast<Number>(x), old, *how));
    } else if (is_integer(from_type) && is_integer(to_type)) {
        store_number(to_type, to, to_place, x);
    } else {
        store_number(to_type, to, to_place, static_cast<Number>(x));
    }
}

/// Returns the function that converts one element from one type to another.
///
/// Pre:     neither type is undef, and both are enumerators
/// Post:    for an x at the place in `from`, the function writes convert_with<U>(x, old value, *how), or convert<U>(x)
/// Cost:    three switches for each element
/// Source:  spec semantics 12
/// Example: f32 to s8 without attributes: 2.5f becomes 2
inline element_converter find_element_converter(data_type from, data_type to) {
    const bool in_f64 = from == data_type::f64 || to == data_type::f64;
    return in_f64 ? convert_number<double> : convert_number<float>;
}

/// Writes compensation: for each index along the axes of a mask, `factor` times the sum of the tensor's s8 elements, at
/// the place that compensation_layout gives; 0 for padding. The sums are s32, and wrap around like unsigned numbers.
///
/// Source:  spec semantics 12
inline void reference_compensation(const layout& l, const std::byte* data, int mask, std::uint32_t factor,
                                   std::byte* to) {
    const layout sums = compensation_layout(l, mask);
    std::memset(to, 0, sums.element_span() * sizeof(std::uint32_t));
    for (dim_t number = 0; number < l.volume(); ++number) {
        const position at = unravel(l.dims, number);
        std::uint32_t sum = 0;
        std::byte* const here = to + sums.offset(at) * static_cast<dim_t>(sizeof(sum));
        std::memcpy(&sum, here, sizeof(sum));
        sum += factor * static_cast<std::uint32_t>(std::to_integer<std::int8_t>(data[l.offset(at)]));
        std::memcpy(here, &sum, sizeof(sum));
    }
}
}  // namespace detail

/// Moves a tensor element by element, and writes zeros into the padding, and the compensation after the data.
///
/// The scale of an element is rounded(src_scale * scale_adjust), with scale_adjust of the destination's extra. Pointers
/// need no alignment.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); in and out point to offset 0, and do not overlap
/// Post:    as reference_reorder(src.layout, in, dst.layout, out, attributes) for the C++ types, if dst.extra is empty
/// Cost:    O(padded volume * digits); slow on purpose
/// Source:  spec semantics 11, 12
/// Example: test/contract/descriptor_reference.cpp
template <std::same_as<descriptor> Descriptor>
void reference_reorder(const Descriptor& src, const void* in, const Descriptor& dst, void* out,
                       const reorder_attributes& attributes = {}) {
    require(check_reorder(src, dst, attributes));
    const detail::element_converter convert_element = detail::find_element_converter(src.type, dst.type);
    const bool only_convert = detail::change_nothing(attributes, dst.dims()) && dst.extra.scale_adjust == 1;
    const detail::attributes_by_position by_position(attributes, dst.layout.dims);
    const auto from = static_cast<const std::byte*>(in);
    const auto to = static_cast<std::byte*>(out);
    detail::visit_every_place(dst.layout, [&](dim_t place, const position* at) {
        if (at == nullptr) return detail::zero_element(dst.type, to, place);
        detail::element_attributes how = by_position.at(*at);
        if (dst.extra.scale_adjust != 1) how.src_scale = detail::rounded(how.src_scale * dst.extra.scale_adjust);
        convert_element(src.type, from, src.layout.offset(*at), dst.type, to, place, only_convert ? nullptr : &how);
    });
    if (dst.s8s8_count() != 0)
        detail::reference_compensation(dst.layout, to, dst.extra.s8s8_mask, static_cast<std::uint32_t>(-128),
                                       to + dst.s8s8_begin());
    if (dst.asymmetric_source_count() != 0)
        detail::reference_compensation(dst.layout, to, dst.extra.asymmetric_source_mask, static_cast<std::uint32_t>(-1),
                                       to + dst.asymmetric_source_begin());
}

}  // namespace plait
