#pragma once
// Every reason, with its name, its object and its error sentence.

#include <plait/core/layout_reasons.hpp>
#include <plait/core/record_reasons.hpp>
#include <plait/core/tensor_reasons.hpp>
#include <plait/support/inline_list.hpp>

#include <cstddef>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Concatenates three lists of reasons.
template <std::size_t First, std::size_t Second, std::size_t Third>
constexpr inline_list<reason_entry, static_cast<int>(First + Second + Third)> join_reasons(
    const reason_entry (&first)[First], const reason_entry (&second)[Second], const reason_entry (&third)[Third]) {
    inline_list<reason_entry, static_cast<int>(First + Second + Third)> all;
    for (const reason_entry& one : first) all.push_back(one);
    for (const reason_entry& one : second) all.push_back(one);
    for (const reason_entry& one : third) all.push_back(one);
    return all;
}

/// All reasons, in the order of the enumerators, which a test checks.
inline constexpr auto reasons = join_reasons(layout_reasons, tensor_reasons, record_reasons);

/// Returns the entry of a reason, or that of `none` if the number is not an enumerator.
constexpr const reason_entry& entry_of(reason which) {
    const int index = static_cast<int>(which);
    return reasons[index >= 0 && index < reasons.size() ? index : 0];
}
}  // namespace detail

/// Returns the name of the enumerator.
constexpr const char* to_string(reason which) { return detail::entry_of(which).name; }

}  // namespace plait
