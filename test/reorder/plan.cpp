#include "support/static_check.hpp"

#include <plait/reorder/attributed_kernel.hpp>

#include <vector>

using namespace plait;

namespace {

/// Runs a plan element by element, without registers: the tile's bits and the loops, within the limits. Counts how
/// often each place of the destination is stored.
std::vector<int> run(const reorder_plan& plan, const layout& dst, const std::vector<int>& in, std::vector<int>& out) {
    std::vector<int> stored(dst.element_span() + static_cast<std::size_t>(dst.offset0));
    std::vector<dim_t> at(static_cast<std::size_t>(plan.loops.size()));
    for (const plan_loop& loop : plan.loops)
        if (loop.extent == 0) return stored;
    while (true) {
        dim_t src = plan.src_offset, to = plan.dst_offset, index[max_limits]{};
        for (int k = 0; k < plan.loops.size(); ++k) {
            const plan_loop& loop = plan.loops[k];
            const dim_t step = at[static_cast<std::size_t>(k)];
            src += step * loop.src;
            to += step * loop.dst;
            for (const step_carry& carry : loop.carries) {
                src += step / carry.period * carry.src;
                to += step / carry.period * carry.dst;
            }
            if (loop.limit >= 0) index[loop.limit] += step * loop.weight;
            if (step + 1 != loop.extent) continue;
            src -= loop.back_src;
            to -= loop.back_dst;
            if (loop.limit >= 0) index[loop.limit] -= loop.back;
        }
        for (int element = 0; element < 1 << plan.bits.size(); ++element) {
            dim_t from_here = src, to_here = to, here[max_limits];
            for (int x = 0; x < max_limits; ++x) here[x] = index[x];
            for (int b = 0; b < plan.bits.size(); ++b) {
                if ((element >> b & 1) == 0) continue;
                from_here += plan.bits[b].src;
                to_here += plan.bits[b].dst;
                if (plan.pattern.limits[b] >= 0) here[plan.pattern.limits[b]] += plan.bits[b].weight;
            }
            bool valid = true, kept = true;
            for (int x = 0; x < plan.limits.size(); ++x) {
                valid = valid && here[x] < plan.limits[x].valid;
                kept = kept && here[x] < plan.limits[x].stored;
            }
            for (int c = 0; kept && c < (plan.pattern.interleave != 0 ? plan.pattern.interleave : 1); ++c) {
                ++stored[static_cast<std::size_t>(to_here)];
                out[static_cast<std::size_t>(to_here)] = valid ? in[static_cast<std::size_t>(from_here)] : 0;
                from_here += plan.interleaved.src;
                to_here += plan.interleaved.dst;
            }
        }
        int k = plan.loops.size() - 1;
        for (; k >= 0; --k) {
            if (++at[static_cast<std::size_t>(k)] < plan.loops[k].extent) break;
            at[static_cast<std::size_t>(k)] = 0;
        }
        if (k < 0) return stored;
    }
}

void holds_for(const layout& src, const layout& dst) {
    std::vector<int> in(src.element_span() + static_cast<std::size_t>(src.offset0));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i) + 1;
    for (const isa which : every_isa)
        for (const int bytes : {1, 2, 4, 8}) {
            const auto plan = make_plan(src, dst, bytes, which);
            REQUIRE(plan);
            CHECK(plan->elements == dst.padded_volume());
            INFO(to_string(src), " -> ", to_string(dst), ' ', name(which), ' ', bytes, " bytes");
            std::vector<int> out(dst.element_span() + static_cast<std::size_t>(dst.offset0), -1);
            const std::vector<int> stored = run(*plan, dst, in, out);
            std::vector<int> wanted(out.size(), -1), times(out.size());
            for (dim_t number = 0; number < dst.padded_volume(); ++number) {
                const position padded = unravel(dst.padded_dims, number);
                bool inside = true;
                for (int a = 0; a < dst.ndims(); ++a) inside = inside && padded[a] < dst.dims[a];
                const auto to = static_cast<std::size_t>(dst.padded_offset(padded));
                wanted[to] = inside ? in[static_cast<std::size_t>(src.offset(padded))] : 0;
                ++times[to];
            }
            CHECK(out == wanted);
            // Tiles that overlap store some twice.
            bool stores_what_it_should = true;
            for (std::size_t i = 0; i < times.size(); ++i)
                stores_what_it_should = stores_what_it_should && (stored[i] > 0) == (times[i] > 0);
            CHECK(stores_what_it_should);
        }
}

