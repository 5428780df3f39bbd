#pragma once
// Views of which one axis is read through a table: pages of a cache, and groups of different sizes.

#include <plait/algebra/axis_table.hpp>
#include <plait/view/tensor_view.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace detail {
/// A view whose axis `Axis` is read through a table of pages of `Block` indices: what `paged` returns. Index i lies
/// where index table[i / Block] * Block + i % Block of the view lies.
///
/// Pre:     the table outlives the view, and has the entries that are used
/// Post:    &v(.., i, ..) == &v.pages()(.., table[i / Block] * Block + i % Block, ..)
/// Refused: by at(), as by the reorder of the view; and position_is_out_of_range
/// Cost:    an index costs one load of the table more than in the view
/// Source:  spec semantics 22
/// Example: test/northstar/17_tables.cpp
template <class T, view_layout L, int Axis, dim_t Block>
class paged_view {
public:
    using element_type = T;

    paged_view(const tensor_view<T, L>& pages, const axis_table& table) : pages_(pages), indices_(table) {
        if constexpr (layout_type<L>) static_cast<void>(allowed<check_table_axis(known_layout<L>, Axis, Block)>);
        else require(check_table_axis(pages.plain_layout(), Axis, Block));
    }

    /// Returns the element at a position; unchecked.
    template <std::integral... Index>
        requires(indexed_by<L, sizeof...(Index)>)
    typename tensor_view<T, L>::reference operator()(Index... index) const {
        dim_t at[] = {static_cast<dim_t>(index)...};
        run_cursor run(indices_, at[Axis]);
        at[Axis] = run.run().at;
        return element(at, std::make_index_sequence<sizeof...(Index)>());
    }
    /// Returns the element at a position; fails with position_is_out_of_range, and as the reorder of the view does.
    template <std::integral... Index>
        requires(indexed_by<L, sizeof...(Index)>)
    typename tensor_view<T, L>::reference at(Index... index) const {
        const dim_t at[] = {static_cast<dim_t>(index)...};
        require(indices_.check(Axis, pages_.plain_layout().padded_dims[Axis], false));
        for (int a = 0; a < static_cast<int>(sizeof...(Index)); ++a)
            if (at[a] < 0 || at[a] >= extent(a)) require({reason::position_is_out_of_range, a, at[a], extent(a)});
        return (*this)(index...);
    }
    /// The extent of an axis; of `Axis`, how many indices the sequences have.
    dim_t extent(int axis) const { return axis == Axis ? indices_.extent() : pages_.extent(axis); }
    /// The view of all pages.
    const tensor_view<T, L>& pages() const { return pages_; }

    static constexpr int table_axis = Axis;
    static constexpr dim_t table_block = Block;
    const tensor_view<T, L>& stored() const { return pages_; }
    const axis_table& indices() const { return indices_; }

private:
    template <std::size_t... A>
    typename tensor_view<T, L>::reference element(const dim_t* at, std::index_sequence<A...>) const {
        return pages_(at[A]...);
    }

    tensor_view<T, L> pages_;
    axis_table indices_;
};

/// A view of groups along an axis, each of which begins at a multiple of `Block`: what `grouped` returns.
///
/// Pre:     the offsets outlive the view
/// Source:  spec semantics 22
/// Example: test/northstar/17_tables.cpp
template <class T, view_layout L, int Axis, dim_t Block>
class grouped_view {
public:
    using element_type = T;

    grouped_view(const tensor_view<T, L>& blocks, const axis_table& table) : blocks_(blocks), indices_(table) {
        if constexpr (layout_type<L>) static_cast<void>(allowed<check_group_axis(known_layout<L>, Axis, Block)>);
        else require(check_group_axis(blocks.plain_layout(), Axis, Block));
    }

    /// The extent of an axis; of `Axis`, the number of indices of all groups.
    dim_t extent(int axis) const { return axis == Axis ? indices_.extent() : blocks_.extent(axis); }

    static constexpr int table_axis = Axis;
    static constexpr dim_t table_block = Block;
    const tensor_view<T, L>& stored() const { return blocks_; }
    const axis_table& indices() const { return indices_; }

private:
    tensor_view<T, L> blocks_;
    axis_table indices_;
};

}  // namespace detail

/// Returns a view of a sequence that lies in pages: index i of the axis lies where index
/// table[i / Block] * Block + i % Block of the view lies. The last page may be used in part. The table is read, and
/// checked, when a reorder reads or writes the view.
///
/// Refused: (by the compiler, if the layout is a type) what check_static refuses; axis_is_out_of_range;
///          blocks_do_not_align, if no digit of the axis begins at every `Block` indices; axis_is_padded, if it has
///          padding in front; layout_is_not_injective, if the axis repeats one element
/// Pre:     the table is an array of integers of 32 or 64 bits that outlives the view
/// Post:    &result(i, ...) == &pages(table[i / Block] * Block + i % Block, ...), for axis 0
/// Cost:    none
/// Source:  spec semantics 22
/// Example: paged<0, 16>(cache, table, 50): 50 tokens in four pages of 16
template <int Axis, dim_t Block, class T, class L, class Table>
    requires(std::convertible_to<Table&&, detail::table_numbers>)
detail::paged_view<T, L, Axis, Block> paged(const tensor_view<T, L>& pages, Table&& table, dim_t extent) {
    return {pages, detail::axis_table::pages(Block, page_sequence{detail::table_numbers(table), extent, 0})};
}
/// Returns a view of several sequences, or of parts of them, one after the other along the axis.
///
/// Pre:     the sequences and their tables outlive the view
/// Post:    the first sequences[0].extent indices are those of sequence 0 from its `first` on, then those of sequence 1
/// Cost:    a sum of the extents
/// Source:  spec semantics 22
/// Example: paged<0, 16>(cache, sequences), with {table, 1, length} for each: one token is appended to each sequence
template <int Axis, dim_t Block, class T, class L>
detail::paged_view<T, L, Axis, Block> paged(const tensor_view<T, L>& pages, std::span<const page_sequence> sequences) {
    return {pages, detail::axis_table::pages(Block, sequences)};
}

/// Returns a view of groups of different sizes along an axis: group g has the indices offsets[g] to offsets[g + 1] - 1,
/// and begins in memory at a multiple of `Block`, behind the blocks of the groups before it. With a block of 1 the
/// groups lie densely. A reorder that writes the view zeroes the rest of each group's last block.
///
/// Refused: (by the compiler, if the layout is a type) what check_static refuses; axis_is_out_of_range;
///          axis_is_padded; blocks_do_not_align, if Block is less than 1
/// Pre:     the offsets are an array of n + 1 integers of 32 or 64 bits, which outlives the view
/// Post:    result.extent(Axis) == the last offset
/// Cost:    none
/// Source:  spec semantics 22
/// Example: grouped<0, 16>(view, offsets) with the offsets 0, 5, 5, 23: blocks 0, none, 1 and 2
template <int Axis, dim_t Block, class T, class L, class Offsets>
    requires(std::convertible_to<Offsets&&, detail::table_numbers>)
detail::grouped_view<T, L, Axis, Block> grouped(const tensor_view<T, L>& blocks, Offsets&& offsets) {
    return {blocks, detail::axis_table::groups(Block, detail::table_numbers(offsets))};
}

}  // namespace plait
