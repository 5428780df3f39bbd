// Moves of elements smaller than a byte equal the reference with every instruction set: between pages that cannot be
// accessed, with the bits around the elements unchanged.

#include "laws/random_pairs.hpp"
#include "support/executors.hpp"
#include "support/fenced_memory.hpp"
#include "support/with_each_isa.hpp"

#include <plait/contract/descriptor_reference.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/io/print.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <map>

namespace test_engine_kernel_packed_move { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;
using kernels::fence, kernels::fenced_memory;

/// How many plans have been of each kind.
struct plan_counts {
    int all = 0, tiles = 0, vectors = 0;
    struct of_set {
        int all = 0, exchanges = 0;
    };
    std::map<isa, of_set> of;  ///< of each instruction set that has kernels of vectors here

    int exchanges() const {
        int sum = 0;
        for (const auto& [set, plans] : of) sum += plans.exchanges;
        return sum;
    }
};

/// Checks that plans of all instruction sets write what the reference writes, and that they keep all other bits.
void check_all(data_type type, const layout& src, const layout& dst, plan_counts& counts, fence where = fence::behind) {
    INFO(to_string(type), ": ", to_string(src), " -> ", to_string(dst));
    const descriptor from{type, src}, to{type, dst};
    fenced_memory<std::byte> in(from.buffer_size_in_bytes(), where);
    for (const bool ones : {false, true}) {
        const std::size_t bytes = to.buffer_size_in_bytes();
        fenced_memory<std::byte> wanted(bytes, where);
        if (ones) std::memset(wanted.data(), 0xff, bytes);
        reference_reorder(from, in.data(), to, wanted.data());
        with_each_isa([&]<isa Isa>() {
            INFO(to_string(Isa));
            fenced_memory<std::byte> out(bytes, where);
            if (ones) std::memset(out.data(), 0xff, bytes);
            planned_reorder planned;
            engine::compiled_once::plan(Isa, planned, from, to, {}, measure_reorder(from, to).ends);
            CHECK(planned(in.data(), out.data()) == status::success);
            CHECK(out.same_bytes(wanted));
            ++counts.all;
            constexpr bool has_vectors = engine::has_table_kernels(Isa);
            if (has_vectors) ++counts.of[Isa].all;
            if (const auto* const tiles = engine::compiled_once::tiles_of(planned); tiles != nullptr) {
                ++counts.tiles;
                counts.vectors += tiles->plan.pattern.has_vectors();
                if (has_vectors) counts.of[Isa].exchanges += tiles->plan.pattern.half_bytes >= 0;
            }
        });
    }
}

constexpr data_type packed_types[] = {data_type::u4, data_type::s4,      data_type::u4, data_type::f4_e2m1,
                                      data_type::u2, data_type::f6_e2m3, data_type::u1};

/// Returns extents of up to 4 axes, most of them even.
dims packed_extents(random_source& random) {
    dims out;
    dim_t volume = 1;
    for (dim_t n = random.between(1, 4); n > 0; --n) {
        dim_t extent = random.once_in(8)   ? random.between(1, 9)
                       : random.once_in(3) ? dim_t{1} << random.between(1, 7)
                       : random.once_in(2) ? 2 * random.between(1, 70)
                                           : random.between(1, 140);
        while (extent > 1 && extent * volume > 6000) extent = extent / 4 * 2 + extent % 2;
        volume *= extent;
        out.push_back(extent);
    }
    return out;
}

TEST_CASE("packed moves: random pairs of layouts equal the reference") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 4));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 500);
    plan_counts counts;
    for (std::uint64_t i = 0; i < count; ++i) {
        const dims extents = random.once_in(3) ? random_extents(random) : packed_extents(random);
        const layout src = random_layout(random, extents, true), dst = random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok() || dst.padded_volume() == 0 || dst.element_span() > 40000) continue;
        const data_type type = packed_types[random.between(0, 6)];
        if (!check_reorder(descriptor{type, src}, descriptor{type, dst}).ok()) continue;
        check_all(type, src, dst, counts, random.once_in(2) ? fence::in_front : fence::behind);
    }
    CHECK(counts.tiles > counts.all / 20);
}

TEST_CASE("packed moves: random permutations and blocks of even extents equal the reference, most by vectors") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 5));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 300);
    plan_counts counts;
    for (std::uint64_t i = 0; i < count; ++i) {
        const dims extents = packed_extents(random);
        const auto drawn = [&] {
            format_tag tag = random.tag(extents.size(), 0, 2);
            for (dim_t blocks = random.between(0, 2); blocks > 0; --blocks)
                tag.blocks.push_back(
                    {static_cast<int>(random.between(0, extents.size() - 1)), dim_t{1} << random.between(1, 5)});
            return layout(extents, tag);
        };
        check_all(data_type::u4, drawn(), drawn(), counts, random.once_in(2) ? fence::in_front : fence::behind);
    }
    CHECK(counts.vectors > counts.all / 4);
    for (const auto& of : counts.of) {
        INFO(to_string(of.first));
        CHECK(of.second.exchanges > of.second.all * 2 / 15);
    }
}

