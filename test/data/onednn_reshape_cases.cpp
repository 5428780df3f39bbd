// oneDNN's recorded results of reshape. Each equals plait's, or differs by a rule of the semantics that is named here.
// A rule decides from the arguments alone which cases it claims.

#include "data/recorded_rules.hpp"
#include "laws/reshape_rules.hpp"

#include <plait/algebra/reshape.hpp>

#include <map>

namespace test_data_onednn_reshape_cases { namespace {

using namespace plait;
using plait_test::for_each_recorded, plait_test::name_of, plait_test::recorded_case, plait_test::reshape_rule;

bool same_elements(const layout& a, const layout& b) {
    for (dim_t i = 0; i < a.volume(); ++i)
        if (a.linear_offset(i) != b.linear_offset(i)) return false;
    return true;
}

TEST_CASE("oneDNN's recorded cases: reshaped descriptors are equal, or differ by a rule") {
    std::map<std::string, int> rules;
    const int count = for_each_recorded("reshape", [&](const recorded_case& recorded) {
        const layout l = recorded.descriptor("md");
        const auto to = recorded.list<dims>("new_dims");
        const verdict why = check_reshape(l, to);
        const expected<layout> out = try_reshape(l, to);
        // Strides of axes with one place are not compared (section 9).
        const bool same = name_of(why.status()) == recorded.word("status") && out.has_value() == why.ok() &&
                          (!out || (*out == recorded.descriptor("out") && check_layout(*out).ok()));
        if (out && (!check_layout(*out).ok() || !same_elements(l, *out))) FAIL_CHECK(recorded.line());
        const bool done_there = recorded.word("status") == "success", sound = done_there && recorded.flag("sound");
        if (same) {
            // If both succeed, the result must be right, and no rule is needed.
            if (done_there && !sound) FAIL_CHECK(recorded.line());
        } else if (const char* by = reshape_rule(l, to, why, done_there, sound)) {
            ++rules[by];
        } else {
            FAIL_CHECK(recorded.line());
        }
    });
    CHECK(count == 5929);
    for (const auto& [by, cases] : rules) MESSAGE(by, ": ", cases, " cases");
    CHECK(rules.size() == 5);
}

TEST_CASE("oneDNN's recorded cases: the rules about reshape claim cases that were not recorded") {
    // A part of nested blocks, with one element: oneDNN drops the axis, and its blocks become blocks of the axis of 7.
    const layout part = plait_test::by_hand({5, 14, 1}, {5, 14, 1}, {84, 6, 6}, {{2, 3}, {2, 2}});
    REQUIRE(check_layout(part).ok());
    const dims to{5, 2, 7, 1};
    CHECK(same_elements(part, reshape(part, to)));
    CHECK(std::string(reshape_rule(part, to, check_reshape(part, to), true, false)).substr(0, 3) == "D2:");
    // The axis has a neighbour of one place, which makes no difference to the rule.
    const layout beside = plait_test::by_hand({5, 1, 14, 1}, {5, 1, 14, 1}, {84, 84, 6, 6}, {{3, 3}, {3, 2}});
    CHECK(std::string(reshape_rule(beside, to, check_reshape(beside, to), true, false)).substr(0, 3) == "D2:");
    // No rule claims a case in which oneDNN's algorithm makes no descriptor.
    CHECK(reshape_rule(part, to, check_reshape(part, to), false, false) == nullptr);
    CHECK(reshape_rule(layout({4, 6}, "ab"), {6, 4}, {}, true, false) == nullptr);
}

}}  // namespace test_data_onednn_reshape_cases
