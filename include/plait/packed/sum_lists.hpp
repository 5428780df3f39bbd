#pragma once
// Which values belong to each sum of a record: for each axis, which indices share a place of the sum, and where their
// values are stored.

#include <plait/packed/summed_values.hpp>

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Which values belong to each sum of one piece of a field. Indices that share a place of the piece along an axis are a
/// cell; a sum is over the product of one cell of each axis.
class sum_lists {
public:
    struct range {
        std::size_t begin = 0, end = 0;
        std::size_t size() const { return end - begin; }
    };
    /// Indices of one axis for which all that matters lies at the same places.
    struct axis_value {
        dim_t index = 0;  // the first of them
        std::uint64_t count = 0;
        std::size_t cell = 0;
        std::uint32_t held = 0;  // a bit for each piece of the summed field that may have the index
        dim_t bits = 0;          // how far the first of these pieces moves along the axis
    };
    /// Values that lie side by side along an axis, each of them shared by `count` indices.
    struct value_run {
        dim_t bits = 0, values = 0;
        std::uint64_t count = 1;
    };
    /// Values of an axis that are added as integers, before the product with their factor is rounded.
    struct axis_group {
        range runs;
        dim_t order = 0;                 // how many groups of the cell have a smaller `first`
        dim_t place = 0, factor_at = 0;  // of the value that lies first in memory, of the factor, along the axis
        dim_t values = 0;
    };
    /// Indices of one axis that share a place.
    struct cell {
        range values, targets, runs, groups;
    };
    struct axis_lists {
        std::vector<cell> cells;
        std::vector<axis_value> values;
        std::vector<dim_t> bits;     // of each value, for each piece of the summed field
        std::vector<dim_t> targets;  // an index of each place that the sum of a cell is stored at
        std::vector<value_run> runs;
        std::vector<axis_group> groups;
    };
    /// The sums of the indices that share a place of one piece.
    struct fibre_lists {
        std::vector<axis_lists> axes;
        std::vector<int> order;  // the axis with the longest runs last
    };

    /// Lists the values of some sums, where `most` indices may be visited one at a time.
    ///
    /// Refused: indices_are_too_many
    /// Pre:     the summed field has a piece, and no extent is 0
    verdict plan(const summed_values& sums, dim_t most) {
        what = sums;
        find_numbers();
        index_units units(what.dims);
        for_each_piece(what.piece, [&](const record_piece& p, bool) { units.add(p); });
        for (const record_piece& p : what.fibres) units.add(p);
        for (int a = 0; is_float() && a < what.dims.size(); ++a) units.add_border(a, 1);  // rounded for each index
        const verdict too_many{reason::indices_are_too_many, -1, short_name(what.field.name), units.count(), most};
        const bool are_few = units.count() <= most;
        if (!are_few && is_float()) return too_many;
        const std::vector<record_piece> of_itself{what.piece};
        for (const record_piece& fibre : what.fibres.empty() ? of_itself : what.fibres) {
            fibres.emplace_back();
            dim_t steps = 1;
            for (int a = 0; a < what.dims.size(); ++a) {
                std::vector<axis_value> values;
                if (are_few) list_indices(fibre, a, units.units()[a], values);
                else if (!list_digits(fibre, a, most, values)) return too_many;
                if (multiply_overflows(steps, static_cast<dim_t>(values.size()), steps) || steps > most)
                    return too_many;
                fibres.back().axes.push_back(axis_of(a, std::move(values)));
            }
            choose_order(fibres.back());
        }
        return {};
    }

    bool is_float() const { return what.field.type == data_type::f32; }
    /// Returns the index without the digits that are added first.
    dim_t first_of_group(int axis, dim_t index) const {
        dim_t out = index;
        const field_content& content = what.field.content;
        for (int i = 0; i < content.first_digits.size(); ++i) {
            const inner_block& digit = content.first_digits[i];
            const dim_t step = content.first_step(i);
            if (digit.axis == axis) out -= index / step % digit.size * step;
        }
        return out;
    }

