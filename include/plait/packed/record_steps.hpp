#pragma once
// How far each digit of a record's tag steps the index. A mark gives the step of its digit. The others follow from
// the digits inside: the innermost in memory first, each takes the smallest step that is free.

#include <plait/packed/record_tag.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Brings marks that commute into their canonical order, for each field: ranges, fixed digits, loops, shared digits.
constexpr void sort_marks(record_tag& tag) {
    const auto rank = [](const record_node& n) {
        return n.part == record_part::range    ? 0
               : n.part == record_part::fixed  ? 1
               : n.part == record_part::shared ? 3
                                               : 2;
    };
    const auto comes_before = [&](const record_node& a, const record_node& b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        if (rank(a) == 2) return false;
        return a.axis != b.axis ? a.axis < b.axis : a.step > b.step;
    };
    for (int i = 0, begin = 0; i < tag.nodes.size(); ++i) {
        const record_node n = tag.nodes[i];
        if (n.part == record_part::field) begin = i + 1;
        if (begin == 0 || i <= begin) continue;
        if (n.part == record_part::end) begin = 0;
        int at = i;
        for (; begin > 0 && at > begin && comes_before(n, tag.nodes[at - 1]); --at) tag.nodes[at] = tag.nodes[at - 1];
        tag.nodes[at] = n;
    }
}

/// Finds the steps of all digits of a tag: once for each field, along the path of loops that leads to it.
class step_resolver {
public:
    constexpr explicit step_resolver(record_tag& tag) : tag_(tag) {}

    constexpr verdict resolve() {
        if (const verdict why = walk(); !why.ok()) return why;
        if (!no_block_.ok()) return no_block_;
        if (const verdict why = check_first_digits(); !why.ok()) return why;
        forget_cases();
        sort_marks(tag_);
        has_steps_ = true;
        return walk();
    }

private:
    /// Goes to each field along the path of loops and marks that leads to it.
    constexpr verdict walk() {
        int groups[max_record_nodes]{};  // for each open group, how long the path was before its loops
        int depth = 0, pending = 0;
        length_ = 0;
        for (int i = 0; i < tag_.nodes.size(); ++i) {
            const record_part part = tag_.nodes[i].part;
            if (part == record_part::open) {
                groups[depth++] = length_ - pending;
                pending = 0;
            } else if (part == record_part::close) {
                length_ = groups[--depth];
            } else if (part == record_part::field) {
                const int outside = length_;
                field_ = i;
                for (++i; tag_.nodes[i].part != record_part::end; ++i) path_[length_++] = i;
                if (const verdict why = visit_path(); !why.ok()) return why;
                length_ = outside;
            } else if (part == record_part::loop) {
                path_[length_++] = i;
                ++pending;
            }
        }
        return {};
    }

    /// Checks that the digits that sums take first end at numbers which products and quotients may be made of.
    constexpr verdict check_first_digits() const {
        for (const record_field& field : tag_.fields)
            for (int i = 0; i < field.content.first_digits.size(); ++i) {
                const inner_block& digit = field.content.first_digits[i];
                const dim_t step = field.content.first_step(i);
                if (step < 1 || step > farthest / digit.size)
                    return {reason::size_overflows, digit.axis, larger_of(step, 1), digit.size};
            }
        return {};
    }

    /// Finds the steps of the digits on a path, or, once they are known, the marks that they need.
    constexpr verdict visit_path() {
        for (int axis = 0; has_steps_ && axis < tag_.ndims(); ++axis) find_marks(axis);
        if (has_steps_) return {};
        for (int axis = 0; axis < tag_.ndims(); ++axis)
            if (const verdict why = resolve_axis(axis); !why.ok()) return why;
        for (int k = 0; k < length_; ++k)
            if (const verdict why = check_turn(tag_.nodes[path_[k]]); !why.ok()) return why;
        return {};
    }

    constexpr bool is_digit(int node, int axis) const {
        const record_node& n = tag_.nodes[node];
        return n.axis == axis && n.extent > 0 && n.part != record_part::range;
    }

