#pragma once
// Reorders between layouts known only at run time: the same plans and tiles as the static kernels, under loops that
// read the plan.

#include <plait/reorder/kernel.hpp>
#include <plait/reorder/reference.hpp>

namespace plait {

using pattern_list = inline_list<tile_pattern, 16>;

/// The patterns that get vector code for run-time layouts of 4-byte elements; all others move element by element.
///
/// For registers of 2^lane_bits lanes: copies, transposes, and blocks of half a register in and out.
constexpr pattern_list known_patterns(int lane_bits, int line_bits) {
    pattern_list out;
    const auto add = [&](int register_bits, auto bit_of_lane, auto axis_of_bit) {
        tile_pattern pattern{lane_bits, register_bits, {}, {}};
        for (int lane = 0; lane < lane_bits; ++lane) pattern.dst_lanes.push_back(bit_of_lane(lane));
        for (int bit = 0; bit < lane_bits + register_bits; ++bit) pattern.limits.push_back(axis_of_bit(bit));
        out.push_back(pattern);
    };
    const int grown = lane_bits == line_bits ? 1 : line_bits - lane_bits;
    const auto one_axis = [](int) { return 0; };
    for (int r = 0; r <= grown; ++r)
        add(
            r, [](int lane) { return lane; }, one_axis);
    // From the lanes of one axis to those of another; registers beyond the square go on along the second.
    const auto two_axes = [=](int bit) { return bit < lane_bits ? 0 : 1; };
    for (int r = lane_bits; r <= max_register_bits; ++r)
        add(
            r, [=](int lane) { return lane_bits + lane; }, two_axes);
    const int half = lane_bits - 1;  // bits of a block of half a register
    if (half >= 2) {
        add(
            half, [=](int lane) { return lane < half ? lane_bits + lane : 0; }, two_axes);
        for (int r = half; r <= max_register_bits; ++r)
            add(
                r, [=](int lane) { return half + lane; }, [=](int bit) { return bit < half ? 0 : 1; });
    }
    return out;
}

/// Patterns without lanes: one element a tile.
constexpr pattern_list scalar_pattern() {
    pattern_list out;
    out.push_back({});
    return out;
}

/// Vector kernels watch this many axes; more are rare, and go element by element.
inline constexpr int watched_axes = 4;

/// The kernel that runs plans of a pattern with an instruction set; null where none was compiled.
template <isa Isa, int ElementBytes>
const pattern_kernel* find_kernel(const reorder_plan& plan) {
    using path = simd::moved_elements<ElementBytes>;
    constexpr int line_bits = log2_of(cache_line_bytes / 4);
    if (plan.pattern.lane_bits == 0)
        return simd::portable::kernels_of<path, scalar_pattern(), max_limits>.find(plan.pattern);
    if (plan.limits.size() > watched_axes) return nullptr;
    // ElementBytes, not 4: Clang makes tables that do not depend on a parameter at the include.
    if constexpr (ElementBytes == 4) {
#if defined(__x86_64__)
        if constexpr (Isa == isa::avx512) {
            if (plan.pattern.lane_bits == 4)
                return simd::avx512::kernels_of<path, known_patterns(4, line_bits), watched_axes>.find(plan.pattern);
            if (plan.pattern.lane_bits == 3)
                return simd::avx512::kernels_of<path, known_patterns(3, line_bits), watched_axes>.find(plan.pattern);
        }
        if constexpr (Isa == isa::avx2)
            if (plan.pattern.lane_bits == 3)
                return simd::avx2::kernels_of<path, known_patterns(3, line_bits), watched_axes>.find(plan.pattern);
        // Narrow tiles are no faster with wider instruction sets.
        if constexpr (Isa != isa::portable)
            if (plan.pattern.lane_bits == 2)
                return simd::sse41::kernels_of<path, known_patterns(2, line_bits), watched_axes>.find(plan.pattern);
#elif defined(__aarch64__)
        if constexpr (Isa == isa::neon)
            if (plan.pattern.lane_bits == 2)
                return simd::neon::kernels_of<path, known_patterns(2, line_bits), watched_axes>.find(plan.pattern);
#endif
    }
    return nullptr;
}

/// A reorder of run-time layouts, planned: what to run, with which plan.
struct planned_reorder {
    reorder_plan plan;
    const pattern_kernel* kernel = nullptr;  ///< null: no common refinement

