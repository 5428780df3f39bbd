// A program that includes <immintrin.h>, before plait (BEFORE) or after it, has the intrinsics of all sets, although
// plait includes a part of them (engine/simd/intrinsics.hpp).

#if defined(BEFORE) && defined(__x86_64__)
#include <immintrin.h>
#endif

#include <plait/reorder/reorder.hpp>

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("sha"))) __m128i sha(__m128i a, __m128i b);
__attribute__((target("sha"))) __m128i sha(__m128i a, __m128i b) { return _mm_sha256msg1_epu32(a, b); }

__attribute__((target("avx512dq"))) __m512d dq(__m512d a, __m512d b);
__attribute__((target("avx512dq"))) __m512d dq(__m512d a, __m512d b) { return _mm512_and_pd(a, b); }
#endif
