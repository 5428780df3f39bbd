#pragma once
// PLAIT_UNIT_FLAGS: the name of the inline namespace that contains all of plait. It spells the compile flags of the
// unit that change what the same source becomes. Every namespace of plait is opened with it:
//
//     namespace plait::inline PLAIT_UNIT_FLAGS {
//
// Units of one program may have different flags, e.g. one with -mavx512f for new CPUs, and one with -ffast-math. An
// inline function of a header is then compiled once for each unit, and the linker keeps one of them. It is right for
// all units only if it has another name in units where it must be another function. So a flag is part of the name if,
// because of it,
//
// - the compiler uses instructions that a CPU may lack: the unit without the flag would stop with SIGILL;
// - results differ: the parts of -ffast-math, -frounding-math, -fno-exceptions;
// - objects differ: containers of the standard library are larger with _GLIBCXX_DEBUG, or in another library; without
//   RTTI the exception has no type for dynamic_cast;
// - the sanitizer of threads or of memory needs to see every access.
//
// Not part of the name, because either copy is right for both units, and plait's types are the same
// (packaging.units_with_flags):
//
// - -O0 to -O3, -g, NDEBUG, _GLIBCXX_ASSERTIONS, -fsanitize=undefined: a check is made or not;
// - the standard, C++20 or later, and whether extensions are on: no type of plait differs;
// - the compiler, GCC or Clang: both have one ABI;
// - instruction sets that compilers use only where a program calls an intrinsic: plait calls none of them (AES, SHA,
//   RDRND, CLWB, AMX, ...);
// - -fno-math-errno: functions of the C library that set errno are not called.
//
// Not part of the name either, because no macro says that they are on: -fpack-struct, -fshort-enums and other flags
// that change the layout of every type, which are for whole programs (engine/kernel/for_all_units.hpp refuses another
// layout); in Clang the parts of -ffast-math other than -ffinite-math-only, if they are given one by one;
// -mprefer-vector-width, which changes no result.
//
// A unit for x86 without any of these flags has the name u_0, one with -ffast-math -mavx512f has u_0pr_fast_avx512.
// What users should know: docs/packaging.md, "Units with different flags".
//
// The macros are defined here and nowhere else, before the first namespace is opened, so that the name is the same in
// regions of other instruction sets (#pragma GCC target).

#include <version>  // the standard library's name and settings