    void operator()(const void* in, void* out) const noexcept { run(plan, in, out); }
    /// Only a part of the plan; see part_of.
    void run_part(const void* in, void* out, const plan_part& part) const noexcept {
        if (!part.is_empty()) run(plan_of_part(plan, part), in, out);
    }

private:
    void run(const reorder_plan& what, const void* in, void* out) const noexcept {
        const bool stream = may_stream(plan) && is_aligned(out, cache_line_bytes);
        (stream ? kernel->stream : kernel->run)(what, static_cast<const std::byte*>(in), static_cast<std::byte*>(out));
    }
};

template <isa Isa, int ElementBytes>
planned_reorder plan_with(const layout& src, const layout& dst) {
    const auto plan = make_plan(
        src, dst, ElementBytes, Isa, [](const reorder_plan& p) { return find_kernel<Isa, ElementBytes>(p) != nullptr; },
        true);
    if (!plan) return {};
    const pattern_kernel* kernel = find_kernel<Isa, ElementBytes>(*plan);
    return {*plan, kernel};
}

/// Plans with the widest instruction set that the CPU has.
template <int ElementBytes>
planned_reorder plan_reorder(const layout& src, const layout& dst) {
#if defined(__x86_64__)
    if (cpu_has(isa::avx512)) return plan_with<isa::avx512, ElementBytes>(src, dst);
    if (cpu_has(isa::avx2)) return plan_with<isa::avx2, ElementBytes>(src, dst);
    if (cpu_has(isa::sse41)) return plan_with<isa::sse41, ElementBytes>(src, dst);
#elif defined(__aarch64__)
    if (cpu_has(isa::neon)) return plan_with<isa::neon, ElementBytes>(src, dst);
#endif
    return plan_with<isa::portable, ElementBytes>(src, dst);
}

/// Copies a tensor between layouts known only at run time; partly static (bound) layouts convert to such.
///
/// Pre:     check_reorder(src, dst).ok(); refused besides: spans_overlap, as in the static reorder
/// Post:    as reference_reorder(src, in, dst, out)
/// Cost:    plans at each call, some microseconds; no allocation. Vector code for 4-byte elements of one type in
///          known_patterns; others of one type go element by element, conversions through the reference
/// Example: examples/05_reorder.cpp
template <element T, element U>
void reorder(const layout& src, const T* in, const layout& dst, U* out) {
    require(check_reorder(src, dst));
    if (dst.padded_volume() == 0) return;
    require_apart(src, in, dst, out);
    if constexpr (data_type_of<T> == data_type_of<U>) {
        const planned_reorder planned = plan_reorder<static_cast<int>(sizeof(T))>(src, dst);
        if (planned.kernel != nullptr) return planned(in, out);
    }
    reference_reorder(src, in, dst, out);
}

/// The same with attributes; see the static reorder.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); refused besides: spans_overlap
/// Post:    as reference_reorder(src, in, dst, out, attributes)
/// Cost:    where is_trivial(attributes), that of the reorder without them; else element by element
template <element T, element U>
void reorder(const layout& src, const T* in, const layout& dst, U* out, const reorder_attributes& attributes) {
    require(check_reorder(src, dst, attributes));
    if (is_trivial(attributes)) return reorder(src, in, dst, out);
    require_apart(src, in, dst, out);
    reference_reorder(src, in, dst, out, attributes);
}

}  // namespace plait
