#include <plait/core/verdict.hpp>

#include "support/small_layouts.hpp"

using namespace plait;

TEST_CASE("verdict: a default one allows") {
    STATIC_CHECK(verdict{}.ok());
    STATIC_CHECK(verdict{}.status() == status::success);
    STATIC_CHECK(verdict{}.axis == -1);
    STATIC_CHECK(verdict{reason::none, 3, 4, 5}.ok());
}

TEST_CASE("verdict: ok exactly where the status is success, and unimplemented for what cannot be described") {
    STATIC_CHECK([] {
        for (int i = 0; i <= static_cast<int>(reason::spans_overlap); ++i) {
            const auto which = static_cast<reason>(i);
            const verdict why{which};
            if (why.ok() != (which == reason::none)) return false;
            if (why.ok() != (why.status() == status::success)) return false;
            const bool unimplemented = which == reason::layout_is_opaque || which == reason::parent_is_not_blocked ||
                                       which == reason::parent_is_dynamic || which == reason::part_cuts_a_block;
            if ((why.status() == status::unimplemented) != unimplemented) return false;
        }
        return true;
    }());
}

TEST_CASE("verdict: compares the reason, the axis and the numbers") {
    constexpr verdict why{reason::strides_do_not_nest, 1, 2, 3};
    STATIC_CHECK(why == verdict{reason::strides_do_not_nest, 1, 2, 3});
    STATIC_CHECK(why != verdict{reason::size_overflows, 1, 2, 3});
    STATIC_CHECK(why != verdict{reason::strides_do_not_nest, 0, 2, 3});
    STATIC_CHECK(why != verdict{reason::strides_do_not_nest, 1, 0, 3});
    STATIC_CHECK(why != verdict{reason::strides_do_not_nest, 1, 2, 0});
    STATIC_CHECK(why != verdict{reason::strides_do_not_nest, 1, 2, 3, 4});
}
