#pragma once
// A format tag such as "nChw16c": the order of the axes in memory, and the inner blocks. Read by core/tag_grammar.hpp.

#include <plait/core/expected.hpp>
#include <plait/core/tag_grammar.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace plait {
namespace detail {
/// The length of a text as far as a tag can go.
constexpr int tag_length(std::string_view text) {
    return text.size() < max_tag_length ? static_cast<int>(text.size()) : max_tag_length;
}
}  // namespace detail

/// Why a format tag known only at run time is refused, with the column; status success if it is not.
///
/// Pre:     none; any text
/// Post:    check_format_tag(text).ok() == parse_format_tag(text).has_value()
/// Cost:    O(families * length) steps
/// Source:  spec semantics 2
/// Example: examples/02_refusals.cpp
constexpr verdict check_format_tag(std::string_view text) {
    return detail::read_tag(text.data(), detail::tag_length(text)).why;
}

/// A format tag known only at run time, or what check_format_tag says against it.
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
/// A format tag as text of the run time: std::string, std::string_view, const char*. A string literal is none of them:
/// it is a format_tag, so that a typo is an error where it is compiled.
template <class Text>
concept tag_text = std::is_convertible_v<const Text&, std::string_view> && !std::is_array_v<Text> &&
                   !std::is_same_v<Text, std::nullptr_t>;

/// The characters; none of a null pointer, which no tag has.
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
                      "plait::parse_format_tag(text), which answers a tag or refuses");
    }

namespace detail {
/// A format tag as the argument of a template: compilers print it as the text that it was written as.
///
/// Pre:     the text is a tag, else a compile error as of format_tag
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
    /// In the letters a to l.
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

/// The tag of an argument of a template. GCC 12 hands an argument that is a format_tag on to a concept as it is.
constexpr format_tag tag_said(const tag_argument& argument) { return argument.tag(); }
constexpr format_tag tag_said(const format_tag& tag) { return tag; }
}  // namespace detail

/// A family of axis names of your own: letters in the order of the logical axes; upper case ones may not be left out.
///
/// Pre:     the letters are distinct
/// Post:    axis_names<"bhsd">::tag("bshd") == format_tag("acbd")
/// Example: examples/01_layouts.cpp
template <fixed_string Letters>
struct axis_names {
    static_assert(axis_family{Letters.data(), Letters.size()}.letters_are_distinct(),
                  "each axis needs a letter of its own");

    /// A tag in these letters, checked where it is written.
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

    /// The letters, for alias_name.
    static constexpr axis_family family() { return {Letters.data(), Letters.size()}; }

private:
    static constexpr detail::tag_reading parse(const char* text, int size) {
        return detail::read_tag_in(family(), text, size);
    }
};

}  // namespace plait
