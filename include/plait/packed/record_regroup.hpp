#pragma once
// The tag of a record with other axes: relabelled, one split in two, two joined to one. The places stay.

#include <plait/packed/record.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Writes the nodes of a tag again, for other axes.
class tag_rewriter {
public:
    constexpr explicit tag_rewriter(const record& r) : r_(r) { out_.fields = r.tag.fields; }

    /// Returns the tag whose axis p[i] is axis i.
    constexpr expected<record_tag> permuted(const permutation& p) {
        for (int i = 0; i < p.size(); ++i) to_[i] = static_cast<int>(p[i]);
        const permutation from = inverse_permutation(p);
        for (const dim_t axis : from) out_.axes += r_.tag.axes[static_cast<int>(axis)];
        for (const record_node& n : r_.tag.nodes) add(relabelled(n));
        for (record_field& f : out_.fields) relabel(f);
        return finish();
    }

    /// Returns the tag without an axis that has one place, or one loop around all fields.
    constexpr expected<record_tag> without(int axis) {
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = a < axis ? a : a - 1;
            if (a != axis) out_.axes += r_.tag.axes[a];
        }
        for (const record_node& n : r_.tag.nodes)
            if (n.axis != axis) add(relabelled(n));
        for (record_field& f : out_.fields) {
            for (const auto axes : padded_axes) f.*axes &= ~(1u << axis);
            for (int i = f.content.first_digits.size() - 1; i >= 0; --i)
                if (f.content.first_digits[i].axis == axis) {
                    f.content.first_digits.erase(i);
                    f.content.first_steps.erase(i);
                }
            relabel(f);
        }
        return finish();
    }

    /// Returns the tag in which `axis` is two axes, the second of extent `inside`. The first has a letter of its own.
    constexpr expected<record_tag> split(int axis, dim_t inside) {
        to_[outer_of_split] = axis;
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = a < axis ? a : a + 1;
            if (a == axis) out_.axes += unused_letter();
            out_.axes += r_.tag.axes[a];
        }
        for (const record_node& n : r_.tag.nodes) {
            begin(n);
            if (n.axis == axis) split_node(n, axis, inside);
            else add(relabelled(n));
            if (n.turned_by != axis || inside % n.extent == 0) continue;
            return refuse(axis, n.extent, inside);
        }
        for (record_field& f : out_.fields) {
            split_sum(f, axis, inside);
            relabel(f);
            // Only the outer part is padded.
            for (const auto axes : padded_axes)
                if ((f.*axes >> (axis + 1) & 1) != 0) f.*axes ^= 3u << axis;
        }
        return finish();
    }

    /// Returns the tag in which `axis` and the next one, of extent `inside`, are one axis.
    constexpr expected<record_tag> joined(int axis, dim_t inside) {
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = a <= axis ? a : a - 1;
            if (a != axis) out_.axes += r_.tag.axes[a];
        }
        for (const record_node& n : r_.tag.nodes) {
            begin(n);
            if (n.axis == axis) join_outer(n, inside);
            else if (n.axis == axis + 1) join_inner(n, inside);
            else add(relabelled(n));
            const bool among = n.turned_by >= 0 && to_[n.axis] == to_[n.turned_by];
            const bool turns = n.turned_by == axis + 1 ? inside % n.extent != 0 : n.turned_by == axis && inside > 1;
            if (among || turns) return refuse(n.turned_by, n.extent, 0);
        }
        for (record_field& f : out_.fields) {
            give_steps(f.content);
            for (int i = 0; i < f.content.first_digits.size(); ++i)
                if (f.content.first_digits[i].axis == axis) f.content.first_steps[i] *= inside;
            for (const auto axes : padded_axes) f.*axes &= ~(2u << axis);
            relabel(f);
        }
        return finish();
    }

