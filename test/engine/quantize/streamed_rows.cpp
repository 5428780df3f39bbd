// Rows stored past the cache: checks that the rows are written and nothing else.

#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/quantize/streamed_rows.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_engine_quantize_streamed_rows {

using namespace plait;
using namespace plait::engine;

namespace {

/// Streams copied rows of bytes, starting `first` bytes after the beginning of a cache line.
std::vector<int> stream(dim_t first, const row_block& block, bool may_cut) {
    const row_conversions& rows = *simd::code_of<isa::portable>::rows<float>;
    alignas(64) static std::byte memory[1 << 16];
    std::vector<std::byte> from(1 << 16);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(1 + i % 250), memory[i] = {};
    static streamed_rows streamed;
    streamed(rows, from.data(), memory + first, block, 1, 1, may_cut,
             [&](const std::byte* x, std::byte* y, const row_block& some, dim_t, dim_t) {
                 for (dim_t row = 0; row < some.rows; ++row)
                     for (dim_t i = 0; i < some.count; ++i) y[row * some.to_step + i] = x[row * some.from_step + i];
             });
    rows.finish_streams();
    std::vector<int> out(1 << 16);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::to_integer<int>(memory[i]);
    return out;
}

std::vector<int> wanted(dim_t first, const row_block& block) {
    std::vector<int> out(1 << 16);
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t row = 0; row < block.rows; ++row)
            for (dim_t i = 0; i < block.count; ++i)
                out[static_cast<std::size_t>(first + again * block.to_repeat + row * block.to_step + i)] =
                    static_cast<int>(1 + (again * block.from_repeat + row * block.from_step + i) % 250);
    return out;
}

}  // namespace

TEST_CASE("streamed_rows: adjacent rows that begin anywhere in a cache line") {
    const row_block block{.count = 300, .rows = 9, .from_step = 300, .to_step = 300};
    for (const dim_t first : {0, 1, 63, 64, 100}) CHECK(stream(first, block, true) == wanted(first, block));
}

TEST_CASE("streamed_rows: rows with gaps between them, which are not written") {
    const row_block block{.count = 300, .rows = 9, .from_step = 310, .to_step = 397};
    for (const dim_t first : {0, 5, 63}) CHECK(stream(first, block, true) == wanted(first, block));
}

TEST_CASE("streamed_rows: a row longer than one conversion is cut, unless it must stay whole") {
    const row_block block{.count = 6000, .rows = 2, .from_step = 6000, .to_step = 6100};
    for (const bool may_cut : {true, false}) CHECK(stream(7, block, may_cut) == wanted(7, block));
}

TEST_CASE("streamed_rows: repeats continue at another place") {
    const row_block block{.count = 256,
                          .rows = 3,
                          .from_step = 256,
                          .to_step = 256,
                          .repeats = 4,
                          .from_repeat = 1000,
                          .to_repeat = 2000};
    CHECK(stream(32, block, true) == wanted(32, block));
    CHECK(streamed_rows::run_bytes(block, 1) == 768);
}

}  // namespace test_engine_quantize_streamed_rows
