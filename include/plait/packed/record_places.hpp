#pragma once
// The pieces of a record: where the bits of the values of each field lie. They are computed from the tag: each loop
// steps by the size of what is inside it, from the inside out.

#include <plait/core/places.hpp>
#include <plait/packed/record_tag.hpp>
#include <plait/support/checked_arithmetic.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Inserts a number into a sorted list that has each number once. Returns false if the list is full.
template <int Capacity>
constexpr bool insert_sorted(inline_list<dim_t, Capacity>& list, dim_t number) {
    int at = 0;
    while (at < list.size() && list[at] < number) ++at;
    if (at < list.size() && list[at] == number) return true;
    if (list.full()) return false;
    list.push_back(0);
    for (int i = list.size() - 1; i > at; --i) list[i] = list[i - 1];
    list[at] = number;
    return true;
}

inline constexpr int max_piece_digits = 12, max_piece_conditions = 3;
}  // namespace detail

/// One digit of an index, and how far it moves the place: value v = (index - origin) / step % extent lies v * stride
/// bits further; a digit that is turned lies (v - i) mod extent strides further, where i is the index of that axis.
struct piece_digit {
    int axis = 0;
    int turned_by = -1;  ///< the axis by whose index the digit is turned, or -1
    dim_t extent = 0, step = 0;
    dim_t stride = 0;  ///< in bits; negative if the digit runs backwards
    constexpr bool operator==(const piece_digit&) const = default;
};

/// A condition under which a piece is stored: first <= index / step % extent < last. With the extent 0 it is
/// first <= index / step < last.
struct piece_condition {
    int axis = 0;
    dim_t step = 1, extent = 0, first = 0, last = 0;

    constexpr bool holds(const position& index) const {
        const dim_t value = index[axis] / step;
        const dim_t digit = extent == 0 ? value : value % extent;
        return first <= digit && digit < last;
    }
    constexpr bool operator==(const piece_condition&) const = default;
};

/// Some bits of the values of a field, for some indices, and where they lie.
///
/// Post:    the bits low .. low + width - 1 of the value at an index lie at bit place(index) of the record and after it
struct record_piece {
    int field = 0;  ///< the number of the field in the tag
    dim_t at = 0;   ///< in bits, where index `origin` lies if no digit runs backwards
    position origin;
    plait::dims extents;  ///< how many indices of each axis have a place, from the origin on: padding included
    /// From the innermost in memory to the outermost. A digit that all values share has no entry.
    inline_list<piece_digit, detail::max_piece_digits> digits;
    inline_list<piece_condition, detail::max_piece_conditions> where;

    /// Of a plain tensor: a bit for each axis whose digits also have places for indices behind its end.
    unsigned open_axes = 0;

    /// Returns the indices of an axis for which values are stored here, as far as a range says it; padding follows.
    constexpr piece_condition range(int axis, const plait::dims& dims) const {
        for (const piece_condition& c : where)
            if (c.axis == axis && c.extent == 0) return c;
        return {axis, 1, 0, 0, dims[axis]};
    }
    constexpr dim_t end(int axis, const plait::dims& dims) const { return range(axis, dims).last; }
    /// Returns true if the values of an index are stored in this piece.
    constexpr bool holds(const position& index) const {
        for (const piece_condition& condition : where)
            if (!condition.holds(index)) return false;
        return true;
    }
    /// Returns the bit from the beginning of the record where the piece's lowest bit lies.
    ///
    /// Pre:     origin[a] <= index[a] < origin[a] + extents[a] for each axis a
    constexpr dim_t place(const position& index) const {
        dim_t bit = at;
        for (const piece_digit& d : digits) {
            dim_t value = (index[d.axis] - origin[d.axis]) / d.step % d.extent;
            if (d.turned_by >= 0) {
                value = (value - (index[d.turned_by] - origin[d.turned_by])) % d.extent;
                value += value < 0 ? d.extent : 0;
            }
            bit += value * d.stride;
        }
        return bit;
    }
    constexpr bool operator==(const record_piece&) const = default;
};

