#pragma once
// Weights with compensation after their elements, and the reorder that computes it.

#include <plait/contents/contents_concepts.hpp>
#include <plait/descriptor/queries.hpp>
#include <plait/reorder/make_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns the descriptor of a view: its type, its layout, and its compensation as extra.
///
/// Refused: as check_descriptor
/// Pre:     the element type is one that data_type_of knows
/// Post:    descriptor_of(v) == descriptor(data_type_of<T>, v.plain_layout(), extra_of(its compensation))
/// Cost:    one check_descriptor
/// Source:  seeds rfc-memory-descriptor, 4
/// Example: for std::int8_t in OIhw4i16o4i<17, 20, 2, 3>: descriptor(data_type::s8, OIhw4i16o4i<17, 20, 2, 3>::value)
template <class T, class L>
constexpr descriptor descriptor_of(const tensor_view<T, L>& v) {
    return descriptor(data_type_of<std::remove_const_t<T>>, v.plain_layout());
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr descriptor descriptor_of(const held_view<T, L, P, K, S, Z>& v) {
    return descriptor(data_type_of<std::remove_const_t<T>>, v.plain_layout(), detail::extra_of(K));
}

namespace detail {
/// Returns a view of the sums that begin `begin` bytes after offset 0.
template <int Mask, class T, class L>
auto sums_behind(const tensor_view<T, L>& v, std::size_t begin) {
    const auto* const sums =
        reinterpret_cast<const std::int32_t*>(reinterpret_cast<const std::byte*>(v.data()) + begin);
    if constexpr (layout_type<L>)
        return tensor_view(unchecked_t{}, sums, layout_c<compensation_layout(known_layout<L>, Mask)>);
    else return tensor_view(unchecked_t{}, sums, compensation_layout(v.plain_layout(), Mask));
}
}  // namespace detail

/// Returns a view of the s8s8 compensation by position: s8s8_sums(w)(o, i, h, w) is the sum of output channel o, if the
/// mask has axis 0 only.
///
/// Pre:     the tensor has this compensation, refused by the compiler: compensation_is_missing; data is aligned to 4
///          bytes
/// Post:    result(p...) is number compensation_layout(w's layout, K.s8s8_mask).offset(p) of the s32 that begin at
///          descriptor_of(w).s8s8_begin()
/// Cost:    none if the layout is a type
/// Source:  spec semantics 12
/// Example: s8s8_sums(w)(o, 0, 0, 0) is -128 times the sum of all weights of output channel o
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
auto s8s8_sums(const held_view<T, L, P, K, S, Z>& w) {
    constexpr tensor_compensation wanted{.s8s8 = true, .s8s8_mask = K.s8s8_mask};
    static_cast<void>(allowed<detail::check_compensated<held_view<T, L, P, K, S, Z>, wanted>()>);
    return detail::sums_behind<K.s8s8_mask>(w.stored(), descriptor_of(w).s8s8_begin());
}
/// Returns a view of the compensation of an asymmetric source by position, as s8s8_sums does.
///
/// Pre:     the tensor has this compensation, refused by the compiler: compensation_is_missing; data is aligned to 4
///          bytes
/// Post:    result(p...) is number compensation_layout(w's layout, K.asymmetric_source_mask).offset(p) of the s32 that
///          begin at descriptor_of(w).asymmetric_source_begin()
/// Cost:    none if the layout is a type
/// Source:  spec semantics 12
/// Example: with the mask of axes 0 and 1: asymmetric_source_sums(w)(o, i, 0, 0) is minus the sum of w(o, i, ...)
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
auto asymmetric_source_sums(const held_view<T, L, P, K, S, Z>& w) {
    constexpr tensor_compensation wanted{.asymmetric_source = true, .asymmetric_source_mask = K.asymmetric_source_mask};
    static_cast<void>(allowed<detail::check_compensated<held_view<T, L, P, K, S, Z>, wanted>()>);
    return detail::sums_behind<K.asymmetric_source_mask>(w.stored(), descriptor_of(w).asymmetric_source_begin());
}

namespace detail {
/// Returns the size in bytes of a buffer for an s8 tensor with this compensation, counted from offset 0.
///
/// Refused: as check_descriptor
/// Example: a buffer for reorder_compensated<K>(weights, packed): compensated_size_in_bytes<K>(packed_layout)
template <tensor_compensation K>
constexpr std::size_t compensated_size_in_bytes(const layout& l) {
    return descriptor(data_type::s8, l, extra_of(K)).buffer_size_in_bytes();
}
}  // namespace detail

/// Calls reorder_compensated<K>(from, to, attributes), but returns a failure instead of throwing it.
template <tensor_compensation K, class T, class L, class M>
expected<void> try_reorder_compensated(const tensor_view<T, L>& from, const tensor_view<std::int8_t, M>& to,
                                       const reorder_attributes& attributes = {}) {
    const auto src = try_descriptor(data_type_of<std::remove_const_t<T>>, from.plain_layout());
    if (!src) return {src.error()};
    const auto dst = try_descriptor(data_type::s8, to.plain_layout(), detail::extra_of(K));
    if (!dst) return {dst.error()};
    return plait::try_reorder(*src, from.data(), *dst, to.data(), attributes);
}
/// Packs weights and writes the compensation K after them; the type of the result contains K.
///
/// Pre:     `to` has compensated_size_in_bytes<K>(its layout) bytes; the two do not overlap
/// Refused: at run time, as reorder of descriptors: extra_needs_s8, mask_is_out_of_range, layout_is_not_dense, ...
/// Post:    as reference_reorder of the descriptors; the padding is zero; compensated_by<decltype(result), K>
/// Cost:    as reorder of descriptors; its kernels are compiled once per program
/// Source:  spec semantics 12
/// Example: test/contents/compensated_view.cpp
template <tensor_compensation K, class T, class L, class M>
held_view<std::int8_t, M, padding_state::zero, K> reorder_compensated(const tensor_view<T, L>& from,
                                                                      const tensor_view<std::int8_t, M>& to,
                                                                      const reorder_attributes& attributes = {}) {
    require(try_reorder_compensated<K>(from, to, attributes).error());
    return detail::held_as<padding_state::zero, K>(to);
}

}  // namespace plait
