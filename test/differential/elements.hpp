#pragma once
// Checks that an operation kept the places of the elements, by oneDNN's formula and by plait's.

#include "differential/referee.hpp"

namespace differential {

/// Checks by oneDNN's formula that the element of `made` at p is at the place of l's element at before(p).
template <class Before>
bool keeps_elements(const layout& l, const dnnl_memory_desc_t& made, const Before& before) {
    if (!is_usable(made)) return false;
    const dnnl_memory_desc_t from = descriptor_of(l);
    plait::dims extents;
    for (int a = 0; a < made.ndims; ++a) extents.push_back(made.dims[a]);
    for (dim_t i = 0, all = plait::volume(extents); i < all; ++i) {
        const plait::position at = plait::unravel(extents, i);
        if (offset_in(made, at) != offset_in(from, before(at, i))) return false;
    }
    return true;
}

/// Checks by oneDNN's formula for l, and by plait's for `made`, that the element of `made` at p is at the place of l's
/// element at before(p).
template <class Before>
bool keeps_elements(const layout& l, const layout& made, const Before& before) {
    for (dim_t i = 0, all = made.volume(); i < all; ++i) {
        const plait::position at = plait::unravel(made.dims, i);
        if (made.offset(at) != offset_in(descriptor_of(l), before(at, i))) return false;
    }
    return check_layout(made).ok();
}

}  // namespace differential
