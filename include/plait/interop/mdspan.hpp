#pragma once
// Converts views to std::mdspan. Not part of plait.hpp, because it requires a library with <mdspan>, of C++23.

#include <plait/view/mdspan_layout.hpp>
#include <plait/view/view_slice.hpp>

#include <version>

#if !defined(__cpp_lib_mdspan)
static_assert(false, "plait/interop/mdspan.hpp needs <mdspan>: compile as C++23, with a standard library that has it");
#else
#include <mdspan>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The accessor of an mdspan of elements smaller than a byte: its data handle is what nibbles returns, and elements are
/// proxies, or values if T is const.
///
/// Post:    access(p, i) is p[i], and offset(p, i) is p + i
/// Cost:    that of an element of nibbles
/// Source:  C++23, [mdspan.accessor]
/// Example: to_mdspan(tensor_view(nibbles<u4>(bytes), layout_c<l>))[i, j]
template <class T>
    requires detail::packed_element<std::remove_const_t<T> >
struct packed_accessor {
    using offset_policy = packed_accessor;
    using element_type = T;
    using reference = typename detail::packed_pointer<T>::reference;
    using data_handle_type = detail::packed_pointer<T>;

    constexpr reference access(data_handle_type p, std::size_t i) const { return p[static_cast<dim_t>(i)]; }
    constexpr data_handle_type offset(data_handle_type p, std::size_t i) const { return p + static_cast<dim_t>(i); }
};

namespace detail {
template <class T>
struct accessor_of {
    using type = std::default_accessor<T>;
};
template <class T>
    requires packed_element<std::remove_const_t<T> >
struct accessor_of<T> {
    using type = packed_accessor<T>;
};
/// Returns the extents of a layout as std::extents, with each extent that the layout knows in the type.
template <layout L, int... Axis>
constexpr auto mdspan_extents(std::integer_sequence<int, Axis...>) {
    return std::extents<dim_t, (L.dims.values[Axis] == dynamic ? std::dynamic_extent
                                                               : static_cast<std::size_t>(L.dims.values[Axis]))...>();
}
/// The type of a layout's std::extents.
template <layout L>
using mdspan_extents_of = decltype(mdspan_extents<L>(std::make_integer_sequence<int, L.ndims()>()));

/// The layout type that a layout mapping policy takes; for a bound layout, the part that is in its type.
template <class L>
using policy_layout = std::conditional_t<bound_layout_type<L>, layout_constant<known_layout<L> >, L>;
}  // namespace detail

/// Returns a view's elements as an mdspan: std::mdspan<T, std::extents<dim_t, ...>, mdspan_layout<L>>, with a
/// packed_accessor if elements are smaller than a byte.
///
/// The layout's offset0 is added to the pointer, so that the mapping counts from 0 and has strides if the layout has.
/// Views of layouts known only at run time are not accepted: neither rank nor blocks are in the type.
///
/// Pre:     the type of v determines the number of its axes
/// Post:    &to_mdspan(v)[i...] == &v(i...)
/// Cost:    none for a static layout, and sizeof a pointer; for a bound one its extents and strides are copied
/// Source:  C++23, [mdspan.mdspan]
/// Example: test/mdspan/consumer.cpp
template <class T, class L>
    requires(detail::layout_index<L>::rank >= 0)
constexpr auto to_mdspan(const tensor_view<T, L>& v) {
    using policy = detail::policy_layout<L>;
    if constexpr (detail::from_its_beginning(policy::value).offset0 != policy::value.offset0) {
        return to_mdspan(detail::with_part(v, detail::operand_of(v)));
    } else {
        using extents = detail::mdspan_extents_of<policy::value>;
        using mapping = typename mdspan_layout<policy>::template mapping<extents>;
        return [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
            return std::mdspan<T, extents, mdspan_layout<policy>, typename detail::accessor_of<T>::type>(
                v.data(), mapping(extents(v.extent(Axis)...)));
        }
        (std::make_integer_sequence<int, policy::value.ndims()>());
    }
}

}  // namespace plait
#endif
