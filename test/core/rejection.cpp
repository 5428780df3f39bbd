#include <plait/core/rejection.hpp>

#include "support/small_layouts.hpp"

#include <string>
#include <string_view>
#include <utility>

using namespace plait;

namespace {

constexpr int reason_count = static_cast<int>(reason::spans_overlap) + 1;

// What the compiler calls a template argument: the last word of the enumerator's or the function's full name.
template <auto Value>
constexpr std::string_view compiler_name() {
    std::string_view text = __PRETTY_FUNCTION__;
    text = text.substr(text.find("Value = ") + 8);
    text = text.substr(0, text.find_first_of(";]("));
    while (!text.empty() && text.back() == ')') text.remove_suffix(1);
    return text.substr(text.rfind(':') + 1);
}

template <int... I>
constexpr bool names_match(std::integer_sequence<int, I...>) {
    return ((compiler_name<static_cast<reason>(I)>() == reasons[I].name) && ...);
}

template <int... I>
constexpr bool functions_match(std::integer_sequence<int, I...>) {
    return ((compiler_name<reasons[I + 1].reject>() == reasons[I + 1].name) && ...);
}

}  // namespace

TEST_CASE("reasons: one line an enumerator, in order, with its name and its function") {
    STATIC_CHECK(std::size(reasons) == reason_count);
    STATIC_CHECK([] {
        for (int i = 0; i < reason_count; ++i)
            if (reasons[i].which != static_cast<reason>(i) || reasons[i].reject == nullptr) return false;
        return true;
    }());
    STATIC_CHECK(names_match(std::make_integer_sequence<int, reason_count>{}));
    STATIC_CHECK(functions_match(std::make_integer_sequence<int, reason_count - 1>{}));
    STATIC_CHECK(std::string_view(name(reason::size_overflows)) == "size_overflows");
    STATIC_CHECK(std::string_view(name(static_cast<reason>(1000))) == "none");
    STATIC_CHECK(std::string_view(name(static_cast<reason>(-1))) == "none");
}

TEST_CASE("describe: begins with the reason's name, fills in every place, and is never cut off") {
    STATIC_CHECK([] {
        for (int i = 0; i < reason_count; ++i) {
            // The longest numbers there are; a letter is asked for as the second.
            const bool letter = static_cast<reason>(i) == reason::tag_axis_is_missing;
            const sentence text = describe({static_cast<reason>(i), 11, INT64_MIN, letter ? 'c' : INT64_MIN});
            const std::string_view view(text.c_str());
            if (view.substr(0, view.find(':')) != reasons[i].name) return false;
            if (view.find('%') != view.npos || text.size() >= 240) return false;
            for (std::size_t at = 0; at + 1 < std::string_view(reasons[i].text).size(); ++at)
                if (reasons[i].text[at] == '%' && std::string_view("a12c").find(reasons[i].text[at + 1]) == view.npos)
                    return false;
        }
        return true;
    }());
}

TEST_CASE("describe: says the axis and the numbers") {
    STATIC_CHECK(describe({reason::strides_do_not_nest, 1, 2, 3}) ==
                 "strides_do_not_nest: axis 1 has stride 2, but the axes inside it need at least 3");
    STATIC_CHECK(
        describe({reason::tag_axis_is_missing, -1, 4, 'c'}) ==
        "tag_axis_is_missing: the format tag ends at column 4 without the axis 'c' that its other letters need");
    STATIC_CHECK(describe({reason::layout_is_undefined}) ==
                 "layout_is_undefined: the layout is undefined: it has no axes and no elements");
}

TEST_CASE("require: throws a rejection with the verdict, for every reason") {
    for (int i = 1; i < reason_count; ++i) {
        const verdict why{static_cast<reason>(i), 2, 30, 40};
        CHECK((plait_test::refusal_of([&] { return require(why), 0; }) == why));
    }
    CHECK_NOTHROW(require({}));
    STATIC_CHECK((require({}), true));
}

TEST_CASE("rejection: is a std::exception that says the sentence") {
    const verdict why{reason::dim_is_negative, 3, -7, 0};
    try {
        require(why);
        FAIL("require returned");
    } catch (const std::exception& caught) {
        CHECK(std::string(caught.what()) == "dim_is_negative: axis 3 has the negative extent -7");
    }
    const rejection original(why);
    const rejection copy = original;
    CHECK((copy.verdict() == why));
    CHECK(std::string(copy.what()) == original.what());
}
