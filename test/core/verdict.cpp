#include <plait/core/verdict.hpp>

#include "support/small_layouts.hpp"

#include <string_view>

namespace test_core_verdict {

using namespace plait;

TEST_CASE("verdict: a default verdict allows") {
    STATIC_CHECK(verdict{}.ok());
    STATIC_CHECK(verdict{}.status() == status::success);
    STATIC_CHECK(verdict{}.axis == -1);
    STATIC_CHECK(verdict{reason::none, 3, 4, 5}.ok());
}

TEST_CASE("verdict: ok exactly if the status is success; unimplemented if the result has no description") {
    STATIC_CHECK([] {
        for (int i = 0; i <= static_cast<int>(reason::mask_is_not_carried); ++i) {
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

TEST_CASE("verdict: converts to its status") {
    STATIC_CHECK(verdict{} == status::success);
    STATIC_CHECK(verdict{reason::layout_is_opaque} == status::unimplemented);
    STATIC_CHECK(verdict{reason::dims_differ} != status::success);
    constexpr status asked = verdict{reason::dims_differ};
    STATIC_CHECK(asked == status::invalid_arguments);
    // Two verdicts with one status may still differ.
    STATIC_CHECK(verdict{reason::dims_differ} != verdict{reason::rank_differs});
}

TEST_CASE("to_string: each status, and a number that is no status") {
    STATIC_CHECK(std::string_view(to_string(status::success)) == "success");
    STATIC_CHECK(std::string_view(to_string(status::out_of_memory)) == "out_of_memory");
    STATIC_CHECK(std::string_view(to_string(status::invalid_arguments)) == "invalid_arguments");
    STATIC_CHECK(std::string_view(to_string(status::unimplemented)) == "unimplemented");
    STATIC_CHECK(std::string_view(to_string(static_cast<status>(4))) == "unknown status");
    STATIC_CHECK(std::string_view(to_string(static_cast<status>(-1))) == "unknown status");
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

}  // namespace test_core_verdict
