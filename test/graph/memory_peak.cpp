#include <plait/graph/memory_peak.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace test_graph_memory_peak { namespace {

using namespace plait;
using namespace plait::detail;

/// Adds a tensor with a given number of bytes.
tensor_id bytes(large_graph& g, dim_t count) { return g.tensor({count}, data_type::s8, "any"); }
tensor_id given(large_graph& g, dim_t count) { return g.tensor({count}, data_type::s8, "a"); }
/// Adds an operation whose only kernel reads and writes tensors of one axis.
auto run(large_graph& g, tensor_id from, tensor_id to) {
    return g.operation(primitive_kind::convolution, {from}, {to}).accepts({"a"}, {"a"});
}
/// Returns the peak if each operation has its first alternative.
dim_t peak(const large_graph& g) {
    const format_costs costs(g, {});
    REQUIRE(costs.why.ok());
    return memory_peak<heap_storage>(g, costs, heap_list<int>(costs.alternatives_of.size(), 0)).bytes;
}
/// Returns a chain of operations on tensors of these bytes. The first is given, and tensor `wanted` has a format.
large_graph chain(std::initializer_list<dim_t> sizes, int wanted = -1) {
    large_graph g;
    for (const dim_t size : sizes)
        static_cast<void>(g.tensors.size() == 0 || g.tensors.size() == wanted ? given(g, size) : bytes(g, size));
    for (int k = 0; k + 1 < g.tensors.size(); ++k) run(g, {k}, {k + 1});
    return g;
}

TEST_CASE("memory_peak: tensors that nothing reads take their memory all the time") {
    large_graph g;
    CHECK(peak(g) == 0);
    static_cast<void>(given(g, 100));
    CHECK(peak(g) == 100);
    static_cast<void>(given(g, 20));
    CHECK(peak(g) == 120);
    run(g, given(g, 3), bytes(g, 4));
    CHECK(peak(g) == 127);
}

TEST_CASE("memory_peak: elements smaller than a byte count bits, rounded up for each tensor") {
    large_graph g;
    static_cast<void>(g.tensor({15}, data_type::u4, "a"));
    CHECK(peak(g) == 8);
    static_cast<void>(g.tensor({5}, data_type::f6_e2m3, "a"));
    CHECK(peak(g) == 12);
    static_cast<void>(g.tensor({3}, data_type::u1, "A16a"));
    CHECK(peak(g) == 14);
}

TEST_CASE("memory_peak: a tensor lives from when it is made to when it is read for the last time") {
    CHECK(peak(chain({100, 10, 1, 50})) == 110);
    CHECK(peak(chain({1, 10, 100, 50})) == 150);
    CHECK(peak(chain({1, 10, 100, 1000})) == 1100);
    CHECK(peak(chain({1, 10, 100, 1000}, 1)) == 1110);  // the wanted tensor lives until the end
    CHECK(peak(chain({1, 10, 100, 1000}, 3)) == 1100);
    large_graph g = chain({1, 10, 100, 1000});
    run(g, {1}, bytes(g, 5));  // reads the second tensor again, after the peak
    CHECK(peak(g) == 1110);
    large_graph unused = chain({1, 10, 100});
    run(unused, {1}, bytes(unused, 500));
    run(unused, {2}, bytes(unused, 7));
    CHECK(peak(unused) == 100 + 500 + 10);  // when the second tensor is read for the last time
}

TEST_CASE("memory_peak: both forms of a reordered tensor take memory after it is made") {
    const auto make = [](dim_t source, dim_t result) {
        large_graph g;
        const tensor_id image = given(g, source), middle = g.tensor({2, 8}, data_type::s8, "any");
        const tensor_id out = bytes(g, result);
        g.operation(primitive_kind::convolution, {image}, {middle}).accepts({"a"}, {"ab"});
        g.operation(primitive_kind::convolution, {middle}, {out}).accepts({"ba"}, {"a"});
        return g;
    };
    CHECK(peak(make(1, 3)) == 16 + 16);
    CHECK(peak(make(17, 3)) == 17 + 16);  // the source is no longer there when its result is reordered
    CHECK(peak(make(1, 17)) == 16 + 17);  // the first form is no longer there when the second is read
}

TEST_CASE("memory_peak: in place the result takes over the memory of its source") {
    const auto make = [](bool in_place) {
        large_graph g = chain({1, 10});
        auto last = run(g, {1}, bytes(g, 10));
        if (in_place) last.in_place();
        return g;
    };
    CHECK(peak(make(false)) == 20);
    CHECK(peak(make(true)) == 1 + 10);
}

TEST_CASE("memory_peak: a constant takes memory until the end, in the forms that are read") {
    large_graph g;
    const tensor_id image = given(g, 1), weights = g.constant({2, 8}, data_type::s8, "ab"), middle = bytes(g, 2);
    g.operation(primitive_kind::convolution, {image, weights}, {middle}).accepts({"a", "ba"}, {"a"});
    CHECK(peak(g) == 1 + 16 + 2);
    run(g, middle, bytes(g, 100));
    CHECK(peak(g) == 16 + 2 + 100);
    large_graph unread;
    static_cast<void>(unread.constant({100}, data_type::s8, "a"));
    CHECK(peak(unread) == 0);
}

TEST_CASE("memory_peak: a view takes no memory, and keeps its source until it is read for the last time") {
    large_graph g;
    const tensor_id image = given(g, 10), made = bytes(g, 20), seen = bytes(g, 20);
    run(g, image, made);
    g.reshape(made, seen);
    CHECK(peak(g) == 10 + 20);
    run(g, seen, bytes(g, 50));
    CHECK(peak(g) == 20 + 50);
}

TEST_CASE("memory_peak: a concatenation takes memory from when its first part is made, and its parts take none") {
    large_graph g;
    const tensor_id image = given(g, 1), a = bytes(g, 8), middle = bytes(g, 100), b = bytes(g, 8);
    const tensor_id whole = bytes(g, 16), out = bytes(g, 3);
    run(g, image, a);
    run(g, image, middle);
    run(g, middle, b);
    g.concatenate({a, b}, 0, whole);
    run(g, whole, out);
    CHECK(peak(g) == 1 + 16 + 100);
}

}}  // namespace test_graph_memory_peak
