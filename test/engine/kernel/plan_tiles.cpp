// Counts the pairs of oneDNN's named formats that are moved element by element instead of with vectors.
// PLAIT_EACH_PAIR=1 tries all; otherwise one in seven, chosen by PLAIT_RANDOM_SEED.

#include "support/number_from_environment.hpp"
#include "support/test_data.hpp"

#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace test_engine_kernel_plan_tiles { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

constexpr int most_axes = 5;

std::vector<format_tag> tags_of_rank(int rank) {
    std::vector<format_tag> out;
    std::ifstream file(plait_test::data_folder() + "/format_tags.csv");
    std::string line;
    std::getline(file, line);  // the heading
    while (std::getline(file, line)) {
        const std::size_t comma = line.find(',');
        const std::string alias_of = line.substr(comma + 1);
        if (!alias_of.empty() && alias_of != "\r") continue;
        const auto tag = parse_format_tag(line.substr(0, comma));
        if (tag && tag->ndims() == rank) out.push_back(*tag);
    }
    return out;
}

/// Typical weights and activations, and some with tails in every axis.
std::vector<dims> extents_of_rank(int rank) {
    switch (rank) {
        case 1: return {{1000}};
        case 2: return {{64, 96}, {3, 1000}, {17, 35}};
        case 3: return {{32, 64, 3}, {2, 17, 35}};
        case 4: return {{32, 64, 3, 3}, {2, 17, 14, 15}, {4, 3, 20, 20}};
        default: return {{16, 32, 3, 3, 3}, {2, 17, 5, 7, 9}};
    }
}

struct plan_count {
    std::uint64_t plans = 0, without_vectors = 0, zeroed = 0;
};

template <data_type Type>
void count_plans(const layout& src, const layout& dst, plan_count& count) {
    const descriptor from{Type, src}, to{Type, dst};
    planned_reorder planned;
    const measured_reorder measured = measure_reorder(from, to);
    REQUIRE(measured.why.ok());
#if defined(__x86_64__)
    engine::compiled_once::plan(isa::avx512, planned, from, to, {}, measured.ends);
#else
    engine::compiled_once::plan(planned, from, to, {}, measured.ends);
#endif
    ++count.plans;
    const planned_tiles* const tiles = engine::compiled_once::tiles_of(planned);
    if (tiles != nullptr && tiles->plan.pattern.has_vectors()) return;
    // A few elements in a destination that is mostly filled by vectors of zeros: at least 64 bytes per element.
    const bool is_nearly_all_zeroed = tiles != nullptr && tiles->zeroed.first.bytes >= 64 * dst.volume();
    ++(is_nearly_all_zeroed ? count.zeroed : count.without_vectors);
}

TEST_CASE("plan_tiles: pairs of formats of more than 64 elements have tiles of vectors") {
    const std::uint64_t every = number_from_environment("PLAIT_EACH_PAIR", 0) != 0 ? 1 : 7;
    std::uint64_t number = number_from_environment("PLAIT_RANDOM_SEED", 0);
    plan_count by_size[4];
    for (int rank = 1; rank <= most_axes; ++rank) {
        const std::vector<format_tag> tags = tags_of_rank(rank);
        CHECK(!tags.empty());
        for (const dims& extents : extents_of_rank(rank)) {
            std::vector<layout> layouts;
            for (const format_tag& tag : tags) layouts.push_back(layout(extents, tag));
            for (const layout& src : layouts)
                for (const layout& dst : layouts) {
                    if (number++ % every != 0) continue;
                    count_plans<data_type::u8>(src, dst, by_size[0]);
                    count_plans<data_type::bf16>(src, dst, by_size[1]);
                    count_plans<data_type::f32>(src, dst, by_size[2]);
                    count_plans<data_type::f64>(src, dst, by_size[3]);
                }
        }
    }
    // Only two adjacent elements of one byte are too short for a segment.
    const std::uint64_t most_in_a_thousand[] = {45, 0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        const std::uint64_t plans = by_size[k].plans, without_vectors = by_size[k].without_vectors;
        MESSAGE((1 << k), " bytes: ", without_vectors, " of ", plans, " plans move element by element, ",
                static_cast<double>(without_vectors) * 100 / static_cast<double>(plans), " %, and ", by_size[k].zeroed,
                " into a destination that is zeroed before");
        CHECK(plans > 50000);
        CHECK(by_size[k].zeroed * 500 <= plans);
        CHECK(without_vectors * 1000 <= most_in_a_thousand[k] * plans);
    }
}

