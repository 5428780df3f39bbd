#pragma once
// Checks the sums of a record against the values that are stored, from the definition: the sum over the indices that
// share its place. Nothing here is used to compute sums.

#include <plait/core/record_damage.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/packed/record_grammar.hpp>
#include <plait/packed/repack_plan.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The number that a sum is multiplied by.
struct sum_factor {
    double value = 1;
    bool is_known = true;  // false if a parameter is not given, or not whole although the sum is
};
inline sum_factor factor_of_sum(const record_field& field, const repack_options& options) {
    sum_factor out{field.content.factor, true};
    if (field.content.parameter.size() == 0) return out;
    const double* given = options.find(field.content.parameter);
    if (given == nullptr) return {1, false};
    out.value *= *given;
    if (field.type == data_type::s32)
        out.is_known = out.value > -0x1p62 && out.value < 0x1p62 &&
                       static_cast<double>(static_cast<std::int64_t>(out.value)) == out.value;
    return out;
}

/// Checks the sums in one piece. Of several parts, each checks some cells of the first axis that has more than one.
class sum_check {
public:
    sum_check(const record& r, const std::byte* bytes, const repack_options& options, const record_piece& piece,
              const check_part& part)
        : r_(r), bytes_(bytes), piece_(piece), field_(r.field_of(piece)), part_(part) {
        factor_ = factor_of_sum(field_, options).value;
        for (const record_piece& p : r.pieces) {
            if (r.field_of(p).name == field_.content.of) of_.push_back(&p);
            if (r.field_of(p).name == field_.content.times) times_.push_back(&p);
        }
        for (const record_piece* p : of_) bits_ = std::max(bits_, r.field_of(*p).low + r.field_of(*p).width);
        if (of_.size() != 1 || !moves_by_axis(*of_[0])) return;
        has_groups_ = field_.type == data_type::f32 && of_[0]->where.empty() &&
                      (times_.empty() || (times_.size() == 1 && times_[0]->where.empty() && moves_by_axis(*times_[0])));
        // Most sums are of small integers, each in one byte. The numbers of all values that a byte can have:
        if (bits_ > 8 || 8 % bits_ != 0) return;
        const dim_t step = bits_;
        bool is_in_bytes = of_[0]->at % step == 0 && of_[0]->where.empty();
        for (const piece_digit& d : of_[0]->digits) is_in_bytes = is_in_bytes && d.stride % step == 0;
        if (!is_in_bytes) return;
        for (std::uint64_t value = 0; value < std::uint64_t{1} << bits_; ++value)
            numbers_.push_back(number_of(value ^ r.field_of(*of_[0]).flipped) - field_.content.subtracted);
    }

    /// Refused: record_is_damaged, indices_are_too_many
    verdict check() {
        if (const verdict why = find_cells(); !why.ok()) return why;
        while (cut_ + 1 < cells_.size() && cells_[cut_].size() == 1) ++cut_;
        position index = piece_.origin;
        std::vector<const cell*> chosen;
        return check_cells(index, chosen);
    }

private:
    /// Indices of one axis for which all values that matter lie at the same places.
    struct index_class {
        dim_t index;                   // the first of them
        std::uint64_t count;           // how many there are
        std::uint32_t held = 0;        // a bit for each piece of the summed field that may have the index
        std::vector<dim_t> bits = {};  // how far each of these pieces moves along this axis
    };
    /// Indices of one axis whose values are added as integers, before the product with their factor is rounded.
    struct axis_group {
        dim_t first;  // the index that they have if all digits that are added first are 0
        dim_t order;  // how many groups of the cell have a smaller `first`
        // How far the group moves along the axis, in bits: each value, the value that lies first in memory, the factor.
        std::vector<dim_t> bits = {};
        dim_t place = 0, factor = 0;
    };
    /// Indices of one axis that share a sum.
    struct cell {
        dim_t index;  // the first of them
        std::vector<index_class> classes;
        // Of a value in one piece, for all classes at once: the bits of index_class, and its counts.
        std::vector<dim_t> bits = {};
        std::vector<std::uint64_t> counts = {};
        std::vector<axis_group> groups = {};  // of float sums, as they lie in memory
    };
    /// A digit of an axis, and which pieces depend on it.
    struct axis_loop {
        dim_t step, extent;
        bool of_sum, of_value;
    };

