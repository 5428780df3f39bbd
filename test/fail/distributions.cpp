// Distributions over a mesh of ranks.
#include <plait/distribution/distribution_operations.hpp>
#include <plait/distribution/sharded.hpp>

using namespace plait;

// EXPECT: digits_do_not_nest (0, 4, 6)
constexpr layout ranks({24}, "A4a", strides{5});
constexpr distribution refused = distribute(ranks, layout({24}, "A6a", strides{7}), mesh{29});
// FIXED: constexpr distribution refused = distribute(ranks, layout({24}, "A8a", strides{9}), mesh{29});

// EXPECT: elements_share_a_place (-1, 0, 0)
constexpr layout rows({4, 8}, strides{1, 0}), columns({4, 8}, strides{0, 1});
constexpr distribution refused = distribute(rows, rows, mesh{4});
// FIXED: constexpr distribution refused = distribute(rows, columns, mesh{4});

// EXPECT: mesh_axis_is_doubled (1, 0, 0)
constexpr distribution refused = sharded(dims{8, 8}, mesh{2, 2}, {shard(0, 0), shard(1, 0)});
// FIXED: constexpr distribution refused = sharded(dims{8, 8}, mesh{2, 2}, {shard(0, 0), shard(1, 1)});

// EXPECT: mesh_axis_is_out_of_range (0, 1, 1)
constexpr distribution refused = sharded(dims{8}, mesh{2}, {shard(0, 1)});
// FIXED: constexpr distribution refused = sharded(dims{8}, mesh{2}, {shard(0, 0)});

// EXPECT: mesh_is_not_one_to_one (-1, 6, 3)
constexpr mesh refused(layout({2, 2}, strides{4, 2}));
// FIXED: constexpr mesh refused(layout({2, 2}, strides{2, 1}));

// EXPECT: part_crosses_ranks (0, 0, 250, 100)
constexpr distribution by_rows = sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)});
constexpr distribution refused = reshape(by_rows, {10, 100, 700});
// FIXED: constexpr distribution refused = reshape(by_rows, {20, 50, 700});

// EXPECT: part_is_not_a_box (-1, 1, 0)
constexpr distribution diagonals = distribute(layout({2, 2}, strides{1, 1}), layout({2, 2}, strides{0, 1}), mesh{3});
constexpr dims refused = diagonals.extents_of(1);
// FIXED: constexpr dims refused = diagonals.extents_of(2);

// EXPECT: rank_is_outside_mesh (-1, 3, 3)
constexpr layout rows({4, 8}, strides{1, 0}), columns({4, 8}, strides{0, 1});
constexpr distribution refused = distribute(rows, columns, mesh{3});
// FIXED: constexpr distribution refused = distribute(rows, columns, mesh{4});
