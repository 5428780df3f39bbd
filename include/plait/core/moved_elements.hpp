#pragma once
// Elements that are no numbers of plait, such as std::int64_t and std::complex<float>: reorders move their bytes, and
// do not convert them. Only their size matters, so that an element type of the same size moves them.

#include <plait/core/data_type.hpp>
#include <plait/core/expected.hpp>
#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the element type whose reorders move elements of a size in bytes; undef if there is none. Elements of 16
/// bytes are moved as two of 8: see layout_of_units.
///
/// Example: carrier_of(4) == data_type::s32; carrier_of(16) == data_type::f64; carrier_of(3) == data_type::undef
constexpr data_type carrier_of(dim_t bytes) {
    switch (bytes) {
        case 1: return data_type::u8;
        case 2: return data_type::bf16;
        case 4: return data_type::s32;
        case 8:
        case 16: return data_type::f64;
        default: return data_type::undef;
    }
}
/// Returns the number of elements of the type carrier_of(bytes) that move one element.
constexpr int units_of(dim_t bytes) { return bytes == 16 ? 2 : 1; }

/// Returns the layout of the units of which elements consist: l itself for one unit; for more, one axis more, innermost
/// and dense, that counts the units.
///
/// Refused: too_many_axes, too_many_digits (also counting the additional axis); size_overflows
/// Pre:     check_layout(l).ok()
/// Post:    offset(result, p and u) == units * offset(l, p) + u
constexpr expected<layout> layout_of_units(const layout& l, int units) {
    if (units == 1 || l.kind != format_kind::blocked) return l;
    const int n = l.ndims();
    if (n == max_ndims) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
    if (l.digits.full()) return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
    layout out;
    out.kind = l.kind;
    out.dims = l.dims;
    out.padded_dims = l.padded_dims;
    out.padded_offsets = l.padded_offsets;
    const checked_integer offset0 = checked_integer{l.offset0} * units;
    if (!offset0.ok()) return verdict{reason::size_overflows, -1, l.offset0, units};
    out.offset0 = offset0.value;
    out.dims.push_back(units);
    out.padded_dims.push_back(units);
    out.padded_offsets.push_back(0);
    for (int k = 0; k < l.digits.size(); ++k) {
        digit d = l.digits[k];
        if (is_known(d.stride)) {
            const checked_integer stride = checked_integer{d.stride} * units;
            if (!stride.ok() || !is_known(stride.value))
                return verdict{reason::size_overflows, d.axis, d.stride, units};
            d.stride = stride.value;
        }
        if (k == n) out.digits.push_back({n, units, 1});
        out.digits.push_back(d);
    }
    if (l.digits.size() == n) out.digits.push_back({n, units, 1});
    return {out, check_layout(out)};
}

/// A class that refers to elements elsewhere, such as std::span: to move it would not move these. An array has its
/// elements in it, and is an aggregate.
template <class T>
concept refers_to_elements = !std::is_aggregate_v<T> && requires(const T& x) {
    x.data();
};

/// A C++ type whose bytes a reorder moves: trivially copyable, of 1, 2, 4, 8 or 16 bytes, and no element type of plait.
///
/// Pointers, std::byte and classes that refer to elements are not moved: a pointer to one of these is much more likely
/// a mistake, such as an array of rows, or bytes of elements whose type was not named.
///
/// Example: moved_element<std::int64_t>, moved_element<std::complex<double>>; false for float, char* and std::byte
template <class T>
concept moved_element =
    std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T> &&
    !std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::is_array_v<T> && !std::is_same_v<T, std::byte> &&
    !std::is_null_pointer_v<T> && !element<T> && !refers_to_elements<T> && carrier_of(sizeof(T)) != data_type::undef;

/// True if a reorder moves elements of type T to elements of type U without a conversion that it knows.
template <class T, class U>
concept moves_bytes = std::is_same_v<T, U> && moved_element<T>;

/// True if a reorder takes these types of elements: numbers of plait are converted, others only moved.
template <class T, class U>
concept reordered = (element<T> && element<U>) || moves_bytes<T, U>;

/// The C++ type that moves elements of type T.
template <moved_element T>
using carrier = element_type_of<carrier_of(sizeof(T))>;

}  // namespace plait::detail