    /// Gathers the digits of one axis along the path, the innermost first, and the loop over all of it.
    constexpr verdict gather(int axis) {
        count_ = 0;
        whole_ = -1;
        for (int k = length_ - 1; k >= 0; --k) {
            const record_node& n = tag_.nodes[path_[k]];
            if (is_digit(path_[k], axis)) {
                digits_[count_] = path_[k];
                used_[count_++] = false;
            } else if (n.axis == axis && n.part != record_part::range) {
                if (whole_ >= 0) return {reason::record_axis_is_doubled, -1, tag_.nodes[whole_].column, letter(axis)};
                whole_ = path_[k];
            }
        }
        if (whole_ >= 0) return {};
        const bool has_digits = count_ > 0;
        const int loop = has_digits ? letter(axis) - 'a' + 'A' : letter(axis);
        return {reason::record_axis_is_missing, -1, tag_.nodes[field_].column, loop, named(field_, axis)};
    }
    constexpr char letter(int axis) const { return tag_.axes[axis]; }
    /// Returns the name of a field, and the letter of an axis, as one number of a verdict.
    constexpr dim_t named(int field, int axis) const {
        return name_and_letter(tag_.fields[tag_.nodes[field].field].name, letter(axis));
    }

    constexpr verdict resolve_axis(int axis) {
        if (const verdict why = gather(axis); !why.ok()) return why;
        step_ = 1;
        reached_ = 0;
        for (int k = 0; k < count_; ++k) {
            if (tag_.nodes[digits_[k]].marked) continue;
            if (const verdict why = place_marked(); !why.ok()) return why;
            if (const verdict why = place(k); !why.ok()) return why;
        }
        if (const verdict why = place_marked(); !why.ok()) return why;
        for (int k = 0; k < count_; ++k)
            if (!used_[k]) return not_reached(digits_[k]);
        for (int k = 0; k < count_; ++k) {
            const record_node& n = tag_.nodes[digits_[k]];
            // A last block that is shorter has no digits of its own.
            if (n.part == record_part::ragged && count_ != 1)
                return {reason::ragged_loop_is_not_outermost, -1, n.column};
        }
        return set_step(whole_, step_);
    }

    /// Places the marked digits that have the step that is reached.
    constexpr verdict place_marked() {
        for (int k = 0; k < count_; ++k)
            if (!used_[k] && tag_.nodes[digits_[k]].marked && tag_.nodes[digits_[k]].step == step_) {
                if (const verdict why = place(k); !why.ok()) return why;
                k = -1;
            }
        return {};
    }
    constexpr verdict place(int k) {
        const int node = digits_[k];
        used_[k] = true;
        reached_steps_[reached_++] = step_;
        const dim_t step = step_;
        if (multiply_overflows(step_, tag_.nodes[node].extent, step_) || step_ > farthest)
            return {reason::size_overflows, -1, step, tag_.nodes[node].extent};
        return set_step(node, step);
    }

    /// Sets the step of a node, or compares it with that which another field gave to it.
    constexpr verdict set_step(int node, dim_t step) {
        record_node& n = tag_.nodes[node];
        const bool is_letter = n.extent == 0 && n.part == record_part::loop;
        if (is_letter && n.value == 0 && step > 1)
            return {reason::tag_blocked_axis_is_not_upper_case, -1, n.column, tag_.nodes[field_].column};
        if (resolved_by_[node] != 0 && n.step != step) {
            if (n.step == 1) return no_digit(resolved_by_[node], node, step);
            if (step == 1) return no_digit(field_, node, n.step);
            return {reason::loops_differ, -1, n.column, n.step, step};
        }
        if (resolved_by_[node] == 0) resolved_by_[node] = field_;
        n.step = step;
        // A later field may have a block, and then the one without a block is wrong, not the letter.
        if (is_letter && n.value != 0 && step == 1 && no_block_.ok())
            no_block_ = {reason::tag_upper_case_axis_has_no_block, -1, n.column};
        return {};
    }
    /// Refuses a field that has no digit inside of a loop in which other fields have a block.
    constexpr verdict no_digit(int field, int loop, dim_t block) const {
        const int axis = tag_.nodes[loop].axis;
        return {reason::share_is_missing, axis, tag_.nodes[field].column, block, named(field, axis)};
    }

