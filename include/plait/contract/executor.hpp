#pragma once
// Executors, which run the chunks of a reorder: one after the other, or on threads of the caller's choice.

#include <plait/core/axis.hpp>

#include <concepts>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A chunk of work, used to check that a type is an executor.
struct any_chunk {
    void operator()(int) const noexcept {}
};
}  // namespace detail

/// Anything that can run n independent chunks. `concurrency()` returns how many can run at the same time. `run(n,
/// chunk)` calls chunk(0) to chunk(n - 1), each once, on any threads and in any order, and returns when all calls have
/// returned.
///
/// Example: examples/09_threads.cpp
template <class E>
concept executor = requires(E& e, const detail::any_chunk& chunk) {
    { e.concurrency() } -> std::convertible_to<int>;
    e.run(2, chunk);
};

/// Runs the chunks one after the other.
struct sequential_executor {
    static constexpr int concurrency() { return 1; }
    template <class Chunk>
    constexpr void run(int chunks, Chunk&& chunk) const {
        for (int number = 0; number < chunks; ++number) chunk(number);
    }
};
/// The executor without threads: reorder(sequential, ...) is reorder(...).
///
/// Example: sequential.concurrency() == 1
inline constexpr sequential_executor sequential;

namespace detail {
/// The least number of bytes, read and written, for which a thread is used. To start a thread and wait for it takes 2
/// to 10 microseconds. Two threads are no slower than one from about 256 KB each, and certainly faster from this size.
inline constexpr dim_t least_chunk_bytes = dim_t{1} << 20;

/// Returns the number of chunks for a reorder that reads and writes `bytes` bytes; 1 if threads would not pay.
///
/// Pre:     none
/// Post:    1 <= result; result <= concurrency if that is positive; result == 1 if bytes < 2 * least_chunk_bytes
/// Cost:    one division
/// Source:  plait's own, from the time to start a thread: see least_chunk_bytes
/// Example: chunks_for(dim_t{2} << 20, 8) == 2, chunks_for(dim_t{100} << 20, 8) == 8
constexpr int chunks_for(dim_t bytes, int concurrency) {
    const dim_t most = bytes / least_chunk_bytes;
    if (most < 2 || concurrency < 2) return 1;
    return most < concurrency ? static_cast<int>(most) : concurrency;
}
}  // namespace detail
}  // namespace plait