/// Where the destination is read before it is written, nothing may be stored twice.
void stores_once(const layout& src, const layout& dst) {
    const std::vector<int> in(src.element_span(), 1);
    std::vector<int> times(dst.element_span());
    for (dim_t number = 0; number < dst.padded_volume(); ++number)
        ++times[static_cast<std::size_t>(dst.padded_linear_offset(number))];
    for (const isa which : every_isa) {
        const auto plan = make_attributed_plan(src, dst, 4, which, true);
        REQUIRE(plan);
        INFO(to_string(src), " -> ", to_string(dst), ' ', name(which));
        std::vector<int> out(dst.element_span());
        CHECK(run(*plan, dst, in, out) == times);
    }
}

}  // namespace

TEST_CASE("plan: run without registers, it stores every padded element, and nothing else") {
    for (const char* from : {"abcd", "acdb", "dcba", "aBcd8b", "aBcd16b", "ABcd4b8a2b"})
        for (const char* to : {"abcd", "acdb", "badc", "aBcd4b", "aBcd16b", "ABcd8b4a", "aBcd24b"})
            for (const dims& extents : {dims{2, 17, 3, 5}, dims{1, 16, 1, 33}, dims{3, 1, 7, 2}, dims{2, 39, 5, 1}}) {
                const layout src(extents, *parse_format_tag(from)), dst(extents, *parse_format_tag(to));
                if (refine(src, dst)) holds_for(src, dst);
            }
}

TEST_CASE("plan: a few elements that alternate in memory") {
    for (const dim_t count : {3, 5, 6, 7, 9})
        for (const dims& extents : {dims{2, count, 9, 8}, dims{1, count, 1, 5}, dims{3, count, 64, 2}}) {
            holds_for(layout(extents, "abcd"), layout(extents, "acdb"));
            holds_for(layout(extents, "acdb"), layout(extents, "abcd"));
            holds_for(layout(extents, "acdb"), layout(extents, "Abcd4a"));
            holds_for(layout(extents, "abcd"), layout(extents, "acDb16d"));
        }
    STATIC_CHECK(
        make_plan(layout({1, 3, 64, 4}, "abcd"), layout({1, 3, 64, 4}, "acdb"), 1, isa::avx2)->pattern.interleave == 3);
}

TEST_CASE("plan: blocks that do not divide each other") {
    for (const dims& extents : {dims{2, 96, 3}, dims{1, 100, 5}, dims{3, 7, 1}, dims{1, 240, 2}}) {
        holds_for(layout(extents, "aBc32b"), layout(extents, "aBc48b"));
        holds_for(layout(extents, "aBc24b"), layout(extents, "aBc16b"));
        holds_for(layout(extents, "aBc6b4b"), layout(extents, "aBc16b"));
        holds_for(layout(extents, "aBc10b4b"), layout(extents, "aBc6b8b"));
        holds_for(layout(extents, "aBc5b"), layout(extents, "aBc7b"));
        holds_for(layout(extents, "aBC12b4c"), layout(extents, "aCB4c8b"));
    }
}

TEST_CASE("plan: without elements nothing is stored") {
    for (const dims& extents : {dims{0, 3}, dims{3, 0}, dims{0, 0}})
        holds_for(layout(extents, "ab"), layout(extents, "Ba4b"));
}

TEST_CASE("plan: gaps, broadcasts and views") {
    holds_for(layout({8, 20}, "AB4b8a4b"), layout({8, 20}, "AB8a4b"));
    holds_for(layout({1, 8}, strides{INT64_MAX, 1}), layout({1, 8}, "Ab16a"));

    holds_for(layout({4, 20}, strides{40, 1}), layout({4, 20}, strides{50, 1}));
    holds_for(layout({4, 20}, strides{40, 2}), layout({4, 20}, "ba"));
    holds_for(layout({20, 18}, strides{0, 1}), layout({20, 18}, "ba"));
    layout part({2, 5, 3}, "aBc8b");  // channels 0 to 4 of a block, a view that ends inside it
    part.padded_dims = part.dims;
    part.offset0 = 3;
    REQUIRE(check_layout(part).ok());
    holds_for(layout({2, 5, 3}, "abc"), part);
    holds_for(part, layout({2, 5, 3}, "acb"));
}

