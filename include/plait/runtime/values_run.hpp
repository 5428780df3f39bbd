#pragma once
// Running the plan of values: panel by panel, and row by row.

#include <plait/runtime/values_plan.hpp>

namespace plait {

/// Adds the sums of rows of s8, modulo 2^32, where the compensation lies; then makes it of them.
class sums_in_place {
public:
    sums_in_place(const values_plan& plan, std::byte* out) : plan_(plan), out_(out) {
        for (const value_sums* sums : {&plan.s8s8, &plan.asymmetric_source})
            if (sums->count != 0) std::memset(out + sums->begin, 0, 4 * sums->count);
    }
    /// Adds a row of the destination; steps[k] and places[k] as in panel_node.
    void add(const std::byte* row, dim_t count, const dim_t* steps, const dim_t* places) {
        if (plan_.s8s8.count != 0) add(plan_.s8s8, row, count, steps[4], places[4]);
        if (plan_.asymmetric_source.count != 0 && !plan_.has_equal_sums())
            add(plan_.asymmetric_source, row, count, steps[5], places[5]);
    }
    void finish() {
        if (plan_.has_equal_sums())
            std::memcpy(out_ + plan_.asymmetric_source.begin, out_ + plan_.s8s8.begin, 4 * plan_.s8s8.count);
        multiply(plan_.s8s8, 128);
        multiply(plan_.asymmetric_source, 1);
    }

private:
    const values_plan& plan_;
    std::byte* out_;

    static void add_one(std::byte* to, std::uint32_t x) {
        std::uint32_t sum;
        std::memcpy(&sum, to, sizeof(sum));
        sum += x;
        std::memcpy(to, &sum, sizeof(sum));
    }
    void add(const value_sums& sums, const std::byte* row, dim_t count, dim_t step, dim_t place) {
        std::byte* const to = out_ + sums.begin + 4 * place;
        if (step == 0) add_one(to, plan_.how.rows->sum(row, count));
        else if (step == 1) plan_.how.rows->add_to(row, to, count);
        else
            for (dim_t i = 0; i < count; ++i)
                add_one(to + 4 * i * step, static_cast<std::uint32_t>(std::to_integer<std::int8_t>(row[i])));
    }
    void multiply(const value_sums& sums, std::uint32_t factor) {
        std::byte* to = out_ + sums.begin;
        for (std::size_t i = 0; i < sums.count; ++i, to += 4) {
            std::uint32_t sum;
            std::memcpy(&sum, to, sizeof(sum));
            sum = 0 - factor * sum;
            std::memcpy(to, &sum, sizeof(sum));
        }
    }
};

/// One run of a plan. Everything that it changes is in here, on the stack, or in the destination.
template <class Number>
class values_run {
public:
    values_run(const values_plan& plan, const void* in, void* out)
        : plan_(plan),
          shape_(plan.shape),
          in_(static_cast<const std::byte*>(in)),
          out_(static_cast<std::byte*>(out)),
          convert_(plan.how),
          sums_(plan, out_),
          has_sums_(plan.s8s8.count + plan.asymmetric_source.count != 0) {
        if (plan.mover != nullptr) moving_ = plan.moving;
        for (int a = 0; a < shape_.limits.size(); ++a) {
            reach_[a] = shape_.reach(a);
            limited_[a] = shape_.is_limited(a);
        }
    }
    values_run(const values_run&) = delete;
    values_run& operator=(const values_run&) = delete;

