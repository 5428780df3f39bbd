#pragma once
// Rows of values: through the functions that the conversion has chosen, some rows at once.

#include <plait/runtime/value_conversion.hpp>

#include <cstring>  // std::memcpy

namespace plait {

/// Converts rows. Operands are kept, as those of the next rows are often the same.
///
/// Post:    a row is the same, bit for bit, as by convert_with, or convert where nothing is to be done. Integers become
///          integers through f32 as well: s8 and u8 are exact there, and of s32 only those round that saturate anyhow
template <class Number>
class row_converter {
public:
    explicit row_converter(const value_conversion& how) : how_(how) {
        operations_.src = how.src;
        operations_.dst = how.dst;
        if (how.has_operands()) prepare_tensor();
        if (how.attributes.beta == 0) return;
        fill(beta_, static_cast<Number>(how.attributes.beta));
        operations_.beta.numbers = reinterpret_cast<const std::byte*>(beta_);
    }
    row_converter(const row_converter&) = delete;
    row_converter& operator=(const row_converter&) = delete;

    /// Some rows, whose index is counted by the first `row_nodes` nodes, the first fastest, of which the last may have
    /// fewer steps than a panel; `row_places` is what a row adds to the places. The block's steps are those of the
    /// rows.
    ///
    /// Pre:     block.rows <= most_rows where a row adds to the places of an attribute. A row of which a node has
    /// values
    ///          has at most most_values_of_a_row, and they do not differ from row to row
    void operator()(const std::byte* from, std::byte* to, const row_block& block, const dim_t* places,
                    const panel_node* nodes, int row_nodes, const dim_t* row_places) {
        // Short rows of s8, as compensation has, are as exact, and faster, as numbers.
        if (how_.copies && (how_.dst != data_type::s8 || block.count >= 64)) {
            for (dim_t again = 0; again < block.repeats; ++again, from += block.from_repeat, to += block.to_repeat)
                for (dim_t row = 0; row < block.rows; ++row)
                    std::memcpy(to + row * block.to_step, from + row * block.from_step,
                                static_cast<std::size_t>(block.count * how_.src_bytes));
            return;
        }
        if (how_.plain != nullptr) return how_.plain(from, to, block);
        if (has_arrays_) prepare(places, nodes, row_nodes, row_places, block);
        how_.rows->convert(operations_, from, to, block);
    }

private:
    enum class varies { not_at_all, by_row, in_row };
    struct operand {
        alignas(64) Number numbers[most_values_of_a_row];
        dim_t place = -1, count = 0;
        varies how = varies::not_at_all;
    };
    const value_conversion& how_;
    bool has_arrays_ = false;
    row_operations operations_;
    operand operands_[attribute_arrays];
    alignas(64) Number beta_[most_numbers_at_once];

    /// Four at a time, as one value: GCC makes a register of them, and one by one of a loop.
    static void fill(Number* to, Number x) {
        using four [[gnu::vector_size(4 * sizeof(Number))]] = Number;
        const four some = {x, x, x, x};
        for (int i = 0; i < most_numbers_at_once; i += 4) std::memcpy(to + i, &some, sizeof(some));
    }
    /// Calls `one(number, attribute, become)` for each operand that does something.
    template <class One>
    void for_operands(One one) {
        const reorder_attributes& a = how_.attributes;
        const float adjust = how_.scale_adjust;
        const auto as_number = [](std::int32_t x) { return static_cast<Number>(x); };
        const auto as_scale = [adjust](float x) { return static_cast<Number>(adjust == 1 ? x : rounded(x * adjust)); };
        // From zero, so that 0 stays +0, and what it is subtracted from stays as it is.
        const auto as_negative = [](std::int32_t x) { return static_cast<Number>(-std::int64_t{x}); };
        if (how_.active[0]) one(0, a.src_zero_point, as_number);
        if (how_.active[1]) one(1, a.src_scale, as_scale);
        if (how_.active[2]) one(2, a.dst_scale, [](float x) { return reciprocal<Number>(x); });
        if (how_.active[3]) one(3, a.dst_zero_point, as_negative);
    }
    /// What is one value for the tensor stays as it is.
    void prepare_tensor() {
        for_operands([this](int k, const auto& attribute, auto become) {
            if (attribute.mask != 0) return static_cast<void>(has_arrays_ = true);
            fill(operands_[k].numbers, become(attribute.value));
            operations_.with[k].numbers = reinterpret_cast<const std::byte*>(operands_[k].numbers);
        });
    }
    void prepare(const dim_t* places, const panel_node* nodes, int row_nodes, const dim_t* row_places,
                 const row_block& block) {
        for_operands([&](int k, const auto& attribute, auto become) {
            if (attribute.mask == 0) return;
            operand& o = operands_[k];
            prepare_one(o, k, attribute.values + places[k], places[k], nodes, row_nodes, row_places[k], block, become);
            operations_.with[k] = {reinterpret_cast<const std::byte*>(o.numbers), o.how == varies::in_row,
                                   o.how == varies::by_row};
        });
    }
    template <class Value, class Become>
    static void prepare_one(operand& o, int k, const Value* values, dim_t place, const panel_node* nodes, int row_nodes,
                            dim_t row_place, const row_block& block, Become become) {
        int varying = 0;  // of the row's nodes, up to the last that has values
        for (int i = 0; i < row_nodes; ++i)
            if (nodes[i].places[k] != 0) varying = i + 1;
        const varies how = varying > 0                        ? varies::in_row
                           : row_place != 0 && block.rows > 1 ? varies::by_row
                                                              : varies::not_at_all;
        const dim_t count = how == varies::in_row ? block.count : how == varies::by_row ? block.rows : 0;
        if (o.place == place && o.how == how && o.count == count) return;
        o.place = place;
        o.how = how;
        o.count = count;
        if (how == varies::not_at_all) return fill(o.numbers, become(*values));
        if (how == varies::by_row) {
            for (dim_t row = 0; row < block.rows; ++row)
                fill(o.numbers + row * most_numbers_at_once, become(values[row * row_place]));
            return;
        }
        dim_t differing = 1;
        for (int n = 0; n < varying; ++n) differing *= nodes[n].panel;
        if (differing > count) differing = count;
        dim_t done = 0, here = 0, index[max_panel_nodes];
        for (int n = 0; n < varying; ++n) index[n] = 0;
        while (done < differing) {
            const dim_t step = nodes[0].places[k], left = differing - done,
                        steps = nodes[0].panel < left ? nodes[0].panel : left;
            for (dim_t i = 0; i < steps; ++i) o.numbers[done + i] = become(values[here + i * step]);
            done += steps;
            for (int n = 1; n < varying; ++n) {
                here += nodes[n].places[k];
                if (++index[n] < nodes[n].panel) break;
                here -= nodes[n].panel * nodes[n].places[k];
                index[n] = 0;
            }
        }
        // The other nodes repeat them.
        while (done < count) {
            const dim_t more = done < count - done ? done : count - done;
            std::memcpy(o.numbers + done, o.numbers, static_cast<std::size_t>(more) * sizeof(Number));
            done += more;
        }
    }
};

}  // namespace plait