namespace detail {
/// Returns where the first `indices` indices of an axis lie in a piece, in bits, counted from its origin. Digits that
/// are turned are left out: they are no sum of jumps.
constexpr axis_places places_of(const record_piece& piece, int axis, dim_t indices) {
    axis_places out;
    for (const piece_digit& d : piece.digits)
        if (d.axis == axis && d.turned_by < 0 && d.extent > 0) out.add_digit(d.step, d.extent, d.stride, indices);
    return out;
}

/// How many neighbours along each axis lie at the same places of some pieces: the pieces' values are the same for the
/// indices from a multiple of the unit to the next one.
class index_units {
public:
    explicit constexpr index_units(const plait::dims& extents) : dims_(extents) {
        for (int a = 0; a < dims_.size(); ++a) units_.push_back(0);
    }
    /// Adds a piece to those that distinguish indices.
    constexpr void add(const record_piece& piece) {
        for (const piece_digit& d : piece.digits) {
            if (d.extent > 1) add_border(d.axis, d.step);
            if (d.turned_by >= 0) add_border(d.turned_by, 1);
        }
        for (const piece_condition& c : piece.where)
            for (const dim_t border : {c.extent != 0 ? c.step : c.first, c.extent != 0 ? c.step : c.last})
                if (border > 0 && border < dims_[c.axis]) add_border(c.axis, border);
    }
    /// Adds a place where indices of an axis begin to differ.
    constexpr void add_border(int axis, dim_t border) {
        units_[axis] = units_[axis] == 0 ? border : greatest_common_divisor(units_[axis], border);
    }
    /// Returns the units: the whole axis if nothing distinguishes its indices.
    constexpr plait::dims units() const {
        plait::dims out = units_;
        for (int a = 0; a < out.size(); ++a)
            if (out[a] == 0 || out[a] > dims_[a]) out[a] = larger_of(dims_[a], 1);
        return out;
    }
    /// Returns how many units there are, or 2^62 if there are more.
    constexpr dim_t count() const {
        const plait::dims of = units();
        dim_t out = 1;
        for (int a = 0; a < of.size(); ++a)
            if (multiply_overflows(out, divide_up(dims_[a], of[a]), out)) return dim_t{1} << 62;
        return out;
    }

private:
    plait::dims dims_, units_;
};

/// Returns the number of the digit of a piece that has the largest step of an axis, or -1.
constexpr int outermost_digit(const record_piece& piece, int axis) {
    int found = -1;
    for (int k = 0; k < piece.digits.size(); ++k)
        if (piece.digits[k].axis == axis && (found < 0 || piece.digits[k].step > piece.digits[found].step)) found = k;
    return found;
}

/// Values of a piece that lie side by side, and the digits of more than one value that step over all of them.
struct dense_run {
    dim_t bits = 0;
    bool has_last = false;  ///< the run ends with the digit up to which it was looked for
    inline_list<piece_digit, max_piece_digits> around;
};
/// Returns the run that the digits of a piece make which continue each other in memory, up to the digit `last`, or all
/// of them if it is null.
constexpr dense_run run_of(const record_piece& piece, int width, const piece_digit* last = nullptr) {
    dense_run out{width, false, {}};
    for (const piece_digit& d : piece.digits)
        if (d.extent != 1) out.around.push_back(d);
    for (int i = 0; i < out.around.size() && !out.has_last;) {
        if (out.around[i].stride != out.bits) {
            ++i;
            continue;
        }
        out.bits *= out.around[i].extent;
        out.has_last = last != nullptr && out.around[i] == *last;
        out.around.erase(i);
        i = 0;
    }
    return out;
}

/// A digit of one axis of a piece: one with places, or one that is fixed by a condition.
struct axis_digit {
    dim_t step = 1, extent = 1;
    int place = -1;   ///< its number among the digits of the piece; -1: fixed
    dim_t value = 0;  ///< of a fixed digit

