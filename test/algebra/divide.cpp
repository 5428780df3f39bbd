#include <plait/algebra/divide.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/strided_slice.hpp>
#include <plait/algebra/view.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_divide { namespace {

using namespace plait;
using namespace plait_test;

constexpr bool refused(const layout& a, const layout& b, const verdict& why) {
    return check_divide(a, b) == why && !try_divide(a, b).has_value();
}

/// The composition with the tile and what it leaves free; tile 0 is the composition with the tile; each element of a
/// exactly once. Up to 600 elements.
constexpr bool divides(const layout& a, const layout& b) {
    const expected<layout> out = try_divide(a, b);
    if (!out) return !check_divide(a, b).ok();
    if (!check_layout(*out).ok() || out->ndims() != b.ndims() + 1) return false;
    if (*out != compose(a, concatenate(complement(b, a.volume()), b))) return false;
    const layout first = compose(a, b);
    for (dim_t i = 0; i < b.volume(); ++i)
        if (out->linear_offset(i) != first.linear_offset(i)) return false;
    if (out->padded_volume() != a.volume()) return false;
    const layout rest = complement(b, a.volume());
    bool seen[600]{};
    for (dim_t tile = 0; tile < out->dims[0]; ++tile)
        for (dim_t i = 0; i < b.padded_volume(); ++i) {
            const dim_t number = rest.offset(tile) + b.padded_linear_offset(i);
            if (seen[number] || out->padded_linear_offset(tile * b.padded_volume() + i) != a.linear_offset(number))
                return false;
            seen[number] = true;
        }
    return true;
}

constexpr bool divides_all(const layout& a) {
    for (const layout& b : tiny_functions)
        if (!divides(a, b)) return false;
    return true;
}

TEST_CASE("divide: the examples of CuTe's documentation, with the order of the axes reversed") {
    // logical_divide((4,2,3):(2,1,8), 4:2) = ((2,2),(2,3)):((4,1),(2,8))
    constexpr layout a({3, 2, 4}, strides{8, 1, 2});
    STATIC_CHECK(is_cute(divide(a, layout({4}, strides{2})), {{2, 4}, {2, 1}, {2, 2}, {3, 8}}));
    STATIC_CHECK(divide(a, layout({4}, strides{2})).dims == dims{6, 4});
    // (9,(4,8)):(59,(13,1)) by (3:3, (2,4):(1,8)) = ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1))), mode by mode.
    STATIC_CHECK(is_cute(divide(layout({9}, strides{59}), layout({3}, strides{3})), {{3, 177}, {3, 59}}));
    STATIC_CHECK(is_cute(divide(layout({8, 4}, strides{1, 13}), layout({4, 2}, strides{8, 1})),
                         {{2, 13}, {4, 2}, {2, 26}, {2, 1}}));
}

TEST_CASE("divide: digits that do not align, with offsets that are a layout") {
    // 1 3 5 0 2 4 of itself is 3 0 4 1 5 2.
    constexpr layout turned = view(strided_slice(layout({2, 3}, "ba"), 0, 1, -1, -1), {6});
    STATIC_CHECK(divide(turned, turned).offset(0, 1) == 0);
    STATIC_CHECK(divide(turned, turned).offset(0, 2) == 4);
}

TEST_CASE("divide: CuTe rounds 10 elements up to 12; here they are refused, with the numbers") {
    STATIC_CHECK(refused(layout({10}, "a"), layout({4}, "a"), {reason::extents_do_not_divide, -1, 10, 4, 8}));
    STATIC_CHECK(check_divide(layout({8}, "a"), layout({4}, "a")).ok());
    STATIC_CHECK(refused(layout({10, 3}, "ab"), layout({4}, "a"), {reason::extents_do_not_divide, -1, 30, 4}));
}

TEST_CASE("divide: small layouts") {
    STATIC_CHECK(divides(layout({4, 6}, "ba"), layout({2, 4}, "ba")));
    CHECK(divides_all(layout({8, 6}, "Ab2a")));
    for (const layout& a : tiny_functions) CHECK(divides_all(a));
    for (const layout& a : varied_layouts) CHECK(divides_all(a));
    random_source random(18);
    int divided = 0;
    for (int i = 0; i < 8000; ++i) {
        const layout a = random_function(random, 2, 12), b = random_inner(random);
        if (!divides(a, b)) FAIL_CHECK((explain(a) + explain(b)));
        divided += check_divide(a, b).ok();
    }
    CHECK(divided > 1000);
}