    summed_values what;
    bool in_one_piece = false;          // all values lie there, whole, and no digit is turned
    bool has_groups = false;            // of floating sums: what is added first is a product of groups of each axis
    number_rule stored_rule;            // of values in one piece, as they are stored
    std::vector<std::int64_t> numbers;  // by value, if each value lies in one byte; else empty
    std::vector<fibre_lists> fibres;    // of each piece whose indices are summed

private:
    /// Returns how far the digits of one axis move the place of a piece, without those that are turned.
    static dim_t bits_along(const record_piece& piece, int axis, dim_t index) {
        dim_t out = 0;
        for (const piece_digit& d : piece.digits)
            if (d.axis == axis && d.turned_by < 0) out += (index - piece.origin[axis]) / d.step % d.extent * d.stride;
        return out;
    }
    /// True if each index of an axis moves the places in a piece by a number that depends on no other axis.
    static bool moves_by_axis(const record_piece& piece) {
        return std::none_of(piece.digits.begin(), piece.digits.end(),
                            [](const piece_digit& d) { return d.turned_by >= 0; });
    }
    static bool is_one_piece(const std::vector<value_part>& parts) {
        return parts.size() == 1 && parts[0].piece.where.empty() && moves_by_axis(parts[0].piece);
    }
    /// True if the conditions of a piece on one axis hold for an index.
    static bool may_hold(const record_piece& piece, int axis, dim_t i) {
        for (const piece_condition& c : piece.where) {
            if (c.axis != axis) continue;
            const dim_t digit = c.extent == 0 ? i / c.step : i / c.step % c.extent;
            if (digit < c.first || digit >= c.last) return false;
        }
        return true;
    }
    /// Finds how the numbers of values are read, and lists those of all values that a few bits of a byte can have.
    void find_numbers() {
        const record_field& f = what.of[0].field;
        in_one_piece = is_one_piece(what.of) && f.low == 0 && f.width == what.rule.width && f.subtracted == 0;
        if (!in_one_piece) return;
        has_groups = is_float() && (what.times.empty() || is_one_piece(what.times));
        stored_rule = what.rule;
        stored_rule.flips ^= f.flipped;
        bool is_in_byte = 8 % f.width == 0 && what.of[0].piece.at % f.width == 0;
        for (const piece_digit& d : what.of[0].piece.digits) is_in_byte = is_in_byte && d.stride % f.width == 0;
        for (std::uint64_t value = 0; is_in_byte && value >> f.width == 0; ++value)
            numbers.push_back(stored_rule(value));
    }

    // ---- The indices of each axis ----

