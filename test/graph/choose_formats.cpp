#include <plait/graph/choose_formats.hpp>

#include "graph/compare_with_every_choice.hpp"

#include <limits>
#include <random>

namespace test_graph_choose_formats { namespace {

using namespace plait;

/// Makes graphs of up to ten operations: kernels with their own formats, operations that follow, constants, tensors
/// with a given or wanted format, and results with many readers. Extents are small, so that many layouts are the same
/// memory.
struct random_graphs {
    std::mt19937_64 random;
    explicit random_graphs(std::uint64_t seed) : random(seed) {}
    int below(int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }

    // True if some kernels need zeros in padding, and some leave other values in it.
    bool with_padding = false;
    padding_state padding() { return with_padding && below(2) == 0 ? padding_state::unknown : padding_state::zero; }

    // Each graph uses only a few of the tags, so that all combinations can be tried.
    int first_tag = 0, tags = 0;
    format_tag tag() {
        static constexpr format_tag all[] = {"nchw", "nhwc", "nChw16c", "nChw8c", "chwn", "nhcw"};
        return all[(first_tag + below(tags)) % 6];
    }
    dims extents() {
        static constexpr dim_t channels[] = {1, 3, 16, 17, 32};
        return {below(2) + 1, channels[with_padding ? 3 : below(5)], below(3) + 1, below(4) + 1};
    }
    void add_kernel(large_graph& g, const dims& shape, tensor_id source, tensor_id result, int most) {
        const bool weighted = below(2) == 0;
        const tensor_id weights = weighted ? g.constant(shape, data_type::s8, tag(), padding()) : tensor_id{};
        auto added = weighted ? g.operation(primitive_kind::convolution, {source, weights}, {result})
                              : g.operation(primitive_kind::matmul, {source}, {result});
        for (int a = 0, count = 1 + below(most); a < count; ++a) {
            const format_tag in = tag(), out = below(3) == 0 ? tag() : in;
            if (weighted) added.accepts({in, tag()}, {out}, below(3) * 50);
            else added.accepts({in}, {out}, below(3) * 50);
            if (!with_padding) continue;
            for (int p = 0; p < 1 + weighted; ++p)
                if (below(2) == 0) added.needs_zero_padding(p);
            if (below(2) == 0) added.leaves_padding_unknown();
        }
    }
    /// Returns a random graph. Some graphs are invalid: an operation that follows may have no format to follow, and a
    /// tensor without a reader may have no format.
    large_graph make(int operations, int most) {
        large_graph g;
        first_tag = with_padding ? 1 + below(2) : below(6);  // the formats have blocks, which pad 17 channels
        tags = operations < 4 ? 5 : operations < 6 ? 4 : operations < 8 ? 3 : 2;
        const dims shape = extents();
        std::vector<tensor_id> made{g.tensor(shape, data_type::f32, tag(), padding())};
        if (below(2) == 0)
            made.push_back(g.tensor(shape, data_type::u8, below(2) == 0 ? format_tag("any") : tag(), padding()));
        for (int i = 0; i < operations; ++i) {
            const auto one = [&] { return made[static_cast<std::size_t>(below(static_cast<int>(made.size())))]; };
            const tensor_id source = below(2) == 0 ? made.back() : one();
            const tensor_id result =
                g.tensor(shape, data_type::f32, below(4) == 0 ? tag() : format_tag("any"), padding());
            const int kind = below(5);
            if (kind == 0) g.operation(primitive_kind::eltwise, {source}, {result});
            else if (kind == 1) g.operation(primitive_kind::sum, {source, one()}, {result});
            else add_kernel(g, shape, source, result, most);
            made.push_back(result);
        }
        return g;
    }
};

TEST_CASE(
    "choose_formats: on random graphs, returns the first choice with the least cost, as an exhaustive search does") {
    const std::uint64_t seed = plait_test::number_from_environment("PLAIT_GRAPH_SEED", 16);
    random_graphs graphs(seed);
    const auto make = [](random_graphs& source) {
        const int operations = 1 + source.below(10);
        return source.make(operations, operations < 6 ? 4 : operations < 8 ? 3 : 2);
    };
    const plait_test::compared_graphs compared = plait_test::compare_with_every_choice(
        graphs, seed, make,
        {reason::operation_has_no_alternative, reason::tensor_format_is_open},  // no format is given
        std::numeric_limits<double>::infinity());
    CHECK(compared.solved > 300);
    CHECK(compared.with_reorders > 200);
    CHECK(compared.with_zeros > 40);
}

}}  // namespace test_graph_choose_formats
