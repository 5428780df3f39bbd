#include <plait/support/inline_text.hpp>

#include "support/static_check.hpp"

#include <string>

namespace test_support_inline_text { namespace {

using plait::inline_text;

template <int Capacity, class... Parts>
constexpr inline_text<Capacity> text_of(const Parts&... parts) {
    inline_text<Capacity> out;
    ((out += parts), ...);
    return out;
}

TEST_CASE("inline_text: appends characters, texts and numbers") {
    STATIC_CHECK(text_of<20>() == "");
    STATIC_CHECK(text_of<20>('a', "bc", std::int64_t{16}, 'b') == "abc16b");
    STATIC_CHECK(text_of<20>("", 'x').size() == 1);
    STATIC_CHECK(text_of<20>("abc")[2] == 'c');
}

TEST_CASE("inline_text: appends all 64-bit integers, including the smallest") {
    STATIC_CHECK(text_of<20>(std::int64_t{0}) == "0");
    STATIC_CHECK(text_of<20>(std::int64_t{-7}) == "-7");
    STATIC_CHECK(text_of<20>(std::int64_t{100}) == "100");
    STATIC_CHECK(text_of<20>(INT64_MAX) == "9223372036854775807");
    STATIC_CHECK(text_of<20>(INT64_MIN) == "-9223372036854775808");
    STATIC_CHECK(text_of<20>(INT64_MIN).size() == 20);
    for (std::int64_t n = INT64_MAX; n != 0; n /= 3) {
        CHECK(text_of<20>(n).c_str() == std::to_string(n));
        CHECK(text_of<20>(-n).c_str() == std::to_string(-n));
    }
}

TEST_CASE("inline_text: cuts off text that does not fit, and stays terminated") {
    STATIC_CHECK(text_of<3>("abcdef") == "abc");
    STATIC_CHECK(text_of<3>("abc", 'd') == "abc");
    STATIC_CHECK(text_of<3>(std::int64_t{12345}) == "123");
    STATIC_CHECK(text_of<0>("a") == "");
    STATIC_CHECK(text_of<3>("abcdef").c_str()[3] == 0);
    STATIC_CHECK(text_of<3>("abcdef").size() == 3);
}

TEST_CASE("inline_text: compares with texts of any length") {
    STATIC_CHECK(text_of<5>("abc") == text_of<5>("ab", 'c'));
    STATIC_CHECK(text_of<5>("abc") != text_of<5>("abd"));
    STATIC_CHECK(!(text_of<5>("abc") == "ab"));
    STATIC_CHECK(!(text_of<5>("abc") == "abcd"));
    STATIC_CHECK(!(text_of<5>("abc") == ""));
    STATIC_CHECK(!(text_of<5>("") == "a"));
    // A zero inside the text is a character, but the literal ends before its zero.
    STATIC_CHECK(!(text_of<5>('a', '\0') == "a"));
}

}}  // namespace test_support_inline_text
