#pragma once
// Moves along an axis that is read through a table, unit by unit: all units of a size have one kernel or one plan.

#include <plait/algebra/axis_table.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/contract/check_reorder.hpp>
#include <plait/contract/executor.hpp>
#include <plait/engine/plan/padding_boxes.hpp>
#include <plait/engine/simd/zero_runs.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// One tensor of a reorder through tables: where the indices of the axis lie in memory, in elements from offset 0.
struct table_side {
    axis_places places;
    dim_t begin = 0;  ///< the place of index 0 of the padded axis, if all other indices are 0
    dim_t front = 0;  ///< padding in front of the axis
    axis_table indices;

    constexpr table_side(const layout& l, int axis, const axis_table& table)
        : places(places_of(l, axis, l.padded_dims[axis])),
          begin(l.offset0),
          front(l.padded_offsets[axis]),
          indices(table) {}
};

/// Returns the place of an index of a side, in elements from offset 0.
inline dim_t place_in(const table_side& side, dim_t index) {
    dim_t place = side.begin;
    for (const jump& j : side.places.jumps) place += j.by * (j.border == 1 ? index : index / j.border);
    return place;
}

/// Returns true if a unit is one run of elements in the same order on both sides, so that it is copied as bytes.
constexpr bool is_one_copy(const layout& src, const layout& dst) {
    return src.is_dense() && dst.is_dense() && !src.is_padded() && !dst.is_padded() && same_memory(src, dst);
}

/// A unit of indices that is moved: the number of its size, its first index in memory on both sides, and the places of
/// that index.
struct moved_unit {
    int size;
    dim_t from, to;
    dim_t from_place, to_place;
};

/// Visits the units of indices first to last - 1: visit(unit). `values_fit(from, to, count)` returns true if
/// `count` indices have values like those of a unit.
///
/// Pre:     both tables are checked; 0 <= first, last <= the extents; units as units_of returns them for both places;
///          values of one index always fit
/// Post:    each index is in exactly one unit
/// Cost:    about 10 ns for each unit
template <class Fit, class Visit>
void visit_units(const table_side& from, const table_side& to, const table_units& units, dim_t first, dim_t last,
                 const Fit& values_fit, const Visit& visit) {
    if (first >= last) return;
    run_cursor source(from.indices, first), destination(to.indices, first);
    for (;;) {
        const dim_t count = smaller_of(smaller_of(source.run().count, destination.run().count), last - first);
        dim_t in = source.run().at + from.front, out = destination.run().at + to.front;
        for (dim_t left = count; left > 0;) {
            int k = 0;
            while (units[k] > left ||
                   (units[k] > 1 && !(fits(from.places, in, units[k]) && fits(to.places, out, units[k]) &&
                                      values_fit(in - from.front, out - to.front, units[k]))))
                ++k;
            visit(moved_unit{k, in - from.front, out - to.front, place_in(from, in), place_in(to, out)});
            in += units[k];
            out += units[k];
            left -= units[k];
        }
        first += count;
        if (first == last) return;
        source.advance(count);
        destination.advance(count);
    }
}

/// Visits the units of indices first to last - 1, as above, if no values differ along the axis.
template <class Visit>
void visit_units(const table_side& from, const table_side& to, const table_units& units, dim_t first, dim_t last,
                 const Visit& visit) {
    visit_units(
        from, to, units, first, last, [](dim_t, dim_t, dim_t) { return true; }, visit);
}

/// Calls part(first, last) for n indices of a table: one part for each thread that has enough bytes to move. A part
/// begins with a whole unit.
///
/// Pre:     extents are those of the tensor; n <= extents[axis]; bits are those of an element of both sides; unit is the
///          largest size of a unit, or 1
/// Post:    the parts are 0 to n - 1 in order; one call of part is made without the executor if one thread is enough
template <executor E, class Part>
void run_in_chunks(E&& threads, const dims& extents, int axis, dim_t n, dim_t bits, dim_t unit, const Part& part) {
    dim_t bytes = n * bits / 8;
    for (int a = 0; a < extents.size(); ++a)
        if (a != axis) bytes *= extents[a];
    const int chunks = chunks_for(bytes, threads.concurrency());
    if (chunks == 1) return part(0, n);
    const dim_t size = divide_up(divide_up(n, chunks), unit) * unit;
    threads.run(chunks,
                [&](int chunk) noexcept { part(smaller_of(n, chunk * size), smaller_of(n, (chunk + 1) * size)); });
}

