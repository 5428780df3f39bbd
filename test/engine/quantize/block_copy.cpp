// The plans of copies of a cache block. What they copy is tested by converting_reorder.cpp.

#include <plait/engine/quantize/cache_blocks.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace test_engine_quantize_block_copy {

using namespace plait;
using namespace plait::engine;

namespace {

constexpr dim_t channels = 16, places = 5, plane = 40, first = 7;

/// Returns a cache block of 16 channels of 5 places. The source has planes of 40 places, and begins at element 7; the
/// destination is dense, channels first. Channels end at 15, so that the plan has a bound for them.
constexpr refinement channels_of_planes() {
    refinement r;
    r.bounds.push_back({channels - 1, channels - 1});
    r.bounds.push_back({places, places});
    r.nodes.push_back({0, channels, 1, plane, 1, false});
    r.nodes.push_back({1, places, 1, 1, channels, false});
    r.src_offset = first;
    r.src_end = first + (channels - 1) * plane + places;
    return r;
}

}  // namespace

TEST_CASE("constant_block_copies: a constant expression finds the plan that run-time code has, without a kernel") {
    constexpr planned_block_copy copy = [] {
        planned_block_copy out;
        static_cast<void>(constant_block_copies{isa::avx2}.find(out, channels_of_planes(), 4));
        return out;
    }();
    static_assert(copy.kernel == nullptr);
    const auto wanted =
        make_plan(channels_of_planes(), element_sizes(4), isa::avx2, [](const reorder_plan&) { return true; });
    REQUIRE(wanted.has_value());
    CHECK(copy.plan == run_time_form(*wanted));
    CHECK(copy.plan.sizes.src == 4);
    CHECK(copy.plan.elements == (channels - 1) * places);
}

TEST_CASE("block copies: find returns false if the refinement has more bounds than a plan has room for") {
    refinement r;
    dim_t step = 1;
    for (int axis = 0; axis <= max_bounds; ++axis) {
        r.bounds.push_back({1, 1});
        r.nodes.push_back({axis, 2, 1, step, step * step, false});
        step *= 2;
    }
    r.src_end = step;
    planned_block_copy copy;
    CHECK_FALSE(element_block_copies::find(copy, r, 1));
    CHECK_FALSE(tile_block_copies().find(copy, r, 1));
    CHECK_FALSE(constant_block_copies{isa::portable}.find(copy, r, 1));
}

namespace {

int whole_calls = 0, stream_calls = 0;

void count_whole(const reorder_plan&, const run_time_offsets&, const tile_walk&, const std::byte*,
                 std::byte*) noexcept {
    ++whole_calls;
}
void count_stream(const reorder_plan&, const run_time_offsets&, const tile_walk&, const std::byte*,
                  std::byte*) noexcept {
    ++stream_calls;
}

}  // namespace

TEST_CASE("planned_block_copy: uses non-temporal stores if it streams and the cache block begins at a cache line") {
    refinement r;
    r.bounds.push_back({64, 64});
    r.nodes.push_back({0, 64, 1, 1, 1, false});
    r.src_end = 64;
    planned_block_copy copy;
    REQUIRE(element_block_copies::find(copy, r, 1));
    run_time_kernel counting = *copy.kernel;
    counting.whole = count_whole;
    counting.stream = count_stream;
    counting.finish_streams = [] {};
    copy.kernel = &counting;
    alignas(cache_line_bytes) std::byte in[128]{}, out[128]{};
    const auto streams_to = [&](bool streams, std::byte* to) {
        whole_calls = stream_calls = 0;
        copy.streams = streams;
        found_edges found;
        copy(in, to, found);
        CHECK((whole_calls > 0) != (stream_calls > 0));
        return stream_calls > 0;
    };
    CHECK(streams_to(true, out));
    CHECK(streams_to(true, out + cache_line_bytes));
    CHECK_FALSE(streams_to(true, out + 1));
    CHECK_FALSE(streams_to(false, out));
}

}  // namespace test_engine_quantize_block_copy
