#pragma once
// A tensor that is spread over ranks is two layouts over one index space: the rank of each element, and its place in
// the memory of that rank.

#include <plait/algebra/index_digits.hpp>
#include <plait/distribution/mesh.hpp>
#include <plait/distribution/rank_values.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Describes on which rank each element of a tensor is, and where in that rank's memory. A structural value, as layouts
/// are.
///
/// A digit of the index that chooses the rank has a stride in `ranks` and stride 0 in `local`; one that stays on a rank
/// has stride 0 in `ranks`. If mesh axes are listed in `replicated`, each element is also on the ranks that lie along
/// these axes of the mesh, at the same place.
///
/// Pre:     check_distribution(the value).ok(), as for all values made by block_cyclic, sharded and distribute
/// Post:    no rank has two elements at one place, and every element has a rank of the mesh
/// Cost:    that of three layouts; no allocation
/// Source:  ScaLAPACK's block-cyclic matrices, DTensor of PyTorch, GSPMD: notations of such a pair
/// Example: examples/19_ranks/matrix_product.cpp
struct distribution {
    layout ranks;      ///< its offset is the rank; of a replicated element, the rank at index 0 along `replicated`
    layout local;      ///< its offset is the place in the memory of that rank, in elements
    plait::mesh mesh;  ///< all ranks
    detail::mesh_axes replicated;  ///< the axes of the mesh along which the tensor is repeated

    constexpr int ndims() const { return ranks.ndims(); }
    constexpr const plait::dims& dims() const { return ranks.dims; }

    /// Returns the rank of an element; of a replicated element, the one at index 0 along the replicated mesh axes.
    /// Fails with position_is_out_of_range, rank_differs.
    constexpr dim_t rank_of(const position& at) const { return ranks.offset(at); }
    template <std::integral... Index>
        requires(sizeof...(Index) > 0)
    constexpr dim_t rank_of(Index... at) const { return ranks.offset(at...); }

    /// Returns on how many ranks each element is.
    constexpr dim_t copies() const {
        dim_t count = 1;
        for (const int axis : replicated) count *= mesh.ranks.dims[axis];
        return count;
    }
    /// Returns true if an element is on a rank, replicated or not. Fails as rank_of does.
    constexpr bool is_on(dim_t rank, const position& at) const;

    /// Returns the extents of a rank's part: how many indices it has along each axis, all 0 if it has no elements.
    /// Fails with rank_is_outside_mesh; with part_is_not_a_box if the part is not a product of indices along the axes.
    constexpr plait::dims extents_of(dim_t rank) const;

    constexpr bool operator==(const distribution&) const = default;
};

namespace detail {
/// Returns what the copies of an element add to its rank: 0, and the ranks along the replicated axes of the mesh.
constexpr heap_list<dim_t> copy_offsets(const distribution& d) {
    heap_list<dim_t> out;
    out.push_back(0);
    for (const int axis : d.replicated)
        for (const digit& m : fewest_digits(d.mesh.ranks, axis)) {
            const int before = out.size();
            for (dim_t value = 1; value < m.extent; ++value)
                for (int k = 0; k < before; ++k) out.push_back(out[k] + value * m.stride);
        }
    make_sorted_set(out);
    return out;
}

/// The digits of all axes of a distribution.
struct distribution_digits {
    rank_axis_digits axes[max_ndims];

    /// Refused: as find_axis_digits
    constexpr verdict find(const distribution& d) {
        for (int a = 0; a < d.ndims(); ++a)
            if (const verdict why = find_axis_digits(axes[a], d.ranks, d.local, a); !why.ok()) return why;
        return {};
    }
};

/// The numbers that the indices of each axis, and the copies of an element, add to the rank.
struct rank_sums {
    distribution_digits digits;
    heap_list<dim_t> values[max_ndims];  ///< of the indices of an axis
    heap_list<dim_t> copies;
    dim_t offset = 0;
    int ndims = 0;

