#pragma once
// A view whose type contains properties of the tensor in addition to its layout.

#include <plait/contents/quantization_values.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Elements that are plain values: usable as a read-only tensor_view.
///
/// As a tensor_view it cannot be written, because writing whole blocks with padding could make the type wrong. Elements
/// can be written by position, because padding has no position.
template <class T, view_layout L>
class held_values : public tensor_view<const T, L> {
    using read_only = tensor_view<const T, L>;

public:
    using element_type = T;
    using reference = typename view_access<T>::reference;  // T&, if elements are whole bytes
    constexpr explicit held_values(const tensor_view<T, L>& v) : read_only(v) {}

    template <std::integral... Index>
        requires(indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr reference operator()(Index... index) const {
        if constexpr (packed_element<std::remove_const_t<T>>) return stored()(index...);
        else return const_cast<T&>(read_only::operator()(index...));
    }
    template <std::integral... Index>
        requires(indexed_by<L, sizeof...(Index)>)
    constexpr reference at(Index... index) const {
        if constexpr (packed_element<std::remove_const_t<T>>) return stored().at(index...);
        else return const_cast<T&>(read_only::at(index...));
    }
    constexpr reference at(const position& where) const {
        if constexpr (packed_element<std::remove_const_t<T>>) return stored().at(where);
        else return const_cast<T&>(read_only::at(where));
    }
    template <std::integral... Index, class Why = wrong_indices<L, sizeof...(Index)>>
        requires(!indexed_by<L, sizeof...(Index)>)
    reference operator()(Index...) const = delete;
    template <std::integral... Index, class Why = wrong_indices<L, sizeof...(Index)>>
        requires(!indexed_by<L, sizeof...(Index)>)
    reference at(Index...)
    const = delete;

    /// Returns a plain view of the elements, without the properties in the type; for code that writes whole blocks.
    constexpr tensor_view<T, L> stored() const {
        return tensor_view<T, L>(unchecked_t{}, writable(this->data()), this->layout());
    }

private:
    static constexpr auto writable(typename view_access<const T>::pointer data) {
        using pointer = typename view_access<T>::pointer;
        if constexpr (packed_element<std::remove_const_t<T>>)
            return pointer(const_cast<typename pointer::byte*>(data.memory), data.place);
        else return const_cast<pointer>(data);
    }
};

/// Elements that are codes for other numbers. Not a tensor_view, so that functions on plain values do not accept it.
template <class T, view_layout L>
class held_codes {
public:
    using element_type = T;
    using layout_in_type = L;
    constexpr explicit held_codes(const tensor_view<T, L>& v) : stored_(v) {}

    constexpr int ndims() const { return stored_.ndims(); }
    constexpr dim_t extent(int axis) const { return stored_.extent(axis); }
    constexpr dim_t blocks(int axis) const { return stored_.blocks(axis); }
    constexpr dim_t valid(int axis, dim_t block) const { return stored_.valid(axis, block); }
    constexpr decltype(auto) layout() const { return stored_.layout(); }
    constexpr plait::layout plain_layout() const { return stored_.plain_layout(); }

    /// Returns a view of the codes as stored; to read the numbers, use dequantize.
    constexpr const tensor_view<T, L>& stored() const { return stored_; }

private:
    tensor_view<T, L> stored_;
};

/// The base of a held view: elements that are numbers, or codes for numbers.
template <class T, class L, bool Plain>
using held_elements = std::conditional_t<Plain, held_values<T, L>, held_codes<T, L>>;

/// The scales and zero points of a quantised tensor; empty if it is not quantised.
template <class Scales, class ZeroPoints>
struct held_parameters {
    [[no_unique_address]] Scales scales;
    [[no_unique_address]] ZeroPoints zero_points;
};
template <>
struct held_parameters<no_values, no_values> {
    static constexpr no_values scales{}, zero_points{};
    constexpr held_parameters() = default;
    constexpr held_parameters(no_values, no_values) {}
};

/// The template arguments of held_view as a value.
template <padding_state Padding, tensor_compensation Compensation, class Scales, class ZeroPoints>
inline constexpr tensor_contents contents_said{Padding, parameter_of<Scales>, parameter_of<ZeroPoints>, Compensation};
}  // namespace detail

/// A view whose type contains what is in the tensor: whether its padding is zero, how its elements are quantised, which
/// compensation follows them.
///
/// The type describes the tensor when the view was made; writing elements by position keeps it valid. It may become
/// wrong if whole blocks are written, through stored() or through another view of the same memory. If the elements are
/// plain values, the view is also a tensor_view<const T, L>; otherwise read stored() or dequantize(v, i...).
///
/// Post:    contents_of<held_view> == contents, except that missing padding counts as zero;
///          &v(i...) == &v.stored()(i...), if v is a tensor_view
/// Cost:    sizeof: the tensor_view, the scale and the zero point; an element costs the same as in the tensor_view
/// Example: docs/write-a-kernel.md, "What a tensor holds"
template <class T, view_layout L, padding_state Padding, tensor_compensation Compensation = tensor_compensation{},
          class Scales = no_values, class ZeroPoints = no_values>
