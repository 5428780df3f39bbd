#pragma once
// Reorders of views of which one axis is read through a table: paged and grouped.

#include <plait/contents/reorder_views.hpp>
#include <plait/reorder/table_moves.hpp>
#include <plait/reorder/table_values.hpp>
#include <plait/view/table_views.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the view whose elements are moved: of a view with a table, that of all pages or blocks.
template <class View>
constexpr auto moved_view(const View& v) {
    if constexpr (indexed_view<View>) return v.stored();
    else return stored_elements(v);
}
template <class View>
using moved_view_of = decltype(moved_view(std::declval<const View&>()));

/// A view with a table, or a view of plain values, whose layout is a type.
template <class View>
concept table_operand = (indexed_view<View> && readable_view<moved_view_of<View>>) ||
                        (!indexed_view<View> && source_view<View> && !contents_of<View>.is_quantized());

/// The axis that has a table in one of two views, or -1 if both have one and the axes differ.
template <class From, class To>
constexpr int axis_with_table() {
    if constexpr (!indexed_view<To>) return From::table_axis;
    else if constexpr (!indexed_view<From>) return To::table_axis;
    else return From::table_axis == To::table_axis ? To::table_axis : -1;
}

/// Views of which one is reordered into the other, and at least one has a table.
template <class From, class To>
concept table_views = (indexed_view<From> || indexed_view<To>)&&table_operand<From>&& table_operand<
                          To>&& reordered_views<moved_view_of<From>, moved_view_of<To>>&& axis_with_table<From, To>() >=
                      0;

/// A reorder between views of which one axis is read through tables.
template <class From, class To>
struct reorder_of_tables {
    using from_view = moved_view_of<From>;
    using to_view = moved_view_of<To>;
    using T = std::remove_const_t<typename from_view::element_type>;
    using U = typename to_view::element_type;
    static constexpr int axis = axis_with_table<From, To>();
    static constexpr layout src = known_layout<typename from_view::layout_in_type>;
    static constexpr layout dst = known_layout<typename to_view::layout_in_type>;
    static constexpr verdict why = check_table_pair(src, dst, axis);

    /// The number of indices that one run has at most, by the types.
    template <class View>
    static constexpr dim_t longest(const layout& l) {
        if constexpr (indexed_view<View>) return smaller_of(View::table_block, l.padded_dims[axis]);
        else return l.dims[axis];
    }
    static constexpr table_units units = [] {
        const dim_t most = why.ok() ? smaller_of(longest<From>(src), longest<To>(dst)) : 0;
        return most < 1 ? table_units{}
                        : units_of(places_of(src, axis, src.padded_dims[axis]),
                                   places_of(dst, axis, dst.padded_dims[axis]), most);
    }();

    template <class View>
    static axis_table indices_of(const View& v, const layout& l) {
        if constexpr (indexed_view<View>) return v.indices();
        else return axis_table::none(l.dims[axis]);
    }

    const T* in;
    U* out;
    table_side source, destination;

    reorder_of_tables(const From& from, const To& to)
        : in(moved_view(from).data()),
          out(moved_view(to).data()),
          source(src, axis, indices_of(from, src)),
          destination(dst, axis, indices_of(to, dst)) {}

    dim_t extent() const { return destination.indices.extent(); }
    verdict check(bool values_differ) const {
        const verdict tables = check_tables(src, source.indices, dst, destination.indices, axis, values_differ);
        if (!tables.ok()) return tables;
        return check_buffers(src, in, dst, out, (extent() == 0 && !destination_is_written()) || is_one_pool());
    }
    /// True if pages of a pool are copied to other pages of it.
    bool is_one_pool() const {
        if constexpr (!std::is_same_v<T, U> || !(src == dst)) return false;
        else
            return static_cast<const void*>(in) == out &&
                   source.indices.shares_no_page(destination.indices, dst.padded_dims[axis]);
    }
    /// True if places are zeroed even if no index is moved.
    bool destination_is_written() const {
        return destination.indices.kind() == table_kind::none && dst.padded_volume() != 0;
    }

