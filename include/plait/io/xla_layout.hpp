#pragma once
// XLA's layouts: "{1,0:T(8,128)(2,1)}", the axes from the innermost in memory to the outermost, and tiles.

#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {

// Reads and writes the tiles of XLA's layouts, which may cut digits that previous tiles made.

/// The extents of a tile; it may have more extents than a tensor has axes, because it may cut digits again.
using xla_tile = inline_list<dim_t, 4 * max_digits>;

/// The digits of an XLA layout while its tiles are read: in the order of memory, each with its weight.
///
/// A tile with more extents than the previous one also cuts the numbers of tiles. The digit cut off is inside the
/// previous tile in memory but more significant, so the order of memory is not the order of significance.
struct tiled_digits {
    memory_digits list;
    inline_list<dim_t, 4 * max_digits> weights;  ///< the change of the axis index per step of each digit

    constexpr void push_back(int axis, dim_t extent, dim_t weight) {
        list.push_back({axis, extent, 0});
        weights.push_back(weight);
    }
    /// True if a digit may be padded: all more significant digits of its axis have extent 1.
    constexpr bool is_outermost(int at) const {
        for (int k = 0; k < list.size(); ++k)
            if (k != at && list[k].axis == list[at].axis && weights[k] >= weights[at] && list[k].extent > 1)
                return false;
        return true;
    }
    /// Cuts the last digits into tiles: the numbers of tiles, followed by the extents of one tile.
    ///
    /// Refused: malformed (a tile with more axes than there are, or too many digits); extents_do_not_divide (the tiles
    /// would need padding inside the previous tile); size_overflows
    constexpr verdict cut(const xla_tile& one, const verdict& malformed) {
        const int first = list.size() - one.size();
        if (first < 0 || list.size() + one.size() > list.capacity()) return malformed;
        for (int k = first; k < first + one.size(); ++k) {
            const auto [axis, extent, unused] = list[k];
            const dim_t size = one[k - first], weight = weights[k];
            if (extent % size != 0 && !is_outermost(k))
                return {reason::extents_do_not_divide, axis, extent, size, divisor_at_most(extent, size)};
            const checked_integer more = checked_integer{weight} * size;
            if (!more.ok()) return {reason::size_overflows, axis, weight, size};
            list[k].extent = divide_up(extent, size);
            weights[k] = more.value;
            push_back(axis, size, weight);
        }
        return {};
    }
    /// Returns the layout with these digits in this order of memory.
    constexpr expected<layout> layout_of(const dims& extents) const {
        memory_digits filled = list, sorted;
        if (const verdict why = fill_memory(filled); !why.ok()) return why;
        inline_list<dim_t, 4 * max_digits> weight_of;  // weights of the digits in `sorted`
        for (int k = 0; k < filled.size(); ++k) {
            int at = sorted.size();
            sorted.push_back(filled[k]);
            weight_of.push_back(weights[k]);
            for (; at > 0 && weight_of[at - 1] < weights[k]; --at) {
                sorted[at] = sorted[at - 1];
                weight_of[at] = weight_of[at - 1];
            }
            sorted[at] = filled[k];
            weight_of[at] = weights[k];
        }
        int outermost[max_ndims]{};
        for (int k = sorted.size() - 1; k >= 0; --k) outermost[sorted[k].axis] = k;
        return make_from_significance(extents, sorted, outermost);
    }
};

