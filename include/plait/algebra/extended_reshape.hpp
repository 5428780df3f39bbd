#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/reshape.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The properties that extended_reshape may give up.
enum class reshape_flags : unsigned {
    none = 0,                    ///< nothing: the same as reshape
    allow_order_mismatch = 1,    ///< the order of elements in a joined group: the result has the order of memory
    allow_padding_mismatch = 2,  ///< the padding: a changed group counts padded extents, which become logical
};
/// Returns both flags combined.
constexpr reshape_flags operator|(reshape_flags a, reshape_flags b) {
    return static_cast<reshape_flags>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
namespace detail {
/// Returns true if a flag is set.
constexpr bool has_flag(reshape_flags flags, reshape_flags flag) {
    return (static_cast<unsigned>(flags) & static_cast<unsigned>(flag)) != 0;
}

/// Returns the rules for a reshape with these flags.
constexpr regroup_rules rules_of(reshape_flags flags) {
    return {.any_order = has_flag(flags, reshape_flags::allow_order_mismatch),
            .match_padding = has_flag(flags, reshape_flags::allow_padding_mismatch)};
}

/// The rule of extended_reshape.
struct extended_reshape_rule {
    static constexpr expected<layout> attempt(const layout& l, const dims& to, reshape_flags flags) {
        return regroup_to(l, to, rules_of(flags));
    }
    /// Computes the result for a bound layout. Dynamic entries of `to` stand, in order, for the values of open extents.
    static constexpr expected<layout> attempt_open(const layout& open, const layout& now, const dims& to,
                                                   reshape_flags flags) {
        return attempt_filled(open, now, to, [&](const dims& filled_in) { return attempt(now, filled_in, flags); });
    }
    static constexpr bool is_index_map = false;  // with flags the order of elements is that of memory
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Reshapes a layout without moving data. If the flags allow it, gives up the order of elements or the padding.
///
/// Refused: as check_reshape; with allow_order_mismatch, blocked axes and axes in another order fail only if the group
///          is not one contiguous chunk: group_is_not_contiguous
/// Pre:     check_extended_reshape(l, to, flags).ok()
/// Post:    flags none: == reshape(l, to). Otherwise each changed group takes the same places in memory as before, as
///          one plain chunk, split row-major; with allow_padding_mismatch its padding becomes elements
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  seeds rfc-memory-descriptor-operations, 4.3
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::extended_reshape_rule> extended_reshape;
/// Checks that extended_reshape is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::extended_reshape_rule> check_extended_reshape;
/// Returns the result of extended_reshape, or the verdict that refuses it.
inline constexpr operation_attempt<detail::extended_reshape_rule> try_extended_reshape;

}  // namespace plait
