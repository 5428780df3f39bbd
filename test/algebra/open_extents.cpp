#include <plait/algebra/open_extents.hpp>

#include "support/static_check.hpp"

namespace test_algebra_open_extents {

using namespace plait;
using namespace plait::detail;

TEST_CASE("values_of and filled: the values of the open extents, in order") {
    STATIC_CHECK(values_of({dynamic, 3, dynamic}, {5, 3, 7}) == dims{5, 7});
    STATIC_CHECK(values_of({2, 3}, {2, 3}).empty());
    STATIC_CHECK(values_of({dynamic, dynamic}, {5}) == dims{5});
    STATIC_CHECK(filled({dynamic, 4, dynamic}, {5, 7}) == dims{5, 4, 7});
    // Unchanged if the numbers of values and of open extents differ.
    STATIC_CHECK(filled({dynamic, 4, dynamic}, {5}) == dims{dynamic, 4, dynamic});
    STATIC_CHECK(filled({dynamic, 4}, {5, 7}) == dims{dynamic, 4});
}

TEST_CASE("check_entries: none, or one for each open extent") {
    STATIC_CHECK(check_entries({2, 3}, {dynamic, 3}).ok());
    STATIC_CHECK(check_entries({3, dynamic}, {dynamic, 3}).ok());
    STATIC_CHECK(check_entries({dynamic, dynamic}, {dynamic, 3}) ==
                 verdict{reason::bound_values_do_not_match, -1, 1, 2});
}

}  // namespace test_algebra_open_extents
