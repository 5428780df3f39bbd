#include <plait/algebra/operations.hpp>
#include <plait/descriptor/operations.hpp>

#include "support/static_check.hpp"

namespace test_descriptor_operations_on_parts {

using namespace plait;

TEST_CASE(
    "operations on parts of descriptors: submemory and slice drop extra, bind keeps it, and the others refuse it") {
    constexpr extra by_first = {.s8s8_compensation = true, .s8s8_mask = 1};
    constexpr layout l({32, 16, 3}, "ABc16a4b");
    constexpr descriptor d(data_type::s8, l, by_first);
    STATIC_CHECK(submemory(d, {16, 16, 3}, {16, 0, 0}) ==
                 descriptor(data_type::s8, submemory(l, {16, 16, 3}, {16, 0, 0})));
    const verdict has_extra{reason::descriptor_has_extra};
    STATIC_CHECK(slice(d, 2, 1) == descriptor(data_type::s8, slice(l, 2, 1)));
    CHECK(check_broadcast_axis(descriptor(data_type::s8, layout({1, 3}, "ab"), by_first), 0, 4) == has_extra);
    CHECK(check_repeat(d, 0, 2) == has_extra);
    CHECK(check_with_strides(d, l.strides()) == has_extra);
    CHECK(check_canonical_form(d) == has_extra);
    CHECK(check_forget_padding(d) == has_extra);
    CHECK(check_compose(d, layout({3}, "a")) == has_extra);
    CHECK(check_divide(d, layout({3}, "a")) == has_extra);
    CHECK(check_concatenate_along(d, d, 0) == has_extra);

    const descriptor some(data_type::s8, layout({dynamic, 5}, "ab"), by_first);
    CHECK(bind(some, {5}) == descriptor(data_type::s8, layout({5, 5}, "ab"), by_first));
    CHECK(bind(some, {5}).size_in_bytes() == 48);
    CHECK(check_bind(some, {dim_t{1} << 61}).reason == reason::size_overflows);
    // Sums by two axes are in the order of the memory. That order is known before the extents are, so bind and
    // permute_axes commute.
    constexpr extra by_both = {.s8s8_compensation = true, .s8s8_mask = 3};
    constexpr descriptor open(data_type::s8, layout({dynamic, dynamic, 3}, "bAc16a"), by_both);
    constexpr descriptor bound = bind(permute_axes(open, {2, 0, 1}), {5, 17});
    STATIC_CHECK(bound == permute_axes(bind(open, {17, 5}), {2, 0, 1}));
    STATIC_CHECK(compensation_layout(bound.layout, 5).offset(1, 0, 0) == 32);
    STATIC_CHECK(compensation_layout(bound.layout, 5).offset(0, 0, 16) == 16);
}

TEST_CASE("operations on descriptors: offsets must fit in 63 bits as bytes too") {
    const dim_t far = dim_t{1} << 60;
    const descriptor d(data_type::f64, layout({2, 3}, "ab"));
    CHECK(check_with_strides(d.layout, {far, 1}).ok());
    CHECK(check_with_strides(d, {far, 1}) == verdict{reason::size_overflows, -1, far + 3, 8});
}

}  // namespace test_descriptor_operations_on_parts