TEST_CASE("plan_tiles: large destinations are written in whole lines with non-temporal stores if a tile can") {
#if defined(__x86_64__)
    // With the cost of registers alone, each of these would get a tile of partial lines.
    const struct {
        const char *src, *dst;
        dims extents;
    } pairs[] = {{"abcd", "acdb", {32, 64, 52, 104}},
                 {"abcde", "aBcde32b", {1, 64, 55, 56, 80}},
                 {"abcde", "BcdeA48b4a", {8, 65, 46, 32, 28}}};
    for (const auto& pair : pairs) {
        INFO(std::string(pair.src), " -> ", std::string(pair.dst));
        const layout src(pair.extents, pair.src), dst(pair.extents, pair.dst);
        const descriptor from{data_type::f16, src}, to{data_type::f16, dst};
        planned_reorder planned;
        engine::compiled_once::plan(isa::avx512, planned, from, to, {}, measure_reorder(from, to).ends);
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        CHECK(may_stream(engine::compiled_once::tiles_of(planned)->plan));
    }
#endif
}

TEST_CASE("find_factors: only f32 on both sides with per-tensor scales that keep zeros") {
    const descriptor f32(data_type::f32, layout({2, 3}, "ab")), s8(data_type::s8, layout({2, 3}, "ab"));
    engine::move_factors found;
    const auto of = [&](const descriptor& src, const descriptor& dst, const reorder_attributes& how) {
        found = {};
        return engine::find_factors(found, src, dst, how);
    };
    CHECK(of(f32, f32, {.src_scale = 0.5f, .dst_scale = 4.0f}));
    CHECK(found == engine::move_factors{0.5f, 0.25f});
    CHECK(of(f32, f32, {}));
    CHECK(found == engine::move_factors{1, 1});
    CHECK_FALSE(engine::move_factors{}.changes);
    CHECK(engine::move_factors{1, 0.5f}.changes);
    CHECK_FALSE(of(f32, s8, {.src_scale = 0.5f}));
    CHECK_FALSE(of(s8, f32, {.src_scale = 0.5f}));
    CHECK_FALSE(of(f32, f32, {.src_scale = 0.5f, .src_zero_point = 1}));
    CHECK_FALSE(of(f32, f32, {.src_scale = 0.5f, .dst_zero_point = 1}));
    CHECK_FALSE(of(f32, f32, {.src_scale = 0.5f, .beta = 1}));
    // Per-tensor values behind a pointer are accepted too.
    const float half = 0.5f;
    const std::int32_t zero = 0, one = 1;
    CHECK(of(f32, f32, {.src_scale = {{&half, 1}, 0}, .dst_zero_point = {{&zero, 1}, 0}}));
    CHECK(found == engine::move_factors{0.5f, 1});
    CHECK_FALSE(of(f32, f32, {.src_scale = {{&half, 1}, 0}, .dst_zero_point = {{&one, 1}, 0}}));
    const std::vector<float> scales{1, 2};
    reorder_attributes by_row;
    by_row.src_scale = {scales, 1};
    CHECK_FALSE(of(f32, f32, by_row));
    reorder_attributes by_dst_row;
    by_dst_row.dst_scale = {scales, 1};
    CHECK_FALSE(of(f32, f32, by_dst_row));
    // Padding after an end is multiplied like elements, and must stay +0.
    for (const float scale : {0.0f, -1.0f, 1.0e-40f, 1.0e38f, std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN()}) {
        CHECK_FALSE(of(f32, f32, {.src_scale = scale}));
        CHECK_FALSE(of(f32, f32, {.dst_scale = scale}));
    }
    descriptor adjusted = s8;
    adjusted.extra.scale_adjust = 0.5f;
    CHECK_FALSE(of(f32, adjusted, {}));
}

#if defined(__x86_64__)
/// Returns the kernel of a reorder's tiles.
const run_time_kernel* kernel_of(isa instructions, data_type type, const dims& extents, const char* src,
                                 const char* dst) {
    const descriptor from(type, layout(extents, *parse_format_tag(src))),
        to(type, layout(extents, *parse_format_tag(dst)));
    planned_reorder planned;
    engine::compiled_once::plan(instructions, planned, from, to, {}, measure_reorder(from, to).ends);
    const planned_tiles* const tiles = engine::compiled_once::tiles_of(planned);
    REQUIRE(tiles != nullptr);
    return tiles->kernel;
}