    /// Pre:     check_distribution(d).ok()
    constexpr explicit rank_sums(const distribution& d)
        : copies(copy_offsets(d)), offset(d.ranks.offset0), ndims(d.ndims()) {
        require(digits.find(d));
        for (int a = 0; a < ndims; ++a) values[a] = rank_values(digits.axes[a]);
    }
    /// Returns true if an element that is first on `first` is on `rank`.
    constexpr bool is_on(dim_t rank, dim_t first) const { return find_sorted(copies, rank - first) >= 0; }

    /// The elements of a rank: a number of boxes, and the extents of the last one, all 0 if there is none.
    struct part {
        dims extents;
        int boxes = 0;
    };
    constexpr part part_of(dim_t rank) const {
        part out;
        for (int a = 0; a < ndims; ++a) out.extents.push_back(0);
        for (const dim_t copy : copies) {
            axis_values chosen;
            for_each_rank_sum(values, ndims, rank - copy - offset, chosen, [&](const axis_values& of) {
                for (int a = 0; a < ndims; ++a) out.extents[a] = count_indices(digits.axes[a], of[a]);
                ++out.boxes;
            });
        }
        return out;
    }
};

/// Checks that each element, and each of its copies, is on a rank of the mesh. Fails with rank_is_outside_mesh.
constexpr verdict check_rank_range(const distribution& d) {
    layout valid = d.ranks;
    valid.padded_dims = valid.dims;
    const heap_list<dim_t> copies = copy_offsets(d);
    const dim_t least = wrapping_add(d.ranks.offset0 - largest_offset<-1>(valid), copies[0]);
    const dim_t most = wrapping_add(d.ranks.offset0 + largest_offset(valid), copies.back());
    const dim_t volume = d.mesh.volume();
    if (least < 0) return {reason::rank_is_outside_mesh, -1, least, volume};
    if (most >= volume) return {reason::rank_is_outside_mesh, -1, most, volume};
    return {};
}

/// Returns a layout whose offsets are rank * span + place, over the axes of d and, if it is replicated, one more for
/// the copies. Two elements share an offset if they share a place on a rank.
///
/// Refused: too_many_digits, too_many_axes, size_overflows
constexpr expected<layout> rank_and_place(const distribution& d, const distribution_digits& digits) {
    const dim_t span = larger_of(1, static_cast<dim_t>(d.local.element_span()));
    layout out;
    out.kind = format_kind::blocked;
    digit_list inner;
    int left = max_digits - d.ndims() - 1;
    verdict why;
    const auto stride_of = [&](dim_t rank, dim_t place, int axis) {
        const checked_integer stride = checked_integer{rank} * span + place;
        if (!stride.ok()) why = {reason::size_overflows, axis, rank, span};
        return stride.value;
    };
    for (int a = 0; a < d.ndims(); ++a) {
        const auto& list = digits.axes[a].digits;
        out.dims.push_back(d.dims()[a]);
        const int outer = list.size() - 1;
        out.digits.push_back(outer < 0
                                 ? digit{a, d.dims()[a], 1}
                                 : digit{a, list[outer].extent, stride_of(list[outer].rank, list[outer].place, a)});
        for (int k = outer - 1; k >= 0 && why.ok(); --k) {
            if (--left < 0) return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
            inner.push_back({a, list[k].extent, stride_of(list[k].rank, list[k].place, a)});
        }
    }
    if (!d.replicated.empty()) {
        const int axis = d.ndims();
        if (axis == max_ndims) return verdict{reason::too_many_axes, -1, axis + 1, max_ndims};
        out.dims.push_back(d.copies());
        out.digits.push_back({axis, 1, 0});
        for (const int m : d.replicated)
            for (const digit& of_mesh : fewest_digits(d.mesh.ranks, m)) {
                if (--left < 0) return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
                inner.push_back({axis, of_mesh.extent, stride_of(of_mesh.stride, 0, -1)});
            }
    }
    out.padded_dims = out.dims;
    for (int a = 0; a < out.dims.size(); ++a) out.padded_offsets.push_back(0);
    for (const digit& one : inner) out.digits.push_back(one);
    return {out, why};
}

/// Checks that no rank has two elements, or one element twice, at one place. Fails with elements_share_a_place (the
/// rank and the place); as rank_and_place; strides_do_not_nest and size_overflows if the search was given up.
constexpr verdict check_places(const distribution& d, const distribution_digits& digits) {
    const expected<layout> both = rank_and_place(d, digits);
    if (!both) return both.error();
    if (!has_elements(both->dims)) return {};
    const overlap_search search = search_overlap(*both);
    if (!search.why.ok()) return search.why;
    if (!search.found) return {};
    position at;
    for (int a = 0; a < d.ndims(); ++a) at.push_back(search.found->first[a]);
    dim_t rank = offset_inside(d.ranks, at);
    if (!d.replicated.empty()) {
        position copy = search.found->first;
        for (int a = 0; a < d.ndims(); ++a) copy[a] = 0;
        rank += evaluate_digits(*both, copy) / larger_of(1, static_cast<dim_t>(d.local.element_span()));
    }
    return {reason::elements_share_a_place, -1, rank, offset_inside(d.local, at)};
}

/// Checks the parts of a distribution, and finds its digits.
constexpr verdict find_distribution_digits(distribution_digits& out, const distribution& d) {
    if (const verdict why = check_mesh(d.mesh.ranks); !why.ok()) return why;
    for (const layout* l : {&d.ranks, &d.local})
        if (const verdict why = check_static_layout(*l); !why.ok()) return why;
    if (d.ranks.ndims() != d.local.ndims())
        return detail::ranks_differ(detail::counted::local, d.local.ndims(), detail::counted::ranks, d.ranks.ndims());
    for (int a = 0; a < d.ndims(); ++a) {
        if (d.ranks.dims[a] != d.local.dims[a]) return {reason::dims_differ, a, d.ranks.dims[a], d.local.dims[a]};
        for (const layout* l : {&d.ranks, &d.local})
            if (l->padded_offsets[a] != 0) return {reason::axis_is_padded, a, l->padded_dims[a], l->dims[a]};
    }
    for (int k = 0; k < d.replicated.size(); ++k) {
        const int axis = d.replicated[k];
        if (axis < 0 || axis >= d.mesh.ndims()) return {reason::mesh_axis_is_out_of_range, -1, axis, d.mesh.ndims()};
        for (int j = 0; j < k; ++j)
            if (d.replicated[j] == axis) return {reason::mesh_axis_is_doubled, -1, axis, 0};
    }
    return out.find(d);
}
}  // namespace detail

