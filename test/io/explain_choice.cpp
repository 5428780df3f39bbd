#include <plait/graph/graph_constant.hpp>
#include <plait/io/explain_choice.hpp>

#include <doctest/doctest.h>

namespace test_io_explain_choice {

using namespace plait;

TEST_CASE("explain a choice: lists operations with the cost of another layout, reorders, and the peak of memory") {
    large_graph g;
    const dims shape{1, 16, 2, 2};  // 256 bytes in any of the formats
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw");
    const tensor_id middle = g.tensor(shape, data_type::f32, "any");
    const tensor_id out = g.tensor(shape, data_type::f32, "nchw");
    g.operation(primitive_kind::convolution, {image}, {middle})
        .accepts({"nhwc"}, {"nhwc"}, 100)
        .accepts({"nchw"}, {"nchw"}, 1500);
    g.operation(primitive_kind::eltwise, {middle}, {out});
    const auto chosen = choose_formats(g);
    CHECK(chosen.cost == 100 + 2 * 512);
    CHECK(chosen.peak_bytes == 2 * 256);
    const std::string text = explain(g, chosen);
    const auto has = [&text](const char* part) { return text.find(part) != std::string::npos; };
    INFO(text);
    CHECK(has("cost      1124 bytes, the least there is with these formats: abcd, acdb\n"));
    CHECK(has("peak      512 bytes"));
    // A kernel in nchw needs no reorder: 1500 instead of 100 + 2 reorders of 512.
    CHECK(has("another layout: 376 bytes more"));
    CHECK(has("no other layout"));
    CHECK(has("512 bytes  before all"));
    CHECK(has("512 bytes  behind operation"));
}

TEST_CASE("explain a choice: the list of compared formats includes given layouts") {
    large_graph g;
    const tensor_id image = g.tensor(layout({2, 3}, strides{8, 1}), data_type::f32);
    g.operation(primitive_kind::eltwise, {image}, {g.tensor({2, 3}, data_type::f32, "ba")});
    const std::string text = explain(g, choose_formats(g));
    INFO(text);
    CHECK(text.find("the least there is with these formats: ba, 1 layout with strides\n") != std::string::npos);
}

TEST_CASE("explain a choice: views have no copy, and tensors and operations have the given names") {
    large_graph g;
    const tensor_id image = g.tensor({1, 16, 2, 2}, data_type::f32, "nchw");
    const tensor_id flat = g.tensor({1, 64}, data_type::f32, "any");
    g.reshape(image, flat);
    graph_names names;
    names.tensors = {"image"};
    names.operations = {"flatten"};
    const std::string text = explain(g, choose_formats(g), {}, names);
    INFO(text);
    CHECK(text.find("flatten  reshape of  image abcd 1x16x2x2 -> 1 ab 1x64  view  no copy\n") != std::string::npos);
}

TEST_CASE("explain a choice: zeros in padding have a line if they are written") {
    for (const padding_state given : {padding_state::unknown, padding_state::zero}) {
        large_graph g;
        const tensor_id image = g.tensor({1, 17, 4, 4}, data_type::f32, "nChw16c", given);
        const tensor_id out = g.tensor({1, 17, 4, 4}, data_type::f32, "any");
        g.operation(primitive_kind::convolution, {image}, {out}).accepts({"nChw16c"}, {"nChw16c"}).needs_zero_padding();
        const std::string text = explain(g, choose_formats(g));
        INFO(text);
        const bool unknown = given == padding_state::unknown;
        CHECK((text.find("padding of aBcd16b 1x17x4x4  960 bytes  before all") != std::string::npos) == unknown);
        CHECK((text.find("zeros") != std::string::npos) == unknown);
    }
}

TEST_CASE("explain a choice: the text for a constant graph equals that for its value") {
    constexpr graph g = [] {
        graph made;
        const tensor_id image = made.tensor({1, 16, 2, 2}, data_type::f32, "nchw");
        const tensor_id out = made.tensor({1, 16, 2, 2}, data_type::f32, "any");
        made.operation(primitive_kind::convolution, {image}, {out}).accepts({"nhwc"}, {"nhwc"}, 10);
        return made;
    }();
    CHECK(explain(g, choose_formats(graph_c<g>)) == explain(g, choose_formats(g)));
}

}  // namespace test_io_explain_choice