// x86: the last set of a sequence in which each includes the ones before, then a letter for each other set.
#if defined(__AVX512F__)
#define PLAIT_UNIT_FLAGS_SET _avx512
#elif defined(__AVX2__)
#define PLAIT_UNIT_FLAGS_SET _avx2
#elif defined(__AVX__)
#define PLAIT_UNIT_FLAGS_SET _avx
#elif defined(__SSE4_2__)
#define PLAIT_UNIT_FLAGS_SET _sse42
#elif defined(__SSE4_1__)
#define PLAIT_UNIT_FLAGS_SET _sse41
#elif defined(__SSSE3__)
#define PLAIT_UNIT_FLAGS_SET _ssse3
#elif defined(__SSE3__)
#define PLAIT_UNIT_FLAGS_SET _sse3
// Other architectures.
#elif defined(_ARCH_PWR10)
#define PLAIT_UNIT_FLAGS_SET _power10
#elif defined(_ARCH_PWR9)
#define PLAIT_UNIT_FLAGS_SET _power9
#elif defined(__riscv_vector)
#define PLAIT_UNIT_FLAGS_SET _rvv
#else
#define PLAIT_UNIT_FLAGS_SET
#endif
#if defined(__POPCNT__)
#define PLAIT_UNIT_FLAGS_POPCNT p
#else
#define PLAIT_UNIT_FLAGS_POPCNT
#endif
#if defined(__LZCNT__)
#define PLAIT_UNIT_FLAGS_LZCNT z
#else
#define PLAIT_UNIT_FLAGS_LZCNT
#endif
#if defined(__BMI__)
#define PLAIT_UNIT_FLAGS_BMI m
#else
#define PLAIT_UNIT_FLAGS_BMI
#endif
#if defined(__BMI2__)
#define PLAIT_UNIT_FLAGS_BMI2 M
#else
#define PLAIT_UNIT_FLAGS_BMI2
#endif
#if defined(__MOVBE__)
#define PLAIT_UNIT_FLAGS_MOVBE v
#else
#define PLAIT_UNIT_FLAGS_MOVBE
#endif
#if defined(__F16C__)
#define PLAIT_UNIT_FLAGS_F16C f
#else
#define PLAIT_UNIT_FLAGS_F16C
#endif
#if defined(__FMA__)
#define PLAIT_UNIT_FLAGS_FMA a
#else
#define PLAIT_UNIT_FLAGS_FMA
#endif
#if defined(__FMA4__)
#define PLAIT_UNIT_FLAGS_FMA4 A
#else
#define PLAIT_UNIT_FLAGS_FMA4
#endif
#if defined(__XOP__)
#define PLAIT_UNIT_FLAGS_XOP x
#else
#define PLAIT_UNIT_FLAGS_XOP
#endif
#if defined(__TBM__)
#define PLAIT_UNIT_FLAGS_TBM t
#else
#define PLAIT_UNIT_FLAGS_TBM
#endif
#if defined(__SSE4A__)
#define PLAIT_UNIT_FLAGS_SSE4A s
#else
#define PLAIT_UNIT_FLAGS_SSE4A
#endif
#if defined(__GFNI__)
#define PLAIT_UNIT_FLAGS_GFNI G
#else
#define PLAIT_UNIT_FLAGS_GFNI
#endif
#if defined(__CRC32__)
#define PLAIT_UNIT_FLAGS_CRC32 r
#else
#define PLAIT_UNIT_FLAGS_CRC32
#endif
#if defined(__PCLMUL__)
#define PLAIT_UNIT_FLAGS_PCLMUL k
#else
#define PLAIT_UNIT_FLAGS_PCLMUL
#endif
#if defined(__AVX512BW__)
#define PLAIT_UNIT_FLAGS_AVX512BW w
#else
#define PLAIT_UNIT_FLAGS_AVX512BW
#endif
#if defined(__AVX512DQ__)
#define PLAIT_UNIT_FLAGS_AVX512DQ d
#else
#define PLAIT_UNIT_FLAGS_AVX512DQ
#endif
#if defined(__AVX512VL__)
#define PLAIT_UNIT_FLAGS_AVX512VL l
#else
#define PLAIT_UNIT_FLAGS_AVX512VL
#endif
#if defined(__AVX512CD__)
#define PLAIT_UNIT_FLAGS_AVX512CD c
#else
#define PLAIT_UNIT_FLAGS_AVX512CD
#endif
#if defined(__AVX512VBMI__)
#define PLAIT_UNIT_FLAGS_AVX512VBMI b
#else
#define PLAIT_UNIT_FLAGS_AVX512VBMI
#endif
#if defined(__AVX512VBMI2__)
#define PLAIT_UNIT_FLAGS_AVX512VBMI2 B
#else
#define PLAIT_UNIT_FLAGS_AVX512VBMI2
#endif
#if defined(__AVX512IFMA__)
#define PLAIT_UNIT_FLAGS_AVX512IFMA i
#else
#define PLAIT_UNIT_FLAGS_AVX512IFMA
#endif
#if defined(__AVX512VNNI__)
#define PLAIT_UNIT_FLAGS_AVX512VNNI n
#else
#define PLAIT_UNIT_FLAGS_AVX512VNNI
#endif
#if defined(__AVX512BITALG__)
#define PLAIT_UNIT_FLAGS_AVX512BITALG g
#else
#define PLAIT_UNIT_FLAGS_AVX512BITALG
#endif
#if defined(__AVX512VPOPCNTDQ__)
#define PLAIT_UNIT_FLAGS_AVX512VPOPCNTDQ q
#else
#define PLAIT_UNIT_FLAGS_AVX512VPOPCNTDQ
#endif
#if defined(__AVX512BF16__)
#define PLAIT_UNIT_FLAGS_AVX512BF16 h
#else
#define PLAIT_UNIT_FLAGS_AVX512BF16
#endif
#if defined(__AVX512FP16__)
#define PLAIT_UNIT_FLAGS_AVX512FP16 H
#else
#define PLAIT_UNIT_FLAGS_AVX512FP16
#endif
#if defined(__AVX512ER__)
#define PLAIT_UNIT_FLAGS_AVX512ER e
#else
#define PLAIT_UNIT_FLAGS_AVX512ER
#endif
#if defined(__AVXVNNI__)
#define PLAIT_UNIT_FLAGS_AVXVNNI N
#else
#define PLAIT_UNIT_FLAGS_AVXVNNI
#endif
#if defined(__AVXVNNIINT8__)
#define PLAIT_UNIT_FLAGS_AVXVNNIINT8 o
#else
#define PLAIT_UNIT_FLAGS_AVXVNNIINT8
#endif
#if defined(__AVXVNNIINT16__)
#define PLAIT_UNIT_FLAGS_AVXVNNIINT16 O
#else
#define PLAIT_UNIT_FLAGS_AVXVNNIINT16
#endif
#if defined(__AVXIFMA__)
#define PLAIT_UNIT_FLAGS_AVXIFMA I
#else
#define PLAIT_UNIT_FLAGS_AVXIFMA
#endif
#if defined(__AVXNECONVERT__)
#define PLAIT_UNIT_FLAGS_AVXNECONVERT C
#else
#define PLAIT_UNIT_FLAGS_AVXNECONVERT
#endif
#if defined(__CMPCCXADD__)
#define PLAIT_UNIT_FLAGS_CMPCCXADD X
#else
#define PLAIT_UNIT_FLAGS_CMPCCXADD
#endif
#if defined(__APX_F__)
#define PLAIT_UNIT_FLAGS_APX_F F
#else
#define PLAIT_UNIT_FLAGS_APX_F
#endif
#if defined(__AVX10_1__)
#define PLAIT_UNIT_FLAGS_AVX10_1 T
#else
#define PLAIT_UNIT_FLAGS_AVX10_1
#endif
#if defined(__AVX10_2__)
#define PLAIT_UNIT_FLAGS_AVX10_2 U
#else
#define PLAIT_UNIT_FLAGS_AVX10_2
#endif

