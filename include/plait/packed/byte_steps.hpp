#pragma once
// Steps on runs of bytes that have been moved: bits are inverted, slots are turned, bytes are stored past the caches.

#include <plait/packed/side_buffers.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace plait::detail {

/// Sixteen bytes that are loaded, computed and stored together.
struct byte_vector {
    static constexpr dim_t size = 16;
    using lanes [[gnu::vector_size(16)]] = std::uint64_t;
    lanes bits;

    static byte_vector load(const std::byte* from) {
        byte_vector out;
        std::memcpy(&out.bits, from, size);
        return out;
    }
    void store(std::byte* to) const { std::memcpy(to, &bits, size); }
};

/// A run of bytes that is repeated by loops.
struct byte_runs {
    struct loop {
        dim_t extent = 0, bytes = 0;
    };
    std::vector<loop> loops;  // from the innermost
    dim_t begin = 0, length = 0;

    template <class What>
    void for_each(std::byte* at, const What& what) const {
        run(static_cast<int>(loops.size()), at + begin, what);
    }

private:
    template <class What>
    void run(int depth, std::byte* at, const What& what) const {
        if (depth == 0) return what(at);
        const loop& l = loops[static_cast<std::size_t>(depth - 1)];
        for (dim_t i = 0; i < l.extent; ++i) run(depth - 1, at + i * l.bytes, what);
    }
};

/// Inverts bits of all bytes of some runs.
struct flip_step {
    chunk_place to;
    byte_runs runs;
    std::uint8_t flips = 0;

    void run(std::byte* at) const {
        const std::uint64_t word = flips * std::uint64_t{0x0101010101010101};
        const byte_vector::lanes all = {word, word};
        const dim_t length = runs.length;  // a copy: stores of bytes could change the member
        runs.for_each(at, [length, all, flips = flips](std::byte* begin) {
            dim_t i = 0;
            for (; i + 4 * byte_vector::size <= length; i += 4 * byte_vector::size) {
                std::byte* four = begin + i;
                flip_vector(four, all);
                flip_vector(four + byte_vector::size, all);
                flip_vector(four + 2 * byte_vector::size, all);
                flip_vector(four + 3 * byte_vector::size, all);
            }
            for (; i + byte_vector::size <= length; i += byte_vector::size) flip_vector(begin + i, all);
            for (; i < length; ++i) begin[i] ^= static_cast<std::byte>(flips);
        });
    }

private:
    static void flip_vector(std::byte* at, const byte_vector::lanes& flipped) {
        byte_vector v = byte_vector::load(at);
        v.bits ^= flipped;
        v.store(at);
    }
};

/// Moves the values of each row to the slots that a turned digit gives them.
struct turn_step {
    chunk_place to;
    byte_runs runs;  // each has `extent` slots of `slot` bytes
    int extent = 0;
    dim_t slot = 0;
    std::vector<std::byte> masks;  // for each j: the bytes of a slot that belong to rows r with r % extent == j

    void run(std::byte* at) const {
        if (extent == 2 && slot % byte_vector::size == 0) run_vectors<2>(at);
        else if (extent == 4 && slot % byte_vector::size == 0) run_vectors<4>(at);
        else run_bytes(at);
    }

private:
    template <int Extent>
    void run_vectors(std::byte* at) const {
        runs.for_each(at, [this](std::byte* begin) {
            for (dim_t i = 0; i < slot; i += byte_vector::size)
                turn_vectors<Extent>(begin + i, masks.data() + i, std::make_index_sequence<Extent>());
        });
    }
    /// Unrolled, so that the vectors stay in registers.
    template <int Extent, std::size_t... J>
    void turn_vectors(std::byte* begin, const std::byte* rows, std::index_sequence<J...>) const {
        const byte_vector in[] = {byte_vector::load(begin + J * static_cast<std::size_t>(slot))...};
        const byte_vector mask[] = {byte_vector::load(rows + J * static_cast<std::size_t>(slot))...};
        const auto one = [&](std::size_t t) { return byte_vector{((in[(t + J) % Extent].bits & mask[J].bits) | ...)}; };
        (one(J).store(begin + J * static_cast<std::size_t>(slot)), ...);
    }
    void run_bytes(std::byte* at) const {
        std::vector<std::byte> kept(static_cast<std::size_t>(extent * slot));
        runs.for_each(at, [&](std::byte* begin) {
            std::memcpy(kept.data(), begin, kept.size());
            for (int t = 0; t < extent; ++t)
                for (dim_t i = 0; i < slot; ++i) {
                    std::byte out{0};
                    for (int j = 0; j < extent; ++j)
                        out |= kept[static_cast<std::size_t>((t + j) % extent * slot + i)] &
                               masks[static_cast<std::size_t>(j * slot + i)];
                    begin[t * slot + i] = out;
                }
        });
    }
};

/// Copies bytes without leaving them in the caches, where the CPU can.
inline void store_past_caches(std::byte* to, const std::byte* from, dim_t count) {
#if defined(__SSE2__)
    const auto before = static_cast<dim_t>((64 - reinterpret_cast<std::uintptr_t>(to) % 64) % 64);
    if (before < count) {
        std::memcpy(to, from, static_cast<std::size_t>(before));
        dim_t i = before;
        for (; i + 64 <= count; i += 64)
            for (int k = 0; k < 64; k += 16)
                _mm_stream_si128(reinterpret_cast<__m128i*>(to + i + k),
                                 _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i + k)));
        to += i;
        from += i;
        count -= i;
    }
#endif
    std::memcpy(to, from, static_cast<std::size_t>(count));
}

/// Makes bytes that were stored past the caches visible before what is stored later.
inline void finish_stores_past_caches() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

}  // namespace plait::detail