TEST_CASE("plan: what the kernels of the common pairs look like") {
    constexpr reorder_plan plan =
        *make_plan(layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c"), 4, isa::avx512);
    STATIC_CHECK(plan.pattern.lane_bits == 4 && plan.pattern.register_bits == 4);
    STATIC_CHECK(plan.loops.size() == 2 && plan.loops[0].extent == 4 && plan.loops[1].extent == 196);
    STATIC_CHECK(plan.limits.empty() && plan.contiguous_bytes() == 16 * 64);
    STATIC_CHECK(plan.bytes_moved() == 2 * 64 * 56 * 56 * 4);

    // A tail in padding is watched: 17 channels of 32. The last of 49 places are reached by a tile that overlaps.
    constexpr reorder_plan tails =
        *make_plan(layout({1, 17, 7, 7}, "nchw"), layout({1, 17, 7, 7}, "nChw16c"), 4, isa::avx512);
    STATIC_CHECK(tails.limits.size() == 1 && tails.limits[0].valid == 17 && tails.limits[0].stored == 32);
    STATIC_CHECK(tails.loops.back().extent == 4 && tails.loops.back().back == 15);

    // Shorter vectors still write whole cache lines.
    constexpr reorder_plan narrow =
        *make_plan(layout({1, 64, 56, 56}, "nChw16c"), layout({1, 64, 56, 56}, "nchw"), 4, isa::sse41);
    STATIC_CHECK(narrow.pattern.lane_bits == 2 && narrow.contiguous_bytes() >= cache_line_bytes);
}

TEST_CASE("plan: of attributes by position, stores once, and knows the axis of each step") {
    for (const char* from : {"abcd", "acdb", "aBcd8b"})
        for (const char* to : {"abcd", "acdb", "aBcd16b", "ABcd8b4a"})
            for (const dims& extents : {dims{2, 17, 7, 7}, dims{20, 3, 3, 11}, dims{1, 48, 1, 33}})
                stores_once(layout(extents, *parse_format_tag(from)), layout(extents, *parse_format_tag(to)));

    // Axes with values stay apart, those without become one.
    constexpr layout plain({2, 32, 7, 7}, "abcd");
    constexpr reorder_plan by_position = *make_attributed_plan(plain, plain, 4, isa::avx512, true);
    STATIC_CHECK(by_position.loops.size() == 3 && by_position.loops[0].axis == 0 && by_position.loops[1].axis == 1);
    STATIC_CHECK(by_position.loops[1].weight == 1 && by_position.loops[2].extent == 2);
    STATIC_CHECK(by_position.loops[2].axis > 1 && by_position.bits[0].axis > 1);
    constexpr reorder_plan by_tensor = *make_attributed_plan(plain, plain, 4, isa::avx512, false);
    STATIC_CHECK(by_tensor.loops.size() == 1);
    STATIC_CHECK(axes_with_values(2) == 3 && axes_with_values(3) == 7 && axes_with_values(5) == 3);
}

TEST_CASE("plan: only whole lines of large tensors go past the cache") {
    constexpr reorder_plan large =
        *make_plan(layout({32, 256, 56, 56}, "nchw"), layout({32, 256, 56, 56}, "nChw16c"), 4, isa::avx512);
    STATIC_CHECK(may_stream(large));
    constexpr reorder_plan small =
        *make_plan(layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c"), 4, isa::avx512);
    STATIC_CHECK(!may_stream(small));
    constexpr reorder_plan odd =
        *make_plan(layout({64, 256, 55, 55}, "nChw16c"), layout({64, 256, 55, 55}, "nchw"), 4, isa::avx512);
    STATIC_CHECK(!may_stream(odd));
}