    /// Calls use(piece, is_sum) for each piece that distinguishes the indices of sums over the fibres of a piece.
    template <class Use>
    void for_each_piece(const record_piece& fibre, const Use& use) const {
        use(fibre, true);
        if (!what.fibres.empty()) use(what.piece, false);
        for (const value_part& p : what.of) use(p.piece, false);
        for (const value_part& p : what.times) use(p.piece, false);
    }
    /// Lists the cells of an axis by going through its indices.
    void list_indices(const record_piece& fibre, int axis, dim_t unit, std::vector<axis_value>& out) const {
        const dim_t length = what.dims[axis];
        std::unordered_map<dim_t, std::size_t> known;  // by place
        dim_t last = 0;
        std::size_t at = 0;
        for (dim_t i = 0; i < length; i += unit) {
            if (!may_hold(fibre, axis, i)) continue;
            dim_t place = 0;
            for (const piece_digit& d : fibre.digits)
                if (d.axis == axis) place += (i - fibre.origin[axis]) / d.step % d.extent * d.stride;
            if (out.empty() || place != last) at = known.try_emplace(place, known.size()).first->second;
            last = place;
            out.push_back({i, static_cast<std::uint64_t>((std::min)(unit, length - i)), at});
        }
    }
    /// A digit of an axis, and which pieces depend on it.
    struct axis_digit_use {
        dim_t step, extent;
        bool of_sum, of_value;
    };
    /// Lists the cells of an axis by the values of its digits, which must divide each other. Returns false if they do
    /// not, or have more values than `most`.
    bool list_digits(const record_piece& fibre, int axis, dim_t most, std::vector<axis_value>& out) const {
        const dim_t length = what.dims[axis];
        std::vector<dim_t> borders{1};
        bool chains = true;
        const auto each_digit = [&](const auto& use) {
            for_each_piece(fibre, [&](const record_piece& p, bool is_sum) {
                for (const piece_digit& d : p.digits)
                    if (d.axis == axis && d.extent > 1) use(d.step, d.step * d.extent, is_sum);
                for (const piece_condition& c : p.where) {
                    if (c.axis != axis) continue;
                    if (c.extent == 0) chains = chains && c.first == 0 && c.last == length;
                    else use(c.step, c.step * c.extent, is_sum);
                }
            });
        };
        each_digit([&](dim_t step, dim_t end, bool) {
            for (const dim_t border : {step, end})
                if (border < length) borders.push_back(border);
        });
        std::sort(borders.begin(), borders.end());
        borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
        std::vector<axis_digit_use> loops;
        for (std::size_t i = 0; i < borders.size(); ++i) {
            const bool is_last = i + 1 == borders.size();
            if (!is_last && borders[i + 1] % borders[i] != 0) return false;
            axis_digit_use loop{borders[i], is_last ? divide_up(length, borders[i]) : borders[i + 1] / borders[i],
                                false, false};
            each_digit([&](dim_t step, dim_t end, bool is_sum) {
                if (step <= loop.step && loop.step < end) (is_sum ? loop.of_sum : loop.of_value) = true;
            });
            loops.push_back(loop);
        }
        if (!chains) return false;
        dim_t cells = 1;
        for (const axis_digit_use& l : loops)
            if ((l.of_sum || l.of_value) && multiply_overflows(cells, l.extent, cells)) return false;
        if (cells > most) return false;
        std::size_t number = 0;
        add_cells(fibre, loops, axis, loops.size(), 0, number, out);
        return true;
    }
    /// Adds a cell for each combination of the digits that the sum has.
    void add_cells(const record_piece& fibre, const std::vector<axis_digit_use>& loops, int axis, std::size_t left,
                   dim_t index, std::size_t& number, std::vector<axis_value>& out) const {
        if (left == 0) {
            if (!may_hold(fibre, axis, index)) return;
            std::vector<dim_t> values(loops.size(), -1);
            for (std::size_t l = 0; l < loops.size(); ++l)
                if (loops[l].of_sum) values[l] = index / loops[l].step % loops[l].extent;
            const std::size_t before = out.size();
            add_values(loops, axis, loops.size(), values, index, number, out);
            number += out.size() > before;
            return;
        }
        const axis_digit_use& l = loops[left - 1];
        for (dim_t v = 0; v < (l.of_sum ? l.extent : 1); ++v)
            add_cells(fibre, loops, axis, left - 1, index + v * l.step, number, out);
    }
    void add_values(const std::vector<axis_digit_use>& loops, int axis, std::size_t left, std::vector<dim_t>& values,
                    dim_t index, std::size_t number, std::vector<axis_value>& out) const {
        if (left == 0) {
            const std::uint64_t count = count_of(loops, values, loops.size(), what.dims[axis]);
            if (count > 0) out.push_back({index, count, number});
            return;
        }
        const axis_digit_use& l = loops[left - 1];
        if (l.of_sum || !l.of_value) return add_values(loops, axis, left - 1, values, index, number, out);
        for (dim_t v = 0; v < l.extent; ++v) {
            values[left - 1] = v;
            add_values(loops, axis, left - 1, values, index + v * l.step, number, out);
        }
        values[left - 1] = -1;
    }
    /// Returns how many indices below `length` have the values of the innermost `left` digits; -1 stands for any value.
    static std::uint64_t count_of(const std::vector<axis_digit_use>& loops, const std::vector<dim_t>& values,
                                  std::size_t left, dim_t length) {
        if (length <= 0) return 0;
        if (left == 0) return 1;
        const axis_digit_use& l = loops[left - 1];
        length = (std::min)(length, l.step * l.extent);
        if (const dim_t value = values[left - 1]; value >= 0)
            return count_of(loops, values, left - 1, (std::min)(length - value * l.step, l.step));
        const dim_t whole = length / l.step;
        const std::uint64_t in_rest = count_of(loops, values, left - 1, length % l.step);
        return whole == 0 ? in_rest
                          : in_rest + static_cast<std::uint64_t>(whole) * count_of(loops, values, left - 1, l.step);
    }

