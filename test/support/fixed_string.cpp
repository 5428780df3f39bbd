#include <plait/support/fixed_string.hpp>

#include "support/static_check.hpp"

#include <type_traits>

namespace test_support_fixed_string { namespace {

using plait::fixed_string;

template <fixed_string Text>
struct named {
    static constexpr int size = Text.size();
    static constexpr char first = Text[0];
};

TEST_CASE("fixed_string: a literal as a template argument") {
    STATIC_CHECK(named<"bhsd">::size == 4);
    STATIC_CHECK(named<"bhsd">::first == 'b');
    STATIC_CHECK(named<"">::size == 0);
    STATIC_CHECK(named<"">::first == '\0');
    STATIC_CHECK(std::is_same_v<named<"ab">, named<"ab">>);
    STATIC_CHECK(!std::is_same_v<named<"ab">, named<"abc">>);
    STATIC_CHECK(!std::is_same_v<named<"ab">, named<"aB">>);
    // A zero inside the literal counts as a character.
    STATIC_CHECK(named<"a\0b">::size == 3);
}

TEST_CASE("fixed_string: data() is terminated") {
    constexpr fixed_string text("bhsd");
    STATIC_CHECK(text.data()[4] == '\0');
    STATIC_CHECK(text[3] == 'd');
    STATIC_CHECK(decltype(text)::size() == 4);
}

}}  // namespace test_support_fixed_string