    // ---- The indices of each axis ----

    verdict find_cells() {
        dim_t count = 1;
        const dim_t most = (dim_t{1} << 22) + 64 * std::min(r_.size_in_bits, dim_t{1} << 50);
        std::vector<dim_t> units;
        for (int a = 0; a < r_.ndims(); ++a) {
            units.push_back(unit_of(a));
            if (multiply_overflows(count, divide_up(r_.dims[a], units.back()), count)) count = dim_t{1} << 62;
        }
        // A float sum is rounded for each index.
        const bool are_few = count <= most;
        const verdict too_many{reason::indices_are_too_many, -1, short_name(field_.name), count, most};
        if (!are_few && field_.type == data_type::f32) return too_many;
        dim_t steps = 1;
        for (int a = 0; a < r_.ndims(); ++a) {
            cells_.emplace_back();
            if (are_few) list_indices(a, units[static_cast<std::size_t>(a)]);
            else if (!list_digits(a, most)) return too_many;
            dim_t here = 0;
            for (const cell& c : cells_.back()) here += static_cast<dim_t>(c.classes.size());
            if (multiply_overflows(steps, here, steps) || steps > most)
                return {reason::indices_are_too_many, -1, short_name(field_.name), count, most};
            for (cell& c : cells_.back())
                for (index_class& one : c.classes) {
                    place(one, a);
                    if (numbers_.empty() || has_groups_) continue;
                    c.bits.push_back(one.bits[0]);
                    c.counts.push_back(one.count);
                }
            for (cell& c : cells_.back())
                if (has_groups_) group_classes(c, a);
        }
        return {};
    }
    /// Calls what(piece, is_sum) for each piece that a sum depends on.
    template <class What>
    void for_each_piece(const What& what) const {
        what(piece_, true);
        for (const record_piece* p : of_) what(*p, false);
        for (const record_piece* p : times_) what(*p, false);
    }
    /// Returns how many neighbours along an axis nothing distinguishes; 1 for float sums.
    dim_t unit_of(int axis) const {
        if (field_.type == data_type::f32) return 1;
        dim_t out = 0;
        for_each_piece([&](const record_piece& p, bool) {
            for (const piece_digit& d : p.digits)
                if (d.axis == axis && d.extent > 1) out = greatest_common_divisor(d.step, out);
            for (const piece_condition& c : p.where) {
                if (c.axis != axis) continue;
                if (c.extent != 0) out = greatest_common_divisor(c.step, out);
                else out = greatest_common_divisor(c.last, greatest_common_divisor(c.first, out));
            }
        });
        return out == 0 || out > r_.dims[axis] ? r_.dims[axis] : out;
    }
    /// Lists the cells of an axis by going through its indices.
    void list_indices(int axis, dim_t unit) {
        std::map<std::vector<dim_t>, std::size_t> known;  // by the values of the digits of the sum
        std::vector<cell>& cells = cells_.back();
        for (dim_t i = 0; i < r_.dims[axis]; i += unit) {
            if (!may_hold(piece_, axis, i)) continue;
            std::vector<dim_t> digits;
            for (const piece_digit& d : piece_.digits)
                if (d.axis == axis) digits.push_back((i - piece_.origin[axis]) / d.step % d.extent);
            const auto [at, is_new] = known.try_emplace(digits, cells.size());
            if (is_new) cells.push_back({i, {}});
            cells[at->second].classes.push_back({i, static_cast<std::uint64_t>(std::min(unit, r_.dims[axis] - i))});
        }
    }
    /// Lists the cells of an axis by the values of its digits, which must divide each other. Returns false if they do
    /// not, or have more values than `most`.
    bool list_digits(int axis, dim_t most) {
        const dim_t length = r_.dims[axis];
        std::vector<dim_t> borders{1};
        bool chains = true;
        const auto each_digit = [&](const auto& what) {
            for_each_piece([&](const record_piece& p, bool is_sum) {
                for (const piece_digit& d : p.digits)
                    if (d.axis == axis && d.extent > 1) what(d.step, d.step * d.extent, is_sum);
                for (const piece_condition& c : p.where) {
                    if (c.axis != axis) continue;
                    if (c.extent == 0) chains = chains && c.first == 0 && c.last == length;
                    else what(c.step, c.step * c.extent, is_sum);
                }
            });
        };
        each_digit([&](dim_t step, dim_t end, bool) {
            for (const dim_t border : {step, end})
                if (border < length) borders.push_back(border);
        });
        std::sort(borders.begin(), borders.end());
        borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
        std::vector<axis_loop> loops;
        for (std::size_t i = 0; i < borders.size(); ++i) {
            const bool is_last = i + 1 == borders.size();
            if (!is_last && borders[i + 1] % borders[i] != 0) return false;
            axis_loop loop{borders[i], is_last ? divide_up(length, borders[i]) : borders[i + 1] / borders[i], false,
                           false};
            each_digit([&](dim_t step, dim_t end, bool is_sum) {
                if (step <= loop.step && loop.step < end) (is_sum ? loop.of_sum : loop.of_value) = true;
            });
            loops.push_back(loop);
        }
        if (!chains) return false;
        dim_t cells = 1, classes = 1;
        for (const axis_loop& l : loops)
            if ((l.of_sum && multiply_overflows(cells, l.extent, cells)) ||
                (!l.of_sum && l.of_value && multiply_overflows(classes, l.extent, classes)))
                return false;
        if (multiply_overflows(cells, classes, cells) || cells > most) return false;
        add_cells(loops, axis, loops.size(), 0);
        return true;
    }
    /// Adds a cell for each combination of the digits that the sum has.
    void add_cells(const std::vector<axis_loop>& loops, int axis, std::size_t left, dim_t index) {
        if (left == 0) {
            if (!may_hold(piece_, axis, index)) return;
            cells_.back().push_back({index, {}});
            std::vector<dim_t> values(loops.size(), -1);
            for (std::size_t l = 0; l < loops.size(); ++l)
                if (loops[l].of_sum) values[l] = index / loops[l].step % loops[l].extent;
            add_classes(loops, axis, loops.size(), values, index);
            if (cells_.back().back().classes.empty()) cells_.back().pop_back();
            return;
        }
        const axis_loop& l = loops[left - 1];
        for (dim_t v = 0; v < (l.of_sum ? l.extent : 1); ++v) add_cells(loops, axis, left - 1, index + v * l.step);
    }
    void add_classes(const std::vector<axis_loop>& loops, int axis, std::size_t left, std::vector<dim_t>& values,
                     dim_t index) {
        if (left == 0) {
            const std::uint64_t count = count_of(loops, values, loops.size(), r_.dims[axis]);
            if (count > 0) cells_.back().back().classes.push_back({index, count});
            return;
        }
        const axis_loop& l = loops[left - 1];
        if (l.of_sum || !l.of_value) return add_classes(loops, axis, left - 1, values, index);
        for (dim_t v = 0; v < l.extent; ++v) {
            values[left - 1] = v;
            add_classes(loops, axis, left - 1, values, index + v * l.step);
        }
        values[left - 1] = -1;
    }
    /// Returns how many indices below `length` have the values of the innermost `left` digits; -1 stands for any value.
    static std::uint64_t count_of(const std::vector<axis_loop>& loops, const std::vector<dim_t>& values,
                                  std::size_t left, dim_t length) {
        if (length <= 0) return 0;
        if (left == 0) return 1;
        const axis_loop& l = loops[left - 1];
        length = std::min(length, l.step * l.extent);
        if (const dim_t value = values[left - 1]; value >= 0)
            return count_of(loops, values, left - 1, std::min(length - value * l.step, l.step));
        const dim_t whole = length / l.step;
        const std::uint64_t in_rest = count_of(loops, values, left - 1, length % l.step);
        return whole == 0 ? in_rest
                          : in_rest + static_cast<std::uint64_t>(whole) * count_of(loops, values, left - 1, l.step);
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
    /// Finds how far the indices of a class move along the pieces of the summed field.
    void place(index_class& one, int axis) const {
        for (std::size_t p = 0; p < of_.size(); ++p) {
            one.bits.push_back(0);
            if (!may_hold(*of_[p], axis, one.index)) continue;
            one.held |= std::uint32_t{1} << p;
            for (const piece_digit& d : of_[p]->digits)
                if (d.axis == axis && d.turned_by < 0)
                    one.bits.back() += (one.index - of_[p]->origin[axis]) / d.step % d.extent * d.stride;
        }
    }
    /// True if each index of an axis moves the places in a piece by a number that depends on no other axis.
    static bool moves_by_axis(const record_piece& piece) {
        return std::none_of(piece.digits.begin(), piece.digits.end(),
                            [](const piece_digit& d) { return d.turned_by >= 0; });
    }
    /// Returns the index without the digits that are added first.
    dim_t first_of_group(int axis, dim_t index) const {
        dim_t out = index;
        for (int i = 0; i < field_.content.first_digits.size(); ++i) {
            const inner_block& digit = field_.content.first_digits[i];
            const dim_t step = field_.content.first_step(i);
            if (digit.axis == axis) out -= index / step % digit.size * step;
        }
        return out;
    }
    /// Finds the groups of a cell.
    void group_classes(cell& c, int axis) const {
        std::map<dim_t, axis_group> groups;
        for (const index_class& one : c.classes) {
            const dim_t first = first_of_group(axis, one.index);
            axis_group& g = groups.try_emplace(first, axis_group{first, 0}).first->second;
            g.place = g.bits.empty() ? one.bits[0] : std::min(g.place, one.bits[0]);
            g.bits.push_back(one.bits[0]);
        }
        for (auto& [first, g] : groups) {
            g.order = static_cast<dim_t>(c.groups.size());
            for (const record_piece* p : times_)
                for (const piece_digit& d : p->digits)
                    if (d.axis == axis) g.factor += (first - p->origin[axis]) / d.step % d.extent * d.stride;
            c.groups.push_back(std::move(g));
        }
        std::stable_sort(c.groups.begin(), c.groups.end(),
                         [](const axis_group& a, const axis_group& b) { return a.place < b.place; });
    }

    // ---- The sums ----

    verdict check_cells(position& index, std::vector<const cell*>& chosen) {
        const auto axis = chosen.size();
        if (axis == cells_.size()) return check_one(index, chosen);
        const std::vector<cell>& cells = cells_[axis];
        const auto count = static_cast<dim_t>(cells.size());
        const check_part::range range = axis == cut_ ? part_.of(count) : check_part::range{0, count};
        for (dim_t k = range.first; k < range.last; ++k) {
            const cell& c = cells[static_cast<std::size_t>(k)];
            index[static_cast<int>(axis)] = c.index;
            chosen.push_back(&c);
            const verdict why = check_cells(index, chosen);
            chosen.pop_back();
            if (!why.ok()) return why;
        }
        return {};
    }
    verdict check_one(const position& index, const std::vector<const cell*>& chosen) {
        const std::uint64_t found = read_bits(bytes_, piece_.place(index), 32);
        const std::uint64_t wanted = has_groups_                     ? sum_of_groups(chosen)
                                     : field_.type == data_type::f32 ? float_sum(chosen)
                                                                     : integer_sum(chosen);
        return found == wanted ? verdict() : damaged(damage::sum, 0, short_name(field_.name), index[0]);
    }
    std::uint64_t integer_sum(const std::vector<const cell*>& chosen) {
        std::uint64_t total = 0;
        if (!numbers_.empty()) add_numbers(chosen, 0, of_[0]->at, 1, total);
        else
            for_each_value(chosen, [&](const position&, std::uint64_t count, dim_t, std::int64_t number) {
                total += count * static_cast<std::uint64_t>(number);
            });
        return total * static_cast<std::uint64_t>(static_cast<std::int64_t>(factor_)) & 0xffffffff;
    }
    /// Adds the numbers of values that lie in one byte each, in some cells, one of each axis.
    void add_numbers(const std::vector<const cell*>& chosen, std::size_t axis, dim_t bit, std::uint64_t count,
                     std::uint64_t& total) const {
        const cell& c = *chosen[axis];
        if (axis + 1 < chosen.size()) {
            for (std::size_t i = 0; i < c.bits.size(); ++i)
                add_numbers(chosen, axis + 1, bit + c.bits[i], count * c.counts[i], total);
            return;
        }
        const std::size_t mask = numbers_.size() - 1;
        for (std::size_t i = 0; i < c.bits.size(); ++i) {
            const dim_t at = bit + c.bits[i];
            const std::size_t value = std::to_integer<std::size_t>(bytes_[at / 8]) >> at % 8 & mask;
            total += count * c.counts[i] * static_cast<std::uint64_t>(numbers_[value]);
        }
    }
    /// Values that are added as integers, before the product with their factor is rounded.
    struct group {
        position first;  // their index, if all digits that are added first are 0
        dim_t place;     // of that which lies first in memory
        std::int64_t total;
    };
    std::uint64_t float_sum(const std::vector<const cell*>& chosen) {
        std::vector<group> groups;
        for_each_value(chosen, [&](const position& index, std::uint64_t, dim_t place, std::int64_t number) {
            group one{index, place, number};
            for (int a = 0; a < r_.ndims(); ++a) one.first[a] = first_of_group(a, index[a]);
            // Neighbours are mostly of one group; joined here, there are fewer to sort.
            if (groups.empty() || !(groups.back().first == one.first)) return groups.push_back(one);
            groups.back().place = std::min(groups.back().place, one.place);
            groups.back().total += one.total;
        });
        const auto by_index = [](const group& a, const group& b) {
            return std::lexicographical_compare(a.first.begin(), a.first.end(), b.first.begin(), b.first.end());
        };
        std::stable_sort(groups.begin(), groups.end(), by_index);
        std::vector<group> joined;
        for (const group& one : groups) {
            if (joined.empty() || !(joined.back().first == one.first)) joined.push_back(one);
            else joined.back() = {one.first, std::min(joined.back().place, one.place), joined.back().total + one.total};
        }
        std::stable_sort(joined.begin(), joined.end(),
                         [](const group& a, const group& b) { return a.place < b.place; });
        float total = 0;
        for (const group& one : joined) total += rounded_product(static_cast<float>(one.total), factor_at(one.first));
        return bits_of_float(data_type::f32, static_cast<float>(total * factor_));
    }
    float factor_at(const position& index) const {
        for (const record_piece* p : times_)
            if (p->holds(index)) return factor_in(*p, p->place(index));
        return 1;
    }
    float factor_in(const record_piece& piece, dim_t bit) const {
        const record_field& f = r_.field_of(piece);
        return float_of_bits(f.type, read_bits(bytes_, bit, f.width)) * static_cast<float>(1 / f.factor);
    }

    // ---- Float sums whose groups are a product of groups of each axis ----

    /// A product to be added: where its values lie, how many groups have smaller indices, and its value.
    struct term {
        dim_t place, order;
        float product;
    };
    /// Returns what float_sum(chosen) returns.
    std::uint64_t sum_of_groups(const std::vector<const cell*>& chosen) {
        terms_.clear();
        several_.clear();
        add_terms(chosen, 0, {of_[0]->at, 0, 0}, of_[0]->at, times_.empty() ? 0 : times_[0]->at);
        // If one axis has several groups, they come in the order in which they lie in memory.
        const auto has_several = [](const cell* c) { return c->groups.size() > 1; };
        if (std::count_if(chosen.begin(), chosen.end(), has_several) > 1)
            std::sort(terms_.begin(), terms_.end(), [](const term& a, const term& b) {
                return a.place != b.place ? a.place < b.place : a.order < b.order;
            });
        float total = 0;
        for (const term& one : terms_) total += one.product;
        return bits_of_float(data_type::f32, static_cast<float>(total * factor_));
    }
    /// Adds a term for each group. `values` is the bit of values for axes that have one in their group, `factor` that
    /// of the factor.
    void add_terms(const std::vector<const cell*>& chosen, std::size_t axis, term so_far, dim_t values, dim_t factor) {
        if (axis == chosen.size()) {
            std::int64_t number = 0;
            if (several_.size() == 1)
                for (const dim_t more : *several_[0]) number += number_at(values + more);
            else add_numbers_of_group(0, values, number);
            const float by = times_.empty() ? 1.0f : factor_in(*times_[0], factor);
            so_far.product = rounded_product(static_cast<float>(number), by);
            return terms_.push_back(so_far);
        }
        const std::vector<axis_group>& groups = chosen[axis]->groups;
        for (const axis_group& g : groups) {
            const bool is_one = g.bits.size() == 1;
            if (!is_one) several_.push_back(&g.bits);
            add_terms(chosen, axis + 1,
                      {so_far.place + g.place, so_far.order * static_cast<dim_t>(groups.size()) + g.order, 0},
                      values + (is_one ? g.bits[0] : 0), factor + g.factor);
            if (!is_one) several_.pop_back();
        }
    }
    void add_numbers_of_group(std::size_t k, dim_t bit, std::int64_t& total) const {
        if (k == several_.size()) {
            total += number_at(bit);
            return;
        }
        for (const dim_t more : *several_[k]) add_numbers_of_group(k + 1, bit + more, total);
    }
    /// Returns the number of the value at a bit of the record.
    std::int64_t number_at(dim_t bit) const {
        if (!numbers_.empty())
            return numbers_[std::to_integer<std::size_t>(bytes_[bit / 8]) >> bit % 8 & (numbers_.size() - 1)];
        const record_field& f = r_.field_of(*of_[0]);
        return number_of((read_bits(bytes_, bit, f.width) ^ f.flipped) << f.low) - field_.content.subtracted;
    }

    /// Calls what(index, how many indices, place, number) for the values in some cells, one of each axis.
    template <class What>
    void for_each_value(const std::vector<const cell*>& chosen, const What& what) {
        position index = piece_.origin;
        std::vector<dim_t> bits;
        for (const record_piece* p : of_) bits.push_back(p->at);
        visit_values(chosen, 0, index, 1, ~std::uint32_t{0}, bits, what);
    }
    template <class What>
    void visit_values(const std::vector<const cell*>& chosen, std::size_t axis, position& index, std::uint64_t count,
                      std::uint32_t held, std::vector<dim_t>& bits, const What& what) {
        if (axis == chosen.size()) {
            std::uint64_t value = 0;
            dim_t place = -1;
            for (std::size_t p = 0; p < of_.size(); ++p) {
                if ((held >> p & 1) == 0) continue;
                const record_field& f = r_.field_of(*of_[p]);
                const dim_t at = bits[p] + turned_bits(*of_[p], index);
                value |= (read_bits(bytes_, at, f.width) ^ f.flipped) << f.low;
                if (place < 0) place = at;
            }
            return what(index, count, place, number_of(value) - field_.content.subtracted);
        }
        for (const index_class& one : chosen[axis]->classes) {
            index[static_cast<int>(axis)] = one.index;
            for (std::size_t p = 0; p < bits.size(); ++p) bits[p] += one.bits[p];
            visit_values(chosen, axis + 1, index, count * one.count, held & one.held, bits, what);
            for (std::size_t p = 0; p < bits.size(); ++p) bits[p] -= one.bits[p];
        }
    }
    static dim_t turned_bits(const record_piece& piece, const position& index) {
        dim_t out = 0;
        for (const piece_digit& d : piece.digits) {
            if (d.turned_by < 0) continue;
            const dim_t value = (index[d.axis] - piece.origin[d.axis]) / d.step % d.extent;
            const dim_t turn = (index[d.turned_by] - piece.origin[d.turned_by]) % d.extent;
            out += (value + d.extent - turn) % d.extent * d.stride;
        }
        return out;
    }
    /// Returns the number of a value: of signed types, and of bits of which the highest is stored inverted, the signed
    /// one.
    std::int64_t number_of(std::uint64_t value) const {
        const record_field& f = r_.field_of(*of_[0]);
        const std::uint64_t half = std::uint64_t{1} << (bits_ - 1);
        if (f.type == data_type::s4 || f.type == data_type::s8 || f.type == data_type::s32)
            return static_cast<std::int64_t>(value) - static_cast<std::int64_t>((value & half) << 1);
        return static_cast<std::int64_t>(value) - (f.flipped == half ? static_cast<std::int64_t>(half) : 0);
    }

    const record& r_;
    const std::byte* bytes_;
    const record_piece& piece_;
    const record_field& field_;
    const check_part part_;
    double factor_ = 1;
    int bits_ = 1;
    std::vector<const record_piece*> of_, times_;
    std::vector<std::int64_t> numbers_;     // by value, if each value lies in one byte; else empty
    bool has_groups_ = false;               // of float sums: each group is a product of groups of each axis
    std::vector<std::vector<cell>> cells_;  // of each axis
    std::size_t cut_ = 0;                   // the axis whose cells are divided among the parts
    // Of the float sum that is being computed.
    std::vector<term> terms_;
    std::vector<const std::vector<dim_t>*> several_;  // the values of the groups that have several along an axis
};

}  // namespace plait::detail