/// Checks a distribution that was assembled by hand.
///
/// - Each layout is known, has no padding in front, and the dims of the other.
/// - Along each axis the digits of one layout divide those of the other, so that one list of digits describes both.
/// - Each element is on a rank of the mesh, and what is replicated is in `replicated`.
/// - No rank has two elements at one place.
///
/// Refused: digits_do_not_nest, rank_is_outside_mesh, elements_share_a_place, mesh_axis_is_out_of_range,
///          mesh_axis_is_doubled; dims_differ, rank_differs, axis_is_padded; as check_mesh, check_layout
/// Pre:     none; d may have any contents
/// Post:    if ok, (rank, place) differs for different elements and copies
/// Cost:    O(digits squared) steps if strides nest; O(copies)
/// Source:  plait's own
/// Example: test/distribution/distribution.cpp
constexpr verdict check_distribution(const distribution& d) {
    detail::distribution_digits digits;
    if (const verdict why = detail::find_distribution_digits(digits, d); !why.ok()) return why;
    if (!detail::has_elements(d.dims())) return {};
    if (const verdict why = detail::check_rank_range(d); !why.ok()) return why;
    return detail::check_places(d, digits);
}

constexpr bool distribution::is_on(dim_t rank, const position& at) const {
    return detail::find_sorted(detail::copy_offsets(*this), rank - rank_of(at)) >= 0;
}

constexpr plait::dims distribution::extents_of(dim_t rank) const {
    if (rank < 0 || rank >= mesh.volume()) require({reason::rank_is_outside_mesh, -1, rank, mesh.volume()});
    const detail::rank_sums::part found = detail::rank_sums(*this).part_of(rank);
    if (found.boxes > 1) require({reason::part_is_not_a_box, -1, rank, 0});
    return found.extents;
}

}  // namespace plait
