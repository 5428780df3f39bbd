#pragma once
// Random layouts from a fixed seed, so that each run has the same layouts.

#include "support/small_layouts.hpp"

#include <random>

namespace plait_test {

class random_source {
public:
    explicit random_source(std::uint64_t seed) : engine_(seed) {}

    /// Returns a number from low to high, both included.
    dim_t between(dim_t low, dim_t high) {
        return low + static_cast<dim_t>(engine_() % (static_cast<std::uint64_t>(high - low) + 1));
    }
    bool once_in(dim_t n) { return between(1, n) == 1; }

    plait::permutation order(int n) {
        plait::permutation out = plait::identity_permutation(n);
        for (int i = n - 1; i > 0; --i) std::swap(out[i], out[static_cast<int>(between(0, i))]);
        return out;
    }

    /// Returns a tag of n axes with up to `blocks` inner blocks.
    plait::format_tag tag(int n, int blocks, dim_t largest_block) {
        plait::format_tag out = plain_order(order(n));
        for (dim_t k = between(0, blocks); k > 0; --k)
            out.blocks.push_back({static_cast<int>(between(0, n - 1)), between(2, largest_block)});
        return out;
    }

    plait::position inside(const plait::dims& extents) {
        plait::position out;
        for (dim_t extent : extents) out.push_back(between(0, extent - 1));
        return out;
    }

    /// Returns a layout of up to 5 axes and 512 places: dense, with gaps, a view of a larger layout, with negative
    /// strides, or with extents of 1 and 0.
    plait::layout small_layout() {
        for (;;) {
            const int n = static_cast<int>(between(1, 5));
            plait::dims extents;
            for (int a = 0; a < n; ++a) extents.push_back(once_in(40) ? 0 : once_in(3) ? 1 : between(1, 7));
            plait::layout out(extents, tag(n, 3, 5));
            if (out.padded_volume() > 512) continue;
            if (once_in(2)) vary(out);
            if (once_in(4)) out = turned(out);
            if (out.element_span() <= 512) return out;
        }
    }

    /// Returns a layout in the same memory, with some strides negated.
    plait::layout turned(plait::layout l) {
        l.offset0 = l.span_begin();
        for (plait::digit& d : l.digits)
            if (once_in(2) && plait::detail::is_known(-d.stride)) d.stride = -d.stride;
        l.offset0 += plait::detail::reach_in_front(l);
        return l;
    }

private:
    /// Adds gaps, broadcast axes, padded offsets and offset0, or makes a view of a part of one block.
    void vary(plait::layout& l) {
        const int n = l.ndims();
        for (int a = 0; a < n; ++a) {
            plait::digit& outer = l.digits[a];
            const dim_t block = l.block_size(a);
            if (block > 1 && once_in(3)) {
                l.dims[a] = l.padded_dims[a] = between(1, block);
                outer.extent = 1;
            } else if (once_in(4) && l.padded_dims[a] > l.dims[a]) {
                l.padded_offsets[a] = between(0, l.padded_dims[a] - l.dims[a]);
            }
            if (l.padded_dims[a] == 1 && once_in(2)) outer.stride = between(-9, 99);
        }
        // A gap inside one axis: its stride and all strides outside it grow by a factor.
        const int from = static_cast<int>(between(0, n - 1));
        const dim_t factor = between(1, 3), least = l.digits[from].stride;
        for (int a = 0; a < n; ++a)
            if (l.padded_dims[a] != 1 && l.digits[a].stride >= least) l.digits[a].stride *= factor;
        if (once_in(6)) l.digits[static_cast<int>(between(0, n - 1))].stride = 0;
        // Overlapping windows, or interleaved elements.
        if (once_in(8)) l.digits[static_cast<int>(between(0, n - 1))].stride = between(1, 9);
        l.offset0 = between(0, 50);
    }

    std::mt19937_64 engine_;
};

}  // namespace plait_test
