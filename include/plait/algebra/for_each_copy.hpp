#pragma once
// The contiguous copies that move a tensor from one layout to another.

#include <plait/algebra/copy_walk.hpp>
#include <plait/algebra/layout_pair.hpp>
#include <plait/algebra/neighbour_count.hpp>
#include <plait/core/expected.hpp>
#include <plait/support/least_first.hpp>

#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A contiguous copy: `count` elements from offset `src` of the source to offset `dst` of the destination.
///
/// The offsets are those of the layouts, which include offset0; all three numbers are in elements.
///
/// Post:    out[dst + i] = in[src + i] for each i from 0 to count - 1
/// Cost:    three numbers
/// Source:  iovec, RDMA's scatter-gather lists
/// Example: test/northstar/16_copies.cpp
struct contiguous_copy {
    dim_t dst = 0, src = 0, count = 0;
    constexpr bool operator==(const contiguous_copy&) const = default;
};

namespace detail {
/// A copy, ordered by its place in the destination.
struct ordered_copy : contiguous_copy {
    constexpr bool operator<(const ordered_copy& other) const { return dst < other.dst; }
};

/// Joins copies that go on from each other, and calls an action with the results, until it returns false if it returns
/// a bool.
template <class Action>
class copy_joiner {
public:
    constexpr explicit copy_joiner(Action& action) : action_(action) {}
    /// Adds the runs of all rows, by ascending dst; false if the action has returned false.
    [[gnu::always_inline]] constexpr bool add(const copy_rows& found) {
        dim_t dst = found.dst, src = found.src;
        for (dim_t row = 0; row < found.rows.count; ++row) {
            if (row > 0) {  // not behind the last one, whose place may not fit
                dst += found.rows.dst;
                src += found.rows.src;
            }
            for (const copy_piece& piece : found.pieces)
                if (!add(dst, src, piece)) return false;
        }
        return true;
    }
    /// Adds the runs of a piece of a row that begins at `dst` and `src`.
    [[gnu::always_inline]] constexpr bool add(dim_t dst, dim_t src, const copy_piece& piece) {
        const auto [runs, dst_of_run, src_of_run] = piece.runs;
        const bool joins = dst_of_run == piece.length && src_of_run == piece.length;
        contiguous_copy next{dst + piece.dst, src + piece.src, joins ? piece.length * runs : piece.length};
        if (wrapping_add(last_.dst, last_.count) == next.dst && wrapping_add(last_.src, last_.count) == next.src) {
            last_.count += next.count;
        } else {
            if (!end()) return false;
            last_ = next;
        }
        if (joins) return true;
        for (dim_t run = 1; run < runs; ++run) {
            next.dst += dst_of_run;
            next.src += src_of_run;
            if (!visit()) return false;
            last_ = next;
        }
        return true;
    }
    /// Calls the action with the last copy.
    constexpr bool end() { return last_.count == 0 || visit(); }

private:
    constexpr bool visit() {
        const contiguous_copy& copy = last_;
        if constexpr (std::is_same_v<std::invoke_result_t<Action&, const contiguous_copy&>, bool>) {
            return action_(copy);
        } else {
            action_(copy);
            return true;
        }
    }

    Action& action_;
    contiguous_copy last_;
};

/// The most elements that are visited one by one, if their neighbours cannot be counted.
inline constexpr dim_t most_visited_elements = dim_t{1} << 32;

/// Checks that the copies to a layout can be counted by visiting them. Fails with size_overflows (elements, places).
constexpr verdict check_visit(const layout& dst) {
    const dim_t elements = dst.volume();
    if (elements <= most_visited_elements) return {};
    return {reason::size_overflows, -1, elements, static_cast<dim_t>(dst.element_span())};
}

/// Calls action(copy) for each copy, by ascending dst, until it returns false.
///
/// Pre:     check_copies(src, dst).ok()
template <class Action>
constexpr void visit_copies(const layout& src, const layout& dst, Action& action) {
    if (!has_elements(dst.dims)) return;
    copy_joiner<Action> out(action);
    copy_walk walk(src, dst);
    if (steps_over_the_inside(dst)) {
        while (walk.next())
            if (!out.add(walk.found)) return;
    } else {
        // The loops do not visit the destination in its order.
        least_first<ordered_copy> all;
        const auto keep = [&all](const contiguous_copy& c) { all.push({c}); };
        copy_joiner<decltype(keep)> unordered(keep);
        while (walk.next()) static_cast<void>(unordered.add(walk.found));
        static_cast<void>(unordered.end());
        while (!all.empty()) {
            const ordered_copy next = all.pop();
            if (!out.add(next.dst, next.src, {0, 0, next.count, {}})) return;
        }
    }
    static_cast<void>(out.end());
}
}  // namespace detail

