#pragma once
// What the trials of a planned reorder have decided, as text. Compiled once in a program, by
// plait/implementation/plans.hpp.
//
// Example: "plait-choice 1 avx512 f32 f32 1f3b0a5c24c09d77 3/11": the version of the text, the instruction set, the types
// of both sides, a hash of the plan, and the order with number 3 of 11. If the orders or plans of plait change, so do
// their number or the hash; if they change and neither does, the version has to.

#include <plait/algebra/hash.hpp>
#include <plait/reorder/plan_reorder.hpp>
#include <plait/support/number_hash.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A hash of what a plan moves from where to where, which is the same in every run.
class plan_hash : public number_hash {
public:
    using number_hash::add;
    using number_hash::number_hash;

    void add(const layout& l) { add(static_cast<dim_t>(hash_of(l))); }
    void add(const reorder_plan& plan) {
        add_all(plan.src_offset, plan.dst_offset, plan.elements, plan.src_end, plan.sizes.src, plan.sizes.dst);
        const tile_pattern& pattern = plan.pattern;
        add_all(pattern.lane_bits, pattern.register_bits, pattern.interleave, pattern.half_bytes, plan.staged_from);
        for (const tile_bit& bit : plan.bits) add_all(bit.src, bit.dst, bit.index_step, bit.axis);
        add_all(plan.interleaved.src, plan.interleaved.dst, plan.loops.size());
        for (const plan_loop& loop : plan.loops) add_all(loop.extent, loop.src, loop.dst, loop.overlap, loop.bound);
        for (const uneven_step& step : plan.uneven_steps) add_all(step.axis, step.period, step.src, step.dst);
        for (const plan_bound& bound : plan.bounds) add_all(bound.valid, bound.stored);
    }
    void add(const planned_tiles& move) { add(move.plan); }
    void add(const element_move& move) {
        add(move.src);
        add(move.dst);
    }
    void add(const packed_move& move) {
        add(move.tiles);
        add(move.rest);
    }
    void add(const converting_reorder& move) {
        if (!move.has_cache_blocks) {
            add(move.layouts.src);
            add(move.layouts.dst);
            return;
        }
        const cache_block_shape& shape = move.blocks.shape;
        add_all(shape.src_offset, shape.dst_offset, static_cast<dim_t>(shape.side), shape.nodes.size());
        for (const cache_block_node& n : shape.nodes) add_all(n.axis, n.extent, n.src, n.dst, n.block_steps);
        for (const axis_bound& bound : shape.bounds) add_all(bound.valid, bound.stored);
        for (const uneven_step& step : shape.uneven_steps) add_all(step.axis, step.period, step.src, step.dst);
    }

private:
    template <class... Numbers>
    void add_all(const Numbers&... numbers) {
        (add(static_cast<dim_t>(numbers)), ...);
    }
};

template <class Move>
int reorder_planner::functions_of<Move>::orders(const void* p, std::uint64_t& hash) noexcept {
    const for_all_units::of_another_unit caller;
    plan_hash of_plan(hash);
    of_plan.add(of(p));
    hash = of_plan.value();
    if constexpr (has_trials) return of(p).number_of_orders();
    else return 1;
}

/// The words that a plan's choice begins with, and the number of its orders.
struct choice_words {
    static constexpr const char* name = "plait-choice";
    static constexpr int version = 1;

    const char *instructions, *src_type, *dst_type;
    char hash[17]{};
    int orders = 1;
};

inline choice_words reorder_planner::words_of(const planned_reorder& planned) {
    choice_words out{to_string(planned.instructions_), to_string(planned.src_type_), to_string(planned.dst_type_)};
    plan_hash sizes(0);
    sizes.add(static_cast<dim_t>(planned.src_bytes_));
    sizes.add(static_cast<dim_t>(planned.dst_bytes_));
    std::uint64_t hash = sizes.value();
    if (planned.move_ != nullptr) out.orders = planned.move_->orders(&planned, hash);
    for (int digit = 0; digit < 16; ++digit) out.hash[digit] = "0123456789abcdef"[hash >> (60 - 4 * digit) & 15];
    return out;
}

