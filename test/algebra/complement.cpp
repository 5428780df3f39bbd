#include <plait/algebra/complement.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_complement { namespace {

using namespace plait;
using namespace plait_test;

constexpr bool refused(const layout& l, dim_t size, const verdict& why) {
    return check_complement(l, size) == why && !try_complement(l, size).has_value();
}

/// Checks that l and its complement give each place below size once, and that the complement rises. Sizes up to 600.
constexpr bool covers_the_gaps(const layout& l, dim_t size) {
    const expected<layout> out = try_complement(l, size);
    if (!out) return !check_complement(l, size).ok();
    if (!check_layout(*out).ok() || out->ndims() != 1) return false;
    bool taken[600]{};
    for (dim_t i = 0; i < out->volume(); ++i) {
        if (i > 0 && out->offset(i) <= out->offset(i - 1)) return false;
        for (dim_t k = 0; k < l.padded_volume(); ++k) {
            const dim_t place = l.padded_linear_offset(k) - l.offset0 + out->offset(i);
            if (place < 0 || place >= size || taken[place]) return false;
            taken[place] = true;
        }
    }
    return out->volume() * l.padded_volume() == size;
}

/// True if copies of the places of l can be laid next to each other to fill size: greedily, each in the first free
/// place. No other arrangement is possible, so a complement exists exactly if this succeeds.
bool can_fill(const layout& l, dim_t size) {
    std::vector<bool> taken(static_cast<std::size_t>(size));
    for (dim_t first = 0; first < size; ++first) {
        if (taken[static_cast<std::size_t>(first)]) continue;
        for (dim_t k = 0; k < l.padded_volume(); ++k) {
            const dim_t place = l.padded_linear_offset(k) - l.offset0 + first;
            if (place >= size || taken[static_cast<std::size_t>(place)]) return false;
            taken[static_cast<std::size_t>(place)] = true;
        }
    }
    return true;
}

constexpr bool covers_for_all_sizes(const layout& l) {
    for (const dim_t size : {1, 4, 6, 12, 16, 24, 48})
        if (!covers_the_gaps(l, size)) return false;
    return true;
}

TEST_CASE("complement: the examples of CuTe's documentation, with the order of the axes reversed") {
    STATIC_CHECK(is_cute(complement(layout({4}, strides{1}), 24), {{6, 4}}));
    STATIC_CHECK(is_cute(complement(layout({6}, strides{4}), 24), {{4, 1}}));
    STATIC_CHECK(is_cute(complement(layout({6, 4}, strides{4, 1}), 24), {{1, 0}}));
    STATIC_CHECK(is_cute(complement(layout({4}, strides{2}), 24), {{2, 1}, {3, 8}}));
    STATIC_CHECK(is_cute(complement(layout({4, 2}, strides{6, 1}), 24), {{3, 2}}));
    STATIC_CHECK(is_cute(complement(layout({2, 2}, strides{6, 1}), 24), {{3, 2}, {2, 12}}));
    STATIC_CHECK(complement(layout({6}, strides{4}), 24) == layout({4}, "a"));
}

TEST_CASE("complement: covers exactly the gaps") {
    STATIC_CHECK(covers_for_all_sizes(layout({2, 2}, strides{6, 1})));
    STATIC_CHECK(covers_for_all_sizes(layout({4, 4}, "AB2a2b")));
    STATIC_CHECK(covers_the_gaps(layout({2, 3}, strides{16, 4}), 64) == covers_the_gaps(layout({3}, strides{4}), 24));
    for (const layout& l : tiny_functions) CHECK(covers_for_all_sizes(l));
    for (const layout& l : varied_layouts) CHECK(covers_for_all_sizes(l));
    random_source random(13);
    int done = 0, nothing = 0;
    for (int i = 0; i < 6000; ++i) {
        const layout l = random_function(random, 2, 6);
        if (l.padded_volume() == 0 || l.element_span() > 300) continue;
        dim_t size = random.between(1, 600);
        if (random.once_in(2))
            size = static_cast<dim_t>(l.element_span()) * random.between(1, 600 / size + 1) % 600 + 1;
        if (const verdict why = check_complement(l, l.padded_volume() * random.between(1, 3)); why.axis == -1)
            if (why.reason == reason::extents_do_not_divide && random.once_in(2)) size = why.third;
        if (size > 600) continue;
        if (!covers_the_gaps(l, size)) FAIL_CHECK(explain(l));
        // Exactly the layouts without a complement are refused.
        const verdict why = check_complement(l, size);
        if (why.ok() != (why.reason != reason::layout_is_not_injective && can_fill(l, size)))
            FAIL_CHECK((explain(l) + std::to_string(size)));
        done += why.ok();
        nothing += !why.ok();
    }
    CHECK(done > 1000);
    CHECK(nothing > 1000);
}

