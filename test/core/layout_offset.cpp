#include <plait/core/layout_offset.hpp>

#include "support/small_layouts.hpp"

namespace test_core_layout_offset { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand, plait_test::refusal_of;

/// Checks that l.offset(n, c, h, w) equals the formula at all positions.
template <class Formula>
constexpr bool follows(const layout& l, const Formula& formula) {
    for (dim_t n = 0; n < l.dims[0]; ++n)
        for (dim_t c = 0; c < l.dims[1]; ++c)
            for (dim_t h = 0; h < l.dims[2]; ++h)
                for (dim_t w = 0; w < l.dims[3]; ++w)
                    if (l.offset(n, c, h, w) != formula(n, c, h, w)) return false;
    return true;
}

constexpr dim_t C = 16, H = 3, W = 4, N = 2;

TEST_CASE("offset: the formulas of nchw, nhwc, chwn and nChw8c") {
    STATIC_CHECK(follows(layout({N, C, H, W}, "nchw"),
                         [](dim_t n, dim_t c, dim_t h, dim_t w) { return n * C * H * W + c * H * W + h * W + w; }));
    STATIC_CHECK(follows(layout({N, C, H, W}, "nhwc"),
                         [](dim_t n, dim_t c, dim_t h, dim_t w) { return n * H * W * C + h * W * C + w * C + c; }));
    STATIC_CHECK(follows(layout({N, C, H, W}, "chwn"),
                         [](dim_t n, dim_t c, dim_t h, dim_t w) { return c * H * W * N + h * W * N + w * N + n; }));
    STATIC_CHECK(follows(layout({N, C, H, W}, "nChw8c"), [](dim_t n, dim_t c, dim_t h, dim_t w) {
        return n * C * H * W + c / 8 * H * W * 8 + h * W * 8 + w * 8 + c % 8;
    }));
    // 17 channels are padded to 24.
    STATIC_CHECK(follows(layout({N, 17, H, W}, "nChw8c"), [](dim_t n, dim_t c, dim_t h, dim_t w) {
        return n * 24 * H * W + c / 8 * H * W * 8 + h * W * 8 + w * 8 + c % 8;
    }));
}

TEST_CASE("offset: takes a position or one index for each axis, also at run time") {
    static constexpr layout l({2, 17, 5, 4}, "nChw8c");
    STATIC_CHECK(l.offset(position{1, 16, 2, 3}) == 888);
    STATIC_CHECK(l.offset(1, 16, 2, 3) == 888);
    STATIC_CHECK(l.offset(1, 16U, short{2}, 3L) == 888);
    STATIC_CHECK(l.linear_offset(((1 * 17 + 16) * 5 + 2) * 4 + 3) == 888);
    STATIC_CHECK(l.padded_linear_offset(((1 * 24 + 16) * 5 + 2) * 4 + 3) == 888);
    STATIC_CHECK(l.linear_offset(0) == 0);
}

TEST_CASE("block_offset: counts outermost blocks; the last axes may be left out") {
    static constexpr layout l({2, 17, 5, 4}, "nChw8c");
    STATIC_CHECK(l.block_offset(1, 2, 3, 1) == 480 + 2 * 160 + 3 * 32 + 8);
    STATIC_CHECK(l.block_offset(1, 2) == 800);
    STATIC_CHECK(l.block_offset(position{}) == 0);
    STATIC_CHECK(l.block_offset(1, 2, 3, 1) == l.offset(1, 16, 3, 1));
    // If there are no elements, the other axes may be longer than memory.
    static constexpr layout empty = by_hand({INT64_MAX, 0}, {INT64_MAX, 0}, {1, 1}, {}, {}, 2);
    STATIC_CHECK(check_layout(empty).ok());
    STATIC_CHECK(empty.block_offset(INT64_MAX - 2) == INT64_MAX);
    CHECK((refusal_of([] { return empty.block_offset(INT64_MAX - 1); }) ==
           verdict{reason::size_overflows, 0, INT64_MAX - 1, 1}));
    CHECK((refusal_of([] { return l.block_offset(0, 3); }) == verdict{reason::position_is_out_of_range, 1, 3, 3}));
    CHECK((refusal_of([] { return l.block_offset(-1); }) == verdict{reason::position_is_out_of_range, 0, -1, 2}));
    CHECK((refusal_of([] { return l.block_offset(0, 0, 0, 0, 0); }) == verdict{reason::rank_differs, -1, 5, 4}));
    // Blocks are counted from offset0, whatever the padded offsets.
    constexpr layout moved = by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5);
    STATIC_CHECK(moved.block_offset(0, 0) == 5);
    STATIC_CHECK(moved.block_offset(3) == 29);
}

