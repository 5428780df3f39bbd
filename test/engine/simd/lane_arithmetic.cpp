// Arithmetic on lanes is never fused. The regions here have FMA, as a user's flags may.
#include <plait/engine/plan/network.hpp>
#include <plait/engine/simd/avx2.hpp>
#include <plait/engine/simd/avx512.hpp>
#include <plait/engine/simd/portable.hpp>
#include <plait/engine/simd/sse41.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,f16c,fma")
#endif
#endif

namespace plait::engine::simd::portable { namespace {
#include "engine/simd/lane_arithmetic.inl"
}  // namespace
}  // namespace plait::engine::simd::portable

#if defined(__x86_64__)
namespace plait::engine::simd::sse41 { namespace {
#include "engine/simd/lane_arithmetic.inl"
}  // namespace
}  // namespace plait::engine::simd::sse41

namespace plait::engine::simd::avx2 { namespace {
#include "engine/simd/lane_arithmetic.inl"
}  // namespace
}  // namespace plait::engine::simd::avx2

#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,fma"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,fma")
#endif

namespace plait::engine::simd::avx512 { namespace {
#include "engine/simd/lane_arithmetic.inl"
}  // namespace
}  // namespace plait::engine::simd::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

/// True if this CPU can run the region with FMA.
bool cpu_has_fma_and(isa which) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma") && cpu_has(isa::avx2) && cpu_has(which);
#else
    return cpu_has(which);
#endif
}

/// Products that lose their last bits before they are added. If fused, the sum would not be zero.
template <class Isa, class T, int Lanes, int Bytes>
void check_lanes() {
    if constexpr (Lanes * static_cast<int>(sizeof(T)) <= Bytes) {
        constexpr int all = Lanes * static_cast<int>(sizeof(T)) < 16 ? 16 / static_cast<int>(sizeof(T)) : Lanes;
        T a[all]{}, b[all]{}, c[all]{}, minus_c[all]{}, out[all]{};
        const T small = sizeof(T) == 8 ? T(0x1p-30) : T(0x1p-13);
        for (int i = 0; i < Lanes; ++i) {
            a[i] = 1 + small * static_cast<T>(2 * i + 1);
            b[i] = 1 + small;
            const volatile T product = a[i] * b[i];  // a stored value is rounded
            c[i] = product;
            minus_c[i] = -product;
            CHECK(std::fma(a[i], b[i], minus_c[i]) != 0);  // these numbers distinguish the two
        }
        Isa::template multiply_add<T, Lanes>(a, b, minus_c, out);
        for (int i = 0; i < Lanes; ++i) CHECK(out[i] == 0);
        Isa::template multiply_subtract<T, Lanes>(a, b, c, out);
        for (int i = 0; i < Lanes; ++i) CHECK(out[i] == 0);
        Isa::template multiply_add<T, Lanes>(a, b, c, out);
        for (int i = 0; i < Lanes; ++i) CHECK(out[i] == 2 * c[i]);
        Isa::template fill<T, Lanes>(c[0], out);
        for (int i = 0; i < Lanes; ++i) CHECK(out[i] == c[0]);
        check_lanes<Isa, T, 2 * Lanes, Bytes>();
    }
}
template <class Isa, isa Which>
void check() {
    if (!cpu_has_fma_and(Which)) return;
    check_lanes<Isa, float, 2, vector_bytes(Which)>();
    check_lanes<Isa, double, 2, vector_bytes(Which)>();
}

}  // namespace

TEST_CASE("lane arithmetic: products and sums are rounded separately, with any compile flags") {
    check<simd::portable::arithmetic, isa::portable>();
#if defined(__x86_64__)
    check<simd::sse41::arithmetic, isa::sse41>();
    check<simd::avx2::arithmetic, isa::avx2>();
    check<simd::avx512::arithmetic, isa::avx512>();
#endif
}
