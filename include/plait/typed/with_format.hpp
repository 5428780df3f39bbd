#pragma once
// Dispatch from a format known only at run time to code compiled for it, for the formats in a list.

#include <plait/typed/bound_layout.hpp>
#include <plait/typed/named_layout.hpp>

#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A format as a type: its tag, and a function that makes its layout from extents known at run time.
///
/// Post:    layout_of(d) is layout(d, tag); its inner blocks and the names of its axes are in its type
/// Example: format_case<"nChw16c">::layout_of({2, 17, 5, 4}).offset(1, 16, 0, 0)
template <lettered_tag Tag>
struct format_case {
    static constexpr format_tag tag = Tag.tag;

    /// Returns the layout with these extents, as a bound layout; fails as layout(extents, tag) does: rank_differs, ...
    static constexpr auto layout_of(const dims& extents) {
        require(check_layout(extents, tag));
        return detail::with_letters<Tag.letters>(bound_layout<of_any_extents()>(extents));
    }

private:
    static constexpr layout of_any_extents() {
        dims unknown;
        for (int a = 0; a < Tag.tag.ndims(); ++a) unknown.push_back(dynamic);
        return layout(unknown, Tag.tag);
    }
};

/// Calls `action` with the format_case of the first tag in the list that equals `tag`; true if there is one.
///
/// The action is compiled for each tag in the list. Different spellings of a tag are equal: "abcd" is "nchw".
///
/// Pre:     none; any tag
/// Post:    if the list does not contain the tag, the result is false and nothing is called
/// Cost:    one comparison of tags for each tag in the list, until one is equal
/// Source:  plait's own
/// Example: with_format<"nchw", "nhwc", "nChw16c">(tag, [&](auto format) { run(format.layout_of(extents)); })
template <lettered_tag... Tags, class Action>
constexpr bool with_format(const format_tag& tag, Action&& action) {
    return ((Tags.tag == tag && (static_cast<void>(action(format_case<Tags>())), true)) || ...);
}

/// Calls `action` with l as a bound layout and returns true, if l has the format of a tag in the list. The first such
/// tag is used. This lets a kernel for bound layouts run on a tensor whose format is unknown at compile time.
///
/// Pre:     none; any layout
/// Post:    static_cast<layout>(argument of action) == l. The result is false, and nothing is called, if l has none of
///          the formats, or has other strides, padding in front, an offset or dynamic extents
/// Cost:    makes the layout of each tag until one equals l, O(ndims squared) steps each
/// Source:  plait's own
/// Example: with_format<"nchw", "nChw16c">(l, [&](auto known) { relu(tensor_view(data, known)); })
template <lettered_tag... Tags, class Action>
constexpr bool with_format(const layout& l, Action&& action) {
    for (const dim_t extent : l.dims)
        if (extent == dynamic) return false;
    const auto call_if_same = [&]<lettered_tag Tag>(format_case<Tag> format) {
        const expected<layout> made = detail::make_layout(l.dims, Tag.tag);
        if (l.kind != format_kind::blocked || !made.has_value() || !(*made == l)) return false;
        action(format.layout_of(l.dims));
        return true;
    };
    return (call_if_same(format_case<Tags>()) || ...);
}

}  // namespace plait
