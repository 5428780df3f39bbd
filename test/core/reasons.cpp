#include <plait/core/reasons.hpp>

#include "support/static_check.hpp"

#include <string_view>
#include <utility>

namespace test_core_reasons { namespace {

using namespace plait;
using namespace plait::detail;

constexpr int reason_count = static_cast<int>(reason::blob_is_too_long) + 1;

// What the compiler calls a template argument: the last word of the enumerator's or the object's full name.
template <auto Value>
constexpr std::string_view compiler_name() {
    std::string_view text = __PRETTY_FUNCTION__;
    text = text.substr(text.find("Value = ") + 8);
    text = text.substr(0, text.find_first_of(";](", 1));  // a pointer begins with one
    while (!text.empty() && text.back() == ')') text.remove_suffix(1);
    return text.substr(text.rfind(':') + 1);
}

template <int... I>
constexpr bool names_match(std::integer_sequence<int, I...>) {
    return ((compiler_name<static_cast<reason>(I)>() == reasons[I].name) && ...);
}

template <int... I>
constexpr bool objects_match(std::integer_sequence<int, I...>) {
    return ((compiler_name<reasons[I + 1].object>() == reasons[I + 1].name) && ...);
}

TEST_CASE("reasons: one line per enumerator, in order, with its name and its object") {
    STATIC_CHECK(std::size(reasons) == reason_count);
    STATIC_CHECK([] {
        for (int i = 0; i < reason_count; ++i)
            if (reasons[i].object == nullptr) return false;
        return true;
    }());
    STATIC_CHECK(names_match(std::make_integer_sequence<int, reason_count>{}));
    STATIC_CHECK(objects_match(std::make_integer_sequence<int, reason_count - 1>{}));
    STATIC_CHECK(std::string_view(to_string(reason::size_overflows)) == "size_overflows");
    STATIC_CHECK(std::string_view(to_string(static_cast<reason>(1000))) == "none");
    STATIC_CHECK(std::string_view(to_string(static_cast<reason>(-1))) == "none");
}

}}  // namespace test_core_reasons
