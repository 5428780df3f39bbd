#pragma once
// Reads the notation of einops, "n h w (g c) -> n g h w c". Errors have the column.

#include <plait/core/dims.hpp>
#include <plait/core/expected.hpp>

#include <cstddef>
#include <string_view>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The maximum length of a pattern, in characters.
inline constexpr int max_pattern_length = 255;

/// One name of a pattern, as the position of its characters in the text.
struct pattern_name {
    int begin = 0, size = 0;
    constexpr bool operator==(const pattern_name&) const = default;
};

/// One axis of a side: the names in its parentheses, from outer to inner. An axis of one element has no names.
struct pattern_group {
    int column = 0;           ///< the column of its first character, counted from 1
    int first = 0, last = 0;  ///< its names are `items` first to last - 1 of its side
    bool spreads = false;     ///< an ellipsis outside parentheses: as many axes as the other groups leave
    constexpr int size() const { return last - first; }
    constexpr bool operator==(const pattern_group&) const = default;
};

/// One side of a pattern.
struct pattern_side {
    inline_list<pattern_group, max_ndims + 1> groups;
    inline_list<int, max_ndims + 1> items;  ///< numbers of names, in order; or axis_pattern::ellipsis
    constexpr bool operator==(const pattern_side&) const = default;
};
}  // namespace detail

/// A pattern: two sides over the same names. The left side names the axes, the right side is what they become.
///
/// A name is a letter or an underscore, followed by letters, digits and underscores. Groups are in parentheses. `1` or
/// `()` is an axis of one element. `...` stands for all axes without a name; on the right side it may be in a group.
///
/// Pre:     a literal is a pattern, otherwise the compiler's error names the reason
/// Post:    axis_pattern("h (b w) -> b w h").find("w") == 2: names are numbered in the order of the left side
/// Source:  einops' rearrange
/// Example: axis_pattern("batch (h p) (w q) -> batch h w (p q)")
struct axis_pattern {
    static constexpr int ellipsis = -1;

    inline_text<detail::max_pattern_length> text;
    inline_list<detail::pattern_name, max_ndims> names;  ///< the names, in the order of the left side
    detail::pattern_side left, right;

    constexpr axis_pattern() = default;
    template <std::size_t N>
    consteval axis_pattern(const char (&literal)[N]);

    constexpr std::string_view name(int number) const {
        return {text.data() + names[number].begin, static_cast<std::size_t>(names[number].size)};
    }
    /// Returns the number of a name, or -1.
    constexpr int find(std::string_view wanted) const {
        for (int i = 0; i < names.size(); ++i)
            if (name(i) == wanted) return i;
        return -1;
    }
    constexpr bool operator==(const axis_pattern&) const = default;
};

namespace detail {
/// Reads one pattern from left to right.
class pattern_reader {
public:
    constexpr explicit pattern_reader(std::string_view text) : text_(text) {}

    constexpr expected<axis_pattern> read() {
        if (text_.size() > max_pattern_length)
            return verdict{reason::pattern_is_too_long, -1, static_cast<dim_t>(text_.size()), max_pattern_length};
        for (char c : text_) out_.text += c;
        verdict why = read_side(out_.left, true);
        if (why.ok()) why = read_side(out_.right, false);
        if (why.ok()) why = check_sides();
        return {why.ok() ? out_ : axis_pattern(), why};
    }

private:
    static constexpr bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
    static constexpr bool is_number(char c) { return c >= '0' && c <= '9'; }

    constexpr int size() const { return static_cast<int>(text_.size()); }
    constexpr char at(int i) const { return i < size() ? text_[static_cast<std::size_t>(i)] : '\0'; }
    constexpr verdict refuse(reason which, int place, dim_t second = 0, dim_t third = 0) const {
        return {which, -1, place + 1, second, third};
    }
    constexpr bool arrow_at(int i) const { return at(i) == '-' && at(i + 1) == '>'; }
    constexpr bool ellipsis_at(int i) const { return at(i) == '.' && at(i + 1) == '.' && at(i + 2) == '.'; }

    constexpr verdict read_side(pattern_side& side, bool left) {
        open_ = -1;
        while (at_ < size()) {
            if (arrow_at(at_)) {
                if (!left) return refuse(reason::pattern_arrow_is_doubled, at_, arrow_ + 1);
                if (open_ >= 0) return refuse(reason::pattern_parenthesis_does_not_match, open_);
                arrow_ = at_;
                at_ += 2;
                return {};
            }
            if (const verdict why = read_item(side, left); !why.ok()) return why;
        }
        if (open_ >= 0) return refuse(reason::pattern_parenthesis_does_not_match, open_);
        return left ? refuse(reason::pattern_arrow_is_missing, at_) : verdict{};
    }

    constexpr verdict read_item(pattern_side& side, bool left) {
        const char c = at(at_);
        if (c == ' ') return ++at_, verdict{};
        if (c == '(' || c == ')') {
            if ((c == '(') != (open_ < 0)) return refuse(reason::pattern_parenthesis_does_not_match, at_);
            if (const bool begins = c == '('; begins && !begin_group(side, at_))
                return refuse(reason::pattern_has_too_many_axes, at_, max_ndims + 1, max_ndims);
            open_ = c == '(' ? at_ : -1;
            return ++at_, verdict{};
        }
        if (ellipsis_at(at_)) return read_ellipsis(side, left);
        if (is_number(c)) return read_number(side);
        if (!begins_name(c)) return refuse(reason::pattern_character_is_unknown, at_);
        return read_name(side, left);
    }

