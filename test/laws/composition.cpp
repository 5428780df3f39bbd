// The laws of layouts as functions, on random layouts: for all elements of small layouts, and for some of huge ones.

#include "laws/function_laws.hpp"

#include <plait/algebra/divide.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/tile.hpp>

namespace test_laws_composition {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

TEST_CASE("law: compose of two small layouts is the composed function; refused pairs have no layout") {
    random_source random(5);
    int composed = 0, needless = 0, refusals = 0;
    for (int i = 0; i < 20000; ++i) {
        layout a = random_function(random, 3, 12);
        const layout b = random_inner(random);
        if (random.once_in(10)) a = part_of_a_block(random, a);
        if (!follows(a, b)) FAIL_CHECK((explain(a) + explain(b)));
        const verdict why = check_compose(a, b);
        composed += why.ok();
        if (why.ok() || !linear_digits(a).why.ok()) continue;
        if (why.reason == reason::index_is_outside_domain) {
            CHECK(why.first == b.offset0 + largest_offset(b));
            CHECK(why.second == a.volume());
            CHECK(why.first >= why.second);
            continue;
        }
        if (!(b.padded_dims == b.dims)) continue;  // its padding needs a place, too
        ++refusals;
        needless +=
            layout_of_function(b, [&](const position& at) { return a.linear_offset(b.padded_offset(at)); }).has_value();
    }
    CHECK(composed > 5000);
    CHECK(refusals > 1000);
    CHECK(needless == 0);
}

TEST_CASE("law: compose is associative, with an identity on both sides") {
    random_source random(6);
    int both = 0;
    for (int i = 0; i < 6000; ++i) {
        const layout a = random_function(random, 3, 12), b = random_inner(random), c = random_function(random, 2, 4);
        const expected<layout> ab = try_compose(a, b), bc = try_compose(b, c);
        if (ab && bc) {
            const expected<layout> left = try_compose(*ab, c), right = try_compose(a, *bc);
            both += left && right;
            if (left && right && !same_function(*left, *right)) FAIL_CHECK((explain(a) + explain(b) + explain(c)));
        }
        // compose with a plain line returns b, including its blocks.
        const layout line({b.offset0 + static_cast<dim_t>(b.element_span())}, "a");
        if (b.padded_volume() > 0 && compose(line, b) != b) {
            // The result for a part of a block may have fewer digits.
            CHECK(same_function(compose(line, b), b));
            CHECK(with_fewest_digits(b).digits.size() < b.digits.size());
        }
        if (!linear_digits(a).why.ok() || a.is_padded()) continue;
        layout plain = layout(a.dims, plain_tag(a.ndims()));
        if (!same_function(compose(a, plain), a)) FAIL_CHECK(explain(a));
        plain = compose(plain, plain);
        CHECK(plain == layout(a.dims, plain_tag(a.ndims())));
    }
    CHECK(both > 500);
    constexpr layout a({2, 6}, strides{2, 8}), b({3, 4}, strides{1, 3}), c({2, 2}, strides{4, 1});
    STATIC_CHECK(compose(compose(a, b), c) == compose(a, compose(b, c)));
}

TEST_CASE("law at size: compose of twelve axes with extents near 2^40, at random places, and in place") {
    random_source random(10);
    int composed = 0;
    for (int i = 0; i < 1000; ++i) {
        dims from, to;
        for (int axis = 0; axis < max_ndims; ++axis) {
            from.push_back(dim_t{1} << random.between(0, 2));
            to.push_back(dim_t{1} << random.between(0, 1));
        }
        from[static_cast<int>(random.between(0, 11))] = dim_t{1} << 40;
        const dim_t rest = volume(from) / volume(to);
        to[static_cast<int>(random.between(0, 11))] *= rest > 0 ? rest : 1;
        const layout a(from, random.tag(max_ndims, 3, 2)), b(to, random.tag(max_ndims, 3, 2));
        const verdict why = check_compose(a, b);
        CHECK((why.ok() || why.reason == reason::too_many_digits || why.reason == reason::axis_is_padded ||
               why.reason == reason::index_is_outside_domain));
        if (!why.ok()) continue;
        ++composed;
        layout out = b;
        out = compose(a, out);
        for (int k = 0; k < 5; ++k) {
            const position at = random.inside(b.dims);
            CHECK(out.offset(at) == a.linear_offset(b.offset(at)));
        }
    }
    CHECK(composed > 300);
    CHECK((refusal_of([] { return compose(layout({4}, "a"), layout({5}, "a")); }) ==
           verdict{reason::index_is_outside_domain, -1, 4, 4}));
}

}  // namespace test_laws_composition
