#pragma once
// Values lifted into types: empty objects that hold a layout, dims, strides, a position, a permutation or an axis map
// in their type, and convert to it.

#include <plait/algebra/axis_map.hpp>
#include <plait/core/allowed.hpp>
#include <plait/typed/static_index.hpp>

#include <concepts>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A layout as a type.
///
/// The compiler reduces offsets to arithmetic on constants. They are checked during constant evaluation, as
/// layout::offset is, and unchecked at run time. at() of a view is always checked.
///
/// Post:    layout_c<L>.value == L, and the object is empty; offset, block_offset and linear_offset return what L's do
/// Cost:    an offset at -O2: the same as arithmetic written by hand
/// Refused: (by the compiler) rank_differs, dim_is_dynamic, stride_is_dynamic; undefined, any and opaque layouts
/// Example: examples/04_types.cpp
template <layout L>
struct layout_constant {
    static constexpr layout value = L;
    constexpr operator layout() const { return L; }

    /// Returns the offset of the element at these indices, one per axis, as layout::offset does.
    template <std::integral... Index>
    [[gnu::always_inline]] static constexpr dim_t offset(Index... index) {
        if constexpr (allowed<check_rank<sizeof...(Index)>()>) {
            if (__builtin_is_constant_evaluated()) {
                const position at{static_cast<dim_t>(index)...};
                require(check_position(L, L.dims, at));
                return detail::offset_inside(L, at);
            }
            const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
            return detail::static_index<L>::offset(at);
        } else {
            return 0;
        }
    }
    /// Returns the offset of an outermost block, as layout::block_offset does: each index counts outermost blocks, and
    /// indices of the last axes may be omitted.
    template <std::integral... Index>
    [[gnu::always_inline]] static constexpr dim_t block_offset(Index... index) {
        if constexpr (allowed<check_rank<sizeof...(Index), true>()>) {
            if (__builtin_is_constant_evaluated()) {
                const expected<dim_t> attempt = detail::find_block_offset(L, position{static_cast<dim_t>(index)...});
                require(attempt.error());
                return *attempt;
            }
            const std::uint64_t at[max_ndims] = {static_cast<std::uint64_t>(index)...};
            return detail::static_index<L>::block_offset(at);
        } else {
            return 0;
        }
    }
    /// Returns the offset of the element with this row-major number, as layout::linear_offset does.
    [[gnu::always_inline]] static constexpr dim_t linear_offset(dim_t number) {
        if constexpr (allowed<detail::check_static(L)>) {
            if (__builtin_is_constant_evaluated()) return L.linear_offset(number);
            return detail::static_index<L>::linear_offset(static_cast<std::uint64_t>(number));
        } else {
            return 0;
        }
    }

private:
    template <std::size_t Count, bool LeavesOut = false>
    static constexpr verdict check_rank() {
        if (const verdict why = detail::check_static(L); !why.ok()) return why;
        constexpr auto count = static_cast<dim_t>(Count);
        if (count == L.ndims() || (LeavesOut && count < L.ndims())) return {};
        return {reason::rank_differs, -1, count, L.ndims()};
    }
};
/// An object of type layout_constant, to pass to operations on constants.
///
/// Post:    layout_c<L>.value == L
/// Example: layout_c<layout({2, 3}, "ab")>.offset(1, 2) == 5
template <layout L>
inline constexpr layout_constant<L> layout_c{};

/// Extents as a type.
template <dims D>
struct dims_constant {
    static constexpr dims value = D;
    constexpr operator dims() const { return D; }
};
/// An object of type dims_constant, made from its extents.
///
/// Example: dims_c<2, 3>.value == dims{2, 3}
template <dim_t... Extents>
inline constexpr dims_constant<dims{Extents...}> dims_c{};

/// Checks if two dims constants are equal; the result is a std::bool_constant.
///
/// Example: decltype(dims_c<2, 3> == dims_c<2, 3>)::value
template <dims A, dims B>
constexpr std::bool_constant<A == B> operator==(dims_constant<A>, dims_constant<B>) {
    return {};
}

/// Strides as a type.
template <strides S>
struct strides_constant {
    static constexpr strides value = S;
    constexpr operator strides() const { return S; }
};
/// An object of type strides_constant, made from its strides in elements.
///
/// Example: strides_c<3, 1>.value == strides{3, 1}
template <dim_t... Steps>
inline constexpr strides_constant<strides{Steps...}> strides_c{};

/// A position as a type.
template <position P>
struct position_constant {
    static constexpr position value = P;
    constexpr operator position() const { return P; }
};
/// An object of type position_constant, made from its indices.
///
/// Example: position_c<1, 2>.value == position{1, 2}
template <dim_t... Indices>
inline constexpr position_constant<position{Indices...}> position_c{};

/// An axis map as a type.
template <axis_map M>
struct axis_map_constant {
    static constexpr axis_map value = M;
    constexpr operator axis_map() const { return M; }
};
/// An object of type axis_map_constant, made from the framework axis of each axis of the library.
///
/// Example: axis_map_c<0, 3, 1, 2>.value == axis_map{0, 3, 1, 2}
template <dim_t... Axes>
inline constexpr axis_map_constant<axis_map{Axes...}> axis_map_c{};

/// A permutation as a type; fails with not_a_permutation.
template <permutation P>
struct permutation_constant {
    /// The permutation P, even if it is invalid: an operation then fails for the same reason, without a second error.
    static constexpr permutation value = (static_cast<void>(allowed<check_permutation(P, P.size())>), P);
    constexpr operator permutation() const { return value; }
};
/// An object of type permutation_constant, made from the new place of each axis.
///
/// Refused: (by the compiler) not_a_permutation
/// Example: permutation_c<0, 3, 1, 2>.value == permutation{0, 3, 1, 2}
template <dim_t... Axes>
inline constexpr permutation_constant<permutation{Axes...}> permutation_c{};

/// Checks if two permutation constants are equal; the result is a std::bool_constant.
///
/// Example: decltype(permutation_c<1, 0> == permutation_c<1, 0>)::value
template <permutation P, permutation Q>
constexpr std::bool_constant<P == Q> operator==(permutation_constant<P>, permutation_constant<Q>) {
    return {};
}

namespace detail {
/// A type that holds an axis number, an extent or a count: std::integral_constant, Hana's 1_c.
template <class N>
concept number_constant = requires {
    requires std::integral<std::remove_cvref_t<decltype(N::value)>>;
    requires !std::same_as<std::remove_cvref_t<decltype(N::value)>, bool>;
};

/// The axis number that a constant holds; the compiler rejects one that does not fit in an int.
template <number_constant Axis>
inline constexpr int axis_number{Axis::value};
}  // namespace detail
}  // namespace plait
