#pragma once
// Steps on runs of bytes that have been moved: bits are inverted, slots are turned, bytes are stored past the caches.

#include <plait/packed/side_buffers.hpp>
#include <plait/packed/wide_steps.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A run of bytes that is repeated by loops.
struct byte_runs {
    struct loop {
        dim_t extent = 0, bytes = 0;
    };
    std::vector<loop> loops;  // from the innermost
    dim_t begin = 0, length = 0;

    /// Calls what(first, count, step) for the runs of the innermost loop, wherever the other loops lead.
    template <class What>
    void for_each_row(std::byte* at, const What& what) const {
        run(static_cast<int>(loops.size()), at + begin, what);
    }

private:
    template <class What>
    void run(int depth, std::byte* at, const What& what) const {
        if (depth == 0) return what(at, dim_t{1}, dim_t{0});
        const loop& l = loops[static_cast<std::size_t>(depth - 1)];
        if (depth == 1) return what(at, l.extent, l.bytes);
        for (dim_t i = 0; i < l.extent; ++i) run(depth - 1, at + i * l.bytes, what);
    }
};

/// Inverts bits of all bytes of some runs.
struct flip_step {
    chunk_place to;
    byte_runs runs;
    std::uint8_t flips = 0;
    const step_code* code = nullptr;

    void run(std::byte* at) const {
        runs.for_each_row(at, [&](std::byte* begin, dim_t count, dim_t step) {
            code->flip_runs(begin, count, step, runs.length, flips);
        });
    }
};

/// Moves the values of each row to the slots that a turned digit gives them.
struct turn_step {
    chunk_place to;
    byte_runs runs;  // each has `extent` slots of `slot` bytes
    int extent = 0;
    dim_t slot = 0;
    std::vector<std::byte> masks;  // for each j: the bytes of a slot that belong to rows r with r % extent == j
    const step_code* code = nullptr;

    void run(std::byte* at) const {
        step_code::turn* const turn = extent == 2 ? code->turn_two : extent == 4 ? code->turn_four : nullptr;
        std::vector<std::byte> kept;
        runs.for_each_row(at, [&](std::byte* begin, dim_t count, dim_t step) {
            if (turn != nullptr && turn(begin, count, step, slot, masks.data())) return;
            kept.resize(static_cast<std::size_t>(extent * slot));
            for (; count > 0; --count, begin += step) turn_bytes(begin, kept.data());
        });
    }

private:
    void turn_bytes(std::byte* begin, std::byte* kept) const {
        std::memcpy(kept, begin, static_cast<std::size_t>(extent * slot));
        for (int t = 0; t < extent; ++t)
            for (dim_t i = 0; i < slot; ++i) {
                std::byte out{0};
                for (int j = 0; j < extent; ++j)
                    out |= kept[(t + j) % extent * slot + i] & masks[static_cast<std::size_t>(j * slot + i)];
                begin[t * slot + i] = out;
            }
    }
};

/// Copies bytes without leaving them in the caches, where the CPU can; and fetches the bytes that are read next, so
/// that memory is read while it is written.
inline void store_past_caches(std::byte* to, const std::byte* from, dim_t count, const std::byte* next,
                              dim_t next_count) {
#if defined(__SSE2__)
    constexpr dim_t line = 64;
    const auto before = static_cast<dim_t>((line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
    if (before < count) {
        std::memcpy(to, from, static_cast<std::size_t>(before));
        const dim_t lines_for_a_line = divide_up(next_count, count);
        dim_t i = before, fetched = 0;
        for (; i + line <= count; i += line) {
            for (dim_t k = 0; k < lines_for_a_line && fetched < next_count; ++k, fetched += line)
                _mm_prefetch(reinterpret_cast<const char*>(next + fetched), _MM_HINT_T1);
            for (int k = 0; k < line; k += 16)
                _mm_stream_si128(reinterpret_cast<__m128i*>(to + i + k),
                                 _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i + k)));
        }
        to += i;
        from += i;
        count -= i;
    }
#else
    static_cast<void>(next), static_cast<void>(next_count);
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