    /// All panels.
    void operator()() {
        for (bool more = true; more;) {
            run_panel();
            more = false;
            for (int i = 0; i < plan_.order.size() && !more; ++i) {
                const int k = plan_.order[i];
                index_[k] += shape_.nodes[k].panel;
                more = index_[k] < shape_.nodes[k].extent;
                if (!more) index_[k] = 0;
            }
        }
        sums_.finish();
    }
    /// Where there are no panels: one element after the other, by the same functions.
    void run_elements(const layout& src, const layout& dst) {
        const reorder_attributes& a = plan_.how.attributes;
        const strides steps[value_arrays] = {mask_strides(dst.dims, a.src_zero_point.mask),
                                             mask_strides(dst.dims, a.src_scale.mask),
                                             mask_strides(dst.dims, a.dst_scale.mask),
                                             mask_strides(dst.dims, a.dst_zero_point.mask),
                                             mask_strides(dst.padded_dims, plan_.s8s8.mask),
                                             mask_strides(dst.padded_dims, plan_.asymmetric_source.mask)};
        const panel_node none;
        for (dim_t number = 0; number < dst.padded_volume(); ++number) {
            const position padded = unravel(dst.padded_dims, number);
            position at = padded;
            bool inside = true;
            dim_t places[value_arrays]{};
            for (int axis = 0; axis < dst.ndims(); ++axis) {
                at[axis] -= dst.padded_offsets[axis];
                inside = inside && at[axis] >= 0 && at[axis] < dst.dims[axis];
                for (int k = 0; k < value_arrays; ++k)
                    places[k] += steps[k][axis] * (k < attribute_arrays ? at[axis] : padded[axis]);
            }
            std::byte* const to = out_ + dst.padded_offset(padded) * plan_.how.dst_bytes;
            if (inside) {
                convert_(in_ + src.offset(at) * plan_.how.src_bytes, to, 1, places, &none, 0);
                if (has_sums_) sums_.add(to, 1, none.places, places);
            } else {
                std::memset(to, 0, static_cast<std::size_t>(plan_.how.dst_bytes));
            }
        }
        sums_.finish();
    }

private:
    const values_plan& plan_;
    const panel_shape& shape_;
    const std::byte* in_;
    std::byte* out_;
    row_converter<Number> convert_;
    sums_in_place sums_;
    bool has_sums_;
    reorder_plan moving_;
    dim_t index_[max_panel_nodes]{};
    dim_t reach_[max_panel_nodes]{};
    bool limited_[max_panel_nodes]{};
    // Of the panel: what is left of each axis, and the places of its first element.
    dim_t valid_[max_panel_nodes]{}, stored_[max_panel_nodes]{};
    dim_t places_[value_arrays]{};
    alignas(64) std::byte buffer_[buffer_bytes];

    void run_panel() {
        dim_t src = shape_.src_offset, dst = shape_.dst_offset;
        for (dim_t& place : places_) place = 0;
        for (int a = 0; a < shape_.limits.size(); ++a) {
            valid_[a] = shape_.limits[a].valid;
            stored_[a] = shape_.limits[a].stored;
        }
        for (const int k : plan_.order) {
            const panel_node& n = shape_.nodes[k];
            src += index_[k] * n.src;
            dst += index_[k] * n.dst;
            valid_[n.axis] -= index_[k] * n.weight;
            stored_[n.axis] -= index_[k] * n.weight;
            for (int i = 0; i < value_arrays; ++i) places_[i] += index_[k] * n.places[i];
            for (const step_carry& carry : shape_.carries)
                if (n.carries && carry.axis == n.axis) {
                    src += index_[k] / carry.period * carry.src;
                    dst += index_[k] / carry.period * carry.dst;
                }
        }
        bool whole = true, empty = false;
        for (int a = 0; a < shape_.limits.size(); ++a) {
            if (stored_[a] <= 0) return;
            empty = empty || valid_[a] <= 0;
            whole = whole && valid_[a] >= reach_[a];
        }
        run_panel(src, dst, whole, empty);
    }
    void run_panel(dim_t src, dim_t dst, bool whole, bool empty) {
        const std::byte* const from = in_ + src * plan_.how.src_bytes;
        std::byte* const to = out_ + dst * plan_.how.dst_bytes;
        if (shape_.side == panel_side::both) {
            convert_rows(from, to, true, true, whole);
        } else if (shape_.side == panel_side::source) {
            if (empty) std::memset(buffer_, 0, sizeof(buffer_));
            else convert_rows(from, buffer_, true, false, whole);
            move(0, dst, buffer_, out_);
        } else {
            if (!empty) move(src, 0, in_, buffer_);
            convert_rows(buffer_, to, false, true, whole);
        }
    }
    /// Moves the panel; what lies beyond its ends is someone else's.
    void move(dim_t src, dim_t dst, const std::byte* from, std::byte* to) {
        moving_.src_offset = src;
        moving_.dst_offset = dst;
        for (int limit = 0; limit < plan_.axes.size(); ++limit) {
            const int a = plan_.axes[limit];
            if (a < 0) continue;
            const auto of_panel = [&](dim_t left) { return left < 0 ? 0 : left < reach_[a] ? left : reach_[a]; };
            moving_.limits[limit].valid = of_panel(valid_[a]);
            moving_.limits[limit].stored = of_panel(shape_.side == panel_side::source ? stored_[a] : valid_[a]);
        }
        plan_.mover->run(moving_, from, to);
    }