TEST_CASE("offset: padded offsets and offset0 shift the logical tensor") {
    static constexpr layout l = by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5);
    STATIC_CHECK(check_layout(l).ok());
    STATIC_CHECK(l.offset(0, 0) == 5 + 8 + 2);
    STATIC_CHECK(l.offset(1, 2) == 5 + 16 + 4);
    STATIC_CHECK(l.padded_offset(0, 0) == 5);
    STATIC_CHECK(l.padded_offset(3, 7) == 5 + 31);
    // The element with number 0 is where the tensor begins, not where the padding does.
    STATIC_CHECK(l.linear_offset(0) == l.offset(0, 0));
    STATIC_CHECK(l.padded_linear_offset(0) == 5);
    STATIC_CHECK(l.linear_offset(5) == l.offset(1, 2));
    STATIC_CHECK(l.element_span() == 32);
}

TEST_CASE("offset: positions outside the extents, of another rank, or without an offset are refused") {
    static constexpr layout l({2, 3}, "ab");
    CHECK((refusal_of([] { return l.offset(2, 0); }) == verdict{reason::position_is_out_of_range, 0, 2, 2}));
    CHECK((refusal_of([] { return l.offset(0, -1); }) == verdict{reason::position_is_out_of_range, 1, -1, 3}));
    CHECK((refusal_of([] { return l.offset(0, 0, 0); }) == verdict{reason::rank_differs, -1, 3, 2}));
    CHECK((refusal_of([] { return l.offset(0); }) == verdict{reason::rank_differs, -1, 1, 2}));
    CHECK((refusal_of([] { return l.linear_offset(6); }).reason == reason::position_is_out_of_range));
    CHECK((refusal_of([] { return l.linear_offset(-1); }).reason == reason::position_is_out_of_range));
    CHECK((refusal_of([] { return l.padded_linear_offset(6); }).reason == reason::position_is_out_of_range));
    CHECK((refusal_of([] {
               return layout({2, 0}, "ab").linear_offset(0);
           }).reason == reason::position_is_out_of_range));
    CHECK((refusal_of([] { return layout({2, 0}, "ab").offset(0, 0); }).reason == reason::position_is_out_of_range));
    CHECK((refusal_of([] { return layout().offset(0); }).reason == reason::layout_is_undefined));
    CHECK((refusal_of([] { return layout().linear_offset(0); }).reason == reason::layout_is_undefined));
    CHECK((refusal_of([] { return layout({2}, "any").offset(0); }).reason == reason::layout_is_any));
    CHECK((refusal_of([] { return layout({2}, "any").block_offset(0); }).reason == reason::layout_is_any));
    CHECK((refusal_of([] { return plait_test::opaque_layout({2}).offset(0); }).status() == status::unimplemented));
    CHECK((refusal_of([] {
               return layout({dynamic, 2}, "ab").offset(0, 0);
           }) == verdict{reason::dim_is_dynamic, 0, 0, 0}));
    CHECK((refusal_of([] {
               return layout({2, 2}, strides{dynamic, 1}).offset(0, 0);
           }) == verdict{reason::stride_is_dynamic, 0, 0, 0}));
}

TEST_CASE("element_span: 1 + the largest offset, padding included, counted from offset0") {
    STATIC_CHECK(layout({2, 17, 5, 4}, "nChw8c").element_span() == 960);
    STATIC_CHECK(layout({4, 3}, strides{0, 1}).element_span() == 3);
    STATIC_CHECK(layout({5}, strides{0}).element_span() == 1);
    STATIC_CHECK(layout({2, 3}, strides{10, 1}).element_span() == 13);
    STATIC_CHECK(layout({1, 3}, strides{-5, 1}).element_span() == 3);
    STATIC_CHECK(layout({2, 0, 3}, "abc").element_span() == 0);
    STATIC_CHECK(layout({INT64_MAX}, "a").element_span() == INT64_MAX);
    CHECK((refusal_of([] { return layout().element_span(); }).reason == reason::layout_is_undefined));
    CHECK((refusal_of([] { return layout({2}, "any").element_span(); }).reason == reason::layout_is_any));
    CHECK((refusal_of([] { return layout({dynamic}, "a").element_span(); }).reason == reason::dim_is_dynamic));
    CHECK((refusal_of([] {
               return layout({2, 2}, strides{dynamic, 1}).element_span();
           }).reason == reason::stride_is_dynamic));
}

TEST_CASE("element_span: a view of a part of one block ends at its last element") {
    constexpr layout three = by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}}, {}, 11);
    STATIC_CHECK(check_layout(three).ok());
    STATIC_CHECK(three.offset(1, 2) == 11 + 16 + 2);
    STATIC_CHECK(three.element_span() == 19);
    STATIC_CHECK(!three.is_dense());
    // Six of sixteen: 1 * 64 + 1 is the last, after the full digit 3 inside the first.
    STATIC_CHECK(by_hand({6, 1}, {6, 1}, {256, 256}, {{0, 4}, {1, 16}, {0, 4}}).element_span() == 66);
    STATIC_CHECK(by_hand({3}, {3}, {8}, {{0, 8}}).is_dense());
    // Digits in reverse order in memory: indices 0, 1, 2 are at 0, 2, 1, so the last is not the farthest.
    static constexpr layout reversed = [] {
        layout l = by_hand({3}, {3}, {4}, {{0, 2}, {0, 2}});
        l.digits[1].stride = 1;
        l.digits[2].stride = 2;
        return l;
    }();
    STATIC_CHECK(reversed.offset(1) == 2);
    STATIC_CHECK(reversed.offset(2) == 1);
    STATIC_CHECK(reversed.element_span() == 3);
}