    /// Sorts the values of an axis by their cells, and finds where they and their sums lie.
    axis_lists axis_of(int axis, std::vector<axis_value> values) const {
        axis_lists out;
        const auto by_cell = [](const axis_value& a, const axis_value& b) { return a.cell < b.cell; };
        if (!std::is_sorted(values.begin(), values.end(), by_cell))
            std::stable_sort(values.begin(), values.end(), by_cell);
        out.bits.reserve(values.size() * what.of.size());
        for (axis_value& v : values) place(v, axis, out.bits);
        out.values = std::move(values);
        for (std::size_t begin = 0, end = 0; begin < out.values.size(); begin = end) {
            while (end < out.values.size() && out.values[end].cell == out.values[begin].cell) ++end;
            cell c{{begin, end}, {out.targets.size(), 0}, {out.runs.size(), 0}, {out.groups.size(), 0}};
            add_targets(out, c, axis);
            if (has_groups) add_groups(out, c, axis);
            else if (in_one_piece && !is_float()) add_runs(out.runs, std::span(out.values).subspan(begin, end - begin));
            c.targets.end = out.targets.size(), c.runs.end = out.runs.size(), c.groups.end = out.groups.size();
            out.cells.push_back(c);
        }
        return out;
    }
    /// Finds how far a value moves along the pieces of the summed field.
    void place(axis_value& v, int axis, std::vector<dim_t>& bits) const {
        for (std::size_t p = 0; p < what.of.size(); ++p) {
            const record_piece& piece = what.of[p].piece;
            const bool held = may_hold(piece, axis, v.index);
            bits.push_back(held ? bits_along(piece, axis, v.index) : 0);
            if (held) v.held |= std::uint32_t{1} << p;
            if (p == 0) v.bits = bits.back();
        }
    }
    void add_targets(axis_lists& to, const cell& c, int axis) const {
        if (what.fibres.empty()) return to.targets.push_back(to.values[c.values.begin].index);
        std::vector<dim_t> known;
        for (std::size_t i = c.values.begin; i < c.values.end; ++i) {
            const dim_t index = to.values[i].index;
            if (!may_hold(what.piece, axis, index)) continue;
            const dim_t place = bits_along(what.piece, axis, index);
            if (std::find(known.begin(), known.end(), place) != known.end()) continue;
            known.push_back(place);
            to.targets.push_back(index);
        }
    }
    /// Adds the runs of some values, and sorts these by their places.
    void add_runs(std::vector<value_run>& to, std::span<axis_value> values) const {
        const dim_t width = what.of[0].field.width;
        const auto by_place = [](const axis_value& a, const axis_value& b) { return a.bits < b.bits; };
        if (!std::is_sorted(values.begin(), values.end(), by_place))
            std::stable_sort(values.begin(), values.end(), by_place);
        const std::size_t first = to.size();
        for (const axis_value& v : values) {
            const bool continues =
                to.size() > first && to.back().count == v.count && to.back().bits + to.back().values * width == v.bits;
            if (continues) ++to.back().values;
            else to.push_back({v.bits, 1, v.count});
        }
    }
    /// Adds the groups of a cell, as they lie in memory.
    void add_groups(axis_lists& to, const cell& c, int axis) const {
        std::map<dim_t, std::vector<axis_value>> values;
        for (std::size_t i = c.values.begin; i < c.values.end; ++i)
            values[first_of_group(axis, to.values[i].index)].push_back(to.values[i]);
        const auto begin = static_cast<std::ptrdiff_t>(to.groups.size());
        for (auto& [first, some] : values) {
            axis_group g{{to.runs.size(), 0}, static_cast<dim_t>(to.groups.size()) - begin};
            g.values = static_cast<dim_t>(some.size());
            add_runs(to.runs, some);
            g.runs.end = to.runs.size();
            g.place = to.runs[g.runs.begin].bits;
            for (const value_part& p : what.times) g.factor_at += bits_along(p.piece, axis, first);
            to.groups.push_back(g);
        }
        std::stable_sort(to.groups.begin() + begin, to.groups.end(),
                         [](const axis_group& a, const axis_group& b) { return a.place < b.place; });
    }
    /// Sorts the axes so that the one whose values lie in the longest runs is last.
    static void choose_order(fibre_lists& lists) {
        const auto values_per_run = [&](int a) {
            const axis_lists& axis = lists.axes[static_cast<std::size_t>(a)];
            return axis.runs.empty() ? 0 : axis.values.size() / axis.runs.size();
        };
        for (int a = 0; a < static_cast<int>(lists.axes.size()); ++a) lists.order.push_back(a);
        std::stable_sort(lists.order.begin(), lists.order.end(),
                         [&](int a, int b) { return values_per_run(a) < values_per_run(b); });
    }
};

}  // namespace plait::detail
