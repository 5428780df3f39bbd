#pragma once
// Functions that zero the padding of views, and check that it is zero.

#include <plait/contents/contents_concepts.hpp>
#include <plait/reorder/zero_pad.hpp>

#include <array>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that the padding of a layout shares no places with elements, so that it can be zeroed.
///
/// Refused: as check_zero_pad of descriptors: dim_is_dynamic, ..., destination_is_not_injective
constexpr verdict check_zero_pad(const layout& l) {
    descriptor places;  // of bytes, because only the places matter, not the element type
    places.type = data_type::u8;
    places.layout = l;
    return check_zero_pad(places);
}

namespace detail {
/// An element with all bits zero, which T{} is not for every type.
template <class T>
inline constexpr T zero_bits = std::bit_cast<T>(std::array<unsigned char, sizeof(T)>{});

/// Returns a pointer to the byte of offset 0; null if elements are smaller than a byte, because they need not begin at
/// one.
template <class T, class L>
inline auto bytes_of_view(const tensor_view<T, L>& v) {
    using byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    if constexpr (packed_element<std::remove_const_t<T>>) return static_cast<byte*>(nullptr);
    else return reinterpret_cast<byte*>(v.data());
}
}  // namespace detail

/// Writes zeros into all bits of the padding of a view, and nothing else. Returns the same tensor with a type that
/// contains this; its other properties are kept.
///
/// Pre:     check_zero_pad(the layout).ok(), refused by the compiler if the type tells, otherwise at run time;
///          elements are not const, and are trivially copyable
/// Post:    is_padding_zero(v); bytes outside the padding are unchanged and were not written
/// Cost:    writes the cache lines that contain padding; nothing if the type has no padding
/// Source:  spec semantics 11
/// Example: docs/write-a-kernel.md, "What a tensor holds"
template <class T, class L>
    requires(!std::is_const_v<T> && std::is_trivially_copyable_v<T>)
constexpr zero_padded_view<T, L> zero_pad(const tensor_view<T, L>& v) {
    if constexpr (layout_type<L>) static_cast<void>(allowed<check_zero_pad(detail::known_layout<L>)>);
    else require(check_zero_pad(v.plain_layout()));
    if constexpr (!has_no_padding(detail::known_layout<L>)) {
        // Elements smaller than a byte share bytes with elements of the tensor: each is written alone.
        if (!detail::packed_element<T> && !std::is_constant_evaluated())
            detail::zero_padding_bytes(v.plain_layout(), detail::bytes_of_view(v), sizeof(T));
        else
            detail::visit_padding_places(v.plain_layout(), [&](dim_t place) {
                v.data()[place] = detail::zero_bits<T>;
                return true;
            });
    }
    return assume_zero_padding(v);
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr auto zero_pad(const held_view<T, L, P, K, S, Z>& v) {
    static_cast<void>(zero_pad(v.stored()));
    return assume_zero_padding(v);
}

/// Reads the padding and returns true if all its bits are zero.
///
/// Pre:     check_zero_pad(the layout).ok(), checked as in zero_pad
/// Post:    is_padding_zero(zero_pad(v)); true if there is no padding; nothing is written
/// Cost:    reads the padding up to the first element that is not zero
/// Source:  spec semantics 11
/// Example: for nChw16c<1, 17, 2, 2> false if one of the 15 channels of padding after the last is not zero
template <class T, class L>
    requires(std::is_trivially_copyable_v<T>)
inline bool is_padding_zero(const tensor_view<T, L>& v) {
    if constexpr (layout_type<L>) static_cast<void>(allowed<check_zero_pad(detail::known_layout<L>)>);
    else require(check_zero_pad(v.plain_layout()));
    if constexpr (!detail::packed_element<std::remove_const_t<T>>) {
        return detail::are_padding_bytes_zero(v.plain_layout(), detail::bytes_of_view(v), sizeof(T));
    } else {
        return detail::visit_padding_places(v.plain_layout(), [&](dim_t place) {
            return static_cast<std::remove_const_t<T>>(v.data()[place]).bits == 0;
        });
    }
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
inline bool is_padding_zero(const held_view<T, L, P, K, S, Z>& v) {
    return is_padding_zero(v.stored());
}

}  // namespace plait