    /// The rows of a panel, from one side or the buffer to the other. What lies beyond an end, and is stored, is zero.
    void convert_rows(const std::byte* from, std::byte* to, bool from_source, bool to_destination, bool whole) {
        const panel_row& row = whole ? plan_.whole : plan_.part;
        const panel_node* const nodes = shape_.nodes.values;
        dim_t from_step[max_panel_nodes], to_step[max_panel_nodes], index[max_panel_nodes]{}, at[max_panel_nodes]{};
        dim_t place = row.length, places[value_arrays];
        for (int k = 0; k < value_arrays; ++k) places[k] = places_[k];
        for (int k = row.nodes; k < shape_.inner; ++k) {
            from_step[k] = (from_source ? nodes[k].src : place) * plan_.how.src_bytes;
            to_step[k] = (to_destination ? nodes[k].dst : place) * plan_.how.dst_bytes;
            place *= nodes[k].panel;
        }
        for (;;) {
            if (whole) convert_row(from, to, row.length, row, places);
            else convert_part(from, to, row, places, at, to_destination);
            int k = row.nodes;
            for (; k < shape_.inner; ++k) {
                const panel_node& n = nodes[k];
                from += from_step[k];
                to += to_step[k];
                at[n.axis] += n.weight;
                for (int i = 0; i < value_arrays; ++i) places[i] += n.places[i];
                if (++index[k] < n.panel) break;
                from -= n.panel * from_step[k];
                to -= n.panel * to_step[k];
                at[n.axis] -= n.panel * n.weight;
                for (int i = 0; i < value_arrays; ++i) places[i] -= n.panel * n.places[i];
                index[k] = 0;
            }
            if (k == shape_.inner) return;
        }
    }
    void convert_row(const std::byte* from, std::byte* to, dim_t count, const panel_row& row,
                     const dim_t (&places)[value_arrays]) {
        const panel_node* const nodes = shape_.nodes.values;
        static constexpr dim_t no_steps[value_arrays]{};
        convert_(from, to, count, places, nodes, row.nodes);
        if (has_sums_) sums_.add(to, count, row.nodes > 0 ? nodes[0].places : no_steps, places);
    }
    void convert_part(const std::byte* from, std::byte* to, const panel_row& row, const dim_t (&places)[value_arrays],
                      const dim_t* at, bool to_destination) {
        dim_t valid = row.length, stored = row.length;
        for (int a = 0; a < shape_.limits.size(); ++a) {
            if (!limited_[a]) continue;
            const bool along = row.nodes > 0 && shape_.nodes[0].axis == a;
            const auto clip = [&](dim_t& count, dim_t left) {
                const dim_t here = left <= 0 ? 0 : along ? divide_up(left, shape_.nodes[0].weight) : row.length;
                if (here < count) count = here;
            };
            clip(valid, valid_[a] - at[a]);
            clip(stored, stored_[a] - at[a]);
        }
        if (valid > 0) convert_row(from, to, valid, row, places);
        if (to_destination && stored > valid)
            std::memset(to + valid * plan_.how.dst_bytes, 0,
                        static_cast<std::size_t>((stored - valid) * plan_.how.dst_bytes));
    }
};

}  // namespace plait