    template <int K, class... Attributes>
    static void move(const T* from, U* to, const Attributes&... attributes) {
        static constexpr layout a = unit_layout(src, axis, units.values[K]),
                                b = unit_layout(dst, axis, units.values[K]);
        if constexpr (sizeof...(Attributes) != 0)
            attributed_reorder_kernel<a, b, T, U>(from - a.offset0, to - b.offset0, attributes...);
        else if constexpr (std::is_same_v<T, U> && is_one_copy(a, b))
            __builtin_memcpy(to - b.offset0, from - a.offset0, sizeof(T) * static_cast<std::size_t>(a.volume()));
        else reorder_kernel<a, b, T, U>(from - a.offset0, to - b.offset0);
    }
    /// Calls with_size(the number of a unit's size, as a constant).
    template <class Call>
    static void with_size(int k, const Call& call) {
        if (k == 0) return call(std::integral_constant<std::size_t, 0>());
        if constexpr (units.size() > 1)
            if (k == 1) return call(std::integral_constant<std::size_t, 1>());
        if constexpr (units.size() > 2) call(std::integral_constant<std::size_t, 2>());
    }
    /// Moves indices first to last - 1, with attributes that apply to all of them.
    template <class... Attributes>
    void move_part(dim_t first, dim_t last, const Attributes&... attributes) const {
        if constexpr (!units.empty())
            visit_units(source, destination, units, first, last, [&](const moved_unit& unit) {
                with_size(unit.size, [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
                    move<K>(in + unit.from_place, out + unit.to_place, attributes...);
                });
            });
    }
    /// Moves indices first to last - 1, with values that differ along the axis.
    void move_part(dim_t first, dim_t last, const reorder_attributes& attributes,
                   const table_attributes& of_units) const {
        if constexpr (!units.empty() && dst.volume() != 0)
            visit_units(
                source, destination, units, first, last,
                [&](dim_t from, dim_t to, dim_t count) { return of_units.fit(from, to, count); },
                [&](const moved_unit& unit) {
                    const reorder_attributes own = of_units.of_unit(attributes, unit.size, unit.from, unit.to);
                    with_size(unit.size, [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
                        move<K>(in + unit.from_place, out + unit.to_place, own);
                    });
                });
    }
    template <executor E, class... Attributes>
    void run(E&& threads, const Attributes&... attributes) const {
        zero_axis_gaps(dst, axis, destination.indices, reinterpret_cast<unsigned char*>(out), sizeof(U));
        const auto part = [&, this](dim_t first, dim_t last) noexcept { move_part(first, last, attributes...); };
        run_in_chunks(threads, dst.dims, axis, extent(), 8 * static_cast<dim_t>(sizeof(T) + sizeof(U)),
                      units.empty() ? 1 : units.values[0], part);
    }
    /// Checks and moves with attributes.
    template <executor E>
    verdict attempt(E&& threads, const reorder_attributes& attributes) const {
        if (const verdict found = check_table_attributes(attributes, src, dst, axis); !found.ok()) return found;
        const bool differ = differ_with_axis(attributes, axis);
        if (const verdict found = check(differ); !found.ok()) return found;
        if (!differ) {
            run(threads, attributes);
            return {};
        }
        table_attributes of_units(attributes, src.dims, dst.dims, axis, std::is_same_v<T, U>, false);
        of_units.take_units(units);
        if (const verdict found = of_units.check_divisors(attributes, destination.indices, units); !found.ok())
            return found;
        run(threads, attributes, of_units);
        return {};
    }
    template <executor E>
    verdict attempt(E&& threads) const {
        const verdict found = check(false);
        if (found.ok()) run(threads);
        return found;
    }
};

/// Reorders a view to another one through tables, on an executor.
template <executor E, class From, class To, class... Attributes>
expected<void> reorder_tables_of(E&& threads, const From& from, const To& to, const Attributes&... attributes) {
    using both = reorder_of_tables<From, To>;
    if constexpr (allowed<both::why>) return both(from, to).attempt(threads, attributes...);
    else return {};
}
}  // namespace detail

/// Calls reorder(from, to) of views with tables, but returns a failure instead of throwing it.
template <class From, class To>
    requires(detail::table_views<From, To>)
