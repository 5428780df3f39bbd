#include <plait/distribution/sharded.hpp>

#include <plait/algebra/submemory.hpp>

#include "support/static_check.hpp"

namespace test_distribution_distribution {

using namespace plait;

constexpr distribution cyclic = block_cyclic(dims{1000, 700}, dims{64, 64}, mesh{2, 2});
constexpr distribution by_rows = sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)});

// A structural value: it can be a template argument.
template <distribution D>
constexpr dim_t first_rank = D.rank_of(0, 0);
static_assert(first_rank<cyclic> == 0);

TEST_CASE("distribution: blocks in turn, and parts of an axis") {
    STATIC_CHECK(cyclic.rank_of(64, 0) == 2 && cyclic.rank_of(0, 64) == 1 && cyclic.rank_of(128, 128) == 0);
    STATIC_CHECK(cyclic.local.offset(128, 0) == 64 * 384 && cyclic.local.offset(64, 64) == 0);
    STATIC_CHECK(by_rows.rank_of(250, 699) == 1 && by_rows.local.offset(250, 0) == 0);
    STATIC_CHECK(by_rows.local.element_span() == 250 * 700);
    STATIC_CHECK(by_rows.copies() == 1 && by_rows.ndims() == 2);
}

TEST_CASE("distribution: extents with tails") {
    // Blocks 0, 2, ..., 14 of 64 rows; blocks 1, 3, ..., 15, of which the last has 40.
    constexpr distribution tail = block_cyclic(dims{1000}, dims{64}, mesh{2});
    STATIC_CHECK(tail.extents_of(0) == dims{512} && tail.extents_of(1) == dims{488});
    STATIC_CHECK(cyclic.extents_of(0) == dims{512, 380} && cyclic.extents_of(3) == dims{488, 320});
    constexpr distribution thirds = sharded(dims{1000, 7}, mesh{3}, {shard(0, 0)});
    STATIC_CHECK(thirds.extents_of(0) == dims{334, 7} && thirds.extents_of(2) == dims{332, 7});
    STATIC_CHECK(thirds.rank_of(668, 0) == 2 && thirds.local.offset(999, 6) == 331 * 7 + 6);
    // Parts of 2 rows: the last rank has none.
    constexpr distribution few = sharded(dims{5}, mesh{4}, {shard(0, 0)});
    STATIC_CHECK(few.extents_of(2) == dims{1} && few.extents_of(3) == dims{0});
    constexpr distribution empty = sharded(dims{0, 4}, mesh{2}, {shard(0, 0)});
    STATIC_CHECK(empty.extents_of(1) == dims{0, 4} || empty.extents_of(1) == dims{0, 0});
}

TEST_CASE("distribution: replicated mesh axes, and several mesh axes on one tensor axis") {
    constexpr distribution twice = sharded(dims{8, 6}, mesh{2, 3}, {shard(1, 1)});
    STATIC_CHECK(twice.copies() == 2 && twice.replicated == detail::mesh_axes{0});
    STATIC_CHECK(twice.rank_of(7, 2) == 1 && twice.is_on(1, {7, 2}) && twice.is_on(4, {7, 2}) &&
                 !twice.is_on(2, {7, 2}));
    STATIC_CHECK(twice.extents_of(5) == dims{8, 2});
    constexpr distribution both = sharded(dims{12}, mesh{2, 3}, {shard(0, 0), shard(0, 1)});
    STATIC_CHECK(both.rank_of(2) == 1 && both.rank_of(6) == 3 && both.extents_of(5) == dims{2});
    constexpr distribution other = sharded(dims{12}, mesh{2, 3}, {shard(0, 1), shard(0, 0)});
    STATIC_CHECK(other.rank_of(2) == 3 && other.rank_of(4) == 1);
    // A mesh whose ranks count along the first axis.
    constexpr distribution columns = sharded(dims{2, 3}, mesh(layout({2, 3}, "ba")), {shard(0, 0), shard(1, 1)});
    STATIC_CHECK(columns.rank_of(1, 0) == 1 && columns.rank_of(0, 1) == 2);
}

TEST_CASE("distribution: a mesh whose ranks count backwards") {
    constexpr distribution back = sharded(dims{4, 2}, mesh(layout({4, 2}, strides{-2, 1})), {shard(0, 0)});
    STATIC_CHECK(back.rank_of(0, 0) == 6 && back.rank_of(3, 1) == 0 && back.is_on(7, {0, 0}));
}

