#pragma once
// Reads and writes the tiles of XLA's layouts, which may cut digits that previous tiles made.

#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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

}  // namespace plait::detail
