// oneDNN's recorded results of submemory. Each equals plait's, or differs by a rule of the semantics that is named
// here. A rule decides from the arguments alone which cases it claims.

#include "data/recorded_rules.hpp"
#include "laws/layout_laws.hpp"
#include "laws/part_rules.hpp"

#include <plait/algebra/submemory.hpp>

#include <map>

namespace test_data_onednn_submemory_cases {

using namespace plait;
using plait_test::for_each_recorded;
using plait_test::may_be_part;
using plait_test::name_of;
using plait_test::part_rule;
using plait_test::recorded_case;
using plait_test::same_fields;

namespace {

bool is_inside(const layout& parent, const dims& extents, const position& offsets) {
    for (int a = 0; a < parent.ndims(); ++a)
        if (extents[a] < 0 || offsets[a] < 0 || offsets[a] + extents[a] > parent.dims[a]) return false;
    return true;
}

bool same_elements(const layout& part, const layout& parent, const position& offsets) {
    if (part.volume() == 0) return true;
    position at = plait_test::origin(part.ndims());
    do {
        position there = at;
        for (int a = 0; a < at.size(); ++a) there[a] += offsets[a];
        if (part.offset(at) != parent.offset(there)) return false;
    } while (plait_test::advance(at, part.dims));
    return true;
}

}  // namespace

TEST_CASE("oneDNN's recorded cases: parts of a parent are equal, or differ by a rule") {
    std::map<std::string, int> rules;
    const int count = for_each_recorded("submemory", [&](const recorded_case& recorded) {
        const layout parent = recorded.descriptor("md");
        const auto extents = recorded.list<dims>("dims");
        const auto offsets = recorded.list<position>("offsets");
        const verdict why = check_submemory(parent, extents, offsets);
        const expected<layout> part = try_submemory(parent, extents, offsets);
        const bool same = name_of(why.status()) == recorded.word("status") && part.has_value() == why.ok() &&
                          (!part || same_fields(*part, recorded, "out"));
        if (!is_inside(parent, extents, offsets)) {
            if (!same || why.reason != reason::part_is_outside_parent) FAIL_CHECK(recorded.line());
            return;
        }
        const bool allowed = may_be_part(parent, extents, offsets);
        if (allowed ? !part || !check_layout(*part).ok() || !same_elements(*part, parent, offsets)
                    : why.reason != reason::part_cuts_a_block)
            FAIL_CHECK(recorded.line());
        if (same) return;
        const char* by =
            allowed && recorded.word("status") == "unimplemented" ? part_rule(parent, extents, offsets) : nullptr;
        if (by == nullptr) FAIL_CHECK(recorded.line());
        else ++rules[by];
    });
    CHECK(count == 1786);
    for (const auto& [by, cases] : rules) MESSAGE(by, ": ", cases, " cases");
    CHECK(rules.size() == 2);
}

}  // namespace test_data_onednn_submemory_cases
