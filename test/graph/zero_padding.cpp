// Tests of padding in a graph: operations that need zeros in it, operations that leave other values in it, and the cost
// of zeros.

#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace test_graph_zero_padding { namespace {

using namespace plait;

constexpr dims shape{1, 17, 4, 4};
constexpr dim_t padding_bytes = 15 * 4 * 4 * 4;  // of f32 in nChw16c

/// Returns a graph with an operation that reads a blocked tensor. The arguments are the state of the padding, and
/// whether the operation needs zeros in it.
constexpr graph read_in_blocks(padding_state given, bool needs_zeros, bool constant = false) {
    graph g;
    const auto a = constant ? g.constant(shape, data_type::f32, "nChw16c", given)
                            : g.tensor(shape, data_type::f32, "nChw16c", given);
    const auto b = g.tensor(shape, data_type::f32, "any");
    auto read = g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nChw16c"}, {"nChw16c"});
    if (needs_zeros) read.needs_zero_padding();
    return g;
}

TEST_CASE("zeros in padding: unknown padding that is read is zeroed once, at the cost of its bytes") {
    using enum padding_state;
    CHECK(choose_formats(read_in_blocks(zero, true)).cost == 0);
    CHECK(choose_formats(read_in_blocks(unknown, false)).cost == 0);
    const auto chosen = choose_formats(read_in_blocks(unknown, true));
    CHECK(chosen.cost == padding_bytes);
    CHECK(chosen.is_optimal);
    REQUIRE(chosen.zeroings.size() == 1);
    CHECK(chosen.zeroings[0] == graph_zeroing{{0}, 0, padding_bytes, -1, false});
    CHECK(chosen.reorders.empty());
    static_assert(choose_formats(read_in_blocks(unknown, true)).cost == padding_bytes);
}

TEST_CASE("zeros in padding: the padding of a constant is zeroed ahead of time, at its share of the runs") {
    const graph g = read_in_blocks(padding_state::unknown, true, true);
    CHECK(choose_formats(g).cost == 0);
    CHECK(choose_formats(g).zeroings[0].is_ahead);
    cost_options options;
    options.runs = 7;
    CHECK(choose_formats(g, options).cost == (padding_bytes + 6) / 7);
}

TEST_CASE("zeros in padding: padding that a kernel leaves unknown is zeroed once for all its readers") {
    for (const padding_state wanted : {padding_state::unknown, padding_state::zero})
        for (int readers = 0; readers < 3; ++readers) {
            graph g;
            const auto a = g.tensor(shape, data_type::f32, "nChw16c");
            const auto b = g.tensor(shape, data_type::f32, "nChw16c", wanted);
            g.operation(primitive_kind::convolution, {a}, {b})
                .accepts({"nChw16c"}, {"nChw16c"})
                .leaves_padding_unknown();
            for (int i = 0; i < readers; ++i)
                g.operation(primitive_kind::convolution, {b}, {g.tensor(shape, data_type::f32, "any")})
                    .accepts({"nChw16c"}, {"nChw16c"})
                    .needs_zero_padding();
            const bool needed = readers > 0 || wanted == padding_state::zero;
            const auto chosen = choose_formats(g);
            CHECK(chosen.cost == (needed ? padding_bytes : 0));
            CHECK(chosen.zeroings.size() == (needed ? 1 : 0));
            if (needed) CHECK(chosen.zeroings[0].behind == 0);
        }
}

TEST_CASE(
    "zeros in padding: with forty readers, the cost is at most that of readers without zeros, and the bound holds") {
    // Each of the forty readers accepts any padding at a small cost, or needs zeros at no cost. Zeros written once cost
    // less than forty small costs.
    large_graph g;
    const auto a = g.tensor(shape, data_type::f32, "nChw16c", padding_state::unknown);
    for (int i = 0; i < 40; ++i)
        g.operation(primitive_kind::convolution, {a}, {g.tensor(shape, data_type::f32, "any")})
            .accepts({"nChw16c"}, {"nChw16c"}, padding_bytes / 30)
            .accepts({"nChw16c"}, {"nChw16c"})
            .needs_zero_padding();
    const auto chosen = choose_formats(g);
    CHECK(chosen.cost <= 40 * (padding_bytes / 30));
    CHECK(chosen.lower_bound <= padding_bytes);
    CHECK(chosen.lower_bound <= chosen.cost);
    CHECK(chosen.is_optimal == (chosen.lower_bound == chosen.cost));
}

