#include <plait/engine/quantize/values_of_rows.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace test_engine_quantize_values_of_rows { namespace {

using namespace plait;
using namespace plait::engine;

struct node {
    int axis;
    dim_t extent, step, index_step;
};

/// Returns the values that take() must write, by division of each number; beyond an end, neutral values. Nodes along
/// which the value stays the same pass no end.
std::vector<float> one_by_one(const std::vector<node>& nodes, const float* array, const dim_t* left, int axes,
                              dim_t count) {
    std::vector<float> out;
    for (dim_t number = 0; number < count; ++number) {
        dim_t remaining = number, place = 0, at[4]{};
        for (const node& n : nodes) {
            place += remaining % n.extent * n.step;
            if (n.step != 0) at[n.axis] += remaining % n.extent * n.index_step;
            remaining /= n.extent;
        }
        bool is_there = true;
        for (int a = 0; left != nullptr && a < axes; ++a) is_there = is_there && at[a] < left[a];
        out.push_back(is_there ? array[place] : 1.0f);
    }
    return out;
}

TEST_CASE("values_of_rows: each value has the place of its number, for random nodes, ends and counts") {
    std::mt19937 random(20221124);
    const auto below = [&](int n) { return static_cast<dim_t>(random() % static_cast<unsigned>(n)); };
    std::vector<float> array(500000);
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = static_cast<float>(i) + 2;
    int cut = 0, lines = 0, joined = 0;
    for (int question = 0; question < 3000; ++question) {
        std::vector<node> nodes;
        values_of_rows which;
        dim_t reach[4]{1, 1, 1, 1};
        const dim_t count = 1 + below(4);
        for (dim_t k = 0; k < count; ++k) {
            // Nodes of an axis count its index: one continues at the end of the previous one, or after a gap.
            const int axis = static_cast<int>(below(3));
            const dim_t index_step = below(4) == 0 ? 2 * reach[axis] : reach[axis];
            node n{axis, 1 + below(k == 0 ? 40 : 6), below(3) == 0 ? 1 : below(50), index_step};
            if (k > 0 && below(3) == 0) n.step = nodes.back().extent * nodes.back().step;  // goes on
            reach[axis] = index_step * n.extent;
            nodes.push_back(n);
        }
        lines += nodes.size() > 1 && nodes[1].axis != nodes[0].axis ? 1 : 0;
        dim_t left[4];
        for (int a = 0; a < 4; ++a) left[a] = below(8) == 0 ? below(3) - 1 : 1 + below(static_cast<int>(reach[a]) + 3);
        const bool ends = below(3) != 0;
        which.axes = 4;
        which.axis_remaining = ends ? left : nullptr;
        for (const node& n : nodes) which.add(n.axis, n.extent, n.step, n.index_step);
        joined += which.nodes < static_cast<int>(nodes.size()) ? 1 : 0;
        if (below(3) == 0) which.count = 1 + below(static_cast<int>(which.count));
        const std::vector<float> expected = one_by_one(nodes, array.data(), which.axis_remaining, 4, which.count);
        cut += ends ? 1 : 0;
        std::vector<float> found(expected.size() + 1, -1.0f);
        which.take(found.data(), array.data());
        CHECK(found.back() == -1.0f);
        found.pop_back();
        CHECK(found == expected);
    }
    CHECK(cut > 1000);
    CHECK(lines > 1000);
    CHECK(joined > 300);
}

}}  // namespace test_engine_quantize_values_of_rows
