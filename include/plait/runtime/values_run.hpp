#pragma once
// Running the plan of values: panel by panel, and row by row.

#include <plait/runtime/panel_rows.hpp>
#include <plait/runtime/streamed_rows.hpp>
#include <plait/runtime/value_sums.hpp>
#include <plait/runtime/values_parts.hpp>

#include <optional>

namespace plait {

/// One run of a plan, or of a part. Everything that it changes is in here, on the stack, or in the destination. Arrays
/// have no values before they are used: small tensors take less time than it takes to clear them.
template <class Number>
class values_run {
public:
    values_run(const values_plan& plan, const values_panels& panels, const void* in, void* out)
        : plan_(plan),
          panels_(panels),
          shape_(panels.shape),
          reach_(panels.reach),
          limited_(panels.limited),
          in_(static_cast<const std::byte*>(in)),
          out_(static_cast<std::byte*>(out)),
          convert_(plan.how),
          sums_(plan, out_),
          has_sums_(plan.s8s8.count + plan.asymmetric_source.count != 0),
          has_places_(has_sums_ || plan.how.has_arrays()) {
        if (panels.streams) streamed_.emplace();
        if (panels.moves_differ) mover_ = &own_mover_.emplace(panels.mover);
    }
    values_run(const values_run&) = delete;
    /// All panels.
    void operator()() { run_loops(panels_.order, panels_.order.size(), 1); }
    /// The panels of a part.
    void operator()(const values_loops& loops, const values_part& part) {
        dim_t before = part.begin;
        for (int i = loops.together; i < loops.nodes.size(); ++i) {
            const panel_node& n = shape_.nodes[loops.nodes[i]];
            const dim_t steps = divide_up(n.extent, n.panel);
            index_[loops.nodes[i]] = before % steps * n.panel;
            before /= steps;
        }
        run_loops(loops.nodes, loops.together, part.end - part.begin);
    }

private:
    const values_plan& plan_;
    const values_panels& panels_;
    const panel_shape& shape_;
    const dim_t* const reach_;
    const bool* const limited_;
    const std::byte* in_;
    std::byte* out_;
    row_converter<Number> convert_;
    sums_in_place sums_;
    bool has_sums_, has_places_;
    bool values_end_ = false;  ///< whether what is converted passes ends of arrays
    const panel_mover* mover_ = &panels_.mover;
    std::optional<panel_mover> own_mover_;  ///< a copy, where panels differ in more than where the buffer goes
    dim_t index_[max_panel_nodes]{};
    static constexpr dim_t no_places[value_arrays]{};
    // Of the panel: what is left of each axis, and the places of its first element.
    dim_t valid_[max_panel_nodes], stored_[max_panel_nodes];
    dim_t places_[value_arrays]{};
    alignas(64) std::byte buffer_[buffer_bytes];
    std::optional<streamed_rows> streamed_;  ///< where the destination is too large for a cache

