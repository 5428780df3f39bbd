#pragma once
// Sums that are computed from lists of their values: all sums for verify; for packing, sums that are no rows of bytes,
// because some index is after an end, a field is stored in pieces or has turned digits, or the digits of the two do not
// divide each other.

#include <plait/packed/sum_lists.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Computes sums of listed values in memory.
template <class MemoryOf>
class sum_visit {
public:
    sum_visit(const sum_lists& all, const sum_lists::fibre_lists& lists, const engine::byte_kernels* code,
              const MemoryOf& memory_of)
        : all_(all), what_(all.what), lists_(lists), code_(code), memory_of_(memory_of), cells_(lists.axes.size()) {
        for (const value_part& p : what_.of) of_.push_back(memory_of(p));
        while (cut_ + 1 < lists.axes.size() && lists.axes[cut_].cells.size() == 1) ++cut_;
    }
    template <class What>
    bool visit(const check_part& part, const What& what) {
        position index = what_.piece.origin;
        return visit_cells(0, part, index, what);
    }

private:
    template <class What>
    bool visit_cells(std::size_t axis, const check_part& part, position& index, const What& what) {
        if (axis == cells_.size()) {
            for (std::size_t a = 0; a < axis; ++a)
                if (cells_[a]->targets.size() == 0) return true;
            const std::uint32_t sum = all_.has_groups ? sum_of_groups() : all_.is_float() ? float_sum() : integer_sum();
            return visit_targets(0, index, sum, what);
        }
        const std::vector<sum_lists::cell>& cells = lists_.axes[axis].cells;
        const auto count = static_cast<dim_t>(cells.size());
        const check_part::range range = axis == cut_ ? part.of(count) : check_part::range{0, count};
        for (dim_t k = range.first; k < range.last; ++k) {
            cells_[axis] = &cells[static_cast<std::size_t>(k)];
            if (!visit_cells(axis + 1, part, index, what)) return false;
        }
        return true;
    }
    template <class What>
    bool visit_targets(std::size_t axis, position& index, std::uint32_t sum, const What& what) const {
        if (axis == cells_.size()) return what(index, sum);
        for (std::size_t t = cells_[axis]->targets.begin; t < cells_[axis]->targets.end; ++t) {
            index[static_cast<int>(axis)] = lists_.axes[axis].targets[t];
            if (!visit_targets(axis + 1, index, sum, what)) return false;
        }
        return true;
    }

    // -- Integers --

    std::uint32_t integer_sum() {
        std::uint64_t total = 0;
        if (all_.in_one_piece) add_runs(0, what_.of[0].piece.at, 1, total);
        else
            for_each_value([&](const position&, std::uint64_t count, dim_t, std::int64_t number) {
                total += count * static_cast<std::uint64_t>(number);
            });
        return static_cast<std::uint32_t>(total * static_cast<std::uint64_t>(static_cast<std::int64_t>(what_.factor)));
    }
    /// Adds the values of the runs of each axis, from a bit on.
    void add_runs(std::size_t depth, dim_t bit, std::uint64_t count, std::uint64_t& total) const {
        const auto axis = static_cast<std::size_t>(lists_.order[depth]);
        const sum_lists::axis_lists& lists = lists_.axes[axis];
        for (std::size_t r = cells_[axis]->runs.begin; r < cells_[axis]->runs.end; ++r) {
            const sum_lists::value_run& run = lists.runs[r];
            if (depth + 1 == lists_.order.size()) {
                total += count * run.count * static_cast<std::uint64_t>(sum_of_run(bit + run.bits, run.values));
                continue;
            }
            for (dim_t i = 0; i < run.values; ++i)
                add_runs(depth + 1, bit + run.bits + i * what_.of[0].field.width, count * run.count, total);
        }
    }
    /// Returns the sum of the numbers that lie side by side from a bit on.
    std::int64_t sum_of_run(dim_t bit, dim_t values) const {
        const number_rule& rule = all_.stored_rule;
        const dim_t width = rule.width, bits = values * width;
        if (constexpr dim_t least = 128;  // bits for which a call of the instruction set's function pays
            code_ != nullptr && bits >= least && bit % 8 == 0 && bits % 8 == 0 && (width == 4 || width == 8))
            return static_cast<std::int64_t>(
                       engine::sum_of_run(code_->sum_runs, of_[0] + bit / 8, bits / 8, rule.of_bytes())) -
                   rule.subtracted * values;
        std::int64_t total = 0;
        if (all_.numbers.empty()) {
            for (; values > 0; --values, bit += width) total += rule(read_bits(of_[0], bit, rule.width));
            return total;
        }
        const std::int64_t* const numbers = all_.numbers.data();
        const std::size_t mask = all_.numbers.size() - 1;
        const std::byte* const from = of_[0];
        if (width == 8) {
            for (dim_t i = 0; i < values; ++i) total += numbers[std::to_integer<std::size_t>(from[(bit >> 3) + i])];
            return total;
        }
        for (; values > 0; --values, bit += width)
            total += numbers[std::to_integer<std::size_t>(from[bit >> 3]) >> (bit & 7) & mask];
        return total;
    }

