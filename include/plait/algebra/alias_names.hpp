#pragma once

#include <plait/algebra/format_name.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The maximum number of alias names of a layout: two families can omit letters in two ways each, and one is irregular.
inline constexpr int max_alias_names = 12;
/// The names of a layout in all families of letters.
using alias_list = inline_list<layout_name, max_alias_names>;

/// The letters of a family that name the axes of a layout of a given rank.
///
/// Upper-case letters are always used. Of the lower-case letters after them, the last are used: w, then hw, then dhw.
/// Lower-case letters before them are used if their bit in `in_front` is set. The lowest bit is for the last such
/// letter: in gOIdhw, 1 is g.
class family_letters {
public:
    constexpr family_letters(const axis_family& family, int ndims, unsigned in_front = 0) {
        const int count = family.count < most ? family.count : most;
        int behind = family.contiguous ? count : 0;  // where the last letters begin that may be omitted
        for (int i = 0; i < count && !family.contiguous; ++i)
            if (axis_family::is_upper(family.letters[i])) behind = i + 1;
        bool taken[most]{};
        int missing = ndims;
        for (int i = behind - 1, bit = 0; i >= 0; --i) {
            // Abstract letters have no gaps: the first ndims are used.
            taken[i] = family.contiguous ? i < ndims : axis_family::is_upper(family.letters[i]);
            if (!taken[i] && bit < most) taken[i] = (in_front >> bit++ & 1u) != 0;
            missing -= taken[i];
        }
        for (int i = count - 1; i >= behind && missing > 0; --i, --missing) taken[i] = true;
        fit_ = missing == 0 && ndims > 0 && ndims <= max_ndims;
        for (int i = 0, axis = 0; i < count && fit_; ++i)
            if (taken[i]) letters_[axis++] = family.letters[i];
    }

    constexpr bool fit() const { return fit_; }
    constexpr const char* letters() const { return letters_; }

private:
    static constexpr int most = 26;
    char letters_[max_ndims + 1]{};
    bool fit_ = false;
};

/// Returns the tag in the chosen letters, followed by the strides of l if they do not follow from the tag. Returns an
/// empty optional if the number of letters is wrong, or the text would be read as another tag.
///
/// Pre:     tag == tag_of(l)
constexpr std::optional<layout_name> name_in(const layout& l, const format_tag& tag, const axis_family& family,
                                             const family_letters& chosen) {
    layout_name out;
    if (!chosen.fit()) return std::nullopt;
    append_tag(out, tag, chosen.letters());
    // The irregular names look like regular names with another meaning.
    for (const irregular_tag& irregular : irregular_tags)
        if (out == irregular.name) return std::nullopt;
    if (read_tag_in(family, out.data(), out.size()).tag != tag) return std::nullopt;
    if (!is_said_by_tag(l, tag)) append_strides(out, l);
    return out;
}
}  // namespace detail

/// Returns the name of l in the letters of one family, as format_name does in a, b, c. Returns an empty optional if the
/// family has no name for it: the rank differs, or the layout has no tag.
///
/// If letters must be omitted, those in front are: oihw, not goiw.
///
/// Pre:     none; any layout
/// Post:    the name up to a colon is a tag of the family, and equals the tag of format_name(l)
/// Cost:    O(ndims squared) steps
/// Source:  spec semantics 10
/// Example: alias_name(l, axis_names<"bhsd">::family())
[[nodiscard]] constexpr std::optional<layout_name> alias_name(const layout& l, const axis_family& family) {
    const std::optional<format_tag> tag = tag_of(l);
    if (!tag.has_value()) return std::nullopt;
    // Uses as few of the letters in front as possible.
    for (unsigned in_front = 0, bits = 0; bits <= max_ndims; ++bits, in_front = in_front << 1 | 1u)
        if (const detail::family_letters chosen(family, l.ndims(), in_front); chosen.fit())
            return detail::name_in(l, *tag, family, chosen);
    return std::nullopt;
}

/// Returns every name of l in the alias families of oneDNN, including irregular ones. format_name(l) is the abstract
/// one.
///
/// Pre:     none; any layout
/// Post:    each name, up to a colon, is read as the tag of format_name(l)
/// Cost:    O(families * ndims squared) steps
/// Source:  spec semantics 2 and 10
/// Example: test/algebra/alias_names.cpp
[[nodiscard]] constexpr detail::alias_list alias_names(const layout& l) {
    detail::alias_list out;
    const std::optional<format_tag> tag = tag_of(l);
    if (!tag.has_value()) return out;
    for (const axis_family& family : axis_families) {
        if (family.contiguous) continue;
        // In no family do more than two optional letters precede a required one.
        for (unsigned in_front = 0; in_front < 4; ++in_front) {
            const detail::family_letters chosen(family, l.ndims(), in_front);
            const std::optional<layout_name> name = detail::name_in(l, *tag, family, chosen);
            bool is_new = name.has_value();
            for (int i = 0; i < out.size() && is_new; ++i) is_new = !(out[i] == *name);
            if (is_new && !out.full()) out.push_back(*name);
        }
    }
    for (const detail::irregular_tag& irregular : detail::irregular_tags) {
        int length = 0;
        while (irregular.name[length] != 0) ++length;
        if (detail::read_tag(irregular.name, length).tag != *tag || out.full()) continue;
        layout_name name;
        name += irregular.name;
        if (!detail::is_said_by_tag(l, *tag)) detail::append_strides(name, l);
        out.push_back(name);
    }
    return out;
}

}  // namespace plait
