#include <plait/graph/format_needs.hpp>

#include "support/static_check.hpp"

#include <vector>

namespace test_graph_format_needs {

using namespace plait;
using namespace plait::detail;

namespace {

constexpr dims shape{1, 17, 2, 2};

/// Operation 0 reads tensor 1, which operation 1 makes from tensor 0; operation 2 reads tensor 1 twice, and tensor 0.
large_graph three_operations(const format_tag& wanted) {
    large_graph g;
    const tensor_id given = g.tensor(shape, data_type::f32, "nchw"), middle = g.tensor(shape, data_type::f32, wanted);
    const auto open = [&] { return g.tensor(shape, data_type::f32, "any"); };
    g.operation(primitive_kind::convolution, {middle}, {open()})
        .accepts({"nhwc"}, {"nhwc"})
        .accepts({"nchw"}, {"nhwc"});
    g.operation(primitive_kind::convolution, {given}, {middle})
        .accepts({"nChw16c"}, {"nChw16c"})
        .accepts({"nhwc"}, {"nhwc"});
    g.operation(primitive_kind::convolution, {middle, given, middle}, {open()})
        .accepts({"nhwc", "nchw", "nChw16c"}, {"nhwc"});
    return g;
}

std::vector<int> values(const heap_list<int>& list) { return {list.begin(), list.end()}; }
heap_list<int> choice_of(std::initializer_list<int> by_variable) {
    heap_list<int> out;
    for (const int a : by_variable) out.push_back(a);
    return out;
}
struct port {
    int operation, number;
    bool operator==(const port&) const = default;
};
std::vector<port> needs_of(const format_needs& needs, int tensor) {
    std::vector<port> out;
    for (int at = needs.needs_begin(tensor); at < needs.needs_end(tensor); ++at)
        out.push_back({needs.need_at(at).operation, needs.need_at(at).port});
    return out;
}

}  // namespace

TEST_CASE(
    "format_needs: needs are the producer or given form, then readers by operation and port, then the wanted form") {
    const format_needs needs(three_operations("nchw"));
    REQUIRE(needs.why.ok());
    const int nchw = 0;
    CHECK(needs_of(needs, 0) == std::vector<port>{{-1, nchw}, {1, 0}, {2, 1}});
    CHECK(needs_of(needs, 1) == std::vector<port>{{1, 1}, {0, 0}, {2, 0}, {2, 2}, {-1, nchw}});
    CHECK(needs_of(needs, 2) == std::vector<port>{{0, 1}});  // an operation makes the tensor, and no operation reads it
    CHECK(needs.has_format(0));
    CHECK(needs.has_format(1));
    CHECK(!needs.has_format(2));

    const format_needs open(three_operations("any"));
    CHECK(needs_of(open, 1) == std::vector<port>{{1, 1}, {0, 0}, {2, 0}, {2, 2}});
    CHECK(!open.has_format(1));

    large_graph of_one;
    const tensor_id given = of_one.tensor(shape, data_type::f32, "nchw");
    const tensor_id wanted = of_one.tensor(shape, data_type::f32, "nhwc");
    of_one.operation(primitive_kind::eltwise, {given}, {wanted});
    CHECK(needs_of(format_needs(of_one), wanted.number) == std::vector<port>{{0, 1}, {-1, 1}});
}

TEST_CASE("format_needs: a tensor that is given and not read has one need, and one form") {
    large_graph g;
    static_cast<void>(g.tensor(shape, data_type::f32, "nchw"));
    const format_needs needs(g);
    REQUIRE(needs.why.ok());
    CHECK(needs_of(needs, 0) == std::vector<port>{{-1, 0}});
    CHECK(needs.form_count(0) == 1);
}

TEST_CASE("format_needs: the forms of a choice are distinct, in the order of the needs") {
    const large_graph g = three_operations("nchw");
    const format_needs needs(g);
    const int nchw = needs.form(0, 0, 1), nhwc = needs.form(0, 0, 0), blocks = needs.form(1, 1, 0);
    heap_list<int> distinct;
    needs.collect_forms(1, choice_of({0, 0, 0}), distinct);
    CHECK(values(distinct) == std::vector<int>{blocks, nhwc, nchw});
    needs.collect_forms(1, choice_of({1, 1, 0}), distinct);  // the list is cleared first
    CHECK(values(distinct) == std::vector<int>{nhwc, nchw, blocks});
    needs.collect_forms(0, choice_of({0, 1, 0}), distinct);
    CHECK(values(distinct) == std::vector<int>{nchw, nhwc});

    const heap_list<int> choice = choice_of({1, 0, 0});
    const int begin = needs.needs_begin(1);
    CHECK(needs.form_of(1, needs.need_at(begin), choice) == blocks);
    CHECK(needs.form_of(1, needs.need_at(begin + 1), choice) == nchw);
    CHECK(needs.form_of(1, needs.need_at(begin + 4), choice) == nchw);  // the wanted form does not depend on the choice
}

TEST_CASE("format_needs: the forms that a tensor may take are those of all alternatives") {
    const large_graph g = three_operations("any");
    const format_needs needs(g);
    const int nchw = needs.form(0, 0, 1), nhwc = needs.form(0, 0, 0), blocks = needs.form(1, 1, 0);
    REQUIRE(needs.form_count(1) == 3);
    CHECK(std::vector<int>(needs.forms_of(1), needs.forms_of(1) + 3) == std::vector<int>{blocks, nhwc, nchw});
    REQUIRE(needs.form_count(0) == 3);
    CHECK(std::vector<int>(needs.forms_of(0), needs.forms_of(0) + 3) == std::vector<int>{nchw, blocks, nhwc});
    CHECK(needs.form_count(2) == 1);
    CHECK(needs.form_count(3) == 1);

    const heap_list<int> list = choice_of({4, 2});
    CHECK(format_needs::is_among(list, 2));
    CHECK(!format_needs::is_among(list, 3));
    CHECK(!format_needs::is_among({}, 0));
}

TEST_CASE("format_needs: a given form with too many elements is refused, and the verdict names the tensor") {
    const auto why = [](dim_t elements) {
        large_graph g;
        static_cast<void>(g.tensor({1}, data_type::s8, "a"));
        static_cast<void>(g.tensor({elements}, data_type::s8, "a"));
        return format_needs(g).why;
    };
    CHECK(why(most_cost - 1).ok());
    CHECK(why(most_cost) == verdict{reason::tensor_cost_overflows, -1, 1});
}

}  // namespace test_graph_format_needs
