#include <plait/algebra/product.hpp>
#include <plait/algebra/submemory.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_product { namespace {

using namespace plait;
using namespace plait_test;

constexpr bool refused(const layout& a, const layout& b, const verdict& why) {
    return check_product(a, b) == why && !try_product(a, b).has_value();
}

/// Checks that the result has copies of a in the places that it leaves free, which are counted one by one.
bool multiplies(const layout& a, const layout& b) {
    const expected<layout> out = try_product(a, b);
    if (!out) return !check_product(a, b).ok();
    if (!check_layout(*out).ok() || out->ndims() != a.ndims() + b.ndims()) return false;
    const auto wanted =
        b.padded_volume() == 0 ? std::size_t{0} : static_cast<std::size_t>(b.offset0) + b.element_span();
    std::vector<bool> taken(wanted * a.element_span() + a.element_span());
    std::vector<dim_t> copies;
    for (std::size_t first = 0; copies.size() < wanted; ++first) {
        if (first < taken.size() && taken[first]) continue;
        copies.push_back(static_cast<dim_t>(first));
        if (taken.size() < first + a.element_span()) taken.resize(first + a.element_span());
        for (dim_t i = 0; i < a.padded_volume(); ++i)
            taken[first + static_cast<std::size_t>(a.padded_linear_offset(i) - a.offset0)] = true;
    }
    for (dim_t k = 0; k < b.padded_volume(); ++k)
        for (dim_t i = 0; i < a.padded_volume(); ++i)
            if (out->padded_linear_offset(k * a.padded_volume() + i) !=
                a.padded_linear_offset(i) + copies[static_cast<std::size_t>(b.padded_linear_offset(k))])
                return false;
    return true;
}

TEST_CASE("product: copies of a part of one block are those of its elements") {
    constexpr layout part = by_hand({3}, {3}, {8}, {{0, 8}}), copies({2}, "a");
    STATIC_CHECK(product(part, copies).offset(1, 2) == 5);
    STATIC_CHECK(check_product(by_hand({2}, {2}, {3}, {{0, 3}}), copies).ok());
    CHECK(multiplies(part, copies));
}

TEST_CASE("product: the examples of CuTe's documentation, with the order of the axes reversed") {
    // logical_product((2,2):(4,1), 6:1) = ((2,2),(2,3)):((4,1),(2,8))
    constexpr layout tile({2, 2}, strides{1, 4});
    STATIC_CHECK(is_cute(product(tile, layout({6}, "a")), {{2, 4}, {2, 1}, {2, 2}, {3, 8}}));
    // logical_product((2,2):(4,1), (4,2):(2,1)) = ((2,2),(4,2)):((4,1),(8,2))
    STATIC_CHECK(is_cute(product(tile, layout({2, 4}, strides{1, 2})), {{2, 4}, {2, 1}, {4, 8}, {2, 2}}));
    STATIC_CHECK(product(tile, layout({6}, "a")).dims == dims{6, 2, 2});
}

TEST_CASE("product: copies next to each other, or between the elements of the tile") {
    STATIC_CHECK(product(layout({4}, "a"), layout({3}, "a")) == layout({3, 4}, "ab"));
    STATIC_CHECK(product(layout({4}, strides{3}), layout({3}, "a")) == layout({3, 4}, "ba"));
    STATIC_CHECK(product(layout({4}, "a"), layout({2, 3}, "ba")) == layout({2, 3, 4}, "bac"));
    STATIC_CHECK(product(layout({4}, "a"), layout({3}, strides{0})) == layout({3, 4}, strides{0, 1}));
    // Copies 3 and 4 are at 5 and 8: their digits do not align with those of the free places, and they are a layout.
    STATIC_CHECK(product(layout({2}, strides{2}), submemory(layout({5}, "a"), {2}, {3})).offset(1, 1) == 10);
    layout same({4}, "a");
    same = product(same, same);
    CHECK(same == layout({4, 4}, "ab"));
}

TEST_CASE("product: small layouts") {
    for (const layout& a : tiny_functions)
        for (const layout& b : tiny_functions) CHECK(multiplies(a, b));
    for (const layout& a : varied_layouts)
        for (const layout& b : varied_layouts) CHECK(multiplies(a, b));
    random_source random(21);
    int multiplied = 0;
    for (int i = 0; i < 5000; ++i) {
        layout a = random_function(random, 2, 6);
        const layout b = random_inner(random);
        if (random.once_in(10)) a = part_of_a_block(random, a);
        if (!multiplies(a, b)) FAIL_CHECK((explain(a) + explain(b)));
        multiplied += check_product(a, b).ok();
    }
    CHECK(multiplied > 1500);
}

