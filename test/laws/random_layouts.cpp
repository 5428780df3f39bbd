// The laws over a few thousand random small layouts: dense, strided, views, with padding on either side; some also in
// constant expressions. For repeated, broadcast and sliced ones, the laws say which are allowed, and that the elements
// keep their places. test/chains compares more of them, and all other operations, with brute force.

#include "laws/random_layouts.hpp"

#include "laws/layout_laws.hpp"
#include "laws/stepped_rules.hpp"
#include "laws/view_laws.hpp"

#include <plait/algebra/is_nested.hpp>

namespace test_laws_random_layouts { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr int how_many = 4000;

/// Checks a law on the random layouts for which `applies` is true. At least a tenth of all layouts must be such.
template <class Applies, class Law>
void check_law(std::uint64_t seed, const Applies& applies, const Law& law) {
    random_source random(seed);
    int checked = 0;
    for (int i = 0; i < how_many; ++i) {
        const layout l = random.small_layout();
        if (!check_layout(l).ok()) FAIL_CHECK("not a layout: " << explain(l));
        if (!applies(l)) continue;
        ++checked;
        if (!law(l, random)) FAIL_CHECK(explain(l));
    }
    CHECK(checked > how_many / 10);
}

constexpr auto any_layout = [](const layout&) { return true; };

/// Adapts a law that needs no random numbers.
template <class Law>
auto plainly(const Law& law) {
    return [law](const layout& l, random_source&) { return law(l); };
}
/// Adapts a law about a random permutation.
template <class Law>
auto permuted_by(const Law& law) {
    return [law](const layout& l, random_source& random) { return law(l, random.order(l.ndims())); };
}

/// True if the laws without a permutation hold; for constant expressions.
constexpr bool holds_all(const layout& l) {
    return (!l.is_dense() || fills_memory(l)) && spans_what_it_touches(l) && position_of_inverts_offset(l) &&
           linear_offsets_count_positions(l) && blocks_begin_at_their_first_element(l);
}
constexpr bool permutes(const layout& l, const permutation& p) {
    return permuting_keeps_the_data(l, p) && permuting_keeps_the_invariants(l, p) && permuting_back_is_identity(l, p) &&
           renaming_is_permuting_by_the_inverse(l, p) && permuting_composes(l, p, permutation{1, 2, 0});
}

TEST_CASE("laws in constant expressions") {
    STATIC_CHECK(holds_all(layout({3, 2}, "ba")) && holds_all(layout({5}, "A2a")) && holds_all(layout({2, 0}, "ab")));
    STATIC_CHECK(holds_all(layout({3, 5}, "BA2b2a2b")) && holds_all(layout({2, 3}, strides{10, 2})));
    STATIC_CHECK(name_round_trips(layout({3, 5}, "BA2b2a2b"), same_offsets_everywhere));
    STATIC_CHECK(permutes(layout({2, 1, 3}, "cab"), {2, 0, 1}) && permutes(layout({2, 3, 2}, "aBc2b"), {1, 2, 0}));
    STATIC_CHECK(permuting_composes(layout({2, 3, 4}, "any"), {2, 0, 1}, {0, 2, 1}));
    STATIC_CHECK(permuting_composes(layout({5, dynamic, 3}, "bCa4c"), {2, 0, 1}, {0, 2, 1}));
    STATIC_CHECK(binding_restores({2, 0, 5}, "cab", 3) && binding_restores({2, 3, 5}, "BcA2b4a", 5));
}

TEST_CASE("law at random: dense layouts fill memory") {
    check_law(
        1, [](const layout& l) { return l.is_dense(); }, plainly(fills_memory));
}

TEST_CASE("law at random: element_span, is_injective and is_dense agree with the set of all offsets") {
    check_law(2, any_layout, plainly(spans_what_it_touches));
}

TEST_CASE("law at random: position_of inverts offset") {
    check_law(
        3, [](const layout& l) { return is_injective(l) && is_nested(l); }, plainly(position_of_inverts_offset));
}

TEST_CASE("law at random: linear offsets count the positions, and blocks begin at their first element") {
    check_law(4, any_layout, plainly(linear_offsets_count_positions));
    check_law(5, any_layout, plainly(blocks_begin_at_their_first_element));
}

TEST_CASE("law at random: the name of a dense layout is a tag of the same offsets") {
    // A part of one block has the name of the whole, so it is left out.
    const auto whole = [](const layout& l) {
        for (int a = 0; a < l.ndims(); ++a)
            if (l.padded_dims[a] != divide_up(l.dims[a], l.block_size(a)) * l.block_size(a)) return false;
        return l.is_dense() && !runs_backwards(l);
    };
    check_law(6, whole, plainly([](const layout& l) { return name_round_trips(l, same_offsets_everywhere); }));
}

TEST_CASE("law at random: permuting axes keeps the data and the invariants") {
    check_law(7, any_layout, permuted_by(permuting_keeps_the_data));
    check_law(8, any_layout, permuted_by(permuting_keeps_the_invariants));
}

TEST_CASE("law at random: permutations of axes are a group, and renaming is the inverse") {
    check_law(9, any_layout, permuted_by(permuting_back_is_identity));
    check_law(10, any_layout, permuted_by(renaming_is_permuting_by_the_inverse));
    check_law(11, any_layout, [](const layout& l, random_source& random) {
        return permuting_composes(l, random.order(l.ndims()), random.order(l.ndims()));
    });
}

TEST_CASE("law at random: binding restores dynamic extents") {
    random_source random(13);
    for (int i = 0; i < how_many; ++i) {
        const int n = static_cast<int>(random.between(1, 6));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.between(0, 9));
        const format_tag tag = random.tag(n, 4, 9);
        if (!binding_restores(extents, tag, static_cast<unsigned>(random.between(0, (1 << n) - 1))))
            FAIL_CHECK(explain(layout(extents, tag)));
    }
}

