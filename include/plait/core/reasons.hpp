#pragma once
// Every reason, with its name, its function and the sentence that a refusal is told in.

#include <plait/core/layout_reasons.hpp>
#include <plait/core/tensor_reasons.hpp>

#include <array>
#include <cstddef>

namespace plait {

/// Two lists of reasons as one.
template <std::size_t First, std::size_t Second>
constexpr std::array<reason_entry, First + Second> join_reasons(const reason_entry (&first)[First],
                                                                const reason_entry (&second)[Second]) {
    std::array<reason_entry, First + Second> all{};
    for (std::size_t i = 0; i < First; ++i) all[i] = first[i];
    for (std::size_t i = 0; i < Second; ++i) all[First + i] = second[i];
    return all;
}

/// Every reason, in the order of the enumerators; a test holds it to that.
inline constexpr auto reasons = join_reasons(layout_reasons, tensor_reasons);

/// The line of a reason; that of `none` for a number that is none of the enumerators.
constexpr const reason_entry& entry_of(reason which) {
    const int index = static_cast<int>(which);
    return reasons[index >= 0 && index < static_cast<int>(reasons.size()) ? static_cast<std::size_t>(index) : 0];
}

/// The name of the enumerator.
constexpr const char* name(reason which) { return entry_of(which).name; }

}  // namespace plait
