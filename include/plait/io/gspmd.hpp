#pragma once
// GSPMD's shardings, as XLA prints them: "{devices=[2,2]0,1,2,3}", "{devices=[2,1,2]<=[4] last_tile_dim_replicate}".

#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/view.hpp>
#include <plait/io/dtensor.hpp>

#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the mesh with these extents whose ranks, in row-major order, are the list; fails with notation_says_more at
/// the given column if no digits express the order.
inline expected<plait::mesh> mesh_of_list(const dims& extents, const std::vector<dim_t>& list, dim_t column) {
    layout l = identity_of(extents).value();
    digit_list inner;
    l.offset0 = list[0];
    dim_t below = 1;  // the product of the extents on the right
    for (int a = extents.size() - 1; a >= 0; --a) {
        const dim_t extent = extents[a];
        const auto at = [&](dim_t index) { return list[static_cast<std::size_t>(index * below)] - list[0]; };
        digit_list digits;  // innermost first
        for (dim_t step = 1; step < extent;) {
            const dim_t stride = at(step);
            dim_t most = 1;
            while (most * step < extent && at(most * step) == most * stride) ++most;
            while (most > 1 && extent % (most * step) != 0) --most;
            if (most < 2 || digits.full()) return verdict{reason::notation_says_more, -1, column};
            digits.push_back({a, most, stride});
            step *= most;
        }
        l.digits[a] = digits.empty() ? digit{a, extent, 1} : digits.back();
        for (int k = digits.size() - 2; k >= 0; --k) {
            if (extents.size() + inner.size() >= max_digits) return verdict{reason::notation_says_more, -1, column};
            inner.push_back(digits[k]);
        }
        below *= extent;
    }
    for (const digit& d : inner) l.digits.push_back(d);
    sort_inner_digits(l);
    if (!check_mesh(l).ok()) return verdict{reason::notation_says_more, -1, column};
    for (std::size_t k = 0; k < list.size(); ++k)
        if (l.linear_offset(static_cast<dim_t>(k)) != list[k]) return verdict{reason::notation_says_more, -1, column};
    return plait::mesh(l);
}

/// Reads "[2,1,2]"; fails with notation_is_malformed, too_many_axes.
inline verdict take_extents(notation_reader& in, dims& out) {
    if (!in.take("[")) return in.malformed();
    do {
        dim_t extent = 0;
        const verdict here = in.malformed();
        if (const verdict why = in.take_number(extent); !why.ok()) return why;
        if (extent < 1) return here;
        if (out.full()) return {reason::too_many_axes, -1, max_ndims + 1, max_ndims};
        out.push_back(extent);
    } while (in.take(","));
    return in.take("]") ? verdict{} : in.malformed();
}

/// Reads the devices of a sharding: a list, or "<=[4,2]T(1,0)". Writes the mesh with the extents of the tiles.
///
/// Refused: notation_is_malformed, notation_says_more; volumes_differ (the tiles, the devices); as check_mesh, reshape
inline verdict take_devices(notation_reader& in, const dims& tiles, plait::mesh& out) {
    const verdict whole = check_volume(tiles);
    if (!whole.ok()) return whole;
    const dim_t count = volume(tiles), column = in.column();
    if (!in.take("<=")) {
        std::vector<dim_t> list;
        do {
            dim_t device = 0;
            if (const verdict why = in.take_number(device); !why.ok()) return why;
            list.push_back(device);
        } while (in.take(","));
        const auto devices = static_cast<dim_t>(list.size());
        if (devices != count) return {reason::volumes_differ, -1, count, devices};
        const expected<plait::mesh> made = mesh_of_list(tiles, list, column);
        if (made) out = *made;
        return made.error();
    }
    dims extents;
    if (const verdict why = take_extents(in, extents); !why.ok()) return why;
    if (const verdict why = check_volume(extents); !why.ok()) return why;
    if (volume(extents) != count) return {reason::volumes_differ, -1, count, volume(extents)};
    layout devices = identity_of(extents).value();
    if (in.take("T(")) {
        permutation from;  // axis i of the transposed list is axis from[i]
        do {
            dim_t axis = 0;
            if (const verdict why = in.take_number(axis); !why.ok()) return why;
            if (from.full()) return {reason::too_many_axes, -1, max_ndims + 1, max_ndims};
            from.push_back(axis);
        } while (in.take(","));
        if (!in.take(")")) return in.malformed();
        if (const verdict why = check_permutation(from, extents.size()); !why.ok()) return why;
        devices = permute_axes(devices, inverse_permutation(from));
    }
    const expected<layout> tiled = view_rule::attempt(devices, tiles);
    if (!tiled) return tiled.error();
    out = plait::mesh(*tiled);
    return {};
}
}  // namespace detail