TEST_CASE("packed moves: all small matrices, from rows to columns and to blocks, with rows of each parity") {
    plan_counts counts;
    for (dim_t a = 1; a <= 9; ++a)
        for (dim_t b = 1; b <= 9; ++b)
            for (const dim_t more : {0, 1, 2}) {
                const layout rows({a, b}, strides{b + more, 1}), columns({a, b}, strides{1, a + more});
                check_all(data_type::u4, rows, columns, counts);
                check_all(data_type::u4, columns, rows, counts);
                check_all(data_type::s4, rows, layout({a, b}, *parse_format_tag("AB4a2b")), counts);
                check_all(data_type::u2, rows, layout({a, b}, *parse_format_tag("BA2a4b")), counts);
                check_all(data_type::f6_e3m2, rows, layout({a, b}, *parse_format_tag("aB4b")), counts);
            }
    CHECK((counts.exchanges() > 0) == !counts.of.empty());
}

TEST_CASE("packed moves: transposes whose ends are in all places of a tile") {
    plan_counts counts;
    for (const dim_t a : {30, 31, 32, 33, 62, 64, 66, 126, 130, 258})
        for (const dim_t b : {2, 30, 32, 33, 34, 66, 128, 130}) {
            // Rows of whole bytes, so that all but the last row and column are moved by tiles.
            const layout rows({a, b}, strides{b + b % 2, 1}), columns({a, b}, strides{1, a + a % 2 + 2});
            check_all(data_type::u4, rows, columns, counts);
            check_all(data_type::u4, rows, layout({a, b}, *parse_format_tag("AB16b64a2b")), counts);
            check_all(data_type::u4, rows, layout({a, b}, *parse_format_tag("BA16a32b2a")), counts);
            check_all(data_type::u4, layout({a, b}, *parse_format_tag("BA16a32b2a")), rows, counts);
        }
    if (!counts.of.empty()) CHECK(counts.exchanges() > counts.all / 5);
}

TEST_CASE("packed moves: large transposes, through staging buffers and past the caches") {
    int staged = 0, streamed = 0;
    // Rows that compete for cache lines; whole lines past the caches; rows that begin inside lines; ends of tiles.
    for (const auto& extents :
         {std::pair<dim_t, dim_t>{1024, 2048}, {2048, 8192}, {5120, 5120}, {5104, 5200}, {5130, 5166}}) {
        const dim_t a = extents.first, b = extents.second;
        const descriptor from{data_type::u4, layout({a, b}, "ab")}, to{data_type::u4, layout({a, b}, "ba")};
        const std::size_t bytes = from.buffer_size_in_bytes();
        // From a cache line on, and between two.
        for (const fence where : {fence::in_front, fence::behind}) {
            fenced_memory<std::byte> in(bytes, where);
            with_each_isa([&]<isa Isa>() {
                INFO(to_string(Isa), " ", a, " x ", b);
                fenced_memory<std::byte> out(bytes, where);
                planned_reorder planned;
                engine::compiled_once::plan(Isa, planned, from, to, {}, measure_reorder(from, to).ends);
                if (const auto* const tiles = engine::compiled_once::tiles_of(planned); tiles != nullptr) {
                    staged += tiles->plan.staged_from >= 0;
                    streamed += tiles->streams;
                }
                CHECK(planned(in.data(), out.data()) == status::success);
                dim_t wrong = 0;
                for (dim_t i = 0; i < a; ++i)
                    for (dim_t j = 0; j < b; ++j)
                        wrong += read_bits(in.data(), 4 * (i * b + j), 4) != read_bits(out.data(), 4 * (j * a + i), 4);
                CHECK(wrong == 0);
            });
        }
    }
    if (engine::has_table_kernels(least_isa()) || cpu_has(isa::sse41)) CHECK(staged > 0);
    if (cpu_has(isa::sse41)) CHECK(streamed > 0);  // tiles of NEON write no whole lines here
}

TEST_CASE("packed moves: chunks for threads, with and without a rest that tiles leave") {
    for (const dim_t a : {2048, 2047})
        for (const dim_t b : {4096, 4095}) {
            const descriptor from{data_type::u4, layout({a, b}, strides{4096, 1})};
            for (const layout& to_layout :
                 {layout({a, b}, strides{1, 2048}), layout({a, b}, *parse_format_tag("AB16b64a2b"))}) {
                const descriptor to{data_type::u4, to_layout};
                fenced_memory<std::byte> in(from.buffer_size_in_bytes(), fence::behind);
                fenced_memory<std::byte> out(to.buffer_size_in_bytes(), fence::behind),
                    wanted(to.buffer_size_in_bytes(), fence::behind);
                const auto planned = make_reorder(from, to);
                REQUIRE(planned.has_value());
                CHECK((*planned)(in.data(), wanted.data()) == status::success);
                const auto in_chunks = planned->attempt(last_chunk_first{}, in.data(), out.data());
                CHECK(in_chunks.error().ok());
                CHECK(out.same_bytes(wanted));
            }
        }
}

}}  // namespace test_engine_kernel_packed_move
