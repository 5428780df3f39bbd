#include <plait/graph/operation_formats.hpp>

#include "support/static_check.hpp"

namespace test_graph_operation_formats {

using namespace plait;
using namespace plait::detail;

namespace {
constexpr dims shape{1, 16, 2, 2};
tensor_id open(large_graph& g, const dims& extents = shape) { return g.tensor(extents, data_type::f32, "any"); }
verdict refused(const large_graph& g) { return operation_formats(g).why; }
}  // namespace

TEST_CASE("operation_formats: an operation has the alternatives that were added, in the same order") {
    large_graph g;
    const tensor_id image = open(g), result = open(g);
    g.operation(primitive_kind::convolution, {image}, {result})
        .accepts({"nchw"}, {"nhwc"}, 7)
        .accepts({"nChw16c"}, {"nhwc"}, 5);
    const operation_formats found(g);
    REQUIRE(found.why.ok());
    CHECK(found.variable_of[0] == 0);
    CHECK(found.operation_of[0] == 0);
    CHECK(found.alternatives_of[0] == 2);
    CHECK(found.format(0, 0, 0) == 0);
    CHECK(found.format(0, 1, 0) == 1);
    CHECK(found.format(0, 0, 1) == 2);
    CHECK(found.format(0, 1, 1) == 1);
    CHECK(found.cost(0, 0) == 7);
    CHECK(found.cost(0, 1) == 5);
    CHECK(found.form(0, 0, 0) != found.form(0, 1, 0));
    CHECK(found.form(0, 0, 1) == found.form(0, 1, 1));  // blocks of 16 are all 16 channels
}

TEST_CASE("operation_formats: a graph without operations has no variables") {
    large_graph g;
    static_cast<void>(g.tensor(shape, data_type::f32, "nchw"));
    const operation_formats found(g);
    CHECK(found.why.ok());
    CHECK(found.operation_of.size() == 0);
    CHECK(found.alternatives_of.size() == 0);
}

TEST_CASE("operation_formats: an operation that follows has an alternative of cost 0 for each format that reaches it") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), middle = open(g), result = open(g);
    const tensor_id scale = g.tensor({16}, data_type::f32, "a");
    g.operation(primitive_kind::binary, {image, scale}, {middle});
    g.operation(primitive_kind::convolution, {middle}, {result}).accepts({"nhwc"}, {"chwn"}, 3);
    const operation_formats found(g);
    REQUIRE(found.why.ok());
    REQUIRE(found.alternatives_of[0] == 2);  // nchw and nhwc; chwn does not pass through the kernel
    const int nchw = 0, one_axis = 1, nhwc = 2;
    for (int a = 0; a < 2; ++a) {
        CHECK(found.cost(0, a) == 0);
        CHECK(found.format(0, 0, a) == (a == 0 ? nchw : nhwc));
        CHECK(found.format(0, 1, a) == one_axis);  // a tensor of another rank keeps its format
        CHECK(found.format(0, 2, a) == (a == 0 ? nchw : nhwc));
    }
}

TEST_CASE(
    "operation_formats: a backward operation that follows shares the variable of its hint, and the costs add up") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), result = open(g), gradient = open(g);
    const auto forward = g.operation(primitive_kind::pooling, {image}, {result})
                             .accepts({"nchw"}, {"nchw"}, 10)
                             .accepts({"nhwc"}, {"nhwc"}, 20);
    g.operation(primitive_kind::pooling, propagation::backward, {result, image}, {gradient})
        .accepts({"nchw", "nchw"}, {"nchw"}, 3)
        .accepts({"nhwc", "nhwc"}, {"nhwc"}, 4)
        .hint(forward);
    g.operation(primitive_kind::pooling, propagation::backward, {result, image}, {open(g)}).hint(forward);
    g.operation(primitive_kind::pooling, propagation::backward, {result, image}, {open(g)});
    const operation_formats found(g);
    REQUIRE(found.why.ok());
    for (int i = 0; i < 3; ++i) CHECK(found.variable_of[i] == 0);
    CHECK(found.variable_of[3] == 1);  // without a hint
    CHECK(found.operation_of.size() == 2);
    CHECK(found.operation_of[0] == 0);
    CHECK(found.operation_of[1] == 3);
    CHECK(found.variable_cost(0, 0) == 10 + 3 + 0);
    CHECK(found.variable_cost(0, 1) == 20 + 4 + 0);
    for (int p = 0; p < 3; ++p) CHECK(found.format(2, p, 1) == 1);  // nhwc, as the hint
}

TEST_CASE("operation_formats: a source that cannot be part of a concatenation's memory needs a copy") {
    large_graph g;
    const tensor_id given = g.tensor(shape, data_type::f32, "nchw"), made = open(g);
    g.operation(primitive_kind::convolution, {given}, {made}).accepts({"nchw"}, {"nchw"});
    const int join = g.concatenate({given, made}, 1, open(g, {1, 32, 2, 2}));
    const operation_formats found(g);
    REQUIRE(found.why.ok());
    REQUIRE(found.alternatives_of[join] == 1);
    CHECK(found.cost(join, 0) == 0);
    const graph_form &copy = found.forms[found.form(join, 0, 0)], &part = found.forms[found.form(join, 1, 0)];
    CHECK(copy.place == g.operations[join].first_port);
    CHECK(part.place == -1);
    CHECK(copy.canonical == part.canonical);
    CHECK(found.form(join, 1, 0) == found.form(0, 1, 0));
    CHECK(found.forms[found.form(join, 2, 0)].place == -1);  // the whole is not a copy
}

TEST_CASE(
    "operation_formats: a graph is refused if an operation has no alternative, an impossible format, or another number "
    "than its hint") {
    large_graph none;
    none.operation(primitive_kind::convolution, {none.tensor(shape, data_type::f32, "nchw")}, {open(none)});
    CHECK(refused(none) == verdict{reason::operation_has_no_alternative, -1, 0, 2});

    large_graph nobody;  // no format reaches the operation
    nobody.operation(primitive_kind::eltwise, {open(nobody)}, {open(nobody)});
    CHECK(refused(nobody) == verdict{reason::operation_has_no_alternative, -1, 0, 2});

    large_graph too_large;
    const tensor_id huge = too_large.tensor({most_cost - 1}, data_type::s8, "any");
    const tensor_id blocked = too_large.tensor({most_cost - 1}, data_type::s8, "any");
    too_large.operation(primitive_kind::matmul, {huge}, {blocked}).accepts({"a"}, {"A16a"});
    // In blocks of 16 it has 2^61 elements.
    CHECK(refused(too_large) == verdict{reason::port_cannot_have_format, 1, 0, 1, 1});

    for (const bool more : {false, true}) {  // one or three alternatives; the hint has two
        large_graph unequal;
        const tensor_id image = open(unequal), result = open(unequal);
        const auto forward = unequal.operation(primitive_kind::pooling, {image}, {result})
                                 .accepts({"nchw"}, {"nchw"})
                                 .accepts({"nhwc"}, {"nhwc"});
        auto backward =
            unequal.operation(primitive_kind::pooling, propagation::backward, {result, image}, {open(unequal)});
        for (int a = 0; a < (more ? 3 : 1); ++a) backward.accepts({"nchw", "nchw"}, {"nchw"});
        backward.hint(forward);
        CHECK(refused(unequal) == verdict{reason::hint_does_not_fit, -1, 1, 0});
    }
}

}  // namespace test_graph_operation_formats
