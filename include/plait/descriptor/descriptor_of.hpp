#pragma once
// The descriptor of elements of a C++ type, including types that are no numbers of plait.

#include <plait/core/moved_elements.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the descriptor with which reorders move elements of a size in bytes, or why there is none.
///
/// Pre:     carrier_of(bytes) is not undef
/// Refused: what check_descriptor refuses; too_many_axes, too_many_digits of elements of 16 bytes
constexpr expected<descriptor> descriptor_of_size(const layout& l, dim_t bytes) {
    expected<descriptor> out;
    const expected<layout> units = layout_of_units(l, units_of(bytes));
    out.error() = units.error();
    if (!out) return out;
    out->type = carrier_of(bytes);
    out->layout = *units;
    out.error() = check_descriptor(*out);
    return out;
}
}  // namespace detail

/// Returns the descriptor of elements of type T in a layout, for make_reorder.
///
/// A number of plait has its own type. Of other elements a reorder moves the bytes, so their descriptor has an element
/// type of the same size; both sides of the reorder must be of the same T. Elements of 16 bytes are described as two of
/// 8, with an additional innermost axis.
///
/// Pre:     T is an element type, or trivially copyable and of 1, 2, 4, 8 or 16 bytes
/// Post:    for numbers descriptor(data_type_of<T>, l)
/// Refused: as check_descriptor; too_many_axes, if elements of 16 bytes have 12 axes
/// Cost:    one check_descriptor
/// Source:  spec semantics 1
/// Example: make_reorder(descriptor_of<std::int64_t>(from), descriptor_of<std::int64_t>(to))
template <class T>
    requires(element<T> || detail::moved_element<T>)
[[nodiscard]] constexpr descriptor descriptor_of(const layout& l) {
    if constexpr (element<T>) return descriptor(data_type_of<T>, l);
    else return detail::descriptor_of_size(l, sizeof(T)).value();
}

}  // namespace plait
