// Runs of plans that are cut by hand: each cache block reads and writes its part of the tensors, at every end of an
// axis.

#include "engine/quantize/plain_row_functions.hpp"
#include "engine/quantize/planned_channels.hpp"
#include "support/fenced_memory.hpp"

#include <plait/engine/quantize/converting_run.hpp>

#include <doctest/doctest.h>

namespace test_engine_quantize_converting_run {

using namespace plait;
using namespace plait::engine;
using kernels::fence;
using kernels::fenced_memory;
using plait_test::calls;
using plait_test::places;
using plait_test::planned_channels;

namespace {

constexpr cache_block_side sides[] = {cache_block_side::both, cache_block_side::source, cache_block_side::destination};
constexpr data_type f32 = data_type::f32, s8 = data_type::s8;

/// Memory of both sides, and of what the destination must be. Source element i is i % 40; scale i is 1 + i % 3.
template <class U>
struct tensors {
    const planned_channels& planned;
    fenced_memory<float> in, scales;
    fenced_memory<U> out, wanted;

    tensors(const planned_channels& p, fence where)
        : planned(p),
          in(static_cast<std::size_t>(p.channels * places), where),
          scales(static_cast<std::size_t>(p.channels), where),
          out(static_cast<std::size_t>(p.stored * places), where),
          wanted(static_cast<std::size_t>(p.stored * places), where) {
        for (dim_t i = 0; i < p.channels * places; ++i) in.data()[i] = static_cast<float>(i % 40);
        for (dim_t i = 0; i < p.channels; ++i) scales.data()[i] = static_cast<float>(1 + i % 3);
    }
    /// Sets the channels from `first` to `last` of what the destination must be: scaled elements, then zeros.
    void want(dim_t first, dim_t last, bool scaled, U beta = 0) {
        for (dim_t c = first; c < last; ++c)
            for (dim_t p = 0; p < places; ++p) {
                U& to = wanted.data()[c / 16 * 16 * places + p * 16 + c % 16];
                const U x =
                    c < planned.channels ? static_cast<U>((c * places + p) % 40 * (scaled ? 1 + c % 3 : 1)) : U{};
                to = c < planned.channels && beta != 0 ? static_cast<U>(x + beta * to) : x;
            }
    }
    /// Returns true if a run writes what is wanted, between the fences.
    template <class... Part>
    bool are_written(const value_conversion& conversion, const Part&... part) {
        const converting_plan plan = planned.plan_of(conversion);
        converting_run<float>(plan, planned.blocks, in.data(), out.data())(part...);
        return out.same_bytes(wanted);
    }
};

/// Returns loops over blocks of 16 channels, each block a unit.
values_loops loops_of(const planned_channels& planned) {
    values_loops out;
    for (const int k : planned.blocks.order) out.nodes.push_back(k);
    out.units = planned.stored / 16;
    return out;
}

}  // namespace

TEST_CASE("converting_run: cache blocks are converted up to the last channel, and stored padding is zeroed") {
    for (const cache_block_side side : sides)
        for (const fence where : {fence::in_front, fence::behind})
            for (const dim_t channels : {1, 3, 15, 16, 17, 31, 32, 33, 48}) {
                CAPTURE(static_cast<int>(side));
                CAPTURE(channels);
                const planned_channels planned(side, f32, s8, channels, 48);
                tensors<std::int8_t> plain(planned, where), scaled(planned, where);
                plain.want(0, 48, false);
                CHECK(plain.are_written(plait_test::conversion_with(f32, s8, {})));
                scaled.want(0, 48, true);
                const std::span<const float> scales{scaled.scales.data(), static_cast<std::size_t>(channels)};
                CHECK(scaled.are_written(plait_test::conversion_with(f32, s8, {.src_scale = {scales, 2}})));
            }
}

TEST_CASE("converting_run: a part writes its units, and nothing else") {
    for (const cache_block_side side : sides)
        for (const converting_part part : {converting_part{0, 1}, {1, 2}, {2, 3}, {0, 2}, {1, 3}, {0, 3}}) {
            CAPTURE(static_cast<int>(side));
            CAPTURE(part.begin);
            CAPTURE(part.end);
            const planned_channels planned(side, f32, s8, 37, 48);
            tensors<std::int8_t> some(planned, fence::behind);
            some.want(16 * part.begin, 16 * part.end, false);
            CHECK(some.are_written(plait_test::conversion_with(f32, s8, {}), loops_of(planned), part));
        }
}

TEST_CASE("converting_run: an empty part writes nothing") {
    const planned_channels planned(cache_block_side::both, f32, s8, 37, 48);
    tensors<std::int8_t> none(planned, fence::behind);
    CHECK(none.are_written(plait_test::conversion_with(f32, s8, {}), loops_of(planned), converting_part{2, 2}));
}

TEST_CASE("converting_run: a cache block without stored channels writes nothing") {
    for (const cache_block_side side : sides) {
        CAPTURE(static_cast<int>(side));
        // Four blocks of 16 are counted, and three are stored; then two, of which the last has five channels.
        for (const dim_t stored : {48, 32}) {
            const planned_channels planned(side, f32, s8, 21, stored, 4);
            tensors<std::int8_t> written(planned, fence::behind);
            written.want(0, stored, false);
            CHECK(written.are_written(plait_test::conversion_with(f32, s8, {})));
        }
    }
}

TEST_CASE("converting_run: beta adds the old elements, also in the last cache block, and padding becomes zero") {
    // A buffer at the source would not have the old elements: choose_side never takes it.
    for (const cache_block_side side : {cache_block_side::both, cache_block_side::destination})
        for (const dim_t channels : {1, 16, 21, 32}) {
            CAPTURE(static_cast<int>(side));
            CAPTURE(channels);
            const planned_channels planned(side, f32, f32, channels, 32);
            tensors<float> added(planned, fence::behind);
            for (dim_t i = 0; i < 32 * places; ++i)
                added.out.data()[i] = added.wanted.data()[i] = static_cast<float>(i % 7);
            added.want(0, 32, false, 2);
            CHECK(added.are_written(plait_test::conversion_with(f32, f32, {.beta = 2})));
        }
}

TEST_CASE("converting_run: sums of s8 are added at the place of each channel") {
    for (const cache_block_side side : sides)
        for (const int zero_point : {0, 3})
            for (const dim_t channels : {16, 21, 32}) {
                CAPTURE(static_cast<int>(side));
                CAPTURE(zero_point);
                CAPTURE(channels);
                planned_channels planned(side, f32, s8, channels, 32);
                planned.add_sums();
                const auto data = static_cast<std::size_t>(32 * places);
                tensors<std::int8_t> elements(planned, fence::behind);
                elements.want(0, 32, false);
                for (dim_t c = 0; c < channels; ++c)
                    for (dim_t p = 0; p < places; ++p) {
                        std::int8_t& to = elements.wanted.data()[c / 16 * 16 * places + p * 16 + c % 16];
                        to = static_cast<std::int8_t>(to + zero_point);
                    }
                fenced_memory<std::byte> out(data + 4 * 32, fence::behind);
                std::memset(out.data(), 1, data + 4 * 32);
                converting_plan plan =
                    planned.plan_of(plait_test::conversion_with(f32, s8, {.dst_zero_point = zero_point}));
                plan.s8s8 = {data, 32, 1};
                converting_run<float>(plan, planned.blocks, elements.in.data(), out.data())();
                CHECK(std::memcmp(out.data(), elements.wanted.data(), data) == 0);
                for (dim_t c = 0; c < 32; ++c) {
                    std::int32_t sum, wanted = 0x01010101;  // the old sum
                    std::memcpy(&sum, out.data() + data + 4 * static_cast<std::size_t>(c), 4);
                    for (dim_t p = 0; c < channels && p < places; ++p)
                        wanted += static_cast<int>((c * places + p) % 40) + zero_point;
                    CHECK(sum == wanted);
                }
            }
}

TEST_CASE("converting_run: rows that pass the last channel are not streamed, and read no scale beyond it") {
    for (const dim_t channels : {16, 21, 32}) {
        CAPTURE(channels);
        planned_channels planned(cache_block_side::destination, f32, f32, channels, 32);
        planned.blocks.streams = true;
        tensors<float> rows(planned, fence::behind);
        rows.want(0, 32, true);
        calls = {};
        const std::span<const float> scales{rows.scales.data(), static_cast<std::size_t>(channels)};
        CHECK(rows.are_written(plait_test::conversion_with(f32, f32, {.src_scale = {scales, 2}})));
        CHECK(calls.streamed > 0);
    }
}

TEST_CASE("converting_run: streams rows of at least least_streamed_row bytes, and finishes once for each run") {
    for (const dim_t length : {dim_t{63}, least_streamed_row / 4, dim_t{100}, dim_t{3000}}) {
        CAPTURE(length);
        // Three rows of f32, with a gap of five elements after each in the destination.
        cache_block_plan blocks = plait_test::gapped_rows(length, 3, length + 5);
        blocks.streams = true;
        converting_plan plan;
        plan.conversion = plait_test::conversion_with(f32, f32, {.src_scale = 2.0f});
        const auto count = static_cast<std::size_t>(3 * (length + 5));
        fenced_memory<float> in(static_cast<std::size_t>(3 * length), fence::in_front);
        fenced_memory<float> out(count, fence::in_front), wanted(count, fence::in_front);
        for (dim_t i = 0; i < 3 * length; ++i) {
            in.data()[i] = static_cast<float>(i);
            wanted.data()[i / length * (length + 5) + i % length] = static_cast<float>(2 * i);
        }
        calls = {};
        converting_run<float>(plan, blocks, in.data(), out.data())();
        CHECK(out.same_bytes(wanted));
        CHECK((calls.streamed > 0) == (4 * length >= least_streamed_row));
        CHECK(calls.finished == 1);
    }
}

}  // namespace test_engine_quantize_converting_run
