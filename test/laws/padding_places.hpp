#pragma once
// A model of padding, by loops over positions.

#include "laws/layout_laws.hpp"

namespace plait_test {

/// Calls action(offset) for each padded position outside the tensor. An offset may be passed more than once.
template <class Action>
void for_each_padding_place(const layout& l, Action action) {
    if (l.padded_volume() == 0) return;
    position at = origin(l.ndims());
    do {
        bool inside = true;
        for (int a = 0; a < l.ndims(); ++a)
            inside = inside && at[a] >= l.padded_offsets[a] && at[a] - l.padded_offsets[a] < l.dims[a];
        if (!inside) action(l.padded_offset(at));
    } while (advance(at, l.padded_dims));
}

}  // namespace plait_test