protected:
    /// The masks of a field for axes whose padding is not zero.
    static constexpr unsigned record_field::*padded_axes[] = {&record_field::repeated_axes, &record_field::valued_axes};

    constexpr expected<record_tag> finish() {
        if (why_.ok()) why_ = resolve_steps(out_);
        forget_zero_padding(out_);
        return {out_, why_};
    }
    constexpr verdict refuse(int axis, dim_t by, dim_t inside) const {
        return {reason::field_is_not_regrouped, axis, short_name(out_.fields[field_].name), by, inside};
    }
    constexpr void stop(const record_node& n, dim_t by, dim_t inside) {
        if (why_.ok()) why_ = refuse(n.axis, by, inside);
    }

    /// Finds the field that a node belongs to: that whose marks it is among, or the first inside the loop.
    constexpr void begin(const record_node& n) {
        if (n.part == record_part::field) field_ = n.field;
        if (n.part == record_part::end) field_ = n.field + 1 < out_.fields.size() ? n.field + 1 : n.field;
    }
    constexpr void add(record_node n) {
        const bool is_digit =
            n.part == record_part::loop || n.part == record_part::shared || n.part == record_part::fixed;
        n.marked = is_digit && n.extent > 0;
        if (n.part == record_part::loop) n.value = n.extent == 0 && n.step > 1;  // the case of the letter
        if (out_.nodes.full()) why_ = {reason::record_is_too_large, -1, n.column, max_record_nodes};
        else out_.nodes.push_back(n);
    }
    constexpr record_node relabelled(record_node n) const {
        if (n.axis >= 0) n.axis = to_[n.axis];
        if (n.turned_by >= 0) n.turned_by = to_[n.turned_by];
        return n;
    }
    constexpr void relabel(record_field& f) const {
        for (const auto axes : padded_axes) {
            unsigned moved = 0;
            for (int a = 0; a < r_.ndims(); ++a)
                if ((f.*axes >> a & 1) != 0) moved |= 1u << to_[a];
            f.*axes = moved;
        }
        for (inner_block& digit : f.content.first_digits) digit.axis = to_[digit.axis];
    }
    constexpr char unused_letter() const {
        char out = 'a';
        const auto is_in = [&](const inline_text<max_ndims>& axes) {
            bool found = false;
            for (int a = 0; a < axes.size(); ++a) found = found || axes[a] == out;
            return found;
        };
        while (is_in(r_.tag.axes) || is_in(out_.axes)) ++out;
        return out;
    }

    /// Adds a part of a digit: `extent` values of it, of which one is `step` indices of the axis.
    constexpr void add_part(record_node n, int axis, dim_t step, dim_t extent, dim_t value) {
        n.axis = axis;
        n.step = step;
        n.extent = extent;
        n.value = value;
        add(n);
    }
    constexpr void split_node(const record_node& from, int axis, dim_t inside) {
        record_node n = relabelled(from);
        n.axis = axis;
        if (from.part == record_part::range) return split_range(n, inside);
        if (from.part == record_part::ragged) return stop(n, n.extent, inside);
        const dim_t step = n.step, end = step * n.extent;
        if (n.extent == 0) {
            if (step < inside ? inside % step != 0 : step % inside != 0) return stop(n, step, inside);
            add_part(n, axis, step < inside ? 1 : step / inside, 0, 0);
            return add_part(n, axis + 1, step < inside ? step : inside, 0, 0);
        }
        if (end <= inside) return add_part(n, axis + 1, step, n.extent, n.value);
        if (step >= inside)
            return step % inside != 0 ? stop(n, step, inside) : add_part(n, axis, step / inside, n.extent, n.value);
        if (inside % step != 0 || end % inside != 0 || n.turned_by >= 0) return stop(n, step, inside);
        const dim_t low = inside / step;
        add_part(n, axis, 1, end / inside, n.value / low);
        add_part(n, axis + 1, step, low, n.value % low);
    }
    constexpr void split_range(record_node n, dim_t inside) {
        if (n.value % inside != 0) return stop(n, n.value, inside);
        if (n.last != range_bound::whole && n.extent % inside != 0) return stop(n, n.extent, inside);
        n.value /= inside;
        n.extent /= inside;
        add(n);
    }
    constexpr void split_sum(record_field& f, int axis, dim_t inside) {
        field_content& c = f.content;
        give_steps(c);
        for (int i = c.first_digits.size() - 1; i >= 0; --i) {
            const dim_t step = c.first_steps[i], end = step * c.first_digits[i].size;
            if (c.first_digits[i].axis != axis || end <= inside) continue;
            const bool nests = step < inside ? inside % step == 0 && end % inside == 0 : step % inside == 0;
            if (!nests || (step < inside && c.first_digits.full())) {
                if (why_.ok()) why_ = {reason::field_is_not_regrouped, axis, short_name(f.name), step, inside};
                return;
            }
            c.first_digits[i] = {outer_of_split, step < inside ? end / inside : c.first_digits[i].size};
            c.first_steps[i] = step < inside ? 1 : step / inside;
            if (step < inside) {
                c.first_digits.push_back({axis, inside / step});
                c.first_steps.push_back(step);
            }
        }
    }
    /// Gives to each digit that is summed first the step that the rule gives to it.
    static constexpr void give_steps(field_content& c) {
        const field_content given = c;
        for (int i = 0; i < c.first_digits.size(); ++i) c.first_steps[i] = given.first_step(i);
    }

    constexpr void join_outer(record_node n, dim_t inside) {
        if (n.part == record_part::ragged && inside > 1) return stop(n, n.extent, 0);
        n = relabelled(n);
        if (n.part == record_part::range) {
            if (multiply_overflows(n.value, inside, n.value) || multiply_overflows(n.extent, inside, n.extent))
                why_ = {reason::size_overflows, n.axis, n.extent, inside};
        } else if (multiply_overflows(n.step, inside, n.step)) {
            why_ = {reason::size_overflows, n.axis, n.step, inside};
        }
        if (n.part == record_part::ragged) n.step = 1;
        add(n);
        outer_ = out_.nodes.size() - 1;
    }
    constexpr void join_inner(const record_node& from, dim_t inside) {
        if (from.part == record_part::range) return stop(from, from.value, 0);
        if (from.part == record_part::ragged) return stop(from, from.extent, 0);
        record_node n = relabelled(from);
        if (n.extent == 0) n.extent = inside / n.step;
        if (n.extent == 1) return;
        const bool follows = outer_ == out_.nodes.size() - 1 && out_.nodes[outer_].part == n.part;
        return follows && continues(out_.nodes[outer_], n) ? merge(out_.nodes[outer_], n) : add(n);
    }
    /// Returns true if a digit of the outer axis counts on where one of the inner axis ends, directly inside it.
    static constexpr bool continues(const record_node& outer, const record_node& n) {
        return outer.step == n.step * n.extent && outer.backwards == n.backwards && outer.turned_by < 0 &&
               n.turned_by < 0;
    }
    static constexpr void merge(record_node& outer, const record_node& n) {
        outer.value = outer.part == record_part::fixed ? outer.value * n.extent + n.value : n.step > 1;
        outer.step = n.step;
        outer.extent *= n.extent;
    }

    static constexpr int outer_of_split = max_ndims;

    const record& r_;
    record_tag out_;
    verdict why_;
    int field_ = 0;
    int outer_ = -1;           // the node that was added last for the outer one of two axes
    int to_[max_ndims + 1]{};  // the new number of each axis
};

}  // namespace plait::detail
