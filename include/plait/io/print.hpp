#pragma once
// Layouts and verdicts as text.

#include <plait/algebra/format_name.hpp>
#include <plait/algebra/is_injective.hpp>
#include <plait/core/data_type.hpp>

#include <iosfwd>
#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns extents as text: "2x17x5x4"; "?" for one known only at run time.
///
/// Pre:     none
/// Post:    to_string(dims{2, dynamic, 3}) == "2x?x3"
/// Cost:    allocates
/// Source:  the dims in verbose lines of oneDNN
/// Example: to_string(dims{2, 17, 5, 4}) == "2x17x5x4"
template <class Meaning>
std::string to_string(const detail::axis_numbers<Meaning>& numbers) {
    std::string out;
    for (dim_t number : numbers) {
        if (!out.empty()) out += 'x';
        out += number == dynamic ? "?" : std::to_string(number);
    }
    return out;
}

namespace detail {
/// Returns true if the axes of a layout can be named by the first of these characters: distinct Latin letters.
inline bool are_axis_letters(const char* letters, int ndims) {
    for (int i = 0; i < ndims; ++i) {
        const char letter = axis_family::lower(letters[i]);
        if (letter < 'a' || letter > 'z') return false;
        for (int k = 0; k < i; ++k)
            if (axis_family::lower(letters[k]) == letter) return false;
    }
    return true;
}

/// Returns the name of a layout as format_name does, in these letters if it has a tag and they name its axes, and the
/// extents.
inline std::string text_in_letters(const layout& l, const char* letters) {
    layout_name name;
    const std::optional<format_tag> tag = tag_of(l);
    if (tag.has_value() && are_axis_letters(letters, l.ndims())) {
        append_tag(name, *tag, letters);
        if (!is_said_by_tag(l, *tag)) append_strides(name, l);
    } else {
        name = format_name(l);
    }
    return std::string(name.c_str()) + ' ' + to_string(l.dims);
}
}  // namespace detail

/// Returns the name and the extents of a layout: "aBcd8b 2x17x5x4".
inline std::string to_string(const layout& l) { return std::string(format_name(l).c_str()) + ' ' + to_string(l.dims); }

/// Returns the verdict as a sentence with the name of the layout.
///
/// Post:    contains the reason's name, the axis and the numbers
inline std::string describe(const verdict& why, const layout& about) {
    return std::string(describe(why).c_str()) + " (layout " + to_string(about) + ")";
}

// Templates, so that a forward declaration of streams suffices: only programs that use a stream include <ostream>. Each
// writes one const char*, which doctest supports without <ostream>.

namespace detail {
/// Writes dims, strides, a position or a permutation to a stream: "{2x17x5x4}".
template <class Traits, class Meaning>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const axis_numbers<Meaning>& numbers) {
    return out << ('{' + to_string(numbers) + '}').c_str();
}
}  // namespace detail

/// Writes a layout or a verdict to a stream: a layout as to_string, "aBcd8b 2x17x5x4", a verdict as its sentence.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const layout& l) {
    return out << to_string(l).c_str();
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const verdict& why) {
    return out << describe(why).c_str();
}

/// Describes a layout in several lines: its name, the memory that it takes, and its digits from the outermost in memory
/// to the innermost.
///
/// `letters` has the names of the axes, one character each. If they are letters, the name is in them, too.
///
/// Pre:     none; l may be invalid; `letters` has a character for each axis that has digits
/// Post:    the text that `plait show` prints below the grid
/// Cost:    allocates; O(digits squared) steps
/// Source:  plait's own; the name as spec semantics 10
/// Example: explain(layout({2, 17, 5, 4}, "nChw8c"), "nchw") begins with "name      nChw8c 2x17x5x4"
inline std::string explain(const layout& l, const char* letters = axis_families[0].letters) {
    std::string out = "name      " + detail::text_in_letters(l, letters) + '\n';
    if (l.kind != format_kind::blocked) return out;
    // If the layout is invalid, its sizes may be undefined.
    const bool known = detail::check_static(l).ok() && check_layout(l).ok();
    out += "dims      " + to_string(l.dims) + '\n';
    out += "padded    " + to_string(l.padded_dims) + (l.is_padded() ? "" : " (no padding)") + '\n';
    out += "strides   " + to_string(l.strides()) + " elements\n";
    if (known) {
        out += "elements  " + std::to_string(l.volume()) + ", with padding " + std::to_string(l.padded_volume()) + '\n';
        out += "memory    " + std::to_string(l.element_span()) + " elements from offset " +
               std::to_string(l.span_begin()) +
               (l.is_dense()      ? ", dense"
                : is_injective(l) ? ", with gaps"
                                  : ", elements share places") +
               '\n';
    }
    out += "digits    axis  extent  stride\n";
    const auto line = [&out, letters](const digit& d) {
        const auto column = [](std::string text) {
            return std::string(text.size() < 8 ? 8 - text.size() : 1, ' ') + text;
        };
        out += "             " + std::string(1, d.axis >= 0 && d.axis < max_ndims ? letters[d.axis] : '?') +
               column(d.extent == dynamic ? "?" : std::to_string(d.extent)) +
               column(detail::is_known(d.stride) ? std::to_string(d.stride) : "?") + '\n';
    };
    for (int a : detail::memory_order(l)) line(l.digits[a]);
    for (int k = l.ndims(); k < l.digits.size(); ++k) line(l.digits[k]);
    return out;
}

}  // namespace plait
