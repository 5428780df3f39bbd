#include <plait/view/layout_index.hpp>

#include "view/view_cases.hpp"

namespace test_view_layout_index { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

using blocked = nChw16c<2, 17, 3, 2>;
using partly = bound_layout<nChw16c<dynamic, 17, dynamic, 2>::value>;

/// Checks that the three kinds of layouts return the same results.
template <class A, class B>
bool agree(const A& a, const B& b) {
    const layout l = a.plain();
    bool same = l == layout(b.plain());
    for (int axis = 0; axis < l.ndims(); ++axis)
        same = same && a.extent(axis) == b.extent(axis) && a.blocks(axis) == b.blocks(axis) &&
               a.block_size(axis) == b.block_size(axis) && a.padding_in_front(axis) == b.padding_in_front(axis);
    const std::uint64_t at[] = {1, 16, 2, 1}, block[] = {1, 1, 2, 1};
    return same && a.offset(at) == b.offset(at) && a.block_offset(block) == b.block_offset(block) &&
           a.offset(at) == l.offset(1, 16, 2, 1) && a.block_offset(block) == l.block_offset(1, 1, 2, 1);
}

TEST_CASE("layout_index: static, bound and run-time layouts give the same offsets") {
    const layout_index<blocked> known{blocked()};
    const layout_index<partly> bound{partly({2, 3})};
    const layout_index<layout> late{blocked::value};
    CHECK(agree(known, late));
    CHECK(agree(known, bound));
    STATIC_CHECK(std::is_empty_v<layout_index<blocked>>);
    STATIC_CHECK(sizeof(layout_index<partly>) <= 6 * sizeof(dim_t));
}

TEST_CASE("layout_index: the layouts that a view can be made of") {
    STATIC_CHECK(view_layout<blocked>);
    STATIC_CHECK(view_layout<partly>);
    STATIC_CHECK(view_layout<layout>);
    STATIC_CHECK(!view_layout<int>);
    STATIC_CHECK(!view_layout<dims>);
    STATIC_CHECK(indexed_by<blocked, 4>);
    STATIC_CHECK(!indexed_by<blocked, 3>);
    STATIC_CHECK(indexed_by<layout, 3>);
    STATIC_CHECK(!indexed_by<layout, 0>);
    STATIC_CHECK(!indexed_by<layout, 13>);
}

TEST_CASE("layout_index: the constructor refuses dynamic extents and strides, and undefined layouts") {
    CHECK((refusal_of([] {
               return layout_index<partly>(partly({2, dynamic}));
           }) == verdict{reason::dim_is_dynamic, 2}));
    using lost = bound_layout<layout({dynamic, 4}, strides{dynamic, 1})>;
    CHECK((refusal_of([] { return layout_index<lost>(lost({3})); }) == verdict{reason::stride_is_dynamic, 0}));
    CHECK(refusal_of([] { return layout_index<layout>(layout()); }).reason == reason::layout_is_undefined);
}

}}  // namespace test_view_layout_index