TEST_CASE("zeros in padding: the tables of a chain contain the cost of zeros, so that the least cost is proved") {
    // Each kernel leaves padding unknown, or zeroes it at a higher cost; and it reads zeros, or any padding at a higher
    // cost.
    large_graph g;
    tensor_id before = g.tensor(shape, data_type::f32, "nChw16c");
    for (int i = 0; i < 60; ++i) {
        const tensor_id after = g.tensor(shape, data_type::f32, "any");
        g.operation(primitive_kind::convolution, {before}, {after})
            .accepts({"nChw16c"}, {"nChw16c"}, i % 3 * 100)
            .needs_zero_padding()
            .leaves_padding_unknown()
            .accepts({"nChw16c"}, {"nChw16c"}, 500)
            .needs_zero_padding()
            .accepts({"nChw16c"}, {"nChw16c"}, 400)
            .leaves_padding_unknown();
        before = after;
    }
    // The least cost, computed by hand from the last kernel to the first: if the padding that the kernel reads is
    // unknown, and if it is zero.
    dim_t unknown = 0, zero = 0;
    for (int i = 59; i >= 0; --i) {
        const dim_t leaves = unknown, clears = zero;
        const dim_t reads_zeros = std::min(i % 3 * 100 + leaves, 500 + clears);
        unknown = std::min(padding_bytes + reads_zeros, 400 + leaves);
        zero = std::min(reads_zeros, 400 + leaves);
    }
    const auto chosen = choose_formats(g);
    CHECK(chosen.cost == zero);
    CHECK(chosen.is_optimal);
}

TEST_CASE("zeros in padding: padding that no part of a concatenation writes is unknown, and is zeroed in the whole") {
    // In blocks of 16, 3 and 5 channels leave 8 of padding.
    graph g;
    const dims whole{1, 8, 4, 4};
    const auto part = [&](dim_t channels) {
        const auto given = g.tensor({1, channels, 4, 4}, data_type::f32, "nchw");
        const auto out = g.tensor({1, channels, 4, 4}, data_type::f32, "any");
        g.operation(primitive_kind::eltwise, {given}, {out});
        return out;
    };
    const auto a = part(3), b = part(5), joined = g.tensor(whole, data_type::f32, "any");
    g.concatenate({a, b}, 1, joined);
    g.operation(primitive_kind::convolution, {joined}, {g.tensor(whole, data_type::f32, "any")})
        .accepts({"nChw16c"}, {"nChw16c"})
        .needs_zero_padding();
    cost_options options;
    options.percent[0] = options.percent[1] = options.percent[2] = 1'000;  // reorders that write zeros cost more
    const auto chosen = choose_formats(g, options);
    REQUIRE(chosen.layout_of(joined) == layout(whole, "nChw16c"));
    REQUIRE(chosen.zeroings.size() == 1);
    CHECK(chosen.zeroings[0] == graph_zeroing{joined, chosen.tensor_formats[joined.number], 8 * 4 * 4 * 4, 2, false});
}

TEST_CASE("zeros in padding: hints for a missing port, or before the first combination, are refused") {
    const auto why = [](auto say) {
        graph g;
        const auto a = g.tensor(shape, data_type::f32, "nChw16c");
        const auto b = g.tensor(shape, data_type::f32, "any");
        auto added = g.operation(primitive_kind::convolution, {a}, {b});
        say(added);
        return check_graph(g).reason;
    };
    const auto accepting = [](auto& o) -> auto& { return o.accepts({"nChw16c"}, {"nChw16c"}); };
    CHECK(why([&](auto& o) { accepting(o).needs_zero_padding(0).leaves_padding_unknown(0); }) == reason::none);
    CHECK(why([&](auto& o) { accepting(o).needs_zero_padding(1); }) == reason::ports_do_not_match);
    CHECK(why([&](auto& o) { accepting(o).needs_zero_padding(-1); }) == reason::ports_do_not_match);
    CHECK(why([&](auto& o) { accepting(o).leaves_padding_unknown(1); }) == reason::ports_do_not_match);
    CHECK(why([&](auto& o) { o.needs_zero_padding(); }) == reason::ports_do_not_match);
}

}}  // namespace test_graph_zero_padding
