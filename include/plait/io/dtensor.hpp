#pragma once
// DTensor's placements: "[Shard(0), Replicate()]", one for each axis of a mesh.

#include <plait/distribution/sharded.hpp>
#include <plait/io/notation.hpp>

#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns true if parts that are cut again and again, each time in pieces of extent / count rounded up, are those of
/// one cut in pieces of `part` indices.
inline bool cuts_alike(dim_t extent, const inline_list<dim_t, max_ndims>& counts, int level, dim_t part) {
    if (extent == 0) return true;
    if (level == counts.size()) return extent <= part;
    const dim_t piece = divide_up(extent, counts[level]);
    dim_t wanted = part;
    for (int k = level + 1; k < counts.size(); ++k) wanted *= counts[k];
    if (extent > piece || extent > wanted)
        if (piece != wanted) return false;
    const dim_t rest = extent % piece;
    return cuts_alike(smaller_of(piece, extent), counts, level + 1, part) &&
           (extent < piece || cuts_alike(rest, counts, level + 1, part));
}

/// Checks that DTensor's parts, which are cut one mesh axis after the other, are those of sharded. Fails with
/// chunks_differ (the axis, the indices of a part, the number of parts).
inline verdict check_chunks(const dims& extents, const plait::mesh& on, const shard_list& shards) {
    for (int a = 0; a < extents.size(); ++a) {
        inline_list<dim_t, max_ndims> counts;
        dim_t parts = 1;
        for (const shard& one : shards)
            if (one.axis == a) {
                counts.push_back(on.ranks.dims[one.mesh_axis]);
                parts *= counts.back();
            }
        const dim_t part = divide_up(extents[a], parts);
        if (!cuts_alike(extents[a], counts, 0, part)) return {reason::chunks_differ, a, part, parts};
    }
    return {};
}

/// Returns true if both have each element on the same ranks; their memory may differ.
///
/// Pre:     check_distribution(a).ok(), check_distribution(b).ok()
inline bool same_ranks(const distribution& a, const distribution& b) {
    if (a.dims() != b.dims()) return false;
    if (!has_elements(a.dims())) return true;
    const heap_list<dim_t> mine = copy_offsets(a), theirs = copy_offsets(b);
    if (mine.size() != theirs.size()) return false;
    for (int k = 0; k < mine.size(); ++k)
        if (mine[k] != theirs[k]) return false;
    for (int axis = 0; axis < a.ndims(); ++axis) {
        rank_axis_digits both;
        if (!find_axis_digits(both, a.ranks, b.ranks, axis).ok()) return false;
        for (const rank_digit& d : both.digits)
            if (d.rank != d.place) return false;
    }
    return a.ranks.offset0 == b.ranks.offset0;
}
}  // namespace detail

