#pragma once
// Values lifted into types: empty objects that carry a layout, dims or a permutation, and convert to it.

#include <plait/core/layout.hpp>

#include <concepts>

namespace plait {

/// A layout as a type.
///
/// Post:    layout_c<L>.value == L, and the object is empty
/// Example: examples/04_types.cpp
template <layout L>
struct layout_constant {
    static constexpr layout value = L;
    constexpr operator layout() const { return L; }

    /// As layout::offset.
    template <std::integral... Index>
    static constexpr dim_t offset(Index... at) {
        return L.offset(at...);
    }
};
template <layout L>
inline constexpr layout_constant<L> layout_c{};

/// Extents as a type.
template <dims D>
struct dims_constant {
    static constexpr dims value = D;
    constexpr operator dims() const { return D; }
};
template <dim_t... Extents>
inline constexpr dims_constant<dims{Extents...}> dims_c{};

/// A permutation as a type; refused: not_a_permutation.
template <permutation P>
struct permutation_constant {
    static constexpr permutation value = compose(P, identity_permutation(P.size()));
    constexpr operator permutation() const { return value; }
};
template <dim_t... Axes>
inline constexpr permutation_constant<permutation{Axes...}> permutation_c{};

/// A type that carries a layout: layout_constant, or a named format derived from it.
template <class L>
concept layout_type = requires {
    { L::value } -> std::convertible_to<const layout&>;
};

}  // namespace plait
