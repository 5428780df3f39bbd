#include <plait/algebra/bind.hpp>
#include <plait/algebra/resolve_links.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_resolve_links { namespace {

using namespace plait;
using namespace plait::detail;

/// The stride of axis 0, which lies directly outside axis 1, when the digit of axis 1 is this one.
constexpr dim_t stride_outside(dim_t extent, dim_t stride) {
    layout l({4, extent, 3}, strides{0, 0, 1});
    l.digits[0].stride = outside(1);
    l.digits[1].stride = stride;
    resolve_links(l, l.digits[1]);
    return l.digits[0].stride;
}

TEST_CASE("resolve_links: a number if the axis inside is known") {
    STATIC_CHECK(stride_outside(2, 3) == 6);
    STATIC_CHECK(stride_outside(2, 0) == 0);
    STATIC_CHECK(stride_outside(1, 3) == 3);
    // An extent of zero counts as one, as in a layout from a tag.
    STATIC_CHECK(stride_outside(0, 3) == 3);
}

TEST_CASE("resolve_links: otherwise the link of the axis inside, or unknown") {
    STATIC_CHECK(stride_outside(1, outside(2)) == outside(2));
    STATIC_CHECK(stride_outside(1, dynamic) == dynamic);
    STATIC_CHECK(stride_outside(2, outside(2)) == dynamic);
    STATIC_CHECK(stride_outside(dynamic, 3) == dynamic);
    STATIC_CHECK(stride_outside(dynamic, 0) == dynamic);
    // Cyclic links.
    STATIC_CHECK(stride_outside(1, outside(1)) == dynamic);
    STATIC_CHECK(stride_outside(1, outside(0)) == dynamic);
}

TEST_CASE("resolve_links: gives the numbers that bind gives, and leaves other strides alone") {
    constexpr layout l({2, 1, dynamic, 3}, "abcd");
    layout out = l;
    resolve_links(out, out.digits[1]);
    CHECK(out.digits[0].stride == outside(2));
    CHECK(out.digits[1].stride == outside(2));
    CHECK(bind(out, {5}) == bind(l, {5}));
    CHECK(bind(out, {5}).strides() == bind(l, {5}).strides());
}

}}  // namespace test_algebra_resolve_links