    /// Panels along loops, the first fastest, until those behind the first `together` have made so many steps.
    void run_loops(const inline_list<int, max_panel_nodes>& loops, int together, dim_t steps) {
        while (steps > 0) {
            run_panel();
            int i = 0;
            for (; i < loops.size(); ++i) {
                const int k = loops[i];
                index_[k] += shape_.nodes[k].panel;
                if (index_[k] < shape_.nodes[k].extent) break;
                index_[k] = 0;
            }
            if (i >= together) --steps;
        }
        if (streamed_) plan_.how.rows->finish_streams();
    }
    void run_panel() {
        for (int a = 0; a < shape_.limits.size(); ++a) {
            valid_[a] = shape_.limits[a].valid;
            stored_[a] = shape_.limits[a].stored;
        }
        for (const int k : panels_.order) {
            const panel_node& n = shape_.nodes[k];
            valid_[n.axis] -= index_[k] * n.weight;
            stored_[n.axis] -= index_[k] * n.weight;
        }
        bool whole = true, empty = false;
        for (int a = 0; a < shape_.limits.size(); ++a) {
            if (stored_[a] <= 0) return;
            empty = empty || valid_[a] <= 0;
            whole = whole && valid_[a] >= reach_[a];
        }
        // Only now, as what is not stored has no place in the destination, and padding none in the source.
        dim_t src = empty ? 0 : shape_.src_offset, dst = shape_.dst_offset;
        if (has_places_)
            for (dim_t& place : places_) place = 0;
        for (const int k : panels_.order) {
            const panel_node& n = shape_.nodes[k];
            if (!empty) src += index_[k] * n.src;
            dst += index_[k] * n.dst;
            for (int i = 0; has_places_ && i < value_arrays; ++i) places_[i] += index_[k] * n.places[i];
            for (const step_carry& carry : shape_.carries)
                if (n.carries && carry.axis == n.axis) {
                    if (!empty) src += index_[k] / carry.period * carry.src;
                    dst += index_[k] / carry.period * carry.dst;
                }
        }
        run_panel(src, dst, whole, empty);
    }
    void run_panel(dim_t src, dim_t dst, bool whole, bool empty) {
        const std::byte* const from = in_ + src * plan_.how.src_bytes;
        std::byte* const to = out_ + dst * plan_.how.dst_bytes;
        if (shape_.side == panel_side::both) {
            convert_rows(from, to, true, true, whole);
        } else if (!whole && !has_sums_ && may_convert_whole(panels_, plan_.how, valid_, stored_, src)) {
            run_whole(from, to, src, dst, empty);
        } else if (shape_.side == panel_side::source) {
            // With zeros where nothing is valid, the move need not know: tiles are whole more often.
            if (!whole) std::memset(buffer_, 0, static_cast<std::size_t>(shape_.volume() * plan_.how.dst_bytes));
            if (!empty) convert_rows(from, buffer_, true, false, whole);
            move(0, dst, buffer_, out_);
        } else {
            if (!empty) move(src, 0, in_, buffer_);
            convert_rows(buffer_, to, false, true, whole);
        }
    }
    /// A panel that passes an end, as if it did not: rows that ends cut off are short, often of two elements. Of what
    /// was converted for nothing zeros are left.
    void run_whole(const std::byte* from, std::byte* to, dim_t src, dim_t dst, bool empty) {
        values_end_ = plan_.how.has_arrays();
        if (shape_.side == panel_side::source) {
            convert_rows(from, buffer_, true, false, true);
            zero_beyond(panels_, valid_, stored_, plan_.how.dst_bytes, buffer_, true);
            move(0, dst, buffer_, out_);
        } else {
            std::memset(buffer_, 0, static_cast<std::size_t>(shape_.volume() * plan_.how.src_bytes));
            if (!empty) move(src, 0, in_, buffer_);
            convert_rows(buffer_, to, false, true, true);
            if (!plan_.how.keeps_zero()) zero_beyond(panels_, valid_, stored_, plan_.how.dst_bytes, to, false);
        }
        values_end_ = false;
    }
    /// Moves the panel; what lies beyond its ends is someone else's.
    void move(dim_t src, dim_t dst, const std::byte* from, std::byte* to) {
        if (own_mover_) aim_mover(panels_, own_mover_->plan, src, valid_, stored_);
        (*mover_)(from, to + dst * (shape_.side == panel_side::source ? plan_.how.dst_bytes : plan_.how.src_bytes));
    }

