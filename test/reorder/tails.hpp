#pragma once
// Every length of a tail: kernels for run-time plans of a pattern, run with all plans that have it. One piece of code
// for all lengths, so that trying all is cheap.

#include "kernels.hpp"

namespace kernels {

inline constexpr dim_t longest = 70;  // more than a register of bytes
inline constexpr dim_t sampled[] = {longest, 12, 25, 49};
inline constexpr int tail_limits = 4;

/// A pair of layouts whose extents are `length`, and another that is not whole registers either.
struct transpose {
    static constexpr layout src(dim_t length) { return {{length, 21}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{length, 21}, "ba"}; }
};
struct transpose_back {
    static constexpr layout src(dim_t length) { return {{21, length}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{21, length}, "ba"}; }
};
struct into_blocks {  // with padding
    static constexpr layout src(dim_t length) { return {{length, 37}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{length, 37}, "Ab16a"}; }
};
struct out_of_blocks {
    static constexpr layout src(dim_t length) { return {{length, 37}, "Ab16a"}; }
    static constexpr layout dst(dim_t length) { return {{length, 37}, "ab"}; }
};
struct along_blocks {  // the tail in the places
    static constexpr layout src(dim_t length) { return {{19, length}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{19, length}, "Ab16a"}; }
};
struct along_blocks_back {
    static constexpr layout src(dim_t length) { return {{19, length}, "Ab16a"}; }
    static constexpr layout dst(dim_t length) { return {{19, length}, "ab"}; }
};

using tail_patterns = inline_list<tile_pattern, 12>;

/// The patterns of some lengths of each pair, each pattern once.
template <class Path, isa Isa, class... Pair>
constexpr tail_patterns patterns_of() {
    tail_patterns out;
    const auto add = [&out](const layout& src, const layout& dst) {
        const auto plan = make_plan(src, dst, Path::sizes, Isa, true);
        if (!plan || plan->pattern.lane_bits == 0 || out.full()) return;
        for (const tile_pattern& known : out)
            if (known == plan->pattern) return;
        out.push_back(plan->pattern);
    };
    for (const dim_t length : sampled) (add(Pair::src(length), Pair::dst(length)), ...);
    return out;
}

template <isa Isa, class Path, auto Patterns>
const pattern_kernel* find_kernel(const tile_pattern& pattern) {
#if defined(__x86_64__)
    if constexpr (Isa == isa::avx512) return simd::avx512::kernels_of<Path, Patterns, tail_limits>.find(pattern);
    if constexpr (Isa == isa::avx2) return simd::avx2::kernels_of<Path, Patterns, tail_limits>.find(pattern);
    if constexpr (Isa == isa::sse41) return simd::sse41::kernels_of<Path, Patterns, tail_limits>.find(pattern);
#elif defined(__aarch64__)
    if constexpr (Isa == isa::neon) return simd::neon::kernels_of<Path, Patterns, tail_limits>.find(pattern);
#endif
    return nullptr;
}

/// Runs all lengths of a pair of layouts that have a plan with one of the patterns; how many had.
template <isa Isa, class T, auto Patterns, class Pair>
int run_lengths() {
    using path = simd::moved_elements<static_cast<int>(sizeof(T))>;
    int run = 0;
    for (dim_t length = 1; length <= longest; ++length) {
        const layout src = Pair::src(length), dst = Pair::dst(length);
        const auto is_known = [](const reorder_plan& plan) {
            return plan.limits.size() <= tail_limits && find_kernel<Isa, path, Patterns>(plan.pattern) != nullptr;
        };
        const auto plan = make_plan(src, dst, path::sizes, Isa, is_known, true);
        if (!plan) continue;
        ++run;
        matches_reference<T, T>(src, dst, Isa, [&](const T* in, T* out) {
            const pattern_kernel& kernel = *find_kernel<Isa, path, Patterns>(plan->pattern);
            // Also past the cache, where a tensor of any size could be.
            const bool aligned = plan->contiguous_bytes() >= cache_line_bytes && is_aligned(out, cache_line_bytes) &&
                                 plan->line_alignment() * plan->sizes.dst % cache_line_bytes == 0;
            (aligned ? kernel.stream : kernel.run)(*plan, reinterpret_cast<const std::byte*>(in),
                                                   reinterpret_cast<std::byte*>(out));
        });
    }
    return run;
}

template <class T, isa Isa, class... Pair>
void every_length_with() {
    if constexpr (is_of_this_architecture(Isa) && Isa != isa::portable) {
        if (!cpu_has(Isa)) return;
        static constexpr tail_patterns patterns =
            patterns_of<simd::moved_elements<static_cast<int>(sizeof(T))>, Isa, Pair...>();
        const int runs[] = {run_lengths<Isa, T, patterns, Pair>()...};
        for (const int run : runs) {
            INFO(std::string(name(Isa)), " ", sizeof(T), " bytes: ", patterns.size(), " patterns, ", run, " lengths");
            CHECK(run >= longest * 2 / 3);  // the shortest have patterns of their own
        }
    }
}

template <class T, class... Pair>
void every_length() {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (every_length_with<T, every_isa[I], Pair...>(), ...); }
    (std::make_index_sequence<std::size(every_isa)>{});
}

}  // namespace kernels
