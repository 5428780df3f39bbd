#pragma once
// Static layouts for the tests of views, and unchecked access to elements by position.

#include "laws/layout_laws.hpp"

#include <plait/typed/bound_layout.hpp>
#include <plait/typed/formats.hpp>
#include <plait/view/tensor_view.hpp>

#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace plait_test {

/// The layouts that the tests use as types: plain, in blocks, in blocks of blocks, with tails, gaps, padding in front,
/// broadcast axes, axes that run backwards, parts of a block, and blocks whose sizes are not powers of two.
inline constexpr plait::layout static_cases[] = {
    plait::layout({7}, "a"),
    plait::layout({1, 1}, "ab"),
    plait::layout({2, 17, 3, 2}, "nChw16c"),
    plait::layout({2, 32, 3, 2}, "nChw16c"),
    plait::layout({17, 20, 2, 2}, "OIhw4i16o4i"),
    plait::layout({2, 18, 5, 2, 3}, "gOIhw8i8o"),
    plait::layout({5, 7}, "AB3a5b"),
    plait::layout({25, 7}, "Ab6a2a"),
    plait::layout({2, 3, 4}, plait::strides{40, 9, 2}),
    plait::layout({4, 3}, plait::strides{0, 1}),
    plait::layout({4, 3}, plait::strides{3, -1}),
    plait::layout({3, 4, 2}, plait::strides{-20, 2, -9}),
    plait::layout({2, 20}, "aB16b", plait::strides{40, -16}),
    by_hand({2, 3}, {2, 3}, {-16, 8}, {{1, 8}}, {}, 27),
    by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5),
    by_hand({2, 14}, {2, 24}, {8, 16}, {{1, 8}}, {0, 3}, 1),
    by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}}, {}, 11),
    by_hand({3, 2, 2}, {3, 2, 2}, {64, 64, 128}, {{0, 2}, {1, 4}, {0, 4}}),
    plait::layout({0, 3}, "ab"),
};
inline constexpr int static_case_count = static_cast<int>(std::size(static_cases));

/// Returns the numbers of the cases for which action.operator()<L>() is false.
template <class Action>
std::vector<int> cases_that_fail(Action action) {
    std::vector<int> out;
    [&]<int... I>(std::integer_sequence<int, I...>) {
        ((action.template operator()<static_cases[I]>() ? void() : out.push_back(I)), ...);
    }
    (std::make_integer_sequence<int, static_case_count>());
    return out;
}
inline const std::vector<int> none_of_them;

/// Returns v(at[0], at[1], ...), which is not checked.
template <class View>
auto& at_position(const View& v, const position& at) {
    constexpr int rank = plait::detail::layout_index<typename View::layout_in_type>::rank;
    const auto with_rank = [&]<int Rank>() -> auto& {
        return [&]<int... A>(std::integer_sequence<int, A...>)->auto& { return v(at.values[A]...); }
        (std::make_integer_sequence<int, Rank>());
    };
    if constexpr (rank >= 0) return with_rank.template operator()<rank>();
    else {
        switch (at.size()) {
            case 1: return with_rank.template operator()<1>();
            case 2: return with_rank.template operator()<2>();
            case 3: return with_rank.template operator()<3>();
            case 4: return with_rank.template operator()<4>();
            case 5: return with_rank.template operator()<5>();
            default: return with_rank.template operator()<6>();
        }
    }
}

/// Checks the law of views: v(p) is data[offset(p)] for each position.
template <class View>
bool is_the_layout(const View& v) {
    const layout l = v.plain_layout();
    if (l.volume() == 0) return true;
    position at = origin(l.ndims());
    do
        if (&at_position(v, at) != v.data() + l.offset(at) || &v.at(at) != &at_position(v, at)) return false;
    while (advance(at, l.dims));
    return true;
}

/// Returns the elements 0, 1, 2, ..., from offset 0 up to the last element of the layout.
template <class T>
std::vector<T> numbered(const layout& l) {
    std::vector<T> out(static_cast<std::size_t>(l.span_begin()) + l.element_span());
    std::iota(out.begin(), out.end(), T{});
    return out;
}

template <int N>
inline constexpr std::integral_constant<int, N> number{};

/// Views of one memory whose layout is static, partly static with the extents 2 and 4, and known at run time.
template <class Static, class PartlyStatic>
struct three_views {
    std::vector<float> data = numbered<float>(Static::value);
    plait::tensor_view<float, Static> known{data.data(), Static()};
    plait::tensor_view<float, plait::bound_layout<PartlyStatic::value>> bound{data.data(),
                                                                              plait::bind(PartlyStatic(), 2, 4)};
    plait::tensor_view<float, plait::layout> late{data.data(), Static::value};
};

}  // namespace plait_test