expected<void> try_reorder(const From& from, const To& to) { return detail::reorder_tables_of(sequential, from, to); }
/// Copies a tensor between views of which one axis of one or both is read through a table: `paged` or `grouped`.
/// Elements are converted, and padding of the other axes is zeroed, as in other reorders. Of pages, only the indices
/// of the sequences are written, and nothing behind the last one. Of groups, the rest of each last block is zeroed.
///
/// Pre:     rank and extents agree except along the axis (refused by the compiler); the two tensors do not overlap, or
///          they are one pool, and no page is both read and written
/// Refused: before anything is written: table_is_too_short, table_entry_is_out_of_range, table_entries_repeat (if they
///          are written), offsets_do_not_rise, offsets_end_elsewhere, part_is_outside_parent, dims_differ,
///          dim_is_negative, position_is_out_of_range; buffer_is_null, spans_overlap
/// Post:    element (i, ...) of `to` is convert of element (i, ...) of `from`
/// Cost:    one kernel for a block and one or two for parts of blocks; each block costs about 20 ns more than its
///          kernel; the check of a table 1 ns for each entry; no allocation
/// Source:  spec semantics 22
/// Example: reorder(tokens, paged<0, 16>(cache, table, 50))
template <class From, class To>
    requires(detail::table_views<From, To>)
void reorder(const From& from, const To& to) { require(try_reorder(from, to).error()); }

/// Calls reorder(from, to, attributes) of views with tables, but returns a failure instead of throwing it.
template <class From, class To>
    requires(detail::table_views<From, To>)
expected<void> try_reorder(const From& from, const To& to, const reorder_attributes& attributes) {
    return detail::reorder_tables_of(sequential, from, to, attributes);
}
/// Copies a tensor between views with tables, and applies attributes to its values. Values belong to a tensor: along
/// the axis with the table, those of the source are found by the index in the source's memory, and those of the
/// destination by the index in the destination's memory. An array of scales by page has one for each page of the pool.
///
/// Refused: also what check_attributes refuses, for the extents of the tensor that the values belong to, pages that no
///          table names included; of the scales of the destination, only those that are used are checked.
///          table_entry_is_out_of_range, of a page with padding, if values differ along the axis;
///          steps_are_not_whole_bytes, if values smaller than a byte differ along it
/// Pre:     as reorder(from, to)
/// Post:    element (i, ...) of `to` is convert_with of element (i, ...) of `from` and of the values of both places
/// Cost:    as reorder(from, to), with attributed_reorder_kernel; values by page or by index cost some 50 ns for each
///          block, other groups and layouts of values 2 us
/// Example: reorder(tokens, paged<0, 16>(cache, table, 50), {.dst_scale = 0.5f}); examples/20_kv_cache, by page
template <class From, class To>
    requires(detail::table_views<From, To>)
void reorder(const From& from, const To& to, const reorder_attributes& attributes) {
    require(try_reorder(from, to, attributes).error());
}

/// Calls reorder(threads, from, to) of views with tables, but returns a failure instead of throwing it.
template <executor E, class From, class To>
    requires(detail::table_views<From, To>)
expected<void> try_reorder(E&& threads, const From& from, const To& to) {
    return detail::reorder_tables_of(threads, from, to);
}
/// Copies a tensor between views with tables on the threads of an executor: each has a part of the indices.
///
/// Pre:     as reorder(from, to)
/// Post:    as reorder(from, to)
/// Cost:    one chunk for each thread, of at least least_chunk_bytes; throws what the executor throws
/// Example: reorder(threads, tokens, paged<0, 16>(cache, sequences))
template <executor E, class From, class To>
    requires(detail::table_views<From, To>)
void reorder(E&& threads, const From& from, const To& to) { require(try_reorder(threads, from, to).error()); }

/// Calls reorder(threads, from, to, attributes) of views with tables, but returns a failure instead of throwing it.
template <executor E, class From, class To>
    requires(detail::table_views<From, To>)
expected<void> try_reorder(E&& threads, const From& from, const To& to, const reorder_attributes& attributes) {
    return detail::reorder_tables_of(threads, from, to, attributes);
}
/// Copies a tensor between views with tables, with attributes, on the threads of an executor.
///
/// Pre:     as reorder(from, to, attributes)
/// Post:    as reorder(from, to, attributes)
/// Cost:    as reorder(threads, from, to)
/// Example: reorder(threads, tokens, paged<0, 16>(cache, sequences), {.dst_scale = 0.5f})
template <executor E, class From, class To>
    requires(detail::table_views<From, To>)
void reorder(E&& threads, const From& from, const To& to, const reorder_attributes& attributes) {
    require(try_reorder(threads, from, to, attributes).error());
}

}  // namespace plait
