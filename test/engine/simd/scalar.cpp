// Masked accesses without masked instructions, of elements and of tiles in pieces: the lanes of the mask, and nothing
// else.

#include <plait/engine/simd/scalar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace test_engine_simd_scalar { namespace {

using plait::dim_t;
using plait::engine::simd::lanes_in_memory, plait::engine::simd::masked_pieces, plait::engine::simd::segments_that_end;

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

TEST_CASE("segments_that_end: those of which a part exists, if it is the first bytes of each") {
    const std::uint64_t whole = 0xffff, lanes[] = {whole, 0, 1, 0x7fff, whole, 0xff};
    CHECK(segments_that_end(lanes, 6, whole) == 3);
    CHECK(segments_that_end(lanes, 2, whole) == 0);
    const std::uint64_t with_gap[] = {whole, 1, 0b101};
    CHECK(segments_that_end(with_gap, 2, whole) == 1);
    CHECK(segments_that_end(with_gap, 3, whole) == 0);
    const std::uint64_t of_64[] = {~std::uint64_t{0}, 1};
    CHECK(segments_that_end(of_64, 2, ~std::uint64_t{0}) == 1);
}

/// The byte of a source at a place.
constexpr std::byte byte_at(dim_t place) { return static_cast<std::byte>(place % 251 + 1); }

/// Checks the pieces of segments of these lengths: out of a tile in memory, and out of segments that are apart.
void moves_pieces(const std::vector<int>& lengths, int segment_bytes) {
    CAPTURE(segment_bytes);
    constexpr dim_t apart = 80;
    const auto segments = static_cast<dim_t>(lengths.size());
    std::vector<std::uint64_t> lanes;
    std::vector<dim_t> from, to;
    for (const int bytes : lengths) {
        const auto s = static_cast<dim_t>(lanes.size());
        lanes.push_back((std::uint64_t{1} << bytes) - 1);
        from.push_back((s * 7 % segments) * apart);  // in any order
        to.push_back((segments - 1 - s) * apart);
    }
    for (const bool are_apart : {false, true}) {
        CAPTURE(are_apart);
        std::vector<std::byte> src(static_cast<std::size_t>(segments * apart));
        for (std::size_t k = 0; k < src.size(); ++k) src[k] = byte_at(static_cast<dim_t>(k));
        std::vector<std::byte> dst(src.size(), std::byte{0}), wanted = dst;
        for (std::size_t s = 0; s < lengths.size(); ++s)
            for (dim_t k = 0; k < lengths[s]; ++k)
                wanted[static_cast<std::size_t>(to[s] + k)] =
                    byte_at((are_apart ? from[s] : static_cast<dim_t>(s) * segment_bytes) + k);
        const masked_pieces pieces(lanes.data(), are_apart ? from.data() : nullptr, to.data(),
                                   static_cast<int>(segments), segment_bytes);
        pieces(src.data(), dst.data());
        CHECK(dst == wanted);
    }
}

TEST_CASE("masked_pieces: copies the first bytes of each segment, and no other byte") {
    for (const int segment_bytes : {1, 2, 4, 8, 16, 32})
        for (int bytes = 0; bytes <= segment_bytes; ++bytes) moves_pieces({bytes}, segment_bytes);
    moves_pieces({0, 32, 1, 31, 2, 17, 3, 16, 4, 15, 5, 8}, 32);
    moves_pieces({7, 0, 8, 3, 6, 1, 5, 2, 4}, 8);
    // As many segments as a tile has, all with two pieces.
    moves_pieces(std::vector<int>(plait::engine::max_segments, 7), 8);
    moves_pieces(std::vector<int>(plait::engine::max_segments, 31), 32);
}

}}  // namespace test_engine_simd_scalar
