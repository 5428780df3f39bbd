#pragma once
// The grammar of format tags: outer letters, each axis once, upper case if blocked; then <number><letter> inner blocks
// from outer to inner. A family gives the letters their meaning: the order of the logical axes.

#include <plait/core/dims.hpp>
#include <plait/support/fixed_string.hpp>

#include <string_view>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// How the positions of elements in memory are described.
enum class format_kind { undef, any, blocked, opaque };

/// An inner block: `size` consecutive indices of `axis`, stored together.
struct inner_block {
    int axis = 0;
    dim_t size = 0;
    constexpr bool operator==(const inner_block&) const = default;
};

/// The order of the axes in memory, outermost first, and the inner blocks, from outer to inner.
///
/// Pre:     a literal is a tag of the grammar, otherwise the compiler's error names the reason
/// Post:    format_tag("nChw16c") == format_tag("aBcd16b")
/// Source:  seeds rfc-memory-descriptor, 2
/// Example: examples/01_layouts.cpp
struct format_tag {
    format_kind kind = format_kind::undef;
    inline_list<int, max_ndims> axes;
    inline_list<inner_block, max_inner_blocks> blocks;

    constexpr format_tag() = default;
    template <std::size_t N>
    consteval format_tag(const char (&text)[N]);
    /// Does not compile; the error names the function that reads text known only at run time.
    template <class Text>
        requires std::is_convertible_v<const Text&, std::string_view> format_tag(const Text& text);

    constexpr int ndims() const { return axes.size(); }
    /// Returns the product of the blocks of one axis, or 1 if there are none.
    constexpr dim_t block_size(int axis) const {
        dim_t product = 1;
        for (const inner_block& block : blocks)
            if (block.axis == axis) product *= block.size;
        return product;
    }
    constexpr bool operator==(const format_tag&) const = default;
};

namespace detail {
/// A tag, or why the text is not a tag.
struct tag_reading {
    format_tag tag;
    verdict why;
    int reached = 0;  ///< how many characters could be read
};
}  // namespace detail

/// A family of letters, in the order of the logical axes. Every tag of the family has those in upper case. The axes
/// that a tag names are numbered in this order.
struct axis_family {
    const char* letters = nullptr;
    int count = 0;
    /// True for the abstract letters, which must not have gaps: "abd" lacks axis c.
    bool contiguous = false;

    static constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
    static constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
    constexpr int find(char c) const {
        for (int i = 0; i < count; ++i)
            if (lower(letters[i]) == lower(c)) return i;
        return -1;
    }
    constexpr bool letters_are_distinct() const {
        for (int i = 0; i < count; ++i)
            if (find(letters[i]) != i || lower(letters[i]) < 'a' || lower(letters[i]) > 'z') return false;
        return true;
    }
};

// The aliases of oneDNN follow from these orders (spec section 2), except the six below.
/// The families whose letters a tag may use.
inline constexpr axis_family axis_families[] = {
    {"abcdefghijkl", 12, true}, {"NCdhw", 5}, {"gOIdhw", 6}, {"TNc", 3}, {"LDNC", 4}, {"LDigO", 5}, {"X", 1},
};

namespace detail {
/// A name that does not follow from its letters: an upper-case I without a block, or outer axes in another order.
struct irregular_tag {
    const char* name;
    const char* meaning;
};
/// The six names that do not follow from their letters.
inline constexpr irregular_tag irregular_tags[] = {
    {"gIOhw2i8o16i2o", "aBCde2c8b16c2b"},
    {"gIOdhw2i8o16i2o", "aBCdef2c8b16c2b"},
    {"OhwI24o", "Acdb24a"},
    {"OhwI32o", "Acdb32a"},
    {"gOhwI24o", "aBdec24b"},
    {"gOhwI32o", "aBdec32b"},
};

/// Longer than any tag: 12 letters, and 12 blocks of 20 characters.
inline constexpr int max_tag_length = 1024;

/// Reads one tag from left to right, in the letters of one family.
class tag_reader {
public:
    constexpr tag_reader(const axis_family& family, const char* text, int size)
        : family_(family), text_(text), size_(size) {}

    constexpr tag_reading read() {
        if (size_ == 0) return {{}, {reason::tag_is_empty}, 0};
        verdict why = read_axes();
        if (why.ok()) why = number_axes();
        if (why.ok()) why = read_blocks();
        if (why.ok()) why = check_cases();
        return {why.ok() ? tag_ : format_tag(), why, at_};
    }

private:
    // Columns count from 1, for people.
    constexpr verdict refuse(reason which, int at, dim_t second = 0) const { return {which, -1, at + 1, second}; }
    constexpr bool digit_at(int i) const { return i < size_ && text_[i] >= '0' && text_[i] <= '9'; }

