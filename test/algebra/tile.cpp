#include <plait/algebra/divide.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/tile.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_tile { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr bool refused(const layout& l, const dims& extents, const verdict& why) {
    return check_tile(l, extents) == why && !try_tile(l, extents).has_value();
}

/// Checks that the element at p of tile q is at q * extents + p.
constexpr bool cuts(const layout& l, const dims& extents) {
    const expected<layout> out = try_tile(l, extents);
    if (!out) return !check_tile(l, extents).ok();
    const int n = l.ndims();
    if (!check_layout(*out).ok() || out->ndims() != 2 * n || out->volume() != l.volume()) return false;
    for (dim_t i = 0; i < out->volume(); ++i) {
        const position both = unravel(out->dims, i);
        position at;
        for (int a = 0; a < n; ++a) at.push_back(both[a] * extents[a] + both[n + a]);
        if (out->offset(both) != l.offset(at)) return false;
    }
    return true;
}

constexpr bool cuts_all(const layout& l) {
    for (const dim_t first : {1, 2, 3, 4})
        for (const dim_t rest : {1, 2, 4}) {
            dims extents;
            for (int a = 0; a < l.ndims(); ++a) extents.push_back(a == 0 ? first : rest);
            if (!cuts(l, extents)) return false;
        }
    return cuts(l, l.dims);
}

/// Returns, by trying, the tile extent of an axis that is nearest to x; the smaller of two.
dim_t nearest_by_search(const layout& l, int axis, dim_t x) {
    dims extents;
    for (int a = 0; a < l.ndims(); ++a) extents.push_back(1);
    dim_t best = 1;
    for (dim_t d = 1; d <= l.dims[axis]; ++d) {
        extents[axis] = d;
        if (check_tile(l, extents).ok() && std::abs(d - x) < std::abs(best - x)) best = d;
    }
    return best;
}

TEST_CASE("tile: a matrix cut for a micro-kernel") {
    constexpr layout matrix({12, 32}, "ab");
    constexpr layout tiles = tile(matrix, {6, 16});
    STATIC_CHECK(tiles == layout({2, 2, 6, 16}, strides{192, 16, 32, 1}));
    STATIC_CHECK(tiles.offset(1, 1, 5, 3) == matrix.offset(11, 19));
    // A blocked one is tiled already.
    STATIC_CHECK(tile(layout({2, 32}, "aB16b"), {1, 16}).strides() == strides{32, 16, 32, 1});
    CHECK(cuts(layout({64, 32}, "AB16b16a"), {8, 4}));
    // The zipped divide of CuTe by (3:1, 4:1): axis by axis the logical divide.
    STATIC_CHECK(is_cute(tile(layout({9}, strides{59}), {3}), {{3, 59}, {3, 177}}));
    STATIC_CHECK(tile(layout({9}, strides{59}), {3}) == divide(layout({9}, strides{59}), layout({3}, "a")));
    layout same({12, 32}, "ab");
    same = tile(same, {6, 16});
    CHECK(same == tiles);
}

TEST_CASE("tile: small layouts") {
    STATIC_CHECK(cuts(layout({4, 8}, "BA2a4b"), {2, 2}));
    STATIC_CHECK(cuts(layout({4, 8}, "BA2a4b"), {1, 4}));
    CHECK(cuts_all(layout({4, 8}, "BA2a4b")));
    STATIC_CHECK(cuts(layout({2, 3}, strides{0, 1}), {2, 1}));
    for (const layout& l : tiny_functions) CHECK(cuts_all(l));
    for (const layout& l : varied_layouts) CHECK(cuts_all(l));
    for (const layout& l : broadcast_layouts) CHECK(cuts_all(l));
    random_source random(24);
    int done = 0;
    for (int i = 0; i < 6000; ++i) {
        layout l = random_function(random, 3, 12);
        if (random.once_in(10)) l = part_of_a_block(random, l);
        dims extents;
        for (const dim_t extent : l.dims)
            extents.push_back(random.once_in(4) ? random.between(1, 5)
                                                : std::max<dim_t>(1, extent / random.between(1, 3)));
        if (!cuts(l, extents)) FAIL_CHECK(explain(l));
        const verdict why = check_tile(l, extents);
        done += why.ok();
        if (why.reason != reason::extents_do_not_divide) continue;
        if (l.dims[why.axis] % extents[why.axis] != 0) {
            CHECK(why.first == l.dims[why.axis]);
            CHECK(why.second == extents[why.axis]);
            // If only this axis does not fit, the refusal names a number that does.
            dims others = extents;
            others[why.axis] = 1;
            if (check_tile(l, others).ok()) CHECK(why.third == nearest_by_search(l, why.axis, why.second));
        }
        // The named number has been tried.
        if (why.third == 0) continue;
        extents[why.axis] = why.third;
        const verdict then = check_tile(l, extents);
        if (!then.ok()) FAIL_CHECK((explain(l) + describe(why).c_str() + "\n" + describe(then).c_str()));
    }
    CHECK(done > 2000);
}

