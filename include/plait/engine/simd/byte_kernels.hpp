#pragma once
// The functions of an instruction set for bytes that lie in memory as they are stored: their sums, bits that are
// inverted, slots that are turned, and stores past the cache.

#include <plait/core/axis.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <cstddef>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Which numbers of some bytes are summed: the bytes, after bits of each are inverted, or both halves of each.
struct summed_bytes {
    std::uint8_t flips = 0;
    bool halves = false;
};

/// Sums of runs that begin `step` bytes apart: each less a number, and times another one, modulo 2^32.
struct run_sums {
    dim_t step = 0, bytes = 0;
    summed_bytes numbers;
    std::uint32_t subtracted = 0, scale = 1;
};

/// Sums of lanes of four bytes over some vectors: less a number, and times another one, modulo 2^32.
struct lane_sums {
    const dim_t* begin = nullptr;  // where the vectors begin
    std::size_t count = 0;
    summed_bytes numbers;
    std::uint32_t subtracted = 0, scale = 1;
};

/// Where runs with the same factor begin.
struct row_group {
    dim_t of = 0, times = 0;
};
/// Sums of rows that lie side by side, eight bytes each: integers of runs, times the factor of their group.
struct rows_of_runs {
    const row_group* groups = nullptr;
    std::size_t group_count = 0;
    const dim_t* runs = nullptr;  // where they begin in a group
    std::size_t run_count = 0;
    const float* factors = nullptr;  // of all rows, for the first group, then for the second ...
    summed_bytes numbers;
    std::uint32_t subtracted = 0;  // from each integer
};

/// The functions of one instruction set.
struct byte_kernels {
    using turn = bool(std::byte* begin, dim_t count, dim_t step, dim_t slot, const std::byte* masks) noexcept;
    using sums_of_runs = void(const run_sums& of, const std::byte* from, dim_t count, std::byte* sums) noexcept;
    /// How many bytes a run has at most whose sum has 32 bits.
    static constexpr dim_t most_summed = dim_t{1} << 24;

    dim_t vector_bytes = 16;
    /// Inverts bits of the bytes of `count` runs, which begin `step` bytes apart.
    void (*flip_runs)(std::byte* begin, dim_t count, dim_t step, dim_t length, std::uint8_t flips) noexcept = nullptr;
    /// Turns `count` runs of two or four slots: each byte moves by as many slots as the masks say. Returns false if the
    /// slots are no vectors.
    turn *turn_two = nullptr, *turn_four = nullptr;
    /// Writes the sums of `count` runs side by side.
    ///
    /// Pre:     of.bytes <= most_summed
    sums_of_runs* sum_runs = nullptr;
    /// Writes the sums of a vector of lanes.
    void (*sum_lanes)(const lane_sums& of, const std::byte* from, std::byte* sums) noexcept = nullptr;
    /// Adds to the totals of vector_bytes / 8 rows, rounded after each product and each sum.
    void (*sum_rows)(const rows_of_runs& of, const std::byte* rows, float* totals) noexcept = nullptr;
    /// Copies whole cache lines past the cache, to memory aligned to cache lines, and fetches the bytes that are read
    /// next, so that memory is read while it is written. finish_streams() must be called before the copies are read.
    void (*stream)(const std::byte* from, std::byte* to, dim_t bytes, const std::byte* next,
                   dim_t next_bytes) noexcept = nullptr;
    void (*finish_streams)() noexcept = nullptr;
};

/// Returns the sum of the numbers of any run of bytes.
inline std::uint64_t sum_of_run(byte_kernels::sums_of_runs* sum_runs, const std::byte* from, dim_t bytes,
                                const summed_bytes& numbers) {
    std::uint64_t total = 0;
    while (bytes > 0) {
        const dim_t some = smaller_of(bytes, byte_kernels::most_summed);
        std::uint32_t sum = 0;
        sum_runs({0, some, numbers}, from, 1, reinterpret_cast<std::byte*>(&sum));
        total += sum;
        from += some;
        bytes -= some;
    }
    return total;
}

}  // namespace plait::engine
