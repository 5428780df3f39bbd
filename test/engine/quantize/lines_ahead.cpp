#include <plait/engine/quantize/cache_blocks.hpp>

#include "engine/quantize/planned_values.hpp"
#include "support/static_check.hpp"

#include <initializer_list>
#include <vector>

namespace test_engine_quantize_lines_ahead { namespace {

using namespace plait;
using namespace plait::engine;

/// Steps of a node in a cache block, and its strides.
struct steps {
    dim_t count, src, dst;
};
constexpr cache_block_shape shape_of(std::initializer_list<steps> nodes) {
    cache_block_shape shape;
    for (const auto& [count, src, dst] : nodes) {
        cache_block_node n;
        n.extent = n.block_steps = count;
        n.src = src;
        n.dst = dst;
        shape.nodes.push_back(n);
        ++shape.inner;
    }
    return shape;
}
constexpr lines_ahead source_of(std::initializer_list<steps> nodes, dim_t bytes) {
    return {shape_of(nodes), true, bytes};
}

/// Returns the prefetches of a reorder of values with one scale for each index along the first axis.
prefetched_lines ahead_of(data_type from, const layout& src, data_type to, const layout& dst) {
    const std::vector<float> scales(static_cast<std::size_t>(src.dims[0]), 0.5f);
    reorder_attributes attributes;
    attributes.src_scale = {scales, 1};
    return values::planned_values({from, src}, {to, dst}, attributes).blocks.ahead;
}

TEST_CASE("lines_ahead: runs at the steps of up to three loops; gaps below a cache line belong to a run") {
    // s8 abcd -> acbd: 128 adjacent bytes, 4 of them side by side, 50 times 2048 bytes apart.
    constexpr cache_block_shape rows = shape_of({{128, 1, 1}, {50, 2048, 128}, {4, 128, 6400}});
    STATIC_CHECK(lines_ahead(rows, true, 1).bytes() == 50 * 512);
    STATIC_CHECK(lines_ahead(rows, false, 1).is_empty());  // 50 rows are one run of 6400 bytes
    STATIC_CHECK(source_of({{8, 16, 1}, {3, 4096, 8}}, 4).bytes() == 3 * (7 * 64 + 4));
    STATIC_CHECK(source_of({{8, 17, 1}, {3, 4096, 8}}, 4).bytes() == 8 * 3 * 4);
    STATIC_CHECK(source_of({{2, 1000, 1}, {2, 2000, 2}, {2, 4000, 4}}, 4).bytes() == 8 * 4);
    STATIC_CHECK(source_of({{2, 1000, 1}, {2, 2000, 2}, {2, 4000, 4}, {2, 8000, 8}}, 4).is_empty());
}

TEST_CASE("lines_ahead: nothing if a cache block is one run, or if its runs are long") {
    STATIC_CHECK(source_of({{128, 1, 1}, {4, 128, 1000}}, 1).is_empty());
    STATIC_CHECK(source_of({{128, 1, 1}, {4, 0, 1000}}, 1).is_empty());
    STATIC_CHECK(source_of({{2048, 1, 1}, {4, 5000, 1000}}, 1).bytes() == 8192);
    STATIC_CHECK(source_of({{2049, 1, 1}, {4, 5000, 1000}}, 1).is_empty());
}

TEST_CASE("choose_prefetches: the source from 8 MB on, the destination from 24 MB on unless it was zeroed before") {
    const auto copy_of = [](const dims& extents) {
        return ahead_of(data_type::s8, layout(extents, "abcd"), data_type::s8, layout(extents, "acbd"));
    };
    CHECK(copy_of({64, 50, 8, 128}).src.is_empty());  // 6.5 MB
    CHECK(!copy_of({64, 50, 16, 128}).src.is_empty());
    CHECK(copy_of({64, 50, 16, 128}).dst.is_empty());
    const dims large{262, 143, 9, 19};
    CHECK(
        !ahead_of(data_type::bf16, layout(large, "ABcd32a16b"), data_type::f32, layout(large, "acdb")).dst.is_empty());
    const dims padded{1, 64, 112, 112};
    CHECK(
        ahead_of(data_type::s8, layout(padded, "abcd"), data_type::u8, layout(padded, "AcdB16b32a2b")).dst.is_empty());
}

}}  // namespace test_engine_quantize_lines_ahead
