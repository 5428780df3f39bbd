#include <plait/graph/graph_forms.hpp>

#include <doctest/doctest.h>

namespace test_graph_graph_forms {

using namespace plait;
using namespace plait::detail;

TEST_CASE("graph_forms: formats in the same memory are one form, for all tensors of the same extents") {
    large_graph g;
    const int nchw = g.number_of("nchw"), nhwc = g.number_of("nhwc"), blocks = g.number_of("nChw16c");
    const int pixel = g.tensor({1, 16, 1, 1}, data_type::f32, "any").number;
    const int image = g.tensor({1, 16, 2, 2}, data_type::f32, "any").number;
    const int bytes = g.tensor({1, 16, 2, 2}, data_type::u8, "any").number;
    graph_forms forms(g);
    CHECK(forms.size() == 0);  // forms are made when they are first needed
    CHECK(forms.form(g, pixel, nchw) == forms.form(g, pixel, nhwc));
    CHECK(forms.form(g, pixel, nchw) == forms.form(g, pixel, blocks));
    CHECK(forms.form(g, image, nchw) != forms.form(g, image, nhwc));
    CHECK(forms.form(g, image, nhwc) == forms.form(g, image, blocks));
    CHECK(forms.form(g, image, nchw) != forms.form(g, pixel, nchw));
    CHECK(forms.form(g, image, nchw) == forms.form(g, bytes, nchw));
    CHECK(forms.size() == 3);
    CHECK(forms.layouts() == 0);
}

TEST_CASE("graph_forms: a form has its span, the elements that are moved, and the innermost axis") {
    large_graph g;
    const int image = g.tensor({1, 17, 2, 2}, data_type::f32, "nChw16c").number;
    const int rows = g.tensor(layout({1, 16, 2, 2}, strides{256, 8, 4, 1}), data_type::f32).number;
    const int apart = g.tensor(layout({3}, strides{2}), data_type::f32).number;
    graph_forms forms(g);
    const graph_form blocked = forms[forms.form(g, image, g.tensors[image].format)];
    CHECK(blocked.span == 32 * 4);
    CHECK(blocked.moved == 32 * 4);
    CHECK(blocked.inner_axis == 1);
    CHECK(blocked.inner_run == 16);
    CHECK(blocked.place == -1);
    const graph_form with_gaps = forms[forms.form(g, rows, g.tensors[rows].format)];
    CHECK(with_gaps.span == 15 * 8 + 4 + 1 + 1);
    CHECK(with_gaps.moved == 64);
    CHECK(with_gaps.inner_axis == 3);
    CHECK(with_gaps.inner_run == 2);
    const graph_form no_run = forms[forms.form(g, apart, g.tensors[apart].format)];
    CHECK(no_run.span == 5);
    CHECK(no_run.moved == 3);
    CHECK(no_run.inner_axis == -1);
    CHECK(no_run.inner_run == 1);
}

TEST_CASE("graph_forms: a form of other extents, or of 2^61 elements or more, is refused") {
    large_graph g;
    const int most = g.tensor({most_cost - 1}, data_type::u8, "a").number;
    const int larger = g.tensor({most_cost}, data_type::u8, "a").number;
    const int overflows = g.tensor({dim_t{1} << 40, dim_t{1} << 40}, data_type::u8, "ab").number;
    const int given = g.tensor(layout({2}, strides{3}), data_type::u8).number;
    graph_forms forms(g);
    CHECK(forms.form(g, most, 0) >= 0);
    for (int twice = 0; twice < 2; ++twice) {  // the second result is the stored one
        CHECK(forms.form(g, larger, 0) == -1);
        CHECK(forms.form(g, overflows, 1) == -1);
    }
    const int layout_of_given = g.tensors[given].format;
    CHECK(forms.form(g, given, layout_of_given) >= 0);
    CHECK(forms.form(g, most, layout_of_given) == -1);
    CHECK(forms.number_of(g, given, layout({2}, strides{most_cost})) == -1);
    // With stride 0 the span is 1 element, but the padded volume is checked too.
    CHECK(forms.number_of(g, most, layout({most_cost - 1}, strides{0})) >= 0);
    CHECK(forms.number_of(g, larger, layout({most_cost}, strides{0})) == -1);
}

TEST_CASE("graph_forms: the number of a layout is that of a format in the same memory, else the next free number") {
    large_graph g;
    const dims shape{1, 16, 2, 2};
    const int image = g.tensor(shape, data_type::f32, "nchw").number;
    static_cast<void>(g.permute_axes({image}, {0, 1, 2, 3}, g.tensor(shape, data_type::f32, "nhwc")));
    graph_forms forms(g);
    layout shifted(shape, "nhwc");
    shifted.offset0 = 7;
    CHECK(forms.number_of(g, image, layout(shape, "nchw")) == 0);
    CHECK(forms.number_of(g, image, shifted) ==
          1);  // the shift does not count, because the pointer can be moved instead
    CHECK(forms.number_of(g, image, layout(shape, "nChw16c")) == 1);
    CHECK(forms.layouts() == 0);
    layout rows(shape, strides{256, 8, 4, 1});
    rows.offset0 = 5;
    CHECK(forms.number_of(g, image, rows) == max_graph_formats);
    CHECK(forms.number_of(g, image, layout(shape, "chwn")) == 0);  // the same memory as nchw, because n is 1
    CHECK(forms.number_of(g, image, layout(shape, "nhcw")) == max_graph_formats + 1);
    CHECK(forms.number_of(g, image, rows) == max_graph_formats);
    CHECK(forms.layouts() == 2);
    CHECK(forms.layout_at(max_graph_formats) == layout(shape, strides{256, 8, 4, 1}));  // moved to offset 0
    CHECK(forms.layout_at(max_graph_formats + 1) == layout(shape, "nhcw"));
}

TEST_CASE("graph_forms: a copy for a port of a concatenation is a form of its own") {
    large_graph g;
    const int image = g.tensor({1, 16, 2, 2}, data_type::f32, "nchw").number;
    graph_forms forms(g);
    const int shared = forms.form(g, image, 0);
    const int first = forms.copy_for(shared, 4), second = forms.copy_for(shared, 5);
    CHECK(first != shared);
    CHECK(first != second);
    CHECK(forms.copy_for(shared, 4) == first);
    CHECK(forms[first].place == 4);
    CHECK(forms[first].canonical == forms[shared].canonical);
    CHECK(forms[first].span == forms[shared].span);
    CHECK(forms.form(g, image, 0) == shared);
    CHECK(forms.size() == 3);
}

TEST_CASE("graph_forms: a reorder moves runs of 64 bytes or more, shorter pieces, or transposes") {
    large_graph g;
    const int image = g.tensor({1, 64, 56, 56}, data_type::f32, "any").number;
    const auto number = [&](const format_tag& tag) { return g.number_of(tag); };
    const int nchw = number("nchw"), nhwc = number("nhwc"), by_16 = number("nChw16c"), by_8 = number("nChw8c");
    graph_forms forms(g);
    const auto form = [&](int format) { return forms.form(g, image, format); };
    CHECK(forms.class_of(form(nhwc), form(by_16), 32) == reorder_class::runs);  // 16 elements of 4 bytes
    CHECK(forms.class_of(form(nhwc), form(by_16), 16) == reorder_class::pieces);
    CHECK(forms.class_of(form(by_16), form(by_8), 32) == reorder_class::pieces);  // 8 elements of 4 bytes
    CHECK(forms.class_of(form(by_16), form(by_8), 64) == reorder_class::runs);
    CHECK(forms.class_of(form(nchw), form(nhwc), 32) == reorder_class::transposition);
    for (const int a : {nchw, nhwc, by_16, by_8})
        for (const int b : {nchw, nhwc, by_16, by_8})
            CHECK(forms.class_of(form(a), form(b), 32) == forms.class_of(form(b), form(a), 32));
    CHECK(forms.cost(32, false, form(nhwc), form(by_16), {}) == 2 * 802'816);
}

TEST_CASE("graph_forms: the cost of a reorder is weighed by its class, shared by runs, and rounded up") {
    large_graph g;
    const int image = g.tensor({1, 17, 2, 2}, data_type::s8, "any").number;
    const int nchw = g.number_of("nchw"), nhwc = g.number_of("nhwc"), by_8 = g.number_of("nChw8c");
    const int large = g.tensor({dim_t{1} << 29, dim_t{1} << 29}, data_type::s8, "any").number;
    const int ab = g.number_of("ab"), ba = g.number_of("ba");
    graph_forms forms(g);
    const int a = forms.form(g, image, nchw), b = forms.form(g, image, nhwc), c = forms.form(g, image, by_8);
    const cost_options options{.percent = {100, 133, 101}, .runs = 5};
    CHECK(forms.cost(8, false, a, a, options) == 0);
    CHECK(forms.cost(8, false, a, b, options) == 138);  // 136 * 1.01 = 137.36
    CHECK(forms.cost(8, false, b, c, options) == 219);  // (68 + 96) * 1.33 = 218.12
    CHECK(forms.cost(8, true, a, b, options) == 28);    // 138 / 5 = 27.6
    CHECK(forms.cost(8, true, a, b, {}) == 0);
    // 2 * 2^58 elements of 2 bytes are 2^60 bytes. Of 4 bytes they are 2^61, which is too much.
    const int x = forms.form(g, large, ab), y = forms.form(g, large, ba);
    CHECK(forms.cost(16, false, x, y, {}) == dim_t{1} << 60);
    CHECK(forms.cost(4, false, a, b, {}) == 34 + 34);  // 68 elements of 4 bits on both sides
    CHECK(forms.cost(1, false, a, b, {}) == 9 + 9);
    CHECK(forms.cost(32, false, x, y, {}) == -1);
    CHECK(forms.cost(16, false, x, y, {.percent = {100, 100, 200}}) == -1);
    CHECK(forms.cost(1 << 30, false, x, y, {}) == -1);
}

}  // namespace test_graph_graph_forms