TEST_CASE("divide: product restores the layout") {
    random_source random(19);
    int restored = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout tile = random_function(random, 2, 6);
        const dim_t n = 480, volume = tile.padded_volume();
        if (tile.offset0 != 0 || !check_divide(layout({n}, "a"), tile).ok()) continue;
        CHECK(same_function(divide(layout({n}, "a"), tile), product(tile, layout({n / volume}, "a"))));
        ++restored;
    }
    CHECK(restored > 1000);
    constexpr layout tile({2, 2}, strides{6, 1});
    STATIC_CHECK(divide(layout({24}, "a"), tile) == product(tile, layout({6}, "a")));
}

TEST_CASE("divide: each refusal; the axis is that of the tile") {
    constexpr layout a({4, 6}, strides{10, 1});
    STATIC_CHECK(refused(a, layout({4}, "a"), {reason::extents_do_not_divide, -1, 4, 6, 3}));
    STATIC_CHECK(check_divide(a, layout({3}, "a")).ok());
    // With 3 rows that begin 8 apart no other extent of axis 1 is accepted, so none is named.
    STATIC_CHECK(refused(a, layout({3, 8}, "ab"), {reason::extents_do_not_divide, 1, 8, 6}));
    STATIC_CHECK(refused(a, layout({2, 2}, strides{5, 1}), {reason::extents_do_not_divide, 0, 5, 2, 6}));
    STATIC_CHECK(check_divide(a, layout({2, 2}, strides{6, 1})).ok());
    STATIC_CHECK(refused(a, layout({4, 3}, strides{0, 1}), {reason::layout_is_not_injective, 0, 4, 0}));
    STATIC_CHECK(refused(a, layout({0}, "a"), {reason::index_is_outside_domain, 0, 0, 0}));
    STATIC_CHECK(refused(layout({0}, "a"), layout({1}, "a"), {reason::index_is_outside_domain, 0, 0, 0}));
    STATIC_CHECK(refused(layout({3, 17}, "Ba16b"), layout({1}, "a"), {reason::axis_is_padded, 1, 32, 17}));
    // A tile with an offset0 would end outside.
    layout later({2}, "a");
    later.offset0 = 1;
    CHECK(refused(layout({4}, "a"), later, {reason::index_is_outside_domain, -1, 4, 4}));
    layout moved({4, 6}, "ba");
    moved.offset0 = 77;
    CHECK(divides(moved, layout({6}, "a")));
    CHECK(divide(moved, layout({6}, "a")).offset0 == 77);
    STATIC_CHECK(refused(layout(), layout({1}, "a"), {reason::layout_is_undefined}));
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), a, {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(a, layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
    dims ones;
    for (int axis = 0; axis < max_ndims; ++axis) ones.push_back(1);
    CHECK(refused(a, layout(ones, plain_order(identity_permutation(max_ndims))), {reason::too_many_axes, -1, 13, 12}));
    CHECK(refused(a, by_hand({3}, {3}, {-1}), {reason::stride_is_negative, 0, -1, 0, 2}));
    CHECK(refused(by_hand({3}, {3}, {-1}), a, {reason::stride_is_negative, 0, -1, 0, 2}));
    layout same({4, 6}, "ba");
    same = divide(same, layout({6}, "a"));
    CHECK(same == divide(layout({4, 6}, "ba"), layout({6}, "a")));
}

TEST_CASE("divide: eleven axes, extents near 2^40, at random places") {
    random_source random(20);
    int divided = 0;
    for (int i = 0; i < 500; ++i) {
        dims extents, tile;
        for (int axis = 0; axis < max_ndims; ++axis) extents.push_back(dim_t{1} << random.between(0, 2));
        extents[static_cast<int>(random.between(0, 11))] = dim_t{1} << 40;
        for (int axis = 0; axis < 11; ++axis) tile.push_back(dim_t{1} << random.between(0, 1));
        const layout a(extents, random.tag(max_ndims, 0, 2)), b(tile, random.tag(11, 2, 2));
        const expected<layout> out = try_divide(a, b);
        if (!out) {
            CHECK(check_divide(a, b).reason == reason::too_many_digits);
            continue;
        }
        ++divided;
        const layout rest = complement(b, a.volume());
        for (int k = 0; k < 5; ++k) {
            const position at = random.inside(b.dims);
            const dim_t count = random.between(0, rest.volume() - 1);
            position both{count};
            for (const dim_t index : at) both.push_back(index);
            CHECK(out->offset(both) == a.linear_offset(rest.offset(count) + b.offset(at)));
        }
    }
    CHECK(divided > 200);
}

}}  // namespace test_algebra_divide