class held_view : public detail::held_elements<
                      T, L, detail::contents_said<Padding, Compensation, Scales, ZeroPoints>.has_plain_values()> {
public:
    static constexpr tensor_contents contents = detail::contents_said<Padding, Compensation, Scales, ZeroPoints>;

    /// Trusts the caller, unchecked. To establish the properties use zero_pad, with_quantization or a reorder.
    constexpr held_view(unchecked_t, const tensor_view<T, L>& v, const Scales& scales = {},
                        const ZeroPoints& zero_points = {})
        : detail::held_elements<T, L, contents.has_plain_values()>(v), values_{scales, zero_points} {}

    /// Converts to const elements, or to a type that does not state that the padding is zero.
    template <class U, padding_state More>
        requires(std::is_convertible_v<U (*)[], T (*)[]> && (Padding == padding_state::unknown || More == Padding) &&
                 !(std::is_same_v<U, T> && More == Padding))
    constexpr held_view(const held_view<U, L, More, Compensation, Scales, ZeroPoints>& other)
        : held_view(unchecked_t{}, other.stored(), other.scales(), other.zero_points()) {}

    /// Converts from a tensor_view without padding, for which zero padding holds trivially.
    constexpr held_view(const tensor_view<T, L>& v) requires(contents ==
                                                                 tensor_contents{padding_state::zero, {}, {}, {}} &&
                                                             has_no_padding(detail::known_layout<L>))
        : held_view(unchecked_t{}, v) {}

    /// Returns the scales: a one_value, a view of the tensor's dims, or no_values. scales()(i...) belongs to (i...).
    constexpr const Scales& scales() const { return values_.scales; }
    constexpr const ZeroPoints& zero_points() const { return values_.zero_points; }

    /// Returns the tensor with const elements, for a function that deduces the arguments of held_view<const T, ...>.
    constexpr held_view<const T, L, Padding, Compensation, Scales, ZeroPoints> as_const() const { return *this; }

private:
    [[no_unique_address]] detail::held_parameters<Scales, ZeroPoints> values_;
};

/// A view of a tensor whose padding is zero and that is not quantised.
template <class T, view_layout L>
using zero_padded_view = held_view<T, L, padding_state::zero>;

namespace detail {
/// Returns a held_view with the given contents, unchecked.
template <padding_state Padding, tensor_compensation Compensation = tensor_compensation{}, class T, class L,
          class Scales = no_values, class ZeroPoints = no_values>
constexpr held_view<T, L, Padding, Compensation, Scales, ZeroPoints> held_as(const tensor_view<T, L>& v,
                                                                             const Scales& scales = {},
                                                                             const ZeroPoints& zero_points = {}) {
    return {unchecked_t{}, v, scales, zero_points};
}
}  // namespace detail

/// Returns a view whose type states that the padding is zero, because the caller knows that it is: for example the
/// buffer was filled with zeros, or a kernel has just written zeros there.
///
/// Pre:     is_padding_zero(v); unchecked
/// Post:    zero_padded<decltype(result)>; the same data, layout, values and compensation
/// Cost:    none
/// Source:  spec semantics 11
/// Example: for a std::vector<float> zeros(128): assume_zero_padding(tensor_view(zeros.data(), nChw16c<1, 17, 2, 2>()))
template <class T, class L>
constexpr zero_padded_view<T, L> assume_zero_padding(const tensor_view<T, L>& v) {
    return detail::held_as<padding_state::zero>(v);
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr auto assume_zero_padding(const held_view<T, L, P, K, S, Z>& v) {
    return detail::held_as<padding_state::zero, K>(v.stored(), v.scales(), v.zero_points());
}

namespace detail {
/// Returns the contents in the type of a view; for a tensor_view, those that follow from its layout.
template <class T, class L>
constexpr tensor_contents contents_in(const tensor_view<T, L>*) {
    return {.padding = has_no_padding(known_layout<L>) ? padding_state::zero : padding_state::unknown,
            .scale = {},
            .zero_point = {},
            .compensation = {}};
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr tensor_contents contents_in(const held_view<T, L, P, K, S, Z>*) {
    tensor_contents out = held_view<T, L, P, K, S, Z>::contents;
    if (has_no_padding(known_layout<L>)) out.padding = padding_state::zero;
    return out;
}
}  // namespace detail

/// The contents in the type of a view. If the layout has no padding, the padding counts as zero.
///
/// Example: contents_of<tensor_view<float, nChw16c<2, 32, 5, 4>>>.padding == padding_state::zero; not of 17 channels
template <class View>
    requires requires { detail::contents_in(static_cast<const std::remove_cvref_t<View>*>(nullptr)); }
inline constexpr tensor_contents contents_of =
    detail::contents_in(static_cast<const std::remove_cvref_t<View>*>(nullptr));

}  // namespace plait
