#include <plait/graph/operation_formats.hpp>

#include "support/static_check.hpp"

namespace test_graph_operation_formats { namespace {

using namespace plait;
using namespace plait::detail;

constexpr dims shape{1, 16, 2, 2};
tensor_id open(large_graph& g, const dims& extents = shape) { return g.tensor(extents, data_type::f32, "any"); }
verdict refused(const large_graph& g) { return operation_formats(g).why; }
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

}}  // namespace test_graph_operation_formats
