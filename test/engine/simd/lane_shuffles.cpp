// Registers exchange the bits that each exchange says, have the halves that are named, and access the lanes of masks.
#include <plait/engine/simd/avx2.hpp>
#include <plait/engine/simd/neon.hpp>
#include <plait/engine/simd/portable.hpp>
#include <plait/engine/simd/sse41.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace plait::engine::simd::portable { namespace {
#include "engine/simd/lane_shuffles.inl"
}  // namespace
}  // namespace plait::engine::simd::portable

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif
namespace plait::engine::simd::sse41 { namespace {
#include "engine/simd/lane_shuffles.inl"
}  // namespace
}  // namespace plait::engine::simd::sse41
namespace plait::engine::simd::avx2 { namespace {
#include "engine/simd/lane_shuffles.inl"
}  // namespace
}  // namespace plait::engine::simd::avx2
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#elif defined(__aarch64__)
namespace plait::engine::simd::neon { namespace {
#include "engine/simd/lane_shuffles.inl"
}  // namespace
}  // namespace plait::engine::simd::neon
#endif

namespace test_engine_simd_lane_shuffles { namespace {

using namespace plait;
using namespace plait::engine;
using bytes = std::vector<std::byte>;

bytes numbered(int count) {
    bytes out;
    for (int i = 0; i < count; ++i) out.push_back(static_cast<std::byte>(i * 37 + 11));
    return out;
}

/// The low and the high register after an exchange of their bit with bit `lane` of a byte's number.
bytes exchanged(const bytes& both, int lane) {
    bytes out = both;
    const std::size_t count = both.size() / 2;
    for (std::size_t i = 0; i < count; ++i)
        if ((i >> lane & 1) == 0) std::swap(out[i + (std::size_t{1} << lane)], out[count + i]);
    return out;
}
/// The two registers after an exchange of the halves of their bytes.
bytes exchanged_halves(const bytes& both) {
    bytes out = both;
    const std::size_t count = both.size() / 2;
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = (both[i] & std::byte{15}) | both[count + i] << 4;
        out[count + i] = both[i] >> 4 | (both[count + i] & std::byte{0xf0});
    }
    return out;
}

template <class Code, int Bytes, int Lane>
bytes after() {
    bytes both = numbered(2 * Bytes);
    Code::template run<Bytes, Lane>(both.data());
    return both;
}
template <class Code, int Bytes>
void check_halves() {
    const bytes all = numbered(Bytes);
    bytes half(static_cast<std::size_t>(Bytes / 2));
    Code::template half<Bytes, false>(all.data(), half.data());
    CHECK(half == bytes(all.begin(), all.begin() + Bytes / 2));
    Code::template half<Bytes, true>(all.data(), half.data());
    CHECK(half == bytes(all.begin() + Bytes / 2, all.end()));
}
/// Checks the masks of the first lanes, and those without one lane: loaded, or stored, with all others.
template <class Code, int Bytes, int ElementBytes>
void check_masks() {
    constexpr int lanes = Bytes / ElementBytes;
    constexpr std::uint64_t all = (std::uint64_t{1} << lanes) - 1;
    const bytes from = numbered(Bytes);
    for (int lane = 0; lane <= lanes; ++lane)
        for (const std::uint64_t mask : {(std::uint64_t{1} << lane) - 1, all & ~(std::uint64_t{1} << lane)}) {
            CAPTURE(mask);
            bytes loaded(static_cast<std::size_t>(Bytes), std::byte{7}), stored = loaded, to_load = loaded,
                                                                         to_store = loaded;
            for (std::size_t i = 0; i < static_cast<std::size_t>(Bytes); ++i) {
                const bool has = (mask >> i / ElementBytes & 1) != 0;
                to_load[i] = has ? from[i] : std::byte{0};
                if (has) to_store[i] = from[i];
            }
            Code::template masked<Bytes, ElementBytes>(from.data(), mask, loaded.data(), all);
            Code::template masked<Bytes, ElementBytes>(from.data(), all, stored.data(), mask);
            CHECK(loaded == to_load);
            CHECK(stored == to_store);
        }
}
template <class Code, int Bytes>
void check_every_mask() {
    check_masks<Code, Bytes, 1>();
    check_masks<Code, Bytes, 2>();
    check_masks<Code, Bytes, 4>();
    check_masks<Code, Bytes, 8>();
}
template <class Code, isa Isa>
void check() {
    if (!cpu_has(Isa)) return;
    check_every_mask<Code, 16>();
    CHECK(after<Code, 16, -1>() == exchanged_halves(numbered(32)));
    CHECK(after<Code, 16, 2>() == exchanged(numbered(32), 2));
    CHECK(after<Code, 16, 3>() == exchanged(numbered(32), 3));
    check_halves<Code, 16>();
    check_halves<Code, 8>();
}

TEST_CASE("registers: each byte is exchanged, halved, loaded and stored as the bits and masks say") {
    check<simd::portable::exchanges, isa::portable>();
#if defined(__x86_64__)
    check<simd::sse41::exchanges, isa::sse41>();
    check<simd::avx2::exchanges, isa::avx2>();
    if (cpu_has(isa::avx2)) {
        using code = simd::avx2::exchanges;
        check_every_mask<code, 32>();
        CHECK(after<code, 32, -1>() == exchanged_halves(numbered(64)));
        CHECK(after<code, 32, 2>() == exchanged(numbered(64), 2));
        CHECK(after<code, 32, 3>() == exchanged(numbered(64), 3));
        CHECK(after<code, 32, 4>() == exchanged(numbered(64), 4));
    }
#elif defined(__aarch64__)
    check<simd::neon::exchanges, isa::neon>();
#endif
}

}}  // namespace test_engine_simd_lane_shuffles
