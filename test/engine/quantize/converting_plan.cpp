#include "engine/quantize/converting_cases.hpp"
#include "engine/quantize/planned_values.hpp"

namespace test_engine_quantize_converting_plan {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

namespace {

converting_reorder plan(const values::question& q) { return values::planned_values(q.src, q.dst, q.attributes); }

/// Runs all parts, the last first.
auto in_parts(const converting_reorder& planned, int chunks) {
    return [&planned, chunks](const std::byte* in, std::byte* out) {
        const values_loops loops = planned.loops();
        planned.begin(out);
        for (int chunk = chunks; chunk-- > 0;) planned.run_part(in, out, loops, part_of(loops, chunk, chunks));
        planned.finish(out);
    };
}

/// Returns the bytes that a part writes: those that change for some previous value.
std::vector<bool> bytes_of_part(const values::question& q, const converting_reorder& planned, const values_loops& loops,
                                const converting_part& part) {
    std::vector<std::byte> zeros(q.old.size(), std::byte{0}), ones(q.old.size(), std::byte{0xff});
    planned.run_part(q.in.data(), zeros.data(), loops, part);
    planned.run_part(q.in.data(), ones.data(), loops, part);
    std::vector<bool> written(q.old.size());
    for (std::size_t i = 0; i < written.size(); ++i)
        written[i] = zeros[i] != std::byte{0} || ones[i] != std::byte{0xff};
    return written;
}

TEST_CASE("part_of: the parts of all chunks cover each unit once, in order") {
    for (const dim_t units : {1, 2, 7, 64})
        for (const int chunks : {1, 2, 3, 7, 100}) {
            values_loops loops;
            loops.units = units;
            dim_t next = 0;
            for (int chunk = 0; chunk < chunks; ++chunk) {
                const converting_part part = part_of(loops, chunk, chunks);
                CHECK(part.begin == next);
                CHECK(part.end - part.begin <= divide_up(units, dim_t{chunks}));
                next = part.end;
            }
            CHECK(next == units);
        }
}

TEST_CASE("find_loops: blocks that add to the same sums stay together") {
    descriptor weights(data_type::s8, layout({64, 64, 3, 3}, "ABcd4b16a4b"));
    weights.extra.s8s8_compensation = true;
    weights.extra.s8s8_mask = 1;
    const descriptor from(data_type::f32, layout({64, 64, 3, 3}, "abcd"));
    const converting_reorder by_channel = values::planned_values(from, weights, {});
    REQUIRE(by_channel.has_cache_blocks);
    const values_loops loops = by_channel.loops();
    CHECK(loops.together == 1);  // input channels
    CHECK(loops.units == 4);     // 64 output channels by 16
    values::random_source random(3);
    const values::question question(random, from, weights, {});
    for (const int chunks : {2, 3, 4, 9})
        CHECK(question.is_answered_by(in_parts(by_channel, chunks), kernels::fence::behind));
    weights.extra.s8s8_mask = 0;
    CHECK(values::planned_values(from, weights, {}).loops().units == 1);
    weights.extra = {};
    CHECK(values::planned_values(from, weights, {}).loops().units > 4);
}

TEST_CASE("run_part: all parts, in any order, write the same as the whole") {
    values::random_source random(20221122);
    int several = 0, with_sums = 0;
    for (int i = 0; i < 180; ++i) {
        const values::question question(random, 1 + i % 5, 40000);
        INFO(question.text(), ", number ", i);
        const converting_reorder planned = plan(question);
        if (planned.loops().units > 1) ++several, with_sums += question.dst.extra.has_buffers() ? 1 : 0;
        for (const int chunks : {2, 3, 8})
            CHECK(question.is_answered_by(in_parts(planned, chunks),
                                          i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front));
    }
    CHECK(several > 50);
    CHECK(with_sums > 0);
}

TEST_CASE("run_part: no byte is written by two parts") {
    values::random_source random(7);
    int several = 0;
    for (int i = 0; i < 100; ++i) {
        const values::question question(random, 1 + i % 5, 40000);
        INFO(question.text(), ", number ", i);
        const converting_reorder planned = plan(question);
        const values_loops loops = planned.loops();
        const int chunks = 3;
        std::vector<bool> before(question.old.size());
        bool apart = true;
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const auto here = bytes_of_part(question, planned, loops, part_of(loops, chunk, chunks));
            for (std::size_t k = 0; k < here.size(); ++k) {
                apart = apart && !(here[k] && before[k]);
                before[k] = before[k] || here[k];
            }
        }
        CHECK(apart);
        several += loops.units > 1 ? 1 : 0;
    }
    CHECK(several > 20);
}

}  // namespace

}  // namespace test_engine_quantize_converting_plan