// AArch64, and the number of the architecture for it and for s390x.
#if defined(__aarch64__) && defined(__ARM_ARCH)
#define PLAIT_UNIT_FLAGS_NUMBER __ARM_ARCH
#elif defined(__s390x__)
#define PLAIT_UNIT_FLAGS_NUMBER __ARCH__
#else
#define PLAIT_UNIT_FLAGS_NUMBER 0
#endif
#if defined(__ARM_FEATURE_SVE)
#define PLAIT_UNIT_FLAGS_ARM_SVE v
#else
#define PLAIT_UNIT_FLAGS_ARM_SVE
#endif
#if defined(__ARM_FEATURE_SVE2)
#define PLAIT_UNIT_FLAGS_ARM_SVE2 V
#else
#define PLAIT_UNIT_FLAGS_ARM_SVE2
#endif
#if defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
#define PLAIT_UNIT_FLAGS_ARM_FP16_VECTOR_ARITHMETIC h
#else
#define PLAIT_UNIT_FLAGS_ARM_FP16_VECTOR_ARITHMETIC
#endif
#if defined(__ARM_FEATURE_FP16_FML)
#define PLAIT_UNIT_FLAGS_ARM_FP16_FML H
#else
#define PLAIT_UNIT_FLAGS_ARM_FP16_FML
#endif
#if defined(__ARM_FEATURE_DOTPROD)
#define PLAIT_UNIT_FLAGS_ARM_DOTPROD d
#else
#define PLAIT_UNIT_FLAGS_ARM_DOTPROD
#endif
#if defined(__ARM_FEATURE_MATMUL_INT8)
#define PLAIT_UNIT_FLAGS_ARM_MATMUL_INT8 i
#else
#define PLAIT_UNIT_FLAGS_ARM_MATMUL_INT8
#endif
#if defined(__ARM_FEATURE_BF16)
#define PLAIT_UNIT_FLAGS_ARM_BF16 b
#else
#define PLAIT_UNIT_FLAGS_ARM_BF16
#endif
#if defined(__ARM_FEATURE_ATOMICS)
#define PLAIT_UNIT_FLAGS_ARM_ATOMICS l
#else
#define PLAIT_UNIT_FLAGS_ARM_ATOMICS
#endif
#if defined(__ARM_FEATURE_RCPC)
#define PLAIT_UNIT_FLAGS_ARM_RCPC r
#else
#define PLAIT_UNIT_FLAGS_ARM_RCPC
#endif
#if defined(__ARM_FEATURE_CRC32)
#define PLAIT_UNIT_FLAGS_ARM_CRC32 c
#else
#define PLAIT_UNIT_FLAGS_ARM_CRC32
#endif
#if defined(__ARM_FEATURE_FRINT)
#define PLAIT_UNIT_FLAGS_ARM_FRINT f
#else
#define PLAIT_UNIT_FLAGS_ARM_FRINT
#endif
#if defined(__ARM_FEATURE_MOPS)
#define PLAIT_UNIT_FLAGS_ARM_MOPS m
#else
#define PLAIT_UNIT_FLAGS_ARM_MOPS
#endif
#if defined(__ARM_FEATURE_QRDMX)
#define PLAIT_UNIT_FLAGS_ARM_QRDMX q
#else
#define PLAIT_UNIT_FLAGS_ARM_QRDMX
#endif
#if defined(__ARM_FEATURE_COMPLEX)
#define PLAIT_UNIT_FLAGS_ARM_COMPLEX x
#else
#define PLAIT_UNIT_FLAGS_ARM_COMPLEX
#endif
#if defined(__ARM_FEATURE_AES)
#define PLAIT_UNIT_FLAGS_ARM_AES k
#else
#define PLAIT_UNIT_FLAGS_ARM_AES
#endif
#if defined(__ARM_FEATURE_SHA3)
#define PLAIT_UNIT_FLAGS_ARM_SHA3 s
#else
#define PLAIT_UNIT_FLAGS_ARM_SHA3
#endif
#if defined(__ARM_FEATURE_PAUTH)
#define PLAIT_UNIT_FLAGS_ARM_PAUTH p
#else
#define PLAIT_UNIT_FLAGS_ARM_PAUTH
#endif
#if defined(__ARM_FEATURE_CSSC)
#define PLAIT_UNIT_FLAGS_ARM_CSSC C
#else
#define PLAIT_UNIT_FLAGS_ARM_CSSC
#endif
#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 0
#define PLAIT_UNIT_FLAGS_ARM_SVE_BITS __ARM_FEATURE_SVE_BITS
#else
#define PLAIT_UNIT_FLAGS_ARM_SVE_BITS
#endif