    /// Returns the smallest step of the marked loops around a field that has no digits of its own.
    constexpr dim_t least_step_around() const {
        dim_t least = 0;
        for (int k = 0; k < count_; ++k)
            if (const dim_t step = tag_.nodes[digits_[k]].step; least == 0 || step < least) least = step;
        return least;
    }
    constexpr verdict not_reached(int node) const {
        const record_node& n = tag_.nodes[node];
        if (node < field_ && step_ == 1) return no_digit(field_, node, least_step_around());
        dim_t below = 1, above = 0;
        for (int i = 0; i <= reached_; ++i) {
            const dim_t step = i < reached_ ? reached_steps_[i] : step_;
            if (step <= n.step && step > below) below = step;
            if (step > n.step && (above == 0 || step < above)) above = step;
        }
        return {reason::step_is_not_reached, n.axis, n.column, below, above};
    }

    /// Checks that the digits of the axis that turns a digit, as far as they are not the loop over its blocks, are a
    /// multiple of what is turned, and have a place each.
    constexpr verdict check_turn(const record_node& n) const {
        if (n.part != record_part::loop || n.turned_by < 0) return {};
        dim_t block = 1;
        bool is_shared = false;
        for (int k = 0; k < length_; ++k) {
            const record_node& by = tag_.nodes[path_[k]];
            if (by.axis != n.turned_by) continue;
            is_shared = is_shared || by.part == record_part::shared;
            if (by.part != record_part::fixed && is_digit(path_[k], n.turned_by)) block *= by.extent;
        }
        if (is_shared) block = 1;  // one value for all, which would lie in several slots
        if (block % n.extent == 0) return {};
        return {reason::digit_does_not_turn, n.axis, n.column, n.extent, block};
    }

    /// Removes all marks, and the case of letters, which follow from the steps.
    constexpr void forget_cases() {
        for (record_field& f : tag_.fields) {
            field_content& c = f.content;
            inline_list<dim_t, max_sum_digits> steps;
            for (int i = 0; i < c.first_steps.size(); ++i) steps.push_back(c.first_step(i));
            c.first_steps = steps;
            for (int i = 0; i < steps.size(); ++i) {
                c.first_steps[i] = 0;
                for (int k = 0; k < steps.size(); ++k)
                    if (c.first_step(k) != steps[k]) c.first_steps[i] = steps[i];
            }
        }
        for (record_node& n : tag_.nodes) {
            n.marked = n.part == record_part::fixed;
            if (n.part == record_part::loop) n.value = 0;
        }
    }

    /// Marks the fewest digits of an axis from which the rule finds the steps of all: the others step further from the
    /// inside out. If several sets are smallest, the digits with the least steps have no mark.
    constexpr void find_marks(int axis) {
        if (!gather(axis).ok()) return;
        int rows[max_record_nodes]{}, inside[max_record_nodes]{};  // the longest row that ends with a digit
        int last = -1;
        const auto step_of = [this](int k) { return tag_.nodes[digits_[k]].step; };
        const auto is_better = [&](int k, int than) {
            return than < 0 || rows[k] > rows[than] || (rows[k] == rows[than] && step_of(k) < step_of(than));
        };
        for (int k = 0; k < count_; ++k) {
            if (tag_.nodes[digits_[k]].part == record_part::fixed) continue;
            inside[k] = -1;
            for (int j = 0; j < k; ++j)
                if (rows[j] > 0 && step_of(j) < step_of(k) && is_better(j, inside[k])) inside[k] = j;
            rows[k] = 1 + (inside[k] < 0 ? 0 : rows[inside[k]]);
            if (is_better(k, last)) last = k;
        }
        for (int k = count_ - 1; k >= 0; --k) {
            if (k == last) last = inside[k];
            else tag_.nodes[digits_[k]].marked = true;
        }
    }

    static constexpr dim_t farthest = dim_t{1} << 58;  // that a digit may end at

    record_tag& tag_;
    int path_[max_record_nodes]{}, length_ = 0, field_ = 0;
    int digits_[max_record_nodes]{}, count_ = 0, whole_ = -1;
    bool used_[max_record_nodes]{};
    int resolved_by_[max_record_nodes]{};  // the node of the field that gave a node its step, or 0: the first is a loop
    verdict no_block_;
    dim_t reached_steps_[max_record_nodes]{}, step_ = 1;
    int reached_ = 0;
    bool has_steps_ = false;
};

/// Finds the steps of all digits of a tag, and removes marks that say what follows anyway.
///
/// Refused: step_is_not_reached, share_is_missing, loops_differ, record_axis_is_missing, record_axis_is_doubled,
///          digit_does_not_turn
constexpr verdict resolve_steps(record_tag& tag) { return step_resolver(tag).resolve(); }

}  // namespace plait::detail
