// Random pairs of layouts next to pages that cannot be accessed. The plan of every instruction set is compared with the
// reference. PLAIT_RANDOM_PLANS=10000 tests more pairs, PLAIT_RANDOM_SEED tests others.

#include "laws/random_pairs.hpp"
#include "support/fenced_memory.hpp"
#include "support/small_layouts.hpp"
#include "support/with_each_isa.hpp"

#include <plait/contract/reference.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/io/print.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace test_reorder_make_reorder_random { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;
using kernels::fence, kernels::fenced_memory;

struct random_pair {
    layout src, dst;
    fence where;
    std::size_t src_elements() const { return src.element_span() + static_cast<std::size_t>(src.span_begin()); }
    std::size_t dst_elements() const { return dst.element_span() + static_cast<std::size_t>(dst.span_begin()); }
};

/// How many plans have tiles with vectors, and how many write runs.
struct planned_counts {
    int vectors = 0, runs = 0;
};

/// Checks that the tiles of a plan write the wanted bytes and nothing else if loops fill a staging buffer that is
/// stored as one run, however short it is. Returns true if there are such loops.
template <class T>
bool check_runs(const engine::planned_tiles& tiles, dim_t most_bytes, const random_pair& pair,
                const fenced_memory<T>& wanted, fenced_memory<T>& in) {
    if (!tiles.plan.pattern.has_vectors() || !tiles.plan.uneven_steps.empty() || tiles.strips_around >= 0) return false;
    const auto staged = [most_bytes](engine::reorder_plan plan) {
        engine::join_loops(plan);
        plan.staged_from = -1;
        engine::stage_run(plan, 1, most_bytes);
        return plan;
    };
    if (staged(tiles.plan).staged_run == 0) return false;
    for (const int chunks : {1, 3})
        for (const bool streams : {false, true}) {
            INFO("runs of at most ", most_bytes, " bytes, ", chunks, " chunks, past the caches: ", streams);
            fenced_memory<T> out(pair.dst_elements(), pair.where);
            tiles.begin(out.data());
            for (int chunk = 0; chunk < chunks; ++chunk) {
                const engine::plan_part part = part_of(tiles.plan, engine::chunk_number{chunk, chunks});
                if (chunks > 1 && part.is_empty()) continue;
                const engine::reorder_plan plan = staged(chunks == 1 ? tiles.plan : plan_of_part(tiles.plan, part));
                engine::run_kernel(plan, *tiles.kernel, tiles.offsets, streams && plan.staged_run > 0,
                                   reinterpret_cast<const std::byte*>(in.data()),
                                   reinterpret_cast<std::byte*>(out.data()));
            }
            CHECK(out.same_bytes(wanted));
        }
    return true;
}

/// Checks that a plan with this instruction set writes the wanted bytes and nothing else.
template <isa Isa, class T>
void check_with(const random_pair& pair, const fenced_memory<T>& wanted, fenced_memory<T>& in, planned_counts& counts) {
    INFO(to_string(Isa));
    const descriptor from{data_type_of<T>, pair.src}, to{data_type_of<T>, pair.dst};
    planned_reorder planned;
    engine::compiled_once::plan(Isa, planned, from, to, {}, measure_reorder(from, to).ends);
    if (const engine::planned_tiles* const tiles = engine::compiled_once::tiles_of(planned)) {
        counts.vectors += tiles->plan.pattern.has_vectors();
        for (const dim_t most_bytes : {dim_t{64}, dim_t{512}, engine::staging_bytes})
            counts.runs += check_runs(*tiles, most_bytes, pair, wanted, in);
    }
    fenced_memory<T> out(pair.dst_elements(), pair.where);
    CHECK(planned(in.data(), out.data()) == status::success);
    CHECK(out.same_bytes(wanted));
}
template <class T>
void check_all(const random_pair& pair, planned_counts& counts) {
    INFO(to_string(pair.src), " -> ", to_string(pair.dst), ", ", sizeof(T), " bytes");
    fenced_memory<T> in(pair.src_elements(), pair.where), wanted(pair.dst_elements(), pair.where);
    reference_reorder(pair.src, in.data(), pair.dst, wanted.data());
    plait_test::with_each_isa([&]<isa Isa>() { check_with<Isa>(pair, wanted, in, counts); });
}
/// As check_all, with elements of one of four sizes.
void check_some_type(const random_pair& pair, random_source& random, planned_counts& counts) {
    switch (random.between(0, 3)) {
        case 0: return check_all<std::uint8_t>(pair, counts);
        case 1: return check_all<bfloat16>(pair, counts);
        case 2: return check_all<std::int32_t>(pair, counts);
        default: return check_all<double>(pair, counts);
    }
}