TEST_CASE("distribution: a mesh that is a part of a block has the ranks of the part") {
    // Three ranks, whose digit has four values.
    constexpr mesh three(submemory(layout({4}, "A4a"), {3}, {0}));
    STATIC_CHECK(three.ranks.digits.size() == 2);
    STATIC_CHECK(check_sharded(dims{6}, three, {shard(0, 0)}).ok());
    constexpr distribution d = sharded(dims{6}, three, {shard(0, 0)});
    STATIC_CHECK(d.rank_of(1) == 0 && d.rank_of(2) == 1 && d.rank_of(5) == 2);
    STATIC_CHECK(sharded(dims{6}, three, {}).copies() == 3);
}

TEST_CASE("distribution: local memory in another order") {
    constexpr distribution scalapack = block_cyclic(dims{1000, 700}, dims{64, 64}, mesh{2, 2}, "ba");
    STATIC_CHECK(scalapack.local.offset(1, 0) == 1 && scalapack.local.offset(0, 1) == 512);
    STATIC_CHECK(try_block_cyclic(dims{8, 8}, dims{2, 2}, mesh{2, 2}, "aB8b").error() ==
                 verdict{reason::axis_is_blocked, 1, 8, 1});
    STATIC_CHECK(try_sharded(dims{8, 8}, mesh{2}, {}, "abc").error() == verdict{reason::rank_differs, -1, 3, 2});
}

TEST_CASE("distribution: any two layouts") {
    constexpr distribution rows = distribute(layout({4, 8}, strides{1, 0}), layout({4, 8}, strides{0, 1}), mesh{4});
    STATIC_CHECK(rows.rank_of(3, 5) == 3 && rows.local.offset(3, 5) == 5 && rows.extents_of(2) == dims{1, 8});
    // Both axes add 1 to the rank: parts are diagonals, which are no boxes.
    constexpr distribution diagonals =
        distribute(layout({2, 2}, strides{1, 1}), layout({2, 2}, strides{0, 1}), mesh{3});
    STATIC_CHECK(diagonals.rank_of(1, 0) == 1 && diagonals.extents_of(2) == dims{1, 1});
    CHECK_THROWS_WITH(static_cast<void>(diagonals.extents_of(1)),
                      "part_is_not_a_box: the part of rank 1 is no box of indices: its extents are not one number for "
                      "each axis");
    CHECK_THROWS_AS(static_cast<void>(diagonals.extents_of(3)), rejection);
    // Padding of one layout is no concern of the other.
    constexpr distribution blocked = distribute(layout({17, 4}, strides{0, 1}), layout({17, 4}, "Ab8a"), mesh{4});
    STATIC_CHECK(blocked.extents_of(3) == dims{17, 1});
}

