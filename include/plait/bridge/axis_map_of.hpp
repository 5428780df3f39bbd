#pragma once
// Axis maps from names: the letters by which the library and the framework name the axes of an operand, each in order.

#include <plait/core/axis_letters.hpp>
#include <plait/typed/constants.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns the map between two orders of the same names, or the failure of check_axis_map_of.
constexpr expected<axis_map> try_axis_map_of(const detail::letter_list& library, const detail::letter_list& framework) {
    if (library.size() != framework.size())
        return detail::ranks_differ(detail::counted::library, library.size(), detail::counted::framework,
                                    framework.size());
    axis_map made;
    for (int i = 0; i < library.size(); ++i) {
        const int index = framework.find(library[i]);
        if (index < 0) return verdict{reason::axis_name_is_missing, i, 0, library[i]};
        made.push_back(index);
    }
    return {made, check_axis_map(made, made.size())};
}

/// Checks that both lists name the same axes.
///
/// Refused: rank_differs; axis_name_is_missing (the axis of the library, its letter); not_a_permutation, possible if a
///          list was filled in by hand
constexpr verdict check_axis_map_of(const detail::letter_list& library, const detail::letter_list& framework) {
    return try_axis_map_of(library, framework).error();
}

/// Returns the axis map of an operand, from its axis names in the library's and in the framework's order.
///
/// Pre:     check_axis_map_of(library, framework).ok()
/// Post:    framework[result[i]] == library[i]
/// Cost:    O(ndims squared) steps
/// Source:  seeds tensor-representation, 3: the column "Meaning" of its tables
/// Example: axis_map_of("nchw", "nhwc") == axis_map{0, 3, 1, 2}, axis_map_of("oihw", "hwio") == axis_map{3, 2, 0, 1}
[[nodiscard]] constexpr axis_map axis_map_of(const detail::letter_list& library, const detail::letter_list& framework) {
    return try_axis_map_of(library, framework).value();
}

/// Returns the axis map of a library that orders axes as the framework does.
///
/// Pre:     0 <= ndims <= 12; otherwise fails with too_many_axes
/// Post:    result[i] == i
/// Cost:    O(ndims) steps
/// Source:  seeds tensor-representation, 3
/// Example: identity_axis_map(4) == axis_map{0, 1, 2, 3}
[[nodiscard]] constexpr axis_map identity_axis_map(int ndims) {
    axis_map out;
    for (int i = 0; i < ndims; ++i) out.push_back(i);
    return out;
}

/// Returns the axis map of an operand as a type; fails at compile time.
///
/// Post:    axis_map_of<Library, Framework>().value == axis_map_of(Library, Framework)
template <detail::letter_list Library, detail::letter_list Framework>
[[nodiscard]] constexpr auto axis_map_of() {
    constexpr expected<axis_map> made = try_axis_map_of(Library, Framework);
    // After an error, use a valid map, so that code that uses it causes no second error.
    return axis_map_constant<(allowed<made.error()> ? *made : identity_axis_map(Library.count))>();
}
template <detail::refused_letters Library, detail::refused_letters Framework>
    requires(!Library.why.ok() || !Framework.why.ok())
constexpr axis_map axis_map_of() {
    static_cast<void>(allowed < Library.why.ok() ? Framework.why : Library.why >);
    return {};
}

}  // namespace plait