/// Parses a sharding as XLA writes it. Each axis of the tensor is cut in as many parts as its number in brackets says.
///
/// - `{replicated}`: each of the `ranks` ranks has the whole tensor; `{maximal device=3}`: rank 3 has it alone.
/// - `{devices=[2,2]0,1,2,3}`: parts of two axes, and the ranks that have them, in row-major order.
/// - `{devices=[2,2]<=[2,2]T(1,0)}`: the ranks are counted in another order.
/// - `last_tile_dim_replicate`: the last number is that of copies.
///
/// Refused: notation_is_malformed; notation_says_more (manual and unknown shardings, subgroups, an order of ranks that no
///          digits express); rank_differs; volumes_differ; rank_is_outside_mesh; as check_mesh, sharded
/// Pre:     none; any text. `ranks` is how many ranks there are; without tiles no number tells it
/// Post:    rank r has the indices that GSPMD gives it; its memory is dense and row-major, with the strides of the
///          largest part
/// Cost:    O(ranks) steps; allocates
/// Source:  OpSharding of XLA; the paper on GSPMD, section 3.1
/// Example: parse_gspmd("{devices=[2,2]0,1,2,3}", {1000, 700}, 4)
[[nodiscard]] inline expected<distribution> parse_gspmd(std::string_view text, const dims& extents, dim_t ranks) {
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    if (ranks < 1) return verdict{reason::dim_is_negative, -1, ranks, 1};
    detail::notation_reader in(text);
    if (!in.take("{")) return in.malformed();
    const plait::mesh line{ranks};
    if (in.take("replicated")) {
        if (!in.take("}") || !in.done()) return in.malformed();
        return try_sharded(extents, line, {});
    }
    if (in.take("maximal device=")) {
        dim_t device = 0;
        if (const verdict why = in.take_number(device); !why.ok()) return why;
        if (!in.take("}") || !in.done()) return in.malformed();
        if (device >= ranks) return verdict{reason::rank_is_outside_mesh, -1, device, ranks};
        expected<distribution> whole = try_sharded(extents, line, {});
        if (!whole) return whole;
        whole->replicated = {};
        whole->ranks.offset0 = device;
        return whole;
    }
    if (!in.take("devices=")) return in.next() >= 'a' && in.next() <= 'z' ? in.says_more() : in.malformed();
    dims tiles;
    if (const verdict why = detail::take_extents(in, tiles); !why.ok()) return why;
    plait::mesh on;
    if (const verdict why = detail::take_devices(in, tiles, on); !why.ok()) return why;
    const bool copies = in.take(" last_tile_dim_replicate") || in.take(" last_tile_dims={replicated}");
    if (in.next() == ' ') return in.says_more();
    if (!in.take("}") || !in.done()) return in.malformed();
    if (tiles.size() - copies != extents.size())
        return detail::ranks_differ(detail::counted::devices, tiles.size() - copies, detail::counted::extents,
                                    extents.size());
    if (on.volume() != ranks) return verdict{reason::volumes_differ, -1, on.volume(), ranks};
    detail::shard_list shards;
    for (int a = 0; a < extents.size(); ++a)
        if (tiles[a] > 1) shards.push_back(shard(a, a));
    return try_sharded(extents, on, shards);
}

/// Returns the sharding of a distribution as XLA writes it, with its ranks as a list. It says nothing about the memory
/// of a rank.
///
/// Refused: notation_has_no_ranks (an axis with blocks dealt in turn; how many ranks, and how far they are apart);
///          notation_has_no_offset (a part of the mesh); as check_distribution
/// Pre:     none; any distribution
/// Post:    parse_gspmd(*result, d.dims(), d.mesh.volume()) has each element on the same ranks
/// Cost:    O(ranks) steps; allocates
/// Source:  as parse_gspmd
/// Example: *format_gspmd(sharded(dims{8, 6}, mesh{2, 2}, {shard(0, 0)})) ==
///          "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}"
[[nodiscard]] inline expected<std::string> format_gspmd(const distribution& d) {
    if (const verdict why = check_distribution(d); !why.ok()) return why;
    const dim_t ranks = d.mesh.volume(), copies = d.copies();
    std::string out = "{devices=[";
    dims tiles;
    verdict unknown{reason::notation_has_no_ranks, 0, copies, 1};
    detail::heap_list<dim_t> list(1, d.ranks.offset0);
    for (int a = 0; a < d.ndims(); ++a) {
        tiles.push_back(1);
        for (int k = 0; k < d.ranks.digits.size(); ++k) {
            const digit& one = d.ranks.digits[k];
            if (one.axis != a || one.stride == 0 || one.extent < 2) continue;
            unknown = {reason::notation_has_no_ranks, a, one.extent, one.stride};
            detail::heap_list<dim_t> more;
            for (const dim_t before : list)
                for (dim_t value = 0; value < one.extent; ++value) more.push_back(before + value * one.stride);
            list = more;
            tiles[a] *= one.extent;
        }
        out += (a == 0 ? "" : ",") + std::to_string(tiles[a]);
    }
    if (list.size() == 1 && copies == ranks) out = "{replicated}";
    else if (list.size() == 1 && copies == 1 && ranks > 1) out = "{maximal device=" + std::to_string(list[0]) + "}";
    else {
        if (list.size() * copies != ranks) return verdict{reason::notation_has_no_offset, -1, list[0]};
        if (copies > 1) out += "," + std::to_string(copies);
        std::string separator = "]";
        for (const dim_t rank : list)
            for (const dim_t copy : detail::copy_offsets(d)) {
                out += separator + std::to_string(rank + copy);
                separator = ",";
            }
        out += copies > 1 ? " last_tile_dim_replicate}" : "}";
    }
    const expected<distribution> read = parse_gspmd(out, d.dims(), ranks);
    if (read.has_value() && detail::same_ranks(*read, d)) return out;
    return unknown;
}

}  // namespace plait
