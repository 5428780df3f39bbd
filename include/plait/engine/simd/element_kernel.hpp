#pragma once
// The kernel of plans whose tile is one element, which may change its type. It has no vectors, so that a unit needs no
// instruction set for it.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/scalar.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd {
namespace elements {

#include <plait/engine/simd/walk.inl>

template <class Types>
struct moved_element {
    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        typename Types::from value;
        std::memcpy(&value, src, sizeof(value));
        const auto converted = convert_element<typename Types::to>(convert_element<typename Types::work>(value));
        std::memcpy(dst, &converted, sizeof(converted));
    }
};
template <class Types>
struct zeroed_element {
    [[gnu::always_inline]] inline void operator()(const std::byte*, std::byte* dst) const {
        std::memset(dst, 0, sizeof(typename Types::to));
    }
};

template <class Types>
void run_elements(const reorder_plan&, const run_time_offsets&, const kernel_walk& walk, const std::byte* src,
                  std::byte* dst) noexcept {
    run_walk<true>(walk, src, dst, moved_element<Types>{});
}
template <class Types>
void run_elements_at_ends(const reorder_plan& plan, const run_time_offsets& offsets, const segment_lanes& lanes,
                          const kernel_walk& walk, const std::byte* src, std::byte* dst) noexcept {
    if (lanes.stored[0] == 0) return;
    if (lanes.loaded[0] != 0) return run_elements<Types>(plan, offsets, walk, src, dst);
    run_walk<false>(walk, src, dst, zeroed_element<Types>{});
}
inline void finish_streams() {}

template <class Types>
constexpr run_time_kernel make_element_kernel() {
    run_time_kernel out;
    out.whole = out.stream = run_elements<Types>;
    out.masked = run_elements_at_ends<Types>;
    out.finish_streams = finish_streams;
    return out;
}

}  // namespace elements

/// The kernel of elements of these types.
template <class Types>
inline constexpr run_time_kernel element_kernel_for = elements::make_element_kernel<Types>();

}  // namespace plait::engine::simd