    constexpr verdict read_axes() {
        for (; at_ < size_ && !digit_at(at_); ++at_) {
            const int letter = family_.find(text_[at_]);
            if (letter < 0) return refuse(reason::tag_character_is_unknown, at_);
            for (int earlier = 0; earlier < at_; ++earlier)
                if (tag_.axes[earlier] == letter) return refuse(reason::tag_axis_is_doubled, at_, earlier + 1);
            if (tag_.axes.full()) return refuse(reason::tag_has_too_many_axes, at_, max_ndims + 1);
            tag_.axes.push_back(letter);
        }
        outer_ = at_;
        return {};
    }

    // Replaces places in the family by numbers of logical axes.
    constexpr verdict number_axes() {
        int number[26]{};
        int next = 0;
        for (int letter = 0; letter < family_.count; ++letter) {
            bool present = false;
            for (int used : tag_.axes) present = present || used == letter;
            const bool needed =
                family_.contiguous ? next < tag_.axes.size() : axis_family::is_upper(family_.letters[letter]);
            if (needed && !present)
                return refuse(reason::tag_axis_is_missing, outer_, axis_family::lower(family_.letters[letter]));
            number[letter] = next;
            next += present;
        }
        for (int& axis : tag_.axes) axis = number[axis];
        tag_.kind = format_kind::blocked;
        return {};
    }

    constexpr verdict read_blocks() {
        checked_integer all{1};
        while (at_ < size_) {
            const int start = at_;
            checked_integer size;
            for (; digit_at(at_); ++at_) size = size * 10 + (text_[at_] - '0');
            if (at_ == start || at_ == size_ || text_[start] == '0' || !size.ok()) {
                if (size.ok() && size.value < 2 && at_ > start && at_ - start == 1 && at_ < size_)
                    return refuse(reason::tag_block_is_too_small, start, size.value);
                return refuse(reason::tag_block_is_malformed, start);
            }
            if (size.value < 2) return refuse(reason::tag_block_is_too_small, start, size.value);
            const int outer = outer_place(text_[at_]);
            if (outer < 0) return refuse(reason::tag_character_is_unknown, at_);
            if (!axis_family::is_upper(text_[outer]))
                return refuse(reason::tag_blocked_axis_is_not_upper_case, outer, at_ + 1);
            if (axis_family::is_upper(text_[at_])) return refuse(reason::tag_block_is_malformed, start);
            if (tag_.blocks.full()) return refuse(reason::tag_has_too_many_blocks, start, max_inner_blocks + 1);
            all *= size.value;
            if (!all.ok()) return refuse(reason::tag_block_is_malformed, start);
            tag_.blocks.push_back({tag_.axes[outer], size.value});
            ++at_;
        }
        return {};
    }

    constexpr verdict check_cases() const {
        for (int i = 0; i < outer_; ++i)
            if (axis_family::is_upper(text_[i]) && tag_.block_size(tag_.axes[i]) == 1)
                return refuse(reason::tag_upper_case_axis_has_no_block, i);
        return {};
    }

    constexpr int outer_place(char letter) const {
        for (int i = 0; i < outer_; ++i)
            if (axis_family::lower(text_[i]) == axis_family::lower(letter)) return i;
        return -1;
    }

    const axis_family& family_;
    const char* text_;
    int size_;
    int at_ = 0;
    int outer_ = 0;  // how many characters name outer axes
    format_tag tag_;
};

/// Reads a tag in the letters of one family.
constexpr tag_reading read_tag_in(const axis_family& family, const char* text, int size) {
    return tag_reader(family, text, size).read();
}

/// Returns true if the characters equal the literal.
constexpr bool same_text(const char* text, int size, const char* literal) {
    for (int i = 0; i < size; ++i)
        if (literal[i] == 0 || literal[i] != text[i]) return false;
    return literal[size] == 0;
}

/// Reads a tag in the first family that accepts it. If none does, returns the failure of the family that read furthest.
constexpr tag_reading read_tag(const char* text, int size) {
    tag_reading best;
    for (const format_kind kind : {format_kind::any, format_kind::undef})
        if (same_text(text, size, kind == format_kind::any ? "any" : "undef")) {
            best.tag.kind = kind;
            return best;
        }
    for (const irregular_tag& irregular : irregular_tags)
        if (same_text(text, size, irregular.name)) {
            int length = 0;
            while (irregular.meaning[length] != 0) ++length;
            return read_tag_in(axis_families[0], irregular.meaning, length);
        }
    for (const axis_family& family : axis_families) {
        const tag_reading read = read_tag_in(family, text, size);
        if (read.why.ok()) return read;
        if (read.reached > best.reached || best.why.ok()) best = read;
    }
    return best;
}
}  // namespace detail

template <std::size_t N>
consteval format_tag::format_tag(const char (&text)[N]) {
    const detail::tag_reading read = detail::read_tag(text, static_cast<int>(N) - 1);
    require(read.why);
    *this = read.tag;
}

}  // namespace plait