    constexpr dim_t end() const { return step * extent; }
};

/// Index steps from `first` on and below `last`.
struct step_range {
    dim_t first = 0, last = 0;
    constexpr bool operator==(const step_range&) const = default;
};

/// The digits of one axis of a piece that have more than one value, from the least step to the largest. places_of says
/// where the indices lie; these also are digits that are fixed or turned, and digits that continue each other in
/// memory.
struct axis_digits {
    static constexpr int most = max_piece_digits + max_piece_conditions;
    scratch_list<axis_digit, most> list;
    dim_t closed_from = INT64_MAX;  ///< the least step of a digit that leads to the end of the axis

    constexpr axis_digits(const record_piece& piece, int axis) {
        for (int k = 0; k < piece.digits.size(); ++k) {
            const piece_digit& d = piece.digits.values[k];
            if (d.axis != axis) continue;
            if (d.extent != 1) insert({d.step, d.extent, k, 0});
            if (wrapping_multiply(d.step, d.extent) >= piece.extents[axis] && d.step < closed_from)
                closed_from = d.step;
        }
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent > 1) insert({c.step, c.extent, -1, c.first});
    }

    /// Returns true if each digit steps by a multiple of what the digits inside it count.
    constexpr bool chains() const {
        dim_t counted = 1;
        for (const axis_digit& d : list)
            if (d.step % counted != 0 || multiply_overflows(d.step, larger_of(d.extent, 1), counted)) return false;
        return true;
    }
    /// Returns the steps below `length` that no digit has: indices that differ there alone share a value.
    constexpr scratch_list<step_range, most + 1> shared(dim_t length) const {
        scratch_list<step_range, most + 1> out;
        const dim_t end = smaller_of(length, closed_from);
        dim_t reached = 1;
        for (const axis_digit& d : list) {
            if (d.step >= end) break;
            if (d.step > reached) out.push_back({reached, d.step});
            reached = larger_of(reached, larger_of(d.step, d.end()));
        }
        if (reached < end) out.push_back({reached, end});
        return out;
    }
    /// Returns how many different values the digits with places have for the indices 0 to length - 1, as far as fixed
    /// digits have their value.
    ///
    /// Pre:     chains()
    constexpr dim_t count_places(dim_t length) const { return count_places(list.size() - 1, length); }

private:
    constexpr void insert(const axis_digit& d) {
        int at = list.size();
        list.push_back(d);
        for (; at > 0 && list[at - 1].step > d.step; --at) list[at] = list[at - 1];
        list[at] = d;
    }
    constexpr dim_t count_places(int k, dim_t length) const {
        if (length <= 0) return 0;
        if (k < 0) return 1;
        const axis_digit& d = list[k];
        if (length > d.end()) length = d.end();
        if (d.place < 0) {
            const dim_t inside = length - d.value * d.step;
            return count_places(k - 1, inside < d.step ? inside : d.step);
        }
        const dim_t whole = length / d.step;
        return (whole > 0 ? whole * count_places(k - 1, d.step) : 0) + count_places(k - 1, length % d.step);
    }
};
}  // namespace detail

}  // namespace plait

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

using record_pieces = inline_list<record_piece, max_record_pieces>;

/// Lays out the fields of a tag for given extents.
class record_builder {
public:
    constexpr record_builder(const record_tag& tag, const plait::dims& dims) : tag_(tag), dims_(dims) {}

