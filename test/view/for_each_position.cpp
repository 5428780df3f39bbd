#include <plait/view/for_each_position.hpp>

#include "laws/random_layouts.hpp"
#include "view/view_cases.hpp"

namespace test_view_for_each_position { namespace {

using namespace plait;
using namespace plait_test;

template <class View>
bool visits_in_logical_order(const View& v) {
    const layout l = v.plain_layout();
    bool right = true;
    dim_t number = 0;
    for_each_position(v, [&](const position& at, const auto& x) {
        right = right && number < l.volume() && at == unravel(l.dims, number) && &x - v.data() == l.offset(at);
        ++number;
    });
    return right && number == l.volume();
}

template <layout L>
bool visits_static_layouts() {
    constexpr layout l = L;
    std::vector<char> data = numbered<char>(l);
    data.push_back(0);
    return visits_in_logical_order(tensor_view(data.data(), layout_constant<L>())) &&
           visits_in_logical_order(tensor_view(data.data(), bind(layout_constant<L>()))) &&
           visits_in_logical_order(tensor_view(data.data(), l));
}

TEST_CASE("law: for_each_position visits every position in row-major order") {
    CHECK(cases_that_fail([]<layout L>() { return visits_static_layouts<L>(); }) == none_of_them);
    random_source random(61);
    for (int i = 0; i < 1000; ++i) {
        const layout l = random.small_layout();
        std::vector<char> data(static_cast<std::size_t>(l.span_begin()) + l.element_span() + 1);
        if (!visits_in_logical_order(tensor_view(data.data(), l))) FAIL_CHECK(explain(l));
    }
}

}}  // namespace test_view_for_each_position
