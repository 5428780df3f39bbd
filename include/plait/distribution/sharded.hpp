#pragma once
// Distributions from notations: axes cut along axes of a mesh, blocks dealt in turn, and any two layouts.

#include <plait/distribution/distribution.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the distribution, or why it is none.
constexpr expected<distribution> checked(const distribution& d) { return {d, check_distribution(d)}; }

/// The digits of one axis on both sides, outermost first, while a distribution is made.
struct dealt_axis {
    inline_list<rank_digit, max_digits> digits;
    dim_t places = 1;  ///< how many places of the axis each rank has
};

/// Adds the digits of mesh axes that the axis is dealt to.
constexpr verdict add_mesh_digits(dealt_axis& out, const plait::mesh& on, int mesh_axis) {
    for (const digit& d : fewest_digits(on.ranks, mesh_axis)) {
        if (out.digits.full()) return {reason::too_many_digits, -1, max_digits + 1, max_digits};
        out.digits.push_back({d.extent, 0, d.stride, 0});
    }
    return {};
}

/// Makes both layouts from the digits of each axis. A digit without a rank is in the local memory, which is dense, with
/// its axes in the given order.
///
/// Refused: rank_differs (the order has other axes); size_overflows, too_many_digits; as check_distribution
constexpr expected<distribution> make_distribution(const dims& extents, dealt_axis* axes, const plait::mesh& on,
                                                   const mesh_axes& replicated, const format_tag& order) {
    const int n = extents.size();
    // An axis without indices has one digit, without values, on both sides.
    for (int a = 0; a < n; ++a)
        if (extents[a] == 0) axes[a] = {{{{0, 1, 0, 0}}, 1}, 0};
    if (order.kind != format_kind::blocked || order.ndims() != n)
        return detail::ranks_differ(detail::counted::format_tag, order.ndims(), detail::counted::extents, n);
    if (!order.blocks.empty()) return verdict{reason::axis_is_blocked, order.blocks[0].axis, order.blocks[0].size, 1};
    distribution out;
    out.mesh = on;
    out.replicated = replicated;
    checked_integer stride{1};
    for (int k = n - 1; k >= 0; --k) {
        dealt_axis& axis = axes[order.axes[k]];
        checked_integer place = stride;
        for (int j = axis.digits.size() - 1; j >= 0; --j) {
            rank_digit& d = axis.digits[j];
            if (d.step == 0) continue;  // it chooses a rank
            d.place = place.value;
            place *= larger_of(d.extent, 1);
        }
        stride *= larger_of(axis.places, 1);
        if (!place.ok() || !stride.ok())
            return verdict{reason::size_overflows, order.axes[k], stride.value, axis.places};
    }
    for (layout* l : {&out.ranks, &out.local}) {
        l->kind = format_kind::blocked;
        l->dims = extents;
        digit_list inner;
        for (int a = 0; a < n; ++a) {
            checked_integer padded{1};
            for (const rank_digit& d : axes[a].digits) padded *= d.extent;
            if (!padded.ok()) return verdict{reason::size_overflows, a, extents[a], 1};
            l->padded_dims.push_back(padded.value);
            l->padded_offsets.push_back(0);
            for (int k = 0; k < axes[a].digits.size(); ++k) {
                const rank_digit& d = axes[a].digits[k];
                const digit one{a, d.extent, l == &out.ranks ? d.rank : d.place};
                if (k == 0) l->digits.push_back(one);
                else if (d.extent == 1) continue;
                else if (n + inner.size() == max_digits)
                    return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
                else inner.push_back(one);
            }
        }
        for (const digit& d : inner) l->digits.push_back(d);
    }
    out.ranks.offset0 = on.ranks.offset0;  // not 0 if an axis of the mesh runs backwards
    return checked(out);
}

/// Checks extents that are dealt, and the axes of a mesh. Fails with rank_differs, dim_is_dynamic, dim_is_negative,
/// layout_is_undefined; as check_mesh.
constexpr verdict check_dealt(const dims& extents, const plait::mesh& on) {
    if (extents.empty()) return {reason::layout_is_undefined};
    for (int a = 0; a < extents.size(); ++a) {
        if (extents[a] == dynamic) return {reason::dim_is_dynamic, a};
        if (extents[a] < 0) return {reason::dim_is_negative, a, extents[a], 0};
    }
    if (const verdict why = check_mesh(on.ranks); !why.ok()) return why;
    return check_volume(extents);
}
}  // namespace detail

