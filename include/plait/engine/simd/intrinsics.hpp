#pragma once
// The intrinsics of x86 that kernels use: SSE4.1, AVX2, F16C, and AVX-512 with F, BW, VL and VBMI.
//
// <immintrin.h> declares those of every set, which is a sixth of the time that including plait.hpp takes. The headers
// that it consists of can be included alone if its guard is defined. The guard is undefined afterwards, so that a
// program that includes <immintrin.h> before or after this header has all of it. Compilers with which this has not been
// tried get all of it here, too.

#if defined(__x86_64__)
#if defined(__clang__) && !defined(__IMMINTRIN_H) && __clang_major__ >= 14 && __clang_major__ <= 19
#include <smmintrin.h>  // with those of SSE to SSSE3
#define __IMMINTRIN_H
// Each needs those before it.
// clang-format off
#include <avxintrin.h>
#include <avx2intrin.h>
#include <f16cintrin.h>
#include <avx512fintrin.h>
#include <avx512vlintrin.h>
#include <avx512bwintrin.h>
#include <avx512vlbwintrin.h>
#include <avx512vbmiintrin.h>
// clang-format on
#undef __IMMINTRIN_H
#elif !defined(__clang__) && !defined(_IMMINTRIN_H_INCLUDED) && __GNUC__ == 12
#include <smmintrin.h>  // with those of SSE to SSSE3
#define _IMMINTRIN_H_INCLUDED
// Each needs those before it.
// clang-format off
#include <avxintrin.h>
#include <avx2intrin.h>
#include <f16cintrin.h>
#include <avx512fintrin.h>
#include <avx512vlintrin.h>
#include <avx512bwintrin.h>
#include <avx512vlbwintrin.h>
#include <avx512vbmiintrin.h>
// clang-format on
#undef _IMMINTRIN_H_INCLUDED
#else
#include <immintrin.h>
#endif
#endif