    /// Returns the size of the record in bits, and adds its pieces to `out`.
    constexpr expected<dim_t> build(record_pieces& out) {
        pieces_ = &out;
        dim_t size = 0;
        int node = 0;
        if (const verdict why = place_item(node, size, true); !why.ok()) return why;
        return size;
    }

private:
    /// Places the item that begins at a node, at bit 0, and moves the node behind it.
    constexpr verdict place_item(int& node, dim_t& size, bool outermost) {
        const record_part part = tag_.nodes[node].part;
        if (part == record_part::field) return place_field(node, size, outermost);
        if (part == record_part::gap) return size = 8 * tag_.nodes[node++].extent, verdict();
        const int loops = node;
        while (tag_.nodes[node].part != record_part::open) ++node;
        const int open = node++, first = pieces_->size();
        size = 0;
        while (tag_.nodes[node].part != record_part::close) {
            if (tag_.nodes[node].part == record_part::align) {
                const dim_t bits = 8 * tag_.nodes[node++].extent;
                size = divide_up(size, bits) * bits;
                if (size > largest) return {reason::size_overflows, -1, size, 1};
                continue;
            }
            const int inside = pieces_->size();
            dim_t item = 0;
            if (const verdict why = place_item(node, item, outermost && open == loops); !why.ok()) return why;
            for (int p = inside; p < pieces_->size(); ++p) (*pieces_)[p].at += size;
            size += item;
            if (size > largest) return {reason::size_overflows, -1, size, 1};
        }
        ++node;
        for (int i = open - 1; i >= loops; --i) {
            const dim_t inside = size;
            if (first == pieces_->size() && tag_.nodes[i].extent == 0)
                return {reason::record_is_malformed, -1, tag_.nodes[i].column};
            if (const verdict why = add_loop(tag_.nodes[i], first, inside, size); !why.ok()) return why;
        }
        return {};
    }

    /// Returns how many values a loop over all of an axis has in a piece.
    constexpr dim_t blocks_of(const record_node& n, const record_piece& piece) const {
        return divide_up(length_of(n.axis, piece), n.step);
    }
    /// Returns how many indices of an axis the ranges of a piece leave.
    constexpr dim_t length_of(int axis, const record_piece& piece) const {
        const piece_condition range = piece.range(axis, dims_);
        return range.last - range.first;
    }

    /// Puts a loop around the pieces from `first` on.
    constexpr verdict add_loop(const record_node& n, int first, dim_t inside, dim_t& size) {
        dim_t extent = n.extent;
        for (int p = first; p < pieces_->size(); ++p) {
            record_piece& piece = (*pieces_)[p];
            if (n.extent == 0) {
                const dim_t blocks = blocks_of(n, piece);
                if (p > first && blocks != extent) return {reason::loop_extents_differ, -1, n.column, extent, blocks};
                extent = blocks;
            }
            // Before the digit is added: one that runs backwards begins at the other end.
            if (extent > 0 && inside > largest / extent) return {reason::size_overflows, n.axis, inside, extent};
            if (const verdict why = add_digit(piece, n, extent, inside); !why.ok()) return why;
        }
        if (multiply_overflows(size, extent, size) || size > largest)
            return {reason::size_overflows, n.axis, inside, extent};
        return {};
    }

    constexpr verdict add_digit(record_piece& piece, const record_node& n, dim_t extent, dim_t stride) const {
        if (piece.digits.full()) return {reason::record_is_too_large, -1, n.column, max_piece_digits};
        if (n.extent == 0) piece.extents[n.axis] = extent * n.step;
        if (n.backwards) piece.at += (extent - 1) * stride;
        piece.digits.push_back({n.axis, n.turned_by, extent, n.step, n.backwards ? -stride : stride});
        return {};
    }

    constexpr verdict place_field(int& node, dim_t& size, bool outermost) {
        const int begin = node;
        const record_node* ragged = nullptr;
        for (++node; tag_.nodes[node].part != record_part::end; ++node)
            if (tag_.nodes[node].part == record_part::ragged) {
                if (ragged != nullptr) return {reason::ragged_loop_is_not_outermost, -1, tag_.nodes[node].column};
                ragged = &tag_.nodes[node];
            }
        const int end = node++;
        if (ragged == nullptr) return place_piece(begin, end, nullptr, 0, size);
        const record_node& outer = tag_.nodes[begin + 1];
        const bool allowed = outermost && outer.part == record_part::loop && outer.axis == ragged->axis &&
                             outer.extent == 0 && outer.step == ragged->extent && ragged->step == 1;
        if (!allowed) return {reason::ragged_loop_is_not_outermost, -1, ragged->column};
        const dim_t cut = dims_[ragged->axis] / ragged->extent * ragged->extent, left = dims_[ragged->axis] - cut;
        dim_t tail = 0;
        size = 0;
        if (cut > 0)
            if (const verdict why = place_piece(begin, end, ragged, cut, size); !why.ok()) return why;
        if (left == 0 && cut > 0) return {};
        if (const verdict why = place_piece(begin, end, ragged, -cut, tail); !why.ok()) return why;
        pieces_->values[pieces_->size() - 1].at += size;
        size += tail;
        return size <= largest ? verdict() : verdict{reason::size_overflows, ragged->axis, size, 1};
    }

