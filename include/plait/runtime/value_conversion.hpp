#pragma once
// What happens to a row of values, chosen once: which functions, and which attributes have anything to do.

#include <plait/core/data_type.hpp>
#include <plait/reorder/attributes.hpp>
#include <plait/reorder/simd/value_rows.hpp>
#include <plait/runtime/panel_shape.hpp>

#include <cstring>  // std::memcpy

namespace plait {

/// A conversion from one type to another with attributes. Attributes of the tensor are kept by value; the arrays of the
/// others stay the caller's, and have to be there when it runs.
struct value_conversion {
    reorder_attributes attributes;
    float scale_adjust = 1;
    int src_bytes = 0, dst_bytes = 0;
    bool in_f64 = false;              ///< where the arithmetic is done
    bool copies = false;              ///< elements stay as they are
    bool active[attribute_arrays]{};  ///< in the order of value_arrays; those that change nothing are left out
    const value_rows* rows = nullptr;
    value_rows::convert* widen = nullptr;   ///< null: elements are numbers already
    value_rows::convert* narrow = nullptr;  ///< null: they stay numbers
    value_rows::convert* widen_old = nullptr;

    constexpr int operations() const {
        int count = attributes.beta != 0 ? 1 : 0;
        for (const bool each : active) count += each ? 1 : 0;
        return count;
    }
};

inline value_conversion make_conversion(data_type src, data_type dst, const reorder_attributes& attributes,
                                        float scale_adjust) {
    value_conversion out;
    out.attributes = attributes;
    out.scale_adjust = scale_adjust;
    out.src_bytes = size_in_bytes(src);
    out.dst_bytes = size_in_bytes(dst);
    out.in_f64 = src == data_type::f64 || dst == data_type::f64;
    out.copies = src == dst && scale_adjust == 1 && is_trivial(attributes);
    const auto keep = [](auto& a, auto neutral) {
        if (a.mask != 0) return true;
        a.value = value_for_tensor(a);
        a.values = nullptr;
        return a.value != neutral;
    };
    out.active[0] = keep(out.attributes.src_zero_point, 0);
    out.active[1] = keep(out.attributes.src_scale, 1.0f) || scale_adjust != 1;
    out.active[2] = keep(out.attributes.dst_scale, 1.0f);
    out.active[3] = keep(out.attributes.dst_zero_point, 0);
    return out;
}

/// The functions for it, of an instruction set.
///
/// Post:    a row is the same, bit for bit, as by convert_with, or convert where nothing is to be done. From integers
/// to
///          integers through f32 as well: s8 and u8 are exact there, and of s32 only those round that saturate anyhow
inline void choose_rows(value_conversion& how, data_type src, data_type dst, const value_rows& rows) {
    const data_type number = how.in_f64 ? data_type::f64 : data_type::f32;
    how.rows = &rows;
    how.widen = src == number ? nullptr : rows.widen[static_cast<int>(src)];
    how.narrow = dst == number ? nullptr : rows.narrow[static_cast<int>(dst)];
    how.widen_old = dst == number ? nullptr : rows.widen[static_cast<int>(dst)];
}

/// Converts rows. The operands of the last row are kept, as the next often has the same.
template <class Number>
class row_converter {
public:
    explicit row_converter(const value_conversion& how) : how_(how), operations_(how.operations()) {
        if (how.attributes.beta != 0) fill(beta_, static_cast<Number>(how.attributes.beta));
    }
    row_converter(const row_converter&) = delete;
    row_converter& operator=(const row_converter&) = delete;

    /// A row whose index is counted by the first `row_nodes` nodes, the first fastest, `last` steps of the last of
    /// them.
    ///
    /// Pre:     count <= most_values_of_a_row, if a node of the row has values
    void operator()(const std::byte* from, std::byte* to, dim_t count, const dim_t (&places)[value_arrays],
                    const panel_node* nodes, int row_nodes) {
        if (how_.copies) {
            std::memcpy(to, from, static_cast<std::size_t>(count * how_.src_bytes));
            return;
        }
        if (operations_ != 0) prepare(places, nodes, row_nodes, count);
        for (dim_t begin = 0; begin < count; begin += most_values_of_a_row) {
            const dim_t left = count - begin;
            convert(from + begin * how_.src_bytes, to + begin * how_.dst_bytes,
                    left < most_values_of_a_row ? left : most_values_of_a_row);
        }
    }

private:
    static constexpr dim_t number_bytes = sizeof(Number);
    struct operand {
        alignas(64) Number numbers[most_values_of_a_row];
        dim_t place = -1, count = 0;
        int row_nodes = -1;
        dim_t step = 0;
        const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(numbers); }
    };
    const value_conversion& how_;
    int operations_;
    operand operands_[attribute_arrays];
    alignas(64) Number beta_[most_numbers_at_once];
    alignas(64) std::byte numbers_[most_values_of_a_row * sizeof(Number)];
    alignas(64) std::byte old_[most_values_of_a_row * sizeof(Number)];

