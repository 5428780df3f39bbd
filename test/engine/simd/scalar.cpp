// Masked accesses of elements without masked instructions: the lanes of the mask, and nothing else.

#include <plait/engine/simd/scalar.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace test_engine_simd_scalar { namespace {

using plait::engine::simd::lanes_in_memory;

/// Loads and stores with a mask: each byte comes from the other side if its lane is in the mask, and else stays.
template <int ElementBytes, int Bytes>
void moves_lanes(std::uint64_t lanes) {
    CAPTURE(ElementBytes);
    CAPTURE(Bytes);
    CAPTURE(lanes);
    std::byte from[Bytes + 1], to[Bytes + 1], stored[Bytes + 1];
    std::fill(std::begin(from), std::end(from), std::byte{1});
    std::fill(std::begin(to), std::end(to), std::byte{2});
    std::copy(std::begin(to), std::end(to), std::begin(stored));
    lanes_in_memory<ElementBytes, Bytes> memory;
    memory.load(from, lanes);
    for (int i = 0; i < Bytes; ++i) {
        const bool is_moved = (lanes >> i / ElementBytes & 1) != 0;
        CHECK(memory.all[i] == (is_moved ? std::byte{1} : std::byte{0}));
        memory.all[i] = std::byte{3};
        if (is_moved) stored[i] = std::byte{3};
    }
    memory.store(to, lanes);
    CHECK(std::equal(std::begin(to), std::end(to), std::begin(stored)));
}
template <int ElementBytes, int Bytes>
void moves_every_mask() {
    constexpr int count = Bytes / ElementBytes;
    const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count % 64) - 1;
    for (int first = 0; first <= count; ++first)
        moves_lanes<ElementBytes, Bytes>(first == 64 ? all : all & ((std::uint64_t{1} << first) - 1));
    constexpr std::uint64_t apart[] = {0xaaaaaaaaaaaaaaaa, 0xfffffffffffffffd, 0x7000000000000006};
    for (const std::uint64_t some : apart) moves_lanes<ElementBytes, Bytes>(all & some);
}

TEST_CASE("lanes_in_memory: moves the lanes of a mask, and no other byte") {
    moves_every_mask<1, 2>();
    moves_every_mask<1, 16>();
    moves_every_mask<1, 32>();
    moves_every_mask<1, 64>();
    moves_every_mask<2, 16>();
    moves_every_mask<2, 32>();
    moves_every_mask<4, 16>();
    moves_every_mask<8, 64>();
}

}}  // namespace test_engine_simd_scalar
