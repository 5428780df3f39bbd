// oneDNN's recorded answers about views of a part: each is ours, or differs by a rule of the semantics that is named
// here and says from the arguments alone which cases it is about.

#include "data/recorded_rules.hpp"
#include "laws/layout_laws.hpp"

#include <plait/algebra/submemory.hpp>

using namespace plait;
using plait_test::for_each_recorded;
using plait_test::name_of;
using plait_test::recorded_case;
using plait_test::rule;
using plait_test::same_fields;

namespace {

bool is_inside(const layout& parent, const dims& extents, const position& offsets) {
    for (int a = 0; a < parent.ndims(); ++a)
        if (extents[a] < 0 || offsets[a] < 0 || offsets[a] + extents[a] > parent.dims[a]) return false;
    return true;
}

/// Whether the index first + i has, digit by digit, the digits of `first` plus those of i, for every i below extent.
bool digits_add_up(const layout& parent, int axis, dim_t first, dim_t extent) {
    for (dim_t i = 0; i < extent; ++i) {
        dim_t a = first, b = i, sum = first + i;
        for (int k = parent.digits.size() - 1; k >= parent.ndims(); --k) {
            const digit& d = parent.digits[k];
            if (d.axis != axis) continue;
            if (a % d.extent + b % d.extent != sum % d.extent) return false;
            a /= d.extent, b /= d.extent, sum /= d.extent;
        }
    }
    return true;
}

/// Semantics 8: whole blocks, whole blocks and then the parent's end, or inside one block, at a place that is linear.
bool is_allowed(const layout& parent, const dims& extents, const position& offsets) {
    for (int a = 0; a < parent.ndims(); ++a) {
        const dim_t block = parent.block_size(a), first = offsets[a], end = first + extents[a];
        const bool whole = first % block == 0 && (end % block == 0 || end == parent.dims[a]);
        const bool inside = extents[a] == 0 || first / block == (end - 1) / block;
        if (!(whole || inside) || !digits_add_up(parent, a, first, extents[a])) return false;
    }
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

TEST_CASE("oneDNN's recorded cases: parts of a parent") {
    rule inside_a_block("semantics 8: a part inside one block may begin anywhere in it, and one without elements too");
    const int count = for_each_recorded("submemory", [&](const recorded_case& recorded) {
        const layout parent = recorded.descriptor("md");
        const auto extents = recorded.list<dims>("dims");
        const auto offsets = recorded.list<position>("offsets");
        const verdict why = check_submemory(parent, extents, offsets);
        const std::optional<layout> part = try_submemory(parent, extents, offsets);
        const bool same = name_of(why.status()) == recorded.word("status") && part.has_value() == why.ok() &&
                          (!part || same_fields(*part, recorded, "out"));
        bool begins_inside = false;
        for (int a = 0; a < parent.ndims(); ++a)
            begins_inside = begins_inside || offsets[a] % parent.block_size(a) != 0;
        if (!is_inside(parent, extents, offsets)) {
            if (!same || why.reason != reason::part_is_outside_parent) FAIL_CHECK(recorded.line());
        } else if (begins_inside) {
            inside_a_block.claims(!same);
            const bool allowed = is_allowed(parent, extents, offsets);
            if (allowed ? !part || !check_layout(*part).ok() || !same_elements(*part, parent, offsets)
                        : why.reason != reason::part_cuts_a_block)
                FAIL_CHECK(recorded.line());
        } else if (!same || (part && !same_elements(*part, parent, offsets))) {
            FAIL_CHECK(recorded.line());
        }
    });
    CHECK(count == 1786);
}
