#include <plait/algebra/element_places.hpp>
#include <plait/algebra/slice.hpp>

#include "laws/hand_made_layouts.hpp"
#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

namespace test_algebra_element_places { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Computes the properties of the elements by visiting all of them.
struct seen {
    offset_range range;
    bool unique = true, full = true;
};
seen look(const layout& l) {
    std::vector<dim_t> offsets = logical_offsets(l);
    if (offsets.empty()) return {};
    std::sort(offsets.begin(), offsets.end());
    seen out{{offsets.front(), offsets.back()}};
    out.unique = std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end();
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    out.full = static_cast<dim_t>(offsets.size()) == offsets.back() + 1;
    return out;
}

/// Returns the only step along an axis; empty if two differ or the axis runs backwards.
std::optional<dim_t> step_along(const layout& l, int axis) {
    position at = origin(l.ndims());
    std::optional<dim_t> step;
    for (at[axis] = 1; at[axis] < l.dims[axis]; ++at[axis]) {
        position before = at;
        --before[axis];
        const dim_t here = l.offset(at) - l.offset(before);
        if (here < 0 || (step.has_value() && *step != here)) return {};
        step = here;
    }
    return step.value_or(1);
}

bool strides_are_the_steps(const layout& l) {
    if (l.volume() == 0) return check_element_strides(l).ok();
    std::vector<dim_t> steps;
    for (int a = 0; a < l.ndims(); ++a) {
        const std::optional<dim_t> step = step_along(l, a);
        if (!step.has_value()) {
            const verdict why = check_element_strides(l);
            return why.reason == reason::axis_has_no_stride && why.axis == a && why.first != why.second;
        }
        steps.push_back(*step);
    }
    if (!check_element_strides(l).ok()) return false;
    const strides got = element_strides(l);
    return std::equal(steps.begin(), steps.end(), got.begin(), got.end());
}

/// Checks that each claimed property holds and, if `exact`, that no other one does.
bool places_are_as_claimed(const layout& l, bool exact) {
    const seen all = look(l);
    const bool unique = has_unique_elements(l), full = fills_its_offsets(l);
    if (unique && !all.unique) return false;
    if (full && !all.full) return false;
    if (exact && (unique != all.unique || full != all.full)) return false;
    return element_offsets(l) == all.range && strides_are_the_steps(l);
}

bool has_padding_in_front(const layout& l) {
    for (const dim_t begin : l.padded_offsets)
        if (begin != 0) return true;
    return false;
}

std::string shown(const layout& l) {
    std::string out;
    for (int a = 0; a < l.ndims(); ++a)
        out += std::to_string(l.dims[a]) + "/" + std::to_string(l.padded_dims[a]) + "@" +
               std::to_string(l.padded_offsets[a]) + " ";
    for (const digit& d : l.digits)
        out += "(" + std::to_string(d.axis) + " " + std::to_string(d.extent) + " " + std::to_string(d.stride) + ")";
    return out + " from " + std::to_string(l.offset0);
}

TEST_CASE("element_places: agrees with a visit of all elements: many layouts, parts of blocks, padding in front") {
    int unique = 0, full = 0, strided = 0, count = 0;
    for (const dims& extents : {dims{5}, dims{0}, dims{1, 4}, dims{3, 4}, dims{2, 1, 8}, dims{2, 9}, dims{2, 0, 3}})
        for (const layout& l : many_layouts(extents)) {
            INFO(shown(l));
            CHECK(places_are_as_claimed(l, check_nesting(l).ok() && !has_padding_in_front(l)));
            unique += has_unique_elements(l), full += fills_its_offsets(l), strided += check_element_strides(l).ok();
            ++count;
        }
    // Each result occurs often.
    for (const int often : {unique, full, strided}) CHECK((often > count / 20 && often < count - count / 200));
}

TEST_CASE("element_places: agrees with a visit of all elements: random layouts") {
    random_source random(20);
    for (int i = 0; i < 4000; ++i) {
        const layout l = random.small_layout();
        INFO(shown(l));
        CHECK(places_are_as_claimed(l, !has_padding_in_front(l)));
    }
}

TEST_CASE("element_places: hand-made layouts with strides that do not nest") {
    random_source random(21);
    int checked = 0;
    for (int i = 0; i < 3000; ++i) {
        const layout l = hand_made_layout(random, random.once_in(2) ? 6 : 60);
        if (!check_layout(l).ok()) continue;
        ++checked;
        INFO(shown(l));
        CHECK(places_are_as_claimed(l, false));
    }
    CHECK(checked > 100);
}

TEST_CASE("element_places: padding after the elements is no gap, padding between them is") {
    constexpr layout behind({1, 17, 1, 1}, "nChw16c"), between({1, 17, 1, 2}, "nChw16c");
    STATIC_CHECK(element_offsets(behind) == offset_range{0, 16});
    STATIC_CHECK(behind.element_span() == 32);
    STATIC_CHECK((fills_its_offsets(behind) && !fills_its_offsets(between)));
    STATIC_CHECK(has_unique_elements(between));
}

TEST_CASE("element_places: rows that all have one place leave no gap, but are not unique") {
    constexpr layout shared({4, 3}, strides{0, 1});
    STATIC_CHECK((fills_its_offsets(shared) && !has_unique_elements(shared)));
    STATIC_CHECK(element_strides(shared) == strides{0, 1});
}

TEST_CASE(
    "element_places: an axis in blocks has a stride if its elements are in one block, or if blocks continue each "
    "other") {
    constexpr layout one_block({2, 16, 5, 6}, "nChw16c"), two_blocks({2, 17, 5, 6}, "nChw16c");
    constexpr layout following({2, 32}, "aB16b");
    STATIC_CHECK(element_strides(one_block) == strides{480, 1, 96, 16});
    STATIC_CHECK(check_element_strides(two_blocks) == verdict{reason::axis_has_no_stride, 1, 1, 465});
    STATIC_CHECK(element_strides(following) == strides{32, 1});
    CHECK(std::string(describe(check_element_strides(two_blocks)).c_str()) ==
          "axis_has_no_stride: axis 1 has no stride: one step along it is 1 elements, another 465");
}

TEST_CASE("element_places: layouts without known numbers are refused") {
    CHECK(check_element_strides(layout({dynamic, 3}, "ab")).reason == reason::dim_is_dynamic);
    CHECK(check_element_strides(layout()).reason == reason::layout_is_undefined);
    CHECK_THROWS_AS((void)element_strides(layout({2, 17, 5, 6}, "nChw16c")), rejection);
}

TEST_CASE("element_places: claims nothing for an axis that repeats and begins inside a block") {
    // The indices 3, 4 and 5 are at 3, 0 and 1: no element is at 2.
    const layout l = by_hand({3}, {8}, {0}, {{0, 4}}, {3});
    CHECK(check_layout(l).ok());
    CHECK(places_are_as_claimed(l, false));
    CHECK(!fills_its_offsets(l));
}

TEST_CASE("element_places: at the end of 63 bits") {
    constexpr dim_t most = INT64_MAX;
    CHECK(element_offsets(layout({most}, "a")) == offset_range{0, most - 1});
    CHECK(fills_its_offsets(layout({most}, "a")));
    const layout wide({2, 3}, strides{most / 2, 1});
    CHECK(element_offsets(wide) == offset_range{0, most / 2 + 2});
    CHECK((has_unique_elements(wide) && !fills_its_offsets(wide)));
    layout last({1}, "a");
    last.offset0 = most;
    CHECK(check_layout(last).ok());
    CHECK(element_offsets(last) == offset_range{most, most});
}

}}  // namespace test_algebra_element_places
