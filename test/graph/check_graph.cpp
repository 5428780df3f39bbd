#include <plait/graph/check_graph.hpp>

#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_graph_check_graph { namespace {

using namespace plait;
using namespace plait::detail;

constexpr dims shape{1, 16, 2, 2};

tensor_id open(large_graph& g, const dims& extents = shape) { return g.tensor(extents, data_type::f32, "any"); }
tensor_id given(large_graph& g) { return g.tensor(shape, data_type::f32, "nchw"); }
auto eltwise(large_graph& g, tensor_id from, tensor_id to) {
    return g.operation(primitive_kind::eltwise, {from}, {to});
}
std::vector<int> order_in(const large_graph& g) {
    const graph_order order = order_of(g);
    CHECK(order.why.ok());
    return {order.operations.begin(), order.operations.end()};
}

TEST_CASE("graph_order: an empty graph has no order") {
    const large_graph g;
    CHECK(order_in(g).empty());
    CHECK(order_of(g).producer.size() == 0);
}

TEST_CASE("graph_order: each operation runs after those that it reads from, in rounds over all") {
    // Operation k makes tensor k, and reads the tensor at place k of the list. Tensor 3 is given.
    const auto order = [](std::initializer_list<int> reads) {
        large_graph g;
        const int n = static_cast<int>(reads.size());
        for (int k = 0; k < n; ++k) static_cast<void>(open(g));
        static_cast<void>(given(g));
        int k = 0;
        for (const int from : reads) eltwise(g, {from}, {k++});
        return order_in(g);
    };
    CHECK(order({3, 0, 1}) == std::vector<int>{0, 1, 2});
    CHECK(order({1, 2, 3}) == std::vector<int>{2, 1, 0});
    CHECK(order({3, 3, 3}) == std::vector<int>{0, 1, 2});
    CHECK(order({1, 3, 3}) == std::vector<int>{1, 2, 0});  // operation 0 has to wait for the next round
    CHECK(order({2, 0, 3}) == std::vector<int>{2, 0, 1});
}

TEST_CASE("graph_order: each tensor has its producer, and the number of ports that read it") {
    large_graph g;
    const tensor_id image = given(g), middle = open(g), result = open(g);
    g.operation(primitive_kind::sum, {middle, image, middle}, {result});
    eltwise(g, image, middle);
    const graph_order order = order_of(g);
    REQUIRE(order.why.ok());
    CHECK(order.producer[image.number] == -1);
    CHECK(order.producer[middle.number] == 1);
    CHECK(order.producer[result.number] == 0);
    CHECK(order.readers[image.number] == 2);
    CHECK(order.readers[middle.number] == 2);  // ports, not operations
    CHECK(order.readers[result.number] == 0);
}

TEST_CASE("graph_order: a cycle is refused, and the verdict names two operations inside it") {
    large_graph itself;
    const tensor_id t = open(itself);
    eltwise(itself, t, t);
    CHECK(order_of(itself).why == verdict{reason::graph_has_cycle, -1, 0, 0});

    large_graph g;  // operation 0 waits for the cycle of 1 and 2, and is not in it
    const tensor_id a = open(g), b = open(g);
    eltwise(g, a, open(g));
    eltwise(g, b, a);
    eltwise(g, a, b);
    CHECK(order_of(g).why == verdict{reason::graph_has_cycle, -1, 1, 2});
}

TEST_CASE("graph_order: views of constants are constants, and concatenations of constants only") {
    large_graph g;
    const tensor_id weights = g.constant(shape, data_type::f32, "nchw"), image = given(g);
    const tensor_id seen = open(g, {1, 64}), copied = open(g), both = open(g, {2, 16, 2, 2});
    const tensor_id mixed = open(g, {2, 16, 2, 2}), again = open(g, {64});
    g.reshape(seen, again);  // added before its source is made
    g.reshape(weights, seen);
    eltwise(g, weights, copied);
    g.concatenate({weights, weights}, 0, both);
    g.concatenate({weights, image}, 0, mixed);
    const graph_order order = order_of(g);
    REQUIRE(order.why.ok());
    for (const tensor_id t : {weights, seen, again, both}) CHECK(order.constant[t.number] != 0);
    for (const tensor_id t : {image, copied, mixed}) CHECK(order.constant[t.number] == 0);
}

TEST_CASE("graph_order: the result of an operation may be part of the memory of the first concatenation") {
    large_graph g;
    const dims twice{2, 16, 2, 2}, four{4, 16, 2, 2};
    const tensor_id image = given(g), made = open(g), wanted = given(g), replaced = open(g), same = open(g);
    const tensor_id seen = open(g), whole = open(g, twice), other = open(g, twice), all = open(g, four);
    const tensor_id rest = open(g, four);
    eltwise(g, image, made);
    eltwise(g, image, wanted);
    eltwise(g, image, replaced);
    eltwise(g, replaced, same).in_place();
    g.permute_axes(image, {0, 1, 2, 3}, seen);
    const int first = g.concatenate({image, made}, 0, whole), second = g.concatenate({made, wanted}, 0, other);
    const int third = g.concatenate({whole, same, seen}, 0, all);
    g.concatenate({same, seen, other}, 0, rest);
    const graph_order order = order_of(g);
    REQUIRE(order.why.ok());
    const auto port = [&](int operation, int p) { return g.operations[operation].first_port + p; };
    CHECK(order.whole_at[made.number] == port(first, 1));
    CHECK(order.whole_at[made.number] != port(second, 0));  // it is claimed already
    CHECK(order.whole_at[whole.number] == port(third, 0));  // a concatenation is made in a larger one
    for (const tensor_id t : {image, wanted, same, seen, replaced}) CHECK(order.whole_at[t.number] == -1);
}