/// Visits the places that belong to no index of the tensor but are zeroed, as boxes: padding of an axis without a
/// table, and what follows the last index of each group.
template <class Visit>
void visit_axis_gaps(const layout& l, int axis, const axis_table& table, Visit visit) {
    const auto zero = [&](dim_t begin, dim_t end) {
        position first, last;
        for (int a = 0; a < l.ndims(); ++a) {
            first.push_back(a == axis ? begin : 0);
            last.push_back(a == axis ? end : l.padded_dims[a]);
        }
        if (begin < end) engine::index_box_walk<Visit>(l, first, last, visit).run();
    };
    table.for_each_gap([&](const index_run& gap) { zero(gap.at, gap.at + gap.count); });
    if (table.kind() != table_kind::none) return;
    const dim_t front = l.padded_offsets[axis];
    zero(0, front);
    zero(front + l.dims[axis], l.padded_dims[axis]);
}

/// Visits the padding of a unit as boxes.
template <class Visit>
void visit_unit_padding(const layout& unit, Visit visit) {
    engine::visit_padding(unit, visit);
}

/// Zeroes the places of visit_axis_gaps, in elements of whole bytes.
inline void zero_axis_gaps(const layout& l, int axis, const axis_table& table, unsigned char* data,
                           dim_t element_size) {
    visit_axis_gaps(l, axis, table, [&](const engine::place_box& box) {
        return engine::visit_runs(box, data, element_size,
                                  [](unsigned char* at, dim_t count, dim_t step, std::size_t length) {
                                      engine::zero_runs_widely(at, count, step, length);
                                      return true;
                                  });
    });
}

/// Checks two layouts of which one axis is read through tables.
///
/// Refused: rank_differs; dims_differ, of the other axes; destination_is_not_injective
/// Pre:     check_table_axis, check_group_axis or check_static is ok for both
constexpr verdict check_table_pair(const layout& src, const layout& dst, int axis) {
    if (src.ndims() != dst.ndims())
        return ranks_differ(counted::source, src.ndims(), counted::destination, dst.ndims());
    if (axis < 0 || axis >= src.ndims()) return {reason::axis_is_out_of_range, -1, axis, src.ndims()};
    for (int a = 0; a < src.ndims(); ++a)
        if (a != axis && src.dims[a] != dst.dims[a]) return {reason::dims_differ, a, src.dims[a], dst.dims[a]};
    return check_unique_places(dst, reason::destination_is_not_injective);
}

/// Checks both tables of a reorder. If values differ along the axis, tables name no block with padding, which has none.
///
/// Refused: what check_table_extents and axis_table::check refuse
inline verdict check_tables(const layout& src, const axis_table& from, const layout& dst, const axis_table& to,
                            int axis, bool values_differ) {
    const auto length = [=](const layout& l, const axis_table& table) {
        return table.kind() == table_kind::groups || values_differ ? l.dims[axis] : l.padded_dims[axis];
    };
    if (const verdict why = from.check(axis, length(src, from), false); !why.ok()) return why;
    if (const verdict why = to.check(axis, length(dst, to), true); !why.ok()) return why;
    return check_table_extents(axis, from, to);
}

/// Returns the size of the largest run that both tables allow: what is moved as one, if it fits.
constexpr dim_t longest_run(const axis_table& from, dim_t src_length, const axis_table& to, dim_t dst_length) {
    const auto most = [](const axis_table& table, dim_t length) {
        return table.kind() == table_kind::none ? length : table.block();
    };
    return smaller_of(most(from, src_length), most(to, dst_length));
}

}  // namespace plait::detail
