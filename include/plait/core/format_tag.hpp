#pragma once
// Format tags that are read from text, such as "nChw16c": the order of the axes in memory, and the inner blocks. The
// grammar: core/tag_grammar.hpp.

#include <plait/core/expected.hpp>
#include <plait/core/tag_grammar.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the length of a text, at most max_tag_length.
constexpr int tag_length(std::string_view text) {
    return text.size() < max_tag_length ? static_cast<int>(text.size()) : max_tag_length;
}
}  // namespace detail

/// Checks that text known only at run time is a format tag. If it is not, the verdict has the reason and the column.
///
/// Pre:     none; any text
/// Post:    check_format_tag(text).ok() == parse_format_tag(text).has_value()
/// Cost:    O(families * length) steps
/// Source:  spec semantics 2
/// Example: examples/02_refusals.cpp
constexpr verdict check_format_tag(std::string_view text) {
    return detail::read_tag(text.data(), detail::tag_length(text)).why;
}

/// Returns the format tag that a text known only at run time spells, or the verdict of check_format_tag.
///
/// Pre:     none; any text
/// Post:    has_value() == check_format_tag(text).ok()
/// Cost:    O(families * length) steps
/// Source:  spec semantics 2
/// Example: northstar 05
[[nodiscard]] constexpr expected<format_tag> parse_format_tag(std::string_view text) {
    const detail::tag_reading read = detail::read_tag(text.data(), detail::tag_length(text));
    return {read.tag, read.why};
}

namespace detail {
/// A type of run-time text for a format tag: std::string, std::string_view, const char*. A string literal is not one:
/// it becomes a format_tag, so that a typo is a compile error.
template <class Text>
concept tag_text = std::is_convertible_v<const Text&, std::string_view> && !std::is_array_v<Text> &&
                   !std::is_same_v<Text, std::nullptr_t>;

/// Returns the characters; a null pointer gives empty text, which is not a tag.
template <tag_text Text>
constexpr std::string_view text_of(const Text& text) {
    if constexpr (std::is_pointer_v<Text>)
        if (text == nullptr) return {};
    return text;
}
}  // namespace detail

template <class Text>
    requires std::is_convertible_v<const Text&, std::string_view> format_tag::format_tag(const Text&) {
        static_assert(std::is_void_v<Text>,
                      "a format_tag is made of a literal; of text known at run time: "
                      "plait::parse_format_tag(text), which returns a tag or refuses");
    }

namespace detail {
/// A format tag as a template argument. Compilers print it as the text that it was written as.
///
/// Pre:     the text is a tag, otherwise a compile error as for format_tag
/// Post:    tag_argument("nChw16c").tag() == format_tag("nChw16c")
/// Example: matches<L, "nChw16c"> is printed by GCC as matches<L, {"nChw16c"}>
struct tag_argument {
    char text[256]{};  // 12 letters and 12 blocks of up to 20 characters fit

    template <std::size_t N>
        requires(N <= 256)
    consteval tag_argument(const char (&literal)[N]) {
        require(read_tag(literal, static_cast<int>(N) - 1).why);
        for (std::size_t i = 0; i + 1 < N; ++i) text[i] = literal[i];
    }
    /// Writes the tag in the letters a to l.
    constexpr tag_argument(const format_tag& tag) {
        inline_text<255> out;
        if (tag.kind != format_kind::blocked) {
            out += tag.kind == format_kind::any ? "any" : "";
        } else {
            for (int axis : tag.axes) {
                bool blocked = false;
                for (const inner_block& block : tag.blocks) blocked = blocked || block.axis == axis;
                out += static_cast<char>((blocked ? 'A' : 'a') + axis);
            }
            for (const inner_block& block : tag.blocks) (out += block.size) += static_cast<char>('a' + block.axis);
        }
        for (int i = 0; i < out.size(); ++i) text[i] = out[i];
    }

    constexpr format_tag tag() const {
        int size = 0;
        while (text[size] != 0) ++size;
        return read_tag(text, size).tag;
    }
};

/// Returns the tag of a template argument. GCC 12 passes an argument that is a format_tag to a concept unconverted.
constexpr format_tag tag_said(const tag_argument& argument) { return argument.tag(); }
constexpr format_tag tag_said(const format_tag& tag) { return tag; }
}  // namespace detail

/// A custom family of axis names, in the order of the logical axes. A tag may leave out lower-case letters only.
///
/// Pre:     the letters are distinct
/// Post:    axis_names<"bhsd">::tag("bshd") == format_tag("acbd")
/// Example: examples/01_layouts.cpp
template <fixed_string Letters>
struct axis_names {
    static_assert(axis_family{Letters.data(), Letters.size()}.letters_are_distinct(),
                  "each axis needs a letter of its own");

    /// Returns a tag in these letters, checked at compile time.
    template <std::size_t N>
    static consteval format_tag tag(const char (&text)[N]) {
        const detail::tag_reading read = parse(text, static_cast<int>(N) - 1);
        require(read.why);
        return read.tag;
    }
    static constexpr verdict check_tag(std::string_view text) {
        return parse(text.data(), detail::tag_length(text)).why;
    }
    [[nodiscard]] static constexpr expected<format_tag> parse_tag(std::string_view text) {
        const detail::tag_reading read = parse(text.data(), detail::tag_length(text));
        return {read.tag, read.why};
    }

    /// Returns the letters, for alias_name.
    static constexpr axis_family family() { return {Letters.data(), Letters.size()}; }

private:
    static constexpr detail::tag_reading parse(const char* text, int size) {
        return detail::read_tag_in(family(), text, size);
    }
};

}  // namespace plait
