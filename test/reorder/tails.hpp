#pragma once
// Every length of a tail: kernels for run-time plans of a pattern, run with all plans that have it. One piece of code
// for all lengths, so that trying all is cheap.

#include "kernels.hpp"

#include <plait/runtime/tile_kernels.hpp>

namespace kernels {

inline constexpr dim_t longest = 70;  // more than a register of bytes
inline constexpr dim_t sampled[] = {longest, 12, 25, 49};

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

/// The open patterns of some lengths of each pair, each pattern once.
template <class Path, isa Isa, class... Pair>
constexpr tail_patterns patterns_of() {
    tail_patterns out;
    const auto add = [&out](const layout& src, const layout& dst) {
        const auto plan = make_plan(src, dst, Path::sizes, Isa);
        if (!plan || plan->pattern.lane_bits == 0 || out.full()) return;
        const tile_pattern pattern = open_pattern(plan->pattern);
        for (const tile_pattern& known : out)
            if (known == pattern) return;
        out.push_back(pattern);
    };
    for (const dim_t length : sampled) (add(Pair::src(length), Pair::dst(length)), ...);
    return out;
}

/// Their kernels.
struct tail_kernels {
    std::vector<std::pair<std::uint64_t, const open_kernel*>> known;

    template <isa Isa, class Path, auto Patterns>
    static tail_kernels of() {
        return [&]<int... P>(std::integer_sequence<int, P...>) {
            return tail_kernels{{{key_of(Patterns[P]), open_kernel_with<Isa, Path, Patterns[P]>()}...}};
        }(std::make_integer_sequence<int, Patterns.size()>{});
    }
    const open_kernel* find(const tile_pattern& pattern) const {
        for (const auto& [key, kernel] : known)
            if (key == key_of(pattern)) return kernel;
        return nullptr;
    }
};

/// Runs all lengths of a pair of layouts that have a plan with one of the patterns; how many had.
template <isa Isa, class T, class Pair>
int run_lengths(const tail_kernels& kernels) {
    int run = 0;
    for (dim_t length = 1; length <= longest; ++length) {
        const layout src = Pair::src(length), dst = Pair::dst(length);
        const auto is_known = [&](const reorder_plan& plan) { return kernels.find(plan.pattern) != nullptr; };
        const auto made = make_plan(coalesce(*refine(src, dst)), static_cast<int>(sizeof(T)), Isa, is_known);
        if (!made) continue;
        ++run;
        const reorder_plan plan = open_form(*made);
        matches_reference<T, T>(src, dst, Isa, [&](const T* in, T* out) {
            // Also past the cache, where a tensor of any size could be.
            const bool aligned = plan.contiguous_bytes() >= cache_line_bytes && is_aligned(out, cache_line_bytes) &&
                                 plan.line_alignment() * plan.sizes.dst % cache_line_bytes == 0;
            run_open_plan(plan, *kernels.find(plan.pattern), aligned, reinterpret_cast<const std::byte*>(in),
                          reinterpret_cast<std::byte*>(out));
        });
    }
    return run;
}

template <class T, isa Isa, class... Pair>
void every_length_with() {
    if constexpr (is_of_this_architecture(Isa) && Isa != isa::portable) {
        if (!cpu_has(Isa)) return;
        using path = simd::moved_elements<static_cast<int>(sizeof(T))>;
        static constexpr tail_patterns patterns = patterns_of<path, Isa, Pair...>();
        const tail_kernels kernels = tail_kernels::of<Isa, path, patterns>();
        const int runs[] = {run_lengths<Isa, T, Pair>(kernels)...};
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
