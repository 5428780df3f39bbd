#pragma once
// The canonical text of a record's tag: equal tags have equal texts.

#include <plait/packed/record_tag.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Writes a tag as text.
class record_writer {
public:
    constexpr explicit record_writer(const record_tag& tag) : tag_(tag) {}

    constexpr record_text write() {
        (out_ += tag_.axes.c_str()) += ": ";
        bool first = true;  // of the items of a group
        for (int i = 0; i < tag_.nodes.size(); ++i) {
            const record_node& n = tag_.nodes[i];
            if (n.part == record_part::close) {
                out_ += ')';
                continue;
            }
            if (n.part == record_part::end) continue;
            if (!inside_ && !first && is_item_start(i)) out_ += ", ";
            first = false;
            if (n.part == record_part::open) {
                out_ += '(';
                first = true;
            } else if (n.part == record_part::field) {
                write_field(tag_.fields[n.field]);
                inside_ = true;
                after_letter_ = false;
                for (++i; tag_.nodes[i].part != record_part::end; ++i) write_mark(tag_.nodes[i]);
                inside_ = false;
                write_rest(tag_.fields[n.field]);
            } else if (n.part == record_part::gap || n.part == record_part::align) {
                (out_ += n.part == record_part::gap ? "_:" : "_:%") += n.extent;
            } else {
                write_mark(n);
            }
        }
        return out_;
    }

private:
    /// True if no loop of the same item stands before a node.
    constexpr bool is_item_start(int node) const {
        return node == 0 || tag_.nodes[node].part == record_part::field ||
               tag_.nodes[node - 1].part != record_part::loop;
    }
    constexpr char letter(int axis, bool upper) const {
        return static_cast<char>(upper ? tag_.axes[axis] - 'a' + 'A' : tag_.axes[axis]);
    }

    constexpr void write_field(const record_field& f) {
        out_ += f.name.c_str();
        if (f.low != 0) (out_ += '.') += dim_t{f.low};
        out_ += ':';
        if (f.type == data_type::undef) (out_ += 'u') += dim_t{f.width};
        else out_ += to_string(f.type);
        if (f.flipped != 0) (out_ += '^') += static_cast<std::int64_t>(f.flipped);
        if (f.subtracted != 0) (out_ += '-') += dim_t{f.subtracted};
        if (f.factor != 1) write_real(out_ += '*', f.factor);
    }

    /// Writes what stands for a digit. Letters stand together; anything else has a blank before it, unless it begins an
    /// item.
    constexpr void write_mark(const record_node& n) {
        const bool is_letter = n.part == record_part::loop && n.extent == 0;
        const bool begins = !inside_ && (out_[out_.size() - 1] == '(' || out_[out_.size() - 1] == ' ');
        if (!begins && !(is_letter && after_letter_)) out_ += ' ';
        after_letter_ = is_letter;
        if (n.part == record_part::shared) out_ += '/';
        if (n.part == record_part::ragged) out_ += '<';
        if (n.part == record_part::range) return write_range(n);
        if (n.extent > 0) out_ += n.extent;
        out_ += letter(n.axis, is_letter && n.step > 1);
        if (n.marked) (out_ += '@') += n.step;
        if (n.part == record_part::fixed) (out_ += '=') += n.value;
        if (n.backwards) out_ += '!';
        if (n.turned_by >= 0) (out_ += '-') += letter(n.turned_by, false);
    }

    constexpr void write_range(const record_node& n) {
        (out_ += letter(n.axis, false)) += '[';
        if (n.first == range_bound::multiple) out_ += '%';
        if (n.first == range_bound::multiple || n.value != 0) out_ += n.value;
        out_ += ':';
        if (n.last == range_bound::multiple) out_ += '%';
        if (n.last != range_bound::whole) out_ += n.extent;
        out_ += ']';
    }

    /// Writes the padding and the content of a field.
    constexpr void write_rest(const record_field& f) {
        for (int a = 0; a < tag_.ndims(); ++a) {
            if ((f.repeated_axes >> a & 1) != 0) (out_ += " ~") += letter(a, false);
            if ((f.valued_axes >> a & 1) != 0) (((out_ += " ~") += letter(a, false)) += '=') += f.padding;
        }
        if (f.content.kind == field_content::given) return;
        out_ += f.content.kind == field_content::sum ? " =sum(" : " =+sum(";
        write_summed(f.content);
        if (f.content.times.size() > 0) (out_ += '*') += f.content.times.c_str();
        for (int i = 0; i < f.content.first_digits.size(); ++i) {
            ((out_ += i == 0 ? ';' : ' ') += f.content.first_digits[i].size) +=
                letter(f.content.first_digits[i].axis, false);
            if (f.content.first_steps[i] != 0) (out_ += '@') += f.content.first_steps[i];
        }
        out_ += ')';
        const bool has_parameter = f.content.parameter.size() > 0;
        if (f.content.factor == 1 && !has_parameter) return;
        out_ += '*';
        if (has_parameter && f.content.factor == -1) out_ += '-';
        else if (f.content.factor != 1) write_real(out_, f.content.factor);
        out_ += f.content.parameter.c_str();
    }

    /// Writes q, q-8, or before a second field (q-8).
    constexpr void write_summed(const field_content& content) {
        const bool is_inner = content.subtracted != 0 && content.times.size() > 0;
        if (is_inner) out_ += '(';
        out_ += content.of.c_str();
        if (content.subtracted != 0) (out_ += '-') += dim_t{content.subtracted};
        if (is_inner) out_ += ')';
    }

    /// Writes a number of at most 15 digits that record_scanner::real has read.
    static constexpr void write_real(record_text& out, double number) {
        if (number < 0) out += '-';
        double left = number < 0 ? -number : number;
        const auto whole = static_cast<std::int64_t>(left);
        out += whole;
        std::int64_t scale = 1;
        // The fewest digits that are read as the same number.
        while (scale < 1'000'000'000'000'000 &&
               static_cast<double>(static_cast<std::int64_t>(left * static_cast<double>(scale) + 0.5)) /
                       static_cast<double>(scale) !=
                   left)
            scale *= 10;
        const auto all = static_cast<std::int64_t>(left * static_cast<double>(scale) + 0.5);
        if (scale == 1) return;
        out += '.';
        for (scale /= 10; scale > 0; scale /= 10) out += static_cast<char>('0' + all / scale % 10);
    }

    const record_tag& tag_;
    record_text out_;
    bool inside_ = false, after_letter_ = false;
};

}  // namespace plait::detail

namespace plait::inline PLAIT_UNIT_FLAGS {
constexpr detail::record_text record_tag::text() const { return detail::record_writer(*this).write(); }
}  // namespace plait
