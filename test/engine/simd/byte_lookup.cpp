// Look-ups of results of 8-bit elements. On CPUs without the instructions nothing is checked.

#include <plait/engine/simd/byte_lookup.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace test_engine_simd_byte_lookup { namespace {

using namespace plait;
using namespace plait::engine;

struct rows_of_bytes {
    row_block block;
    dim_t from_bytes, to_bytes;  ///< that hold the rows
};

/// Returns rows of `count` elements, with gaps on both sides or adjacent.
rows_of_bytes rows_with(dim_t count, dim_t rows, dim_t repeats, dim_t gap, dim_t bytes) {
    rows_of_bytes out;
    out.block.count = count;
    out.block.rows = rows;
    out.block.repeats = repeats;
    out.block.from_step = count + gap;
    out.block.to_step = count * bytes + 3 * gap;
    out.block.from_repeat = rows * out.block.from_step + gap;
    out.block.to_repeat = rows * out.block.to_step + gap;
    out.from_bytes = repeats * out.block.from_repeat;
    out.to_bytes = repeats * out.block.to_repeat;
    return out;
}

/// Returns the destination of rows, looked up one element at a time. Bytes that are not written are 0x5a.
std::vector<std::byte> one_by_one(const std::vector<std::byte>& results, const std::vector<std::byte>& from,
                                  const rows_of_bytes& rows, dim_t bytes) {
    std::vector<std::byte> out(static_cast<std::size_t>(rows.to_bytes), std::byte{0x5a});
    for (dim_t again = 0; again < rows.block.repeats; ++again)
        for (dim_t row = 0; row < rows.block.rows; ++row)
            for (dim_t i = 0; i < rows.block.count; ++i) {
                const dim_t at = again * rows.block.from_repeat + row * rows.block.from_step + i,
                            to = again * rows.block.to_repeat + row * rows.block.to_step + i * bytes;
                const auto element = std::to_integer<dim_t>(from[static_cast<std::size_t>(at)]);
                for (dim_t byte = 0; byte < bytes; ++byte)
                    out[static_cast<std::size_t>(to + byte)] =
                        results[static_cast<std::size_t>(element * bytes + byte)];
            }
    return out;
}

TEST_CASE("byte_lookup: each element has its result, and nothing else is written, for every length of rows") {
    std::mt19937 random(20261129);
    const auto filled = [&random](dim_t bytes) {
        std::vector<std::byte> out(static_cast<std::size_t>(bytes));
        std::generate(out.begin(), out.end(), [&random] { return static_cast<std::byte>(random()); });
        return out;
    };
    for (const dim_t bytes : {1, 2}) {
        byte_lookup* const look_up = byte_lookup_of(isa::avx512, static_cast<int>(bytes));
        if (look_up == nullptr) return;
        const std::vector<std::byte> results = filled(256 * bytes);
        for (dim_t count = 1; count < 200; ++count)
            for (const dim_t rows : {1, 3})
                for (const dim_t gap : {0, 5}) {
                    const rows_of_bytes some = rows_with(count, rows, 2, gap, bytes);
                    const std::vector<std::byte> from = filled(some.from_bytes);
                    std::vector<std::byte> to(static_cast<std::size_t>(some.to_bytes), std::byte{0x5a});
                    look_up(results.data(), from.data(), to.data(), some.block);
                    CHECK(to == one_by_one(results, from, some, bytes));
                }
    }
}

TEST_CASE("byte_lookup: only AVX-512 has look-ups") {
    for (const isa which : every_isa) {
        const bool has_look_ups = byte_lookup_of(which, 1) != nullptr;
        CHECK((which == isa::avx512 || !has_look_ups));
    }
}

}}  // namespace test_engine_simd_byte_lookup
