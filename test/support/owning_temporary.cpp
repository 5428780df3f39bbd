#include <plait/support/owning_temporary.hpp>

#include "support/static_check.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace test_support_owning_temporary {

using plait::detail::owning_temporary;

TEST_CASE("owning_temporary: temporaries that own elements, but no objects with a name, and no views") {
    STATIC_CHECK(owning_temporary<std::vector<float>>);
    STATIC_CHECK(owning_temporary<const std::vector<float>>);
    STATIC_CHECK(owning_temporary<std::array<float, 3>>);
    STATIC_CHECK(owning_temporary<std::string>);
    STATIC_CHECK(!owning_temporary<std::vector<float>&>);
    STATIC_CHECK(!owning_temporary<const std::array<float, 3>&>);
    STATIC_CHECK(!owning_temporary<const float(&)[3]>);
    STATIC_CHECK(!owning_temporary<std::span<const float>>);
    STATIC_CHECK(!owning_temporary<std::span<float, 3>>);
    STATIC_CHECK(!owning_temporary<std::string_view>);
    STATIC_CHECK(!owning_temporary<float*>);
    STATIC_CHECK(!owning_temporary<int>);
}

}  // namespace test_support_owning_temporary
