#include <plait/graph/form_sets.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace test_graph_form_sets {

using namespace plait;
using namespace plait::detail;

namespace {

/// The extents of tensors of f32. Bytes by format: nchw and nhwc 272, nChw8c 384, nChw16c 512.
constexpr dims shape{1, 17, 2, 2};

/// Returns a graph with a tensor that is given in the first format, and one operation that accepts each format.
large_graph read_in(const dims& extents, std::initializer_list<format_tag> formats) {
    large_graph g;
    const tensor_id given = g.tensor(extents, data_type::f32, *formats.begin());
    const tensor_id result = g.tensor({1}, data_type::f32, "any");
    auto read = g.operation(primitive_kind::convolution, {given}, {result});
    for (const format_tag& format : formats) read.accepts({format}, {"a"});
    return g;
}

}  // namespace

TEST_CASE("form_sets: each form is one bit, in the order in which the tensor takes the forms") {
    const large_graph g = read_in(shape, {"nchw", "nhwc", "nChw16c"});
    const format_costs costs(g, {});
    REQUIRE(costs.why.ok());
    form_sets sets(costs, 0);
    CHECK(sets.size() == 3);
    CHECK(sets.fits());
    for (int k = 0; k < 3; ++k) CHECK(sets.bit_of(costs.form(0, 0, k)) == 1 << k);
    for (int k = 0; k < 3; ++k) CHECK(sets.cost(1 << k) == 0);
    CHECK(form_sets(costs, 1).size() == 1);  // the result, whose only format is a
    CHECK(form_sets(costs, 1).cost(1) == 0);
}

TEST_CASE("form_sets: the cost of a set is that of the reorders that connect its forms") {
    const large_graph g = read_in(shape, {"nchw", "nhwc", "nChw16c", "nChw8c"});
    const format_costs costs(g, {});
    form_sets sets(costs, 0);
    const dim_t plain = 272 + 272, wide = 272 + 512, narrow = 272 + 384, blocks = 512 + 384;
    CHECK(sets.cost(0b0011) == plain);
    CHECK(sets.cost(0b0101) == wide);
    CHECK(sets.cost(0b0110) == wide);
    CHECK(sets.cost(0b1100) == blocks);
    // Three forms need two reorders, and four need three: all but the most expensive.
    CHECK(sets.cost(0b0111) == plain + wide);
    CHECK(sets.cost(0b1101) == narrow + wide);
    CHECK(sets.cost(0b1011) == plain + narrow);
    CHECK(sets.cost(0b1111) == plain + narrow + wide);
    CHECK(sets.cost(0b1111) == plain + narrow + wide);  // the stored cost
    CHECK(sets.larger_cost_more());
}

TEST_CASE("form_sets: forms of a constant whose reorders are free cost nothing") {
    large_graph g;
    const tensor_id weights = g.constant(shape, data_type::f32, "nchw"), result = g.tensor({1}, data_type::f32, "any");
    g.operation(primitive_kind::convolution, {weights}, {result}).accepts({"nhwc"}, {"a"});
    const format_costs free(g, {}), shared(g, {.runs = 3});
    CHECK(form_sets(free, 0).cost(0b11) == 0);
    CHECK(form_sets(free, 0).cost(0b11) == 0);
    CHECK(form_sets(shared, 0).cost(0b11) == 182);  // 544 bytes in 3 runs: 181 and a third
}

TEST_CASE("form_sets: a form that no operation needs makes a set cheaper if reorders through it cost less") {
    // nhwc and nChw16c have runs of 16 elements, 64 bytes. Both have runs of 8 elements in common with nChw8c, which
    // cost 1 hundredth: 656 / 100 and 896 / 100 bytes, rounded up. The direct reorder costs 784.
    const cost_options options{.percent = {100, 1, 100}};
    const large_graph two = read_in(shape, {"nhwc", "nChw16c"}), three = read_in(shape, {"nhwc", "nChw16c", "nChw8c"});
    const format_costs of_two(two, options), of_three(three, options);
    CHECK(form_sets(of_two, 0).cost(0b11) == 784);
    CHECK(form_sets(of_two, 0).larger_cost_more());
    form_sets sets(of_three, 0);
    CHECK(sets.cost(0b011) == 784);
    CHECK(sets.cost(0b111) == 7 + 9);
    CHECK(!sets.larger_cost_more());
}

TEST_CASE("form_sets: sets of up to eight forms fit in a table") {
    const dims extents{2, 3, 4, 5};
    const large_graph eight = read_in(extents, {"abcd", "abdc", "acbd", "acdb", "adbc", "adcb", "bacd", "badc"});
    const large_graph nine = read_in(extents, {"abcd", "abdc", "acbd", "acdb", "adbc", "adcb", "bacd", "badc", "bcad"});
    const format_costs of_eight(eight, {}), of_nine(nine, {});
    form_sets most(of_eight, 0);
    CHECK(most.size() == 8);
    CHECK(most.fits());
    CHECK(most.cost(0b1111'1111) == 7 * 2 * 480);
    CHECK(most.larger_cost_more());
    CHECK(form_sets(of_nine, 0).size() == 9);
    CHECK(!form_sets(of_nine, 0).fits());
}

}  // namespace test_graph_form_sets