    /// Starts a group for what comes next, in parentheses or not. Returns false if there are too many groups.
    constexpr bool begin_group(pattern_side& side, int place) {
        int plain = 0;
        for (const pattern_group& group : side.groups) plain += !group.spreads;
        if (plain == max_ndims && !ellipsis_at(place)) return false;
        side.groups.push_back({place + 1, side.items.size(), side.items.size(), false});
        return true;
    }
    constexpr verdict add_item(pattern_side& side, int item) {
        if (open_ < 0 && !begin_group(side, at_))
            return refuse(reason::pattern_has_too_many_axes, at_, max_ndims + 1, max_ndims);
        side.items.push_back(item);
        side.groups[side.groups.size() - 1].last = side.items.size();
        return {};
    }

    constexpr verdict read_ellipsis(pattern_side& side, bool left) {
        int& earlier = left ? left_ellipsis_ : right_ellipsis_;
        if (earlier >= 0) return refuse(reason::pattern_axis_is_doubled, at_, earlier + 1);
        if (left && open_ >= 0) return refuse(reason::pattern_ellipsis_is_joined, at_);
        earlier = at_;
        const verdict why = add_item(side, axis_pattern::ellipsis);
        if (why.ok() && open_ < 0) side.groups[side.groups.size() - 1].spreads = true;
        at_ += 3;
        return why;
    }

    constexpr verdict read_number(pattern_side& side) {
        const int start = at_;
        checked_integer number;
        for (; is_number(at(at_)); ++at_) number = number * 10 + (at(at_) - '0');
        if (begins_name(at(at_))) return refuse(reason::pattern_character_is_unknown, at_);
        if (!number.ok() || number.value != 1) return refuse(reason::pattern_number_is_not_one, start, number.value);
        // Within parentheses, 1 changes nothing.
        if (open_ < 0 && !begin_group(side, start))
            return refuse(reason::pattern_has_too_many_axes, start, max_ndims + 1, max_ndims);
        return {};
    }

    constexpr verdict read_name(pattern_side& side, bool left) {
        const int start = at_;
        int end = start;
        while (begins_name(at(end)) || is_number(at(end))) ++end;
        const std::string_view word =
            text_.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start));
        int number = out_.find(word);
        if (left) {
            if (number >= 0) return refuse(reason::pattern_axis_is_doubled, start, out_.names[number].begin + 1);
            if (out_.names.full()) return refuse(reason::pattern_has_too_many_axes, start, max_ndims + 1, max_ndims);
            number = out_.names.size();
            out_.names.push_back({start, end - start});
        } else {
            if (number < 0) return refuse(reason::pattern_axis_is_on_one_side, start);
            if (used_[number] != 0) return refuse(reason::pattern_axis_is_doubled, start, used_[number]);
            used_[number] = start + 1;
        }
        const verdict why = add_item(side, number);
        at_ = end;
        return why;
    }

    /// Checks that the right side has everything that the left side has. The converse is checked while reading.
    constexpr verdict check_sides() const {
        if ((left_ellipsis_ < 0) != (right_ellipsis_ < 0))
            return refuse(reason::pattern_axis_is_on_one_side, left_ellipsis_ < 0 ? right_ellipsis_ : left_ellipsis_);
        for (int i = 0; i < out_.names.size(); ++i)
            if (used_[i] == 0) return refuse(reason::pattern_axis_is_on_one_side, out_.names[i].begin);
        return {};
    }

    std::string_view text_;
    axis_pattern out_;
    int at_ = 0, open_ = -1, arrow_ = -1, left_ellipsis_ = -1, right_ellipsis_ = -1;
    int used_[max_ndims]{};  // the column of each name on the right side
};
}  // namespace detail

/// Returns the pattern that a text known only at run time spells, or why it is not a pattern, with the column.
///
/// Pre:     none; any text
/// Refused: pattern_is_too_long, pattern_character_is_unknown, pattern_arrow_is_missing, pattern_arrow_is_doubled,
/// pattern_parenthesis_does_not_match, pattern_axis_is_doubled, pattern_axis_is_on_one_side, pattern_number_is_not_one,
/// pattern_ellipsis_is_joined, pattern_has_too_many_axes
/// Post:    if N is a literal and a pattern, *parse_axis_pattern(N) == axis_pattern(N)
/// Cost:    one pass over the text
/// Source:  the notation of einops.rearrange
/// Example: examples/13_rearrange.cpp
[[nodiscard]] constexpr expected<axis_pattern> parse_axis_pattern(std::string_view text) {
    return detail::pattern_reader(text).read();
}

/// Checks that the text is a pattern.
///
/// Post:    check_axis_pattern(text) == parse_axis_pattern(text).error()
constexpr verdict check_axis_pattern(std::string_view text) { return detail::pattern_reader(text).read().error(); }

template <std::size_t N>
consteval axis_pattern::axis_pattern(const char (&literal)[N]) {
    const expected<axis_pattern> read = parse_axis_pattern({literal, N - 1});
    require(read.error());
    *this = *read;
}

}  // namespace plait