    // -- Floating sums whose groups are a product of groups of each axis --

    /// A product to be added: where its values lie, how many groups have smaller indices, and its value.
    struct term {
        dim_t place, order;
        float product;
    };
    std::uint32_t sum_of_groups() {
        terms_.clear();
        const dim_t at = what_.of[0].piece.at;
        add_terms(0, {at, 0, 0}, at, what_.times.empty() ? 0 : what_.times[0].piece.at);
        // If one axis has several groups, they come in the order in which they lie in memory.
        const auto has_several = [](const sum_lists::cell* c) { return c->groups.size() > 1; };
        if (std::count_if(cells_.begin(), cells_.end(), has_several) > 1)
            std::sort(terms_.begin(), terms_.end(), [](const term& a, const term& b) {
                return a.place != b.place ? a.place < b.place : a.order < b.order;
            });
        float total = 0;
        for (const term& one : terms_) total += one.product;
        return bits_of(total);
    }
    /// Adds a term for each group. `values` is the bit of values for axes that have one in their group, `factor_at`
    /// that of the factor.
    void add_terms(std::size_t axis, term so_far, dim_t values, dim_t factor_at) {
        if (axis == cells_.size()) {
            std::int64_t number = 0;
            add_numbers(0, values, number);
            const float by = what_.times.empty() ? 1.0f : factor_in(what_.times[0], factor_at);
            so_far.product = rounded_product(static_cast<float>(number), by);
            return terms_.push_back(so_far);
        }
        const sum_lists::axis_lists& lists = lists_.axes[axis];
        const sum_lists::range groups = cells_[axis]->groups;
        for (std::size_t k = groups.begin; k < groups.end; ++k) {
            const sum_lists::axis_group& g = lists.groups[k];
            const bool is_one = g.values == 1;
            if (!is_one) several_.push_back({&lists, &g});
            add_terms(axis + 1, {so_far.place + g.place, so_far.order * static_cast<dim_t>(groups.size()) + g.order, 0},
                      values + (is_one ? g.place : 0), factor_at + g.factor_at);
            if (!is_one) several_.pop_back();
        }
    }
    void add_numbers(std::size_t depth, dim_t bit, std::int64_t& total) const {
        if (depth == several_.size()) return void(total += sum_of_run(bit, 1));
        const auto& [lists, g] = several_[depth];
        for (std::size_t r = g->runs.begin; r < g->runs.end; ++r) {
            const sum_lists::value_run& run = lists->runs[r];
            if (depth + 1 == several_.size()) {
                total += sum_of_run(bit + run.bits, run.values);
                continue;
            }
            for (dim_t i = 0; i < run.values; ++i)
                add_numbers(depth + 1, bit + run.bits + i * what_.of[0].field.width, total);
        }
    }

    // -- Floating sums of any groups --

    /// Values that are added as integers, before the product with their factor is rounded.
    struct group {
        position first;  // their index, if all digits that are added first are 0
        dim_t place;     // of that which lies first in memory
        std::int64_t total;
    };
    std::uint32_t float_sum() {
        std::vector<group> groups;
        for_each_value([&](const position& index, std::uint64_t, dim_t place, std::int64_t number) {
            group one{index, place, number};
            for (int a = 0; a < index.size(); ++a) one.first[a] = all_.first_of_group(a, index[a]);
            // Neighbours are mostly of one group; joined here, there are fewer to sort.
            if (groups.empty() || !(groups.back().first == one.first)) return groups.push_back(one);
            groups.back().place = (std::min)(groups.back().place, one.place);
            groups.back().total += one.total;
        });
        const auto by_index = [](const group& a, const group& b) {
            return std::lexicographical_compare(a.first.begin(), a.first.end(), b.first.begin(), b.first.end());
        };
        std::stable_sort(groups.begin(), groups.end(), by_index);
        std::vector<group> joined;
        for (const group& one : groups) {
            if (joined.empty() || !(joined.back().first == one.first)) joined.push_back(one);
            else
                joined.back() = {one.first, (std::min)(joined.back().place, one.place),
                                 joined.back().total + one.total};
        }
        std::stable_sort(joined.begin(), joined.end(),
                         [](const group& a, const group& b) { return a.place < b.place; });
        float total = 0;
        for (const group& one : joined) total += rounded_product(static_cast<float>(one.total), factor_at(one.first));
        return bits_of(total);
    }
    float factor_at(const position& index) const {
        for (const value_part& p : what_.times)
            if (p.piece.holds(index)) return factor_in(p, p.piece.place(index));
        return 1;
    }
    float factor_in(const value_part& part, dim_t bit) const {
        const record_field& f = part.field;
        return float_of_bits(f.type, read_bits(memory_of_(part), bit, f.width)) * static_cast<float>(1 / f.factor);
    }
    std::uint32_t bits_of(float total) const {
        return std::bit_cast<std::uint32_t>(static_cast<float>(total * what_.factor));
    }