TEST_CASE("tile: if cutting a digit is refused, no layout exists") {
    random_source random(25);
    int refusals = 0;
    for (int i = 0; i < 6000; ++i) {
        const format_tag tag = random.tag(2, 2, 4);
        const layout l({tag.block_size(0) * random.between(1, 4), tag.block_size(1) * random.between(1, 4)}, tag);
        dims extents, pairs;
        for (const dim_t extent : l.dims) extents.push_back(random.between(1, extent));
        const verdict why = check_tile(l, extents);
        if (why.reason != reason::extents_do_not_divide || l.dims[why.axis] % extents[why.axis] != 0) continue;
        for (int a = 0; a < l.ndims(); ++a) pairs.push_back(l.dims[a] / extents[a]);
        for (const dim_t extent : extents) pairs.push_back(extent);
        if (volume(pairs) != l.volume()) continue;
        ++refusals;
        CHECK(!layout_of_function(layout(pairs, plain_tag(pairs.size())), [&](const position& both) {
                   position at;
                   for (int a = 0; a < l.ndims(); ++a) at.push_back(both[a] * extents[a] + both[l.ndims() + a]);
                   return l.offset(at);
               }).has_value());
    }
    CHECK(refusals > 20);
}

TEST_CASE("tile: a part of one block is not padded") {
    constexpr layout part = submemory(layout({32}, "A8a"), {4}, {0});
    STATIC_CHECK(tile(part, {2}) == layout({2, 2}, "ab"));
    constexpr layout apart = submemory(layout({8, 2}, "AB2a2b4a"), {6, 2}, {0, 0});
    STATIC_CHECK(refused(apart, {3, 1}, {reason::axis_is_padded, 0, 8, 6}));
    STATIC_CHECK(refused(submemory(layout({32}, "A8a"), {6}, {0}), {4}, {reason::extents_do_not_divide, 0, 6, 4, 3}));
}

TEST_CASE("tile: padding, dynamic and zero extents") {
    // An axis that is not cut may be padded or dynamic.
    STATIC_CHECK(tile(layout({17, 6}, "Ab16a"), {1, 3}).dims == dims{17, 2, 1, 3});
    STATIC_CHECK(cuts(layout({17, 6}, "Ab16a"), {1, 3}));
    STATIC_CHECK(cuts(layout({17, 6}, "Ab16a"), {17, 3}) && check_tile(layout({17, 6}, "Ab16a"), {17, 3}).ok());
    STATIC_CHECK(refused(layout({18, 6}, "Ab16a"), {9, 3}, {reason::axis_is_padded, 0, 32, 18}));
    STATIC_CHECK(tile(layout({dynamic, 6}, "ab"), {1, 3}).dims == dims{dynamic, 2, 1, 3});
    STATIC_CHECK(refused(layout({dynamic, 6}, "ab"), {2, 3}, {reason::dim_is_dynamic, 0, dynamic, 2}));
    STATIC_CHECK(refused(layout({4, 6}, "ab"), {dynamic, 3}, {reason::dim_is_dynamic, 0, 4, dynamic}));
    STATIC_CHECK(cuts(layout({0, 6}, "ab"), {1, 3}));
}

TEST_CASE("tile: each refusal") {
    constexpr layout l({10, 48}, "aB16b");
    STATIC_CHECK(refused(l, {4, 16}, {reason::extents_do_not_divide, 0, 10, 4, 5}));
    STATIC_CHECK(refused(l, {11, 16}, {reason::extents_do_not_divide, 0, 10, 11, 10}));
    // 24 divides 48, but does not fit the blocks of 16 if something is between them.
    STATIC_CHECK(refused(layout({10, 48}, "Ba16b"), {10, 24}, {reason::extents_do_not_divide, 1, 16, 24, 16}));
    STATIC_CHECK(check_tile(layout({10, 48}, "Ba16b"), {10, 16}).ok());
    STATIC_CHECK(refused(l, {5}, {reason::rank_differs, -1, 1, 2}));
    STATIC_CHECK(refused(l, {5, 0}, {reason::dim_is_negative, 1, 0, 1}));
    STATIC_CHECK(refused(l, {-5, 4}, {reason::dim_is_negative, 0, -5, 1}));
    constexpr layout seven({1, 1, 1, 1, 1, 1, 2}, "abcdefg");
    STATIC_CHECK(refused(seven, {1, 1, 1, 1, 1, 1, 1}, {reason::too_many_axes, -1, 14, 12}));
    STATIC_CHECK(refused(by_hand({4}, {4}, {-1}), {2}, {reason::stride_is_negative, 0, -1, 0, 3}));
    layout wraps({4}, "A4a");
    wraps.digits[0].extent = (dim_t{1} << 62) + 1;
    CHECK(check_tile(wraps, {2}).reason == reason::size_overflows);
    wraps.digits.count = 99;
    CHECK(check_tile(wraps, {2}).reason == reason::layout_is_malformed);
}

TEST_CASE("tile: six axes, extents near 2^40, at random places") {
    random_source random(26);
    for (int i = 0; i < 500; ++i) {
        dims extents, counts, all;
        for (int a = 0; a < 6; ++a) {
            extents.push_back(random.between(1, 4));
            counts.push_back(random.between(1, 4));
        }
        counts[static_cast<int>(random.between(0, 5))] = (dim_t{1} << 40) + random.between(-1000, 1000);
        for (int a = 0; a < 6; ++a) all.push_back(counts[a] * extents[a]);
        const layout l(all, random.tag(6, 0, 2)), out = tile(l, extents);
        position both = random.inside(out.dims), at;
        for (int a = 0; a < 6; ++a) at.push_back(both[a] * extents[a] + both[6 + a]);
        CHECK(out.offset(both) == l.offset(at));
        // An extent without a divisor nearby: some divisor is returned quickly.
        dims odd = extents;
        odd[2] = all[2] / 2 + 7;
        if (const verdict why = check_tile(l, odd); !why.ok()) CHECK(all[2] % why.third == 0);
    }
}

}}  // namespace test_algebra_tile
