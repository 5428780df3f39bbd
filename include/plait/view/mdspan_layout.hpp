#pragma once
// A layout as the standard's std::mdspan takes it: a layout mapping policy. It needs no <mdspan>, only the extents that
// it is given; interop/mdspan.hpp makes an mdspan of a view.

#include <plait/algebra/element_places.hpp>
#include <plait/view/layout_index.hpp>

#include <limits>
#include <type_traits>

namespace plait {

/// The extent that a type of extents gives an axis; `dynamic` where that is known only at run time.
template <class Extents>
constexpr dim_t static_extent_of(typename Extents::rank_type axis) {
    const std::size_t extent = Extents::static_extent(axis);
    return extent == std::numeric_limits<std::size_t>::max() ? dynamic : static_cast<dim_t>(extent);
}

/// Whether a type of extents may be used with a layout: as far as both types say, they have the same extents.
///
/// Refused: rank_differs, dims_differ; index_type_is_too_small; undefined, any and opaque layouts, stride_is_dynamic
template <layout L, class Extents>
constexpr verdict check_mdspan_extents() {
    if (const verdict why = check_blocked_layout(L); !why.ok()) return why;
    if (Extents::rank() != L.ndims()) return {reason::rank_differs, -1, dim_t{Extents::rank()}, L.ndims()};
    for (int a = 0; a < L.ndims(); ++a) {
        const dim_t mine = L.dims.values[a], theirs = static_extent_of<Extents>(static_cast<unsigned>(a));
        if (mine != dynamic && theirs != dynamic && mine != theirs) return {reason::dims_differ, a, mine, theirs};
    }
    if (dynamic_extents(L) > 0) return {};
    if (const verdict why = check_static_layout(L); !why.ok()) return why;
    return check_index_type<typename Extents::index_type>(L);
}

}  // namespace plait