// Floating point. -ffast-math is one word; its parts are letters.
#if defined(__FAST_MATH__)
#define PLAIT_UNIT_FLAGS_MATH _fast
#else
#define PLAIT_UNIT_FLAGS_MATH
#endif
#if defined(__FAST_MATH__) != (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#define PLAIT_UNIT_FLAGS_FINITE _finite
#else
#define PLAIT_UNIT_FLAGS_FINITE
#endif
#if defined(__ASSOCIATIVE_MATH__) && !defined(__FAST_MATH__)
#define PLAIT_UNIT_FLAGS_ASSOCIATIVE_MATH _associative
#else
#define PLAIT_UNIT_FLAGS_ASSOCIATIVE_MATH
#endif
#if defined(__RECIPROCAL_MATH__) && !defined(__FAST_MATH__)
#define PLAIT_UNIT_FLAGS_RECIPROCAL_MATH _reciprocal
#else
#define PLAIT_UNIT_FLAGS_RECIPROCAL_MATH
#endif
#if defined(__NO_SIGNED_ZEROS__) && !defined(__FAST_MATH__)
#define PLAIT_UNIT_FLAGS_NO_SIGNED_ZEROS _unsigned
#else
#define PLAIT_UNIT_FLAGS_NO_SIGNED_ZEROS
#endif
#if defined(__NO_TRAPPING_MATH__) && !defined(__FAST_MATH__)
#define PLAIT_UNIT_FLAGS_NO_TRAPPING_MATH _trapless
#else
#define PLAIT_UNIT_FLAGS_NO_TRAPPING_MATH
#endif
#if defined(__ROUNDING_MATH__)
#define PLAIT_UNIT_FLAGS_ROUNDING _rounding
#else
#define PLAIT_UNIT_FLAGS_ROUNDING
#endif
#if defined(__SUPPORT_SNAN__)
#define PLAIT_UNIT_FLAGS_SNAN _snan
#else
#define PLAIT_UNIT_FLAGS_SNAN
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#define PLAIT_UNIT_FLAGS_EXCESS _excess
#else
#define PLAIT_UNIT_FLAGS_EXCESS
#endif

