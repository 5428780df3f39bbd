#include <plait/core/rejection.hpp>

#include "support/small_layouts.hpp"

#include <string>
#include <string_view>

namespace test_core_rejection { namespace {

using namespace plait;
using namespace plait::detail;

constexpr int reason_count = static_cast<int>(reason::mask_is_not_carried) + 1;

TEST_CASE("describe: mentions an axis only if there is one; unknown numbers are not printed as numbers") {
    const auto says = [](const verdict& why, std::string_view text) { return describe(why).c_str() == text; };
    STATIC_CHECK(std::string_view(describe({reason::size_overflows, -1, 5, 7}).c_str()) ==
                 "size_overflows: 5 times 7 elements leave the range of 63 bits");
    CHECK(says({reason::size_overflows, 2, 5, 7},
               "size_overflows: 5 times 7 elements at axis 2 leave the range of 63 bits"));
    CHECK(says({reason::volumes_differ, -1, dynamic, 7}, "volumes_differ: ? elements cannot become 7"));
    CHECK(says({reason::layout_is_malformed, 1, outside(2), 3},
               "layout_is_malformed: the layout breaks an invariant at axis 1: directly outside axis 2 against 3"));
    for (int i = 0; i < reason_count; ++i) {
        const std::string without = describe({static_cast<reason>(i), -1, 1, 'b', 3}).c_str();
        const std::string_view text = reasons[i].text;
        // A sentence with an optional part does not print a missing axis.
        CHECK_MESSAGE((without.find("-1") == without.npos || text.find("[") == text.npos), without);
    }
}

TEST_CASE("describe: begins with the name of the reason, fills in every placeholder, and is never cut off") {
    STATIC_CHECK([] {
        for (int i = 0; i < reason_count; ++i) {
            // The longest numbers; the second one is printed as a letter.
            const bool letter = static_cast<reason>(i) == reason::tag_axis_is_missing;
            const sentence text =
                describe({static_cast<reason>(i), 11, INT64_MIN + 13, letter ? 'c' : INT64_MIN + 13, INT64_MIN + 13});
            const std::string_view view(text.c_str());
            if (view.substr(0, view.find(':')) != reasons[i].name) return false;
            if (view.find_first_of("%[]") != view.npos || text.size() >= 240) return false;
            const std::string_view text_of_reason(reasons[i].text);  // counted once: compilers limit their steps
            for (std::size_t at = 0; at + 1 < text_of_reason.size(); ++at)
                if (text_of_reason[at] == '%' &&
                    std::string_view("ab123crfpxyz").find(text_of_reason[at + 1]) == view.npos)
                    return false;
        }
        return true;
    }());
}

TEST_CASE("describe: contains the axis and the numbers") {
    STATIC_CHECK(describe({reason::strides_do_not_nest, 1, 2, 3}) ==
                 "strides_do_not_nest: axis 1 has stride 2, but the axes inside it need at least 3");
    STATIC_CHECK(
        describe({reason::tag_axis_is_missing, -1, 4, 'c'}) ==
        "tag_axis_is_missing: the format tag ends at column 4 without the axis 'c' that its other letters need");
    STATIC_CHECK(
        describe({reason::layout_is_undefined}) ==
        "layout_is_undefined: the layout is undefined, or would be: it has no axes; a single element has one axis, of "
        "extent 1");
}

TEST_CASE("require: throws a rejection with the verdict, for every reason") {
    for (int i = 1; i < reason_count; ++i) {
        const verdict why{static_cast<reason>(i), 2, 30, 40};
        CHECK((plait_test::refusal_of([&] { return require(why), 0; }) == why));
    }
    CHECK_NOTHROW(require({}));
    STATIC_CHECK((require({}), true));
}

TEST_CASE("describe: names a number that would be accepted next to the wrong one") {
    const auto says = [](const verdict& why, std::string_view text) { return describe(why).c_str() == text; };
    CHECK(
        says({reason::dim_is_negative, 2, 0, 1}, "dim_is_negative: the extent of axis 2 is 0, but must be at least 1"));
    CHECK(says({reason::dim_is_negative, -1, 0, 1}, "dim_is_negative: the extent is 0, but must be at least 1"));
    CHECK(says({reason::not_a_permutation, 1, 0, 4},
               "not_a_permutation: entry 1 of the permutation is 0, but each number below 4 must occur exactly once"));
}

TEST_CASE("rejection: is a std::exception whose what() is the sentence") {
    const verdict why{reason::dim_is_negative, 3, -7, 0};
    try {
        require(why);
        FAIL("require returned");
    } catch (const std::exception& caught) {
        CHECK(std::string(caught.what()) == "dim_is_negative: the extent of axis 3 is -7, but must be at least 0");
    }
    const rejection original(why);
    const rejection copy = original;
    CHECK((copy.verdict() == why));
    CHECK(std::string(copy.what()) == original.what());
}

}}  // namespace test_core_rejection