/// Writes the tiles of a layout whose digits are in any order in memory. It cuts each digit, together with the less
/// significant ones, from the digit that contains it; the digit then follows all those cut before.
class xla_tile_writer {
public:
    /// Pre:     the outermost digits of the first axes in `order` are outside all other digits in memory
    constexpr xla_tile_writer(layout_name& out, const layout& l, const inline_list<int, max_ndims>& order)
        : out_(out), axes_(order.size()) {
        for (const int a : order) digits_.push_back(a, l.padded_dims[a], 1);
    }
    /// Cuts off the digit of an axis with this weight; returns false if there is no space for more digits.
    constexpr bool add(int axis, dim_t weight, dim_t extent) {
        int at = holder_of(axis, weight);
        if (!tile_.empty() && at < first_ + tile_.size()) {
            if (!write_tile()) return false;
            at = holder_of(axis, weight);
        }
        // Nothing to do if the digit is already the last; except that only a tile can pad an axis.
        bool is_last =
            tile_.empty() && at >= axes_ && digits_.weights[at] == weight && digits_.list[at].extent == extent;
        for (int k = at + 1; k < digits_.list.size(); ++k) is_last = is_last && digits_.list[k].extent == 1;
        if (is_last) return true;
        if (tile_.empty()) first_ = at;
        while (first_ + tile_.size() < at) tile_.push_back(1);
        tile_.push_back(weight / digits_.weights[at] * extent);
        return true;
    }
    /// Writes the current tile; returns false if there is no space for more digits.
    constexpr bool write_tile() {
        if (tile_.empty()) return true;
        while (first_ + tile_.size() < digits_.list.size()) tile_.push_back(1);
        for (int k = 0; k < tile_.size(); ++k) (out_ += k > 0 ? "," : is_first_ ? ":T(" : "(") += tile_[k];
        out_ += ')';
        is_first_ = false;
        const xla_tile one = tile_;
        tile_ = {};
        return digits_.cut(one, {reason::too_many_digits}).ok();
    }

private:
    layout_name& out_;
    int axes_;
    tiled_digits digits_;
    xla_tile tile_;  // the current tile, which begins at digit `first_`
    int first_ = 0;
    bool is_first_ = true;

    constexpr int holder_of(int axis, dim_t weight) const {
        for (int k = 0; k < digits_.list.size(); ++k) {
            const dim_t low = digits_.weights[k];
            if (digits_.list[k].axis == axis && low <= weight && weight / low < digits_.list[k].extent) return k;
        }
        return digits_.list.size() - 1;
    }
};

}  // namespace detail

/// Parses a layout as XLA writes it after a shape: the axes from minor to major, followed by tiles.
///
/// A tile with k extents covers the k innermost axes, whose extents are padded to whole tiles. Each further tile
/// applies to the dimensions that the previous one made: the numbers of its tiles, followed by its extents.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed; notation_says_more (what follows the tiles: memory spaces, element sizes; a `*`,
///          which combines axes); rank_differs, not_a_permutation; extents_do_not_divide (a tile that would pad inside
///          each previous tile, as the 3 of T(4)(3), because a layout is only padded at the end of an axis);
///          size_overflows; as check_layout
/// Post:    parse_xla_layout("{1,0:T(8,128)}", d) == layout(d, "AB8a128b"); index 4 of "{0:T(4)(2,1)}" of {8} is at 1
/// Cost:    O(length of the text + digits squared) steps
/// Source:  openxla.org, Tiled layout
/// Example: parse_xla_layout("{1,0:T(2,2)}", {3, 5})
[[nodiscard]] constexpr expected<layout> parse_xla_layout(std::string_view text, const dims& extents) {
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    detail::notation_reader in(text);
    if (!in.take("{")) return in.malformed();
    permutation minor_to_major;
    while (in.next() != ':' && in.next() != '}') {
        dim_t axis = 0;
        if (!minor_to_major.empty() && !in.take(",")) return in.malformed();
        if (const verdict why = in.take_number(axis); !why.ok()) return why;
        if (minor_to_major.full()) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
        minor_to_major.push_back(axis);
    }
    if (const verdict why = check_permutation(minor_to_major, extents.size()); !why.ok()) return why;
    detail::tiled_digits digits;
    for (int k = extents.size() - 1; k >= 0; --k) {
        const int axis = static_cast<int>(minor_to_major[k]);
        digits.push_back(axis, extents[axis], 1);
    }
    if (in.take(":")) {
        if (!in.take("T")) return in.next() >= 'A' && in.next() <= 'Z' ? in.says_more() : in.malformed();
        if (in.next() != '(') return in.malformed();
    }
    while (in.next() == '(') {
        const verdict place = in.malformed();
        detail::xla_tile sizes;
        do {
            in.advance();
            dim_t size = 0;
            if (in.next() == '*') return in.says_more();
            const verdict here = in.malformed();
            if (const verdict why = in.take_number(size); !why.ok()) return why;
            if (size < 1 || sizes.full()) return here;
            sizes.push_back(size);
        } while (in.next() == ',');
        if (!in.take(")")) return in.malformed();
        if (const verdict why = digits.cut(sizes, place); !why.ok()) return why;
    }
    if (in.next() >= 'A' && in.next() <= 'Z') return in.says_more();
    if (!in.take("}") || !in.done()) return in.malformed();
    return digits.layout_of(extents);
}

