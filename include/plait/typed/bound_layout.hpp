#pragma once
// Partly static layouts: blocks and known extents are in the type, the other extents are run-time values.

#include <plait/algebra/bind.hpp>
#include <plait/typed/constants.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A layout whose type holds L and whose object holds the values of the extents that are dynamic in L.
///
/// Post:    static_cast<layout>(*this) == bind(L, extents)
/// Cost:    sizeof: one number per dynamic extent. offset() compares each index with its extent, then uses arithmetic
///          on constants, except that strides outside dynamic extents are products computed at run time: some 3 ns.
///          A view stores these products and does not compare
/// Example: examples/04_types.cpp
template <layout L>
class bound_layout {
public:
    static constexpr layout partly_static = L;  // a copy, because Clang 14 cannot read digits of the template argument

    /// Stores the values of the dynamic extents; fails as check_bind does.
    constexpr explicit bound_layout(const dims& values) {
        require(check_bind(L, values));
        for (int i = 0; i < values.size(); ++i) extents_[i] = values[i];
    }
    constexpr operator layout() const { return bind(L, dims(extents_, detail::dynamic_extents(L))); }

    /// Returns the offset of the element at these indices; checks and fails as layout::offset does.
    template <std::integral... Index>
    [[gnu::always_inline]] constexpr dim_t offset(Index... index) const {
        if (__builtin_is_constant_evaluated()) {
            const position at{static_cast<dim_t>(index)...};
            const layout whole = *this;
            require(check_position(whole, whole.dims, at));
            return detail::offset_inside(whole, at);
        } else if constexpr (sizeof...(Index) == L.ndims() && L.ndims() > 0) {
            const dim_t at[] = {static_cast<dim_t>(index)...};
            return offset_at(at, std::make_integer_sequence<int, L.ndims()>());
        } else {
            return offset(position{static_cast<dim_t>(index)...});
        }
    }
    constexpr dim_t offset(const position& at) const { return static_cast<layout>(*this).offset(at); }

    /// Returns the extent of an axis, or `dynamic` if the axis was bound to `dynamic`.
    ///
    /// Pre:     0 <= axis < L.ndims()
    [[gnu::always_inline]] constexpr dim_t extent(int axis) const {
        const dim_t known = partly_static.dims.values[axis];
        return known == dynamic ? extents_[place_of(axis)] : known;
    }
    /// Returns the number of outermost blocks of an axis.
    ///
    /// Pre:     0 <= axis < L.ndims(); extent(axis) != dynamic
    [[gnu::always_inline]] constexpr dim_t blocks(int axis) const {
        const dim_t known = partly_static.digits.values[axis].extent;
        return known == dynamic ? detail::divide_up(extents_[place_of(axis)], partly_static.block_size(axis)) : known;
    }
    /// Computes the stride of the outermost digit of an axis from the extents of the axes inside it.
    ///
    /// Pre:     strides_follow_from_extents(L), and no extent is `dynamic`
    /// Post:    static_cast<layout>(*this).digits[Axis].stride
    template <int Axis>
    [[gnu::always_inline]] constexpr dim_t stride() const {
        constexpr dim_t known = L.digits.values[Axis].stride;
        if constexpr (!detail::is_outside(known)) return known;
        else {
            constexpr int inner = detail::axis_inside(known);
            const dim_t values = blocks(inner);
            // An axis without elements takes as much memory as an axis of one.
            return detail::wrapping_multiply(stride<inner>(), values > 0 ? values : 1);
        }
    }

