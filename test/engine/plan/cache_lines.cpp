#include <plait/engine/plan/cache_lines.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace test_engine_plan_cache_lines { namespace {

using namespace plait;
using namespace plait::engine;

TEST_CASE("copy_past_caches: only whole lines go past the caches, and nothing outside of the run is written") {
    constexpr dim_t line = cache_line_bytes, most = 3 * line + 2;
    alignas(64) std::byte to[line + most + line];
    std::byte from[most];
    for (dim_t i = 0; i < most; ++i) from[i] = static_cast<std::byte>(i + 1);
    dim_t wrong = 0, lines_of_all = 0;
    for (dim_t behind = 0; behind < line; ++behind)
        for (dim_t bytes = 0; bytes <= most; ++bytes) {
            std::memset(to, 0, sizeof(to));
            wrong += bytes_behind_line(to + behind) != behind;
            dim_t lines = 0;
            copy_past_caches(from, to + behind, bytes, [&](const std::byte* x, std::byte* y, dim_t count) {
                wrong += count % line != 0 || (count != 0 && bytes_behind_line(y) != 0);
                std::memcpy(y, x, static_cast<std::size_t>(count));
                lines += count / line;
            });
            const dim_t end = behind + bytes, first = behind == 0 ? 0 : 1;
            wrong += lines != (end / line > first ? end / line - first : 0);
            lines_of_all += lines;
            for (dim_t i = 0; i < static_cast<dim_t>(sizeof(to)); ++i)
                wrong += to[i] != (i >= behind && i < end ? from[i - behind] : std::byte{0});
        }
    CHECK(wrong == 0);
    CHECK(lines_of_all > 0);
}

}}  // namespace test_engine_plan_cache_lines
