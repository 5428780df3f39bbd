#pragma once
// The letters that name the axes of a layout: n, c, h and w of nChw16c, in the order of the axes, not of memory.

#include <plait/core/allowed.hpp>
#include <plait/core/format_tag.hpp>

#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// One letter per axis, as a structural value; empty if the axes have no names.
///
/// Pre:     a literal has distinct lower-case letters, otherwise the compiler's error names the reason
/// Example: letter_list("nchw")
struct letter_list {
    char values[max_ndims + 1]{};
    int count = 0;

    constexpr letter_list() = default;
    template <std::size_t N>
    consteval letter_list(const char (&text)[N]) {
        for (int i = 0; i + 1 < static_cast<int>(N); ++i) {
            if (text[i] < 'a' || text[i] > 'z') require({reason::tag_character_is_unknown, -1, i + 1});
            if (count == max_ndims) require({reason::tag_has_too_many_axes, -1, i + 1, max_ndims + 1});
            if (const int earlier = find(text[i]); earlier >= 0)
                require({reason::tag_axis_is_doubled, -1, i + 1, earlier + 1});
            push_back(text[i]);
        }
    }

    constexpr int size() const { return count; }
    constexpr bool empty() const { return count == 0; }
    constexpr char operator[](int axis) const { return values[axis]; }
    constexpr void push_back(char letter) { values[count++] = letter; }
    /// Returns the axis with this name, or -1.
    constexpr int find(char letter) const {
        for (int a = 0; a < count; ++a)
            if (values[a] == letter) return a;
        return -1;
    }
    constexpr bool operator==(const letter_list&) const = default;
};

/// A list of axis letters as a type, so that both compilers print the letters.
template <char... Letters>
struct axis_letters {
    static constexpr letter_list list() {
        letter_list out;
        (out.push_back(Letters), ...);
        return out;
    }
};
/// Converts a list of letters to a type. Declared only: axis_letters_in names its return type.
///
/// Pre:     Axis... is 0 to Letters.count - 1
/// Post:    the result is axis_letters<Letters.values[Axis]...>
/// Cost:    one instantiation for each list; never called
/// Source:  plait's own
/// Example: of letter_list("nc"): axis_letters<'n', 'c'>
template <letter_list Letters, int... Axis>
axis_letters<Letters.values[Axis]...> letters_as_type(std::integer_sequence<int, Axis...>);
/// The type of a list of letters.
///
/// Post:    axis_letters_in<Letters>::list() == Letters
/// Example: axis_letters_in<letter_list("nchw")> is axis_letters<'n', 'c', 'h', 'w'>
template <letter_list Letters>
using axis_letters_in = decltype(letters_as_type<Letters>(std::make_integer_sequence<int, Letters.count>()));

/// Returns the names of the axes of a tag, in the order of the axes. The abstract letters a to l are not names.
///
/// Pre:     check_format_tag(text).ok()
/// Post:    letters_of_tag("nhwc") == "nchw", letters_of_tag("OIhw4i16o4i") == "oihw", letters_of_tag("acdb") == ""
constexpr letter_list letters_of_tag(const char* text, int size) {
    // Without blocks and in lower case, even an irregular tag is a plain tag of its family.
    char plain[max_ndims]{};
    int outer = 0;
    for (; outer < size && outer < max_ndims && !(text[outer] >= '0' && text[outer] <= '9'); ++outer)
        plain[outer] = axis_family::lower(text[outer]);
    for (const axis_family& family : axis_families) {
        const tag_reading read = read_tag_in(family, plain, outer);
        if (!read.why.ok()) continue;
        letter_list out;
        if (family.contiguous) return out;
        out.count = outer;
        for (int i = 0; i < outer; ++i) out.values[read.tag.axes[i]] = plain[i];
        return out;
    }
    return {};
}
}  // namespace detail

/// A format tag together with the names of its axes.
///
/// Example: lettered_tag("nhwc") is format_tag("acdb") with the names n, c, h, w
struct lettered_tag {
    format_tag tag;
    detail::letter_list letters;

    constexpr lettered_tag(const format_tag& unnamed) : tag(unnamed) {}
    template <std::size_t N>
    consteval lettered_tag(const char (&text)[N]) {
        const detail::tag_reading read =
            detail::read_tag(text, static_cast<int>(N) - 1);  // not by format_tag: an error is a line nearer
        require(read.why);
        tag = read.tag;
        letters = detail::letters_of_tag(text, static_cast<int>(N) - 1);
    }
};

}  // namespace plait
