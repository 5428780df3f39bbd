#pragma once
// Layouts with any strides, which no constructor makes, and the list of all their offsets.

#include "laws/random_layouts.hpp"

#include <algorithm>
#include <vector>

namespace plait_test {

/// Returns a layout of at most 5,000 elements with random extents and strides of digits, in any order and direction.
/// Strides nest only by chance.
inline plait::layout hand_made_layout(random_source& random, dim_t largest_stride) {
    for (;;) {
        plait::layout out;
        out.kind = plait::format_kind::blocked;
        const int n = static_cast<int>(random.between(1, 4)), inner = static_cast<int>(random.between(0, 4));
        for (int a = 0; a < n; ++a)
            out.digits.push_back({a, random.between(1, 6), random.between(random.once_in(12) ? 0 : 1, largest_stride)});
        for (int k = 0; k < inner; ++k)
            out.digits.push_back({static_cast<int>(random.between(0, n - 1)), random.between(2, 5),
                                  random.between(random.once_in(12) ? 0 : 1, largest_stride)});
        for (int a = 0; a < n; ++a) out.dims.push_back(0);
        for (int a = 0; a < n; ++a) {
            const dim_t block = out.block_size(a);
            if (block > 1 && random.once_in(3)) {
                out.digits[a].extent = 1;
                out.padded_dims.push_back(random.between(1, block));
            } else {
                out.padded_dims.push_back(block * out.digits[a].extent);
            }
            out.padded_offsets.push_back(0);
        }
        out.dims = out.padded_dims;
        out.offset0 = random.between(0, 20);
        if (random.once_in(4)) out = random.turned(out);
        if (out.padded_volume() <= 5000) return out;
    }
}

/// Returns the sorted offsets of all padded elements.
inline std::vector<dim_t> all_offsets(const plait::layout& l) {
    std::vector<dim_t> out;
    for (dim_t i = 0; i < l.padded_volume(); ++i) out.push_back(l.padded_linear_offset(i));
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace plait_test
