#pragma once
// The names of axes in a pattern of rearrange: those that the left side requires, and those that the right side gives.

#include <plait/algebra/axis_pattern.hpp>
#include <plait/core/axis_letters.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the letter of a name that is one lower-case letter; otherwise 0.
constexpr char letter_of_name(const axis_pattern& pattern, int number) {
    const std::string_view name = pattern.name(number);
    return name.size() == 1 && name[0] >= 'a' && name[0] <= 'z' ? name[0] : '\0';
}

/// Checks that the single letters of the left side are the names of the axes.
///
/// Words, and names within a group of several, are not compared with the names of axes. If there are fewer axes than
/// the pattern has, check_rearrange reports it.
///
/// Pre:     have is empty or has a letter for each axis
/// Refused: axis_is_named_otherwise
constexpr verdict check_pattern_letters(const letter_list& have, const axis_pattern& pattern) {
    const int rest = have.size() - pattern.left.groups.size() + 1;  // the number of axes that an ellipsis stands for
    if (have.empty() || rest < 0) return {};
    int axis = 0;
    for (const pattern_group& group : pattern.left.groups) {
        if (group.spreads) {
            axis += rest;
            continue;
        }
        if (group.size() == 1 && axis < have.size()) {
            const char wanted = letter_of_name(pattern, pattern.left.items[group.first]);
            if (wanted != 0 && have[axis] != wanted) return {reason::axis_is_named_otherwise, axis, have[axis], wanted};
        }
        ++axis;
    }
    return {};
}

/// Returns the letters of the right side; none if an axis there does not have a single, distinct letter.
constexpr letter_list rearranged_letters(const letter_list& have, const axis_pattern& pattern) {
    const int rest = have.size() - pattern.left.groups.size() + 1;
    int first_of_rest = 0;
    for (const pattern_group& group : pattern.left.groups) {
        if (group.spreads) break;
        ++first_of_rest;
    }
    letter_list out;
    for (const pattern_group& group : pattern.right.groups) {
        for (int k = 0; group.spreads && k < rest; ++k) {
            const char letter = have[first_of_rest + k];
            if (out.find(letter) >= 0 || out.size() == max_ndims) return {};
            out.push_back(letter);
        }
        if (group.spreads) continue;
        const int item = group.size() == 1 ? pattern.right.items[group.first] : axis_pattern::ellipsis;
        const char letter = item == axis_pattern::ellipsis ? '\0' : letter_of_name(pattern, item);
        if (letter == 0 || out.find(letter) >= 0 || out.size() == max_ndims) return {};
        out.push_back(letter);
    }
    return out;
}

}  // namespace plait::detail