constexpr int layouts_of_views = 2000;

TEST_CASE("law at random: slices, repetitions and broadcast axes keep the elements") {
    random_source random(22);
    for (int i = 0; i < layouts_of_views; ++i) {
        const layout l = random.small_layout();
        if (l.ndims() > 1 && !slices_are_the_elements(l)) FAIL_CHECK(explain(l));
        if (!repeats_every_axis(l)) FAIL_CHECK(explain(l));
        if (!broadcasts_every_unit_axis(l)) FAIL_CHECK(explain(l));
    }
}

TEST_CASE("law at random: slices with a step have the elements, and are refused only if no layout has them") {
    random_source random(24);
    for (int i = 0; i < layouts_of_views / 4; ++i) {
        const layout l = random.small_layout();
        if (!strided_slices_are_right(l)) FAIL_CHECK(explain(l));
    }
}

TEST_CASE("law at random: repetitions and slices of views keep the elements") {
    random_source random(23);
    int slices = 0;
    for (int i = 0; i < layouts_of_views; ++i) {
        const layout l = random.small_layout();
        const int axis = static_cast<int>(random.between(0, l.ndims() - 1));
        const expected<layout> twice = try_repeat(l, axis, 2);
        if (twice && !repeats_every_axis(*twice)) FAIL_CHECK(explain(l));
        // The second part of a repetition has the elements of the layout.
        if (twice) {
            position offsets = origin(l.ndims());
            offsets[axis] = l.dims[axis];
            if (l.padded_offsets == origin(l.ndims()) && l.volume() > 0)
                CHECK(is_part(submemory(*twice, l.dims, offsets), l, l.dims, origin(l.ndims())));
        }
        if (l.ndims() < 3 || l.volume() == 0) continue;
        ++slices;
        if (!slices_are_the_elements(slice(l, axis, l.dims[axis] - 1))) FAIL_CHECK(explain(l));
    }
    CHECK(slices > layouts_of_views / 10);
}

}}  // namespace test_laws_random_layouts
