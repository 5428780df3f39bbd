// oneDNN's recorded answers about reshape: each is ours, or differs by a rule of the semantics that is named here and
// says from the arguments alone which cases it is about.

#include "data/recorded_rules.hpp"

#include <plait/algebra/reshape.hpp>

using namespace plait;
using plait_test::for_each_recorded;
using plait_test::name_of;
using plait_test::recorded_case;
using plait_test::rule;

namespace {

/// An axis of one element with padding or an inner block cannot just come and go (semantics 5).
bool has_sticky_unit(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == 1 && !is_single_place(l, a)) return true;
    return false;
}

bool has_unit(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (is_single_place(l, a)) return true;
    return false;
}

bool same_elements(const layout& a, const layout& b) {
    for (dim_t i = 0; i < a.volume(); ++i)
        if (a.linear_offset(i) != b.linear_offset(i)) return false;
    return true;
}

}  // namespace

TEST_CASE("oneDNN's recorded cases: reshaped descriptors") {
    rule unit_strides(
        "semantics 5: the stride of an axis with one place does not keep its neighbours from being joined");
    rule unsound("semantics 5: oneDNN joins padded or blocked axes of one element, and loses elements: refused");
    rule padded_unit("semantics 5: an axis of one element with padding or a block cannot be part of a join");
    rule blocked_unit(
        "semantics 5: an axis of one element that carries a block is kept, at the nearest one of the result");
    const int count = for_each_recorded("reshape", [&](const recorded_case& recorded) {
        const layout l = recorded.descriptor("md");
        const auto to = recorded.list<dims>("new_dims");
        const verdict why = check_reshape(l, to);
        const std::optional<layout> out = try_reshape(l, to);
        // The strides of axes with one place do not count (section 9).
        const bool same = name_of(why.status()) == recorded.word("status") && out.has_value() == why.ok() &&
                          (!out || (*out == recorded.descriptor("out") && check_layout(*out).ok()));
        if (out && (!check_layout(*out).ok() || !same_elements(l, *out))) FAIL_CHECK(recorded.line());
        const bool done_there = recorded.word("status") == "success", sound = done_there && recorded.flag("sound");
        if (same) {
            // What both do has to be right: no rule is needed.
            if (done_there && !sound) FAIL_CHECK(recorded.line());
        } else if (has_sticky_unit(l) && done_there && !sound) {
            unsound.claims(true);
            if (out && !has_unit(l)) FAIL_CHECK(recorded.line());
        } else if (has_sticky_unit(l) && sound && !out) {
            padded_unit.claims(true);
            if (why.reason != reason::unit_axis_is_padded) FAIL_CHECK(recorded.line());
        } else if (has_sticky_unit(l) && sound) {
            blocked_unit.claims(true);
        } else if (has_unit(l) && out && !done_there) {
            unit_strides.claims(true);
        } else {
            FAIL_CHECK(recorded.line());
        }
    });
    CHECK(count == 5929);
}