namespace detail {
/// Appends the tiles of a layout whose inner blocks nest in memory. Each tile is a run of blocks of different axes, in
/// the order of the axes; its sizes are the products of the remaining blocks.
///
/// Example: for the blocks 4y 128x 2y: (8,128), then (2,1)
constexpr void append_xla_tiles(layout_name& out, const layout& l, const inline_list<int, max_ndims>& order) {
    int place[max_ndims]{};
    for (int k = 0; k < order.size(); ++k) place[order[k]] = k;
    dim_t left[max_ndims]{};
    for (int a = 0; a < l.ndims(); ++a) left[a] = l.block_size(a);
    for (int k = l.ndims(); k < l.digits.size();) {
        int first = 0;
        while (left[order[first]] == 1) ++first;
        out += k == l.ndims() ? ":T(" : "(";
        for (int i = first; i < order.size(); ++i) (out += i == first ? "" : ",") += left[order[i]];
        out += ')';
        for (int before = -1; k < l.digits.size() && place[l.digits[k].axis] > before; ++k) {
            before = place[l.digits[k].axis];
            left[l.digits[k].axis] /= l.digits[k].extent;
        }
    }
}

/// Returns the text of a layout, with tiles that may cut the previous tiles in any order.
///
/// Pre:     check_said(l).ok()
constexpr layout_name write_xla_layout(const layout& l) {
    const inline_list<int, max_digits> all = digits_in_order(l);
    inline_list<int, max_ndims> order;
    bool is_in_order[max_ndims]{};
    int leading = 0;  // number of outermost digits that are outside all others in memory
    for (; leading < all.size() && all[leading] < l.ndims(); ++leading) {
        order.push_back(all[leading]);
        is_in_order[all[leading]] = true;
    }
    for (int a = 0; a < l.ndims(); ++a)
        if (!is_in_order[a]) order.push_back(a);
    layout_name out;
    for (int k = order.size() - 1; k >= 0; --k) (out += k == order.size() - 1 ? '{' : ',') += dim_t{order[k]};
    xla_tile_writer tiles(out, l, order);
    bool fits = true;
    for (int i = leading; i < all.size() && fits; ++i) {
        const digit& d = l.digits[all[i]];
        dim_t weight = 1;
        for (int k = l.digits.size() - 1; k >= l.ndims() && k != all[i]; --k)
            if (l.digits[k].axis == d.axis) weight *= l.digits[k].extent;
        if (d.extent > 1) fits = tiles.add(d.axis, weight, d.extent);
    }
    if (fits) tiles.write_tile();
    out += '}';
    return out;
}
}  // namespace detail

/// Returns the layout as XLA writes it.
///
/// Pre:     none; any layout
/// Refused: check_said; notation_has_no_padding (unless it completes blocks), notation_has_no_strides
/// Post:    same_memory(*parse_xla_layout(*result, l.dims), l)
/// Cost:    three times canonical_form, and parsing of the result
/// Source:  as parse_xla_layout
/// Example: *format_xla_layout(layout({1, 32, 8, 8}, "nChw16c")) == "{3,2,1,0:T(16,1,1)}"
[[nodiscard]] constexpr expected<layout_name> format_xla_layout(const layout& l) {
    return detail::write_either(l, [](const layout& form) -> expected<layout_name> {
        if (const verdict why = detail::check_said(form); !why.ok()) return why;
        const inline_list<int, max_ndims> order = detail::memory_order(form);
        const auto read = [&form](const layout_name& text) {
            return parse_xla_layout({text.data(), static_cast<std::size_t>(text.size())}, form.dims);
        };
        layout_name out;
        for (int k = order.size() - 1; k >= 0; --k) (out += k == order.size() - 1 ? '{' : ',') += dim_t{order[k]};
        detail::append_xla_tiles(out, form, order);
        out += '}';
        const verdict why = detail::check_read_back(form, read(out));
        if (why.ok()) return {out, why};
        const layout_name other = detail::write_xla_layout(form);
        return detail::check_read_back(form, read(other)).ok() ? expected<layout_name>{other, {}}
                                                               : expected<layout_name>(why);
    });
}

}  // namespace plait