/// Parses placements as PyTorch prints and takes them: `Shard(0)` or `Shard(dim=0)`, with -1 for the last axis, or
/// `Replicate()`, for each axis of the mesh; in brackets or parentheses.
///
/// Refused: notation_is_malformed; notation_says_more (Partial(), whose elements are sums over ranks, and _StridedShard);
///          rank_differs (not one placement for each axis of the mesh); axis_is_out_of_range; chunks_differ (several
///          mesh axes cut an axis in parts that no layout deals alike: 10 over 2, then 3, is 2, 2, 1, 2, 2, 1); as
///          sharded
/// Pre:     none; any text
/// Post:    rank r of the mesh has the indices that DTensor gives it; its memory is dense and row-major, with the strides
///          of the largest part
/// Cost:    that of sharded
/// Source:  torch.distributed.tensor, placement types
/// Example: parse_dtensor("[Shard(0), Replicate()]", {1000, 700}, mesh{2, 2})
[[nodiscard]] inline expected<distribution> parse_dtensor(std::string_view text, const dims& extents,
                                                          const plait::mesh& on) {
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    if (const verdict why = check_mesh(on.ranks); !why.ok()) return why;
    detail::notation_reader in(text);
    detail::shard_list shards;
    const char open = in.next();
    if (open != '[' && open != '(') return in.malformed();
    in.advance();
    int mesh_axis = 0;
    const char close = open == '[' ? ']' : ')';
    for (in.skip_blanks(); in.next() != close; ++mesh_axis) {
        if (mesh_axis > 0) {
            if (!in.take(",")) return in.malformed();
            in.skip_blanks();
            if (in.next() == close) break;  // the comma of a tuple with one element
        }
        if (in.take("Shard(")) {
            static_cast<void>(in.take("dim="));
            const bool from_end = in.take("-");
            dim_t axis = 0;
            if (const verdict why = in.take_number(axis); !why.ok()) return why;
            if (from_end) axis = extents.size() - axis;
            if (axis < 0 || axis >= extents.size())
                return verdict{reason::axis_is_out_of_range, -1, axis, extents.size()};
            if (mesh_axis < on.ndims()) shards.push_back(shard(static_cast<int>(axis), mesh_axis));
        } else if (!in.take("Replicate(")) {
            return in.next() == 'P' || in.next() == '_' ? in.says_more() : in.malformed();
        }
        if (!in.take(")")) return in.malformed();
        in.skip_blanks();
    }
    in.advance();
    if (!in.done()) return in.malformed();
    if (mesh_axis != on.ndims())
        return detail::ranks_differ(detail::counted::placements, mesh_axis, detail::counted::mesh, on.ndims());
    if (const verdict why = detail::check_chunks(extents, on, shards); !why.ok()) return why;
    return try_sharded(extents, on, shards);
}

/// Returns the placements of a distribution: which axis of the tensor each axis of its mesh cuts. They say nothing
/// about the memory of a rank.
///
/// Refused: notation_has_no_ranks (an axis with blocks dealt in turn, or another order; how many ranks, and how far they
///          are apart); notation_has_no_offset (a part of the mesh); chunks_differ; as check_distribution
/// Pre:     none; any distribution
/// Post:    parse_dtensor(*result, d.dims(), d.mesh) has each element on the same ranks
/// Cost:    that of parse_dtensor
/// Source:  as parse_dtensor
/// Example: *format_dtensor(sharded(dims{8, 6}, mesh{2, 2}, {shard(0, 0)})) == "[Shard(0), Replicate()]"
[[nodiscard]] inline expected<std::string> format_dtensor(const distribution& d) {
    if (const verdict why = check_distribution(d); !why.ok()) return why;
    if (d.ranks.offset0 != d.mesh.ranks.offset0) return verdict{reason::notation_has_no_offset, -1, d.ranks.offset0};
    // The axis of the tensor with a digit that chooses the same ranks as the innermost digit of a mesh axis.
    std::string out;
    verdict unknown;
    for (int m = 0; m < d.mesh.ndims(); ++m) {
        out += m == 0 ? "[" : ", ";
        const detail::digit_list digits = detail::fewest_digits(d.mesh.ranks, m);
        int found = -1;
        for (const digit& one : d.ranks.digits) {
            if (one.stride == 0 || one.extent < 2 || digits.empty() || d.replicated.contains(m)) continue;
            const dim_t inner = digits.back().stride;
            // Neighbouring mesh axes may have become one digit.
            if (inner % one.stride == 0 && inner / one.stride < one.extent && inner / one.stride >= 0) found = one.axis;
            unknown = {reason::notation_has_no_ranks, one.axis, one.extent, one.stride};
        }
        out += found < 0 ? "Replicate()" : "Shard(" + std::to_string(found) + ")";
    }
    out += "]";
    const expected<distribution> read = parse_dtensor(out, d.dims(), d.mesh);
    if (!read) return read.error();
    if (detail::same_ranks(*read, d)) return out;
    for (const digit& one : d.ranks.digits)
        if (one.stride != 0 && one.extent > 1)
            unknown = {reason::notation_has_no_ranks, one.axis, one.extent, one.stride};
    return unknown.ok() ? verdict{reason::notation_has_no_ranks, 0, d.copies(), 1} : unknown;
}

}  // namespace plait