    /// True if all strides are known once the extents are: no stride was lost, and no links form a cycle.
    static constexpr bool strides_follow_from_extents() {
        for (int a = 0; a < L.ndims(); ++a) {
            dim_t stride = partly_static.digits.values[a].stride;
            for (int round = 0; round < L.ndims() && detail::is_outside(stride); ++round)
                stride = partly_static.digits.values[detail::axis_inside(stride)].stride;
            if (!detail::is_known(stride)) return false;
        }
        return true;
    }

private:
    /// The index in extents_ of the value of a dynamic extent.
    static constexpr int place_of(int axis) {
        int place = 0;
        for (int a = 0; a < axis; ++a) place += partly_static.dims.values[a] == dynamic;
        return place;
    }
    template <int... Axis>
    [[gnu::always_inline]] constexpr dim_t offset_at(const dim_t* at, std::integer_sequence<int, Axis...>) const {
        if constexpr (detail::check_blocked(L).ok() && strides_follow_from_extents()) {
            // If an extent is still `dynamic`, which is negative, no index is inside it.
            if (((at[Axis] >= 0 && at[Axis] < extent_of<Axis>()) && ...)) {
                const std::uint64_t index[] = {static_cast<std::uint64_t>(at[Axis])...};
                dim_t strides[detail::static_index<L>::slots + 1]{};
                (put_stride<Axis>(strides), ...);
                return detail::static_index<L>::offset(index, strides);
            }
        }
        return offset_by_the_layout(at);  // fails with the reason
    }
    /// Computes the offset through the layout, out of line because only indices that fail the fast check come here.
    [[gnu::cold, gnu::noinline]] constexpr dim_t offset_by_the_layout(const dim_t* at) const {
        return offset(position(at, static_cast<std::size_t>(L.ndims())));
    }
    template <int Axis>
    [[gnu::always_inline]] constexpr dim_t extent_of() const {
        if constexpr (L.dims.values[Axis] == dynamic) return extents_[place_of(Axis)];
        else return L.dims.values[Axis];
    }
    template <int Axis>
    [[gnu::always_inline]] constexpr void put_stride(dim_t* strides) const {
        if constexpr (!detail::is_known(L.digits.values[Axis].stride))
            strides[detail::static_index<L>::slot_of(Axis)] = stride<Axis>();
    }

    dim_t extents_[detail::dynamic_extents(L) > 0 ? static_cast<std::size_t>(detail::dynamic_extents(L)) : 1]{};
};

namespace detail {
/// A bound_layout, or a type derived from it.
template <class L>
concept bound_layout_type = requires {
    L::partly_static;
}
&&std::derived_from<L, bound_layout<L::partly_static>>;

/// A type that contains a layout: either complete, or without the values of some extents.
template <class L>
concept known_layout_type = layout_type<L> || bound_layout_type<L>;

/// The layout that a type contains; undefined if the type contains none, e.g. if the layout is known only at run time.
template <class L>
inline constexpr layout known_layout{};
template <layout_type L>
inline constexpr layout known_layout<L> = L::value;
template <bound_layout_type L>
inline constexpr layout known_layout<L> = L::partly_static;
}  // namespace detail

/// Binds the dynamic extents of a constant to values, in order.
///
/// Refused: (by the compiler) bound_values_do_not_match
/// Pre:     check_bind(L, {values...}).ok()
/// Post:    static_cast<layout>(result) == bind(L, {values...})
/// Cost:    one check_bind, and one number copied per value
/// Source:  DNNL_RUNTIME_DIM_VAL of oneDNN; std::dynamic_extent
/// Example: bind(layout_c<layout({dynamic, 3}, "ab")>, 2).offset(1, 2) == 5
template <layout L, std::integral... Values>
constexpr bound_layout<L> apply_to(const layout_constant<L>&, operation<detail::bind_rule>, Values... values) {
    constexpr auto count = static_cast<dim_t>(sizeof...(Values));
    constexpr dim_t needed = detail::dynamic_extents(L);
    if constexpr (allowed < count == needed ? verdict{}
                                            : verdict{reason::bound_values_do_not_match, -1, count, needed} >) {
        return bound_layout<L>(dims{static_cast<dim_t>(values)...});
    } else {
        dims none;  // valid values, so that the error above is the only one
        for (dim_t i = 0; i < needed; ++i) none.push_back(0);
        return bound_layout<L>(none);
    }
}
}  // namespace plait
