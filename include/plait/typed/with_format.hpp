#pragma once
// From a format that is known only at run time to code that is compiled for it: one of a few formats in a list.

#include <plait/typed/bound_layout.hpp>
#include <plait/typed/named_layout.hpp>

#include <utility>

namespace plait {

/// A format as a type: its tag, and the layouts that it makes of extents known at run time.
///
/// Post:    the layout of layout_of(d) is layout(d, tag); its inner blocks and the names of its axes are in its type
/// Example: format_case<"nChw16c">::layout_of({2, 17, 5, 4}).offset(1, 16, 0, 0)
template <lettered_tag Tag>
struct format_case {
    static constexpr format_tag tag = Tag.tag;

    /// Returns the layout of these extents, as a bound layout; refused as layout(extents, tag): rank_differs, ...
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

/// Calls `action` with the format_case of the first tag in the list that is `tag`, and returns whether there is one.
///
/// The action is compiled for each tag in the list. Other spellings of a tag are the same: "abcd" is "nchw".
///
/// Pre:     none; any tag
/// Post:    the result is false, and nothing is called, if the tag is none of the list
/// Cost:    compares tags, one after the other
/// Source:  plait's own
/// Example: with_format<"nchw", "nhwc", "nChw16c">(tag, [&](auto format) { run(format.layout_of(extents)); })
template <lettered_tag... Tags, class Action>
constexpr bool with_format(const format_tag& tag, Action&& action) {
    return ((Tags.tag == tag && (static_cast<void>(action(format_case<Tags>())), true)) || ...);
}

/// Calls `action` with l as a bound layout of the first tag in the list that l is the layout of, and returns whether
/// there is one: a kernel for bound layouts then runs on a tensor whose format was unknown when it was compiled.
///
/// Pre:     none; any layout
/// Post:    static_cast<layout>(what the action is given) == l; false, and nothing is called, if l is none of the list,
///          has other strides, padding in front, or an offset, or has extents that are dynamic
/// Cost:    makes the layout of each tag until one is l, O(ndims squared) steps each
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