/// Checks that a tensor can be moved from one layout to another by copies.
///
/// Refused: rank_differs, dims_differ; destination_is_not_injective (elements of the source may share places);
///          strides_do_not_nest, if the search for shared places of the destination gives up (check_find_overlap);
///          undefined, any, opaque and dynamic layouts; hand-made layouts that check_layout refuses; size_overflows
///          (elements, places), if there are over 2^32 elements and the destination covers over 2^60 places, or its
///          strides do not nest and the search for neighbours gives up
/// Pre:     none; any layouts
/// Post:    if ok, count_copies(src, dst) and for_each_copy(src, dst, action) succeed, and otherwise both fail with the
///          same verdict; up to 2^32 elements, equal to check_reorder(src, dst)
/// Cost:    O(digits squared) steps, independent of the extents
/// Source:  spec semantics 12
/// Example: check_copies(layout({5, 6}, "ab"), layout({5, 7}, "ab")) == verdict{reason::dims_differ, 1, 6, 7}
constexpr verdict check_copies(const layout& src, const layout& dst) {
    if (const verdict why = detail::measure_reorder(src, dst).why; !why.ok()) return why;
    const verdict too_many = detail::has_elements(dst.dims) ? detail::check_visit(dst) : verdict{};
    if (too_many.ok()) return {};
    const detail::copy_digits both(src, dst);
    return detail::neighbour_count(both).can_find() ? verdict{} : too_many;
}

/// Calls action(copy) for each of the fewest contiguous copies that move a tensor from one layout to another, by
/// ascending dst. Padding is neither read nor written.
///
/// - Two elements are in one copy if they are neighbours in both layouts, in the same order, whatever axes and blocks
///   they are in. There are count_copies(src, dst) copies.
/// - If the action returns a bool, false ends the visit.
/// - A part of a tensor has an offset0: submemory, slice and strided_slice make such layouts. For a table of blocks,
///   visit the copies of one block and add where the block begins.
/// - Elements smaller than a byte are counted like all others, so a copy of 4-bit elements may begin or end in the
///   middle of a byte. For copies of whole bytes, recast both layouts to u8: it is refused if a byte is shared by
///   elements that are not neighbours.
///
/// Pre:     check_copies(src, dst).ok(); action takes a const contiguous_copy&
/// Post:    each element is in one copy; the next copy's dst is not below dst + count, and not both of its offsets
///          continue the copy
/// Cost:    1 or 2 ns per copy, 3 if blocks do not divide each other, and a microsecond. If the destination's strides
///          do not nest (check_nesting), the copies are sorted, in memory that is allocated
/// Refused: as check_copies
/// Source:  the lists of iovec and of RDMA's work requests
/// Example: test/northstar/16_copies.cpp
template <class Action>
constexpr void for_each_copy(const layout& src, const layout& dst, Action&& action) {
    static_assert(std::is_invocable_v<Action&, const contiguous_copy&>,
                  "for_each_copy calls its action with one argument: the plait::contiguous_copy");
    require(check_copies(src, dst));
    if constexpr (std::is_invocable_v<Action&, const contiguous_copy&>) detail::visit_copies(src, dst, action);
}
/// Does what for_each_copy does, or returns the verdict that refuses it.
template <class Action>
constexpr expected<void> try_for_each_copy(const layout& src, const layout& dst, Action&& action) {
    if (const verdict why = check_copies(src, dst); !why.ok()) return why;
    for_each_copy(src, dst, action);
    return {};
}

}  // namespace plait
