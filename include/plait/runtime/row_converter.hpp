#pragma once
// Rows of values: through the functions that the conversion has chosen, some rows at once.

#include <plait/runtime/value_conversion.hpp>

#include <cstring>  // std::memcpy

namespace plait {

/// Converts rows. Operands are kept, as those of the next rows are often the same.
template <class Number>
class row_converter {
public:
    explicit row_converter(const value_conversion& how)
        : how_(how), operations_(how.operations()), one_pass_(how.is_one_pass()), has_operands_(how.has_operands()) {
        if (how.attributes.beta != 0) fill(beta_, static_cast<Number>(how.attributes.beta));
    }
    row_converter(const row_converter&) = delete;
    row_converter& operator=(const row_converter&) = delete;

    /// Some rows, whose index is counted by the first `row_nodes` nodes, the first fastest, of which the last may have
    /// fewer steps than a panel; `row_places` is what a row adds to the places. The block's steps are those of the
    /// rows.
    ///
    /// Pre:     how.is_one_pass(); or block.rows <= most_rows, and block.rows == 1 or all rows together have at most
    ///          most_numbers. A row of which a node has values has at most most_values_of_a_row, and they do not differ
    ///          from row to row
    void operator()(const std::byte* from, std::byte* to, const row_block& block, const dim_t* places,
                    const panel_node* nodes, int row_nodes, const dim_t* row_places) {
        if (how_.copies) {
            for (dim_t row = 0; row < block.rows; ++row)
                std::memcpy(to + row * block.to_step, from + row * block.from_step,
                            static_cast<std::size_t>(block.count * how_.src_bytes));
            return;
        }
        if (has_operands_) prepare(places, nodes, row_nodes, row_places, block);
        if (one_pass_) return convert(from, to, block);
        row_block chunk = block;
        for (dim_t begin = 0; begin < block.count; begin += most_numbers) {
            const dim_t left = block.count - begin;
            chunk.count = left < most_numbers ? left : most_numbers;
            convert(from + begin * how_.src_bytes, to + begin * how_.dst_bytes, chunk);
        }
    }

private:
    static constexpr dim_t number_bytes = sizeof(Number);
    enum class varies { not_at_all, by_row, in_row };
    struct operand {
        alignas(64) Number numbers[most_values_of_a_row];
        dim_t place = -1, count = 0;
        varies how = varies::not_at_all;
        const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(numbers); }
    };
    const value_conversion& how_;
    int operations_;
    bool one_pass_, has_operands_;
    operand operands_[attribute_arrays];
    alignas(64) Number beta_[most_numbers_at_once];
    alignas(64) std::byte numbers_[most_numbers * sizeof(Number)];
    alignas(64) std::byte old_[most_numbers * sizeof(Number)];

