#pragma once
// A mesh of ranks, and which axis of a tensor is cut along which axis of the mesh.

#include <plait/algebra/is_injective.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that a layout can be a mesh: its offsets are the numbers 0 to volume - 1, each once.
///
/// Refused: mesh_is_not_one_to_one; padding; as check_layout; dim_is_dynamic, stride_is_dynamic
constexpr verdict check_mesh(const layout& ranks) {
    if (const verdict why = detail::check_static_layout(ranks); !why.ok()) return why;
    for (int a = 0; a < ranks.ndims(); ++a)
        if (ranks.dims[a] < 1 || ranks.padded_dims[a] != ranks.dims[a])
            return {reason::mesh_is_not_one_to_one, a, 0, ranks.dims[a]};
    const dim_t volume = ranks.volume();
    if (ranks.is_dense() && ranks.span_begin() == 0) return {};
    return {reason::mesh_is_not_one_to_one, -1,
            detail::wrapping_add(ranks.span_begin(), static_cast<dim_t>(ranks.element_span()) - 1), volume - 1};
}

/// The ranks of a program as a grid with axes: a layout whose offset is the number of a rank. Several axes of a grid
/// have names elsewhere, such as "data" and "model"; here they have numbers.
///
/// Pre:     check_mesh(the layout).ok(), otherwise fails with its reason
/// Post:    ranks.offset(p) is the rank at position p; each of 0 to volume() - 1 is at one position
/// Cost:    that of a layout
/// Source:  DeviceMesh of PyTorch; the process grids of BLACS
/// Example: mesh{2, 3} has rank 4 at position {1, 1}; mesh(layout({2, 3}, "ba")) has rank 3 there
struct mesh {
    layout ranks;

    /// The empty mesh, without ranks.
    constexpr mesh() = default;
    /// Makes a mesh with the ranks in row-major order: the last axis counts fastest.
    constexpr mesh(std::initializer_list<dim_t> extents) : mesh(dims(extents)) {}
    constexpr explicit mesh(const dims& extents) : mesh(detail::identity_of(extents).value()) {}
    /// Makes a mesh with the ranks in any order that digits express.
    constexpr explicit mesh(const layout& order) : ranks(order) { require(check_mesh(order)); }

    constexpr int ndims() const { return ranks.ndims(); }
    /// Returns the number of ranks.
    constexpr dim_t volume() const { return ranks.volume(); }
    constexpr bool operator==(const mesh&) const = default;
};

/// An axis of a tensor that is cut along an axis of a mesh.
///
/// Example: sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)}): rows 0 to 249 are on rank 0
struct shard {
    int axis = 0;       ///< of the tensor
    int mesh_axis = 0;  ///< of the mesh

    constexpr shard() = default;
    constexpr shard(int tensor_axis, int axis_of_mesh) : axis(tensor_axis), mesh_axis(axis_of_mesh) {}
    constexpr bool operator==(const shard&) const = default;
};

namespace detail {
/// A list of shards, made from a braced list.
struct shard_list : inline_list<shard, max_ndims> {
    constexpr shard_list() = default;
    constexpr shard_list(std::initializer_list<shard> shards) {
        for (const shard& one : shards) {
            if (full()) require({reason::too_many_axes, -1, static_cast<dim_t>(shards.size()), max_ndims});
            else push_back(one);
        }
    }
};
/// A list of axes of a mesh.
struct mesh_axes : inline_list<int, max_ndims> {
    constexpr mesh_axes() = default;
    constexpr mesh_axes(std::initializer_list<int> axes) {
        for (const int axis : axes) {
            if (full()) require({reason::too_many_axes, -1, static_cast<dim_t>(axes.size()), max_ndims});
            else push_back(axis);
        }
    }
    constexpr bool contains(int axis) const {
        for (const int one : *this)
            if (one == axis) return true;
        return false;
    }
    constexpr bool operator==(const mesh_axes&) const = default;
};
}  // namespace detail
}  // namespace plait
