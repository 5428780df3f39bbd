#include <plait/engine/simd/zero_runs.hpp>

#include "support/static_check.hpp"

#include <vector>

namespace test_engine_simd_zero_runs { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

/// Checks that `zero` writes zeros into the runs and nothing else, for any beginning of the first run.
template <class Zero>
bool writes_runs(const Zero& zero, dim_t count, dim_t step, std::size_t length, std::size_t begin) {
    const auto bytes = static_cast<std::size_t>((count - 1) * step) + length;
    std::vector<unsigned char> data(bytes + begin + 64 + 64, 7);
    const auto address = reinterpret_cast<std::uintptr_t>(data.data());
    unsigned char* const at = data.data() + (64 - address % 64) % 64 + begin;
    zero(at, count, step, length);
    for (const unsigned char& byte : data) {
        const std::ptrdiff_t place = &byte - at;
        const bool in_a_run =
            place >= 0 && place < static_cast<std::ptrdiff_t>(bytes) && static_cast<std::size_t>(place % step) < length;
        if (byte != (in_a_run ? 0 : 7)) return false;
    }
    return true;
}

TEST_CASE("zero_runs: writes the runs, and nothing between or after them") {
    for (std::size_t length = 1; length < 140; ++length)
        for (const dim_t gap : {0, 1, 5, 64})
            for (const dim_t count : {1, 2, 5}) {
                const dim_t step = static_cast<dim_t>(length) + gap;
                CHECK(writes_runs(zero_runs, count, step, length, length % 7));
                CHECK(writes_runs(zero_runs_widely, count, step, length, length % 7));
            }
}

TEST_CASE("zero_runs_widely: writes the runs if each cache line has the same bytes of runs") {
    int wide = 0;
    for (const dim_t step : {1, 2, 4, 8, 16, 32, 64, 128})
        for (std::size_t length = 1; length <= static_cast<std::size_t>(step) && length <= 64;
             length += length < 9 ? 1 : 5)
            for (const std::size_t begin : {0u, 1u, 3u, 31u, 60u, 63u})
                for (const dim_t bytes : {1, 50, 64, 65, 128, 192, 257, 700}) {
                    const dim_t count = divide_up(bytes, step);
                    wide += repeats_by_line(count, step, length);
                    REQUIRE(writes_runs(zero_runs_widely, count, step, length, begin));
                }
    CHECK(wide > 300);
    STATIC_CHECK(!repeats_by_line(100, 24, 8));
    STATIC_CHECK(!repeats_by_line(100, 4, 5));
    STATIC_CHECK(!repeats_by_line(3, 8, 4));
    STATIC_CHECK(!repeats_by_line(1, 0, 4));
    STATIC_CHECK(repeats_by_line(4, 8, 4));
}

}}  // namespace test_engine_simd_zero_runs
