#include <plait/typed/static_index.hpp>

#include "view/view_cases.hpp"

namespace test_typed_static_index { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Returns layout_constant<L>::offset of a run-time position.
template <layout L>
dim_t offset_of(const position& at) {
    return [&]<int... A>(std::integer_sequence<int, A...>) { return layout_constant<L>::offset(at.values[A]...); }
    (std::make_integer_sequence<int, L.ndims()>());
}
template <layout L>
dim_t block_offset_of(const position& at) {
    return [&]<int... A>(std::integer_sequence<int, A...>) { return layout_constant<L>::block_offset(at.values[A]...); }
    (std::make_integer_sequence<int, L.ndims()>());
}

template <layout L>
bool elements_are_where_the_layout_says() {
    constexpr layout l = L;  // Clang 14 crashes on calls on parts of a template argument
    dim_t number = 0;
    for (position at = origin(l.ndims()); number < l.volume(); advance(at, l.dims), ++number)
        if (offset_of<L>(at) != l.offset(at) || layout_constant<L>::linear_offset(number) != l.linear_offset(number))
            return false;
    return true;
}
template <layout L>
bool blocks_are_where_the_layout_says() {
    constexpr layout l = L;
    dims blocks;
    for (int a = 0; a < l.ndims(); ++a) blocks.push_back(l.digits[a].extent);
    if (volume(blocks) == 0) return true;
    position at = origin(l.ndims());
    do
        if (block_offset_of<L>(at) != l.block_offset(at)) return false;
    while (advance(at, blocks));
    return true;
}

TEST_CASE("static_index: equals the layout's offsets at every position and number") {
    CHECK(cases_that_fail([]<layout L>() { return elements_are_where_the_layout_says<L>(); }) == none_of_them);
}

TEST_CASE("static_index: equals the offsets of all blocks, including padding") {
    CHECK(cases_that_fail([]<layout L>() { return blocks_are_where_the_layout_says<L>(); }) == none_of_them);
    const volatile int one = 1;
    CHECK(nChw16c<2, 17, 3, 2>::block_offset(one, one) == 2 * 96 + 96);
}

TEST_CASE("static_index: takes any integers, also in constant expressions") {
    using format = nChw16c<2, 17, 3, 2>;
    STATIC_CHECK(format::offset(1, 16, 2, 1) == format::value.offset(1, 16, 2, 1));
    STATIC_CHECK(format::block_offset(1, 1) == format::value.block_offset(1, 1));
    STATIC_CHECK(format::linear_offset(107) == format::value.linear_offset(107));
    const volatile unsigned char c = 16;
    const volatile unsigned n = 1;
    const volatile short h = 2;
    CHECK(format::offset(n, c, h, 1LL) == format::value.offset(1, 16, 2, 1));
}

TEST_CASE("static_index: the offset along one axis") {
    using index = static_index<layout({2, 17, 3, 2}, "nChw16c")>;
    STATIC_CHECK(index::axis_offset<1>(16) == 96);
    STATIC_CHECK(index::axis_offset<1>(15) == 15);
    STATIC_CHECK(index::axis_offset<3>(1) == 16);
    // The axis has padding in front: index 1 is the padded index 3.
    STATIC_CHECK(static_index<by_hand({3, 5}, {3, 9}, {27, 9}, {{1, 3}, {1, 3}}, {0, 2}, 1)>::axis_offset<1>(1) == 3);
}

}}  // namespace test_typed_static_index