/// Returns the distribution, or the verdict that refuses it; see sharded.
[[nodiscard]] constexpr expected<distribution> try_sharded(const dims& extents, const plait::mesh& on,
                                                           const detail::shard_list& shards, const format_tag& order) {
    if (const verdict why = detail::check_dealt(extents, on); !why.ok()) return why;
    detail::dealt_axis axes[max_ndims];
    detail::mesh_axes used, replicated;
    dim_t parts[max_ndims];
    for (dim_t& count : parts) count = 1;
    for (const shard& one : shards) {
        if (one.axis < 0 || one.axis >= extents.size())
            return verdict{reason::axis_is_out_of_range, -1, one.axis, extents.size()};
        if (one.mesh_axis < 0 || one.mesh_axis >= on.ndims())
            return verdict{reason::mesh_axis_is_out_of_range, one.axis, one.mesh_axis, on.ndims()};
        if (used.contains(one.mesh_axis)) return verdict{reason::mesh_axis_is_doubled, one.axis, one.mesh_axis, 0};
        used.push_back(one.mesh_axis);
        if (const verdict why = detail::add_mesh_digits(axes[one.axis], on, one.mesh_axis); !why.ok()) return why;
        parts[one.axis] *= on.ranks.dims[one.mesh_axis];
    }
    for (int m = 0; m < on.ndims(); ++m)
        if (!used.contains(m) && on.ranks.dims[m] > 1) replicated.push_back(m);
    for (int a = 0; a < extents.size(); ++a) {
        axes[a].places = detail::divide_up(extents[a], parts[a]);
        if (axes[a].digits.full()) return verdict{reason::too_many_digits, a, max_digits + 1, max_digits};
        axes[a].digits.push_back({axes[a].places, 1, 0, 0});
    }
    return detail::make_distribution(extents, axes, on, replicated, order);
}
[[nodiscard]] constexpr expected<distribution> try_sharded(const dims& extents, const plait::mesh& on,
                                                           const detail::shard_list& shards) {
    return try_sharded(extents, on, shards, detail::plain_tag(extents.size()));
}
/// Checks that sharded succeeds; the verdict has the reason if it does not.
constexpr verdict check_sharded(const dims& extents, const plait::mesh& on, const detail::shard_list& shards) {
    return try_sharded(extents, on, shards).error();
}

/// Cuts axes of a tensor into parts, one for each index along an axis of a mesh. The tensor is repeated along the mesh
/// axes that no shard names. If several mesh axes cut one axis, the first one named is the outermost.
///
/// A part has extent / parts indices, rounded up; the last parts may have fewer, or none: 1000 rows over 3 ranks are
/// 334, 334 and 332. Each rank's memory is dense, in row-major order unless `order` is another one ("ba"), with the
/// same strides on all ranks: those of the largest part.
///
/// Refused: axis_is_out_of_range, mesh_axis_is_out_of_range, mesh_axis_is_doubled; rank_differs, axis_is_blocked (the
///          order); as check_mesh; dim_is_negative, dim_is_dynamic, size_overflows
/// Pre:     check_sharded(extents, on, shards).ok()
/// Post:    sharded(...).rank_of(p) is the rank at index p[axis] / part of each mesh axis, 0 of the replicated ones
/// Cost:    that of check_distribution
/// Source:  DTensor's Shard and Replicate, whose parts are torch.chunk's; GSPMD's tile assignment
/// Example: sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)}).rank_of(250, 0) == 1
[[nodiscard]] constexpr distribution sharded(const dims& extents, const plait::mesh& on,
                                             const detail::shard_list& shards) {
    const expected<distribution> made = try_sharded(extents, on, shards);
    require(made.error());  // not made.value(): an error in a constant expression is a line nearer to its cause
    return *made;
}
[[nodiscard]] constexpr distribution sharded(const dims& extents, const plait::mesh& on,
                                             const detail::shard_list& shards, const format_tag& order) {
    const expected<distribution> made = try_sharded(extents, on, shards, order);
    require(made.error());  // not made.value(): an error in a constant expression is a line nearer to its cause
    return *made;
}

