#pragma once
// How far each digit of a record's tag steps the index. Marked digits stand where they say; the others fill the places
// between, the innermost in memory first.

#include <plait/packed/record_tag.hpp>

namespace plait::detail {

/// Finds the steps of all digits of a tag: once for each field, along the path of loops that leads to it.
class step_resolver {
public:
    constexpr explicit step_resolver(record_tag& tag) : tag_(tag) {}

    constexpr verdict resolve() {
        int groups[max_record_nodes]{};  // for each open group, how long the path was before its loops
        int depth = 0, pending = 0;
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
                for (int axis = 0; axis < tag_.ndims(); ++axis)
                    if (const verdict why = resolve_axis(axis); !why.ok()) return why;
                for (int k = 0; k < length_; ++k)
                    if (const verdict why = check_turn(tag_.nodes[path_[k]]); !why.ok()) return why;
                length_ = outside;
            } else if (part == record_part::loop) {
                path_[length_++] = i;
                ++pending;
            }
        }
        finish_marks();
        return {};
    }

private:
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
        if (whole_ < 0) return {reason::record_axis_is_missing, -1, tag_.nodes[field_].column, letter(axis)};
        return {};
    }
    constexpr char letter(int axis) const { return tag_.axes[axis]; }

    constexpr verdict resolve_axis(int axis) {
        if (const verdict why = gather(axis); !why.ok()) return why;
        step_ = 1;
        placed_ = reached_ = 0;
        for (int k = 0; k < count_; ++k) {
            if (tag_.nodes[digits_[k]].marked) continue;
            place_marked();
            if (const verdict why = place(k); !why.ok()) return why;
        }
        place_marked();
        for (int k = 0; k < count_; ++k)
            if (!used_[k]) return not_reached(tag_.nodes[digits_[k]]);
        choose_marks();
        return set_step(whole_, step_);
    }

    /// Chooses the digits of an axis that need no mark: the most whose steps grow from the innermost on, and of several
    /// such choices the one with the smallest steps. Equal tags then have equal marks, whatever was marked in the text.
    constexpr void choose_marks() {
        int most[max_record_nodes]{};  // how many digits need no mark from this one on
        for (int k = count_ - 1; k >= 0; --k) {
            const record_node& n = tag_.nodes[digits_[k]];
            if (n.part == record_part::fixed) continue;  // has a mark always
            for (int j = k + 1; j < count_; ++j)
                if (most[j] > most[k] && step_of(j) > step_of(k)) most[k] = most[j];
            most[k] += n.part == record_part::ragged ? max_record_nodes : 1;  // has no mark ever
        }
        int last = -1, left = 0;
        for (int k = 0; k < count_; ++k) left = most[k] > left ? most[k] : left;
        for (int k = 0; k < count_; ++k) needed_[digits_[k]] = needed_[digits_[k]] || most[k] == 0;
        while (left > 0) {
            int next = -1;
            for (int k = last + 1; k < count_; ++k)
                if (most[k] == left && (last < 0 || step_of(k) > step_of(last)) &&
                    (next < 0 || step_of(k) < step_of(next)))
                    next = k;
            for (int k = last + 1; k < next; ++k) needed_[digits_[k]] = true;
            left -= tag_.nodes[digits_[next]].part == record_part::ragged ? max_record_nodes : 1;
            last = next;
        }
        for (int k = last + 1; k < count_; ++k) needed_[digits_[k]] = true;
    }
    constexpr dim_t step_of(int k) const { return tag_.nodes[digits_[k]].step; }

    /// Places the marked digits that have the step that is reached.
    constexpr void place_marked() {
        for (int k = 0; k < count_; ++k)
            if (!used_[k] && tag_.nodes[digits_[k]].marked && tag_.nodes[digits_[k]].step == step_) {
                if (!place(k).ok()) return;
                k = -1;
            }
    }
    constexpr verdict place(int k) {
        const int node = digits_[k];
        used_[k] = true;
        ++placed_;
        reached_steps_[reached_++] = step_;
        const dim_t step = step_;
        if (multiply_overflows(step_, tag_.nodes[node].extent, step_) || step_ > dim_t{1} << 58)
            return {reason::size_overflows, -1, step, tag_.nodes[node].extent};
        return set_step(node, step);
    }

    /// Sets the step of a node, or compares it with that which another field gave to it.
    constexpr verdict set_step(int node, dim_t step) {
        record_node& n = tag_.nodes[node];
        if (resolved_[node] && n.step != step) return {reason::loops_differ, -1, n.column, n.step, step};
        resolved_[node] = true;
        n.step = step;
        if (n.extent > 0 || n.part != record_part::loop) return {};
        if (n.value != 0 && step == 1) return {reason::tag_upper_case_axis_has_no_block, -1, n.column};
        if (n.value == 0 && step > 1)
            return {reason::tag_blocked_axis_is_not_upper_case, -1, n.column, tag_.nodes[field_].column};
        return {};
    }

    constexpr verdict not_reached(const record_node& n) const {
        dim_t below = 1, above = 0;
        for (int i = 0; i <= reached_; ++i) {
            const dim_t step = i < reached_ ? reached_steps_[i] : step_;
            if (step <= n.step && step > below) below = step;
            if (step > n.step && (above == 0 || step < above)) above = step;
        }
        return {reason::step_is_not_reached, n.axis, n.column, below, above};
    }

    /// Checks that the digits of the axis that turns a digit, as far as they are not the loop over its blocks, are a
    /// multiple of what is turned.
    constexpr verdict check_turn(const record_node& n) const {
        if (n.part != record_part::loop || n.turned_by < 0) return {};
        dim_t block = 1;
        for (int k = 0; k < length_; ++k)
            if (is_digit(path_[k], n.turned_by)) block *= tag_.nodes[path_[k]].extent;
        if (block % n.extent == 0) return {};
        return {reason::digit_does_not_turn, n.axis, n.column, n.extent, block};
    }

    /// Removes the marks that the rule gives anyway, and the case of letters, which follows from the steps.
    constexpr void finish_marks() {
        for (int i = 0; i < tag_.nodes.size(); ++i) {
            record_node& n = tag_.nodes[i];
            if (n.extent > 0 && (n.part == record_part::loop || n.part == record_part::shared)) n.marked = needed_[i];
            if (n.part == record_part::loop) n.value = 0;
        }
    }

    record_tag& tag_;
    int path_[max_record_nodes]{}, length_ = 0, field_ = 0;
    int digits_[max_record_nodes]{}, count_ = 0, whole_ = -1, placed_ = 0;
    bool used_[max_record_nodes]{}, resolved_[max_record_nodes]{}, needed_[max_record_nodes]{};
    dim_t reached_steps_[max_record_nodes]{}, step_ = 1;
    int reached_ = 0;
};

/// Finds the steps of all digits of a tag, and removes marks that say what follows anyway.
///
/// Refused: step_is_not_reached, loops_differ, record_axis_is_missing, record_axis_is_doubled, digit_does_not_turn
constexpr verdict resolve_steps(record_tag& tag) { return step_resolver(tag).resolve(); }

}  // namespace plait::detail
