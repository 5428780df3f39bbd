#pragma once
// Random layouts that check_layout accepts but most of which have no tag. They are filled in digit by digit.

#include <plait/core/layout_invariants.hpp>

#include <utility>  // std::swap

namespace plait_test {

/// Returns a stride for a digit of one value: any number except those that mean "not known".
template <class Random>
plait::dim_t any_stride(Random& random) {
    switch (random.between(0, 5)) {
        case 0: return 0;
        case 1: return random.between(-70, 70);
        case 2: return plait::dim_t{1} << 62;
        case 3: return INT64_MAX;
        case 4: return -5112135516375031109;
        default: return random.between(-(plait::dim_t{1} << 60), plait::dim_t{1} << 60);
    }
}

/// Sets the strides of the digits, in `order` from innermost to outermost. Each stride steps over everything inside it:
/// exactly, with a gap, or by a little less, because the last value of the inner digits needs no whole step.
template <class Random>
void nest_in_order(Random& random, plait::layout& l, const plait::inline_list<int, plait::max_digits>& order) {
    plait::dim_t whole = 1, last = 0;  // the step over everything inside, and the largest offset there
    for (const int k : order) {
        plait::digit& d = l.digits[k];
        if (k < l.ndims() && d.extent == 1) {
            d.stride = random.once_in(2) ? whole : any_stride(random);
            continue;
        }
        d.stride = random.once_in(4) ? last + 1 : random.once_in(4) ? whole + random.between(1, 9) : whole;
        last += (d.extent > 0 ? d.extent - 1 : 0) * d.stride;
        whole = d.stride * (d.extent > 0 ? d.extent : 1);
    }
}

/// Returns a random layout of these extents with any blocks. Its digits have any order in memory, so an outer digit may
/// be inside an inner one. It may have gaps, padding beyond whole blocks, a part of one block, an offset0, and any
/// stride on digits of one value.
///
/// Post:    check_layout(result).ok(), element_span() <= most
template <class Random>
plait::layout hand_filled_layout(Random& random, const plait::dims& extents, plait::dim_t most) {
    constexpr plait::dim_t blocks[] = {2, 2, 3, 4, 5, 8, 8, 16, 24, 32};
    const int n = extents.size();
    for (;;) {
        plait::layout l;
        l.kind = plait::format_kind::blocked;
        for (int a = 0; a < n; ++a) l.digits.push_back({a, 1, 0});
        for (plait::dim_t count = random.between(0, 3); count > 0; --count)
            l.digits.push_back({static_cast<int>(random.between(0, n - 1)), blocks[random.between(0, 9)], 0});
        for (int a = 0; a < n; ++a) {
            const plait::dim_t block = l.block_size(a), extent = extents[a];
            const bool part = block > 1 && extent <= block && random.once_in(6);
            const plait::dim_t more = random.once_in(8) ? random.between(1, 3) : 0;
            l.digits[a].extent = part ? 1 : plait::detail::divide_up(extent, block) + more;
            l.dims.push_back(extent);
            l.padded_dims.push_back(part ? extent : l.digits[a].extent * block);
            l.padded_offsets.push_back(0);
        }
        plait::inline_list<int, plait::max_digits> order;
        for (int k = l.digits.size() - 1; k >= 0; --k) order.push_back(k);
        // Usually few exchanges, because layouts in a fully random order are moved element by element.
        for (plait::dim_t times = random.once_in(4) ? 12 : random.between(0, 3); times > 0; --times)
            std::swap(order[static_cast<int>(random.between(0, order.size() - 1))],
                      order[static_cast<int>(random.between(0, order.size() - 1))]);
        nest_in_order(random, l, order);
        if (random.once_in(10)) l.offset0 = random.between(1, 70);
        if (plait::check_layout(l).ok() && static_cast<plait::dim_t>(l.element_span()) <= most) return l;
    }
}

}  // namespace plait_test
