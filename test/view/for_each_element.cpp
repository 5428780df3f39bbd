#include <plait/view/for_each_element.hpp>

#include <plait/algebra/index_digits.hpp>

#include "laws/many_layouts.hpp"
#include "view/view_cases.hpp"

#include <algorithm>

namespace test_view_for_each_element { namespace {

using namespace plait;
using namespace plait::detail;
using plait::formats::ba;
using namespace plait_test;

template <padding Pads, class View>
std::vector<dim_t> visited_offsets(const View& v) {
    std::vector<dim_t> out;
    for_each_element<Pads>(v, [&](const auto& x) { out.push_back(&x - v.data()); });
    return out;
}

/// Returns the offsets of all elements in the order of memory, computed from all positions.
std::vector<dim_t> sorted_offsets(const layout& l, padding pads) {
    std::vector<dim_t> out = pads == padding::left_out ? logical_offsets(l) : std::vector<dim_t>();
    for (dim_t i = 0; pads == padding::included && i < l.padded_volume(); ++i) out.push_back(l.padded_linear_offset(i));
    std::sort(out.begin(), out.end());
    return out;
}

/// True if an axis of several digits runs backwards, and ends inside one of them.
bool ends_backwards(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a) {
        const digit_list digits = digits_of_axis(l, a);
        bool backwards = false;
        for (const digit& d : digits) backwards = backwards || d.stride < 0;
        if (backwards && digits.size() > 1 && volume_of(digits) != l.dims[a]) return true;
    }
    return false;
}

/// Checks that each element is visited once, in the order of memory. The order is not checked if elements share
/// places, if the digits do not nest, or if an axis ends inside a backwards digit.
template <padding Pads, class View>
bool visits_each_once(const View& v) {
    const layout l = v.plain_layout();
    std::vector<dim_t> visited = visited_offsets<Pads>(v);
    if (!steps_over_the_inside(l) || ends_backwards(l)) std::sort(visited.begin(), visited.end());
    return visited == sorted_offsets(l, Pads);
}

template <layout L>
bool visits_static_layouts() {
    constexpr layout l = L;
    std::vector<char> data = numbered<char>(l);
    data.push_back(0);
    const tensor_view known(data.data(), layout_constant<L>());
    const tensor_view bound(data.data(), bind(layout_constant<L>()));
    return visits_each_once<padding::left_out>(known) && visits_each_once<padding::included>(known) &&
           visits_each_once<padding::left_out>(bound) && visits_each_once<padding::included>(bound);
}

TEST_CASE("law: for_each_element visits each element of a static layout once, in the order of memory") {
    CHECK(cases_that_fail([]<layout L>() { return visits_static_layouts<L>(); }) == none_of_them);
}

TEST_CASE("law: for_each_element visits each element of a run-time layout once, in the order of memory") {
    const auto check = [](const layout& l) {
        std::vector<char> data = numbered<char>(l);
        data.push_back(0);
        const tensor_view v(data.data(), l);
        if (!visits_each_once<padding::left_out>(v) || !visits_each_once<padding::included>(v)) FAIL_CHECK(explain(l));
    };
    for (const dims& extents : {dims{5}, dims{2, 5}, dims{4, 4}, dims{2, 3, 5}})
        for (const layout& l : many_layouts(extents)) check(l);
    random_source random(51);
    for (int i = 0; i < 2000; ++i) check(random.small_layout());
}

TEST_CASE("for_each_element: can write elements, and works in constant expressions") {
    std::vector<int> data(nChw16c<1, 17, 2, 2>::value.element_span(), 1);
    const tensor_view v(data.data(), nChw16c<1, 17, 2, 2>());
    for_each_element(v, [](int& x) { x = 2; });
    CHECK(std::count(data.begin(), data.end(), 2) == 17 * 4);
    for_each_element<padding::included>(v, [](int& x) { x = 3; });
    CHECK(std::count(data.begin(), data.end(), 3) == 32 * 4);
    STATIC_CHECK([] {
        int numbers[6] = {1, 2, 3, 4, 5, 6}, sum = 0;
        for_each_element(tensor_view(+numbers, ba<2, 3>()), [&](int x) { sum = sum * 10 + x; });
        return sum;
    }() == 123456);
}

}}  // namespace test_view_for_each_element