    /// The rows of a panel, from one side or the buffer to the other. What lies beyond an end, and is stored, is zero.
    void convert_rows(const std::byte* from, std::byte* to, bool from_source, bool to_destination, bool whole) {
        const panel_row& row = whole ? panels_.whole : panels_.part;
        row_loop loops[max_panel_nodes];
        // Where much is padding, all is zeroed first, in longer runs.
        const bool zeroed = to_destination && !whole && plan_.how.attributes.beta == 0 &&
                            zero_panel(panels_, stored_, plan_.how.dst_bytes, to);
        int count = find_row_loops(panels_, plan_.how, row, from_source, to_destination,
                                   whole                       ? nullptr
                                   : to_destination && !zeroed ? stored_
                                                               : valid_,
                                   loops);
        if (count < 0) return;
        const bool complete =
            whole || ((!to_destination || zeroed) && are_complete(panels_, valid_, loops, count, row));
        const bool tracks = !complete || values_end_;
        const bool streams = to_destination && streamed_.has_value() && !values_end_;
        const dim_t batch = put_rows_first(panels_, row, loops, count, streams ? plan_.how.dst_bytes : 0);
        dim_t at[max_panel_nodes], left[max_panel_nodes], places[value_arrays]{}, row_places[value_arrays]{};
        for (int a = 0; tracks && a < shape_.limits.size(); ++a) at[a] = 0;
        for (int i = 0; has_places_ && i < value_arrays; ++i) {
            places[i] = places_[i];
            if (count > 0) row_places[i] = loops[0].places[i] * loops[0].steps;
        }
        row_block block;
        if (count > 0) {
            block.from_step = loops[0].from;
            block.to_step = loops[0].to;
        }
        if (!has_sums_) take_repeats(block, panels_, loops, count, !complete);
        place_of_rows where{places, shape_.nodes.values, row.nodes, row_places};
        where.axes = shape_.limits.size();
        if (values_end_) where.left = left;
        if (count > 0) where.axis = loops[0].axis, where.weight = loops[0].weight;
        for (;;) {
            const dim_t rows_left = count > 0 ? loops[0].extent - loops[0].index : 1;
            dim_t taken = batch < rows_left ? batch : rows_left;
            part_of_rows part{row.length, row.length};
            if (!complete) clip_rows(panels_, valid_, stored_, part, taken, row, count > 0 ? &loops[0] : nullptr, at);
            block.count = part.valid;
            block.rows = taken;
            if (to_destination && !zeroed && part.valid < part.stored)
                zero_padding(to, block, part, plan_.how.dst_bytes);
            for (int a = 0; values_end_ && a < shape_.limits.size(); ++a) left[a] = valid_[a] - at[a];
            if (part.valid > 0) {
                if (streams && streamed_rows::run_bytes(block, plan_.how.dst_bytes) >= least_streamed_row)
                    stream_block(from, to, block, row, places, row_places);
                else convert_block(from, to, block, where);
            }
            int k = 0;
            for (; k < count; ++k) {
                row_loop& loop = loops[k];
                loop.index += taken;
                const bool more = loop.index < loop.extent;
                const dim_t steps = more ? taken : taken - loop.extent;
                from += steps * loop.from;
                to += steps * loop.to;
                if (tracks) at[loop.axis] += steps * loop.weight;
                for (int i = 0; has_places_ && i < value_arrays; ++i) places[i] += steps * loop.steps * loop.places[i];
                if (more) break;
                loop.index = 0;
                taken = 1;
            }
            if (k == count) return;
        }
    }
    void convert_block(const std::byte* from, std::byte* to, const row_block& block, const place_of_rows& where) {
        convert_(from, to, block, where);
        if (has_sums_)
            sums_.add(to, block, where.places, where.row_nodes > 0 ? where.nodes[0].places : no_places,
                      where.row_places);
    }
    /// The same, past the cache.
    void stream_block(const std::byte* from, std::byte* to, const row_block& block, const panel_row& row,
                      const dim_t* places, const dim_t* row_places) {
        const panel_node* const nodes = shape_.nodes.values;
        bool differs_in_row = false;  // then it has at most most_values_of_a_row, and stays whole
        for (int k = 0; k < row.nodes; ++k) differs_in_row = differs_in_row || nodes[k].has_values();
        const auto convert = [&](const std::byte* x, std::byte* y, const row_block& piece_of_rows, dim_t first_row,
                                 dim_t first_element) {
            dim_t here[value_arrays];
            for (int i = 0; has_places_ && i < value_arrays; ++i)
                here[i] =
                    places[i] + first_row * row_places[i] + (row.nodes > 0 ? first_element * nodes[0].places[i] : 0);
            convert_block(x, y, piece_of_rows, {here, nodes, row.nodes, row_places});
        };
        (*streamed_)(*plan_.how.rows, from, to, block, plan_.how.src_bytes, plan_.how.dst_bytes, !differs_in_row,
                     convert);
    }
};

}  // namespace plait
