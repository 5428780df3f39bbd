#include <plait/graph/graph_forms.hpp>

#include <doctest/doctest.h>

namespace test_graph_graph_forms {

using namespace plait;
using namespace plait::detail;

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

TEST_CASE("graph_forms: the cost of a reorder counts bits, and is refused from 2^61 on") {
    large_graph g;
    const int image = g.tensor({1, 17, 2, 2}, data_type::s8, "any").number;
    const int nchw = g.number_of("nchw"), nhwc = g.number_of("nhwc");
    const int large = g.tensor({dim_t{1} << 29, dim_t{1} << 29}, data_type::s8, "any").number;
    const int ab = g.number_of("ab"), ba = g.number_of("ba");
    graph_forms forms(g);
    const int a = forms.form(g, image, nchw), b = forms.form(g, image, nhwc);
    CHECK(forms.cost(4, false, a, b, {}) == 34 + 34);  // 68 elements of 4 bits on both sides
    CHECK(forms.cost(1, false, a, b, {}) == 9 + 9);
    // 2 * 2^58 elements of 2 bytes are 2^60 bytes. Of 4 bytes they are 2^61, which is too much.
    const int x = forms.form(g, large, ab), y = forms.form(g, large, ba);
    CHECK(forms.cost(16, false, x, y, {}) == dim_t{1} << 60);
    CHECK(forms.cost(32, false, x, y, {}) == -1);
    CHECK(forms.cost(16, false, x, y, {.percent = {100, 100, 200}}) == -1);
    CHECK(forms.cost(1 << 30, false, x, y, {}) == -1);
}

}  // namespace test_graph_graph_forms