TEST_CASE("distribution: refusals") {
    const auto why = [](const layout& ranks, const layout& local, const mesh& on, const detail::mesh_axes& axes = {}) {
        return check_distribute(ranks, local, on, axes);
    };
    // Two elements of rank 1 at place 0.
    CHECK(why(layout({4, 8}, strides{1, 0}), layout({4, 8}, strides{0, 0}), mesh{4}) ==
          verdict{reason::elements_share_a_place, -1, 0, 0});
    CHECK(why(layout({2, 2}, strides{1, 1}), layout({2, 2}, strides{0, 0}), mesh{3}).reason ==
          reason::elements_share_a_place);
    // Rank 1 would have its own element, and the copy of rank 0's.
    CHECK(why(layout(dims{2}, strides{1}), layout(dims{2}, strides{0}), mesh{2}, {0}).reason ==
          reason::rank_is_outside_mesh);
    CHECK(why(layout(dims{2}, strides{1}), layout(dims{2}, strides{0}), mesh{3, 2}, {1}) ==
          verdict{reason::elements_share_a_place, -1, 1, 0});
    CHECK(why(layout({4, 8}, strides{1, 0}), layout({4, 8}, strides{0, 1}), mesh{3}) ==
          verdict{reason::rank_is_outside_mesh, -1, 3, 3});
    // 4 in 6, not nested: blocks of 4 on ranks, of 6 in memory.
    layout blocks = layout({24}, "A4a");
    blocks.digits[0].stride = 1;
    blocks.digits[1].stride = 0;
    CHECK(why(blocks, layout({24}, "A6a"), mesh{6}).ok());  // the blocks of 6 are dense, and end nothing
    layout gaps = layout({24}, "A6a");
    gaps.digits[0].stride = 7;
    CHECK(why(blocks, gaps, mesh{6}) == verdict{reason::digits_do_not_nest, 0, 4, 6});
    CHECK(why(layout({4, 8}, strides{1, 0}), layout({4, 7}, "ab"), mesh{4}) == verdict{reason::dims_differ, 1, 8, 7});
    CHECK(why(layout({4, 8}, strides{1, 0}), layout({4}, "a"), mesh{4}) == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(why(layout(), layout({4}, "a"), mesh{4}).reason == reason::layout_is_undefined);
    CHECK(why(layout({4}, strides{1}), layout({4}, strides{0}), mesh()).reason == reason::layout_is_undefined);
    CHECK(why(layout({4}, strides{1}), layout({4}, strides{0}), mesh{4}, {1}) ==
          verdict{reason::mesh_axis_is_out_of_range, -1, 1, 1});
    CHECK(why(layout({1}, strides{1}), layout({1}, strides{0}), mesh{4}, {0, 0}) ==
          verdict{reason::mesh_axis_is_doubled, -1, 0, 0});
    layout front = layout({4}, "a");
    front.padded_dims[0] = 6;
    front.digits[0].extent = 6;
    front.padded_offsets[0] = 1;
    CHECK(why(layout({4}, strides{0}), front, mesh{1}) == verdict{reason::axis_is_padded, 0, 6, 4});
}

TEST_CASE("values_for_rank: the values that leave what the digits inside can add") {
    for (const dim_t step : {3, -3})
        for (dim_t rank = -12; rank <= 12; ++rank) {
            detail::rank_axis_digits axis;
            axis.digits.push_back({2, 1, 1, 1});
            axis.digits.push_back({4, 2, step, 2});
            for (const dim_t most : {0, 1}) axis.least_rank.push_back(0), axis.most_rank.push_back(most);
            const detail::value_range found = detail::values_for_rank(axis, 1, 4, rank);
            for (dim_t value = 0; value < 4; ++value)
                CHECK((found.begin <= value && value < found.end) == axis.can_add(1, rank - value * step));
        }
}

TEST_CASE("distribution: refusals of meshes, shards and blocks") {
    CHECK(check_mesh(layout({2, 2}, strides{2, 2})) == verdict{reason::mesh_is_not_one_to_one, -1, 4, 3});
    CHECK(check_mesh(layout({3}, "A2a")).reason == reason::mesh_is_not_one_to_one);
    CHECK(check_mesh(layout({0}, "a")).reason == reason::mesh_is_not_one_to_one);
    CHECK(check_mesh(layout({3}, strides{-1})).ok());
    CHECK_THROWS_AS(mesh(layout({2}, strides{2})), rejection);
    CHECK(check_sharded(dims{8}, mesh{2}, {shard(1, 0)}) == verdict{reason::axis_is_out_of_range, -1, 1, 1});
    CHECK(check_sharded(dims{8}, mesh{2}, {shard(0, 1)}) == verdict{reason::mesh_axis_is_out_of_range, 0, 1, 1});
    CHECK(check_sharded(dims{8, 8}, mesh{2}, {shard(0, 0), shard(1, 0)}) ==
          verdict{reason::mesh_axis_is_doubled, 1, 0, 0});
    CHECK(check_sharded(dims{dynamic}, mesh{2}, {}) == verdict{reason::dim_is_dynamic, 0});
    CHECK(check_sharded(dims{-1}, mesh{2}, {}) == verdict{reason::dim_is_negative, 0, -1, 0});
    CHECK(check_sharded(dims{}, mesh{2}, {}).reason == reason::layout_is_undefined);
    CHECK(check_sharded(dims{dim_t{1} << 40, dim_t{1} << 40}, mesh{2}, {}).reason == reason::size_overflows);
    CHECK(check_block_cyclic(dims{8, 8}, dims{2, 0}, mesh{2, 2}) == verdict{reason::dim_is_negative, 1, 0, 1});
    CHECK(check_block_cyclic(dims{8, 8}, dims{2}, mesh{2, 2}) == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(check_block_cyclic(dims{8, 8}, dims{2, 2}, mesh{4}) == verdict{reason::rank_differs, -1, 1, 2});
}

}  // namespace test_distribution_distribution
