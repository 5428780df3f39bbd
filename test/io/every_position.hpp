#pragma once
// Lists the elements and the padding of a layout, one by one.

#include <plait/core/layout.hpp>

#include <map>
#include <vector>

namespace plait_test {

/// The positions at an offset, in row-major order: of elements in the tensor, and of padding in the padded tensor.
struct held {
    std::vector<plait::position> elements, padding;
};
inline std::map<plait::dim_t, held> places_of(const plait::layout& l) {
    std::map<plait::dim_t, held> out;
    if (!plait::detail::has_elements(l.padded_dims)) return out;
    for (plait::dim_t number = 0; number < l.padded_volume(); ++number) {
        const plait::position padded = unravel(l.padded_dims, number);
        plait::position at = padded;
        bool is_element = true;
        for (int a = 0; a < l.ndims(); ++a) {
            at[a] -= l.padded_offsets[a];
            is_element = is_element && at[a] >= 0 && at[a] < l.dims[a];
        }
        held& here = out[l.padded_offset(padded)];
        (is_element ? here.elements : here.padding).push_back(is_element ? at : padded);
    }
    return out;
}

}  // namespace plait_test