    static void fill(Number* to, Number x) {
        for (int i = 0; i < most_numbers_at_once; ++i) to[i] = x;
    }
    /// The same elements in fewer, longer rows, where they lie side by side.
    static row_block joined(row_block block, dim_t from_bytes, dim_t to_bytes) {
        if (block.from_step == block.count * from_bytes && block.to_step == block.count * to_bytes &&
            block.operand_step == 0 && block.operand_is_one) {
            block.count *= block.rows;
            block.rows = 1;
        }
        return block;
    }
    // One chunk: each function reads what the one before wrote, and the last writes the destination.
    void convert(const std::byte* x, std::byte* to, const row_block& block) {
        const dim_t between = block.count * number_bytes;  // rows of numbers lie side by side
        int left = operations_;
        row_block now = block;
        std::byte* target = nullptr;
        const auto aim = [&](std::byte* otherwise) {
            const bool is_last = --left == 0 && how_.narrow == nullptr;
            target = is_last ? to : otherwise;
            now.to_step = is_last ? block.to_step : between;
        };
        const auto move_on = [&] {
            x = target;
            now.from_step = now.to_step;
            now.operand_step = 0;
            now.operand_is_one = true;
        };
        const auto combine = [&](int k, value_rows::combine* function, dim_t from_bytes, dim_t to_bytes) {
            const operand& o = operands_[k];
            now.operand_step = o.how == varies::by_row ? most_numbers_at_once * number_bytes : 0;
            now.operand_is_one = o.how != varies::in_row;
            function(x, o.bytes(), target, joined(now, from_bytes, to_bytes));
            move_on();
        };
        if (how_.widen_scaled != nullptr) {
            aim(numbers_);
            combine(1, how_.widen_scaled, how_.src_bytes, number_bytes);
        } else if (how_.widen != nullptr) {
            aim(numbers_);
            how_.widen(x, target, joined(now, how_.src_bytes, number_bytes));
            move_on();
        }
        const auto apply = [&](int k, value_rows::combine* function) {
            if (!how_.active[k] || how_.scaled_last == k) return;
            aim(numbers_);
            combine(k, function, number_bytes, number_bytes);
        };
        apply(0, how_.rows->subtract);
        if (how_.widen_scaled == nullptr) apply(1, how_.rows->multiply);
        if (how_.attributes.beta != 0) {
            aim(old_);
            if (target != to) {
                row_block of_old = now;
                of_old.from_step = block.to_step;
                read_old(to, of_old);
            }
            how_.rows->add_product(x, reinterpret_cast<const std::byte*>(beta_), target,
                                   joined(now, number_bytes, number_bytes));
            move_on();
        }
        apply(2, how_.rows->multiply);
        apply(3, how_.rows->subtract);
        if (how_.narrow == nullptr) return;
        target = to;
        now.to_step = block.to_step;
        if (how_.narrow_scaled != nullptr) combine(how_.scaled_last, how_.narrow_scaled, number_bytes, how_.dst_bytes);
        else how_.narrow(x, to, joined(now, number_bytes, how_.dst_bytes));
    }
    void read_old(const std::byte* from, const row_block& block) {
        if (how_.widen_old != nullptr) return how_.widen_old(from, old_, joined(block, how_.dst_bytes, number_bytes));
        for (dim_t row = 0; row < block.rows; ++row)
            std::memcpy(old_ + row * block.to_step, from + row * block.from_step,
                        static_cast<std::size_t>(block.count * number_bytes));
    }

    void prepare(const dim_t* places, const panel_node* nodes, int row_nodes, const dim_t* row_places,
                 const row_block& block) {
        const reorder_attributes& a = how_.attributes;
        const float adjust = how_.scale_adjust;
        const auto one = [&](int k, const auto& attribute, auto become) {
            if (how_.active[k])
                prepare_one(operands_[k], k, attribute, places[k], nodes, row_nodes, row_places[k], block, become);
        };
        one(0, a.src_zero_point, [](std::int32_t x) { return static_cast<Number>(x); });
        one(1, a.src_scale, [adjust](float x) { return static_cast<Number>(adjust == 1 ? x : rounded(x * adjust)); });
        one(2, a.dst_scale, [](float x) { return reciprocal<Number>(x); });
        // From zero, so that 0 stays +0, and what it is subtracted from stays as it is.
        one(3, a.dst_zero_point, [](std::int32_t x) { return static_cast<Number>(-std::int64_t{x}); });
    }
    template <class Attribute, class Become>
    static void prepare_one(operand& o, int k, const Attribute& a, dim_t place, const panel_node* nodes, int row_nodes,
                            dim_t row_place, const row_block& block, Become become) {
        varies how = row_place != 0 && block.rows > 1 ? varies::by_row : varies::not_at_all;
        for (int i = 0; i < row_nodes; ++i)
            if (nodes[i].places[k] != 0) how = varies::in_row;
        const dim_t count = how == varies::in_row ? block.count : how == varies::by_row ? block.rows : 0;
        if (o.place == place && o.how == how && o.count == count) return;
        o.place = place;
        o.how = how;
        o.count = count;
        const auto* const values = a.values != nullptr ? a.values + place : &a.value;
        if (how == varies::not_at_all) return fill(o.numbers, become(*values));
        if (how == varies::by_row) {
            for (dim_t row = 0; row < block.rows; ++row)
                fill(o.numbers + row * most_numbers_at_once, become(values[row * row_place]));
            return;
        }
        dim_t done = 0, index[max_panel_nodes]{}, here = 0;
        while (done < count) {
            const dim_t step = nodes[0].places[k], left = count - done,
                        steps = nodes[0].panel < left ? nodes[0].panel : left;
            for (dim_t i = 0; i < steps; ++i) o.numbers[done + i] = become(values[here + i * step]);
            done += steps;
            for (int n = 1; n < row_nodes; ++n) {
                here += nodes[n].places[k];
                if (++index[n] < nodes[n].panel) break;
                here -= nodes[n].panel * nodes[n].places[k];
                index[n] = 0;
            }
        }
    }
};

}  // namespace plait