TEST_CASE("plan_reorder: random pairs of layouts equal the reference, with every instruction set") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 9));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 400);
    planned_counts counts;
    std::uint64_t shared = 0, interleaved = 0;  // sources whose elements share places; destinations that do not nest
    std::uint64_t backwards[2] = {};            // sources and destinations with axes that run backwards
    for (std::uint64_t i = 0; i < count; ++i) {
        const dims extents = random_extents(random);
        const random_pair pair{random_layout(random, extents, true), random_layout(random, extents, false),
                               random.once_in(2) ? fence::in_front : fence::behind};
        if (!check_reorder(pair.src, pair.dst).ok() || pair.dst.padded_volume() == 0) continue;
        shared += !is_nested(pair.src) && !is_injective(pair.src);
        interleaved += !is_nested(pair.dst);
        backwards[0] += runs_backwards(pair.src);
        backwards[1] += runs_backwards(pair.dst);
        check_some_type(pair, random, counts);
    }
    CHECK(static_cast<std::uint64_t>(counts.vectors) > count / 4);
    CHECK(static_cast<std::uint64_t>(counts.runs) > count / 4);
    CHECK(shared > count / 40);
    CHECK(interleaved > count / 80);
    CHECK(backwards[0] > count / 10);
    CHECK(backwards[1] > count / 10);
}

/// Returns a layout in which neighbours along one axis lie `gap` elements apart; or, if the gap is wider, runs of two.
layout with_gaps(random_source& random, const dims& extents, dim_t gap) {
    layout out(extents, random.tag(extents.size(), 0, 0));
    std::vector<int> order;
    for (const digit& d : out.digits)
        if (out.dims[d.axis] > 1) order.push_back(d.axis);  // outermost first
    std::reverse(order.begin(), order.end());
    strides steps(extents.values, static_cast<std::size_t>(extents.size()));
    dim_t step = gap, offset = random.between(0, 3);
    for (const int axis : order) {
        const bool is_run = axis == order.front() && gap > 2 && extents[axis] == 2;
        steps[axis] = is_run ? 1 : step;
        if (!is_run) step *= extents[axis] + random.between(0, 1);
        if (random.once_in(4)) {
            offset += (extents[axis] - 1) * steps[axis];
            steps[axis] = -steps[axis];
        }
    }
    out = layout(extents, steps);
    out.offset0 = offset;
    return out;
}

// Tiles load whole registers of such sources, and store a part of each.
TEST_CASE("plan_reorder: sources with gaps next to each element, or to each two, with every instruction set") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 27));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 400);
    planned_counts counts;
    for (std::uint64_t i = 0; i < count; ++i) {
        dims extents;
        const dim_t axes = random.between(1, 3), longest = axes == 3 ? 20 : axes == 2 ? 70 : 900;
        for (dim_t a = 0; a < axes; ++a) extents.push_back(random.between(2, longest));
        if (random.once_in(2)) extents[static_cast<int>(random.between(0, extents.size() - 1))] = 2;
        const dim_t gap = random.once_in(2) ? 2 : random.once_in(2) ? 4 : random.between(3, 8);
        const random_pair pair{with_gaps(random, extents, gap), random_layout(random, extents, false),
                               random.once_in(2) ? fence::in_front : fence::behind};
        if (!check_reorder(pair.src, pair.dst).ok() || pair.dst.padded_volume() == 0) continue;
        check_some_type(pair, random, counts);
    }
    CHECK(static_cast<std::uint64_t>(counts.vectors) > count / 4);
}

// No step leads along the axis, so nothing but its bound says that no element exists.
TEST_CASE("plan_reorder: an axis without elements that has one place of padding, with every instruction set") {
    planned_counts counts;
    const auto check = [&](const dims& extents, const layout& dst) {
        for (const fence where : {fence::in_front, fence::behind}) {
            const random_pair pair{
                layout(extents, std::string_view("abc").substr(0, static_cast<std::size_t>(extents.size()))), dst,
                where};
            REQUIRE(check_reorder(pair.src, pair.dst).ok());
            check_all<std::uint8_t>(pair, counts);
            check_all<bfloat16>(pair, counts);
            check_all<std::int32_t>(pair, counts);
            check_all<double>(pair, counts);
        }
    };
    check({0, 3, 618}, emptied(layout({1, 3, 618}, strides{2000, 624, 1}), 0));
    check({3, 0, 60}, emptied(layout({3, 1, 60}, "abc"), 1));
    check({5, 0, 20}, emptied(layout({5, 1, 20}, "bcA8a"), 1));
    check({4, 7, 0}, emptied(layout({4, 7, 1}, "cba"), 2));
    check({0}, emptied(layout({1}, "a"), 0));
    check({0, 0}, emptied(emptied(layout({1, 1}, "ab"), 0), 1));
    CHECK(counts.vectors > 0);
}

// The lanes are along a, and each step along c has one more place of padding.
TEST_CASE("plan_reorder: an axis that ends next to a tile of interleaved elements") {
    planned_counts counts;
    for (const dim_t c : {1, 2, 31})
        for (const dim_t a : {64, 56, 33})
            for (const char* const tag : {"AbC32c64a", "bCa32c", "aCb32c"}) {
                const dims extents{a, 3, c};
                const random_pair pair{layout(extents, *parse_format_tag("cab")),
                                       layout(extents, *parse_format_tag(tag)), fence::behind};
                check_all<std::uint8_t>(pair, counts);
            }
    CHECK(counts.vectors > 0);
}

TEST_CASE("plan_reorder: blocks of two axes that do not divide each other, around a third") {
    planned_counts counts;
    const dims extents{284, 32, 3};
    const random_pair pair{layout(extents, *parse_format_tag("BcA4b5a")),
                           layout(extents, *parse_format_tag("cAB3b24a")), fence::in_front};
    check_all<std::uint8_t>(pair, counts);
}

}}  // namespace test_reorder_make_reorder_random