// GCC for Windows aligns the stack to 16 bytes, and accesses wider registers there by instructions that fault if they
// are not aligned (GCC bug 54412). A unit without this flag defines PLAIT_UNALIGNED_VECTOR_MOVES, because its assembler
// writes other instructions: -Wa,-muse-unaligned-vector-move. With it, contract/isa.hpp leaves out AVX2 and AVX-512.
#if defined(_WIN32) && !defined(__clang__) && !defined(PLAIT_UNALIGNED_VECTOR_MOVES)
#define PLAIT_UNIT_HAS_NARROW_STACK 1
#define PLAIT_UNIT_FLAGS_STACK _stack16
#else
#define PLAIT_UNIT_HAS_NARROW_STACK 0
#define PLAIT_UNIT_FLAGS_STACK
#endif

// The language and its library.
#if !defined(__cpp_exceptions)
#define PLAIT_UNIT_FLAGS_EXCEPTIONS _noexcept
#else
#define PLAIT_UNIT_FLAGS_EXCEPTIONS
#endif
#if !defined(__cpp_rtti)
#define PLAIT_UNIT_FLAGS_RTTI _nortti
#else
#define PLAIT_UNIT_FLAGS_RTTI
#endif
#if defined(_LIBCPP_VERSION)
#define PLAIT_UNIT_FLAGS_LIBRARY _libcxx
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define PLAIT_UNIT_FLAGS_LIBRARY _oldabi
#else
#define PLAIT_UNIT_FLAGS_LIBRARY
#endif
#if defined(_GLIBCXX_DEBUG)
#define PLAIT_UNIT_FLAGS_DEBUG _debug
#else
#define PLAIT_UNIT_FLAGS_DEBUG
#endif

// Sanitizers. GCC has macros, Clang has features.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PLAIT_UNIT_FLAGS_SANITIZER _tsan
#elif __has_feature(memory_sanitizer)
#define PLAIT_UNIT_FLAGS_SANITIZER _msan
#elif __has_feature(address_sanitizer) || __has_feature(hwaddress_sanitizer)
#define PLAIT_UNIT_FLAGS_SANITIZER _asan
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define PLAIT_UNIT_FLAGS_SANITIZER _tsan
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_HWADDRESS__)
#define PLAIT_UNIT_FLAGS_SANITIZER _asan
#elif !defined(PLAIT_UNIT_FLAGS_SANITIZER)
#define PLAIT_UNIT_FLAGS_SANITIZER
#endif

// The words and letters of all flags as one name.
// clang-format off
#define PLAIT_UNIT_FLAGS_JOIN(a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,a10,a11,a12,a13,a14,a15,a16,a17,a18,a19,a20,a21,a22, \
    a23,a24,a25,a26,a27,a28,a29,a30,a31,a32,a33,a34,a35,a36,a37,a38,a39,a40,a41,a42,a43,a44,a45,a46,a47,a48,a49, \
    a50,a51,a52,a53,a54,a55,a56,a57,a58,a59,a60,a61,a62,a63,a64,a65,a66,a67,a68,a69,a70,a71) \
    u_##a0##a1##a2##a3##a4##a5##a6##a7##a8##a9##a10##a11##a12##a13##a14##a15##a16##a17##a18##a19##a20##a21##a22 \
    ##a23##a24##a25##a26##a27##a28##a29##a30##a31##a32##a33##a34##a35##a36##a37##a38##a39##a40##a41##a42##a43 \
    ##a44##a45##a46##a47##a48##a49##a50##a51##a52##a53##a54##a55##a56##a57##a58##a59##a60##a61##a62##a63##a64 \
    ##a65##a66##a67##a68##a69##a70##a71
