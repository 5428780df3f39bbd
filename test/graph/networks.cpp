// ResNet-50 and MobileNet-V2 beside the propagation that the specification describes: each convolution takes the
// formats that are best for it alone, and the others follow their first source.
#include <plait/graph/choose_formats.hpp>

#include "graph/exhaustive.hpp"

#include <doctest/doctest.h>

using namespace plait;

namespace {

/// A network of f32 for one image. What a kernel costs is assumed, in bytes that could be moved meanwhile, from its
/// multiplications: 1x1 kernels are a little faster on nhwc, others and depthwise ones on blocks of 16 channels.
struct builder {
    large_graph g;
    tensor_id open(const dims& shape) { return g.tensor(shape, data_type::f32, "any"); }
    const dims& shape_of(tensor_id t) const { return g.tensors[t.number].dims; }

    tensor_id convolve(tensor_id source, dim_t channels, dim_t kernel, dim_t step, bool depthwise = false) {
        const dims from = shape_of(source);
        const dims to{1, channels, divide_up(from[2], step), divide_up(from[3], step)};
        const dims weights{channels, depthwise ? 1 : from[1], kernel, kernel};
        const tensor_id w = g.constant(weights, data_type::f32, "oihw"), result = open(to);
        const dim_t work = volume(to) * weights[1] * kernel * kernel;
        auto added = g.operation(primitive_kind::convolution, {source, w}, {result});
        if (from[1] == 3)
            return added.accepts({"nhwc", "hwio"}, {"nhwc"}, work / 8)
                       .accepts({"nhwc", "Ohwi16o"}, {"nChw16c"}, work / 12),
                   result;
        const dim_t plain = depthwise ? work / 4 : kernel == 1 ? work / 33 : work / 24;
        const dim_t blocks = depthwise ? work / 8 : work / 32;
        if (depthwise)
            added.accepts({"nhwc", "hwio"}, {"nhwc"}, plain).accepts({"nChw16c", "Oihw16o"}, {"nChw16c"}, blocks);
        else added.accepts({"nhwc", "hwio"}, {"nhwc"}, plain).accepts({"nChw16c", "OIhw16i16o"}, {"nChw16c"}, blocks);
        return result;
    }
    tensor_id follow(primitive_kind kind, tensor_id source) {
        const tensor_id result = open(shape_of(source));
        g.operation(kind, {source}, {result});
        return result;
    }
    tensor_id relu(tensor_id source) { return follow(primitive_kind::eltwise, source); }
    tensor_id pool(tensor_id source, const dims& to) {
        const tensor_id result = open(to);
        g.operation(primitive_kind::pooling, {source}, {result});
        return result;
    }
    tensor_id add(tensor_id a, tensor_id b) {
        const tensor_id result = open(shape_of(a));
        g.operation(primitive_kind::sum, {a, b}, {result});
        return result;
    }
    void finish(tensor_id last) {
        const tensor_id pooled = pool(last, {1, shape_of(last)[1], 1, 1});
        const tensor_id w = g.constant({1000, shape_of(last)[1], 1, 1}, data_type::f32, "oihw");
        g.operation(primitive_kind::inner_product, {pooled, w}, {g.tensor({1, 1000}, data_type::f32, "ab")})
            .accepts({"nchw", "oihw"}, {"ab"}, 64'000);
    }
};

large_graph resnet50() {
    builder b;
    tensor_id x = b.relu(b.convolve(b.g.tensor({1, 3, 224, 224}, data_type::f32, "nchw"), 64, 7, 2));
    x = b.pool(x, {1, 64, 56, 56});
    const int blocks[] = {3, 4, 6, 3};
    for (int stage = 0; stage < 4; ++stage)
        for (int i = 0; i < blocks[stage]; ++i) {
            const dim_t width = dim_t{64} << stage, step = stage > 0 && i == 0 ? 2 : 1;
            tensor_id y = b.relu(b.convolve(x, width, 1, 1));
            y = b.convolve(b.relu(b.convolve(y, width, 3, step)), 4 * width, 1, 1);
            x = b.relu(b.add(y, i == 0 ? b.convolve(x, 4 * width, 1, step) : x));
        }
    b.finish(x);
    return b.g;
}

large_graph mobilenet_v2() {
    builder b;
    tensor_id x = b.relu(b.convolve(b.g.tensor({1, 3, 224, 224}, data_type::f32, "nchw"), 32, 3, 2));
    const dim_t rows[][4] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                             {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    for (const auto& [wider, channels, times, first_step] : rows)
        for (dim_t i = 0; i < times; ++i) {
            const dim_t from = b.shape_of(x)[1], step = i == 0 ? first_step : 1;
            tensor_id y = wider == 1 ? x : b.relu(b.convolve(x, wider * from, 1, 1));
            y = b.convolve(b.relu(b.convolve(y, wider * from, 3, step, true)), channels, 1, 1);
            x = step == 1 && from == channels ? b.add(y, x) : y;
        }
    b.finish(b.relu(b.convolve(x, 1280, 1, 1)));
    return b.g;
}

/// The first of the cheapest alternatives of each operation by itself; one that follows has the format in which its
/// first source was made.
std::vector<int> propagate(const large_graph& g, plait_test::every_choice& judge) {
    std::vector<int> choice, made(static_cast<std::size_t>(g.tensors.size()));
    for (int t = 0; t < g.tensors.size(); ++t) made[static_cast<std::size_t>(t)] = judge.form_of_given(t);
    for (int i = 0; i < g.operations.size(); ++i) {
        const auto& list = judge.alternatives[static_cast<std::size_t>(i)];
        const bool follows = g.operations[i].first_alternative < 0;
        std::size_t best = 0;
        for (std::size_t a = 0; a < list.size(); ++a)
            if (follows ? list[a].forms[0] == made[static_cast<std::size_t>(g.tensor_at(i, 0))]
                        : list[a].cost < list[best].cost)
                best = a;
        choice.push_back(static_cast<int>(best));
        for (int p = g.operations[i].sources; p < g.operations[i].ports(); ++p)
            made[static_cast<std::size_t>(g.tensor_at(i, p))] = list[best].forms[static_cast<std::size_t>(p)];
    }
    return choice;
}

struct figures {
    dim_t chosen_moves, greedy_moves, chosen, greedy;
};

void compare(const large_graph& g, const figures& expected) {
    const auto chosen = choose_formats(g);
    plait_test::every_choice judge(g, {100, 100, 100}, 0);
    judge.prepare();
    const std::vector<int> greedy = propagate(g, judge);
    dim_t kernels = 0, chosen_kernels = 0;
    std::vector<int> mine;
    for (int i = 0; i < g.operations.size(); ++i) {
        mine.push_back(chosen.alternatives[i]);
        kernels += judge
                       .alternatives[static_cast<std::size_t>(i)]
                                    [static_cast<std::size_t>(greedy[static_cast<std::size_t>(i)])]
                       .cost;
        chosen_kernels += judge.alternatives[static_cast<std::size_t>(i)][static_cast<std::size_t>(mine.back())].cost;
    }
    const dim_t greedy_cost = judge.total(greedy);
    CHECK(chosen.is_optimal);
    CHECK(judge.total(mine) == chosen.cost);
    CHECK(chosen.cost < greedy_cost);
    CHECK(chosen.bytes_moved() == chosen.cost - chosen_kernels);
    CHECK(chosen.bytes_moved() < greedy_cost - kernels);
    // The figures of docs/design/formats.md.
    CHECK(chosen.bytes_moved() == expected.chosen_moves);
    CHECK(greedy_cost - kernels == expected.greedy_moves);
    CHECK(chosen.cost == expected.chosen);
    CHECK(greedy_cost == expected.greedy);
}

}  // namespace

TEST_CASE("choose_formats: ResNet-50 and MobileNet-V2, proved least, with fewer bytes moved than greedy propagation") {
    compare(resnet50(), {1'204'224, 29'102'080, 135'137'792, 161'028'588});
    compare(mobilenet_v2(), {1'204'224, 46'337'536, 13'134'064, 58'013'624});
}
