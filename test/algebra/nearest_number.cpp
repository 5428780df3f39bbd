#include <plait/algebra/nearest_number.hpp>

#include <plait/algebra/divide.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/algebra/tile.hpp>

#include "laws/function_laws.hpp"
#include "laws/random_layouts.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_nearest_number { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Counts the refusals of numbers that do not divide, with and without a nearest number.
struct named_numbers {
    int named = 0, silent = 0;
};

/// Checks that l is accepted if the named number replaces the first number along the axis. Without an axis, the
/// number belongs to the only axis.
template <class Check>
bool is_accepted(const layout& l, verdict why, const Check& check) {
    if (why.axis < 0 && l.ndims() == 1) why.axis = 0;
    if (why.axis < 0) return false;
    for (int k = 0; k < l.digits.size(); ++k) {
        const digit& d = l.digits[k];
        if (d.axis != why.axis) continue;
        for (const bool is_stride : {true, false}) {
            if ((is_stride ? d.stride : d.extent) != why.first) continue;
            if (check(with_digit_number(l, k, is_stride, why.third)).ok()) return true;
        }
    }
    return false;
}

/// Checks the law for one refusal: a number is named only if it is accepted.
template <class Accepted>
void judge(named_numbers& count, const verdict& why, const Accepted& accepted) {
    if (why.reason != reason::extents_do_not_divide) return;
    ++(why.third != 0 ? count.named : count.silent);
    const bool right = why.third == 0 || accepted();
    CHECK_MESSAGE(right, describe(why).c_str());
}

layout random_inner_layout(random_source& random) {
    dims extents;
    strides steps;
    for (dim_t n = random.between(1, 2); n > 0; --n) {
        extents.push_back(random.between(1, 12));
        steps.push_back(random.between(0, 12));
    }
    return layout(extents, steps);
}

TEST_CASE("nearest_accepted: the guess if it is accepted, else the nearest number, else none") {
    constexpr auto divides_12 = [](dim_t n) { return 12 % n == 0; };
    STATIC_CHECK(nearest_accepted(5, 0, divides_12) == 4);
    STATIC_CHECK(nearest_accepted(5, 6, divides_12) == 6);
    STATIC_CHECK(nearest_accepted(9, 10, divides_12) == 6);
    STATIC_CHECK(nearest_accepted(300, 0, divides_12) == 0);
    STATIC_CHECK(nearest_accepted(INT64_MAX, 0, [](dim_t) { return false; }) == 0);
    STATIC_CHECK(nearest_accepted(1, 0, [](dim_t n) { return n > 3; }) == 4);
}

TEST_CASE("law at random: a number that compose, complement, divide or product names is accepted in its place") {
    random_source random(77);
    named_numbers composing, leaving, dividing, multiplying;
    for (int i = 0; i < 6000; ++i) {
        const layout a = random.small_layout(), b = random_inner_layout(random);
        const dim_t size = random.between(1, 60);
        judge(composing, check_compose(a, b), [&] {
            return is_accepted(b, check_compose(a, b), [&](const layout& x) { return check_compose(a, x); });
        });
        judge(leaving, check_complement(b, size), [&] {
            const verdict why = check_complement(b, size);
            if (why.axis < 0) return check_complement(b, why.third).ok();
            return is_accepted(b, why, [&](const layout& x) { return check_complement(x, size); });
        });
        judge(dividing, check_divide(a, b), [&] {
            const verdict why = check_divide(a, b);
            return is_accepted(b, why, [&](const layout& x) { return check_divide(a, x); }) ||
                   (why.axis < 0 && is_accepted(a, why, [&](const layout& x) { return check_divide(x, b); }));
        });
        judge(multiplying, check_product(b, a), [&] {
            const verdict why = check_product(b, a);
            return is_accepted(b, why, [&](const layout& x) { return check_product(x, a); }) ||
                   is_accepted(a, why, [&](const layout& x) { return check_product(b, x); });
        });
    }
    for (const named_numbers& count : {composing, leaving, dividing, multiplying})
        MESSAGE(count.named, " named, ", count.silent, " not");
    CHECK(composing.named > 200);
    CHECK(leaving.named > 200);
    CHECK(dividing.named > 200);
    CHECK(multiplying.named > 20);
}

TEST_CASE("law at random: a number that tile, view or rearrange names is accepted in its place") {
    random_source random(78);
    named_numbers tiling, viewing, rearranging;
    const expected<axis_pattern> split = parse_axis_pattern("(p q) -> p q");
    for (int i = 0; i < 6000; ++i) {
        const layout l = random.small_layout();
        dims extents;
        for (int a = 0; a < l.ndims(); ++a) extents.push_back(random.between(1, 6));
        judge(tiling, check_tile(l, extents), [&] {
            const verdict why = check_tile(l, extents);
            extents[why.axis] = why.third;
            return check_tile(l, extents).ok();
        });
        const layout one({4 * random.between(1, 4), 3 * random.between(1, 3)}, random.tag(2, 2, 4));
        const dim_t inner = random.between(1, 12), given = random.between(1, 12);
        if (one.volume() % inner == 0)
            judge(viewing, check_view(one, {one.volume() / inner, inner}), [&] {
                const verdict why = check_view(one, {one.volume() / inner, inner});
                return why.second == inner && check_view(one, {one.volume() / why.third, why.third}).ok();
            });
        const layout row({one.dims[0]}, random.tag(1, 2, 4));
        const named_extent number{"q", given};
        judge(rearranging, check_rearrange(row, *split, {&number, 1}), [&] {
            const named_extent other{"q", check_rearrange(row, *split, {&number, 1}).third};
            return check_rearrange(row, *split, {&other, 1}).ok();
        });
    }
    for (const named_numbers& count : {tiling, viewing, rearranging})
        MESSAGE(count.named, " named, ", count.silent, " not");
    CHECK(tiling.named > 200);
    CHECK(viewing.named > 100);
    CHECK(rearranging.named > 100);
}

}}  // namespace test_algebra_nearest_number