    // -- Values in any pieces --

    /// Calls what(index, how many indices, place, number) for the values of the sum.
    template <class What>
    void for_each_value(const What& what) {
        position index = what_.piece.origin;
        std::vector<dim_t> bits;
        for (const value_part& p : what_.of) bits.push_back(p.piece.at);
        visit_values(0, index, 1, ~std::uint32_t{0}, bits, what);
    }
    template <class What>
    void visit_values(std::size_t axis, position& index, std::uint64_t count, std::uint32_t held,
                      std::vector<dim_t>& bits, const What& what) {
        if (axis == cells_.size()) {
            std::uint64_t value = 0;
            dim_t place = -1;
            for (std::size_t p = 0; p < of_.size(); ++p) {
                if ((held >> p & 1) == 0) continue;
                const record_field& f = what_.of[p].field;
                const dim_t at = bits[p] + turned_bits(what_.of[p].piece, index);
                value |= f.value_of(read_bits(of_[p], at, f.width));
                if (place < 0) place = at;
            }
            return what(index, count, place, what_.rule(value));
        }
        const sum_lists::axis_lists& lists = lists_.axes[axis];
        for (std::size_t v = cells_[axis]->values.begin; v < cells_[axis]->values.end; ++v) {
            const sum_lists::axis_value& one = lists.values[v];
            index[static_cast<int>(axis)] = one.index;
            const dim_t* const moved = &lists.bits[v * bits.size()];
            for (std::size_t p = 0; p < bits.size(); ++p) bits[p] += moved[p];
            visit_values(axis + 1, index, count * one.count, held & one.held, bits, what);
            for (std::size_t p = 0; p < bits.size(); ++p) bits[p] -= moved[p];
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

    const sum_lists& all_;
    const summed_values& what_;
    const sum_lists::fibre_lists& lists_;
    const engine::byte_kernels* const code_;
    const MemoryOf& memory_of_;
    std::vector<const std::byte*> of_;           // of each piece of the summed field
    std::vector<const sum_lists::cell*> cells_;  // of the sum that is computed
    std::size_t cut_ = 0;                        // the axis whose cells are divided among the parts
    // Of the floating sum that is computed.
    struct several_values {
        const sum_lists::axis_lists* lists;
        const sum_lists::axis_group* group;
    };
    std::vector<term> terms_;
    std::vector<several_values> several_;  // the groups that have several values along an axis
};

/// Sums of the values of lists.
struct listed_sums {
    sum_lists lists;
    const engine::byte_kernels* code = nullptr;  // sums runs of bytes; null: each value is added alone

    /// Calls what(index, sum) for each sum, until that returns false: the bits of the sum, and an index that it is
    /// stored for. Of several parts, each has some cells of the first axis that has more than one. `memory_of(part)`
    /// returns the bytes of a piece.
    template <class MemoryOf, class What>
    void for_each(const MemoryOf& memory_of, const check_part& part, const What& what) const {
        for (const sum_lists::fibre_lists& fibre : lists.fibres)
            if (!sum_visit(lists, fibre, code, memory_of).visit(part, what)) return;
    }
    /// Stores the sums, or adds them to what is stored.
    template <class MemoryOf>
    void store(const MemoryOf& memory_of, std::byte* sums) const {
        const bool adds = lists.what.field.content.kind == field_content::added_sum;
        for_each(memory_of, {}, [&](const position& index, std::uint32_t sum) {
            const dim_t place = lists.what.piece.place(index);
            if (adds) {
                const auto given = static_cast<std::uint32_t>(read_bits(sums, place, 32));
                sum = lists.is_float()
                          ? std::bit_cast<std::uint32_t>(std::bit_cast<float>(given) + std::bit_cast<float>(sum))
                          : given + sum;
            }
            write_bits(sums, place, 32, sum);
            return true;
        });
    }
};

}  // namespace plait::detail