TEST_CASE("check_ports: a verdict names the port and the operation, or the hint") {
    large_graph g;
    const tensor_id image = given(g), result = open(g);
    const auto forward = eltwise(g, image, result);
    CHECK(check_ports(g, 0).ok());
    eltwise(g, {2}, {3});
    CHECK(check_ports(g, 1) == verdict{reason::tensor_is_unknown, 0, 1, 2, 2});
    eltwise(g, image, {-1});
    CHECK(check_ports(g, 2) == verdict{reason::tensor_is_unknown, 1, 2, -1, 2});
    g.operation(primitive_kind::concat, propagation::forward, {image}, {result});
    CHECK(check_ports(g, 3) == verdict{reason::propagation_does_not_apply, -1, 3,
                                       static_cast<dim_t>(primitive_kind::concat),
                                       static_cast<dim_t>(propagation::forward)});

    const auto hinted = [&](propagation direction, int hint) {
        return check_ports(g, g.operation(primitive_kind::eltwise, direction, {image}, {result}).hint(hint).number());
    };
    CHECK(hinted(propagation::backward, forward.number()).ok());
    CHECK(hinted(propagation::backward, -1).ok());  // no hint
    CHECK(hinted(propagation::backward, -2) == verdict{reason::hint_does_not_fit, -1, 6, -2});
    CHECK(hinted(propagation::backward, 7) == verdict{reason::hint_does_not_fit, -1, 7, 7});  // itself
    CHECK(hinted(propagation::backward, 4) == verdict{reason::hint_does_not_fit, -1, 8, 4});  // a hint must be forward
    CHECK(hinted(propagation::forward, 0) == verdict{reason::hint_does_not_fit, -1, 9, 0});
}

TEST_CASE("check_alternatives: a verdict names the alternative, the port, or the cost") {
    const auto why = [](auto add) {
        large_graph g;
        const tensor_id image = given(g), result = open(g);
        auto made = g.operation(primitive_kind::convolution, {image}, {result});
        made.accepts({"nchw"}, {"nchw"});
        add(made);
        return check_alternatives(g, 0);
    };
    CHECK(why([](auto&) {}).ok());
    CHECK(why([](auto& o) { o.accepts({"nchw"}, {}); }) == verdict{reason::ports_do_not_match, -1, 0, 1, 2});
    CHECK(why([](auto& o) { o.accepts({"nchw", "nchw"}, {}); }) == verdict{reason::ports_do_not_match, -1, 0, 1, 2});
    CHECK(why([](auto& o) { o.accepts({"nhwc"}, {"any"}); }) == verdict{reason::port_has_no_format, 1, 0, 1});
    CHECK(why([](auto& o) { o.accepts({"nc"}, {"nchw"}); }) == verdict{reason::port_rank_differs, 0, 0, 2, 4});
    CHECK(why([](auto& o) { o.accepts({"nchw"}, {"nchw"}, -1); }) == verdict{reason::costs_overflow, -1, 0, -1});
    CHECK(why([](auto& o) { o.in_place(); }).ok());
    CHECK(why([](auto& o) { o.in_place().accepts({"nchw"}, {"nhwc"}); }) ==
          verdict{reason::in_place_does_not_fit, -1, 0, 0, 0});
}

TEST_CASE("link_tensors: a verdict names the tensor, and the operations that make it") {
    large_graph twice;
    const tensor_id image = given(twice), result = open(twice);
    eltwise(twice, image, result);
    eltwise(twice, image, result);
    CHECK(order_of(twice).why == verdict{reason::tensor_has_two_producers, -1, 1, 0, 1});

    large_graph constant;
    const tensor_id source = given(constant), weights = constant.constant(shape, data_type::f32, "nchw");
    eltwise(constant, source, weights);
    CHECK(order_of(constant).why == verdict{reason::tensor_is_given_and_made, -1, 1, 0});

    large_graph nobody;
    static_cast<void>(open(nobody));
    CHECK(order_of(nobody).why == verdict{reason::tensor_format_is_open, -1, 0});

    large_graph untyped;
    static_cast<void>(untyped.tensor(shape, data_type::undef, "nchw"));
    CHECK(order_of(untyped).why == verdict{reason::data_type_is_unknown, -1, static_cast<dim_t>(data_type::undef)});
}

TEST_CASE("check_in_place: the source is read by no other port, and has the extents and the size of the result") {
    const auto why = [](const dims& result, data_type type, int source, bool wanted) {
        large_graph g;
        const tensor_id image = given(g), middle = wanted ? given(g) : open(g);
        eltwise(g, image, middle);
        const tensor_id out = g.tensor(result, type, "any");
        g.operation(primitive_kind::binary, {middle, image}, {out}).in_place(source);
        return order_of(g).why;
    };
    const auto refused = [](int source, int tensor) {
        return verdict{reason::in_place_does_not_fit, -1, 1, source, tensor};
    };
    CHECK(why(shape, data_type::f32, 0, false).ok());
    CHECK(why(shape, data_type::s32, 0, false).ok());
    CHECK(why(shape, data_type::s8, 0, false) == refused(0, 1));
    CHECK(why({2, 16, 2, 2}, data_type::f32, 0, false) == refused(0, 1));
    CHECK(why(shape, data_type::f32, 0, true) == refused(0, 1));
    CHECK(why(shape, data_type::f32, 1, false) == refused(1, 0));  // operation 0 reads it too
    CHECK(why(shape, data_type::f32, 2, false) == refused(2, -1));
    CHECK(why(shape, data_type::f32, -2, false) == refused(-2, -1));
}

}}  // namespace test_graph_check_graph