/// Returns the distribution, or the verdict that refuses it; see block_cyclic.
[[nodiscard]] constexpr expected<distribution> try_block_cyclic(const dims& extents, const dims& block,
                                                                const plait::mesh& on, const format_tag& order) {
    if (const verdict why = detail::check_dealt(extents, on); !why.ok()) return why;
    const int n = extents.size();
    if (block.size() != n)
        return detail::ranks_differ(detail::counted::blocks, block.size(), detail::counted::extents, n);
    if (on.ndims() != n) return detail::ranks_differ(detail::counted::mesh, on.ndims(), detail::counted::extents, n);
    detail::dealt_axis axes[max_ndims];
    for (int a = 0; a < n; ++a) {
        if (block[a] < 1) return verdict{reason::dim_is_negative, a, block[a], 1};
        const dim_t parts = on.ranks.dims[a];
        const dim_t turns = detail::divide_up(detail::divide_up(extents[a], block[a]), parts);
        const detail::checked_integer places = detail::checked_integer{turns} * block[a];
        if (!places.ok()) return verdict{reason::size_overflows, a, turns, block[a]};
        axes[a].places = places.value;
        axes[a].digits.push_back({turns, 1, 0, 0});
        if (const verdict why = detail::add_mesh_digits(axes[a], on, a); !why.ok()) return why;
        if (axes[a].digits.full()) return verdict{reason::too_many_digits, a, max_digits + 1, max_digits};
        axes[a].digits.push_back({block[a], 1, 0, 0});
    }
    return detail::make_distribution(extents, axes, on, {}, order);
}
[[nodiscard]] constexpr expected<distribution> try_block_cyclic(const dims& extents, const dims& block,
                                                                const plait::mesh& on) {
    return try_block_cyclic(extents, block, on, detail::plain_tag(extents.size()));
}
/// Checks that block_cyclic succeeds; the verdict has the reason if it does not.
constexpr verdict check_block_cyclic(const dims& extents, const dims& block, const plait::mesh& on) {
    return try_block_cyclic(extents, block, on).error();
}

/// Deals blocks of a tensor to ranks in turn: axis a of the tensor along axis a of the mesh.
///
/// 1000 indices in blocks of 64 over 2 ranks: blocks 0, 2, ..., 14 are on the first, of 512 indices; blocks 1, 3, ...,
/// 15, of which the last has 40 indices, on the second. Each rank's memory is dense, in row-major order unless `order`
/// is another one ("ba" is ScaLAPACK's), with the same strides on all ranks: those of whole blocks.
///
/// Refused: rank_differs, dim_is_negative (a block below 1), axis_is_blocked (the order); as check_mesh;
///          dim_is_dynamic, size_overflows
/// Pre:     check_block_cyclic(extents, block, on).ok()
/// Post:    block_cyclic(...).rank_of(p) is the rank at position p[a] / block[a] % extent of the mesh, for each axis a
/// Cost:    that of check_distribution
/// Source:  ScaLAPACK's block-cyclic matrices
/// Example: block_cyclic(dims{1000, 700}, dims{64, 64}, mesh{2, 2}).rank_of(64, 0) == 2
[[nodiscard]] constexpr distribution block_cyclic(const dims& extents, const dims& block, const plait::mesh& on) {
    const expected<distribution> made = try_block_cyclic(extents, block, on);
    require(made.error());  // not made.value(): an error in a constant expression is a line nearer to its cause
    return *made;
}
[[nodiscard]] constexpr distribution block_cyclic(const dims& extents, const dims& block, const plait::mesh& on,
                                                  const format_tag& order) {
    const expected<distribution> made = try_block_cyclic(extents, block, on, order);
    require(made.error());  // not made.value(): an error in a constant expression is a line nearer to its cause
    return *made;
}

/// Returns the distribution, or the verdict that refuses it; see distribute.
[[nodiscard]] constexpr expected<distribution> try_distribute(const layout& ranks, const layout& local,
                                                              const plait::mesh& on,
                                                              const detail::mesh_axes& replicated = {}) {
    distribution d;
    d.ranks = ranks;
    d.local = local;
    d.mesh = on;
    d.replicated = replicated;
    return detail::checked(d);
}
/// Checks that distribute succeeds; the verdict has the reason if it does not.
constexpr verdict check_distribute(const layout& ranks, const layout& local, const plait::mesh& on,
                                   const detail::mesh_axes& replicated = {}) {
    return try_distribute(ranks, local, on, replicated).error();
}

/// Makes a distribution of any two layouts over one index space.
///
/// Refused: as check_distribution
/// Pre:     check_distribute(ranks, local, on, replicated).ok()
/// Post:    the members of the result are the arguments
/// Cost:    that of check_distribution
/// Source:  plait's own
/// Example: distribute(layout({4, 8}, strides{1, 0}), layout({4, 8}, strides{0, 1}), mesh{4}): row i is on rank i
[[nodiscard]] constexpr distribution distribute(const layout& ranks, const layout& local, const plait::mesh& on,
                                                const detail::mesh_axes& replicated = {}) {
    const expected<distribution> made = try_distribute(ranks, local, on, replicated);
    require(made.error());  // not made.value(): an error in a constant expression is a line nearer to its cause
    return *made;
}

}  // namespace plait