// clang-format on
#define PLAIT_UNIT_FLAGS_NAME(...) PLAIT_UNIT_FLAGS_JOIN(__VA_ARGS__)
#define PLAIT_UNIT_FLAGS                                                                                               \
    PLAIT_UNIT_FLAGS_NAME(                                                                                             \
        PLAIT_UNIT_FLAGS_NUMBER, PLAIT_UNIT_FLAGS_POPCNT, PLAIT_UNIT_FLAGS_LZCNT, PLAIT_UNIT_FLAGS_BMI,                \
        PLAIT_UNIT_FLAGS_BMI2, PLAIT_UNIT_FLAGS_MOVBE, PLAIT_UNIT_FLAGS_F16C, PLAIT_UNIT_FLAGS_FMA,                    \
        PLAIT_UNIT_FLAGS_FMA4, PLAIT_UNIT_FLAGS_XOP, PLAIT_UNIT_FLAGS_TBM, PLAIT_UNIT_FLAGS_SSE4A,                     \
        PLAIT_UNIT_FLAGS_GFNI, PLAIT_UNIT_FLAGS_CRC32, PLAIT_UNIT_FLAGS_PCLMUL, PLAIT_UNIT_FLAGS_AVX512BW,             \
        PLAIT_UNIT_FLAGS_AVX512DQ, PLAIT_UNIT_FLAGS_AVX512VL, PLAIT_UNIT_FLAGS_AVX512CD, PLAIT_UNIT_FLAGS_AVX512VBMI,  \
        PLAIT_UNIT_FLAGS_AVX512VBMI2, PLAIT_UNIT_FLAGS_AVX512IFMA, PLAIT_UNIT_FLAGS_AVX512VNNI,                        \
        PLAIT_UNIT_FLAGS_AVX512BITALG, PLAIT_UNIT_FLAGS_AVX512VPOPCNTDQ, PLAIT_UNIT_FLAGS_AVX512BF16,                  \
        PLAIT_UNIT_FLAGS_AVX512FP16, PLAIT_UNIT_FLAGS_AVX512ER, PLAIT_UNIT_FLAGS_AVXVNNI,                              \
        PLAIT_UNIT_FLAGS_AVXVNNIINT8, PLAIT_UNIT_FLAGS_AVXVNNIINT16, PLAIT_UNIT_FLAGS_AVXIFMA,                         \
        PLAIT_UNIT_FLAGS_AVXNECONVERT, PLAIT_UNIT_FLAGS_CMPCCXADD, PLAIT_UNIT_FLAGS_APX_F, PLAIT_UNIT_FLAGS_AVX10_1,   \
        PLAIT_UNIT_FLAGS_AVX10_2, PLAIT_UNIT_FLAGS_ARM_SVE, PLAIT_UNIT_FLAGS_ARM_SVE2,                                 \
        PLAIT_UNIT_FLAGS_ARM_FP16_VECTOR_ARITHMETIC, PLAIT_UNIT_FLAGS_ARM_FP16_FML, PLAIT_UNIT_FLAGS_ARM_DOTPROD,      \
        PLAIT_UNIT_FLAGS_ARM_MATMUL_INT8, PLAIT_UNIT_FLAGS_ARM_BF16, PLAIT_UNIT_FLAGS_ARM_ATOMICS,                     \
        PLAIT_UNIT_FLAGS_ARM_RCPC, PLAIT_UNIT_FLAGS_ARM_CRC32, PLAIT_UNIT_FLAGS_ARM_FRINT, PLAIT_UNIT_FLAGS_ARM_MOPS,  \
        PLAIT_UNIT_FLAGS_ARM_QRDMX, PLAIT_UNIT_FLAGS_ARM_COMPLEX, PLAIT_UNIT_FLAGS_ARM_AES, PLAIT_UNIT_FLAGS_ARM_SHA3, \
        PLAIT_UNIT_FLAGS_ARM_PAUTH, PLAIT_UNIT_FLAGS_ARM_CSSC, PLAIT_UNIT_FLAGS_ARM_SVE_BITS, PLAIT_UNIT_FLAGS_MATH,   \
        PLAIT_UNIT_FLAGS_FINITE, PLAIT_UNIT_FLAGS_ASSOCIATIVE_MATH, PLAIT_UNIT_FLAGS_RECIPROCAL_MATH,                  \
        PLAIT_UNIT_FLAGS_NO_SIGNED_ZEROS, PLAIT_UNIT_FLAGS_NO_TRAPPING_MATH, PLAIT_UNIT_FLAGS_ROUNDING,                \
        PLAIT_UNIT_FLAGS_SNAN, PLAIT_UNIT_FLAGS_EXCESS, PLAIT_UNIT_FLAGS_STACK, PLAIT_UNIT_FLAGS_EXCEPTIONS,           \
        PLAIT_UNIT_FLAGS_RTTI, PLAIT_UNIT_FLAGS_LIBRARY, PLAIT_UNIT_FLAGS_DEBUG, PLAIT_UNIT_FLAGS_SANITIZER,           \
        PLAIT_UNIT_FLAGS_SET)
