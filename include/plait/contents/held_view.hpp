#pragma once
// A view whose type says what the tensor holds besides its layout.

#include <plait/contents/quantization_values.hpp>

namespace plait {
namespace detail {
/// Elements that stand for themselves: read wherever a tensor_view is read.
///
/// As a tensor_view it cannot be written, so that nobody writes whole blocks, padding included, and the type goes on
/// saying what was there before. An element is written by its position, which padding has none of.
template <class T, view_layout L>
class held_values : public tensor_view<const T, L> {
    using read_only = tensor_view<const T, L>;

public:
    using element_type = T;
    constexpr explicit held_values(const tensor_view<T, L>& v) : read_only(v) {}

    template <std::integral... Index>
        requires(indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr T& operator()(Index... index) const {
        return const_cast<T&>(read_only::operator()(index...));
    }
    template <std::integral... Index>
        requires(indexed_by<L, sizeof...(Index)>)
    constexpr T& at(Index... index) const { return const_cast<T&>(read_only::at(index...)); }
    constexpr T& at(const position& where) const { return const_cast<T&>(read_only::at(where)); }

    /// The elements alone, without what the type says of them; for who writes whole blocks.
    constexpr tensor_view<T, L> stored() const {
        return tensor_view<T, L>(unchecked_t{}, const_cast<T*>(this->data()), this->layout());
    }
};

/// Elements that stand for other numbers: no tensor_view, so that who wants plain values does not take them.
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

    /// The elements as they are stored, for who knows what they stand for; dequantize reads the numbers.
    constexpr const tensor_view<T, L>& stored() const { return stored_; }

private:
    tensor_view<T, L> stored_;
};

/// The base of a held view: elements to read as numbers, or as codes that stand for numbers.
template <class T, class L, bool Plain>
using held_elements = std::conditional_t<Plain, held_values<T, L>, held_codes<T, L>>;

/// The values of a quantised tensor; of one that is not, nothing.
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

/// What held_view's arguments say, as a value.
template <padding_state Padding, tensor_compensation Compensation, class Scales, class ZeroPoints>
inline constexpr tensor_contents contents_said{Padding, parameter_of<Scales>, parameter_of<ZeroPoints>, Compensation};
}  // namespace detail

/// A view whose type says what the tensor holds: whether its padding is zero, how its elements are quantised, which
/// compensation lies behind them.
///
/// The type says what was so when the view was made, and what writing elements by position leaves so. Padding that is
/// zero does not stay so where whole blocks are written: through stored(), or through another view of the same memory.
/// Where the elements stand for themselves, it is a tensor_view<const T, L> too; else who reads names what is read:
/// stored(), or dequantize(v, i...).
///
/// Post:    contents_of<held_view> == contents, but for padding that there is none of, which is zero;
///          &v(i...) == &v.stored()(i...), where v is a tensor_view
/// Cost:    sizeof: that of the tensor_view, and of the scale and zero point; an element costs what the view's costs
/// Example: docs/write-a-kernel.md, "What a tensor holds"
template <class T, view_layout L, padding_state Padding, tensor_compensation Compensation = tensor_compensation{},
          class Scales = no_values, class ZeroPoints = no_values>
class held_view : public detail::held_elements<
                      T, L, detail::contents_said<Padding, Compensation, Scales, ZeroPoints>.has_plain_values()> {
public:
    static constexpr tensor_contents contents = detail::contents_said<Padding, Compensation, Scales, ZeroPoints>;

    /// Believes the caller. Who does not know uses zero_pad, with_quantization, a reorder.
    constexpr held_view(unchecked_t, const tensor_view<T, L>& v, const Scales& scales = {},
                        const ZeroPoints& zero_points = {})
        : detail::held_elements<T, L, contents.has_plain_values()>(v), values_{scales, zero_points} {}

    /// To elements that cannot be written; to a type that does not say that the padding is zero.
    template <class U, padding_state More>
        requires(std::is_convertible_v<U (*)[], T (*)[]> && (Padding == padding_state::unknown || More == Padding) &&
                 !(std::is_same_v<U, T> && More == Padding))
    constexpr held_view(const held_view<U, L, More, Compensation, Scales, ZeroPoints>& other)
        : held_view(unchecked_t{}, other.stored(), other.scales(), other.zero_points()) {}

    /// A tensor that has no padding has none that is not zero.
    constexpr held_view(const tensor_view<T, L>& v) requires(contents ==
                                                                 tensor_contents{padding_state::zero, {}, {}, {}} &&
                                                             has_no_padding(detail::known_layout<L>))
        : held_view(unchecked_t{}, v) {}

    /// scales()(i...) is the scale of element (i...): a one_value, a view of the tensor's dims, or no_values.
    constexpr const Scales& scales() const { return values_.scales; }
    constexpr const ZeroPoints& zero_points() const { return values_.zero_points; }

    /// The same tensor, not to be written: for a function that deduces the arguments of held_view<const T, ...>.
    constexpr held_view<const T, L, Padding, Compensation, Scales, ZeroPoints> as_const() const { return *this; }

private:
    [[no_unique_address]] detail::held_parameters<Scales, ZeroPoints> values_;
};

/// A tensor whose padding is zero, and that is not quantised.
template <class T, view_layout L>
using zero_padded_view = held_view<T, L, padding_state::zero>;

namespace detail {
/// A view as a held_view says it: with contents of its own, whatever is known of them.
template <padding_state Padding, tensor_compensation Compensation = tensor_compensation{}, class T, class L,
          class Scales = no_values, class ZeroPoints = no_values>
constexpr held_view<T, L, Padding, Compensation, Scales, ZeroPoints> held_as(const tensor_view<T, L>& v,
                                                                             const Scales& scales = {},
                                                                             const ZeroPoints& zero_points = {}) {
    return {unchecked_t{}, v, scales, zero_points};
}
}  // namespace detail

/// The same tensor with a type that says that its padding is zero, because the caller knows: a buffer of zeros, or a
/// kernel that has just written zeros there.
///
/// Pre:     is_padding_zero(v); unchecked
/// Post:    zero_padded<decltype(result)>; the same data, layout, values and compensation
/// Cost:    none
/// Source:  spec semantics 11
/// Example: of a std::vector<float> zeros(128): assume_zero_padding(tensor_view(zeros.data(), nChw16c<1, 17, 2, 2>()))
template <class T, class L>
constexpr zero_padded_view<T, L> assume_zero_padding(const tensor_view<T, L>& v) {
    return detail::held_as<padding_state::zero>(v);
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr auto assume_zero_padding(const held_view<T, L, P, K, S, Z>& v) {
    return detail::held_as<padding_state::zero, K>(v.stored(), v.scales(), v.zero_points());
}

namespace detail {
/// What the type of a view says that its tensor holds; of a tensor_view that is what its layout says.
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

/// What the type of a view says that its tensor holds; of a layout without padding, that it is zero.
///
/// Example: contents_of<tensor_view<float, nChw16c<2, 32, 5, 4>>>.padding == padding_state::zero; not of 17 channels
template <class View>
    requires requires { detail::contents_in(static_cast<const std::remove_cvref_t<View>*>(nullptr)); }
inline constexpr tensor_contents contents_of =
    detail::contents_in(static_cast<const std::remove_cvref_t<View>*>(nullptr));

}  // namespace plait
