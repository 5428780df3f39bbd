#include <plait/algebra/flatten.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_flatten { namespace {

using namespace plait;

constexpr bool refused(const layout& l, int first, const verdict& why) {
    return check_flatten(l, first) == why && !try_flatten(l, first).has_value();
}

TEST_CASE("flatten: 4.1 'Collapse 2 or more dimensions into one': {a, b, c} -> {a, b * c}") {
    STATIC_CHECK(flatten(layout({2, 3, 4}, "abc"), 1) == layout({2, 12}, "ab"));
    STATIC_CHECK(flatten(layout({2, 3, 4}, "abc"), 1, 2) == layout({2, 12}, "ab"));
    STATIC_CHECK(flatten(layout({2, 3, 4}, "abc"), 0, 1) == layout({6, 4}, "ab"));
    STATIC_CHECK(flatten(layout({2, 3, 4}, "abc")) == layout({24}, "a"));
}

TEST_CASE("flatten: 4.1.1 'from 4D tensors to a 2D to emit GEMM as a fully connected layer'") {
    STATIC_CHECK(flatten(layout({8, 16, 3, 5}, "nchw"), 1) == layout({8, 240}, "nc"));
    STATIC_CHECK(flatten(layout({dynamic, 16, 3, 5}, "nchw"), 1) == layout({dynamic, 240}, "nc"));
}

TEST_CASE("flatten: 4.1.2 abc and acb 'are different, even though there is no difference in their descriptions'") {
    STATIC_CHECK(try_flatten(layout({2, 3, 4}, "abc"), 1) == layout({2, 12}, "ab"));
    STATIC_CHECK(refused(layout({2, 3, 4}, "acb"), 1, {reason::joined_axes_do_not_chain, 1, 1, 12}));
    STATIC_CHECK(check_flatten(layout({2, 3, 4}, "acb"), 1).status() == status::invalid_arguments);
}

TEST_CASE("flatten: 4.1.2 'whenever the flatten operation is safe, it is covered by reshape'") {
    for (const layout& l : plait_test::varied_layouts)
        for (int first = 0; first < l.ndims(); ++first)
            for (int last = first; last < l.ndims(); ++last) {
                dims to;
                for (int a = 0; a < l.ndims(); ++a)
                    if (a > first && a <= last) to[first] *= l.dims[a];
                    else to.push_back(l.dims[a]);
                const expected<layout> flat = try_flatten(l, first, last);
                CHECK(flat == try_join_axes(l, first, last));
                if (flat) CHECK(flat == try_reshape(l, to));
                CHECK(check_flatten(l, first, last) == check_join_axes(l, first, last));
            }
}

}}  // namespace test_algebra_flatten
