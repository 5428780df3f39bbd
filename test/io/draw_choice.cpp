#include <plait/io/draw_choice.hpp>

#include <doctest/doctest.h>

#include <cstdio>

namespace test_io_draw_choice { namespace {

using namespace plait;
using namespace plait::detail;

struct rectangle {
    int x = 0, y = 0, width = 0, height = 0;
};

/// Returns the boxes of a picture, without the background.
std::vector<rectangle> boxes_of(const std::string& svg) {
    std::vector<rectangle> out;
    for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1)) {
        char style[20];
        rectangle r;
        if (std::sscanf(svg.c_str() + at, "<rect class=\"%19[a-z]\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"",
                        style, &r.x, &r.y, &r.width, &r.height) == 5)
            out.push_back(r);
    }
    return out;
}
int overlaps_in(const std::vector<rectangle>& boxes) {
    int count = 0;
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            count += boxes[a].x < boxes[b].x + boxes[b].width && boxes[b].x < boxes[a].x + boxes[a].width &&
                     boxes[a].y < boxes[b].y + boxes[b].height && boxes[b].y < boxes[a].y + boxes[a].height;
    return count;
}
/// Returns the number of vertical parts of arrows that cross a box.
int arrows_in(const std::string& svg, const std::vector<rectangle>& boxes) {
    int count = 0, x = 0, from = 0, to = 0;
    for (std::size_t at = svg.find("d=\"M"); at != std::string::npos; at = svg.find("d=\"M", at + 1)) {
        if (std::sscanf(svg.c_str() + at, "d=\"M%d %d V%d", &x, &from, &to) != 3) continue;
        for (const rectangle& b : boxes)
            count += x > b.x && x < b.x + b.width && from < b.y + b.height && to > b.y && from != b.y + b.height;
    }
    return count;
}
int count_in(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// Returns a graph with a chain of kernels, a branch that skips all of them, and a view of their sum.
large_graph network() {
    large_graph g;
    const dims shape{1, 16, 4, 4};
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw");
    tensor_id before = image;
    for (int i = 0; i < 3; ++i) {
        const tensor_id after = g.tensor(shape, data_type::f32, "any");
        const tensor_id weights = g.constant({16, 16, 3, 3}, data_type::f32, "oihw");
        g.operation(primitive_kind::convolution, {before, weights}, {after})
            .accepts({"nhwc", "hwio"}, {i == 1 ? format_tag("nchw") : format_tag("nhwc")});
        before = after;
    }
    const tensor_id sum = g.tensor(shape, data_type::f32, "any"), flat = g.tensor({1, 256}, data_type::f32, "any");
    g.operation(primitive_kind::sum, {before, image}, {sum}).accepts({"nhwc", "nhwc"}, {"nchw"});
    g.reshape(sum, flat);
    return g;
}

TEST_CASE("draw a choice: each tensor, operation and reorder has a box, and no box overlaps another or an arrow") {
    const large_graph g = network();
    const auto chosen = choose_formats(g);
    const std::string svg = draw(g, chosen);
    INFO(svg);
    const std::vector<rectangle> boxes = boxes_of(svg);
    CHECK(static_cast<int>(boxes.size()) == g.tensors.size() + g.operations.size() + chosen.reorders.size());
    CHECK(overlaps_in(boxes) == 0);
    CHECK(arrows_in(svg, boxes) == 0);
    CHECK(count_in(svg, "class=\"reorder\"") == chosen.reorders.size());
    CHECK(count_in(svg, "class=\"view\"") == 1);
    CHECK(count_in(svg, "no copy") == 1);
    for (const graph_reorder& r : chosen.reorders) CHECK(count_in(svg, grouped(r.bytes, "byte")) > 0);
    CHECK(count_in(svg, ">" + grouped(chosen.cost, "byte") + ", the least there is; ") ==
          2);  // in the title and in the heading
    CHECK(count_in(svg, "prefers-color-scheme: dark") == 1);
    CHECK(draw(network(), choose_formats(network())) == svg);
}

TEST_CASE("draw a choice: an operation named like its kind has the name once, and numbers have separators") {
    const large_graph g = network();
    graph_names names;
    names.operations = {"convolution", "second", "", "sum"};
    const std::string svg = draw(g, choose_formats(g), names);
    CHECK(count_in(svg, ">convolution<") == 1);
    CHECK(count_in(svg, ">convolution second<") == 1);
    CHECK(count_in(svg, ">convolution 2<") == 1);
    CHECK(count_in(svg, ">sum<") == 1);
    large_graph wide;
    const tensor_id from = wide.tensor({1, 64, 56, 56}, data_type::f32, "nchw");
    const tensor_id to = wide.tensor({1, 64, 56, 56}, data_type::f32, "nhwc");
    wide.operation(primitive_kind::eltwise, {from}, {to}).accepts({"nhwc"}, {"nhwc"});
    CHECK(count_in(draw(wide, choose_formats(wide)), "1,605,632 bytes") >= 2);  // 200,704 f32 read and written
}

TEST_CASE("draw a choice: special characters in names are escaped or replaced") {
    const large_graph g = network();
    graph_names names;
    names.tensors = {"<b> & \"c\"\n", "\xEF\xBF\xBF|\xEF\xBF\xBE|\xEF\xBF\xBD"};  // U+FFFF, U+FFFE, U+FFFD
    const std::string svg = draw(g, choose_formats(g), names);
    CHECK(count_in(svg, "tensor &lt;b&gt; &amp; &quot;c&quot; ") == 1);
    CHECK(count_in(svg, "<b>") == 0);
    CHECK(count_in(svg, "tensor  | |\xEF\xBF\xBD") == 1);  // the first two are not valid in XML
}

}}  // namespace test_io_draw_choice