inline void reorder_planner::choice(inline_text<96>& out, const planned_reorder& planned) noexcept {
    if (!planned.is_planned_) return;
    const choice_words words = words_of(planned);
    const order_trials trials = planned.trials_;  // what other threads change meanwhile is not in the text
    (out += choice_words::name) += ' ';
    out += dim_t{choice_words::version};
    const char* const all[] = {words.instructions, words.src_type, words.dst_type, words.hash};
    for (const char* const word : all) (out += ' ') += word;
    out += ' ';
    if (words.orders == 1) out += '0';
    else if (trials.is_decided()) out += static_cast<dim_t>(trials.fastest());
    else out += '?';
    (out += '/') += static_cast<dim_t>(words.orders);
}

/// Reads a choice, word by word.
class choice_reader {
public:
    explicit choice_reader(std::string_view text) : left_(text) {}

    verdict malformed() const { return {reason::choice_is_malformed, -1, column_}; }
    verdict differs(descriptor_part part) const {
        return {reason::choice_does_not_fit, -1, column_, 0, static_cast<dim_t>(part)};
    }
    /// Takes the text up to the next `end`, and `end` itself; false if it is not there.
    bool take(std::string_view& word, char end) {
        const std::size_t size = left_.find(end);
        column_ = next_column_;
        if (size == std::string_view::npos) return false;
        word = left_.substr(0, size);
        left_.remove_prefix(size + 1);
        next_column_ += static_cast<dim_t>(size) + 1;
        return true;
    }
    /// Takes what is left.
    std::string_view rest() {
        column_ = next_column_;
        return left_;
    }
    /// Reads a number of up to three digits, as they are written without a need; -1 if it is none.
    static int number(std::string_view word) {
        if (word.empty() || word.size() > 3 || (word[0] == '0' && word.size() > 1)) return -1;
        int out = 0;
        for (const char c : word) {
            if (c < '0' || c > '9') return -1;
            out = out * 10 + (c - '0');
        }
        return out;
    }

private:
    std::string_view left_;
    dim_t column_ = 1, next_column_ = 1;  ///< of the last word, and of what is left
};

inline verdict reorder_planner::set_choice(planned_reorder& planned, std::string_view text) noexcept {
    if (!planned.is_planned_) return planned.refuse_unplanned();
    const choice_words words = words_of(planned);
    choice_reader reader(text);
    std::string_view word;
    if (!reader.take(word, ' ') || word != choice_words::name) return reader.malformed();
    using enum descriptor_part;
    if (!reader.take(word, ' ') || choice_reader::number(word) < 0) return reader.malformed();
    if (choice_reader::number(word) != choice_words::version) return reader.differs(choice_version);
    const struct {
        const char* wanted;
        descriptor_part part;
    } all[] = {{words.instructions, choice_instructions},
               {words.src_type, choice_source_type},
               {words.dst_type, choice_destination_type},
               {words.hash, choice_layouts}};
    for (const auto& [wanted, part] : all) {
        if (!reader.take(word, ' ')) return reader.malformed();
        if (word != wanted) return reader.differs(part);
    }
    if (!reader.take(word, '/')) return reader.malformed();
    const bool is_open = word == "?";
    const int order = is_open ? 0 : choice_reader::number(word);
    if (order < 0) return reader.malformed();
    const verdict order_is_none = reader.malformed();
    const int orders = choice_reader::number(reader.rest());
    if (orders < 1) return reader.malformed();
    if (orders != words.orders) return reader.differs(choice_orders);
    if (order >= orders || (is_open && orders == 1)) return order_is_none;
    if (!is_open) planned.trials_.decide(order);
    return {};
}

}  // namespace plait::engine

namespace plait::for_all_units::reorders {

void once::choice(types, void* out, const void* planned) noexcept {
    const of_another_unit caller;
    engine::reorder_planner::choice(*static_cast<inline_text<96>*>(out), *static_cast<const planned_reorder*>(planned));
}
void once::set_choice(types, void* planned, void* why, const char* text, unsigned long long size) noexcept {
    const of_another_unit caller;
    *static_cast<verdict*>(why) = engine::reorder_planner::set_choice(*static_cast<planned_reorder*>(planned),
                                                                      {text, static_cast<std::size_t>(size)});
}

}  // namespace plait::for_all_units::reorders