/// Reorders that have the frequent networks of an instruction set, in their order.
struct network_example {
    data_type type;
    dims extents;
    const char *src, *dst;
};
template <isa Isa>
void has_known_kernels(std::initializer_list<network_example> examples) {
    if (!cpu_has(Isa)) return;
    const auto known = compiled_kernels<Isa>().tiles->known;
    REQUIRE(known.size() == examples.size());
    std::size_t number = 0;
    for (const network_example& e : examples) {
        INFO(e.src, " -> ", e.dst);
        CHECK(kernel_of(Isa, e.type, e.extents, e.src, e.dst) == known[number++].kernel);
    }
}

// A kernel for a network that no plan has would be code for nothing.
TEST_CASE("plan_tiles: reorders have the networks that kernels are compiled for") {
    using enum data_type;
    has_known_kernels<isa::avx2>({{f32, {256, 28}, "ba", "ab"},
                                  {f16, {1, 64, 8, 32}, "abcd", "acdb"},
                                  {s8, {1, 32, 88, 88}, "aBcd32b", "abcd"},
                                  {f64, {32, 2, 4, 4}, "Abcd16a", "acdb"},
                                  {f16, {128, 64, 1, 1}, "cdba", "ABcd8a2b"},
                                  {bf16, {64, 14, 1, 1}, "cdba", "acdb"},
                                  {f32, {8, 22, 3, 3}, "ABcd16b16a", "acdb"},
                                  {f16, {16, 77, 576}, "abc", "Abc4a"},
                                  {s32, {8, 16, 1, 1}, "abcd", "ABcd4b4a"},
                                  {f16, {1, 4, 30, 36}, "aBcd16b", "abcd"},
                                  {s8, {256, 64, 1, 1}, "cdba", "ABcd8b16a"},
                                  {f16, {99, 4, 1, 1}, "cdba", "AcdB8a2b"},
                                  {f32, {288, 6, 1, 1}, "cdba", "AcdB8a2b"},
                                  {f32, {125, 3, 4, 6}, "acdb", "Abcd16a"},
                                  {f32, {24, 24, 3, 3}, "aBCd8c16b2c", "acdb"},
                                  {f16, {24, 40, 1, 1}, "ABcd8b8a2b", "cdba"},
                                  {s8, {48, 40, 1, 1}, "abcd", "ABcd16a16b"}});
    has_known_kernels<isa::avx512>({{f32, {8, 1, 8, 10}, "Abcd8a", "acdb"},
                                    {f32, {1, 32, 7, 7}, "abcd", "aBcd16b"},
                                    {f32, {32, 24, 1, 1}, "cdba", "aBdc8b"},
                                    {f16, {1, 101, 4, 9}, "aBcd16b", "abcd"},
                                    {f16, {1, 16, 6, 6}, "abcd", "aBdc24b"},
                                    {f16, {1, 512, 7, 8}, "cdab", "aBcd16b"},
                                    {s32, {8, 16, 1, 1}, "abcd", "ABcd4b4a"},
                                    {f16, {32, 32, 1, 1}, "cdba", "ABcd8b8a2b"},
                                    {s8, {1, 48, 5, 12}, "aBcd32b", "acdb"},
                                    {bf16, {32, 52, 1, 1}, "aBCd8c16b2c", "acdb"},
                                    {f32, {3, 8, 1, 1}, "acdb", "ABcd8b8a"},
                                    {f16, {99, 4, 1, 1}, "cdba", "AcdB8a2b"},
                                    {f32, {3, 23, 1, 2}, "abcd", "BcdA16b2a"}});
}

TEST_CASE("plan_move: tiles of a large source of which little is moved prefetch it") {
    const auto bytes_ahead = [](dim_t channels) {
        const dims extents{2, channels, 1024, 512};
        const layout src(extents, "aBcd32b"), dst(extents, "abcd");
        engine::planned_tiles out;
        constexpr isa instructions = least_isa() > isa::sse41 ? least_isa() : isa::sse41;
        REQUIRE(engine::plan_move(out, {data_type::u8, src}, {data_type::u8, dst},
                                  static_cast<dim_t>(src.element_span()), engine::compiled_kernels<instructions>()));
        dim_t span = 1;
        for (const engine::tile_bit& bit : out.plan.bits) span += bit.src;
        return out.plan.sparse_bytes == 0 ? dim_t{0} : out.plan.sparse_bytes / span;
    };
    CHECK(bytes_ahead(3) == 1);
    CHECK(bytes_ahead(31) == 0);
}
#endif

}}  // namespace test_engine_kernel_plan_tiles
