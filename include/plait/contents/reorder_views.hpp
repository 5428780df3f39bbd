#pragma once
// Reorders between views whose layouts are types; the types of the results contain what they establish.

#include <plait/contents/quantized_view.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that a view has no compensation. A reorder would lose the source's, and would leave sums of other elements
/// in the destination.
///
/// Refused: descriptor_has_extra
constexpr verdict check_no_compensation(const tensor_compensation& c) {
    return c == tensor_compensation{} ? verdict{} : verdict{reason::descriptor_has_extra};
}

/// Returns a view of the elements as stored; fails with descriptor_has_extra if the view has compensation.
template <class T, class L>
constexpr tensor_view<T, L> stored_elements(const tensor_view<T, L>& v) {
    return v;
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr tensor_view<T, L> stored_elements(const held_view<T, L, P, K, S, Z>& v) {
    static_cast<void>(allowed<check_no_compensation(K)>);
    return v.stored();
}
}  // namespace detail
/// Returns the attributes with which a reorder reads the elements of a view; a plain view has none.
template <class T, class L>
constexpr reorder_attributes source_attributes(const tensor_view<T, L>&) {
    return {};
}
namespace detail {
/// Returns the attributes with which a reorder writes the elements of a view; a plain view has none.
template <class T, class L>
constexpr reorder_attributes destination_attributes(const tensor_view<T, L>&) {
    return {};
}
/// A view whose layout is a type, or a held_view of one.
template <class View>
concept static_view = requires(const View& v) {
    requires layout_type<typename View::layout_in_type>;
    requires element<std::remove_const_t<typename View::element_type>>;
    stored_elements(v);
};
}  // namespace detail

/// Calls reorder(from, to), but returns a run-time failure instead of throwing it. After success,
/// assume_zero_padding(to) is the view that reorder returns.
template <detail::static_view From, detail::static_view To>
    requires(!std::is_const_v<typename To::element_type>)
expected<void> try_reorder(const From& from, const To& to) {
    constexpr layout src = detail::known_layout<typename From::layout_in_type>,
                     dst = detail::known_layout<typename To::layout_in_type>;
    const auto in = detail::stored_elements(from);
    const auto out = detail::stored_elements(to);
    if constexpr (contents_of<From>.is_quantized() || contents_of<To>.is_quantized()) {
        reorder_attributes attributes = source_attributes(from);
        const reorder_attributes written = detail::destination_attributes(to);
        attributes.dst_scale = written.dst_scale;
        attributes.dst_zero_point = written.dst_zero_point;
        return plait::try_reorder<src, dst>(in.data(), out.data(), attributes);
    } else {
        return plait::try_reorder<src, dst>(in.data(), out.data());
    }
}

/// Copies a tensor, converts its elements, and writes zeros into the destination's padding. A quantised source is read
/// as the numbers that it represents; numbers are quantised if the destination is.
///
/// Pre:     check_reorder of the layouts, refused by the compiler; scales are f32 and zero points s32 on both sides; at
///          run time fails as reorder of pointers
/// Refused: descriptor_has_extra (by the compiler): compensation on either side, see reorder_compensated
/// Post:    the result is `to`, and zero_padded; without quantisation result(p...) == convert<U>(from(p...)), otherwise
///          reference_reorder writes with source_attributes(from) and destination_attributes(to)
/// Cost:    as reorder_kernel
/// Source:  spec semantics 11, 12
/// Example: docs/write-a-kernel.md, "What a tensor holds"
template <detail::static_view From, detail::static_view To>
    requires(!std::is_const_v<typename To::element_type>)
auto reorder(const From& from, const To& to) {
    require(try_reorder(from, to).error());
    return assume_zero_padding(to);
}

}  // namespace plait