TEST_CASE("operator==: field by field, but the stride of an axis with one element and no padding does not count") {
    // The two rows of the RFC's table.
    STATIC_CHECK(layout({1, 2}, strides{2, 1}) == layout({1, 2}, strides{1, 1}));
    STATIC_CHECK(by_hand({1, 2}, {16, 2}, {2, 1}) != by_hand({1, 2}, {16, 2}, {1, 16}));
    STATIC_CHECK(by_hand({1, 2}, {16, 2}, {2, 1}) != by_hand({1, 2}, {16, 2}, {4, 1}));
    STATIC_CHECK(layout({1, 2}, "Ab4a") != layout({1, 2}, "Ab4a", strides{16, 4}));
    STATIC_CHECK(layout({1, 2}, strides{dynamic, 1}) == layout({1, 2}, strides{7, 1}));
    STATIC_CHECK(layout({2, 16, 1, 1}, "nchw") == layout({2, 16, 1, 1}, "nhwc"));
    STATIC_CHECK(layout({2, 1}, "aB4b") != layout({2, 1}, "aB4b", strides{8, 4}));
    STATIC_CHECK(layout({2, 0}, strides{1, 1}) != layout({2, 0}, strides{2, 1}));
    // Splits of inner blocks compare literally, and so do blocks of an axis with one element.
    STATIC_CHECK(layout({16}, "A4a") != layout({16}, "A8a"));
    STATIC_CHECK(layout({64}, "A4a4a") != layout({64}, "A16a"));
    STATIC_CHECK(layout({1, 4}, "aB4b") != layout({1, 4}, "ab"));
    STATIC_CHECK(layout({2}, "any") != layout({2}, "a"));
    STATIC_CHECK(layout({2}, "any") == layout({2}, "any"));
    STATIC_CHECK(layout({2}, "any") != layout({3}, "any"));
    STATIC_CHECK(layout() == layout());
    STATIC_CHECK(layout() != layout({}, "any"));
    // An unknown stride is not equal to one that follows from another axis.
    STATIC_CHECK(layout({2, dynamic}, "ab") != layout({2, dynamic}, strides{dynamic, 1}));
    STATIC_CHECK(layout({2, dynamic, 3}, "abc") != layout({2, dynamic, 3}, "bac"));
    static constexpr layout l = by_hand({2, 3}, {4, 3}, {3, 1}, {}, {1, 0}, 4);
    STATIC_CHECK(l == by_hand({2, 3}, {4, 3}, {3, 1}, {}, {1, 0}, 4));
    STATIC_CHECK(l != by_hand({2, 3}, {4, 3}, {3, 1}, {}, {0, 0}, 4));
    STATIC_CHECK(l != by_hand({2, 3}, {4, 3}, {3, 1}, {}, {1, 0}, 3));
    STATIC_CHECK(l != by_hand({2, 3}, {5, 3}, {3, 1}, {}, {1, 0}, 4));
    STATIC_CHECK(l != by_hand({3, 3}, {4, 3}, {3, 1}, {}, {1, 0}, 4));
}

TEST_CASE("is_dense: hand-made layouts that share places are not dense, even if their numbers agree") {
    STATIC_CHECK(!by_hand({3, 3}, {3, 3}, {2, 2}).is_dense());
    STATIC_CHECK(by_hand({3, 3}, {3, 3}, {2, 2}).element_span() == 9);
    STATIC_CHECK(by_hand({2, 2}, {2, 2}, {2, 8}, {{1, 4}}).is_dense());
    STATIC_CHECK(!by_hand({3, 3}, {3, 3}, {INT64_MAX, 1}).is_dense());
    STATIC_CHECK(by_hand({2, 3}, {2, 3}, {-3, 1}).is_dense());  // in either direction of an axis
    STATIC_CHECK(!by_hand({2, 3}, {2, 3}, {-2, 1}).is_dense() && !by_hand({2, 3}, {2, 3}, {-4, 1}).is_dense());
    // A digit that is not reached may be broadcast.
    STATIC_CHECK(by_hand({2, 1}, {2, 1}, {1, 0}, {{1, 8}}).is_dense());
}

TEST_CASE("reached_extents: a digit has fewer values at the end of a view of a part of one block") {
    const auto values = [](const layout& l) {
        const auto list = reached_extents(l);
        return position(list.values, static_cast<std::size_t>(list.size()));
    };
    CHECK(values(layout({2, 17}, "aB8b")) == position{2, 3, 8});
    CHECK(values(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}})) == position{2, 1, 3});
    CHECK(values(by_hand({5}, {5}, {32}, {{0, 4}, {0, 2}, {0, 4}})) == position{1, 1, 2, 4});
    CHECK(values(by_hand({5}, {5}, {8}, {{0, 2}, {0, 4}})) == position{1, 2, 4});
    CHECK(values(layout({0, 5}, "Ab4a")) == position{0, 5, 0});
}

}}  // namespace test_core_layout_offset
