#pragma once
// The instruction sets for which kernels are compiled, and a check for which of them the CPU has.

#include <plait/unit_flags.hpp>

#include <string_view>  // std::size

#if defined(__x86_64__) && defined(__clang__)
#include <cpuid.h>
#endif

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The instruction sets, in ascending order. Each kernel runs with the last one that the CPU has.
enum class isa { portable, neon, sse41, avx2, avx512 };

/// All instruction sets, in the order of the enumerators.
///
/// Post:    every_isa[i] == isa(i)
inline constexpr isa every_isa[] = {isa::portable, isa::neon, isa::sse41, isa::avx2, isa::avx512};

/// Returns the name of an instruction set, spelled as its enumerator.
///
/// Pre:     instructions is an enumerator
/// Post:    two sets have two names
/// Cost:    a table lookup
/// Source:  plait's own
/// Example: to_string(isa::avx2) is "avx2"
constexpr const char* to_string(isa instructions) {
    constexpr const char* names[] = {"portable", "neon", "sse41", "avx2", "avx512"};
    static_assert(std::size(names) == std::size(every_isa));
    return names[static_cast<int>(instructions)];
}

namespace detail {
/// Returns the size in bytes of the largest vector register of an instruction set.
///
/// Pre:     instructions is an enumerator
/// Post:    a power of two, at least 16
/// Cost:    a table lookup
/// Source:  the manuals of the architectures; portable code uses arrays of 16 bytes
/// Example: vector_bytes(isa::avx2) == 32
constexpr int vector_bytes(isa instructions) {
    constexpr int bytes[] = {16, 16, 16, 32, 64};
    static_assert(std::size(bytes) == std::size(every_isa));
    return bytes[static_cast<int>(instructions)];
}
}  // namespace detail

/// True if the instruction set belongs to this architecture, so that its kernels can be compiled. False for AVX2 and
/// AVX-512 if GCC compiles for Windows and its assembler is not told to write unaligned moves: see unit_flags.hpp.
///
/// Pre:     instructions is an enumerator
/// Post:    true if cpu_has(instructions)
/// Cost:    none
/// Source:  macros of the compiler: `__x86_64__`, `__aarch64__`, `_WIN32`
/// Example: is_of_this_architecture(isa::portable) is true everywhere, isa::neon only on aarch64
constexpr bool is_of_this_architecture(isa instructions) {
#if defined(__x86_64__)
    return instructions != isa::neon && (!PLAIT_UNIT_HAS_NARROW_STACK || instructions <= isa::sse41);
#elif defined(__aarch64__)
    return instructions == isa::portable || instructions == isa::neon;
#else
    return instructions == isa::portable;
#endif
}

#if defined(__x86_64__)
namespace detail {
/// True if this CPU converts f16 (F16C). All CPUs with AVX2 do, but a virtual machine may report one without the other.
inline bool cpu_has_f16c() {
#if defined(__F16C__)
    return true;
#elif !defined(__clang__)
    return __builtin_cpu_supports("f16c");
#else
    // Clang 14 has no name for F16C. CPUID is slow in a virtual machine, so that it runs once: `answer` is 0 before
    // that, 1 for no, 2 for yes. Threads that get here at the same time write the same value.
    static int answer = 0;
    if (__atomic_load_n(&answer, __ATOMIC_RELAXED) == 0) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        const bool yes = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & 1u << 29) != 0;
        __atomic_store_n(&answer, yes ? 2 : 1, __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&answer, __ATOMIC_RELAXED) == 2;
#endif
}
}  // namespace detail
#endif

/// True if this CPU and the operating system can run the instruction set.
///
/// Pre:     instructions is an enumerator
/// Post:    cpu_has(isa::portable) and cpu_has(least_isa()); false if !is_of_this_architecture(instructions)
/// Cost:    a few loads and comparisons: CPUID runs once in a program
/// Source:  CPUID, by `__builtin_cpu_supports`; avx2 also requires F16C, avx512 requires F, BW and VL
/// Example: to_string(cpu_has(isa::avx2) ? isa::avx2 : isa::portable)
inline bool cpu_has(isa instructions) {
#if defined(__x86_64__)
    if (!is_of_this_architecture(instructions)) return false;
    switch (instructions) {
        case isa::portable: return true;
        case isa::neon: return false;
        case isa::sse41: return __builtin_cpu_supports("sse4.1");
        case isa::avx2: return __builtin_cpu_supports("avx2") && detail::cpu_has_f16c();
        case isa::avx512:
            return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl");
    }
    return false;
#else
    return is_of_this_architecture(instructions);  // NEON is part of every aarch64
#endif
}

/// Returns the instruction set that the compile flags guarantee. Kernels are not compiled for lesser ones.
constexpr isa least_isa() {
#if defined(__SSE4_1__) && PLAIT_UNIT_HAS_NARROW_STACK
    return isa::sse41;
#elif defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
    return isa::avx512;
#elif defined(__AVX2__) && defined(__F16C__)
    return isa::avx2;
#elif defined(__SSE4_1__)
    return isa::sse41;
#elif defined(__aarch64__)
    return isa::neon;
#else
    return isa::portable;
#endif
}

/// Calls run.template operator()<Isa>() with the widest instruction set that the CPU has. `Least`, which the compile
/// flags guarantee, is not checked for. Only this function and with_isa loop over the instruction sets.
template <isa Least = least_isa(), int From = static_cast<int>(std::size(every_isa)) - 1, class Run>
[[gnu::always_inline]] inline void with_widest_isa(const Run& run) {
    constexpr isa here = every_isa[From];
    if constexpr (!is_of_this_architecture(here)) {
        with_widest_isa<Least, From - 1>(run);
    } else if constexpr (here == Least) {
        run.template operator()<here>();
    } else {
        // On x86 the compiler's runtime library executes CPUID once, at start-up.
        if (cpu_has(here)) return run.template operator()<here>();
        with_widest_isa<Least, From - 1>(run);
    }
}

namespace detail {
/// Calls run.template operator()<Isa>() with the given instruction set, without checking the CPU. `Least` replaces the
/// sets below it, so that their code is not compiled.
///
/// Pre:     is_of_this_architecture(instructions)
template <isa Least, int From = static_cast<int>(std::size(every_isa)) - 1, class Run>
[[gnu::always_inline]] inline void with_isa(isa instructions, const Run& run) {
    constexpr isa here = every_isa[From];
    if constexpr (here == Least) {
        run.template operator()<here>();
    } else {
        if constexpr (is_of_this_architecture(here))
            if (instructions == here) return run.template operator()<here>();
        with_isa<Least, From - 1>(instructions, run);
    }
}
}  // namespace detail
}  // namespace plait
