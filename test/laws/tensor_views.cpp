// The laws of views of many run-time layouts: v(p) is data[offset(p)] after every operation, and no access is outside
// the tensor's memory.

#include <plait/algebra/view.hpp>
#include "laws/hand_made_layouts.hpp"
#include "laws/many_layouts.hpp"
#include "laws/view_laws.hpp"
#include "support/fenced_memory.hpp"
#include "view/view_cases.hpp"

#include <plait/view/for_each_block.hpp>
#include <plait/view/for_each_element.hpp>
#include <plait/view/for_each_position.hpp>
#include <plait/view/view_slice.hpp>

namespace test_laws_tensor_views { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// True if made(where(p)) is v(p) for each position of v; `where` maps positions as the operation does.
template <class Made, class View, class Where>
bool moves(const Made& made, const View& v, Where where) {
    const layout l = v.plain_layout();
    if (made.plain_layout().volume() != l.volume() || !is_the_layout(made)) return false;
    if (l.volume() == 0) return true;
    position at = origin(l.ndims());
    do
        if (&at_position(made, where(at)) != &at_position(v, at)) return false;
    while (advance(at, l.dims));
    return true;
}

dim_t number_of(const dims& extents, const position& at) {
    dim_t number = 0;
    for (int a = 0; a < extents.size(); ++a) number = number * extents[a] + at[a];
    return number;
}

/// True if each operation, called once with random arguments, keeps the elements.
bool operations_keep_elements(const tensor_view<char, layout>& v, random_source& random) {
    const layout& l = v.layout();
    const permutation p = random.order(l.ndims());
    bool right = moves(permute_axes(v, p), v, [&](const position& at) { return permute_axes(at, p); }) &&
                 moves(rename_axes(v, p), v, [&](const position& at) { return permute_axes(at, inverse(p)); });
    if (l.volume() > 0 && check_view(l, dims{l.volume()}).ok())
        right = right && moves(view(v, dims{l.volume()}), v,
                               [&](const position& at) { return position{number_of(l.dims, at)}; });
    dims longer = l.dims;
    longer.push_back(1);
    if (check_reshape(l, longer).ok())
        right = right && moves(reshape(v, longer), v, [](position at) {
                    at.push_back(0);
                    return at;
                });
    return right;
}

/// Returns v.block(at[0], at[1], ...).
template <class View>
auto block_at_position(const View& v, const position& at) {
    return [&]<int... A>(std::integer_sequence<int, A...>) { return v.block(at.values[A]...); }
    (std::make_integer_sequence<int, layout_index<typename View::layout_in_type>::rank>());
}

/// True if all ways to access the elements give equal sums.
template <class View>
bool reads_within(const View& v) {
    unsigned by_element = 0, by_position = 0, by_index = 0;
    for_each_element(v, [&](const auto& x) { by_element += static_cast<unsigned char>(x); });
    for_each_position(v, [&](const position& at, const auto& x) {
        by_position += static_cast<unsigned char>(x);
        by_index += static_cast<unsigned char>(at_position(v, at));
    });
    if constexpr (has_block_runs<typename View::layout_in_type>) {
        unsigned everything = 0, by_block = 0, by_block_index = 0;
        for_each_element<padding::included>(v, [&](const auto& x) { everything += static_cast<unsigned char>(x); });
        for_each_block<padding::included>(v, [&](const position& at, auto elements, const dims&) {
            for (const auto& x : elements) by_block += static_cast<unsigned char>(x);
            for (const auto& x : block_at_position(v, at)) by_block_index += static_cast<unsigned char>(x);
        });
        if (everything != by_block || everything != by_block_index) return false;
    }
    return by_element == by_position && by_element == by_index;
}

/// Reads a view next to an inaccessible page, once before and once after the memory.
template <class L>
bool stays_inside(const L& l, const layout& plain) {
    for (const kernels::fence where : {kernels::fence::in_front, kernels::fence::behind}) {
        kernels::fenced_memory<char> memory(plain.element_span(), where);
        // The memory begins at span_begin(), so it has no place before the elements.
        if (!reads_within(tensor_view(memory.data() - plain.span_begin(), l))) return false;
    }
    return true;
}

template <layout L>
bool static_layouts_stay_inside() {
    constexpr layout l = L;
    if constexpr (l.volume() == 0 || l.span_begin() != 0) return true;
    else return stays_inside(layout_constant<L>(), l) && stays_inside(bind(layout_constant<L>()), l);
}

TEST_CASE("law at random: v(p) is data[offset(p)]") {
    random_source random(71);
    for (int i = 0; i < 3000; ++i)
        for (const layout& l : {random.small_layout(), hand_made_layout(random, 40)}) {
            std::vector<char> data = numbered<char>(l);
            data.push_back(0);
            if (!is_the_layout(tensor_view(data.data(), l))) FAIL_CHECK(explain(l));
        }
}

TEST_CASE("law at random: operations move no element in memory") {
    random_source random(72);
    for (int i = 0; i < 2000; ++i) {
        const layout l = random.small_layout();
        std::vector<char> data = numbered<char>(l);
        data.push_back(0);
        if (!operations_keep_elements(tensor_view(data.data(), l), random)) FAIL_CHECK(explain(l));
    }
}

TEST_CASE("law at random: a part has the elements from its first position on") {
    random_source random(73);
    int parts = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout l = random.small_layout();
        std::vector<char> data = numbered<char>(l);
        data.push_back(0);
        const tensor_view v(data.data(), l);
        dims extents;
        position first;
        for (int a = 0; a < l.ndims(); ++a) {
            first.push_back(random.between(0, l.dims[a]));
            extents.push_back(random.between(0, l.dims[a] - first[a]));
        }
        if (!check_submemory(l, extents, first).ok()) continue;
        ++parts;
        const auto part = submemory(v, extents, first);
        if (!is_the_layout(part)) FAIL_CHECK(explain(l));
        if (volume(extents) == 0) continue;
        position at = origin(l.ndims());
        do {
            position there = at;
            for (int a = 0; a < l.ndims(); ++a) there[a] += first[a];
            if (&at_position(part, at) != &at_position(v, there)) FAIL_CHECK(explain(l));
        } while (advance(at, extents));
    }
    CHECK(parts > 1000);
}

TEST_CASE("views: read nothing outside their memory") {
    CHECK(cases_that_fail([]<layout L>() { return static_layouts_stay_inside<L>(); }) == none_of_them);
    random_source random(74);
    for (int i = 0; i < 300; ++i) {
        layout l = random.small_layout();
        l.offset0 -= l.span_begin();
        if (l.volume() > 0 && !stays_inside(l, l)) FAIL_CHECK(explain(l));
    }
}

}}  // namespace test_laws_tensor_views
