#pragma once
// The result of a check: the operation is allowed, or the rule that it breaks, the axis, and the numbers that disagree.

#include <plait/core/axis.hpp>
#include <plait/core/reason.hpp>
#include <plait/core/status.hpp>
#include <plait/core/verdict_words.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The result of a check. Converts to its status, so that `reorder(...) == status::success` works as well.
///
/// Post:    ok() == (status() == status::success)
/// Example: examples/02_refusals.cpp
struct [[nodiscard]] verdict {
    plait::reason reason = plait::reason::none;
    int axis = -1;     ///< the axis that the check is about, or -1
    dim_t first = 0;   ///< the number that does not fit: a column, an extent, a stride
    dim_t second = 0;  ///< what it had to match
    /// The third number of the sentence, or 0: the nearest that fits if numbers do not divide; a role; ...
    dim_t third = 0;
    /// The things whose axes `first` and `second` count, if the reason is rank_differs: for the sentence, not compared.
    short counted = 0;

    constexpr bool ok() const { return reason == plait::reason::none; }
    constexpr plait::status status() const {
        using enum plait::reason;
        if (ok()) return plait::status::success;
        switch (reason) {
            case layout_is_opaque: [[fallthrough]];
            case format_is_winograd:
            case format_is_packed_for_rnn:
            case format_is_sparse:
            case parent_is_not_blocked:
            case parent_is_dynamic:
            case part_cuts_a_block: return plait::status::unimplemented;
            default: return plait::status::invalid_arguments;
        }
    }
    constexpr operator plait::status() const { return status(); }
    constexpr bool operator==(const verdict& other) const {
        return reason == other.reason && axis == other.axis && first == other.first && second == other.second &&
               third == other.third;
    }
};

namespace detail {
/// Returns rank_differs, for two things of which one has `axes` and the other `others` axes.
///
/// Example: ranks_differ(counted::format_tag, 4, counted::extents, 3)
constexpr verdict ranks_differ(counted thing, dim_t axes, counted other, dim_t others) {
    return {reason::rank_differs,
            -1,
            axes,
            others,
            0,
            static_cast<short>(static_cast<int>(thing) * 64 + static_cast<int>(other))};
}
/// The things that a rank_differs compares; both unknown if the verdict does not say it.
constexpr counted first_counted(const verdict& why) { return static_cast<counted>(why.counted / 64); }
constexpr counted second_counted(const verdict& why) { return static_cast<counted>(why.counted % 64); }
}  // namespace detail

}  // namespace plait