TEST_CASE("complement: the complement of the complement has the places of the layout") {
    random_source random(14);
    for (int i = 0; i < 2000; ++i) {
        const layout l = random_function(random, 2, 6);
        const dim_t size = l.padded_volume() * random.between(1, 4);
        const expected<layout> out = try_complement(l, size);
        if (!out) continue;
        const layout back = complement(*out, size);
        CHECK(back.volume() == l.padded_volume());
        CHECK(complement(back, size) == *out);
    }
}

TEST_CASE("complement: each refusal, and its nearest number works") {
    // CuTe rounds up if 10 elements are divided by 4.
    STATIC_CHECK(refused(layout({4}, "a"), 10, {reason::extents_do_not_divide, -1, 10, 4, 8}));
    STATIC_CHECK(check_complement(layout({4}, "a"), 8).ok());
    STATIC_CHECK(refused(layout({4}, "a"), 11, {reason::extents_do_not_divide, -1, 11, 4, 12}));
    STATIC_CHECK(refused(layout({4}, "a"), 1, {reason::extents_do_not_divide, -1, 1, 4, 4}));
    STATIC_CHECK(refused(layout({2, 2}, strides{5, 1}), 20, {reason::extents_do_not_divide, 0, 5, 2, 2}));
    STATIC_CHECK(check_complement(layout({2, 2}, strides{2, 1}), 20).ok());
    STATIC_CHECK(refused(layout({2, 2}, strides{5, 1}), 24, {reason::extents_do_not_divide, 0, 5, 2, 4}));
    STATIC_CHECK(check_complement(layout({2, 2}, strides{4, 1}), 24).ok());
    STATIC_CHECK(refused(layout({4, 3}, strides{0, 1}), 12, {reason::layout_is_not_injective, 0, 4, 0}));
    STATIC_CHECK(refused(layout({4}, "a"), 0, {reason::dim_is_negative, -1, 0, 1}));
    STATIC_CHECK(refused(layout({4}, "a"), INT64_MIN + 77, {reason::dim_is_negative, -1, INT64_MIN + 77, 1}));
    STATIC_CHECK(refused(layout({4}, "a"), dynamic, {reason::dim_is_dynamic, -1}));
    STATIC_CHECK(refused(layout({0, 4}, "ab"), 12, {reason::index_is_outside_domain, 0, 0, 0}));
    STATIC_CHECK(
        refused(by_hand({2, 5}, {2, 5}, {16, 16}, {{1, 2}, {0, 2}, {1, 4}}), 32, {reason::axis_is_padded, 1, 8, 5}));
    // The first 3 of a block of 8.
    STATIC_CHECK(complement(by_hand({3}, {3}, {8}, {{0, 8}}), 6) == layout({2}, strides{3}));
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), 4, {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), 4, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(refused(by_hand({3}, {3}, {-1}), 4, {reason::stride_is_negative, 0, -1, 0, 2}));
    STATIC_CHECK(refused(by_hand({3}, {3}, {INT64_MAX}), 4, {reason::size_overflows, 0, INT64_MAX, 3}));
}

TEST_CASE("complement: padding counts as taken, offset0 does not matter; huge layouts take no loop") {
    STATIC_CHECK(complement(layout({3}, "A4a"), 12) == layout({3}, strides{4}));
    layout later({4}, strides{2});
    later.offset0 = 5;
    CHECK(complement(later, 24) == complement(layout({4}, strides{2}), 24));
    constexpr dim_t far = dim_t{1} << 40;
    STATIC_CHECK(complement(layout({2, 2}, strides{far, 1}), far * 4).volume() == far);
    STATIC_CHECK(complement(layout({2, 2}, strides{far, 1}), far * 4).offset(far / 2 - 1) == far - 2);
    STATIC_CHECK(complement(layout({2, 2}, strides{far, 1}), far * 4).offset(far / 2) == 2 * far);
    STATIC_CHECK(complement(layout({INT64_MAX}, "a"), INT64_MAX) == layout({1}, "a"));
    STATIC_CHECK(refused(layout({far}, "a"), INT64_MAX,
                         {reason::extents_do_not_divide, -1, INT64_MAX, far, INT64_MAX - far + 1}));
    random_source random(15);
    for (int i = 0; i < 500; ++i) {
        dims extents;
        strides steps;
        dim_t step = 1;
        for (int a = 0; a < max_ndims; ++a) extents.push_back(random.between(1, 3)), steps.push_back(0);
        extents[3] = far + random.between(-1000, 1000);
        for (const dim_t a : random.order(max_ndims)) {
            step *= random.once_in(4) ? 2 : 1;
            steps[static_cast<int>(a)] = step;
            step *= extents[static_cast<int>(a)];
        }
        const expected<layout> l = try_layout(extents, steps);
        if (!l || step > INT64_MAX / 8) continue;
        const layout out = complement(*l, step * 5);
        CHECK(out.volume() == step * 5 / l->volume());
        CHECK(out.element_span() + l->element_span() - 1 == static_cast<std::size_t>(step * 5));
    }
}

}}  // namespace test_algebra_complement
