// A graph with as many operations and alternatives as fit in a constant expression under the compilers' default step
// limits.
#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

namespace test_graph_constant_graph_of_64 { namespace {

using namespace plait;

constexpr format_tag tags[] = {"nchw", "nhwc", "nChw16c", "nChw8c", "chwn", "nhcw", "nCwh16c", "nChw4c"};

// 64 operations with 8 alternatives each. Every third operation reads the result of the operation two before it
// instead of the last one, so a third of the tensors have two readers.
constexpr graph make() {
    constexpr dims shape{1, 64, 56, 56};
    graph g;
    tensor_id last = g.tensor(shape, data_type::f32, "nhwc"), before = last;
    for (int i = 0; i < 64; ++i) {
        const tensor_id made = g.tensor(shape, data_type::f32, i == 63 ? format_tag("nhwc") : format_tag("any"));
        auto added = g.operation(primitive_kind::convolution, {i % 3 == 2 ? before : last}, {made});
        for (int a = 0; a < 8; ++a) added.accepts({tags[a]}, {tags[(a + i) % 8]}, 1'000'000 * ((a * 7 + i * 3) % 11));
        before = last;
        last = made;
    }
    return g;
}
constexpr graph network = make();
constexpr auto chosen = choose_formats(network);
static_assert(chosen.is_optimal && chosen.lower_bound == chosen.cost);
TEST_CASE(
    "choose_formats: a constant expression with 64 operations of 8 alternatives gives the result of the run time") {
    CHECK(choose_formats(make()) == chosen);
}

}}  // namespace test_graph_constant_graph_of_64
