#pragma once
// Pairs of layouts that are hard to reorder: views, gaps, broadcasts, and blocks of any size in both layouts.

#include "laws/random_layouts.hpp"
#include "support/hand_filled_layout.hpp"
#include "support/number_from_environment.hpp"

#include <plait/algebra/is_injective.hpp>
#include <plait/algebra/is_nested.hpp>
#include <plait/algebra/submemory.hpp>

namespace plait_test {

using namespace plait;
using namespace plait::detail;

inline dims random_extents(random_source& random) {
    dims out;
    dim_t volume = 1;
    const dim_t largest = random.once_in(20) ? 40000 : 600;  // only loops over large tensors are split into boxes
    for (dim_t n = random.between(1, 5); n > 0; --n) {
        dim_t extent = random.once_in(60)  ? 0
                       : random.once_in(4) ? 1
                       : random.once_in(3) ? dim_t{1} << random.between(1, 8)
                       : largest > 600     ? random.between(50, 400)
                       : random.once_in(3) ? 8 * random.between(1, 9)
                                           : random.between(2, 70);
        while (extent > 1 && extent * volume > largest) extent = (extent + 1) / 2;
        volume *= extent > 0 ? extent : 1;
        out.push_back(extent);
    }
    return out;
}

/// Returns the layout with other strides, as in overlapping windows or with interleaved elements. Elements of a source
/// may share places; those of a destination must not.
inline layout interleaved(random_source& random, const layout& l, bool source) {
    for (int tries = 0; tries < 20; ++tries) {
        layout out = l;
        const int n = out.ndims();
        for (int a = 0; a < n; ++a) {
            digit& d = out.digits[a];
            if (d.extent < 2 || random.once_in(3)) continue;
            // The stride of another axis, or a few more or less than it; or a small stride, which overlaps with others.
            const dim_t other = out.digits[static_cast<int>(random.between(0, n - 1))].stride;
            d.stride = random.once_in(2) ? random.between(1, 9) : other + random.between(-3, 3);
            if (d.stride < 0) d.stride = -d.stride;
        }
        if (!check_layout(out).ok() || out.element_span() > 90000) continue;
        if (!check_nested(out).ok() && (source || is_injective(out))) return out;
    }
    return l;
}

/// Returns a random layout: with blocks of usual and unusual sizes, a view of a larger tensor, a part of one block,
/// with gaps or broadcast axes, or with digits in any order.
inline layout random_layout(random_source& random, const dims& extents, bool source) {
    constexpr dim_t blocks[] = {2, 4, 4, 8, 8, 16, 16, 32, 64, 3, 5, 6, 12, 24, 48};
    if (random.once_in(4)) {
        const layout filled = hand_filled_layout(random, extents, 90000);
        return random.once_in(4) ? random.turned(filled) : filled;
    }
    const int n = extents.size();
    for (;;) {
        format_tag tag = random.tag(n, 0, 2);
        for (dim_t count = random.once_in(3) ? 0 : random.between(1, 3); count > 0; --count)
            tag.blocks.push_back({static_cast<int>(random.between(0, n - 1)), blocks[random.between(0, 14)]});
        dims whole = extents;
        position first;
        for (int a = 0; a < n; ++a) first.push_back(0);
        for (int a = 0; a < n; ++a) {
            if (!random.once_in(6)) continue;
            first[a] = random.between(0, 2) * (random.once_in(2) ? tag.block_size(a) : 1);
            whole[a] += first[a] + random.between(0, 20);
        }
        const auto parent = try_layout(whole, tag);
        if (!parent || parent->element_span() > 90000) continue;
        const auto part = try_submemory(*parent, extents, first);
        if (!part) continue;
        layout out = *part;
        if (random.once_in(6)) {  // a gap inside one axis
            const dim_t factor = random.between(1, 3), more = random.between(0, 3);
            const dim_t least = out.digits[static_cast<int>(random.between(0, n - 1))].stride;
            for (int a = 0; a < n; ++a)
                if (out.digits[a].stride >= least) out.digits[a].stride = out.digits[a].stride * factor + more;
        }
        if (source && random.once_in(8)) out.digits[static_cast<int>(random.between(0, n - 1))].stride = 0;
        if (random.once_in(5)) out = interleaved(random, out, source);
        if (random.once_in(10)) out.offset0 += random.between(1, 70);
        if (!check_layout(out).ok() || out.element_span() > 90000) continue;
        return random.once_in(4) ? random.turned(out) : out;
    }
}

}  // namespace plait_test