TEST_CASE("product: is associative if all products are defined") {
    random_source random(22);
    int both = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout a = random_function(random, 2, 4);
        const layout b({random.between(1, 4)}, strides{random.between(1, 3)}), c({random.between(1, 4)}, "a");
        const expected<layout> ab = try_product(a, b), bc = try_product(b, c);
        if (!ab || !bc) continue;
        const expected<layout> left = try_product(*ab, c), right = try_product(a, *bc);
        if (!left || !right) continue;
        ++both;
        CHECK(same_function(*left, *right));
    }
    CHECK(both > 1000);
}

TEST_CASE("product: offset0, padding, zero extents") {
    layout a({4}, "a"), b({3}, "a");
    a.offset0 = 100;
    b.offset0 = 2;
    CHECK(product(a, b).offset0 == 108);
    CHECK(multiplies(a, b));
    CHECK(multiplies(layout({3}, "A4a"), layout({3}, "A2a")));
    STATIC_CHECK(product(layout({3}, "A4a"), layout({2}, "a")).offset(1, 0) == 4);
    STATIC_CHECK(product(layout({4}, "a"), layout({0}, "a")).dims == dims{0, 4});
    STATIC_CHECK(refused(layout({0}, "a"), layout({4}, "a"), {reason::index_is_outside_domain, 0, 0, 0}));
}

TEST_CASE("product: each refusal") {
    constexpr layout l({4}, "a");
    STATIC_CHECK(refused(layout({2, 2}, strides{5, 1}), l, {reason::extents_do_not_divide, 0, 5, 2, 4}));
    STATIC_CHECK(check_product(layout({2, 2}, strides{4, 1}), l).ok());
    STATIC_CHECK(refused(layout({3}, strides{0}), l, {reason::layout_is_not_injective, 0, 3, 0}));
    // Three places between the elements of the tile: the copies do not continue in fours.
    STATIC_CHECK(refused(layout({2}, strides{3}), l, {reason::extents_do_not_divide, 0, 4, 3, 3}));
    STATIC_CHECK(check_product(layout({2}, strides{3}), layout({3}, "a")).ok());
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), l, {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(l, layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(l, layout({2, 3}, strides{dynamic, 1}), {reason::stride_is_dynamic, 0}));
    dims ones;
    for (int axis = 0; axis < max_ndims; ++axis) ones.push_back(1);
    CHECK(refused(l, layout(ones, plain_order(identity_permutation(max_ndims))), {reason::too_many_axes, -1, 13, 12}));
    // Hand-made layouts: a negative stride, and a large offset0.
    CHECK(refused(l, by_hand({3}, {3}, {-1}), {reason::stride_is_negative, 0, -1, 0, 2}));
    CHECK(refused(by_hand({3}, {3}, {-1}), l, {reason::stride_is_negative, 0, -1, 0, 2}));
    layout late({1}, "a");
    late.offset0 = INT64_MAX;
    CHECK(check_layout(late).ok());
    CHECK(refused(l, late, {reason::size_overflows, -1, 4, INT64_MAX}));
    CHECK(refused(layout({1}, "a"), late, {reason::size_overflows, -1, 1, INT64_MAX}));
    late.offset0 = INT64_MAX / 4;
    CHECK(refused(l, late, {reason::size_overflows, -1, 4, INT64_MAX / 4}));
    late.offset0 = INT64_MAX / 4 - 1;
    CHECK(product(l, late).offset0 == INT64_MAX - 7);
    CHECK(check_product(late, l).ok());
    // Broadcast blocks of a part: the product of their extents overflows, their places do not.
    layout shared = by_hand({1, 1}, {1, 1}, {0, 0}, {{0, dim_t{1} << 40}});
    shared.digits[1].extent = 1;
    shared.digits[2].stride = 0;
    CHECK(check_product(shared, l).ok() == check_layout(shared).ok());
}

TEST_CASE("product: twelve axes, extents near 2^40, at random places") {
    random_source random(23);
    int multiplied = 0;
    for (int i = 0; i < 500; ++i) {
        dims extents, counts;
        for (int axis = 0; axis < 6; ++axis) extents.push_back(random.between(1, 3));
        for (int axis = 0; axis < 6; ++axis) counts.push_back(random.between(1, 3));
        (random.once_in(2) ? extents : counts)[static_cast<int>(random.between(0, 5))] =
            (dim_t{1} << 40) + random.between(-1000, 1000);
        const layout a(extents, random.tag(6, 2, 3)), b(counts, random.tag(6, 2, 3));
        const expected<layout> out = try_product(a, b);
        if (!out) continue;
        ++multiplied;
        const position p = random.inside(a.dims), q = random.inside(b.dims);
        position both = q;
        for (const dim_t index : p) both.push_back(index);
        CHECK(out->offset(both) == a.offset(p) + b.offset(q) * a.padded_volume());
    }
    CHECK(multiplied > 400);
}

}}  // namespace test_algebra_product
