#pragma once
// The plan of a reorder as text: the work of its kernel, in numbers that can be checked by hand.
//
// For example, f32 nchw -> nChw16c of 1x17x56x56 with AVX-512 has 11 lines, including "loops 2 times, from 50176, to
// 50176, along x", "tile 256 elements in 16 registers of 16 lanes of 4 bytes", the four steps of its network, its cost.

#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/plan/byte_refinement.hpp>
#include <plait/io/explain_plan.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns how elements move of which several share a byte on a side.
inline std::string explain_packed(const layout& src, const layout& dst, data_type from, data_type to) {
    const descriptor source(from, src), target(to, dst);
    const std::string out =
        line_of("memory", count_of(src.volume(), "element") + ": " + std::to_string(source.data_size_in_bytes()) +
                              " bytes read, " + std::to_string(target.data_size_in_bytes()) + " written");
    if (from != to) return out + line_of("plan", "rows are unpacked, converted and packed");
    engine::refinement r;
    engine::byte_rests rests;
    const dim_t span = static_cast<dim_t>(src.element_span());
    if (!engine::refine(r, src, dst, span))
        return out + line_of("plan", "none: element by element, as the layouts have no common refinement");
    r = {};
    if (!engine::refine_in_bytes(r, rests, src, dst, span, size_in_bits(from)))
        return out + line_of("plan",
                             "bits: elements that share a byte of the source do not in the destination, or an "
                             "axis ends inside a byte");
    const std::string rest = rests.axes.empty() ? "" : "; bits where an axis ends inside a byte";
    return out + line_of("plan", (r.half_bytes >= 0 ? "pairs of bytes, which exchange halves"
                                                    : "bytes: the same elements share a byte on both sides") +
                                     rest);
}
}  // namespace detail

/// Returns the plan of the kernel of reorder<src, dst> as text, for two element types and an instruction set.
///
/// Refused: as check_reorder(src, dst)
/// Pre:     check_reorder(src, dst).ok()
/// Post:    the text contains each loop, bit and bound of the plan and each step of its network; it is the output of
///          `plait explain`. If elements share bytes, the text says how these move, without the steps
/// Cost:    as make_plan; allocates
/// Source:  plait's own
/// Example: std::cout << explain(src, dst, data_type::f32, data_type::bf16, isa::avx2)
inline std::string explain(const layout& src, const layout& dst, data_type from, data_type to, isa instructions) {
    require(check_reorder(src, dst));
    const std::string out =
        detail::line_of("reorder", to_string(from) + (' ' + to_string(src)) + " -> " + to_string(to) + ' ' +
                                       to_string(dst) + ", " + to_string(instructions));
    if (detail::is_packed(from) || detail::is_packed(to)) return out + detail::explain_packed(src, dst, from, to);
    const auto plan = engine::make_plan(src, dst, engine::sizes_between(from, to), instructions);
    if (!plan)
        return out + detail::line_of("plan", "none: element by element, as the layouts have no common refinement");
    return out + engine::explain(*plan, instructions, from != to);
}

}  // namespace plait
