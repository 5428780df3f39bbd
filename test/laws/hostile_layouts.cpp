// Layouts with arbitrary numbers in their fields: no function that reads them leaves the range of its types (the
// sanitizers check that) or returns a wrong result.

#include "laws/hand_made_layouts.hpp"

#include <plait/algebra/alias_names.hpp>
#include <plait/algebra/element_places.hpp>
#include <plait/algebra/find_gap.hpp>
#include <plait/algebra/hash.hpp>
#include <plait/algebra/is_nested.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/algebra/same_memory.hpp>

namespace test_laws_hostile_layouts {

using namespace plait;
using namespace plait::detail;
using plait_test::random_source;

namespace {

dim_t any_number(random_source& random) {
    switch (random.between(0, 7)) {
        case 0: return 0;
        case 1: return INT64_MAX;
        case 2: return INT64_MIN + random.between(0, 14);  // `dynamic`, outside(axis), and numbers next to them
        case 3: return -random.between(1, 9);
        case 4: return dim_t{1} << random.between(0, 62);
        default: return random.between(1, 40);
    }
}

/// Returns a random layout. Higher levels have more arbitrary numbers; at level 0 each number alone is valid.
layout hostile_layout(random_source& random, dim_t level) {
    const auto pick = [&](dim_t low, dim_t high) {
        return level > 0 && random.once_in(level == 3 ? 2 : 8) ? any_number(random) : random.between(low, high);
    };
    layout l;
    l.kind = random.once_in(20) ? static_cast<format_kind>(random.between(0, 3)) : format_kind::blocked;
    const int n = static_cast<int>(random.between(1, 4));
    for (int a = 0; a < n; ++a) {
        l.dims.push_back(pick(0, 6));
        l.padded_offsets.push_back(random.once_in(3) ? pick(0, 2) : 0);
        l.padded_dims.push_back(random.once_in(3) ? pick(0, 9) : l.dims[a]);
        l.digits.push_back({a, random.once_in(2) ? l.padded_dims[a] : pick(0, 6), pick(0, 40)});
    }
    for (dim_t inner = random.between(0, 4); inner > 0; --inner)
        l.digits.push_back({static_cast<int>(random.between(0, n - 1)), pick(2, 5), pick(0, 40)});
    l.offset0 = pick(0, 9);
    if (level < 3) return l;
    if (random.once_in(10)) l.digits[0].axis = static_cast<int>(any_number(random));
    if (random.once_in(20)) l.digits.count = static_cast<int>(any_number(random));
    if (random.once_in(20)) l.dims.count = static_cast<int>(any_number(random));
    return l;
}

bool overlap_is_real(const layout& l) {
    const overlap_search search = search_overlap(l);
    if (is_injective(l) != (search.none() || l.kind == format_kind::undef)) return false;
    return !search.found || (search.found->first != search.found->second &&
                             l.padded_offset(search.found->first) == search.found->offset &&
                             l.padded_offset(search.found->second) == search.found->offset);
}

}  // namespace

TEST_CASE("law: every function is safe on layouts with arbitrary fields") {
    random_source random(4242);
    int valid = 0;
    for (int i = 0; i < 30000; ++i) {
        const layout l = hostile_layout(random, i % 4);
        CHECK(overlap_is_real(l));
        const expected<layout> form = try_canonical_form(l);
        const bool described = l.kind == format_kind::blocked && form.has_value();
        if (described) CHECK(check_layout(*form).ok());
        if (described && check_static(l).ok()) CHECK(same_memory(l, l));
        CHECK(hash_of(l) == hash_of(layout(l)));
        CHECK(format_name(l).size() + alias_names(l).size() >= 0);
        // These decide nothing about a layout that is not valid.
        if (!check_layout(l).ok()) CHECK((!check_find_gap(l).ok() && !check_position_of(l).ok()));
        if (check_position_of(l).ok())
            if (const std::optional<position> at = position_of(l, any_number(random))) CHECK(at->size() == l.ndims());
        if (check_layout(l).ok() && check_static(l).ok() && is_nested(l))
            CHECK((is_injective(l) || first_shared_digit(l) >= 0));
        CHECK((!l.is_dense() || is_injective(l)));
        if (!check_layout(l).ok() || !check_static(l).ok()) continue;
        // No check refuses a valid static layout.
        ++valid;
        CHECK(check_find_overlap(l).ok());
        CHECK(check_find_gap(l).ok());
        CHECK(form.has_value());
        if (!check_static_layout(l).ok()) continue;
        const offset_range range = element_offsets(l);
        CHECK((range.first >= 0 && range.last >= range.first - 1));
        if (range.last > 0) CHECK(static_cast<std::size_t>(range.last - l.offset0) < l.element_span());
        CHECK((has_unique_elements(l) || !is_injective(l)));
        CHECK((!fills_its_offsets(l) || range.first == 0));
        if (check_element_strides(l).ok()) CHECK(element_strides(l).size() == l.ndims());
    }
    CHECK(valid > 300);
}

TEST_CASE("offset: returns a number or refuses, without undefined behaviour, for layouts that break every rule") {
    // Sanitizers find undefined behaviour here. The returned numbers have no meaning.
    const dim_t hostile[] = {INT64_MIN, INT64_MIN + 1, -7, -1, 0, 1, 3, INT64_MAX - 1, INT64_MAX};
    int numbers = 0, refusals = 0;
    const auto ask = [&](const auto& question) {
        const verdict why = plait_test::refusal_of(question);
        ++(why.ok() ? numbers : refusals);
    };
    for (dim_t stride : hostile)
        for (dim_t number : hostile)
            for (int field = 0; field < 5; ++field) {
                layout l({2, 6}, "aB2b");
                l.digits[0].stride = stride;
                if (field == 0) l.digits[1].stride = number;
                if (field == 1) l.digits[2].stride = number;
                if (field == 2) l.padded_offsets[1] = number;
                if (field == 3) l.offset0 = number;
                if (field == 4) l.dims[1] = l.padded_dims[1] = number;
                ask([&] { return l.offset(1, 2); });
                ask([&] { return l.padded_offset(1, 5); });
                ask([&] { return l.block_offset(1, 1); });
                ask([&] { return l.linear_offset(3); });
                ask([&] { return l.element_span(); });
                ask([&] { return l.is_dense(); });
            }
    CHECK(numbers > 0);
    CHECK(refusals > 0);
}

}  // namespace test_laws_hostile_layouts
