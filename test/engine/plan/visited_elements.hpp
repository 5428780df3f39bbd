#pragma once
// Checks a refinement against both layouts, element by element.

#include "support/small_layouts.hpp"

#include <plait/engine/plan/refinement.hpp>

namespace plait_test {

using namespace plait;
using namespace plait::engine;

/// True if the nodes visit exactly the pairs of offsets that the layouts give.
constexpr bool visits_every_element_once(const layout& src, const layout& dst, const refinement& r) {
    dim_t elements = 0, sum_src = 0, sum_dst = 0, mixed = 0;  // sums over all visits reveal a wrong or double visit
    dim_t total = 1;
    for (const reorder_node& node : r.nodes) total *= node.extent;
    for (dim_t number = 0; number < total; ++number) {
        dim_t rest = number, from = r.src_offset, to = r.dst_offset;
        dim_t index[max_nodes]{};
        for (const reorder_node& node : r.nodes) {
            const dim_t step = rest % node.extent;
            rest /= node.extent;
            index[node.axis] += step * node.index_step;
            from += step * node.src;
            to += step * node.dst;
            if (node.is_uneven)
                for (const uneven_step& carry : r.uneven_steps) {
                    if (carry.axis != node.axis) continue;
                    from += step / carry.period * carry.src;
                    to += step / carry.period * carry.dst;
                }
        }
        bool valid = true;
        for (const reorder_node& node : r.nodes) valid = valid && index[node.axis] < r.bounds[node.axis].valid;
        if (!valid) continue;
        ++elements;
        sum_src += from;
        sum_dst += to;
        mixed += from * to;
    }
    for (dim_t number = 0; number < src.volume(); ++number) {
        const dim_t from = src.linear_offset(number), to = dst.linear_offset(number);
        sum_src -= from;
        sum_dst -= to;
        mixed -= from * to;
    }
    return elements == src.volume() && sum_src == 0 && sum_dst == 0 && mixed == 0;
}

constexpr bool refines(const layout& src, const layout& dst) {
    const auto r = refine(src, dst);
    return r && visits_every_element_once(src, dst, *r) && visits_every_element_once(src, dst, coalesce(*r));
}
constexpr bool refines_with_axes(const layout& src, const layout& dst, int kept) {
    return visits_every_element_once(src, dst, coalesce(*refine(src, dst), kept));
}

}  // namespace plait_test