    static constexpr dim_t value_of(range_bound kind, dim_t number, dim_t extent) {
        if (kind == range_bound::whole) return extent;
        return kind == range_bound::multiple ? extent / number * number : number;
    }

    /// Places one piece of a field. `cut` is where its ragged axis is cut: the piece has the indices below, or, if it
    /// is not positive, those from -cut on.
    constexpr verdict place_piece(int begin, int end, const record_node* ragged, dim_t cut, dim_t& size) {
        if (pieces_->full()) return {reason::record_is_too_large, -1, tag_.nodes[begin].column, max_record_pieces};
        record_piece piece;
        piece.field = tag_.nodes[begin].field;
        for (int a = 0; a < dims_.size(); ++a) {
            piece.origin.push_back(0);
            piece.extents.push_back(dims_[a]);
        }
        if (ragged != nullptr) {
            const bool full = cut > 0;
            if (const verdict why = add_range(piece, *ragged, full ? 0 : -cut, full ? cut : dims_[ragged->axis]);
                !why.ok())
                return why;
        }
        for (int i = begin + 1; i < end; ++i) {
            const record_node& n = tag_.nodes[i];
            verdict why;
            if (n.part == record_part::range) {
                const dim_t extent = dims_[n.axis];
                const dim_t first = value_of(n.first, n.value, extent), last = value_of(n.last, n.extent, extent);
                if (first > last || last > extent)
                    return {reason::record_range_is_outside, n.axis, n.column, first, last};
                why = add_range(piece, n, first, last);
            } else if (n.part == record_part::fixed) {
                // Where a range begins, digits would mean something else.
                if (length_of(n.axis, piece) != dims_[n.axis]) return {reason::record_is_malformed, -1, n.column};
                why = add_condition(piece, {n.axis, n.step, n.extent, n.value, n.value + 1}, n.column);
            }
            if (!why.ok()) return why;
        }
        size = tag_.fields[piece.field].width;
        for (int i = end - 1; i > begin; --i) {
            record_node n = tag_.nodes[i];
            const dim_t inside = size;
            if (n.part == record_part::shared && n.extent == 0) piece.extents[n.axis] = blocks_of(n, piece) * n.step;
            if (n.part != record_part::loop && n.part != record_part::ragged) continue;
            dim_t extent = n.extent == 0 ? blocks_of(n, piece) : n.extent;
            if (ragged != nullptr && n.axis == ragged->axis) {
                const dim_t length = length_of(n.axis, piece),
                            block = length < ragged->extent ? length : ragged->extent;
                n.step = n.extent == 0 ? larger_of(block, 1) : 1;
                extent = n.extent == 0 ? divide_up(length, n.step) : block;
            }
            if (extent > 0 && inside > largest / extent) return {reason::size_overflows, n.axis, inside, extent};
            size = inside * extent;
            if (const verdict why = add_digit(piece, n, extent, inside); !why.ok()) return why;
        }
        pieces_->push_back(piece);
        return {};
    }

    constexpr verdict add_condition(record_piece& piece, const piece_condition& condition, int column) const {
        if (piece.where.full()) return {reason::record_is_too_large, -1, column, max_piece_conditions};
        piece.where.push_back(condition);
        return {};
    }
    constexpr verdict add_range(record_piece& piece, const record_node& n, dim_t first, dim_t last) const {
        piece.origin[n.axis] = first;
        return add_condition(piece, {n.axis, 1, 0, first, last}, n.column);
    }

    static constexpr dim_t largest = dim_t{1} << 58;

    const record_tag& tag_;
    const plait::dims& dims_;
    record_pieces* pieces_ = nullptr;
};

}  // namespace plait::detail
