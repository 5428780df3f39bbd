// Planned reorders on the threads of an executor write the bytes of the reference.

#include "engine/quantize/converting_cases.hpp"

#include <plait/reorder/make_reorder.hpp>

namespace test_reorder_make_reorder_on_threads { namespace {

using namespace plait;

/// Runs the chunks one by one, the last first, and counts them.
struct last_first {
    int threads;
    int* chunks;
    int concurrency() const { return threads; }
    template <class Chunk>
    void run(int count, Chunk&& chunk) const {
        *chunks += count;
        for (int i = count; i-- > 0;) chunk(i);
    }
};

TEST_CASE("planned_reorder: on an executor, moves, conversions and sums equal the reference") {
    values::random_source random(3);
    descriptor weights(data_type::s8, layout({512, 1024, 3, 3}, "ABcd4b16a4b"));
    weights.extra.s8s8_compensation = true;
    weights.extra.s8s8_mask = 1;
    const layout nchw({4, 64, 48, 48}, "abcd"), nhwc({4, 64, 48, 48}, "acdb");
    const struct {
        descriptor src, dst;
        reorder_attributes attributes;
    } cases[] = {{{data_type::f32, nchw}, {data_type::s8, nhwc}, {.src_scale = 0.5f}},
                 {{data_type::f32, nchw}, {data_type::f32, nhwc}, {}},
                 {{data_type::bf16, layout({1, 3000000}, "ab")}, {data_type::f32, layout({1, 3000000}, "ab")}, {}},
                 {{data_type::f32, layout({512, 1024, 3, 3}, "abcd")}, weights, {.src_scale = 0.5f}}};
    for (const auto& [src, dst, attributes] : cases) {
        const values::question asked(random, src, dst, attributes);
        const auto planned = make_reorder(src, dst, attributes);
        REQUIRE(planned.has_value());
        int chunks = 0;
        const last_first threads{3, &chunks};
        const bool is_answered = asked.is_answered_by([&](const void* in, void* out) { (*planned)(threads, in, out); },
                                                      kernels::fence::behind);
        CHECK(is_answered);
        CHECK(chunks > 1);  // a chunk has at least least_chunk_bytes
        CHECK(planned->attempt(threads, nullptr, nullptr).error().reason == reason::buffer_is_null);
    }
}

}}  // namespace test_reorder_make_reorder_on_threads
