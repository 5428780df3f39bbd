// Compares the choice for ResNet-50 and MobileNet-V2 with the propagation that the specification describes: each
// convolution takes the formats that are best for it alone, and all other operations follow their first source. The
// convolutions are those of data/convolution_shapes.csv.
#include <plait/graph/choose_formats.hpp>

#include "graph/exhaustive.hpp"
#include "support/test_data.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace test_graph_networks { namespace {

using namespace plait;

/// A line of data/convolution_shapes.csv: extents, strides, padding on each side, groups.
struct convolution_shape {
    dim_t n = 0, ic = 0, ih = 0, iw = 0, oc = 0, oh = 0, ow = 0, kh = 0, kw = 0, sh = 0, sw = 0, ph = 0, pw = 0,
          groups = 0;
    dims source() const { return {n, ic, ih, iw}; }
    dims result() const { return {n, oc, oh, ow}; }
    dims weights() const { return {oc, ic / groups, kh, kw}; }
    bool is_depthwise() const { return groups > 1 && groups == ic && groups == oc; }
};
using convolution_shapes = std::map<std::string, convolution_shape>;

/// Returns the convolutions of one network by name. If `order` is not null, it gets their names in the order of the
/// lines.
convolution_shapes read_shapes(const std::string& network, std::vector<std::string>* order = nullptr) {
    std::ifstream file(plait_test::data_folder() + "/convolution_shapes.csv");
    convolution_shapes out;
    std::string line, of, name, number;
    std::getline(file, line);
    REQUIRE(line == "network,name,n,ic,ih,iw,oc,oh,ow,kh,kw,sh,sw,ph,pw,groups");
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::getline(words, of, ',');
        std::getline(words, name, ',');
        if (of != network) continue;
        convolution_shape& s = out[name];
        for (dim_t* field :
             {&s.n, &s.ic, &s.ih, &s.iw, &s.oc, &s.oh, &s.ow, &s.kh, &s.kw, &s.sh, &s.sw, &s.ph, &s.pw, &s.groups}) {
            REQUIRE(std::getline(words, number, ','));
            *field = std::stoll(number);
        }
        REQUIRE(words.eof());
        if (order != nullptr) order->push_back(name);
    }
    return out;
}

/// Builds a network of f32 for one image. The cost of a kernel is an assumption: the bytes that could be moved during
/// its multiplications. 1x1 kernels are a little faster on nhwc; depthwise and all other kernels on blocks of 16
/// channels.
struct builder {
    convolution_shapes shapes;
    large_graph g;
    std::size_t used = 0;  ///< the number of shapes that are in the network
    tensor_id open(const dims& shape) { return g.tensor(shape, data_type::f32, "any"); }
    const dims& shape_of(tensor_id t) const { return g.tensors[t.number].dims; }
    bool has(const std::string& name) const { return shapes.count(name) != 0; }

    tensor_id convolve(tensor_id source, const std::string& name) {
        INFO(name);
        REQUIRE(has(name));
        ++used;
        const convolution_shape& s = shapes.at(name);
        // Each convolution reads the result of the one before it.
        REQUIRE(s.source() == shape_of(source));
        const tensor_id w = g.constant(s.weights(), data_type::f32, "oihw"), result = open(s.result());
        const dim_t work = volume(s.result()) * s.weights()[1] * s.kh * s.kw;
        auto added = g.operation(primitive_kind::convolution, {source, w}, {result});
        if (s.ic == 3)
            return added.accepts({"nhwc", "hwio"}, {"nhwc"}, work / 8)
                       .accepts({"nhwc", "Ohwi16o"}, {"nChw16c"}, work / 12),
                   result;
        const dim_t plain = s.is_depthwise() ? work / 4 : s.kh == 1 ? work / 33 : work / 24;
        const dim_t blocks = s.is_depthwise() ? work / 8 : work / 32;
        if (s.is_depthwise())
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

builder begin(const std::string& network) {
    builder out;
    out.shapes = read_shapes(network);
    return out;
}

large_graph resnet50() {
    builder b = begin("resnet50");
    tensor_id x = b.relu(b.convolve(b.g.tensor({1, 3, 224, 224}, data_type::f32, "nchw"), "conv1"));
    x = b.pool(x, {1, 64, 56, 56});
    for (int stage = 1; stage <= 4; ++stage)
        for (int i = 0;; ++i) {
            const std::string block = "layer" + std::to_string(stage) + '.' + std::to_string(i);
            if (!b.has(block + ".conv1")) break;
            const tensor_id y = b.relu(b.convolve(x, block + ".conv1"));
            const tensor_id z = b.convolve(b.relu(b.convolve(y, block + ".conv2")), block + ".conv3");
            x = b.relu(b.add(z, i == 0 ? b.convolve(x, block + ".downsample") : x));
        }
    b.finish(x);
    REQUIRE(b.used == b.shapes.size());
    return b.g;
}

large_graph mobilenet_v2() {
    builder b = begin("mobilenet_v2");
    tensor_id x = b.relu(b.convolve(b.g.tensor({1, 3, 224, 224}, data_type::f32, "nchw"), "conv1"));
    for (int i = 1; b.has("block" + std::to_string(i) + ".depthwise"); ++i) {
        const std::string block = "block" + std::to_string(i);
        tensor_id y = b.has(block + ".expand") ? b.relu(b.convolve(x, block + ".expand")) : x;
        y = b.convolve(b.relu(b.convolve(y, block + ".depthwise")), block + ".project");
        x = b.shape_of(y) == b.shape_of(x) ? b.add(y, x) : y;
    }
    b.finish(b.relu(b.convolve(x, "conv_last")));
    REQUIRE(b.used == b.shapes.size());
    return b.g;
}

/// Returns the choice of greedy propagation: each operation has the first of its cheapest alternatives, and an
/// operation that follows has the format in which its first source was made.
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
    int operations;
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
    CHECK(g.operations.size() == expected.operations);
    CHECK(chosen.bytes_moved() == expected.chosen_moves);
    CHECK(greedy_cost - kernels == expected.greedy_moves);
    CHECK(chosen.cost == expected.chosen);
    CHECK(greedy_cost == expected.greedy);
}

TEST_CASE("convolution shapes: the extents of ResNet-50 and MobileNet-V2 follow from kernel, stride and padding") {
    std::vector<std::string> names;
    dim_t weights = 0;
    for (const char* network : {"resnet50", "mobilenet_v2"})
        for (const auto& named : read_shapes(network, &names)) {
            INFO(network << ' ' << named.first);
            const convolution_shape& s = named.second;
            CHECK(s.oh == (s.ih + 2 * s.ph - s.kh) / s.sh + 1);
            CHECK(s.ow == (s.iw + 2 * s.pw - s.kw) / s.sw + 1);
            CHECK(s.ic % s.groups == 0);
            CHECK(s.oc % s.groups == 0);
            CHECK((s.groups == 1 || s.is_depthwise()));
            weights += volume(s.weights());
        }
    CHECK(names.size() == 53 + 52);
    // The networks have 25,557,032 and 3,504,872 weights in all; these are the weights of the convolutions.
    CHECK(weights == 23'454'912 + 2'189'760);
}

TEST_CASE("choose_formats: ResNet-50 and MobileNet-V2 have least costs, and move fewer bytes than by greedy choice") {
    compare(resnet50(), {121, 1'204'224, 29'102'080, 135'137'792, 161'028'588});
    compare(mobilenet_v2(), {99, 1'204'224, 46'337'536, 13'134'064, 58'013'624});
}

}}  // namespace test_graph_networks