    static void fill(Number* to, Number x) {
        for (int i = 0; i < most_numbers_at_once; ++i) to[i] = x;
    }
    // One chunk: each function reads what the one before wrote, and the last writes the destination.
    void convert(const std::byte* x, std::byte* to, dim_t count) {
        int left = operations_;
        const auto target = [&](std::byte* otherwise) { return left == 0 && how_.narrow == nullptr ? to : otherwise; };
        if (how_.widen != nullptr) {
            std::byte* const numbers = target(numbers_);
            how_.widen(x, numbers, count);
            x = numbers;
        }
        const auto apply = [&](int k, value_rows::combine* operation) {
            if (!how_.active[k]) return;
            --left;
            std::byte* const numbers = target(numbers_);
            operation(x, operands_[k].bytes(), operands_[k].step, numbers, count);
            x = numbers;
        };
        apply(0, how_.rows->subtract);
        apply(1, how_.rows->multiply);
        if (how_.attributes.beta != 0) {
            --left;
            std::byte* const old = target(old_);
            if (how_.widen_old != nullptr) how_.widen_old(to, old, count);
            else if (old != to) std::memcpy(old, to, static_cast<std::size_t>(count * number_bytes));
            how_.rows->add_product(x, reinterpret_cast<const std::byte*>(beta_), 0, old, count);
            x = old;
        }
        apply(2, how_.rows->multiply);
        apply(3, how_.rows->subtract);
        if (how_.narrow != nullptr) how_.narrow(x, to, count);
    }

    void prepare(const dim_t (&places)[value_arrays], const panel_node* nodes, int row_nodes, dim_t count) {
        const reorder_attributes& a = how_.attributes;
        const float adjust = how_.scale_adjust;
        prepare_one(0, a.src_zero_point, places, nodes, row_nodes, count,
                    [](std::int32_t x) { return static_cast<Number>(x); });
        prepare_one(1, a.src_scale, places, nodes, row_nodes, count,
                    [adjust](float x) { return static_cast<Number>(adjust == 1 ? x : rounded(x * adjust)); });
        prepare_one(2, a.dst_scale, places, nodes, row_nodes, count, [](float x) { return reciprocal<Number>(x); });
        prepare_one(3, a.dst_zero_point, places, nodes, row_nodes, count,
                    [](std::int32_t x) { return static_cast<Number>(-std::int64_t{x}); });
    }
    template <class Attribute, class Become>
    void prepare_one(int k, const Attribute& a, const dim_t (&places)[value_arrays], const panel_node* nodes,
                     int row_nodes, dim_t count, Become become) {
        if (!how_.active[k]) return;
        operand& o = operands_[k];
        int varying = 0;  // how many nodes, up to the last with values
        for (int i = 0; i < row_nodes; ++i)
            if (nodes[i].places[k] != 0) varying = i + 1;
        if (o.place == places[k] && o.row_nodes == varying && (varying == 0 || o.count == count)) return;
        o.place = places[k];
        o.row_nodes = varying;
        o.count = count;
        o.step = varying == 0 ? 0 : 1;
        const auto* values = a.values != nullptr ? a.values + places[k] : &a.value;
        if (varying == 0) return fill(o.numbers, become(*values));
        dim_t done = 0, index[max_panel_nodes]{}, place = 0;
        while (done < count) {
            const dim_t step = nodes[0].places[k],
                        steps = nodes[0].panel < count - done ? nodes[0].panel : count - done;
            if (step == 0) {
                const Number x = become(values[place]);
                for (dim_t i = 0; i < steps; ++i) o.numbers[done + i] = x;
            } else {
                for (dim_t i = 0; i < steps; ++i) o.numbers[done + i] = become(values[place + i * step]);
            }
            done += steps;
            for (int n = 1; n < row_nodes; ++n) {
                place += nodes[n].places[k];
                if (++index[n] < nodes[n].panel) break;
                place -= nodes[n].panel * nodes[n].places[k];
                index[n] = 0;
            }
        }
    }
};

}  // namespace plait
